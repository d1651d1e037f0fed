"""Finds a minimal example of a finding by asking the vendor for smaller and smaller cases.

1. The original case is asked again. If the answer differs now, the original is the example, and
   nothing is inferred from it about readings.
2. A smaller case shows the same if the same part of a bet is wrong for the same cause: as a mutant
   settles it, or depending on the blamed provisions. A case that a reading allows which the vendor
   may follow is not an example of a violation.
3. Derivation, readings and cause of the example are those of the smaller case.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from selo.cases.oracle import is_answer_of
from selo.cases.oracle.told_settlement import order_parts, told_parts
from selo.examine.findings.case_shrinker import shrink_case
from selo.protocol.messages import Compared
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Callable

    from selo.cases import Case
    from selo.examine.blame.root_causes import RootCause
    from selo.examine.tally import Difference, Points, Tally
    from selo.rules.mutants import Cause

    FindingVerdict = Literal["violates", "open", "protocol"]
    #: Puts one case to the vendor and returns settlements or order, or raises ValueError.
    Ask = Callable[[Case], Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class MinimalExample:
    """A case that shows a finding, and what follows from it."""

    case: Case
    bet: int | None
    expected: dict[str, Any]
    observed: dict[str, Any]
    reasons: tuple[tuple[str, str], ...]
    readings: Points
    against: Points
    #: The misreading of the law that explains this case, if one does.
    cause: Cause | None
    first: int
    #: Whether the vendor answered differently when it was asked again.
    unlike: bool = False


class ShownDifference(NamedTuple):
    """A difference that may stand for a finding, and the whole answer of the vendor."""

    difference: Difference
    answer: Any


def find_minimal_example(
    tally: Tally, shown: ShownDifference, verdict: FindingVerdict, cause: RootCause | None, ask: Ask
) -> MinimalExample:
    """Return a minimal example of a difference, asking the vendor."""
    difference, first_answer = shown
    search = _ExampleSearch(
        tally=tally,
        difference=difference,
        first_answer=first_answer,
        verdict=verdict,
        cause=cause,
        ask=ask,
    )
    if difference.odd:
        return search.original()
    answer = search.answer_to(difference.case)
    if answer is None:
        # The vendor does not answer any more: use the original case.
        return search.build_example(difference.case, difference.bet, first_answer)
    if _observed_in(answer, difference.bet) != difference.observed:
        return search.build_example(difference.case, difference.bet, first_answer, unlike=True)
    case, bet = shrink_case(difference.case, difference.bet, search.shows)
    return search.build_example(case, bet, search.answer_to(case))


@dataclass(kw_only=True)
class _ExampleSearch:
    """What a smaller case must show, and how the vendor is asked."""

    tally: Tally
    #: The difference that the example shows.
    difference: Difference
    #: The whole answer in which it was seen.
    first_answer: Any
    verdict: FindingVerdict
    cause: RootCause | None
    ask: Ask

    def answer_to(self, case: Case) -> Any:
        """Return the answer of the vendor; none if it does not answer."""
        try:
            answer = self.ask(case)
        except ValueError:
            return None
        return (
            self.tally.oracle.told_order(case, answer) if isinstance(answer, Compared) else answer
        )

    def shows(self, case: Case, bet: int | None) -> bool:
        """Return whether a smaller case shows the same difference."""
        try:
            return self._shows(case, bet)
        except (*ANSWER_ERRORS, AttributeError):
            # The case does not exist in the game, or the answer is malformed.
            return False

    def _shows(self, case: Case, bet: int | None) -> bool:
        # A case without a lawful answer is not asked.
        lawful = self.tally.oracle.answer(case)
        answer = None if lawful is None else self.answer_to(case)
        if answer is None or _is_lawful(self.tally, case, bet, answer):
            return False
        if self._manner_of(case, bet, answer) != self._manner_of(
            self.difference.case, self.difference.bet, None
        ):
            return False
        return self._has_same_cause(case, bet, answer)

    def _manner_of(self, case: Case, bet: int | None, answer: Any) -> Any:
        """Return in what manner a case is answered wrongly; without `answer`, the original."""
        if answer is None:
            expected, observed = self.difference.expected, self.difference.observed
        else:
            observed = _observed_in(answer, bet)
            expected = _expected_in(self.tally, case, bet, observed)
        if bet is None:
            return expected, observed
        differing = tuple(part for part in observed if expected[part] != observed[part])
        results = expected.get("result"), observed.get("result")
        return case.bets[bet]["bet"], *results, differing

    def _has_same_cause(self, case: Case, bet: int | None, answer: Any) -> bool:
        if self.verdict == "open":
            allowing = self.difference.together or self.difference.readings[:1]
            return self.tally.search.of(case, answer).allows(allowing, bet)
        readings, against = self._allowing_readings(case, bet, answer)
        if self.cause is None:
            return not readings
        if readings or any(point not in against for point in self.difference.against):
            return False
        if games := self._explaining_games:
            return any(is_lawful_under(game, case, answer, bet) for game in games)
        named = {name for name, _ in self._derivation(case, bet)}
        return {*self.cause.provisions} & {*self.difference.provisions} <= named

    @cached_property
    def _explaining_games(self) -> list[Any]:
        """The mutants of the cause that give the original answer; others explain other kinds."""
        case, bet = self.difference.case, self.difference.bet
        games = () if self.cause is None else self.cause.games
        return [game for game in games if is_lawful_under(game, case, self.first_answer, bet)]

    def _derivation(self, case: Case, bet: int | None) -> tuple[tuple[str, str], ...]:
        why = self.tally.oracle.derivation_of(case, bet or 0)
        return tuple((reason.provision, reason.role) for reason in why)

    def _allowing_readings(self, case: Case, bet: int | None, answer: Any) -> tuple[Points, Points]:
        """Return the readings that allow an answer and that other answers do not contradict.

        The first are of points without a ruling, the second are against a ruling.
        """
        oracle = self.tally.oracle
        lawful = self.tally.search.of(case, answer).explain(bet)
        points = [point for point in lawful.alone if point not in self.tally.denied]
        if not self.tally.denied & {*lawful.together}:
            points += lawful.together
        return (
            tuple(point for point in points if not oracle.is_ruled(point[0])),
            tuple(point for point in points if oracle.is_ruled(point[0])),
        )

    def build_example(
        self, case: Case, bet: int | None, answer: Any, *, unlike: bool = False
    ) -> MinimalExample:
        """Return a case as an example, with derivation, readings and cause."""
        observed = _observed_in(answer, bet)
        readings, against = ((), ()) if unlike else self._allowing_readings(case, bet, answer)
        if self.verdict == "open":
            # Other differences of the kind contradict the other readings that allow this case.
            known = (*self.difference.readings, *self.difference.together)
            readings = tuple(point for point in readings if point in known)
        return MinimalExample(
            case=case,
            bet=bet,
            expected=_expected_in(self.tally, case, bet, observed),
            observed=observed,
            reasons=self._derivation(case, bet),
            readings=readings,
            against=tuple(point for point in against if point in self.difference.against),
            cause=None if unlike else self._misreading_of(case, bet, answer, against),
            first=self.difference.n,
            unlike=unlike,
        )

    def original(self) -> MinimalExample:
        """Return the case of the difference itself as the example."""
        difference = self.difference
        return MinimalExample(
            case=difference.case, bet=difference.bet, expected=difference.expected,
            observed=difference.observed, reasons=difference.reasons,
            readings=difference.readings, against=(), cause=None, first=difference.n,
        )  # fmt: skip

    def _misreading_of(
        self, case: Case, bet: int | None, answer: Any, against: Points
    ) -> Cause | None:
        """Return the misreading of the law that explains this case, if one does."""
        for misreading in self.cause.misreadings if self.cause is not None else ():
            if misreading.point in against or (
                misreading.game is not None and is_lawful_under(misreading.game, case, answer, bet)
            ):
                return misreading.cause
        return None


def _is_lawful(tally: Tally, case: Case, bet: int | None, answer: Any) -> bool:
    """Return whether an answer is lawful."""
    if bet is None:
        return bool(tally.oracle.compare(case) == answer)
    return bet not in tally.oracle.wrong_bets(case, answer)


def is_lawful_under(game: Any, case: Case, answer: Any, bet: int | None) -> bool:
    """Return whether a game gives an answer."""
    try:
        return is_answer_of(game, case, answer, bet)
    except ANSWER_ERRORS:
        return False


def _observed_in(answer: Any, bet: int | None) -> dict[str, Any]:
    if bet is None:
        return order_parts(answer)
    return told_parts(answer[bet])


def _expected_in(
    tally: Tally, case: Case, bet: int | None, observed: dict[str, Any]
) -> dict[str, Any]:
    if bet is None:
        return tally.oracle.expected_order(case, observed)
    return tally.oracle.expected_parts(case, bet, observed)
