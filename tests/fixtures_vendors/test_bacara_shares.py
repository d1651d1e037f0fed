"""Bacará against Despacho 2/2009: what the jackpots pay, and who shares it."""

import pytest

FIXED = {
    "A": {
        "paradise-straight": 50_000,
        "four-of-a-kind": 2_000,
        "double-pairs": 800,
        "three-of-a-kind": 500,
        "single-pair": 100,
    },
    "B": {"five-alike": 5_000, "double-three": 3_000, "four-alike": 1_000, "three-alike": 200},
    "C": {
        "six-alike": 20_000,
        "five-alike": 5_000,
        "double-three": 3_000,
        "four-alike": 1_000,
        "three-alike": 200,
    },
}
POOL = 1_000_000


def jackpot(modality, **changed):
    terms = {"modality": modality, "accumulated": POOL, "fixed": FIXED[modality]}
    if modality == "C":
        terms["percentage"] = [1, 100]
    return {"jackpot": terms | changed}


def bets_of(*bettors, stake=50):
    """A main bet and a jackpot bet of each bettor."""
    mains = [{"bet": "tie", "stake": 100, "bettor": bettor} for bettor in bettors]
    return [*mains, *({"bet": "jackpot", "stake": stake, "bettor": bettor} for bettor in bettors)]


@pytest.fixture
def bacara(vendor):
    return vendor("bacara")


@pytest.mark.parametrize(
    ("fixed", "accumulated", "prize"),
    [
        pytest.param(50_000, 1_000_000, 100_000, id="a-tenth-is-more"),
        pytest.param(50_000, 500_010, 50_001, id="a-tenth-is-just-more"),
        pytest.param(50_000, 500_000, 50_000, id="both-the-same"),
        pytest.param(50_000, 499_990, 50_000, id="fixed-is-just-more"),
        pytest.param(50_000, 0, 50_000, id="empty-pool"),
        pytest.param(50_000, 1_000_005, 100_001, id="a-tenth-is-rounded-up"),
        pytest.param(50_000, 500_001, 50_001, id="rounded-up-above-the-fixed"),
    ],
)
def test_17_6_paradise_straight_pays_the_higher_of_fixed_and_a_tenth(
    bacara, fixed, accumulated, prize
):
    options = jackpot("A", accumulated=accumulated, fixed={"paradise-straight": fixed})
    outcome = {"player": ["KH", "JH", "AS"], "banker": ["QH", "10H", "4C"]}

    assert bacara.settle(options, outcome, bets_of("ana"))[1]["prize"] == prize


@pytest.mark.parametrize(
    ("fixed", "percentage", "accumulated", "prize"),
    [
        pytest.param(20_000, [5, 100], 1_000_000, 50_000, id="percentage-is-more"),
        pytest.param(20_000, [1, 50], 1_000_000, 20_000, id="both-the-same"),
        pytest.param(20_000, [1, 50], 1_000_001, 20_001, id="percentage-rounded-up"),
        pytest.param(20_000, [1, 100], 1_000_000, 20_000, id="fixed-is-more"),
        pytest.param(20_000, [1, 1], 1_000_000, 1_000_000, id="the-whole"),
        pytest.param(20_000, [0, 1], 1_000_000, 20_000, id="nothing"),
    ],
)
def test_17_10_six_alike_in_c_pays_the_higher_of_fixed_and_percentage(
    bacara, fixed, percentage, accumulated, prize
):
    options = jackpot(
        "C", accumulated=accumulated, fixed={"six-alike": fixed}, percentage=percentage
    )
    outcome = {"player": ["2H", "2S", "2D"], "banker": ["2C", "2H", "2S"]}

    assert bacara.settle(options, outcome, bets_of("ana"))[1]["prize"] == prize


ROYAL = {"player": ["AH", "QH", "10H"], "banker": ["KH", "JH", "5C"]}
THREE_EIGHTS = {"player": ["8H", "8S"], "banker": ["8D", "3C", "4H"]}


