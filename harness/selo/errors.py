"""Errors of Selo itself; a finding about a game is never an error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """A problem in a law file: place, problem and hint."""

    path: Path
    line: int
    problem: str
    hint: str
    code: str = "spec"

    @property
    def where(self) -> str:
        """File and line; the file alone for a problem of the whole file."""
        return f"{self.path}:{self.line}" if self.line else str(self.path)

    def __str__(self) -> str:
        return f"{self.where}: {self.problem}\n  hint: {self.hint}"


class SeloError(Exception):
    """Base of all errors after which Selo cannot continue."""

    code: ClassVar[str] = "error"

    def in_language(self, language: str) -> str:
        """Return the message in `language`; in English unless a subclass translates it."""
        del language
        return str(self)


class SpecError(SeloError):
    """A law file is invalid."""

    code = "spec"

    def __init__(self, problem: Problem, *others: Problem) -> None:
        super().__init__("\n".join(map(str, (problem, *others))))
        self.problem, self.problems = problem, (problem, *others)


class UsageError(SeloError):
    """The user asked for something that does not exist or is invalid."""

    code = "usage"

    def __init__(self, *, problem: str, hint: str, others: Mapping[str, str] | None = None) -> None:
        super().__init__(f"{problem}\n  hint: {hint}")
        self.problem = problem
        self.hint = hint
        #: The complete message in other languages.
        self.others = others or {}

    def in_language(self, language: str) -> str:
        """Return problem and hint in `language`."""
        return self.others.get(language, str(self))

    def at(self, where: str) -> UsageError:
        """Return the same error with `where` as a prefix."""
        return type(self)(
            problem=f"{where}: {self.problem}",
            hint=self.hint,
            others={language: f"{where}: {message}" for language, message in self.others.items()},
        )


class DataMissing(SeloError):
    """A data folder of Selo is missing."""

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
