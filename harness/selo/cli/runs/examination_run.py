"""Examines the vendor that the command line names, or resumes an examination of it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from selo.cli.output import ProgressWatch, print_phases
from selo.cli.resolved_options import keep_permissions, read_signed_edition
from selo.cli.resolved_options.vendor_options import endpoint_of
from selo.cli.runs.examination_terms import agree_terms, read_request, require_introduction
from selo.cli.runs.submitted_files import read_submission
from selo.edition import (
    digest_edition,
    find_release,
    is_shipped_edition,
    read_edition_files,
)
from selo.evidence.evidence_errors import RunFinished
from selo.evidence.run_files import CASES_FILE
from selo.examine.behaviour.canonical_set import CANONICAL_FOLDER
from selo.examine.conclusion import derive_result_from_folder, run_phases, write_result
from selo.examine.run import Examination
from selo.examine.run.canonical_run import ask_canonical_set
from selo.examine.run.evidence_header import build_header, read_header
from selo.examine.run.run_log import begin_run_log
from selo.examine.run.seed_commitment import record_use, require_sealed_start, require_unused
from selo.examine.run.witness_attachment import attach_forms, keep_forms, read_kept_forms
from selo.examine.vendor_description import hash_declared_files, processes_for
from selo.law.status import macau_today
from selo.storage.atomic_write import next_free_folder
from selo.text import say, user_error
from selo.text.sanitize import escape_unseen
from selo.vendors import store_faults
from selo.vendors.faults import VendorBroken
from selo.vendors.vendor_address import describe_isolation, measure_address
from selo.vendors.vendor_start import find_start_file, started_files, way_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from rich.console import Console

    from selo.cli.runs.submitted_files import SubmittedFiles
    from selo.examine.conclusion import ExaminationResult
    from selo.examine.exchange import VendorEndpoint
    from selo.examine.run.evidence_header import Header
    from selo.examine.run.run_log import RunLog
    from selo.law import Law
    from selo.protocol.messages import Description


def examine_vendor(
    arguments: argparse.Namespace, law: Law, out: Console | None
) -> ExaminationResult:
    """Examine a vendor into a folder; evidence of faults is kept there, too.

    Unless a folder was given, each run has a folder of its own.
    """
    if "out" in arguments.untyped:
        arguments.out = str(next_free_folder(Path(arguments.out)))
    folder = Path(arguments.out)
    with _keep_faults(folder, arguments.vendor or str(folder)):
        return _run(_begin(arguments, law, folder, out), law, arguments, out)


def resume_examination(
    arguments: argparse.Namespace, law: Law, out: Console | None
) -> ExaminationResult:
    """Continue where a run stopped; if it is complete, only derive the result again."""
    folder = Path(arguments.out)
    with _keep_faults(folder, str(folder)):
        try:
            examination = Examination.resume(folder, law)
        except RunFinished:
            _attach_forms(arguments, law, read_header(folder), folder)
            result = derive_result_from_folder(folder, law, forms=read_kept_forms(folder))
            write_result(folder, result)
            return result
        try:
            _require_same_isolation(examination)
            _attach_forms(arguments, law, examination.header, folder)
        except BaseException:
            examination.release()
            raise
        return _run(examination, law, arguments, out)


def _require_same_isolation(examination: Examination) -> None:
    """Refuse to go on where less of the vendor's isolation holds than the evidence says."""
    vendor, claimed = examination.vendor(), examination.header.confinement
    if not any(claimed.values()):
        return
    measured = measure_address(
        vendor.address, vendor.folder, vendor.room, evidence=[str(examination.folder.absolute())]
    )
    lost = [name for name, held in claimed.items() if held and not measured.get(name, False)]
    if lost:
        raise user_error("isolation-lost", names=", ".join(lost))


@contextlib.contextmanager
def _keep_faults(folder: Path, vendor: str) -> Iterator[None]:
    """Keep the evidence if the vendor breaks down."""
    try:
        yield
    except VendorBroken as error:
        store_faults(folder / "faults", [error.fault], vendor)
        raise
    except KeyboardInterrupt as error:
        # What was answered so far is kept, and the examination can go on from there.
        resumable = (folder / CASES_FILE.file).exists()
        raise KeyboardInterrupt(*([f"selo resume {folder}"] if resumable else [])) from error


def _attach_forms(arguments: argparse.Namespace, law: Law, header: Header, folder: Path) -> None:
    _check_forms(arguments, law, header.description, header.games)
    keep_forms(folder, _form_paths(arguments))


def _form_paths(arguments: argparse.Namespace) -> list[Path]:
    return [Path(name) for name in arguments.witness or []]


def _check_forms(
    arguments: argparse.Namespace, law: Law, description: Description, games: Iterable[str]
) -> None:
    """Refuse forms that do not belong to this examination before anything else is done."""
    attach_forms(_form_paths(arguments), law, description, games, macau_today())


