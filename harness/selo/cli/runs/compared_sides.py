"""The sides of a comparison as they are typed: a run's folder, a document, or a build's command."""

from __future__ import annotations

import contextlib
import copy
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from selo.cases.generate.case_stream import DEFAULT_SEED
from selo.cases.group import BUDGETS
from selo.cli.resolved_options.vendor_options import endpoint_of, games_of, read_rulings
from selo.delta import ComparedSide, SideKind
from selo.edition import (
    EDITION_FILE,
    digest_edition,
    open_edition,
    read_edition_files,
    unpack_edition,
)
from selo.evidence.run_files import CASES_FILE
from selo.examine.behaviour import CanonicalAnswers, compute_fingerprints, is_canonical
from selo.examine.behaviour.canonical_set import CANONICAL_FOLDER
from selo.examine.behaviour.fingerprints import count_wrong_answers
from selo.examine.plan import terms_of
from selo.examine.run.canonical_run import ask_canonical_set, require_canonical_answers
from selo.examine.run.evidence_header import build_header, read_header
from selo.examine.run.evidence_replay import replay_evidence
from selo.examine.run.plan_comparison import with_plan_of
from selo.examine.run.run_log import begin_run_log
from selo.examine.vendor_description import introduce_vendor, processes_for
from selo.law.status import macau_today
from selo.storage import read_bounded
from selo.vendors.faults import VendorBroken
from selo.vendors.vendor_address import measure_address
from selo.vendors.vendor_start import started_files, way_of
from selo.verdict.rulings import Rulings
from selo.verification.document_side import open_document_side, sources_at_hand

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from selo.examine.run.evidence_header import Header
    from selo.law import Law


def is_build(typed: str) -> bool:
    """Return whether a side is a build: neither a folder with evidence nor a file."""
    path = Path(typed)
    return not ((path / CASES_FILE.file).is_file() or path.is_file())


@contextlib.contextmanager
def open_side(
    typed: str,
    folder: str | None,
    arguments: argparse.Namespace,
    law: Law,
    like: Header | None,
) -> Iterator[ComparedSide]:
    """Yield the side that is typed; a build is asked as the run or document `like` was."""
    path = Path(typed)
    if is_build(typed):
        with tempfile.TemporaryDirectory(prefix="selo-build-") as place:
            yield _ask_build(typed, folder, arguments, law, Path(place), like)
    elif path.is_file():
        # Whoever compares takes the law of a document as it is; `verify` says whose it is.
        sources = sources_at_hand(law, is_signed=True)
        with open_document_side(read_bounded(path), sources, path.parent) as side:
            yield side
    else:
        with _law_of_run(path, law) as own:
            yield _read_run(path, own)


@contextlib.contextmanager
def _law_of_run(folder: Path, law: Law) -> Iterator[Law]:
    """Yield the law files of a run, which lie beside its evidence."""
    header = read_header(folder)
    edition = header.edition
    if not edition or edition == digest_edition(read_edition_files(law)):
        yield law
        return
    files = unpack_edition(read_bounded(folder / EDITION_FILE))
    with open_edition(files, engine=header.terms.engine_number) as own:
        yield own


def _read_run(folder: Path, law: Law) -> ComparedSide:
    planned = with_plan_of(law, folder, read_header(folder))
    header = replay_evidence(folder, planned).header
    require_canonical_answers(folder, law, header)
    canonical, answers = header.canonical, folder / CANONICAL_FOLDER
    if canonical is None and is_canonical(header.terms):
        answers = folder
        canonical = CanonicalAnswers(
            root="",
            fingerprints=compute_fingerprints(folder, law, header.terms),
            wrong=count_wrong_answers(folder),
        )
    return ComparedSide(
        kind=SideKind.RUN,
        folder=folder,
        header=header,
        law=law,
        canonical=canonical,
        answers=None if canonical is None else answers,
    )


def _ask_build(  # noqa: PLR0913, PLR0917 - all that a build is asked by
    address: str,
    folder: str | None,
    arguments: argparse.Namespace,
    law: Law,
    place: Path,
    like: Header | None,
) -> ComparedSide:
    own = copy.copy(arguments)
    own.vendor, own.folder, own.out = address, folder, str(place)
    vendor = endpoint_of(own)
    adopted = read_rulings(own, law)
    if like is not None:
        adopted = msgspec.convert({"adopted": like.adopted}, Rulings)
    games = games_of(own, law) if like is None else like.terms.game_names
    session = vendor.session()
    try:
        isolation = measure_address(
            vendor.address, vendor.folder, vendor.room, evidence=[str(place)]
        )
        introduction = introduce_vendor(session, law, games)
    finally:
        session.kill()
    if introduction.faults:
        raise VendorBroken(introduction.faults[0])
    terms = terms_of(
        law,
        introduction.scope,
        as_of=like.terms.as_of if like else (own.as_of or macau_today()).isoformat(),
        text_as_stored=like.terms.text_as_stored if like else own.text_as_stored,
        rulings=adopted.followed,
        budget=BUDGETS[0],
        seed=DEFAULT_SEED,
        provisions=[],
    )
    header = build_header(
        terms,
        introduction.description,
        adopted=msgspec.to_builtins(adopted.adopted),
        commitment=None,
        reached=way_of(vendor.address),
        started=started_files(vendor.address, vendor.folder),
        isolation=isolation,
        not_offered=introduction.not_offered,
    )
    header = msgspec.structs.replace(header, edition=digest_edition(read_edition_files(law)))
    processes = processes_for(introduction.description.processes, None, os.cpu_count() or 1)
    canonical = ask_canonical_set(place, law, header, begin_run_log(vendor, processes))
    return ComparedSide(
        kind=SideKind.BUILD,
        folder=place,
        header=header,
        law=law,
        canonical=canonical,
        answers=place,
    )
