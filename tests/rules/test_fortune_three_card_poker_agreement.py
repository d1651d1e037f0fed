"""The rules of Despacho 78/2008 and the reference vendor, written apart, settle alike."""

import random
from itertools import combinations

import pytest

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
PACK = [rank + suit for rank in RANKS for suit in "SHDC"]
HANDS = [list(hand) for hand in combinations(PACK, 3)]
#: Every way of betting at a place: played, folded, Pair Plus alone, and a raise that is not lawful.
WAYS = [
    [("ante", 7), ("raise", 7), ("pair-plus", 5)],
    [("ante", 7), ("pair-plus", 7)],
    [("pair-plus", 3)],
    [("ante", 7), ("raise", 8), ("pair-plus", 8)],
    [("raise", 7), ("pair-plus", 7)],
]
#: Two hands of each kind, the highest and one of the lowest, and odd cards around the queen.
KINDS = [
    hand.split()
    for hand in (
        "AS KS QS", "KH QH JH", "3D 2D AD", "AS AH AD", "2H 2D 2C", "AC KD QH", "KS QD JC",
        "8S 7S 6H", "3C 2D AH", "AC KC JC", "5H 3H 2H", "AH AC KS", "10S 10H 6D", "2S 2H 3D",
        "AS KD JH", "AH 3D 2H", "KH 9D 4C", "QD JS 9C", "QC 3S 2D", "JC 10D 8H", "5C 3H 2D",
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def game(compiled):
    return compiled("fortune-three-card-poker")


@pytest.fixture(scope="module")
def other_game(vendor):
    return vendor("fortune-three-card-poker")


@pytest.fixture(scope="module")
def classes(game):
    """One hand for each class of hands that are worth the same."""
    found = {}
    for hand in HANDS:
        found.setdefault(game.order(hand), hand)
    return [found[at] for at in sorted(found)]


def bets_at(place, way):
    return [{"bet": name, "place": place, "stake": stake} for name, stake in way]


def apart(hand, other):
    return not set(hand) & set(other)


def elsewhere(hand, other):
    """Return `hand` in other suits, so that both can come from one pack, or nothing."""
    for suits in ("SHDC", "HDCS", "DCSH", "CSHD"):
        moved = [card[:-1] + suits["SHDC".index(card[-1])] for card in hand]
        if apart(moved, other):
            return moved
    return None


def test_the_classes_of_hands_are_those_counted_by_hand(classes):
    # 12 sequences twice, suited and not; 13 trios; C(13,3) less 12 twice; 13 pairs of 12 kickers.
    assert len(classes) == 12 * 2 + 13 + (286 - 12) * 2 + 13 * 12


def test_all_22100_hands_stand_in_the_classes_alike(game, other_game, classes):
    of_class = {game.order(hand): hand for hand in classes}
    for hand in HANDS:
        other = elsewhere(of_class[game.order(hand)], hand)
        if other is not None:
            assert game.compare(hand, other) == other_game.compare(hand, other) == "equal", hand


def test_every_two_classes_compare_alike(game, other_game, classes):
    for one, two in combinations(classes, 2):
        other = elsewhere(two, one)
        if other is not None:
            both = game.compare(one, other), other_game.compare(one, other)
            assert both == ("higher", "higher"), (one, other)


@pytest.mark.parametrize("place_hand", [True, False], ids=["player", "croupier"])
@pytest.mark.parametrize(
    "step",
    [pytest.param(101, id="some hands"), pytest.param(1, id="22100", marks=pytest.mark.full)],
)
def test_every_hand_against_every_kind_settles_alike(game, other_game, place_hand, step):
    played = bets_at("1", WAYS[0])
    for hand in HANDS[::step]:
        for kind in KINDS:
            other = elsewhere(kind, hand)
            if other is None:
                continue
            player, croupier = (hand, other) if place_hand else (other, hand)
            outcome = {"croupier": croupier, "places": {"1": player}}
            ours = game.settle_plain({}, outcome, played)
            assert ours == other_game.settle({}, outcome, played), outcome


@pytest.mark.parametrize("way", WAYS[1:], ids=["folded", "alone", "unequal", "no ante"])
def test_every_other_way_of_betting_settles_alike(game, other_game, way):
    bets = bets_at("1", way)
    for hand in HANDS[::31]:
        for kind in (KINDS[5], KINDS[-1]):
            croupier = elsewhere(kind, hand)
            outcome = {"croupier": croupier, "places": {"1": hand}}
            ours = game.settle_plain({}, outcome, bets)
            assert ours == other_game.settle({}, outcome, bets), outcome


@pytest.mark.full
def test_every_two_classes_settle_alike(game, other_game, classes):
    bets = bets_at("1", WAYS[0])
    for one in classes:
        for two in classes:
            croupier = elsewhere(two, one)
            if croupier is not None:
                outcome = {"croupier": croupier, "places": {"1": one}}
                ours = game.settle_plain({}, outcome, bets)
                assert ours == other_game.settle({}, outcome, bets), outcome


def _round(chance):
    """Return a table as it may come: now and then a misdeal, a strange bet or an empty place."""
    dealt = iter(chance.sample(PACK, 52))
    sizes = chance.choices([3, 0, 1, 2, 4], weights=[96, 1, 1, 1, 1], k=chance.randint(1, 8))
    hands = [[next(dealt) for _ in range(size)] for size in sizes]
    places = {str(number): hand for number, hand in enumerate(hands[1:], 1)}
    bets = []
    for place in dict.fromkeys([*places, "7"]):
        stake = chance.choice([1, 50, 10**15 + 19])
        for name in ("ante", "raise", "pair-plus", "blind"):
            if chance.random() < (0.05 if name == "blind" else 0.7):
                own = stake if chance.random() < 0.9 else chance.choice([1, 2, 50])
                bets.append({"bet": name, "place": place, "stake": own})
    if bets and chance.random() < 0.3:
        # 2/2: a second bet in a space, of the same amount or of another.
        again = chance.choices(bets, k=chance.randint(1, 3))
        bets += [{**bet, "stake": chance.choice([bet["stake"], 50, 2])} for bet in again]
    chance.shuffle(bets)
    return {"croupier": hands[0], "places": places}, bets


@pytest.mark.parametrize(
    "rounds", [pytest.param(3_000), pytest.param(50_000, marks=pytest.mark.full)]
)
def test_whole_tables_drawn_at_random_settle_alike(game, other_game, rounds):
    chance = random.Random(782008)  # noqa: S311 - a repeatable draw, nothing secret
    for _ in range(rounds):
        outcome, bets = _round(chance)
        ours = game.settle_plain({}, outcome, bets)
        assert ours == other_game.settle({}, outcome, bets), (outcome, bets)
