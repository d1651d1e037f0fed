"""What the rules of Despacho 2/2009 rest on, and bets that are settled together."""

import random
from pathlib import Path

import pytest
import yaml

from selo.law.lint.all_lints import check_law
from selo.rules.checks.game_check import check_games as check_rules
from selo.rules.equipment.kits import BadOutcome
from selo.rules.settlement.provenance import RECONSTRUCTED

SITUATIONS = yaml.safe_load(
    (Path(__file__).parents[2] / "specs/despacho-2-2009/situations.yaml").read_text("utf-8")
)
CASES = [
    pytest.param(point, reading, id=f"{point}={reading}")
    for point, case in SITUATIONS.items()
    for reading in case["expect"]
]
RECONSTRUCTION = "bacara-drawing-rule"
NINE_TO_NINE = {"player": ["9C", "KD"], "banker": ["9H", "QS"]}
EIGHTS = {"player": ["8H", "8S"], "banker": ["8D", "3C", "4H"]}
BANKER_WINS = {"player": ["10H", "6S"], "banker": ["9C", "8D"]}


@pytest.fixture(scope="module")
def game(compiled):
    return compiled("bacara")


def resting(settlement):
    return [one.condition for one in settlement.reasons if one.role == RECONSTRUCTED]


@pytest.mark.parametrize(("point", "reading"), CASES)
def test_both_ways_of_settling_agree_and_cite_only_the_law(law, compiled, point, reading):
    case = SITUATIONS[point]
    under = compiled("bacara", **{point: reading})
    asked = (case["options"], case["outcome"], case["bets"])

    settled = under.settle(*asked)

    assert [one.plain() for one in settled] == under.settle_plain(*asked)
    for settlement in settled:
        assert settlement.reasons
        for reason in settlement.reasons:
            if reason.role == RECONSTRUCTED:
                assert reason.provision == RECONSTRUCTION
            else:
                assert reason.provision in law.provisions


def test_stakes_come_back_on_equal_totals_by_what_is_reconstructed_alone(game):
    for name in ("player", "banker"):
        [settled] = game.settle({}, NINE_TO_NINE, [{"bet": name, "stake": 100}])

        assert settled.result == "push"
        assert resting(settled) == ["equal-totals", "points"]
        assert "push" not in {one.role for one in settled.reasons}


@pytest.mark.parametrize(
    ("bet", "rests"),
    [
        ("player", ["points"]),
        ("tie", ["points"]),
        ("seven-dragon", ["points"]),
        ("player-pair", []),
        ("jackpot", []),
    ],
)
def test_only_what_counts_points_rests_on_what_is_reconstructed(game, bet, rests):
    options = {"jackpot": {"modality": "A", "fixed": {"three-of-a-kind": 500}}}
    bets = [{"bet": name, "stake": 100, "bettor": "ana"} for name in ("banker", bet)]
    outcome = {**EIGHTS, "banker": ["8D", "3C", "6H"]} if bet == "seven-dragon" else EIGHTS

    assert resting(game.settle(options, outcome, bets)[1]) == rests


def test_a_jackpot_names_the_combination_that_is_paid_and_no_other(game):
    options = {"jackpot": {"modality": "A", "fixed": {"three-of-a-kind": 500}}}
    bets = [{"bet": name, "stake": 100, "bettor": "ana"} for name in ("banker", "jackpot")]

    reasons = game.settle(options, EIGHTS, bets)[1].reasons

    assert [(one.provision, one.role) for one in reasons if one.role in {"win", "prize"}] == [
        ("despacho-2-2009/13/1/4/3/a/v", "win"),
        ("despacho-2-2009/17/7", "prize"),
    ]


def test_the_same_cards_at_another_table_are_settled_anew(game):
    bets = [{"bet": "banker", "stake": 100}]
    six = {"player": ["7H", "8S", "10D"], "banker": ["6C", "10H"]}

    paid = [
        game.settle_plain({"commission": regime}, six, bets)[0]
        for regime in ("five-percent", "half-on-six", "dragon-push", "five-percent")
    ]

    assert [one["prize"] - one["commission"] for one in paid] == [95, 50, 100, 95]


def test_the_commission_on_what_is_left_may_be_nothing(compiled):
    under = compiled("bacara", **{"2-2009-18-1--winnings-of-the-group": "net-of-the-round"})
    bets = [
        {"bet": "banker", "stake": 100, "bettor": "ana"},
        {"bet": "player", "stake": 400, "bettor": "ana"},
        {"bet": "banker", "stake": 100, "bettor": "rui"},
    ]

    found = under.settle_plain({}, BANKER_WINS, bets)

    assert [one["commission"] for one in found] == [0, 0, 5]


def test_a_bet_refused_for_the_other_side_carries_nothing(compiled):
    under = compiled("bacara", **{"2-2009-13-1--opposite-bets": "one-side"})
    bets = [
        {"bet": "player", "stake": 100, "bettor": "ana"},
        {"bet": "banker", "stake": 100, "bettor": "ana"},
        {"bet": "banker", "stake": 100, "bettor": "rui"},
        {"bet": "banker", "stake": 50, "bettor": "rui"},
    ]

    found = under.settle_plain({}, BANKER_WINS, bets)

    assert [one["result"] for one in found] == ["lose", "refused", "win", "win"]


def test_without_a_rule_on_the_regime_the_table_must_say_it(compiled):
    under = compiled("bacara", **{"2-2009-18-1--five-per-cent-an-option": "one-of-three"})

    with pytest.raises(BadOutcome, match="commission"):
        under.settle_plain({}, BANKER_WINS, [{"bet": "banker", "stake": 100}])


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        pytest.param("share: 10% or fixed", "share: 10% or more", "no share", id="share"),
        pytest.param(
            "reconstructed: equal-totals", "reconstructed: natural", "does not say", id="basis"
        ),
    ],
)
def test_a_rule_that_cannot_be_is_found_with_its_line(copy, old, new, problem):
    line = copy.replace("specs/despacho-2-2009/articles/art-17.yaml", old, new)
    law, _ = check_law(specs=copy.specs, bilingual=copy.bilingual)

    found = [one for one in check_rules(law) if problem in one.problem]

    assert [one.line for one in found] == [line]


@pytest.mark.full
def test_no_mixture_of_readings_leaves_a_bet_without_one_result(law, compiled):
    rng = random.Random(18)  # noqa: S311 - the same mixtures every time
    grave = [one for one in law.divergences if one.id in SITUATIONS]
    for _ in range(60):
        ruling = {one.id: rng.choice(one.readings).id for one in grave}
        under = compiled("bacara", **ruling)
        for case in SITUATIONS.values():
            for regime in ("five-percent", "half-on-six", "dragon-push"):
                options = {**case["options"], "commission": regime}
                fixed = options.get("jackpot", {}).get("fixed", {})
                names = (
                    "royal-flush paradise-straight four-of-a-kind double-pairs three-of-a-kind "
                    "single-pair six-alike five-alike double-three four-alike three-alike"
                )
                if "jackpot" in options:
                    options["jackpot"] = {
                        "accumulated": 1_000,
                        "percentage": [1, 10],
                        **options["jackpot"],
                        "fixed": dict.fromkeys(names.split(), 100) | fixed,
                    }
                under.settle_plain(options, case["outcome"], case["bets"])
