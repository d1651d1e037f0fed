"""What the bets of a case have to do with one another: refusals, and stages after each is decided.

1. Refusals: of several bets only the first is kept (`SingleBets`), a bettor may lay only one kind
   of some bets (`ExclusionRule`), no bet may exclude an earlier one (`OppositeBets`).
2. Stages: the value of a combination is divided among the bets that won it (`PrizeSharing`); a
   commission applies to the winnings of a bettor in the round (`JointCommission`); what was taken
   above the limit by oversight is returned (`ReturnedExcess`); only the highest prize of a bettor
   is paid (`HighestPrizeOnly`); no prize exceeds a declared one (`PrizeCeiling`).

Which of them a game has, and in which order, follows from its clauses (`table_options`).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from selo.rules.clauses.jackpot_share import JACKPOT
from selo.rules.equipment.kits import BadOutcome
from selo.rules.equipment.piece_set import PieceSet
from selo.rules.settlement.jackpot import divide_prizes, value_share
from selo.rules.settlement.neighbouring_bets import OVERLOOKED, find_repeats
from selo.rules.settlement.settlement_models import (
    COMMISSION,
    DerivationStep,
    SharedResult,
    refuse,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.rules.clauses.clause_models import Option
    from selo.rules.equipment.kits import Kit, Tables
    from selo.rules.settlement.jackpot import SharingRules
    from selo.rules.settlement.rounding import Money
    from selo.rules.settlement.settlement_models import (
        BetResult,
        BetSettlement,
        SingleRule,
    )
    from selo.table_values import Bet, Options, Outcome

_BETTOR: Final = "bettor"
_HIGHEST_PRIZE: Final = "highest_prize"
_HIGHEST_STAKE: Final = "maximum"
_WIN, _LOSE = "win", "lose"
_ZERO = Fraction(0)


@dataclass(kw_only=True, slots=True)
class JointCase:
    """A case while its bets are settled together."""

    options: Options
    bets: Sequence[Bet]
    #: The bets with the stakes that count.
    counted: Sequence[Bet]
    results: Sequence[BetResult]
    settlements: list[BetSettlement]


class SettlingGame(Protocol):
    """What refusals and stages ask of the game."""

    kit: Kit
    tables: Tables
    sharing: SharingRules | None
    commission_on_returned: bool

    def wins(self, outcome: Outcome, bet: Bet) -> bool:
        """Return whether a bet wins, laid alone."""

    def round_amount(self, what: str, amount: Fraction) -> Fraction:
        """Return an amount, rounded as the law rounds `what`."""

    def multiply_rounded(self, what: str, part: Money, of: Money) -> Money:
        """Return a part of an amount, rounded as the law rounds `what`."""


class RefusalRule(Protocol):
    """Keeps bets from being accepted because of other bets of the case."""

    @property
    def in_place(self) -> bool:
        """Whether only several bets in one place are concerned."""

    def find(self, game: SettlingGame, bets: Sequence[Bet]) -> Iterable[tuple[int, BetResult]]:
        """Yield the places of refused bets, and their results."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SingleBets:
    """By bet, the rule that keeps only the first of several."""

    rules: Mapping[str, SingleRule]
    in_place: bool = True

    def find(self, game: SettlingGame, bets: Sequence[Bet]) -> Iterator[tuple[int, BetResult]]:
        """Yield the bets that repeat an earlier one."""
        del game
        for at, provision in find_repeats(bets, self.rules).items():
            yield at, refuse(provision, "single")


@dataclass(frozen=True, kw_only=True, slots=True)
class ExclusionRule:
    """Bets of which one bettor may lay only one kind: the one laid first is kept."""

    provision: str
    names: frozenset[str]
    in_place: bool = False

    def find(self, game: SettlingGame, bets: Sequence[Bet]) -> Iterator[tuple[int, BetResult]]:
        """Yield the bets of another kind than the first."""
        del game
        first: dict[Any, str] = {}
        for at, bet in enumerate(bets):
            name = bet.get("bet")
            if name in self.names and first.setdefault(bet.get(_BETTOR), name) != name:
                yield at, refuse(self.provision, "excludes")


