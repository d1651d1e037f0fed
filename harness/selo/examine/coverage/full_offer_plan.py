"""The plan that there would be if everything were offered, and what its cases need besides.

The vendor's own options come first in it, so that a case which names another one needs it.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from selo.cases import Offered, everything
from selo.cases.group import Setting
from selo.cases.oracle import Oracle
from selo.examine.kills import Cases
from selo.examine.plan import Plan, PlannedGame
from selo.protocol.schema import game_words
from selo.rules.equipment.kits import BadOutcome
from selo.rules.mutants import NO_RULE
from selo.verdict.observations import Lacking, NotOffered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.cases import Case
    from selo.examine.plan import Terms
    from selo.law.loader import Law
    from selo.rules.mutants import Variant
    from selo.rules.settlement.bet_rules import BetRules

SETTLE, COMPARE = "settle", "compare"
#: So many cases of each group are looked at in turn, those before them left out.
_STAGES: Final = (24, 200, 2_000)
#: So many deciding cases of a provision are enough to say what they need.
_ENOUGH: Final = 6


def lacking_options(law: Law, planned: PlannedGame) -> dict[str, list[str]]:
    """Return the values of each option that are not offered; of a number, that none is."""
    whole = everything(law, [planned.game]).games[0]
    used = game_words(law, planned.game).default_options
    found: dict[str, list[str]] = {}
    for name, values in whole.options.items():
        there = planned.options.get(name)
        if there is None:
            # What holds without being named needs no offer.
            missing = [value for value in values if used.get(name) != value]
        elif isinstance(there, dict) or not all(isinstance(value, str) for value in values):
            missing = []
        else:
            missing = [value for value in values if value not in there]
        if missing:
            found[name] = missing
    return found


def relaxed(law: Law, planned: PlannedGame) -> PlannedGame:
    """Return a game with everything that its law knows, the vendor's own options first."""
    words = game_words(law, planned.game)
    options = dict(planned.options)
    for name, missing in lacking_options(law, planned).items():
        known = options.get(name, [])
        used = [words.default_options[name]] if not known and name in words.default_options else []
        options[name] = [*(known if isinstance(known, list) else []), *used, *missing]
    return replace(
        planned,
        methods=sorted({*planned.methods, *({SETTLE, COMPARE} & {*words.abilities})}),
        bets=list(words.bets),
        options=options,
    )


class Relaxed:
    """One game of a plan, as if everything were offered."""

    def __init__(self, law: Law, terms: Terms, planned: PlannedGame) -> None:
        self._law, self._planned = law, planned
        self._terms = replace(terms, games=[relaxed(law, planned)])
        self._oracle = Oracle(law, terms.rulings)
        self._game = self._oracle.game(planned.game)
        self._options = lacking_options(law, planned)

    def lacks(self, variants: Sequence[Variant]) -> dict[str, tuple[Lacking, ...]]:
        """Return what each provision of `variants` needs; nothing where no case decides it."""
        found: dict[str, set[tuple[Lacking, ...]]] = {}
        for variant, case in self._deciding(variants):
            found.setdefault(variant.provision, set()).add(tuple(self._needs(variant, case)))
        return {name: _least(some) for name, some in found.items()}

    def _deciding(self, variants: Sequence[Variant]) -> Iterator[tuple[Variant, Case]]:
        """Yield some deciding cases of each provision, with the variant that shows it."""
        times = {variant.provision: 0 for variant in variants}
        before = 0
        for upto in _STAGES:
            left = [variant for variant in variants if not times[variant.provision]]
            if not left:
                return
            cases = list(self._cases(before, upto))
            watched = Cases(self._oracle, self._game, cases, tells=False)
            for variant in left:
                wanted = _ENOUGH - times[variant.provision]
                for at in _decided(watched, variant, wanted) if wanted > 0 else ():
                    times[variant.provision] += 1
                    yield variant, cases[at]
            before = upto

    def _cases(self, before: int, upto: int) -> Iterator[Case]:
        for _, _, _, _, some in Plan(self._law, self._terms).groups():
            yield from islice(some, before, upto)

    def _needs(self, variant: Variant, case: Case) -> Iterator[Lacking]:
        """Yield what a deciding case asks for and the vendor does not offer."""
        if case.method not in self._planned.methods:
            yield Lacking(kind=NotOffered.METHOD, name=case.method)
        # What a case can do without is taken away, one thing after the other.
        for name, value in case.options.items():
            named = value.get("modality") if isinstance(value, dict) else value
            if named in self._options.get(name, ()):
                offered = self._as_offered(case, name)
                if self._decided([offered], variant):
                    case = offered
                else:
                    yield option(name, named)
        if case.method == SETTLE:
            for bet in self._bets(variant, case):
                yield Lacking(kind=NotOffered.BET, name=bet)

    def _as_offered(self, case: Case, name: str) -> Case:
        """Return a case with one option as the vendor offers it."""
        there = self._planned.options.get(name)
        options = {key: value for key, value in case.options.items() if key != name}
        if isinstance(there, list) and there:
            options[name] = there[0]
        return replace(case, options=options)

    def _bets(self, variant: Variant, case: Case) -> list[str]:
        """Return the bets without which a case decides nothing; none if those offered do."""
        words = game_words(self._law, self._planned.game)
        offered = [name for name in words.bets if name in self._planned.bets]
        felt = _with_needs(self._game.bets, variant.bets())
        missing = [name for name in words.bets if name in felt and name not in offered]
        tried = [self._taken(case, [*offered, *more]) for more in ([], *([one] for one in missing))]
        decided = self._decided(tried, variant)
        if 0 in decided:
            return []
        return [missing[at - 1] for at in sorted(decided)] or missing

    def _taken(self, case: Case, bets: Sequence[str]) -> Case:
        """Return a case with those of its bets that could be taken if these were offered."""
        offered = Offered(game=case.game, bets=tuple(bets))
        setting = Setting(law=self._law, rules=self._game, offered=offered, seed=0)
        there = setting.bets()
        return replace(case, bets=[bet for bet in case.bets if bet["bet"] in there])

    def _decided(self, cases: list[Case], variant: Variant) -> list[int]:
        try:
            watched = Cases(self._oracle, self._game, cases, tells=False)
        except BadOutcome:
            # There is no such case without what was taken away.
            return []
        return _decided(watched, variant, len(cases))


def option(name: str, value: Any) -> Lacking:
    """Return a value of an option that is not offered; of a number, only the option."""
    return Lacking(kind=NotOffered.OPTION, name=name, value=value if isinstance(value, str) else "")


def _with_needs(rules: Mapping[str, BetRules], bets: Iterable[str]) -> set[str]:
    """Return bets with those that they are added to, or that must lie beside them."""
    found = {*bets}
    for name in bets:
        if name in rules:
            found |= {one for need in rules[name].needs for one in need.beside}
            found |= {rules[name].added_to or name}
    return found


def _decided(watched: Cases, variant: Variant, most: int) -> list[int]:
    try:
        return watched.decided(variant, set(), most)
    except (*NO_RULE, ArithmeticError, TypeError):
        # Not every change of a rule makes a game.
        return []


def _least(some: Iterable[tuple[Lacking, ...]]) -> tuple[Lacking, ...]:
    """Return what has to be offered at the least; where several things would do, all of them."""
    fewest = min(len(one) for one in some)
    chosen = [one for one in some if len(one) == fewest]
    kinds = min({tuple((one.kind, one.name) for one in each) for each in chosen})
    alike = [each for each in chosen if tuple((one.kind, one.name) for one in each) == kinds]
    return tuple(sorted({one for each in alike for one in each}))
