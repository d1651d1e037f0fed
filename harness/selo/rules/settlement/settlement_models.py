"""Models of settlement: the compiled rules of bets, their results, and their lives over throws."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from selo.errors import SeloError
from selo.json_numbers import encode_fraction
from selo.rules.equipment.kits import BadOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from selo.rules.clauses.jackpot_share import JackpotShare
    from selo.rules.language import Expression
    from selo.table_values import Bet, Outcome

_ZERO = Fraction(0)
_REFUSED = "refused"
#: The amount that the house keeps, as a settlement, a rounding and a role of a derivation name it.
COMMISSION: Final = "commission"
_RETURNED = "returned"


class RuleFault(SeloError):
    """The rules do not settle a bet, and which provisions they are of."""

    code = "suite"

    def __init__(self, message: str, provisions: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.provisions = tuple(provisions)


class RulesDisagree(RuleFault):
    """Two rules give one bet different results, and the law does not say which prevails."""


class NoRule(RuleFault):
    """No rule gives a bet a result or a prize."""


#: What a game raises under readings that settle no such case, or that contradict each other in it.
UNSETTLED: Final = (BadOutcome, RuleFault)


@dataclass(frozen=True, kw_only=True, slots=True)
class DerivationStep:
    """One step of a derivation: a provision, its role, and its condition."""

    provision: str
    role: str
    condition: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultRule:
    """A condition under which a bet has a result, and the provisions over which it prevails."""

    provision: str
    result: str
    condition: Expression | None
    over: frozenset[str] = frozenset()
    stage: str | None = None
    #: What becomes of the stake of a void bet: it stays, or is returned.
    stake: str | None = None
    #: The combination of cards that this rule describes, by the name that prizes use.
    combination: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PrizeRule:
    """What a winning bet is paid under a condition."""

    provision: str
    odds: Fraction
    condition: Expression | None
    #: The share of a jackpot, where the prize is not a multiple of the stake.
    share: JackpotShare | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CommissionRule:
    """The part of a prize that the house keeps."""

    provision: str
    rate: Fraction
    condition: Expression | None


@dataclass(frozen=True, kw_only=True, slots=True)
class NeedRule:
    """Another bet without which this one is refused."""

    provision: str
    beside: frozenset[str]
    same: tuple[str, ...]
    #: Whether the need is waived where the bettor is the player of the place.
    unless_own: bool = False
    #: Whether a companion that names no place lies at the place of its bettor.
    lying_own: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class SingleRule:
    """Bets of which only the first is kept, among those that agree in the fields `same`."""

    provision: str
    same: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class LimitRule:
    """A limit of an additional bet: what it applies to, and the bet whose stake it is.

    Without `of` it is the stake of the base bet.
    """

    provision: str
    means: str
    of: str | None


@dataclass(kw_only=True, slots=True)
class BetRules:
    """All rules of one bet."""

    name: str
    declared_in: str
    domain: tuple[Any, ...] | None
    place: str | None
    results: list[ResultRule] = field(default_factory=list)
    prizes: list[PrizeRule] = field(default_factory=list)
    commissions: list[CommissionRule] = field(default_factory=list)
    needs: list[NeedRule] = field(default_factory=list)
    #: The bet to which this one is added, in a game of throws.
    added_to: str | None = None
    #: The limits that the stake of another bet sets.
    limits: list[LimitRule] = field(default_factory=list)
    #: Whether a condition depends on the other bets at the same place.
    asks_others: bool = False
    #: Whether a condition depends on what lies behind the bet.
    asks_history: bool = False

    def conditions(self) -> Iterator[Expression]:
        """Yield the conditions of results, prizes and commissions."""
        for rules in (self.results, self.prizes, self.commissions):
            for rule in rules:
                if rule.condition is not None:
                    yield rule.condition


@dataclass(frozen=True, kw_only=True, slots=True)
class BetResult:
    """The result of a bet per unit of stake: its odds, its commission, and its derivation."""

    result: str
    odds: Fraction
    commission: Fraction
    reasons: tuple[DerivationStep, ...]
    #: What becomes of the stake of a void bet: it stays, or is returned.
    stake: str | None = None
    #: Memo by stake: prize and commission as a case writes them.
    amounts: dict[int, tuple[int | list[int], int | list[int]]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )


def void_stake(bet_result: BetResult, bet: Bet) -> int | None:
    """Return what is returned of the stake of a void bet; nothing where the result decides it."""
    if bet_result.stake is None:
        return None
    return bet["stake"] if bet_result.stake == _RETURNED else 0


REFUSED = BetResult(result="refused", odds=_ZERO, commission=_ZERO, reasons=())


@lru_cache(maxsize=256)
def refuse(provision: str, role: str) -> BetResult:
    """Return the result of a bet that `provision` refuses: without a companion, or repeated."""
    return replace(REFUSED, reasons=(DerivationStep(provision=provision, role=role),))


def derivation_step(provision: str, role: str, condition: Expression | None) -> DerivationStep:
    """Return the step of a rule, with its condition."""
    return DerivationStep(
        provision=provision, role=role, condition=None if condition is None else condition.text
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class BetSettlement:
    """The settlement of a bet for its stake."""

    result: str
    prize: Fraction
    commission: Fraction
    reasons: tuple[DerivationStep, ...]
    #: What is returned of the stake of a void bet; nothing where the result decides it.
    stake: int | None = None

    def plain(self) -> dict[str, Any]:
        """Return the settlement as a case writes it."""
        plain = {
            "result": self.result,
            "prize": encode_fraction(self.prize),
            COMMISSION: encode_fraction(self.commission),
        }
        return plain if self.stake is None else {**plain, "stake": self.stake}


#: Memo of one outcome: its facts, and the results of bets on it.
OutcomeMemo = tuple[dict[str, Any], "dict[Hashable, BetResult]"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What a game is asked of one bet."""

    rules: BetRules
    facts: Mapping[str, Any]
    local: Mapping[str, Any]
    place: Any
    #: All facts that conditions may use; nothing if the bet is malformed.
    all_facts: Mapping[str, Any] | None


