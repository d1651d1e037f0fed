"""Counts of answers, with one example of each kind of difference."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases.case_numbers import NumberRanges
from selo.cases.oracle.told_settlement import told_parts
from selo.examine.tally.answer_difference import (
    COMPARE,
    Difference,
    DifferenceGrounds,
    DifferenceKind,
    DifferenceShape,
    Points,
)
from selo.examine.tally.place_sets import BetMarks, PlaceSet
from selo.examine.tally.reading_fit import AnswerReadings, ReadingFit, relative_amount
from selo.vendors.faults import AdapterFault, FaultKind, make_fault
from selo.vendors.reply_reader import is_in_lowest_terms
from selo.vendors.session import count_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.cases import Case
    from selo.cases.oracle import Oracle
    from selo.protocol import messages as m
    from selo.vendors.reply_reader import Reply

    #: A shape, the choice of the bet, and each amount relative to the stake.
    _Likeness = tuple[DifferenceShape, str, tuple[int | None, ...]]


#: Kinds of differences that are kept: of those that some reading allows, and of the others. Later
#: ones are only counted, with the provisions behind them.
_MAX_KINDS: Final = 200
_MAX_FAULTS: Final = 50
_MAX_SAMPLES: Final = 12
_MAX_SPREAD: Final = 40
#: Descriptions of differences of one kind that are kept; later ones are kept as one.
_MAX_DESCRIPTIONS: Final = 60
_OTHER_DESCRIPTION: Final = "…"
#: The grounds of this many differences that look alike are worked out; after that, of one in
#: `_EXAMINED_EVERY`. The others are only checked against the readings that allow the last ones.
_EXAMINED_ALIKE: Final = 30
_EXAMINED_EVERY: Final = 16
#: The last grounds that are remembered for differences that look alike.
_MAX_GROUNDS: Final = 4
SETTLEMENT_PARTS: Final = ("result", "prize", "commission", "stake")


@dataclass(kw_only=True, slots=True)
class AnswerCount:
    """How many answers there were for one game and method."""

    cases: int = 0
    right: int = 0
    different: int = 0
    #: Questions that the law under examination does not answer.
    silent: int = 0
    #: Answers that the adapter failed to give.
    faults: int = 0
    #: Cases that the product cannot answer, as was declared.
    skipped: int = 0


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
    #: Of the cases without an answer, those that were skipped; how many, by circumstance.
    skipped_places: PlaceSet = field(default_factory=PlaceSet)
    skipped: dict[str, int] = field(default_factory=dict)
    #: Readings that the vendor contradicts elsewhere, although they allow some differences.
    denied: AbstractSet[tuple[str, str]] = frozenset()
    #: How the wrong answers fit other readings.
    reading_fit: ReadingFit = field(default_factory=ReadingFit)
    _alike: dict[_Likeness, int] = field(default_factory=dict)
    _grounds_alike: dict[_Likeness, list[DifferenceGrounds]] = field(default_factory=dict)
    #: Cases that ask for what the vendor does not offer; they are not examined.
    not_offered: int = 0

    def take(self, case: Case, reply: Reply, n: int = -1) -> None:
        """Count one answer; `n` is the place of its case in a plan."""
        count = self._count(case)
        count.cases += 1
        if reply.fault is not None:
            self._fault(count, reply.fault, n)
        elif reply.error is not None:
            self._fault(count, _error_fault(case, reply.error), n)
        elif reply.skipped is not None:
            count.skipped += 1
            self.unanswered_places.add(n)
            self.skipped_places.add(n)
            name = reply.skipped.skipped
            self.skipped[name] = self.skipped.get(name, 0) + 1
        elif case.method == "settle":
            self._settled(count, case, reply.result.settlements, n)
        else:
            self._compared(count, case, reply.result.order, n)

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

    def _count(self, case: Case) -> AnswerCount:
        return self.counts.setdefault((case.game, case.method), AnswerCount())

    def _settled(
        self, count: AnswerCount, case: Case, settlements: Sequence[m.Settlement], n: int
    ) -> None:
        problem = count_fault(len(case.bets), len(settlements)) or _fraction_fault(settlements)
        if problem is not None:
            self._fault(count, problem, n)
            return
        wrong = self.oracle.wrong_bets(case, settlements)
        if not wrong:
            count.right += 1
            return
        count.different += 1
        self.wrong_places.add(n)
        apart = AnswerReadings(self.oracle, case, settlements)
        for at in wrong:
            self.wrong_bets.add(n, at)
            self._differs(apart, at, n)
        self.reading_fit.take(apart, wrong)

    def _differs(self, apart: AnswerReadings, at: int, n: int) -> None:
        case, settlements = apart.case, apart.answer
        settlement = settlements[at]
        bet = case.bets[at]
        observed = told_parts(settlement)
        lawful = self.oracle.expected_parts(case, at, observed)
        shape = settlement_shape(case.game, bet["bet"], lawful, observed)
        amounts = tuple(
            relative_amount(amount[part], bet["stake"])
            for amount in (lawful, observed)
            for part in observed
            if part != SETTLEMENT_PARTS[0]
        )
        grounds = self._grounds((shape, str(bet.get("choice")), amounts), apart, at)
        kind = DifferenceKind(shape, grounds)
        description = Difference.describe_settlement(bet, lawful, observed)
        self._sample(kind, description, (case, list(settlements), at))
        if self._needs_example(kind, n, description):
            self.differences[kind] = Difference(
                case=case,
                bet=at,
                expected=lawful,
                observed=observed,
                n=n,
                reasons=_reasons_of(self.oracle, case, at),
                readings=grounds.readings,
                against=grounds.against,
            )

    def _grounds(
        self, likeness: _Likeness, apart: AnswerReadings, bet: int | None
    ) -> DifferenceGrounds:
        """Return the provisions behind a difference, and the readings under which it is lawful.

        Differences that look alike may rest on other provisions, and may be open or not. Working
        this out takes time, so it is done only for some of very many that look alike; but a
        difference is taken for lawful under a reading only after that reading was asked.
        """
        times = self._alike[likeness] = self._alike.get(likeness, 0) + 1
        remembered = self._grounds_alike.setdefault(likeness, [])
        if times > _EXAMINED_ALIKE and times % _EXAMINED_EVERY:
            for grounds in remembered:
                points = (*grounds.readings, *grounds.against)
                if not points:
                    # That no reading allows it is assumed only where no reading ever did.
                    same = len(remembered) == 1
                else:
                    same = all(apart.allows(point, bet) for point in points)
                if same:
                    return grounds
        reasons = _reasons_of(self.oracle, apart.case, bet or 0)
        allowing = tuple(apart.points(bet))
        grounds = DifferenceGrounds(
            frozenset(provision for provision, _ in reasons),
            tuple(point for point in allowing if not self.oracle.is_ruled(point[0])),
            tuple(point for point in allowing if self.oracle.is_ruled(point[0])),
        )
        if grounds in remembered:
            remembered.remove(grounds)
        remembered.insert(0, grounds)
        del remembered[_MAX_GROUNDS:]
        return grounds

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
        self.wrong_bets.add(n, 0)
        apart = AnswerReadings(self.oracle, case, order)
        shape = DifferenceShape(case.game, COMPARE, lawful, order)
        grounds = self._grounds((shape, "", ()), apart, None)
        self.reading_fit.take(apart, [])
        kind = DifferenceKind(shape, grounds)
        description = f"{COMPARE} {lawful}>{order}"
        self._sample(kind, description, (case, order, None))
        if self._needs_example(kind, n, description):
            self.differences[kind] = Difference(
                case=case,
                bet=None,
                expected={"order": lawful},
                observed={"order": order},
                n=n,
                reasons=_reasons_of(self.oracle, case, 0),
                readings=grounds.readings,
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
        is_open = bool(kind.grounds.readings)
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
        return sum(count.cases for count in self.counts.values())

    def deny(self, points: AbstractSet[tuple[str, str]]) -> None:
        """Exclude readings that the vendor contradicts from what makes differences lawful.

        Of several readings that allow a difference, those that allow the most differences are kept.
        """
        self.denied = points
        weight: dict[tuple[str, str], int] = {}
        for kind, difference in self.differences.items():
            for point in (*difference.readings, *difference.against):
                weight[point] = weight.get(point, 0) + self.times[kind]
        for kind, difference in self.differences.items():
            if difference.readings or difference.against:
                self.differences[kind] = msgspec.structs.replace(
                    difference,
                    readings=_likeliest_readings(difference.readings, points, weight),
                    against=_likeliest_readings(difference.against, points, weight),
                )

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


def _likeliest_readings(
    points: Points, denied: AbstractSet[tuple[str, str]], weight: Mapping[tuple[str, str], int]
) -> Points:
    """Return the readings that are not denied and allow the most differences."""
    left = [point for point in points if point not in denied]
    most = max((weight[point] for point in left), default=0)
    return tuple(point for point in left if weight[point] == most)


def settlement_shape(
    game: str, bet: str, expected: Mapping[str, Any], observed: Mapping[str, Any]
) -> DifferenceShape:
    """Return what a wrong settlement of a bet looks like."""
    differing = tuple(part for part in observed if observed[part] != expected[part])
    # Where no result is told, none is known.
    was, now = (side.get("result", "") for side in (expected, observed))
    return DifferenceShape(game, bet, was, now, differing)


def _error_fault(case: Case, error: m.Fault) -> AdapterFault:
    return make_fault(
        FaultKind.ERROR_ANSWER, method=case.method, code=error.code, problem=error.message
    )


def _fraction_fault(settlements: Sequence[Any]) -> AdapterFault | None:
    for at, settlement in enumerate(settlements):
        for part, amount in told_parts(settlement).items():
            if isinstance(amount, list) and not is_in_lowest_terms(amount):
                where = f"$.result.settlements[{at}].{part}"
                return make_fault(FaultKind.WRONG_SHAPE, problem="not in lowest terms", path=where)
    return None


def _reasons_of(oracle: Oracle, case: Case, at: int) -> tuple[tuple[str, str], ...]:
    return tuple((reason.provision, reason.role) for reason in oracle.derivation_of(case, at))
