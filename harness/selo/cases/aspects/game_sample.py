"""What the own groups of a game show: outcomes that decide its bets, options of tables, places.

1. The outcomes, options and places of the groups are collected, a few outcomes of each group.
2. Every bet is laid on each outcome, under several options. What becomes of a bet (its result,
   prize and commission) is a goal.
3. Outcomes are kept until every goal is reached, and those that the others make needless dropped.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from selo.cases.aspects.bet_layout import WHOLE_STAKE, BetLayout
from selo.cases.deals.sample_hands import HAND_SIZE
from selo.cases.group import BUDGETS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from selo.cases.deals.sample_hands import Hand
    from selo.cases.group import GeneratorSetting, Group
    from selo.table_values import Bet, Options, Outcome, Spot

T = TypeVar("T")
#: Outcomes of each group among which those that decide are sought.
_OUTCOMES_PER_GROUP: Final = 40
#: Values of each option under which goals are sought.
_MAX_VALUES_TRIED: Final = 6
#: Kinds of hands that are seated at full tables.
_MAX_KINDS_OF_HANDS: Final = 30


class Goal(NamedTuple):
    """What may become of a bet, and an outcome on which it does."""

    spot: Spot
    result: str
    outcome: Outcome
    options: Options


class _ShownTables(NamedTuple):
    """Some outcomes of every group, all options of tables, and the names of all bets."""

    outcomes: list[Outcome]
    options: list[Options]
    bets: frozenset[str]


class GameSample:
    """A sample of the tables of one game."""

    def __init__(self, setting: GeneratorSetting, groups: Sequence[Group]) -> None:
        self.setting = setting
        self._groups = [
            group for group in groups if group.budget == BUDGETS[0] and not group.endless
        ]
        self.layout = BetLayout(setting, lambda: self._shown.bets)

    @cached_property
    def _shown(self) -> _ShownTables:
        outcomes: list[Outcome] = []
        options: dict[int, Options] = {}
        lists: dict[int, list[Bet]] = {}
        for group in self._groups:
            cases = [case for case in group.cases() if case.method == "settle"]
            options |= {id(case.options): case.options for case in cases}
            lists |= {id(case.bets): case.bets for case in cases}
            own = list({id(case.outcome): case.outcome for case in cases}.values())
            outcomes += self.setting.chance(f"sample/{group.name}").sample(
                own, min(len(own), _OUTCOMES_PER_GROUP)
            )
        bets = frozenset(bet["bet"] for laid in lists.values() for bet in laid)
        return _ShownTables(outcomes, list(options.values()), bets)

    @property
    def shown_outcomes(self) -> list[Outcome]:
        """Some outcomes of every group of the game."""
        return self._shown.outcomes

    @cached_property
    def options(self) -> dict[str, list[Any]]:
        """The values of each option; None where some tables do not name it."""
        shown = self._shown.options
        names = dict.fromkeys(name for options in shown for name in options)
        levels: dict[str, list[Any]] = {}
        for name in names:
            values = levels[name] = []
            for options in shown:
                value = options.get(name)
                if value not in values:
                    values.append(value)
        return levels

    @cached_property
    def persons(self) -> list[str]:
        """The places of a table, or as many bettors where the game has no places."""
        return self.setting.shuffle_by_seed(
            "aspects/persons", self.layout.name_persons(self.shown_outcomes)
        )

    @cached_property
    def hands(self) -> list[Hand]:
        """Hands at places that are shown, spread over the order of hands."""
        duel = self.layout.duel
        if duel is None:
            return []
        hands = [hand for one in self.shown_outcomes for hand in duel.split_hands(one)[1].values()]
        kinds = {self.order_of(hand): hand for hand in hands if len(hand) == HAND_SIZE}
        ordered = [list(kinds[kind]) for kind in sorted(kinds)]
        return spread(ordered, _MAX_KINDS_OF_HANDS)

    def order_of(self, hand: Hand) -> Any:
        """Return the place of a hand in the order of hands."""
        order: Any = getattr(self.setting.rules, "order", None)
        return () if order is None else order(sorted(hand))

    @cached_property
    def goals(self) -> list[Goal]:
        """Everything that becomes of a bet on some outcome, each once."""
        return list(self._reached[0].values())

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """Few outcomes on which all goals are reached."""
        return self._reached[1]

    @cached_property
    def _reached(self) -> tuple[dict[Hashable, Goal], list[Outcome]]:
        goals: dict[Hashable, Goal] = {}
        reached: list[tuple[Outcome, set[Hashable]]] = []
        for outcome in self.shown_outcomes:
            keys: set[Hashable] = set()
            new = False
            for options in self._options_tried:
                for bet, settlement in self._settle(outcome, options):
                    key = str((bet["bet"], bet.get("choice"), *settlement.values()))
                    keys.add(key)
                    if key not in goals:
                        new = True
                        spot = self.layout.spot_of(bet)
                        goals[key] = Goal(spot, settlement["result"], outcome, options)
            if new:
                reached.append((outcome, keys))
        return goals, _drop_needless(reached)

    def _settle(self, outcome: Outcome, options: Options) -> Iterator[tuple[Bet, dict[str, Any]]]:
        table = self.layout.seat_first(outcome, self.persons[0])
        bets = self.layout.lay(table, options, self.persons[0], WHOLE_STAKE)
        return zip(bets, self.layout.settle(options, table, bets), strict=True)

    @cached_property
    def _options_tried(self) -> list[Options]:
        """The first options shown, and those with another value of one option."""
        first = next(iter(self._shown.options), {})
        tried = [first]
        for name, values in self.options.items():
            tried += [
                with_option(first, name, value)
                for value in spread(values, _MAX_VALUES_TRIED)
                if value != first.get(name)
            ]
        return tried


def spread(items: Sequence[T], most: int) -> list[T]:
    """Return at most `most` items, evenly spaced with both ends."""
    if len(items) <= most:
        return list(items)
    step = (len(items) - 1) / (most - 1)
    return [items[round(at * step)] for at in range(most)]


def with_option(options: Options, name: str, value: Any) -> Options:
    """Return options with another value of one, or without it for None."""
    others = {other: kept for other, kept in options.items() if other != name}
    return others if value is None else {**others, name: value}


def _drop_needless(reached: Sequence[tuple[Outcome, set[Hashable]]]) -> list[Outcome]:
    """Return the outcomes without those whose goals the others reach."""
    counts = Counter(key for _, keys in reached for key in keys)
    kept = []
    for outcome, keys in reached:
        if all(counts[key] > 1 for key in keys):
            counts.subtract(keys)
        else:
            kept.append(outcome)
    return kept
