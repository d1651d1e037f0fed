"""The live table of Fortune 3 Card Poker: every round is lawful, and pays what `settle` pays.

What a bet is paid is worked out from articles 9 and 10 of Despacho 78/2008.
"""

import pytest
from tests.fixtures_vendors import card_rounds

MACHINE = {"shuffling": "by-machine"}
LIMITS = {"limits": "declared", "minimum": 50, "maximum": 500}
BY_HAND = ["cut-cards", "shuffle", "put-cut-card-last", "load-shoe"]
TRIO, PAIR, KING_HIGH = ["QS", "QH", "QD"], ["5S", "5H", "9D"], ["KS", "8H", "3D"]
QUEEN_HIGH, JACK_HIGH = ["QC", "7S", "2D"], ["JC", "7S", "2D"]
STRAIGHT_FLUSH = ["4C", "5C", "6C"]


@pytest.fixture(scope="module")
def sit(law):
    return card_rounds.opener(law, "fortune-three-card-poker")


def bet(ticket, name="ante", stake=100, player="ana", place="1"):
    return {"ticket": ticket, "player": player, "place": place, "bet": name, "stake": stake}


def seated(play):
    play.happen("take-place", player="ana", place="1")
    play.happen("take-place", player="rui", place="2")
    play.go_on()
    return play


def shown(croupier, first=None, second=None):
    places = {"1": first, "2": second}
    return {"croupier": croupier, "places": {name: hand for name, hand in places.items() if hand}}


def staked(play):
    assert play.ask("place-bet", **bet("a"))
    assert play.ask("place-bet", **bet("p", "pair-plus", 50))
    assert play.ask("place-bet", **bet("b", "ante", 200, "rui", "2"))
    return play


def events(result):
    return [event["event"] for event in result["events"]]


def test_a_round_from_the_shoe_has_the_steps_of_the_law_in_their_order(sit):
    play = staked(seated(sit()))

    opened = play.go_on()
    play.ask("raise", player="ana", place="1", stake=100)
    folded = play.do("fold", place="2")
    closed = play.go_on()

    assert play.names()[2:7] == [*BY_HAND, "start-round"]
    assert events(opened) == [
        *["deal-card"] * 9,
        *("open-hand", "check-pair-plus", "settle-pair-plus", "open-hand"),
    ]
    assert events(folded) == ["collect-cards"]
    assert events(closed) == ["open-croupier-hand", "settle-bet", "settle-bet", "end-round"]
    assert (play.breaches(), play.lacks()) == ([], [])


@pytest.mark.parametrize(
    ("options", "source", "by_turns"), [({}, "shoe", True), (MACHINE, "shuffler", False)]
)
def test_cards_come_one_by_one_from_the_shoe_and_three_at_a_time_from_the_shuffler(
    sit, options, source, by_turns
):
    play = staked(seated(sit(options)))

    dealt = [one for one in play.go_on()["events"] if one["event"] == "deal-card"]

    hands, numbers = ["1", "2", "croupier"], [1, 2, 3]
    assert [(one["place"], one["card"]) for one in dealt] == (
        [(place, number) for number in numbers for place in hands]
        if by_turns
        else [(place, number) for place in hands for number in numbers]
    )
    assert {(one["face"], one["source"]) for one in dealt} == {("down", source)}


def test_every_round_has_its_own_shuffle(sit):
    play = seated(sit(MACHINE))
    for number in range(3):
        play.ask("place-bet", **bet(f"a{number}"))
        play.go_on()
        play.ask("fold", place="1")
        play.go_on()
        play.go_on()

    assert play.names().count("shuffle") == 4
    assert play.breaches() == []


@pytest.mark.parametrize(
    ("croupier", "first", "ante", "additional"),
    [
        (JACK_HIGH, KING_HIGH, ("win", 100, 0, 100), ("push", 0, 0, 100)),
        (QUEEN_HIGH, KING_HIGH, ("win", 100, 0, 100), ("win", 100, 0, 100)),
        (PAIR, KING_HIGH, ("lose", 0, 0, 0), ("lose", 0, 0, 0)),
        (PAIR, TRIO, ("win", 400, 0, 100), ("win", 400, 0, 100)),
        (PAIR, STRAIGHT_FLUSH, ("win", 500, 0, 100), ("win", 500, 0, 100)),
        (["QC", "7S", "2D"], ["QS", "7H", "2C"], ("push", 0, 0, 100), ("push", 0, 0, 100)),
    ],
)
def test_ante_and_raise_are_paid_by_article_9(sit, croupier, first, ante, additional):
    play = seated(sit())
    play.do("force", outcome=shown(croupier, first))
    play.ask("place-bet", **bet("a"))
    play.go_on()
    play.ask("raise", player="ana", place="1", stake=100, ticket="r")

    result = play.go_on()

    assert result["outcome"] == shown(croupier, first)
    assert card_rounds.paid(result["settlements"]) == {"a": ante, "r": additional}
    assert (play.breaches(), play.lacks()) == ([], [])


