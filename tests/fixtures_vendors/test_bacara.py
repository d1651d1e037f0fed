"""Bacará against Despacho 2/2009: bets, prizes and commission.

Every expected value is worked out from articles 13, 17 and 18.
"""

import itertools

import pytest

WIN, LOSE, PUSH, REFUSED = "win", "lose", "push", "refused"
REGIMES = ("five-percent", "half-on-six", "dragon-push")

NINE_TO_NINE = (["9C", "KD"], ["9H", "QS"])
PLAYER_EIGHT_TO_SEVEN = (["10H", "8S"], ["9C", "8D"])
BANKER_SEVEN_IN_TWO = (["10H", "6S"], ["9C", "8D"])
BANKER_SEVEN_IN_THREE = (["2H", "3S", "KD"], ["10H", "2D", "5S"])
BANKER_SIX_IN_TWO = (["7H", "8S", "10D"], ["6C", "10H"])
BANKER_SIX_IN_THREE = (["2H", "3S", "KD"], ["10H", "2D", "4S"])
BANKER_FIVE = (["2H", "2S", "KD"], ["10H", "2D", "3S"])
BANKER_EIGHT_IN_THREE = (["2H", "3S", "KD"], ["10H", "3D", "5S"])


@pytest.fixture
def bacara(vendor):
    return vendor("bacara")


@pytest.fixture
def settle(bacara):
    def settle(hands, *bets, commission="five-percent", **options):
        """Answer (result, prize, commission) for each bet, written name, stake."""
        player, banker = hands
        written = [{"bet": name, "stake": stake} for name, stake in bets]
        answers = bacara.settle(
            {"commission": commission, **options}, {"player": player, "banker": banker}, written
        )
        return [
            tuple(answer[key] for key in ("result", "prize", "commission")) for answer in answers
        ]

    return settle


@pytest.mark.parametrize("commission", REGIMES)
@pytest.mark.parametrize(
    ("hands", "player"),
    [
        pytest.param(PLAYER_EIGHT_TO_SEVEN, (WIN, 100, 0), id="17-1-player-wins-one-to-one"),
        pytest.param(BANKER_SEVEN_IN_TWO, (LOSE, 0, 0), id="17-1-player-loses"),
        pytest.param(BANKER_SEVEN_IN_THREE, (LOSE, 0, 0), id="18-3-player-loses-to-the-dragon"),
        pytest.param(NINE_TO_NINE, (PUSH, 0, 0), id="17-1-player-returned-on-a-tie"),
    ],
)
def test_the_player_bet(settle, hands, player, commission):
    assert settle(hands, ("player", 100), commission=commission) == [player]


@pytest.mark.parametrize(
    ("hands", "five_percent", "half_on_six", "dragon_push"),
    [
        pytest.param(
            BANKER_FIVE, (WIN, 100, 5), (WIN, 100, 0), (WIN, 100, 0), id="five-one-below-six"
        ),
        pytest.param(
            BANKER_SIX_IN_TWO, (WIN, 100, 5), (WIN, 50, 0), (WIN, 100, 0), id="18-2-six-in-two"
        ),
        pytest.param(
            BANKER_SIX_IN_THREE, (WIN, 100, 5), (WIN, 50, 0), (WIN, 100, 0), id="18-2-six-in-three"
        ),
        pytest.param(
            BANKER_SEVEN_IN_TWO, (WIN, 100, 5), (WIN, 100, 0), (WIN, 100, 0), id="seven-in-two"
        ),
        pytest.param(
            BANKER_SEVEN_IN_THREE, (WIN, 100, 5), (WIN, 100, 0), (PUSH, 0, 0), id="18-3-dragon"
        ),
        pytest.param(
            BANKER_EIGHT_IN_THREE, (WIN, 100, 5), (WIN, 100, 0), (WIN, 100, 0), id="eight-in-three"
        ),
        pytest.param(
            PLAYER_EIGHT_TO_SEVEN, (LOSE, 0, 0), (LOSE, 0, 0), (LOSE, 0, 0), id="banker-loses"
        ),
        pytest.param(
            (["9H", "KD"], ["10H", "2D", "5S"]),
            (LOSE, 0, 0),
            (LOSE, 0, 0),
            (LOSE, 0, 0),
            id="13-1-4-2-a-losing-seven-in-three-is-no-dragon",
        ),
        pytest.param(
            (["KH", "QD", "7C"], ["10H", "2D", "5S"]),
            (PUSH, 0, 0),
            (PUSH, 0, 0),
            (PUSH, 0, 0),
            id="13-1-4-2-a-tied-seven-in-three-is-no-dragon",
        ),
        pytest.param(
            (["KH", "6D"], ["10H", "6C"]),
            (PUSH, 0, 0),
            (PUSH, 0, 0),
            (PUSH, 0, 0),
            id="18-2-a-tied-six-is-no-win",
        ),
    ],
)
def test_the_banker_bet_under_18_1_18_2_and_18_3(
    settle, hands, five_percent, half_on_six, dragon_push
):
    found = [settle(hands, ("banker", 100), commission=regime)[0] for regime in REGIMES]

    assert found == [five_percent, half_on_six, dragon_push]


