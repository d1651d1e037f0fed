"""What passes ``law check`` runs: plan, odds and rounds of a spoiled law never die."""

import os
import subprocess
import sys
from argparse import Namespace

import pytest
from tests.often import often
from tests.rules.spoilings import spoilings

from selo.cases import offer_everything
from selo.cases.generate import rule_proof
from selo.cases.generate.case_stream import stream_cases
from selo.cli.commands.law import law_check
from selo.cli.output import Exit
from selo.errors import SeloError, SpecError
from selo.law.lint.all_lints import check_law
from selo.law.loader import load_law
from selo.rounds.generate import check_written_rounds, read_written_scripts
from selo.rules.checks import check_games, check_worked_cases
from selo.rules.odds.game_odds import OddsCatalogue
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game

GAMES = {
    "portaria-21-96-m": "fish-prawn-crab",
    "portaria-22-96-m": "three-card-baccarat",
    "despacho-2-2009": "bacara",
    "despacho-78-2008": "fortune-three-card-poker",
    "portaria-97-85-m": "craps",
    "portaria-96-85-m": "pai-kao",
}
#: Spoilings of each instrument, behind full and always.
MANY, FEW = 50, 1


def under(law, game, rulings):
    return compile_game(law, game, Readings(law, dict(rulings)))


def problems_of(copy):
    return law_check.find_law_problems(specs=copy.specs, bilingual=copy.bilingual)


def run_everything(law, game, specs):
    """Run what commands run: the quick plan, exact odds and written rounds of a game."""
    rules = compile_game(law, game, Readings(law, {}))
    for case in stream_cases(law, offer_everything(law, [game]), budget="quick", at_random=50):
        if case.method == "compare":
            rules.compare(case.a, case.b)
        else:
            rules.settle_plain(case.options, case.outcome, case.bets)
    catalogue = OddsCatalogue(law)
    if game in catalogue.games():
        try:
            catalogue.figures(game, Readings(law, {}))
        except SeloError as error:
            # A command may refuse what cannot be counted; it may not die.
            if error.code == "suite":
                raise
    read_written_scripts(law, game, specs=specs)


def hold_spoilings(copy, instrument, count, seed):
    found = passed = 0
    for path, text, what in spoilings(copy.specs / instrument, count, seed):
        given = path.read_text(encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        law, problems = problems_of(copy)
        if problems:
            found += 1
            assert all(one.line > 0 for one in problems if one.path == path), what
        else:
            passed += 1
            try:
                run_everything(law, GAMES[instrument], copy.specs)
            except Exception as error:  # noqa: BLE001 - whatever it is, it must name the spoiling
                pytest.fail(f"{path.name}: {what}: {type(error).__name__}: {error}")
        path.write_text(given, encoding="utf-8")
    return found, passed


@pytest.mark.parametrize("instrument", often(GAMES, "portaria-21-96-m", "portaria-96-85-m"))
def test_a_few_spoilings_are_found_or_run(copy, instrument):
    hold_spoilings(copy, instrument, FEW, "few")


@pytest.mark.full
@pytest.mark.parametrize("instrument", GAMES)
def test_many_spoilings_are_found_or_run(copy, instrument):
    found, passed = hold_spoilings(copy, instrument, MANY, "many")

    assert found + passed == MANY
    assert found > MANY // 3


def test_two_clauses_that_contradict_are_found_with_both_quotations(copy):
    name = "specs/portaria-21-96-m/articles/art-07.yaml"
    text = copy.path(name).read_text(encoding="utf-8")
    clause = "      - {on: [small, big], result: win, when: all_same(figures)}\n"
    copy.path(name).write_text(text.replace("    rule:\n", f"    rule:\n{clause}", 1), "utf-8")

    _, problems = problems_of(copy)

    assert problems
    assert all(one.path.name == "art-07.yaml" for one in problems)
    assert "different results" in problems[0].problem
    assert "«As apostas efectuadas" in problems[0].problem
    assert "通吃" in problems[0].problem


def test_a_number_vouches_only_for_what_it_counts(copy):
    line = copy.replace(
        "specs/portaria-21-96-m/articles/art-05.yaml",
        "total >= 4 && total <= 10",
        "total >= 3 && total <= 10",
    )

    found = [one for one in copy.problems() if "something else" in one.problem]

    assert {one.line for one in found} == {line}
    assert "uses 3" in found[0].problem


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("closing: [ring-bell,", "closing: [ring-the-bell,"),
        ("changes: [withdraw-bet,", "changes: [take-back-bet,"),
    ],
)
def test_a_table_played_at_random_names_what_the_game_has(copy, old, new):
    copy.replace("specs/portaria-21-96-m/rounds.yaml", old, new)

    law, _ = check_law(specs=copy.specs, bilingual=copy.bilingual)
    found = [*check_written_rounds(law)]

    assert ["there is no event" in one.problem for one in found] == [True]


