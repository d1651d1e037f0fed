"""The OpenRPC document is well formed, complete, and what the files and the program show."""

import json
import re
from collections import Counter

import jsonschema
import msgspec
import pytest
from tests.games import GAMES

from selo.law.files.events_file import EventOrigin
from selo.law.files.situation_file import read_situations
from selo.protocol import messages
from selo.protocol.description.markdown import render_chapter
from selo.protocol.description.openrpc import (
    openrpc_document,
    references,
    render_document,
    standalone_schema,
)
from selo.protocol.field_text import FIELDS
from selo.rules.checks.game_check import list_games
from selo.rules.procedure.step_reader import find_events_file
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game

METHODS = [
    "describe", "settle", "compare", "table.open", "table.act", "table.close", "draw", "pack",
    "end",
]  # fmt: skip


def test_the_file_of_the_protocol_is_not_stale(root, protocol):
    kept = (root / "specs" / "schema" / "protocol.openrpc.json").read_text(encoding="utf-8")

    assert kept == render_document(protocol), (
        "run: selo protocol > specs/schema/protocol.openrpc.json"
    )


def test_the_chapter_of_the_protocol_is_not_stale(root, protocol):
    kept = (root / "docs" / "protocol.md").read_text(encoding="utf-8")

    assert kept == render_chapter(protocol), "run: selo protocol --markdown > docs/protocol.md"


def test_the_chapter_is_made_from_the_document_alone(root):
    kept = json.loads((root / "specs" / "schema" / "protocol.openrpc.json").read_text("utf-8"))

    assert render_chapter(kept) == (root / "docs" / "protocol.md").read_text(encoding="utf-8")


# The structure that the OpenRPC specification 1.3 asks for.


def test_the_document_has_the_fields_that_openrpc_requires(protocol):
    assert re.fullmatch(r"1\.3\.\d+", protocol["openrpc"])
    assert {"title", "version"} <= protocol["info"].keys()
    assert protocol["info"]["version"] == "1.2"
    known = {"openrpc", "info", "servers", "methods", "components", "externalDocs"}
    assert all(key in known or key.startswith("x-") for key in protocol)


def test_the_methods_are_those_of_the_protocol_and_named_once(protocol):
    assert [method["name"] for method in protocol["methods"]] == METHODS


def test_every_method_has_the_fields_that_openrpc_requires(protocol):
    known = {
        "name", "tags", "summary", "description", "externalDocs", "params", "result",
        "deprecated", "servers", "errors", "links", "paramStructure", "examples",
    }  # fmt: skip
    for method in protocol["methods"]:
        assert all(key in known or key.startswith("x-") for key in method), method["name"]
        assert method["paramStructure"] in {"by-name", "by-position", "either"}
        for content in [*method["params"], method["result"]]:
            assert {"name", "schema"} <= content.keys()
        names = [one["name"] for one in method["params"]]
        assert len(names) == len(set(names))


def test_every_method_has_an_example_that_openrpc_can_read(protocol):
    for method in protocol["methods"]:
        assert method["examples"], method["name"]
        for pairing in method["examples"]:
            assert {"name", "params", "result"} <= pairing.keys()
            assert {one["name"] for one in pairing["params"]} == {
                one["name"] for one in method["params"]
            }
            assert all("value" in one for one in [*pairing["params"], pairing["result"]])


def test_errors_have_whole_codes_that_are_used_once(protocol):
    errors = protocol["components"]["errors"]
    codes = [one["code"] for one in errors.values()]

    assert sorted(codes) == [-32700, -32602, -32601, -32600, -32003, -32002, -32001, -32000]
    assert all(one["message"] for one in errors.values())


def test_every_reference_leads_somewhere(protocol):
    for name in set(references(protocol)):
        node = protocol
        for part in name.removeprefix("#/").split("/"):
            node = node[part]


def test_names_of_components_are_plain(protocol):
    for part in protocol["components"].values():
        assert all(re.fullmatch(r"[A-Za-z0-9._-]+", name) for name in part)


