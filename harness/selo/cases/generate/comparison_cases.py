"""Comparisons of every hand of a pack with its own kind and the kinds beside it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from selo.cases.case import comparing
from selo.cases.generate.sample_hands import TURNED, beside_own_kind
from selo.cases.group import Span
from selo.rules.settlement.game import Game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases.case import Case
    from selo.cases.generate.sample_hands import Hand
    from selo.cases.group import Setting


def compared_in_spans(setting: Setting, group: str, kinds: Sequence[Hand]) -> Iterator[Span]:
    """Yield the comparisons, those together whose hands differ only in which suit is which."""
    if not isinstance(setting.rules, Game):
        return
    for images, near in beside_own_kind(setting.rules, kinds, setting.chance(group)):
        if near:
            many = len(images) * len(near)
            yield Span(many, 0, partial(_compared, setting.game, group, images, near))


def _compared(
    game: str, group: str, images: Sequence[tuple[int, Hand]], near: Sequence[Hand]
) -> Iterator[Case]:
    for way, hand in images:
        turned = TURNED[way]
        for other in near:
            yield comparing(game, group, hand, [turned[card] for card in other])
