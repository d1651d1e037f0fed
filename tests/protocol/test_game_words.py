"""What a vendor says of a game while it runs is read by the same words as the schemas have."""

import itertools

import msgspec
import pytest
from tests.games import GAMES

from selo.errors import UsageError
from selo.protocol.messages import Offer
from selo.protocol.schema.equipment_schema import card_schema
from selo.protocol.schema.game_schema import game_words
from selo.rules.equipment.pack_and_dice import PACK


@pytest.fixture(scope="session")
def words(law):
    return lambda game: game_words(law, game)


def test_words_are_made_once(law):
    assert game_words(law, "craps") is game_words(law, "craps")


def test_a_game_that_is_not_held_is_refused(law):
    with pytest.raises(UsageError, match="roulette"):
        game_words(law, "roulette")


@pytest.mark.parametrize(
    ("game", "abilities"),
    [
        ("bacara", ["settle", "table", "draw", "pack"]),
        ("craps", ["settle", "table", "draw"]),
        ("fish-prawn-crab", ["settle", "table", "draw"]),
        ("fortune-three-card-poker", ["settle", "compare", "table", "draw", "pack"]),
        ("pai-kao", ["compare", "pack"]),
        ("three-card-baccarat", ["settle", "compare", "table", "draw", "pack"]),
    ],
)
def test_the_abilities_are_those_that_make_sense(words, game, abilities):
    assert words(game).abilities == abilities


def test_only_a_game_with_regimes_cannot_do_without_an_option(words):
    needed = {game: words(game).default_options for game in GAMES}

    assert needed.pop("bacara") == {"commission": "five-percent"}
    assert not any(needed.values())


def test_the_options_are_those_of_the_rules_and_of_the_table(words):
    assert words("bacara").options_known.keys() == {
        "jackpot", "commission", "opted_after_result", "changed_during_round",
        "jackpot_stake", "jackpot_stake_declared", "offered",
    }  # fmt: skip
    assert words("fish-prawn-crab").options_known.keys() == {
        "highest_prize", "limits", "minimum", "maximum",
    }  # fmt: skip
    assert words("bacara").options_known["jackpot"].values == ("A", "B", "C")


def test_thirty_nine_spots_can_be_bet_on_in_fish_prawn_crab(protocol):
    spots = 0
    for name, body in protocol["components"]["schemas"].items():
        if name.startswith("fish-prawn-crab.bet."):
            spots += len(body["properties"].get("choice", {"enum": [None]})["enum"])

    assert spots == 39


def test_the_cards_are_those_of_a_pack():
    assert sorted(card_schema()["enum"]) == sorted(PACK)


# Events.


@pytest.mark.parametrize(
    ("event", "path"),
    [
        ({"event": "throw-dice", "player": "p1", "by": "dealer"}, "$.events[0].by: "),
        ({"event": "throw-dice", "player": "p1"}, "$.events[0].by: "),
        ({"event": "throw-dice", "player": 1, "by": "house"}, "$.events[0].player: "),
        ({"event": "throw-dice", "player": "", "by": "house"}, "$.events[0].player: "),
        ({"event": "take-dice", "player": "p1", "seat": "1"}, "$.events[0].seat: "),
        ({"event": "shout"}, "$.events[0].event: "),
        ({"event": "place-bet", "ticket": "k1"}, "$.events[0].event: "),
        ({"event": "point-set"}, "$.events[0].event: "),
        ({"event": ["take-dice"]}, "$.events[0].event: "),
        ({}, "$.events[0].event: "),
        ("take-dice", "$.events[0]: "),
        (
            {"event": "dice-at-rest", "player": "p", "total": 7.0, "off_table": False},
            "$.events[0].total: ",
        ),
        (
            {"event": "dice-at-rest", "player": "p", "total": True, "off_table": False},
            "$.events[0].total: ",
        ),
        (
            {"event": "dice-at-rest", "player": "p", "total": -1, "off_table": False},
            "$.events[0].total: ",
        ),
        (
            {"event": "dice-at-rest", "player": "p", "total": 7, "off_table": 0},
            "$.events[0].off_table: ",
        ),
    ],
)
def test_a_wrong_event_is_named_with_its_place(words, event, path):
    problem = words("craps").event_problem(event, where="$.events[0]")

    assert problem is not None
    assert problem.startswith(path)


def test_texts_of_a_list_are_looked_at_one_by_one(words):
    read = words("fish-prawn-crab").event_problem
    lifted = {"event": "lift-cover", "dice": ["fish", "fish", "crab"]}

    assert read({**lifted, "lying": ["flat", "flat", "flat"]}) is None
    assert "'upright'" in read({**lifted, "lying": ["flat", "flat", "upright"]})
    assert read({**lifted, "lying": ["flat", "flat", 1]})
    assert read({**lifted, "lying": "flat"})


