"""Where another reading of the law changes the odds: only bets that it can reach are counted again.

1. Clauses that hold under one reading and not under the other are what the reading changes.
2. A clause reaches the bets it names; a definition reaches the bets whose conditions lead to it;
   a line of an order reaches the bets that compare hands; anything else reaches every bet.
3. How amounts are rounded reaches none: odds are those of a stake that divides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.law.files.divergence_register import Severity
from selo.rules.checks.game_check import executable
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.equipment.kits import BadOutcome
from selo.rules.odds import shoe_rounds
from selo.rules.odds.figures import OddsUnknown
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selo.law.loader import Law
    from selo.rules.clauses import Written
    from selo.rules.odds.figures import Figure
    from selo.rules.odds.game_odds import Catalogue

_WORD: Final = re.compile(r"[A-Za-z_]\w*")
#: What conditions call when they ask for the order of hands.
_ORDER: Final = frozenset({"beats", "ties", "line"})
#: Clauses that never change the odds of one bet: rounding, bets that exclude, what is not settled.
_IDLE: Final = (c.Rounding, c.Excludes, *c.UNSETTLED)
#: Manners that divide among bettors what one of them has won.
_DIVIDING: Final = frozenset({"shares", "portions", "fixed-amounts", "shared-stake", "opposites"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """What another reading makes of some bets; if it cannot be counted, why not."""

    divergence: str
    reading: str
    figures: tuple[Figure, ...]
    #: Bets that are not taken under this reading.
    gone: tuple[str, ...] = ()
    #: Why the odds cannot be known under it, if they cannot.
    unknown: str | None = None


def changes(
    catalogue: Catalogue, law: Law, game: str, readings: Readings, *, wanted: int | None
) -> Iterator[Change]:
    """Yield every reading of an `outcome` divergence that changes the odds of some bets."""
    now = {figure.key: figure for figure in catalogue.figures(game, readings, wanted=wanted)}
    for divergence, reading in _others(law, game, readings):
        other = Readings(law, {**readings.rulings, divergence: reading})
        reached = None if divergence == shoe_rounds.POINT else _reached(law, game, readings, other)
        if reached is not None and not reached:
            continue
        try:
            then = catalogue.figures(game, other, wanted=wanted, only=reached)
        except (BadOutcome, OddsUnknown) as error:
            yield Change(divergence=divergence, reading=reading, figures=(), unknown=str(error))
            continue
        changed = tuple(one for one in then if one.key not in now or one.ends != now[one.key].ends)
        gone = _gone(now.values(), then, reached)
        if changed or gone:
            yield Change(divergence=divergence, reading=reading, figures=changed, gone=gone)


def _gone(
    now: Iterable[Figure], then: Sequence[Figure], reached: set[str] | None
) -> tuple[str, ...]:
    """Return the bets that are no longer taken, or no longer in the same manner."""
    manners: dict[str, set[str | None]] = {}
    for one in then:
        manners.setdefault(one.bet, set()).add(one.manner)
    missing: dict[str, None] = {}
    for one in now:
        if reached is not None and one.bet.split(" + ", maxsplit=1)[0] not in reached:
            continue
        if one.bet not in manners:
            missing[one.bet] = None
        elif one.manner not in manners[one.bet] and None not in {one.manner, *manners[one.bet]}:
            missing[f"{one.bet} ({one.manner})"] = None
    return tuple(missing)


def _others(law: Law, game: str, readings: Readings) -> Iterator[tuple[str, str]]:
    touched = executable(law, game)
    for divergence in law.divergences:
        drawing = divergence.id == shoe_rounds.POINT and divergence.situation.game == game
        if divergence.severity != Severity.OUTCOME or not (divergence.id in touched or drawing):
            continue
        for reading in divergence.readings:
            if reading.id != readings.of(divergence.id):
                yield divergence.id, reading.id


def _reached(law: Law, game: str, now: Readings, then: Readings) -> set[str] | None:
    """Return the bets that a change of readings can reach, or nothing if it may reach all."""
    written = read_clauses(law, game)
    either = [one for one in written if now.allow(one.clause.under) or then.allow(one.clause.under)]
    changed = [
        one for one in written if now.allow(one.clause.under) != then.allow(one.clause.under)
    ]
    leads = _leads(either)
    reached: set[str] = set()
    for one in changed:
        if _idle(one.clause, either):
            continue
        named = _named(one) or _ruled(one.clause, either)
        if named is not None:
            reached |= set(leads) if named == {"*"} else named
        elif isinstance(one.clause, c.Define):
            reached |= {bet for bet, words in leads.items() if one.clause.define in words}
        elif isinstance(one.clause, c.Rank):
            reached |= {bet for bet, words in leads.items() if words & _ORDER}
        else:
            return None
    return reached


def _ruled(clause: c.Clause, either: list[Written]) -> set[str] | None:
    """Return the bets of which a manner speaks: those with a commission, or with combinations."""
    if not isinstance(clause, c.Manner):
        return None
    if clause.manner == "combinations":
        spoken = [one for one in either if isinstance(one.clause, c.Combination)]
    elif clause.manner in {"commission-on", "commission-of"}:
        spoken = [one for one in either if isinstance(one.clause, c.Commission)]
    else:
        return None
    return {bet for one in spoken for bet in _named(one) or ()}


def _idle(clause: c.Clause, either: list[Written]) -> bool:
    """Return whether a clause that changes can change no odds."""
    if isinstance(clause, c.Manner):
        return clause.manner in _DIVIDING
    if isinstance(clause, c.Option):
        # Who must allow a thing is no matter of odds, as long as the thing is the same.
        same = [
            one.clause.values
            for one in either
            if isinstance(one.clause, c.Option) and one.clause.option == clause.option
        ]
        return same.count(clause.values) > 1 or not clause.values
    return isinstance(clause, _IDLE)


def _leads(written: list[Written]) -> dict[str, set[str]]:
    """Return, for every bet, the words that its conditions use, and the definitions behind them."""
    defined: dict[str, set[str]] = {}
    bets: dict[str, set[str]] = {one.clause.bet: set() for one in written
                                 if isinstance(one.clause, c.Bet)}  # fmt: skip
    for one in written:
        words = set(_WORD.findall(" ".join(_texts(one.clause))))
        if isinstance(one.clause, c.Define):
            defined.setdefault(one.clause.define, set()).update(words)
            continue
        named = _named(one)
        for bet in bets if named == {"*"} else (named or set()):
            bets.setdefault(bet, set()).update(words)
    return {bet: _behind(words, defined) for bet, words in bets.items()}


def _behind(words: set[str], defined: dict[str, set[str]]) -> set[str]:
    waiting = list(words)
    for word in waiting:
        waiting += [one for one in defined.get(word, ()) if one not in waiting]
    return set(waiting)


def _named(one: Written) -> set[str] | None:
    """Return the bets that a clause names, or nothing if it names none."""
    clause: Any = one.clause
    if isinstance(clause, c.Step | c.Excludes):
        return None
    for field in ("bet", "on", "prize", "commission", "limit", "needs", "wins"):
        value = getattr(clause, field, None)
        if value is not None and (field != "wins" or isinstance(clause, c.Combination)):
            return set(c.names(value))
    return None


def _texts(clause: Any) -> Iterator[str]:
    for field in ("means", "wins", "when"):
        value = getattr(clause, field, None)
        if isinstance(value, str):
            yield value
