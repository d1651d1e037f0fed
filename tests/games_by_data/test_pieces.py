"""Pieces with faces: what they show and cannot show, their pictures, and checks of their files."""

import dataclasses
import shutil
import xml.etree.ElementTree as ET

import msgspec
import pytest
from tests.example_games import EXAMPLES

from selo.cases.generate import piece_cases
from selo.cases.generate.case_stream import stream_cases
from selo.cases.scope import Scope, offer_everything
from selo.cli.resolved_options import parse_outcome
from selo.draws.random_equipment import equipment_of_game
from selo.errors import SpecError
from selo.law.loader import load_law
from selo.protocol.schema.game_schema import GameWords
from selo.report.content.finding_sheets import FindingSheetWriter
from selo.report.phrases.labels import Labels
from selo.report.svg import equipment_pictures
from selo.rounds.generate import check_written_rounds
from selo.rules.checks import check_games
from selo.rules.checks.equipment_check import check_equipment
from selo.rules.clauses import LocatedClause, read_clauses
from selo.rules.equipment.equipment_compiler import choices_of_bet
from selo.rules.equipment.kits import BadOutcome
from selo.rules.mutants import generate_mutants
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def games(law_with_games):
    return {game: compile_game(law_with_games, game, Readings(law_with_games)) for game in EXAMPLES}


@pytest.mark.parametrize("name", ["黑", "nóir", "Noir", "no ir", "-noir", "noir-"])
def test_a_name_that_cannot_be_typed_everywhere_is_refused_with_its_line(law_with_games, name):
    kit = compile_game(law_with_games, "boule", Readings(law_with_games)).kit
    clauses = read_clauses(law_with_games, "boule")
    located = next(one for one in clauses if getattr(one.clause, "bet", "") == "noir")
    clause = msgspec.structs.replace(located.clause, bet=name)
    renamed = LocatedClause(located.held, located.index, clause)

    with pytest.raises(SpecError, match=f"'{name}' is no name of a bet") as refused:
        choices_of_bet(renamed, kit, None)
    assert "art-03.yaml" in str(refused.value)


def test_every_value_of_an_option_meets_every_outcome(law_with_games, monkeypatch):
    """`law check` proves from these cases that no clause with an option applies in vain."""
    named = offer_everything(law_with_games, ["boule"]).games[0]
    offer = dataclasses.replace(
        named, options={"half_back": ["no", "yes"], "maximum": range(2**53), "limits": ["none"]}
    )
    settled = dataclasses.replace(named, options={"half_back": ["no", "yes"]})
    monkeypatch.setattr(piece_cases, "offer_everything", lambda *_: Scope(games=(settled,)))
    options = {
        (*case.options.items(), case.outcome["shown"][0])
        for case in stream_cases(law_with_games, Scope(games=(offer,)), budget="quick")
        if case.group == "every-throw"
    }

    values = [(), (("half_back", "no"),), (("half_back", "yes"),)]
    assert options == {(*value, face) for value in values for face in range(1, 10)}


def test_facts_of_faces_do_not_depend_on_their_order(games):
    facts = games["cussec"].facts({"shown": [6, 1, 6]})

    # 6 + 1 + 6 = 13, and the three are not alike.
    assert facts["numbers"] == [1, 6, 6]
    assert facts["figures"] == ["1", "6", "6"]
    assert (facts["total"], facts["three_alike"]) == (13, False)
    assert facts == games["cussec"].facts({"shown": [1, 6, 6]})


def test_a_pocket_has_the_colour_of_its_clause(games):
    colours = {n: games["roulette"].facts({"shown": [n]})["colours"] for n in (0, 10, 11, 36)}

    # Art. 1: 10 and 11 are black, 36 is red, the zero green.
    assert colours == {0: ["green"], 10: ["black"], 11: ["black"], 36: ["red"]}


@pytest.mark.parametrize(("heap", "left"), [(41, 1), (42, 2), (43, 3), (44, 4), (120, 4)])
def test_a_heap_is_counted_off_and_nothing_left_counts_as_the_divisor(games, heap, left):
    assert games["fantan"].facts({"shown": [heap]})["left"] == left


