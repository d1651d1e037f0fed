"""A case: one question to a vendor, to settle bets or to compare two hands."""

from __future__ import annotations

import enum
import hashlib
from typing import Any, Final, Literal

import msgspec

from selo.table_values import Bet, Options, Outcome

_KEY_DIGITS: Final = 20


class AnswerPart(enum.StrEnum):
    """A part of what a vendor answers, plays, draws or declares, as the law prescribes it."""

    RESULT = "result"
    PRIZE = "prize"
    COMMISSION = "commission"
    STAKE = "stake"
    #: What the bettor has more or less, where a vendor tells no more than that.
    NET = "net"
    #: Which of two hands is higher.
    COMPARISON = "comparison"
    #: Whether an act at a table is accepted or refused.
    REFUSAL = "refusal"
    #: Which events come at a table, and in which order.
    EVENTS = "events"
    DRAWS = "draws"
    DECLARATION = "declaration"


class Case(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A question about one game, and the group of cases it belongs to.

    Cases share their parts, so code that may change them must copy them first.
    """

    game: str
    method: Literal["settle", "compare"]
    group: str
    options: Options = {}
    outcome: Outcome = {}
    bets: list[Bet] = []
    a: list[str] = []
    b: list[str] = []

    def params(self) -> dict[str, Any]:
        """Return the params of the request."""
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
        """A digest of the question, independent of the group."""
        question = msgspec.json.encode([self.method, self.params()], order="sorted")
        return hashlib.sha256(question).hexdigest()[:_KEY_DIGITS]


def settlement_case(
    game: str, group: str, outcome: Outcome, bets: list[Bet], options: Options | None = None
) -> Case:
    """Return a case that asks for the settlement of bets."""
    return Case(
        game=game, method="settle", group=group, options=options or {}, outcome=outcome, bets=bets
    )


def comparison_case(game: str, group: str, hand: list[str], against: list[str]) -> Case:
    """Return a case that asks how two hands compare."""
    return Case(game=game, method="compare", group=group, a=hand, b=against)
