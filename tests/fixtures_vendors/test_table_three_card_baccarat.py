"""The live table of 3-card baccarat: every round is lawful, and pays what `settle` pays.

What a bet is paid is worked out from articles 9 and 10 of Portaria 22/96/M.
"""

import pytest
from tests.fixtures_vendors import card_rounds

SHOE = {"packs": 2, "device": "shoe"}
BOX = {"packs": 1, "device": "box"}
LIMITS = {"limits": "declared", "maximum": 500}
THREE_FIGURES = ["KS", "QS", "JS"]
ALSO_THREE_FIGURES = ["KH", "QH", "JH"]
NINE, FOUR = ["2H", "3C", "4D"], ["AS", "AH", "2D"]


@pytest.fixture(scope="module")
def sit(law):
    return card_rounds.opener(law, "three-card-baccarat")


def bet(ticket, name="beat-banker", stake=100, player="ana", **fields):
    if name in {"beat-banker", "tie"}:
        fields.setdefault("seat", "1")
    return {"ticket": ticket, "player": player, "bet": name, "stake": stake, **fields}


def withdrawal(ticket, name="beat-banker", player="ana", **fields):
    placed = bet(ticket, name, player=player, **fields)
    return {key: value for key, value in placed.items() if key != "stake"}


def seated(play, *, betting=True):
    play.happen("take-seat", player="ana", seat="1")
    play.happen("take-seat", player="rui", seat="2")
    if betting:
        play.go_on()
    return play


def shown(banker, **seats):
    return {
        "banker": banker,
        "seats": {name.removeprefix("s"): hand for name, hand in seats.items()},
    }


def tied(sit, options=SHOE):
    """Return a table after a round in which Ana's stake tied, and Rui's odd too."""
    play = seated(sit(options))
    play.do("force", outcome=shown(THREE_FIGURES, s1=ALSO_THREE_FIGURES))
    play.ask("place-bet", **bet("a"))
    play.ask("place-bet", **bet("t", "tie", 10))
    play.ask("place-bet", **bet("o", "odd", 50, player="rui"))
    play.go_on()
    return play


def test_a_round_in_a_box_has_the_steps_of_the_law_in_their_order(sit):
    play = seated(sit(BOX))
    play.ask("place-bet", **bet("a"))

    play.go_on()

    assert play.names() == [
        *("take-seat", "take-seat", "shuffle", "cut", "load", "burn-card", "start-round"),
        "place-bet",
        *["deal-card"] * 6,
        *("turn-card", "bet-decided"),
        *["pay-prize"] * ("pay-prize" in play.names()),
        *("end-round", "shuffle"),
    ]
    assert (play.breaches(), play.lacks()) == ([], [])


def test_a_shoe_has_a_second_white_card_and_a_card_removed_for_each_pack(sit):
    play = seated(sit({"packs": 8, "device": "shoe"}))

    assert play.names()[2:] == [
        *("shuffle", "cut", "insert-white-card", "load"),
        *["burn-card"] * 8,
        "start-round",
    ]
    assert play.breaches() == []


def test_cards_go_round_three_times_with_the_banker_last_and_only_third_ones_closed(sit):
    play = seated(sit(BOX))
    play.ask("place-bet", **bet("a", seat="1"))
    play.ask("place-bet", **bet("b", seat="5"))

    dealt = [event for event in play.go_on()["events"] if event["event"] == "deal-card"]

    seats = ["1", "5", "banker"]
    assert [(one["seat"], one["card"]) for one in dealt] == [
        (seat, card) for card in (1, 2, 3) for seat in seats
    ]
    assert [one["face"] for one in dealt] == ["up"] * 6 + ["down", "down", "up"]


