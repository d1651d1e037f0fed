"""Judges a played round: the order of events, the answers to acts, and the settlements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases.oracle import Oracle
from selo.protocol.schema import game_words
from selo.rounds.judge.game_procedures import Point, Procedures
from selo.rounds.judge.knock_on import KnockOnMarker
from selo.rounds.judge.round_difference import Manner, RoundDifference
from selo.rounds.judge.settlement_check import SettlementCheck
from selo.rounds.judge.table_log import ACCEPTED, ActEvents, TableLog, build_log
from selo.rounds.judge.winning_sections import WinningSections
from selo.rules.checks import settlement_points
from selo.rules.procedure import ActRuling, BreachCause
from selo.rules.procedure.step_reader import (
    list_step_games,
)
from selo.rules.readings import Readings
from selo.rules.settlement import ThrowingGame
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.cases import Case
    from selo.law import Law
    from selo.rounds.script import Script
    from selo.rounds.table_player import PlayedScript
    from selo.rules.procedure import Breach, Procedure
    from selo.rules.procedure.step_reader import Constraint
    from selo.table_values import Outcome


#: Kinds of steps that a table breaks by leaving something out.
_CUT_SHORT_KINDS: Final = frozenset({"precedes", "follows", "directly", "exactly", "at-least"})


class RoundJudge:
    """Judges rounds of any game under some readings, caching what it compiles."""

    def __init__(
        self, law: Law, readings: Readings | None = None, *, remembers: bool = False
    ) -> None:
        """Judge by `law`; `remembers` keeps what was judged, for many vendors that play alike."""
        self._law = law
        self._judged: dict[tuple[str, bytes], list[RoundDifference]] | None = (
            {} if remembers else None
        )
        self._readings = readings or Readings(law)
        self._oracle = Oracle(law, self._readings.rulings)
        self._procedures: dict[str, Procedures] = {}
        self._settlement_checks: dict[str, SettlementCheck] = {}
        self._winning_sections: dict[str, WinningSections] = {}
        self._choices: dict[str, Mapping[str, Sequence[Any]]] = {}
        self._last_log: tuple[PlayedScript, TableLog] | None = None
        self._log_judged: TableLog | None = None
        self._breaches: dict[int, tuple[Procedure, tuple[list[Breach], list[Breach]]]] = {}

    def procedures(self, game: str) -> Procedures:
        """Return the procedures of `game`."""
        if game not in self._procedures:
            if game not in list_step_games(self._law):
                raise user_error("steps", game=game, known=", ".join(list_step_games(self._law)))
            self._procedures[game] = Procedures(self._law, game, self._readings)
        return self._procedures[game]

    def log(self, script: Script, played: PlayedScript) -> TableLog:
        """Return the log of a played script; the last one is kept."""
        if self._last_log is None or self._last_log[0] is not played:
            file = self.procedures(script.game).of(script.options).file
            log = build_log(script, played, file)
            self._sections_of(script.game).complete(script, log)
            log.unknown = {
                at for at, event in enumerate(log.events) if self._is_unknown(script.game, event)
            }
            self._last_log = (played, log)
        return self._last_log[1]

    def _is_unknown(self, game: str, event: Mapping[str, Any]) -> bool:
        """Return whether an act names a bet, or a choice of one, that no reading of the law has."""
        name = event.get("bet")
        if "answer" not in event or not name:
            return False
        if game not in self._choices:
            self._choices[game] = game_words(self._law, game).choices
        choices = self._choices[game].get(name)
        choice = event.get("choice")
        return choices is None or (choice is not None and choice not in choices)

    def _judge_log(self, procedure: Procedure, log: TableLog) -> tuple[list[Breach], list[Breach]]:
        """Return the breaches of a log and what is owed; of the last log each is judged once."""
        if self._log_judged is not log:
            self._log_judged, self._breaches = log, {}
        if id(procedure) not in self._breaches:
            self._breaches[id(procedure)] = procedure, procedure.judge_round(log.events)
        return self._breaches[id(procedure)][1]

    def judge(self, script: Script, played: PlayedScript) -> list[RoundDifference]:
        """Return the differences of a table from a lawful one, in order."""
        if self._judged is None:
            return self._judge(script, played)
        key = (script.key, msgspec.json.encode(played, order="sorted"))
        if key not in self._judged:
            self._judged[key] = self._judge(script, played)
        return [*self._judged[key]]

    def _judge(self, script: Script, played: PlayedScript) -> list[RoundDifference]:
        procedures = self.procedures(script.game)
        procedure = procedures.of(script.options)
        log = self.log(script, played)
        differences = [
            *_order_differences(
                procedures,
                script,
                procedure,
                log,
                self._judge_log(procedure, log),
                complete=played.is_complete,
            ),
            *_unread_differences(procedure, log, script),
            *self._settlement_check_of(script.game).judge(script, played, procedures),
        ]
        differences.sort(key=lambda each: (each.act, each.event is None, each.event or 0))
        if not differences:
            return []
        throwing = isinstance(self._oracle.game(script.game), ThrowingGame)
        return KnockOnMarker(procedure, script, throwing=throwing).mark(differences)

    def unseen_provisions(self, script: Script, played: PlayedScript) -> frozenset[str]:
        """Return the provisions that a round leaves open although nothing in it was wrong.

        A duty was not due when the table closed and had not been fulfilled before, or an act that
        a provision allows was refused because its bet does not lie on the table any more.
        """
        procedure = self.procedures(script.game).of(script.options)
        log = self.log(script, played)
        breaches, owed = self._judge_log(procedure, log)
        return frozenset(
            breach.provision
            for breach in (
                *(breach for breach in breaches if breach.index in log.decided),
                *(breach for breach in owed if not breach.was_fulfilled),
            )
            if breach.provision is not None
        )

    def untold_fields(
        self, script: Script, played: PlayedScript
    ) -> frozenset[tuple[str, str, str]]:
        """Return each provision that needs an optional field left out, the event, and the field."""
        events = self.log(script, played).events
        return self.procedures(script.game).under_any_reading(script.options).find_untold(events)

    def settlement_of(
        self, script: Script, played: PlayedScript, ticket: str
    ) -> tuple[Case, Any, int] | None:
        """Return the settlement of one bet as a case, its answers, and the place of the bet."""
        settled = self._settlement_check_of(script.game).settled_bets(script, played)
        return next((tuple(rest) for name, *rest in settled if name == ticket), None)  # type: ignore[return-value]

    def settled_cases(
        self, script: Script, played: PlayedScript
    ) -> list[tuple[int, Case, dict[int, tuple[str, dict[str, Any]]]]]:
        """Return what each outcome decided as a case: the act, the case, and what was settled.

        Settled bets stand by their place in the case, with ticket and settlement, and with what
        was staked.
        """
        cases = []
        for act, case, bets, told in self._settlement_check_of(script.game).settled_cases(
            script, played
        ):
            settled = {
                place: (
                    bet.ticket,
                    {**(told[bet.ticket].settlement or {}), "staked": bet.plain["stake"]},
                )
                for place, bet in enumerate(bets)
                if bet.ticket in told and not bet.has_unknown_stake
            }
            if settled:
                cases.append((act, case, settled))
        return cases

    def decided_cases(self, script: Script, played: PlayedScript) -> list[tuple[int, Case]]:
        """Return the bets that lay there at each outcome as a case, whatever was settled."""
        check = self._settlement_check_of(script.game)
        return [(act, case) for act, case, _, _ in check.settled_cases(script, played)]

    def vendor_draws(
        self, script: Script, played: PlayedScript
    ) -> list[tuple[int, Outcome | None]]:
        """Return the acts at which the vendor drew an outcome itself, and that outcome if known."""
        return self._settlement_check_of(script.game).vendor_draws(script, played)

    def _settlement_check_of(self, game: str) -> SettlementCheck:
        if game not in self._settlement_checks:
            file = self.procedures(game).of({}).file
            self._settlement_checks[game] = SettlementCheck(self._law, game, self._oracle, file)
        return self._settlement_checks[game]

    def _sections_of(self, game: str) -> WinningSections:
        if game not in self._winning_sections:
            file = self.procedures(game).of({}).file
            self._winning_sections[game] = WinningSections(self._law, game, self._readings, file)
        return self._winning_sections[game]

    def points(self, game: str) -> dict[str, list[str]]:
        """Return the readings of every open point of a game's steps and settlements."""
        return {**settlement_points(self._law, game), **self.procedures(game).points()}

    def fitting_readings(
        self, script: Script, played: PlayedScript
    ) -> Iterator[tuple[str, dict[str, bool]]]:
        """Yield each open point whose readings a round distinguishes, and the readings it fits.

        Breaches under every reading distinguish none.
        """
        if not played.is_complete:
            return
        procedures = self.procedures(script.game)
        points = procedures.open_points(script.provisions)
        log = self.log(script, played) if points else None
        judged: dict[int, set[tuple[BreachCause, int]]] = {}
        for point, readings in points.items():
            broken = {}
            for reading in readings:
                procedure = procedures.of(script.options, **{point: reading})
                if id(procedure) not in judged and log is not None:
                    breaches, owed = self._judge_log(procedure, log)
                    judged[id(procedure)] = {
                        (breach.cause, breach.index)
                        for breach in (*breaches, *_missing_breaches(procedure, log, owed))
                    }
                broken[reading] = judged[id(procedure)]
            always = set.intersection(*broken.values())
            fits = {reading: breaches == always for reading, breaches in broken.items()}
            if any(fits.values()) and not all(fits.values()):
                yield point, fits


