"""Which groups of cases decide the provisions to which a plan is narrowed.

The first cases of a group show what it is about, so not all of them are looked at.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from selo.cases.generate.case_stream import groups
from selo.cases.scope import Scope
from selo.examine.kills.group_coverage import Telling

if TYPE_CHECKING:
    from selo.examine.plan.examination_plan import Terms
    from selo.law.loader import Law

    #: The provisions that each group of each game decides.
    Deciding = dict[tuple[str, str], list[str]]

#: So many cases of each group are looked at.
_OF_A_GROUP: Final = 300
#: What was found out for the plans seen last.
_KNOWN: Final[dict[str, Deciding]] = {}
_MOST_KNOWN: Final = 8


def deciding(law: Law, terms: Terms, scope: Scope) -> Deciding:
    """Return the provisions, of those to which a plan is narrowed, that each group decides."""
    if terms.digest not in _KNOWN:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[terms.digest] = _found(law, terms, scope)
    return _KNOWN[terms.digest]


def _found(law: Law, terms: Terms, scope: Scope) -> Deciding:
    found: Deciding = {}
    for one in scope.games:
        some = {
            group.name: list(islice(group.cases(), _OF_A_GROUP))
            for _, group in groups(
                law,
                Scope(games=(one,)),
                budget=terms.budget,
                seed=terms.seed,
                rulings=terms.rulings,
            )
        }
        told = Telling(law, one.game, terms.rulings, some).decides(terms.provisions, whole=True)
        found |= {(one.game, name): provisions for name, provisions in told.items()}
    return found
