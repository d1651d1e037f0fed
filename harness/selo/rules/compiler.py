"""Turns the rules of an instrument into a game, or says in which file and line it cannot.

1. Clauses are read into closed models and kept if their readings are followed.
2. Equipment, faces and tables are collected; the kit gives the first names.
3. Definitions are compiled in the order of the law, each one a name for those after it.
4. Ranks make the order of hands; then bets, results, prizes, commissions and needs are joined.
5. What does not fit together (a prize without a bet, a bet without a prize) is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from selo.rules.clauses import (
    choices_of,
    compiled,
    limit_of,
    odds_of,
    rate_of,
    read_clauses,
)
from selo.rules.clauses import clause_models as c
from selo.rules.equipment import (
    CroupierAndPlaces,
    PlayerAndBanker,
    comparisons,
    direction,
    ordering,
    remembered,
)
from selo.rules.equipment.kits import Duel, FigureDice, Kit, Tables
from selo.rules.language import BadExpression, Expression, compile_expression
from selo.rules.language.vocabulary import BOOL, INT, INTS, TEXT, TEXTS, Function, Vocabulary
from selo.rules.settlement import Basis, Meanings
from selo.rules.settlement.bet_rules import (
    BetRules,
    CommissionRule,
    NeedRule,
    PrizeRule,
    ResultRule,
)
from selo.rules.settlement.game import ALL, Game
from selo.rules.settlement.jackpot import share_of
from selo.rules.settlement.joint_settlement import TableGame, excluding
from selo.rules.settlement.neighbouring_bets import AROUND, around_variables
from selo.rules.settlement.table_options import option_types, with_declarations
from selo.rules.settlement.throwing_game import Dice, ThrowingGame
from selo.rules.settlement.tile_game import compile_tiles, plays_with_tiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from selo.law.loader import Law
    from selo.rules.clauses import Written
    from selo.rules.readings import Readings

K = TypeVar("K", bound=c.Clause)
_HAND = {"hand": TEXTS}


def compile_game(
    law: Law, game: str, readings: Readings, clauses: Iterable[Written] | None = None
) -> Game | ThrowingGame:
    """Return `game` as the law files, or these `clauses` in their place, have it."""
    written = read_clauses(law, game) if clauses is None else clauses
    held = [one for one in written if readings.allow(one.clause.under)]
    if plays_with_tiles(law, game):
        return compile_tiles(law, game, held)
    compiled = _Compiler(law, game, held).game()
    if isinstance(compiled.kit, Dice):
        # The bet declared first opens the round: its point is the point of the round.
        return ThrowingGame(game=compiled, line=next(iter(compiled.bets)))
    return compiled


class _Compiler:
    def __init__(self, law: Law, game: str, clauses: Iterable[Written]) -> None:
        self._game = game
        self._by_kind: dict[type[c.Clause], list[Any]] = {}
        for clause in clauses:
            self._by_kind.setdefault(type(clause.clause), []).append(clause)
        self._tables = Tables()
        self._basis = Basis.of(law, game, self._tables)
        self._functions: list[Function] = []
        self._bets: dict[str, BetRules] = {}
        self._meanings = Meanings()

    def game(self) -> Game:
        self._read_tables()
        kit = self._kit()
        self._functions = kit.functions(self._tables)
        base = Vocabulary.of(kit.variables, self._functions)
        base, defines = self._defines(base)
        order = self._order()
        if order is not None:
            self._functions += comparisons(order)
            base = Vocabulary.of(base.variables, self._functions)
        self._declare(kit, base)
        self._join(kit, base)
        self._complete()
        manners = {one.clause.manner: one.clause.means for one in self._of(c.Manner)}
        game = Game(
            name=self._game,
            kit=kit,
            tables=self._tables,
            defines=defines,
            bets=self._bets,
            order=order,
            roundings={one.clause.rounding: one.clause.to for one in self._of(c.Rounding)},
            odds_are=manners.get("odds", "to-one"),
            lines_add_up=manners.get("lines") == "add-up",
            meanings=self._meanings,
        )
        if not isinstance(kit, PlayerAndBanker):
            said = {
                one.clause.manner: (one.clause.means, one.held.id) for one in self._of(c.Manner)
            }
            return with_declarations(game, said, self._options(), self._basis)
        return TableGame.made_of(game, manners, excluding(self._of(c.Excludes)), self._basis)

    def _options(self) -> list[c.Option]:
        return [one.clause for one in self._of(c.Option)]

    def _of(self, kind: type[K]) -> list[Any]:
        return self._by_kind.get(kind, [])

    def _read_tables(self) -> None:
        for one in self._of(c.Face):
            self._tables.faces[one.clause.face] = (one.clause.colour, one.clause.number)
        for one in self._of(c.Table):
            name, rows = one.clause.table, one.clause.rows
            self._meanings.table(name, one.held.id)
            if isinstance(rows, dict):
                self._tables.values.setdefault(name, {}).update(rows)
            else:
                self._tables.orders[name] = [
                    (row,) if isinstance(row, str) else tuple(row) for row in rows
                ]

    def _kit(self) -> Kit:
        for one in self._of(c.Equipment):
            clause = one.clause
            if clause.equipment == "figure-dice" and clause.dice is not None:
                return FigureDice(clause.dice)
            if clause.equipment == "banker-and-seats" and clause.cards is not None:
                return Duel(house="banker", seats="seats", place="seat", cards=clause.cards)
            if clause.equipment == "dice" and clause.dice is not None:
                return Dice(clause.dice)
            if clause.equipment == "croupier-and-places" and clause.cards is not None:
                return CroupierAndPlaces(clause.cards)
            if clause.equipment == "player-and-banker" and clause.cards is not None:
                return PlayerAndBanker(clause.cards, self._options())
            raise one.wrong(
                "equipment", f"there is no equipment '{clause.equipment}'", "See docs/rules.md."
            )
        msg = f"{self._game} has no rule that names its equipment"
        raise LookupError(msg)

    def _defines(self, base: Vocabulary) -> tuple[Vocabulary, list[tuple[str, str, Expression]]]:
        defines: list[tuple[str, str, Expression]] = []
        for one in self._of(c.Define):
            clause = one.clause
            self._basis.learn(clause.define, clause.means)
            if clause.of == "hand":
                self._functions.append(self._hand_function(one))
                base = Vocabulary.of(base.variables, self._functions)
                continue
            expression, kind = self._any(one, "means", clause.means, base)
            base = base.with_variable(clause.define, kind)
            defines.append((clause.define, one.held.id, expression))
            self._meanings.define(clause.define, one.held.id, expression)
        return base, defines

    def _hand_function(self, one: Any) -> Function:
        vocabulary = Vocabulary.of(_HAND, self._functions)
        expression, kind = self._any(one, "means", one.clause.means, vocabulary)
        self._meanings.define(one.clause.define, one.held.id, expression)
        return Function(
            name=one.clause.define,
            takes=(TEXTS,),
            gives=kind,
            run=remembered(expression),
            says=f"as {one.held.id} defines it",
        )

    def _order(self) -> Callable[[Sequence[str]], tuple[int, ...]] | None:
        vocabulary = Vocabulary.of(_HAND, self._functions)
        lines: list[tuple[int, Expression, list[Expression]]] = []
        for one in self._of(c.Rank):
            condition = self._bool(one, "when", one.clause.when, vocabulary)
            keys = [self._key(one, key, vocabulary) for key in one.clause.key]
            rank = one.clause.rank
            number = int(rank) if rank.isdigit() else len(lines) + 1
            lines.append((number, condition, keys))
            self._meanings.line(number, one.held.id, condition.text)
        if not lines:
            return None
        self._meanings.order_said_in(direction(self._of(c.Manner), self._of(c.Rank)))
        lines.sort(key=lambda line: line[0])
        return ordering(lines)

    def _declare(self, kit: Kit, base: Vocabulary) -> None:
        for one in self._of(c.Bet):
            clause = one.clause
            if clause.bet in self._bets:
                raise one.wrong(
                    "bet", f"the bet '{clause.bet}' is declared twice", "Keep one declaration."
                )
            if clause.per is not None and clause.per not in kit.places:
                raise one.wrong("per", f"a bet has no '{clause.per}' here", "See docs/rules.md.")
            rules = BetRules(
                name=clause.bet,
                declared_in=one.held.id,
                domain=self._domain(one, kit),
                place=clause.per,
                added_to=clause.added_to,
            )
            self._bets[clause.bet] = rules
            if clause.wins is not None:
                vocabulary = self._for_bet(rules, kit, base)
                condition = self._bool(one, "wins", clause.wins, vocabulary)
                rules.results.append(
                    ResultRule(
                        provision=one.held.id,
                        result="win",
                        condition=condition,
                        over=frozenset(),
                        stage=clause.stage,
                    )
                )

    def _join(self, kit: Kit, base: Vocabulary) -> None:
        self._join_results(kit, base)
        self._join_money(kit, base)
        for one in self._of(c.Needs):
            for rules in self._named(one, "needs", one.clause.needs):
                rules.needs.append(
                    NeedRule(
                        provision=one.held.id,
                        beside=frozenset(c.names(one.clause.beside)),
                        same=tuple(c.names(one.clause.same)),
                        unless_own=one.clause.unless == "own-place",
                    )
                )

    def _join_results(self, kit: Kit, base: Vocabulary) -> None:
        for one in self._of(c.On):
            over = frozenset(
                name if name == ALL else f"{one.held.instrument.id}/{name}"
                for name in one.clause.over
            )
            for rules in self._named(one, "on", one.clause.on):
                rules.results.append(
                    ResultRule(
                        provision=self._basis.provision(one),
                        result=one.clause.result,
                        condition=self._when(one, rules, kit, base),
                        over=over,
                        stage=one.clause.stage,
                    )
                )

        for one in self._of(c.Combination):
            for rules in self._named(one, "wins", one.clause.wins):
                rules.results.append(
                    ResultRule(
                        provision=one.held.id,
                        result="win",
                        condition=self._when(one, rules, kit, base),
                        over=frozenset(),
                        combination=one.clause.combination,
                    )
                )

    def _join_money(self, kit: Kit, base: Vocabulary) -> None:
        for one in self._of(c.Prize):
            for rules in self._named(one, "prize", one.clause.prize):
                rules.prizes.append(
                    PrizeRule(
                        provision=one.held.id,
                        odds=odds_of(one),
                        condition=self._when(one, rules, kit, base),
                        share=share_of(one),
                    )
                )
        for one in self._of(c.Limit):
            for rules in self._named(one, "limit", one.clause.limit):
                rules.limits.append(limit_of(one))
        for one in self._of(c.Commission):
            for rules in self._named(one, "commission", one.clause.commission):
                rules.commissions.append(
                    CommissionRule(
                        provision=one.held.id,
                        rate=rate_of(one),
                        condition=self._when(one, rules, kit, base),
                    )
                )

    def _complete(self) -> None:
        for rules in self._bets.values():
            conditions = [rule.condition for rule in rules.results]
            conditions += [rule.condition for rule in rules.prizes]
            conditions += [rule.condition for rule in rules.commissions]
            rules.asks_others = any(
                condition is not None and not AROUND.isdisjoint(condition.names)
                for condition in conditions
            )
        declared = {one.clause.bet: one for one in self._of(c.Bet)}
        for rules in self._bets.values():
            wins = any(rule.result == "win" for rule in rules.results)
            if wins and not rules.prizes:
                raise declared[rules.name].wrong(
                    "bet",
                    f"the bet '{rules.name}' can win and has no prize",
                    "Write a prize clause for it, in the article on prizes.",
                )
            if not rules.results:
                raise declared[rules.name].wrong(
                    "bet",
                    f"no rule says when the bet '{rules.name}' wins or loses",
                    "Write wins: here, or an on: clause elsewhere.",
                )

    def _named(self, one: Any, field: str, wanted: c.Names) -> list[BetRules]:
        if wanted == ALL:
            return list(self._bets.values())
        found = []
        for name in c.names(wanted):
            if name not in self._bets:
                raise one.wrong(
                    field,
                    f"there is no bet '{name}'",
                    f"Bets of this game: {', '.join(self._bets)}.",
                )
            found.append(self._bets[name])
        return found

    def _domain(self, one: Any, kit: Kit) -> tuple[Any, ...] | None:
        choice = one.clause.choice
        if choice is None:
            return None
        if isinstance(choice, list):
            return choices_of(choice)
        first, dash, last = choice.partition("–")
        if dash:
            return tuple(range(int(first), int(last) + 1))
        named = kit.domain(choice, self._tables)
        if named is None:
            raise one.wrong(
                "choice", f"there is nothing called '{choice}' to choose", "Use a name or a range."
            )
        return tuple(named)

    def _for_bet(self, rules: BetRules, kit: Kit, base: Vocabulary) -> Vocabulary:
        # A table of player and banker gives its options names of its own.
        options = [] if isinstance(kit, PlayerAndBanker) else self._options()
        variables = {**option_types(options), **base.variables}
        if rules.domain is not None:
            variables["choice"] = INT if isinstance(rules.domain[0], int) else TEXT
        if rules.place is not None:
            variables.update(kit.places[rules.place])
        return Vocabulary.of({**variables, **around_variables(rules.domain)}, self._functions)

    def _when(
        self,
        one: Any,
        rules: BetRules,
        kit: Kit,
        base: Vocabulary,
    ) -> Expression | None:
        if one.clause.when is None:
            return None
        return self._bool(one, "when", one.clause.when, self._for_bet(rules, kit, base))

    def _bool(self, one: Any, field: str, text: str, vocabulary: Vocabulary) -> Expression:
        return self._meanings.note(compiled(one, field, text, vocabulary, BOOL))

    def _key(self, one: Any, text: str, vocabulary: Vocabulary) -> Expression:
        """Return what orders hands on one line: a number, or several, the first deciding first."""
        expression, kind = self._any(one, "key", text, vocabulary)
        if kind not in {INT, INTS}:
            raise one.wrong("key", f"'{text}' gives no number", "A key is a number or numbers.")
        return expression

    def _any(
        self,
        one: Any,
        field: str,
        text: str,
        vocabulary: Vocabulary,
    ) -> tuple[Expression, str]:
        for kind in (INT, BOOL, TEXT, INTS, TEXTS):
            try:
                expression = compile_expression(text, vocabulary, wanted=kind)
                return self._meanings.note(expression), kind
            except BadExpression as error:
                if "is needed here" not in str(error):
                    raise one.wrong(field, str(error), "See docs/rules.md.") from error
        raise one.wrong(field, f"'{text}' has no usable type", "See docs/rules.md.")