@pytest.mark.parametrize(
    ("outcome", "bettors", "share"),
    [
        pytest.param(ROYAL, 1, 1_000_000, id="17-5-one"),
        pytest.param(ROYAL, 2, 500_000, id="17-5-two"),
        pytest.param(ROYAL, 3, 333_333, id="17-5-three-rounded-down"),
        pytest.param(ROYAL, 7, 142_857, id="17-5-seven-rounded-down"),
        pytest.param(THREE_EIGHTS, 1, 500, id="17-7-one"),
        pytest.param(THREE_EIGHTS, 2, 250, id="17-7-two"),
        pytest.param(THREE_EIGHTS, 3, 166, id="17-7-three-rounded-down"),
    ],
)
def test_17_5_and_17_7_the_prize_is_divided_equally(bacara, outcome, bettors, share):
    names = [f"bettor {number}" for number in range(bettors)]

    found = bacara.settle(jackpot("A"), outcome, bets_of(*names))[bettors:]

    assert found == [{"result": "win", "prize": share, "commission": 0}] * bettors


def test_17_6_the_tenth_is_rounded_up_before_it_is_divided(bacara):
    options = jackpot("A", accumulated=1_000_011)
    outcome = {"player": ["KH", "JH", "AS"], "banker": ["QH", "10H", "4C"]}

    found = bacara.settle(options, outcome, bets_of("ana", "rui", "wai"))[3:]

    # 100 001.1 becomes 100 002, a third of which is 33 334; a third of the former is less.
    assert [answer["prize"] for answer in found] == [33_334] * 3


def test_17_5_a_person_with_two_bets_has_one_share(bacara):
    options = jackpot("A", accumulated=900_000)
    bets = [*bets_of("ana", "rui"), {"bet": "jackpot", "stake": 50, "bettor": "ana"}]

    found = bacara.settle(options, ROYAL, bets)[2:]

    assert [(answer["result"], answer["prize"]) for answer in found] == [
        ("win", 450_000),
        ("win", 450_000),
        ("win", 0),
    ]


def test_17_5_shares_do_not_follow_the_stakes(bacara):
    bets = [*bets_of("ana", stake=50), *bets_of("rui", stake=100)]

    found = bacara.settle(jackpot("A"), THREE_EIGHTS, bets)

    assert [found[1]["prize"], found[3]["prize"]] == [250, 250]


def test_17_5_the_jackpot_does_not_depend_on_the_main_bet(bacara):
    bets = [
        {"bet": "banker", "stake": 100, "bettor": "ana"},
        {"bet": "jackpot", "stake": 50, "bettor": "ana"},
        {"bet": "player", "stake": 100, "bettor": "rui"},
        {"bet": "jackpot", "stake": 50, "bettor": "rui"},
    ]

    found = bacara.settle(jackpot("A"), THREE_EIGHTS, bets)

    # Six to five for the player: the banker bet loses and its bettor still has a share.
    assert [(answer["result"], answer["prize"]) for answer in found] == [
        ("lose", 0),
        ("win", 250),
        ("win", 100),
        ("win", 250),
    ]


def test_18_3_a_seven_dragon_leaves_pair_and_jackpot_bets_to_their_cards(bacara):
    options = jackpot("A") | {"commission": "dragon-push"}
    outcome = {"player": ["2H", "2S", "KD"], "banker": ["10H", "2D", "5S"]}
    bets = [*bets_of("ana"), {"bet": "player-pair", "stake": 10, "bettor": "ana"}]

    found = bacara.settle(options, outcome, bets)

    # Four to seven in three cards; three twos among the first four, two of them the player's.
    assert [(answer["result"], answer["prize"]) for answer in found] == [
        ("lose", 0),
        ("win", 500),
        ("win", 110),
    ]


@pytest.mark.parametrize("regime", ["five-percent", "half-on-six", "dragon-push"])
def test_18_a_jackpot_pays_no_commission(bacara, regime):
    outcome = {"player": ["2H", "2S", "2D"], "banker": ["9D", "9C", "9H"]}

    found = bacara.settle(jackpot("B") | {"commission": regime}, outcome, bets_of("ana"))

    # Six to seven in three cards, a Seven Dragon; the double three is 3 000 whole.
    assert found[1] == {"result": "win", "prize": 3_000, "commission": 0}


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="19-no-jackpot-authorised"),
        pytest.param({"jackpot": None}, id="19-jackpot-empty"),
        pytest.param({"jackpot": {"accumulated": 5}}, id="13-1-4-3-no-modality"),
        pytest.param({"jackpot": {"modality": "D"}}, id="13-1-4-3-no-such-modality"),
        pytest.param({"jackpot": {"modality": ["A", "B"]}}, id="13-1-4-3-two-modalities"),
    ],
)
def test_a_jackpot_that_was_not_authorised_is_refused(bacara, options):
    found = bacara.settle(options, ROYAL, bets_of("ana"))

    assert found[0]["result"] == "lose"
    assert found[1] == {"result": "refused", "prize": 0, "commission": 0}


