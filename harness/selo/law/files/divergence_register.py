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
    """What hangs on a point, gravest first."""

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
    #: Where the readings are not executable: a ruling is recorded, and nothing is examined by it.
    not_executable: NotExecutable | None = None


class Register(ClosedRecord, frozen=True):
    """All divergences."""

    divergences: list[Divergence]


class RegisterOrder(ClosedRecord, frozen=True):
    """The order in which open points are shown; those that are not named follow, by article."""

    #: The position of the instrument in the register.
    place: int
    points: list[str]
