"""Observables of a round: the cards, ranks and suits on which the conditions of a bet depend.

1. A function of one hand with a scalar value, such as ``points(player)``, is observed as its value.
2. ``first(dealt, 4)`` observes those cards, a bare ``dealt`` or hand all of its cards.
3. Cards observed only through ``ranks`` show no suits.
4. Ranks that no condition names are interchangeable, as long as conditions only compare ranks for
   equality.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.rules.equipment.pack_and_dice import RANKS, SUITS
from selo.rules.language.condition_tree import AND, Call, Joined, Listing, Literal, Name
from selo.rules.odds.shoe_rounds import BANKER_PLACES, DEALT_PLACES, PLAYER_PLACES

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from selo.rules.language import Expression
    from selo.rules.language.condition_tree import Node
    from selo.rules.settlement import Game

HANDS: Final = {"player": PLAYER_PLACES, "banker": BANKER_PLACES}
#: Functions that treat all ranks alike.
_RANK_BLIND_FUNCTIONS: Final = frozenset(
    {
        "ranks",
        "suits",
        "colours_of",
        "first",
        "most_alike",
        "groups",
        "all_same",
        "same",
        "among",
        "without",
        "distinct",
        "count",
        "holds_all",
        "amount",
        "held",
    }
)
_NAMED_CARD: Final = re.compile(r"(10|[2-9AJQK])([SHDC]?)")
#: Conditions on the table and not on the cards.
_TABLE_OPTIONS: Final = frozenset({"modality", "regime"})
_TABLE_SIGNS: Final = frozenset({"in", "==", "!="})
_RANKS, _FIRST, _DEALT, _MODALITY = "ranks", "first", "dealt", "modality"
_SAMPLE_HAND: Final = [rank + SUITS[0] for rank in RANKS[: len(PLAYER_PLACES)]]


@dataclass(kw_only=True, slots=True)
class RoundObservables:
    """What some conditions observe of a round."""

    places: set[int] = field(default_factory=set)
    named: set[int] = field(default_factory=set)
    #: Functions of one hand with a scalar value, by name and hand.
    hand_calls: dict[tuple[str, str], Callable[[Any], Any]] = field(default_factory=dict)
    suits: bool = False
    #: The sets of places that conditions use together.
    lots: set[frozenset[int]] = field(default_factory=set)

    @property
    def name(self) -> Hashable:
        """The observables as a key."""
        return frozenset(self.places), frozenset(self.named), frozenset(self.hand_calls), self.suits

    @property
    def unordered(self) -> bool:
        """Whether only one set of cards is observed, in any order.

        No rank-blind function depends on the order of a list, except to take its first items.
        """
        return len(self.lots) <= 1 and not self.hand_calls and len(self.named) < len(RANKS)


def find_round_observables(game: Game, expressions: Iterable[Expression]) -> RoundObservables:
    """Return what `expressions` observe of a round."""
    observables = RoundObservables()
    for expression in _reachable(game, expressions):
        _observe_expression(expression, observables)
    return observables


def _reachable(game: Game, expressions: Iterable[Expression]) -> Iterator[Expression]:
    """Yield `expressions` and every definition that they use, once."""
    defined = {name: expression for name, _, expression in game.defines}
    waiting = list(expressions)
    visited: set[str] = set()
    for expression in waiting:
        if expression.text in visited:
            continue
        visited.add(expression.text)
        waiting += [defined[name] for name in expression.names if name in defined]
        yield expression


def holds_at(expression: Expression, modality: str) -> bool:
    """Return whether a condition can hold at a table with this modality."""
    match expression.tree.root:
        case Joined(sign=sign, operands=(first, *_)) if sign == AND:
            match first:
                case Joined(sign="==", operands=(Name(name=name), Literal(value=str(named)))) if (
                    name == _MODALITY
                ):
                    return named == modality
    return True


def _observe_expression(expression: Expression, observables: RoundObservables) -> None:
    of_one_hand = _RoundObserver(expression, observables).observe(expression.tree.root)
    if expression.tree.functions - of_one_hand - _RANK_BLIND_FUNCTIONS:
        observables.named |= set(range(len(RANKS)))


class _RoundObserver:
    """Adds what one condition observes to the observables of several."""

    def __init__(self, expression: Expression, observables: RoundObservables) -> None:
        self._expression, self._observables = expression, observables

    def observe(self, node: Node, *, ranks: bool = False) -> frozenset[str]:
        """Add what a part observes; return the functions that it applies to one hand alone.

        `ranks` says whether only the ranks of the part are observed.
        """
        match node:
            case Joined(sign=sign, operands=(Name(name=name), Literal() | Listing())) if (
                sign in _TABLE_SIGNS and name in _TABLE_OPTIONS
            ):
                return frozenset()
            case Call(function=name, arguments=(Name(name=dealt), Literal(value=int(many)))) if (
                name == _FIRST and dealt == _DEALT
            ):
                self._add_places(DEALT_PLACES[:many], ranks=ranks)
                return frozenset()
            case Call(function=name, arguments=(Name(name=hand),)) if hand in HANDS:
                self._observe_hand(name, hand, ranks=ranks)
                return frozenset({name})
            case Name(name=name) if name in HANDS or name == _DEALT:
                self._add_places(HANDS.get(name, DEALT_PLACES), ranks=ranks)
            case Literal(value=str(text)):
                self._observe_card(text)
        ranks = isinstance(node, Call) and node.function == _RANKS
        return frozenset().union(*(self.observe(child, ranks=ranks) for child in node.children))

    def _observe_hand(self, name: str, hand: str, *, ranks: bool) -> None:
        function = self._expression.vocabulary.functions[name].run
        value = function(_SAMPLE_HAND)
        if isinstance(value, list):
            self._add_places(HANDS[hand][: len(value)], ranks=ranks or name == _RANKS)
        else:
            self._observables.hand_calls[name, hand] = function

    def _observe_card(self, text: str) -> None:
        match = _NAMED_CARD.fullmatch(text)
        if match is not None:
            self._observables.named.add(RANKS.index(match[1]))
            self._observables.suits = self._observables.suits or bool(match[2])

    def _add_places(self, places: Sequence[int], *, ranks: bool) -> None:
        self._observables.places |= set(places)
        self._observables.lots.add(frozenset(places))
        self._observables.suits = self._observables.suits or not ranks
