"""The result of an examination by files: the verdicts that a live one gives on the same answers.

No product was started, so nothing is shrunk, drawn or played freely, and no file is hashed. A case
that asks for what the vendor does not offer counts as not answered.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import msgspec

from selo.cases import Scope
from selo.cases.oracle import Oracle
from selo.examine.analysis import EvidenceAnalysis
from selo.examine.analysis.draw_results import DrawResults
from selo.examine.conclusion.result import ExaminationResult, build_result
from selo.examine.exchange.chunk_exchange import judge_reply
from selo.examine.findings import collect_findings
from selo.examine.live_rounds import round_line
from selo.examine.offline import grade_answers
from selo.examine.plan import terms_of
from selo.examine.run.evidence_header import FinishedRun, build_header
from selo.examine.run.witness_attachment import attach_forms
from selo.examine.vendor_description import offered_of
from selo.law.status import macau_today
from selo.verdict.rulings import Ruling, RulingSource

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable
    from pathlib import Path

    from selo.cases import Case
    from selo.examine.offline import GradedAnswers, Vectors
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.protocol.messages import Description
    from selo.rounds import PlayedScript, Script
    from selo.vendors.reply_reader import Reply

_TABLE: Final = "table"


def judge_answer_file(  # noqa: PLR0913 - vectors, answers, and the law of a day
    folder: Path,
    answers: Path,
    law: Law,
    *,
    as_of: dt.date,
    text_as_stored: bool,
    on_progress: Callable[[int], None] = lambda _: None,
) -> tuple[GradedAnswers, ExaminationResult]:
    """Return the graded answers in a file, and the result that follows from them."""
    observed = _ObservedAnswers(law=law, as_of=as_of, text_as_stored=text_as_stored)
    graded = grade_answers(folder, answers, law, on_progress, observed)
    return graded, observed.result(graded)


@dataclass(kw_only=True)
class _ObservedAnswers:
    """Analyses answers as those of a live run are analysed."""

    law: Law
    as_of: dt.date
    text_as_stored: bool
    _known: list[tuple[Vectors, Description]] = field(default_factory=list)
    _places: int = 0

    def described(self, vectors: Vectors, description: Description) -> None:
        """Learn what the vendor offers."""
        self._known.append((vectors, description))

    @cached_property
    def terms(self) -> Terms:
        """The terms of the plan: what was written, of the games that are offered.

        Who answers, and how much is told, is what the answers say.
        """
        ((vectors, description),) = self._known
        offers = {offer.game: offered_of(offer) for offer in description.games}
        written = [game.offered() for game in vectors.games if game.game in offers]
        names = {game.game for game in written}
        # A game of which only tables were asked has no cases.
        written += [
            replace(offers[table.game], methods=frozenset({_TABLE}))
            for table in vectors.tables
            if table.game in offers and table.game not in names
        ]
        terms = terms_of(
            self.law,
            Scope(games=tuple(written)),
            as_of=self.as_of.isoformat(),
            rulings=vectors.rulings,
            budget=vectors.budget,
            seed=vectors.seed,
            provisions=[],
            text_as_stored=self.text_as_stored,
        )
        games = [
            msgspec.structs.replace(
                game, level=offers[game.game].level, via=dict(sorted(offers[game.game].via.items()))
            )
            for game in terms.games
        ]
        return msgspec.structs.replace(terms, games=games)

    @cached_property
    def analysis(self) -> EvidenceAnalysis:
        """The analysis of all answers so far."""
        return EvidenceAnalysis(law=self.law, terms=self.terms)

    @cached_property
    def _oracle(self) -> Oracle:
        return Oracle(self.law, self.terms.rulings, self.terms.levels)

    def answered(self, case: Case, reply: Reply) -> None:
        """Analyse the answer to a case."""
        n = self._next_place()
        params = case.params()
        line = judge_reply(self._oracle, case, n, params, reply, answer=reply.result)
        self.analysis.add_line(line.encode())

    def left_out(self, case: Case) -> None:
        """Note a case that was not put; a game that is not offered has no place in the plan."""
        if case.game in self.terms.game_names:
            self.analysis.leave_out(case, self._next_place())

    def played(self, script: Script, played: PlayedScript, *, good: bool) -> None:
        """Analyse a live round."""
        self.analysis.add_line(round_line(self._next_place(), script, played, good=good))

    def _next_place(self) -> int:
        self._places += 1
        return self._places - 1

    def result(self, graded: GradedAnswers) -> ExaminationResult:
        """Return the result of all answers."""
        ((vectors, description),) = self._known
        analysis = self.analysis.locate_causes()
        adopted = [
            Ruling(divergence=point, reading=reading, source=RulingSource.GIVEN)
            for point, reading in vectors.rulings.items()
        ]
        header = build_header(
            self.terms,
            description,
            adopted=msgspec.to_builtins(adopted),
            commitment=None,
            not_offered=[
                game.game for game in vectors.games if game.game not in self.terms.game_names
            ],
        )
        # Faults of the description and of the end belong to no game.
        own = {id(fault) for tally in analysis.tallies.values() for fault in tally.faults}
        told = {fault.describe() for fault in (*analysis.faults, *analysis.rounds.faults)}
        faults = [
            {"kind": str(fault.kind), "told": fault.describe(), "path": fault.path}
            for fault in graded.tally.faults
            if id(fault) not in own and fault.describe() not in told
        ]
        footer = {"files_changed": [], "world_faults": faults}
        return build_result(
            FinishedRun(root="", header=header, footer=footer),
            analysis,
            list(collect_findings(analysis, analysis.reductions)),
            attach_forms((), self.law, description, header.games, macau_today()),
            DrawResults(is_drawn=False),
        )