def _begin(
    arguments: argparse.Namespace, law: Law, folder: Path, out: Console | None
) -> Examination:
    if arguments.processes is not None and arguments.processes < 1:
        raise user_error("processes")
    _require_since_allowed(arguments, law)
    if arguments.seal is not None:
        require_unused(Path(arguments.seal))
    request = read_request(arguments, law)
    edition = read_signed_edition(arguments, law)
    submission = read_submission(arguments, law)
    vendor = endpoint_of(arguments)
    session = vendor.session()
    try:
        isolation = measure_address(
            vendor.address,
            vendor.folder,
            vendor.room,
            evidence=[str(folder.absolute())],
            seed=[] if arguments.seal is None else [str(Path(arguments.seal).absolute())],
        )
        if out is not None:
            text = describe_isolation(session, isolation, arguments.lang)
            out.print(text, style="dim" if all(isolation.values()) else "yellow")
        introduction, seal = require_introduction(law, request, vendor, session), request.seal
        reached = way_of(vendor.address)
        started = started_files(vendor.address, vendor.folder)
        if seal is not None:
            require_sealed_start(seal.sealed, reached, started)
        games = [*introduction.scope.names(), *introduction.not_offered]
        _check_forms(arguments, law, introduction.description, games)
        header = build_header(
            agree_terms(arguments, law, request, introduction),
            introduction.description,
            adopted=msgspec.to_builtins(request.adopted.adopted),
            commitment=None if seal is None else seal.commitment,
            commitment_token=None if seal is None else seal.token,
            reached=reached,
            started=started,
            isolation=isolation,
            permissions=[permission.permitted() for permission in request.permits],
            not_offered=introduction.not_offered,
            par=request.par,
        )
    finally:
        session.kill()
    cores = os.cpu_count() or 1
    log = begin_run_log(
        vendor,
        processes_for(introduction.description.processes, arguments.processes, cores),
        sealed=None if seal is None else seal.sealed,
        within=_path_within_project(vendor.folder) if vendor.is_local else None,
        starts=find_start_file(vendor.address, vendor.folder),
        files=_hash_product(vendor, introduction.description, submission),
    )
    if seal is not None:
        # Only a run with a sealed seed may lead to a certificate, and be carried over from.
        header = _add_canonical_answers(arguments, law, header, log, folder)
        _print_carried(out, header, arguments)
    examination = Examination.begin(folder, law, log, header)
    if arguments.seal is not None:
        record_use(Path(arguments.seal), header.plan, log.started)
    keep_forms(folder, _form_paths(arguments))
    keep_permissions(folder, request.permits)
    for signed in (edition, submission):
        if signed is not None:
            signed.keep(folder)
    if out is not None:
        signer = None if edition is None else edition.signer
        _print_edition(out, examination.header.edition, signer, arguments.lang)
    return examination


def _print_carried(out: Console | None, header: Header, arguments: argparse.Namespace) -> None:
    """Print how many provisions are carried over from a certificate, if any was given."""
    if out is not None and getattr(arguments, "since", None) is not None:
        slots = {"count": len(header.terms.carried), "path": arguments.since}
        out.print(say("examine.carried", arguments.lang, **slots))


def _hash_product(
    vendor: VendorEndpoint, description: Description, submission: SubmittedFiles | None
) -> dict[str, str]:
    """Return the digests of the product's files, which must be those of the submission."""
    files = hash_declared_files(description, vendor.folder) if vendor.is_local else {}
    if submission is not None:
        submission.require(description, files)
    return files


def _add_canonical_answers(
    arguments: argparse.Namespace, law: Law, header: Header, log: RunLog, folder: Path
) -> Header:
    """Ask the canonical set; with ``--since``, decide by the answers what is carried over."""
    edition = digest_edition(read_edition_files(law))
    header = msgspec.structs.replace(header, edition=edition)
    canonical = ask_canonical_set(folder / CANONICAL_FOLDER, law, header, log)
    header = msgspec.structs.replace(header, canonical=canonical)
    if getattr(arguments, "since", None) is None:
        return header
    from selo.cli.runs.earlier_certificate import carry_over  # noqa: PLC0415 - the same

    return carry_over(arguments, law, header, canonical)


def _require_since_allowed(arguments: argparse.Namespace, law: Law) -> None:
    if getattr(arguments, "since", None) is not None:
        from selo.cli.runs import earlier_certificate as earlier  # noqa: PLC0415 - only signatures need their libraries

        earlier.require_since_allowed(arguments, law)


def _print_edition(out: Console, edition: str, signer: str | None, language: str) -> None:
    """Say who signed the edition of the law, or that nobody answers for it."""
    if signer is not None:
        out.print(say("edition.signed", language, signer=escape_unseen(signer)), style="dim")
    elif not (is_shipped_edition(edition) or find_release(edition)):
        out.print(say("edition.foreign", language, edition=edition), style="yellow")


def _run(
    examination: Examination, law: Law, arguments: argparse.Namespace, out: Console | None
) -> ExaminationResult:
    with contextlib.ExitStack() as stack:
        if arguments.cluster is not None:
            _open_cluster(arguments, stack, examination)
        stack.enter_context(examination.watch_product())
        watch = stack.enter_context(ProgressWatch(examination, law, out, arguments.lang))
        result = run_phases(examination, law, watch)
    if out is not None:
        print_phases(out, examination.log.phases, arguments.lang)
    return result


def _open_cluster(
    arguments: argparse.Namespace, stack: contextlib.ExitStack, examination: Examination
) -> None:
    """Open the cluster that was asked for; without it, the run can be resumed."""
    from selo.examine.cluster import open_cluster  # noqa: PLC0415 - only where there is one

    keys = None if arguments.cluster_keys is None else Path(arguments.cluster_keys)
    try:
        stack.enter_context(examination.use_cluster(lambda: open_cluster(arguments.cluster, keys)))
    except BaseException:
        examination.release()
        raise


def _path_within_project(folder: Path) -> str | None:
    """Return `folder` relative to the working folder, or None if it lies elsewhere."""
    here, there = Path.cwd().resolve(), folder.resolve()
    return there.relative_to(here).as_posix() if there.is_relative_to(here) else None