@pytest.mark.parametrize("game", [game for game in GAMES if game != "pai-kao"])
def test_reader_and_schema_agree_on_every_event_and_its_spoiled_forms(
    words, faults, protocol, game
):
    read = words(game).event_problem
    spoilers = [None, 1, -1, 1.5, True, "", "x", [], ["x"], [1], {}]
    for name in words(game).happenings:
        example = protocol["components"]["schemas"][f"{game}.event.{name}"]["examples"][0]
        assert read(example) is None
        fields = protocol["components"]["schemas"][f"{game}.event.{name}"]["properties"]
        for field, value in itertools.product([*fields, "hint"], spoilers):
            spoiled = {**example, field: value}
            taken = not faults(f"{game}.event.{name}", spoiled)
            assert taken == (read(spoiled) is None), spoiled


def test_a_game_without_steps_has_no_events(words):
    assert words("pai-kao").event_problem({"event": "cover"})
    assert words("pai-kao").happenings == []


# Outcomes.


@pytest.mark.parametrize("game", [game for game in GAMES if game != "pai-kao"])
def test_every_outcome_of_the_register_can_be_shown(words, game):
    for case in words(game).examples.cases.values():
        assert words(game).outcome_problem(case.outcome) is None


@pytest.mark.parametrize(
    ("game", "outcome", "path"),
    [
        ("fish-prawn-crab", {"dice": ["fish", "fish"]}, "$.outcome: "),
        ("fish-prawn-crab", {"dice": ["fish", "fish", ["crab"]]}, "$.outcome.dice[2]: "),
        ("fish-prawn-crab", {"dice": ["fish", "fish", "crab"], "seed": 1}, "$.outcome: "),
        ("fish-prawn-crab", {"dice": ["fish", "fish", "crab"], "lying": 1}, "$.outcome.lying: "),
        ("fish-prawn-crab", {}, "$.outcome: "),
        ("fish-prawn-crab", [], "$.outcome: "),
        ("bacara", {"player": ["3H", "4D"], "banker": ["KS"]}, "$.outcome: "),
        ("bacara", {"player": ["3H", "4D"], "banker": ["KS", "0C"]}, "$.outcome: "),
        ("craps", {"throws": [[3, 7]]}, "$.outcome: "),
        ("craps", {"throws": [[3, 4.0]]}, "$.outcome.throws[0][1]: "),
        ("craps", {"throws": [[3, True]]}, "$.outcome.throws[0][1]: "),
        ("craps", {"dice": [3, 4]}, "$.outcome: "),
        ("fortune-three-card-poker", {"croupier": ["AS", "AS", "2D"]}, "$.outcome: "),
        ("three-card-baccarat", {"banker": ["AS", "AS", "2D"], "seats": 1}, "$.outcome.seats: "),
        ("pai-kao", {}, "$.outcome: "),
    ],
)
def test_an_outcome_that_cannot_be_is_named_with_its_place(words, game, outcome, path):
    problem = words(game).outcome_problem(outcome, where="$.outcome")

    assert problem is not None
    assert problem.startswith(path)


# Offers.


def offer(**fields):
    return msgspec.convert({"game": "bacara", "methods": ["settle"], **fields}, Offer)


@pytest.mark.parametrize("game", GAMES)
def test_the_offer_of_everything_is_taken(words, game):
    everything = words(game).schemas[f"{game}.offer"]["examples"][0]

    assert words(game).offer_problem(msgspec.convert(everything, Offer)) is None


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"methods": ["settle", "compare"]}, "$.games[0].methods[1]: "),
        ({"bets": ["tie", "dragon"]}, "$.games[0].bets[1]: "),
        ({"happens": ["place-bet"]}, "$.games[0].happens[0]: "),
        ({"options": {"packs": [8]}}, "$.games[0].options.packs: "),
        ({"options": {"commission": ["ten-percent"]}}, "$.games[0].options.commission: "),
        ({"options": {"commission": {"from": 1, "to": 2}}}, "$.games[0].options.commission: "),
        ({"options": {"jackpot_stake": ["ten"]}}, "$.games[0].options.jackpot_stake: "),
        ({"options": {"jackpot_stake_declared": ["maybe"]}}, "$.games[0].options.jackpot_stake"),
        ({"options": {"offered": ["dragon"]}}, "$.games[0].options.offered: "),
    ],
)
def test_what_a_game_does_not_know_cannot_be_offered(words, fields, path):
    problem = words("bacara").offer_problem(offer(**fields), where="$.games[0]")

    assert problem is not None
    assert problem.startswith(path)


