"""The nouns of a table name the fields of the protocol, and mypy lets nobody assign to them."""

import ast
import json
import typing
from pathlib import Path

import msgspec
import pytest
from mypy import api

from selo import table_values
from selo.cases import Case

#: Fields that only a kit reads; they never travel.
INTERNAL = {"throw", "options"}
CHANGES = """\
from selo.table_values import Bet, Options, Outcome

def change(bet: Bet, outcome: Outcome, options: Options) -> None:
    bet["stake"] = 1
    bet["choice"] = "fish"
    del bet["at"]
    outcome["dice"] = []
    options["packs"] = 1
"""


@pytest.fixture(scope="module")
def fields():
    """The fields of each noun, with those of the noun that it extends."""
    tree = ast.parse(Path(table_values.__file__).read_text(encoding="utf-8"))
    own = {
        node.name: {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    return {**own, "Bet": own["Bet"] | own["Spot"]}


@pytest.fixture(scope="module")
def properties(root):
    """Return the fields that the protocol gives to a kind of value, in all games."""
    text = (root / "specs/schema/protocol.openrpc.json").read_text(encoding="utf-8")
    schemas = json.loads(text)["components"]["schemas"]

    def of(kind):
        return {
            name
            for key, schema in schemas.items()
            if f".{kind}." in f"{key}."
            for name in schema.get("properties", ())
        }

    return of


def test_a_bet_has_the_fields_of_the_protocol(fields, properties):
    assert fields["Bet"] == properties("bet")


def test_an_outcome_has_the_fields_of_the_protocol(fields, properties):
    assert fields["Outcome"] - INTERNAL == properties("outcome")


def test_nothing_can_be_assigned_to_a_value_of_a_table(root, tmp_path, monkeypatch):
    monkeypatch.setenv("MYPYPATH", str(root / "harness"))
    snippet = tmp_path / "snippet.py"
    snippet.write_text(CHANGES, encoding="utf-8")

    said, _, _ = api.run(["--config-file=", f"--cache-dir={tmp_path / 'cache'}", str(snippet)])

    refused = {int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line}
    assert refused == {4, 5, 6, 7, 8}


@pytest.mark.parametrize("noun", ["Bet", "Spot", "Outcome", "Options"])
def test_a_value_of_a_table_is_a_plain_dict_at_run_time(noun):
    assert getattr(table_values, noun) == dict[str, typing.Any]


def test_a_case_keeps_the_fields_of_a_malformed_bet():
    bet = {"bet": "no-such-bet", "stake": "much", "colour": "red"}
    text = msgspec.json.encode({"game": "g", "method": "settle", "group": "g", "bets": [bet]})

    assert msgspec.json.decode(text, type=Case).bets == [bet]
