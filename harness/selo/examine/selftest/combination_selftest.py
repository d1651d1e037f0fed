"""Self-test by combinations: vendors with one, two or three known faults, scored by provision.

Faults of one combination break the same article about as often as different ones.
"""

from __future__ import annotations

from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases.oracle import compare_hands
from selo.cases.oracle.told_settlement import returned_stake
from selo.examine.kills import KillIndex
from selo.examine.selftest.fault_combination import KnownFault, NotComposable, VendorBuilder
from selo.examine.selftest.planted_selftest import (
    load_engine_faults,
    load_planted_vendors,
    provisions_saying_the_same,
)
from selo.examine.selftest.provision_score import (
    CombinationScore,
    MisjudgedProvision,
    Misjudgement,
    program_result,
)
from selo.examine.selftest.vendor_transcript import TranscriptExaminer
from selo.rules.clauses import read_clauses
from selo.rules.mutants import ANSWER_ERRORS
from selo.rules.mutants.word_dependence import dependent_provisions
from selo.rules.readings import Readings
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.cases import Case
    from selo.cases.oracle import Oracle
    from selo.examine.conclusion import ExaminationResult
    from selo.examine.selftest.in_process_examiner import Examiner
    from selo.examine.selftest.vendor_transcript import Transcript, WrongAnswers

#: Attempts at drawing faults that have an effect, before a combination is given up.
_MAX_ATTEMPTS: Final = 200
#: Wrong answers whose derivations are searched for a provision that is accused.
_MAX_DERIVATIONS: Final = 120


