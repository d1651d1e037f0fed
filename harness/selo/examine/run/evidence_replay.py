"""Evidence read again, once from its first line to its last: proved, counted, and judged again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from selo.evidence.canonical_json import decode_canonical
from selo.evidence.evidence_errors import AlterationSign, Tampered
from selo.evidence.evidence_reader import EvidenceReader, EvidenceSummary
from selo.evidence.integrity_scan import KIND, LINES
from selo.evidence.merkle import HASH_BYTES, Frontier
from selo.examine.replay import (
    BlockSummary,
    EvidenceAnalysis,
    MisjudgedAnswer,
    UnreadableBlock,
    summarise_blocks,
)
from selo.examine.run.examination import Header

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from selo.evidence.merkle import Root
    from selo.law.loader import Law


class ReplayedEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """Evidence in which nothing was found altered, and what its lines say."""

    evidence: EvidenceSummary
    header: Header
    analysis: EvidenceAnalysis
    #: That the law says otherwise of an answer than its line; nothing if that was not doubted.
    misjudged: MisjudgedAnswer | None = None


def replay_evidence(
    folder: Path,
    law: Law,
    *,
    root: Root | None = None,
    doubting: bool = False,
    told: Callable[[BlockSummary], None] | None = None,
) -> ReplayedEvidence:
    """Read the evidence in `folder`; its lines must give the root that is known.

    If `doubting`, every answer is compared with the law again, whatever the evidence says of it.
    `told` is given the gist of every block.
    """
    reader = EvidenceReader(folder, root=root)
    plain = reader.header()
    header = msgspec.convert(plain, Header)
    reading = _ReplayState(EvidenceAnalysis(law=law, terms=header.terms, recheck=doubting))
    for gist in summarise_blocks(folder, law, header.terms, recheck=doubting):
        if isinstance(gist, UnreadableBlock):
            break
        reading.take(gist)
        if told is not None:
            told(gist)
    if reading.footer is None:
        # Something is wrong with it: whoever reads line by line finds out what.
        reader.read()
        # A line in its form and place that is no line of a case: part of a run is never the whole.
        raise Tampered(
            path=reader.path, sign=AlterationSign.LINE, what="a line that says nothing of a case"
        )
    return ReplayedEvidence(
        evidence=reader.concluded(reading.frontier, header=plain, footer=reading.footer),
        header=header,
        analysis=reading.analysis,
        misjudged=reading.misjudged,
    )


class _ReplayState:
    def __init__(self, seen: EvidenceAnalysis) -> None:
        self.analysis = seen
        self.frontier = Frontier()
        self.footer: dict[str, Any] | None = None
        self.misjudged: MisjudgedAnswer | None = None

    def take(self, gist: BlockSummary) -> None:
        """Take what a block says."""
        hashes = gist.hashes
        self.frontier.add(
            [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]
        )
        self.analysis.add_block(gist)
        if gist.misjudged is not None and self.misjudged is None:
            n, right = gist.misjudged
            self.misjudged = MisjudgedAnswer.of(n, right=right)
        if gist.footer is not None:
            self._end(gist.footer)

    def _end(self, line: bytes) -> None:
        """Take the last line, if it is what a last line must be."""
        value = decode_canonical(line)
        if isinstance(value, dict) and (value.get(KIND), value.get(LINES)) == (
            "footer", self.frontier.size,
        ):  # fmt: skip
            self.footer = value
