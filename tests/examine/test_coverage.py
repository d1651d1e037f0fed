"""Decisive coverage: counted by mathematics where that can be done, and never by looking away."""

import json
from contextlib import suppress
from itertools import islice

import msgspec
import pytest
from tests.games import GAMES
from tests.often import often

from selo.cases.generate.case_stream import stream_cases
from selo.cases.oracle.answer_check import compare_hands
from selo.cases.oracle.case_oracle import Oracle
from selo.cases.scope import offer_everything
from selo.cli.parser.command_line import parse_arguments, run_command
from selo.examine.coverage import decisive_coverage, round_coverage
from selo.examine.coverage.decisive_coverage import measure_coverage
from selo.examine.coverage.round_coverage import measure_round_coverage, provisions_without_steps
from selo.examine.kills.mutant_kills import KillIndex
from selo.law.loader import load_law
from selo.rounds.generate.script_reader import read_written_scripts
from selo.rules.checks.game_check import list_games, settlement_points
from selo.rules.equipment.kits import BadOutcome
from selo.rules.mutants.mutant_games import MUTANT_ERRORS, generate_mutants
from selo.rules.procedure.step_reader import read_constraints, step_points
from selo.rules.readings.reading_choice import Readings

FISH = "fish-prawn-crab"
NUMBER = {"fish": 1, "prawn": 2, "gourd": 3, "coin": 4, "crab": 5, "rooster": 6}


@pytest.fixture(scope="module")
def fish(law):
    return measure_coverage(law, [FISH])


@pytest.fixture(scope="module")
def throws(law):
    """Return every throw of flat dice with every spot, settled and watched."""
    cases = [
        one
        for one in stream_cases(law, offer_everything(law, [FISH]))
        if one.group == "every-throw"
    ]
    oracle = Oracle(law)
    return KillIndex(oracle, oracle.game(FISH), cases)


def decided(law, watched, provision, name):
    """Return the dice of the cases that one variant decides."""
    variant = next(
        one
        for one in generate_mutants(law, FISH, Readings(law))
        if (one.provision, one.cause.sentence) == (provision, name)
    )
    return [watched.cases[at].outcome["dice"] for at in watched.killing_cases(variant, set())]


def test_forgetting_article_7_is_noticed_in_the_triples_that_would_win_and_nowhere_else(
    law, throws
):
    found = decided(law, throws, "portaria-21-96-m/7", "on small, big: forgotten")

    # Three fish make 3 and three roosters 18: neither small nor big holds them.
    triples = ("prawn", "gourd", "coin", "crab")
    assert sorted(found) == sorted([one] * 3 for one in triples)


def test_article_7_plays_a_part_in_the_triples_and_nowhere_else(throws):
    found = [
        case.outcome["dice"]
        for case, part in zip(throws.cases, throws.provisions_by_case, strict=True)
        if "portaria-21-96-m/7" in part
    ]

    assert sorted(found) == sorted([one] * 3 for one in NUMBER)


def test_the_prize_of_4_and_17_is_decisive_in_the_six_throws_that_make_them(law, throws):
    name = "prize number: odds 50:1 become 51:1"

    found = decided(law, throws, "portaria-21-96-m/6/j/1", name)

    # 1-1-2 and 6-6-5, each in three orders.
    assert len(found) == 6
    assert {sum(NUMBER[one] for one in dice) for dice in found} == {4, 17}


def test_the_bound_of_small_is_decisive_where_the_dice_make_exactly_that(law, throws):
    name = next(
        one.cause.sentence
        for one in generate_mutants(law, FISH, Readings(law))
        if one.provision == "portaria-21-96-m/5/a"
        and (one.cause.now or "").endswith("&& total < 10")
    )

    found = decided(law, throws, "portaria-21-96-m/5/a", name)

    # 27 of 216 throws make 10, none of them three alike.
    assert len(found) == 27
    assert {sum(NUMBER[one] for one in dice) for dice in found} == {10}