def test_every_kind_of_bet_is_paid_by_articles_9_and_10(sit):
    play = seated(sit(BOX))
    play.do("force", outcome=shown(FOUR, s1=NINE, s2=["2S", "3S", "9S"]))
    for placed in (
        bet("a"),
        bet("b", seat="2", player="rui"),
        bet("c", "tie", 10, seat="2"),
        bet("d", "odd", 40),
        bet("e", "even", 40),
        bet("f", "three-figures", 10),
        bet("g", "points", 10, choice=4),
        bet("h", "points", 10, choice=5),
    ):
        assert play.ask("place-bet", **placed)

    result = play.go_on()

    assert result["outcome"] == shown(FOUR, s1=NINE, s2=["2S", "3S", "9S"])
    assert card_rounds.paid(result["settlements"]) == {
        "a": ("win", 100, 5, 100),
        "b": ("stands", 0, 0, 0),
        "c": ("win", 200, 0, 10),
        "d": ("lose", 0, 0, 0),
        "e": ("win", 40, 2, 40),
        "f": ("lose", 0, 0, 0),
        "g": ("win", 80, 0, 10),
        "h": ("lose", 0, 0, 0),
    }
    assert [one["ticket"] for one in result["events"] if one["event"] == "pay-prize"] == [
        *("c", "a", "e", "g"),
    ]
    assert (play.breaches(), play.lacks()) == ([], [])


def test_a_round_without_a_stake_against_the_banker_deals_to_the_banker_only(sit):
    play = seated(sit(BOX))
    play.ask("place-bet", **bet("a", "odd"))

    result = play.go_on()

    assert result["outcome"]["seats"] == {}
    assert len(result["outcome"]["banker"]) == 3
    assert (play.breaches(), play.lacks()) == ([], [])


def test_seats_that_are_not_named_get_other_cards_by_chance(sit):
    play = seated(sit(BOX))
    play.do("force", outcome=shown(FOUR, s1=NINE))
    play.ask("place-bet", **bet("a"))
    play.ask("place-bet", **bet("b", seat="2"))

    outcome = play.go_on()["outcome"]

    assert (outcome["banker"], outcome["seats"]["1"]) == (FOUR, NINE)
    assert len({*FOUR, *NINE, *outcome["seats"]["2"]}) == 9


@pytest.mark.parametrize(
    "outcome",
    [
        shown(FOUR, s1=FOUR),
        shown(["KS", "QS"]),
        shown(["KS", "QS", "1S"]),
        shown(FOUR, s8=NINE),
        {"croupier": FOUR},
    ],
)
def test_what_the_cards_cannot_show_is_not_forced(sit, outcome):
    with pytest.raises(Exception, match="force") as error:
        sit(BOX).do("force", outcome=outcome)

    assert error.value.code in {-32602, -32002}


@pytest.mark.parametrize(
    "options",
    [
        {"packs": 2, "device": "box"},
        {"packs": 1, "device": "shoe"},
        {"packs": 0},
        {"packs": True},
        {"decks": 1},
        {"device": "bag"},
    ],
)
def test_a_table_that_article_1_does_not_know_is_not_opened(sit, options):
    with pytest.raises(Exception, match="options") as error:
        sit(SHOE).table.__class__(options, None)

    assert error.value.code == -32602


# Cutting.


def test_the_banker_cuts_only_after_every_player_declined(sit):
    play = seated(sit(BOX), betting=False)
    play.happen("decline-cut", player="ana")
    play.happen("decline-cut", player="rui")

    play.go_on()

    assert play.names()[2:6] == ["shuffle", "decline-cut", "decline-cut", "cut"]
    assert play.log[5]["by"] == "banker"
    assert play.breaches() == []


def test_another_player_cuts_when_one_declines(sit):
    play = seated(sit(BOX), betting=False)
    play.happen("decline-cut", player="ana")

    play.go_on()

    assert play.names()[2:5] == ["shuffle", "decline-cut", "cut"]
    assert play.log[4]["by"] == "player"
    assert play.breaches() == []


def test_who_sits_down_after_the_shuffle_is_offered_the_cut(sit):
    play = sit(BOX)
    play.go_on("shuffle")
    play.happen("take-seat", player="ana", seat="1")
    play.happen("decline-cut", player="ana")

    play.go_on()

    assert play.names()[:4] == ["shuffle", "take-seat", "decline-cut", "cut"]
    assert play.breaches() == []


def test_who_declined_once_is_asked_again_at_the_next_cut(sit):
    play = seated(sit(BOX), betting=False)
    for _ in range(2):
        play.happen("decline-cut", player="ana")
        play.happen("decline-cut", player="rui")
        play.go_on()
        play.go_on("end-round")

    play.go_on("load")

    assert play.names().count("decline-cut") == 4
    assert [one["by"] for one in play.log if one["event"] == "cut"] == [
        *("banker", "banker", "player"),
    ]
    assert play.breaches() == []


def test_nobody_declines_for_an_empty_seat(sit):
    assert sit(BOX).happen("decline-cut", player="eva")["answer"] == "refused"


