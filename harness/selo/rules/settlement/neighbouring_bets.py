"""What lies around a bet: the other bets of the case, as far as a rule may ask for them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from selo.rules.language.vocabulary import INT, TEXT, TEXTS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from selo.rules.settlement.bet_rules import BetRules, NeedRule

#: The names of the bets at the same place, and of those with the stake of this one.
_AROUND: Final = {"others": TEXTS, "same_stake": TEXTS}
#: What the same bettor chose in the first bet of this name.
_FIRST_CHOICE: Final = "first_choice"
#: Every name by which a condition asks for what lies around.
AROUND: Final = frozenset({*_AROUND, _FIRST_CHOICE})


def around_variables(domain: Sequence[Any] | None) -> dict[str, str]:
    """Return the names that conditions on a bet with such choices may use, with their types."""
    if domain is None:
        return dict(_AROUND)
    return {**_AROUND, _FIRST_CHOICE: INT if isinstance(domain[0], int) else TEXT}


class Laid(list["Mapping[str, Any]"]):
    """The bets of one case; what lies at a place is looked for once, for all bets that ask."""

    __slots__ = ("_chosen", "_known")

    def __init__(self, bets: Iterable[Mapping[str, Any]]) -> None:
        super().__init__(bets)
        self._known: dict[Hashable, tuple[tuple[str, Any], ...]] = {}
        #: Whether any bet has a choice, once that was asked.
        self._chosen: bool | None = None

    def near(self, field: str | None, place: Any, stake: Any) -> tuple[tuple[str, Any], ...]:
        """Return the names of the bets at a place, and of those among them with this stake."""
        at = (field, place, stake)
        known = self._known.get(at)
        if known is None:
            here = self if field is None else [one for one in self if one.get(field) == place]
            known = self._known[at] = _told(
                tuple([str(one.get("bet")) for one in here]),
                tuple([str(one.get("bet")) for one in here if one.get("stake") == stake]),
            )
        return known

    def first_choice(self, bet: Mapping[str, Any], name: str) -> Any:
        """Return what the bettor of `bet` chose in the first bet of this name."""
        if self._chosen is None:
            self._chosen = bool([one for one in self if "choice" in one])
        if self._chosen:
            bettor = bet.get("bettor")
            for one in self:
                if one.get("bet") == name and one.get("bettor") == bettor:
                    return one.get("choice")
        return bet.get("choice")


@lru_cache(maxsize=4096)
def _told(near: tuple[str, ...], alike: tuple[str, ...]) -> tuple[tuple[str, Any], ...]:
    return (("others", tuple(sorted(set(near)))), ("same_stake", tuple(sorted(set(alike)))))


def around(
    rules: BetRules,
    place: Any,
    bet: Mapping[str, Any],
    bets: Sequence[Mapping[str, Any]],
) -> tuple[tuple[str, Any], ...]:
    """Return what lies around `bet`, in a form that can be remembered."""
    laid = bets if isinstance(bets, Laid) else Laid(bets)
    return (
        *laid.near(rules.place, place, bet.get("stake")),
        (_FIRST_CHOICE, laid.first_choice(bet, rules.name)),
    )


def beside(need: NeedRule, bet: Mapping[str, Any], bets: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a bet that `need` asks for lies beside `bet`, or is not asked for."""
    bettor = bet.get("bettor")
    if need.unless_own and any(str(bet.get(field)) == str(bettor) for field in need.same[:1]):
        # The player of a place bears its name.
        return True
    same = [(field, bet.get(field)) for field in need.same]
    for other in bets:
        if other.get("bet") in need.beside:
            # A loop: every bet of every case that needs another comes through here.
            for field, value in same:
                if other.get(field) != value:
                    break
            else:
                return True
    return False
