"""Black jack, added by data alone: hands that grow by decisions, and planted faults."""

from itertools import islice
from types import SimpleNamespace

import pytest
from tests.example_games import CARD_EXAMPLES, ROOT, add_games, load_piece_module
from tests.house import rules

from selo.cases.generate.case_stream import stream_cases
from selo.cases.scope import offer_everything
from selo.examine.selftest.in_process_examiner import Examiner
from selo.law.loader import load_law
from selo.rules.checks import check_worked_cases
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game
from selo.verdict.rulings import adopt_rulings

GAME = "black-jack"
VENDOR = load_piece_module("black_jack")
#: Of the quick plan every so manieth case is held against the lawful vendor.
THINNED = 11
DRAWN = "1/4"
FAULTS = list(VENDOR.FAULTS)
#: Words that the rule language, the protocol or the house itself uses.
COMMON = {"double", "main", "split"}


@pytest.fixture(scope="module")
def law_with_cards(once):
    folder = once("law-with-black-jack", lambda place: add_games(place, GAME))
    return load_law(specs=folder / "specs", bilingual=folder / "bilingual")


@pytest.fixture(scope="module")
def game(law_with_cards):
    return compile_game(law_with_cards, GAME, Readings(law_with_cards))


def test_the_worked_cases_agree_with_the_rules_and_the_register(law_with_cards):
    def rules_under(rulings):
        return compile_game(law_with_cards, GAME, Readings(law_with_cards, dict(rulings)))

    assert list(check_worked_cases(law_with_cards, GAME, rules_under)) == []


@pytest.fixture(scope="module")
def examiner(law_with_cards):
    return Examiner(law_with_cards, GAME, adopt_rulings(law_with_cards, defaults=True))


@pytest.fixture(scope="module")
def both(game):
    """Return two ways to settle: the rules, and the vendor that was written apart."""
    rules_of_law = SimpleNamespace(settle=lambda shown, bets: game.settle_plain({}, shown, bets))
    return rules_of_law, VENDOR.load_rules()


def end(game, croupier, *hands, bets="main"):
    outcome = {"croupier": croupier.split(), "hands": {"1": [hand.split() for hand in hands]}}
    laid = [{"bet": name, "place": "1", "stake": 100} for name in bets.split()]
    return [
        (one["result"], one["prize"] if one["result"] == "win" else None)
        for one in game.settle(outcome, laid)
    ]


@pytest.mark.parametrize(
    ("croupier", "hands", "bets", "ends"),
    [
        ("10H 7S", ["AS KD"], "main", [("win", 150)]),
        ("10H AS", ["AD KD"], "main", [("push", None)]),
        ("10H AS", ["7D 7C 7S"], "main", [("lose", None)]),
        ("10H 6S KD", ["10D 2C"], "main", [("win", 100)]),
        ("10H 6S KD", ["10D 2C KS"], "main", [("lose", None)]),
        # Drawn at 21, soft or hard, though the hand is lawful again afterwards.
        ("10H 7S", ["AS KD 5C"], "main", [("void", None)]),
        ("10H 7S", ["AS 6D 4C 9H"], "main", [("void", None)]),
        # The croupier draws too much and too little.
        ("10H 7S 2D", ["10D 9C"], "main", [("void", None)]),
        ("10H 6S", ["10D 9C"], "main", [("void", None)]),
        ("6H AS", ["10D 8C"], "main", [("win", 100)]),
        ("10H 7S", ["6S 5D KC"], "main double", [("win", 100), ("win", 100)]),
        ("10H 7S", ["6S 5D"], "main double", [("lose", None), ("refused", None)]),
        ("10H 7S", ["KS 9D", "QD 7C"], "main split", [("win", 100), ("push", None)]),
        ("10H 7S", ["KS 9D", "9H 7C"], "main split", [("win", 100), ("refused", None)]),
        ("10H 7S", ["AS 2D 8H", "AD 7C"], "main split", [("void", None)] * 2),
        ("AH 7S", ["10S 9D"], "main insurance", [("win", 100), ("lose", None)]),
        ("AH KS", ["10S 9D"], "main insurance", [("lose", None), ("win", 200)]),
        ("KH AS", ["10S 9D"], "main insurance", [("lose", None), ("refused", None)]),
    ],
)
def test_a_finished_hand_ends_as_the_text_says(both, croupier, hands, bets, ends):
    for game in both:
        assert end(game, croupier, *hands, bets=bets) == ends


@pytest.mark.full
def test_rules_and_a_vendor_written_apart_agree_on_the_plan(law_with_cards, game):
    scope = offer_everything(law_with_cards, [GAME])
    vendor = VENDOR.load()
    count = 0

    for case in islice(stream_cases(law_with_cards, scope, at_random=300), 0, None, THINNED):
        told = vendor.settle(case.params())["settlements"]
        count += 1
        for bet, mine, theirs in zip(
            case.bets, game.settle_plain({}, case.outcome, case.bets), told, strict=True
        ):
            assert (mine["result"], mine["prize"]) == (theirs["result"], theirs["prize"]), (
                case.outcome, bet,
            )  # fmt: skip
    assert count > 200


@pytest.mark.full
def test_a_lawful_vendor_breaks_nothing(examiner):
    verdicts = examiner.examine_vendor(VENDOR.load())

    assert verdicts.broken == []
    assert not verdicts.findings


@pytest.mark.full
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_by_its_article(examiner, name):
    provision, vendor = VENDOR.FAULTS[name][0], VENDOR.load(name)
    examine = examiner.examine_draws if provision == DRAWN else examiner.examine_vendor

    assert f"{CARD_EXAMPLES[GAME]}/{provision}" in examine(vendor).broken


@pytest.mark.full
def test_no_line_of_python_knows_the_game(law_with_cards, law):
    shipped = rules.ids_of_law(law)
    ids = {one for one in rules.ids_of_law(law_with_cards) if one not in shipped} - COMMON

    assert {"black-jack", "insurance", "split-double"} <= ids
    assert rules.ids_in_code(ROOT / "harness", ids) == {}


def test_every_fault_names_a_provision_of_the_instrument(law_with_cards):
    provisions = {f"{CARD_EXAMPLES[GAME]}/{provision}" for provision, _ in VENDOR.FAULTS.values()}

    assert provisions <= set(law_with_cards.provisions)
    assert len(VENDOR.FAULTS) >= 20
