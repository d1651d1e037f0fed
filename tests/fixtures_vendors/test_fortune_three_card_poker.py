"""Fortune 3 Card Poker, worked out by hand from Despacho 78/2008."""

from collections import Counter
from itertools import combinations

import pytest

REFUSED = {"result": "refused", "prize": 0, "commission": 0}
LOSE = {"result": "lose", "prize": 0, "commission": 0}
PUSH = {"result": "push", "prize": 0, "commission": 0}
STANDS = {"result": "stands", "prize": 0, "commission": 0}
VOID = {"result": "void", "prize": 0, "commission": 0, "stake": 100}
RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"]
PACK = [rank + suit for rank in RANKS for suit in "SHDC"]

# 4/2, in the order printed.
SEQUENCES = [
    "A K Q", "K Q J", "Q J 10", "J 10 9", "10 9 8", "9 8 7",
    "8 7 6", "7 6 5", "6 5 4", "5 4 3", "4 3 2", "3 2 A",
]  # fmt: skip


@pytest.fixture
def game(vendor):
    return vendor("fortune_three_card_poker")


@pytest.fixture
def round_of(game):
    """Settle ante, raise and Pair Plus of 100 at place 1, or those named."""

    def settle(player, croupier, *names):
        outcome = {"croupier": croupier.split(), "places": {"1": player.split()}}
        chosen = names or ("ante", "raise", "pair-plus")
        return game.settle({}, outcome, [{"bet": n, "place": "1", "stake": 100} for n in chosen])

    return settle


def win(prize):
    return {"result": "win", "prize": prize, "commission": 0}


COMPARED = [
    pytest.param("2S 3S AS", "KH KD KC", "higher", id="8: straight flush over trio"),
    pytest.param("2S 2H 2D", "AH KD QC", "higher", id="8: trio over straight"),
    pytest.param("3S 2H AD", "AH KH JH", "higher", id="8: straight over flush"),
    pytest.param("5S 3S 2S", "AH AD KC", "higher", id="8: flush over pair"),
    pytest.param("2S 2H 3D", "AH KD JC", "higher", id="8: pair over three odd cards"),
    pytest.param("AS KS QS", "KH QH JH", "higher", id="8/1: A-K-Q is the highest"),
    pytest.param("3S 2S AS", "4H 3H 2H", "lower", id="8/1: 3-2-A is the lowest"),
    pytest.param("9S 8S 7S", "9H 8H 7H", "equal", id="8/1: equal highest cards tie"),
    pytest.param("3S 3H 3D", "2S 2H 2D", "higher", id="8/2: higher trio"),
    pytest.param("AS AH AD", "KS KH KD", "higher", id="8/2: aces over kings"),
    pytest.param("AS KH QD", "KS QH JD", "higher", id="8/3: A-K-Q is the highest"),
    pytest.param("3C 2D AH", "7S 6H 5D", "lower", id="8/3: the ace of 3-2-A counts low"),
    pytest.param("3C 2D AH", "AS KH QD", "lower", id="8/3: ace against ace"),
    pytest.param("8S 7H 6D", "8D 7C 6S", "equal", id="8/3: same place ties"),
    pytest.param("8S 7S 6H", "AH AD KC", "higher", id="8/3: two suits are a straight too"),
    pytest.param("2S AS KH", "QS JD 9H", "higher", id="4/2: K-A-2 is an ace high"),
    pytest.param("2S AS KH", "2D 2H 3H", "lower", id="4/2: and no sequence"),
    pytest.param("10S 5S 8S", "10H 7H 6H", "higher", id="8/4: second card in value"),
    pytest.param("10S 8S 5S", "10H 8H 6H", "lower", id="8/4: third card"),
    pytest.param("10S 7S 5S", "10H 7H 5H", "equal", id="8/4: all alike tie"),
    pytest.param("10H 7D 5H", "2S 2H 3D", "lower", id="8/4: one colour is no flush"),
    pytest.param("10S 10H 6D", "9S 9H AD", "higher", id="8/5: higher pair"),
    pytest.param("10S 10H 6D", "10D 10C 7S", "lower", id="8/5: higher kicker"),
    pytest.param("10S 10H 6D", "10D 10C 6S", "equal", id="8/5: all alike tie"),
    pytest.param("2S 2H AD", "3S 3H 2D", "lower", id="8/5: the pair before the kicker"),
    pytest.param("KS 9H 4D", "KH 9D 3C", "higher", id="8/6: third card"),
    pytest.param("KS 8H 7D", "KH 9D 3C", "lower", id="8/6: second card"),
    pytest.param("KS 9H 4D", "KH 9D 4C", "equal", id="8/6: all alike tie"),
]


