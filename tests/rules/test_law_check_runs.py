"""What passes ``law check`` runs: plan, odds and rounds of a spoiled law never die."""

import os
import subprocess
import sys

import pytest
from tests.often import often
from tests.rules.spoilings import spoilings

from selo.cases import offer_everything
from selo.cases.generate.case_stream import stream_cases
from selo.cases.generate.rule_proof import prove_rules
from selo.errors import SeloError
from selo.law.lint.all_lints import check_law
from selo.rounds.generate import check_written_rounds, read_written_scripts
from selo.rules.checks import check_games
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


def problems_of(copy):
    law, problems = check_law(specs=copy.specs, bilingual=copy.bilingual)
    if law is not None and not problems:
        problems = list(check_games(law))
    if law is not None and not problems:
        problems = [*prove_rules(law), *check_written_rounds(law)]
    return law, problems


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


def test_half_of_the_games_are_proven_in_a_second_process(root):
    """`law check` waits for the longer half only, and that takes less than five seconds."""
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
    assert mine < 5
    if (os.cpu_count() or 1) > 1:
        assert others > mine / 4
