"""What the conditions of a bet can see of a round: which cards, which of their ranks, any suits.

1. A number or a truth that the law defines of one hand, such as ``points(player)``, is seen as
   its value.
2. ``first(dealt, 4)`` sees those cards, a bare ``dealt`` or hand sees all of its cards.
3. Cards seen only through ``ranks`` show no suits.
4. Ranks that no condition names are alike, as long as conditions only ask whether ranks are equal.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.rules.odds.pack_deals import RANKS, SUITS
from selo.rules.odds.shoe_rounds import BANKER, DEALT, PLAYER

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from selo.rules.language import Expression
    from selo.rules.settlement.game import Game

HANDS: Final = {"player": PLAYER, "banker": BANKER}
#: Functions that treat all ranks alike.
_FAIR: Final = frozenset(
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
_FIRST: Final = re.compile(r"(\branks\(\s*)?\bfirst\(\s*dealt\s*,\s*(\d+)\s*\)")
_OF_HAND: Final = re.compile(r"(\branks\(\s*)?\b(\w+)\(\s*(player|banker)\s*\)")
_BARE: Final = re.compile(r"(\branks\(\s*)?\b(dealt|player|banker)\b")
_QUOTED: Final = re.compile(r'"[^"]*"')
_NAMED: Final = re.compile(r'"(10|[2-9AJQK])([SHDC]?)"')
_ELSEWHERE: Final = re.compile(r'^modality == "(\w+)" &&')
#: What is asked of the table and not of the cards.
_TABLE: Final = re.compile(r'\b(?:modality|regime) (?:in \[[^\]]*\]|[!=]= "[^"]*")')
_SAMPLE: Final = [rank + SUITS[0] for rank in RANKS[: len(PLAYER)]]


@dataclass(kw_only=True, slots=True)
class View:
    """What is seen of a round."""

    places: set[int] = field(default_factory=set)
    named: set[int] = field(default_factory=set)
    asked: dict[tuple[str, str], Callable[[Any], Any]] = field(default_factory=dict)
    suits: bool = False
    #: The groups of cards that conditions take together, each as one lot.
    lots: set[frozenset[int]] = field(default_factory=set)

    @property
    def name(self) -> Hashable:
        """What is seen, as a key: two views of one name see the same."""
        return frozenset(self.places), frozenset(self.named), frozenset(self.asked), self.suits

    @property
    def unordered(self) -> bool:
        """Whether all that is seen is one lot of cards, in whatever order they lie.

        No function that treats ranks alike looks at the order of a list, except to take its first.
        """
        return len(self.lots) <= 1 and not self.asked and len(self.named) < len(RANKS)


def view(game: Game, expressions: Iterable[Expression]) -> View:
    """Return what `expressions` see of a round."""
    found = View()
    for expression in _reached(game, expressions):
        _look(expression, found)
    return found


def _reached(game: Game, expressions: Iterable[Expression]) -> Iterator[Expression]:
    """Yield `expressions` and every definition they lead to, once."""
    defined = {name: expression for name, _, expression in game.defines}
    waiting = list(expressions)
    known: set[str] = set()
    for expression in waiting:
        if expression.text in known:
            continue
        known.add(expression.text)
        waiting += [defined[name] for name in expression.names if name in defined]
        yield expression


def holds_at(expression: Expression, modality: str) -> bool:
    """Return whether a condition can hold at a table with this modality."""
    named = _ELSEWHERE.match(expression.text)
    return named is None or named[1] == modality


def _look(expression: Expression, found: View) -> None:
    functions = inspect.getclosurevars(expression.function).globals
    text = _TABLE.sub(" ", expression.text)
    for ranks, many in _FIRST.findall(text):
        found.places |= set(DEALT[: int(many)])
        found.lots.add(frozenset(DEALT[: int(many)]))
        found.suits = found.suits or not ranks
    text = _FIRST.sub(" ", text)
    of_one_hand = set()
    for ranks, name, hand in _OF_HAND.findall(text):
        function = functions[f"f_{name}"]
        value = function(_SAMPLE)
        of_one_hand.add(name)
        if isinstance(value, list):
            found.places |= set(HANDS[hand][: len(value)])
            found.lots.add(frozenset(HANDS[hand][: len(value)]))
            found.suits = found.suits or not (ranks or name == "ranks")
        else:
            found.asked[name, hand] = function
    text = _OF_HAND.sub(" ", text)
    for ranks, name in _BARE.findall(_QUOTED.sub(" ", text)):
        found.places |= set(HANDS.get(name, DEALT))
        found.lots.add(frozenset(HANDS.get(name, DEALT)))
        found.suits = found.suits or not ranks
    for rank, suit in _NAMED.findall(text):
        found.named.add(RANKS.index(rank))
        found.suits = found.suits or bool(suit)
    used = {name.removeprefix("f_") for name in functions} - of_one_hand
    if used - _FAIR:
        found.named |= set(range(len(RANKS)))
