"""Recomputes every verdict from the evidence and the edition of the law that it names.

1. The lines of the evidence must give the root that the report names.
2. The law is that of the document (`selo.verification.document_law`); without it, nothing is
   recomputed.
3. The verdicts that follow from evidence, draws and forms must be those of the report.
4. So must everything else that people did not write (`selo.report.content.reproducible_content`):
   product, files, method, status of the law, cases, statistics, the statement of conformity,
   house edges.
5. The revealed seed must give the commitment, which a timestamp or a publication dates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.engine import UNNUMBERED, judging_retired_at, plan_retired_at
from selo.errors import SeloError
from selo.evidence import EvidenceReader
from selo.evidence.merkle import Root
from selo.evidence.run_files import CASES_FILE, DRAWS_FILE
from selo.examine.analysis.draw_record import BackgroundDraws
from selo.examine.behaviour.canonical_set import PREDECESSOR_FILE
from selo.examine.conclusion import ExaminationResult, derive_result
from selo.examine.coverage import coverage_of
from selo.examine.run.canonical_run import prove_canonical_meanwhile
from selo.examine.run.evidence_header import Header, header_of, is_same_program
from selo.examine.run.evidence_replay import replay_evidence
from selo.examine.run.plan_comparison import with_plan_of
from selo.examine.run.witness_attachment import attach_forms
from selo.report.content import (
    ContentSources,
    EvidenceIndex,
    ExactOdds,
    has_same_edges,
    rederive_content,
)
from selo.report.content.attachments import (
    CANONICAL_FILE,
    PERMISSION_PREFIX,
    WITNESS_PREFIX,
    canonical_path,
    find_numbered_files,
    is_enclosure_name,
    list_enclosures,
)
from selo.report.phrases import Labels
from selo.report.requirements.conformity_statement import find_untold
from selo.verdict.observations import EntryTrust
from selo.verification.document_law import open_document_law
from selo.verification.fact_comparison import (
    check_derived_files,
    check_foreign_files,
    check_other_version,
    find_differing_facts,
)
from selo.verification.seed_checks import check_seed
from selo.verification.signature_checks import signing_day
from selo.verification.verification_report import (
    CheckState,
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
    warning_check,
)

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from selo.examine.analysis import BlockSummary
    from selo.law import Law
    from selo.report.model.report_model import Report
    from selo.verification.document_law import LawSources
    from selo.verification.document_parts import DocumentParts


#: Further differences are only counted.
_MAX_DIFFERENCES_NAMED: Final = 5


def write_attachments(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write the files of a document as in the folder of a run; return the witness forms."""
    for name, data in files.items():
        # Names come from an untrusted document: only those that we give are written.
        if is_enclosure_name(name):
            path = canonical_path(folder) if name == CANONICAL_FILE else folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
    return find_numbered_files(folder, WITNESS_PREFIX)


def check_recomputation(
    parts: DocumentParts,
    sources: LawSources,
    folder: Path,
    forms: list[Path],
) -> Iterator[DocumentCheck]:
    """Check evidence, law, verdicts, contents and seed of a document."""
    report = parts.report
    has_draws = report.evidence.draws_root is not None
    if has_draws != any(one.name == DRAWS_FILE.file for one in report.attachments):
        yield failed_check("attachments", "attachments.differ", files=DRAWS_FILE.file)
        return
    needed = [CASES_FILE, DRAWS_FILE] if has_draws else [CASES_FILE]
    if not all((folder / book.file).is_file() for book in needed):
        yield open_check("evidence", "evidence.absent")
        return
    try:
        header = header_of(folder, EvidenceReader(folder).header())
    except (SeloError, ValueError) as error:
        yield failed_check("evidence", "evidence.altered", problem=error)
        return
    if not all(path.is_file() for path in _further_files(folder, header)):
        yield open_check("evidence", "evidence.absent")
        return
    with open_document_law(report, header, folder, sources) as found:
        yield from found.checks
        law = found.law
        if law is not None:
            try:
                law = with_plan_of(law, folder, header)
            except (SeloError, ValueError) as error:
                yield failed_check("evidence", "evidence.altered", problem=error)
                return
            yield _name_plan(header, sources)
        yield from _check_evidence(parts, header, law, folder, forms=forms, sources=sources)


def _further_files(folder: Path, header: Header) -> Iterator[Path]:
    """Yield the files on which evidence rests besides draws and law."""
    if header.canonical is not None:
        yield canonical_path(folder)
    if header.predecessor is not None:
        yield folder / PREDECESSOR_FILE


