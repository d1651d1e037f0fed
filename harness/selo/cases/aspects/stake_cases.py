"""Cases of bets that depend on others, with stakes that are far apart.

A bet that is added to another, needs one beside it, or asks which lie at its place is laid with a
stake that stands in some relation to theirs: beside it, beside the limit that its odds set, equal
in the last 8, 16, 31 or 32 bits, or many times as high.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, cast

from selo.cases.aspects.factor_cases import edge_stakes
from selo.cases.case import settlement_case
from selo.cases.covering_array import cover_pairs
from selo.cases.group import Group

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from selo.cases.aspects.game_sample import GameSample, Goal
    from selo.cases.case import Case
    from selo.table_values import Bet

#: The first stake where it is not beside a power of two: its half, third and fifth are whole.
_USUAL_STAKE: Final = 60
_WORD_BITS: Final = (8, 16, 31, 32)
_TIMES: Final = (2, 100, 1 << 8, 1 << 16, 1 << 31)
#: How often the dependent bet is laid.
_REPETITIONS: Final = (1, 2, 3)
_REFUSED: Final = "refused"


class StakeCases:
    """The cases of dependent bets of one game."""

    def __init__(self, sample: GameSample) -> None:
        self._sample, self._setting, self._layout = sample, sample.setting, sample.layout

    def groups(self) -> Iterator[Group]:
        """Yield the group, if some bet depends on another."""
        if self._layout.dependent:
            yield Group(
                name="stakes-apart", budget="standard", cases=self._stakes_apart, design="pairs",
                factors=lambda: {
                    "settlement": len(self._goals),
                    "stake": len(self._first_stakes),
                    "relation": len(self._relations),
                    "repetition": len(_REPETITIONS),
                },
            )  # fmt: skip

    @cached_property
    def _goals(self) -> list[Goal]:
        """What becomes of each dependent bet, but a refusal."""
        return [
            goal
            for goal in self._sample.goals
            if goal.spot["bet"] in self._layout.dependent and goal.result != _REFUSED
        ]

    @cached_property
    def _first_stakes(self) -> list[int]:
        return [_USUAL_STAKE, *edge_stakes(self._setting.highest_stake())]

    @cached_property
    def _relations(self) -> list[Callable[[int], int]]:
        """The stakes of a dependent bet, by the stake of the others."""
        beside = [partial(_add, more) for more in (-1, 0, 1)]
        same_bits = [partial(_add, 1 << bits) for bits in _WORD_BITS]
        times = [partial(_multiply, times) for times in _TIMES]
        odds = {
            prize.odds
            for name in self._layout.dependent
            for prize in self._setting.bets()[name].prizes
            if prize.odds > 0
        }
        limits = [
            partial(_reach_limit, ratio, more) for ratio in sorted(odds) for more in (-1, 0, 1)
        ]
        return [*beside, *same_bits, *times, *limits]

    def _stakes_apart(self) -> Iterator[Case]:
        chance = self._setting.chance("stakes-apart")
        goals, stakes, relations = self._goals, self._first_stakes, self._relations
        highest = self._setting.highest_stake()
        persons = self._sample.persons
        sizes = [len(goals), len(stakes), len(relations), len(_REPETITIONS)]
        for row in cover_pairs(sizes, chance):
            goal, first = goals[row[0]], stakes[row[1]]
            other = relations[row[2]](first)
            if not 0 < other <= highest:
                # Then the others have the high stake, and this bet the low one.
                first, other = highest, first
            person = chance.choice(persons)
            outcome = self._layout.seat_first(goal.outcome, person)
            laid = self._layout.lay(outcome, goal.options, person, first)
            bets = self._lay_apart(laid, goal, other, _REPETITIONS[row[3]])
            yield settlement_case(self._setting.game, "stakes-apart", outcome, bets, goal.options)

    def _lay_apart(self, laid: list[Bet], goal: Goal, stake: int, times: int) -> list[Bet]:
        """Return the bet of a goal with its own stake, and the bets it may depend on."""
        at = next(at for at, bet in enumerate(laid) if self._layout.spot_of(bet) == goal.spot)
        bet = laid[at]
        if "to" in bet:
            base = laid[bet["to"]]
            return [base, *[cast("Bet", {**bet, "to": 0, "stake": stake})] * times]
        kept: list[Bet] = [
            other
            for other in laid
            if other is not bet and "to" not in other and self._layout.may_need(bet, other)
        ]
        return [*kept, *[cast("Bet", {**bet, "stake": stake})] * times]


def _add(more: int, stake: int) -> int:
    return stake + more


def _multiply(times: int, stake: int) -> int:
    return stake * times


def _reach_limit(odds: Fraction, more: int, stake: int) -> int:
    """Return the stake whose prize at `odds` is about as high as `stake`."""
    return int(stake / odds) + more
