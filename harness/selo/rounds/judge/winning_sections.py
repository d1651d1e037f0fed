"""Computes which sections of a layout win, for events that show them.

A section is named by its bet, and by its choice if it has one: ``small``, ``number:7``. Which
sections win follows from the rules of the game; which of them hold bets, from the accepted acts.
What a table shows under another reading of a bet is judged where the bet is settled, not here.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.law.files.events_file import ComputedField, EventRole
from selo.rounds.judge.table_log import ACCEPTED, is_stake_placement
from selo.rules.checks import settlement_points
from selo.rules.equipment.kits import BadOutcome
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.law import Law
    from selo.law.files.events_file import EventsFile
    from selo.rounds.judge.table_log import TableLog
    from selo.rounds.script import Script
    from selo.rules.settlement import Game, ThrowingGame
    from selo.table_values import Bet, Outcome

_ANSWER: Final = "answer"
_STAKE: Final = 1
_TICKET: Final = "ticket"


class WinningSections:
    """The winning sections of one game under some readings."""

    def __init__(self, law: Law, game: str, readings: Readings, file: EventsFile) -> None:
        self._law, self._game, self._readings = law, game, readings
        #: The winning sections of outcomes that came, by their encoding.
        self._winning: dict[bytes, list[str] | None] = {}
        self._computed = {event.id: event.computed for event in file.events if event.computed}
        #: The field in which a table tells the sections.
        self._told = {event.id: [*event.fields, *event.optional] for event in file.events}
        self._withdraws = file.name_of(EventRole.WITHDRAWS)

    def complete(self, script: Script, log: TableLog) -> None:
        """Add the computed fields to the events of a log."""
        if not self._computed:
            return
        laid: dict[Any, Mapping[str, Any]] = {}
        for at, event in enumerate(log.events):
            if event.get(_ANSWER) == ACCEPTED:
                self._take(script.acts[log.acts[at]], laid)
            elif event["event"] in self._computed:
                on_table = {_section_of(bet) for bet in laid.values()}
                self._fill(event, log.last_faces(at), on_table)
                laid.clear()

    def _take(self, act: Mapping[str, Any], laid: dict[Any, Mapping[str, Any]]) -> None:
        """Record an accepted act."""
        if is_stake_placement(act):
            laid[act.get(_TICKET)] = act
        elif act["act"] == self._withdraws:
            laid.pop(act.get(_TICKET), None)
        elif act.get(_TICKET) in laid and "bet" in act:
            laid[act[_TICKET]] = act

    def _fill(self, event: dict[str, Any], outcome: Outcome, laid: set[str]) -> None:
        computed = self._computed[event["event"]]
        told = [
            sorted(event[name])
            for name in self._told[event["event"]]
            if isinstance(event.get(name), list)
        ]
        key = msgspec.json.encode(outcome, order="sorted")
        if key not in self._winning:
            self._winning[key] = _win(self._rules, outcome)
        winning = self._winning[key]
        for field, kind in computed.items():
            event.pop(field, None)
            if winning is None:
                continue
            event[field] = _kept(winning, kind, laid)
            if told and event[field] not in told:
                other = [_kept(_win(game, outcome), kind, laid) for game in self._other_rules]
                event[field] = next((names for names in other if names in told), event[field])

    @cached_property
    def _rules(self) -> Game | ThrowingGame:
        return compile_game(self._law, self._game, self._readings)

    @cached_property
    def _other_rules(self) -> list[Game | ThrowingGame]:
        """The game under each other reading of a bet that nobody ruled."""
        rulings = self._readings.rulings
        return [
            compile_game(self._law, self._game, Readings(self._law, {**rulings, point: reading}))
            for point, readings in settlement_points(self._law, self._game).items()
            for reading in readings
            if point not in rulings
        ]


def _section_of(bet: Mapping[str, Any]) -> str:
    return str(bet["bet"]) if bet.get("choice") is None else f"{bet['bet']}:{bet['choice']}"


def _win(game: Game | ThrowingGame, outcome: Outcome) -> list[str] | None:
    """Return the sections that win, or nothing for an outcome that cannot be."""
    bets = list(_sections(game))
    try:
        settled = game.settle_plain({}, outcome, bets)
    except BadOutcome:
        return None
    return sorted(
        _section_of(bet)
        for bet, settlement in zip(bets, settled, strict=True)
        if settlement["result"] == "win"
    )


def _sections(game: Game | ThrowingGame) -> Iterator[Bet]:
    for rules in game.bets.values():
        for choice in rules.domain or (None,):
            chosen = {} if choice is None else {"choice": choice}
            yield {"bet": rules.name, "stake": _STAKE, **chosen}  # type: ignore[typeddict-item]


def _kept(names: list[str] | None, kind: ComputedField, laid: set[str]) -> list[str]:
    if kind is ComputedField.WINNING_BETS:
        return [*names] if names else []
    return [name for name in names or () if name in laid]
