"""The methods of the protocol: params, results, errors and examples of each."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from selo.protocol.messages import MOST_DRAWN, RESULTS, SKIPPABLE, VERSION, Skipped
from selo.protocol.protocol_text import ALWAYS, ERRORS, METHODS, PARAMS
from selo.protocol.schema import FORCE, GO_ON
from selo.protocol.schema.json_schema import (
    TEXT,
    Schema,
    closed_object,
    list_schema,
    one_of,
    open_object,
    ref,
)
from selo.rules.procedure import compile_procedure
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.law import Law
    from selo.protocol.schema import GameWords

#: The ability of a game that each method needs; other methods need none.
METHOD_ABILITIES: Final = {
    "settle": "settle",
    "compare": "compare",
    "table.open": "table",
    "table.act": "table",
    "table.close": "table",
    "draw": "draw",
    "pack": "pack",
}
_TABLE: Final = "t1"
_COUNT: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": MOST_DRAWN}


def describe_methods(law: Law, games: Sequence[GameWords]) -> list[dict[str, Any]]:
    """Return every method as OpenRPC describes it."""
    return [
        _describe_method(law, name, able)
        for name in METHODS
        if (able := [words for words in games if _is_able(words, name)])
    ]


def _is_able(words: GameWords, method: str) -> bool:
    return method not in METHOD_ABILITIES or METHOD_ABILITIES[method] in words.abilities


def params_schemas(games: Sequence[GameWords]) -> dict[str, Schema]:
    """Return the params of each method in each game, and its results where the game closes them."""
    return {
        f"{words.game}.{name}": schema
        for words in games
        for name, schema in _schemas_of_game(words)
    }  # fmt: skip


def _schemas_of_game(words: GameWords) -> Iterator[tuple[str, Schema]]:
    game: Schema = {"const": words.game}

    def here(part: str) -> Schema:
        return ref(f"{words.game}.{part}")

    # An adapter ignores unknown params.
    able = words.abilities
    if "settle" in able:
        asked = {"options": here("options"), "outcome": here("outcome"),
                 "bets": list_schema(here("bet"))}  # fmt: skip
        yield "params.settle", open_object({"game": game, **asked}, ["game", *asked])
    if "compare" in able:
        hands = {"a": here("hand"), "b": here("hand")}
        yield "params.compare", open_object({"game": game, **hands}, ["game", *hands])
    if "table" in able:
        table = {"table": TEXT, "game": game, "options": here("table-options")}
        yield "params.table.open", open_object(table, table)
        act = {"table": TEXT, "act": here("act")}
        yield "params.table.act", open_object(act, act)
        events = {"events": list_schema(here("event"))}
        yield "result.happened", closed_object(events, events)
        answered = ref("Acted")
        shown = {
            "properties": {**events, "outcome": {"anyOf": [here("outcome"), {"type": "null"}]}}
        }
        yield "result.acted", {"allOf": [answered, shown]}
    if "draw" in able:
        # Outcomes are drawn at a table, so the options of a table apply.
        options = here("table-options" if "table" in able else "options")
        draw = {"game": game, "options": options, "count": _COUNT}
        yield "params.draw", open_object(draw, draw)
        drawn = {"outcomes": list_schema(here("drawn"), most=MOST_DRAWN)}
        yield "result.drawn", closed_object(drawn, drawn)
    if "pack" in able:
        options = here("table-options" if "table" in able else "options")
        shuffle = {"game": game, "options": options, "count": _COUNT}
        yield "params.pack", open_object(shuffle, shuffle)
        packs = {"outcomes": list_schema(here("pack"), most=MOST_DRAWN)}
        yield "result.packed", closed_object(packs, packs)


def _describe_method(law: Law, name: str, able: Sequence[GameWords]) -> dict[str, Any]:
    summary, description, errors = METHODS[name]
    result = RESULTS[name].__name__
    method: dict[str, Any] = {
        "name": name,
        "summary": summary,
        "description": description,
        "paramStructure": "by-name",
        "params": _describe_params(name, able),
        "result": {"name": result, "schema": ref(result)},
        "errors": [
            {"$ref": f"#/components/errors/{ERRORS[code][0]}"} for code in [*ALWAYS, *errors]
        ],
        "examples": [
            {
                "name": title,
                "params": [{"name": key, "value": value} for key, value in params.items()],
                "result": {"name": result, "value": answer},
            }
            for title, params, answer in _examples(law, name, able)
        ],
    }
    by_level = {form.partition(":")[2]: ref(RESULTS[form].__name__)
                for form in RESULTS if form.startswith(f"{name}:")}  # fmt: skip
    if by_level:
        method["x-result-by-level"] = by_level
    if name in SKIPPABLE:
        method["x-result-skipped"] = ref(Skipped.__name__)
    if name == "describe":
        method["x-result-games"] = one_of([f"{words.game}.offer" for words in able])
    if name in METHOD_ABILITIES and name != "table.close":
        method["x-params"] = one_of([f"{words.game}.params.{name}" for words in able])
        if name == "table.act":
            # Acts of two games may have the same form: the table determines the game.
            method["x-params"] = {"anyOf": method["x-params"]["oneOf"]}
    by_game = {"table.open": "happened", "table.close": "happened", "table.act": "acted",
               "draw": "drawn", "pack": "packed"}.get(name)  # fmt: skip
    if by_game is not None:
        method["x-result-by-game"] = {
            words.game: ref(f"{words.game}.result.{by_game}") for words in able
        }
    return method


def _describe_params(name: str, able: Sequence[GameWords]) -> list[dict[str, Any]]:
    def any_of(part: str) -> Schema:
        return {"anyOf": [ref(f"{words.game}.{part}") for words in able]}

    shapes: dict[str, Schema] = {
        "game": {"enum": [words.game for words in able]},
        "options": any_of("table-options" if name == "table.open" else "options"),
        "outcome": any_of("outcome"),
        "bets": list_schema(any_of("bet")),
        "a": any_of("hand"),
        "b": any_of("hand"),
        "table": TEXT,
        "act": any_of("act"),
        "count": _COUNT,
    }
    asked = {
        "settle": ["game", "options", "outcome", "bets"],
        "compare": ["game", "a", "b"],
        "table.open": ["table", "game", "options"],
        "table.act": ["table", "act"],
        "table.close": ["table"],
        "draw": ["game", "options", "count"],
        "pack": ["game", "options", "count"],
    }.get(name, [])
    return [
        {"name": one, "description": PARAMS[one], "required": True, "schema": shapes[one]}
        for one in asked
    ]


def _examples(
    law: Law, name: str, games: Sequence[GameWords]
) -> Iterator[tuple[str, dict[str, Any], Any]]:
    if name == "describe":
        yield "what a vendor declares", {}, _describe_example(games)
    if name == "end":
        yield "the end", {}, {}
    for words in games:
        if name in METHOD_ABILITIES:
            yield from _game_example(law, name, words)


def _describe_example(games: Sequence[GameWords]) -> dict[str, Any]:
    return {
        "protocol": VERSION,
        "vendor": {"name": "Reference vendor"},
        "product": {"name": "Reference games", "version": VERSION},
        "files": [{"path": "adapter.py", "sha256": sha256(b"adapter").hexdigest()}],
        "currency": {"code": "MOP", "decimals": 2},
        "rounding": {"prize": "down", "commission": "down"},
        "random": {"source": "ChaCha20 seeded by the operating system", "seedable": False},
        "games": [words.schemas[f"{words.game}.offer"]["examples"][0] for words in games],
        "processes": 1,
    }


def _game_example(
    law: Law, name: str, words: GameWords
) -> Iterator[tuple[str, dict[str, Any], Any]]:  # fmt: skip
    game, examples = words.game, words.examples
    if name == "settle":
        case, answer = examples.settled()
        asked = {"options": case.options, "outcome": case.outcome, "bets": case.bets}
        yield game, {"game": game, **asked}, {"settlements": answer}
    elif name == "compare":
        for one, other, order in examples.hands()[:1]:
            yield game, {"game": game, "a": one, "b": other}, {"order": order}
    elif name == "table.open":
        yield (
            game,
            {"table": _TABLE, "game": game, "options": words.default_options},
            _empty_example(),
        )
    elif name == "table.act":
        yield from _act_examples(law, words)
    elif name == "table.close":
        yield game, {"table": _TABLE}, _empty_example()
    else:
        drawn = words.schemas[f"{game}.{'pack' if name == 'pack' else 'drawn'}"]["examples"]
        wanted = {"options": words.default_options, "count": len(drawn)}
        yield game, {"game": game, **wanted}, {"outcomes": drawn}


def _empty_example() -> dict[str, Any]:
    return {"events": []}


def _act_examples(law: Law, words: GameWords) -> Iterator[tuple[str, dict[str, Any], Any]]:
    game, schemas = words.game, words.schemas
    laid = schemas[f"{game}.act.{words.acts[0]}"]["examples"][0]
    yield f"{game}: {laid['act']}", {"table": _TABLE, "act": laid}, _accepted_example([])
    forced = schemas[f"{game}.act.{FORCE}"]["examples"][0]
    yield f"{game}: {FORCE}", {"table": _TABLE, "act": forced}, _accepted_example([])
    # The law determines which act may come first at a new table.
    first = compile_procedure(law, game, Readings(law, {})).lawful_next_events([])
    event = next(happening for happening in words.happenings if happening in first)
    shown = schemas[f"{game}.event.{event}"]["examples"]
    going = {"act": GO_ON, "until": event}
    yield f"{game}: {GO_ON}", {"table": _TABLE, "act": going}, _accepted_example(shown)


def _accepted_example(events: list[Any]) -> dict[str, Any]:
    return {"answer": "accepted", "events": events}