class CombinationScorer:
    """Scores vendors of one game with any known faults."""

    def __init__(self, examiner: Examiner) -> None:
        self._examiner = examiner
        self.game = examiner.game
        planted_vendors = load_planted_vendors()
        law, rulings = examiner.law, examiner.rulings
        self._builder = VendorBuilder(law, self.game, rulings, planted_vendors)
        self.transcripts = TranscriptExaminer(law, self.game, rulings, examiner.mutants)
        self._answers: dict[frozenset[str], WrongAnswers] = {}
        self._alike = provisions_saying_the_same(examiner)
        #: The wrong answers that were derived last, and the provisions that they follow from.
        self._derived: tuple[WrongAnswers, frozenset[str]] | None = None
        self._dependent: dict[str, frozenset[str]] = {}
        self.planted = list(self._planted_faults(planted_vendors))
        self.generated = list(self._generated_faults())
        self.engine = list(self._engine_faults())

    def _planted_faults(self, planted_vendors: Any) -> Iterator[KnownFault]:
        points = {point.id: point.provisions for point in self._examiner.law.divergences}
        for name, fault in planted_vendors.faults(self.game).items():
            # What is drawn is tested apart, by statistics.
            if not fault.drawn:
                own = fault.provision
                same = self._alike.get(own, frozenset())
                others = {own.removesuffix("/note"), *points.get(fault.point, ()), *same}
                yield KnownFault(
                    name=name, breaks=frozenset({own}), blamable=frozenset(others), planted=fault
                )

    def _generated_faults(self) -> Iterator[KnownFault]:
        points: dict[str, set[str]] = {}
        for written in read_clauses(self._examiner.law, self.game):
            for point in self._examiner.law.divergences:
                if point.id in written.clause.under:
                    points.setdefault(written.held.id, set()).update(point.provisions)
        for mutant in self._examiner.mutants:
            own = mutant.provision
            same = self._alike.get(own, frozenset())
            yield KnownFault(
                name=mutant.cause.code, breaks=frozenset({own}),
                blamable=frozenset({own.removesuffix("/note"), *same, *points.get(own, ())}),
                mutant=mutant.variant,
            )  # fmt: skip

    def _engine_faults(self) -> Iterator[KnownFault]:
        for name, fault in load_engine_faults(self.game).items():
            yield KnownFault(
                name=name, breaks=frozenset(), blamable=frozenset(fault.touches),
                planted=fault.fault, names_broken=fault.breaks,
            )  # fmt: skip

    def build(self, faults: Sequence[KnownFault]) -> Any:
        """Return a vendor with all of these faults."""
        return self._builder.build(faults)

    def examine(self, vendor: Any) -> dict[str, Result]:
        """Return the verdict on every provision of any vendor, as programs see it."""
        examined = self.transcripts.examine(self.transcripts.transcribe(vendor))
        return {row.provision: program_result(row) for row in examined.summary.provisions}

    @cached_property
    def planned_cases(self) -> Sequence[Case]:
        """The cases that a lawful vendor is asked."""
        return self.transcripts.planned_cases(self._lawful.terms)

    @property
    def oracle(self) -> Oracle:
        """The law that vendors are compared with."""
        return self.transcripts.oracle

    def draw(self, size: int, random: Random) -> tuple[KnownFault, ...] | None:
        """Return a combination of faults each of which has an effect by itself."""
        chosen: list[KnownFault] = []
        for _ in range(_MAX_ATTEMPTS):
            pool = self.planted if random.random() < 1 / 2 else self.generated
            if chosen:
                article, same = chosen[0].articles, random.random() < 1 / 2
                pool = [fault for fault in pool if bool(fault.articles & article) is same]
            fault = random.choice(pool) if pool else None
            if fault is not None and fault not in chosen and self._has_effect(fault):
                chosen.append(fault)
            if len(chosen) == size:
                return tuple(chosen)
        return None

    def _has_effect(self, fault: KnownFault) -> bool:
        try:
            if fault.mutant is not None:
                # It answers otherwise in just the cases that kill it.
                return bool(self.kills.killing_cases(fault.mutant, set(), 1))
            return self._wrong_answers([fault]).shows(self._lawful.wrong)
        except (NotComposable, *ANSWER_ERRORS):
            return False

    @cached_property
    def _lawful(self) -> Transcript:
        return self.transcripts.transcribe(self.build([]))

    @cached_property
    def _conforming(self) -> frozenset[str]:
        """The provisions that conform in the lawful vendor, as far as programs see."""
        return frozenset(
            verdict.provision
            for verdict in self.transcripts.examine(self._lawful).summary.provisions
            if program_result(verdict) is Result.CONFORMS
        )

    def _wrong_answers(self, faults: Sequence[KnownFault]) -> WrongAnswers:
        key = frozenset(fault.name for fault in faults)
        if key not in self._answers:
            vendor = self.build(faults)
            self._answers[key] = self.transcripts.transcribe(vendor).wrong
        return self._answers[key]

    def score(self, faults: Sequence[KnownFault]) -> CombinationScore:
        """Examine the vendor with some faults, and score every provision."""
        transcript = self.transcripts.transcribe(self.build(faults))
        effective: list[KnownFault] = []
        broken: set[str] = set()
        for fault in faults:
            others = [other for other in faults if other is not fault]
            without = self._wrong_answers(others) if others else self._lawful.wrong
            if transcript.wrong.shows(without):
                effective.append(fault)
                broken |= self._broken_by(fault, transcript.wrong, without)
        result, unexplained = self.transcripts.examine_closely(transcript)
        is_same = not unexplained and len(faults) > 1
        return self._score_result(faults, effective, broken, transcript, result, is_same=is_same)

    def broken_alone(self, fault: KnownFault) -> frozenset[str]:
        """Return the provisions that a fault breaks in an otherwise lawful vendor."""
        wrong = self._wrong_answers([fault])
        shows = wrong.shows(self._lawful.wrong)
        return self._broken_by(fault, wrong, self._lawful.wrong) if shows else frozenset()

    def _broken_by(
        self, fault: KnownFault, wrong: WrongAnswers, without: WrongAnswers
    ) -> frozenset[str]:
        """Return the provisions that a fault breaks in a vendor."""
        if fault.names_broken is None:
            return fault.breaks
        broken: set[str] = set()
        for place, line in wrong.lines.items():
            if place < 0 or without.lines.get(place) == line:
                continue
            lawful = self._lawful_lines[place]
            asked = msgspec.json.decode(lawful)["params"]
            for bet, *answers in zip(
                asked.get("bets", []),
                *map(_answer_in, (line, without.lines.get(place, lawful), lawful)),
                strict=False,
            ):
                if answers[0] not in answers[1:]:
                    broken.add(fault.names_broken(asked, bet, answers[-1]))
        return frozenset(broken - {""})

    @cached_property
    def _lawful_lines(self) -> list[bytes]:
        return [line for chunk in self._lawful.chunks for line in chunk.lines]

    def _score_result(  # noqa: PLR0913 - a vendor, and everything known of it
        self,
        faults: Sequence[KnownFault],
        effective: Sequence[KnownFault],
        broken: AbstractSet[str],
        transcript: Transcript,
        result: ExaminationResult,
        *,
        is_same: bool,
    ) -> CombinationScore:
        """Score every provision.

        `is_same` tells that the causes found give every planned answer of several faults.
        """
        touched = {name for fault in faults for name in (*fault.breaks, *fault.blamable)} | broken
        counts = {"found": 0, "concealed": 0, "untouched": 0}
        misjudged: list[MisjudgedProvision] = []
        for verdict in result.summary.provisions:
            name, program = verdict.provision, program_result(verdict)
            judged: Misjudgement | None = None
            if name in broken:
                counts["found"] += program is Result.VIOLATES
                if program is Result.CONFORMS:
                    judged = Misjudgement.CLEARED
                elif program is not Result.VIOLATES:
                    counts["concealed"] += 1
            elif name not in touched and name in self._conforming:
                violates = program is Result.VIOLATES
                if (violates and is_same and self._is_derived(name, transcript.wrong)) or (
                    program is not Result.CONFORMS
                    and self._is_touched(name, effective, transcript.wrong, violates=violates)
                ):
                    continue
                counts["untouched"] += 1
                if program is Result.VIOLATES:
                    judged = Misjudgement.ACCUSED
                elif program is not Result.CONFORMS:
                    judged = Misjudgement.HIDDEN
            if judged is not None:
                misjudged.append(
                    MisjudgedProvision(
                        game=self.game, faults=[fault.name for fault in faults], provision=name,
                        judged=judged, verdict=program, reason=str(verdict.reason),
                        derived=self._is_derived(name, transcript.wrong),
                    )
                )  # fmt: skip
        kinds = [provision.judged for provision in misjudged]
        return CombinationScore(
            game=self.game, faults=[fault.name for fault in faults], broken=sorted(broken),
            cleared=kinds.count(Misjudgement.CLEARED), accused=kinds.count(Misjudgement.ACCUSED),
            hidden=kinds.count(Misjudgement.HIDDEN), findings=len(result.findings),
            misjudged=misjudged, effective=len(effective),
            differing=len(transcript.wrong.lines), **counts,
        )  # fmt: skip

    @cached_property
    def kills(self) -> KillIndex:
        """The cases of the plan, and which mutants they kill."""
        oracle, cases = self.oracle, self.planned_cases
        return KillIndex(oracle, oracle.game(self.game), cases, with_reasons=False)

    def _is_touched(
        self, provision: str, faults: Sequence[KnownFault], wrong: WrongAnswers, *, violates: bool
    ) -> bool:
        """Return whether a fault touches a provision that it does not break itself.

        A wrong meaning of a word touches the provisions that use it, where wrong answers follow
        from them. Of two provisions that can make the same game, either is rightly blamed.
        """
        if any(provision in self._dependents(fault) for fault in faults):
            return self._is_derived(provision, wrong)
        return violates and any(self._is_same_game(provision, fault) for fault in faults)

    def _dependents(self, fault: KnownFault) -> frozenset[str]:
        """Return the provisions that use words to which a fault may give another meaning."""
        if fault.name not in self._dependent:
            law, rulings = self._examiner.law, self._examiner.rulings
            defining = (
                [fault.mutant.was]
                if fault.mutant is not None
                else [
                    written.clause
                    for written in read_clauses(law, self.game)
                    if written.held.id in fault.breaks
                ]
            )
            readings = Readings(law, rulings.followed)
            self._dependent[fault.name] = dependent_provisions(law, self.game, readings, defining)
        return self._dependent[fault.name]

    def _is_same_game(self, provision: str, fault: KnownFault) -> bool:
        """Return whether a mutant of `provision` answers every case as the fault does."""
        lines = self._wrong_answers([fault]).lines
        if any(place < 0 for place in lines):
            return False
        observed = {place: _answer_in(line) for place, line in lines.items()}
        return any(
            self._answers_of(mutant.variant) == observed
            for mutant in self._examiner.mutants
            if mutant.provision == provision
        )

    def _answers_of(self, mutant: Any) -> Mapping[int, Any]:
        """Return the answers of a mutant to the cases that kill it."""
        try:
            game = mutant.compile()
            return {
                at: _answer_of_game(game, self.kills.cases[at])
                for at in self.kills.killing_cases(mutant, set())
            }
        except ANSWER_ERRORS:
            return {}

    def _is_derived(self, provision: str, wrong: WrongAnswers) -> bool:
        """Return whether some of the wrong answers follow from a provision under the law."""
        if self._derived is None or self._derived[0] is not wrong:
            cases = self.planned_cases
            places = [place for place in wrong.lines if 0 <= place < len(cases)]
            step = max(1, len(places) // _MAX_DERIVATIONS)
            named = frozenset(
                reason.provision
                for place in places[::step]
                for bet in range(max(1, len(cases[place].bets)))
                for reason in self.transcripts.oracle.derivation_of(cases[place], bet)
            )
            self._derived = wrong, named
        return provision in self._derived[1]


def _answer_in(line: bytes) -> Any:
    answer = msgspec.json.decode(line).get("answer") or {}
    return answer.get("settlements", answer.get("order", []))


def _answer_of_game(game: Any, case: Any) -> Any:
    if case.method == "compare":
        return compare_hands(game, case)
    settled = game.settle_plain(case.options, case.outcome, case.bets)
    return [
        {**settlement, "stake": returned_stake(settlement, bet["stake"])}
        for settlement, bet in zip(settled, case.bets, strict=True)
    ]


def draw_combinations(
    scorer: CombinationScorer, *, pairs: int, triples: int, seed: int
) -> Iterator[tuple[KnownFault, ...]]:
    """Yield different random combinations; fewer where there are not so many."""
    seen: set[frozenset[str]] = set()
    for size, wanted in ((2, pairs), (3, triples)):
        random = Random(f"{scorer.game} {seed} {size}")  # noqa: S311 - a sample, not a secret
        drawn = attempts = 0
        while drawn < wanted and attempts < _MAX_ATTEMPTS:
            faults = scorer.draw(size, random)
            key = frozenset(fault.name for fault in faults or ())
            if faults is None or key in seen:
                attempts += 1
                continue
            drawn, attempts = drawn + 1, 0
            seen.add(key)
            yield faults
