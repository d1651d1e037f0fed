"""Words and numbers of a report as paper has them, each in the manner of its language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.report.pdf.sections import unpacked
from selo.report.phrases.compose import said
from selo.text.number_format import Number
from selo.text.sanitize import visible

if TYPE_CHECKING:
    from selo.report.model.report_model import Report, Sheet
    from selo.text.multilingual import Text

#: So much of what a vendor offers is printed of one thing; the whole stands in report.json.
_MOST_OFFERED: Final = 1800


def lines(text: str) -> list[str]:
    """Return words of which each line stands alone, as much of them as has room."""
    shown = text[:_MOST_OFFERED] + ("…" if len(text) > _MOST_OFFERED else "")
    return [visible(one) for one in shown.split("\n")]


def seen_at(one: Sheet, language: str) -> str:
    """Return how often a finding was seen, and where first."""
    counts = {
        name: said(f"document.finding.{name}.{_number(count)}", language, count=count)
        for name, count in (("times", one.times), ("ways", one.ways))
    }
    return said("document.finding.seen-at", language, first=one.first, **counts)


def _number(count: int) -> str:
    return "one" if count == 1 else "many"


def broken(one: Sheet) -> Text:
    """Return the citation of the first provision that a finding breaks."""
    found = (ground for ground in one.law if ground.provision in one.provisions)
    return next(found, one.law[0]).citation


def level(report: Report) -> Number | None:
    """Return the level of the statistical tests, if there were any."""
    return Number(unpacked(report.statistics[0].level)) if report.statistics else None
