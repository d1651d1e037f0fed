"""The causes that an examination can name, by code and by the sentence of former editions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.rules.mutants.cause import cause_of_reading
from selo.rules.mutants.mutant_games import generate_mutants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law import Law
    from selo.rules.clauses.clause_models import Clause
    from selo.rules.mutants.cause import Cause
    from selo.rules.readings import Readings


def causes_of_provision(law: Law, provision: str, readings: Readings) -> Iterator[Cause]:
    """Yield every cause that can be named for a provision under some readings."""
    displaced: list[Clause] = []
    for mutant in generate_mutants(
        law, law.find(provision).instrument.game, readings, provision=provision
    ):
        yield mutant.cause
        if mutant.is_line and mutant.was not in displaced:
            displaced.append(mutant.was)
            yield from (moved.cause for moved in mutant.displaced())
    for divergence in law.divergences:
        if provision in divergence.provisions:
            for reading in divergence.readings:
                yield cause_of_reading(provision, divergence.id, reading.id)


def find_cause(law: Law, provisions: list[str], readings: Readings, sentence: str) -> Cause | None:
    """Return the cause that former editions named by a sentence; nothing if there is none."""
    return next(
        (
            cause
            for provision in provisions
            if provision in law.provisions
            for cause in causes_of_provision(law, provision, readings)
            if cause.sentence == sentence
        ),
        None,
    )
