"""What can go wrong on our side; a finding about a game is never one of these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One thing wrong in a law file: where, what, and what to do."""

    path: Path
    line: int
    problem: str
    hint: str
    code: str = "spec"

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.problem}\n  hint: {self.hint}"


class SeloError(Exception):
    """Anything Selo itself cannot go on with."""

    code: ClassVar[str] = "error"


class SpecError(SeloError):
    """A law file says something we cannot use."""

    code = "spec"

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class UsageError(SeloError):
    """The command was asked for something that does not exist."""

    code = "usage"

    def __init__(self, *, problem: str, hint: str) -> None:
        super().__init__(f"{problem}\n  hint: {hint}")
        self.problem = problem
        self.hint = hint


class DataMissing(SeloError):
    """The law or the words that Selo ships with are not where they must be."""

    code = "data"

    def __init__(self, *, folder: str, looked_in: tuple[Path, ...]) -> None:
        places = ", ".join(str(place) for place in looked_in)
        super().__init__(
            f"the folder '{folder}' was not found (looked in {places})\n"
            "  hint: Install selo again, or run it from a complete checkout."
        )
