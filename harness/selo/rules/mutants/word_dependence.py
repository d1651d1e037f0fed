"""Which bets and words depend on a clause: it names them, or they use a word that it defines."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.clauses.clause_models import POINT, WILDCARD
from selo.rules.equipment.piece_set import PIECE_VARIABLES
from selo.rules.language import parse_condition

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from selo.law import Law
    from selo.rules.clauses import LocatedClause
    from selo.rules.readings import Readings

#: Functions that depend on the order of hands.
_ORDER_FUNCTIONS: Final = frozenset({"beats", "ties", "line"})
#: Clauses that say how much is paid for a result, and not which result there is.
_CLAUSES_OF_AMOUNTS: Final = (c.Prize, c.Commission, c.Limit)
#: Enough for the conditions of all games and their mutants.
_MAX_TEXTS_CACHED: Final = 16384
#: Variables that depend on the faces of dice.
_FACE_VARIABLES: Final = frozenset(PIECE_VARIABLES)


def clauses_in_force(law: Law, game: str, readings: Readings) -> list[LocatedClause]:
    """Return the clauses by which bets are settled and hands compared under some readings."""
    return [
        written
        for written in read_clauses(law, game)
        if readings.allows(written.clause.under)
        and not isinstance(written.clause, c.UNSETTLED_CLAUSES)
    ]


def dependent_provisions(
    law: Law, game: str, readings: Readings, defining: Iterable[c.Clause]
) -> frozenset[str]:
    """Return the provisions that use a word to which some clauses give its meaning."""
    written_clauses = clauses_in_force(law, game, readings)
    words = {word for clause in defining for word in _defined_words(clause)}
    dependent = _dependent_words([written.clause for written in written_clauses], words)
    return frozenset(
        written.held.id for written in written_clauses if dependent & _used_words(written.clause)
    )


def bets_of_reading(law: Law, game: str, readings: Readings, others: Readings) -> frozenset[str]:
    """Return the bets whose settlement can depend on which of two sets of readings is in force."""
    before, after = (
        [written.clause for written in clauses_in_force(law, game, each)]
        for each in (readings, others)
    )
    common = {id(clause) for clause in before} & {id(clause) for clause in after}
    changed = [clause for clause in (*before, *after) if id(clause) not in common]
    return dependent_bets(changed, changed, [*before, *after])


def dependent_bets(
    changed: Iterable[c.Clause], defining: Iterable[c.Clause], clauses: Sequence[c.Clause]
) -> frozenset[str]:
    """Return the bets that some changed clauses name, or that use a word they define.

    A bet also depends on the results of the bet to which it is added, and every bet of a round on
    those of the bet that opens the round and gives it its point.
    """
    changed = list(changed)
    named = [name for clause in changed for name in _bets_of(clause)]
    declared = [clause.bet for clause in clauses if isinstance(clause, c.BetClause)]
    if WILDCARD in named:
        return frozenset(declared)
    words = {word for clause in defining for word in _defined_words(clause)}
    words = _dependent_words(clauses, words)
    for clause in clauses:
        if words & _used_words(clause):
            named += _bets_of(clause)
    if WILDCARD in named:
        return frozenset(declared)
    if all(isinstance(clause, _CLAUSES_OF_AMOUNTS) for clause in changed):
        return frozenset(named)
    return _follow_results(frozenset(named), declared, clauses)


def _follow_results(
    named: frozenset[str], declared: Sequence[str], clauses: Sequence[c.Clause]
) -> frozenset[str]:
    """Return some bets, and those whose results follow from theirs."""
    has_point = any(isinstance(clause, c.On) and clause.result == POINT for clause in clauses)
    if has_point and declared[0] in named:
        return frozenset(declared)
    added = {
        clause.bet
        for clause in clauses
        if isinstance(clause, c.BetClause) and clause.added_to in named
    }
    return named | added


def _bets_of(clause: c.Clause) -> list[str]:
    """Return the bets that a clause names as its own."""
    if isinstance(clause, c.Combination):
        return [clause.wins]
    if isinstance(clause, c.Excludes):
        return list(clause.excludes)
    if isinstance(clause, c.BetClause):
        return [clause.bet]
    for kind, field in (
        (c.On, "on"), (c.Prize, "prize"), (c.Commission, "commission"), (c.Limit, "limit"),
        (c.Needs, "needs"), (c.Single, "single"),
    ):  # fmt: skip
        if isinstance(clause, kind):
            return c.list_names(getattr(clause, field))
    # How prizes are calculated and rounded affects every bet.
    return (
        [WILDCARD]
        if isinstance(clause, c.MannerClause | c.Rounding | c.Option | c.Equipment)
        else []
    )


def _defined_words(clause: c.Clause) -> set[str]:
    """Return the words whose meaning a clause gives."""
    if isinstance(clause, c.Define):
        return {clause.define}
    if isinstance(clause, c.TableClause):
        return {clause.table}
    if isinstance(clause, c.FaceClause | c.FacesClause):
        return set(_FACE_VARIABLES)
    return set(_ORDER_FUNCTIONS) if isinstance(clause, c.Rank) else set()


@lru_cache(maxsize=_MAX_TEXTS_CACHED)
def _words_in(*texts: str) -> frozenset[str]:
    """Return the words of some conditions; mutants share all of them but one."""
    return frozenset().union(*(parse_condition(text).words for text in texts))


def _used_words(clause: c.Clause) -> frozenset[str]:
    """Return the words that the conditions of a clause use."""
    return _words_in(*c.conditions_of(clause))


def _dependent_words(clauses: Iterable[c.Clause], words: set[str]) -> set[str]:
    """Return `words` and every word whose meaning depends on them."""
    dependent = set(words)
    # Definitions stand in the order of the law, and ranks may stand before what they use.
    meanings = [clause for clause in clauses if isinstance(clause, c.Define | c.Rank)]
    grown = True
    while grown:
        size = len(dependent)
        for clause in meanings:
            if dependent & _used_words(clause):
                dependent |= _defined_words(clause)
        grown = len(dependent) > size
    return dependent
