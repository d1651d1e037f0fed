"""Comes to every verdict again, from the evidence and the edition of the law that it names.

1. The evidence, line by line, gives the root that the report names.
2. The law files at hand are those that the report names; otherwise nothing can be concluded.
3. From evidence, draws and forms follow the verdicts, which must be those of the report.
4. The seed that was revealed gives the commitment that was published before.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import __version__
from selo.errors import SeloError
from selo.evidence.merkle import Root
from selo.evidence.reader import Reader
from selo.examine.covered import covering
from selo.examine.drawn import Drawn, drawn
from selo.examine.examination import Header
from selo.examine.outcome import Outcome, concluded
from selo.examine.rereading import Reread, reread
from selo.examine.seal import Sealed
from selo.law.digest import spec_digest
from selo.verification.checks import Check, failed, holds, left_open

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from concurrent.futures import Future
    from pathlib import Path

    from selo.evidence.reader import Whole
    from selo.examine.gist import Gist
    from selo.law.reader import Law
    from selo.report.model import Report

_EVIDENCE: Final = "evidence.jsonl.zst"
#: So many differences are named; more are counted.
_MOST: Final = 5


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


def recomputed(report: Report, law: Law, folder: Path, forms: list[Path]) -> Iterator[Check]:
    """Yield whether evidence, verdicts and seed are as the report says."""
    if not (folder / _EVIDENCE).is_file():
        yield left_open("evidence", "evidence.absent")
        return
    try:
        header = msgspec.convert(Reader(folder).header(), Header)
        # With another edition of the law nothing can be concluded; the root still holds or not.
        ours = header.terms.spec_digest == spec_digest(law) and header.terms.selo == __version__
        root = Root(report.evidence.root)
        # The marks in the evidence are not believed: every answer is judged again.
        book = _Book(folder, law, header)
        again = _read_again(folder, law, header, root, book) if ours else None
        whole = Reader(folder, root=root).read() if again is None else again.whole
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
        yield from _judged_again(report, law, folder, again, forms, book)


def _read_again(folder: Path, law: Law, header: Header, root: Root, book: _Book) -> Reread:
    """Read the evidence; which provisions its cases decide is counted from the first line on."""
    with covering(law, header.terms):
        return reread(folder, law, root=root, doubting=True, told=book.begin)


class _Book:
    """The book of draws, read while other processes read the evidence."""

    def __init__(self, folder: Path, law: Law, header: Header) -> None:
        self._read = partial(drawn, folder, law, header.terms)
        self._reading: Future[Drawn] | None = None

    def begin(self, gist: Gist) -> None:
        """Begin when the first block was told: no process is to be forked beside a thread."""
        del gist
        if self._reading is None:
            reader = ThreadPoolExecutor(max_workers=1)
            self._reading = reader.submit(self._read)
            reader.shutdown(wait=False)

    def drawn(self) -> Drawn:
        """Return what it says, or raise what is wrong with it."""
        return self._read() if self._reading is None else self._reading.result()


def _judged_again(  # noqa: PLR0913, PLR0917 - all that a verdict follows from
    report: Report, law: Law, folder: Path, again: Reread, forms: list[Path], book: _Book
) -> Iterator[Check]:
    try:
        found = concluded(again, law, folder, forms=forms, day=_day(report), draws=book.drawn)
    except SeloError as error:
        yield failed("verdicts", "verdicts.refused", problem=error)
        return
    yield from _compared(report, found)


def _day(report: Report) -> Any:
    """Return the day on which the forms had to hold: the one that the document names."""
    return report.dates.issued


def _compared(report: Report, again: Outcome) -> Iterator[Check]:
    said = {one.id: str(one.result) for one in report.provisions}
    found = {one.provision: str(one.result) for one in again.summary.provisions}
    differing = [
        f"{name}: {said.get(name, '–')} → {found.get(name, '–')}"
        for name in sorted(said.keys() | found.keys())
        if said.get(name) != found.get(name)
    ]
    if report.overall != again.summary.overall.overall:
        differing.insert(0, f"{report.overall} → {again.summary.overall.overall}")
    findings = {one.id: (one.verdict, tuple(one.provisions), one.times) for one in report.findings}
    ours = {one.id: (one.verdict, tuple(one.provisions), one.times) for one in again.findings}
    differing += [
        name
        for name in sorted(findings.keys() | ours.keys())
        if findings.get(name) != ours.get(name)
    ]
    if report.evidence.root != again.evidence_root:
        differing.append(again.evidence_root)
    if differing:
        shown = "; ".join(differing[:_MOST])
        yield failed("verdicts", "verdicts.differ", count=len(differing), differences=shown)
    else:
        yield holds("verdicts", count=len(said), findings=len(findings))


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
