"""Which groups of cases decide which provisions: what a plan lists, and what narrows it.

The first cases of a group show what it is about, so not all of them are looked at.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from selo.cases.expectation import Oracle
from selo.cases.stream import groups
from selo.examine.deciding import Cases
from selo.rules.readings import Readings
from selo.rules.variants import NO_RULE, variants

if TYPE_CHECKING:
    from collections.abc import Collection

    from selo.cases.scope import Scope
    from selo.examine.plan import Terms
    from selo.law.reader import Law

    #: The provisions that each group of each game decides.
    Deciding = dict[tuple[str, str], list[str]]

#: So many cases of each group are looked at.
_OF_A_GROUP: Final = 300
#: What was found out for the plans seen last.
_KNOWN: Final[dict[tuple[str, bool], Deciding]] = {}
_MOST_KNOWN: Final = 8


def deciding(law: Law, terms: Terms, scope: Scope, *, wanted: Collection[str] = ()) -> Deciding:
    """Return the provisions that each group decides: those that are wanted, or all."""
    key = terms.digest, bool(wanted)
    if key not in _KNOWN:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[key] = _found(law, terms, scope, frozenset(wanted))
    return _KNOWN[key]


def _found(law: Law, terms: Terms, scope: Scope, wanted: frozenset[str]) -> Deciding:
    oracle, readings = Oracle(law, terms.rulings), Readings(law, terms.rulings)
    found: Deciding = {}
    suspects = {
        one.game: [
            variant
            for variant in variants(law, one.game, readings)
            if not wanted or variant.provision in wanted
        ]
        for one in scope.games
    }
    for game, group in groups(
        law, scope, budget=terms.budget, seed=terms.seed, rulings=terms.rulings
    ):
        if not suspects[game]:
            continue
        cases = Cases(
            oracle, oracle.game(game), list(islice(group.cases(), _OF_A_GROUP)), tells=False
        )
        decided: dict[str, None] = {}
        for variant in suspects[game]:
            if variant.provision in decided:
                continue
            try:
                if cases.decided(variant, set(), 1):
                    decided[variant.provision] = None
            except NO_RULE:
                continue
        found[game, group.name] = [name for name in law.provisions if name in decided]
    return found
