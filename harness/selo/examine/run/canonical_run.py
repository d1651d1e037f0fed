"""Asks a product the canonical set, and keeps and proves its answers as evidence of their own.

The evidence lies in a folder within that of the run and has the form of any other: its plan is made
again and compared line by line, and every answer is judged again.
"""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.engine import plan_retired_at
from selo.evidence import EvidenceReader
from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
from selo.evidence.merkle import Root
from selo.evidence.run_files import CASES_FILE
from selo.examine.behaviour import CanonicalAnswers, canonical_terms, compute_fingerprints
from selo.examine.behaviour.canonical_set import CANONICAL_FOLDER
from selo.examine.behaviour.fingerprints import count_wrong_answers
from selo.examine.run.evidence_header import Header, build_header, header_of
from selo.examine.run.evidence_replay import replay_evidence
from selo.examine.run.examination import Examination
from selo.examine.run.plan_comparison import with_plan_of
from selo.parallel import background_work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from selo.examine.run.run_log import RunLog
    from selo.law import Law

#: What the header of a run says and that of its canonical answers does not.
_OWN_FIELDS: Final[dict[str, Any]] = {
    "commitment": None,
    "commitment_token": None,
    "par": [],
    "canonical": None,
    "predecessor": None,
}


def ask_canonical_set(
    folder: Path,
    law: Law,
    header: Header,
    log: RunLog,
    on_progress: Callable[[int], None] = lambda _: None,
) -> CanonicalAnswers:
    """Ask the product of a run whose header is `header`, into `folder`; return its answers."""
    terms = canonical_terms(header.terms)
    own = build_header(
        terms,
        header.description,
        adopted=header.adopted,
        commitment=None,
        reached=header.reached,
        started=header.started,
        isolation=header.confinement,
        permissions=header.permissions,
        not_offered=header.not_offered,
    )
    examination = Examination.begin(folder, law, msgspec.structs.replace(log, sealed=None), own)
    try:
        for phase in (examination.put_cases, examination.play_rounds):
            for done in phase():
                on_progress(getattr(done, "cases", 1))
        session = examination.vendor().session()
        try:
            finished = examination.finish(session)
            session.end()
        finally:
            session.kill()
    except BaseException:
        examination.release()
        raise
    return CanonicalAnswers(
        root=finished.root,
        fingerprints=compute_fingerprints(folder, law, terms),
        wrong=count_wrong_answers(folder),
    )


def require_canonical_answers(folder: Path, law: Law, header: Header) -> None:
    """Raise unless the canonical answers in `folder` are those that the header of a run names."""
    if header.canonical is None:
        return
    place = folder / CANONICAL_FOLDER
    if not (place / CASES_FILE.file).is_file():
        raise EvidenceTampered(
            path=place / CASES_FILE.file, sign=AlterationSign.CUT, what="there is no such file"
        )
    own = header_of(place, EvidenceReader(place).header())
    law = with_plan_of(law, place, own)
    replayed = replay_evidence(place, law, root=Root(header.canonical.root), judges_only=True)
    problem = find_canonical_problem(replayed.header, header)
    if problem is None and replayed.misjudged is not None:
        raise replayed.misjudged
    # What a fingerprint is made of belongs to the engine; nothing is carried over from another one.
    is_made_again = plan_retired_at(header.terms.engine_number) is None
    if (
        problem is None
        and is_made_again
        and header.canonical.fingerprints != compute_fingerprints(place, law, replayed.header.terms)
    ):
        problem = "the fingerprints are not those of the answers"
    if problem is None and header.canonical.wrong != count_wrong_answers(place):
        problem = "the wrong answers to the canonical set are miscounted"
    if problem is not None:
        path = place / CASES_FILE.file
        raise EvidenceTampered(path=path, sign=AlterationSign.CLAIM, what=problem)


@contextlib.contextmanager
def prove_canonical_meanwhile(folder: Path, law: Law, header: Header) -> Iterator[None]:
    """Prove the canonical answers in another process while the block runs; raise as above."""
    if header.canonical is None:
        yield
        return
    with background_work(partial(require_canonical_answers, folder, law, header)) as proof:
        yield
        proof.result()


def find_canonical_problem(own: Header, header: Header) -> str | None:
    """Return why canonical answers with the header `own` do not belong to a run, if they do not."""
    if own.terms.digest != canonical_terms(header.terms).digest:
        return "the canonical answers are not those to the canonical set of this run"
    if own.description != header.description or own.not_offered != header.not_offered:
        return "the canonical answers are those of another product"
    terms = canonical_terms(header.terms)
    if own != msgspec.structs.replace(header, terms=terms, plan=terms.digest, **_OWN_FIELDS):
        return "the canonical answers were asked otherwise than those of the run"
    return None
