"""Examines many vendors of one game in this process, quickly, as an examination would.

What is tried is the plan of the vendor's own offer with the smallest budget; what is concluded is
concluded by the same functions. Nothing is written down, and no finding is made smaller.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import Scope, everything
from selo.cases.generate import SITUATIONS
from selo.cases.oracle import Oracle, terse
from selo.errors import SeloError
from selo.examine.blame import Right, denied, shown
from selo.examine.blame.root_causes import Besides, causes
from selo.examine.exchange import Reductions
from selo.examine.exchange.describe_check import offered_of
from selo.examine.findings import findings_of, origin_of
from selo.examine.findings.declaration_findings import declared_findings, declared_looks, judged
from selo.examine.findings.draw_findings import found_in_draws, looks
from selo.examine.kills import Cases
from selo.examine.outcome import summarised
from selo.examine.plan import Plan, Terms, terms_of
from selo.examine.plan.live_rounds import Rounds, line_of, scripts
from selo.examine.replay import Conclusion
from selo.examine.replay.draw_results import Drawn, blank, tested
from selo.examine.run import draw_all
from selo.examine.tally import Tally
from selo.protocol import messages as m
from selo.rounds import play_all
from selo.rounds.judge import Judge
from selo.rules.equipment.kits import BadOutcome
from selo.rules.mutants import Variant, variants
from selo.rules.readings import Readings
from selo.vendors import Inside
from selo.vendors.reply_reader import Reply
from selo.vendors.resource_limits import DEFAULT
from selo.vendors.session import Session
from selo.verdict import Result
from selo.verdict.rulings import NONE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.cases import Case
    from selo.examine.blame import Sample
    from selo.examine.blame.root_causes import Planned
    from selo.examine.findings import Finding
    from selo.examine.findings.declaration_findings import Declared
    from selo.law.loader import Law
    from selo.verdict.rulings import Rulings

    #: Answers a case as a vendor would.
    Answers = Callable[[Case], Reply]

#: About so many wrong cases are enough to tell a cause where nothing but cases is asked.
_ENOUGH: Final = 150
#: Faults are known before they are looked for, so any seed will do; it is always the same.
_SEED: Final = 1


class Suspect:
    """A way of misreading one provision, compiled when it is first suspected."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.provision, self.name = variant.provision, variant.name
        self.keeps, self.line = variant.keeps, variant.line

    @cached_property
    def _bets(self) -> frozenset[str]:
        return self.variant.bets()

    @cached_property
    def _game(self) -> Any:
        try:
            # It is asked what becomes of bets, and never why.
            return terse(self.variant.compile())
        except SeloError as error:
            return error

    def bets(self) -> frozenset[str]:
        """Return the bets that can feel it."""
        return self._bets

    def compile(self) -> Any:
        """Return the game, or raise if it is none."""
        if isinstance(self._game, SeloError):
            raise self._game
        return self._game

    @cached_property
    def _displaced(self) -> list[Suspect]:
        return [Suspect(one) for one in self.variant.displaced()]

    def displaced(self) -> list[Suspect]:
        """Return the line of an order at every other place of it."""
        return self._displaced


@dataclass(frozen=True, kw_only=True, slots=True)
class Examined:
    """What came out of the examination of one vendor."""

    findings: Sequence[Finding]
    #: What is said of each provision of which anything is; that one conforms is not asked here.
    verdicts: Mapping[str, Result]

    @property
    def broken(self) -> list[str]:
        """The provisions of which it is said that they are broken."""
        return [name for name, said in self.verdicts.items() if said is Result.VIOLATES]


