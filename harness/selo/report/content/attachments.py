"""What travels with a document: evidence, plan, result, the edition of the law, and forms."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.evidence.canonical_json import encode_canonical
from selo.evidence.run_files import CASES_FILE, DRAWS_FILE
from selo.examine.outcome import RESULT_FILE
from selo.law.spec_digest import spec_digest
from selo.report.model.report_model import Attachment
from selo.report.phrases.composition import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from selo.examine.plan import Terms
    from selo.law.loader import Law
    from selo.report.model.report_model import GroupRecord

#: Evidence above this size, compressed, travels beside the document.
MAX_ATTACHED_SIZE: Final = 10_000_000
PLAN_FILE: Final = "plan.json"
SPECS_FILE: Final = "specs.lock.json"
_CHUNK_SIZE: Final = 1 << 20


class Enclosure(msgspec.Struct, frozen=True, kw_only=True):
    """A file that belongs to a document, and where its bytes are."""

    name: str
    #: The key of what it is, in the messages.
    kind: str
    data: bytes | None = None
    path: Any = None

    def read(self) -> bytes:
        """Return its bytes."""
        return self.data if self.data is not None else bytes(self.path.read_bytes())

    def described(self) -> Attachment:
        """Return it by its digest."""
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
    """Yield all that belongs to the document of a run, the evidence first."""
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
    """Return what determines the plan, by which anybody makes the same cases again."""
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
    """Return the digest of the edition, and of every article file in it."""
    files = {}
    for folder in law.folders:
        documents = [
            folder.document,
            folder.matter_document,
            *(article.document for article in folder.articles),
        ]
        if folder.events_document is not None:
            documents.append(folder.events_document)
        for document in documents:
            name = f"specs/{folder.instrument.id}/{document.path.name}"
            files[name] = hashlib.sha256(document.path.read_bytes()).hexdigest()
    for one in (law.register_document, law.glossary_document, law.out_of_scope_document):
        files[f"bilingual/{one.path.name}"] = hashlib.sha256(one.path.read_bytes()).hexdigest()
    return encode_canonical({"spec_digest": spec_digest(law), "files": files}) + b"\n"
