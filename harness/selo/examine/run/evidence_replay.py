"""Replays evidence from its first line to its last: proves its root and analyses its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from selo.evidence import EvidenceReader, EvidenceSummary
from selo.evidence.canonical_json import decode_canonical
from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
from selo.evidence.integrity_scan import KIND_FIELD, LINES_FIELD
from selo.evidence.merkle import HASH_BYTES, Frontier
from selo.examine.analysis import (
    BlockSummary,
    EvidenceAnalysis,
    MisjudgedAnswer,
    UnreadableBlock,
    summarise_blocks,
)
from selo.examine.run.evidence_header import Header

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from selo.evidence.merkle import Root
    from selo.law import Law


class ReplayedEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """Evidence that was found unaltered, and its analysis."""

    evidence: EvidenceSummary
    header: Header
    analysis: EvidenceAnalysis
    #: The first answer whose mark is not what the law says; looked for only on a recheck.
    misjudged: MisjudgedAnswer | None = None


def replay_evidence(
    folder: Path,
    law: Law,
    *,
    root: Root | None = None,
    recheck: bool = False,
    on_block: Callable[[BlockSummary], None] | None = None,
) -> ReplayedEvidence:
    """Replay the evidence in `folder`; its lines must give `root`, if that is known.

    `recheck` compares every answer with the law again, whatever the evidence says of it.
    `on_block` is called with the summary of every block.
    """
    reader = EvidenceReader(folder, root=root)
    fields = reader.header()
    header = msgspec.convert(fields, Header)
    state = _ReplayState(EvidenceAnalysis(law=law, terms=header.terms, recheck=recheck))
    for block in summarise_blocks(folder, law, header.terms, recheck=recheck):
        if isinstance(block, UnreadableBlock):
            break
        state.add_block(block)
        if on_block is not None:
            on_block(block)
    if state.footer is None:
        # Something is wrong: reading line by line raises what.
        reader.read()
        # Every line is in form and place, but one is not about a case: never accept part of a run.
        raise EvidenceTampered(
            path=reader.path, sign=AlterationSign.LINE, what="a line that says nothing of a case"
        )
    return ReplayedEvidence(
        evidence=reader.conclude(state.frontier, header=fields, footer=state.footer),
        header=header,
        analysis=state.analysis,
        misjudged=state.misjudged,
    )


class _ReplayState:
    def __init__(self, analysis: EvidenceAnalysis) -> None:
        self.analysis = analysis
        self.frontier = Frontier()
        self.footer: dict[str, Any] | None = None
        self.misjudged: MisjudgedAnswer | None = None

    def add_block(self, block: BlockSummary) -> None:
        """Add the summary of a block."""
        hashes = block.hashes
        self.frontier.add(
            [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]
        )
        self.analysis.add_block(block)
        if block.misjudged is not None and self.misjudged is None:
            n, right = block.misjudged
            self.misjudged = MisjudgedAnswer.of(n, right=right)
        if block.footer is not None:
            self._set_footer(block.footer)

    def _set_footer(self, line: bytes) -> None:
        """Accept the last line as footer if it has the form of one."""
        value = decode_canonical(line)
        if isinstance(value, dict) and (value.get(KIND_FIELD), value.get(LINES_FIELD)) == (
            "footer", self.frontier.size,
        ):  # fmt: skip
            self.footer = value