@pytest.mark.parametrize(
    ("stake", "commission"),
    [(1, 0), (19, 0), (20, 1), (21, 1), (30, 1), (39, 1), (40, 2), (1000, 50)],
)
def test_18_1_the_commission_is_five_per_cent_rounded_down(settle, stake, commission):
    assert settle(BANKER_SEVEN_IN_TWO, ("banker", stake)) == [(WIN, stake, commission)]


def test_18_1_the_commission_falls_on_each_banker_bet_alone(settle):
    found = settle(BANKER_SEVEN_IN_TWO, ("banker", 30), ("banker", 30), ("player", 400))

    assert found == [(WIN, 30, 1), (WIN, 30, 1), (LOSE, 0, 0)]


@pytest.mark.parametrize(("stake", "prize"), [(1, 1), (2, 1), (24, 12), (25, 13), (26, 13)])
def test_18_2_the_half_prize_is_rounded_up(settle, stake, prize):
    found = settle(BANKER_SIX_IN_TWO, ("banker", stake), commission="half-on-six")

    assert found == [(WIN, prize, 0)]


def test_18_1_is_the_rule_where_no_regime_is_named(bacara):
    player, banker = BANKER_SEVEN_IN_TWO

    found = bacara.settle(
        {}, {"player": player, "banker": banker}, [{"bet": "banker", "stake": 100}]
    )

    assert found == [{"result": "win", "prize": 100, "commission": 5}]


@pytest.mark.parametrize("commission", REGIMES)
@pytest.mark.parametrize(
    ("hands", "tie"),
    [
        pytest.param(NINE_TO_NINE, (WIN, 80, 0), id="17-2-eight-to-one"),
        pytest.param((["KH", "QD", "JC"], ["10H", "KS", "10S"]), (WIN, 80, 0), id="zero-to-zero"),
        pytest.param((["KH", "6D"], ["2H", "2D", "2S"]), (WIN, 80, 0), id="two-cards-to-three"),
        pytest.param(PLAYER_EIGHT_TO_SEVEN, (LOSE, 0, 0), id="one-point-above"),
        pytest.param(BANKER_SEVEN_IN_TWO, (LOSE, 0, 0), id="one-point-below"),
        pytest.param(BANKER_SEVEN_IN_THREE, (LOSE, 0, 0), id="18-3-tie-loses-to-the-dragon"),
    ],
)
def test_the_tie_bet(settle, hands, tie, commission):
    assert settle(hands, ("tie", 10), commission=commission) == [tie]


@pytest.mark.parametrize(
    ("player", "banker", "player_pair", "banker_pair"),
    [
        pytest.param(["9C", "9D"], ["2H", "4S"], WIN, LOSE, id="own-hand-player"),
        pytest.param(["2H", "7S"], ["4C", "4D"], LOSE, WIN, id="own-hand-banker"),
        pytest.param(["JC", "JD"], ["JH", "QS"], WIN, LOSE, id="jack-and-queen-are-no-pair"),
        pytest.param(["10C", "KD"], ["KH", "QS"], LOSE, LOSE, id="ten-and-king-are-no-pair"),
        pytest.param(["AC", "AC"], ["3H", "3H"], WIN, WIN, id="same-suit-is-a-pair"),
        pytest.param(["2C", "3D", "3H"], ["4H", "KS", "4D"], LOSE, LOSE, id="third-card-no-pair"),
        pytest.param(["2C", "2D", "KH"], ["4H", "KS"], WIN, LOSE, id="pair-before-a-third-card"),
    ],
)
def test_13_1_4_1_a_pair_pays_eleven_to_one(settle, player, banker, player_pair, banker_pair):
    prize = {WIN: 1100, LOSE: 0}

    found = settle((player, banker), ("tie", 1), ("player-pair", 100), ("banker-pair", 100))

    assert found[1:] == [
        (player_pair, prize[player_pair], 0),
        (banker_pair, prize[banker_pair], 0),
    ]


