"""Cases of long histories in games of throws: the same bet again and again, over many throws.

1. Throws that no bet tells apart by itself are one kind.
2. The kinds of some throws in a row are the factors: every two kinds meet at every two places.
3. Every bet is placed before every throw before which it is taken, so again after its round.
4. Some rounds go on for more throws than a small counter holds.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Final

from selo.cases.case import settlement_case
from selo.cases.covering_array import cover_pairs
from selo.cases.group import Group

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from selo.cases.aspects.game_sample import GameSample
    from selo.cases.case import Case
    from selo.table_values import Outcome

    Throw = Sequence[int]

_THROWS_IN_A_ROW: Final = 8
#: Numbers of throws beside those that a counter of few bits holds.
_MANY_THROWS: Final = (17, 33, 65, 129, 257)
_ENDS_OF_LONG_ROUNDS: Final = 4
_THROWS_AFTER: Final = 4


class HistoryCases:
    """The cases of histories of a game of throws."""

    def __init__(self, sample: GameSample) -> None:
        self._sample, self._setting, self._layout = sample, sample.setting, sample.layout

    def groups(self) -> Iterator[Group]:
        """Yield the group of histories."""
        yield Group(
            name="histories", budget="standard", cases=self._histories, design="pairs",
            factors=lambda: {
                f"throw {at + 1}": len(self._kinds) for at in range(_THROWS_IN_A_ROW)
            },
        )  # fmt: skip
        yield Group(
            name="long-histories", budget="standard", cases=self._long_histories, design="pairs",
            factors=lambda: {"throws": len(_MANY_THROWS), "end": len(self._ends)},
        )  # fmt: skip

    @cached_property
    def _kinds(self) -> list[Throw]:
        """One throw of each kind."""
        person = self._sample.persons[0]
        kinds: dict[Hashable, Throw] = {}
        for outcome in self._sample.shown_outcomes:
            if len(outcome["throws"]) == 1:
                bets = self._layout.lay(outcome, {}, person, self._setting.stake())
                settled = self._layout.settle({}, outcome, bets)
                kinds.setdefault(str([*zip(bets, settled, strict=True)]), outcome["throws"][0])
        return [kinds[kind] for kind in sorted(kinds, key=str)]

    def _histories(self) -> Iterator[Case]:
        chance = self._setting.chance("histories")
        kinds = self._kinds
        for row in cover_pairs([len(kinds)] * _THROWS_IN_A_ROW, chance):
            throws = [kinds[kind] for kind in row]
            yield self._case("histories", throws, range(len(throws)))

    def _long_histories(self) -> Iterator[Case]:
        """Yield rounds that one kind of throw prolongs, each with the same bets once more after."""
        chance = self._setting.chance("long-histories")
        first, filler = self._longest_round
        for many in _MANY_THROWS:
            for end in self._ends:
                again = [chance.choice(self._kinds) for _ in range(_THROWS_AFTER)]
                throws = [first, *[filler] * (many - 1), end, *again]
                moments = [0, 1, many // 2, many - 1, *range(many, len(throws))]
                yield self._case("long-histories", throws, moments)

    @cached_property
    def _ends(self) -> list[Throw]:
        """The kinds of throws that come after a long round."""
        return self._setting.shuffle_by_seed("ends", self._kinds)[:_ENDS_OF_LONG_ROUNDS]

    @cached_property
    def _longest_round(self) -> tuple[Throw, Throw]:
        """A first throw, and one that may follow it often: most bets still stand after both."""
        person, stake = self._sample.persons[0], self._setting.stake()

        def count_standing(pair: tuple[Throw, Throw]) -> int:
            outcome: Outcome = {"throws": [*pair, pair[-1]]}
            bets = self._layout.lay_at(outcome, person, stake, range(len(pair)))
            results = self._layout.settle({}, outcome, bets)
            return [settlement["result"] for settlement in results].count("stands")

        return max(product(self._kinds, self._kinds), key=count_standing)

    def _case(self, group: str, throws: Sequence[Throw], moments: Iterable[int]) -> Case:
        outcome: Outcome = {"throws": [*throws]}
        person, stake = self._sample.persons[0], self._setting.stake()
        bets = self._layout.lay_at(outcome, person, stake, moments)
        return settlement_case(self._setting.game, group, outcome, bets)