@pytest.mark.parametrize(
    ("game", "shown"),
    [
        ("roulette", [37]), ("roulette", [-1]), ("roulette", []), ("roulette", [1, 2]),
        ("roulette", [True]), ("roulette", [1.0]), ("roulette", ["1"]), ("roulette", [[1]]),
        ("roulette", None), ("roulette", 1), ("cussec", [0, 1, 2]), ("cussec", [1, 2]),
        ("fantan", [40]), ("fantan", [121]),
    ],
)  # fmt: skip
def test_an_outcome_that_the_pieces_cannot_show_is_refused(law_with_games, games, game, shown):
    with pytest.raises(BadOutcome):
        games[game].facts({"shown": shown})

    words = GameWords(law_with_games, game)
    assert words.outcome_problem({"shown": shown}) is not None


def test_nothing_but_the_faces_may_be_said_of_an_outcome(law_with_games):
    words = GameWords(law_with_games, "roulette")

    assert words.outcome_problem({"shown": [1]}) is None
    assert words.outcome_problem({"shown": [1], "lying": ["flat"]}) is not None
    assert words.outcome_problem({"dice": [1]}) is not None


@pytest.mark.parametrize("value", [[True], ["17"], [1.5], [-1], 17, "17"])
def test_a_list_of_numbers_in_an_event_holds_whole_numbers(law_with_games, value):
    words = GameWords(law_with_games, "roulette")

    assert words.event_problem({"event": "ball-rests", "shown": [17]}) is None
    assert words.event_problem({"event": "ball-rests", "shown": value}) is not None


def test_a_number_of_a_choice_may_not_be_another_type(games):
    game = games["roulette"]
    bets = [{"bet": "straight", "choice": choice, "stake": 100} for choice in (1, "1", True, 37)]

    results = [one.result for one in game.settle({}, {"shown": [1]}, bets)]

    assert results[0] == "win"
    assert results[1] == results[3] == "refused"


def test_what_is_random_in_a_heap_is_what_is_left(law_with_games):
    source = equipment_of_game(law_with_games, "fantan", Readings(law_with_games), {})

    assert list(source.faces) == [1, 2, 3, 4]
    assert [source.row({"shown": [heap]}) for heap in (41, 45, 44, 120)] == [[0], [0], [3], [3]]
    assert source.outcome([3]) == {"shown": [44]}
    with pytest.raises(ValueError, match="not a throw"):
        source.row({"shown": [40]})


def test_one_piece_is_not_tested_twice_for_the_same(law_with_games):
    source = equipment_of_game(law_with_games, "roulette", Readings(law_with_games), {})
    rows = source.rows([{"shown": [number % 37]} for number in range(370)])
    names = [measure.test for measure in source.measures(rows)]

    assert "face" in names
    assert not {"faces", "sum", "throw"} & {*names}


def test_mutants_of_faces_move_a_number_to_another_colour_and_count_by_another_number(
    law_with_games,
):
    sentences = {
        game: {
            mutant.cause.sentence
            for mutant in generate_mutants(law_with_games, game, Readings(law_with_games))
            if mutant.cause.clause == "faces"
        }
        for game in ("roulette", "fantan")
    }

    assert any(": 10: the colour is red" in one for one in sentences["roulette"])
    assert {one.rpartition(": ")[2] for one in sentences["fantan"]} == {
        "counted off by 3", "counted off by 5",
    }  # fmt: skip


# Pictures.


def picture_of(law, game, shown):
    writer = FindingSheetWriter(Labels(law), "MOP", 2, law)
    record = writer._describe_pieces(game)  # noqa: SLF001 - what a sheet says of its pieces
    (picture,) = equipment_pictures.draw_pictures(
        {"outcome": {"shown": shown}}, ("pt", "zh"), pieces=record
    )
    return picture, ET.fromstring(picture.svg)  # noqa: S314 - our own drawing


def test_a_wheel_is_drawn_with_all_its_pockets_in_their_colours(law_with_games):
    picture, svg = picture_of(law_with_games, "roulette", [10])
    colours = [path.get("fill") for path in svg.iter(f"{SVG}path")]

    assert picture.owner == "shown"
    assert {colour: colours.count(colour) for colour in colours} == {
        "#17663a": 1, "#a8231b": 18, "#16181d": 18,
    }  # fmt: skip
    assert [text.text for text in svg.iter(f"{SVG}text")] == ["10"]
    title = svg.find(f"{SVG}title").text
    assert title == "casa em que a bola parou: 10 · 球所停之格: 10"


