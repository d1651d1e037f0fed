"""Which questions can feel that a clause is otherwise: a cheap look before the answer is sought.

1. A clause with a condition: where its value differs, or, if more than the condition is changed,
   where the clause speaks at all.
2. A definition of the whole outcome: where its value differs.
3. A line of the order of hands: where a hand stands elsewhere.
4. Anything else may be felt by every question.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from selo.rules.clauses import clause_models as c

if TYPE_CHECKING:
    from collections.abc import Callable

    from selo.examine.kills.instrumented_game import Question
    from selo.rules.language import Expression
    from selo.rules.mutants import Variant
    from selo.rules.settlement.game import Game

    Feels = Callable[[Question], bool]

#: The field of each kind of clause in which its condition stands.
_CONDITIONS: dict[type[c.Clause], str] = {
    c.On: "when",
    c.Bet: "wins",
    c.Prize: "when",
    c.Commission: "when",
    c.Combination: "when",
}
#: Names under which a round knows its hands.
_HANDS = ("hand", "banker", "croupier")


def feeling(variant: Variant, lawful: Game, game: Game) -> Feels:
    """Return whether a question may be answered otherwise in `game` than in the `lawful` one."""
    was = variant.was
    if type(was) in _CONDITIONS:
        return _condition(variant, lawful, game)
    if isinstance(was, c.Define) and was.of == "outcome":
        return _definition(was.define, game)
    return _standing(lawful, game) if isinstance(was, c.Rank) else _always


def _always(_: Question) -> bool:
    return True


def _condition(variant: Variant, lawful: Game, game: Game) -> Feels:
    was, now = variant.was, variant.now
    field = _CONDITIONS[type(was)]
    texts = [getattr(one, _CONDITIONS[type(one)]) for one in now if type(one) in _CONDITIONS]
    before = getattr(was, field)
    if None in {before, *texts} or len(texts) < len(now):
        # What speaks where nothing else does can be felt by everything.
        return _always
    if len(now) == 1 and texts != [before] and replace(now[0], **{field: before}) == was:
        return _values(lawful, before, game, texts[0])
    return _speaking(lawful, before, game, texts)


def _values(lawful: Game, before: str, game: Game, after: str) -> Feels:
    old, new = _written(lawful, before), _written(game, after)

    def feels(question: Question) -> bool:
        known, bet = question.known, question.bet
        if known is None or bet not in old or bet not in new:
            return True
        return bool(old[bet].on(known) != new[bet].on(known))

    return feels


def _speaking(lawful: Game, before: str, game: Game, texts: list[str]) -> Feels:
    conditions = [_written(lawful, before), *(_written(game, text) for text in texts)]

    def feels(question: Question) -> bool:
        known, bet = question.known, question.bet
        # A clause that does not name this bet has no condition here.
        return known is None or any(
            bet in condition and condition[bet].on(known) for condition in conditions
        )

    return feels


def _written(game: Game, text: str) -> dict[str, Expression]:
    """Return the condition that is written so, for each bet that has it."""
    return {
        rules.name: condition
        for rules in game.bets.values()
        for condition in chain(
            (rule.condition for rule in rules.results),
            (rule.condition for rule in rules.prizes),
            (rule.condition for rule in rules.commissions),
        )
        if condition is not None and condition.text == text
    }


def _definition(name: str, game: Game) -> Feels:
    expression = next(one for defined, _, one in game.defines if defined == name)
    known: dict[int, bool] = {}

    def feels(question: Question) -> bool:
        facts = question.facts
        if id(facts) not in known:
            known[id(facts)] = expression.on(facts) != facts[name]
        return known[id(facts)]

    return feels


def _standing(lawful: Game, game: Game) -> Feels:
    elsewhere: dict[tuple[str, ...], bool] = {}

    def moved(hand: Any) -> bool:
        at = tuple(hand)
        if at not in elsewhere:
            elsewhere[at] = _order(lawful, hand) != _order(game, hand)
        return elsewhere[at]

    def feels(question: Question) -> bool:
        known = question.known
        return known is None or any(moved(known[name]) for name in _HANDS if name in known)

    return feels


def _order(game: Game, hand: Any) -> tuple[int, ...] | None:
    """Return where a hand stands; a misdealt hand may stand nowhere, and no rule asks for it."""
    try:
        return None if game.order is None else game.order(hand)
    except LookupError:
        return None
