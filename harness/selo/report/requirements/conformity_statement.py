"""The statement of conformity, and the sentences that every document must carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.report.model.report_model import StatementRecord
from selo.report.phrases.compose import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.examine.outcome import Outcome
    from selo.report.model.dossier import Dossier
    from selo.text.multilingual import Words

_LIMITS: Final = ("items", "in-full", "client-data", "change", "register", "retention")


def statement(outcome: Outcome) -> StatementRecord:
    """Return what is stated of the whole."""
    overall = outcome.summary.overall.overall
    return StatementRecord(
        verdict=words(f"report.verdict.{overall}"),
        covers=words("report.statement.covers"),
        rule=words("report.statement.rule"),
        risk=words("report.statement.risk"),
        recommendation=words(f"report.recommendation.{overall}"),
        verify=words("report.statement.verify"),
        extent=words(f"report.extent.{outcome.header.terms.budget}"),
    )


def limits(dossier: Dossier) -> Iterator[Words]:
    """Yield what a document must say of its limits."""
    for name in _LIMITS:
        said = {"register": dossier.register, "retention": dossier.retention}.get(name)
        if said:
            yield words(f"report.limit.{name}.said", **{name: said})
        else:
            yield words(f"report.limit.{name}")
    if dossier.demonstration:
        yield words("report.limit.demonstration")


def conditions(dossier: Dossier) -> Iterator[Words]:
    """Yield the conditions under which a document holds."""
    yield words("report.condition.files")
    if dossier.valid_until is not None:
        yield words("report.condition.until", day=dossier.valid_until.isoformat())