@pytest.mark.parametrize("commission", REGIMES)
@pytest.mark.parametrize(
    ("hands", "dragon"),
    [
        pytest.param(BANKER_SEVEN_IN_THREE, (WIN, 400, 0), id="forty-to-one-without-commission"),
        pytest.param(BANKER_SEVEN_IN_TWO, (LOSE, 0, 0), id="seven-without-an-additional-card"),
        pytest.param(BANKER_SIX_IN_THREE, (LOSE, 0, 0), id="six-in-three"),
        pytest.param(BANKER_EIGHT_IN_THREE, (LOSE, 0, 0), id="eight-in-three"),
        pytest.param((["KH", "QD", "7C"], ["10H", "2D", "5S"]), (LOSE, 0, 0), id="tied-seven"),
        pytest.param((["9H", "KD"], ["10H", "2D", "5S"]), (LOSE, 0, 0), id="losing-seven"),
        pytest.param((["2H", "2D", "3S"], ["KH", "6S"]), (LOSE, 0, 0), id="seven-of-the-player"),
    ],
)
def test_17_4_seven_dragon(settle, hands, dragon, commission):
    found = settle(hands, ("banker", 100), ("seven-dragon", 10), commission=commission)

    assert found[1] == dragon


@pytest.mark.parametrize(
    "bet",
    [
        pytest.param({"bet": "lucky-six", "stake": 10}, id="13-1-unknown-bet"),
        pytest.param({"bet": "jackpot-a", "stake": 10}, id="13-1-unknown-jackpot-name"),
        pytest.param({"bet": "Player", "stake": 10}, id="13-1-other-spelling"),
        pytest.param({"bet": ["player"], "stake": 10}, id="13-1-name-that-is-no-text"),
        pytest.param({"stake": 10}, id="13-1-no-name"),
        pytest.param({"bet": "player"}, id="no-stake"),
        pytest.param({"bet": "player", "stake": 0}, id="stake-of-nothing"),
        pytest.param({"bet": "player", "stake": -10}, id="stake-below-nothing"),
        pytest.param({"bet": "player", "stake": 1.0}, id="stake-not-whole"),
        pytest.param({"bet": "player", "stake": True}, id="stake-that-is-no-number"),
        pytest.param({"bet": "player", "stake": 10, "bettor": ""}, id="bettor-without-a-name"),
        pytest.param({"bet": "player", "stake": 10, "bettor": ["a"]}, id="bettor-that-is-no-text"),
    ],
)
def test_an_unlawful_bet_is_refused_and_the_others_are_settled(bacara, bet):
    player, banker = PLAYER_EIGHT_TO_SEVEN
    lawful = {"bet": "player", "stake": 100}

    found = bacara.settle({}, {"player": player, "banker": banker}, [lawful, bet, lawful])

    assert [answer["result"] for answer in found] == [WIN, REFUSED, WIN]
    assert found[1] == {"result": "refused", "prize": 0, "commission": 0}


@pytest.mark.parametrize("added", ["player-pair", "banker-pair", "seven-dragon"])
@pytest.mark.parametrize(
    ("others", "taken"),
    [
        pytest.param([], False, id="alone"),
        pytest.param([{"bet": "player-pair", "stake": 5}], False, id="beside-another-added-bet"),
        pytest.param([{"bet": "player", "stake": 0}], False, id="beside-a-refused-main-bet"),
        pytest.param([{"bet": "player", "stake": 5}], True, id="beside-player"),
        pytest.param([{"bet": "banker", "stake": 5}], True, id="beside-banker"),
        pytest.param([{"bet": "tie", "stake": 5}], True, id="beside-tie"),
    ],
)
def test_13_1_4_an_added_bet_needs_a_main_bet(bacara, added, others, taken):
    player, banker = PLAYER_EIGHT_TO_SEVEN

    found = bacara.settle(
        {}, {"player": player, "banker": banker}, [{"bet": added, "stake": 10}, *others]
    )

    assert found[0]["result"] == (LOSE if taken else REFUSED)


