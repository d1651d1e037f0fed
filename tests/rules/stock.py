"""Cases of each game that reach every rule: complete where finite, seeded elsewhere."""

import itertools
import random

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = "SHDC"
PACK = [rank + suit for rank in RANKS for suit in SUITS]
STAKES = (100, 101)


def spots(game):
    """Every bet with every choice, without a place."""
    for rules in game.bets.values():
        for choice in rules.domain or (None,):
            bet = {"bet": rules.name, "stake": 100}
            yield bet if choice is None else {**bet, "choice": choice}


def fish_prawn_crab(game):
    bets = list(spots(game))
    for dice in itertools.combinations_with_replacement(game.tables.faces, 3):
        yield {}, {"dice": list(dice)}, bets
    for how in ("leaning", "stacked", "leaning-on-glass", "unreadable"):
        yield {}, {"dice": ["fish", "prawn", "crab"], "lying": ["flat", "flat", how]}, bets
    yield {}, {"dice": ["fish", "prawn", "crab"]}, [{**bet, "overlooked": True} for bet in bets]


def _one_of_each_line(game):
    """One hand for each place in the order of hands that the game tells apart."""
    found = {}
    for hand in itertools.combinations(PACK, 3):
        key = game.order(sorted(hand))
        if key not in found:
            found[key] = list(hand)
    return list(found.values())


def three_card_baccarat(game):
    hands = _one_of_each_line(game)
    for banker, seat in itertools.product(hands, repeat=2):
        bets = []
        for bet in spots(game):
            rules = game.bets[bet["bet"]]
            bets.append(bet if rules.place is None else {**bet, rules.place: "1", "bettor": "1"})
        yield {"packs": 2}, {"banker": banker, "seats": {"1": seat}}, bets
        if game.order(banker) == game.order(seat):
            # The table closes; and once more, so that points alone make as many cases.
            closing = [{**bet, "closing": True} for bet in bets]
            yield {"packs": 2}, {"banker": banker, "seats": {"1": seat}}, [*closing, *bets]


def _other_suits(hand):
    """The same ranks in suits that the hand does not use: a tie that one pack can deal."""
    turn = str.maketrans("SHDC", "DCSH")
    return [card[:-1] + card[-1].translate(turn) for card in hand]


def fortune_three_card_poker(game):
    hands = _one_of_each_line(game)
    tried = random.Random(1).sample(hands, 40)  # noqa: S311 - a seeded sample
    lines = {}
    for hand in hands:
        lines.setdefault(game.order(hand)[0], hand)
    tried += lines.values()
    pairs = [*itertools.product(tried, repeat=2), *((one, _other_suits(one)) for one in hands)]
    for croupier, place in (pair for pair in pairs if not set(pair[0]) & set(pair[1])):
        bets = [
            {"bet": name, "place": "1", "stake": 100} for name in ("ante", "raise", "pair-plus")
        ]
        outcome = {"croupier": croupier, "places": {"1": place}}
        yield {}, outcome, bets
        yield {}, outcome, [bets[0], bets[2]]
    yield {}, outcome, [bets[0], {**bets[1], "stake": 99}, bets[2]]
    yield {}, {"croupier": croupier[:2], "places": {"1": place}}, bets


def craps(game):
    throws = [[1, 1], [1, 2], [2, 2], [1, 3], [2, 3], [3, 3], [2, 4], [3, 4], [4, 4], [3, 5],
              [4, 5], [5, 5], [4, 6], [5, 6], [6, 6], [3, 0]]  # fmt: skip
    base = list(spots(game))
    for length in (1, 2, 3):
        for sequence in itertools.product(throws, repeat=length):
            bets = [
                {**bet, "at": at}
                for at in range(length)
                for bet in base
                if game.bets[bet["bet"]].added_to is None
            ]
            for at, to in itertools.product(range(1, length), range(len(bets))):
                for rules in game.bets.values():
                    if rules.added_to == bets[to]["bet"]:
                        bets.append({"bet": rules.name, "stake": 100, "at": at, "to": to})
            yield {}, {"throws": [list(one) for one in sequence]}, bets


def _deal(generator):
    """A round from eight packs; the drawing rule does not matter to the rules we hold."""
    shoe = [rank + suit for rank in RANKS for suit in SUITS] * 8
    cards = generator.sample(shoe, 6)
    return {
        "player": cards[: generator.choice((2, 3))],
        "banker": cards[3 : 3 + generator.choice((2, 3))],
    }


#: Deals that form what chance seldom does: each jackpot combination, a dragon, a six.
_SELDOM = [
    {"player": ["AH", "QH", "10H"], "banker": ["KH", "JH"]},
    {"player": ["AS", "QH", "10H"], "banker": ["KH", "JH"]},
    {"player": ["JH", "JS", "2D"], "banker": ["JD", "JC", "3C"]},
    {"player": ["5H", "5S", "2D"], "banker": ["7D", "7C", "3C"]},
    {"player": ["5H", "5S", "2D"], "banker": ["5D", "7C", "3C"]},
    {"player": ["5H", "5S", "2D"], "banker": ["9D", "7C", "3C"]},
    {"player": ["2H", "2D", "2H"], "banker": ["2D", "2H", "2D"]},
    {"player": ["2H", "2D", "2S"], "banker": ["2D", "2H", "2D"]},
    {"player": ["2H", "2D", "2S"], "banker": ["2D", "2H", "3D"]},
    {"player": ["2H", "2D", "2S"], "banker": ["3D", "3H", "3D"]},
    {"player": ["2H", "2D", "2S"], "banker": ["2D", "4H", "3D"]},
    {"player": ["2H", "2D", "9S"], "banker": ["2D", "4H", "3D"]},
    {"player": ["10H", "2D", "3S"], "banker": ["10D", "2H", "5D"]},
    {"player": ["10H", "2D", "3S"], "banker": ["10D", "6H"]},
]


def bacara(game):
    generator = random.Random(3)  # noqa: S311 - a seeded sample
    outcomes = [*_SELDOM, *(_deal(generator) for _ in range(300))]
    names = ["royal-flush", "paradise-straight", "four-of-a-kind", "double-pairs",
             "three-of-a-kind", "single-pair", "six-alike", "five-alike", "double-three",
             "four-alike", "three-alike", "six-alike-one-colour"]  # fmt: skip
    fixed = {name: 1000 * (at + 1) for at, name in enumerate(names)}
    for outcome in outcomes:
        for regime in ("five-percent", "half-on-six", "dragon-push"):
            for modality in "ABC":
                jackpot = {"modality": modality, "accumulated": 1_000_003, "fixed": fixed}
                if modality == "C":
                    jackpot["percentage"] = [1, 20]
                bets = [{**bet, "bettor": "1"} for bet in spots(game)]
                yield {"commission": regime, "jackpot": jackpot}, outcome, bets
    yield {"commission": "five-percent"}, outcomes[0], bets