@pytest.mark.parametrize(
    ("first", "prize"),
    [(KING_HIGH, 0), (PAIR, 50), (TRIO, 1250), (STRAIGHT_FLUSH, 2000)],
)
def test_pair_plus_is_paid_before_the_decision_and_survives_a_fold(sit, first, prize):
    play = staked(seated(sit()))
    play.do("force", outcome=shown(QUEEN_HIGH if first is not TRIO else PAIR, first))

    opened = play.go_on()
    folded = play.do("fold", place="1")

    result = ("win", prize, 0, 50) if prize else ("lose", 0, 0, 0)
    assert card_rounds.paid(opened["settlements"]) == {"p": result}
    assert card_rounds.paid(folded["settlements"]) == {"a": ("lose", 0, 0, 0)}
    assert play.breaches() == []


def test_when_everybody_folds_the_croupiers_hand_stays_closed(sit):
    play = staked(seated(sit()))
    play.go_on()
    play.ask("fold", place="1")
    play.ask("fold", place="2")

    result = play.go_on()

    assert events(result) == ["end-round"]
    assert "outcome" not in result
    assert (play.breaches(), play.lacks()) == ([], [])


def test_pair_plus_alone_asks_for_no_decision(sit):
    play = seated(sit())
    play.ask("place-bet", **bet("p", "pair-plus"))

    result = play.go_on()

    assert events(result)[-1] == "end-round"
    assert [one["ticket"] for one in result["settlements"]] == ["p"]
    assert (play.breaches(), play.lacks()) == ([], [])


def test_the_round_waits_for_who_has_not_decided(sit):
    play = staked(seated(sit()))
    play.go_on()
    play.ask("raise", player="ana", place="1", stake=100)

    assert play.go_on()["events"] == []
    assert play.go_on("open-croupier-hand")["answer"] == "refused"
    assert play.ask("raise", player="rui", place="2", stake=200)
    assert events(play.go_on())[0] == "open-croupier-hand"
    assert (play.breaches(), play.lacks()) == ([], [])


def test_the_table_waits_for_bets(sit):
    play = seated(sit())

    assert play.go_on()["events"] == []
    assert play.go_on("deal-card")["answer"] == "refused"
    assert play.ask("place-bet", **bet("a"))
    assert events(play.go_on())[0] == "deal-card"


# Decisions.


def test_nobody_decides_before_the_result_of_every_pair_plus(sit):
    play = seated(sit())
    play.ask("place-bet", **bet("a"))
    play.ask("place-bet", **bet("p", "pair-plus", 50, "rui", "2"))
    play.ask("place-bet", **bet("b", "ante", 200, "rui", "2"))

    assert not play.ask("raise", player="ana", place="1", stake=100)
    play.go_on("open-hand")
    assert not play.ask("raise", player="ana", place="1", stake=100)
    assert not play.ask("fold", place="1")
    play.go_on("check-pair-plus")
    assert play.ask("raise", player="ana", place="1", stake=100)
    play.go_on()
    assert play.ask("fold", place="2")
    play.go_on()

    assert (play.breaches(), play.lacks()) == ([], [])


def test_a_player_whose_hand_is_open_may_decide_where_no_pair_plus_is_left(sit):
    play = seated(sit())
    play.ask("place-bet", **bet("a"))
    play.ask("place-bet", **bet("b", "ante", 200, "rui", "2"))
    play.go_on("open-hand")

    assert play.ask("fold", place="1")
    play.go_on()
    assert play.ask("raise", player="rui", place="2", stake=200)
    play.go_on()

    assert (play.breaches(), play.lacks()) == ([], [])