@pytest.mark.parametrize(("a", "b", "expected"), COMPARED)
def test_compare(game, a, b, expected):
    turned = {"higher": "lower", "lower": "higher", "equal": "equal"}[expected]

    assert game.compare(a.split(), b.split()) == expected
    assert game.compare(b.split()[::-1], a.split()[::-1]) == turned


@pytest.mark.parametrize("suits", ["SSS HHH", "SHD CSH"], ids=["8/1", "8/3"])
def test_4_2_sequences_descend_in_the_order_printed(game, suits):
    upper, lower = suits.split()
    for first, second in combinations(SEQUENCES, 2):
        a = [rank + suit for rank, suit in zip(first.split(), upper, strict=True)]
        b = [rank + suit for rank, suit in zip(second.split(), lower, strict=True)]
        assert game.compare(a, b) == "higher"


SETTLED = [
    pytest.param(
        "AS KS QS", "KH QH JH", win(500), win(500), win(4000), id="9/8/1 and 10/1: straight flush"
    ),
    pytest.param("5S 4S 3S", "KH 9D 2C", win(500), win(500), win(4000), id="9/8/1: both bets"),
    pytest.param("7S 7H 7D", "QH 8D 3C", win(400), win(400), win(2500), id="9/8/2 and 10/2: trio"),
    pytest.param("8S 7H 6D", "QH 9D 3C", win(100), win(100), win(500), id="9/8/3, 10/3: straight"),
    pytest.param("10S 7S 5S", "QH 9D 3C", win(100), win(100), win(400), id="9/8/4, 10/4: flush"),
    pytest.param("2S 2H 3D", "AS 9H 4D", win(100), win(100), win(100), id="9/8/4, 10/5: pair"),
    pytest.param("KS 8H 5C", "QH 9D 3C", win(100), win(100), LOSE, id="9/8/4, 9/1: odd cards"),
    pytest.param("2S 2H 7D", "9S 9H 4C", LOSE, LOSE, win(100), id="9/7: Pair Plus is kept"),
    pytest.param("3S 2S AS", "7H 6H 5H", LOSE, LOSE, win(4000), id="9/7: lower straight flush"),
    pytest.param("QS 6H 2C", "QH 6D 3C", LOSE, LOSE, LOSE, id="9/7: by the third card"),
    pytest.param("10S 10H 6D", "10D 10C 6S", PUSH, PUSH, win(100), id="9: a tie is returned"),
    pytest.param("KS 9H 4D", "KH 9D 4C", PUSH, PUSH, LOSE, id="8/6: odd cards alike"),
    pytest.param("KS 8H 5C", "JD 10C 8S", win(100), PUSH, LOSE, id="9/6: jack high does not play"),
    pytest.param("8S 5H 2D", "JD 10C 8C", win(100), PUSH, LOSE, id="9/6: though higher"),
    pytest.param("5S 4S 3S", "JD 9C 4D", win(100), PUSH, win(4000), id="9/6: always 1 to 1"),
    pytest.param("JS 9H 4H", "JD 9C 4D", win(100), PUSH, LOSE, id="9/6: equal, but no play"),
    pytest.param("8S 5H 2D", "QD 3C 2S", LOSE, LOSE, LOSE, id="9/5: queen high plays"),
    pytest.param("KS 8H 5C", "2S 2H 3D", LOSE, LOSE, LOSE, id="9/5: a pair of twos plays"),
    pytest.param("KS 8H 5C", "5S 3S 2S", LOSE, LOSE, LOSE, id="9/5: a low flush plays"),
    pytest.param("KS 8H 5C", "4S 3H 2S", LOSE, LOSE, LOSE, id="9/5: a low straight plays"),
]


@pytest.mark.parametrize(("player", "croupier", "ante", "raised", "pair_plus"), SETTLED)
def test_settle(round_of, player, croupier, ante, raised, pair_plus):
    assert round_of(player, croupier) == [ante, raised, pair_plus]


@pytest.mark.parametrize(
    ("player", "croupier", "pair_plus"),
    [
        pytest.param("2S 2H 7D", "9S 9H 4C", win(100), id="9/3: Pair Plus survives"),
        pytest.param("8S 5H 2D", "JD 9C 4S", LOSE, id="9/6: no ante is paid to one who folded"),
        pytest.param("AS KS QS", "JD 9C 4S", win(4000), id="9/3: even with the best hand"),
    ],
)
def test_9_3_an_ante_without_a_raise_is_lost(round_of, player, croupier, pair_plus):
    assert round_of(player, croupier, "ante", "pair-plus") == [LOSE, pair_plus]