class Examiner:
    """What is needed to examine many vendors of one game, under some rulings or none."""

    def __init__(self, law: Law, game: str, rulings: Rulings = NONE) -> None:
        self.law, self.game, self.rulings = law, game, rulings
        self._readings = Readings(law, rulings.followed)
        self._oracle = Oracle(law, rulings.followed)
        self._judge = Judge(law, self._readings)
        self._planned: dict[str, list[Case]] = {}

    @cached_property
    def suspects(self) -> list[Suspect]:
        """Every way in which a provision could be misread."""
        return [Suspect(variant) for variant in variants(self.law, self.game, self._readings)]

    @cached_property
    def decisions(self) -> Cases:
        """The cases of a plan with everything in it, and the questions on which they hang."""
        terms = self._terms(everything(self.law, [self.game]))
        lawful = self._oracle.game(self.game)
        return Cases(self._oracle, lawful, list(self._cases(terms)), tells=False)

    def answers(
        self, answer: Answers, otherwise: Sequence[int], reached: AbstractSet[str]
    ) -> Examined:
        """Return what is found in a vendor that answers some cases of the plan otherwise.

        `reached` are the bets that it may settle otherwise.

        These are all that it answers otherwise than the law. They alone are asked, and of very many
        only some, from the first of the plan to the last.
        """
        seen = Conclusion(law=self.law, terms=self._terms(everything(self.law, [self.game])))
        tally = seen.tallies[self.game] = Tally(self._oracle)
        for number in sorted(otherwise)[:: max(1, len(otherwise) // _ENOUGH)]:
            case = self.decisions.cases[number]
            tally.take(case, answer(case), number)
        for number in otherwise:
            tally.otherwise.add(number)
        if tally.differences:
            wrong, right = frozenset(otherwise), Right()
            for number, case, lawful in self._lawfully:
                if number in wrong or not right.wants(case.group, number):
                    continue
                if reached.isdisjoint(bet["bet"] for bet in case.bets) or _can(answer, case):
                    right.keep(case.group, (case, lawful, None))

            def able() -> Iterator[tuple[int, Case]]:
                for number, case in enumerate(self.decisions.cases):
                    if reached.isdisjoint(bet["bet"] for bet in case.bets) or _can(answer, case):
                        yield number, case

            self._explain(seen, right.samples, able)
        return self._examined(seen)

    def _explain(self, seen: Conclusion, right: Sequence[Sample], planned: Planned) -> None:
        """Seek which readings are followed, and the causes of what is wrong under none."""
        tally = seen.tallies[self.game]
        seen.shown[self.game] = shown(self.law, self.game, tally, right, planned())
        tally.deny(denied(seen.shown[self.game]))
        if tally.violates:
            points = {divergence.id: divergence.provisions for divergence in self.law.divergences}
            besides = Besides(right=right, planned=planned)
            seen.causes[self.game] = causes(tally, self.suspects, besides, points)

    def _examined(
        self, seen: Conclusion, declared: Sequence[Declared] = (), drawn: Drawn | None = None
    ) -> Examined:
        """Return what is found, and what follows for each provision."""
        origin = origin_of(seen.terms)
        found = [*findings_of(seen, Reductions()), *declared_findings(self.law, declared, origin)]
        if drawn is not None:
            found += found_in_draws(self.law, seen.terms, drawn, origin)
        found = [
            msgspec.structs.replace(one, id=f"F-{number:03}") for number, one in enumerate(found, 1)
        ]
        summary = summarised(
            self.law,
            seen,
            findings=found,
            covered={},
            rulings=self.rulings,
            declared=declared_looks(declared, found),
            drawn=None if drawn is None else looks(self.law, seen.terms, drawn, found),
        )
        return Examined(
            findings=found,
            verdicts={provision.provision: provision.result for provision in summary.provisions},
        )

    @cached_property
    def _lawfully(self) -> list[tuple[int, Case, Any]]:
        """Some cases of the same plan, with the lawful answer where the law has one."""
        found: list[tuple[int, Case, Any]] = []
        for number, case in enumerate(self.decisions.cases):
            if not number % Right.every:
                answer = self._oracle.answer(case)
                found += [] if answer is None else [(number, case, answer)]
        return found

    def vendor(self, vendor: Any) -> Examined:
        """Return what is found in all that a vendor settles, compares, plays and declares."""
        description, offer, terms = self._offered(vendor)
        seen = Conclusion(law=self.law, terms=terms)
        # Which readings are followed at tables is not asked: what is found does not depend on it.
        seen.rounds = Rounds(self.law, terms, follows=False, judging=self._judge)
        self._ask(seen, _served_by(vendor))
        self._play(seen, description, vendor)
        return self._examined(seen, [judged(self.law, offer, terms.rulings)])

    def draws(self, vendor: Any) -> Examined:
        """Return what is found in what a vendor draws."""
        terms = self._offered(vendor)[-1]
        drawn = Drawn(taken=blank(self.law, terms))
        session = Session(Inside(self.game, given=vendor), DEFAULT)
        for one in drawn.taken:
            draw_all(session, self.law, one)
        tested(drawn, None)
        return self._examined(Conclusion(law=self.law, terms=terms), drawn=drawn)

    def _offered(self, vendor: Any) -> tuple[m.Description, m.Offer, Terms]:
        description = msgspec.convert(vendor.describe({}), m.Description)
        offer = next(game for game in description.games if game.game == self.game)
        return description, offer, self._terms(Scope(games=(offered_of(offer),)))

    def _terms(self, scope: Scope) -> Terms:
        return terms_of(
            self.law, scope, as_of="", rulings=dict(self.rulings.followed), budget="quick",
            seed=_SEED, provisions=[],
        )  # fmt: skip

    def _cases(self, terms: Terms) -> Iterable[Case]:
        if terms.digest not in self._planned:
            chunks = Plan(self.law, terms).chunks()
            self._planned[terms.digest] = [case for chunk in chunks for case in chunk.cases]
        return self._planned[terms.digest]

    def _ask(self, seen: Conclusion, answer: Answers) -> None:
        """Put every case, and seek the causes of what is wrong."""
        tally = seen.tallies[self.game] = Tally(self._oracle)
        right = Right()
        for number, case in enumerate(self._cases(seen.terms)):
            reply = answer(case)
            before = len(tally.faults), sum(count.right for count in tally.counts.values())
            tally.take(case, reply, number)
            faults, rights = len(tally.faults), sum(count.right for count in tally.counts.values())
            if right.wants(case.group, number) and (faults, rights - 1) == before:
                right.keep(case.group, (case, _answer(case, reply), None))
            if case.group == SITUATIONS and reply.result is not None:
                seen.situations.setdefault(self.game, []).append((case, reply))
        self._explain(seen, right.samples, lambda: enumerate(self._cases(seen.terms)))

    def _play(self, seen: Conclusion, description: m.Description, vendor: Any) -> None:
        """Play every round, at a table where there is one."""
        some, _ = scripts(self.law, seen.terms, description, self.game)
        session = Session(Inside(self.game, given=vendor), DEFAULT)
        for number, (script, played) in enumerate(play_all(session, some)):
            good = not self._judge.judge(script, played)
            line = line_of(number, script, played, good=good)
            seen.rounds.take(line, right=good and not played.faults and not played.declined)


def _can(answer: Answers, case: Case) -> bool:
    """Return whether there is such a case for a vendor: it may need an option not named in it."""
    try:
        answer(case)
    except BadOutcome:
        return False
    return True


def _answer(case: Case, reply: Reply) -> Any:
    return reply.result.settlements if case.method == "settle" else reply.result.order


def _served_by(vendor: Any) -> Answers:
    """Return a vendor that asks an object with the methods of the protocol."""

    def answer(case: Case) -> Reply:
        # Cases share their parts, which a vendor could change.
        params = msgspec.json.decode(msgspec.json.encode(case.params()))
        try:
            result = getattr(vendor, case.method)(params)
        except Exception as error:  # noqa: BLE001 - whatever a vendor raises is its answer
            code = getattr(error, "code", m.INTERNAL)
            return Reply(id="", error=m.Fault(code=code, message=str(error)))
        return Reply(id="", result=msgspec.convert(result, m.RESULTS[case.method]))

    return answer
