"""What comes by chance at a table is no part of its behaviour; what the law requires of it is."""

import copy
import sys

import msgspec
import pytest
from tests.delta.conftest import COMMAND
from tests.example_games import CARD_EXAMPLES, EXAMPLES, ROOT, VENDORS, add_games
from tests.fixture_modules import load_fixture

from selo.cases import Scope
from selo.cases.oracle import Oracle
from selo.cli.parser.command_line import parse_arguments
from selo.cli.runs.compared_sides import open_side
from selo.examine.behaviour import FactReader
from selo.examine.live_rounds import round_line
from selo.examine.plan import terms_of
from selo.examine.vendor_description import offered_of
from selo.law.loader import load_law
from selo.protocol import messages as m
from selo.rounds import play_scripts
from selo.rounds.generate import generate_scripts, read_written_scripts
from selo.vendors import InProcessTransport
from selo.vendors.resource_limits import DEFAULT_LIMITS
from selo.vendors.session import Session

GAME = "three-card-baccarat"
#: Provisions about what is done with the cards between rounds.
BETWEEN_ROUNDS = {f"portaria-22-96-m/{name}" for name in ("2/1", "2/2", "2/3", "3/1")}


@pytest.fixture(scope="module")
def vendor():
    return load_fixture("planted/vendor.py").load(GAME)


@pytest.fixture(scope="module")
def terms(law, vendor):
    description = msgspec.convert(vendor.describe({}), m.Description)
    offer = next(one for one in description.games if one.game == GAME)
    return terms_of(
        law, Scope(games=(offered_of(offer),)), as_of="2026-01-01", rulings={}, budget="quick",
        seed=1, provisions=[],
    ), offer  # fmt: skip


@pytest.fixture(scope="module")
def scripts(law, terms):
    """The written rounds at a shoe, and some that are generated, of many outcomes each."""
    written = read_written_scripts(law, GAME, seed=1)
    generated = generate_scripts(law, GAME, terms[1], 1, 25, oracle=Oracle(law))
    longest = sorted(generated, key=lambda one: -sum(act["act"] == "force" for act in one.acts))
    return [one for one in (*written, *longest[:8]) if one.options.get("device") == "shoe"]


@pytest.fixture(scope="module")
def read_facts(law, terms):
    reader = FactReader(law, terms[0])

    def read(script, played):
        return reader.read(round_line(0, script, played, good=True))

    return read


def play(vendor, scripts):
    session = Session(InProcessTransport(GAME, given=vendor), DEFAULT_LIMITS)
    return list(play_scripts(session, scripts))


def test_the_same_tables_played_again_tell_the_same_facts(vendor, scripts, read_facts):
    once, again, third = (play(vendor, scripts) for _ in range(3))

    for (script, one), (_, two), (_, three) in zip(once, again, third, strict=True):
        assert read_facts(script, one) == read_facts(script, two) == read_facts(script, three)
    # By chance some differ in what is left out: the test would show it.
    assert any(
        msgspec.to_builtins(one) != msgspec.to_builtins(two)
        for (_, one), (_, two) in zip(once, again, strict=True)
    )


def events_without(played, name):
    """Return a table that leaves out the first event of a kind; nothing if it has none."""
    plain = copy.deepcopy(msgspec.to_builtins(played))
    for answer in ({"events": plain.get("opened", [])}, *plain["answers"]):
        at = [one["event"] for one in answer.get("events", ())]
        if name in at:
            del answer["events"][at.index(name)]
            return msgspec.convert(plain, type(played))
    return None


@pytest.mark.parametrize("name", ["shuffle", "cut", "insert-white-card", "load", "burn-card"])
def test_what_is_done_with_the_cards_before_the_first_round_is_compared(
    vendor, scripts, read_facts, name
):
    told = 0

    for script, played in play(vendor, scripts):
        without = events_without(played, name)
        if without is not None:
            before, after = read_facts(script, played), read_facts(script, without)
            changed = {one for fact in (*before, *after) if fact not in before or fact not in after
                       for one in fact.provisions}  # fmt: skip
            told += bool(changed & BETWEEN_ROUNDS)
    assert told


def test_the_white_card_that_a_script_asks_for_must_be_taken_out_and_the_cards_be_shuffled(
    vendor, scripts, read_facts
):
    staged = [one for one in scripts if one.name.startswith("the-white-card")]

    assert len(staged) >= 2
    for script, played in play(vendor, staged):
        without = events_without(played, "remove-white-card")
        assert read_facts(script, played) != read_facts(script, without), script.name


GAMES = [
    "bacara", "craps", "fish-prawn-crab", "fortune-three-card-poker", "pai-kao", GAME,
]  # fmt: skip


def sides_of(law, command, folder, game, *more):
    words = ["diff", command, command, "--game", game, "--rulings", "defaults", *more]
    arguments = parse_arguments(words)
    for _ in range(2):
        with open_side(command, str(folder), arguments, law, None) as side:
            yield side.canonical


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_a_build_that_is_asked_twice_carries_over_whole(law, game):
    one, two = sides_of(law, COMMAND, ROOT / "fixtures", game, "--text-as-stored")

    assert one.fingerprints == two.fingerprints
    assert (one.wrong, one.root) == (two.wrong, one.root)
    assert len(one.fingerprints) > 5


@pytest.mark.full
@pytest.mark.parametrize("game", [*EXAMPLES, *CARD_EXAMPLES])
def test_a_build_of_a_made_up_game_carries_over_whole(once, game):
    folder = once(f"law-with-{game}", lambda place: add_games(place, game))
    law = load_law(specs=folder / "specs", bilingual=folder / "bilingual")
    module = "black_jack.py" if game in CARD_EXAMPLES else f"piece_vendor.py {game}"
    command = f"{sys.executable} examples/{module}"

    one, two = sides_of(law, command, VENDORS.parent, game, "--as-of", "2033-06-01")

    assert one.fingerprints == two.fingerprints
    assert one.wrong == two.wrong == 0
    assert len(one.fingerprints) > 5