# Errors in dealing.


@pytest.mark.parametrize("options", [BOX, SHOE])
@pytest.mark.parametrize("what", ["order", "other"])
def test_an_error_that_can_be_corrected_is_corrected(sit, options, what):
    play = seated(sit(options))
    play.ask("place-bet", **bet("a"))
    play.go_on("deal-card")

    now = play.happen("deal-error", what=what, correctable=True)
    result = play.go_on()

    assert [one["event"] for one in now["events"]] == ["deal-error"]
    assert result["events"][0] == {"event": "correct-deal"}
    assert (play.breaches(), play.lacks()) == ([], [])


@pytest.mark.parametrize("options", [BOX, SHOE])
def test_an_error_beyond_repair_cancels_the_cards_and_frees_the_stakes(sit, options):
    play = seated(sit(options))
    play.do("force", outcome=shown(FOUR, s1=NINE))
    play.ask("place-bet", **bet("a"))
    play.ask("place-bet", **bet("b", "odd"))
    play.go_on("deal-card")
    play.happen("deal-error", what="order", correctable=False)
    assert not play.ask("place-bet", **bet("x"))

    cancelled = play.go_on()
    assert play.ask("withdraw-bet", **withdrawal("b", "odd"))
    assert play.ask("lower-stake", ticket="a", player="ana", to=60)
    assert play.ask("place-bet", **bet("c", seat="3"))
    result = play.go_on()

    burnt = ["burn-card"] if options is SHOE else []
    assert [one["event"] for one in cancelled["events"]] == ["cancel-cards", *burnt]
    # The outcome that was forced is the one that the round shows in the end.
    assert result["outcome"]["seats"]["1"] == NINE
    assert card_rounds.paid(result["settlements"])["a"] == ("win", 60, 3, 60)
    assert (play.breaches(), play.lacks()) == ([], [])


def test_another_error_that_cannot_be_corrected_stops_nothing(sit):
    play = seated(sit(SHOE))
    play.ask("place-bet", **bet("a"))
    play.go_on("deal-card")
    play.happen("deal-error", what="other", correctable=False)

    play.go_on()

    assert "cancel-cards" not in play.names()
    assert (play.breaches(), play.lacks()) == ([], [])


def test_an_error_waits_for_a_deal_in_which_the_cards_suffice_for_another(sit):
    play = seated(sit(BOX))
    for seat in "1234567":
        play.ask("place-bet", **bet(seat, seat=seat))
    play.go_on("turn-card")
    play.happen("deal-error", what="order", correctable=False)
    play.go_on()
    play.go_on("turn-card")

    # 52 cards, 1 removed and 24 dealt: 27 suffice once more, and 3 do not.
    play.happen("deal-error", what="order", correctable=False)
    play.go_on()

    assert play.names().count("cancel-cards") == 1
    assert (play.breaches(), play.lacks()) == ([], [])


# The end of a game.


@pytest.mark.parametrize("during", ["burning", "dealing"])
def test_after_the_white_card_the_round_is_played_and_the_cards_shuffled(sit, during):
    play = seated(sit(SHOE))
    play.go_on()
    play.happen("white-card-appears", during=during)

    play.go_on()
    play.ask("place-bet", **bet("a"))
    play.go_on()

    at = play.names().index("white-card-appears")
    assert play.log[at] == {"event": "white-card-appears", "during": during}
    assert play.names()[at + 1] == "remove-white-card"
    assert play.log[-1] == {"event": "shuffle", "by": "banker", "why": "white-card"}
    assert (play.breaches(), play.lacks()) == ([], [])
    play.go_on()
    assert play.names()[-6:] == [
        *("cut", "insert-white-card", "load", "burn-card", "burn-card", "start-round"),
    ]
    assert play.breaches() == []


def test_the_white_card_comes_by_itself_before_the_shoe_is_empty(sit):
    play = seated(sit(SHOE))
    for number in range(10):
        for seat in "1357":
            play.do("place-bet", **bet(f"{number}-{seat}", seat=seat))
        play.go_on()
        play.go_on()

    # Of 104 cards, 62 to 72 lie before the white card, after two that are removed; a round takes
    # 15 and, after the first, one more: the white card comes in the fourth or the fifth.
    assert play.names().count("white-card-appears") == 2
    assert play.names().count("end-round") == 10
    assert play.breaches() == []


