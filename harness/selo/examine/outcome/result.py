"""What an examination came to: findings with their smallest cases, verdicts, and the result file.

Everything follows from the evidence and the forms of witnesses. No vendor is asked: what was asked
to make findings smaller stands in the evidence too.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

import msgspec

from selo import __version__
from selo.draws.draw_verdict import Statistic
from selo.examine.coverage import (
    DecisiveCount,
    covered_by,
    covering,
    find_offer_gaps,
    lost_provisions,
)
from selo.examine.findings import (
    Finding,
    UnrequestedFindings,
    collect_findings,
    collect_unrequested,
    origin_of,
)
from selo.examine.findings.declaration_findings import (
    collect_declaration_findings,
    judge_all_declarations,
    observe_declarations,
)
from selo.examine.findings.draw_findings import collect_draw_findings, observe_draws
from selo.examine.outcome.verdict_summary import VerdictSummary, summarise_verdicts
from selo.examine.replay.draw_results import DrawResults, read_draws
from selo.examine.run import ReplayedEvidence, replay_evidence
from selo.examine.run.evidence_header import FinishedRun, Header
from selo.examine.run.granted_permissions import apply_permissions
from selo.examine.run.witness_attachment import AttachedForms, attach_forms
from selo.law import today
from selo.law.files.provision_file import Way
from selo.verdict.rulings import Rulings

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from selo.examine.replay import EvidenceAnalysis
    from selo.law.loader import Law
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


class ExaminationResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an examination, in every format the same."""

    selo: str
    evidence_root: str
    header: Header
    counts: list[MethodCounts]
    summary: VerdictSummary
    findings: list[Finding]
    faults: list[dict[str, str]]
    #: The forms of witnesses that bear on the verdicts; nothing if there are none.
    witnessed: AttachedForms | None = None
    #: The root over what was drawn from the vendor's random source; nothing if nothing was.
    draws_root: str | None = None
    statistics: list[Statistic] = []
    #: What was found on the way, outside of what ``--provision`` asked for.
    outside: UnrequestedFindings | None = None
    exit: int


def derive_result_from_folder(
    folder: Path,
    law: Law,
    *,
    forms: Iterable[Path] = (),
    day: dt.date | None = None,
    doubting: bool = False,
) -> ExaminationResult:
    """Conclude from the evidence in `folder` and from what people saw; nothing is written.

    `day` is the one on which the forms must be valid: today, if none is given. If `doubting`,
    every answer is compared with the law again, whatever the evidence says of it.
    """
    return derive_result(
        replay_evidence(folder, law, recheck=doubting), law, folder, forms=forms, day=day
    )


def derive_result(  # noqa: PLR0913 - all that a verdict follows from
    evidence: ReplayedEvidence,
    law: Law,
    folder: Path,
    *,
    forms: Iterable[Path] = (),
    day: dt.date | None = None,
    draws: Callable[[], DrawResults] | None = None,
) -> ExaminationResult:
    """Conclude from evidence that was read again, and from what people saw.

    `draws` says what the book of draws says, if somebody has begun to read it already.
    """
    header, seen = evidence.header, evidence.analysis
    ended = FinishedRun(
        root=str(evidence.evidence.root), header=header, footer=evidence.evidence.footer
    )
    said = attach_forms(forms, law, header.description, header.games, day or today())
    with covering(law, header.terms):
        if evidence.misjudged is not None:
            raise evidence.misjudged
        findings = list(collect_findings(seen.locate_causes(), seen.reductions))
        book = read_draws(folder, law, header.terms) if draws is None else draws()
    return build_result(ended, seen, findings, said, book)


def build_result(
    ended: FinishedRun,
    seen: EvidenceAnalysis,
    findings: list[Finding],
    said: tuple[AttachedForms, list[Witness]],
    draws: DrawResults,
) -> ExaminationResult:
    """Return what a run came to: from its cases and rounds, from what people say, from draws."""
    header = ended.header
    witnessed, witnesses = said
    terms = header.terms
    permitted = apply_permissions(header.description, header.permissions)
    declared = judge_all_declarations(seen.law, permitted, terms.named, terms.rulings)
    others = chain(
        collect_draw_findings(seen.law, terms, draws, origin_of(terms)),
        collect_declaration_findings(seen.law, declared, origin_of(terms)),
    )
    currency = header.description.currency
    findings = [
        msgspec.structs.replace(
            one,
            id=f"F-{number:03}",
            origin=msgspec.structs.replace(one.origin, currency=currency),
        )
        for number, one in enumerate(chain(findings, others), 1)
    ]
    covered = {**covered_by(seen.law, terms), **_round_coverage(seen)}
    missing = find_offer_gaps(seen.law, terms, header.description, covered)
    summary = summarise_verdicts(
        seen.law,
        seen,
        findings=findings,
        declared=observe_declarations(declared, findings),
        covered=missing.left(covered),
        missing=missing.lacking,
        absent=header.not_offered,
        lost=lost_provisions(seen.law, seen),
        rulings=msgspec.convert({"adopted": header.adopted}, Rulings),
        witnesses=witnesses,
        drawn=observe_draws(seen.law, header.terms, draws, findings),
        # What only the protocol forbids breaks no law, but whoever does it proves nothing either.
        fault=bool(ended.footer["files_changed"])
        or seen.rounds.broken > 0
        or seen.rounds.declined > 0
        or seen.reductions.broken > 0
        or any(finding.verdict == "protocol" for finding in findings),
    )
    return ExaminationResult(
        selo=__version__,
        evidence_root=ended.root,
        header=header,
        counts=_method_counts(seen),
        summary=summary,
        findings=findings,
        faults=[
            *(
                {"kind": str(fault.kind), "told": fault.told(), "path": fault.path}
                for fault in (*seen.faults, *seen.rounds.faults)
            ),
            *(
                {name: one.fault[name] for name in ("kind", "told", "path")}
                for one in draws.samples
                if one.fault
            ),
        ],
        witnessed=witnessed if witnessed.forms else None,
        draws_root=draws.root,
        statistics=draws.statistics,
        outside=collect_unrequested(terms, summary.provisions, findings),
        exit=summary.overall.exit,
    )


def _round_coverage(seen: EvidenceAnalysis) -> dict[tuple[str, Way], DecisiveCount]:
    """Return in how many rounds each provision was tried, and in how many really looked at."""
    looked = seen.rounds.looked
    return {
        (provision, Way.PROCEDURE): DecisiveCount(cases=times, decisive=looked.get(provision, 0))
        for provision, times in seen.rounds.about.items()
    }


def _method_counts(seen: EvidenceAnalysis) -> list[MethodCounts]:
    return [
        MethodCounts(
            game=game,
            method=method,
            cases=count.cases,
            right=count.right,
            different=count.different,
            silent=count.silent,
            faults=count.faults,
        )
        for tally in seen.tallies.values()
        for (game, method), count in tally.counts.items()
    ]


def write_result(folder: Path, result: ExaminationResult) -> None:
    """Write the result beside its evidence, and one file for each finding."""
    place = folder / FINDINGS_FOLDER
    place.mkdir(exist_ok=True)
    for finding in result.findings:
        _write_json(place / f"{finding.id}.json", finding)
    _write_json(folder / RESULT_FILE, result)


def _write_json(path: Path, value: object) -> None:
    unfinished = path.with_suffix(".new")
    unfinished.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
    unfinished.replace(path)
