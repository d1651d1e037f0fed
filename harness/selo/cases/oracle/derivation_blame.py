"""Which provisions of a derivation did what came out wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: The role of the provision that a bet comes from, where its condition does not hold.
_DECLARES: Final = "declares"
_REFUSED: Final = "refused"
#: A bet that should lose and won.
_LOSS_PAID_AS_WIN: Final = ("lose", "win")
#: What can be behind a refusal.
_REFUSAL_ROLES: Final = frozenset({"needs", "choice", "limit"})


def blame_provisions(
    reasons: Sequence[tuple[str, str]], expected: Mapping[str, Any], observed: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the provisions that did what came out wrong; all of them where none stands out."""
    wanted = _suspect_roles(reasons, expected, observed)
    found = tuple(dict.fromkeys(name for name, role in reasons if role in wanted))
    return found or tuple(dict.fromkeys(name for name, _ in reasons))


def _suspect_roles(
    reasons: Sequence[tuple[str, str]], expected: Mapping[str, Any], observed: Mapping[str, Any]
) -> set[str]:
    """Return the roles in which a provision may have been misread."""
    result = expected["result"]
    if result == _REFUSED:
        return {result, *_REFUSAL_ROLES}
    if not observed:
        # Nothing was done, neither what the result asks for nor what the prize does.
        return {result, "prize"}
    if result == observed.get("result"):
        for part in ("prize", "commission"):
            if expected[part] != observed[part]:
                return {part}
        return {result}
    declared = any(role == _DECLARES for _, role in reasons)
    if declared and (
        observed.get("result") == _REFUSED or (result, observed.get("result")) == _LOSS_PAID_AS_WIN
    ):
        # A bet was refused that there is; or its own condition does not hold, and was misread.
        return {_DECLARES}
    return {result}