def _order_differences(  # noqa: PLR0913 - what a breach follows from
    procedures: Procedures,
    script: Script,
    procedure: Procedure,
    log: TableLog,
    found: tuple[list[Breach], list[Breach]],
    *,
    complete: bool,
) -> Iterator[RoundDifference]:
    judged = _LogUnderReadings(log)
    breaches, owed = found
    ruled = procedures.ruled
    #: Readings that earlier breaches suggest the table follows.
    suggested: dict[Point, None] = {}
    chances = [breach for breach in breaches if not _is_cut_short(breach, log, len(script.acts))]
    for breach in [*chances, *_missing_breaches(procedure, log, owed if complete else [])]:
        points: list[Point] = []
        for besides in [(), *((point,) for point in suggested)] if breach.constraint else []:
            others = procedures.under_other_readings(script.options, breach.constraint, besides)  # type: ignore[arg-type]
            points = points or [
                point for point, other in others if judged.cures((*besides, point), other, breach)
            ]
        suggested.update(dict.fromkeys(point for point in points if not ruled(point[0])))
        difference = msgspec.structs.replace(
            _difference_of(log, breach),
            reasons=tuple(_reasons(procedure, log, breach)),
            readings=tuple(point for point in points if not ruled(point[0])),
            against=tuple(point for point in points if ruled(point[0])),
        )
        if breach.cause is BreachCause.MISSING:
            difference = msgspec.structs.replace(difference, act=len(script.acts), event=None)
        if difference.manner is not Manner.REFUSED or not _is_free_to_refuse(
            procedures, script, log, breach.index
        ):
            yield difference


