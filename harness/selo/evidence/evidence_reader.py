"""Reads evidence, verifies each line, and compares the root with the known ones."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered, EvidenceUnfinished
from selo.evidence.integrity_scan import IntegrityScan, strip_writer_fields
from selo.evidence.merkle import Root, salt_of
from selo.evidence.run_files import CASES_FILE, known_roots, open_evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from selo.evidence.block import BlockHead
    from selo.evidence.integrity_scan import LinePredicate
    from selo.evidence.merkle import Frontier
    from selo.evidence.run_files import EvidenceFile


class ProvenLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line with its inclusion path."""

    index: int
    line: bytes
    path: list[bytes]
    #: None if the lines are not salted.
    salt: bytes | None = None


class EvidenceSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of evidence that was verified completely."""

    root: Root
    #: All lines, including header and footer.
    lines: int
    header: dict[str, Any]
    footer: dict[str, Any]
    #: Files that contain the same root; if none, replacing the whole evidence goes unnoticed.
    known_to: list[str]
    #: The requested line.
    found: ProvenLine | None = None

    @property
    def cases(self) -> int:
        """Number of cases."""
        return self.lines - 2


class EvidenceReader:
    """Reads the lines of a run; nothing is proven until the last one was read.

    The computed root is compared with those in ``run.json``, in ``result.json`` and of the caller.
    Each iteration reads the file again.
    """

    def __init__(
        self, folder: Path, *, root: Root | None = None, book: EvidenceFile = CASES_FILE
    ) -> None:
        self.path = folder / book.file
        self._folder, self._book = folder, book
        self._known_roots = known_roots(folder, book)
        if root is not None:
            self._known_roots["--root"] = root

    def __iter__(self) -> Iterator[bytes]:
        """Yield every line as it was hashed: header, cases, footer."""
        return (line for line, _ in self.decoded_lines())

    def decoded_lines(self) -> Iterator[tuple[bytes, dict[str, Any]]]:
        """Yield every line with its decoded value."""
        with self._scan() as scan:
            yield from scan
        self._conclude(scan)

    def header(self) -> dict[str, Any]:
        """Return the header, unproven."""
        with self._scan(check_form=False) as scan:
            for _, value in scan:
                return strip_writer_fields(value)
        raise EvidenceUnfinished(path=self.path, lines=0, what="not even a header")

    def secret(self) -> bytes | None:
        """Return the secret of the salts; None if the lines are not salted."""
        with self._scan(check_form=False) as scan:
            return scan.secret

    def blocks(self) -> Iterator[list[bytes]]:
        """Yield the lines of cases block by block, without checking canonical form or root."""
        for head, lines in self.some_blocks(lambda _: True):
            yield lines[not head.first : -1 if head.last else None]

    def some_blocks(self, wanted: Callable[[int], bool]) -> Iterator[tuple[BlockHead, list[bytes]]]:
        """Yield the `wanted` blocks, by index, with all their lines, unproven."""
        with self._scan(check_form=False) as scan:
            yield from scan.blocks(wanted)

    def unproven_values(self) -> Iterator[dict[str, Any]]:
        """Yield the decoded lines of a run that may be unfinished, unproven."""
        with self._scan() as scan:
            yield from (value for _, value in scan)

    def read(
        self,
        *,
        sought: LinePredicate | None = None,
        take: Callable[[dict[str, Any]], None] | None = None,
        take_line: Callable[[bytes], None] | None = None,
        check_form: bool = True,
    ) -> EvidenceSummary:
        """Read and verify everything; call `take` with the value of each line.

        `take_line` receives the raw lines from the header on, without the footer. Without
        `check_form` the caller must check the canonical form of cases.
        """
        with self._scan(sought, check_form=check_form) as scan:
            for line, value in scan:
                if take is not None:
                    take(value)
                if take_line is not None and scan.footer is None:
                    take_line(line)
        return self._conclude(scan)

    @contextmanager
    def _scan(
        self, sought: LinePredicate | None = None, *, check_form: bool = True
    ) -> Iterator[IntegrityScan]:
        with os.fdopen(open_evidence(self._folder, book=self._book), "rb") as file:
            yield IntegrityScan(file, self.path, sought=sought, check_form=check_form)

    def _conclude(self, scan: IntegrityScan) -> EvidenceSummary:
        if scan.header is None or scan.footer is None:
            what = scan.torn or f"nothing after byte {scan.end}"
            if self._known_roots:
                raise EvidenceTampered(path=self.path, sign=AlterationSign.CUT, what=what)
            raise EvidenceUnfinished(path=self.path, lines=scan.lines, what=what)
        return self.conclude(
            scan.frontier, header=scan.header, footer=scan.footer, found=_proven_line(scan)
        )

    def conclude(
        self,
        frontier: Frontier,
        *,
        header: dict[str, Any],
        footer: dict[str, Any],
        found: ProvenLine | None = None,
    ) -> EvidenceSummary:
        """Return the summary once every line is hashed; refuse an unknown root."""
        root = frontier.root()
        for name, known_root in self._known_roots.items():
            if known_root != root:
                what = f"{name} names {known_root}, the lines give {root}"
                raise EvidenceTampered(path=self.path, sign=AlterationSign.ROOT, what=what)
        return EvidenceSummary(
            root=root,
            lines=frontier.size,
            header=strip_writer_fields(header),
            footer=strip_writer_fields(footer),
            known_to=list(self._known_roots),
            found=found,
        )


def _proven_line(scan: IntegrityScan) -> ProvenLine | None:
    index = scan.frontier.watched
    if index is None or scan.found is None:
        return None
    salt = None if scan.secret is None else salt_of(scan.secret, index)
    return ProvenLine(index=index, line=scan.found, path=scan.frontier.path(), salt=salt)
