"""What a vendor declares that it cannot do is no fault, is never lawful, and hides nothing."""

import pytest
from tests.examine.partial_examination import (
    UNABLE,
    default_rulings,
    examine,
    load_partial,
    session_with,
)
from tests.fixture_modules import load_fixture

from selo.cases.case import settlement_case
from selo.examine.adapter_tools.smoke_test import SmokeState, run_smoke_checks
from selo.examine.analysis.evidence_analysis import EvidenceAnalysis
from selo.examine.vendor_description import DeclaredLimits, check_description, introduce_vendor
from selo.law.files.provision_file import Way
from selo.protocol.schema import game_words
from selo.rules.checks import list_games

POKER, CRAPS, DICE = "fortune-three-card-poker", "craps", "fish-prawn-crab"
FISH, HAND = ["fish"] * 3, ["5S", "6S", "7S"]
#: Art. 3 c): dice that lean or lie on one another make a throw void; nothing else does.
VOID_THROW = "portaria-21-96-m/3/c"


@pytest.fixture(scope="module")
def dice(law):
    """Examine an honest vendor whose dice always lie flat."""
    return examine(law, load_partial(DICE, "cannot"), DICE, rulings=default_rulings(law))


def test_a_declared_skip_is_no_fault_and_no_finding(dice):
    assert dice.fault_kinds == set()
    assert dice.findings == []
    assert not dice.summary.broken


def test_what_only_skipped_cases_show_is_withheld_and_named(dice):
    missing = dice.withheld[VOID_THROW, Way.EXAMINATION]

    assert {(one.kind, one.name) for one in missing} == {
        ("cannot", "leaning-dice"),
        ("cannot", "stacked-dice"),
    }


def test_a_provision_whose_deciding_cases_were_skipped_is_not_fully_examined(dice):
    assert dice.verdict(VOID_THROW) == ("not-examined", "not-fully-examined")


def test_what_other_answers_show_conforms_beside_skipped_cases(dice):
    assert len(dice.conforming()) > 20
    assert dice.analysis.tallies[DICE].counts[DICE, "settle"].skipped > 0


def test_a_game_with_skipped_cases_does_not_conform(dice):
    assert dice.summary.overall.overall == "not-fully-verified"
    assert dice.summary.overall.exit == 2


def test_a_skipped_case_is_counted_neither_right_nor_silent(dice):
    count = dice.analysis.tallies[DICE].counts[DICE, "settle"]

    assert count.cases == count.right + count.skipped + count.silent


def test_evidence_read_again_gives_the_same_counts(law, dice):
    again = EvidenceAnalysis(law=law, terms=dice.analysis.terms)
    for line in dice.lines:
        again.add_line(line)

    assert again.tallies[DICE].counts == dice.analysis.tallies[DICE].counts
    assert again.tallies[DICE].skipped == dice.analysis.tallies[DICE].skipped


@pytest.mark.parametrize("manner", ["skips-undeclared", "skips-more"])
def test_a_skip_that_no_declaration_covers_is_a_fault_of_the_adapter(law, manner):
    examined = examine(law, load_partial(DICE, manner), DICE, with_coverage=False)

    assert examined.fault_kinds == {"skipped-undeclared"}
    assert examined.summary.overall.exit == 4


def test_a_declaration_excuses_no_wrong_answer(law):
    vendor = load_partial(DICE, "cannot", "pays-seven-fourteen-to-one")

    examined = examine(law, vendor, DICE, with_coverage=False)

    assert examined.summary.overall.exit == 1


@pytest.mark.full
@pytest.mark.parametrize("game", UNABLE)
def test_no_provision_conforms_that_a_skipped_case_alone_would_have_broken(law, game):
    """Whatever is planted: what the whole vendor breaks, the one that skips never conforms to."""
    planted = load_fixture("planted/vendor.py")
    rulings = default_rulings(law)
    for fault in list(planted.faults(game))[::4]:
        whole = examine(law, planted.load(game, fault), game, rulings=rulings, with_coverage=False)
        broken = {one.provision for one in whole.summary.provisions if one.result == "violates"}
        if broken:
            limited = examine(law, load_partial(game, "cannot", fault), game, rulings=rulings)
            assert not broken & limited.conforming(), fault


@pytest.mark.parametrize("manner", ["cannot", "cannot-and-does"])
def test_the_smoke_test_passes_an_honest_adapter(law, root, monkeypatch, manner):
    monkeypatch.chdir(root)
    session = session_with(load_partial(DICE, manner))

    found = list(run_smoke_checks(session, law, [DICE]))

    assert [check.name for check in found if check.state is SmokeState.WRONG] == []


def test_the_smoke_test_names_a_skip_that_nothing_declares(law, root, monkeypatch):
    monkeypatch.chdir(root)
    session = session_with(load_partial(DICE, "skips-undeclared"))

    found = list(run_smoke_checks(session, law, [DICE]))

    assert {
        str(fault.kind) for check in found for fault in check.faults
    } == {"skipped-undeclared"}  # fmt: skip


def test_a_circumstance_that_the_game_does_not_know_is_a_fault_of_the_description(law):
    vendor = load_partial(DICE, "cannot")
    vendor.describe({})["games"][0]["cannot"] = ["misdeals"]
    description = introduce_vendor(session_with(vendor), law).description

    (fault,) = check_description(law, description)

    assert fault.path == "$.result.games[0].cannot[0]"


@pytest.mark.parametrize(
    ("game", "name", "outcome", "bets", "met"),
    [
        (CRAPS, "dice-off-table", {"throws": [[1, 2], [0, 3]]}, [], True),
        (CRAPS, "dice-off-table", {"throws": [[1, 2], [4, 3]]}, [], False),
        (DICE, "leaning-dice", {"dice": FISH}, [], False),
        (DICE, "leaning-dice", {"dice": FISH, "lying": ["flat", "flat", "leaning"]}, [], True),
        (DICE, "leaning-dice", {"dice": FISH, "lying": ["flat", "flat", "stacked"]}, [], False),
        (POKER, "misdeals", {"croupier": ["2S", "3S"], "places": {}}, [], True),
        (POKER, "misdeals", {"croupier": ["2S", "3S", "4S"], "places": {"1": ["AS"]}}, [], True),
        (POKER, "misdeals", {"croupier": ["2S", "3S", "4S"], "places": {"1": HAND}}, [], False),
        ("bacara", "shared-prizes", {"player": ["2S", "3S"], "banker": ["2S", "3S"]},
         [{"bet": "jackpot", "stake": 1, "bettor": "a"}] * 2, True),
        ("bacara", "shared-prizes", {"player": ["2S", "3S"], "banker": ["2S", "3S"]},
         [{"bet": "jackpot", "stake": 1, "bettor": "a"}], False),
    ],
)  # fmt: skip
def test_a_circumstance_is_met_as_the_law_file_says(law, game, name, outcome, bets, met):
    case = settlement_case(game, "", outcome, bets)

    assert DeclaredLimits(law, []).is_met(case, name) is met


def test_every_game_with_bets_lists_what_a_product_may_be_unable_to_do(law):
    listed = {game: bool(game_words(law, game).circumstances.words) for game in list_games(law)}

    assert listed == {game: game != "pai-kao" for game in listed}
