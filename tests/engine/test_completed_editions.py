"""Editions of engine 1 are read as their program read them: law files tell now what it knew."""

import pytest
import yaml

from selo.edition import EditionBroken, open_edition, read_edition_files
from selo.edition_completion import complete_edition
from selo.errors import SeloError
from selo.rules.checks.game_check import list_games
from selo.rules.declarations.declaration_checks import read_declaration_clauses
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game

#: What law files have told since engine 2, by the end of their names.
TOLD = {
    "/events.yaml": {"role", "amount"}, "/glossary.yaml": {"called"}, "/articles/": {"approves"},
}  # fmt: skip
SECTIONS = {"table", "tries"}


def parsed(content):
    return yaml.load(content, yaml.CBaseLoader)  # noqa: S506 - text only


def without(tree, keys):
    """Return a file as engine 1 had it."""
    if isinstance(tree, dict):
        return {key: without(below, keys) for key, below in tree.items() if key not in keys}
    return [without(below, keys) for below in tree] if isinstance(tree, list) else tree


def cut(name, content):
    """Return the text of a file of the law without what engine 1 knew itself."""
    if name.endswith(("rounds.yaml", "instrument.yaml")):
        lines, kept, leaving = content.decode().splitlines(keepends=True), [], False
        for line in lines:
            if line[0] not in " \n#":
                leaving = line.partition(":")[0] in SECTIONS
            kept += [] if leaving else [line]
        return "".join(kept).encode()
    keys = next((keys for part, keys in TOLD.items() if part in f"/{name}"), None)
    if keys is None:
        return content
    told = without(parsed(content), keys)
    return yaml.dump(told, allow_unicode=True, sort_keys=False).encode()


@pytest.fixture(scope="module")
def older(law):
    """Return the files of the edition that ships, as engine 1 would have had them."""
    return {name: cut(name, content) for name, content in read_edition_files(law).items()}


def test_an_older_edition_takes_what_its_program_knew_and_nothing_else(law, older):
    ships, completed = read_edition_files(law), complete_edition(older)

    assert older != ships
    assert completed.keys() == ships.keys()
    assert [
        name for name, content in ships.items()
        if name.endswith(".yaml") and parsed(completed[name]) != parsed(content)
    ] == []  # fmt: skip


def test_what_an_edition_tells_itself_stays(older):
    name = next(name for name in older if name.endswith("events.yaml"))
    own = parsed(older[name])
    own["events"][0]["role"] = "ends"
    own["events"].append({"id": "nobody-knows-it", "by": "table"})
    changed = {name: yaml.dump(own, allow_unicode=True).encode()}

    events = {event["id"]: event for event in parsed(complete_edition(changed)[name])["events"]}

    assert events[own["events"][0]["id"]]["role"] == "ends"
    assert events["nobody-knows-it"] == {"id": "nobody-knows-it", "by": "table"}


def test_files_of_other_instruments_are_left_alone():
    files = {"specs/portaria-1-99-m/events.yaml": b"events: [{id: end-round, by: table}]\n"}

    assert complete_edition(files) == files


def test_games_of_an_older_edition_can_be_judged(older):
    def compile_all(law):
        games = list_games(law)
        return [(compile_game(law, game, Readings(law)), read_declaration_clauses(law, game))
                for game in games]  # fmt: skip

    with open_edition(older) as law, pytest.raises(SeloError):
        compile_all(law)

    with open_edition(older, engine=1) as law:
        assert len(compile_all(law)) == len(list_games(law))


@pytest.mark.parametrize(
    "spoilt",
    [b"\xff\xfe", b"events: [[[{id: {id: x}}]]]\n", b"just words\n", b"- &a [*a]\n", b""],
)
def test_a_broken_file_of_an_older_edition_is_a_broken_edition(older, spoilt):
    name = next(name for name in older if name.endswith("events.yaml"))

    with pytest.raises(EditionBroken), open_edition({**older, name: spoilt}, engine=1):
        pass
