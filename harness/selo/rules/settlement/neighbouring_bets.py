"""The other bets of a case, as far as the rules of a bet may depend on them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from selo.rules.clauses.clause_models import list_names
from selo.rules.language.vocabulary import BOOL, INT, TEXT, TEXTS
from selo.rules.settlement.settlement_models import NeedRule, SingleRule

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from selo.rules.clauses import LocatedClause
    from selo.rules.settlement.settlement_models import BetRules
    from selo.table_values import Bet

HELD: Final = "held"
OVERLOOKED: Final = "overlooked"
CLOSING: Final = "closing"
#: What lies behind a bet, as conditions name it, and the field of the bet that says so: its stake
#: was held from an earlier round; it was taken though it should have been refused; the table closes
#: after the round.
BET_HISTORY: Final = {
    "stake_held": HELD,
    "stake_overlooked": OVERLOOKED,
    "table_closes": CLOSING,
}
#: The names of the bets at the same place, and of those with the same stake.
_SAME_STAKE: Final = "same_stake"
_NEIGHBOUR_TYPES: Final = {"others": TEXTS, _SAME_STAKE: TEXTS}
_REFUSED: Final = "refused"
#: The choice of the same bettor in the first bet of this name.
_FIRST_CHOICE: Final = "first_choice"
_OWN_PLACE: Final = "own-place"
#: Every variable that depends on more than the name, choice and place of a bet.
NEIGHBOUR_VARIABLES: Final = frozenset({*_NEIGHBOUR_TYPES, _FIRST_CHOICE})


def read_need(located: LocatedClause) -> NeedRule:
    """Return the rule of a clause that requires a companion bet."""
    clause: Any = located.clause
    return NeedRule(
        provision=located.held.id,
        beside=frozenset(list_names(clause.beside)),
        same=tuple(list_names(clause.same)),
        unless_own=clause.unless == _OWN_PLACE,
        lying_own=clause.lying == _OWN_PLACE,
    )


def read_single(located: LocatedClause) -> SingleRule:
    """Return the rule of a clause that keeps only the first of several bets."""
    clause: Any = located.clause
    return SingleRule(provision=located.held.id, same=tuple(list_names(clause.same)))


def find_raised(bets: Mapping[str, BetRules]) -> dict[str, str]:
    """Return each bet that must have the stake of another one, and that other one."""
    return {
        name: base
        for name, rules in bets.items()
        for rule in rules.results
        if rule.result == _REFUSED and rule.condition is not None
        if _SAME_STAKE in rule.condition.names
        for base in rule.condition.tree.quoted & bets.keys() - {name}
    }


def neighbour_types(domain: Sequence[Any] | None) -> dict[str, str]:
    """Return the variables of the other bets for a bet with these choices, with their types."""
    types = {**_NEIGHBOUR_TYPES, **dict.fromkeys(BET_HISTORY, BOOL)}
    if domain is None:
        return types
    return {**types, _FIRST_CHOICE: INT if isinstance(domain[0], int) else TEXT}


class BetList(list["Bet"]):
    """The bets of one case, with a memo of the names at each place."""

    __slots__ = ("_has_choices", "_names_memo")

    def __init__(self, bets: Iterable[Bet]) -> None:
        super().__init__(bets)
        self._names_memo: dict[Hashable, tuple[tuple[str, Any], ...]] = {}
        #: Whether any bet has a choice; nothing until it is needed.
        self._has_choices: bool | None = None

    def names_at(self, field: str | None, place: Any, stake: Any) -> tuple[tuple[str, Any], ...]:
        """Return the names of the bets at a place, and of those with this stake."""
        at = (field, place, stake)
        names = self._names_memo.get(at)
        if names is None:
            here = self if field is None else [bet for bet in self if bet.get(field) == place]
            names = self._names_memo[at] = _name_sets(
                tuple([str(bet.get("bet")) for bet in here]),
                tuple([str(bet.get("bet")) for bet in here if bet.get("stake") == stake]),
            )
        return names

    def first_choice(self, bet: Bet, name: str) -> Any:
        """Return the choice of the bettor of `bet` in the first bet of this name."""
        if self._has_choices is None:
            self._has_choices = bool([other for other in self if "choice" in other])
        if self._has_choices:
            bettor = bet.get("bettor")
            for other in self:
                if other.get("bet") == name and other.get("bettor") == bettor:
                    return other.get("choice")
        return bet.get("choice")


@lru_cache(maxsize=4096)
def _name_sets(here: tuple[str, ...], same_stake: tuple[str, ...]) -> tuple[tuple[str, Any], ...]:
    return (("others", tuple(sorted(set(here)))), ("same_stake", tuple(sorted(set(same_stake)))))


def neighbours_of(
    rules: BetRules, place: Any, bet: Bet, bets: Sequence[Bet]
) -> tuple[tuple[str, Any], ...]:
    """Return what the rules of a bet ask of it and of the other bets, as a hashable value."""
    history: tuple[tuple[str, Any], ...] = ()
    if rules.asks_history:
        history = tuple([(name, bet.get(field) is True) for name, field in BET_HISTORY.items()])
    if not rules.asks_others:
        return history
    bet_list = bets if isinstance(bets, BetList) else BetList(bets)
    return (
        *bet_list.names_at(rules.place, place, bet.get("stake")),
        (_FIRST_CHOICE, bet_list.first_choice(bet, rules.name)),
        *history,
    )


def find_repeats(bets: Sequence[Bet], singles: Mapping[str, SingleRule]) -> dict[int, str]:
    """Return the places in `bets` of those that follow a bet of which one may lie, and why."""
    first: set[Hashable] = set()
    repeats: dict[int, str] = {}
    for at, bet in enumerate(bets):
        name: Any = bet.get("bet")
        rule = singles.get(name) if isinstance(name, str) else None
        stake = bet.get("stake")
        if rule is None or type(stake) is not int or stake <= 0:
            continue
        spot = (name, *[repr(bet.get(field)) for field in rule.same])
        if spot in first:
            repeats[at] = rule.provision
        first.add(spot)
    return repeats


def meets_need(need: NeedRule, bet: Bet, bets: Sequence[Bet]) -> bool:
    """Return whether the case has a companion bet that `need` requires, or the need is waived."""
    bettor = bet.get("bettor")
    if need.unless_own and any(str(bet.get(field)) == str(bettor) for field in need.same[:1]):
        # The player of a place has its name.
        return True
    same = [(field, bet.get(field)) for field in need.same]
    for other in bets:
        if other.get("bet") in need.beside:
            # A plain loop for speed.
            for field, value in same:
                lying = other.get(field)
                if lying is None and need.lying_own:
                    lying = other.get("bettor")
                if lying != value:
                    break
            else:
                return True
    return False
