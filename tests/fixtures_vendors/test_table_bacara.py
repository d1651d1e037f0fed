"""The live table of bacará: every round is lawful, and pays what `settle` pays.

What a bet is paid is worked out from articles 13, 17 and 18 of Despacho 2/2009.
"""

import pytest
from tests.fixtures_vendors import card_rounds

ALL = {"offered": ["player-pair", "banker-pair", "seven-dragon", "jackpot"]}
JACKPOT = {"modality": "A", "accumulated": 1_000_000, "fixed": {"single-pair": 5000}}
SET_STAKE = {"jackpot_stake": 50, "jackpot_stake_declared": True}
REGIMES = ("five-percent", "half-on-six", "dragon-push")
BANKER_SIX = {"player": ["10H", "7S"], "banker": ["10C", "6D"]}
BANKER_SIX_WINS = {"player": ["2H", "3S", "KD"], "banker": ["10H", "2D", "4S"]}
BANKER_FIVE = {"player": ["2H", "2S", "KD"], "banker": ["10H", "2D", "3S"]}
SEVEN_DRAGON = {"player": ["2H", "3S", "KD"], "banker": ["10H", "2D", "5S"]}
TIE = {"player": ["9C", "KD"], "banker": ["9H", "QS"]}
PAIRS = {"player": ["4C", "4D"], "banker": ["9H", "QS"]}


@pytest.fixture(scope="module")
def sit(law):
    return card_rounds.opener(law, "bacara")


def bet(ticket, name, stake=100, player="ana", **fields):
    return {"ticket": ticket, "player": player, "bet": name, "stake": stake, **fields}


def jackpot(ticket, player="ana", stake=50, modality="A"):
    return bet(ticket, "jackpot", stake, player, modality=modality)


def begun(play):
    play.happen("take-seat", player="ana", seat="1", position="at-the-table")
    play.go_on()
    return play


def test_a_round_has_its_steps_in_their_order(sit):
    play = begun(sit())
    play.do("force", outcome=SEVEN_DRAGON)
    play.ask("place-bet", **bet("a", "banker"))

    play.go_on()

    assert play.names() == [
        *("take-seat", "start-round", "place-bet"),
        *["deal-card"] * 6,
        *("pay-prize", "end-round"),
    ]
    assert (play.breaches(), play.lacks()) == ([], [])


@pytest.mark.parametrize(
    ("regime", "outcome", "settled", "taken"),
    [
        ("five-percent", BANKER_FIVE, ("win", 100, 5, 100), "deducted"),
        ("five-percent", SEVEN_DRAGON, ("win", 100, 5, 100), "deducted"),
        ("half-on-six", BANKER_FIVE, ("win", 100, 0, 100), "none"),
        ("half-on-six", BANKER_SIX_WINS, ("win", 50, 0, 100), "none"),
        ("dragon-push", BANKER_SIX_WINS, ("win", 100, 0, 100), "none"),
        ("dragon-push", SEVEN_DRAGON, ("push", 0, 0, 100), None),
        ("five-percent", TIE, ("push", 0, 0, 100), None),
        ("five-percent", BANKER_SIX, ("lose", 0, 0, 0), None),
    ],
)
def test_a_bet_on_the_banker_is_paid_by_the_regime_of_the_table(
    sit, regime, outcome, settled, taken
):
    play = begun(sit({"commission": regime}))
    play.do("force", outcome=outcome)
    play.ask("place-bet", **bet("a", "banker"))

    result = play.go_on()

    payments = [one for one in result["events"] if one["event"] == "pay-prize"]
    assert result["outcome"] == outcome
    assert card_rounds.paid(result["settlements"]) == {"a": settled}
    assert [one["taken"] for one in payments] == ([] if taken is None else [taken])
    assert (play.breaches(), play.lacks()) == ([], [])


