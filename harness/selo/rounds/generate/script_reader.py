"""Reads written rounds: turns lines that a lawyer can read into acts of the protocol.

An act is a line: its name, then its fields as ``field=value``. ``happen`` is followed by the event
that it stages; ``force`` by the outcome: dice, hands by their owners, or throws (``3-4,6-6``).
``force any`` is for rounds in which the outcome does not matter: hands are drawn from the seed, for
all seats or places with a bet before the next forced outcome.
"""

from __future__ import annotations

import random
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, cast

from selo.errors import SpecError
from selo.law.files.events_file import ValueKind
from selo.law.files.round_file import read_written_rounds
from selo.protocol.schema import FORCE, GO_ON, HAPPEN
from selo.rounds.generate.closing_acts import add_closing_acts
from selo.rounds.generate.forced_outcomes import SPOTS, deal_hands
from selo.rounds.script import THROWS, Script
from selo.rules.clauses import find_equipment
from selo.rules.equipment.kits import HAND_LAYOUTS, HandLayout
from selo.rules.equipment.pack_and_dice import PACK
from selo.rules.equipment.piece_set import SHOWN
from selo.rules.procedure.step_reader import find_events_file

if TYPE_CHECKING:
    from pathlib import Path

    from selo.law import Law
    from selo.law.files.events_file import EventsFile, TableOption
    from selo.law.files.round_file import WrittenRound
    from selo.table_values import Options, Outcome
    from selo.yaml_file import YamlDocument


WRITTEN_GROUP: Final = "written"
#: Marks an act that must be refused, for readers and tests.
REFUSED_MARK: Final = "!"
_ANY: Final = "any"
_CHOICE: Final = "choice"
_BOOLEANS: Final = {"yes": True, "no": False, "true": True, "false": False}
#: The field of an outcome that holds the hands of numbered seats or places.
_HANDS_FIELD: Final = {"seat": "seats", "place": "places"}
#: The fields of acts that hold a stake.
_STAKES: Final = ("stake", "to")


def read_written_scripts(
    law: Law, game: str, *, specs: Path | None = None, seed: int = 0
) -> list[Script]:
    """Return the written scripts of `game`; `seed` decides what they leave open."""
    rounds_file, file = (
        read_written_rounds(game, specs=specs or law.specs),
        find_events_file(law, game),
    )
    if rounds_file is None or file is None:
        return []
    document, rounds = rounds_file
    lines = _LineReader(document, file)
    scripts = []
    for at, written in enumerate(rounds.rounds):
        provisions = tuple(f"{rounds.instrument}/{name}" for name in written.about)
        for name, provision in zip(written.about, provisions, strict=True):
            if provision not in law.provisions:
                raise lines.error(at, "about", f"there is no provision '{name}' here")
        scripts.append(
            Script(
                game=game,
                options=lines.options(written, at),
                acts=_draw_hands(law, lines, at, game, written.name, seed, lines.acts(written, at)),
                group=WRITTEN_GROUP,
                name=written.name,
                reason=written.reason,
                provisions=provisions,
            )
        )
    return add_closing_acts(law, game, scripts)


def _draw_hands(  # noqa: PLR0913, PLR0917 - the place of a round, and what is drawn for it
    law: Law,
    lines: _LineReader,
    at: int,
    game: str,
    name: str,
    seed: int,
    acts: list[dict[str, Any]],
) -> list[dict[str, Any]]:
    layout = HAND_LAYOUTS.get(find_equipment(law, game).equipment)
    if layout is not None:
        return _with_hands_drawn(layout, game, name, seed, acts)
    if any(act["act"] == FORCE and not act["outcome"] for act in acts):
        problem = f"'{FORCE} {_ANY}' deals no hands in {game}; write the outcome"
        raise lines.error(at, "acts", problem)
    return acts