def _name_plan(header: Header, sources: LawSources) -> DocumentCheck:
    """Return what the evidence is compared with: its plan, or the questions that it records.

    Whoever signs after nobody makes the plan any more could have left questions out.
    """
    engine = header.terms.engine_number
    retired = plan_retired_at(engine)
    if retired is None:
        return passed_check("plan", "plan.made-again")
    day = retired.date()
    if sources.signed_at is None or sources.signed_at >= retired:
        return open_check("plan", "plan.signed-late", engine=engine, day=day)
    return warning_check("plan", "plan.recorded", engine=engine, day=day)


def _check_evidence(  # noqa: PLR0913 - all that a verdict follows from
    parts: DocumentParts,
    header: Header,
    law: Law | None,
    folder: Path,
    *,
    forms: list[Path],
    sources: LawSources,
) -> Iterator[DocumentCheck]:
    report, root = parts.report, Root(parts.report.evidence.root)
    try:
        # Without its law only the root can be checked. The marks in the evidence are not
        # trusted: every answer is judged again.
        if law is None:
            replayed, evidence = None, EvidenceReader(folder, root=root).read()
        else:
            with prove_canonical_meanwhile(folder, law, header):
                replayed = _ReplayedRun(folder, law, header, root)
            evidence = replayed.evidence.evidence
    except (SeloError, ValueError) as error:
        yield failed_check("evidence", "evidence.altered", problem=error)
        return
    yield passed_check("evidence", root=report.evidence.root, lines=evidence.lines)
    yield from check_seed(report, header, evidence.footer, sources)
    if report.method.spec_digest != header.terms.spec_digest or report.method.plan != header.plan:
        yield failed_check("verdicts", "verdicts.other-plan")
    elif law is None or replayed is None:
        yield open_check("verdicts", "verdicts.not-worked-out")
    else:
        yield from _check_verdicts_and_contents(
            parts, law, folder, replayed, forms, signed_at=sources.signed_at
        )


class _ReplayedRun:
    """The evidence and draws of a run, replayed in parallel."""

    def __init__(self, folder: Path, law: Law, header: Header, root: Root) -> None:
        self.header = header
        self.draws = BackgroundDraws(folder, law, header.terms, header.description.games)
        #: The lines of groups and provisions in the evidence.
        self.index = EvidenceIndex()
        self.odds = ExactOdds(law, header.terms.rulings)
        # Coverage is counted in parallel from the first line on.
        with (
            self.odds.compute_meanwhile(header.terms.game_names),
            coverage_of(law, header.terms).count_meanwhile(),
        ):
            self.evidence = replay_evidence(folder, law, root=root, on_block=self._add_block)

    def was_signed_before(self, signed_at: dt.datetime | None) -> bool:
        """Return whether the engine was retired since, so that it may have judged otherwise."""
        retired = judging_retired_at(self.header.terms.engine_number)
        if retired is None or signed_at is None or is_same_program(self.header):
            return False
        return signed_at < retired

    def _add_block(self, block: BlockSummary) -> None:
        self.draws.begin()
        self.index.add_block(block)


def _check_verdicts_and_contents(  # noqa: PLR0913 - all that a verdict follows from
    parts: DocumentParts,
    law: Law,
    folder: Path,
    replayed: _ReplayedRun,
    forms: list[Path],
    *,
    signed_at: dt.datetime | None,
) -> Iterator[DocumentCheck]:
    report, is_ours = parts.report, is_same_program(replayed.header)
    try:
        result = derive_result(
            replayed.evidence,
            law,
            folder,
            forms=forms,
            day=_day_of_issue(report),
            draws=replayed.draws.results,
        )
        sources = ContentSources(
            law=law, header=replayed.header, footer=replayed.evidence.evidence.footer,
            outcome=result, index=replayed.index, names=Labels(law),
            odds=replayed.odds,
        )  # fmt: skip
        derived = rederive_content(report, sources)
        enclosed = list(
            list_enclosures(
                folder, law, result, groups=derived.method.groups, forms=forms,
                permissions=find_numbered_files(folder, PERMISSION_PREFIX),
            )
        )  # fmt: skip
    except (SeloError, ValueError, LookupError, TypeError, OSError) as error:
        yield failed_check("verdicts", "verdicts.refused", problem=error)
        return
    engine, is_retired = replayed.header.terms.engine_number, replayed.was_signed_before(signed_at)
    verdicts = _check_verdicts(report, result)
    if is_retired and verdicts.state is CheckState.FAILED:
        # Judged otherwise now, or forged then: nobody can tell, so it neither holds nor is altered.
        yield open_check("verdicts", "verdicts.older-engine", engine=engine)
        return
    yield verdicts
    yield from _check_forms_when_signed(report, law, replayed.header, forms, signed_at)
    if verdicts.state is CheckState.FAILED:
        return
    if is_ours:
        differing = derived.differing_fields(report)
    else:
        lenient = replayed.header.terms.engine_number == UNNUMBERED
        differing = find_differing_facts(parts, derived, lenient=lenient)
        yield from check_other_version(report, derived, replayed.header)
    if not _has_same_evidence(report, replayed, result):
        differing.append("evidence")
    described = [enclosure.describe() for enclosure in enclosed]
    if report.forms != [
        attachment.sha256 for attachment in described if attachment.name.startswith(WITNESS_PREFIX)
    ]:
        differing.append("forms")
    files = (
        check_derived_files(report, described)
        if is_ours
        else check_foreign_files(parts, replayed.header, folder, enclosed)
    )
    if is_retired and files.state is CheckState.FAILED:
        files = open_check("attachments", "attachments.older-engine", engine=engine, **files.slots)
    yield files
    if is_ours and not sources.has_shipped_score(report):
        yield open_check("kill score", "selftest.signer-says")
    differing += find_untold(report, with_words=is_ours)
    samples = replayed.draws.results().samples
    if not has_same_edges(report, sources, samples, with_names=is_ours):
        differing.append("edges")
    yield _name_differing(differing, engine=engine if is_retired else None)


