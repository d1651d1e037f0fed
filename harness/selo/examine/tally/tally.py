"""Counts what was asked and answered, and keeps one example of each way to be wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.examine.tally.answer_difference import Difference, Points
from selo.examine.tally.reading_fit import Apart, Told, size
from selo.vendors.faults import Fault, Kind, fault
from selo.vendors.reply_reader import lowest_terms
from selo.vendors.session import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.cases import Case
    from selo.cases.oracle import Expected, Oracle
    from selo.protocol import messages as m
    from selo.vendors.reply_reader import Reply


_BITS: Final = 8


class Marks:
    """Some places of a plan."""

    def __init__(self) -> None:
        self._bits = bytearray()

    def add(self, place: int) -> None:
        """Mark a place; what stands in no plan has none."""
        if place < 0:
            return
        byte, bit = divmod(place, _BITS)
        if byte >= len(self._bits):
            self._bits.extend(bytes(byte + 1 - len(self._bits)))
        self._bits[byte] |= 1 << bit

    def __contains__(self, place: int) -> bool:
        byte, bit = divmod(place, _BITS)
        return 0 <= byte < len(self._bits) and bool(self._bits[byte] >> bit & 1)

    def __bool__(self) -> bool:
        return any(self._bits)


#: So many differences that some reading allows are told apart, and so many that none does; after
#: that they are counted, with the provisions that they rest on.
_MOST_DIFFERENCES: Final = 200
_MOST_FAULTS: Final = 50
_SAMPLES: Final = 12
#: So many differences that look alike are looked at closely, and after that one in so many; of the
#: others it is only asked whether the readings that allow the last ones allow them too.
_LOOKED_AT: Final = 30
_THEN_EVERY: Final = 16
#: So many grounds of differences that look alike are remembered, the last ones.
_MOST_KNOWN: Final = 4
PARTS: Final = ("result", "prize", "commission", "stake")
#: Where in a kind of difference its grounds stand.
_PROVISIONS: Final = -3
_READINGS: Final = -2


#: The provisions behind a difference, and the readings that bear on it.
Grounds = tuple[frozenset[str], Points, Points]


@dataclass(kw_only=True, slots=True)
class Count:
    """How many answers there were for one game and method."""

    cases: int = 0
    right: int = 0
    different: int = 0
    #: Questions on which the law held here is silent: nobody can be right or wrong.
    silent: int = 0
    #: Answers that were no answers.
    faults: int = 0


@dataclass(slots=True)
class Tally:
    """All that is known of the answers so far; it does not grow with their number."""

    oracle: Oracle
    counts: dict[tuple[str, str], Count] = field(default_factory=dict)
    differences: dict[tuple[Any, ...], Difference] = field(default_factory=dict)
    times: dict[tuple[Any, ...], int] = field(default_factory=dict)
    samples: dict[tuple[Any, ...], list[tuple[Case, Any, int | None]]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    #: How many differences stand in no list, and of the provisions behind them, in how many.
    unlisted: int = 0
    beyond: dict[str, int] = field(default_factory=dict)
    #: The places in the plan of cases that were settled otherwise, and of those without an answer.
    otherwise: Marks = field(default_factory=Marks)
    unsound: Marks = field(default_factory=Marks)
    #: Readings that the vendor does not follow, whatever some differences look like.
    denied: AbstractSet[tuple[str, str]] = frozenset()
    #: How the answers that were wrong fit other readings.
    told: Told = field(default_factory=Told)
    _looked: dict[tuple[Any, ...], int] = field(default_factory=dict)
    _known_grounds: dict[tuple[Any, ...], list[Grounds]] = field(default_factory=dict)
    #: Cases that ask for what the vendor does not offer: not examined.
    not_offered: int = 0

    def take(self, case: Case, reply: Reply, n: int = -1) -> None:
        """Count one answer; `n` is the place of its case in a plan."""
        count = self._count(case)
        count.cases += 1
        if reply.fault is not None:
            self._fault(count, reply.fault, n)
        elif reply.error is not None:
            self._fault(count, _error(case, reply.error), n)
        elif case.method == "settle":
            self._settled(count, case, reply.result.settlements, n)
        else:
            self._compared(count, case, reply.result.order, n)

    def take_all(self, cases: Sequence[Case], answers: Sequence[Any]) -> None:
        """Count the answers to many settlements that came back without a flaw."""
        wrong = self.oracle.wrong
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

    def _count(self, case: Case) -> Count:
        return self.counts.setdefault((case.game, case.method), Count())

    def _settled(
        self, count: Count, case: Case, settlements: Sequence[m.Settlement], n: int
    ) -> None:
        found = counted(len(case.bets), len(settlements)) or _fractions(settlements)
        if found is not None:
            self._fault(count, found, n)
            return
        wrong = self.oracle.wrong(case, settlements)
        if not wrong:
            count.right += 1
            return
        count.different += 1
        self.otherwise.add(n)
        apart = Apart(self.oracle, case, settlements)
        expected = self.oracle.expected(case)
        for at in wrong:
            self._differs(apart, at, expected[at], n)
        self.told.take(apart, wrong)

    def _differs(self, apart: Apart, at: int, expected: Expected, n: int) -> None:
        case, settlements = apart.case, apart.answer
        given = settlements[at]
        plain = {part: getattr(given, part) for part in PARTS}
        wanted = {
            "result": expected.result,
            "prize": expected.prize,
            "commission": expected.commission,
            "stake": expected.back[-1] if plain["stake"] not in expected.back else plain["stake"],
        }
        bet = case.bets[at]
        base = settled_as(case.game, bet["bet"], wanted, plain)
        amounts = [size(of[part], bet["stake"]) for of in (wanted, plain) for part in PARTS[1:]]
        grounds = self._grounds((*base, str(bet.get("choice")), *amounts), apart, at)
        kind = (*base, *grounds)
        self._sample(kind, case, list(settlements), at)
        if self._known(kind):
            return
        self.differences[kind] = Difference(
            case=case,
            bet=at,
            expected=wanted,
            observed=plain,
            n=n,
            reasons=_reasons(self.oracle, case, at),
            readings=grounds[1],
            against=grounds[2],
        )

    def _grounds(self, base: tuple[Any, ...], apart: Apart, bet: int | None) -> Grounds:
        """Return the provisions behind a difference, and the readings under which it is none.

        Differences that look alike may rest on other provisions, and may be open or not. Finding
        out takes time, so of very many that look alike only some are looked at; but none is taken
        for lawful under a reading that does not have it so.
        """
        times = self._looked[base] = self._looked.get(base, 0) + 1
        known = self._known_grounds.setdefault(base, [])
        if times > _LOOKED_AT and times % _THEN_EVERY:
            for one in known:
                points = (*one[1], *one[2])
                # What no reading allows is taken for the same only where none ever did.
                if all(apart.allows(point, bet) for point in points) if points else len(known) == 1:
                    return one
        reasons = _reasons(self.oracle, apart.case, bet or 0)
        allowing = tuple(apart.points(bet))
        found = (
            frozenset(provision for provision, _ in reasons),
            tuple(one for one in allowing if not self.oracle.ruled(one[0])),
            tuple(one for one in allowing if self.oracle.ruled(one[0])),
        )
        if found in known:
            known.remove(found)
        known.insert(0, found)
        del known[_MOST_KNOWN:]
        return found

    def _compared(self, count: Count, case: Case, order: str, n: int) -> None:
        wanted = self.oracle.order(case)
        if wanted is None:
            count.silent += 1
            return
        if wanted == order:
            count.right += 1
            return
        count.different += 1
        self.otherwise.add(n)
        apart = Apart(self.oracle, case, order)
        base = (case.game, "compare", wanted, order)
        grounds = self._grounds(base, apart, None)
        self.told.take(apart, [])
        kind = (*base, *grounds)
        self._sample(kind, case, order, None)
        if not self._known(kind):
            self.differences[kind] = Difference(
                case=case,
                bet=None,
                expected={"order": wanted},
                observed={"order": order},
                n=n,
                reasons=_reasons(self.oracle, case, 0),
                readings=grounds[1],
                against=grounds[2],
            )

    def _sample(self, kind: tuple[Any, ...], case: Case, answer: Any, bet: int | None) -> None:
        """Keep a few cases of each kind, by which a cause can be told from another."""
        if kind not in self.samples and self._full(kind):
            return
        kept = self.samples.setdefault(kind, [])
        if len(kept) < _SAMPLES and (not kept or kept[-1][0] is not case):
            kept.append((case, answer, bet))

    def _known(self, kind: tuple[Any, ...]) -> bool:
        """Return whether a difference of this kind needs no example any more, and count it."""
        self.times[kind] = self.times.get(kind, 0) + 1
        if kind in self.differences:
            return True
        if self._full(kind):
            self.unlisted += 1
            self.times.pop(kind)
            for name in kind[_PROVISIONS]:
                self.beyond[name] = self.beyond.get(name, 0) + 1
            return True
        return False

    def _full(self, kind: tuple[Any, ...]) -> bool:
        """Return whether no more kinds are kept that some reading allows, or that none does."""
        alike = sum(
            difference.open == bool(kind[_READINGS]) for difference in self.differences.values()
        )
        return alike >= _MOST_DIFFERENCES

    def _fault(self, count: Count, found: Fault, n: int) -> None:
        count.faults += 1
        self.unsound.add(n)
        self.blame([found])

    def blame(self, faults: Iterable[Fault]) -> None:
        """Keep faults of the adapter, one of each kind."""
        for found in faults:
            known = {(fault.kind, fault.path, *fault.slots.values()) for fault in self.faults}
            at = (found.kind, found.path, *found.slots.values())
            if at not in known and len(self.faults) < _MOST_FAULTS:
                self.faults.append(found)

    @property
    def cases(self) -> int:
        """How many cases were answered."""
        return sum(count.cases for count in self.counts.values())

    def deny(self, points: AbstractSet[tuple[str, str]]) -> None:
        """Let no difference be lawful under readings that the vendor does not follow.

        Of several readings that allow a difference, those are believed that allow the most.
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
                    readings=_likeliest(difference.readings, points, weight),
                    against=_likeliest(difference.against, points, weight),
                )

    @property
    def violates(self) -> bool:
        """Whether anything was settled as no reading of the law would have it."""
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


