"""Evidence read back, each line checked, and the whole compared with the root that is known."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered, EvidenceUnfinished
from selo.evidence.integrity_scan import IntegrityScan, strip_writer_fields
from selo.evidence.merkle import Root
from selo.evidence.run_files import CASES_FILE, known_roots, open_evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from selo.evidence.block import BlockHead
    from selo.evidence.integrity_scan import Sought
    from selo.evidence.merkle import Frontier
    from selo.evidence.run_files import EvidenceFile


class ProvenLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line among all, and what proves it."""

    index: int
    line: bytes
    path: list[bytes]


class EvidenceSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of evidence in which nothing was found altered."""

    root: Root
    #: All lines, header and footer among them.
    lines: int
    header: dict[str, Any]
    footer: dict[str, Any]
    #: Who names the same root; nobody means that an exchange of everything cannot be seen.
    known_to: list[str]
    #: The line that was sought.
    found: ProvenLine | None = None

    @property
    def cases(self) -> int:
        """How many lines are cases."""
        return self.lines - 2


class EvidenceReader:
    """The lines of a run. Nothing is proved before the last one was read.

    The root over them is compared with those that ``run.json``, ``result.json`` and the caller
    name. Iterating again reads the file again.
    """

    def __init__(
        self, folder: Path, *, root: Root | None = None, book: EvidenceFile = CASES_FILE
    ) -> None:
        self.path = folder / book.file
        self._folder, self._book = folder, book
        self._known = known_roots(folder, book)
        if root is not None:
            self._known["--root"] = root

    def __iter__(self) -> Iterator[bytes]:
        """Yield every line as it was hashed: header, cases, footer."""
        return (line for line, _ in self.decoded())

    def decoded(self) -> Iterator[tuple[bytes, dict[str, Any]]]:
        """Yield every line with what it says."""
        with self._scan() as scan:
            yield from scan
        self._conclude(scan)

    def header(self) -> dict[str, Any]:
        """Return what the first line says; nothing of it is proved yet."""
        with self._scan(form=False) as scan:
            for _, value in scan:
                return strip_writer_fields(value)
        raise EvidenceUnfinished(path=self.path, lines=0, what="not even a header")

    def blocks(self) -> Iterator[list[bytes]]:
        """Yield the lines of cases block by block; neither their form nor the root is looked at."""
        for head, lines in self.some_blocks(lambda _: True):
            yield lines[not head.first : -1 if head.last else None]

    def some_blocks(self, wanted: Callable[[int], bool]) -> Iterator[tuple[BlockHead, list[bytes]]]:
        """Yield the blocks that are wanted, by their place, with all their lines, unproved."""
        with self._scan(form=False) as scan:
            yield from scan.blocks(wanted)

    def so_far(self) -> Iterator[dict[str, Any]]:
        """Yield what the lines of a run say that is not at its end; nothing is proved yet."""
        with self._scan() as scan:
            yield from (value for _, value in scan)

    def read(
        self,
        *,
        sought: Sought | None = None,
        take: Callable[[dict[str, Any]], None] | None = None,
        told: Callable[[bytes], None] | None = None,
        form: bool = True,
    ) -> EvidenceSummary:
        """Read everything and return what is known of it; `take` is given what each line says.

        `told` is given the lines themselves, the header first and the footer never. Without
        `form` the form of cases is not looked at, which whoever reads must do elsewhere.
        """
        with self._scan(sought, form=form) as scan:
            for line, value in scan:
                if take is not None:
                    take(value)
                if told is not None and scan.footer is None:
                    told(line)
        return self._conclude(scan)

    @contextmanager
    def _scan(self, sought: Sought | None = None, *, form: bool = True) -> Iterator[IntegrityScan]:
        with os.fdopen(open_evidence(self._folder, book=self._book), "rb") as file:
            yield IntegrityScan(file, self.path, sought=sought, form=form)

    def _conclude(self, scan: IntegrityScan) -> EvidenceSummary:
        if scan.header is None or scan.footer is None:
            what = scan.torn or f"nothing after byte {scan.end}"
            if self._known:
                raise EvidenceTampered(path=self.path, sign=AlterationSign.CUT, what=what)
            raise EvidenceUnfinished(path=self.path, lines=scan.lines, what=what)
        return self.concluded(
            scan.frontier, header=scan.header, footer=scan.footer, found=_proven_line(scan)
        )

    def concluded(
        self,
        frontier: Frontier,
        *,
        header: dict[str, Any],
        footer: dict[str, Any],
        found: ProvenLine | None = None,
    ) -> EvidenceSummary:
        """Return what is known once the hash of every line was taken; the root must be known."""
        root = frontier.root()
        for name, known in self._known.items():
            if known != root:
                what = f"{name} names {known}, the lines give {root}"
                raise EvidenceTampered(path=self.path, sign=AlterationSign.ROOT, what=what)
        return EvidenceSummary(
            root=root,
            lines=frontier.size,
            header=strip_writer_fields(header),
            footer=strip_writer_fields(footer),
            known_to=list(self._known),
            found=found,
        )


def _proven_line(scan: IntegrityScan) -> ProvenLine | None:
    index = scan.frontier.watched
    if index is None or scan.found is None:
        return None
    return ProvenLine(index=index, line=scan.found, path=scan.frontier.path())