@pytest.mark.parametrize(
    ("main", "added", "taken"),
    [
        pytest.param("ana", "ana", True, id="same-person"),
        pytest.param("ana", "rui", False, id="another-person"),
        pytest.param(None, "rui", True, id="main-bet-unnamed"),
        pytest.param("ana", None, True, id="added-bet-unnamed"),
    ],
)
def test_13_1_4_the_main_bet_is_of_the_same_person(bacara, main, added, taken):
    player, banker = PLAYER_EIGHT_TO_SEVEN
    bets = [
        {"bet": "player", "stake": 10, "bettor": main},
        {"bet": "banker-pair", "stake": 10, "bettor": added},
    ]

    found = bacara.settle({}, {"player": player, "banker": banker}, bets)

    assert found[1]["result"] == (LOSE if taken else REFUSED)


def test_13_1_one_person_may_bet_on_both_sides(settle):
    found = settle(PLAYER_EIGHT_TO_SEVEN, ("player", 100), ("banker", 300))

    assert found == [(WIN, 100, 0), (LOSE, 0, 0)]


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        pytest.param({"player": ["9C"], "banker": ["9H", "QS"]}, "player", id="one-card"),
        pytest.param({"player": ["9C", "KD"], "banker": ["2H"] * 4}, "banker", id="four-cards"),
        pytest.param({"player": ["9C", "KD"], "banker": []}, "banker", id="no-card"),
        pytest.param({"player": ["9C", "KD"]}, "banker", id="no-hand"),
        pytest.param(
            {"player": ["9C", "1D"], "banker": ["9H", "QS"]}, "no card", id="no-such-rank"
        ),
        pytest.param(
            {"player": ["9C", "KX"], "banker": ["9H", "QS"]}, "no card", id="no-such-suit"
        ),
        pytest.param({"player": ["9C", ["KD"]], "banker": ["9H", "QS"]}, "no card", id="no-text"),
        pytest.param({"player": "9C", "banker": ["9H", "QS"]}, "player", id="hand-as-text"),
    ],
)
def test_an_impossible_outcome_is_an_error(bacara, outcome, says):
    with pytest.raises(ValueError, match=says):
        bacara.settle({}, outcome, [{"bet": "player", "stake": 1}])


def test_18_an_unknown_commission_regime_is_an_error(settle):
    with pytest.raises(ValueError, match="commission regime"):
        settle(NINE_TO_NINE, ("banker", 1), commission="four-percent")


def test_the_same_card_may_come_six_times(settle):
    assert settle((["2H"] * 3, ["2H"] * 3), ("tie", 1)) == [(WIN, 8, 0)]


def test_every_pair_of_totals_decides_the_main_bets_as_17_1_and_17_2_say(settle):
    of_total = ["10", "A", "2", "3", "4", "5", "6", "7", "8", "9"]
    for ours, theirs in itertools.product(range(10), repeat=2):
        hands = (["K" + "H", of_total[ours] + "S"], ["Q" + "D", of_total[theirs] + "C"])

        found = [result for result, _, _ in settle(hands, ("player", 1), ("banker", 1), ("tie", 1))]

        if ours == theirs:
            assert found == [PUSH, PUSH, WIN]
        else:
            assert found == [WIN if ours > theirs else LOSE, WIN if ours < theirs else LOSE, LOSE]


def test_13_1_4_1_of_all_2704_first_two_cards_208_are_a_pair(bacara, settle):
    hands = itertools.product(bacara.POINTS, repeat=2)

    pairs = sum(
        settle((list(two), ["2H", "3S"]), ("tie", 1), ("player-pair", 1))[1][0] == WIN
        for two in hands
    )

    assert pairs == 13 * 4 * 4
