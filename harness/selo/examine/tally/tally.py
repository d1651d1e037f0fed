"""Counts of answers, with one example of each kind of difference."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

from selo.cases.case_numbers import NumberRanges
from selo.cases.oracle import ReadingSearch
from selo.cases.oracle.answer_check import holds_fraction
from selo.cases.oracle.told_settlement import order_parts, told_parts
from selo.examine.tally.answer_count import AnswerCount, answer_in, error_fault, fraction_fault
from selo.examine.tally.answer_difference import (
    COMPARE,
    Difference,
    DifferenceGrounds,
    DifferenceKind,
    DifferenceShape,
    Points,
    settlement_shape,
)
from selo.examine.tally.description_memo import DescriptionMemo
from selo.examine.tally.difference_grounds import GroundsMemory, deny_readings, reasons_of
from selo.examine.tally.followed_readings import UnexplainedAnswers
from selo.examine.tally.place_sets import AnswerLog, BetMarks, PlaceSet
from selo.examine.tally.reading_fit import ReadingFit
from selo.vendors.session import count_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.cases import Case
    from selo.cases.oracle import AnswerReadings, Oracle
    from selo.protocol import messages as m
    from selo.vendors.faults import AdapterFault
    from selo.vendors.reply_reader import Reply

#: Kinds of differences that are kept: of those that some reading allows, and of the others. Later
#: ones are only counted, with the provisions behind them.
_MAX_KINDS: Final = 200
_MAX_FAULTS: Final = 50
_MAX_SAMPLES: Final = 12
_MAX_SPREAD: Final = 40
#: Descriptions of differences of one kind that are kept; later ones are kept as one.
_MAX_DESCRIPTIONS: Final = 60
_OTHER_DESCRIPTION: Final = "…"


@dataclass(slots=True)
class Tally:
    """What is known of the answers so far; its size does not grow with their number."""

    oracle: Oracle
    counts: dict[tuple[str, str], AnswerCount] = field(default_factory=dict)
    differences: dict[DifferenceKind, Difference] = field(default_factory=dict)
    times: dict[DifferenceKind, int] = field(default_factory=dict)
    samples: dict[DifferenceKind, list[tuple[Case, Any, int | None]]] = field(default_factory=dict)
    #: The numbers of the cases of each kind, by a short description of what differs.
    numbers: dict[DifferenceKind, dict[str, NumberRanges]] = field(default_factory=dict)
    faults: list[AdapterFault] = field(default_factory=list)
    #: How many differences were only counted, and behind how many of them each provision stands.
    unlisted: int = 0
    unlisted_provisions: dict[str, int] = field(default_factory=dict)
    #: The places in the plan of cases that were answered wrongly, and of those without an answer.
    wrong_places: PlaceSet = field(default_factory=PlaceSet)
    unanswered_places: PlaceSet = field(default_factory=PlaceSet)
    #: The bets that were settled wrongly; of a wrong comparison, the first.
    wrong_bets: BetMarks = field(default_factory=BetMarks)
    #: The bets that are settled exactly where the law followed rounds: they show no rounding.
    unrounded_bets: BetMarks = field(default_factory=BetMarks)
    #: What was answered to each wrong bet.
    wrong_answers: AnswerLog = field(default_factory=AnswerLog)
    #: Of the cases without an answer, those that were skipped; how many, by circumstance.
    skipped_places: PlaceSet = field(default_factory=PlaceSet)
    skipped: dict[str, int] = field(default_factory=dict)
    #: Readings that the vendor contradicts elsewhere, although they allow some differences.
    denied: AbstractSet[tuple[str, str]] = frozenset()
    #: The readings that the vendor seems to follow, and how the wrong answers fit them.
    search: ReadingSearch = field(init=False)
    #: Wrong answers that are set aside until these are inferred, if they are to be.
    unexplained: UnexplainedAnswers | None = field(init=False, default=None)
    reading_fit: ReadingFit = field(default_factory=ReadingFit)
    _grounds: GroundsMemory = field(init=False)
    _descriptions: DescriptionMemo = field(default_factory=DescriptionMemo)
    #: Cases that ask for what the vendor does not offer; they are not examined.
    not_offered: int = 0

    def __post_init__(self) -> None:
        self.search = ReadingSearch(self.oracle)
        self._grounds = GroundsMemory(self.oracle)

    @classmethod
    def inferring(cls, oracle: Oracle) -> Self:
        """Return a tally that infers which readings the vendor follows together."""
        tally = cls(oracle)
        tally.unexplained = UnexplainedAnswers(tally.search)
        return tally

    def take_situation(self, case: Case, reply: Reply, n: int = -1) -> None:
        """Count the answer to a situation of the register, from which readings are inferred."""
        if self.unexplained is not None and reply.result is not None:
            self.unexplained.situations.append((case, answer_in(case, reply)))
        self.take(case, reply, n)

    def keep_right(self, case: Case, answer: Any) -> None:
        """Keep one of the right answers, which readings that are inferred must leave right."""
        if self.unexplained is not None:
            self.unexplained.right.append((case, answer))

    def infer_readings(self) -> None:
        """Infer which readings the vendor seems to follow, and count what was set aside."""
        if self.unexplained is not None:
            self._release(closing=True)

    def _release(self, *, closing: bool) -> None:
        unexplained = self.unexplained
        assert unexplained is not None  # noqa: S101 - only called where there is one
        before = self.search.followed
        released = unexplained.release(closing=closing)
        if self.search.followed != before:
            # What was counted so far was compared with other readings.
            self.reading_fit = ReadingFit()
        for case, answer, n in released:
            self._note_wrong(case, answer, n)

    def take(self, case: Case, reply: Reply, n: int = -1) -> None:
        """Count one answer; `n` is the place of its case in a plan."""
        count = self._count(case)
        count.cases += 1
        if reply.fault is not None:
            self._fault(count, reply.fault, n)
        elif reply.error is not None:
            self._fault(count, error_fault(case, reply.error), n)
        elif reply.skipped is not None:
            count.skipped += 1
            self.unanswered_places.add(n)
            self.skipped_places.add(n)
            name = reply.skipped.skipped
            self.skipped[name] = self.skipped.get(name, 0) + 1
        elif case.method == "settle":
            self._settled(count, case, reply.result.settlements, n)
        else:
            self._compared(count, case, self.oracle.told_order(case, reply.result), n)

    def take_all(self, cases: Sequence[Case], answers: Sequence[Any]) -> None:
        """Count the answers to many settlements that were given without a fault."""
        wrong = self.oracle.wrong_bets
        right = 0
        for case, answer in zip(cases, answers, strict=True):
            settlements = answer.result.settlements
            if wrong(case, settlements):
                self._settled(self._count(case), case, settlements, -1)
                self._count(case).cases += 1
            else:
                right += 1
        if right:
            count = self._count(cases[0])
            count.cases += right
            count.right += right

    def take_odd_answer(self, case: Case, answer: Any, n: int) -> None:
        """Count a right answer that contradicts the readings which the vendor seems to follow."""
        apart = self.search.of(case, answer)
        self.reading_fit.take(apart, self.search)
        followed = self.oracle.under(self.search.followed)
        odd = tuple(
            (name, self.oracle.reading_of(name))
            for name, reading in self.search.followed
            if reading not in (apart.fitting_readings(name) or {reading})
        )
        if odd and case.method == "settle":
            for at in followed.wrong_bets(case, answer):
                observed = told_parts(answer[at])
                expected = followed.expected_parts(case, at, observed)
                shape = settlement_shape(case.game, case.bets[at]["bet"], expected, observed)
                self._keep_odd(shape, case, (answer, at, n), (expected, observed), odd)
        elif odd:
            order = str(followed.compare(case))
            shape = DifferenceShape(case.game, COMPARE, order, answer)
            told = {"order": order}, {"order": answer}
            self._keep_odd(shape, case, (answer, None, n), told, odd)

    def _keep_odd(
        self,
        shape: DifferenceShape,
        case: Case,
        at: tuple[Any, int | None, int],
        told: tuple[dict[str, Any], dict[str, Any]],
        odd: Points,
    ) -> None:
        answer, bet, n = at
        reasons = reasons_of(self.oracle, case, bet or 0)
        kind = DifferenceKind(shape, DifferenceGrounds.of(reasons, odd, (), self.oracle.is_ruled))
        if not kind.grounds.readings:
            # A ruling is kept.
            return
        description = "as in force"
        self._sample(kind, description, (case, answer, bet))
        if self._needs_example(kind, n, description):
            expected, observed = told
            self.differences[kind] = Difference(
                case=case, bet=bet, expected=expected, observed=observed, n=n, reasons=reasons,
                readings=kind.grounds.readings, odd=True,
            )  # fmt: skip

    def _count(self, case: Case) -> AnswerCount:
        return self.counts.setdefault((case.game, case.method), AnswerCount())

    def _settled(
        self, count: AnswerCount, case: Case, settlements: Sequence[m.Settlement], n: int
    ) -> None:
        problem = count_fault(len(case.bets), len(settlements)) or fraction_fault(settlements)
        if problem is not None:
            self._fault(count, problem, n)
            return
        wrong = self.oracle.wrong_bets(case, settlements)
        if not wrong:
            count.right += 1
            return
        count.different += 1
        self.wrong_places.add(n)
        self.mark_unrounded(case, settlements, n)
        for at in wrong:
            self.mark_wrong(n, at, told_parts(settlements[at]))
        self._note_wrong(case, settlements, n)

    def mark_unrounded(self, case: Case, settlements: Sequence[m.Settlement], n: int) -> None:
        """Mark the bets of a case that are settled exactly where the law followed rounds."""
        if any(map(holds_fraction, settlements)):
            for at in self.oracle.unrounded_bets(case, settlements):
                self.unrounded_bets.add(n, at)

    def mark_wrong(self, n: int, bet: int, answer: Mapping[str, Any]) -> None:
        """Mark a bet that was settled wrongly, or a wrong comparison, with what was answered."""
        if not self.wrong_bets.has(n, bet) or bet >= BetMarks.shared:
            self.wrong_bets.add(n, bet)
            self.wrong_answers.add(n, bet, answer)

    def _note_wrong(self, case: Case, answer: Any, n: int) -> None:
        """Note what is wrong in an answer, or set it aside until more is known of readings."""
        apart = self.search.of(case, answer)
        settles = case.method == "settle"
        wrong = self.oracle.wrong_bets(case, answer) if settles else []
        if self.unexplained is not None and self.unexplained.keeps(apart, wrong or [None], n):
            if self.unexplained.is_due:
                self._release(closing=False)
            return
        if settles:
            for at in wrong:
                self._differs(apart, at, n)
        else:
            self._differs_in_order(apart, str(self.oracle.compare(case)), n)
        self.reading_fit.take(apart, self.search)

    def _differs(self, apart: AnswerReadings, at: int, n: int) -> None:
        case, settlements = apart.case, apart.answer
        settlement = settlements[at]
        bet = case.bets[at]
        observed = told_parts(settlement)
        lawful = self.oracle.expected_parts(case, at, observed)
        shape, amounts, description = self._descriptions.of(case.game, bet, lawful, observed)
        grounds = self._grounds.of((shape, str(bet.get("choice")), amounts), apart, at)
        kind = DifferenceKind(shape, grounds)
        self._sample(kind, description, (case, list(settlements), at))
        if self._needs_example(kind, n, description):
            self.differences[kind] = Difference(
                case=case, bet=at, expected=lawful, observed=observed, n=n,
                reasons=reasons_of(self.oracle, case, at), readings=grounds.readings,
                together=grounds.together, against=grounds.against,
            )  # fmt: skip

    def _compared(self, count: AnswerCount, case: Case, order: str, n: int) -> None:
        lawful = self.oracle.compare(case)
        if lawful is None:
            count.silent += 1
            return
        if lawful == order:
            count.right += 1
            return
        count.different += 1
        self.wrong_places.add(n)
        self.mark_wrong(n, 0, {"order": order})
        self._note_wrong(case, order, n)

    def _differs_in_order(self, apart: AnswerReadings, lawful: str, n: int) -> None:
        case, order = apart.case, apart.answer
        shape = DifferenceShape(case.game, COMPARE, lawful, order)
        grounds = self._grounds.of((shape, "", ()), apart, None)
        kind = DifferenceKind(shape, grounds)
        description = f"{COMPARE} {lawful}>{order}"
        self._sample(kind, description, (case, order, None))
        if self._needs_example(kind, n, description):
            self.differences[kind] = Difference(
                case=case,
                bet=None,
                expected=self.oracle.expected_order(case, order_parts(order)),
                observed=order_parts(order),
                n=n,
                reasons=reasons_of(self.oracle, case, 0),
                readings=grounds.readings,
                together=grounds.together,
                against=grounds.against,
            )

    def _sample(
        self, kind: DifferenceKind, description: str, sample: tuple[Case, Any, int | None]
    ) -> None:
        """Keep some cases of each kind, which tell one cause from another.

        They are the first ones, the first of each description, and ever rarer later ones: a rare
        cause may stand behind a common one of the same kind.
        """
        if kind not in self.samples and self._is_full(kind):
            return
        samples, times = self.samples.setdefault(kind, []), self.times.get(kind, 0)
        wanted = (
            len(samples) < _MAX_SAMPLES
            or description not in self.numbers[kind]
            or times & (times - 1) == 0
        )
        if (
            wanted
            and len(samples) < _MAX_SPREAD
            and (not samples or samples[-1][0] is not sample[0])
        ):
            samples.append(sample)

    def _needs_example(self, kind: DifferenceKind, n: int, description: str) -> bool:
        """Count a difference, and return whether it is the first of its kind and is kept."""
        if kind in self.differences:
            self.times[kind] += 1
            self._note_number(kind, n, description)
            return False
        if self._is_full(kind):
            self.unlisted += 1
            for name in kind.grounds.provisions:
                self.unlisted_provisions[name] = self.unlisted_provisions.get(name, 0) + 1
            return False
        self.times[kind] = 1
        self._note_number(kind, n, description)
        return True

    def _note_number(self, kind: DifferenceKind, n: int, description: str) -> None:
        numbers = self.numbers.setdefault(kind, {})
        if description not in numbers and len(numbers) >= _MAX_DESCRIPTIONS:
            description = _OTHER_DESCRIPTION
        numbers.setdefault(description, NumberRanges()).add(n)

    def _is_full(self, kind: DifferenceKind) -> bool:
        """Return whether no more kinds are kept that some reading allows, or that none does."""
        is_open = bool(kind.grounds.readings or kind.grounds.together)
        alike = sum(difference.open == is_open for difference in self.differences.values())
        return alike >= _MAX_KINDS

    def _fault(self, count: AnswerCount, problem: AdapterFault, n: int) -> None:
        count.faults += 1
        self.unanswered_places.add(n)
        self.keep_faults([problem])

    def keep_faults(self, faults: Iterable[AdapterFault]) -> None:
        """Keep faults of the adapter, one of each kind."""
        for problem in faults:
            kinds = {(kept.kind, kept.path, *kept.slots.values()) for kept in self.faults}
            kind = (problem.kind, problem.path, *problem.slots.values())
            if kind not in kinds and len(self.faults) < _MAX_FAULTS:
                self.faults.append(problem)

    @property
    def cases(self) -> int:
        """How many cases were answered."""
        return sum(count.cases - count.skipped for count in self.counts.values())

    def deny(self, points: AbstractSet[tuple[str, str]]) -> None:
        """Exclude readings that the vendor contradicts from what makes differences lawful.

        Of several readings that allow a difference, those that allow the most differences are kept.
        """
        self.denied = points
        denied = {name for name, _ in points}
        for kind, difference in list(self.differences.items()):
            if difference.odd and all(name in denied for name, _ in difference.readings):
                # The readings that it contradicts are not followed.
                del self.differences[kind], self.times[kind], self.samples[kind]
        deny_readings(self.differences, self.times, points)

    @property
    def violates(self) -> bool:
        """Whether any answer is unlawful under every reading."""
        return any(
            not difference.open and not difference.lawless
            for difference in self.differences.values()
        )

    @property
    def breaks_protocol(self) -> bool:
        """Whether anything was answered that only the protocol forbids."""
        return any(
            not difference.open and difference.lawless for difference in self.differences.values()
        )