class SettlementObserver(Protocol):
    """Is told what a game is asked while it settles."""

    def see_outcome(self, facts: Mapping[str, Any], outcome: Outcome) -> None:
        """See the facts of an outcome."""

    def see_bet(self, bet: Bet, bet_result: BetResult) -> None:
        """See the result of a bet, computed now or before."""

    def see_result(self, asked: Asked, bet_result: BetResult) -> BetResult:
        """See a computed result; return the one to keep."""

    def see_throw(
        self,
        rules: BetRules,
        throw: Mapping[str, Any],
        state: tuple[int, Any, str],
        list_facts: Callable[[Mapping[str, Any], int, Any, str], Mapping[str, Any]],
        bet_result: BetResult,
    ) -> None:
        """See the result of a bet on one throw: its state is point, choice and base result."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SharedResult(BetResult):
    """The result of a bet whose prize is shared: the combinations that are paid, and how."""

    paid: tuple[tuple[str, JackpotShare], ...] = ()


@dataclass(kw_only=True, slots=True)
class AddedStakes:
    """Sums over the bets added to one bet: stakes, possible prizes, and prizes paid."""

    stakes: int = 0
    owed: Fraction = Fraction(0)
    paid: Fraction = Fraction(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class BetLife:
    """The life of a bet: its result, the throw that ended it, its point, and since which throw."""

    bet_result: BetResult
    ended: int
    point: int = 0
    point_from: int | None = None

    @property
    def refused(self) -> bool:
        """Whether the bet was refused when it was placed."""
        return self.bet_result.result == _REFUSED


class PlacingMoment(NamedTuple):
    """A moment at which bets are placed: before a throw of a round, or after the last."""

    #: The point of the round, or 0.
    point: int
    #: Whether the throw before made the point of the round.
    point_made: bool
    #: Whether the throw before was not valid and is thrown again.
    repeating: bool

    @classmethod
    def after(cls, throw: Mapping[str, Any] | None, point: int) -> PlacingMoment:
        """Return the moment after a throw, or before the first, when the round has that point."""
        return cls(
            point=point,
            point_made=throw is not None
            and throw["point_set"]
            and throw["round_over"]
            and throw["total"] == throw["round_point"],
            # The law of the game may define which other throws are thrown again.
            repeating=throw is not None and bool(throw.get("repeats", throw["left_table"])),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacingRules:
    """The rules that apply when a bet is placed: refusals, and provisions that give a point."""

    refused: tuple[DerivationStep, ...]
    points: tuple[str, ...]
    #: The facts at that moment.
    facts: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class ThrownRound:
    """The throws of a round, which many cases share."""

    throws: Sequence[Mapping[str, Any]]
    #: The moments before each throw, and after the last.
    moments: Sequence[PlacingMoment]
    #: Memo of bets that depend on the throws alone, by name, choice and moment.
    lives_memo: dict[Hashable, BetLife] = field(default_factory=dict)


@dataclass(kw_only=True, slots=True)
class BetTable:
    """A case: its round, its bets, and their lives so far."""

    throws: Sequence[Mapping[str, Any]]
    moments: Sequence[PlacingMoment]
    bets: Sequence[Bet]
    lives_memo: dict[Hashable, BetLife]
    lives: dict[int, BetLife] = field(default_factory=dict)
    added: dict[int, AddedStakes] = field(default_factory=dict)


def placing_order(rules_of: Mapping[str, BetRules], bet: Bet, index: int) -> tuple[int, bool, int]:
    """Return the sort key by which bets are placed: a base bet before the bets added to it."""
    at: Any = bet.get("at", 0)
    rules = rules_of.get(str(bet.get("bet")))
    is_added = rules is not None and rules.added_to is not None
    return (at if isinstance(at, int) else 0, is_added, index)