def test_a_raise_is_exactly_the_ante_and_a_decision_is_final(sit):
    play = staked(seated(sit()))
    play.go_on()

    assert not play.ask("raise", player="ana", place="1", stake=99)
    assert not play.ask("raise", player="ana", place="1", stake=101)
    assert play.ask("raise", player="ana", place="1", stake=100)
    assert not play.ask("take-back-raise", place="1")
    assert not play.ask("fold", place="1")
    assert not play.ask("raise", player="ana", place="1", stake=100)
    assert play.ask("fold", place="2")
    assert not play.ask("raise", player="rui", place="2", stake=200)
    play.go_on("open-croupier-hand")
    assert not play.ask("raise", player="rui", place="2", stake=200)
    assert play.breaches() == []


def test_nobody_decides_while_the_cards_are_dealt(sit):
    play = seated(sit())
    play.ask("place-bet", **bet("a"))
    play.go_on("deal-card")

    # 9/2 puts the decision after the hands are opened.
    assert not play.ask("raise", player="ana", place="1", stake=100)
    assert not play.ask("fold", place="1")
    assert play.breaches() == []


# Bets and places.


def test_after_the_first_card_bets_are_neither_made_nor_changed(sit):
    play = staked(seated(sit()))
    assert play.ask("lower-stake", place="1", bet="ante")
    assert play.ask("withdraw-bet", place="2", bet="ante")
    assert play.ask("place-bet", **bet("c", "ante", 60, "rui", "2"))

    for step in ("deal-card", "open-hand", "check-pair-plus"):
        play.go_on(step)
        assert not play.ask("place-bet", **bet("x", "pair-plus", 60, "rui", "2"))
        assert not play.ask("withdraw-bet", place="1", bet="ante")
        assert not play.ask("lower-stake", place="1", bet="ante")
    assert play.breaches() == []


def test_each_player_bets_at_one_place_and_nobody_else_bets_there(sit):
    play = seated(sit())

    assert not play.ask("place-bet", **bet("x", player="rui", place="1"))
    assert not play.ask("place-bet", **bet("x", player="eva", place="1"))
    assert play.ask("place-bet", **bet("a"))
    assert not play.ask("place-bet", **bet("x", place="3"))
    assert play.ask("place-bet", **bet("e", player="eva", place="3"))
    assert play.log[-1] == {"event": "take-place", "player": "eva", "place": "3"}
    assert not play.ask("place-bet", **bet("x", "pair-plus", player="bob", place="3"))
    assert play.breaches() == []


def test_a_place_has_one_space_for_each_bet(sit):
    play = seated(sit())
    play.ask("place-bet", **bet("a"))

    assert not play.ask("place-bet", **bet("b"))
    assert play.breaches() == []


def test_a_raise_without_an_ante_is_refused(sit):
    play = seated(sit())
    play.ask("place-bet", **bet("p", "pair-plus"))
    play.ask("place-bet", **bet("b", player="rui", place="2"))
    play.go_on()

    assert not play.ask("raise", player="ana", place="1", stake=100)
    assert play.breaches() == []


@pytest.mark.parametrize(
    ("stake", "accepted"), [(49, False), (50, True), (500, True), (501, False)]
)
def test_the_limits_of_the_table_bind_each_bet(sit, stake, accepted):
    play = seated(sit(LIMITS))

    assert play.ask("place-bet", **bet("a", stake=stake)) is accepted
    assert play.ask("place-bet", **bet("b", "pair-plus", stake)) is accepted


def test_the_raise_of_the_highest_ante_is_taken(sit):
    play = seated(sit(LIMITS))
    play.ask("place-bet", **bet("a", stake=500))
    play.go_on()

    assert play.ask("raise", player="ana", place="1", stake=500)
    assert play.breaches() == []


@pytest.mark.parametrize(
    "placed",
    [
        bet("x", "raise"),
        bet("x", "tie"),
        bet("x", player="eva", place="8"),
        bet("x", player="eva", place="croupier"),
    ],
)
def test_what_is_no_bet_of_this_table_is_refused(sit, placed):
    play = seated(sit())

    assert not play.ask("place-bet", **placed)
    assert play.breaches() == []


@pytest.mark.parametrize("stake", [0, True])
def test_what_is_no_stake_is_refused(sit, stake):
    play = seated(sit())

    assert play.table.act({"act": "place-bet", **bet("x", stake=stake)})["answer"] == "refused"


def test_a_bet_that_was_withdrawn_is_as_if_it_had_never_been_made(sit):
    play = staked(seated(sit()))
    assert play.ask("withdraw-bet", place="1", bet="pair-plus")
    assert not play.ask("withdraw-bet", place="1", bet="pair-plus")
    assert play.ask("withdraw-bet", place="2", bet="ante")
    play.go_on()

    assert not play.ask("raise", player="rui", place="2", stake=200)
    assert play.ask("raise", player="ana", place="1", stake=100)
    play.go_on()
    assert (play.breaches(), play.lacks()) == ([], [])


