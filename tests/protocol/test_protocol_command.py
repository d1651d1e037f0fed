"""``selo protocol`` prints what is kept, whole or in parts."""

import json


def test_the_command_prints_the_document_that_is_kept(selo, root):
    done = selo("protocol")

    assert done.returncode == 0
    kept = (root / "specs" / "schema" / "protocol.openrpc.json").read_text(encoding="utf-8")
    assert done.stdout == kept


def test_the_command_prints_the_chapter_that_is_kept(selo, root):
    done = selo("protocol", "--markdown")

    assert done.returncode == 0
    assert done.stdout == (root / "docs" / "protocol.md").read_text(encoding="utf-8")


def test_the_command_prints_one_schema_of_one_game(selo):
    done = selo("protocol", "--game", "craps", "--schema", "craps.bet.field")

    assert done.returncode == 0
    assert json.loads(done.stdout)["$ref"] == "#/components/schemas/craps.bet.field"


def test_an_unknown_game_or_schema_is_a_usage_error(selo):
    game = selo("protocol", "--game", "roulette")
    schema = selo("protocol", "--schema", "roulette.bet")

    assert (game.returncode, schema.returncode) == (3, 3)
    assert "roulette" in game.stderr
    assert "roulette.bet" in schema.stderr
