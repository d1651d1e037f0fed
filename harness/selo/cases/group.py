"""Groups of cases with their budget, and the setting they are generated from."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar

from selo.json_numbers import LARGEST_INTEGER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from selo.cases.case import Case
    from selo.cases.scope import OfferedGame
    from selo.law import Law
    from selo.rules.settlement import Game, ThrowingGame
    from selo.rules.settlement.settlement_models import BetRules
    from selo.table_values import Bet, Spot

T = TypeVar("T")
Budget = Literal["quick", "standard", "full"]
#: How the cases of a group are chosen: all there are, so that every two levels of its factors
#: meet, or so that every level occurs. An endless group is drawn at random.
Design = Literal["complete", "pairs", "levels"]
#: The budgets in ascending order; each contains the ones before it.
BUDGETS: Final[tuple[Budget, ...]] = ("quick", "standard", "full")
#: A stake of which a twentieth and a half are whole.
STAKE: Final = 100
#: Stakes of which a half, a fifth, a twentieth or a hundredth is or is not whole.
ODD_STAKES: Final = (1, 2, 3, 5, 7, 10, 19, 20, 21, 33, 39, 40, 41, 99, 101, 119, 250, 999, 10_001)
#: Round stakes, from a chip to a high table.
USUAL_STAKES: Final = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 1_000_000)
#: The seed chooses among these the stake of groups that do not test stakes.
_EVERYDAY_STAKES: Final = USUAL_STAKES[:7]
#: The first random outcomes are used in one case each. Each later one is used in several
#: consecutive cases, so that it is analysed only once.
_OUTCOMES_USED_ONCE: Final = 300
_CASES_PER_LATER_OUTCOME: Final = 16
#: Numbers of stakes drawn at random: arbitrary ones and round ones.
_RANDOM_STAKES: Final = 16
_RANDOM_ROUND_STAKES: Final = 8


class CaseChunk(NamedTuple):
    """A lazily generated part of a group: the number of its cases and of their bets is known."""

    size: int
    bets: int
    make: Callable[[], Iterator[Case]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """Lazily generated cases that test the same thing."""

    name: str
    #: The smallest budget that includes the group.
    budget: Budget
    cases: Callable[[], Iterator[Case]]
    endless: bool = False
    #: Limit on the cases drawn from an endless group under any budget.
    max_drawn: int | None = None
    design: Design = "complete"
    #: The factors that a covering design combines, with the number of their levels.
    factors: Callable[[], Mapping[str, int]] | None = None
    #: The same cases in chunks, which lets a consumer skip chunks without generating them.
    chunks: Callable[[], Iterator[CaseChunk]] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether these are all cases of their kind."""
        return self.design == "complete" and not self.endless

    def size(self) -> int | None:
        """Return the number of cases by generating them all, or None for an endless group."""
        return None if self.endless else sum(1 for _ in self.cases())


@dataclass(frozen=True, kw_only=True, slots=True)
class GeneratorSetting:
    """The inputs of case generation for one game: law, compiled rules, offer and seed."""

    law: Law
    rules: Game | ThrowingGame
    offered: OfferedGame
    seed: int

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.offered.game

    def bets(self) -> dict[str, BetRules]:
        """Return the rules of the offered bets that can be placed.

        A bet that needs another one is left out where none of those is offered. A vendor that does
        not settle offers no bets.
        """
        if "settle" not in self.offered.methods:
            return {}
        offered = {
            name: rules for name, rules in self.rules.bets.items() if name in self.offered.bets
        }
        return {name: rules for name, rules in offered.items() if _is_placeable(rules, offered)}

    def unknown_bets(self) -> list[str]:
        """Return the offered bets that the law does not define."""
        return [name for name in self.offered.bets if name not in self.rules.bets]

    def chance(self, group: str) -> random.Random:
        """Return the random generator of a group, which depends only on seed, game and group."""
        return random.Random(f"{self.seed}/{self.game}/{group}")  # noqa: S311 - reproducible

    def stakes(self, chance: random.Random) -> list[int]:
        """Return odd, usual and random stakes, and the highest that can be paid."""
        highest = self.highest_stake()
        drawn = [chance.randrange(1, 10 ** chance.randint(1, 9)) for _ in range(_RANDOM_STAKES)]
        round_stakes = [
            chance.randrange(1, 100) * 10 ** chance.randint(2, 4)
            for _ in range(_RANDOM_ROUND_STAKES)
        ]
        return [*ODD_STAKES, *USUAL_STAKES, *drawn, *round_stakes, highest, highest - 1]

    def all_stakes(self, group: str) -> list[int]:
        """Return every odd stake, every usual one and the highest, shuffled by the seed."""
        stakes = [*ODD_STAKES, *USUAL_STAKES, self.highest_stake()]
        return self.shuffle_by_seed(group, stakes)

    def stake(self) -> int:
        """Return the stake, chosen by the seed, of groups that do not test stakes."""
        return self.chance("stake").choice(_EVERYDAY_STAKES)

    def shuffle_by_seed(self, group: str, items: Iterable[T]) -> list[T]:
        """Return items in an order determined by the seed and the group."""
        shuffled = list(items)
        self.chance(group).shuffle(shuffled)
        return shuffled

    def highest_stake(self) -> int:
        """Return the highest stake whose prize is a safe JSON integer."""
        odds = [prize.odds for rules in self.rules.bets.values() for prize in rules.prizes]
        # The sum of all prize lines, since a reading may add them up.
        return int(LARGEST_INTEGER / (sum(odds, Fraction(1)) + 1))


def _is_placeable(rules: BetRules, offered: Mapping[str, BetRules]) -> bool:
    if rules.added_to is not None and rules.added_to not in offered:
        return False
    return all(any(name in offered for name in need.beside) for need in rules.needs)


def chain_chunks(chunks: Callable[[], Iterator[CaseChunk]]) -> Callable[[], Iterator[Case]]:
    """Return a generator of the cases of all chunks."""
    return lambda: chain.from_iterable(chunk.make() for chunk in chunks())


def cases_per_outcome() -> Iterator[int]:
    """Yield the number of cases in which each successive random outcome is used."""
    return chain(repeat(1, _OUTCOMES_USED_ONCE), repeat(_CASES_PER_LATER_OUTCOME))


def list_spots(setting: GeneratorSetting) -> list[Spot]:
    """Return every offered bet with every choice, without stake or place."""
    return [
        {"bet": name} if choice is None else {"bet": name, "choice": choice}
        for name, rules in setting.bets().items()
        for choice in rules.domain or (None,)
    ]


def invalid_choices(rules: BetRules) -> list[Any]:
    """Return choices that a bet does not have, close to those it has."""
    if rules.domain is None:
        return []
    if all(isinstance(choice, int) for choice in rules.domain):
        return [min(rules.domain) - 1, max(rules.domain) + 1]
    return ["dragon"]


def with_distinct_stakes(stakes: Sequence[int], bets: Sequence[Spot]) -> list[Bet]:
    """Return `bets` with stakes that are all different, so that settlements cannot be confused."""
    return [{**bet, "stake": stakes[at % len(stakes)] + at} for at, bet in enumerate(bets)]


def with_every_stake(stakes: Sequence[int], bets: Sequence[Spot]) -> list[Bet]:
    """Return every bet with every stake, as a pool for random choice."""
    return list(chain.from_iterable(({**bet, "stake": stake} for stake in stakes) for bet in bets))