@pytest.mark.parametrize("game", often(GAMES, "fish-prawn-crab"))
def test_asking_only_what_can_be_felt_finds_what_settling_everything_finds(law, game):
    cases = list(islice(stream_cases(law, offer_everything(law, [game])), 0, None, 29))
    oracle = Oracle(law)
    watched = KillIndex(oracle, oracle.game(game), cases)
    noticed = 0
    there = list(generate_mutants(law, game, Readings(law)))
    # Lines that are only moved have the same words, and are looked at besides.
    moved = [one for one in there if one.now == (one.was,)]

    for variant in [*there[3::23], *moved[::4]]:
        try:
            found = watched.killing_cases(variant, set())
            everywhere = whole(variant, watched)
        except MUTANT_ERRORS:
            continue

        assert sorted(set(found)) == everywhere, f"{variant.cause.code}"
        assert {*everywhere} <= watched.candidate_cases(variant), f"{variant.cause.code}"
        noticed += bool(found)
    assert noticed


def test_six_alike_below_five_alike_is_noticed_where_six_are_alike(law):
    cases = [
        one
        for one in stream_cases(law, offer_everything(law, ["bacara"]))
        if one.group == "jackpot-colours" and one.options["jackpot"]["modality"] == "B"
    ]
    oracle = Oracle(law)
    watched = KillIndex(oracle, oracle.game("bacara"), cases)
    variant = next(
        one
        for one in generate_mutants(law, "bacara", Readings(law))
        if one.provision == "despacho-2-2009/13/1/4/3/b/i" and one.cause.operator == "below"
    )

    found = set(watched.killing_cases(variant, set()))

    six = {
        at
        for at, case in enumerate(cases)
        if len({card[:-1] for card in case.outcome["player"] + case.outcome["banker"]}) == 1
    }
    assert found == six


def whole(variant, watched):
    """Return the cases that a variant decides, each of them settled whole."""
    game = variant.compile()
    found = []
    for at, (case, expected) in enumerate(zip(watched.cases, watched.expected, strict=True)):
        if case.method == "compare":
            now = compare_hands(game, case)
            differs = None not in {now, expected} and now != expected
        else:
            try:
                differs = game.settle_plain(case.options, case.outcome, case.bets) != expected
            except BadOutcome:
                differs = False
        if differs:
            found.append(at)
    return found


def test_every_provision_of_a_game_is_in_its_ledger_once(law, fish):
    wanted = [one.id for one in law.provisions.values() if one.instrument.game == FISH]

    assert [row.id for row in fish.provisions] == wanted


def test_a_group_tells_which_provisions_it_decides(fish):
    assert "portaria-21-96-m/3/c" in fish.decides(FISH, "ways-of-lying")
    # Choices that a bet does not have are refused, whatever the prize would be.
    assert "portaria-21-96-m/6/h" not in fish.decides(FISH, "no-such-choice")
    assert "portaria-21-96-m/6/h" in fish.decides(FISH, "every-throw")


def test_decisive_cases_are_those_of_their_groups_together(fish):
    for row in fish.provisions:
        assert sum(row.groups.values()) == row.decisive


def test_counting_up_to_a_number_counts_no_more_and_no_less(law, fish):
    capped = measure_coverage(law, [FISH], most=20)

    for row, short in zip(fish.provisions, capped.provisions, strict=True):
        assert short.decisive == min(row.decisive, 20), row.id


@pytest.mark.full
def test_cases_counted_in_several_parts_are_the_same_cases(law, monkeypatch):
    at_once = measure_coverage(law, ["pai-kao"])
    monkeypatch.setattr(decisive_coverage, "_CASES_IN_MEMORY", 100)

    again = measure_coverage(law, ["pai-kao"])

    assert again.provisions == at_once.provisions


def test_the_same_law_and_seed_give_the_same_ledger(law):
    one, other = (msgspec.json.encode(measure_coverage(law, ["pai-kao"])) for _ in range(2))

    assert one == other


