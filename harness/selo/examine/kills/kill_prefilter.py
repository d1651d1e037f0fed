"""Pre-filter: which cached questions a mutant clause could answer differently.

1. A clause with a condition: where the value of the condition differs, or, if more than the
   condition is mutated, where the clause applies at all.
2. A definition over the whole outcome: where its value differs.
3. A line of the order of hands: where a hand ranks differently.
4. Any other mutant may change every answer.

The values of a condition follow from few facts, which many questions share: it is evaluated once
for each group of questions in which these facts are the same.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Protocol

from msgspec.structs import replace

from selo.rules.clauses import clause_models as c
from selo.rules.settlement import Game

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from selo.cases import Case
    from selo.examine.kills.instrumented_game import Question, ThrowQuestion
    from selo.rules.language import Expression
    from selo.rules.mutants import Mutant
    from selo.rules.settlement import ThrowingGame

    AnyGame = Game | ThrowingGame
    AnyQuestion = Question | ThrowQuestion
    MayChange = Callable[[Any], bool]
    Facts = Mapping[str, Any]
    #: A question, with its number among all of its bet and its key.
    Item = tuple[int, Hashable, AnyQuestion]
    #: Selects the questions about a bet that may be answered differently.
    Prefilter = Callable[[str], Iterable[Item]]

#: The field of each kind of clause that holds its condition.
_CONDITION_FIELDS: dict[type[c.Clause], str] = {
    c.On: "when",
    c.BetClause: "wins",
    c.Prize: "when",
    c.Commission: "when",
    c.Combination: "when",
}
#: Clauses that can change the order of hands.
_CLAUSES_OF_HAND_ORDER: Final = (
    c.Define, c.TableClause, c.FaceClause, c.FacesClause, c.Rank, c.MannerClause, c.Tiles,
)  # fmt: skip
#: The stage in which bets are placed.
_PLACED = "placed"
#: Names of hands in the facts of a round.
_HAND_NAMES = ("hand", "banker", "croupier")


def affects_hand_order(mutant: ChangedClause) -> bool:
    """Return whether a mutant can change the order of hands, and so a comparison."""
    return isinstance(mutant.was, _CLAUSES_OF_HAND_ORDER)


class ChangedClause(Protocol):
    """A change of one clause."""

    @property
    def was(self) -> c.Clause:
        """The clause that is changed."""


def make_case_filter(lawful: AnyGame, mutants: Iterable[Mutant] | None) -> Callable[[Case], bool]:
    """Return a predicate: whether a case may kill one of some mutants; of any, all may."""
    if mutants is None:
        return lambda _: True
    tried = list(mutants)
    # A bet may ask for the result of another, so no single bet is left out.
    settling, compares = [one for one in tried if one.bets()], any(map(affects_hand_order, tried))
    forget = all(map(forgets_refusal, settling))

    def may_kill(case: Case) -> bool:
        if case.method == "compare":
            return compares
        return bool(settling) and (not forget or refuses_bets(lawful, case))

    return may_kill


def forgets_refusal(mutant: Mutant) -> bool:
    """Return whether a mutant accepts bets that the law refuses, and changes nothing else."""
    return isinstance(mutant.was, c.Excludes | c.Single) and not mutant.now


def refuses_bets(game: AnyGame, case: Case) -> bool:
    """Return whether a game may refuse bets of a case because of its other bets."""
    return not isinstance(game, Game) or bool(game.find_refusals(case.bets))


class QuestionGroups:
    """The questions about each bet, grouped by the facts on which conditions depend."""

    def __init__(self) -> None:
        self._items: dict[str, list[Item]] = {}
        #: By bet and names of facts: the facts of one question, and all that share their values.
        self._groups: dict[tuple[str, tuple[str, ...]], list[tuple[Facts | None, list[Item]]]] = {}

    def add(self, key: Hashable, question: AnyQuestion) -> None:
        """Add a question, before any is selected."""
        items = self._items.setdefault(question.bet, [])
        items.append((len(items), key, question))

    def all_of(self, bet: str) -> Sequence[Item]:
        """Return all questions about a bet."""
        return self._items.get(bet, [])

    def select(
        self, bet: str, conditions: Sequence[Expression], may_change: Callable[[Facts], bool]
    ) -> list[Item]:
        """Return the questions about a bet that may change, in the order in which they were added.

        `may_change` depends on the values of the conditions alone.
        """
        names = tuple(sorted({name for condition in conditions for name in condition.names}))
        selected: list[Item] = []
        for facts, items in self._grouped(bet, names):
            # A question about a malformed bet has no facts, and one may lack a fact.
            if facts is None or any(name not in facts for name in names) or may_change(facts):
                selected += items
        selected.sort(key=_number_of)
        return selected

    def _grouped(self, bet: str, names: tuple[str, ...]) -> list[tuple[Facts | None, list[Item]]]:
        if (bet, names) not in self._groups:
            groups: dict[Hashable, tuple[Facts | None, list[Item]]] = {}
            for item in self.all_of(bet):
                facts = item[2].all_facts
                values = None if facts is None else tuple([_freeze(facts.get(n)) for n in names])
                groups.setdefault(values, (facts, []))[1].append(item)
            self._groups[bet, names] = [*groups.values()]
        return self._groups[bet, names]


def _number_of(item: Item) -> int:
    return item[0]


def _freeze(value: Any) -> Hashable:
    """Return a value of a fact as a key; equal values of different types have different keys."""
    if isinstance(value, list | tuple):
        return (type(value), *map(_freeze, value))
    return value if isinstance(value, str) else (type(value), value)


def make_prefilter(
    mutant: Mutant, lawful: AnyGame, game: AnyGame, questions: QuestionGroups
) -> Prefilter:
    """Return what selects the questions that `game` may answer differently than `lawful` does."""
    was = mutant.was
    if type(was) in _CONDITION_FIELDS:
        return _filter_by_condition(mutant, lawful, game, questions)
    may_change: MayChange | None = None
    if isinstance(lawful, Game) and isinstance(game, Game):
        if isinstance(was, c.Define) and was.of == "outcome":
            may_change = _filter_by_definition(was.define, game)
        elif isinstance(was, c.Rank):
            may_change = _filter_by_hand_order(lawful, game)
    if may_change is None:
        return questions.all_of
    return lambda bet: [item for item in questions.all_of(bet) if may_change(item[2])]


def _filter_by_condition(
    mutant: Mutant, lawful: AnyGame, game: AnyGame, questions: QuestionGroups
) -> Prefilter:
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
        return questions.all_of
    if len(now) == 1 and texts != [before] and replace(now[0], **{field: before}) == was:
        return _filter_by_value(lawful, before, game, texts[0], questions)
    if isinstance(was, c.BetClause):
        # What can be chosen, and beside what a bet is placed, matters whatever the outcome is.
        return questions.all_of
    return _filter_by_applicability(lawful, before, game, texts, questions)


def _filter_by_value(
    lawful: AnyGame, before: str, game: AnyGame, after: str, questions: QuestionGroups
) -> Prefilter:
    old, new = _conditions_by_bet(lawful, before), _conditions_by_bet(game, after)

    def select(bet: str) -> Iterable[Item]:
        if bet not in old or bet not in new:
            return questions.all_of(bet)
        was, now = old[bet], new[bet]
        return questions.select(bet, (was, now), lambda facts: bool(was.on(facts) != now.on(facts)))

    return select


def _filter_by_applicability(
    lawful: AnyGame, before: str, game: AnyGame, texts: list[str], questions: QuestionGroups
) -> Prefilter:
    conditions = [
        _conditions_by_bet(lawful, before),
        *(_conditions_by_bet(game, text) for text in texts),
    ]

    def select(bet: str) -> Iterable[Item]:
        # A clause that does not apply to this bet has no condition here.
        own = [condition[bet] for condition in conditions if bet in condition]
        return questions.select(bet, own, lambda facts: any(one.on(facts) for one in own))

    return select


def _conditions_by_bet(game: AnyGame, text: str) -> dict[str, Expression]:
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


def only_at_throws(clause: c.Clause, was: c.Clause) -> bool:
    """Return whether a clause applies only when dice are thrown, not when bets are placed."""
    if isinstance(clause, c.BetClause) and isinstance(was, c.BetClause):
        return (clause.choice, clause.added_to) == (was.choice, was.added_to)
    if isinstance(clause, c.On):
        return clause.stage != _PLACED
    return isinstance(clause, c.Prize | c.Commission)
