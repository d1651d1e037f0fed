"""The rules of Despacho 2/2009 and the reference vendor, written apart, settle alike."""

import itertools
import random

import pytest

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "SHDC"
REGIMES = ("five-percent", "half-on-six", "dragon-push")
MAIN = ("player", "banker", "tie")
ADDED = ("player-pair", "banker-pair", "seven-dragon", "jackpot")
#: Stakes of which a half, a twentieth, or neither is whole.
PLAIN = [
    {"bet": name, "stake": stake}
    for name, stake in itertools.product((*MAIN, *ADDED[:-1]), (20, 25, 31))
]
LONE = [
    {"bet": "tie", "stake": 5, "bettor": "ana"},
    {"bet": "jackpot", "stake": 5, "bettor": "ana"},
]
FIXED = {
    "A": {
        "paradise-straight": 50_001,
        "four-of-a-kind": 2_003,
        "double-pairs": 801,
        "three-of-a-kind": 502,
        "single-pair": 101,
    },
    "B": {"five-alike": 5_003, "double-three": 3_002, "four-alike": 1_001, "three-alike": 202},
    "C": {
        "six-alike": 20_001,
        "five-alike": 5_003,
        "double-three": 3_002,
        "four-alike": 1_001,
        "three-alike": 202,
    },
}
#: The lengths that the player's and the banker's hand may have.
SHAPES = tuple(itertools.product((2, 3), repeat=2))


def options_of(modality, regime="five-percent", accumulated=1_000_003, percentage=(3, 100)):
    jackpot = {"modality": modality, "accumulated": accumulated, "fixed": FIXED[modality]}
    if modality == "C":
        jackpot["percentage"] = list(percentage)
    return {"commission": regime, "jackpot": jackpot}


def dealt_as(cards, shape):
    """Lay cards that were dealt in this order into hands of these lengths."""
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    rest = list(cards[4:])
    player += [rest.pop(0)] if shape[0] == 3 else []
    banker += [rest.pop(0)] if shape[1] == 3 else []
    return {"player": player, "banker": banker}


def alike_patterns(length):
    """Every way in which so many cards can be alike: 0, 0, 1 says the first two are."""
    patterns = [()]
    for _ in range(length):
        patterns = [(*one, kind) for one in patterns for kind in range(max(one, default=-1) + 2)]
    return patterns


@pytest.fixture(scope="module")
def agree(compiled, vendor):
    game, other = compiled("bacara"), vendor("bacara")

    def agree(options, outcome, bets):
        ours = game.settle_plain(options, outcome, bets)
        assert ours == other.settle(options, outcome, bets), (options, outcome, bets)
        return ours

    return agree


def hands_of_every_total():
    """One hand for each total and length, without a pair and, where there is one, with it."""
    found = {}
    for length in (2, 3):
        for ranks in itertools.product(RANKS, repeat=length):
            total = sum(int(rank) if rank.isdigit() else rank == "A" for rank in ranks) % 10
            found.setdefault((length, total, ranks[0] == ranks[1]), ranks)
    return [[rank + suit for rank, suit in zip(one, SUITS, strict=False)] for one in found.values()]


TOTALS = hands_of_every_total()


@pytest.mark.parametrize("regime", REGIMES)
def test_every_pair_of_totals_in_two_and_three_cards(agree, regime):
    assert len(TOTALS) == 10 + 5 + 20
    for player, banker in itertools.product(TOTALS, repeat=2):
        agree({"commission": regime}, {"player": player, "banker": banker}, PLAIN)


@pytest.mark.full
@pytest.mark.parametrize("regime", REGIMES)
def test_all_2366_hands_by_rank_on_each_side_against_every_total(agree, regime):
    hands = [
        [rank + suit for rank, suit in zip(ranks, SUITS, strict=False)]
        for length in (2, 3)
        for ranks in itertools.product(RANKS, repeat=length)
    ]
    assert len(hands) == 2366
    for hand, other in itertools.product(hands, TOTALS[::2]):
        agree({"commission": regime}, {"player": hand, "banker": other}, PLAIN)
        agree({"commission": regime}, {"player": other, "banker": hand}, PLAIN)


def turned(ranks, by):
    return ranks[by:] + ranks[:by]


@pytest.mark.parametrize(
    "turns",
    [
        pytest.param((0, 8), id="low ranks and tens"),
        pytest.param(range(13), id="every rank in every part", marks=pytest.mark.full),
    ],
)
@pytest.mark.parametrize("modality", FIXED)
def test_every_way_in_which_cards_can_be_alike(agree, modality, turns):
    seen = set()
    for shape in SHAPES:
        for pattern in alike_patterns(sum(shape)):
            for by in turns:
                ranks = turned(RANKS, by)
                cards = [ranks[kind] + SUITS[at % 4] for at, kind in enumerate(pattern)]
                answers = agree(options_of(modality), dealt_as(cards, shape), LONE)
                seen.add(answers[1]["prize"])
    # Nothing, and every combination that suits do not decide.
    assert len(seen) == {"A": 5, "B": 6, "C": 6}[modality]


