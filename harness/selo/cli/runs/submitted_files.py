"""The submission of a vendor that an examination names: checked, compared, kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from selo.evidence.run_files import SUBMISSION_FILE, SUBMISSION_SIGNATURE_FILE
from selo.law.status import macau_today
from selo.storage import write_file
from selo.text import user_error

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from selo.law import Law
    from selo.protocol.messages import Description
    from selo.submission import SubmissionManifest


def read_submission(arguments: argparse.Namespace, law: Law) -> SubmittedFiles | None:
    """Return the submission that the command line names; one that lacks anything is refused."""
    if getattr(arguments, "submission", None) is None:
        return None
    from selo.cli.resolved_options import load_trust  # noqa: PLC0415 - only signatures need their libraries
    from selo.submission import check_submission, read_manifest  # noqa: PLC0415 - the same
    from selo.submission.submission_manifest import parse_manifest  # noqa: PLC0415 - the same

    folder = Path(arguments.submission)
    if not folder.is_dir():
        raise user_error("submission-folder", path=folder)
    problems = list(check_submission(folder, law, load_trust(arguments), macau_today()))
    if problems:
        raise user_error(
            "submission-incomplete", path=folder, count=len(problems),
            problem=problems[0].message(arguments.lang),
        )  # fmt: skip
    content, signature = read_manifest(folder)
    # A submission without problems has a signature.
    return SubmittedFiles(content, signature or b"", parse_manifest(content))


class SubmittedFiles(NamedTuple):
    """The manifest of a submission as it was signed, its signature, and what it says."""

    content: bytes
    signature: bytes
    manifest: SubmissionManifest

    def require(self, description: Description, files: Mapping[str, str]) -> None:
        """Refuse a product that is not the one that was submitted, file by file."""
        form = self.manifest.form
        submitted = self.manifest.product_files()
        others = [
            told
            for told, expected in (
                (description.vendor.name, form.vendor),
                (description.product.name, form.product),
                (description.product.version, form.version),
            )
            if told != expected
        ]
        others += [
            path
            for path, sha256 in files.items()
            if path not in submitted or submitted[path].sha256 != sha256
        ]
        if others or not files:
            raise user_error("submission-other", what=", ".join(others) or "–")

    def keep(self, folder: Path) -> None:
        """Keep both files in the folder of a run."""
        write_file(folder / SUBMISSION_FILE, self.content)
        write_file(folder / SUBMISSION_SIGNATURE_FILE, self.signature)
