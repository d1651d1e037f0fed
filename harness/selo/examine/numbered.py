"""All findings of a run, in the order in which they are told, numbered through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import __version__
from selo.examine.breach import found_in_rounds
from selo.examine.findings import Finding, Origin, found
from selo.examine.tally import settled_as
from selo.rounds.difference import Manner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.examine.conclusion import Conclusion
    from selo.examine.plan import Terms
    from selo.examine.reductions import Reductions
    from selo.examine.tables import Seen

#: So much of a kind of differences says what was settled, and how wrongly.
_ALIKE: Final = 5


def origin_of(terms: Terms) -> Origin:
    """Return by what the findings of a plan were found."""
    return Origin(selo=__version__, spec_digest=terms.spec_digest, rulings=terms.rulings)


def findings_of(seen: Conclusion, asked: Reductions) -> Iterator[Finding]:
    """Yield the findings of all games, numbered through, each with its smallest case.

    What a table settles wrongly just as the same bet is settled wrongly in a case has the same
    cause, and is no finding of its own.
    """
    origin = origin_of(seen.terms)
    listed: list[Finding] = []
    alike: dict[tuple[Any, ...], int] = {}
    for game, tally in seen.tallies.items():
        for one, kinds in found(seen.law, tally, seen.causes.get(game, []), asked.settle, origin):
            alike |= {kind[:_ALIKE]: len(listed) for kind in kinds if one.bet is not None}
            listed.append(one)
    rounds = []
    for played in seen.rounds.seen():
        at = alike.get(_settled(played))
        if at is None:
            rounds.append(played)
        else:
            times = listed[at].times + played.times
            listed[at] = msgspec.structs.replace(listed[at], times=times)
    listed += found_in_rounds(seen.law, seen.rounds, rounds, asked.play, origin)
    for number, one in enumerate(listed, 1):
        yield msgspec.structs.replace(one, id=f"F-{number:03}")


def _settled(one: Seen) -> tuple[Any, ...]:
    """Return how a table settled a bet, as differences of cases are told apart."""
    difference = one.difference
    if difference.manner is not Manner.SETTLEMENT or not difference.bet:
        return ()
    return settled_as(one.script.game, difference.bet, difference.expected, difference.observed)
