"""Pre-filter: which cached questions a mutant clause could answer differently.

1. A clause with a condition: where the value of the condition differs, or, if more than the
   condition is mutated, where the clause applies at all.
2. A definition over the whole outcome: where its value differs.
3. A line of the order of hands: where a hand ranks differently.
4. Any other mutant may change every answer.
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
    from selo.rules.mutants import Mutant
    from selo.rules.settlement import Game

    MayChange = Callable[[Question], bool]

#: The field of each kind of clause that holds its condition.
_CONDITION_FIELDS: dict[type[c.Clause], str] = {
    c.On: "when",
    c.BetClause: "wins",
    c.Prize: "when",
    c.Commission: "when",
    c.Combination: "when",
}
#: Names of hands in the facts of a round.
_HAND_NAMES = ("hand", "banker", "croupier")


def make_prefilter(mutant: Mutant, lawful: Game, game: Game) -> MayChange:
    """Return a predicate: whether `game` may answer a question differently than `lawful` does."""
    was = mutant.was
    if type(was) in _CONDITION_FIELDS:
        return _filter_by_condition(mutant, lawful, game)
    if isinstance(was, c.Define) and was.of == "outcome":
        return _filter_by_definition(was.define, game)
    return _filter_by_hand_order(lawful, game) if isinstance(was, c.Rank) else _always


def _always(_: Question) -> bool:
    return True


def _filter_by_condition(mutant: Mutant, lawful: Game, game: Game) -> MayChange:
    was, now = mutant.was, mutant.now
    field = _CONDITION_FIELDS[type(was)]
    texts = [
        getattr(clause, _CONDITION_FIELDS[type(clause)])
        for clause in now
        if type(clause) in _CONDITION_FIELDS
    ]
    before = getattr(was, field)
    if None in {before, *texts} or len(texts) < len(now):
        # A clause without a condition applies to every question.
        return _always
    if len(now) == 1 and texts != [before] and replace(now[0], **{field: before}) == was:
        return _filter_by_value(lawful, before, game, texts[0])
    return _filter_by_applicability(lawful, before, game, texts)


def _filter_by_value(lawful: Game, before: str, game: Game, after: str) -> MayChange:
    old, new = _conditions_by_bet(lawful, before), _conditions_by_bet(game, after)

    def may_change(question: Question) -> bool:
        facts, bet = question.all_facts, question.bet
        if facts is None or bet not in old or bet not in new:
            return True
        return bool(old[bet].on(facts) != new[bet].on(facts))

    return may_change


def _filter_by_applicability(lawful: Game, before: str, game: Game, texts: list[str]) -> MayChange:
    conditions = [
        _conditions_by_bet(lawful, before),
        *(_conditions_by_bet(game, text) for text in texts),
    ]

    def may_change(question: Question) -> bool:
        facts, bet = question.all_facts, question.bet
        # A clause that does not apply to this bet has no condition here.
        return facts is None or any(
            bet in condition and condition[bet].on(facts) for condition in conditions
        )

    return may_change


def _conditions_by_bet(game: Game, text: str) -> dict[str, Expression]:
    """Return the compiled condition with this text, for each bet that has it."""
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


def _filter_by_definition(name: str, game: Game) -> MayChange:
    expression = next(expression for defined, _, expression in game.defines if defined == name)
    changes: dict[int, bool] = {}

    def may_change(question: Question) -> bool:
        facts = question.facts
        if id(facts) not in changes:
            changes[id(facts)] = expression.on(facts) != facts[name]
        return changes[id(facts)]

    return may_change


def _filter_by_hand_order(lawful: Game, game: Game) -> MayChange:
    moved: dict[tuple[str, ...], bool] = {}

    def is_moved(hand: Any) -> bool:
        key = tuple(hand)
        if key not in moved:
            moved[key] = _rank_of(lawful, hand) != _rank_of(game, hand)
        return moved[key]

    def may_change(question: Question) -> bool:
        facts = question.all_facts
        return facts is None or any(is_moved(facts[name]) for name in _HAND_NAMES if name in facts)

    return may_change


def _rank_of(game: Game, hand: Any) -> tuple[int, ...] | None:
    """Return the rank of a hand; a misdealt hand may have none, and no rule asks for it."""
    try:
        return None if game.order is None else game.order(hand)
    except LookupError:
        return None
