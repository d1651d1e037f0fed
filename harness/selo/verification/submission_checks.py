"""Checks what the vendor submitted and signed, and the messages about the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.errors import SeloError
from selo.evidence.run_files import SUBMISSION_FILE, THREAD_FILE
from selo.gate.permission_signature import verify_signature
from selo.signing import SignerIdentity
from selo.submission import MessageThread, ThreadBroken, read_manifest
from selo.submission.submission_manifest import parse_manifest
from selo.verification.verification_report import (
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.gate.permission_signature import Trust
    from selo.report.model.report_model import Report
    from selo.signing.signer_policy import SignerPolicy
    from selo.submission import SubmissionManifest


def check_vendor_files(
    report: Report, folder: Path, trust: Trust, policy: SignerPolicy | None
) -> Iterator[DocumentCheck]:
    """Check the submission and the thread of a document whose files lie in `folder`.

    A document without them is not at fault: not every vendor submits in this way.
    """
    if (folder / SUBMISSION_FILE).is_file():
        yield _check_submission(report, folder, trust, policy)
    if (folder / THREAD_FILE).is_file():
        yield _check_thread(report, folder, trust)


def _check_submission(
    report: Report, folder: Path, trust: Trust, policy: SignerPolicy | None
) -> DocumentCheck:
    content, signature = read_manifest(folder)
    try:
        manifest = parse_manifest(content)
        signer = (
            verify_signature(content, signature, folder / SUBMISSION_FILE, trust)
            if trust.roots
            else None
        )
    except (SeloError, ValueError) as error:
        problem = str(error).splitlines()[0]
        return failed_check("submission", "submission.altered", problem=problem)
    differs = [*_differences(report, manifest)]
    if signer is not None and signer.name != manifest.form.vendor:
        differs.append(signer.name)
    if differs:
        return failed_check("submission", "submission.differs", what=differs[0])
    if signer is None:
        return open_check("submission", "submission.untrusted")
    identity = SignerIdentity(signer.certificate_sha256, signer.key_sha256, signer.name)
    if policy is None or not policy.allows_vendor(identity):
        return open_check("submission", "submission.unnamed", signer=signer.name)
    return passed_check("submission", signer=signer.name, count=len(report.item.files))


def _differences(report: Report, manifest: SubmissionManifest) -> Iterator[str]:
    """Yield what a document says of the product that the vendor did not submit so."""
    item, form = report.item, manifest.form
    for said, submitted in (
        (item.vendor, form.vendor),
        (item.product, form.product),
        (item.version, form.version),
    ):
        if said != submitted:
            yield said
    submitted_files = manifest.product_files()
    for file in item.files:
        submitted_file = submitted_files.get(file.path)
        if submitted_file is None or submitted_file.sha256 != file.sha256:
            yield file.path
    yield from (game.game for game in report.games if game.game not in form.games)


def _check_thread(report: Report, folder: Path, trust: Trust) -> DocumentCheck:
    try:
        thread = MessageThread.read(folder, report.evidence.root)
        if not trust.roots:
            return open_check("thread", "thread.untrusted", count=len(thread.messages))
        signers = sorted(set(thread.signers(trust)))
    except (ThreadBroken, SeloError) as error:
        return failed_check("thread", "thread.altered", problem=str(error).splitlines()[0])
    slots = {"count": len(thread.messages), "signers": ", ".join(signers)}
    return passed_check("thread", **slots)
