"""Games at tables that declare options, and manners by which bets affect one another.

Options without listed values are numbers, the others texts; conditions of bets may use them.
Four manners are applied here:

1. ``opposites`` ``refused``: a bet that cannot win together with an earlier one of the same
   bettor is refused.
2. ``winners`` ``highest-only``: only the highest prize of each bettor is paid.
3. ``ceiling`` ``declared``: no prize exceeds the option ``highest_prize``.
4. ``excess`` ``returned``: a bet that was taken by oversight counts up to the option ``maximum``.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, cast

from selo.rules.equipment.kits import OPTIONS, BadOutcome, with_options
from selo.rules.equipment.piece_set import PieceSet
from selo.rules.language.vocabulary import INT, TEXT
from selo.rules.settlement.joint_settlement import TableGame
from selo.rules.settlement.neighbouring_bets import OVERLOOKED
from selo.rules.settlement.settlement_models import REFUSED, DerivationStep

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.rules.clauses.clause_models import Option
    from selo.rules.settlement.game import Game
    from selo.rules.settlement.reconstruction import ReconstructedBasis
    from selo.rules.settlement.settlement_models import BetResult, BetSettlement, OutcomeMemo
    from selo.table_values import Bet, Options, Outcome

_HIGHEST_PRIZE: Final = "highest_prize"
_HIGHEST_STAKE: Final = "maximum"
#: Manners and meanings that a `Game` does not apply by itself.
_JOINT_MANNERS: Final = {
    ("opposites", "refused"),
    ("winners", "highest-only"),
    ("ceiling", "declared"),
    ("commission-on", "sum"),
    ("excess", "returned"),
}


def option_types_of(options: Sequence[Option]) -> dict[str, str]:
    """Return the options of a table as variables, with their types."""
    return {option.option: TEXT if option.values else INT for option in options}


def apply_table_manners(
    game: Game,
    manners: Mapping[str, tuple[str, str]],
    options: Sequence[Option],
    basis: ReconstructedBasis,
) -> Game:
    """Return `game` with `manners` and `options` applied, if it does not apply them by itself.

    Each manner comes with its meaning and its provision.
    """
    provisions = {
        name: provision
        for name, (means, provision) in manners.items()
        if (name, means) in _JOINT_MANNERS
    }
    if not provisions and not options:
        return game
    meanings = {name: means for name, (means, _) in manners.items()}
    table = TableGame.from_game(game, meanings, [], basis)
    return DeclaredGame(
        **{field.name: getattr(table, field.name) for field in fields(TableGame)},
        manner_provisions=provisions,
        options=tuple(options),
    )


@dataclass(kw_only=True)
class DeclaredGame(TableGame):
    """A game whose bets are settled together, at a table that declares options."""

    #: The provision of each manner that is applied.
    manner_provisions: Mapping[str, str]
    options: tuple[Option, ...]
    _winning_memo: dict[tuple[Any, Any], frozenset[int]] = field(default_factory=dict)

    @property
    def pays_highest_only(self) -> bool:
        """Whether only the highest prize of each bettor is paid."""
        return "winners" in self.manner_provisions

    def settle(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> list[BetSettlement]:
        """Return the settlement of each bet, with its derivation."""
        counted = self._stakes_that_count(options, bets)
        settlements = super().settle(options, outcome, counted)
        for at, (bet, taken) in enumerate(zip(bets, counted, strict=True)):
            if taken is not bet and settlements[at].result == "lose":
                settlements[at] = replace(settlements[at], stake=bet["stake"] - taken["stake"])
        if self.pays_highest_only:
            self._pay_highest_only(bets, settlements)
        if "ceiling" in self.manner_provisions and _HIGHEST_PRIZE in options:
            ceiling = Fraction(cast("int", options[_HIGHEST_PRIZE]))
            for at, settlement in enumerate(settlements):
                if settlement.prize > ceiling:
                    settlements[at] = self._limit_prize(settlement, "ceiling", ceiling)
        return settlements

    def _stakes_that_count(self, options: Options, bets: Sequence[Bet]) -> Sequence[Bet]:
        """Return the bets without the part of a stake that exceeds the limit by oversight."""
        highest: Any = options.get(_HIGHEST_STAKE)
        if "excess" not in self.manner_provisions or not highest:
            return bets
        return [
            cast("Bet", {**bet, "stake": highest})
            if bet.get(OVERLOOKED) is True and bet["stake"] > highest
            else bet
            for bet in bets
        ]

    def settle_plain(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> list[dict[str, Any]]:
        """Return the settlement of each bet as a case writes it."""
        return [settlement.plain() for settlement in self.settle(options, outcome, bets)]

    def _look_up_outcome(self, outcome: Outcome) -> OutcomeMemo:
        facts, table = super()._look_up_outcome(outcome)
        if not self.options:
            return facts, table
        # Results that depend on options are not cached with the outcome.
        declared = outcome.get(OPTIONS) or {}
        return {
            **facts,
            **{option.option: _read_option(option, declared) for option in self.options},
        }, {}

    def _pay_highest_only(self, bets: Sequence[Bet], settlements: list[BetSettlement]) -> None:
        won: dict[Any, list[int]] = defaultdict(list)
        for at, (bet, settlement) in enumerate(zip(bets, settlements, strict=True)):
            if settlement.result == "win":
                won[bet.get("bettor")].append(at)
        for places in won.values():
            highest = max(places, key=lambda at: settlements[at].prize)
            for at in places:
                if at != highest:
                    settlements[at] = self._limit_prize(settlements[at], "winners", Fraction(0))

    def _limit_prize(
        self, settlement: BetSettlement, manner: str, prize: Fraction
    ) -> BetSettlement:
        reason = DerivationStep(provision=self.manner_provisions[manner], role="limit")
        return replace(settlement, prize=prize, reasons=(*settlement.reasons, reason))

    def find_refusals(self, bets: Sequence[Bet]) -> dict[int, BetResult]:
        """Return the places of bets that other bets of the case keep from being accepted."""
        refused = super().find_refusals(bets)
        if "opposites" not in self.manner_provisions:
            return refused
        reason = DerivationStep(provision=self.manner_provisions["opposites"], role="refused")
        accepted: dict[Any, list[frozenset[int]]] = defaultdict(list)
        for at, bet in enumerate(bets):
            throws = self._winning_throws(bet)
            earlier = accepted[bet.get("bettor")]
            if all(throws & others for others in earlier):
                earlier.append(throws)
            else:
                refused[at] = replace(REFUSED, reasons=(reason,))
        return refused

    def _winning_throws(self, bet: Bet) -> frozenset[int]:
        """Return the throws that a bet wins, as indices among all throws."""
        spot = (bet.get("bet"), bet.get("choice"))
        if spot not in self._winning_memo:
            throws = self.kit.throws(self.tables) if isinstance(self.kit, PieceSet) else []
            won = []
            for at, throw in enumerate(throws):
                facts, table = self._look_up_outcome(with_options({}, throw))
                if self._result_of(facts, table, bet, [bet]).result == "win":
                    won.append(at)
            self._winning_memo[spot] = frozenset(won)
        return self._winning_memo[spot]


def _read_option(option: Option, declared: Options) -> Any:
    value: Any = declared.get(option.option)
    if not option.values:
        return int(value or 0)
    if value is not None and value not in option.values:
        msg = f"'{value}' is nothing that {option.option} may be: {', '.join(option.values)}"
        raise BadOutcome(msg)
    return value or ""
