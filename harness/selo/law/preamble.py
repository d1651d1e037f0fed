"""The preamble of an instrument: its paragraphs with their ids, cited, found and checked.

Recitals and the enacting formula bind nobody and are not examined, but they are words of the act:
each is found by its id, such as ``portaria-21-96-m/preamble/1``, by its citation in Portuguese or
Chinese, or with the others as ``21/96/M preâmbulo``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.law.citation import Citation, chinese_number, cite_act, flatten_citation, name_instrument
from selo.law.files.provision_file import MatterKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.law.files.provision_file import Instrument, Matter
    from selo.law.loader import InstrumentFolder, Law

PREAMBLE: Final = "preamble"
#: What the preamble consists of.
PREAMBLE_KINDS: Final = frozenset({MatterKind.RECITAL, MatterKind.ENACTING})
#: The words for the whole preamble in a short citation.
_PREAMBLE_WORDS: Final = frozenset({PREAMBLE, "preâmbulo", "preambulo", "序言"})


@dataclass(frozen=True, kw_only=True, slots=True)
class PreambleParagraph:
    """A paragraph of the preamble of an instrument."""

    instrument: Instrument
    matter: Matter
    number: int

    @property
    def id(self) -> str:
        """The full id, such as ``portaria-21-96-m/preamble/1``."""
        return f"{self.instrument.id}/{PREAMBLE}/{self.number}"


def list_preambles(law: Law) -> Iterator[PreambleParagraph]:
    """Yield every paragraph of every preamble, in the order of the law."""
    for folder in law.folders:
        paragraphs = [matter for matter in folder.matter.matter if matter.id is not None]
        for number, matter in enumerate(paragraphs, start=1):
            yield PreambleParagraph(instrument=folder.instrument, matter=matter, number=number)


def cite_preamble(paragraph: PreambleParagraph) -> Citation:
    """Return the citation of a paragraph of a preamble."""
    return cite_act(
        paragraph.instrument,
        pt=f"parágrafo {paragraph.number}.º do preâmbulo",
        zh=f"序言第{chinese_number(paragraph.number)}段",
    )


def find_preamble(law: Law, cited: str) -> list[PreambleParagraph]:
    """Return the paragraphs of a preamble that `cited` names; none if it names none."""
    flat = flatten_citation(cited)
    return [
        paragraph
        for paragraph in list_preambles(law)
        if flat in {paragraph.id, *_flat_citations(paragraph)} or _names_preamble(flat, paragraph)
    ]


def _flat_citations(paragraph: PreambleParagraph) -> set[str]:
    citation = cite_preamble(paragraph)
    return {flatten_citation(citation.pt_full), flatten_citation(citation.zh_full)}


def _names_preamble(flat: str, paragraph: PreambleParagraph) -> bool:
    """Return whether a short citation names the whole preamble, or this paragraph by number."""
    rest = name_instrument(flat, paragraph.instrument)
    marks = [] if rest is None else rest.replace("/", " ").split()
    return (
        bool(marks) and marks[0] in _PREAMBLE_WORDS and marks[1:] in ([], [str(paragraph.number)])
    )


def check_preamble(folder: InstrumentFolder) -> Iterator[Problem]:
    """Yield every paragraph of a preamble without its id, and every id that is not one."""
    number = 0
    for index, matter in enumerate(folder.matter.matter):
        number += matter.kind in PREAMBLE_KINDS
        expected = f"{PREAMBLE}/{number}" if matter.kind in PREAMBLE_KINDS else None
        if matter.id != expected:
            yield folder.matter_document.problem(
                "matter",
                index,
                problem=f"{folder.instrument.id} {matter.kind}: the id is "
                f"{matter.id or 'missing'}, not {expected or 'missing'}",
                hint="Recitals and the enacting formula are preamble/1, preamble/2 and so on.",
            )
