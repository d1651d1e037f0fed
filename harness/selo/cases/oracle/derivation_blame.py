"""Attributes a wrong settlement to provisions of its derivation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Role of the provision that defines a bet, where the bet's condition does not hold.
_DECLARES: Final = "declares"
_REFUSED: Final = "refused"
_PRIZE: Final = "prize"
#: Expected and observed result of a losing bet that was paid.
_LOSS_PAID_AS_WIN: Final = ("lose", "win")
#: Roles of provisions that can cause a refusal.
_REFUSAL_ROLES: Final = frozenset({"needs", "choice", "limit"})
#: Roles of provisions that decide each amount.
_ROLES_OF_PART: Final = {
    "prize": ("prize",),
    "commission": ("commission",),
    "net": ("prize", "commission"),
}


def blame_provisions(
    reasons: Sequence[tuple[str, str]], expected: Mapping[str, Any], observed: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the provisions whose role explains the difference, or all if none does."""
    # To a net amount without a result, every provision contributes.
    roles = _suspect_roles(reasons, expected, observed) if "result" in expected else set()
    given = {role for _, role in reasons}
    if roles.isdisjoint(given):
        # No provision gives such an amount: a commission lessens a prize, and to a bet without a
        # prize whoever gives the result says that nothing is paid.
        roles = {_PRIZE} if _PRIZE in given else {str(expected.get("result"))}
    suspects = tuple(dict.fromkeys(provision for provision, role in reasons if role in roles))
    return suspects or tuple(dict.fromkeys(provision for provision, _ in reasons))


def _suspect_roles(
    reasons: Sequence[tuple[str, str]], expected: Mapping[str, Any], observed: Mapping[str, Any]
) -> set[str]:
    """Return the roles of provisions that may have been misread."""
    result = expected["result"]
    if result == _REFUSED:
        return {result, *_REFUSAL_ROLES}
    if not observed:
        # The vendor did nothing: neither result nor prize was applied.
        return {result, "prize"}
    if result == observed.get("result"):
        for part, roles in _ROLES_OF_PART.items():
            if expected.get(part) != observed.get(part):
                return {*roles}
        return {result}
    declared = any(role == _DECLARES for _, role in reasons)
    if declared and (
        observed.get("result") == _REFUSED or (result, observed.get("result")) == _LOSS_PAID_AS_WIN
    ):
        # A defined bet was refused, or its own condition fails and was misread.
        return {_DECLARES}
    return {result}
