"""The plan for a vendor that offers everything, and what its decisive cases need beyond the offer.

The vendor's own options come first in that plan, so a case that names another option needs it.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import asdict, replace

from selo.cases import OfferedGame, offer_everything
from selo.cases.generate import states_history, without_history
from selo.cases.group import GeneratorSetting
from selo.cases.oracle import Oracle
from selo.examine.kills import KillIndex
from selo.examine.plan import Plan, PlannedGame
from selo.protocol.schema import game_words
from selo.rounds import missing_stakes
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.equipment.kits import BadOutcome
from selo.rules.mutants import ANSWER_ERRORS
from selo.rules.readings import Readings
from selo.verdict.observations import MissingOffer, NotOffered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.cases import Case
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.rules.mutants import Mutant
    from selo.rules.settlement.settlement_models import BetRules


SETTLE, COMPARE = "settle", "compare"
#: Cases of each group up to which the stages try mutants.
_STAGES: Final = (24, 200, 2_000)
#: Decisive cases of a provision that are searched for the smallest need.
_MAX_KILLING_CASES: Final = 6


def missing_options(law: Law, planned: PlannedGame) -> dict[str, list[str]]:
    """Return the values of each option that are not offered; numbers count as offered or not."""
    full_offer = offer_everything(law, [planned.game]).games[0]
    defaults = game_words(law, planned.game).default_options
    missing: dict[str, list[str]] = {}
    for name, values in full_offer.options.items():
        offered = planned.options.get(name)
        if offered is None:
            # A default applies without being offered.
            lacking = [value for value in values if defaults.get(name) != value]
        elif isinstance(offered, dict) or not all(isinstance(value, str) for value in values):
            lacking = []
        else:
            lacking = [value for value in values if value not in offered]
        if lacking:
            missing[name] = lacking
    return missing


def effective_options(law: Law, planned: PlannedGame, readings: Readings) -> frozenset[str]:
    """Return the options that are not offered whole and that some clause followed speaks of.

    No settlement depends on another, however the clauses are changed.
    """
    missing = missing_options(law, planned)
    spoken = b" ".join(
        msgspec.json.encode([*asdict(replace(read_clause.clause, under={})).values()])
        for read_clause in read_clauses(law, planned.game)
        # The amount that is rounded may bear the name of an option.
        if not isinstance(read_clause.clause, c.Option | c.Rounding)
        and readings.allows(read_clause.clause.under)
    )
    words = {*re.findall(r"\w+", spoken.decode())} if missing else frozenset()
    return frozenset(name for name in missing if name in words)


def with_full_offer(law: Law, planned: PlannedGame) -> PlannedGame:
    """Return a game with everything that its law knows, the vendor's own options first."""
    words = game_words(law, planned.game)
    options = dict(planned.options)
    for name, missing in missing_options(law, planned).items():
        offered = options.get(name, [])
        defaults = words.default_options
        default = [defaults[name]] if not offered and name in defaults else []
        options[name] = [*(offered if isinstance(offered, list) else []), *default, *missing]
    return replace(
        planned,
        methods=sorted({*planned.methods, *({SETTLE, COMPARE} & {*words.abilities})}),
        bets=list(words.bets),
        options=options,
        history=True,
        largest_stake=None,
        stake_step=1,
    )


