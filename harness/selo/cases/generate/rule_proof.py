"""Proves that compiled rules run: no contradiction, gap or idle clause on any class of outcomes.

1. The groups of the quick plan show every class of outcomes of a game: all throws, hands of every
   line of the law, both sides of every boundary, every option and bet. Their cases are settled
   with derivations under the defaults.
2. A bet with two results or prizes is a contradiction, one with none a gap; what dies otherwise is
   told with the clause that it was about.
3. A condition that none of these cases meets is idle, unless it holds under other readings only.
4. A few cases of each group are settled again under every other reading by itself.
5. Every option has values to try, and every written round can be read and played.
6. Every worked case of the law files comes out as it says, under each reading.
7. Every worked declaration is one that a vendor could send.
"""

from __future__ import annotations

import copy
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from selo import data_files
from selo.cases.generate.case_stream import list_groups
from selo.cases.scope import offer_everything, tried_values
from selo.errors import SeloError, SpecError
from selo.law.files import overlay_declarations, read_declarations
from selo.parallel import background_work, rare_garbage_collection
from selo.protocol.messages import Offer
from selo.protocol.schema import DeclarationWords
from selo.rules.checks import check_worked_cases, list_games, settlement_points
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.equipment.kits import BadOutcome
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game
from selo.rules.settlement.settlement_models import RuleFault
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.cases.case import Case
    from selo.errors import Problem
    from selo.law import Law
    from selo.rules.clauses import LocatedClause