STRAIGHT = ("A", "K", "Q", "J", "10")


@pytest.mark.parametrize(
    "orders",
    [
        pytest.param([turned(STRAIGHT, by) for by in range(0, 5, 2)], id="3 orders"),
        pytest.param(
            list(itertools.permutations(STRAIGHT)), id="120 orders", marks=pytest.mark.full
        ),
    ],
)
def test_the_straights_of_modality_a_in_all_1024_suits(agree, orders):
    seen = set()
    for at, (ranks, suits) in enumerate(
        itertools.product(orders, itertools.product(SUITS, repeat=5))
    ):
        cards = [rank + suit for rank, suit in zip(ranks, suits, strict=True)]
        shape = SHAPES[1 + at % 3]
        outcome = dealt_as(cards + ["4C"] * (sum(shape) - 5), shape)
        seen.add(agree(options_of("A"), outcome, LONE)[1]["prize"])
    assert seen == {0, 1_000_003, 100_001}


def test_near_straights_of_one_suit(agree):
    for ranks in itertools.combinations_with_replacement((*STRAIGHT, "9"), 5):
        for shape, last in itertools.product(((3, 2), (3, 3)), ("AS", "AH", "KS")):
            cards = [*(rank + "S" for rank in ranks), last][: sum(shape)]
            agree(options_of("A"), dealt_as(cards, shape), LONE)


@pytest.mark.parametrize("modality", FIXED)
def test_alike_cards_in_every_mixture_of_suits(agree, modality):
    for length, shape in ((4, (2, 2)), (5, (2, 3)), (6, (3, 3))):
        for suits in itertools.combinations_with_replacement(SUITS, length):
            agree(options_of(modality), dealt_as(["K" + suit for suit in suits], shape), LONE)


@pytest.mark.full
def test_six_alike_in_all_4096_suits(agree):
    for suits in itertools.product(SUITS, repeat=6):
        agree(options_of("C"), dealt_as(["K" + suit for suit in suits], (3, 3)), LONE)


def some_case(rng):
    """A case with many alike cards, one to three bettors, and some bets that name nobody."""
    ranks = rng.sample(RANKS, rng.choice((2, 3, 13)))
    pack = [rank + suit for rank in ranks for suit in rng.choice(("SHDC", "HD", "S"))]
    outcome = {whose: [rng.choice(pack) for _ in range(rng.choice((2, 3)))] for whose in MAIN[:2]}
    options = options_of(
        rng.choice("ABC"),
        rng.choice(REGIMES),
        rng.randrange(1_000_000),
        (rng.randrange(9), rng.choice((9, 100))),
    )
    if rng.random() < 0.1:
        del options["jackpot"]
    bets = []
    for bettor in rng.sample(("ana", "rui", "wai"), rng.choice((1, 2, 3))):
        for name in rng.choices((*MAIN, *ADDED), k=rng.choice((2, 3, 5))):
            bet = {"bet": name, "stake": rng.randrange(1, 200)}
            if name == "jackpot" or rng.random() < 0.8:
                bet["bettor"] = bettor
            bets.append(bet)
    rng.shuffle(bets)
    return options, outcome, bets


@pytest.mark.parametrize(
    "cases",
    [
        pytest.param(1_500, id="1500"),
        pytest.param(60_000, id="60000", marks=pytest.mark.full),
    ],
)
def test_random_cases(agree, cases):
    rng = random.Random(2009)  # noqa: S311 - the same cases every time
    for _ in range(cases):
        agree(*some_case(rng))


@pytest.mark.parametrize(
    ("options", "player", "banker"),
    [
        pytest.param({"commission": "none"}, "9C KD", "9H QS", id="no such regime"),
        pytest.param({}, "9C", "9H QS", id="a card is missing"),
        pytest.param({}, "9C KD", "9H QS 2D 3D", id="a card too many"),
        pytest.param({"jackpot": {"modality": "A"}}, "8H 8S", "8D 3C", id="17-7 no amount"),
        pytest.param({"jackpot": {"modality": "A"}}, "AH QH 10H", "KH JH", id="17-5 no pool"),
        pytest.param(
            {"jackpot": {"modality": "C", "accumulated": 9, "fixed": {"six-alike": 1}}},
            "2H 2S 2D",
            "2C 2H 2S",
            id="17-10 no percentage",
        ),
    ],
)
def test_both_refuse_what_cannot_be_settled(compiled, vendor, options, player, banker):
    outcome = {"player": player.split(), "banker": banker.split()}
    for settle in (compiled("bacara").settle_plain, vendor("bacara").settle):
        with pytest.raises(ValueError, match=r"."):
            settle(options, outcome, LONE)