def _with_hands_drawn(
    layout: HandLayout, game: str, name: str, seed: int, acts: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the acts, with hands drawn for ``force any``."""
    chance = random.Random(f"{seed}/{game}/{name}")  # noqa: S311 - it repeats itself on purpose
    complete = []
    for at, act in enumerate(acts):
        if act["act"] != FORCE or act["outcome"]:
            complete.append(act)
            continue
        coming = takewhile(lambda later: later["act"] != FORCE, acts[at + 1 :])
        # A stake that a tie holds comes from an earlier round.
        bets = [other for other in (*acts[:at], *coming) if "stake" in other]
        staked = {bet.get("seat", bet.get("place")) for bet in bets}
        hands = deal_hands(layout, chance, [spot for spot in SPOTS if spot in staked])
        complete.append({"act": FORCE, "outcome": hands})
    return complete


class _LineReader:
    """Reads lines by the events file of a game."""

    def __init__(self, document: YamlDocument, file: EventsFile) -> None:
        self._document = document
        self._kinds = {field.id: field.kind for field in file.fields}
        self._options = {option.id: option for option in file.options}
        self._events = {event.id: {*event.fields, *event.optional} for event in file.events}
        self._required = {event.id: {*event.fields} for event in file.events}
        self._spot = next((name for name in _HANDS_FIELD if name in self._kinds), "")
        self._hands = _HANDS_FIELD.get(self._spot, "")
        houses = (one.house for one in HAND_LAYOUTS.values() if one.seats == self._hands)
        self._spots = {*SPOTS, *houses}

    def error(self, round_: int, part: str | int, problem: str) -> SpecError:
        """Return an error that names the line of a round."""
        steps = ("rounds", round_, "acts", part) if isinstance(part, int) else ("rounds", round_)
        return SpecError(
            self._document.problem(*steps, problem=problem, hint="Compare with selo steps GAME.")
        )

    def options(self, written: WrittenRound, at: int) -> Options:
        """Return the options of a table."""
        try:
            return {
                name: _parse_option(value, self._options[name])
                if name in self._options
                else _parse_untyped(value)
                for name, value in written.options.items()
            }
        except (KeyError, ValueError) as error:
            raise self.error(at, "options", f"an option cannot be so: {error}") from error

    def acts(self, written: WrittenRound, at: int) -> list[dict[str, Any]]:
        """Return the acts of a round."""
        return [self.act(line, at, place) for place, line in enumerate(written.acts)]

    def act(self, line: str, round_: int, place: int) -> dict[str, Any]:
        """Return the act of a line."""
        name, *parts = line.removeprefix(REFUSED_MARK).split()
        try:
            if name == HAPPEN:
                event, *rest = parts
                said = self._possible(self._whole(event, rest))
                return {"act": HAPPEN, "event": {"event": event, **said}}
            if name == FORCE and parts == [_ANY] and self._hands:
                return {"act": FORCE, "outcome": {}}
            if name == FORCE:
                return {"act": FORCE, "outcome": self._outcome(parts)}
            if name == GO_ON:
                return {"act": GO_ON, **dict(_split_field(part) for part in parts)}
            fields = self._whole(name, parts)
            # What must be refused may be as impossible as it likes.
            refused = line.startswith(REFUSED_MARK)
            return {"act": name, **(fields if refused else self._possible(fields))}
        except (KeyError, ValueError) as error:
            raise self.error(round_, place, f"this line cannot be read: {error}") from error

    def _whole(self, event: str, parts: list[str]) -> dict[str, Any]:
        """Return the fields of an event that needs all of its own."""
        fields = self._fields(event, parts)
        if lacking := sorted(self._required[event] - fields.keys()):
            msg = f"{event} needs {', '.join(lacking)}"
            raise ValueError(msg)
        return fields

    def _possible(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of what a table takes: a stake is money, and a seat is at the table."""
        for name in _STAKES:
            if fields.get(name) == 0:
                msg = f"{name} is no stake, so the act must be refused: write {REFUSED_MARK} before"
                raise ValueError(msg)
        if self._spot in fields and fields[self._spot] not in self._spots:
            msg = f"there is no {self._spot} '{fields[self._spot]}'"
            raise ValueError(msg)
        return fields

    def _fields(self, event: str, parts: list[str]) -> dict[str, Any]:
        own = self._events[event]
        fields: dict[str, Any] = {}
        for name, value in map(_split_field, parts):
            # Fields of `settle` are passed as `settle` expects them.
            untyped = name not in own or name == _CHOICE
            fields[name] = (
                _parse_untyped(value) if untyped else parse_value(value, self._kinds[name])
            )
        return fields

    def _outcome(self, parts: list[str]) -> Outcome:
        outcome: dict[str, Any] = {}
        for name, value in map(_split_field, parts):
            if name == THROWS:
                throws = [throw.split("-") for throw in value.split(",")]
                outcome[THROWS] = [[_parse_untyped(part) for part in throw] for throw in throws]
            elif name == SHOWN:
                outcome[SHOWN] = [_parse_untyped(part) for part in value.split(",")]
            elif name.isdigit():
                if name not in self._spots:
                    msg = f"there is no hand '{name}'"
                    raise ValueError(msg)
                outcome.setdefault(self._hands, {})[name] = _parse_hand(value)
            else:
                outcome[name] = _parse_hand(value) if self._hands else value.split(",")
        return cast("Outcome", outcome)


def _parse_hand(value: str) -> list[str]:
    cards = value.split(",")
    for card in cards:
        if card not in PACK:
            msg = f"'{card}' is no card"
            raise ValueError(msg)
    return cards


def _split_field(part: str) -> tuple[str, str]:
    name, sign, value = part.partition("=")
    if not sign:
        msg = f"'{part}' is no field=value"
        raise ValueError(msg)
    return name, value


def _parse_option(text: Any, option: TableOption) -> Any:
    value = parse_value(text, option.kind)
    if option.values and option.kind is ValueKind.TEXT and value not in option.values:
        msg = f"'{value}' is not a value of '{option.id}'"
        raise ValueError(msg)
    return value


def parse_value(text: Any, kind: ValueKind) -> Any:
    """Return a written value as its kind."""
    if kind is ValueKind.NUMBERS:
        return [
            _parse_whole(part) for part in (text if isinstance(text, list) else text.split(","))
        ]
    if kind is ValueKind.TEXTS:
        return list(text) if isinstance(text, list) else text.split(",")
    if kind is ValueKind.YES_NO:
        return _BOOLEANS[text]
    return _parse_whole(text) if kind is ValueKind.NUMBER else text


def _parse_whole(text: str) -> int:
    """Return a number that is written in digits alone."""
    if not text.isdecimal():
        msg = f"'{text}' is no whole number"
        raise ValueError(msg)
    return int(text)


def _parse_untyped(plain: Any) -> Any:
    """Parse a value whose kind no events file states: digits are a number."""
    if isinstance(plain, dict):
        return {name: _parse_untyped(value) for name, value in plain.items()}
    if isinstance(plain, list):
        return [_parse_untyped(value) for value in plain]
    return int(plain) if isinstance(plain, str) and plain.isdigit() else plain
