"""Hands that a player can build up card by card, and what can be won with them at best.

Cards are groups of ranks that no condition can tell apart. A node is a hand with the cards of its
groups; its children have one card more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from selo.rules.odds.decisions.house_hands import Held

    #: Of a hand of groups, its kind, or nothing if it cannot have come about.
    KindOf = Callable[[tuple[int, ...]], int | None]
    #: Of a kind of hand, whether it ends alike against every house and can have no further card.
    IsLast = Callable[[int], bool]
    #: Of a kind of hand, the gain against each kind of house, or nothing if it may not stand.
    GainsOf = Callable[[int], Sequence[float] | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class HandNode:
    """A hand that may have come about, and the nodes with one card more, by its group."""

    held: Held
    kind: int
    #: Whether it stands for every hand of its kind and size.
    last: bool = False
    children: dict[int, int] = field(default_factory=dict)


class HandTree:
    """Every hand that grows from some first cards; those with fewer cards come first.

    Hands of one kind and size to which no card may be drawn, such as those with too many, are one
    node: what they gain does not depend on their cards.
    """

    def __init__(
        self, start: Sequence[tuple[int, ...]], groups: int, kind_of: KindOf, is_last: IsLast
    ) -> None:
        self.nodes: list[HandNode] = []
        self.places: dict[Held, int] = {}
        last: dict[tuple[int, int], int] = {}
        level = list(start)
        while level:
            grown: list[tuple[int, ...]] = []
            for path in level:
                held = count_groups(path, groups)
                kind = None if held in self.places else kind_of(path)
                if kind is None:
                    continue
                at, ends = len(self.nodes), is_last(kind)
                if ends:
                    at = last.setdefault((len(path), kind), at)
                else:
                    grown += [(*path, group) for group in range(groups)]
                self.places[held] = at
                if at == len(self.nodes):
                    self.nodes.append(HandNode(held=held, kind=kind, last=ends))
            level = grown
        for node in self.nodes:
            for group in range(groups):
                below = self.places.get(add_card(node.held, group))
                if below is not None and not node.last:
                    node.children[group] = below
        self.held = np.array([node.held for node in self.nodes])
        self.kinds = np.array([node.kind for node in self.nodes])
        self.last = np.array([node.last for node in self.nodes])
        none = len(self.nodes)
        self.children = np.array(
            [[node.children.get(group, none) for group in range(groups)] for node in self.nodes]
        )
        sizes = self.held.sum(axis=1)
        self.levels = [np.flatnonzero(sizes == size) for size in sorted(set(sizes.tolist()))]


class BestPlay:
    """The best decisions from every hand of a tree, with certain bets, at one table.

    `left` are the cards of the packs besides the hand, `chances` how probable each kind of house is
    beside each hand, and `gains_of` what each kind of hand gains against them. Decisions are found
    with floating numbers; what they gain is counted exactly from the hands that `finished` yields.
    """

    def __init__(
        self, tree: HandTree, left: Held, chances: NDArray[Any], gains_of: GainsOf
    ) -> None:
        self._tree, self._left = tree, left
        gains = {kind: gains_of(kind) for kind in set(tree.kinds.tolist())}
        never = np.full(chances.shape[1], -np.inf)
        table = {kind: never if row is None else np.array(row) for kind, row in gains.items()}
        against = np.array([table[kind] for kind in tree.kinds.tolist()])
        sure = against.min(axis=1) == against.max(axis=1)
        weighed = np.where(sure[:, None], 0.0, chances * np.where(sure[:, None], 0.0, against))
        stand = np.where(sure, against[:, 0], weighed.sum(axis=1))
        cards = np.array(left) - tree.held
        stand[~tree.last & (cards < 0).any(axis=1)] = -np.inf
        self.values = np.append(stand, -np.inf)
        for level in reversed(tree.levels):
            here = cards[level]
            below = np.where(here > 0, self.values[tree.children[level]] * here.clip(1), 0.0)
            drawn = below.sum(axis=1) / here.sum(axis=1).clip(1)
            self.values[level] = np.maximum(stand[level], drawn)
        self._stands = (stand >= self.values[:-1]) & (stand > -np.inf)

    def _left_of(self, node: HandNode) -> Held | None:
        """Return the cards that are left beside a hand, if the packs have that hand."""
        return self._left if node.last else take_cards(self._left, node.held)

    def finished(self, reached: dict[int, int]) -> Iterator[tuple[HandNode, Held, int]]:
        """Yield the hands that stand, what is left, and in how many ways their cards came.

        `reached` says it of the hands from which play begins.
        """
        ways = [0] * len(self._tree.nodes)
        for at, many in reached.items():
            ways[at] += many
        for at, node in enumerate(self._tree.nodes):
            left = self._left_of(node) if ways[at] else None
            if left is None:
                continue
            if self._stands[at]:
                yield node, left, ways[at]
                continue
            for group, more in enumerate(left):
                if more:
                    ways[node.children[group]] += ways[at] * more


def take_cards(cards: Held, taken: Held) -> Held | None:
    """Return what is left of cards, or nothing if there are not so many."""
    left = tuple([a - b for a, b in zip(cards, taken, strict=True)])
    return None if min(left) < 0 else left


def count_groups(path: Sequence[int], groups: int) -> Held:
    """Return how many cards of each group there are."""
    return tuple([path.count(group) for group in range(groups)])


def add_card(held: Held, group: int, many: int = 1) -> Held:
    """Return the cards with `many` more of a group."""
    return (*held[:group], held[group] + many, *held[group + 1 :])
