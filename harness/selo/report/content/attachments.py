"""What travels with a document: evidence, plan, result, the edition of the law, and forms."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.evidence.canonical_json import encode
from selo.evidence.run_files import CASES, DRAWS
from selo.examine.outcome import RESULT
from selo.law.spec_digest import spec_digest
from selo.report.model.report_model import Attachment
from selo.report.phrases.compose import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from selo.examine.plan import Terms
    from selo.law.loader import Law
    from selo.report.model.report_model import GroupRecord

#: Evidence above this size, compressed, travels beside the document.
MOST_ATTACHED: Final = 10_000_000
PLAN: Final = "plan.json"
SPECS: Final = "specs.lock.json"
_CHUNK: Final = 1 << 20


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
            attached=size <= MOST_ATTACHED,
        )

    def _chunks(self) -> Iterator[bytes]:
        if self.data is not None:
            yield self.data
            return
        with self.path.open("rb") as opened:
            while chunk := opened.read(_CHUNK):
                yield chunk


def enclosures(
    folder: Path, law: Law, terms: Terms, groups: list[GroupRecord], forms: Iterable[Path] = ()
) -> Iterator[Enclosure]:
    """Yield all that belongs to the document of a run, the evidence first."""
    yield Enclosure(name=CASES.file, kind="evidence", path=folder / CASES.file)
    if (folder / DRAWS.file).is_file():
        yield Enclosure(name=DRAWS.file, kind="draws", path=folder / DRAWS.file)
    yield Enclosure(name=PLAN, kind="plan", data=_plan(terms, groups))
    if (folder / RESULT).is_file():
        yield Enclosure(name=RESULT, kind="result", path=folder / RESULT)
    yield Enclosure(name=SPECS, kind="specs", data=_specs(law))
    for number, form in enumerate(forms, 1):
        yield Enclosure(name=f"witness-{number}.yaml", kind="witness", path=form)


def _plan(terms: Terms, groups: list[GroupRecord]) -> bytes:
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
    return encode(plain) + b"\n"


def _specs(law: Law) -> bytes:
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
        documents += [document for document, _ in folder.register]
        for document in documents:
            name = document.path.relative_to(folder.document.path.parent).as_posix()
            digest = hashlib.sha256(document.path.read_bytes()).hexdigest()
            files[f"specs/{folder.instrument.id}/{name}"] = digest
    for one in (law.glossary_document, law.out_of_scope_document):
        files[f"bilingual/{one.path.name}"] = hashlib.sha256(one.path.read_bytes()).hexdigest()
    return encode({"spec_digest": spec_digest(law), "files": files}) + b"\n"