def _is_free_to_refuse(procedures: Procedures, script: Script, log: TableLog, at: int) -> bool:
    """Return whether a refusal breaks nothing although such acts are allowed at that moment."""
    if at in log.decided or at in log.unknown:
        # What was given back or collected cannot be withdrawn, lowered or moved; and no text that
        # lets people bet makes a table take a bet that the law does not have.
        return True
    return at in log.repeated and not procedures.limits_repetition(script, log.events[: at + 1])


def _is_cut_short(breach: Breach, log: TableLog, closing: int) -> bool:
    """Return whether a table left out what was due because Selo closed it."""
    step = breach.constraint
    return step is not None and step.kind in _CUT_SHORT_KINDS and log.acts[breach.index] == closing


def _missing_breaches(procedure: Procedure, log: TableLog, owed: list[Breach]) -> list[Breach]:
    """Return what the table had its chance to do and did not do.

    A table that is closed, or that waits for people, may be about to do it.
    """
    due = procedure.find_overdue(log.events_before_stall()) if owed else frozenset()
    return [breach for breach in owed if breach.constraint and breach.constraint.key in due]


class _LogUnderReadings:
    """Judges one log under other readings, once for each."""

    def __init__(self, log: TableLog) -> None:
        self._log = log
        self._judged: dict[tuple[tuple[Point, ...], bool], list[Breach]] = {}

    def cures(self, points: tuple[Point, ...], other: Procedure, breach: Breach) -> bool:
        """Return whether other readings make a breach lawful."""
        ended = breach.cause is BreachCause.MISSING
        if (points, ended) not in self._judged:
            judge = other.find_missing if ended else other.judge
            self._judged[points, ended] = judge(self._log.events)
        left = self._judged[points, ended]
        if ended:
            return all(other_breach.provision != breach.provision for other_breach in left)
        return all(other_breach.index != breach.index for other_breach in left)


