"""Hypotheses: mutants that may explain what is wrong, and samples of right answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from selo.cases.oracle import is_answer_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from selo.cases import Case
    from selo.rules.clauses import clause_models as c
    from selo.rules.mutants import Cause

    #: A case, its answer, and the bet that matters; none for a comparison or the whole case.
    Sample = tuple[Case, Any, int | None]

#: One right case in this many is kept, up to a limit for each group of cases.
_KEPT_EVERY: Final = 29
_MAX_PER_GROUP: Final = 60


class Hypothesis(Protocol):
    """A way in which one provision may have been misread."""

    @property
    def provision(self) -> str:
        """The provision."""

    @property
    def cause(self) -> Cause:
        """How the provision was misread."""

    @property
    def was(self) -> c.Clause:
        """The clause that is changed."""

    def bets(self) -> frozenset[str]:
        """Return the bets whose settlement can depend on it."""

    def compile(self) -> Any:
        """Return the game that answers so, or raise if the mutant is invalid."""

    def compile_with(self, others: Sequence[Any]) -> Any:
        """Return the game that answers as several mutants do together, or raise."""

    @property
    def is_line(self) -> bool:
        """Whether it changes a line of an order."""

    def with_value(self, field: str, value: Any, part: str | None = None) -> Hypothesis | None:
        """Return the clause with another value of a field; nothing if it has no such field."""

    def displaced(self) -> Iterable[Hypothesis]:
        """Return the same line of an order at every other place; nothing for other clauses."""


class RightAnswers:
    """Some right answers of every group of cases, which a cause must leave right."""

    every: Final = _KEPT_EVERY

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self._groups: dict[str, int] = {}

    def wants(self, group: str, place: int = 0) -> bool:
        """Return whether the case at this place of the plan is kept if it is right."""
        return place % _KEPT_EVERY == 0 and self._groups.get(group, 0) < _MAX_PER_GROUP

    def keep(self, group: str, sample: Sample) -> None:
        """Keep a right answer."""
        self.count(group)
        self.samples.append(sample)

    def count(self, group: str) -> None:
        """Count a right answer that somebody else keeps."""
        self._groups[group] = self._groups.get(group, 0) + 1


def reproduces(game: Any, samples: Iterable[Sample]) -> bool:
    """Return whether a game answers every sample as it was answered."""
    return all(is_answer_of(game, case, answer, bet) for case, answer, bet in samples)
