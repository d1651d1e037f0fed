"""Pairs of hands that one pack can deal, with suits and order varied by the seed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from selo.cases.case import comparison_case
from selo.cases.deals.sample_hands import (
    SUIT_PERMUTATIONS,
    cross_pairs,
    hands_beside_neighbours,
    neighbour_pairs,
    permute_suits,
)
from selo.cases.group import CaseChunk
from selo.rules.settlement import Game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases.case import Case
    from selo.cases.deals.sample_hands import Hand
    from selo.cases.group import GeneratorSetting


def comparison_chunks(
    setting: GeneratorSetting, group: str, kinds: Sequence[Hand]
) -> Iterator[CaseChunk]:
    """Yield comparisons of every hand of a pack with its own kind and the neighbouring kinds.

    Hands that differ only by a permutation of suits share a chunk.
    """
    if not isinstance(setting.rules, Game):
        return
    for images, neighbours in hands_beside_neighbours(setting.rules, kinds, setting.chance(group)):
        if neighbours:
            count = len(images) * len(neighbours)
            yield CaseChunk(
                count, 0, partial(_compare_images, setting.game, group, images, neighbours)
            )


def _compare_images(
    game: str, group: str, images: Sequence[tuple[int, Hand]], neighbours: Sequence[Hand]
) -> Iterator[Case]:
    for index, hand in images:
        permutation = SUIT_PERMUTATIONS[index]
        for neighbour in neighbours:
            yield comparison_case(game, group, hand, [permutation[card] for card in neighbour])


def shuffled_neighbours(
    setting: GeneratorSetting, group: str, hands: Sequence[Hand]
) -> list[tuple[Hand, Hand]]:
    """Return each hand with itself and with its neighbours in the order of hands, shuffled."""
    pairs = list(permute_suits(neighbour_pairs(hands), setting.chance(f"{group}/suits")))
    return setting.shuffle_by_seed(group, pairs)


def shuffled_cross_pairs(
    setting: GeneratorSetting, group: str, hands: Sequence[Hand], others: Sequence[Hand]
) -> Iterator[tuple[Hand, Hand]]:
    """Yield every dealable pair of one of `hands`, shuffled, and one of `others`."""
    shuffled = setting.shuffle_by_seed(group, hands)
    return permute_suits(cross_pairs(shuffled, others), setting.chance(f"{group}/suits"))