def test_who_has_bets_leaves_when_the_round_is_over_and_others_at_once(sit):
    play = seated(sit())
    play.ask("place-bet", **bet("a"))

    assert play.happen("leave-place", player="ana", place="1")["events"] == []
    assert events(play.happen("leave-place", player="rui", place="2")) == ["leave-place"]
    play.go_on()
    play.ask("fold", place="1")

    assert events(play.go_on()) == ["end-round", "leave-place"]
    assert play.happen("take-place", player="eva", place="1")["answer"] == "accepted"
    assert (play.breaches(), play.lacks()) == ([], [])


# Irregularities.


@pytest.mark.parametrize("options", [{}, MACHINE])
@pytest.mark.parametrize("what", ["order", "number"])
def test_an_irregular_deal_voids_the_round_and_every_bet(sit, options, what):
    play = staked(seated(sit(options)))
    play.go_on("deal-card")
    play.happen("deal-error", what=what)

    result = play.go_on()
    assert play.ask("place-bet", **bet("a2", stake=70))
    play.go_on()
    play.ask("fold", place="1")
    play.go_on()

    again = ["shuffle"] if options else BY_HAND
    assert events(result) == ["void-round", "return-stakes", *again]
    assert card_rounds.paid(result["settlements"]) == {
        "a": ("void", 0, 0, 100),
        "p": ("void", 0, 0, 50),
        "b": ("void", 0, 0, 200),
    }
    assert (play.breaches(), play.lacks()) == ([], [])


def test_an_irregularity_found_before_the_decisions_voids_the_round(sit):
    play = seated(sit())
    play.ask("place-bet", **bet("a"))
    play.go_on()
    play.ask("raise", player="ana", place="1", stake=100, ticket="r")

    found = play.happen("deal-error", what="order")
    assert play.ask("place-bet", **bet("b"))
    play.go_on()
    play.go_on()
    play.ask("fold", place="1")
    play.go_on()

    assert events(found) == ["deal-error", "void-round"]
    assert card_rounds.paid(found["settlements"]) == {
        "a": ("void", 0, 0, 100),
        "r": ("void", 0, 0, 100),
    }
    assert (play.breaches(), play.lacks()) == ([], [])


def test_another_irregularity_voids_nothing(sit):
    play = seated(sit())
    play.ask("place-bet", **bet("a"))
    play.happen("deal-error", what="other")
    play.go_on()
    play.ask("fold", place="1")
    play.go_on()

    assert "deal-error" in play.names()
    assert "void-round" not in play.names()
    assert (play.breaches(), play.lacks()) == ([], [])


@pytest.mark.parametrize("switching", [False, True])
def test_when_the_shuffler_fails_the_round_is_void_and_it_is_replaced(sit, switching):
    play = staked(seated(sit(MACHINE)))
    if switching:
        play.happen("switch-to-shoe")
    play.happen("shuffler-fails")

    result = play.go_on()
    play.ask("place-bet", **bet("a2"))
    dealt = play.go_on()["events"][0]
    play.ask("fold", place="1")
    play.go_on()
    play.go_on()

    after = ["switch-to-shoe", *BY_HAND] if switching else ["replace-shuffler", "shuffle"]
    assert events(result) == [
        *("deal-card", "shuffler-fails", "void-round", "return-stakes"),
        *after,
    ]
    assert dealt["source"] == ("shoe" if switching else "shuffler")
    assert {one["result"] for one in result["settlements"]} == {"void"}
    assert play.breaches() == []


def test_a_shoe_has_no_shuffler_that_could_fail(sit):
    assert sit().happen("shuffler-fails")["answer"] == "refused"


@pytest.mark.parametrize("options", [{}, MACHINE])
def test_an_exposed_card_of_a_player_changes_nothing(sit, options):
    play = staked(seated(sit(options)))
    play.happen("expose-card", place="2")

    opened = play.go_on()

    at = events(opened).index("expose-card")
    assert opened["events"][at - 1]["place"] == "2"
    assert "void-round" not in play.names()
    assert play.breaches() == []