@dataclass(frozen=True, kw_only=True, slots=True)
class OppositeBets:
    """A bet that cannot win together with an earlier one of the same bettor is refused."""

    provision: str
    in_place: bool = False
    _winning_memo: dict[tuple[Any, Any], frozenset[int]] = field(default_factory=dict)

    def find(self, game: SettlingGame, bets: Sequence[Bet]) -> Iterator[tuple[int, BetResult]]:
        """Yield the bets that exclude an earlier one."""
        accepted: dict[Any, list[frozenset[int]]] = defaultdict(list)
        for at, bet in enumerate(bets):
            throws = self._winning_throws(game, bet)
            earlier = accepted[bet.get(_BETTOR)]
            if all(throws & others for others in earlier):
                earlier.append(throws)
            else:
                yield at, refuse(self.provision, "refused")

    def _winning_throws(self, game: SettlingGame, bet: Bet) -> frozenset[int]:
        """Return the throws that a bet wins, as indices among all throws."""
        spot = (bet.get("bet"), bet.get("choice"))
        if spot not in self._winning_memo:
            throws = game.kit.throws(game.tables) if isinstance(game.kit, PieceSet) else []
            self._winning_memo[spot] = frozenset(
                at for at, throw in enumerate(throws) if game.wins(throw, bet)
            )
        return self._winning_memo[spot]


class SettlementStage(Protocol):
    """Changes the settlements of the bets of a case together."""

    #: Whether it leaves apart what was won for a shared prize and what was not.
    shares: bool
    #: Whether not all of a stake may count.
    counts: bool

    def count_stakes(self, options: Options, bets: Sequence[Bet]) -> Sequence[Bet]:
        """Return the bets with the stakes that count."""

    def apply(self, game: SettlingGame, case: JointCase) -> None:
        """Change the settlements of a case."""


class _Stage:
    """A stage that counts whole stakes."""

    __slots__ = ()
    shares = False
    counts = False

    def count_stakes(self, options: Options, bets: Sequence[Bet]) -> Sequence[Bet]:
        del options
        return bets


class PrizeSharing(_Stage):
    """The value of a combination is divided among the bets that won it."""

    shares = True

    def apply(self, game: SettlingGame, case: JointCase) -> None:
        """Pay each bet its part."""
        for at, prize, returned in share_prizes(game, case.options, case.counted, case.results):
            case.settlements[at] = replace(
                case.settlements[at], prize=Fraction(prize), stake=returned
            )


def share_prizes(
    game: SettlingGame, options: Options, bets: Sequence[Bet], results: Sequence[BetResult]
) -> Iterator[tuple[int, Money, int | None]]:
    """Yield the bets that won a shared prize: its part, and what is returned of its stake."""
    if game.sharing is None or SharedResult not in map(type, results):
        return
    groups: dict[Any, list[int]] = defaultdict(list)
    for at, bet_result in enumerate(results):
        if isinstance(bet_result, SharedResult):
            groups[bets[at]["bet"]].append(at)
    jackpot: Any = options.get(JACKPOT) or {}
    for places in groups.values():
        # The cards form the same combinations for every bet that won.
        paid = next(won.paid for at in places if isinstance(won := results[at], SharedResult))
        prizes = [
            (value_share(share, name, jackpot, game.sharing, game.multiply_rounded), share.fixed)
            for name, share in paid
        ]
        payouts = divide_prizes(
            prizes, [bets[at] for at in places], jackpot, game.sharing, game.multiply_rounded
        )
        for at, payout in zip(places, payouts, strict=True):
            yield at, *_split_payout(payout, bets[at])


@dataclass(frozen=True, kw_only=True)
class JointCommission(_Stage):
    """The commission applies to the winnings of a bettor: to their sum, or net of what was lost."""

    on_sum: bool
    on_net: bool

    def apply(self, game: SettlingGame, case: JointCase) -> None:
        """Charge each bettor."""
        due: dict[Any, list[int]] = defaultdict(list)
        lost: dict[Any, int] = defaultdict(int)
        for at, (bet, bet_result) in enumerate(zip(case.counted, case.results, strict=True)):
            if bet_result.commission:
                due[bet.get(_BETTOR)].append(at)
            elif bet_result.result == _LOSE:
                lost[bet.get(_BETTOR)] += bet["stake"]
        for bettor, places in due.items():
            charged = {
                at: case.settlements[at].prize
                + (case.counted[at]["stake"] if game.commission_on_returned else 0)
                for at in places
            }
            won = sum(charged.values(), _ZERO)
            rest = max(won - lost[bettor], _ZERO) if self.on_net else won
            exact = kept = _ZERO
            for at in places:
                charge = case.results[at].commission * charged[at] * (rest / won if won else 0)
                if self.on_sum:
                    # Each bet is charged what it adds to the sum, so that the sum is rounded once.
                    exact += charge
                    charge = game.round_amount(COMMISSION, exact) - kept
                    kept += charge
                case.settlements[at] = replace(
                    case.settlements[at], commission=game.round_amount(COMMISSION, charge)
                )