#: Cases of each group that are settled under the defaults, and under every other reading.
_CASES_PER_GROUP: Final = 120
_CASES_PER_READING: Final = 4
#: Everything that a rule which cannot be used may raise.
_DEATHS: Final = (
    SeloError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
_CONDITION_CLAUSES: Final = (c.On, c.Prize, c.Combination, c.Commission, c.BetClause)
_MAX_QUOTED: Final = 60
_COMPARE: Final = "compare"


def prove_rules(law: Law) -> Iterator[Problem]:
    """Yield every problem of rules that compile and cannot be used, once, in the order of games.

    Half of the games are proven in a second process, where there is a second core.
    """
    games = list_games(law)
    by_size = sorted(games, key=lambda game: len(read_clauses(law, game)), reverse=True)
    with (
        rare_garbage_collection(),
        background_work(lambda: _prove_games(law, by_size[::2])) as other_half,
    ):
        found = _prove_games(law, by_size[1::2]) | other_half.result()
    for game in games:
        yield from found[game]


def _prove_games(law: Law, games: list[str]) -> dict[str, list[Problem]]:
    """Return the problems of each game, each problem once."""
    found: dict[str, list[Problem]] = {}
    for game in games:
        distinct = {
            (str(problem.path), problem.line, problem.problem): problem
            for problem in _prove_game(law, game)
        }
        found[game] = list(distinct.values())
    return found


def _prove_game(law: Law, game: str) -> Iterator[Problem]:
    clauses = read_clauses(law, game)
    without_values = list(_options_without_values(law, game, clauses))
    if without_values:
        yield from without_values
        return
    proof = _GameProof(law, game, clauses)
    problems = list(proof.settle_plan())
    yield from problems
    if not problems:
        yield from proof.idle_clauses()
        yield from proof.settle_under_readings()
        yield from check_worked_cases(law, game, proof.rules_under)
        yield from _unsendable_declarations(law, game, clauses)


def _options_without_values(law: Law, game: str, clauses: list[LocatedClause]) -> Iterator[Problem]:
    for located in clauses:
        option = located.clause
        if isinstance(option, c.Option) and tried_values(law, game, option) is None:
            yield located.error_at(
                "option",
                f"the option '{option.option}' has no values to try",
                "List its values; numbers to try stand under `tries` in instrument.yaml.",
            ).problem


def _unsendable_declarations(
    law: Law, game: str, clauses: list[LocatedClause]
) -> Iterator[Problem]:
    """Yield worked declarations that the protocol would refuse of a vendor."""
    path = data_files.game_file(game, "declarations.yaml", specs=law.specs)
    try:
        declared = read_declarations(game, specs=law.specs)
    except SeloError:
        return  # it is told with the worked cases
    if path is None or declared is None:
        return
    bets = {one.clause.bet: 0 for one in clauses if isinstance(one.clause, c.BetClause)}
    words = DeclarationWords(law, game, list(bets))
    offers: list[tuple[tuple[str, ...], dict[str, Any]]] = [(("lawful",), declared.lawful)]
    for name, case in declared.readings.items():
        offer = overlay_declarations(copy.deepcopy(declared.lawful), case.given)
        offers.append((("readings", name, "given"), offer))
    for steps, offer in offers:
        try:
            sent = msgspec.convert({"game": game, "methods": ["table"], **offer}, Offer)
            wrong = words.problem(sent, "")
        except msgspec.ValidationError as error:
            wrong = str(error)
        if wrong:
            yield read_yaml(path).problem(
                *steps,
                problem=f"no vendor could declare this: {wrong.removeprefix('.')}",
                hint="Compare with docs/protocol.md.",
            )


class _GameProof:
    """Settles the cases of one game."""

    def __init__(self, law: Law, game: str, clauses: list[LocatedClause]) -> None:
        self._law, self._game, self._clauses = law, game, clauses
        self._met: set[tuple[str, str]] = set()
        self._sample: list[Case] = []
        self._compiled: dict[tuple[tuple[str, str], ...], Any] = {}

    def rules_under(self, ruling: Mapping[str, str]) -> Any:
        """Return the game under some rulings, compiled once."""
        key = tuple(ruling.items())
        if key not in self._compiled:
            readings = Readings(self._law, dict(ruling))
            self._compiled[key] = compile_game(self._law, self._game, readings)
        return self._compiled[key]

    def settle_plan(self) -> Iterator[Problem]:
        """Settle the cases of the quick plan under the defaults; yield what goes wrong."""
        try:
            rules = self.rules_under({})
            groups = list(
                list_groups(self._law, offer_everything(self._law, [self._game]), budget="quick")
            )
        except _DEATHS as error:
            yield self._problem(error, {})
            return
        for _, group in groups:
            try:
                cases = list(islice(group.cases(), _CASES_PER_GROUP))
            except _DEATHS as error:
                yield self._problem(error, {})
                continue
            self._sample += cases[:_CASES_PER_READING]
            for case in cases:
                problem = self._settle(rules, case, {})
                if problem is not None:
                    yield problem
                    break

    def settle_under_readings(self) -> Iterator[Problem]:
        """Settle some cases under every reading that is not the default."""
        points = settlement_points(self._law, self._game)
        for divergence in self._law.divergences:
            for reading in points.get(divergence.id, ()):
                if reading == divergence.default:
                    continue
                ruling = {divergence.id: reading}
                rules = self.rules_under(ruling)
                problems = (self._settle(rules, case, ruling) for case in self._sample)
                yield from islice((one for one in problems if one is not None), 1)

    def idle_clauses(self) -> Iterator[Problem]:
        """Yield the conditions in force that no case meets."""
        readings = Readings(self._law, {})
        compiled = self.rules_under({})
        # What rests on a reconstruction is not a rule of a provision.
        own = {
            (rule.provision, rule.condition.text)
            for rules in compiled.bets.values()
            for kind in (rules.results, rules.prizes, rules.commissions)
            for rule in cast("list[Any]", kind)
            if rule.condition is not None
        }
        for located in self._clauses:
            condition = _condition_of(located.clause)
            key = (located.held.id, str(condition))
            if key in own - self._met and self._met and readings.allows(located.clause.under):
                field = "wins" if isinstance(located.clause, c.BetClause) else "when"
                yield located.error_at(
                    field,
                    f"no outcome meets the condition '{condition}': the clause never applies. "
                    f"{_quote(self._law, [located.held.id])}",
                    "Correct the condition, or remove the clause.",
                ).problem

    def _settle(self, rules: Any, case: Case, ruling: Mapping[str, str]) -> Problem | None:
        try:
            if case.method == _COMPARE:
                rules.compare(case.a, case.b)
                return None
            for settlement in rules.settle(case.options, case.outcome, case.bets):
                if not ruling:
                    self._met.update(
                        (reason.provision, reason.condition)
                        for reason in settlement.reasons
                        if reason.condition is not None
                    )
        except _DEATHS as error:
            # The options of a case are made for the defaults.
            if ruling and isinstance(error, BadOutcome):
                return None
            return self._problem(error, ruling, case)
        return None

    def _problem(
        self, error: Exception, ruling: Mapping[str, str], case: Case | None = None
    ) -> Problem:
        """Return what went wrong, at the clause that it is about, with the words of the law."""
        if isinstance(error, SpecError):
            return error.problem
        provisions = list(error.provisions) if isinstance(error, RuleFault) else []
        bets = {bet["bet"] for bet in case.bets} if case is not None and case.bets else set()
        located = self._find_clause(provisions, bets)
        under = "".join(f" under {point}={reading}" for point, reading in ruling.items())
        shown = "" if case is None else f" on {case.outcome}"
        what = str(error) if isinstance(error, SeloError) else f"{type(error).__name__}: {error}"
        return located.error_at(
            _first_field(located.clause),
            f"{what}{under}{shown}. {_quote(self._law, provisions or [located.held.id])}",
            "Let conditions exclude one another, or say with over: which prevails; "
            "write a clause for what none covers.",
        ).problem

    def _find_clause(self, provisions: list[str], bets: set[str]) -> LocatedClause:
        """Return the clause that a fault is about: of its provisions, of its bets, or the first."""
        for located in reversed(self._clauses):
            if located.held.id in provisions and _condition_of(located.clause) is not None:
                return located
        for located in self._clauses:
            if located.held.id in provisions or (
                isinstance(located.clause, c.BetClause) and located.clause.bet in bets
            ):
                return located
        return self._clauses[0]


def _condition_of(clause: c.Clause) -> str | None:
    if not isinstance(clause, _CONDITION_CLAUSES):
        return None
    return clause.wins if isinstance(clause, c.BetClause) else clause.when


def _first_field(clause: c.Clause) -> str:
    return next(word for word, kind in c.CLAUSE_KINDS.items() if isinstance(clause, kind))


def _quote(law: Law, provisions: list[str]) -> str:
    """Return the words of provisions in both languages, shortened."""
    quotes = []
    for name in dict.fromkeys(provisions):
        if name in law.provisions:
            text = law.provisions[name].provision.text
            words = (" ".join((text.get(one) or "").split()) for one in text.languages())
            cut = (one if len(one) <= _MAX_QUOTED else f"{one[:_MAX_QUOTED]}…" for one in words)
            quotes.append(f"{name}: {' · '.join(f'«{one}»' for one in cut)}")
    return "; ".join(quotes)
