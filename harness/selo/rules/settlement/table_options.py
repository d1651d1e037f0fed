"""Bets that weigh on one another, and tables that declare something before the bets are made.

Options without listed values are numbers, the others texts; the conditions of bets may ask for
them. Three manners are followed here:

1. ``opposites`` ``refused``: a bet that can never win together with an earlier one of the same
   bettor is refused.
2. ``winners`` ``highest-only``: of the prizes of one bettor only the highest is paid.
3. ``ceiling`` ``declared``: no prize exceeds the option ``highest_prize``.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.rules.equipment import at_table
from selo.rules.equipment.kits import BadOutcome, FigureDice
from selo.rules.language.vocabulary import INT, TEXT
from selo.rules.settlement.bet_rules import Reason
from selo.rules.settlement.game import REFUSED, Game
from selo.rules.settlement.joint_settlement import TableGame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.rules.clauses.clause_models import Option
    from selo.rules.settlement.game import Settlement, Verdict, _Seen
    from selo.rules.settlement.reconstruction import Basis

_OPTIONS: Final = "options"
_HIGHEST: Final = "highest_prize"
#: The manners, with their meanings, that a game alone does not follow.
_WEIGHING: Final = {
    ("opposites", "refused"),
    ("winners", "highest-only"),
    ("ceiling", "declared"),
    ("commission-on", "sum"),
}


def option_types(options: Sequence[Option]) -> dict[str, str]:
    """Return the options of a table as names that conditions may use, with their types."""
    return {option.option: TEXT if option.values else INT for option in options}


def with_declarations(
    game: Game,
    manners: Mapping[str, tuple[str, str]],
    options: Sequence[Option],
    basis: Basis,
) -> Game:
    """Return `game` as one that follows `manners` and `options`, if they ask for more than it does.

    A manner comes with its meaning and with the provision that says so.
    """
    followed = {
        name: provision
        for name, (means, provision) in manners.items()
        if (name, means) in _WEIGHING
    }
    if not followed and not options:
        return game
    plain = {name: means for name, (means, _) in manners.items()}
    table = TableGame.made_of(game, plain, [], basis)
    return DeclaredGame(
        **{field.name: getattr(table, field.name) for field in fields(TableGame)},
        followed=followed,
        options=tuple(options),
    )


@dataclass(kw_only=True)
class DeclaredGame(TableGame):
    """A game whose bets are settled together, at a table that declares its options."""

    #: The provision of each manner that is followed.
    followed: Mapping[str, str]
    options: tuple[Option, ...]
    _throws: dict[tuple[Any, Any], frozenset[int]] = field(default_factory=dict)

    @property
    def only_highest(self) -> bool:
        """Whether of the prizes of one bettor only the highest is paid."""
        return "winners" in self.followed

    def settle(
        self,
        options: Mapping[str, Any],
        outcome: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> list[Settlement]:
        """Return what becomes of each bet, and why."""
        found = super().settle(options, outcome, bets)
        if self.only_highest:
            self._highest_only(bets, found)
        if "ceiling" in self.followed and _HIGHEST in options:
            most = Fraction(options[_HIGHEST])
            for at, one in enumerate(found):
                if one.prize > most:
                    found[at] = self._limited(one, "ceiling", most)
        return found

    def settle_plain(
        self,
        options: Mapping[str, Any],
        outcome: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> list[dict[str, Any]]:
        """Return what becomes of each bet as a case writes it."""
        return [one.plain() for one in self.settle(options, outcome, bets)]

    def _seen(self, outcome: Mapping[str, Any]) -> _Seen:
        facts, table = super()._seen(outcome)
        if not self.options:
            return facts, table
        # What an option changes is not remembered with the outcome alone.
        given = outcome.get(_OPTIONS) or {}
        return {**facts, **{option.option: _value(option, given) for option in self.options}}, {}

    def _highest_only(self, bets: Sequence[Mapping[str, Any]], found: list[Settlement]) -> None:
        won: dict[Any, list[int]] = defaultdict(list)
        for at, (bet, one) in enumerate(zip(bets, found, strict=True)):
            if one.result == "win":
                won[bet.get("bettor")].append(at)
        for places in won.values():
            highest = max(places, key=lambda at: found[at].prize)
            for at in places:
                if at != highest:
                    found[at] = self._limited(found[at], "winners", Fraction(0))

    def _limited(self, one: Settlement, manner: str, prize: Fraction) -> Settlement:
        reason = Reason(provision=self.followed[manner], role="limit", condition=None)
        return replace(one, prize=prize, reasons=(*one.reasons, reason))

    def _excluded(self, bets: Sequence[Mapping[str, Any]]) -> dict[int, Verdict]:
        refused = super()._excluded(bets)
        if "opposites" not in self.followed:
            return refused
        reason = Reason(provision=self.followed["opposites"], role="refused", condition=None)
        taken: dict[Any, list[frozenset[int]]] = defaultdict(list)
        for at, bet in enumerate(bets):
            throws = self._winning(bet)
            earlier = taken[bet.get("bettor")]
            if all(throws & others for others in earlier):
                earlier.append(throws)
            else:
                refused[at] = replace(REFUSED, reasons=(reason,))
        return refused

    def _winning(self, bet: Mapping[str, Any]) -> frozenset[int]:
        """Return which of all throws a bet wins."""
        spot = (bet.get("bet"), bet.get("choice"))
        if spot not in self._throws:
            throws = self.kit.throws(self.tables) if isinstance(self.kit, FigureDice) else []
            won = []
            for at, throw in enumerate(throws):
                facts, table = self._seen(at_table({}, throw))
                if self._of(facts, table, bet, [bet]).result == "win":
                    won.append(at)
            self._throws[spot] = frozenset(won)
        return self._throws[spot]


def _value(option: Option, given: Mapping[str, Any]) -> Any:
    value = given.get(option.option)
    if not option.values:
        return int(value or 0)
    if value is not None and value not in option.values:
        msg = f"'{value}' is nothing that {option.option} may be: {', '.join(option.values)}"
        raise BadOutcome(msg)
    return value or ""