def test_a_ledger_of_too_few_cases_names_what_they_leave_undecided(law, monkeypatch):
    # One throw of 1, 1 and 2 says nothing of red, of big, or of three alike.
    few = [
        one
        for one in stream_cases(law, offer_everything(law, [FISH]))
        if one.group == "every-throw" and one.outcome["dice"] == ["fish", "fish", "prawn"]
    ]
    monkeypatch.setattr(decisive_coverage, "stream_cases", lambda *_, **__: iter(few))

    book = measure_coverage(law, [FISH])

    assert "portaria-21-96-m/6/i" in book.undecided()
    assert "portaria-21-96-m/6/j/1" not in book.undecided()
    total = book.totals[0]
    assert total.examined - total.decided == len(book.undecided())
    # Never rounded up: not even one undecided provision leaves a hundred.
    both, decided = total.examined + total.played, total.decided + total.played_decided
    assert total.percent * both <= 100 * decided < min(100 * both, (total.percent + 1) * both)


def test_an_undecided_provision_is_a_defect_of_the_suite(monkeypatch, capsys):
    monkeypatch.setattr(decisive_coverage, "stream_cases", lambda *_, **__: iter(()))

    code = run_command(parse_arguments(["coverage", "pai-kao"]))

    told = capsys.readouterr()
    assert code == 5
    assert "portaria-96-85-m/annex/98: no decisive case or round" in told.err
    assert "9 under examination, of which 0 have decisive cases" in told.out
    assert "(0% in all)" in told.out


def test_a_procedure_that_no_round_decides_is_a_defect_of_the_suite(monkeypatch, capsys):
    # Rounds in which nobody asks for anything decide no step that answers an act.
    few = read_written_scripts(load_law(), FISH)[1:2]
    monkeypatch.setattr(round_coverage, "read_written_scripts", lambda *_: few)

    code = run_command(parse_arguments(["coverage", FISH, "--most", "1"]))

    told = capsys.readouterr()
    assert code == 5
    assert "portaria-21-96-m/4: no decisive case or round" in told.err
    assert "portaria-21-96-m/3/a: no case" not in told.err


def test_every_provision_tells_how_it_is_decided_or_why_not(fish):
    for row in fish.provisions:
        assert row.decisive <= row.cases, row.id
        assert row.decisive_rounds <= row.rounds, row.id
        assert row.decisive or row.decisive_rounds or row.because, row.id


def test_the_steps_of_a_game_are_decided_by_its_rounds(law, fish):
    rows = {row.id: row for row in fish.provisions}

    assert fish.totals[0].rounds == len(read_written_scripts(law, FISH))
    # Bets are taken and refused, the cup is covered and shaken, the throw is read: articles 2 to 4.
    for name in ("2", "3/a", "3/b", "3/c", "4"):
        assert rows[f"portaria-21-96-m/{name}"].decisive_rounds > 0
    # The round in which nobody bets pays nobody.
    assert rows["portaria-21-96-m/4"].decisive_rounds < fish.totals[0].rounds
    assert (fish.totals[0].played, fish.totals[0].played_decided) == (6, 6)


@pytest.mark.full
def test_a_case_that_a_provision_decides_by_saying_nothing_is_one_of_its_cases(law, throws):
    # A face of another colour would be noticed wherever it shows, though no derivation names it.
    name = "portaria-21-96-m/1/a/1"
    found = set()
    for variant in generate_mutants(law, FISH, Readings(law)):
        if variant.provision == name:
            with suppress(*MUTANT_ERRORS):
                found |= set(throws.killing_cases(variant, set()))
    named = {at for at, part in enumerate(throws.provisions_by_case) if name in part}

    row = next(one for one in measure_coverage(law, [FISH]).provisions if one.id == name)

    assert found - named
    assert row.cases >= row.decisive >= len(found)


