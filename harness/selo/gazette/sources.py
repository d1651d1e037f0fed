"""Gazette sources, pinned by digest, and their repaired working lines."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from selo.errors import Problem, SpecError
from selo.gazette import page_rules, repairs
from selo.gazette.source_places import PARAGRAPH_MARK, SourcePlace
from selo.storage import read_bounded
from selo.text import Words
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from selo.gazette.repairs import Repair, RepairLog
    from selo.yaml_file import YamlDocument


class ReceivedPage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The page that a source is the text of: HTML, PDF, or text in another form."""

    file: str
    sha256: str


class SourceEntry(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What is said of one source file."""

    id: str
    file: str
    sha256: str
    what: Words
    page_rules: list[str]
    page: ReceivedPage | None = None


class SourceList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All source files."""

    sources: list[SourceEntry]


class OutOfScope(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lines of a source that are not law in scope, and why."""

    lines: str | list[str]
    what: Words
    why: Words


class OutOfScopeList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All records of what is left aside."""

    out_of_scope: list[OutOfScope]


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A range of characters of one working line."""

    file: str
    line: int
    start: int
    stop: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """One source: its lines as received and as repaired."""

    entry: SourceEntry
    received: tuple[str, ...]
    working: tuple[str, ...]

    def spans(self, place: SourcePlace) -> list[Span]:
        """Return the spans of `place`, one for each line."""
        if place.last > len(self.working):
            msg = f"source {place.file} has only {len(self.working)} lines"
            raise ValueError(msg)
        spans = []
        for number in range(place.first, place.last + 1):
            line = self.working[number - 1]
            start, stop = 0, len(line)
            if place.start is not None and number == place.first:
                start = _find_once(line, place.start, f"{place.file}:{number}")
            if place.stop is not None and number == place.last:
                stop = _find_once(line, place.stop, f"{place.file}:{number}")
            if start > stop:
                msg = f"in {place.file}:{number} '{place.stop}' stands before '{place.start}'"
                raise ValueError(msg)
            spans.append(Span(file=place.file, line=number, start=start, stop=stop))
        return spans


@dataclass(frozen=True, kw_only=True, slots=True)
class Sources:
    """All sources with the repairs applied."""

    by_id: Mapping[str, Source]
    list_document: YamlDocument
    log: RepairLog
    log_document: YamlDocument

    def spans(self, written: Sequence[str]) -> list[Span]:
        """Return the spans of all `written` places."""
        spans: list[Span] = []
        for item in written:
            if item != PARAGRAPH_MARK:
                place = SourcePlace.parse(item)
                spans += self._source(place).spans(place)
        return spans

    def text(self, written: Sequence[str], language: str) -> str:
        """Return the text at the `written` places after the page rules."""
        paragraphs: list[list[str]] = [[]]
        for item in written:
            if item == PARAGRAPH_MARK:
                paragraphs.append([])
                continue
            place = SourcePlace.parse(item)
            source = self._source(place)
            for span in source.spans(place):
                piece = source.working[span.line - 1][span.start : span.stop]
                paragraphs[-1].append(page_rules.clean_line(piece, source.entry.page_rules))
        return "\n".join(page_rules.join_lines(lines, language) for lines in paragraphs)

    def _source(self, place: SourcePlace) -> Source:
        if place.file not in self.by_id:
            msg = f"there is no source {place.file}"
            raise ValueError(msg)
        return self.by_id[place.file]


def load_sources(bilingual: Path) -> Sources:
    """Return the sources of `bilingual`, digests verified and repairs applied."""
    list_document = read_yaml(bilingual / "sources.yaml")
    log_document = read_yaml(bilingual / "repairs.yaml")
    log = log_document.convert(repairs.RepairLog)
    by_line: dict[tuple[str, int], list[tuple[int, Repair]]] = {}
    for index, repair in enumerate(log.repairs):
        by_line.setdefault((repair.file, repair.line), []).append((index, repair))
    by_id: dict[str, Source] = {}
    for index, entry in enumerate(list_document.convert(SourceList).sources):
        if entry.id in by_id:
            raise SpecError(
                list_document.problem(
                    "sources",
                    index,
                    "id",
                    problem=f"{entry.id}: this id is used twice",
                    hint="Ids are unique and never change.",
                )
            )
        if entry.page is not None:
            _read_pinned(bilingual, entry.page, entry.id, list_document.line("sources", index))
        pinned = ReceivedPage(file=entry.file, sha256=entry.sha256)
        content = _read_pinned(bilingual, pinned, entry.id, list_document.line("sources", index))
        received = tuple(content.decode("utf-8").split("\n"))
        working = []
        for number, line in enumerate(received, start=1):
            line_repairs = by_line.pop((entry.id, number), [])
            working.append(_repair_line(line, line_repairs, log_document))
        by_id[entry.id] = Source(entry=entry, received=received, working=tuple(working))
    for (file, number), line_repairs in by_line.items():
        raise SpecError(
            log_document.problem(
                "repairs",
                line_repairs[0][0],
                problem=f"there is no line {number} in source {file}",
                hint="Correct the file or the line of this repair.",
            )
        )
    return Sources(by_id=by_id, list_document=list_document, log=log, log_document=log_document)


def _read_pinned(bilingual: Path, page: ReceivedPage, source: str, line: int) -> bytes:
    """Return the content of a file of `source`, named on `line`, which must have its digest."""
    path = bilingual / "sources" / page.file
    try:
        if path.name != page.file:
            raise FileNotFoundError(page.file)
        content = read_bounded(path)
    except OSError as error:
        raise SpecError(
            Problem(
                path=bilingual / "sources.yaml",
                line=line,
                problem=f"source {source} cannot be read: {error}",
                hint="Restore the file under bilingual/sources/.",
            )
        ) from error
    digest = hashlib.sha256(content).hexdigest()
    if digest != page.sha256:
        raise SpecError(
            Problem(
                path=path,
                line=1,
                problem=f"source {source} is not the text that was received: sha256 {digest}",
                hint="Restore the file; scanning errors are corrected in bilingual/repairs.yaml.",
            )
        )
    return content


def _repair_line(line: str, line_repairs: list[tuple[int, Repair]], document: YamlDocument) -> str:
    if not line_repairs:
        return line
    try:
        return repairs.apply_repairs(line, [repair for _, repair in line_repairs])
    except repairs.RepairNotApplicable as error:
        index, repair = line_repairs[0]
        raise SpecError(
            document.problem(
                "repairs",
                index,
                problem=f"line {repair.line} of source {repair.file}: {error}",
                hint="Write what stands in the source, or say which occurrence with nth.",
            )
        ) from error


def _find_once(line: str, words: str, where: str) -> int:
    start = line.find(words)
    if start < 0:
        msg = f"'{words}' does not stand in {where}"
        raise ValueError(msg)
    if line.find(words, start + 1) >= 0:
        msg = f"'{words}' stands more than once in {where}"
        raise ValueError(msg)
    return start