def _difference_of(log: TableLog, breach: Breach) -> RoundDifference:
    at = breach.index if breach.index < len(log.events) else None
    event = {} if at is None else log.events[at]
    if breach.constraint is None:
        return RoundDifference(
            manner=Manner.EVENT,
            act=-1 if at is None else log.acts[at],
            event=at,
            expected={"problem": breach.required},
            observed=event,
        )
    return RoundDifference(
        manner=_manner_of(breach, breach.constraint, event),
        act=log.acts[at] if at is not None else -1,
        event=at,
        provisions=(breach.constraint.provision,),
        constraint=breach.constraint.key,
        required=breach.constraint.required,
        observed=event,
        shown=log.last_faces(breach.index),
    )


def _reasons(procedure: Procedure, log: TableLog, breach: Breach) -> Iterator[tuple[str, str]]:
    """Yield the broken step by its kind and its key, and the steps it depends on.

    These are other rules for the same act, and the steps that define names of its events.
    """
    step = breach.constraint
    if step is None:
        return
    yield step.provision, step.kind
    yield step.provision, step.key
    if step.concerns_act:
        event = {
            name: value for name, value in log.events[breach.index].items() if name != "answer"
        }
        for other in procedure.steps_on_act(log.events[: breach.index], event):
            yield other.provision, other.kind
    for name in procedure.constraints:
        if name.called in step.mentioned:
            yield name.provision, name.kind


def _manner_of(breach: Breach, step: Constraint, event: Mapping[str, Any]) -> Manner:
    if breach.cause is BreachCause.MISSING:
        return Manner.MISSING
    if step.kind == "refuses" and event.get("answer") == ACCEPTED:
        return Manner.ACCEPTED
    return Manner.REFUSED if step.kind == "allows" else Manner.ORDER


def _unread_differences(
    procedure: Procedure, log: TableLog, script: Script
) -> Iterator[RoundDifference]:
    """Yield acts that had to be accepted and were answered with an error."""
    acts = ActEvents(procedure.file)
    for at in log.unread:
        before = [event for event, cause in zip(log.events, log.acts, strict=True) if cause < at]
        event = acts.event(script.acts[at])
        if procedure.rule_on_act(before, event) is not ActRuling.ACCEPT:
            continue
        # An error is not a refusal: the fault is the adapter's, and the game is unknown.
        yield RoundDifference(manner=Manner.UNREAD, act=at, observed=event)