def test_every_bet_of_a_round_is_settled_in_its_order(sit):
    play = begun(sit(ALL | {"jackpot": JACKPOT}))
    play.do("force", outcome=PAIRS)
    for placed in (
        bet("p", "player"),
        bet("b", "banker", player="rui"),
        bet("t", "tie", 10),
        bet("pp", "player-pair", 10),
        bet("bp", "banker-pair", 10),
        bet("d", "seven-dragon", 10),
        jackpot("j"),
    ):
        assert play.ask("place-bet", **placed)

    result = play.go_on()

    # 8 points against 9; 17/3 pays a pair 11 to 1, and 17/7 a fixed amount for a single pair.
    assert card_rounds.paid(result["settlements"]) == {
        "p": ("lose", 0, 0, 0),
        "b": ("win", 100, 5, 100),
        "t": ("lose", 0, 0, 0),
        "pp": ("win", 110, 0, 10),
        "bp": ("lose", 0, 0, 0),
        "d": ("lose", 0, 0, 0),
        "j": ("win", 5000, 0, 50),
    }
    assert [one["ticket"] for one in result["events"] if one["event"] == "pay-prize"] == [
        *("b", "pp", "j"),
    ]
    assert (play.breaches(), play.lacks()) == ([], [])


def test_the_jackpot_is_shared_by_those_who_bet_on_it(sit):
    play = begun(sit(ALL | {"jackpot": JACKPOT}))
    play.happen("take-seat", player="rui", seat="2")
    play.do("force", outcome=PAIRS)
    for player in ("ana", "rui"):
        play.ask("place-bet", **bet(f"b-{player}", "banker", player=player))
        play.ask("place-bet", **jackpot(f"j-{player}", player))

    settlements = card_rounds.paid(play.go_on()["settlements"])

    assert settlements["j-ana"] == settlements["j-rui"] == ("win", 2500, 0, 50)


def test_third_cards_come_by_the_drawing_rule(sit):
    play = begun(sit())

    for _ in range(60):
        hands = play.go_on("end-round")["outcome"]
        dealt = play.log[-2::-1]
        count = next(at for at, one in enumerate(dealt) if one["event"] != "deal-card")
        assert count == len(hands["player"]) + len(hands["banker"])
        totals = {
            who: sum(
                min(10, "A23456789".index(card[0]) + 1) if card[0] in "A23456789" else 0
                for card in cards[:2]
            )
            % 10
            for who, cards in hands.items()
        }
        if max(totals.values()) >= 8:
            assert count == 4
        else:
            assert (len(hands["player"]) == 3) is (totals["player"] <= 5)
    assert play.breaches() == []


@pytest.mark.parametrize(
    "outcome",
    [
        {"player": ["2H", "3S"], "banker": ["10H", "7D"]},
        {"player": ["9H", "KS", "2D"], "banker": ["10H", "7D"]},
        {"player": ["9H"], "banker": ["10H", "7D"]},
        {"player": ["9H", "1S"], "banker": ["10H", "7D"]},
        {"player": ["9H", "KS"]},
    ],
)
def test_what_the_cards_cannot_show_is_not_forced(sit, outcome):
    with pytest.raises(Exception, match="force") as error:
        sit().do("force", outcome=outcome)

    assert error.value.code in {-32602, -32002}


@pytest.mark.parametrize(
    "options",
    [{"commission": "none"}, {"offered": ["player"]}, {"offered": "jackpot"}, {"packs": 8}],
)
def test_a_table_that_the_law_does_not_know_is_not_opened(sit, options):
    with pytest.raises(Exception, match="options") as error:
        type(sit().table)(options, card_rounds.repeatable(1))

    assert error.value.code == -32602


# Bets.


def test_bets_are_taken_from_the_beginning_of_the_round_to_the_first_card(sit):
    play = sit()
    assert not play.ask("place-bet", **bet("x", "player"))
    play.go_on()
    assert play.ask("place-bet", **bet("a", "player"))
    assert play.ask("place-bet", **bet("b", "banker"))
    play.go_on("deal-card")
    assert not play.ask("place-bet", **bet("y", "player"))
    play.go_on()
    assert not play.ask("place-bet", **bet("z", "player"))
    assert (play.breaches(), play.lacks()) == ([], [])


