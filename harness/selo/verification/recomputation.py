"""Comes to every verdict again, from the evidence and the edition of the law that it names.

1. The evidence, line by line, gives the root that the report names.
2. The law files at hand are those that the report names; otherwise nothing can be concluded.
3. From evidence, draws and forms follow the verdicts, which must be those of the report.
4. So does everything else that people did not write (`selo.report.content.reproducible_content`):
   product, files, method, status of the law, cases, statistics, the statement of conformity;
   house edges, which take longest to count, if they are asked for.
5. The seed that was revealed gives the commitment that was published before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import __version__
from selo.errors import SeloError
from selo.evidence.evidence_reader import Reader
from selo.evidence.merkle import Root
from selo.examine.coverage import covering
from selo.examine.outcome import Outcome, concluded
from selo.examine.replay.draw_results import Book
from selo.examine.run import reread
from selo.examine.run.examination import Header
from selo.examine.run.seed_commitment import Sealed
from selo.law.spec_digest import spec_digest
from selo.report.content import Lines, Observed
from selo.report.content.house_edge import Odds, declaring, edges
from selo.report.content.reproducible_content import Derived, Grounds, derived, told_in
from selo.report.phrases import Names
from selo.verification.verification_report import Check, State, failed, holds, left_open

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from selo.evidence.evidence_reader import Whole
    from selo.examine.replay import Gist
    from selo.law.loader import Law
    from selo.report.model.report_model import Report

_EVIDENCE: Final = "evidence.jsonl.zst"
#: So many differences are named; more are counted.
_MOST: Final = 5
#: What is compared verdict by verdict already.
_VERDICTS: Final = frozenset({"overall"})


def laid_out(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write the files of a document where the examination would have them; return the forms."""
    forms = []
    for name, data in files.items():
        # Names come from a document that may have been made to hurt us.
        path = folder / f"{name.replace('/', '_')}"
        path.write_bytes(data)
        if name.startswith("witness-"):
            forms.append(path)
    return sorted(forms)


def recomputed(
    report: Report, law: Law, folder: Path, forms: list[Path], *, edged: bool = False
) -> Iterator[Check]:
    """Yield whether evidence, verdicts and seed are as the report says; house edges if asked."""
    if not (folder / _EVIDENCE).is_file():
        yield left_open("evidence", "evidence.absent")
        return
    try:
        header = msgspec.convert(Reader(folder).header(), Header)
        # With another edition of the law nothing can be concluded; the root still holds or not.
        ours = header.terms.spec_digest == spec_digest(law) and header.terms.selo == __version__
        root = Root(report.evidence.root)
        # The marks in the evidence are not believed: every answer is judged again.
        again = _Read(folder, law, header, root) if ours else None
        whole = Reader(folder, root=root).read() if again is None else again.evidence.whole
    except (SeloError, ValueError) as error:
        yield failed("evidence", "evidence.altered", problem=error)
        return
    yield holds("evidence", root=report.evidence.root, lines=whole.lines)
    yield from _seed(report, header, whole)
    if report.method.spec_digest != header.terms.spec_digest or report.method.plan != header.plan:
        yield failed("verdicts", "verdicts.other-plan")
    elif again is None:
        yield left_open(
            "verdicts", "verdicts.other-edition",
            selo=header.terms.selo, digest=header.terms.spec_digest,
        )  # fmt: skip
    else:
        yield from _judged_again(report, law, folder, again, forms, edged=edged)


class _Read:
    """Evidence and draws that are read again, side by side."""

    def __init__(self, folder: Path, law: Law, header: Header, root: Root) -> None:
        self.header = header
        self.book = Book(folder, law, header.terms)
        #: Where groups of cases and provisions stand in the evidence.
        self.put = Lines()
        # Which provisions the cases decide is counted from the first line on.
        with covering(law, header.terms):
            self.evidence = reread(folder, law, root=root, doubting=True, told=self._take)

    def _take(self, gist: Gist) -> None:
        self.book.begin()
        self.put.take(gist)