def test_numbers_are_offered_one_by_one_or_as_a_range(words):
    for numbers in ([1, 8], {"from": 1, "to": 8}):
        given = offer(options={"jackpot_stake": numbers})
        assert words("bacara").offer_problem(given) is None


# What is declared of tables.


def _offered(game, **given):
    return msgspec.convert({"game": game, "methods": ["settle"], **given}, Offer)


ENTRY = {
    "option": "commission",
    "values": ["half-on-six"],
    "document": "d",
    "asked": "2025-03-03",
    "used_from": "2025-03-10",
}


@pytest.mark.parametrize(
    ("game", "given", "where"),
    [
        ("fish-prawn-crab", {"declares": {"dices": 3}}, "$.declares.dices: "),
        ("fish-prawn-crab", {"declares": {"dice": "three"}}, "$.declares.dice: "),
        ("fish-prawn-crab", {"declares": {"dice": {"from": 4, "to": 3}}}, "$.declares.dice: "),
        ("fish-prawn-crab", {"declares": {"material": "glass"}}, "$.declares.material: "),
        ("fish-prawn-crab", {"declares": {"packs": 1}}, "$.declares.packs: "),
        ("fish-prawn-crab", {"layout": {"bets": ["smal"]}}, "$.layout.bets[0]: "),
        ("fish-prawn-crab", {"jackpots": []}, "$.jackpots: "),
        ("fish-prawn-crab", {"authorisations": [ENTRY]}, "$.authorisations: "),
        ("craps", {"declares": {"dice": 2}}, "$.declares.dice: "),
        ("craps", {"layout": {"bets": []}}, "$.layout: "),
        ("bacara", {"faces": []}, "$.faces: "),
        (
            "fortune-three-card-poker",
            {"layout": {"bets": [], "combinations": 3}},
            "$.layout.combinations: ",
        ),
        ("bacara", {"jackpots": [{"modality": "A", "fixed": {"royal-flush": 1}}]}, "$.jackpots[0]"),
        ("bacara", {"jackpots": [{"modality": "A", "percentage": [2, 1]}]}, "$.jackpots[0]"),
        ("bacara", {"jackpots": [{"modality": "A", "percentage": [0, 0]}]}, "$.jackpots[0]"),
        ("bacara", {"jackpots": [{"modality": "A"}] * 2}, "$.jackpots: "),
        ("bacara", {"authorisations": [{**ENTRY, "option": "seats"}]}, "$.authorisations[0].opt"),
        ("bacara", {"authorisations": [{**ENTRY, "values": ["free"]}]}, "$.authorisations[0].val"),
        (
            "bacara",
            {"authorisations": [{**ENTRY, "granted": "2025-03-02"}]},
            "$.authorisations[0].granted: ",
        ),
        (
            "bacara",
            {"authorisations": [{**ENTRY, "working_days": ["2025-03-10"]}]},
            "$.authorisations[0].working_days[0]: ",
        ),
        (
            "bacara",
            {"authorisations": [{**ENTRY, "amounts": {"single-pair": 1}}]},
            "$.authorisations[0].amounts: ",
        ),
        (
            "bacara",
            {"authorisations": [{**ENTRY, "percentage": [1, 2]}]},
            "$.authorisations[0].percentage: ",
        ),
    ],
)
def test_a_declaration_that_the_game_does_not_know_is_refused_where_it_stands(
    words, game, given, where
):
    assert words(game).offer_problem(_offered(game, **given)).startswith(where)


@pytest.mark.parametrize(
    "given",
    [
        {"faces": [{"figure": "fish", "colour": "red"}]},
        {"layout": {"bets": [], "colour": "red"}},
        {"declares": {"dice": -1}},
        {"declares": {"dice": 3.0}},
        {"authorisations": [{**ENTRY, "asked": "2025-02-30"}]},
        {"authorisations": [{**ENTRY, "asked": "tomorrow"}]},
        {"authorisations": [{**ENTRY, "document": ""}]},
        {"authorisations": [{**ENTRY, "by": "somebody"}]},
        {"jackpots": [{"fixed": {}}]},
    ],
)
def test_a_declaration_out_of_shape_is_no_offer(given):
    with pytest.raises(msgspec.ValidationError):
        _offered("bacara", **given)


@pytest.mark.parametrize("game", GAMES)
def test_the_example_of_an_offer_is_one_that_the_reader_takes(words, game):
    example = words(game).schemas[f"{game}.offer"]["examples"][0]

    assert words(game).offer_problem(msgspec.convert(example, Offer)) is None


def test_a_modality_that_the_law_does_not_know_is_for_the_law_to_judge(words):
    offer = _offered("bacara", jackpots=[{"modality": "D"}])

    assert words("bacara").offer_problem(offer) is None