def test_additional_bets_stand_beside_a_main_bet_of_the_same_player(sit):
    play = begun(sit(ALL))
    play.ask("place-bet", **bet("r", "tie", player="rui"))

    for name in ("player-pair", "banker-pair", "seven-dragon"):
        assert not play.ask("place-bet", **bet(f"x-{name}", name))
    assert not play.ask("place-bet", **jackpot("x"))
    play.ask("place-bet", **bet("a", "player"))
    for name in ("player-pair", "banker-pair", "seven-dragon"):
        assert play.ask("place-bet", **bet(name, name))
    assert play.ask("place-bet", **jackpot("j"))
    play.go_on()
    play.go_on()
    assert not play.ask("place-bet", **bet("y", "banker-pair"))
    assert play.breaches() == []


def test_additional_bets_that_the_table_does_not_offer_are_refused(sit):
    play = begun(sit({"offered": ["player-pair"]}))
    play.ask("place-bet", **bet("a", "player"))

    assert play.ask("place-bet", **bet("b", "player-pair"))
    assert not play.ask("place-bet", **bet("c", "banker-pair"))
    assert not play.ask("place-bet", **jackpot("j"))


def test_the_jackpot_is_for_those_who_have_a_seat(sit):
    play = begun(sit(ALL))
    play.happen("take-seat", player="eva", seat="2", position="terminal")
    for player in ("ana", "rui", "eva"):
        play.ask("place-bet", **bet(f"m-{player}", "player", player=player))

    assert play.ask("place-bet", **jackpot("j1"))
    assert play.ask("place-bet", **jackpot("j2", "eva"))
    assert not play.ask("place-bet", **jackpot("j3", "rui"))
    play.happen("leave-seat", player="eva", seat="2")
    assert not play.ask("place-bet", **jackpot("j4", "eva"))
    assert play.breaches() == []


def test_a_table_has_one_modality_of_jackpot(sit):
    play = begun(sit(ALL))
    play.ask("place-bet", **bet("a", "player"))

    assert play.ask("place-bet", **jackpot("j1", modality="B"))
    assert not play.ask("place-bet", **jackpot("j2", modality="A"))
    play.go_on()
    play.go_on()
    play.ask("place-bet", **bet("b", "player"))
    assert not play.ask("place-bet", **jackpot("j3", modality="C"))
    assert play.ask("place-bet", **jackpot("j4", modality="B"))
    assert play.breaches() == []


@pytest.mark.parametrize(("stake", "accepted"), [(49, False), (50, True), (51, False)])
def test_a_declared_jackpot_stake_is_the_only_one(sit, stake, accepted):
    play = begun(sit(ALL | SET_STAKE))
    play.ask("place-bet", **bet("a", "player"))

    assert play.ask("place-bet", **jackpot("j", stake=stake)) is accepted


@pytest.mark.parametrize("regime", REGIMES)
def test_the_regime_is_that_of_the_table(sit, regime):
    play = begun(sit({"commission": regime}))
    other = next(one for one in REGIMES if one != regime)

    assert not play.ask("place-bet", **bet("x", "banker", regime=other))
    assert play.ask("place-bet", **bet("a", "banker"))
    assert play.ask("place-bet", **bet("b", "banker", regime=regime))
    assert not play.ask("place-bet", **bet("y", "banker", regime=other))
    assert play.ask("place-bet", **bet("c", "player"))
    assert play.breaches() == []


@pytest.mark.parametrize(
    "placed",
    [bet("x", "player", 0), bet("x", "player", "100"), bet("x", "panda"), bet("x", "tie", -1)],
)
def test_what_is_no_bet_of_this_table_is_refused(sit, placed):
    assert begun(sit(ALL)).table.act({"act": "place-bet", **placed})["answer"] == "refused"