def test_the_house_may_shuffle_after_any_round_and_bring_new_packs(sit):
    play = seated(sit(SHOE))
    play.happen("shuffle", by="banker", why="decision")
    play.go_on()
    play.go_on()
    play.happen("replace-cards")
    play.go_on()

    names = play.names()
    assert names.count("shuffle") == 3
    assert names[names.index("replace-cards") + 1] == "shuffle"
    assert (play.breaches(), play.lacks()) == ([], [])


def test_a_table_stopped_at_the_end_of_a_round_shuffles_before_the_next_or_before_it_closes(sit):
    play, closing = seated(sit(BOX)), seated(sit(BOX))

    play.go_on("end-round")
    play.go_on()
    closing.go_on("end-round")
    closing.log += closing.table.close()

    assert play.names()[-5:] == ["shuffle", "cut", "load", "burn-card", "start-round"]
    assert closing.names()[-2:] == ["end-round", "shuffle"]
    assert (play.breaches(), closing.breaches(), closing.lacks()) == ([], [], [])


def test_no_white_card_comes_out_of_a_box(sit):
    assert sit(BOX).happen("white-card-appears", during="dealing")["answer"] == "refused"


# Ties and held stakes.


def test_a_tie_holds_the_main_stake_and_three_figures_hold_odd_and_even(sit):
    play = tied(sit)

    assert card_rounds.paid(play.settled) == {
        "a": ("stands", 0, 0, 0),
        "t": ("win", 200, 0, 10),
        "o": ("stands", 0, 0, 0),
    }
    assert not play.ask("withdraw-bet", **withdrawal("a"))
    assert not play.ask("lower-stake", ticket="a", player="ana", to=99)
    assert not play.ask("move-stake", ticket="a", player="ana")
    assert not play.ask("withdraw-bet", **withdrawal("o", "odd", player="rui"))
    assert not play.ask("lower-stake", ticket="o", player="rui", to=49)
    assert not play.ask("move-stake", ticket="o", player="rui")
    assert play.ask("withdraw-bet", **withdrawal("t", "tie"))
    assert play.breaches() == []


@pytest.mark.parametrize("next_round", [False, True])
def test_a_held_stake_grows_and_what_was_added_may_be_taken_back(sit, next_round):
    play = tied(sit)
    if next_round:
        play.go_on()

    assert play.ask("raise-stake", ticket="a", player="ana", to=200)
    assert play.ask("raise-stake", ticket="o", player="rui", to=60)
    assert play.ask("lower-stake", ticket="a", player="ana", to=150)
    assert not play.ask("lower-stake", ticket="a", player="ana", to=99)
    play.do("force", outcome=shown(FOUR, s1=NINE))
    if not next_round:
        play.go_on()
    play.settled.clear()
    play.go_on()

    assert card_rounds.paid(play.settled) == {"a": ("win", 150, 7, 150), "o": ("lose", 0, 0, 0)}
    assert (play.breaches(), play.lacks()) == ([], [])


def test_a_second_tie_holds_all_that_was_in_play(sit):
    play = tied(sit)
    play.ask("raise-stake", ticket="a", player="ana", to=200)
    play.do("force", outcome=shown(THREE_FIGURES, s1=ALSO_THREE_FIGURES))
    play.go_on()
    play.go_on()

    assert not play.ask("lower-stake", ticket="a", player="ana", to=100)
    assert play.ask("lower-stake", ticket="a", player="ana", to=200)
    assert play.breaches() == []


def test_a_stake_held_in_a_box_is_played_in_the_next_game(sit):
    play = tied(sit, BOX)
    play.go_on()
    assert play.ask("place-bet", **bet("u", "tie", 10, player="rui"))

    result = play.go_on()

    assert {one["ticket"] for one in result["settlements"]} == {"a", "o", "u"}
    assert (play.breaches(), play.lacks()) == ([], [])


def test_a_player_may_leave_and_the_held_stake_plays_on(sit):
    play = tied(sit)

    assert play.ask("leave-seat", player="ana", seat="1")
    play.go_on()
    result = play.go_on()

    assert "a" in card_rounds.paid(result["settlements"])
    turned = [one for one in result["events"] if one["event"] == "turn-card"]
    assert turned == [{"event": "turn-card", "seat": "1", "by": "banker"}]
    assert (play.breaches(), play.lacks()) == ([], [])


