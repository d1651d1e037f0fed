"""One question to a vendor: what becomes of these bets, or how two hands compare."""

from __future__ import annotations

import hashlib
from typing import Any, Final, Literal

import msgspec

#: The largest whole number that every language reads from JSON without loss.
LARGEST_JSON_INTEGER: Final = 2**53 - 1
_KEY_DIGITS: Final = 20


class Case(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A case of one game, and the group of cases for whose sake it is tried.

    Cases share their parts: whoever could change them must be given a copy.
    """

    game: str
    method: Literal["settle", "compare"]
    group: str
    options: dict[str, Any] = {}
    outcome: dict[str, Any] = {}
    bets: list[dict[str, Any]] = []
    a: list[str] = []
    b: list[str] = []

    def params(self) -> dict[str, Any]:
        """Return what is sent with the method."""
        if self.method == "compare":
            return {"game": self.game, "a": self.a, "b": self.b}
        return {
            "game": self.game,
            "options": self.options,
            "outcome": self.outcome,
            "bets": self.bets,
        }

    @property
    def key(self) -> str:
        """A name of the case that depends on what is asked and on nothing else."""
        asked = msgspec.json.encode([self.method, self.params()], order="sorted")
        return hashlib.sha256(asked).hexdigest()[:_KEY_DIGITS]


def settlement_case(
    game: str,
    group: str,
    outcome: dict[str, Any],
    bets: list[dict[str, Any]],
    options: dict[str, Any] | None = None,
) -> Case:
    """Return a case that asks what becomes of bets."""
    return Case(
        game=game, method="settle", group=group, options=options or {}, outcome=outcome, bets=bets
    )


def comparison_case(game: str, group: str, one: list[str], other: list[str]) -> Case:
    """Return a case that asks how two hands compare."""
    return Case(game=game, method="compare", group=group, a=one, b=other)