class FullOfferPlan:
    """One game of a plan, as if the vendor offered everything."""

    def __init__(self, law: Law, terms: Terms, planned: PlannedGame) -> None:
        self._law, self._planned = law, planned
        self._terms = replace(terms, games=[with_full_offer(law, planned)])
        self._oracle = Oracle(law, terms.rulings)
        self._game = self._oracle.game(planned.game)
        effective = effective_options(law, planned, Readings(law, terms.rulings))
        self._options = {
            name: values
            for name, values in missing_options(law, planned).items()
            if name in effective
        }
        self._missing_names = {*game_words(law, planned.game).bets} - {*planned.bets}
        #: Reduced cases, each settled once for all mutants.
        self._indices: dict[bytes, KillIndex] = {}

    def needs_by_provision(self, mutants: Sequence[Mutant]) -> dict[str, tuple[MissingOffer, ...]]:
        """Return what each provision of `mutants` needs, if some case decides it."""
        needs: dict[str, set[tuple[MissingOffer, ...]]] = {}
        for mutant, case in self._find_killing_cases(mutants):
            needs.setdefault(mutant.provision, set()).add(tuple(self._needs(mutant, case)))
        return {name: _smallest_need(alternatives) for name, alternatives in needs.items()}

    def _find_killing_cases(self, mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, Case]]:
        """Yield some decisive cases of each provision, each with the mutant that it kills."""
        times = {mutant.provision: 0 for mutant in mutants}
        before = 0
        for upto in _STAGES:
            left = [mutant for mutant in mutants if not times[mutant.provision]]
            if not left:
                return
            cases = list(self.cases(before, upto))
            index = KillIndex(self._oracle, self._game, cases, with_reasons=False, mutants=left)
            for mutant in left:
                wanted = _MAX_KILLING_CASES - times[mutant.provision]
                for at in _killing_cases(index, mutant, wanted) if wanted > 0 else ():
                    times[mutant.provision] += 1
                    yield mutant, cases[at]
            before = upto

    def cases(self, before: int, upto: int) -> Iterator[Case]:
        """Yield some cases of each group, by their places in it."""
        plan = Plan(self._law, self._terms)
        for game, group in plan.groups():
            yield from islice(plan.cases(game, group), before, upto)

    def has_gaps(self) -> bool:
        """Return whether the vendor leaves out anything on which a settlement may depend."""
        methods = {SETTLE, COMPARE} & {*game_words(self._law, self._planned.game).abilities}
        return bool(
            methods - {*self._planned.methods}
            or self._missing_names
            or self._options
            or not self._planned.stake_limits.is_open
            or not self._planned.history
        )

    def goes_beyond_offer(self, case: Case) -> bool:
        """Return whether a case has something that the vendor does not offer."""
        return (
            case.method not in self._planned.methods
            or not self._planned.stake_limits.admits_fields(case.bets)
            or any(bet.get("bet") in self._missing_names for bet in case.bets)
            or any(
                _named_value(value) in self._options.get(name, ())
                for name, value in case.options.items()
            )
            or (not self._planned.history and states_history(case))
        )

    def needs_of(self, mutant: Mutant, index: KillIndex) -> tuple[MissingOffer, ...]:
        """Return what the decisive cases of an index need; nothing if one of them needs no more."""
        killing = _killing_cases(index, mutant, _MAX_KILLING_CASES)
        needs = {tuple(self._needs(mutant, index.cases[at])) for at in killing}
        return _smallest_need(needs) if needs else ()

    def _needs(self, mutant: Mutant, case: Case) -> Iterator[MissingOffer]:
        """Yield what a decisive case needs and the vendor does not offer."""
        if case.method not in self._planned.methods:
            yield MissingOffer(kind=NotOffered.METHOD, name=case.method)
        # An option is needed only if the case kills nothing without it.
        for name, value in case.options.items():
            named = _named_value(value)
            if named in self._options.get(name, ()):
                offered = self._with_offered_option(case, name)
                if self._killing_cases_of([offered], mutant):
                    case = offered
                else:
                    yield missing_option(name, named)
        if not self._planned.stake_limits.admits_fields(case.bets):
            yield from missing_stakes(self._planned.stake_limits)
        if not self._planned.history and states_history(case):
            plain = without_history(case)
            if self._killing_cases_of([plain], mutant):
                case = plain
            else:
                yield MissingOffer(kind=NotOffered.HISTORY, name=case.method)
        if case.method == SETTLE:
            for bet in self._missing_bets(mutant, case):
                yield MissingOffer(kind=NotOffered.BET, name=bet)

    def _with_offered_option(self, case: Case, name: str) -> Case:
        """Return a case with one option as the vendor offers it."""
        offered = self._planned.options.get(name)
        options = {key: value for key, value in case.options.items() if key != name}
        if isinstance(offered, list) and offered:
            options[name] = offered[0]
        return replace(case, options=options)

    def _missing_bets(self, mutant: Mutant, case: Case) -> list[str]:
        """Return the missing bets with which a case kills the mutant, if those offered do not."""
        words = game_words(self._law, self._planned.game)
        offered = [name for name in words.bets if name in self._planned.bets]
        affected = _with_required_bets(self._game.bets, mutant.bets())
        missing = [name for name in words.bets if name in affected and name not in offered]
        tried = [
            self._with_bets_offered(case, [*offered, *more])
            for more in ([], *([name] for name in missing))
        ]
        killing = self._killing_cases_of(tried, mutant)
        if 0 in killing:
            return []
        return [missing[at - 1] for at in sorted(killing)] or missing

    def _with_bets_offered(self, case: Case, bets: Sequence[str]) -> Case:
        """Return a case with those of its bets that can be placed if `bets` are offered."""
        offered = OfferedGame(game=case.game, bets=tuple(bets))
        setting = GeneratorSetting(law=self._law, rules=self._game, offered=offered, seed=0)
        available = setting.bets()
        return replace(case, bets=[bet for bet in case.bets if bet["bet"] in available])

    def _killing_cases_of(self, cases: Sequence[Case], mutant: Mutant) -> list[int]:
        """Return the places of the cases that kill a mutant; many of them are often the same."""
        try:
            indices = [self._index_of(case) for case in cases]
        except BadOutcome:
            # The reduced case is no longer valid.
            return []
        kills: dict[int, bool] = {}
        try:
            for index in indices:
                if id(index) not in kills:
                    kills[id(index)] = bool(index.killing_cases(mutant, set(), 1))
        except ANSWER_ERRORS:
            # Not every mutant compiles to a game.
            return []
        return [at for at, index in enumerate(indices) if kills[id(index)]]

    def _index_of(self, case: Case) -> KillIndex:
        """Return the index of one case, the same for every mutant."""
        key = msgspec.json.encode(case)
        if key not in self._indices:
            self._indices[key] = KillIndex(self._oracle, self._game, [case], with_reasons=False)
        return self._indices[key]