def test_5_2_pair_plus_may_be_bet_alone(round_of):
    assert round_of("9S 9H 4D", "KH KD 2C", "pair-plus") == [win(100)]


def test_9_5_the_croupiers_hand_is_not_needed_when_nobody_plays_on(game):
    bets = [{"bet": name, "place": "1", "stake": 100} for name in ("ante", "pair-plus")]

    assert game.settle({}, {"places": {"1": ["9S", "9H", "4D"]}}, bets) == [LOSE, win(100)]


def test_9_5_the_croupiers_hand_is_needed_by_one_who_plays_on(game):
    bets = [{"bet": name, "place": "1", "stake": 100} for name in ("ante", "raise")]

    with pytest.raises(ValueError, match="croupier"):
        game.settle({}, {"places": {"1": ["9S", "9H", "4D"]}}, bets)


@pytest.mark.parametrize("stake", [99, 101, 0, -100, 100.0, None])
def test_9_4_a_raise_that_is_not_the_ante_is_refused_and_the_ante_waits(game, stake):
    outcome = {"croupier": ["QH", "7S", "2D"], "places": {"1": ["AH", "KD", "9H"]}}
    bets = [
        {"bet": "ante", "place": "1", "stake": 100},
        {"bet": "raise", "place": "1", "stake": stake},
    ]

    assert game.settle({}, outcome, bets) == [STANDS, REFUSED]


def test_9_4_a_raise_without_an_ante_is_refused(round_of):
    assert round_of("9S 9H 4D", "QH 7S 2D", "raise", "pair-plus") == [REFUSED, win(100)]


def test_9_4_a_raise_belongs_to_its_own_place(game):
    outcome = {
        "croupier": ["QH", "7S", "2D"],
        "places": {"1": ["AH", "KD", "9H"], "2": ["AS", "KS", "9S"]},
    }
    bets = [{"bet": "ante", "place": "1", "stake": 5}, {"bet": "raise", "place": "2", "stake": 5}]

    assert game.settle({}, outcome, bets) == [LOSE, REFUSED]


def test_2_2_each_space_takes_one_bet(round_of):
    names = ("ante", "ante", "raise", "raise", "pair-plus", "pair-plus")

    answers = round_of("9S 9H 4D", "QH 7S 2D", *names)

    assert answers == [win(100), REFUSED] * 3


def test_2_1_seven_places_are_settled_each_by_its_own_cards(game):
    hands = [
        "AS KS QS",
        "7S 7H 7D",
        "9C 8D 7C",
        "10H 8H 5H",
        "2S 2H 3D",
        "AD 6C 4S",
        "QD 8C 4D",
    ]
    places = {str(number): hand.split() for number, hand in enumerate(hands, 1)}
    outcome = {"croupier": ["KH", "9D", "3C"], "places": places}
    bets = [
        {"bet": name, "place": int(place), "stake": 10}
        for name in ("ante", "raise", "pair-plus")
        for place in places
    ]

    answers = game.settle({}, outcome, bets)

    against = [win(50), win(40), win(10), win(10), win(10), win(10), LOSE]
    assert answers == against * 2 + [win(400), win(250), win(50), win(40), win(10), LOSE, LOSE]


@pytest.mark.parametrize(
    "bet",
    [
        pytest.param({"bet": "blind", "place": "1", "stake": 100}, id="5/1: no such bet"),
        pytest.param({"place": "1", "stake": 100}, id="5/1: no name"),
        pytest.param({"bet": ["ante"], "place": "1", "stake": 100}, id="5/1: a list"),
        pytest.param({"bet": "ante", "stake": 100}, id="6/2: no place"),
        pytest.param({"bet": "pair-plus", "place": "2", "stake": 100}, id="6/2: place not dealt"),
        pytest.param({"bet": "pair-plus", "place": "8", "stake": 100}, id="2/1: no eighth place"),
        pytest.param({"bet": "pair-plus", "place": "1", "stake": 0}, id="no stake"),
        pytest.param({"bet": "pair-plus", "place": "1", "stake": -1}, id="negative stake"),
        pytest.param({"bet": "pair-plus", "place": "1", "stake": True}, id="truth for a stake"),
        pytest.param({"bet": "pair-plus", "place": "1"}, id="stake left out"),
    ],
)
def test_a_bet_that_is_not_in_the_law_is_refused(game, bet):
    outcome = {"croupier": ["QH", "7S", "2D"], "places": {"1": ["9S", "9H", "4D"]}}

    assert game.settle({}, outcome, [bet]) == [REFUSED]


