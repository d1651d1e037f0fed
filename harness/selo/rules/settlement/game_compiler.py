"""Compiles the clauses of an instrument to a game, or names the file and line that is wrong.

1. Clauses are read into closed models; those under readings not in force are left out.
2. Equipment, faces and tables are collected; the kit gives the first variables.
3. Definitions are compiled in the order of the law, each one a variable for those after it.
4. Ranks make the order of hands; then bets, results, prizes, commissions and needs are joined.
5. Incomplete rules (a prize without a bet, a bet without a prize) are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.clauses.jackpot_share import read_share
from selo.rules.equipment import PlayerAndBanker
from selo.rules.equipment.equipment_compiler import build_kit, choices_of_bet, read_tables
from selo.rules.equipment.kits import Tables
from selo.rules.equipment.plain_dice import PlainDice
from selo.rules.language import BadExpression, Expression, compile_expression
from selo.rules.language.vocabulary import (
    BOOL,
    INT,
    INTS,
    TEXT,
    TEXTS,
    ConditionVocabulary,
    Function,
)
from selo.rules.settlement import neighbouring_bets
from selo.rules.settlement.game import Game
from selo.rules.settlement.hand_order import (
    HandWords,
    build_order,
    comparison_functions,
    find_direction,
    memoise,
)
from selo.rules.settlement.joint_settlement import SingleBets
from selo.rules.settlement.pair_order import compile_tiles, uses_tiles
from selo.rules.settlement.provenance import Provenance, ReconstructedBasis
from selo.rules.settlement.rounding import TO_THE_UNIT
from selo.rules.settlement.settlement_models import (
    BetRules,
    CommissionRule,
    LimitRule,
    PrizeRule,
    ResultRule,
)
from selo.rules.settlement.table_options import apply_table_rules, option_types_of
from selo.rules.settlement.throwing_game import ThrowingGame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from selo.law import Law
    from selo.rules.clauses import LocatedClause
    from selo.rules.equipment.kits import Kit
    from selo.rules.readings import Readings

_HAND_VARIABLES = {"hand": TEXTS}
_DRAWS = "draws"
#: What a definition may be of, besides the whole outcome: one hand, or the draws that made it.
_OF_HANDS = frozenset({"hand", _DRAWS})


def compile_game(
    law: Law, game: str, readings: Readings, clauses: Iterable[LocatedClause] | None = None
) -> Game | ThrowingGame:
    """Compile `game` from the law files, or from these `clauses` in their place."""
    every = read_clauses(law, game) if clauses is None else clauses
    in_force = [located for located in every if readings.allows(located.clause.under)]
    if uses_tiles(law, game):
        return compile_tiles(law, game, in_force)
    compiled = _Compiler(law, game, in_force).game()
    if isinstance(compiled.kit, PlainDice):
        # The bet declared first opens the round: its point is the point of the round.
        return ThrowingGame(game=compiled, line=next(iter(compiled.bets)))
    return compiled


class _Compiler:
    def __init__(self, law: Law, game: str, clauses: Iterable[LocatedClause]) -> None:
        self._game = game
        self._by_kind: dict[type[c.Clause], list[Any]] = {}
        for located in clauses:
            self._by_kind.setdefault(type(located.clause), []).append(located)
        self._law = law
        self._tables = Tables()
        self._basis = ReconstructedBasis.of(law, game, self._tables)
        self._functions: list[Function] = []
        self._hand_words = HandWords()
        self._bets: dict[str, BetRules] = {}
        self._vocabularies: dict[str, ConditionVocabulary] = {}
        self._provenance = Provenance()

    def game(self) -> Game:
        read_tables(self._law, self._game, self._by_kind, self._tables, self._provenance.add_table)
        kit_clauses = [
            located.clause
            for kind in (c.Equipment, c.MannerClause, c.Option)
            for located in self._clauses(kind)
        ]
        self._hand_words.ground = (self._game, repr(self._tables), repr(kit_clauses))
        kit = build_kit(self._game, self._by_kind)
        self._functions = kit.functions(self._tables)
        base = ConditionVocabulary.of(kit.variables, self._functions)
        base, defines = self._compile_definitions(base)
        order = self._build_order()
        if order is not None:
            self._functions += comparison_functions(order)
            base = ConditionVocabulary.of(base.variables, self._functions)
        self._declare_bets(kit, base)
        self._join_bets(kit, base)
        self._check_bets()
        manner_clauses = self._clauses(c.MannerClause)
        manners = {located.clause.manner: located.clause.means for located in manner_clauses}
        singles = {
            rules.name: neighbouring_bets.read_single(located)
            for located in self._clauses(c.Single)
            for rules in self._bets_named(located, "single", located.clause.single)
        }
        game = Game(
            name=self._game,
            kit=kit,
            tables=self._tables,
            defines=defines,
            bets=self._bets,
            order=order,
            hand_memos=self._hand_words.memos,
            roundings={
                located.clause.rounding: located.clause.to for located in self._clauses(c.Rounding)
            },
            open_roundings=frozenset(
                located.clause.rounding
                for located in self._clauses(c.Rounding)
                if located.clause.under and located.clause.to in TO_THE_UNIT
            ),
            odds_are=manners.get("odds", "to-one"),
            lines_add_up=manners.get("lines") == "add-up",
            commission_on_returned=manners.get("commission-of") == "returned",
            refusals=[SingleBets(rules=singles)] if singles else [],
            provenance=self._provenance,
            basis=self._basis if self._basis.statements else None,
        )
        provisions = {
            located.clause.manner: (located.clause.means, located.held.id)
            for located in manner_clauses
        }
        return apply_table_rules(
            game,
            provisions,
            self._options(),
            self._clauses(c.Excludes),
            reads_options=isinstance(kit, PlayerAndBanker),
        )

    def _options(self) -> list[c.Option]:
        return [located.clause for located in self._clauses(c.Option)]

    def _clauses(self, kind: type[c.Clause]) -> list[Any]:
        return self._by_kind.get(kind, [])

    def _compile_definitions(
        self, base: ConditionVocabulary
    ) -> tuple[ConditionVocabulary, list[tuple[str, str, Expression]]]:
        defines: list[tuple[str, str, Expression]] = []
        for located in self._clauses(c.Define):
            clause = located.clause
            self._basis.add_definition(clause.define, clause.means)
            if clause.of in _OF_HANDS:
                self._functions.append(self._hand_function(located))
                base = ConditionVocabulary.of(base.variables, self._functions)
                continue
            expression, kind = self._compile_any(located, "means", clause.means, base)
            base = base.with_variable(clause.define, kind)
            defines.append((clause.define, located.held.id, expression))
            self._provenance.add_definition(clause.define, located.held.id, expression)
        return base, defines

    def _hand_function(self, located: Any) -> Function:
        vocabulary = ConditionVocabulary.of(_HAND_VARIABLES, self._functions)
        expression, kind = self._compile_any(located, "means", located.clause.means, vocabulary)
        self._provenance.add_definition(located.clause.define, located.held.id, expression)
        memo = self._hand_words.memo_of([expression], located.clause.of, located.clause.define)
        run = memoise(expression, memo)
        if located.clause.of == _DRAWS:
            if kind != BOOL:
                problem = f"'{located.clause.means}' does not say whether a card may be drawn"
                raise located.error_at("means", problem, "A definition of draws is a condition.")
            run = self._hold_of_draws(run)
        return Function(
            name=located.clause.define,
            takes=(TEXTS,),
            gives=kind,
            run=run,
            says=f"as {located.held.id} defines it",
        )

    def _hold_of_draws(self, holds: Callable[[Any], Any]) -> Callable[[Any], bool]:
        """Return whether something held of a hand before each card that it drew."""
        dealt = min(
            (located.clause.cards or 0 for located in self._clauses(c.Equipment)), default=0
        )

        def held_before_each(hand: Sequence[str]) -> bool:
            return all(holds(hand[:size]) for size in range(dealt, len(hand)))

        return held_before_each

    def _build_order(self) -> Callable[[Sequence[str]], tuple[int, ...]] | None:
        vocabulary = ConditionVocabulary.of(_HAND_VARIABLES, self._functions)
        lines: list[tuple[int, Expression, list[Expression]]] = []
        for located in self._clauses(c.Rank):
            condition = self._compile_condition(located, "when", located.clause.when, vocabulary)
            keys = [self._compile_key(located, key, vocabulary) for key in located.clause.key]
            rank = located.clause.rank
            number = int(rank) if rank.isdigit() else len(lines) + 1
            lines.append((number, condition, keys))
            self._provenance.add_rank_line(number, located.held.id, condition.text)
        if not lines:
            return None
        direction = find_direction(self._clauses(c.MannerClause), self._clauses(c.Rank))
        self._provenance.add_order_provision(direction)
        lines.sort(key=lambda line: line[0])
        memo = self._hand_words.memo_of(
            [part for _, condition, keys in lines for part in (condition, *keys)],
            tuple((number, len(keys)) for number, _, keys in lines),
        )
        return build_order(lines, memo)

    def _declare_bets(self, kit: Kit, base: ConditionVocabulary) -> None:
        for located in self._clauses(c.BetClause):
            clause = located.clause
            if clause.bet in self._bets:
                problem = f"the bet '{clause.bet}' is declared twice"
                raise located.error_at("bet", problem, "Keep one declaration.")
            if clause.per is not None and clause.per not in kit.places:
                problem = f"a bet has no '{clause.per}' here"
                raise located.error_at("per", problem, "See docs/rules.md.")
            rules = BetRules(
                name=clause.bet,
                declared_in=located.held.id,
                domain=choices_of_bet(located, kit, self._tables),
                place=clause.per,
                added_to=clause.added_to,
            )
            self._bets[clause.bet] = rules
            if clause.wins is not None:
                vocabulary = self._vocabulary_of(rules, kit, base)
                condition = self._compile_condition(located, "wins", clause.wins, vocabulary)
                rules.results.append(
                    ResultRule(
                        provision=located.held.id,
                        result="win",
                        condition=condition,
                        stage=clause.stage,
                    )
                )

    def _join_bets(self, kit: Kit, base: ConditionVocabulary) -> None:
        self._join_results(kit, base)
        self._join_money(kit, base)
        for located in self._clauses(c.Needs):
            for rules in self._bets_named(located, "needs", located.clause.needs):
                rules.needs.append(neighbouring_bets.read_need(located))

    def _join_results(self, kit: Kit, base: ConditionVocabulary) -> None:
        for located in self._clauses(c.On):
            over = frozenset(
                name if name == c.WILDCARD else f"{located.held.instrument.id}/{name}"
                for name in located.clause.over
            )
            for rules in self._bets_named(located, "on", located.clause.on):
                rules.results.append(
                    ResultRule(
                        provision=self._basis.provision_of(located),
                        result=located.clause.result,
                        condition=self._compile_when(located, rules, kit, base),
                        over=over, stage=located.clause.stage, stake=located.read_void_stake(),
                    )
                )  # fmt: skip
        for located in self._clauses(c.Combination):
            for rules in self._bets_named(located, "wins", located.clause.wins):
                rules.results.append(
                    ResultRule(
                        provision=located.held.id,
                        result="win",
                        condition=self._compile_when(located, rules, kit, base),
                        combination=located.clause.combination,
                    )
                )

    def _join_money(self, kit: Kit, base: ConditionVocabulary) -> None:
        for located in self._clauses(c.Prize):
            for rules in self._bets_named(located, "prize", located.clause.prize):
                rules.prizes.append(
                    PrizeRule(
                        provision=located.held.id,
                        odds=located.read_odds(),
                        condition=self._compile_when(located, rules, kit, base),
                        share=read_share(located),
                    )
                )
        for located in self._clauses(c.Limit):
            for rules in self._bets_named(located, "limit", located.clause.limit):
                means, of = located.read_limit_kind(), located.clause.of
                rules.limits.append(LimitRule(provision=located.held.id, means=means, of=of))
        for located in self._clauses(c.Commission):
            for rules in self._bets_named(located, "commission", located.clause.commission):
                rules.commissions.append(
                    CommissionRule(
                        provision=located.held.id,
                        rate=located.read_rate(),
                        condition=self._compile_when(located, rules, kit, base),
                    )
                )

    def _check_bets(self) -> None:
        for rules in self._bets.values():
            names = {name for condition in rules.conditions() for name in condition.names}
            rules.asks_others = not neighbouring_bets.NEIGHBOUR_VARIABLES.isdisjoint(names)
            rules.asks_history = not names.isdisjoint(neighbouring_bets.BET_HISTORY)
        declared = {located.clause.bet: located for located in self._clauses(c.BetClause)}
        for rules in self._bets.values():
            wins = any(rule.result == "win" for rule in rules.results)
            if wins and not rules.prizes:
                problem = f"the bet '{rules.name}' can win and has no prize"
                hint = "Write a prize clause for it, in the article on prizes."
                raise declared[rules.name].error_at("bet", problem, hint)
            if not rules.results:
                problem = f"no rule says when the bet '{rules.name}' wins or loses"
                hint = "Write wins: here, or an on: clause elsewhere."
                raise declared[rules.name].error_at("bet", problem, hint)

    def _bets_named(self, located: Any, field: str, wanted: c.Names) -> list[BetRules]:
        if wanted == c.WILDCARD:
            return list(self._bets.values())
        bets = []
        for name in c.list_names(wanted):
            if name not in self._bets:
                hint = f"Bets of this game: {', '.join(self._bets)}."
                raise located.error_at(field, f"there is no bet '{name}'", hint)
            bets.append(self._bets[name])
        return bets

    def _vocabulary_of(
        self, rules: BetRules, kit: Kit, base: ConditionVocabulary
    ) -> ConditionVocabulary:
        if rules.name in self._vocabularies:
            return self._vocabularies[rules.name]
        # The options of player and banker have variables of their own.
        options = [] if isinstance(kit, PlayerAndBanker) else self._options()
        variables = {**option_types_of(options), **base.variables}
        if rules.domain is not None:
            variables["choice"] = INT if isinstance(rules.domain[0], int) else TEXT
        if rules.place is not None:
            variables.update(kit.places[rules.place])
        variables.update(neighbouring_bets.neighbour_types(rules.domain))
        self._vocabularies[rules.name] = ConditionVocabulary.of(variables, self._functions)
        return self._vocabularies[rules.name]

    def _compile_when(
        self, located: Any, rules: BetRules, kit: Kit, base: ConditionVocabulary
    ) -> Expression | None:
        when = located.clause.when
        if when is None:
            return None
        vocabulary = self._vocabulary_of(rules, kit, base)
        return self._compile_condition(located, "when", when, vocabulary)

    def _compile_condition(
        self, located: Any, field: str, text: str, vocabulary: ConditionVocabulary
    ) -> Expression:
        return self._provenance.record_condition(
            located.compile_condition(field, text, vocabulary, BOOL)
        )

    def _compile_key(self, located: Any, text: str, vocabulary: ConditionVocabulary) -> Expression:
        """Return a key that orders hands on one line: a number, or several in order of weight."""
        expression, kind = self._compile_any(located, "key", text, vocabulary)
        if kind not in {INT, INTS}:
            raise located.error_at(
                "key", f"'{text}' gives no number", "A key is a number or numbers."
            )
        return expression

    def _compile_any(
        self, located: Any, field: str, text: str, vocabulary: ConditionVocabulary
    ) -> tuple[Expression, str]:
        for kind in (INT, BOOL, TEXT, INTS, TEXTS):
            try:
                expression = compile_expression(text, vocabulary, wanted=kind)
                return self._provenance.record_condition(expression), kind
            except BadExpression as error:
                if "is needed here" not in str(error):
                    raise located.error_at(field, str(error), "See docs/rules.md.") from error
        raise located.error_at(field, f"'{text}' has no usable type", "See docs/rules.md.")
