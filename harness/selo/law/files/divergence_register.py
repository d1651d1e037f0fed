"""Model of the register of open points: provisions with more than one reading."""

from __future__ import annotations

import enum
from typing import Any

from selo.law.files.provision_file import ClosedRecord
from selo.text import Words


class DivergenceKind(enum.StrEnum):
    """Why a point is open."""

    LANGUAGE = "language"
    CONTRADICTION = "contradiction"
    SILENCE = "silence"
    AMBIGUITY = "ambiguity"
    SCAN = "scan"
    VALIDITY = "validity"


class Severity(enum.StrEnum):
    """What depends on a point, gravest first."""

    OUTCOME = "outcome"
    CONDUCT = "conduct"
    WORDING = "wording"


class ResultKind(enum.StrEnum):
    """What happens in a situation under one reading."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    VOID = "void"
    STANDS = "stands"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    HIGHER = "higher"
    LOWER = "lower"
    EQUAL = "equal"
    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"
    REQUIRED = "required"
    NOT_REQUIRED = "not-required"
    SAME = "same"


class WeighingStep(enum.StrEnum):
    """The step of the method that decided a default, in the order in which they are asked."""

    #: Both texts bear this reading, and every other contradicts one of them.
    BOTH_TEXTS = "both-texts"
    #: Words of the text decide; other readings rest on its silence.
    EXPRESS_TEXT = "express-text"
    #: The special provision goes before the general one.
    SPECIAL_OVER_GENERAL = "special-over-general"
    #: Every other reading leaves a clause without effect.
    NO_EMPTY_CLAUSE = "no-empty-clause"
    #: Nothing else decides, and under another reading somebody loses money without a text.
    NO_LOSS_WITHOUT_TEXT = "no-loss-without-text"


class Decider(enum.StrEnum):
    """Who decides a point on which no rule depends."""

    #: Somebody who sees the table, the equipment or the papers.
    PERSON = "person"
    #: Nothing that is played, answered or declared depends on it.
    NOBODY = "nobody"


class Quote(ClosedRecord, frozen=True):
    """Words of a provision, verbatim."""

    provision: str
    pt: str | None = None
    zh: str | None = None

    def get(self, language: str) -> str | None:
        """Return the words quoted in `language`."""
        return self.pt if language == "pt" else self.zh


class Reading(ClosedRecord, frozen=True):
    """One defensible meaning."""

    id: str
    says: Words
    #: Provisions without effect under this reading: no case could decide them.
    without_effect: list[str] = []


class SituationResult(ClosedRecord, frozen=True):
    """What one reading makes of the situation."""

    result: ResultKind
    text: Words
    pays: int | None = None


class Situation(ClosedRecord, frozen=True):
    """A concrete case in which the readings part."""

    game: str
    given: dict[str, Any]
    results: dict[str, SituationResult]


class ExplainedDifference(ClosedRecord, frozen=True):
    """Numbers or names that stand in one language only, accounted for by a divergence."""

    provision: str
    pt: list[str] = []
    zh: list[str] = []


class NotExecutable(ClosedRecord, frozen=True):
    """Why no rule follows the readings of a point."""

    decided_by: Decider
    because: Words


class Divergence(ClosedRecord, frozen=True):
    """One open point, its readings, and the one we follow until the authority rules."""

    id: str
    kind: DivergenceKind
    severity: Severity
    provisions: list[str]
    quotes: list[Quote]
    title: Words
    matters: Words
    readings: list[Reading]
    default: str
    because: Words
    situation: Situation
    explains: list[ExplainedDifference] = []
    #: Which step of the method decided the default; of severity outcome every point names it.
    weighed: WeighingStep | None = None
    #: Where the readings are not executable: a ruling is recorded, and nothing is examined by it.
    not_executable: NotExecutable | None = None


class Register(ClosedRecord, frozen=True):
    """All divergences."""

    divergences: list[Divergence]


class PointImportance(ClosedRecord, frozen=True, omit_defaults=True):
    """How much depends on an open point, as fractions; computed, never judged."""

    #: Money that changes hands between the readings, for each unit staked in a round, on the bet
    #: that they affect most: amounts times exact probabilities.
    money: str | None = None
    #: Where chance does not decide how often it happens: money for each unit staked, when it does.
    amount: str | None = None
    #: The part of the rounds played that meet the point.
    rounds: str | None = None


class ListedDivergence(Divergence, frozen=True):
    """An open point, and how much depends on it."""

    importance: PointImportance | None = None


class RegisterOrder(ClosedRecord, frozen=True):
    """The order in which open points are shown; those that are not named follow, by article."""

    #: The position of the instrument in the register.
    place: int
    points: list[str]
    importance: dict[str, PointImportance] = {}
