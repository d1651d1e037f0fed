"""Builds the report of a run from its folder: verdicts from the evidence, words from the law.

Nothing here depends on the clock, the machine or the place of the folder: the same run, law,
dossier and forms give the same report, byte for byte.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec

from selo.edition import EDITION_SIGNATURE_FILE
from selo.evidence import EvidenceReader
from selo.examine.analysis.draw_record import BackgroundDraws
from selo.examine.conclusion import RESULT_FILE, derive_result
from selo.examine.coverage import coverage_of
from selo.examine.run.canonical_run import prove_canonical_meanwhile
from selo.examine.run.evidence_header import header_of
from selo.examine.run.evidence_replay import replay_evidence
from selo.examine.run.granted_permissions import find_kept_permissions
from selo.examine.run.plan_comparison import with_plan_of
from selo.examine.run.run_log import read_run_log
from selo.examine.run.witness_attachment import AttachedForms, read_kept_forms
from selo.report.content.attachments import WITNESS_PREFIX, list_enclosures
from selo.report.content.evidence_index import EvidenceIndex
from selo.report.content.house_edge import ExactOdds, compute_house_edges, require_edges
from selo.report.content.observed_edge import ObservedEdges
from selo.report.content.provision_results import count_planted_faults, describe_selftest
from selo.report.content.reproducible_content import ContentSources, DeclaredContent, derive_content
from selo.report.content.test_method import RunLogFacts
from selo.report.model.dossier import MACAU_ZONE, DocumentKind, Dossier
from selo.report.model.report_model import REPORT_FORMAT, DatesRecord, Evidence, Report
from selo.report.phrases import Labels
from selo.report.phrases.composition import words
from selo.report.requirements import (
    check_edition,
    find_missing,
    find_shortfalls,
)
from selo.report.requirements.conformity_statement import list_conditions, list_limits
from selo.storage.bounded_read import digest_file, read_json
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from selo.examine.analysis import BlockSummary
    from selo.examine.conclusion import ExaminationResult
    from selo.examine.run.run_log import RunLog
    from selo.law import Law
    from selo.report.content.attachments import Enclosure


#: Digits of the evidence root that number a document without a number in its dossier.
_NUMBER_DIGITS = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class BuiltDocument:
    """The report of a run, and the files that belong to it."""

    report: Report
    enclosures: list[Enclosure]
    outcome: ExaminationResult


def build_report(folder: Path, law: Law, dossier: Dossier | None = None, **choices: Any) -> Report:
    """Return the report of the run in `folder`; the choices are those of `build_document`."""
    return build_document(folder, law, dossier, **choices).report


def build_document(  # noqa: PLR0913 - each is a choice of its own
    folder: Path,
    law: Law,
    dossier: Dossier | None = None,
    *,
    kind: DocumentKind | None = None,
    forms: Sequence[Path] = (),
    languages: Sequence[str] = ("pt", "zh"),
    selftest: Path | None = None,
    deviations: Iterable[str] = (),
) -> BuiltDocument:
    """Return the report of the run in `folder`, and the files that belong to it."""
    dossier = dossier or Dossier()
    require_edges(dossier.declared_edges)
    run = read_run_log(folder)
    forms = _collect_forms(folder, forms)
    dates = _dates_record(run, dossier, _witness_day(folder))
    kind = kind or dossier.kind
    header = header_of(folder, EvidenceReader(folder).header())
    law = with_plan_of(law, folder, header)
    names = Labels(law)
    odds = ExactOdds(law, header.terms.rulings)
    draws = BackgroundDraws(folder, law, header.terms, header.description.games)
    index = EvidenceIndex()

    def add_block(block: BlockSummary) -> None:
        draws.begin()
        index.add_block(block)

    with (
        odds.compute_meanwhile(header.terms.game_names),
        coverage_of(law, header.terms).count_meanwhile(),
        prove_canonical_meanwhile(folder, law, header),
    ):
        evidence = replay_evidence(folder, law, on_block=add_block)
    outcome = derive_result(
        evidence, law, folder, forms=forms, day=dates.issued, draws=draws.results
    )
    whole = evidence.evidence
    content = derive_content(
        ContentSources(
            law=law, header=header, footer=whole.footer, outcome=outcome, index=index, names=names,
            odds=odds,
        ),
        DeclaredContent(
            received=dossier.item,
            logged=RunLogFacts.from_run(run),
            rulings_by=dossier.rulings_by,
            commitment_published=dossier.commitment_published,
            planted=count_planted_faults(law, selftest),
        ),
    )  # fmt: skip
    enclosures = list(
        list_enclosures(
            folder,
            law,
            outcome,
            groups=content.method.groups,
            forms=forms,
            permissions=find_kept_permissions(folder, header.permissions),
        )
    )
    attachments = [enclosure.describe() for enclosure in enclosures]
    report = Report(
        format=REPORT_FORMAT,
        kind=kind,
        demonstration=dossier.demonstration,
        number=dossier.number or outcome.evidence_root[:_NUMBER_DIGITS],
        revision=dossier.revision,
        supersedes=dossier.supersedes or None,
        scheme=dossier.scheme or words("report.scheme"),
        issuer=dossier.issuer,
        client=dossier.client,
        recipients=dossier.recipients,
        place=dossier.place,
        dates=dates,
        edges=list(
            compute_house_edges(
                odds,
                names,
                header.terms.games,
                dossier.declared_edges,
                ObservedEdges(draws.results().samples, law, header.terms.rulings),
            )
        ),
        evidence=Evidence(
            root=outcome.evidence_root,
            lines=whole.lines,
            cases=whole.footer["cases"],
            rounds=whole.footer["rounds"],
            file=attachments[0],
            draws_root=outcome.draws_root,
        ),
        attachments=attachments,
        forms=[
            attachment.sha256
            for attachment in attachments
            if attachment.name.startswith(WITNESS_PREFIX)
        ],
        opinions=dossier.opinions,
        conditions=[*list_conditions(dossier), *dossier.conditions],
        limits=[*list_limits(dossier), *dossier.limits],
        deviations=list(deviations),
        known_issues=dossier.known_issues,
        signatories=dossier.signatories,
        missing=[],
        languages=tuple(languages),
        page=dossier.page.replace("{number}", quote(dossier.number, safe="")),
        selftest=describe_selftest(law, selftest, header.games),
        **msgspec.structs.asdict(content),
    )
    is_signed = (folder / EDITION_SIGNATURE_FILE).is_file() or any(
        permit.edition == header.edition != "" for permit in header.permissions
    )
    edition = check_edition(law, header.edition, signed=is_signed)
    missing = find_missing(
        report,
        dossier,
        odds.games_without_odds(header.terms.games),
        edition if kind is DocumentKind.CERTIFICATE else (),
    )
    is_demonstrated = report.demonstration and kind is DocumentKind.CERTIFICATE
    shortfalls = list(find_shortfalls(report)) if is_demonstrated else []
    return BuiltDocument(
        report=msgspec.structs.replace(report, missing=missing, shortfalls=shortfalls),
        enclosures=enclosures,
        outcome=outcome,
    )


class _RunResult(msgspec.Struct, frozen=True):
    """The part of the result of a run that a report reads: when witness forms were checked."""

    witnessed: AttachedForms | None = None


def _witness_day(folder: Path) -> dt.date | None:
    """Return the day on which witness forms were added to the run, if any were."""
    path = folder / RESULT_FILE
    try:
        result = read_json(path, _RunResult)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise user_error("result-unread", path=path, error=error) from error
    return None if result.witnessed is None else result.witnessed.day


def _collect_forms(folder: Path, forms: Sequence[Path]) -> list[Path]:
    """Return the forms kept in the folder and `forms`, each once, in the order of their digests."""
    by_digest = {digest_file(form): form for form in (*forms, *read_kept_forms(folder))}
    return [by_digest[digest] for digest in sorted(by_digest)]


def _dates_record(run: RunLog, dossier: Dossier, witness_day: dt.date | None) -> DatesRecord:
    """Return the days of the test, in the time zone of the dossier, and of the document.

    The default day of issue is the last day of testing, or the day of the witness forms.
    """
    zone = dossier.zone()
    first, last = (
        dt.datetime.fromisoformat(moment).astimezone(zone).date()
        for moment in (run.started, run.ended or run.started)
    )
    return DatesRecord(
        received=dossier.item.on,
        first_day=first,
        last_day=last,
        issued=dossier.issued or max(last, witness_day or last),
        valid_until=dossier.valid_until,
        time_zone=dossier.time_zone or MACAU_ZONE,
    )