@dataclass(frozen=True, kw_only=True)
class ReturnedExcess(_Stage):
    """A bet that was taken by oversight counts up to the option ``maximum``."""

    counts = True

    def count_stakes(self, options: Options, bets: Sequence[Bet]) -> Sequence[Bet]:
        """Return the bets without the part of a stake that exceeds the limit by oversight."""
        highest: Any = options.get(_HIGHEST_STAKE)
        if not highest:
            return bets
        return [
            cast("Bet", {**bet, "stake": highest})
            if bet.get(OVERLOOKED) is True and bet["stake"] > highest
            else bet
            for bet in bets
        ]

    def apply(self, game: SettlingGame, case: JointCase) -> None:
        """Return what did not count of a lost stake."""
        del game
        for at, (bet, taken) in enumerate(zip(case.bets, case.counted, strict=True)):
            if taken is not bet and case.settlements[at].result == _LOSE:
                case.settlements[at] = replace(
                    case.settlements[at], stake=bet["stake"] - taken["stake"]
                )


@dataclass(frozen=True, kw_only=True)
class HighestPrizeOnly(_Stage):
    """Only the highest prize of each bettor is paid."""

    provision: str

    def apply(self, game: SettlingGame, case: JointCase) -> None:
        """Pay no other prize."""
        del game
        won: dict[Any, list[int]] = defaultdict(list)
        for at, (bet, settlement) in enumerate(zip(case.bets, case.settlements, strict=True)):
            if settlement.result == _WIN:
                won[bet.get(_BETTOR)].append(at)
        for places in won.values():
            highest = max(places, key=lambda at: case.settlements[at].prize)
            for at in places:
                if at != highest:
                    case.settlements[at] = _limit(case.settlements[at], self.provision, _ZERO)


@dataclass(frozen=True, kw_only=True)
class PrizeCeiling(_Stage):
    """No prize exceeds the option ``highest_prize``."""

    provision: str

    def apply(self, game: SettlingGame, case: JointCase) -> None:
        """Pay at most the declared prize."""
        del game
        if _HIGHEST_PRIZE not in case.options:
            return
        ceiling = Fraction(cast("int", case.options[_HIGHEST_PRIZE]))
        for at, settlement in enumerate(case.settlements):
            if settlement.prize > ceiling:
                case.settlements[at] = _limit(settlement, self.provision, ceiling)


def _limit(settlement: BetSettlement, provision: str, prize: Fraction) -> BetSettlement:
    reason = DerivationStep(provision=provision, role="limit")
    return replace(settlement, prize=prize, reasons=(*settlement.reasons, reason))


def names_some_bettors(bets: Sequence[Bet]) -> bool:
    """Return whether some bets of a case name their bettor and others do not."""
    unnamed = [bet.get(_BETTOR) for bet in bets].count(None)
    return 0 < unnamed < len(bets)


def bets_of_bettor(bet: Bet, bets: Sequence[Bet]) -> Sequence[Bet]:
    """Return `bets` as the bettor of `bet` sees them: bets without a bettor may be theirs."""
    bettor: Any = bet.get(_BETTOR)
    return [
        {**bet, _BETTOR: bettor} if bettor is None or bet.get(_BETTOR) is None else bet
        for bet in bets
    ]


def _split_payout(payout: Money, bet: Bet) -> tuple[Money, int | None]:
    """Return the prize, and what is returned of the stake where a share is less than it."""
    if payout >= 0:
        return payout, None
    return 0, max(int(bet["stake"] + payout), 0)


def read_option(option: Option, declared: Options) -> Any:
    """Return the value of an option that conditions may use."""
    value: Any = declared.get(option.option)
    if not option.values:
        return int(value or 0)
    if value is not None and value not in option.values:
        msg = f"'{value}' is not a value of {option.option}: {', '.join(option.values)}"
        raise BadOutcome(msg)
    return value or ""
