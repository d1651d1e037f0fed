"""Cases over the factors that every game has, combined by covering arrays.

| factor | levels |
|---|---|
| outcome | outcomes on which everything becomes of a bet that can become of it |
| stake | beside powers of two, odd, usual, and the highest |
| each option | its values, and none where a table may leave it out |
| place | the place, or the bettor, of the person who lays every bet |
| persons | how many lay bets: one, two, three, all |
| repetition | each bet once, twice or thrice in a row, or all of them once more |
| order | as the law lists the bets, reversed, shuffled; each winner first and last by turns |
| names | whether bettors are named |
| additions | whether bets are added to those that allow it |
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from selo.cases.aspects.bet_layout import join, reorder
from selo.cases.aspects.game_sample import with_option
from selo.cases.case import settlement_case
from selo.cases.covering_array import cover_levels, cover_pairs
from selo.cases.group import Group

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from selo.cases.aspects.game_sample import GameSample
    from selo.cases.case import Case
    from selo.table_values import Bet, Options, Outcome

#: Sizes of integers in programs, in bits; 24 bits are the integers of single precision.
_WORD_BITS: Final = (8, 16, 24, 31, 32)
#: Stakes at which a twentieth or a half in floating point is easily a unit away.
_ODD_STAKES: Final = (1, 3, 7, 19, 33, 99, 110, 999, 10_001, 1_000_003)
#: How often bets that do not lose are laid, and whether equal ones lie next to each other.
_REPETITIONS: Final = {
    "once": (1, False),
    "twice-in-a-row": (2, True),
    "thrice-in-a-row": (3, True),
    "twice": (2, False),
}
_LISTED, _REVERSED, _SHUFFLED = "listed", "reversed", "shuffled"


def edge_stakes(highest: int) -> list[int]:
    """Return the powers of two that are sizes of integers, and the stakes beside them."""
    edges = [(1 << bits) + beside for bits in _WORD_BITS for beside in (-1, 0, 1)]
    return [stake for stake in edges if stake <= highest]


class _Table(NamedTuple):
    """A row of the array: one level of each factor."""

    outcome: Outcome
    stake: int
    place: int
    persons: int
    repetition: str
    order: str
    named: bool
    additions: bool
    options: Options


class FactorCases:
    """The cases of the factors of one game."""

    def __init__(self, sample: GameSample) -> None:
        self._sample, self._setting, self._layout = sample, sample.setting, sample.layout

    def groups(self) -> Iterator[Group]:
        """Yield a group with every level, and one with every two levels."""
        yield Group(
            name="every-level", budget="quick", cases=self._every_level, design="levels",
            factors=lambda: self._sizes(self._few_outcomes),
        )  # fmt: skip
        yield Group(
            name="every-two-levels", budget="standard", cases=self._every_two_levels,
            design="pairs", factors=lambda: self._sizes(self._sample.outcomes),
        )  # fmt: skip

    @cached_property
    def _levels(self) -> dict[str, Sequence[Any]]:
        """The levels of every factor but the outcome and the options."""
        layout, highest = self._layout, self._setting.highest_stake()
        count = len(self._sample.persons)
        repetitions = list(_REPETITIONS)
        return {
            "stake": [*edge_stakes(highest), *_ODD_STAKES, self._setting.stake(), highest],
            "place": range(count),
            "persons": sorted({1, min(2, count), min(3, count), count}),
            "repetition": repetitions,
            "order": [_LISTED, _REVERSED, _SHUFFLED],
            "names": [True] if layout.names_bettors else [False, True],
            "additions": [True, False] if layout.has_additions else [True],
        }

    def _sizes(self, outcomes: Sequence[Outcome]) -> dict[str, int]:
        """Return the number of levels of each factor."""
        factors = {"outcome": outcomes, **self._levels, **self._sample.options}
        return {name: len(levels) for name, levels in factors.items()}

    def _every_level(self) -> Iterator[Case]:
        chance = self._setting.chance("every-level")
        return self._cases("every-level", cover_levels, self._few_outcomes, chance)

    @cached_property
    def _few_outcomes(self) -> list[Outcome]:
        """As many outcomes as the largest factor has levels, so that each makes one case."""
        levels = (*self._levels.values(), *self._sample.options.values())
        shown = self._sample.shown_outcomes
        count = min(len(shown), max(map(len, levels)))
        return self._setting.chance("few-outcomes").sample(shown, count)

    def _every_two_levels(self) -> Iterator[Case]:
        chance = self._setting.chance("every-two-levels")
        return self._cases("every-two-levels", cover_pairs, self._sample.outcomes, chance)

    def _cases(
        self, group: str, cover: Any, outcomes: Sequence[Outcome], chance: Random
    ) -> Iterator[Case]:
        options = self._sample.options
        factors: list[Sequence[Any]] = [outcomes, *self._levels.values(), *options.values()]
        shared: dict[tuple[Any, ...], Options] = {}
        turns: Counter[int] = Counter()
        for row in cover([len(levels) for levels in factors], chance):
            values = [levels[level] for levels, level in zip(factors, row, strict=True)]
            chosen = tuple(row[-len(options) :]) if options else ()
            if chosen not in shared:
                shared[chosen] = _named_options(options, values)
            table = _Table._make([*values[: len(_Table._fields) - 1], shared[chosen]])
            yield self._case(group, table, turns[row[0]], chance)
            turns[row[0]] += 1

    def _case(self, group: str, table: _Table, turn: int, chance: Random) -> Case:
        layout, sample = self._layout, self._sample
        persons = [*sample.persons[table.place :], *sample.persons[: table.place]]
        persons = persons[: table.persons]
        # Where nobody has a place, only names tell persons apart.
        named = table.named or (layout.duel is None and len(persons) > 1)
        outcome = layout.deal_to(table.outcome, persons, sample.hands, chance)
        bets: list[Bet] = []
        for person in persons:
            laid = layout.lay(
                outcome, table.options, person, table.stake,
                named=named, with_additions=table.additions,
            )  # fmt: skip
            own = layout.keep_winners(outcome, table.options, laid) if bets else laid
            bets = join(bets, own)
        bets = self._repeat(bets, outcome, table)
        bets = reorder(bets, self._order(bets, outcome, table, turn, chance))
        return settlement_case(self._setting.game, group, outcome, bets, table.options)

    def _repeat(self, bets: list[Bet], outcome: Outcome, table: _Table) -> list[Bet]:
        """Return bets, and those that do not lose once more as the row has it."""
        times, in_a_row = _REPETITIONS[table.repetition]
        if in_a_row:
            winners = {*self._layout.find_winners(outcome, table.options, bets)}
            order = [at for at in range(len(bets)) for _ in range(times if at in winners else 1)]
            return reorder(bets, order)
        again = self._layout.keep_winners(outcome, table.options, bets) if times > 1 else []
        for _ in range(1, times):
            bets = join(bets, again)
        return bets

    def _order(
        self, bets: list[Bet], outcome: Outcome, table: _Table, turn: int, chance: Random
    ) -> list[int]:
        """Return the order of bets: those that do not lose come first and last by turns."""
        order = list(range(len(bets)))
        if table.order == _REVERSED:
            order.reverse()
        elif table.order == _SHUFFLED:
            chance.shuffle(order)
        winners = self._layout.find_winners(outcome, table.options, bets)
        winners = [at for at in winners if "to" not in bets[at]]
        if winners:
            first, last = winners[turn % len(winners)], winners[-1 - turn % len(winners)]
            order = [first, *[at for at in order if at not in {first, last}], *{last} - {first}]
        return order


def _named_options(options: dict[str, list[Any]], values: Sequence[Any]) -> Options:
    """Return the options of a row, whose values are the last of `values`."""
    chosen: Options = {}
    for name, value in zip(options, values[len(values) - len(options) :], strict=True):
        chosen = with_option(chosen, name, value)
    return chosen
