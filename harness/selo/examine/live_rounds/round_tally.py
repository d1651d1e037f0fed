"""Tallies live rounds from their lines of evidence: breaches, faults, exercised provisions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from selo.cases.case_numbers import NumberRanges
from selo.examine.live_rounds.round_lines import ROUND
from selo.examine.tally import Difference
from selo.rounds import PlayedScript, Script
from selo.rounds.analysis import decisive_steps
from selo.rounds.generate import FREE_GROUP
from selo.rounds.judge import Manner, RoundJudge
from selo.rules.readings import Readings
from selo.vendors.faults import AdapterFault, FaultKind, make_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.law import Law
    from selo.rounds.judge import RoundDifference


def exercised_provisions(
    judge: RoundJudge, script: Script, played: PlayedScript, differences: Sequence[RoundDifference]
) -> frozenset[str]:
    """Return the provisions of a script that its round put to the test.

    Behaviour after the first violation may be a knock-on effect, so only provisions decided before
    it count. A provision that a knock-on difference concerns does not count.
    """
    violations = [difference.act for difference in differences if not difference.open]
    set_aside = {
        name
        for difference in differences
        if difference.consequence
        for name in difference.provisions
    }
    if not violations:
        return frozenset(script.provisions) - set_aside
    log = judge.log(script, played)
    first = min(violations)
    before = [event for event, act in zip(log.events, log.acts, strict=True) if act < first]
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


#: Kinds of breaches, and of protocol faults, that are kept.
_MAX_KINDS: Final = 200
#: Faults of rounds that are reported.
_MAX_FAULTS: Final = 20


class _RoundLine(msgspec.Struct, frozen=True):
    n: int
    params: Script
    answer: PlayedScript


@dataclass(kw_only=True)
class RoundBreach:
    """A kind of breach at live tables, with the shortest script that shows it."""

    script: Script
    n: int
    difference: RoundDifference
    played: PlayedScript
    times: int = 1
    #: The numbers of its rounds in the evidence, by a short description of what differs.
    numbers: dict[str, NumberRanges] = field(default_factory=dict)
    #: The provisions that its rounds break as well, perhaps as a knock-on effect only.
    shadows: set[str] = field(default_factory=set)

    def add_number(self, n: int, description: str) -> None:
        """Add the number of a round that shows it."""
        self.numbers.setdefault(description, NumberRanges()).add(n)


class RulingTerms(Protocol):
    """The terms of an examination, or of vectors in a file."""

    @property
    def rulings(self) -> dict[str, str]:
        """The reading adopted on each open point with a ruling."""


@dataclass
class RoundTally:
    """What the evidence shows of all rounds."""

    law: Law
    terms: RulingTerms
    #: The number of rounds played of each game.
    by_game: dict[str, int] = field(default_factory=dict)
    right: int = 0
    declined: int = 0
    #: Rounds that were not answered to their end.
    broken: int = 0
    #: The first reasons why rounds were declined or not answered.
    faults: list[AdapterFault] = field(default_factory=list)
    #: The names of declined rounds, by the provisions they are about.
    refused: dict[str, list[str]] = field(default_factory=dict)
    #: The number of complete rounds about each provision.
    about: dict[str, int] = field(default_factory=dict)
    #: The number of rounds that put each provision to the test.
    exercised: dict[str, int] = field(default_factory=dict)
    #: The optional fields of events, each with its event, that a provision needs and some round
    #: about it left out.
    untold: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    kinds: dict[tuple[Any, ...], RoundBreach] = field(default_factory=dict)
    #: Breaches of the protocol only.
    lawless: dict[tuple[Any, ...], RoundBreach] = field(default_factory=dict)
    #: Per open point: the rounds that distinguish its readings, and those that fit each reading.
    followed: dict[str, tuple[int, dict[str, int]]] = field(default_factory=dict)
    #: Whether to record which readings the rounds fit; findings do not depend on it.
    infers_readings: bool = True
    #: A judge to reuse, if there is one.
    prepared_judge: RoundJudge | None = None

    @property
    def played(self) -> int:
        """The number of rounds played."""
        return sum(self.by_game.values())

    def breaches(self) -> list[RoundBreach]:
        """Return every kind of breach."""
        return [*self.kinds.values(), *self.lawless.values()]

    @property
    def judge(self) -> RoundJudge:
        """The judge of the rounds, created on first use."""
        if self.prepared_judge is None:
            self.prepared_judge = RoundJudge(self.law, Readings(self.law, self.terms.rulings))
        return self.prepared_judge

    def take(self, line: bytes, *, right: bool, doubting: bool = False) -> bool:
        """Add a line of a round; if doubting, return whether its mark `right` is correct."""
        decoded = msgspec.json.decode(line, type=_RoundLine)
        script, played = decoded.params, decoded.answer
        self.by_game[script.game] = self.by_game.get(script.game, 0) + 1
        if played.declined:
            self._note_declined(script, played.declined)
            return not right
        # An incomplete round shows breaches up to its end and proves nothing else.
        if not played.is_complete:
            self.broken += 1
            self._note_faults(fault for _, fault in played.faults)
        _count(self.about, script.provisions if played.is_complete else ())
        for point, fits in (
            self.judge.fitting_readings(script, played) if self.infers_readings else ()
        ):
            self._note_fit(point, fits)
        open_provisions = self._note_unseen(script, played) if script.provisions else frozenset()
        if right and not doubting:
            self.right += 1
            _count(self.exercised, {*script.provisions} - open_provisions)
            return True
        differences = self.judge.judge(script, played)
        self.right += right
        if played.is_complete:
            _count(
                self.exercised,
                exercised_provisions(self.judge, script, played, differences) - open_provisions,
            )
        first: RoundBreach | None = None
        for difference in differences:
            # A knock-on effect is not a breach of its own, and what it breaks is not shown to be
            # kept elsewhere: a narrower fault may stand behind it.
            if difference.consequence:
                if first is not None and not difference.open:
                    first.shadows.update(difference.provisions)
            else:
                breach = self._note_breach(decoded, difference)
                first = first or breach
                # Steps of written rounds are judged under every reading above.
                if not (difference.constraint and script.provisions):
                    self._note_reading(script.game, difference)
        return right == (not differences and not played.faults)

    def _note_unseen(self, script: Script, played: PlayedScript) -> frozenset[str]:
        """Record the untold fields, and return the provisions that the round leaves open."""
        for provision, event, name in self.judge.untold_fields(script, played):
            self.untold.setdefault(provision, set()).add((event, name))
        return self.judge.unseen_provisions(script, played)

    def _note_declined(self, script: Script, reason: str) -> None:
        """Record a round that the vendor declined although it offers everything needed."""
        self.declined += 1
        name = script.name or script.group
        self._note_faults(
            [make_fault(FaultKind.DECLINED, game=script.game, round=name, problem=reason)]
        )
        for provision in script.provisions:
            self.refused.setdefault(provision, []).append(script.name)

    def _note_faults(self, faults: Iterable[AdapterFault]) -> None:
        self.faults += list(faults)[: _MAX_FAULTS - len(self.faults)]

    def _note_fit(self, point: str, fits: Mapping[str, bool]) -> None:
        cases, times = self.followed.get(point, (0, {}))
        self.followed[point] = (
            cases + 1,
            {name: times.get(name, 0) + int(fit) for name, fit in fits.items()},
        )

    def _note_reading(self, game: str, difference: RoundDifference) -> None:
        """Record the one reading under which a difference is lawful, per open point."""
        points = dict(difference.readings)
        if len(points) == len(difference.readings):
            for point, reading in points.items():
                readings = self.judge.points(game).get(point, [reading])
                self._note_fit(point, {name: name == reading for name in readings})

    def _note_breach(self, line: _RoundLine, difference: RoundDifference) -> RoundBreach:
        """Count a breach, and return its kind, or the first of all where there are too many."""
        script, played = line.params, line.answer
        kinds = self.lawless if difference.lawless else self.kinds
        kind = (
            script.game, difference.provisions, difference.manner, difference.constraint,
            difference.readings, difference.against, difference.bet,
        )  # fmt: skip
        description = self.describe_difference(script, played, difference)
        if kind in kinds:
            kinds[kind].times += 1
            kinds[kind].add_number(line.n, description)
            if _acts_shown(script, difference) < _acts_shown(
                kinds[kind].script, kinds[kind].difference
            ):
                kinds[kind].script, kinds[kind].n = script, line.n
                kinds[kind].difference, kinds[kind].played = difference, played
        elif len(kinds) < _MAX_KINDS:
            kinds[kind] = RoundBreach(script=script, n=line.n, difference=difference, played=played)
            kinds[kind].add_number(line.n, description)
        return kinds[kind] if kind in kinds else next(iter(kinds.values()))

    def shadowed_by(self, breach: RoundBreach) -> list[str]:
        """Return the provisions that stay in doubt behind a breach, and that no breach names."""
        named = {name for each in self.kinds.values() for name in each.difference.provisions}
        return sorted(breach.shadows - named)

    def describe_difference(
        self, script: Script, played: PlayedScript, difference: RoundDifference
    ) -> str:
        """Return a breach in short: its manner, the step or the bet, and the amounts in stakes."""
        about = difference.constraint or difference.bet
        if difference.manner is Manner.SETTLEMENT:
            settled = self.judge.settlement_of(script, played, difference.ticket)
            if settled is not None:
                case, _, at = settled
                about = Difference.describe_settlement(
                    case.bets[at], difference.expected, difference.observed
                )
        return f"{ROUND} {difference.manner}: {about}"


def _acts_shown(script: Script, difference: RoundDifference) -> int:
    """Return how many acts a finding has to show: of a free round, those up to the difference."""
    return difference.act + 1 if script.group == FREE_GROUP else len(script.acts)


def _count(counts: dict[str, int], names: Iterable[str]) -> None:
    for name in names:
        counts[name] = counts.get(name, 0) + 1
