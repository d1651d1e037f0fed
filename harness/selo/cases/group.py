"""Groups of cases: what belongs together, why it is tried, and how many cases there are."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar

from selo.cases.case import LARGEST_JSON_INTEGER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from selo.cases.case import Case
    from selo.cases.scope import OfferedGame
    from selo.law.loader import Law
    from selo.rules.settlement.game import Game
    from selo.rules.settlement.settlement_models import BetRules
    from selo.rules.settlement.throwing_game import ThrowingGame

T = TypeVar("T")
Budget = Literal["quick", "standard", "full"]
#: The budgets, each of which contains those before it.
BUDGETS: Final[tuple[Budget, ...]] = ("quick", "standard", "full")
#: A stake of which a twentieth and a half are whole.
STAKE: Final = 100
#: Stakes around which a half, a fifth, a twentieth or a hundredth is or is not whole.
ODD_STAKES: Final = (1, 2, 3, 5, 7, 10, 19, 20, 21, 33, 39, 40, 41, 99, 101, 119, 250, 999, 10_001)
#: Stakes that people lay: round ones, from a chip to a high table.
USUAL_STAKES: Final = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 1_000_000)
#: Of these the seed chooses the stake of groups that are not about stakes.
_EVERYDAY_STAKES: Final = USUAL_STAKES[:7]
#: So many outcomes drawn at random come once each; every other comes to so many cases, one after
#: the other, so that what it means is worked out once.
_OUTCOMES_USED_ONCE: Final = 300
_CASES_PER_LATER_OUTCOME: Final = 16
#: Stakes drawn at random: any, and round ones.
_RANDOM_STAKES: Final = 16
_RANDOM_ROUND_STAKES: Final = 8


class CaseChunk(NamedTuple):
    """So many cases of different outcomes with so many bets, made only when they are asked for."""

    size: int
    bets: int
    make: Callable[[], Iterator[Case]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """Cases that belong together, made only when they are asked for."""

    name: str
    reason: str
    #: The smallest budget that tries them.
    budget: Budget
    cases: Callable[[], Iterator[Case]]
    endless: bool = False
    #: No more of them are ever drawn, whatever the budget; all there are to draw, if nothing.
    max_drawn: int | None = None
    #: The same cases of one method in spans, where whoever wants only some can pass others over.
    chunks: Callable[[], Iterator[CaseChunk]] | None = None

    def size(self) -> int | None:
        """Return how many cases there are, by making them all; nothing if they have no end."""
        return None if self.endless else sum(1 for _ in self.cases())


@dataclass(frozen=True, kw_only=True, slots=True)
class GeneratorSetting:
    """What cases of a game are made from: the law, the game under it, what is offered, a seed."""

    law: Law
    rules: Game | ThrowingGame
    offered: OfferedGame
    seed: int

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.offered.game

    def bets(self) -> dict[str, BetRules]:
        """Return the rules of the bets that are offered, without those that could never be taken.

        A bet that needs another is left out where none of those it needs is offered; where nothing
        is settled there are no bets.
        """
        if "settle" not in self.offered.methods:
            return {}
        there = {
            name: rules for name, rules in self.rules.bets.items() if name in self.offered.bets
        }
        return {name: rules for name, rules in there.items() if _is_placeable(rules, there)}

    def unknown_bets(self) -> list[str]:
        """Return the bets that are offered and that the law does not know."""
        return [name for name in self.offered.bets if name not in self.rules.bets]

    def chance(self, group: str) -> random.Random:
        """Return the chance of a group: the same for the same seed, whatever else is tried."""
        return random.Random(f"{self.seed}/{self.game}/{group}")  # noqa: S311 - it repeats itself

    def stakes(self, chance: random.Random) -> list[int]:
        """Return odd and usual stakes, some of them drawn, and the highest that can be paid."""
        highest = self.highest_stake()
        drawn = [chance.randrange(1, 10 ** chance.randint(1, 9)) for _ in range(_RANDOM_STAKES)]
        round_ones = [
            chance.randrange(1, 100) * 10 ** chance.randint(2, 4)
            for _ in range(_RANDOM_ROUND_STAKES)
        ]
        return [*ODD_STAKES, *USUAL_STAKES, *drawn, *round_ones, highest, highest - 1]

    def all_stakes(self, group: str) -> list[int]:
        """Return every odd stake, every usual one and the highest, as the seed orders them."""
        stakes = [*ODD_STAKES, *USUAL_STAKES, self.highest_stake()]
        return self.shuffle_by_seed(group, stakes)

    def stake(self) -> int:
        """Return the stake where a group is not about stakes: a usual one, chosen by the seed."""
        return self.chance("stake").choice(_EVERYDAY_STAKES)

    def shuffle_by_seed(self, group: str, some: Iterable[T]) -> list[T]:
        """Return things in an order that the seed gives them."""
        found = list(some)
        self.chance(group).shuffle(found)
        return found

    def highest_stake(self) -> int:
        """Return the highest stake whose prize every language can read."""
        odds = [prize.odds for rules in self.rules.bets.values() for prize in rules.prizes]
        # All lines of prizes together, since a reading may add them up.
        return int(LARGEST_JSON_INTEGER / (sum(odds, Fraction(1)) + 1))


def _is_placeable(rules: BetRules, there: Mapping[str, BetRules]) -> bool:
    if rules.added_to is not None and rules.added_to not in there:
        return False
    return all(any(name in there for name in need.beside) for need in rules.needs)


def chain_chunks(spans: Callable[[], Iterator[CaseChunk]]) -> Callable[[], Iterator[Case]]:
    """Return all cases of some spans, one after the other."""
    return lambda: chain.from_iterable(span.make() for span in spans())


def cases_per_outcome() -> Iterator[int]:
    """Yield how many cases each outcome that is drawn at random comes to."""
    return chain(repeat(1, _OUTCOMES_USED_ONCE), repeat(_CASES_PER_LATER_OUTCOME))


def list_spots(setting: GeneratorSetting) -> list[dict[str, Any]]:
    """Return every offered bet with every choice, without stake and place."""
    return [
        {"bet": name} if choice is None else {"bet": name, "choice": choice}
        for name, rules in setting.bets().items()
        for choice in rules.domain or (None,)
    ]


def invalid_choices(rules: BetRules) -> list[Any]:
    """Return choices that a bet does not have, as near to those it has as can be."""
    if rules.domain is None:
        return []
    if all(isinstance(one, int) for one in rules.domain):
        return [min(rules.domain) - 1, max(rules.domain) + 1]
    return ["dragon"]


def with_distinct_stakes(
    stakes: Sequence[int], bets: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return `bets`, each with another stake, so that no two can be taken for one another."""
    return [{**bet, "stake": stakes[at % len(stakes)] + at} for at, bet in enumerate(bets)]


def with_every_stake(
    stakes: Sequence[int], bets: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return every bet with every stake, to be drawn from."""
    return list(chain.from_iterable(({**bet, "stake": stake} for stake in stakes) for bet in bets))