def test_limits_bind_a_raise_after_a_tie(sit):
    play = tied(sit, SHOE | LIMITS)

    assert play.ask("raise-stake", ticket="a", player="ana", to=500)
    assert not play.ask("raise-stake", ticket="a", player="ana", to=501)
    assert play.breaches() == []


# Bets and seats.


def test_bets_are_taken_from_the_beginning_of_the_round_to_the_first_card(sit):
    play = seated(sit(SHOE), betting=False)
    assert not play.ask("place-bet", **bet("x"))
    play.go_on()
    assert play.ask("place-bet", **bet("a"))
    assert play.ask("raise-stake", ticket="a", player="ana", to=200)
    assert play.ask("lower-stake", ticket="a", player="ana", to=50)
    assert play.ask("place-bet", **bet("b", "even"))
    assert play.ask("withdraw-bet", **withdrawal("b", "even"))

    for step in ("deal-card", "turn-card", "bet-decided"):
        play.go_on(step)
        assert not play.ask("place-bet", **bet("y"))
        assert not play.ask("change-seat", player="ana")
    play.go_on()

    assert not play.ask("place-bet", **bet("z"))
    assert (play.breaches(), play.lacks()) == ([], [])


def test_after_the_first_card_stakes_stay_as_they_are(sit):
    play = seated(sit(SHOE))
    play.ask("place-bet", **bet("a"))
    play.go_on("deal-card")

    assert not play.ask("raise-stake", ticket="a", player="ana", to=200)
    assert not play.ask("lower-stake", ticket="a", player="ana", to=50)
    assert not play.ask("withdraw-bet", **withdrawal("a"))
    assert play.breaches() == []


def test_a_seated_player_bets_on_several_seats_and_others_on_one(sit):
    play = seated(sit(SHOE))

    assert play.ask("place-bet", **bet("a", seat="1"))
    assert play.ask("place-bet", **bet("b", seat="2"))
    assert play.ask("place-bet", **bet("c", seat="7"))
    assert play.ask("place-bet", **bet("d", seat="3", player="eva"))
    assert play.ask("place-bet", **bet("e", "tie", seat="3", player="eva"))
    assert not play.ask("place-bet", **bet("f", seat="4", player="eva"))
    assert play.ask("place-bet", **bet("g", "odd", player="eva"))
    play.go_on()

    assert (play.breaches(), play.lacks()) == ([], [])


def test_a_tie_needs_a_stake_against_the_banker_on_the_same_seat(sit):
    play = seated(sit(SHOE))

    assert not play.ask("place-bet", **bet("t", "tie", seat="2"))
    assert play.ask("place-bet", **bet("a", seat="2", player="rui"))
    assert play.ask("place-bet", **bet("u", "tie", seat="2"))
    assert play.breaches() == []


def test_a_tie_falls_with_the_last_stake_against_the_banker_on_its_seat(sit):
    play = seated(sit(SHOE))
    play.ask("place-bet", **bet("a"))
    play.ask("place-bet", **bet("t", "tie", 10))

    result = play.do("withdraw-bet", **withdrawal("a"))

    assert card_rounds.paid(result["settlements"]) == {"t": ("refused", 0, 0, 10)}
    assert not play.ask("place-bet", **bet("u", "tie"))
    assert not play.wrong


@pytest.mark.parametrize(
    "placed",
    [
        bet("x", stake=501),
        bet("x", "pairs"),
        bet("x", seat="8"),
        bet("x", seat="banker"),
        bet("x", "points"),
        bet("x", "points", choice=10),
    ],
)
def test_what_is_no_bet_of_this_table_is_refused(sit, placed):
    play = seated(sit(SHOE | LIMITS))

    assert not play.ask("place-bet", **placed)
    assert not play.wrong


@pytest.mark.parametrize("stake", [0, "100"])
def test_what_is_no_stake_is_refused(sit, stake):
    play = seated(sit(SHOE))

    assert play.table.act({"act": "place-bet", **bet("x", stake=stake)})["answer"] == "refused"


def test_nobody_takes_the_bank(sit):
    play = seated(sit(SHOE))

    assert not play.ask("take-bank", player="ana")


