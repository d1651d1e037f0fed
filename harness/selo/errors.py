"""What can go wrong on our side; a finding about a game is never one of these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One thing wrong in a law file: where, what, and what to do."""

    path: Path
    line: int
    problem: str
    hint: str
    code: str = "spec"

    @property
    def where(self) -> str:
        """The file and the line; of what is wrong with a file as a whole, the file."""
        return f"{self.path}:{self.line}" if self.line else str(self.path)

    def __str__(self) -> str:
        return f"{self.where}: {self.problem}\n  hint: {self.hint}"


class SeloError(Exception):
    """Anything Selo itself cannot go on with."""

    code: ClassVar[str] = "error"

    def in_language(self, language: str) -> str:
        """Return what is said of it in `language`, where it is said in more than English."""
        del language
        return str(self)


class SpecError(SeloError):
    """A law file says something we cannot use."""

    code = "spec"

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class UsageError(SeloError):
    """The command was asked for something that does not exist."""

    code = "usage"

    def __init__(self, *, problem: str, hint: str, others: Mapping[str, str] | None = None) -> None:
        super().__init__(f"{problem}\n  hint: {hint}")
        self.problem = problem
        self.hint = hint
        #: The same in other languages, whole.
        self.others = others or {}

    def in_language(self, language: str) -> str:
        """Return problem and hint in `language`."""
        return self.others.get(language, str(self))

    def at(self, where: str) -> UsageError:
        """Return the same with the place where it was seen before it."""
        return type(self)(
            problem=f"{where}: {self.problem}",
            hint=self.hint,
            others={language: f"{where}: {told}" for language, told in self.others.items()},
        )


class DataMissing(SeloError):
    """The law or the words that Selo ships with are not where they must be."""

    code = "data"

    def __init__(
        self, *, folder: str, looked_in: tuple[Path, ...], variable: str | None = None
    ) -> None:
        places = ", ".join(str(place) for place in looked_in)
        hint = "Install selo again, or run it from a complete checkout."
        if variable is not None:
            hint = f"{variable} names the folder that holds it; give its whole path, from the root."
        super().__init__(
            f"the folder '{folder}' was not found (looked in {places})\n  hint: {hint}"
        )
