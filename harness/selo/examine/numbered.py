"""All findings of a run, in the order in which they are told, numbered through.

1. What a table settles wrongly just as the same bet is settled wrongly in a case, or as the cause
   of that has it, is no finding of its own; nor is what rests on the provision that is blamed,
   where nothing more is known of the cause. Where the result is another, that is the cause: how
   much of a stake then lies where is a consequence.
2. What some reading would allow, and the table does in the same manner where none allows it, is
   no open question.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import __version__
from selo.cases.expectation import lawful_under
from selo.examine.breach import found_in_rounds
from selo.examine.findings import Finding, Origin, found
from selo.examine.tally import settled_as
from selo.rounds.difference import Manner
from selo.rules.variants import UNRULY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selo.examine.causes import Cause
    from selo.examine.conclusion import Conclusion
    from selo.examine.plan import Terms
    from selo.examine.reductions import Reductions
    from selo.examine.tables import Seen

#: So much of a kind of differences says what was settled, and how wrongly; and with what result.
_ALIKE: Final = 5
_RESULTS: Final = 4


def origin_of(terms: Terms) -> Origin:
    """Return by what the findings of a plan were found."""
    return Origin(selo=__version__, spec_digest=terms.spec_digest, rulings=terms.rulings)


def findings_of(seen: Conclusion, asked: Reductions) -> Iterator[Finding]:
    """Yield the findings of all games, numbered through, each with its smallest case."""
    origin = origin_of(seen.terms)
    listed: list[Finding] = []
    alike: dict[tuple[Any, ...], int] = {}
    misread: list[tuple[int, Cause]] = []
    for game, tally in seen.tallies.items():
        misread += enumerate(seen.causes.get(game, ()), len(listed))
        for one, kinds in found(seen.law, tally, seen.causes.get(game, []), asked.settle, origin):
            for kind in kinds if one.method == "settle" or one.verdict == "violates" else ():
                alike.setdefault(kind[:_ALIKE], len(listed))
                if one.verdict == "violates" and _another_result(kind):
                    alike.setdefault(kind[:_RESULTS], len(listed))
            listed.append(one)
    rounds = []
    for played in seen.rounds.seen():
        settled = _settled(played)
        at = alike.get(settled, alike.get(settled[:_RESULTS]))
        if at is None and settled:
            at = next((place for place, one in misread if _answers(seen, one, played)), None)
        if at is None:
            rounds.append(played)
        else:
            times = listed[at].times + played.times
            listed[at] = msgspec.structs.replace(listed[at], times=times)
    listed += found_in_rounds(seen.law, seen.rounds, _joined(rounds), asked.play, origin)
    for number, one in enumerate(listed, 1):
        yield msgspec.structs.replace(one, id=f"F-{number:03}")


def _answers(seen: Conclusion, cause: Cause, played: Seen) -> bool:
    """Return whether a table settled as a cause has it, or against what a cause is blamed on.

    The second is for a cause that no game explains: all that is known of it is the provision on
    which what is wrong hangs, and tables come to results that no case had.
    """
    settled = seen.rounds.judge.settled(played.script, played.played, played.difference.ticket)
    if settled is None:
        return False
    if not cause.games:
        case, _, bet = settled
        why = seen.tallies[case.game].oracle.why(case, bet)
        return {*cause.provisions} <= {one.provision for one in why}
    try:
        return any(lawful_under(one, *settled) for one in cause.games)
    except UNRULY:
        return False


def _another_result(kind: tuple[Any, ...]) -> bool:
    _, _, expected, observed, *_ = kind
    return bool(expected != observed)


def _joined(some: Iterable[Seen]) -> list[Seen]:
    """Return what tables did, what is open only where nothing of its manner is a breach."""
    joined: dict[tuple[Any, ...], Seen] = {}
    for one in sorted(some, key=lambda one: one.difference.open):
        manner = (one.script.game, one.difference.provisions, one.difference.manner)
        if one.difference.open and manner in joined:
            first = joined[manner]
            joined[manner] = replace(first, times=first.times + one.times)
        else:
            # Several breaches of one manner are told apart by what is asked for.
            at = manner if manner not in joined and not one.difference.open else (len(joined),)
            joined[at] = one
    return list(joined.values())


def _settled(one: Seen) -> tuple[Any, ...]:
    """Return how a table settled a bet, as differences of cases are told apart."""
    difference = one.difference
    if difference.manner is not Manner.SETTLEMENT or not difference.bet:
        return ()
    return settled_as(one.script.game, difference.bet, difference.expected, difference.observed)
