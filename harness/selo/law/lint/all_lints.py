"""Runs all lints of the law."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from selo.law.lint import (
    concordance,
    events_lint,
    force_lint,
    partition,
    quotation,
    register,
    structure,
)
from selo.law.loader import read_law
from selo.text import help_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from selo.errors import Problem
    from selo.law.loader import Law

#: Each lint by name.
LINTS: Final[dict[str, Callable[[Law], Iterator[Problem]]]] = {
    "structure": structure.check_structure,
    "quotation": quotation.check_quotations,
    "partition": partition.check_partition,
    "concordance": concordance.check_concordance,
    "register": register.check_register,
    "events": events_lint.check_events,
    "force": force_lint.check_forces,
}


@lru_cache(maxsize=1)
def find_lint_problems(law: Law) -> tuple[Problem, ...]:
    """Return the problems that the lints find in a law that was read."""
    return tuple(problem for lint in LINTS.values() for problem in lint(law))


def check_law(
    *, specs: Path | None = None, bilingual: Path | None = None
) -> tuple[Law | None, list[Problem]]:
    """Return the law, if it can be read, and all problems."""
    law, problems = read_law(specs=specs, bilingual=bilingual)
    problems += help_text.check_manual(bilingual)
    if law is None:
        return None, problems
    problems += find_lint_problems(law)
    return law, sorted(problems, key=lambda problem: (str(problem.path), problem.line))