def test_the_command_prints_every_provision_and_the_totals(selo):
    printed = selo("coverage", "pai-kao", "--lang", "pt")

    assert printed.returncode == 0
    assert "portaria-96-85-m/annex/106" in printed.stdout
    assert "9 sob exame, das quais 9 com casos decisivos" in printed.stdout
    assert "(100% ao todo)" in printed.stdout


def test_the_command_prints_json(selo):
    book = json.loads(selo("coverage", "pai-kao", "--most", "1", "--json").stdout)

    assert [one["decisive"] for one in book["provisions"]] == [1] * 9


def test_a_game_that_is_not_there_is_refused(selo):
    printed = selo("coverage", "roulette")

    assert printed.returncode == 3
    assert "there is no game 'roulette'" in printed.stderr


@pytest.mark.parametrize("game", [FISH, "pai-kao"])
def test_every_provision_under_examination_has_a_decisive_case(law, game):
    book = measure_coverage(law, [game], most=1)

    assert any(row.examined for row in book.provisions)
    assert book.undecided() == []


def test_steps_of_a_reading_that_is_not_followed_are_no_defect_of_the_suite(law):
    # Only by one reading is the bet on Seven Dragon closed where the third regime does not hold.
    point, dragon = "2-2009-13-1-4-2--dragon-without-third-regime", "despacho-2-2009/13/1/4/2/par-1"

    assert provisions_without_steps(law, "bacara", Readings(law, {})) == {dragon}
    ruled = Readings(law, {point: "third-regime-only"})
    assert provisions_without_steps(law, "bacara", ruled) == set()
    assert dragon in measure_round_coverage(law, "bacara", ruled, 1).about


@pytest.mark.full
def test_every_provision_of_every_game_under_examination_has_decisive_cases(law):
    book = measure_coverage(law)

    assert [total.game for total in book.totals] == list_games(law)
    assert book.undecided() == []
    assert all(total.percent == 100 for total in book.totals)


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_under_every_reading_every_provision_has_an_effect_or_is_said_to_have_none(law, game):
    points = {**settlement_points(law, game), **step_points(law, game)}
    for point, readings in points.items():
        for reading in readings:
            book = measure_coverage(law, [game], rulings={point: reading}, most=1)
            assert book.undecided() == [], (point, reading)


def idle(law):
    """Return every reading under which some provision settles nothing, with its game."""
    return [
        (law.find(reading.without_effect[0]).instrument.game, point.id, reading)
        for point in law.divergences
        for reading in point.readings
        if reading.without_effect
    ]


def test_what_is_said_to_have_no_effect_has_none(law):
    game, point, reading = next(one for one in idle(law) if one[0] == FISH)
    rows = measure_coverage(law, [game], rulings={point: reading.id}).provisions

    mine = [row for row in rows if row.id in reading.without_effect]
    assert [row.id for row in mine] == reading.without_effect
    assert all(row.without_effect and not row.examined and not row.decisive for row in mine)


@pytest.mark.full
def test_no_case_of_a_standard_plan_decides_what_has_no_effect_and_by_default_some_do(law):
    for game, point, reading in idle(law):
        names = set(reading.without_effect)
        for rulings, decided in (({point: reading.id}, set()), ({}, names)):
            rows = measure_coverage(
                law, [game], budget="standard", rulings=rulings, most=1
            ).provisions
            assert {row.id for row in rows if row.decisive and row.id in names} == decided


@pytest.mark.full
@pytest.mark.parametrize("game", [one for one in GAMES if one != "pai-kao"])
def test_under_every_reading_every_step_of_it_is_decided_by_a_written_round(law, game):
    for point, readings in step_points(law, game).items():
        for reading in readings:
            followed = Readings(law, {point: reading})
            mine = {
                one.key
                for one in read_constraints(law, game, followed)
                if one.under.get(point) == reading and one.called is None
            }
            assert mine <= measure_round_coverage(law, game, followed, 1).steps, (point, reading)
