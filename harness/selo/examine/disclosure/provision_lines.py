"""Which lines of evidence are about a provision, as far as the plan alone determines it.

1. A case is about the provisions from which its lawful answer is derived, under the readings of the
   plan. Where nothing is derived, it is about every provision of its game.
2. A round is about the provisions that its script names; one that names none, and every free table,
   is about every provision of its game.
3. Draws, and whatever follows the free tables of the first look, are about the provisions that ask
   for chance; about every one if free tables were played a second time.

Nobody's answer has a part in it, so whoever has header and law can tell whether a line is missing.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from selo.cases.oracle import Oracle
from selo.examine.free_rounds import FreeRounds
from selo.examine.live_rounds import plan_all_scripts
from selo.examine.plan import Plan
from selo.examine.plan.draw_plan import plan_samples
from selo.parallel import END_OF_CHUNK, run_workers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from selo.cases import Case
    from selo.examine.run.evidence_header import Header
    from selo.law import Law


@dataclass(frozen=True, kw_only=True, slots=True)
class ProvisionLines:
    """Numbers of lines, the header being 0: of the evidence, and of the draws."""

    evidence: frozenset[int]
    draws: frozenset[int]


def find_provision_lines(
    law: Law, header: Header, provisions: Collection[str], *, draws_footer: dict[str, int] | None
) -> ProvisionLines:
    """Return every line about one of the provisions; the footer of the draws counts them."""
    wanted = expand_provisions(law, provisions)
    games = frozenset(law.find(name).instrument.game for name in wanted)
    numbers = {*_find_cases(law, header, wanted, games), *_find_rounds(law, header, wanted, games)}
    draws: Iterable[int] = ()
    if draws_footer is not None:
        draws = _find_draws(law, header, wanted, games, draws_footer)
    return ProvisionLines(evidence=frozenset(1 + n for n in numbers), draws=frozenset(draws))


def expand_provisions(law: Law, provisions: Collection[str]) -> frozenset[str]:
    """Return the provisions with everything below them: an article with its paragraphs."""
    expanded: set[str] = set()
    for wanted in provisions:
        below = [name for name in law.provisions if f"{name}/".startswith(f"{wanted}/")]
        # An article may be held only by its paragraphs; what has neither does not exist.
        expanded.update(below or [law.find(wanted).id])
    return frozenset(expanded)


def _find_cases(
    law: Law, header: Header, wanted: frozenset[str], games: frozenset[str]
) -> Iterator[int]:
    """Yield the numbers of the cases about one of the provisions; workers share the derivations."""
    plan = Plan(law, header.terms)

    def worker(number: int, count: int) -> Iterator[Any]:
        oracle = Oracle(law, header.terms.rulings)
        for chunk in plan.chunks(number, count):
            if chunk.game in games:
                found = [
                    chunk.first + at
                    for at, case in enumerate(chunk.cases)
                    if is_case_about(oracle, case, wanted)
                ]
                yield found
            yield END_OF_CHUNK

    for found in run_workers(worker, len(os.sched_getaffinity(0))):
        yield from found


def is_case_about(oracle: Oracle, case: Case, provisions: frozenset[str]) -> bool:
    """Return whether the lawful answer to a case is derived from one of the provisions."""
    for bet in range(len(case.bets) or 1):
        steps = oracle.derivation_of(case, bet)
        if not steps or any(step.provision in provisions for step in steps):
            return True
    return False


def _find_rounds(
    law: Law, header: Header, wanted: frozenset[str], games: frozenset[str]
) -> Iterator[int]:
    first = Plan(law, header.terms).size()
    scripts, _ = plan_all_scripts(law, header.terms, header.description.games)
    for n, script in enumerate(scripts, first):
        named = frozenset(script.provisions)
        if script.game in games and (not named or named & wanted):
            yield n


def _find_draws(
    law: Law,
    header: Header,
    wanted: frozenset[str],
    games: frozenset[str],
    footer: dict[str, int],
) -> Iterator[int]:
    """Yield the numbers of the lines of draws about one of the provisions."""
    terms = header.terms
    free = FreeRounds(law, terms, header.description.games)
    at = 1
    for game, count in free.planned().items():
        if game in games:
            yield from range(at, at + count)
        at += count
    asked = {name for sample in plan_samples(law, terms) for name in sample.provisions}
    if wanted & asked or footer["free_tables"] != at - 1:
        yield from range(at, 1 + footer["free_tables"] + footer["batches"])