def test_an_option_without_values_is_found(copy):
    name = "specs/portaria-22-96-m/articles/art-10.yaml"
    text = copy.path(name).read_text(encoding="utf-8")
    at = text.index("    rule:\n") + len("    rule:\n")
    copy.path(name).write_text(text[:at] + "      - {option: bank}\n" + text[at:], "utf-8")

    _, problems = problems_of(copy)

    assert any("'bank' has no values to try" in one.problem for one in problems)


def test_a_clause_that_never_applies_is_found(copy):
    name = "specs/portaria-21-96-m/articles/art-06.yaml"
    text = copy.path(name).read_text(encoding="utf-8")
    old = 'odds: 14:1, when: "choice in [6, 15]"'
    assert text.count(old) == 1
    new = 'odds: 14:1, when: "choice in [6, 15] && choice == 8"'
    copy.path(name).write_text(text.replace(old, new), encoding="utf-8")

    _, problems = problems_of(copy)

    assert problems


#: What is spoilt in a worked case, and what the message must say.
WORKED = [
    pytest.param(
        "portaria-96-85-m/situations.yaml", "lower-number-higher: higher",
        "lower-number-higher: lower", "the rules say higher, the case lower",
        id="a comparison the other way round",
    ),
    pytest.param(
        "portaria-96-85-m/situations.yaml", "96-85-m-annex--order-direction:",
        "96-85-m-annex--no-such-point:", "there is no such point", id="an unknown point",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "says"), WORKED)
def test_a_worked_case_that_the_rules_contradict_is_found(copy, name, old, new, says):
    line = copy.replace(f"specs/{name}", old, new)
    law = load_law(specs=copy.specs, bilingual=copy.bilingual)

    game = GAMES[name.split("/")[0]]
    found = list(check_worked_cases(law, game, lambda rulings: under(law, game, rulings)))

    assert [one.path.name for one in found] == ["situations.yaml"]
    # The line of a whole case is the first of its content.
    assert found[0].line in {line, line + 1}
    assert says in found[0].problem


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("linked-if-declared: allowed", "linked-if-declared: forbidden", "the rules say allowed"),
        ("one-table-only: forbidden}", "one-table: forbidden}", "is no reading of this point"),
    ],
)
def test_a_worked_declaration_that_the_rules_contradict_is_found(copy, old, new, says):
    line = copy.replace("specs/despacho-2-2009/declarations.yaml", old, new)
    law = load_law(specs=copy.specs, bilingual=copy.bilingual)
    # Settlements are not asked here.
    (copy.specs / "despacho-2-2009" / "situations.yaml").unlink()

    found = list(check_worked_cases(law, "bacara", lambda _: None))

    assert {(one.path.name, one.line) for one in found} == {("declarations.yaml", line)}
    assert any(says in one.problem for one in found)


def test_a_case_of_another_shape_is_told_with_its_line(copy):
    path = copy.specs / "portaria-96-85-m" / "situations.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\n96-85-m--no-such-point:\n  expect: 7\n", encoding="utf-8")
    law = load_law(specs=copy.specs, bilingual=copy.bilingual)

    (found,) = check_worked_cases(law, "pai-kao", lambda _: None)

    assert found.line == text.count("\n") + 3
    assert "expect" in found.problem


@pytest.mark.full
def test_a_field_that_is_gone_does_not_end_the_check(copy, capsys):
    name = "specs/portaria-97-85-m/events.yaml"
    text = copy.path(name).read_text(encoding="utf-8")
    (line,) = [one for one in text.split("\n") if one.startswith("  - {id: by, ")]
    copy.path(name).write_text(text.replace(f"{line}\n", ""), encoding="utf-8")

    status = law_check.run(
        Namespace(specs=str(copy.specs), bilingual=str(copy.bilingual), json=False, lang="en")
    )

    assert status == Exit.USAGE
    assert "events.yaml" in capsys.readouterr().err