@pytest.mark.parametrize(
    ("main", "bettor"),
    [
        pytest.param(None, "ana", id="13-3-no-main-bet"),
        pytest.param({"bet": "player-pair", "stake": 5, "bettor": "ana"}, "ana", id="13-3-pair"),
        pytest.param({"bet": "seven-dragon", "stake": 5, "bettor": "ana"}, "ana", id="13-3-dragon"),
        pytest.param({"bet": "player", "stake": 5, "bettor": "rui"}, "ana", id="13-3-of-another"),
        pytest.param({"bet": "player", "stake": 5}, None, id="17-5-bettor-unknown"),
        pytest.param({"bet": "player", "stake": 5}, "", id="17-5-bettor-without-a-name"),
    ],
)
def test_a_jackpot_bet_needs_a_main_bet_and_a_known_bettor(bacara, main, bettor):
    bets = [{"bet": "jackpot", "stake": 50, "bettor": bettor}]
    if main:
        bets.append(main)

    assert bacara.settle(jackpot("A"), ROYAL, bets)[0]["result"] == "refused"


def test_a_refused_jackpot_bet_takes_no_share(bacara):
    bets = [*bets_of("ana"), {"bet": "jackpot", "stake": 50, "bettor": "rui"}]

    found = bacara.settle(jackpot("A"), ROYAL, bets)

    assert [(answer["result"], answer["prize"]) for answer in found[1:]] == [
        ("win", 1_000_000),
        ("refused", 0),
    ]


def test_an_unnamed_main_bet_carries_the_jackpot_bet_of_anyone(bacara):
    bets = [{"bet": "tie", "stake": 5}, *bets_of("ana", "rui")[2:]]

    found = bacara.settle(jackpot("A"), ROYAL, bets)

    assert [answer["prize"] for answer in found[1:]] == [500_000, 500_000]


@pytest.mark.parametrize(
    ("modality", "missing", "player", "banker"),
    [
        pytest.param("A", "accumulated", "AH QH 10H", "KH JH", id="17-5-a-pool"),
        pytest.param("A", "fixed", "8H 8S", "8D 3C", id="17-7-fixed"),
        pytest.param("B", "accumulated", "2H 2S 2D", "2C 2H 2S", id="17-5-b-pool"),
        pytest.param("C", "percentage", "2H 2S 2D", "2C 2H 2S", id="17-10-percentage"),
        pytest.param("C", "fixed", "7H 7S 7C", "7D 7H 2C", id="17-11-five-alike-amount"),
    ],
)
def test_17_12_a_prize_that_was_not_declared_is_an_error(bacara, modality, missing, player, banker):
    options = jackpot(modality)
    del options["jackpot"][missing]
    outcome = {"player": player.split(), "banker": banker.split()}

    with pytest.raises(ValueError, match="options"):
        bacara.settle(options, outcome, bets_of("ana"))


@pytest.mark.parametrize("percentage", [[3, 2], [-1, 2], [1, 0], 5, "5%", [1.0, 20]])
def test_17_10_a_percentage_is_a_part_of_the_pool(bacara, percentage):
    outcome = {"player": ["2H", "2S", "2D"], "banker": ["2C", "2H", "2S"]}

    with pytest.raises(ValueError, match="percentage"):
        bacara.settle(jackpot("C", percentage=percentage), outcome, bets_of("ana"))


@pytest.mark.parametrize("amount", [1.5, "200", -1, True, None])
def test_17_8_a_fixed_amount_is_whole(bacara, amount):
    outcome = {"player": ["5H", "5S", "5C"], "banker": ["9D", "7C"]}

    with pytest.raises(ValueError, match="three-alike"):
        bacara.settle(jackpot("B", fixed={"three-alike": amount}), outcome, bets_of("ana"))