@pytest.mark.parametrize("late", [False, True])
def test_an_exposed_card_of_the_croupier_lies_in_sight_and_plays(sit, late):
    play = seated(sit())
    play.do("force", outcome=shown(PAIR, KING_HIGH))
    play.ask("place-bet", **bet("a"))
    if late:
        play.go_on()
    play.happen("expose-card", place="croupier")
    play.go_on()
    play.ask("raise", player="ana", place="1", stake=100)
    play.go_on()

    names = play.names()
    assert names[names.index("expose-card") + 1] == "set-card-aside"
    assert card_rounds.paid(play.settled)["a"] == ("lose", 0, 0, 0)
    assert (play.breaches(), play.lacks()) == ([], [])


@pytest.mark.parametrize("options", [{}, MACHINE])
@pytest.mark.parametrize("staged", ["deal-card", "declare-hand-null"])
def test_a_card_to_a_place_without_a_bet_makes_that_hand_null(sit, options, staged):
    play = staked(seated(sit(options)))
    play.happen(staged, place="5")

    opened = play.go_on()
    play.ask("fold", place="1")
    play.ask("fold", place="2")
    play.go_on()

    at = events(opened).index("declare-hand-null")
    assert opened["events"][at] == {"event": "declare-hand-null", "place": "5"}
    assert opened["events"][at - 1]["place"] == "5"
    assert (play.breaches(), play.lacks()) == ([], [])


def test_no_card_goes_by_mistake_to_a_place_that_bets(sit):
    play = staked(seated(sit()))

    assert play.happen("declare-hand-null", place="1")["answer"] == "refused"


# What is given in advance, and how the table goes on.


@pytest.mark.parametrize(
    "outcome",
    [
        shown(PAIR, PAIR),
        shown(["QC", "7S"]),
        {"croupier": ["QC", "7S", "1D"]},
        {"croupier": PAIR, "places": {"8": TRIO}},
        {"banker": PAIR},
    ],
)
def test_what_one_pack_cannot_show_is_not_forced(sit, outcome):
    with pytest.raises(Exception, match="force") as error:
        sit().do("force", outcome=outcome)

    assert error.value.code in {-32602, -32002}


def test_a_void_round_shows_what_was_forced_when_it_is_dealt_again(sit):
    play = seated(sit())
    play.do("force", outcome=shown(PAIR, TRIO))
    play.ask("place-bet", **bet("a"))
    play.happen("deal-error", what="order")
    play.go_on()
    play.ask("place-bet", **bet("b"))
    play.go_on()
    play.ask("raise", player="ana", place="1", stake=100)

    assert play.go_on()["outcome"] == shown(PAIR, TRIO)


def test_a_table_that_closes_does_not_decide_for_the_players(sit):
    play = seated(sit())
    play.ask("place-bet", **bet("a"))

    play.log += play.table.close()

    assert play.names()[-1] == "open-hand"
    assert play.breaches() == []


@pytest.mark.parametrize(
    "act",
    [
        {"act": "sing"},
        {"act": "raise", "player": "ana", "place": "1"},
        {"act": "place-bet", **bet("a"), "colour": "red"},
        {"act": "happen", "event": {"event": "deal-error", "what": "colour"}},
        {"act": "happen", "event": {"event": "take-place", "player": "ana", "place": "9"}},
    ],
)
def test_an_act_that_is_not_written_as_it_should_is_an_error(sit, act):
    with pytest.raises(Exception, match=r".") as error:
        seated(sit()).table.act(act)

    assert error.value.code == -32602


# Many rounds by chance.


