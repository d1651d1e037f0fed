"""Files attached to a document: evidence, plan, result, edition of the law, witness forms."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.evidence.canonical_json import encode_canonical
from selo.evidence.run_files import CASES_FILE, DRAWS_FILE
from selo.examine.conclusion import RESULT_FILE
from selo.law import compute_spec_digest
from selo.report.model.report_model import Attachment
from selo.report.phrases.composition import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.report.model.report_model import GroupRecord
    from selo.yaml_file import YamlDocument

#: A larger file is delivered beside the document instead of inside of it.
MAX_ATTACHED_SIZE: Final = 10_000_000
PLAN_FILE: Final = "plan.json"
SPECS_FILE: Final = "specs.lock.json"
_CHUNK_SIZE: Final = 1 << 20


class Enclosure(msgspec.Struct, frozen=True, kw_only=True):
    """A file that belongs to a document, and where its bytes are."""

    name: str
    #: The message that describes it.
    kind: str
    data: bytes | None = None
    path: Any = None

    def read(self) -> bytes:
        """Return the content of the file."""
        return self.data if self.data is not None else bytes(self.path.read_bytes())

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
        with self.path.open("rb") as opened:
            while chunk := opened.read(_CHUNK_SIZE):
                yield chunk


def list_enclosures(
    folder: Path, law: Law, terms: Terms, groups: list[GroupRecord], forms: Iterable[Path] = ()
) -> Iterator[Enclosure]:
    """Yield the files that belong to the document of a run, the evidence first."""
    yield Enclosure(name=CASES_FILE.file, kind="evidence", path=folder / CASES_FILE.file)
    if (folder / DRAWS_FILE.file).is_file():
        yield Enclosure(name=DRAWS_FILE.file, kind="draws", path=folder / DRAWS_FILE.file)
    yield Enclosure(name=PLAN_FILE, kind="plan", data=_encode_plan(terms, groups))
    if (folder / RESULT_FILE).is_file():
        yield Enclosure(name=RESULT_FILE, kind="result", path=folder / RESULT_FILE)
    yield Enclosure(name=SPECS_FILE, kind="specs", data=_encode_edition(law))
    for number, form in enumerate(forms, 1):
        yield Enclosure(name=f"witness-{number}.yaml", kind="witness", path=form)


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
    files = {}
    for folder in law.folders:
        documents = [
            folder.document,
            folder.matter_document,
            *(article.document for article in folder.articles),
        ]
        if folder.events_document is not None:
            documents.append(folder.events_document)
        documents += [document for document, _ in folder.register]
        for document in documents:
            name = document.path.relative_to(folder.document.path.parent).as_posix()
            files[f"specs/{folder.instrument.id}/{name}"] = _file_digest(document)
    for document in (law.glossary_document, law.out_of_scope_document):
        files[f"bilingual/{document.path.name}"] = _file_digest(document)
    return encode_canonical({"spec_digest": compute_spec_digest(law), "files": files}) + b"\n"


def _file_digest(document: YamlDocument) -> str:
    return hashlib.sha256(document.path.read_bytes()).hexdigest()