def _likeliest(
    some: Points, denied: AbstractSet[tuple[str, str]], weight: Mapping[tuple[str, str], int]
) -> Points:
    """Return the readings that are not denied and allow the most differences."""
    left = [point for point in some if point not in denied]
    most = max((weight[point] for point in left), default=0)
    return tuple(point for point in left if weight[point] == most)


def raw_readings(kind: tuple[Any, ...]) -> Points:
    """Return the readings of open points that allow a kind of differences, followed or not."""
    found: Points = kind[_READINGS]
    return found


def settled_as(
    game: str, bet: str, expected: Mapping[str, Any], observed: Mapping[str, Any]
) -> tuple[Any, ...]:
    """Return by what differences are alike at first sight: the bet, its results, what differs."""
    differing = tuple(part for part in PARTS if observed[part] != expected[part])
    return game, bet, expected["result"], observed["result"], differing


def _error(case: Case, error: m.Fault) -> Fault:
    return fault(Kind.ERROR_ANSWER, method=case.method, code=error.code, problem=error.message)


def _fractions(settlements: Sequence[m.Settlement]) -> Fault | None:
    for at, settlement in enumerate(settlements):
        for part in ("prize", "commission"):
            if not lowest_terms(getattr(settlement, part)):
                where = f"$.result.settlements[{at}].{part}"
                return fault(Kind.WRONG_SHAPE, problem="not in lowest terms", path=where)
    return None


def _reasons(oracle: Oracle, case: Case, at: int) -> tuple[tuple[str, str], ...]:
    return tuple((reason.provision, reason.role) for reason in oracle.why(case, at))