@pytest.mark.parametrize(
    ("croupier", "places"),
    [
        pytest.param("KH QD 9C 3S", {"1": "7S 7H 7D"}, id="the croupier has four"),
        pytest.param("KH QD", {"1": "7S 7H 7D"}, id="the croupier has two"),
        pytest.param("KH QD 9C", {"1": "7S 7H"}, id="the place has two"),
        pytest.param(
            "KH QD 9C", {"1": "7S 7H 7D", "3": "2S 3S 4S 5S"}, id="another place has four"
        ),
    ],
)
def test_11_1_a_wrong_number_of_cards_makes_every_bet_void(game, croupier, places):
    outcome = {
        "croupier": croupier.split(),
        "places": {place: cards.split() for place, cards in places.items()},
    }
    names = ("ante", "raise", "pair-plus", "blind")

    answers = game.settle({}, outcome, [{"bet": n, "place": "1", "stake": 100} for n in names])

    assert answers == [VOID, VOID, VOID, REFUSED]


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        pytest.param(
            {"croupier": ["QH", "7S", "2D"], "places": {"1": ["QH", "9H", "4D"]}},
            "twice",
            id="1/1: one pack, two hands",
        ),
        pytest.param({"croupier": ["QH", "QH", "2D"]}, "twice", id="1/1: one pack, one hand"),
        pytest.param({"croupier": ["QH", "7S", "1D"]}, "no card", id="1/1: no such card"),
        pytest.param({"croupier": ["QH", "7S", ["2D"]]}, "no card", id="1/1: a list"),
        pytest.param({"croupier": "QH7S2D"}, "list", id="text"),
        pytest.param({"places": {"8": ["QH", "7S", "2D"]}}, "seven", id="2/1: eighth place"),
        pytest.param({"places": {"0": ["QH", "7S", "2D"]}}, "seven", id="2/1: place 0"),
    ],
)
def test_an_outcome_that_cannot_be_is_an_error(game, outcome, words):
    with pytest.raises(ValueError, match=words):
        game.settle({}, outcome, [])


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        pytest.param("7S 7H 7D", "7C 7S 7H", "twice", id="8/2: equal trios need repeated cards"),
        pytest.param("7S 7H", "9C 9S 9H", "three cards", id="7: two cards"),
        pytest.param("7S 7H 6D 5C", "9C 9S 9H", "three cards", id="7: four cards"),
        pytest.param("7S 7H 1D", "9C 9S 9H", "no card", id="1/1: no such card"),
    ],
)
def test_hands_that_cannot_be_are_not_compared(game, a, b, words):
    with pytest.raises(ValueError, match=words):
        game.compare(a.split(), b.split())


def test_over_one_pack_pair_plus_pays_as_often_as_counted_by_hand(game):
    bets = [{"bet": "pair-plus", "place": "1", "stake": 1}]
    paid = Counter()

    for hand in combinations(PACK, 3):
        answer = game.settle({}, {"places": {"1": hand}}, bets)[0]
        paid[answer["prize"]] += 1

    # Twelve sequences (4/2) in four suits; the rest of 12 x 64 are plain straights.
    # Thirteen trios of C(4,3); C(13,3) x 4 suits less the sequences; 13 x C(4,2) x 48 pairs.
    straight_flush, trio, straight = 12 * 4, 13 * 4, 12 * 64 - 12 * 4
    flush, pair = 286 * 4 - 48, 13 * 6 * 48
    odd_cards = 22100 - straight_flush - trio - straight - flush - pair
    assert paid == {40: straight_flush, 25: trio, 5: straight, 4: flush, 1: pair, 0: odd_cards}


def test_over_one_pack_the_croupier_plays_as_often_as_counted_by_hand(game):
    bets = [{"bet": name, "place": "1", "stake": 1} for name in ("ante", "raise")]
    player = ["2S", "2H", "3D"]
    rest = [card for card in PACK if card not in player]
    idle = total = 0

    for croupier in combinations(rest, 3):
        outcome = {"croupier": croupier, "places": {"1": player}}
        idle += game.settle({}, outcome, bets) == [win(1), PUSH]
        total += 1

    # Not playing: three unlike values from 2 to J, no sequence, not of one suit.
    # Of 2 to J, eight values have four cards; the two has D and C, the three S, H and C.
    assert total == 18424
    assert idle == without_sequence_or_flush()


def without_sequence_or_flush():
    """Count jack-high hands or lower that are left when 2S, 2H and 3D are gone, value by value."""
    suits = {value: set("SHDC") for value in range(4, 12)} | {2: set("DC"), 3: set("SHC")}
    return sum(
        len(suits[a]) * len(suits[b]) * len(suits[c]) - len(suits[a] & suits[b] & suits[c])
        for a, b, c in combinations(range(2, 12), 3)
        if (b, c) != (a + 1, a + 2)
    )