def _name_differing(differing: list[str], *, engine: int | None) -> DocumentCheck:
    """Return what does not follow; of an engine that may have judged otherwise, it stays open."""
    parts = ", ".join(differing)
    if not differing:
        return passed_check("contents")
    if engine is not None:
        return open_check("contents", "contents.older-engine", engine=engine, parts=parts)
    return failed_check("contents", "contents.differ", parts=parts)


def _check_forms_when_signed(
    report: Report, law: Law, header: Header, forms: list[Path], signed_at: dt.datetime | None
) -> Iterator[DocumentCheck]:
    """Check that no witness form was over before the document was signed.

    The day of issue is the signer's word, and an earlier one would make an expired form valid.
    """
    issued, day = _day_of_issue(report), signing_day(report, signed_at)
    if not forms or day == issued:
        return
    then, when_signed = (
        [witness.signed for witness in attach_forms(
            forms, law, header.description, header.games, one)[1]]
        for one in (issued, day)
    )  # fmt: skip
    if any(
        one is EntryTrust.VALID is not other for one, other in zip(then, when_signed, strict=True)
    ):
        yield failed_check("witness", "witness.over-when-signed", day=issued, signed=day)


def _has_same_evidence(
    report: Report, replayed: _ReplayedRun, recomputed: ExaminationResult
) -> bool:
    """Return whether the report counts the lines, cases, rounds and draws that there are."""
    whole, told = replayed.evidence.evidence, report.evidence
    return (
        (told.root, told.lines, told.draws_root)
        == (str(whole.root), whole.lines, recomputed.draws_root)
        and (told.cases, told.rounds) == (whole.footer["cases"], whole.footer["rounds"])
        and report.attachments[:1] == [told.file]
    )


def _day_of_issue(report: Report) -> Any:
    """Return the day on which the witness forms had to be valid."""
    return report.dates.issued


def _check_verdicts(report: Report, recomputed: ExaminationResult) -> DocumentCheck:
    reported = {provision.id: str(provision.result) for provision in report.provisions}
    results = {
        provision.provision: str(provision.result) for provision in recomputed.summary.provisions
    }
    differing = [
        f"{name}: {reported.get(name, '–')} → {results.get(name, '–')}"
        for name in sorted(reported.keys() | results.keys())
        if reported.get(name) != results.get(name)
    ]
    if report.overall != recomputed.summary.overall.overall:
        differing.insert(0, f"{report.overall} → {recomputed.summary.overall.overall}")
    findings = {
        finding.id: (finding.verdict, tuple(finding.provisions), finding.times)
        for finding in report.findings
    }
    recomputed_findings = {
        finding.id: (finding.verdict, tuple(finding.provisions), finding.times)
        for finding in recomputed.findings
    }
    differing += [
        name
        for name in sorted(findings.keys() | recomputed_findings.keys())
        if findings.get(name) != recomputed_findings.get(name)
    ]
    if report.evidence.root != recomputed.evidence_root:
        differing.append(recomputed.evidence_root)
    if differing:
        named = "; ".join(differing[:_MAX_DIFFERENCES_NAMED])
        return failed_check("verdicts", "verdicts.differ", count=len(differing), differences=named)
    return passed_check("verdicts", count=len(reported), findings=len(findings))