def test_a_player_changes_seats_between_rounds_only(sit):
    play = seated(sit(SHOE))
    assert play.ask("change-seat", player="ana")
    assert play.log[-1] == {"event": "take-seat", "player": "ana", "seat": "3"}
    play.ask("place-bet", **bet("a"))
    play.go_on("turn-card")

    assert not play.ask("change-seat", player="ana")
    play.go_on()
    assert play.ask("change-seat", player="ana")
    assert play.breaches() == []


def test_a_seat_has_one_player_and_a_player_one_seat(sit):
    play = seated(sit(SHOE))

    assert play.happen("take-seat", player="eva", seat="1")["answer"] == "refused"
    assert play.happen("take-seat", player="ana", seat="3")["answer"] == "refused"


# How the table goes on.


def test_until_stops_after_its_event_and_what_cannot_come_is_refused(sit):
    play = seated(sit(SHOE))
    play.ask("place-bet", **bet("a"))

    stopped = play.go_on("turn-card")
    before = list(play.log)
    refused = play.go_on("deal-card")

    assert stopped["events"][-1]["event"] == "turn-card"
    assert (refused["answer"], play.log) == ("refused", before)
    assert "outcome" in stopped
    play.go_on()
    assert (play.breaches(), play.lacks()) == ([], [])


def test_a_table_that_closes_plays_the_stakes_that_lie_on_it(sit):
    play = seated(sit(SHOE))
    play.ask("place-bet", **bet("a"))

    play.log += play.table.close()

    assert play.names()[-1] == "end-round"
    assert (play.breaches(), play.lacks()) == ([], [])
    assert play.table.close() == []


@pytest.mark.parametrize(
    "act",
    [
        {"act": "sing"},
        {"act": "place-bet", "ticket": "a"},
        {"act": "place-bet", **bet("a"), "colour": "red"},
        {"act": "withdraw-bet", **withdrawal("never")},
        {"act": "raise-stake", "ticket": "a", "player": "ana", "to": 1},
        {"act": "lower-stake", "ticket": "a", "player": "ana", "to": 0},
        {"act": "happen", "event": {"event": "take-seat", "player": "ana"}},
        {"act": "happen", "event": {"event": "deal-error", "what": "order", "correctable": 1}},
    ],
)
def test_an_act_that_is_not_written_as_it_should_is_an_error(sit, act):
    play = seated(sit(SHOE))
    play.do("place-bet", **bet("a"))

    with pytest.raises(Exception, match=r".") as error:
        play.table.act(act)

    assert error.value.code == -32602


# Many rounds by chance.


