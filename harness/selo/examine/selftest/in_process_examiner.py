"""Examines many vendors of one game in this process, without evidence.

The plan is that of the vendor's own offer with the smallest budget, and the same functions analyse
the answers. Nothing is recorded, and no finding is shrunk.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import Scope, offer_everything
from selo.cases.generate import SITUATION_GROUP
from selo.cases.oracle import Oracle
from selo.cases.oracle.told_settlement import told_parts
from selo.examine.analysis import EvidenceAnalysis
from selo.examine.analysis.draw_results import DrawResults, planned_samples, run_tests
from selo.examine.blame import CompiledMutant, RightAnswers
from selo.examine.conclusion import summarise_verdicts
from selo.examine.exchange import ReductionLog
from selo.examine.findings import collect_findings, origin_of
from selo.examine.findings.declaration_findings import (
    collect_declaration_findings,
    judge_declarations,
    observe_declarations,
)
from selo.examine.findings.draw_findings import collect_draw_findings, observe_draws
from selo.examine.kills import KillIndex
from selo.examine.live_rounds import RoundTally, plan_scripts, round_line
from selo.examine.plan import Plan, Terms, terms_of
from selo.examine.run.draw_run import draw_sample
from selo.examine.tally import Tally
from selo.examine.vendor_description import offered_of
from selo.protocol import messages as m
from selo.rounds import play_scripts
from selo.rounds.judge import RoundJudge
from selo.rules.equipment.kits import BadOutcome
from selo.rules.mutants import generate_mutants
from selo.rules.readings import Readings
from selo.vendors import InProcessTransport
from selo.vendors.reply_reader import Reply
from selo.vendors.resource_limits import DEFAULT_LIMITS
from selo.vendors.session import Session
from selo.verdict import Result
from selo.verdict.rulings import NO_RULINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.cases import Case
    from selo.examine.findings import Finding
    from selo.examine.findings.declaration_findings import DeclarationResults
    from selo.law import Law
    from selo.verdict.rulings import Rulings

    #: Answers a case like a vendor.
    Answers = Callable[[Case], Reply]

#: About how many wrong cases are asked: enough to locate a cause.
_MAX_WRONG_CASES: Final = 150
#: Any fixed seed will do, since the faults are known beforehand.
_SEED: Final = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class VendorVerdicts:
    """The findings and verdicts on one vendor."""

    findings: Sequence[Finding]
    #: The result for each provision; coverage is not measured, so that none conforms.
    verdicts: Mapping[str, Result]

    @property
    def broken(self) -> list[str]:
        """The provisions that are violated."""
        return [name for name, result in self.verdicts.items() if result is Result.VIOLATES]


class Examiner:
    """Examines vendors of one game under the same rulings."""

    def __init__(self, law: Law, game: str, rulings: Rulings = NO_RULINGS) -> None:
        self.law, self.game, self.rulings = law, game, rulings
        self._readings = Readings(law, rulings.followed)
        self._oracle = Oracle(law, rulings.followed)
        self._judge = RoundJudge(law, self._readings)
        self._cases_by_plan: dict[str, list[Case]] = {}

    @cached_property
    def mutants(self) -> list[CompiledMutant]:
        """All mutants of the game's rules."""
        return [
            CompiledMutant(variant)
            for variant in generate_mutants(self.law, self.game, self._readings)
        ]

    @cached_property
    def kill_matrix(self) -> KillIndex:
        """The cases of the plan for a full offer, and which mutants they kill."""
        terms = self._terms(offer_everything(self.law, [self.game]))
        lawful = self._oracle.game(self.game)
        return KillIndex(self._oracle, lawful, list(self._cases(terms)), with_reasons=False)

    def examine_answers(
        self, answer: Answers, differing: Sequence[int], reached: AbstractSet[str]
    ) -> VendorVerdicts:
        """Examine a vendor that differs from the law in just the cases `differing` of the plan.

        Only those cases are asked, and of very many only an even sample. `reached` are the bets
        that the vendor may settle differently.
        """
        analysis = EvidenceAnalysis(
            law=self.law, terms=self._terms(offer_everything(self.law, [self.game]))
        )
        tally = analysis.tallies[self.game] = Tally.inferring(self._oracle)
        for number in sorted(differing)[:: max(1, len(differing) // _MAX_WRONG_CASES)]:
            case = self.kill_matrix.cases[number]
            tally.take(case, answer(case), number)
        if tally.wrong_places:
            self._mark_answers(tally, answer, differing, reached)
            wrong, right = frozenset(differing), RightAnswers()
            for number, case, lawful in self._lawful_answers:
                if number in wrong or not right.wants(case.group, number):
                    continue
                if number not in tally.unanswered_places:
                    right.keep(case.group, (case, lawful, None))
            analysis.locate_causes_of(self.game, right.samples, self.mutants)
        return self._conclude(analysis)

    def _mark_answers(
        self, tally: Tally, answer: Answers, differing: Sequence[int], reached: AbstractSet[str]
    ) -> None:
        """Mark the wrong bets of all cases, and the cases that the vendor cannot answer."""
        for number in differing:
            case, reply = self.kill_matrix.cases[number], answer(self.kill_matrix.cases[number])
            tally.wrong_places.add(number)
            if case.method == "settle":
                for bet in self._oracle.wrong_bets(case, reply.result.settlements):
                    tally.mark_wrong(number, bet, told_parts(reply.result.settlements[bet]))
            else:
                tally.mark_wrong(number, 0, {"order": reply.result.order})
        for number, case in enumerate(self.kill_matrix.cases):
            affected = not reached.isdisjoint(bet["bet"] for bet in case.bets)
            if affected and not _can_answer(answer, case):
                tally.unanswered_places.add(number)

    def _conclude(
        self,
        analysis: EvidenceAnalysis,
        declarations: Sequence[DeclarationResults] = (),
        draws: DrawResults | None = None,
    ) -> VendorVerdicts:
        """Return the findings and the verdicts that follow from them."""
        origin = origin_of(analysis.terms)
        findings = [
            *collect_findings(analysis, ReductionLog()),
            *collect_declaration_findings(self.law, declarations, origin),
        ]
        if draws is not None:
            findings += collect_draw_findings(self.law, analysis.terms, draws, origin)
        findings = [
            msgspec.structs.replace(finding, id=f"F-{number:03}")
            for number, finding in enumerate(findings, 1)
        ]
        summary = summarise_verdicts(
            self.law,
            analysis,
            findings=findings,
            covered={},
            rulings=self.rulings,
            declarations=observe_declarations(declarations, findings),
            draws=None
            if draws is None
            else observe_draws(self.law, analysis.terms, draws, findings),
        )
        return VendorVerdicts(
            findings=findings,
            verdicts={provision.provision: provision.result for provision in summary.provisions},
        )

    @cached_property
    def _lawful_answers(self) -> list[tuple[int, Case, Any]]:
        """A sample of the cases of the plan, with their lawful answers."""
        answers: list[tuple[int, Case, Any]] = []
        for number, case in enumerate(self.kill_matrix.cases):
            if not number % RightAnswers.every:
                answer = self._oracle.answer(case)
                answers += [] if answer is None else [(number, case, answer)]
        return answers

    def examine_vendor(self, vendor: Any) -> VendorVerdicts:
        """Examine what a vendor settles, compares, plays and declares."""
        description, offer, terms = self._description_offer_terms(vendor)
        analysis = EvidenceAnalysis(law=self.law, terms=terms)
        # Readings followed at tables do not change the findings.
        analysis.rounds = RoundTally(
            self.law, terms, infers_readings=False, prepared_judge=self._judge
        )
        self._put_cases(analysis, _answers_of_vendor(vendor))
        self._play_rounds(analysis, description, vendor)
        return self._conclude(analysis, [judge_declarations(self.law, offer, terms.rulings)])

    def examine_draws(self, vendor: Any) -> VendorVerdicts:
        """Examine what a vendor draws."""
        terms = self._description_offer_terms(vendor)[-1]
        draws = DrawResults(samples=planned_samples(self.law, terms))
        session = Session(InProcessTransport(self.game, given=vendor), DEFAULT_LIMITS)
        for sample in draws.samples:
            draw_sample(session, self.law, sample)
        run_tests(draws, None)
        return self._conclude(EvidenceAnalysis(law=self.law, terms=terms), draws=draws)

    def _description_offer_terms(self, vendor: Any) -> tuple[m.Description, m.Offer, Terms]:
        description = msgspec.convert(vendor.describe({}), m.Description)
        offer = next(game for game in description.games if game.game == self.game)
        return description, offer, self._terms(Scope(games=(offered_of(offer),)))

    def _terms(self, scope: Scope) -> Terms:
        return terms_of(
            self.law, scope, as_of="", text_as_stored=True,
            rulings=dict(self.rulings.followed), budget="quick", seed=_SEED, provisions=[],
        )  # fmt: skip

    def _cases(self, terms: Terms) -> Iterable[Case]:
        if terms.digest not in self._cases_by_plan:
            chunks = Plan(self.law, terms).chunks()
            self._cases_by_plan[terms.digest] = [case for chunk in chunks for case in chunk.cases]
        return self._cases_by_plan[terms.digest]

    def _put_cases(self, analysis: EvidenceAnalysis, answer: Answers) -> None:
        """Put every case to the vendor, and locate the causes of wrong answers."""
        tally = analysis.tallies[self.game] = Tally.inferring(self._oracle)
        right = RightAnswers()
        for number, case in enumerate(self._cases(analysis.terms)):
            reply = answer(case)
            before = len(tally.faults), sum(count.right for count in tally.counts.values())
            if case.group == SITUATION_GROUP:
                tally.take_situation(case, reply, number)
                if reply.result is not None:
                    analysis.situations.setdefault(self.game, []).append((case, reply))
                continue
            tally.take(case, reply, number)
            faults, rights = len(tally.faults), sum(count.right for count in tally.counts.values())
            if right.wants(case.group, number) and (faults, rights - 1) == before:
                right.keep(case.group, (case, _answer_of(case, reply), None))
                tally.keep_right(case, _answer_of(case, reply))
        analysis.locate_causes_of(self.game, right.samples, self.mutants)

    def _play_rounds(
        self, analysis: EvidenceAnalysis, description: m.Description, vendor: Any
    ) -> None:
        """Play every live round."""
        planned, _ = plan_scripts(self.law, analysis.terms, description.games, self.game)
        session = Session(InProcessTransport(self.game, given=vendor), DEFAULT_LIMITS)
        for number, (script, played) in enumerate(play_scripts(session, planned)):
            good = not self._judge.judge(script, played)
            line = round_line(number, script, played, good=good)
            analysis.rounds.take(line, right=good and not played.faults and not played.declined)


def _can_answer(answer: Answers, case: Case) -> bool:
    """Return whether a vendor can answer a case, which may lack an option that it needs."""
    try:
        answer(case)
    except BadOutcome:
        return False
    return True


def _answer_of(case: Case, reply: Reply) -> Any:
    return reply.result.settlements if case.method == "settle" else reply.result.order


def _answers_of_vendor(vendor: Any) -> Answers:
    """Return the answers of an object that has the methods of the protocol."""

    def answer(case: Case) -> Reply:
        # Cases share objects, which a vendor could change.
        params = msgspec.json.decode(msgspec.json.encode(case.params()))
        try:
            result = getattr(vendor, case.method)(params)
        except Exception as error:  # noqa: BLE001 - whatever a vendor raises is its answer
            code = getattr(error, "code", m.INTERNAL)
            return Reply(id="", error=m.Fault(code=code, message=str(error)))
        if isinstance(result, dict) and "skipped" in result:
            return Reply(id="", skipped=msgspec.convert(result, m.Skipped))
        return Reply(id="", result=msgspec.convert(result, m.RESULTS[case.method]))

    return answer
