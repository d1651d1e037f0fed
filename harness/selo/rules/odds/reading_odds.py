"""Odds under alternative readings: only the bets that a reading can affect are counted again.

1. A reading changes the clauses that hold under it and not under the other reading, or vice versa.
2. A clause affects the bets it names; a definition affects the bets whose conditions lead to it;
   a line of an order affects the bets that compare hands; anything else affects every bet.
3. Rounding affects no bet: odds are those of a stake that divides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.law.files.divergence_register import Severity
from selo.rules.checks import settlement_points
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.equipment import DrawingRule
from selo.rules.equipment.kits import BadOutcome
from selo.rules.language import parse_condition
from selo.rules.odds.bet_odds import OddsUnknown
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selo.law import Law
    from selo.rules.clauses import LocatedClause
    from selo.rules.odds.bet_odds import BetOdds
    from selo.rules.odds.game_odds import OddsCatalogue

#: Functions that use the order of hands.
_ORDER_FUNCTIONS: Final = frozenset({"beats", "ties", "line"})
#: Clauses that never change the odds of a bet: rounding, exclusions, no settlement.
_NEUTRAL_CLAUSES: Final = (c.Rounding, c.Excludes, *c.UNSETTLED_CLAUSES)
#: Manners that divide winnings among bettors.
_DIVIDING_MANNERS: Final = frozenset(
    {"shares", "portions", "fixed-amounts", "shared-stake", "opposites"}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class OddsChange:
    """The odds of some bets under another reading, or why they cannot be counted."""

    divergence: str
    reading: str
    figures: tuple[BetOdds, ...]
    #: Bets that are refused under this reading.
    gone: tuple[str, ...] = ()
    #: Why the odds cannot be computed, if they cannot.
    unknown: str | None = None


def list_odds_changes(
    catalogue: OddsCatalogue, law: Law, game: str, readings: Readings, *, wanted: int | None
) -> Iterator[OddsChange]:
    """Yield every reading of an `outcome` divergence that changes the odds of some bets."""
    now = {figure.key: figure for figure in catalogue.figures(game, readings, wanted=wanted)}
    for divergence, reading in _alternative_readings(law, game, readings):
        other = Readings(law, {**readings.rulings, divergence: reading})
        affected = (
            None if divergence == DrawingRule.POINT else _affected_bets(law, game, readings, other)
        )
        if affected is not None and not affected:
            continue
        try:
            then = catalogue.figures(game, other, wanted=wanted, only=affected)
        except (BadOutcome, OddsUnknown) as error:
            yield OddsChange(divergence=divergence, reading=reading, figures=(), unknown=str(error))
            continue
        changed = tuple(
            figure
            for figure in then
            if figure.key not in now
            or (figure.ends, figure.mean) != (now[figure.key].ends, now[figure.key].mean)
        )
        gone = _find_dropped_bets(now.values(), then, affected)
        if changed or gone:
            yield OddsChange(divergence=divergence, reading=reading, figures=changed, gone=gone)


def _find_dropped_bets(
    now: Iterable[BetOdds], then: Sequence[BetOdds], affected: set[str] | None
) -> tuple[str, ...]:
    """Return the bets that are no longer accepted, or no longer in the same manner."""
    manners: dict[str, set[str | None]] = {}
    for figure in then:
        manners.setdefault(figure.bet, set()).add(figure.manner)
    missing: dict[str, None] = {}
    for figure in now:
        bet, manner = figure.bet, figure.manner
        if affected is not None and bet.split(" + ", maxsplit=1)[0] not in affected:
            continue
        if bet not in manners:
            missing[bet] = None
        elif manner not in manners[bet] and None not in {manner, *manners[bet]}:
            missing[f"{bet} ({manner})"] = None
    return tuple(missing)


def _alternative_readings(law: Law, game: str, readings: Readings) -> Iterator[tuple[str, str]]:
    points = settlement_points(law, game)
    for divergence in law.divergences:
        drawing = divergence.id == DrawingRule.POINT and divergence.situation.game == game
        counted = divergence.severity is Severity.OUTCOME and divergence.id in points
        if not counted and not drawing:
            continue
        for reading in divergence.readings:
            if reading.id != readings.of(divergence.id):
                yield divergence.id, reading.id


def _affected_bets(law: Law, game: str, now: Readings, then: Readings) -> set[str] | None:
    """Return the bets that a change of readings can affect, or nothing if it may affect all."""
    clauses = read_clauses(law, game)
    either = [
        located
        for located in clauses
        if now.allows(located.clause.under) or then.allows(located.clause.under)
    ]
    changed = [
        located
        for located in clauses
        if now.allows(located.clause.under) != then.allows(located.clause.under)
    ]
    words_by_bet = _words_by_bet(either)
    affected: set[str] = set()
    for located in changed:
        if _changes_no_odds(located.clause, either):
            continue
        named = _bets_named(located) or _bets_of_manner(located.clause, either)
        if named is not None:
            affected |= set(words_by_bet) if named == {c.WILDCARD} else named
        elif isinstance(located.clause, c.Define):
            affected |= {
                bet for bet, words in words_by_bet.items() if located.clause.define in words
            }
        elif isinstance(located.clause, c.Rank):
            affected |= {bet for bet, words in words_by_bet.items() if words & _ORDER_FUNCTIONS}
        else:
            return None
    return affected


def _bets_of_manner(clause: c.Clause, either: list[LocatedClause]) -> set[str] | None:
    """Return the bets to which a manner applies: those with a commission, or with combinations."""
    if not isinstance(clause, c.MannerClause):
        return None
    if clause.manner == "combinations":
        applicable = [located for located in either if isinstance(located.clause, c.Combination)]
    elif clause.manner in {"commission-on", "commission-of"}:
        applicable = [located for located in either if isinstance(located.clause, c.Commission)]
    else:
        return None
    return {bet for located in applicable for bet in _bets_named(located) or ()}


def _changes_no_odds(clause: c.Clause, either: list[LocatedClause]) -> bool:
    """Return whether a change of a clause cannot change any odds."""
    if isinstance(clause, c.MannerClause):
        return clause.manner in _DIVIDING_MANNERS
    if isinstance(clause, c.Option):
        # Who must permit an option does not change odds, as long as its values are the same.
        same = [
            located.clause.values
            for located in either
            if isinstance(located.clause, c.Option) and located.clause.option == clause.option
        ]
        return same.count(clause.values) > 1 or not clause.values
    return isinstance(clause, _NEUTRAL_CLAUSES)


def _words_by_bet(clauses: list[LocatedClause]) -> dict[str, set[str]]:
    """Return, for every bet, the words of its conditions and of the definitions behind them."""
    defined: dict[str, set[str]] = {}
    bets: dict[str, set[str]] = {located.clause.bet: set() for located in clauses
                                 if isinstance(located.clause, c.BetClause)}  # fmt: skip
    for located in clauses:
        words = {
            word for text in c.conditions_of(located.clause) for word in parse_condition(text).words
        }
        if isinstance(located.clause, c.Define):
            defined.setdefault(located.clause.define, set()).update(words)
            continue
        named = _bets_named(located)
        for bet in bets if named == {c.WILDCARD} else (named or set()):
            bets.setdefault(bet, set()).update(words)
    return {bet: _close_over(words, defined) for bet, words in bets.items()}


def _close_over(words: set[str], defined: dict[str, set[str]]) -> set[str]:
    waiting = list(words)
    for word in waiting:
        waiting += [other for other in defined.get(word, ()) if other not in waiting]
    return set(waiting)


def _bets_named(located: LocatedClause) -> set[str] | None:
    """Return the bets that a clause names, or nothing if it names none."""
    clause: Any = located.clause
    if isinstance(clause, c.StepClause | c.Excludes):
        return None
    for field in ("bet", "on", "prize", "commission", "limit", "needs", "wins"):
        value = getattr(clause, field, None)
        if value is not None and (field != "wins" or isinstance(clause, c.Combination)):
            return set(c.list_names(value))
    return None