def test_half_of_the_games_are_proven_in_a_second_process(root):
    """`law check` waits for the longer half only; how long that takes, a benchmark measures."""
    program = (
        "import argparse, resource; from selo.cli.commands.law.law_check import run;"
        "wanted = argparse.Namespace(specs=None, bilingual=None, json=False, lang='en');"
        "status = run(wanted);"
        "mine, others = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN));"
        "print(int(status), mine.ru_utime, others.ru_utime)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )

    status, mine, others = map(float, done.stdout.splitlines()[-1].split())
    assert status == 0
    if (os.cpu_count() or 1) > 1:
        assert others > mine / 4


#: What a careless hand writes: the file, what stands there, what instead, and what is said of it.
CARELESS = [
    pytest.param(
        "portaria-22-96-m/events.yaml", "id: packs, kind: number, default: 1,",
        "id: packs, kind: number, default: two,", "'two' is not a value of 'packs'",
        id="a number as a word",
    ),
    pytest.param(
        "portaria-22-96-m/events.yaml", "values: [box, shoe], default: box",
        "values: [box, shoe], default: crate", "'crate' is not a value of 'device'",
        id="a default that is no value",
    ),
    pytest.param(
        "portaria-22-96-m/rounds.yaml", "options: {packs: 4, device: shoe}",
        "options: {packs: 4, device: crate}", "'crate' is not a value of 'device'",
        id="a round with an option of no such value",
    ),
    pytest.param(
        "portaria-22-96-m/rounds.yaml", "force banker=2H,3C,4D 1=AS,AH,2D 2=9S,9H,KD",
        "force banker=2H,3C,14D 1=AS,AH,2D 2=9S,9H,KD", "'14D' is no card",
        id="a round with a card that is none",
    ),
    pytest.param(
        "portaria-22-96-m/rounds.yaml", "force banker=2H,3C,4D 1=AS,AH,2D 2=9S,9H,KD",
        "force banker=2H,3C 1=AS,AH,2D 2=9S,9H,KD", "no table shows this outcome",
        id="a round with a hand of two cards",
    ),
    pytest.param(
        "portaria-22-96-m/rounds.yaml", "happen take-seat player=ana seat=1",
        "happen take-seat player=ana", "take-seat needs seat", id="a round with half an act",
    ),
    pytest.param(
        "portaria-22-96-m/rounds.yaml", "force banker=2H,3C,4D 1=AS,AH,2D 2=9S,9H,KD",
        "force banker=2H,3C,4D 1=AS,AH,2D 2=9S,9H,AS", "'AS' lies there 2 times",
        id="a round with one card twice in one pack",
    ),
    pytest.param(
        "portaria-22-96-m/rounds.yaml", "bet=beat-banker stake=100",
        "bet=beat-banker stake=-100", "'-100' is no whole number", id="a stake below nothing",
    ),
    pytest.param(
        "portaria-22-96-m/rounds.yaml", "bet=beat-banker stake=100",
        "bet=beat-banker stake=0", "stake is no stake", id="a stake of nothing",
    ),
    pytest.param(
        "portaria-22-96-m/rounds.yaml", "player=rui seat=2", "player=rui seat=12",
        "there is no seat '12'", id="a seat that no table has",
    ),
    pytest.param(
        "portaria-22-96-m/events.yaml",
        "fields: [seat, card, face], fixes_outcome: true,", "fields: [seat, card, face],",
        "no event fixes the outcome", id="an outcome that nothing fixes",
    ),
    pytest.param(
        "portaria-22-96-m/events.yaml", "id: end-round, by: table,", "id: end-round, by: act,",
        "'end-round' has the role 'ends' and is by 'act'", id="a round that people end",
    ),
    pytest.param(
        "portaria-22-96-m/declarations.yaml", "    expect: {", "    expects: {",
        "unknown field `expects`", id="a declaration with another key",
    ),
    pytest.param(
        "portaria-22-96-m/declarations.yaml", "{from: 1, to: 8}", "{from: 8, to: 1}",
        "the first number is above the last", id="a declared range upside down",
    ),
    pytest.param(
        "portaria-22-96-m/chance.yaml", "accused: 1/10000", "accused: 1/0",
        "no test can use levels.accused: 1/0", id="a level that is no part",
    ),
    pytest.param(
        "portaria-22-96-m/chance.yaml", "model: period, period: 65536", "model: period",
        "no test can use period-2-16.period: None", id="a period without its number",
    ),
    pytest.param(
        "portaria-22-96-m/instrument.yaml",
        "day: {not_before: 1996-02-13, not_after: 1996-12-31",
        "day: {not_before: 1996-12-31, not_after: 1996-02-13", "is not a valid period",
        id="a stretch of days upside down",
    ),
    pytest.param(
        "portaria-22-96-m/instrument.yaml", "known_until: 2025-11-17", "known_until: 1990-01-01",
        "before the instrument was published", id="known until before it was law",
    ),
    pytest.param(
        "portaria-22-96-m/instrument.yaml", 'articles: ["1"]', 'articles: ["41"]',
        "changes an article '41' that is not there", id="an amendment of an article that is none",
    ),
    pytest.param(
        "portaria-22-96-m/articles/art-08.yaml", "choice: 0–9", "choice: 9–0",
        "there is no number from '9' to '0' to choose", id="a range upside down",
    ),
]  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize(("name", "old", "new", "says"), CARELESS)
def test_a_slip_of_an_editor_is_found_where_it_stands(copy, monkeypatch, name, old, new, says):
    monkeypatch.setattr(rule_proof, "list_games", lambda _: [GAMES[name.split("/")[0]]])
    path = copy.path(f"specs/{name}")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    law, problems = check_law(specs=copy.specs, bilingual=copy.bilingual)
    if not problems:
        try:
            problems = [*check_written_rounds(law)] or [*check_games(law)]
            problems = problems or [*rule_proof.prove_rules(law)]
        except SpecError as error:
            # The program names these, too.
            problems = list(error.problems)

    assert {one.path.name for one in problems} == {path.name}
    assert any(says in one.problem for one in problems)
    assert all(one.line > 0 for one in problems)