@pytest.mark.parametrize(
    "act",
    [
        {"act": "withdraw-bet", "ticket": "a"},
        {"act": "place-bet", "ticket": "a"},
        {"act": "place-bet", **bet("a", "player"), "colour": "red"},
        {"act": "place-bet", **bet("a", "player"), "bettor": "rui"},
        {"act": "place-bet", **bet("a", ["player"])},
        {"act": "happen", "event": {"event": "take-seat", "player": "rui"}},
    ],
)
def test_an_act_that_is_not_written_as_it_should_is_an_error(sit, act):
    with pytest.raises(Exception, match=r".") as error:
        begun(sit()).table.act(act)

    assert error.value.code == -32602


def test_a_seat_has_one_player_and_nobody_leaves_the_seat_of_another(sit):
    play = begun(sit())

    assert play.happen("take-seat", player="rui", seat="1")["answer"] == "refused"
    assert play.happen("take-seat", player="ana", seat="2")["answer"] == "refused"
    assert play.happen("leave-seat", player="rui", seat="1")["answer"] == "refused"
    assert play.happen("deal-error")["answer"] == "refused"


def test_a_table_that_closes_plays_the_stakes_that_lie_on_it(sit):
    play = begun(sit())
    assert play.table.close() == []
    play.ask("place-bet", **bet("a", "player"))

    play.log += play.table.close()

    assert play.names()[-1] == "end-round"
    assert (play.breaches(), play.lacks()) == ([], [])


# Many rounds by chance.

CHOICES = [
    {},
    ALL,
    ALL | SET_STAKE | {"commission": "half-on-six"},
    ALL | {"commission": "dragon-push", "jackpot": JACKPOT | {"fixed": dict.fromkeys((
        *("paradise-straight", "four-of-a-kind", "double-pairs"),
        *("three-of-a-kind", "single-pair"),
    ), 5000)}},
]  # fmt: skip
NAMES = ["player", "banker", "tie", "player-pair", "banker-pair", "seven-dragon", "jackpot"]


def by_chance(sit, seed):
    chance = card_rounds.repeatable(seed)
    play = sit(CHOICES[seed % len(CHOICES)], seed)
    play.asks_first = seed % 5 == 0
    players = ["p1", "p2", "p3"]
    for number in range(60):
        move = chance.choice([*["bet"] * 7, "go-on", "until", "sit", "leave"])
        player = chance.choice(players)
        if move == "bet":
            placed = bet(f"k{number}", chance.choice(NAMES), chance.choice([50, 75]), player)
            if placed["bet"] == "jackpot":
                placed["modality"] = "A"
            if chance.random() < 0.5:
                placed["regime"] = chance.choice([play.table.regime, *REGIMES])
            if play.ask("place-bet", **placed):
                kept = {key: placed[key] for key in ("bet", "stake")}
                play.lying[placed["ticket"]] = kept | {"bettor": player}
        elif move in {"sit", "leave"}:
            name = "take-seat" if move == "sit" else "leave-seat"
            play.happen(name, player=player, seat=chance.choice("123"))
        else:
            pays(play, play.go_on("deal-card" if move == "until" else None))
    pays(play, play.go_on("end-round"))
    return play


def pays(play, result):
    """Hold the money of a round against `settle`."""
    if "outcome" in result:
        options = {"commission": play.table.regime, "jackpot": play.table.jackpot}
        assert card_rounds.paid(result.get("settlements", [])) == card_rounds.expected(
            play.settle, options, result["outcome"], play.lying
        )
        play.lying = {}


def check(sit, seeds):
    for seed in seeds:
        play = by_chance(sit, seed)

        won = [one["ticket"] for one in play.settled if one["result"] == "win"]
        assert [one["ticket"] for one in play.log if one["event"] == "pay-prize"] == won
        assert (seed, play.breaches(), play.lacks()) == (seed, [], [])


def test_whatever_people_do_the_rounds_are_lawful_and_paid_right(sit):
    check(sit, range(15))


@pytest.mark.full
@pytest.mark.parametrize("start", range(15, 415, 100))
def test_whatever_people_do_in_hundreds_of_scripts_the_rounds_are_lawful(sit, start):
    check(sit, range(start, start + 100))


def test_the_same_chance_gives_the_same_rounds(sit):
    assert by_chance(sit, 7).log == by_chance(sit, 7).log
