"""The result of an examination: findings with minimal examples, verdicts, and the result file.

It is determined by evidence, draws and witness forms alone. No vendor is asked: the questions that
shrank the findings stand in the evidence too.
"""

from __future__ import annotations

import datetime as dt
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import msgspec

from selo import __version__
from selo.draws.chance_deviations import DeviationPower
from selo.draws.draw_verdict import DrawStatistic
from selo.evidence import EvidenceReader
from selo.examine.analysis.draw_record import read_draws, state_powers
from selo.examine.conclusion.verdict_summary import VerdictSummary, summarise_verdicts
from selo.examine.coverage import (
    DecisiveCount,
    coverage_of,
    find_offer_gaps,
    lost_provisions,
    withheld_provisions,
)
from selo.examine.findings import (
    Finding,
    origin_of,
    sort_by_harm,
)
from selo.examine.findings.declaration_findings import (
    collect_declaration_findings,
    judge_all_declarations,
    observe_declarations,
)
from selo.examine.findings.draw_findings import collect_draw_findings, observe_draws
from selo.examine.findings.par_findings import collect_par_findings
from selo.examine.findings.requested_provisions import UnrequestedFindings, collect_unrequested
from selo.examine.run.canonical_run import require_canonical_answers
from selo.examine.run.evidence_header import FinishedRun, Header, header_of
from selo.examine.run.evidence_replay import ReplayedEvidence, replay_evidence
from selo.examine.run.granted_permissions import apply_permissions
from selo.examine.run.plan_comparison import with_plan_of
from selo.examine.run.run_log import write_json
from selo.examine.run.witness_attachment import AttachedForms, attach_forms
from selo.law.files.provision_file import Way
from selo.law.status import TextOfLaw, describe_text, gravest_status, macau_today
from selo.verdict.rulings import RecordedRuling, Ruling, Rulings, list_recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from selo.examine.analysis import EvidenceAnalysis
    from selo.examine.analysis.draw_results import DrawResults
    from selo.law import Law
    from selo.verdict.observations import Witness


RESULT_FILE: Final = "result.json"
FINDINGS_FOLDER: Final = "findings"


class MethodCounts(msgspec.Struct, frozen=True, kw_only=True):
    """How often one game was asked in one way."""

    game: str
    method: str
    cases: int
    right: int
    different: int
    silent: int
    faults: int
    #: Cases that the product cannot answer, as the vendor declares.
    skipped: int = 0


class ExaminationResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an examination, in every format the same."""

    selo: str
    evidence_root: str
    header: Header
    counts: list[MethodCounts]
    #: How the stored texts stood on the day asked for.
    texts: list[TextOfLaw]
    summary: VerdictSummary
    findings: list[Finding]
    faults: list[dict[str, str]]
    #: The witness forms that bear on the verdicts; none if there are none.
    witnessed: AttachedForms | None = None
    #: The root over the draws from the vendor's random source; none if nothing was drawn.
    draws_root: str | None = None
    statistics: list[DrawStatistic] = []
    #: How surely deviations of chance would have been noticed.
    powers: list[DeviationPower] = []
    #: Verdicts and findings on provisions that ``--provision`` did not name.
    outside: UnrequestedFindings | None = None
    #: Rulings by which nothing was examined.
    recorded: list[RecordedRuling] = []
    exit: int


def derive_result_from_folder(
    folder: Path,
    law: Law,
    *,
    forms: Iterable[Path] = (),
    day: dt.date | None = None,
) -> ExaminationResult:
    """Derive the result from the evidence in `folder` and witness forms; write nothing.

    `day` is the day on which the forms must be valid, by default today.
    """
    header = header_of(folder, EvidenceReader(folder).header())
    law = with_plan_of(law, folder, header)
    evidence = replay_evidence(folder, law)
    require_canonical_answers(folder, law, header)
    return derive_result(evidence, law, folder, forms=forms, day=day)


def derive_result(  # noqa: PLR0913 - all that a verdict follows from
    evidence: ReplayedEvidence,
    law: Law,
    folder: Path,
    *,
    forms: Iterable[Path] = (),
    day: dt.date | None = None,
    draws: Callable[[], DrawResults] | None = None,
) -> ExaminationResult:
    """Derive the result from replayed evidence and witness forms.

    `draws` returns the tested draws, if a caller has begun to read them already.
    """
    header, analysis = evidence.header, evidence.analysis
    finished = FinishedRun(
        root=str(evidence.evidence.root), header=header, footer=evidence.evidence.footer
    )
    attached = attach_forms(forms, law, header.description, header.games, day or macau_today())
    with coverage_of(law, header.terms).count_meanwhile():
        if evidence.misjudged is not None:
            raise evidence.misjudged
        findings = evidence.collect_findings()
        offers = header.description.games
        draw_results = read_draws(folder, law, header.terms, offers) if draws is None else draws()
    return build_result(finished, analysis, findings, attached, draw_results)


def build_result(
    finished: FinishedRun,
    analysis: EvidenceAnalysis,
    findings: list[Finding],
    attached: tuple[AttachedForms, list[Witness]],
    draws: DrawResults,
) -> ExaminationResult:
    """Return the result of a run, from the analysis of its evidence, witness forms and draws."""
    header, law = finished.header, analysis.law
    forms, witnesses = attached
    terms = header.terms
    description = apply_permissions(header.description, header.permissions)
    declarations = judge_all_declarations(
        analysis.law, description, terms.game_names, terms.rulings
    )
    free = None if draws.free is None else draws.free.tally
    more_findings = chain(
        collect_draw_findings(law, terms, draws, origin_of(terms), findings),
        collect_declaration_findings(analysis.law, declarations, origin_of(terms)),
        collect_par_findings(law, header.par, origin_of(terms)),
    )
    currency = header.description.currency
    rulings = msgspec.convert({"adopted": header.adopted}, Rulings)
    findings = [
        msgspec.structs.replace(
            finding,
            id=f"F-{number:03}",
            origin=msgspec.structs.replace(
                finding.origin, currency=currency, adopted=_rulings_against(finding, rulings)
            ),
        )
        for number, finding in enumerate(sort_by_harm(chain(findings, more_findings)), 1)
    ]
    planned = coverage_of(analysis.law, terms)
    covered = {**planned.sound_counts(analysis), **_round_coverage(analysis)}
    gaps = find_offer_gaps(analysis.law, terms, header.description, covered)
    applicable = gaps.applicable(covered)
    offers = header.description.games
    summary = summarise_verdicts(
        analysis.law,
        analysis,
        findings=findings,
        declarations=observe_declarations(declarations, findings),
        covered=applicable,
        missing=gaps.lacking,
        absent=header.not_offered,
        lost=lost_provisions(analysis.law, analysis),
        withheld=withheld_provisions(analysis.law, analysis, offers, applicable),
        rulings=rulings,
        witnesses=witnesses,
        draws=observe_draws(analysis.law, header.terms, draws, findings),
        # A breach of the protocol alone violates no law, but leaves the result inconclusive.
        fault=bool(finished.footer["files_changed"])
        or bool(finished.footer.get("world_faults"))
        or analysis.rounds.broken > 0
        or analysis.rounds.declined > 0
        or analysis.reductions.broken > 0
        or (free is not None and free.has_faults)
        or any(finding.verdict == "protocol" for finding in findings),
    )
    return ExaminationResult(
        selo=__version__,
        evidence_root=finished.root,
        header=header,
        counts=_method_counts(analysis),
        texts=list(_texts_of_law(analysis.law, header)),
        summary=summary,
        findings=findings,
        faults=[
            *(
                {"kind": str(fault.kind), "told": fault.describe(), "path": fault.path}
                for fault in (
                    *analysis.faults,
                    *analysis.rounds.faults,
                    *(free.all_faults if free else ()),
                )
            ),
            *finished.footer.get("world_faults", []),
            *(
                {name: sample.fault[name] for name in ("kind", "told", "path")}
                for sample in draws.samples
                if sample.fault
            ),
        ],
        witnessed=forms if forms.forms else None,
        draws_root=draws.root,
        statistics=draws.statistics,
        powers=state_powers(law, draws),
        outside=collect_unrequested(terms, summary.provisions, findings),
        recorded=list(list_recorded(analysis.law, rulings, terms.game_names)),
        exit=summary.overall.exit,
    )


def _texts_of_law(law: Law, header: Header) -> Iterator[TextOfLaw]:
    terms = header.terms
    day = dt.date.fromisoformat(terms.as_of)
    for folder in law.folders:
        if folder.instrument.game in header.games:
            articles = [file.article.article for file in folder.articles]
            is_law = gravest_status(folder.instrument, day, articles).is_law
            yield TextOfLaw(
                instrument=folder.instrument.id,
                game=folder.instrument.game,
                as_of=terms.as_of,
                is_law=is_law,
                as_stored=terms.text_as_stored and not is_law,
                status=describe_text(folder, day),
            )


def _rulings_against(finding: Finding, rulings: Rulings) -> list[Ruling]:
    """Return the rulings for other readings than those that would make a finding lawful."""
    points = {point for point, _ in finding.against}
    return [ruling for ruling in rulings.adopted if ruling.divergence in points]


def _round_coverage(analysis: EvidenceAnalysis) -> dict[tuple[str, Way], DecisiveCount]:
    """Return in how many rounds each provision was tried, and in how many it was decisive.

    None is decisive for a provision that needs something which the vendor did not tell.
    """
    rounds = analysis.rounds
    decisive = {
        provision: times
        for provision, times in rounds.exercised.items()
        if provision not in rounds.untold
    }
    return {
        (provision, Way.PROCEDURE): DecisiveCount(cases=times, decisive=decisive.get(provision, 0))
        for provision, times in rounds.about.items()
    }


def _method_counts(analysis: EvidenceAnalysis) -> list[MethodCounts]:
    return [
        MethodCounts(
            game=game,
            method=method,
            cases=count.cases,
            right=count.right,
            different=count.different,
            silent=count.silent,
            faults=count.faults,
            skipped=count.skipped,
        )
        for tally in analysis.tallies.values()
        for (game, method), count in sorted(tally.counts.items(), key=itemgetter(0))
    ]


def write_result(folder: Path, result: ExaminationResult) -> None:
    """Write the result beside its evidence, and one file for each finding."""
    findings = folder / FINDINGS_FOLDER
    findings.mkdir(exist_ok=True)
    for finding in result.findings:
        write_json(findings / f"{finding.id}.json", finding)
    write_json(folder / RESULT_FILE, result)