class Script:
    """Plays by chance what people could do, keeping its own count of the bets."""

    def __init__(self, play, chance):
        self.play, self.chance = play, chance
        self.count = 0
        #: The bets of this deal by ticket, decided or not.
        self.bets = {}
        self.owner = {}
        self.told = {}
        self.outcome = None

    MOVES = (
        *["lays"] * 8,
        *["goes_on"] * 4,
        *["goes_until"] * 3,
        *["decides"] * 6,
        *("sits", "leaves", "withdraws", "lowers", "takes_back"),
        *("errs", "fails", "strays", "exposes"),
    )

    def run(self, moves):
        for _ in range(moves):
            getattr(self, self.chance.choice(self.MOVES))()
        for _ in range(40):
            if self.play.table.between_rounds():
                return
            if not self.bets:
                # One who has nothing to do with the others, so that the round can end.
                self.bets_at("7", "p7", stake=100)
            self.tells(self.play.go_on())
            for place in sorted({bet["place"] for bet in self.bets.values()}):
                self.decides_at(place, raising=self.chance.random() < 0.5)

    def place(self):
        return self.chance.choice("1234")

    def sits(self):
        player = self.chance.choice(["p1", "p2", "p3", "p4"])
        self.play.happen("take-place", player=player, place=self.place())

    def leaves(self):
        seats = self.play.table.seats
        if seats:
            place = self.chance.choice(sorted(seats))
            self.play.happen("leave-place", player=seats[place], place=place)

    def bets_at(self, place, player, stake=None):
        self.count += 1
        name = self.chance.choice(["ante", "ante", "pair-plus"])
        placed = bet(f"k{self.count}", name, stake or self.chance.randint(1, 600), player, place)
        if self.play.ask("place-bet", **placed):
            self.bets[placed["ticket"]] = {key: placed[key] for key in ("bet", "place", "stake")}
            self.owner[place] = player

    def lays(self):
        self.bets_at(self.place(), self.chance.choice(["p1", "p2", "p3", "p4"]))

    def withdraws(self):
        place, name = self.place(), self.chance.choice(["ante", "pair-plus"])
        if self.play.ask("withdraw-bet", place=place, bet=name):
            self.bets = {
                ticket: one
                for ticket, one in self.bets.items()
                if (one["place"], one["bet"]) != (place, name)
            }

    def lowers(self):
        name = self.chance.choice(["ante", "pair-plus"])
        self.play.ask("lower-stake", place=self.place(), bet=name)

    def takes_back(self):
        self.play.ask("take-back-raise", place=self.place())

    def decides(self):
        self.decides_at(self.place(), raising=self.chance.random() < 0.6)

    def decides_at(self, place, *, raising):
        own = {one["bet"]: one["stake"] for one in self.bets.values() if one["place"] == place}
        if not raising:
            self.tells(self.play_act("fold", place=place))
            return
        stake = own.get("ante", 100) + (self.chance.random() < 0.2)
        self.count += 1
        fields = {"player": self.owner.get(place, "p1"), "place": place, "stake": stake}
        ticket = f"k{self.count}"
        if self.play_act("raise", ticket=ticket, **fields)["answer"] == "accepted":
            self.bets[ticket] = {"bet": "raise", "place": place, "stake": stake}

    def play_act(self, name, **fields):
        before = len(self.play.settled)
        accepted = self.play.ask(name, **fields)
        return {
            "answer": "accepted" if accepted else "refused",
            "settlements": self.play.settled[before:],
            "events": [],
        }

    def errs(self):
        what = self.chance.choice(["order", "number", "other"])
        self.tells(self.play.happen("deal-error", what=what))

    def fails(self):
        if self.chance.random() < 0.3:
            self.play.happen("switch-to-shoe")
        self.play.happen("shuffler-fails")

    def strays(self):
        self.play.happen("declare-hand-null", place=self.chance.choice("1234567"))

    def exposes(self):
        self.play.happen("expose-card", place=self.chance.choice(["1", "2", "3", "croupier"]))

    def goes_on(self):
        self.tells(self.play.go_on())

    def goes_until(self):
        steps = [
            "start-round",
            "deal-card",
            "open-hand",
            "void-round",
            "open-croupier-hand",
            "end-round",
        ]
        self.tells(self.play.go_on(self.chance.choice(steps)))

    def tells(self, result):
        """Hold the money of a round against `settle`."""
        self.told |= card_rounds.paid(result.get("settlements", []))
        if "outcome" in result:
            self.outcome = result["outcome"]
        names = [event["event"] for event in result["events"]]
        if "void-round" in names:
            assert self.told == {
                ticket: ("void", 0, 0, one["stake"]) for ticket, one in self.bets.items()
            }
            self.bets, self.told, self.owner = {}, {}, {}
        if "end-round" in names:
            self.closes()

    def closes(self):
        if any(one["bet"] == "raise" for one in self.bets.values()):
            assert self.told == card_rounds.expected(self.play.settle, {}, self.outcome, self.bets)
        else:
            assert self.told.keys() == self.bets.keys()
            antes = {key for key, one in self.bets.items() if one["bet"] == "ante"}
            assert all(self.told[ticket][0] == "lose" for ticket in antes)
        self.bets, self.told, self.owner, self.outcome = {}, {}, {}, None


CHOICES = [{}, MACHINE, LIMITS, MACHINE | LIMITS]


def by_chance(sit, seed):
    play = sit(CHOICES[seed % len(CHOICES)], seed)
    play.asks_first = seed % 20 == 0
    Script(play, card_rounds.repeatable(seed)).run(50)
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
