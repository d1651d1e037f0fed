"""Articles and units as recognised in one language."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from selo.law.files.provision_file import MatterKind, Unit

if TYPE_CHECKING:
    from selo.law.intake.enumeration import Mark
    from selo.law.intake.paragraphs import Paragraph


@dataclass(slots=True)
class DraftUnit:
    """A unit as recognised: its path below the instrument, its mark and its paragraphs."""

    path: tuple[str, ...]
    unit: Unit
    paragraphs: list[Paragraph]
    mark: Mark | None = None
    #: The label as printed, where it is not an enumeration mark.
    label: str | None = None


@dataclass(slots=True)
class DraftArticle:
    """An article as recognised, in one language."""

    number: str
    label: str | None
    heading: str | None = None
    title: list[Paragraph] = field(default_factory=list)
    units: list[DraftUnit] = field(default_factory=list)


@dataclass(slots=True)
class DraftText:
    """All that was recognised in one language."""

    articles: list[DraftArticle] = field(default_factory=list)
    matter: list[tuple[MatterKind, list[Paragraph]]] = field(default_factory=list)


def add_unit(article: DraftArticle, unit: DraftUnit) -> None:
    """Add `unit` under a path of its own: a second item of one name is a paragraph after it."""
    taken = {other.path for other in article.units}
    first, number = unit.path, 1
    while unit.path in taken:
        number += 1
        last = f"{first[-1]}-{number}" if len(first) > 1 else f"par-{number}"
        unit.path = (*(first[:-1] or first), last)
        unit.unit, unit.mark, unit.label = Unit.PARAGRAPH, None, None
    article.units.append(unit)


def join_split_lines(lines: Paragraph) -> Paragraph:
    """Join the two parts of a line that was split."""
    mended: Paragraph = []
    for line in lines:
        if mended and (mended[-1].file, mended[-1].number) == (line.file, line.number):
            mended[-1] = replace(mended[-1], text=f"{mended[-1].text} {line.text}", stop=line.stop)
        else:
            mended.append(line)
    return mended