def _named_value(value: Any) -> Any:
    """Return the value by which an option is offered: of a jackpot, its modality."""
    return value.get("modality") if isinstance(value, dict) else value


def missing_option(name: str, value: Any) -> MissingOffer:
    """Return the need for an option value; for a number, the need for the option."""
    return MissingOffer(
        kind=NotOffered.OPTION, name=name, value=value if isinstance(value, str) else ""
    )


def _with_required_bets(rules: Mapping[str, BetRules], bets: Iterable[str]) -> set[str]:
    """Return bets with those that they are added to, or that must be placed beside them."""
    required = {*bets}
    for name in bets:
        if name in rules:
            required |= {other for need in rules[name].needs for other in need.beside}
            required |= {rules[name].added_to or name}
    return required


def _killing_cases(index: KillIndex, mutant: Mutant, most: int) -> list[int]:
    try:
        return index.killing_cases(mutant, set(), most)
    except ANSWER_ERRORS:
        # Not every mutant compiles to a game.
        return []


def _smallest_need(alternatives: Iterable[tuple[MissingOffer, ...]]) -> tuple[MissingOffer, ...]:
    """Return the shortest alternative, with all values of the same options and bets."""
    fewest = min(len(needs) for needs in alternatives)
    shortest = [needs for needs in alternatives if len(needs) == fewest]
    kinds = min({tuple((need.kind, need.name) for need in needs) for needs in shortest})
    alike = [
        needs for needs in shortest if tuple((need.kind, need.name) for need in needs) == kinds
    ]
    return tuple(sorted({need for needs in alike for need in needs}))
