"""Comparisons of every hand of a pack with its own kind and the kinds beside it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from selo.cases.case import comparison_case
from selo.cases.generate.sample_hands import SUIT_PERMUTATIONS, hands_beside_neighbours
from selo.cases.group import CaseChunk
from selo.rules.settlement.game import Game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases.case import Case
    from selo.cases.generate.sample_hands import Hand
    from selo.cases.group import GeneratorSetting


def comparison_chunks(
    setting: GeneratorSetting, group: str, kinds: Sequence[Hand]
) -> Iterator[CaseChunk]:
    """Yield the comparisons, those together whose hands differ only in which suit is which."""
    if not isinstance(setting.rules, Game):
        return
    for images, near in hands_beside_neighbours(setting.rules, kinds, setting.chance(group)):
        if near:
            many = len(images) * len(near)
            yield CaseChunk(many, 0, partial(_compare_images, setting.game, group, images, near))


def _compare_images(
    game: str, group: str, images: Sequence[tuple[int, Hand]], near: Sequence[Hand]
) -> Iterator[Case]:
    for way, hand in images:
        turned = SUIT_PERMUTATIONS[way]
        for other in near:
            yield comparison_case(game, group, hand, [turned[card] for card in other])