def _judged_again(  # noqa: PLR0913 - all that a verdict follows from
    report: Report, law: Law, folder: Path, again: _Read, forms: list[Path], *, edged: bool
) -> Iterator[Check]:
    try:
        found = concluded(
            again.evidence, law, folder, forms=forms, day=_day(report), draws=again.book.drawn
        )
        grounds = Grounds(
            law=law, header=again.header, footer=again.evidence.whole.footer, outcome=found,
            put=again.put, names=Names(law), odds=Odds(law, again.header.terms.rulings),
        )  # fmt: skip
        follows = derived(grounds, told_in(report, again.header))
    except SeloError as error:
        yield failed("verdicts", "verdicts.refused", problem=error)
        return
    verdicts = _compared(report, found)
    yield verdicts
    if verdicts.state is State.FAILED:
        return
    others = [] if not edged or _same_edges(report, grounds, again.book) else ["edges"]
    yield from _followed(report, follows, others)


def _same_edges(report: Report, grounds: Grounds, book: Book) -> bool:
    """Return whether the house edges are those of the law and of what was drawn."""
    terms = grounds.header.terms
    observed = Observed(book.drawn().taken, grounds.law, terms.rulings)
    ours = edges(grounds.odds, grounds.names, terms.games, {}, observed)
    return report.edges == [
        declaring(one, said.declared) for one, said in zip(ours, report.edges, strict=False)
    ]


def _followed(report: Report, follows: Derived, others: list[str]) -> Iterator[Check]:
    """Yield whether the rest of the report follows from evidence and law."""
    names = [name for name in Derived.__struct_fields__ if name not in _VERDICTS]
    differing = [name for name in names if getattr(report, name) != getattr(follows, name)]
    differing += others
    if differing:
        yield failed("contents", "contents.differ", parts=", ".join(differing))
    else:
        yield holds("contents")


def _day(report: Report) -> Any:
    """Return the day on which the forms had to hold: the one that the document names."""
    return report.dates.issued


def _compared(report: Report, again: Outcome) -> Check:
    said = {provision.id: str(provision.result) for provision in report.provisions}
    found = {provision.provision: str(provision.result) for provision in again.summary.provisions}
    differing = [
        f"{name}: {said.get(name, '–')} → {found.get(name, '–')}"
        for name in sorted(said.keys() | found.keys())
        if said.get(name) != found.get(name)
    ]
    if report.overall != again.summary.overall.overall:
        differing.insert(0, f"{report.overall} → {again.summary.overall.overall}")
    findings = {
        finding.id: (finding.verdict, tuple(finding.provisions), finding.times)
        for finding in report.findings
    }
    ours = {
        finding.id: (finding.verdict, tuple(finding.provisions), finding.times)
        for finding in again.findings
    }
    differing += [
        name
        for name in sorted(findings.keys() | ours.keys())
        if findings.get(name) != ours.get(name)
    ]
    if report.evidence.root != again.evidence_root:
        differing.append(again.evidence_root)
    if differing:
        shown = "; ".join(differing[:_MOST])
        return failed("verdicts", "verdicts.differ", count=len(differing), differences=shown)
    return holds("verdicts", count=len(said), findings=len(findings))


def _seed(report: Report, header: Header, whole: Whole) -> Iterator[Check]:
    """Yield whether the seed was committed to beforehand, and is the one revealed."""
    if header.commitment is None:
        if report.method.seed.commitment is not None:
            yield failed("seed", "seed.never-committed")
        return
    try:
        sealed = msgspec.convert(whole.footer["sealed"], Sealed)
    except (msgspec.ValidationError, KeyError) as error:
        yield failed("seed", "seed.not-revealed", problem=error)
        return
    fits = (
        sealed.commitment == header.commitment == report.method.seed.commitment
        and sealed.number == header.terms.seed == report.method.seed.number
    )
    if fits:
        yield holds("seed", commitment=header.commitment)
    else:
        yield failed("seed", "seed.differs", commitment=sealed.commitment)
