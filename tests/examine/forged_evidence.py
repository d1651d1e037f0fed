"""Writes evidence again with changes: digests and root are in order, the content is not."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from selo.edition import EDITION_FILE
from selo.evidence.canonical_json import encode_canonical
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.evidence_writer import EvidenceWriter
from selo.evidence.run_files import CASES_FILE, DRAWS_FILE
from selo.examine.behaviour.canonical_set import CANONICAL_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from selo.evidence.run_files import EvidenceFile

    #: Changes a run in place.
    Forgery = Callable[["OpenedRun"], None]

#: The fields that the writer adds to header and footer.
_WRITER_FIELDS = ("evidence", "format", "lines")


@dataclass(kw_only=True)
class OpenedRun:
    """The decoded lines of a run."""

    header: dict[str, Any]
    lines: list[dict[str, Any]]
    footer: dict[str, Any]


def forge_evidence(
    folder: Path, into: Path, forgery: Forgery, *, book: EvidenceFile = CASES_FILE
) -> Path:
    """Write the evidence of `folder` again with a forgery, numbered and rooted anew.

    The draws beside it, the log and everything else that does not name the old root are copied.
    """
    header, *lines, footer = [json.loads(line) for line in EvidenceReader(folder, book=book)]
    for frame in (header, footer):
        for name in _WRITER_FIELDS:
            frame.pop(name, None)
    run = OpenedRun(header=header, lines=lines, footer=footer)
    forgery(run)
    into.mkdir(parents=True)
    for name in {CASES_FILE.file, DRAWS_FILE.file, EDITION_FILE} - {book.file}:
        if (folder / name).exists():
            shutil.copy(folder / name, into)
    if (folder / CANONICAL_FOLDER).is_dir():
        shutil.copytree(folder / CANONICAL_FOLDER, into / CANONICAL_FOLDER)
    writer = EvidenceWriter(into, book=book)
    writer.header(header)
    writer.lines(encode_canonical({**line, "n": n}) for n, line in enumerate(run.lines))
    root = str(writer.close(footer))
    log = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    log[book.root] = root
    (into / "run.json").write_text(json.dumps(log), encoding="utf-8")
    return into
