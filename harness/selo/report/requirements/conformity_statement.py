"""The statement of conformity, limitations and conditions that every document must carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.report.model.dossier import DocumentKind
from selo.report.model.report_model import StatementRecord
from selo.report.phrases.composition import join_words, words
from selo.report.requirements.document_kind import rederive_missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.examine.conclusion import ExaminationResult
    from selo.report.model.dossier import Dossier
    from selo.report.model.report_model import Report
    from selo.text import Words

#: Limitations that a dossier may word itself.
_DECLARED_LIMITS: Final = frozenset({"register", "retention"})
_LIMIT_KEYS: Final = ("items", "in-full", "client-data", "change", "register", "retention")
#: Requirements that not every document of engine 1 tells as missing.
_ADDED_REQUIREMENTS: Final = frozenset({"canonical:none"})


def compose_statement(outcome: ExaminationResult) -> StatementRecord:
    """Return the statement on the overall result."""
    overall = outcome.summary.overall.overall
    return StatementRecord(
        verdict=words(f"report.verdict.{outcome.summary.label}"),
        covers=words("report.statement.covers"),
        rule=words("report.statement.rule"),
        risk=_state_risk(outcome),
        recommendation=words(f"report.recommendation.{overall}"),
        verify=words("report.statement.verify"),
        extent=_describe_extent(outcome),
    )


def _state_risk(outcome: ExaminationResult) -> Words:
    """Return both risks of the decision, in figures where chance was tested."""
    # Where fewer outcomes were drawn than a certificate needs, the largest risk says so.
    risks = [float(power.risk) for power in outcome.powers if power.wanted is not None]
    if not risks or not outcome.statistics:
        return words("report.statement.risk")
    first = outcome.statistics[0]
    looks = 2
    return words(
        "report.statement.risk.figures",
        accused=f"{float(first.level) * looks:.6g}",
        doubted=f"{float(first.doubt) ** looks:.6g}",
        passed=f"{max(risks):.6g}",
        count=str(len(risks)),
    )


def _describe_extent(outcome: ExaminationResult) -> Words:
    """Return how much was put to the test, and what rests on an earlier certificate."""
    extent = words(f"report.extent.{outcome.header.terms.budget}")
    predecessor = outcome.header.predecessor
    if predecessor is None:
        return extent
    carried = words(
        "report.extent.carried",
        count=len(predecessor.carried),
        certificate=predecessor.certificate,
    )
    return join_words([extent, carried], " ", "")


def list_limits(dossier: Dossier) -> Iterator[Words]:
    """Yield the limitations that a document must state."""
    for name in _LIMIT_KEYS:
        declared = {"register": dossier.register, "retention": dossier.retention}.get(name)
        if declared:
            yield words(f"report.limit.{name}.said", **{name: declared})
        else:
            yield words(f"report.limit.{name}")
    if dossier.demonstration:
        yield words("report.limit.demonstration")


def list_conditions(dossier: Dossier) -> Iterator[Words]:
    """Yield the conditions under which a document is valid."""
    yield words("report.condition.files")
    if dossier.valid_until is not None:
        yield words("report.condition.until", day=dossier.valid_until.isoformat())


def find_untold(report: Report, *, with_words: bool) -> Iterator[str]:
    """Yield what a report does not tell as it follows from the rest of it.

    Another version has other words for what is missing.
    """
    # Of a certificate nothing may be missing at all.
    if report.kind is not DocumentKind.CERTIFICATE:
        told = [one.key for one in report.missing]
        owed = rederive_missing(report)
        keys = [one.key for one in owed if one.key in told or one.key not in _ADDED_REQUIREMENTS]
        if owed != report.missing if with_words else keys != told:
            yield "missing"
    yield from _find_unstated(report)


def _find_unstated(report: Report) -> Iterator[str]:
    """Yield what a report lacks of the limitations and conditions that every document states."""
    limits = [*_LIMIT_KEYS, *(["demonstration"] if report.demonstration else [])]
    stated = report.limits[: len(limits)]
    if len(stated) < len(limits) or any(
        name not in _DECLARED_LIMITS and limit != words(f"report.limit.{name}")
        for name, limit in zip(limits, stated, strict=True)
    ):
        yield "stated limits"
    conditions = [words("report.condition.files")]
    if report.dates.valid_until is not None:
        day = report.dates.valid_until.isoformat()
        conditions.append(words("report.condition.until", day=day))
    stated_twice = any(report.conditions.count(condition) > 1 for condition in conditions)
    if report.conditions[: len(conditions)] != conditions or stated_twice:
        yield "stated conditions"
