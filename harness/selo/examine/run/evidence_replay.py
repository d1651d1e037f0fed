"""Replays evidence from its first line to its last: proves its root, compares it with its plan.

Lines that are not what the plan says are not analysed, and nothing is concluded from such evidence.
"""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from selo.evidence import EvidenceReader, EvidenceSummary
from selo.evidence.canonical_json import NotCanonical, decode_canonical
from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
from selo.evidence.integrity_scan import KIND_FIELD, LINES_FIELD
from selo.evidence.merkle import HASH_BYTES, Frontier
from selo.examine.analysis import BlockSummary, EvidenceAnalysis, MisjudgedAnswer
from selo.examine.analysis.block_summary import UnreadableBlock, summarise_blocks
from selo.examine.findings import collect_findings
from selo.examine.run.evidence_header import Header, header_of, is_current
from selo.examine.run.plan_comparison import (
    LaterLineComparison,
    departed,
    describe_departure,
    list_planned_rounds,
    require_grounded,
    require_planned_reductions,
)
from selo.parallel import background_work

if TYPE_CHECKING:
    from collections.abc import Callable

    from selo.evidence.merkle import Root
    from selo.examine.findings import Finding
    from selo.examine.run.plan_comparison import PlannedRounds
    from selo.law import Law


class ReplayedEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """Evidence that was found unaltered, and its analysis."""

    folder: Path
    evidence: EvidenceSummary
    header: Header
    analysis: EvidenceAnalysis
    #: The first answer whose mark is not what the law says.
    misjudged: MisjudgedAnswer | None = None

    def collect_findings(self) -> list[Finding]:
        """Return the findings; raise if a reduction in the evidence belongs to none of them."""
        reductions = self.analysis.reductions
        findings = list(collect_findings(self.analysis.locate_causes(), reductions))
        require_planned_reductions(self.folder, reductions)
        return findings


def replay_evidence(
    folder: Path,
    law: Law,
    *,
    root: Root | None = None,
    on_block: Callable[[BlockSummary], None] | None = None,
    judges_only: bool = False,
) -> ReplayedEvidence:
    """Replay the evidence in `folder`; its lines must give `root`, if that is known.

    Every answer is compared with the law again, whatever the evidence says of it.
    `on_block` is called with the summary of every block. With `judges_only`, which readings the
    rounds follow is not analysed.
    """
    reader = EvidenceReader(folder, root=root)
    fields = reader.header()
    header = header_of(folder, fields)
    if is_current(header, law):
        # Before anything is generated from it: the plan of a forged header may have no end.
        require_grounded(folder, law, header)
    analysis = EvidenceAnalysis(law=law, terms=header.terms, recheck=True)
    analysis.rounds.infers_readings = not judges_only
    with background_work(partial(list_planned_rounds, law, header)) as rounds:
        state = _ReplayState(analysis, rounds.result)
        for block in summarise_blocks(folder, law, header.terms):
            if isinstance(block, UnreadableBlock):
                break
            try:
                state.add_block(block)
            except NotCanonical as error:
                raise EvidenceTampered(
                    path=reader.path, sign=AlterationSign.LINE, what=str(error)
                ) from error
            if on_block is not None and state.departure is None:
                on_block(block)
        departure = state.find_departure()
    if state.footer is None:
        # Something is wrong: reading line by line raises what.
        reader.read()
        # Every line is in form and place, but one is not about a case: never accept part of a run.
        raise EvidenceTampered(
            path=reader.path, sign=AlterationSign.LINE, what="a line that says nothing of a case"
        )
    evidence = reader.conclude(state.frontier, header=fields, footer=state.footer)
    if departure is not None:
        raise departed(folder, departure)
    require_grounded(folder, law, header, evidence.footer)
    return ReplayedEvidence(
        folder=folder,
        evidence=evidence,
        header=header,
        analysis=analysis,
        misjudged=state.misjudged,
    )


class _ReplayState:
    def __init__(
        self, analysis: EvidenceAnalysis, planned_rounds: Callable[[], PlannedRounds]
    ) -> None:
        self._analysis, self._planned_rounds = analysis, planned_rounds
        self.frontier = Frontier()
        self.footer: dict[str, Any] | None = None
        self.misjudged: MisjudgedAnswer | None = None
        #: How the evidence departs from its plan, if it does.
        self.departure: str | None = None

    @cached_property
    def _later(self) -> LaterLineComparison:
        return LaterLineComparison(self._planned_rounds())

    def add_block(self, block: BlockSummary) -> None:
        """Add the summary of a block; analyse it if it is what the plan says."""
        hashes = block.hashes
        self.frontier.add(
            [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]
        )
        if block.footer is not None:
            self._set_footer(block.footer)
        if self.departure is None:
            self.departure = self._compare_with_plan(block)
        if self.departure is not None:
            return
        self._analysis.add_block(block)
        if block.misjudged is not None and self.misjudged is None:
            n, right = block.misjudged
            self.misjudged = MisjudgedAnswer.of(n, right=right)

    def _compare_with_plan(self, block: BlockSummary) -> str | None:
        """Return the first departure of a block from the plan."""
        if block.departure is not None:
            return describe_departure(block.departure)
        last = self.frontier.size - 1 - (block.footer is not None)
        for n, line in enumerate(block.later_lines, last - len(block.later_lines)):
            if self._later.departs(line):
                return describe_departure(n)
        return None

    def find_departure(self) -> str | None:
        """Return the first departure from the plan, in its lines or in the counts of its footer."""
        if self.departure is not None or self.footer is None:
            return self.departure
        return self._later.find_miscount(self.footer, self._analysis.cases)

    def _set_footer(self, line: bytes) -> None:
        """Accept the last line as footer if it has the form of one."""
        value = decode_canonical(line)
        if isinstance(value, dict) and (value.get(KIND_FIELD), value.get(LINES_FIELD)) == (
            "footer", self.frontier.size,
        ):  # fmt: skip
            self.footer = value
