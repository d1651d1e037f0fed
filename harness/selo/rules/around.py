"""What lies around a bet: the other bets of the case, as far as a rule may ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.rules.vocabulary import INT, TEXT, TEXTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.rules.game import BetRules, NeedRule

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


def around(
    rules: BetRules,
    place: Any,
    bet: Mapping[str, Any],
    bets: Sequence[Mapping[str, Any]],
) -> tuple[tuple[str, Any], ...]:
    """Return what lies around `bet`, in a form that can be remembered."""
    near = [one for one in bets if rules.place is None or one.get(rules.place) == place]
    alike = [one for one in near if one.get("stake") == bet.get("stake")]
    bettor = bet.get("bettor")
    first = next(
        (one for one in bets if one.get("bet") == rules.name and one.get("bettor") == bettor), bet
    )
    return (
        ("others", _names(near)),
        ("same_stake", _names(alike)),
        (_FIRST_CHOICE, first.get("choice")),
    )


def _names(bets: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(sorted({str(one.get("bet")) for one in bets}))


def beside(need: NeedRule, bet: Mapping[str, Any], bets: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a bet that `need` asks for lies beside `bet`, or is not asked for."""
    bettor = bet.get("bettor")
    if need.unless_own and any(str(bet.get(field)) == str(bettor) for field in need.same[:1]):
        # The player of a place bears its name.
        return True
    return any(
        other.get("bet") in need.beside
        and all(other.get(field) == bet.get(field) for field in need.same)
        for other in bets
    )