def test_every_schema_is_a_schema(protocol):
    for body in protocol["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(body)


# What it says of the games.


def test_the_document_describes_the_six_games(protocol):
    assert sorted(protocol["x-games"]) == sorted(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_bet_of_a_compiled_game_is_described(law, protocol, game):
    described = protocol["components"]["schemas"]

    for name in compile_game(law, game, Readings(law, {})).bets:
        assert described[f"{game}.bet.{name}"]["properties"]["bet"] == {"const": name}


@pytest.mark.parametrize("game", GAMES)
def test_every_event_and_act_of_the_events_file_is_described(law, protocol, game):
    file = find_events_file(law, game)
    described = protocol["components"]["schemas"]
    kinds = {EventOrigin.TABLE: "event", EventOrigin.ACT: "act"}

    for event in [] if file is None else file.events:
        part = kinds.get(event.by)
        if part is None:
            assert f"{game}.event.{event.id}" not in described
            continue
        body = described[f"{game}.{part}.{event.id}"]
        assert body["x-words"] == {"pt": event.words.pt, "zh": event.words.zh, "en": event.words.en}
        for form in body.get("oneOf", [body]):
            assert {part, *event.fields} <= {*form["required"]}
            assert {*form["required"]} <= form["properties"].keys()


@pytest.mark.parametrize("game", GAMES)
def test_every_step_of_a_round_that_the_law_has_is_described(law, protocol, game):
    described = protocol["x-games"][game]["steps"]

    # Of each provision as many steps as its file of the law says, by its own words.
    written = Counter(
        held.id
        for held in law.provisions.values()
        if held.instrument.game == game
        for clause in _clauses(held.provision.rule)
        if "step" in clause
    )
    assert Counter(one["provision"] for one in described) == written
    assert bool(described) == ("table" in protocol["x-games"][game]["abilities"])
    known = {*protocol["x-games"][game]["events"], *protocol["x-games"][game]["acts"]}
    for one in described:
        assert all(one["x-words"][language] for language in ("pt", "zh", "en"))
        assert one["events"]
    assert known & {name for one in described for name in one["events"]} or not described


def _clauses(rule):
    return [] if rule is None else rule if isinstance(rule, list) else [rule]


@pytest.mark.parametrize("game", GAMES)
def test_every_case_of_the_register_can_be_asked(faults, game):
    cases = read_situations(game)
    assert cases
    for name, case in cases.items():
        if case.compare is not None:
            asked = {"game": game, "a": case.compare[0], "b": case.compare[1]}
            assert not faults(f"{game}.params.compare", asked), name
        else:
            asked = {"options": case.options, "outcome": case.outcome, "bets": case.bets}
            assert not faults(f"{game}.params.settle", {"game": game, **asked}), name


#: What a vendor's engineer must be shown: whatever a message of a game consists of.
SHOWN = re.compile(
    r"[a-z0-9-]+\.(offer|hand|outcome|drawn|options|table-options|(bet|event|act)\..+)"
)


def test_everything_that_a_message_of_a_game_consists_of_has_an_example(protocol):
    schemas = protocol["components"]["schemas"]
    shown = {name: one for name, one in schemas.items() if SHOWN.fullmatch(name)}

    assert {name.partition(".")[0] for name in shown} == set(protocol["x-games"])
    assert [name for name, one in shown.items() if not one.get("examples")] == []


def test_every_example_of_a_schema_is_one(protocol, faults):
    shown = 0
    for name, body in protocol["components"]["schemas"].items():
        for example in body.get("examples", []):
            assert not faults(name, example), name
            shown += 1
    assert shown > 100


def test_every_example_of_a_method_is_one(protocol, faults):
    for method in protocol["methods"]:
        for pairing in method["examples"]:
            params = {one["name"]: one["value"] for one in pairing["params"]}
            if "x-params" in method:
                assert not faults(method["x-params"], params), pairing["name"]
            for one in method["params"]:
                assert not faults(one["schema"], params[one["name"]]), pairing["name"]
            result = pairing["result"]["value"]
            assert not faults(method["result"]["schema"], result), pairing["name"]
            msgspec.convert(result, messages.RESULTS[method["name"]])


def test_results_of_a_table_hold_the_events_of_its_game(protocol, faults):
    for method in protocol["methods"]:
        for game, body in method.get("x-result-by-game", {}).items():
            for pairing in method["examples"]:
                if pairing["name"].partition(":")[0] == game:
                    assert not faults(body, pairing["result"]["value"])


# Where unknown fields are refused, and where they do no harm.

IGNORED = {"Description", "Vendor", "Product", "Random", "Fault", "Answer", "Request", "Ended"}


def test_messages_are_open_exactly_where_an_unknown_field_does_no_harm(protocol):
    described = protocol["components"]["schemas"]

    open_ones = {name for name in FIELDS if described[name]["additionalProperties"] is True}
    closed = {name for name in FIELDS if described[name]["additionalProperties"] is False}

    assert open_ones == IGNORED
    assert closed == FIELDS.keys() - IGNORED


def objects(node):
    if isinstance(node, dict):
        if node.get("type") == "object":
            yield node
        for value in node.values():
            yield from objects(value)
    elif isinstance(node, list):
        for value in node:
            yield from objects(value)


def test_everything_of_a_game_is_closed_except_the_params_around_it(protocol):
    for name, body in protocol["components"]["schemas"].items():
        if "." not in name:
            continue
        for index, one in enumerate(objects(body)):
            around = ".params." in name and index == 0
            assert one["additionalProperties"] is True if around else (
                one["additionalProperties"] is not True
            ), name  # fmt: skip


def test_the_meaning_of_every_field_of_a_message_is_told(protocol):
    for name, told in FIELDS.items():
        fields = protocol["components"]["schemas"][name]["properties"]
        assert fields.keys() == told.keys(), name
        assert all(field["description"] for field in fields.values())


# One game, one schema.


def test_one_game_can_be_described_alone(law):
    alone = openrpc_document(law, ["pai-kao"])

    assert [method["name"] for method in alone["methods"]] == [
        "describe", "compare", "pack", "end",
    ]  # fmt: skip
    assert not [name for name in alone["components"]["schemas"] if name.startswith("craps.")]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_alone_needs_nothing_of_the_others(law, game):
    alone = openrpc_document(law, [game])

    for name in set(references(alone)):
        node = alone
        for part in name.removeprefix("#/").split("/"):
            node = node[part]


def test_a_schema_printed_alone_is_complete(law, protocol):
    alone = standalone_schema(protocol, "bacara.params.settle")
    judge = jsonschema.Draft202012Validator(alone)
    case = next(iter(read_situations("bacara").values()))
    asked = {"options": case.options, "outcome": case.outcome, "bets": case.bets}

    assert judge.is_valid({"game": "bacara", **asked})
    assert not judge.is_valid({"game": "craps", **asked})
    assert "craps.outcome" not in alone["components"]["schemas"]
    assert list_games(law)
