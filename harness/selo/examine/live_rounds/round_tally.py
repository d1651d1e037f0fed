"""Live rounds in an examination: which scripts are played, and what their evidence says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from selo.rounds import PlayedScript, Script
from selo.rounds.analysis import decisive_steps
from selo.rounds.judge import RoundJudge
from selo.rules.readings import Readings
from selo.vendors.faults import AdapterFault, FaultKind, make_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.law.loader import Law
    from selo.rounds.judge import RoundDifference


def exercised_provisions(
    judge: RoundJudge, script: Script, played: PlayedScript, found: Sequence[RoundDifference]
) -> frozenset[str]:
    """Return those provisions of a script that were looked at in the round that was played.

    Up to the first act that no reading allows a round shows what it would show by itself. What came
    after it was judged, but whoever did that act might have done otherwise without it; so only what
    was decided before counts. Nothing counts for a provision that something seems to break.
    """
    wrong = [one.act for one in found if not one.open]
    set_aside = {name for one in found if one.consequence for name in one.provisions}
    if not wrong:
        return frozenset(script.provisions) - set_aside
    log = judge.log(script, played)
    before = [event for event, act in zip(log.events, log.acts, strict=True) if act < min(wrong)]
    procedure = judge.procedures(script.game).of(script.options)
    other = {
        constraint.key
        for constraint in procedure.constraints
        if constraint.provision not in script.provisions
    }
    decided = decisive_steps(procedure, before, other)
    return (
        frozenset(
            constraint.provision
            for constraint in procedure.constraints
            if constraint.key in decided
        )
        - set_aside
    )


#: So many kinds of differences of a game are told apart.
_MAX_KINDS: Final = 200
#: So many faults of rounds are told.
_MAX_FAULTS: Final = 20


class _RoundLine(msgspec.Struct, frozen=True):
    n: int
    params: Script
    answer: PlayedScript


@dataclass(kw_only=True)
class RoundBreach:
    """One way in which a table was not lawful, by its first script."""

    script: Script
    n: int
    difference: RoundDifference
    played: PlayedScript
    times: int = 1


class RulingTerms(Protocol):
    """Terms under which rounds are judged: of an examination, or of vectors in a file."""

    @property
    def rulings(self) -> dict[str, str]:
        """The reading adopted on each open point that was ruled on."""


@dataclass
class RoundTally:
    """What the evidence says of all rounds."""

    law: Law
    terms: RulingTerms
    #: How many rounds of each game were played.
    by_game: dict[str, int] = field(default_factory=dict)
    right: int = 0
    declined: int = 0
    #: Rounds that were not answered to their end: nothing was seen in them.
    broken: int = 0
    #: Why rounds were declined or not answered, the first of them.
    faults: list[AdapterFault] = field(default_factory=list)
    #: The provisions that declined rounds are about, with the names of these.
    refused: dict[str, list[str]] = field(default_factory=dict)
    #: The scripts that were played to their end and are about each provision.
    about: dict[str, int] = field(default_factory=dict)
    #: Those of them in which nothing was wrong before it was seen whether the provision is kept.
    looked: dict[str, int] = field(default_factory=dict)
    kinds: dict[tuple[Any, ...], RoundBreach] = field(default_factory=dict)
    #: Things that only the protocol asks for.
    lawless: dict[tuple[Any, ...], RoundBreach] = field(default_factory=dict)
    #: How the rounds fit the readings of open points: cases in which they part, and each reading.
    followed: dict[str, tuple[int, dict[str, int]]] = field(default_factory=dict)
    #: Whether it is asked which readings are followed; findings do not depend on it.
    follows: bool = True
    #: The judge of the rounds, if there is one already.
    judging: RoundJudge | None = None

    @property
    def played(self) -> int:
        """How many rounds were played."""
        return sum(self.by_game.values())

    def seen(self) -> list[RoundBreach]:
        """Return every way in which a table was not lawful."""
        return [*self.kinds.values(), *self.lawless.values()]

    @property
    def judge(self) -> RoundJudge:
        """The judge of the rounds, made when it is first needed."""
        if self.judging is None:
            self.judging = RoundJudge(self.law, Readings(self.law, self.terms.rulings))
        return self.judging

    def take(self, line: bytes, *, right: bool, doubting: bool = False) -> bool:
        """Take a line of a round; return whether it is as the line says, if that is doubted."""
        one = msgspec.json.decode(line, type=_RoundLine)
        self.by_game[one.params.game] = self.by_game.get(one.params.game, 0) + 1
        if one.answer.declined:
            self._declined(one.params, one.answer.declined)
            return not right
        # A round that broke off shows what went wrong before, and is no proof of anything else.
        if not one.answer.whole:
            self.broken += 1
            self._blame(found for _, found in one.answer.faults)
        _count(self.about, one.params.provisions if one.answer.whole else ())
        for point, fits in self.judge.fitting(one.params, one.answer) if self.follows else ():
            self._follows(point, fits)
        if right and not doubting:
            self.right += 1
            _count(self.looked, one.params.provisions)
            return True
        differences = self.judge.judge(one.params, one.answer)
        self.right += right
        if one.answer.whole:
            _count(
                self.looked, exercised_provisions(self.judge, one.params, one.answer, differences)
            )
        for difference in differences:
            # What follows from something wrong before it is no fault of its own.
            if not difference.consequence:
                self._keep(one, difference)
                # Steps of written rounds are looked at under every reading anyway.
                if not (difference.constraint and one.params.provisions):
                    self._apart(one.params.game, difference)
        return right == (not differences and not one.answer.faults)

    def _declined(self, script: Script, said: str) -> None:
        """Note a round that was not played although all it asks for is declared."""
        self.declined += 1
        called = script.name or script.group
        self._blame([make_fault(FaultKind.DECLINED, game=script.game, round=called, problem=said)])
        for provision in script.provisions:
            self.refused.setdefault(provision, []).append(script.name)

    def _blame(self, faults: Iterable[AdapterFault]) -> None:
        self.faults += list(faults)[: _MAX_FAULTS - len(self.faults)]

    def _follows(self, point: str, fits: Mapping[str, bool]) -> None:
        cases, times = self.followed.get(point, (0, {}))
        self.followed[point] = (
            cases + 1,
            {name: times.get(name, 0) + int(fit) for name, fit in fits.items()},
        )

    def _apart(self, game: str, difference: RoundDifference) -> None:
        """Note that something is lawful under another reading than ours, if under one only."""
        points = dict(difference.readings)
        if len(points) == len(difference.readings):
            for point, reading in points.items():
                known = self.judge.points(game).get(point, [reading])
                self._follows(point, {name: name == reading for name in known})

    def _keep(self, one: _RoundLine, difference: RoundDifference) -> None:
        kinds = self.lawless if difference.lawless else self.kinds
        kind = (
            one.params.game, difference.provisions, difference.manner, difference.constraint,
            difference.readings, difference.against, difference.bet,
        )  # fmt: skip
        if kind in kinds:
            kinds[kind].times += 1
            if len(one.params.acts) < len(kinds[kind].script.acts):
                kinds[kind].script, kinds[kind].n = one.params, one.n
                kinds[kind].difference, kinds[kind].played = difference, one.answer
        elif len(kinds) < _MAX_KINDS:
            kinds[kind] = RoundBreach(
                script=one.params, n=one.n, difference=difference, played=one.answer
            )


def _count(counts: dict[str, int], names: Iterable[str]) -> None:
    for name in names:
        counts[name] = counts.get(name, 0) + 1
