"""Live rounds in an examination: which scripts are played, and what their evidence says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from selo.cases.oracle import Oracle
from selo.evidence.canonical_json import encode
from selo.protocol.schema import game_words
from selo.rounds import Played, Script, missing, play_all
from selo.rounds.analysis import decided_by
from selo.rounds.generate import SKETCHES, generated, lines, written
from selo.rounds.judge import Judge
from selo.rules.readings import Readings
from selo.vendors.faults import Fault, Kind, fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.examine.plan.examination_plan import Terms
    from selo.law.loader import Law
    from selo.protocol.messages import Description, Offer
    from selo.rounds.judge import RoundDifference
    from selo.vendors.session import Session


def looked_at(
    judge: Judge, script: Script, played: Played, found: Sequence[RoundDifference]
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
    decided = decided_by(procedure, before, other)
    return (
        frozenset(
            constraint.provision
            for constraint in procedure.constraints
            if constraint.key in decided
        )
        - set_aside
    )


ROUND: Final = "round"
#: How many scripts of each game are generated besides those that are written.
_GENERATED: Final = {"quick": 25, "standard": 60, "full": 120}
#: How often every line of the prizes is won and lost, each time by other outcomes.
_LINES: Final = {"quick": 1, "standard": 1, "full": 2}
#: So many kinds of differences of a game are told apart.
_MOST_KINDS: Final = 200
#: So many faults of rounds are told.
_MOST_FAULTS: Final = 20


class LeftOut(list[str]):
    """Why some rounds of a game are not played."""


class PlayedRound(msgspec.Struct, frozen=True):
    """A round that was played: its line of evidence, but for its number."""

    before: bytes
    after: bytes
    different: bool

    def line(self, number: int) -> bytes:
        """Return the line as the case of that number."""
        return b"%b%d%b" % (self.before, number, self.after)


def scripts(
    law: Law, terms: Terms, description: Description, game: str
) -> tuple[list[Script], list[str]]:
    """Return the scripts of a plan for one game, and why some are not played."""
    return scripts_planned(law, terms, description.games, game)


def scripts_planned(
    law: Law, terms: Terms, offers: Iterable[Offer], game: str
) -> tuple[list[Script], list[str]]:
    """Return the same for what is offered, whoever offers it."""
    mine = [offer for offer in offers if offer.game == game]
    found, left_out = scripts_of(law, mine, seed=terms.seed, budget=terms.budget)
    if terms.provisions:
        # Rounds made at random are about nothing in particular; those written are about something.
        wanted = set(terms.provisions)
        found = [one for one in found if wanted & set(one.provisions)]
    return found, left_out


def scripts_of(
    law: Law, offers: Iterable[Offer], *, seed: int, budget: str
) -> tuple[list[Script], list[str]]:
    """Return the scripts for what is offered, and why some are not played."""
    found: list[Script] = []
    left_out: list[str] = []
    for offer in offers:
        if offer.game not in SKETCHES or "table" not in offer.methods:
            continue
        words = game_words(law, offer.game)
        for script in written(law, offer.game, seed=seed):
            lacking = missing(script, offer, words)
            if lacking is None:
                found.append(script)
            else:
                left_out.append(f"{script.game}/{script.name}: {lacking}")
        oracle = Oracle(law)
        for again in range(_LINES[budget]):
            found += lines(law, offer, oracle, f"{seed}/{again}")
        found += generated(law, offer.game, offer, seed, _GENERATED[budget], oracle=oracle)
    return found, left_out


def played_rounds(session: Session, judge: Judge, some: list[Script]) -> Iterator[PlayedRound]:
    """Play scripts and yield the line of evidence of each."""
    for script, played in play_all(session, some):
        differences = judge.judge(script, played)
        yield PlayedRound(*_around(script, played, good=not differences), bool(differences))


def line_of(number: int, script: Script, played: Played, *, good: bool) -> bytes:
    """Return the line of evidence of a round in which nothing, or something, was not lawful."""
    before, after = _around(script, played, good=good)
    return b"%b%d%b" % (before, number, after)


def _around(script: Script, played: Played, *, good: bool) -> tuple[bytes, bytes]:
    """Return what stands in a line before and after its number: names are sorted."""
    before = encode(
        {
            "answer": msgspec.to_builtins(played),
            "game": script.game,
            "group": script.group or ROUND,
            "method": ROUND,
        }
    )
    after = encode(
        {
            "params": msgspec.to_builtins(script),
            "right": good and not played.faults and not played.declined,
        }
    )
    return before[:-1] + b',"n":', b"," + after[1:]


class _Line(msgspec.Struct, frozen=True):
    n: int
    params: Script
    answer: Played


@dataclass(kw_only=True)
class Seen:
    """One way in which a table was not lawful, by its first script."""

    script: Script
    n: int
    difference: RoundDifference
    played: Played
    times: int = 1


class RulingTerms(Protocol):
    """Terms under which rounds are judged: of an examination, or of vectors in a file."""

    @property
    def rulings(self) -> dict[str, str]:
        """The reading adopted on each open point that was ruled on."""


@dataclass
class Rounds:
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
    faults: list[Fault] = field(default_factory=list)
    #: The provisions that declined rounds are about, with the names of these.
    refused: dict[str, list[str]] = field(default_factory=dict)
    #: The scripts that were played to their end and are about each provision.
    about: dict[str, int] = field(default_factory=dict)
    #: Those of them in which nothing was wrong before it was seen whether the provision is kept.
    looked: dict[str, int] = field(default_factory=dict)
    kinds: dict[tuple[Any, ...], Seen] = field(default_factory=dict)
    #: Things that only the protocol asks for.
    lawless: dict[tuple[Any, ...], Seen] = field(default_factory=dict)
    #: How the rounds fit the readings of open points: cases in which they part, and each reading.
    followed: dict[str, tuple[int, dict[str, int]]] = field(default_factory=dict)
    #: Whether it is asked which readings are followed; findings do not depend on it.
    follows: bool = True
    #: The judge of the rounds, if there is one already.
    judging: Judge | None = None

    @property
    def played(self) -> int:
        """How many rounds were played."""
        return sum(self.by_game.values())

    def seen(self) -> list[Seen]:
        """Return every way in which a table was not lawful."""
        return [*self.kinds.values(), *self.lawless.values()]

    @property
    def judge(self) -> Judge:
        """The judge of the rounds, made when it is first needed."""
        if self.judging is None:
            self.judging = Judge(self.law, Readings(self.law, self.terms.rulings))
        return self.judging

    def take(self, line: bytes, *, right: bool, doubting: bool = False) -> bool:
        """Take a line of a round; return whether it is as the line says, if that is doubted."""
        one = msgspec.json.decode(line, type=_Line)
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
            _count(self.looked, looked_at(self.judge, one.params, one.answer, differences))
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
        self._blame([fault(Kind.DECLINED, game=script.game, round=called, problem=said)])
        for provision in script.provisions:
            self.refused.setdefault(provision, []).append(script.name)

    def _blame(self, faults: Iterable[Fault]) -> None:
        self.faults += list(faults)[: _MOST_FAULTS - len(self.faults)]

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

    def _keep(self, one: _Line, difference: RoundDifference) -> None:
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
        elif len(kinds) < _MOST_KINDS:
            kinds[kind] = Seen(script=one.params, n=one.n, difference=difference, played=one.answer)


def _count(counts: dict[str, int], names: Iterable[str]) -> None:
    for name in names:
        counts[name] = counts.get(name, 0) + 1
