"""Examines vendors of one game in this process, from the first question to the verdicts.

A vendor answers the whole plan once. Its answers are kept as lines of evidence, from which the
same functions as in an examination derive findings and verdicts. Nothing is written, nothing is
drawn, and no finding is shrunk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import Scope
from selo.cases.case_encoding import CaseEncoder
from selo.cases.oracle import Oracle
from selo.examine.analysis import EvidenceAnalysis
from selo.examine.analysis.draw_results import DrawResults
from selo.examine.conclusion import build_result
from selo.examine.exchange import ReductionLog
from selo.examine.exchange.chunk_exchange import ask_chunk
from selo.examine.findings import collect_findings
from selo.examine.live_rounds import RoundTally, plan_scripts, round_line
from selo.examine.plan import Plan, Terms, terms_of
from selo.examine.run.evidence_header import FinishedRun, build_header
from selo.examine.run.witness_attachment import AttachedForms
from selo.examine.tally import Tally
from selo.examine.vendor_description import DeclaredLimits, offered_of
from selo.law.status import macau_today
from selo.rounds import play_scripts
from selo.rounds.judge import RoundJudge
from selo.rules.readings import Readings
from selo.vendors import InProcessTransport
from selo.vendors.resource_limits import DEFAULT_LIMITS
from selo.vendors.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.cases import Case
    from selo.examine.blame import CompiledMutant
    from selo.examine.conclusion import ExaminationResult
    from selo.examine.exchange.chunk_exchange import AnsweredChunk
    from selo.examine.plan import Chunk
    from selo.law import Law
    from selo.protocol import messages as m
    from selo.rounds import Script
    from selo.verdict.rulings import Rulings

#: Any fixed seed will do, since the faults are known beforehand.
_SEED: Final = 1
_RIGHT: Final = b'"right":true}'
_WRONG: Final = b'"right":false}'


@dataclass(frozen=True, kw_only=True, slots=True)
class WrongAnswers:
    """What a vendor declares, and the lines with its wrong answers."""

    description: m.Description
    #: The lines with a wrong answer or none, by place; rounds count from -1 down.
    lines: Mapping[int, bytes]

    def shows(self, without: WrongAnswers) -> bool:
        """Return whether some answer is wrong, and is another than the one `without` a fault."""
        return self.description.games != without.description.games or any(
            without.lines.get(place) != line for place, line in self.lines.items()
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Transcript:
    """What a vendor answered to every question of its plan."""

    terms: Terms
    chunks: Sequence[AnsweredChunk]
    rounds: Sequence[bytes]
    wrong: WrongAnswers


class TranscriptExaminer:
    """Puts the plan of one game to vendors, and examines their transcripts."""

    def __init__(
        self, law: Law, game: str, rulings: Rulings, mutants: Sequence[CompiledMutant]
    ) -> None:
        self.law, self.game, self.rulings = law, game, rulings
        self._mutants = mutants
        self.oracle = Oracle(law, rulings.followed)
        # Most vendors play most rounds alike.
        self._judge = RoundJudge(law, Readings(law, rulings.followed), remembers=True)
        self._plans: dict[str, list[Chunk]] = {}
        self._scripts: dict[bytes, list[Script]] = {}

    def transcribe(self, vendor: Any) -> Transcript:
        """Put every case and round of the plan to a vendor."""
        session = Session(InProcessTransport(self.game, given=vendor), DEFAULT_LIMITS)
        description = session.ask("describe", {})
        terms = self._terms(description)
        encoder, limits = CaseEncoder(), DeclaredLimits(self.law, terms.games)
        chunks = [
            ask_chunk(session, self.oracle, chunk, encoder, limits)
            for chunk in self._planned(terms)
        ]
        cases = sum(chunk.cases for chunk in chunks)
        scripts = self._planned_rounds(terms, description)
        rounds = [
            round_line(number, script, played, good=not self._judge.judge(script, played))
            for number, (script, played) in enumerate(play_scripts(session, scripts), cases)
        ]
        lines = (line for chunk in chunks for line in chunk.lines)
        wrong = {place: line for place, line in enumerate(lines) if _is_wrong(line)}
        wrong |= {
            -1 - place: line for place, line in enumerate(rounds) if not line.endswith(_RIGHT)
        }
        return Transcript(
            terms=terms,
            chunks=chunks,
            rounds=rounds,
            wrong=WrongAnswers(description=description, lines=wrong),
        )

    def examine(self, transcript: Transcript) -> ExaminationResult:
        """Return the findings and verdicts that follow from a transcript."""
        return self.examine_closely(transcript)[0]

    def examine_closely(self, transcript: Transcript) -> tuple[ExaminationResult, int]:
        """Return the same, and how many wrong answers the causes found do not give."""
        terms = transcript.terms
        analysis = EvidenceAnalysis(law=self.law, terms=terms)
        analysis.rounds = RoundTally(self.law, terms, prepared_judge=self._judge)
        analysis.tallies[self.game] = Tally.inferring(self.oracle)
        for chunk in transcript.chunks:
            analysis.add_chunk(chunk)
        for line in transcript.rounds:
            analysis.add_line(line)
        analysis.locate_causes({self.game: self._mutants})
        findings = list(collect_findings(analysis, ReductionLog()))
        header = build_header(
            terms,
            transcript.wrong.description,
            adopted=msgspec.to_builtins(self.rulings)["adopted"],
            commitment=None,
        )
        finished = FinishedRun(root="", header=header, footer={"files_changed": []})
        forms = AttachedForms(day=macau_today(), forms=[])
        result = build_result(finished, analysis, findings, (forms, []), DrawResults())
        located = analysis.located.get(self.game)
        return result, 0 if located is None else located.unexplained

    def _terms(self, description: m.Description) -> Terms:
        offer = next(game for game in description.games if game.game == self.game)
        return terms_of(
            self.law, Scope(games=(offered_of(offer),)), as_of=macau_today().isoformat(),
            text_as_stored=True,
            rulings=dict(self.rulings.followed), budget="quick", seed=_SEED, provisions=[],
        )  # fmt: skip

    def _planned(self, terms: Terms) -> list[Chunk]:
        if terms.digest not in self._plans:
            self._plans[terms.digest] = list(Plan(self.law, terms).chunks())
        return self._plans[terms.digest]

    def planned_cases(self, terms: Terms) -> list[Case]:
        """Return the cases of a plan."""
        return [case for chunk in self._planned(terms) for case in chunk.cases]

    def _planned_rounds(self, terms: Terms, description: m.Description) -> list[Script]:
        key = msgspec.json.encode(description.games)
        if key not in self._scripts:
            self._scripts[key], _ = plan_scripts(self.law, terms, description.games, self.game)
        return self._scripts[key]


def _is_wrong(line: bytes) -> bool:
    """Return whether a line of a case has a wrong answer, or none."""
    return line.endswith(_WRONG) or line.startswith((b'{"error"', b'{"fault"'))
