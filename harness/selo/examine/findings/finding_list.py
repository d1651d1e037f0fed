"""All findings of a run, in the order in which they are told, numbered through.

1. What a table settles wrongly as the cause of wrong cases has it is no finding of its own; nor is
   what rests on the provision that is blamed, where nothing more is known of the cause. Where the
   result is another, that is the cause: how much of a stake then lies where is a consequence.
   What no reading allows is never a part of what is open, or of what is against a ruling.
2. What some reading would allow, and the table does in the same manner where none allows it, is
   no open question.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import __version__
from selo.cases.oracle import lawful_under
from selo.examine.findings.finding import Finding, Origin, found
from selo.examine.findings.round_findings import found_in_rounds
from selo.examine.tally import settled_as
from selo.rounds.judge import Manner
from selo.rules.mutants import UNRULY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selo.examine.blame.root_causes import Cause
    from selo.examine.exchange import Reductions
    from selo.examine.plan import Terms
    from selo.examine.plan.live_rounds import Seen
    from selo.examine.replay import Conclusion

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
    #: What was settled in each finding: how wrongly, and with another result than the law's.
    alike: dict[tuple[Any, ...], list[int]] = {}
    misread: list[tuple[int, Cause]] = []
    for game, tally in seen.tallies.items():
        misread += enumerate(seen.causes.get(game, ()), len(listed))
        for one, kinds in found(seen.law, tally, seen.causes.get(game, []), asked.settle, origin):
            for kind in kinds if one.method == "settle" or one.verdict == "violates" else ():
                for key in {kind[:_ALIKE], kind[:_RESULTS]}:
                    places = alike.setdefault(key, [])
                    places += [] if len(listed) in places else [len(listed)]
            listed.append(one)
    rounds = []
    for played in seen.rounds.seen():
        settled = _settled(played)
        at = _place(seen, played, settled, listed, alike, misread) if settled else None
        if at is None:
            rounds.append(played)
        else:
            times = listed[at].times + played.times
            listed[at] = msgspec.structs.replace(listed[at], times=times)
    listed += found_in_rounds(seen.law, seen.rounds, _joined(rounds), asked.play, origin)
    for number, one in enumerate(listed, 1):
        yield msgspec.structs.replace(one, id=f"F-{number:03}")


def _place(  # noqa: PLR0913, PLR0917 - all that is known of settlements
    seen: Conclusion,
    played: Seen,
    settled: tuple[Any, ...],
    listed: list[Finding],
    alike: Mapping[tuple[Any, ...], list[int]],
    misread: Iterable[tuple[int, Cause]],
) -> int | None:
    """Return the finding of which a settlement at a table is one more example, if there is one."""
    looks, results = alike.get(settled, []), alike.get(settled[:_RESULTS], [])
    if played.difference.open:
        return next((at for at in looks if _as_open(listed[at], played)), None)
    for at, cause in misread:
        if _answers(seen, cause, listed[at], played):
            return at
    # Where only the stake lies elsewhere, nothing but that can have been misread.
    alike_enough = results if _another_result(settled) else looks if _only_stake(settled) else []
    return next((at for at in alike_enough if listed[at].verdict == "violates"), None)


def _as_open(one: Finding, played: Seen) -> bool:
    """Return whether a finding tells of what is open at a table: as open as that, or a breach."""
    return one.verdict == "violates" or bool({*one.readings} & {*played.difference.readings})


def _answers(seen: Conclusion, cause: Cause, found: Finding, played: Seen) -> bool:
    """Return whether a table settled as a cause has it, or against what a cause is blamed on.

    The second is for a cause that no game explains: all that is known of it is the provision on
    which what is wrong hangs, and tables come to results that no case had. What is against a ruling
    explains only what is against the same ruling.
    """
    settled = seen.rounds.judge.settled(played.script, played.played, played.difference.ticket)
    if settled is None:
        return False
    if found.against:
        return not {*found.against}.isdisjoint(played.difference.against)
    if not cause.games:
        case, _, bet = settled
        why = seen.tallies[case.game].oracle.why(case, bet)
        return {*cause.provisions} <= {one.provision for one in why}
    try:
        return any(lawful_under(game, *settled) for game in cause.games)
    except UNRULY:
        return False


def _another_result(kind: tuple[Any, ...]) -> bool:
    _, _, expected, observed, *_ = kind
    return bool(expected != observed)


def _only_stake(kind: tuple[Any, ...]) -> bool:
    *_, differing = kind
    return bool(differing == ("stake",))


def _joined(some: Iterable[Seen]) -> list[Seen]:
    """Return what tables did; what is open, or against a ruling, only where it is no breach anyway.

    Of the manner of a breach, or just of its step. Several breaches of one manner are told apart.
    """
    told: list[Seen] = []
    places: dict[tuple[Any, ...], int] = {}
    for one in sorted(some, key=lambda one: (one.difference.open, bool(one.difference.against))):
        said = one.difference
        manner = (one.script.game, said.provisions, said.manner)
        step = (*manner, said.constraint, said.bet)
        at = places.get(manner if said.open else step) if said.open or said.against else None
        if at is not None:
            told[at] = replace(told[at], times=told[at].times + one.times)
            continue
        if not said.open and not said.against:
            places.setdefault(manner, len(told))
            places.setdefault(step, len(told))
        told.append(one)
    return told


def _settled(one: Seen) -> tuple[Any, ...]:
    """Return how a table settled a bet, as differences of cases are told apart."""
    difference = one.difference
    if difference.manner is not Manner.SETTLEMENT or not difference.bet:
        return ()
    return settled_as(one.script.game, difference.bet, difference.expected, difference.observed)
