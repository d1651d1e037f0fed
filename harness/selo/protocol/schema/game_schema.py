"""The vocabulary of each game in the protocol: schemas, and checks of a vendor's messages."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, get_args

import msgspec

from selo.law.files.events_file import EventOrigin
from selo.protocol.messages import FULL, Level, Via
from selo.protocol.schema.bet_schema import bet_schema, bet_shapes, compiled_games
from selo.protocol.schema.declaration_schema import DeclarationWords
from selo.protocol.schema.equipment_schema import equipment_of
from selo.protocol.schema.event_schema import (
    FORCE,
    GO_ON,
    HAPPEN,
    EventReader,
    act_schema,
    bets_laid_by,
    event_schema,
    field_schema,
    part_union,
    steering_schemas,
)
from selo.protocol.schema.json_schema import WHOLE, Schema, closed_object, list_schema, ref, titled
from selo.protocol.schema.option_schema import (
    authorised_example,
    authorised_schema,
    default_options,
    option_schema,
    option_shapes,
    value_problem,
)
from selo.protocol.schema.schema_examples import Examples
from selo.rules.checks import list_games, read_circumstances
from selo.rules.equipment.kits import BadOutcome
from selo.rules.procedure.step_reader import find_events_file, list_step_games
from selo.rules.settlement import ThrowingGame
from selo.rules.settlement.neighbouring_bets import HELD
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.law import Law
    from selo.law.files.events_file import Event, EventRole
    from selo.protocol.messages import Offer
    from selo.protocol.schema.option_schema import OptionShape
    from selo.rules.checks import CaseCircumstances
    from selo.table_values import Options

_LYING: Final = "lying"
_STEERING: Final = (FORCE, HAPPEN, GO_ON)


class GameWords:
    """The vocabulary of one game under all readings of its law."""

    def __init__(self, law: Law, game: str) -> None:
        self._law, self.game = law, game
        every = list(compiled_games(law, game))
        self._file = find_events_file(law, game) if game in list_step_games(law) else None
        self._shapes = bet_shapes(every)
        self._options = option_shapes(law, game, self._file, self.bets)
        self._shown = equipment_of(law, every[0], self._lying(), self.default_options)
        self._reader = EventReader(game, self._file)
        self._declared = DeclarationWords(law, game, self.bets)
        self._compiled = compiled = every[0]
        self._compare = (
            None
            if isinstance(compiled, ThrowingGame) or compiled.order is None
            else compiled.compare
        )

    @property
    def bets(self) -> list[str]:
        """The names of the bets, in the order of the law."""
        return [shape.name for shape in self._shapes]

    @property
    def choices(self) -> Mapping[str, Sequence[Any]]:
        """The choices of each bet under any reading."""
        return {shape.name: shape.choices for shape in self._shapes}

    @cached_property
    def held_bets(self) -> frozenset[str]:
        """The bets of which it may matter that the stake was held from an earlier round."""
        return frozenset(shape.name for shape in self._shapes if HELD in shape.history)

    @cached_property
    def acts(self) -> list[str]:
        """The acts of the game itself, which a participant requests from the table."""
        return [one.id for one in self._by(EventOrigin.ACT)]

    def act_of(self, role: EventRole) -> str | None:
        """Return the event of a role, or nothing if the game has none."""
        return None if self._file is None else self._file.name_of(role)

    @cached_property
    def happenings(self) -> list[str]:
        """The events that a table reports."""
        return [one.id for one in self._by(EventOrigin.TABLE)]

    @cached_property
    def abilities(self) -> list[str]:
        """The abilities that make sense for the game."""
        able = {
            "settle": bool(self._shapes),
            "compare": self._compare is not None,
            "table": self._file is not None,
            # Without settlement of outcomes there is nothing to draw.
            "draw": bool(self._shapes),
            # Dice are not shuffled.
            "pack": bool(self._shown.pieces),
        }
        return [name for name, can in able.items() if can]

    @cached_property
    def circumstances(self) -> CaseCircumstances:
        """What a vendor may declare that its product cannot do."""
        return read_circumstances(self._law, self.game)

    @cached_property
    def default_options(self) -> Options:
        """The options that every case needs."""
        return default_options(self._options)

    @cached_property
    def options_known(self) -> Mapping[str, OptionShape]:
        """Every option of a case or of a table, by its name."""
        return {option.name: option for option in self._options}

    def event_problem(self, event: Any, *, where: str = "$") -> str | None:
        """Return the problem of an event of a table with its path below `where`, or None."""
        return self._reader.problem(event, where)

    def outcome_problem(self, outcome: Any, *, where: str = "$") -> str | None:
        """Return why the equipment of the game cannot show `outcome`, or None."""
        try:
            self._shown.read(outcome)
        except msgspec.ValidationError as error:
            wrong, _, path = str(error).partition(" - at `$")
            return f"{where}{path.rstrip('`')}: {wrong}"
        except BadOutcome as error:
            return f"{where}: {error}"
        return None

    def offer_problem(self, offer: Offer, *, where: str = "$") -> str | None:
        """Return the part of a vendor's offer that the game does not define, or None."""
        for part, known in (
            ("methods", self.abilities),
            ("bets", self.bets),
            ("happens", self.happenings),
            ("cannot", list(self.circumstances.words)),
        ):
            for at, name in enumerate(getattr(offer, part)):
                if name not in known:
                    return f"{where}.{part}[{at}]: {self.game} has no {name!r}"
        for name in offer.via:
            if name not in self._computed():
                return f"{where}.via.{name}: {self.game} has no {name!r}"
        if offer.level != FULL and "table" in offer.methods:
            return f"{where}.level: a table tells full settlements"
        for name, values in offer.options.items():
            option = self.options_known.get(name)
            wrong = "no such option" if option is None else value_problem(option, values)
            if wrong is not None:
                return f"{where}.options.{name}: {wrong}"
        return self._declared.problem(offer, where)

    @cached_property
    def examples(self) -> Examples:
        """The examples of the game."""
        return Examples(self._law, self._compiled, self._shapes, self._compare)

    @cached_property
    def schemas(self) -> dict[str, Schema]:
        """The schemas of the game by their names."""
        schemas = {"offer": self._offer_schema()}
        if self._shown.hand is not None:
            schemas["hand"] = {"title": "hand", **self._shown.hand, "examples": self._hands()}
        if self._shown.outcome is not None:
            schemas["outcome"] = {
                "title": "outcome", **self._shown.outcome, "examples": [self.examples.outcome],
            }  # fmt: skip
            schemas["drawn"] = self._drawn(schemas["outcome"])
        if self._shown.pieces:
            schemas["pack"] = self._pack()
            schemas["options"] = self._some_options("options", case=True)
        for option in self._options:
            schemas[f"option.{option.name}"] = option_schema(self._law, self.game, option)
        if self._shapes:
            schemas["options"] = self._some_options("options", case=True)
            for bet in self._shapes:
                schemas[f"bet.{bet.name}"] = bet_schema(self._law, bet, self.examples.bet(bet))
            schemas["bet"] = part_union(self.game, "bet", self.bets)
        if self._file is not None:
            schemas["table-options"] = self._some_options("table options", case=False)
            schemas |= self._round_schemas()
        return {f"{self.game}.{name}": schema for name, schema in schemas.items()}

    def _computed(self) -> list[str]:
        """Return what a product or its adapter computes; `settle` goes by bets."""
        return [*self.bets, *(name for name in self.abilities if name != "settle")]

    def _lying(self) -> list[str]:
        fields = [] if self._file is None else self._file.fields
        return next((field.values for field in fields if field.id == _LYING), [])

    def _by(self, by: EventOrigin) -> list[Event]:
        return (
            [] if self._file is None else [event for event in self._file.events if event.by is by]
        )

    def _hands(self) -> list[list[str]]:
        return [hand for one, other, _ in self.examples.hands()[:1] for hand in (one, other)]

    def _drawn(self, outcome: Schema) -> Schema:
        example = self.examples.outcome
        if not self._shown.throws:
            return {**ref(f"{self.game}.outcome"), "examples": [example]}
        throws = outcome["properties"]["throws"]
        one = {"type": "array", "items": throws["items"], "minItems": 1, "maxItems": 1}
        return {
            "title": "outcome drawn: one throw",
            **closed_object({"throws": one}, ["throws"]),
            "examples": [{"throws": example["throws"][:1]}],
        }

    def _pack(self) -> Schema:
        piece: Schema = {"enum": list(dict.fromkeys(self._shown.pieces))}
        fields = {"pieces": {"type": "array", "items": piece}, "burned": WHOLE, "before_cut": WHOLE}
        example = {
            "pieces": list(self._shown.pieces),
            "burned": 0,
            "before_cut": len(self._shown.pieces),
        }
        return {
            "title": "whole pack, shoe or set",
            **closed_object(fields, ["pieces"]),
            "examples": [example],
        }

    def _some_options(self, title: str, *, case: bool) -> Schema:
        options = [option for option in self._options if option.in_case or not case]
        example = self.examples.options if case else {
            option.name: option.default for option in options if option.default is not None
        }  # fmt: skip
        return {
            "title": title,
            **closed_object(
                {option.name: ref(f"{self.game}.option.{option.name}") for option in options}, []
            ),
            "examples": [example],
        }

    def _round_schemas(self) -> dict[str, Schema]:
        if self._file is None:
            return {}
        fields = {field.id: field for field in self._file.fields}
        schemas = {f"field.{name}": field_schema(field) for name, field in fields.items()}
        shapes = {name: ref(f"{self.game}.field.{name}") for name in fields}
        for event in self._by(EventOrigin.TABLE):
            example = self.examples.event(event, fields)
            schemas[f"event.{event.id}"] = event_schema(event, shapes, example)
        schemas["event"] = part_union(self.game, "event", self.happenings)
        for event in self._by(EventOrigin.ACT):
            bets = bets_laid_by(event, self._shapes, self.acts)
            example = self.examples.act(event, fields, bets)
            schemas[f"act.{event.id}"] = act_schema(event, shapes, bets, example)
        steered = {
            "outcome": self.examples.outcome,
            "event": self.examples.event(self._by(EventOrigin.TABLE)[0], fields),
        }
        for name, schema in steering_schemas(self.game, self.happenings, steered).items():
            schemas[f"act.{name}"] = schema
        schemas["act"] = part_union(self.game, "act", [*self.acts, *_STEERING])
        return schemas

    def _offer_schema(self) -> Schema:
        def names(known: list[str], least: int = 0) -> Schema:
            return list_schema({"enum": known}, least=least, uniqueItems=True)

        able = {name: titled(words, name) for name, words in self.circumstances.words.items()}
        fields: dict[str, Schema] = {
            "game": {"const": self.game},
            "methods": names(self.abilities, 1),
            "bets": names(self.bets),
            "options": authorised_schema(self._law, self._options),
            "forces": {"type": "boolean"},
            "rounding": {"anyOf": [ref("Roundings"), {"type": "null"}]},
            "level": {"enum": list(get_args(Level))},
            "via": closed_object(
                {name: {"enum": list(get_args(Via))} for name in self._computed()}, []
            ),
            "cannot": {**names(list(able)), "x-circumstances": able},
            "happens": names(self.happenings),
            **self._declared.schemas(),
        }
        example: dict[str, Any] = {"game": self.game, "methods": self.abilities}
        if self._shapes:
            example |= {"bets": self.bets, "options": authorised_example(self._options)}
        if self._file is not None:
            example |= {"forces": True, "happens": self.happenings[:1]}
        example |= self._declared.example()
        title = next(
            folder.instrument.game_name for folder in self._law.folders
            if folder.instrument.game == self.game
        )  # fmt: skip
        return {
            "title": title.en,
            "x-words": {"pt": title.pt, "zh": title.zh, "en": title.en},
            **closed_object(fields, ["game", "methods"]),
            "examples": [example],
        }


#: Words are asked for with every message; few laws are in use at a time.
@lru_cache(maxsize=16)
def game_words(law: Law, game: str) -> GameWords:
    """Return the words of `game`, made once for a law."""
    if game not in list_games(law):
        raise user_error("game", name=game, known=", ".join(list_games(law)))
    return GameWords(law, game)
