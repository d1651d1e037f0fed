"""Observables of a round: the cards, ranks and suits on which the conditions of a bet depend.

1. A function of one hand with a scalar value, such as ``points(player)``, is observed as its value.
2. ``first(dealt, 4)`` observes those cards, a bare ``dealt`` or hand all of its cards.
3. Cards observed only through ``ranks`` show no suits.
4. Ranks that no condition names are interchangeable, as long as conditions only compare ranks for
   equality.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.rules.equipment.pack_and_dice import RANKS, SUITS
from selo.rules.odds.shoe_rounds import BANKER_PLACES, DEALT_PLACES, PLAYER_PLACES

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from selo.rules.language import Expression
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
_FIRST_CARDS: Final = re.compile(r"(\branks\(\s*)?\bfirst\(\s*dealt\s*,\s*(\d+)\s*\)")
_HAND_CALL: Final = re.compile(r"(\branks\(\s*)?\b(\w+)\(\s*(player|banker)\s*\)")
_WHOLE_HAND: Final = re.compile(r"(\branks\(\s*)?\b(dealt|player|banker)\b")
_QUOTED: Final = re.compile(r'"[^"]*"')
_NAMED_CARD: Final = re.compile(r'"(10|[2-9AJQK])([SHDC]?)"')
_MODALITY_PREFIX: Final = re.compile(r'^modality == "(\w+)" &&')
#: Conditions on the table and not on the cards.
_TABLE_CONDITION: Final = re.compile(r'\b(?:modality|regime) (?:in \[[^\]]*\]|[!=]= "[^"]*")')
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
    named = _MODALITY_PREFIX.match(expression.text)
    return named is None or named[1] == modality


def _observe_expression(expression: Expression, observables: RoundObservables) -> None:
    functions = inspect.getclosurevars(expression.function).globals
    text = _TABLE_CONDITION.sub(" ", expression.text)
    for ranks, many in _FIRST_CARDS.findall(text):
        observables.places |= set(DEALT_PLACES[: int(many)])
        observables.lots.add(frozenset(DEALT_PLACES[: int(many)]))
        observables.suits = observables.suits or not ranks
    text = _FIRST_CARDS.sub(" ", text)
    of_one_hand = set()
    for ranks, name, hand in _HAND_CALL.findall(text):
        function = functions[f"f_{name}"]
        value = function(_SAMPLE_HAND)
        of_one_hand.add(name)
        if isinstance(value, list):
            observables.places |= set(HANDS[hand][: len(value)])
            observables.lots.add(frozenset(HANDS[hand][: len(value)]))
            observables.suits = observables.suits or not (ranks or name == "ranks")
        else:
            observables.hand_calls[name, hand] = function
    text = _HAND_CALL.sub(" ", text)
    for ranks, name in _WHOLE_HAND.findall(_QUOTED.sub(" ", text)):
        observables.places |= set(HANDS.get(name, DEALT_PLACES))
        observables.lots.add(frozenset(HANDS.get(name, DEALT_PLACES)))
        observables.suits = observables.suits or not ranks
    for rank, suit in _NAMED_CARD.findall(text):
        observables.named.add(RANKS.index(rank))
        observables.suits = observables.suits or bool(suit)
    used = {name.removeprefix("f_") for name in functions} - of_one_hand
    if used - _RANK_BLIND_FUNCTIONS:
        observables.named |= set(range(len(RANKS)))
