"""Fingerprints of provisions: a digest over the facts of the canonical answers, one for each.

A fingerprint covers questions and answers in the order of the plan, so the same questions and the
same answers give the same fingerprint, whatever build, block or file they come from. A provision
from which the law derives nothing, such as a list of figures, has a part in every result of its
game, but in no amount.
"""

from __future__ import annotations

import hashlib
import os
from itertools import islice
from typing import TYPE_CHECKING, Any

from selo.evidence import EvidenceReader
from selo.evidence.canonical_json import encode_canonical
from selo.examine.behaviour.answer_facts import AMOUNTS, FactReader, decode_fact_line
from selo.examine.exchange import REDUCTION
from selo.examine.plan.group_selection import ASKED_WAYS, ways_of
from selo.parallel import END_OF_CHUNK, run_workers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from selo.examine.behaviour.answer_facts import FactLine
    from selo.examine.plan import Terms
    from selo.law import Law


def compute_fingerprints(
    folder: Path, law: Law, terms: Terms, *, processes: int | None = None
) -> dict[str, str]:
    """Return the fingerprints of the canonical answers in `folder`, by provision or game."""

    def worker(number: int, count: int) -> Iterator[Any]:
        games = list(islice(terms.game_names, number, None, count))
        yield _fingerprints_of(folder, law, terms, games)
        yield END_OF_CHUNK

    wanted = processes or len(os.sched_getaffinity(0))
    fingerprints: dict[str, str] = {}
    for part in run_workers(worker, max(1, min(wanted, len(terms.game_names)))):
        fingerprints |= part
    return dict(sorted(fingerprints.items()))


def _fingerprints_of(
    folder: Path, law: Law, terms: Terms, games: Collection[str]
) -> dict[str, str]:
    reader = FactReader(law, terms)
    digests: dict[str, Any] = {}
    #: Of everything but amounts in a game.
    results = {game: hashlib.sha256() for game in games}
    for head, line in read_case_lines(folder):
        if head.game not in games:
            continue
        question = hashlib.sha256(head.method.encode() + b"\0" + bytes(head.params)).hexdigest()
        by_provision: dict[str, list[Any]] = {}
        for fact in reader.read(line):
            if fact.part not in AMOUNTS:
                told = [question, fact.place, fact.part, fact.value]
                results[head.game].update(encode_canonical(told) + b"\n")
            for provision in fact.provisions:
                by_provision.setdefault(provision, []).append([fact.place, fact.part, fact.value])
        for provision, facts in by_provision.items():
            digest = digests.setdefault(provision, hashlib.sha256())
            digest.update(encode_canonical([question, facts]) + b"\n")
    for held in law.provisions.values():
        if held.id not in digests and held.instrument.game in games and ways_of(held) & ASKED_WAYS:
            digests[held.id] = results[held.instrument.game]
    return {provision: digest.hexdigest() for provision, digest in digests.items()}


def count_wrong_answers(folder: Path) -> int:
    """Return how many of the canonical answers in `folder` are wrong, or faults."""
    return sum(head.is_wrong for head, _ in read_case_lines(folder))


def read_case_lines(folder: Path) -> Iterator[tuple[FactLine, bytes]]:
    """Yield the lines of evidence about cases and rounds, in order, each decoded too."""
    for head, lines in EvidenceReader(folder).some_blocks(lambda _: True):
        for line in lines[0 if head.first else 1 : len(lines) - 1 if head.last else len(lines)]:
            fact_line = decode_fact_line(line)
            if fact_line.group != REDUCTION:
                yield fact_line, line
