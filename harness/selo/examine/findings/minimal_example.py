"""The case by which a finding is shown: put once more, and made as small as it can be.

1. The case that was seen is asked again. If the answer is another now, it is shown as it was, and
   nothing is concluded from it about readings.
2. A smaller case shows the same if the same of a bet is wrong, for the same cause: as the misread
   provision has it, or resting on the provisions that are blamed. What a reading allows that the
   vendor follows is no example of a breach.
3. Derivation, readings and words are those of the case that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from selo.cases.oracle import lawful_under
from selo.examine.findings.case_shrinker import smallest
from selo.examine.tally import PARTS
from selo.rules.mutants import UNRULY

if TYPE_CHECKING:
    from collections.abc import Callable

    from selo.cases import Case
    from selo.examine.blame.root_causes import Cause
    from selo.examine.tally import Difference, Points, Tally

    Kind = tuple[Any, ...]
    Said = Literal["violates", "open", "protocol"]
    #: Puts one case to the vendor and returns settlements or order, or raises ValueError.
    Ask = Callable[[Case], Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """A case that shows a finding, and all that follows from the case."""

    case: Case
    bet: int | None
    expected: dict[str, Any]
    observed: dict[str, Any]
    reasons: tuple[tuple[str, str], ...]
    readings: Points
    against: Points
    #: How the law seems to have been misread, if that explains this case.
    words: str
    first: int
    #: Whether the vendor gave another answer when it was asked again.
    unlike: bool = False


def shown(tally: Tally, kind: Kind, verdict: Said, cause: Cause | None, ask: Ask) -> Example:
    """Return the example of a kind of differences, asking the vendor for a smaller one."""
    looking = _Looking(tally=tally, kind=kind, verdict=verdict, cause=cause, ask=ask)
    one = tally.differences[kind]
    answer = looking.answer_to(one.case)
    if answer is None:
        # Nobody answers now: what was seen is shown.
        return looking.example(one.case, one.bet, tally.samples[kind][0][1])
    if _observed(answer, one.bet) != one.observed:
        return looking.example(one.case, one.bet, tally.samples[kind][0][1], unlike=True)
    case, bet = smallest(one.case, one.bet, looking.shows)
    return looking.example(case, bet, looking.answer_to(case))


@dataclass(kw_only=True)
class _Looking:
    """What a smaller case must show, and what is known of answers."""

    tally: Tally
    kind: Kind
    verdict: Said
    cause: Cause | None
    ask: Ask
    _manner: Any = field(default=None)

    @property
    def one(self) -> Difference:
        return self.tally.differences[self.kind]

    def answer_to(self, case: Case) -> Any:
        """Return what the vendor answers, or nothing if it does not."""
        try:
            return self.ask(case)
        except ValueError:
            return None

    def shows(self, case: Case, bet: int | None) -> bool:
        """Return whether a smaller case shows what is to be shown."""
        try:
            return self._shows(case, bet)
        except (*UNRULY, AttributeError):
            # The game has no such case, or the vendor no such answer.
            return False

    def _shows(self, case: Case, bet: int | None) -> bool:
        # What the law has no answer to is not asked.
        lawful = self.tally.oracle.answer(case)
        answer = None if lawful is None else self.answer_to(case)
        if answer is None or _lawfully(self.tally, case, bet, answer):
            return False
        if self._of(case, bet, answer) != self._of(self.one.case, self.one.bet, None):
            return False
        return self._caused(case, bet, answer)

    def _of(self, case: Case, bet: int | None, answer: Any) -> Any:
        """Return in what manner a case is answered wrongly."""
        one = self.one
        if answer is None:
            expected, observed = one.expected, one.observed
        else:
            observed = _observed(answer, bet)
            expected = _expected(self.tally, case, bet, observed)
        if bet is None:
            return expected, observed
        differing = tuple(part for part in PARTS if expected[part] != observed[part])
        return case.bets[bet]["bet"], expected["result"], observed["result"], differing

    def _caused(self, case: Case, bet: int | None, answer: Any) -> bool:
        readings, against = self._readings(case, bet, answer)
        if self.verdict == "open":
            return self.one.readings[0] in readings
        if self.cause is None:
            return not readings
        if readings or any(point not in against for point in self.one.against):
            return False
        if self.cause.games:
            return any(_answers(game, case, bet, answer) for game in self.cause.games)
        named = {name for name, _ in self._reasons(case, bet)}
        return {*self.cause.provisions} & {*self.one.provisions} <= named

    def _reasons(self, case: Case, bet: int | None) -> tuple[tuple[str, str], ...]:
        why = self.tally.oracle.why(case, bet or 0)
        return tuple((reason.provision, reason.role) for reason in why)

    def _readings(self, case: Case, bet: int | None, answer: Any) -> tuple[Points, Points]:
        """Return the readings that the vendor may follow and that allow an answer.

        Those of points on which nobody has ruled come first, then those against a ruling.
        """
        oracle = self.tally.oracle
        points = [
            point for point in oracle.readings(case, answer, bet) if point not in self.tally.denied
        ]
        return (
            tuple(point for point in points if not oracle.ruled(point[0])),
            tuple(point for point in points if oracle.ruled(point[0])),
        )

    def example(self, case: Case, bet: int | None, answer: Any, *, unlike: bool = False) -> Example:
        """Return a case as an example, with what follows from it."""
        observed = _observed(answer, bet)
        readings, against = ((), ()) if unlike else self._readings(case, bet, answer)
        if self.verdict == "open":
            # Of what else allows this one case the others say otherwise.
            readings = tuple(point for point in readings if point in self.one.readings)
        return Example(
            case=case,
            bet=bet,
            expected=_expected(self.tally, case, bet, observed),
            observed=observed,
            reasons=self._reasons(case, bet),
            readings=readings,
            against=tuple(point for point in against if point in self.one.against),
            words="" if unlike else self._words(case, bet, answer, against),
            first=self.one.n,
            unlike=unlike,
        )

    def _words(self, case: Case, bet: int | None, answer: Any, against: Points) -> str:
        """Return how the law seems to have been misread, if that explains this case."""
        for told in self.cause.told if self.cause is not None else ():
            if told.point in against or (
                told.game is not None and _answers(told.game, case, bet, answer)
            ):
                return told.words
        return ""


def _lawfully(tally: Tally, case: Case, bet: int | None, answer: Any) -> bool:
    """Return whether an answer is right."""
    if bet is None:
        return bool(tally.oracle.order(case) == answer)
    return bet not in tally.oracle.wrong(case, answer)


def _answers(game: Any, case: Case, bet: int | None, answer: Any) -> bool:
    try:
        return lawful_under(game, case, answer, bet)
    except UNRULY:
        return False


def _observed(answer: Any, bet: int | None) -> dict[str, Any]:
    if bet is None:
        return {"order": answer}
    return {part: getattr(answer[bet], part) for part in PARTS}


def _expected(
    tally: Tally, case: Case, bet: int | None, observed: dict[str, Any]
) -> dict[str, Any]:
    if bet is None:
        return {"order": tally.oracle.order(case)}
    wanted = tally.oracle.expected(case)[bet]
    back = wanted.back
    return {
        "result": wanted.result,
        "prize": wanted.prize,
        "commission": wanted.commission,
        "stake": observed["stake"] if observed["stake"] in back else back[-1],
    }
