"""Files attached to a document: evidence, plan, result, edition of the law, forms, photographs."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.edition import (
    EDITION_FILE,
    EDITION_SIGNATURE_FILE,
    SIGNED_EDITION_FILE,
    read_edition_files,
)
from selo.evidence.canonical_json import encode_canonical
from selo.evidence.run_files import (
    CASES_FILE,
    DRAWS_FILE,
    SUBMISSION_FILE,
    SUBMISSION_SIGNATURE_FILE,
    THREAD_FILE,
)
from selo.examine.behaviour.canonical_set import CANONICAL_FOLDER, PREDECESSOR_FILE
from selo.examine.conclusion import RESULT_FILE
from selo.examine.run.run_log import encode_indented
from selo.law import compute_spec_digest
from selo.report.model.report_model import Attachment
from selo.report.phrases.composition import words
from selo.storage.bounded_read import read_bounded, read_chunks
from selo.verdict.witness import find_photographs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from selo.examine.conclusion import ExaminationResult
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.report.model.report_model import GroupRecord

#: A larger file is delivered beside the document instead of inside of it.
MAX_ATTACHED_SIZE: Final = 10_000_000
PLAN_FILE: Final = "plan.json"
SPECS_FILE: Final = "specs.lock.json"
_CHUNK_SIZE: Final = 1 << 20
#: How the names of attached witness forms and permissions begin.
WITNESS_PREFIX: Final = "witness-"
PERMISSION_PREFIX: Final = "permission-"
#: The evidence of the answers to the canonical set, which lies in a folder of its own in a run.
CANONICAL_FILE: Final = f"canonical-{CASES_FILE.file}"
_SIGNATURE_SUFFIX: Final = ".p7s"
#: Files between the vendor and the examiner, and the messages that describe them.
_VENDOR_FILES: Final = {
    SUBMISSION_FILE: "submission",
    SUBMISSION_SIGNATURE_FILE: "submission-signature",
    THREAD_FILE: "thread",
}
_NAMES: Final = re.compile(
    "|".join(
        (
            *map(
                re.escape,
                (
                    CASES_FILE.file,
                    DRAWS_FILE.file,
                    CANONICAL_FILE,
                    PREDECESSOR_FILE,
                    PLAN_FILE,
                    RESULT_FILE,
                    SPECS_FILE,
                    EDITION_FILE,
                    SIGNED_EDITION_FILE,
                    EDITION_SIGNATURE_FILE,
                    *_VENDOR_FILES,
                ),
            ),
            rf"{WITNESS_PREFIX}[1-9][0-9]{{0,3}}\.yaml",
            r"photograph-[0-9a-f]{64}\.[a-z0-9]{1,5}",
            rf"{PERMISSION_PREFIX}[1-9][0-9]{{0,3}}\.yaml({re.escape(_SIGNATURE_SUFFIX)})?",
        )
    )
)


class Enclosure(msgspec.Struct, frozen=True, kw_only=True):
    """A file that belongs to a document, and where its bytes are."""

    name: str
    #: The message that describes it.
    kind: str
    data: bytes | None = None
    path: Any = None

    def read(self) -> bytes:
        """Return the content of the file."""
        return self.data if self.data is not None else read_bounded(self.path)

    def describe(self) -> Attachment:
        """Return the record of the file, with its digest and size."""
        digest = hashlib.sha256()
        size = 0
        for chunk in self._chunks():
            digest.update(chunk)
            size += len(chunk)
        return Attachment(
            name=self.name,
            what=words(f"report.attachment.{self.kind}"),
            sha256=digest.hexdigest(),
            size=size,
            attached=size <= MAX_ATTACHED_SIZE,
        )

    def _chunks(self) -> Iterator[bytes]:
        if self.data is not None:
            yield self.data
            return
        yield from read_chunks(self.path)


def is_enclosure_name(name: str) -> bool:
    """Return whether a file of this name can belong to a document."""
    return bool(_NAMES.fullmatch(name))


def find_numbered_files(folder: Path, prefix: str) -> list[Path]:
    """Return the witness forms, or the permissions, of a document whose files are in `folder`."""
    return sorted(
        (path for path in folder.glob(f"{prefix}*.yaml") if is_enclosure_name(path.name)),
        key=lambda path: int(path.stem.removeprefix(prefix)),
    )


def canonical_path(folder: Path) -> Path:
    """Return where the evidence of the canonical answers lies in the folder of a run."""
    return folder / CANONICAL_FOLDER / CASES_FILE.file


def list_enclosures(  # noqa: PLR0913 - all that a document may contain
    folder: Path,
    law: Law,
    outcome: ExaminationResult,
    *,
    groups: list[GroupRecord],
    forms: Iterable[Path] = (),
    permissions: Iterable[Path] = (),
) -> Iterator[Enclosure]:
    """Yield the files that belong to the document of a run, the evidence first.

    Plan, result and edition are made here and not copied, so that verification makes the same.
    """
    yield Enclosure(name=CASES_FILE.file, kind="evidence", path=folder / CASES_FILE.file)
    if (folder / DRAWS_FILE.file).is_file():
        yield Enclosure(name=DRAWS_FILE.file, kind="draws", path=folder / DRAWS_FILE.file)
    if outcome.header.canonical is not None:
        path = canonical_path(folder)
        yield Enclosure(name=CANONICAL_FILE, kind="canonical", path=path)
    if outcome.header.predecessor is not None:
        path = folder / PREDECESSOR_FILE
        yield Enclosure(name=path.name, kind="predecessor", path=path)
    plan = _encode_plan(outcome.header.terms, groups)
    yield Enclosure(name=PLAN_FILE, kind="plan", data=plan)
    yield Enclosure(name=RESULT_FILE, kind="result", data=encode_indented(outcome))
    yield Enclosure(name=SPECS_FILE, kind="specs", data=_encode_edition(law))
    if (folder / EDITION_FILE).is_file():
        yield Enclosure(name=EDITION_FILE, kind="law", path=folder / EDITION_FILE)
    if (folder / SIGNED_EDITION_FILE).is_file():
        path = folder / SIGNED_EDITION_FILE
        yield Enclosure(name=path.name, kind="edition", path=path)
        path = folder / EDITION_SIGNATURE_FILE
        yield Enclosure(name=path.name, kind="edition-signature", path=path)
    for name, kind in _VENDOR_FILES.items():
        if (folder / name).is_file():
            yield Enclosure(name=name, kind=kind, path=folder / name)
    yield from _list_forms(forms)
    for number, permission in enumerate(permissions, 1):
        name = f"{PERMISSION_PREFIX}{number}.yaml"
        yield Enclosure(name=name, kind="permission", path=permission)
        signature = permission.with_name(f"{permission.name}{_SIGNATURE_SUFFIX}")
        yield Enclosure(
            name=f"{name}{_SIGNATURE_SUFFIX}", kind="permission-signature", path=signature
        )


def _list_forms(forms: Iterable[Path]) -> Iterator[Enclosure]:
    """Yield the forms of witnesses, and the photographs that they name."""
    photographs: dict[str, Path] = {}
    for number, form in enumerate(forms, 1):
        yield Enclosure(name=f"{WITNESS_PREFIX}{number}.yaml", kind="witness", path=form)
        photographs |= find_photographs(form)
    for name in sorted(photographs):
        yield Enclosure(name=name, kind="photograph", path=photographs[name])


def _encode_plan(terms: Terms, groups: list[GroupRecord]) -> bytes:
    """Return everything that determines the plan, so that anybody can generate the same cases."""
    plain = {
        "digest": terms.digest,
        "terms": msgspec.to_builtins(terms),
        "groups": [
            {
                "game": group.game,
                "name": group.name,
                "cases": group.cases,
                "complete": group.complete,
            }
            for group in groups
        ],
    }
    return encode_canonical(plain) + b"\n"


def _encode_edition(law: Law) -> bytes:
    """Return the digest of the edition and of each of its files."""
    files = {
        name: hashlib.sha256(content).hexdigest()
        for name, content in read_edition_files(law).items()
    }
    return encode_canonical({"spec_digest": compute_spec_digest(law), "files": files}) + b"\n"