def test_beads_are_drawn_and_those_left_are_red(law_with_games):
    _, svg = picture_of(law_with_games, "fantan", [43])
    beads = [circle.get("fill") for circle in svg.iter(f"{SVG}circle")]

    assert len(beads) == 43
    assert beads.count("#a8231b") == 3


def test_plain_dice_have_their_spots(law_with_games):
    _, svg = picture_of(law_with_games, "cussec", [1, 2, 6])

    assert len(list(svg.iter(f"{SVG}circle"))) == 1 + 2 + 6


def test_a_game_whose_files_describe_no_pieces_has_the_pictures_it_had(law):
    writer = FindingSheetWriter(Labels(law), "MOP", 2, law)

    assert writer._describe_pieces("fish-prawn-crab") is None  # noqa: SLF001 - see above


# What is wrong in the files is said, with file and reason.


@pytest.fixture
def spoiled(folder_with_games, tmp_path):
    """Return how a file of an instrument is changed, and what the checks then say."""

    def change(game, name, old, new):
        for part in ("specs", "bilingual"):
            shutil.copytree(folder_with_games / part, tmp_path / part)
        path = tmp_path / "specs" / EXAMPLES[game] / name
        if old is None:
            path.unlink()
        else:
            text = path.read_text(encoding="utf-8")
            assert text.count(old) == 1
            path.write_text(text.replace(old, new), encoding="utf-8")
        law = load_law(specs=tmp_path / "specs", bilingual=tmp_path / "bilingual")
        return [
            (problem.path.name, problem.problem)
            for problem in (*check_games(law), *check_written_rounds(law))
        ]

    return change


@pytest.mark.full
@pytest.mark.parametrize(
    ("game", "name", "old", "new", "said"),
    [
        ("roulette", "equipment.yaml", None, "", "nothing called 'split'"),
        ("fantan", "equipment.yaml", "- [4, 1]\n", "- [4, 5]\n", "numbers that never come: 5"),
        ("roulette", "equipment.yaml", ", 3, 26]", ", 3, 3]", "every face once"),
        ("cussec", "rounds.yaml", "[close-bets, shake-dice", "[close-bets, spin", "'spin'"),
        ("cussec", "rounds.yaml", "changes: [withdraw-bet", "changes: [open-bets", "'open-bets'"),
    ],
)
def test_a_wrong_file_of_equipment_is_told(spoiled, game, name, old, new, said):
    problems = spoiled(game, name, old, new)

    assert [problem for _, problem in problems if said in problem]
    assert {where for where, _ in problems} <= {name, "instrument.yaml", "art-03.yaml"}


def test_pieces_and_their_file_come_together(law_with_games):
    folders = {folder.instrument.game: folder for folder in law_with_games.folders}
    without = dataclasses.replace(folders["roulette"], equipment=None)
    with_file = dataclasses.replace(
        folders["fish-prawn-crab"], equipment=folders["roulette"].equipment
    )

    assert [one.problem for one in check_equipment(law_with_games, without)] == [
        "roulette has pieces and no equipment.yaml"
    ]
    assert [one.problem for one in check_equipment(law_with_games, with_file)] == [
        "fish-prawn-crab has no pieces that equipment.yaml could describe"
    ]


@pytest.mark.full
def test_a_game_with_rounds_says_how_its_tables_are_played(spoiled):
    lines = (
        "table:\n  closing: [close-bets, throw-ball, ball-rests]\n"
        "  changes: [withdraw-bet, lower-stake, raise-stake, move-stake]\n"
    )

    assert ("rounds.yaml", "nothing says how tables are played at random") in spoiled(
        "roulette", "rounds.yaml", lines, ""
    )


@dataclasses.dataclass
class Typed:
    """What was typed for a throw."""

    throw: list
    outcome: None = None
    lying = banker = croupier = player = seat = place = None


def test_a_throw_that_is_typed_is_what_the_pieces_of_the_game_show(games):
    assert parse_outcome(Typed(["1,2,4"]), games["cussec"].kit) == {"shown": [1, 2, 4]}
    assert parse_outcome(Typed(["17"]), games["roulette"].kit) == {"shown": [17]}
