"""Rounds written by hand, from lines that a lawyer can read to the acts of the protocol.

An act is a line: its name, then its fields as ``field=value``. ``happen`` is followed by the event
that it stages; ``force`` by what will show: dice, hands by whose they are, or throws (``3-4,6-6``).
``force any`` is for rounds in which it does not matter what shows: hands are drawn from the seed,
for all seats or places that are bet on before the next outcome is given.
"""

from __future__ import annotations

import random
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from selo.errors import SpecError
from selo.law.files import read_written_rounds
from selo.law.files.events_file import ValueKind
from selo.protocol.schema import FORCE, GO_ON, HAPPEN
from selo.rounds.generate.forced_outcomes import SPOTS, deal_hands
from selo.rounds.script import THROWS, Script
from selo.rules.procedure.step_reader import events_of

if TYPE_CHECKING:
    from pathlib import Path

    from selo.law.files import WrittenRound
    from selo.law.files.events_file import EventsFile
    from selo.law.loader import Law
    from selo.yaml_file import Document


WRITTEN_GROUP: Final = "written"
#: Marks an act that must be refused; it is for the reader, and for our own tests.
REFUSED_MARK: Final = "!"
_ANY: Final = "any"
_CHOICE: Final = "choice"
_BOOLEANS: Final = {"yes": True, "no": False, "true": True, "false": False}
#: The hands of an outcome that go by numbers stand together under this name.
_HANDS_FIELD: Final = {"seat": "seats", "place": "places"}


def read_written_scripts(
    law: Law, game: str, *, specs: Path | None = None, seed: int = 0
) -> list[Script]:
    """Return the scripts of `game` that are written by hand; `seed` is for what they leave open."""
    found, file = read_written_rounds(game, specs=specs), events_of(law, game)
    if found is None or file is None:
        return []
    document, rounds = found
    lines = _LineReader(document, file)
    scripts = []
    for at, one in enumerate(rounds.rounds):
        provisions = tuple(f"{rounds.instrument}/{name}" for name in one.about)
        for name, provision in zip(one.about, provisions, strict=True):
            if provision not in law.provisions:
                raise lines.wrong(at, "about", f"there is no provision '{name}' here")
        scripts.append(
            Script(
                game=game,
                options=lines.options(one, at),
                acts=_with_hands_drawn(game, one.name, seed, lines.acts(one, at)),
                group=WRITTEN_GROUP,
                name=one.name,
                reason=one.reason,
                provisions=provisions,
            )
        )
    return scripts


def _with_hands_drawn(
    game: str, name: str, seed: int, acts: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return acts with hands where it does not matter which."""
    chance = random.Random(f"{seed}/{game}/{name}")  # noqa: S311 - it repeats itself on purpose
    found = []
    for at, act in enumerate(acts):
        if act["act"] != FORCE or act["outcome"]:
            found.append(act)
            continue
        coming = takewhile(lambda one: one["act"] != FORCE, acts[at + 1 :])
        # A stake that a tie holds lies there from a round before.
        laid = [act for act in (*acts[:at], *coming) if "stake" in act]
        staked = {one.get("seat", one.get("place")) for one in laid}
        hands = deal_hands(game, chance, [spot for spot in SPOTS if spot in staked])
        found.append({"act": FORCE, "outcome": hands})
    return found


class _LineReader:
    """Reads lines by the events file of a game."""

    def __init__(self, document: Document, file: EventsFile) -> None:
        self._document = document
        self._kinds = {field.id: field.kind for field in file.fields}
        self._options = {option.id: option.kind for option in file.options}
        self._events = {event.id: {*event.fields, *event.optional} for event in file.events}
        self._hands = next((_HANDS_FIELD[name] for name in _HANDS_FIELD if name in self._kinds), "")

    def wrong(self, round_: int, part: str | int, problem: str) -> SpecError:
        """Return an error with the line of a round."""
        steps = ("rounds", round_, "acts", part) if isinstance(part, int) else ("rounds", round_)
        return SpecError(
            self._document.problem(*steps, problem=problem, hint="Compare with selo steps GAME.")
        )

    def options(self, one: WrittenRound, at: int) -> dict[str, Any]:
        """Return the options of a table."""
        try:
            return {
                name: _parse_value(value, self._options[name])
                if name in self._options
                else _parse_untyped(value)
                for name, value in one.options.items()
            }
        except (KeyError, ValueError) as error:
            raise self.wrong(at, "options", f"an option cannot be {error}") from error

    def acts(self, one: WrittenRound, at: int) -> list[dict[str, Any]]:
        """Return the acts of a round."""
        return [self.act(line, at, place) for place, line in enumerate(one.acts)]

    def act(self, line: str, round_: int, place: int) -> dict[str, Any]:
        """Return the act that a line says."""
        name, *parts = line.removeprefix(REFUSED_MARK).split()
        try:
            if name == HAPPEN:
                event, *rest = parts
                return {"act": HAPPEN, "event": {"event": event, **self._fields(event, rest)}}
            if name == FORCE and parts == [_ANY] and self._hands:
                return {"act": FORCE, "outcome": {}}
            if name == FORCE:
                return {"act": FORCE, "outcome": self._outcome(parts)}
            if name == GO_ON:
                return {"act": GO_ON, **dict(_split_field(part) for part in parts)}
            return {"act": name, **self._fields(name, parts)}
        except (KeyError, ValueError) as error:
            raise self.wrong(round_, place, f"this line cannot be read: {error}") from error

    def _fields(self, event: str, parts: list[str]) -> dict[str, Any]:
        own = self._events[event]
        fields: dict[str, Any] = {}
        for name, value in map(_split_field, parts):
            # What tells a bet apart in `settle` goes with an act as `settle` wants it.
            told = name not in own or name == _CHOICE
            fields[name] = _parse_untyped(value) if told else _parse_value(value, self._kinds[name])
        return fields

    def _outcome(self, parts: list[str]) -> dict[str, Any]:
        outcome: dict[str, Any] = {}
        for name, value in map(_split_field, parts):
            if name == THROWS:
                throws = [one.split("-") for one in value.split(",")]
                outcome[THROWS] = [[int(die) for die in throw] for throw in throws]
            elif name.isdigit():
                outcome.setdefault(self._hands, {})[name] = value.split(",")
            else:
                outcome[name] = value.split(",")
        return outcome


def _split_field(part: str) -> tuple[str, str]:
    name, sign, value = part.partition("=")
    if not sign:
        msg = f"'{part}' is no field=value"
        raise ValueError(msg)
    return name, value


def _parse_value(text: Any, kind: ValueKind) -> Any:
    if kind is ValueKind.TEXTS:
        return list(text) if isinstance(text, list) else text.split(",")
    if kind is ValueKind.YES_NO:
        return _BOOLEANS[text]
    return int(text) if kind is ValueKind.NUMBER else text


def _parse_untyped(plain: Any) -> Any:
    """Return a value whose kind no events file says: digits are a number."""
    if isinstance(plain, dict):
        return {name: _parse_untyped(value) for name, value in plain.items()}
    if isinstance(plain, list):
        return [_parse_untyped(value) for value in plain]
    return int(plain) if isinstance(plain, str) and plain.isdigit() else plain