class Script:
    """Plays by chance what people could do, keeping its own count of the bets."""

    def __init__(self, play, chance):
        self.play, self.chance = play, chance
        self.players = {}
        self.count = 0
        self.declining = chance.random() < 0.5
        self.expected = {}

    def run(self, moves):
        self.seat("p0")
        for _ in range(moves):
            getattr(self, self.chance.choice(self.MOVES))()
        while not self.play.table.between_rounds():
            self.goes(self.play.go_on())
        self.play.log += self.play.table.close()

    MOVES = (
        *["bets"] * 8,
        *["goes_on"] * 4,
        *["goes_until"] * 3,
        *("sits", "leaves", "changes", "withdraws", "lowers", "raises", "moves", "banks"),
        *("declines", "errs", "whitens", "shuffles"),
    )

    def seat(self, player):
        free = [seat for seat in "1234567" if seat not in self.players.values()]
        if free and player not in self.players:
            seat = self.chance.choice(free)
            self.play.happen("take-seat", player=player, seat=seat)
            self.players[player] = seat

    def sits(self):
        self.seat(self.chance.choice(["p1", "p2", "p3"]))

    def leaves(self):
        gone = [player for player in self.players if player != "p0"]
        if gone:
            player = self.chance.choice(gone)
            self.play.ask("leave-seat", player=player, seat=self.players.pop(player))

    def declines(self):
        if self.declining:
            self.play.happen("decline-cut", player=self.chance.choice([*self.players]))

    def changes(self):
        player = self.chance.choice([*self.players])
        if self.play.ask("change-seat", player=player):
            self.players[player] = self.play.log[-1]["seat"]

    def banks(self):
        self.play.ask("take-bank", player="p1")

    def bets(self):
        self.count += 1
        name = self.chance.choice(
            [*["beat-banker"] * 3, "tie", "odd", "even", "three-figures", "points"]
        )
        player = self.chance.choice(["p0", "p1", "p2", "p3", "p4"])
        stake = self.chance.randint(1, 1000)
        placed = bet(f"k{self.count}", name, stake, player)
        if "seat" in placed:
            placed["seat"] = self.chance.choice("1234")
        if name == "points":
            placed["choice"] = self.chance.randint(0, 9)
        if self.play.ask("place-bet", **placed):
            self.play.lying[placed["ticket"]] = {
                **{key: value for key, value in placed.items() if key not in {"ticket", "player"}},
                "bettor": player,
            }

    def one(self):
        return self.chance.choice([*self.play.lying.items()] or [(None, None)])

    def who(self, lying):
        """Return whose bet it is, or now and then somebody whose it is not."""
        return "p9" if self.chance.random() < 0.2 else lying["bettor"]

    def withdraws(self):
        ticket, lying = self.one()
        if ticket is None:
            return
        fields = {"ticket": ticket, "player": self.who(lying), "bet": lying["bet"]}
        fields |= {"seat": lying["seat"]} if "seat" in lying else {}
        before = len(self.play.settled)
        if self.play.ask("withdraw-bet", **fields):
            del self.play.lying[ticket]
            for fallen in self.play.settled[before:]:
                gone = self.play.lying.pop(fallen["ticket"])
                assert (gone["bet"], gone["seat"]) == ("tie", lying["seat"])
                assert fallen["stake"] == gone["stake"]

    def lowers(self):
        ticket, lying = self.one()
        if ticket is not None:
            to = self.chance.randint(1, lying["stake"])
            if self.play.ask("lower-stake", ticket=ticket, player=self.who(lying), to=to):
                lying["stake"] = to

    def raises(self):
        ticket, lying = self.one()
        if ticket is not None:
            to = self.chance.randint(lying["stake"], lying["stake"] + 300)
            if self.play.ask("raise-stake", ticket=ticket, player=self.who(lying), to=to):
                lying["stake"] = to

    def moves(self):
        ticket, lying = self.one()
        if ticket is not None:
            self.play.ask("move-stake", ticket=ticket, player=self.who(lying))

    def errs(self):
        what = self.chance.choice(["order", "other"])
        correctable = self.chance.random() < 0.5
        self.play.happen("deal-error", what=what, correctable=correctable)

    def whitens(self):
        during = self.chance.choice(["burning", "dealing"])
        self.play.happen("white-card-appears", during=during)

    def shuffles(self):
        if self.chance.random() < 0.5:
            self.play.happen("replace-cards")
        else:
            self.play.happen("shuffle", by="banker")

    def goes_on(self):
        self.goes(self.play.go_on())

    def goes_until(self):
        steps = [
            "start-round",
            "deal-card",
            "turn-card",
            "bet-decided",
            "cancel-cards",
            "cut",
            "end-round",
        ]
        self.goes(self.play.go_on(self.chance.choice(steps)))

    def goes(self, result):
        """Hold the money of a round against `settle`."""
        if "outcome" in result:
            self.expected = card_rounds.expected(
                self.play.settle, {}, result["outcome"], self.play.lying
            )
        for ticket, one in card_rounds.paid(result.get("settlements", [])).items():
            assert one == self.expected.pop(ticket)
            if one[0] != "stands":
                del self.play.lying[ticket]
        if any(event["event"] == "end-round" for event in result["events"]):
            assert self.expected == {}


CHOICES = [BOX, SHOE, {"packs": 8, "device": "shoe"}, SHOE | LIMITS, BOX | LIMITS]


def by_chance(sit, seed):
    chance = card_rounds.repeatable(seed)
    play = sit(CHOICES[seed % len(CHOICES)], seed)
    play.asks_first = seed % 25 == 0
    Script(play, chance).run(45)
    return play


def check(sit, seeds):
    for seed in seeds:
        play = by_chance(sit, seed)

        assert (seed, play.breaches(), play.lacks()) == (seed, [], [])


def test_whatever_people_do_the_rounds_are_lawful_and_paid_right(sit):
    check(sit, range(15))


@pytest.mark.full
@pytest.mark.parametrize("start", range(15, 415, 50))
def test_whatever_people_do_in_hundreds_of_scripts_the_rounds_are_lawful(sit, start):
    check(sit, range(start, start + 50))


def test_the_same_chance_gives_the_same_rounds(sit):
    assert by_chance(sit, 7).log == by_chance(sit, 7).log
