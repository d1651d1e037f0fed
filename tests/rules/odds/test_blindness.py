"""The rules cannot tell apart what is counted together."""

import random
from collections import Counter
from itertools import combinations, permutations, product

import pytest

from selo.rules.equipment.kits import HAND_LAYOUTS
from selo.rules.equipment.pack_and_dice import PACK, RANKS, SUITS
from selo.rules.odds import pack_deals, shoe_odds, shoe_rounds
from selo.rules.odds.bet_classifier import BetClassifier
from selo.rules.odds.companion_bets import place_bet
from selo.rules.odds.hand_vs_house import DealtDuel

EVERY = [list(hand) for hand in combinations(PACK, 3)]


def _renamed(hand, suits):
    return sorted(card[:-1] + suits[SUITS.index(card[-1])] for card in hand)


def test_three_card_baccarat_sees_only_the_ranks_of_a_hand(compiled):
    game = compiled("three-card-baccarat")
    places, bets = {}, {}

    for at, hand in enumerate(EVERY):
        ranks = tuple(sorted(card[:-1] for card in hand))
        place = game.order(sorted(hand))
        assert places.setdefault(ranks, place) == place
        if at % 5 == 0:
            settled = _banker_bets(game, hand)
            assert bets.setdefault(ranks, settled) == settled
    assert len(places) == 455


def _banker_bets(game, hand):
    bets = [{"bet": name, "stake": 20, "bettor": "1", **({"choice": 0} if name == "points" else {})}
            for name in ("odd", "even", "three-figures", "points")]  # fmt: skip
    bets.append({"bet": "beat-banker", "stake": 20, "bettor": "1", "seat": "1"})
    outcome = {"banker": hand, "seats": {"1": ["2S", "2H", "2D"]}}
    return tuple(one["result"] for one in game.settle_plain({}, outcome, bets)[:4])


def test_poker_sees_suits_only_as_equal_or_not(compiled):
    game = compiled("fortune-three-card-poker")

    for hand in EVERY[::7]:
        orders = {game.order(_renamed(hand, names)) for names in permutations(SUITS)}
        assert len(orders) == 1


def test_a_canonical_hand_stands_for_hands_that_differ_by_suits_only():
    for hand in EVERY[::11]:
        forms = {pack_deals.canonical_hand(tuple(_renamed(hand, names)))
                 for names in permutations(SUITS)}  # fmt: skip
        assert len(forms) == 1


CELLS = [
    ("three-card-baccarat", ("beat-banker", "tie"), {}, 12),
    ("three-card-baccarat", ("beat-banker", "tie"),
     {"22-96-m-7-1--same-rank-or-same-cards": "same-cards"}, 12),
    pytest.param("fortune-three-card-poker", ("ante", "raise"), {}, 6, marks=pytest.mark.full),
    pytest.param(
        "fortune-three-card-poker", ("ante", "raise"),
        {"78-2008-9-5--low-pair-qualifies": "a-card-reaching-queen"}, 6, marks=pytest.mark.full,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "bets", "rulings", "many"), CELLS)
def test_every_deal_of_some_hands_ends_as_its_cell(compiled, name, bets, rulings, many):
    game = compiled(name, **rulings)
    suited = name.startswith("fortune")
    deal = pack_deals.deal_by_suit(3) if suited else pack_deals.deal_by_rank(3, 1)
    equipment = "croupier-and-places" if suited else "banker-and-seats"
    duel = DealtDuel(game, deal, HAND_LAYOUTS[equipment])
    cells = duel.cells(*(game.bets[bet] for bet in bets))
    both = [
        *place_bet(game, bets[0], stake=duel.stake),
        *place_bet(game, bets[1], stake=duel.stake)[:1],
    ]
    chance = random.Random(20)  # noqa: S311 - a test picks hands, it keeps no secret
    looked_at = set(chance.sample(range(len(deal.first)), many))

    def ended(pair):
        settled = duel.settle(pair, both)
        return tuple((one.result, one.prize, one.commission) for one in settled)

    for row, weights in enumerate(deal.rows()):
        if row not in looked_at:
            continue
        deal_by_deal, cell_by_cell = Counter(), Counter()
        for other, weight in zip(deal.second, weights, strict=True):
            if weight:
                deal_by_deal[ended((deal.first[row], other))] += int(weight)
        for column, weight in enumerate(cells.counts[row]):
            if weight:
                pair = cells.deals[int(cells.kinds[row]), column]
                cell_by_cell[ended(pair)] += int(weight)
        assert deal_by_deal == cell_by_cell


def test_the_drawing_rule_counts_points_as_the_law_does(compiled, drawing):
    game = compiled("bacara")

    for one, other in product(RANKS, repeat=2):
        hand = [f"{one}S", f"{other}H"]
        facts = game.facts({"player": hand, "banker": ["KS", "KH"]})
        counted = drawing.total([one, other])
        assert facts["player_wins"] == (counted > 0)
        assert facts["tied"] == (counted == 0)


@pytest.mark.parametrize("modality", ["A", "B", "C"])
def test_rounds_in_which_the_same_conditions_hold_end_alike(compiled, all_rounds, modality):
    game = compiled("bacara")
    rounds = all_rounds(8)
    options = _options(game, modality)
    table = shoe_odds.Shoe(game, rounds, regimes=["five-percent"], modalities=[modality])
    judge = BetClassifier(game, "jackpot", options, table.stake)
    chance = random.Random(4)  # noqa: S311 - a test picks rounds, it keeps no secret
    bets = place_bet(game, "jackpot", stake=table.stake)
    known = {}

    for _ in range(1500):
        row = rounds.cards[chance.randrange(len(rounds.cards))]
        suits = {place: chance.choice(SUITS) for place in range(len(shoe_rounds.DEALT_PLACES))}
        answers = judge.which_hold([*judge.rank_conditions, *judge.suit_conditions], row, suits)
        settled = game.settle(options, judge.outcome(row, suits), bets)[0].plain()
        assert known.setdefault(answers, settled) == settled


def _options(game, modality):
    names = [rule.combination for rule in game.bets["jackpot"].results if rule.combination]
    return {
        "jackpot": {
            "modality": modality, "accumulated": 0, "fixed": dict.fromkeys(names, 0),
            "percentage": [0, 1],
        }
    }  # fmt: skip


@pytest.mark.full
def test_suits_that_show_no_difference_make_none(compiled):
    """Every multiset of five ranks, in every way to fall in suits, for the two highest prizes."""
    game = compiled("bacara")
    high = [rule.condition for rule in game.bets["jackpot"].results
            if rule.combination in {"royal-flush", "paradise-straight"}]  # fmt: skip
    told = {"A", "K", "Q", "J", "10"}

    for ranks in combinations(RANKS, 5):
        if len(told & set(ranks)) < 4:
            continue
        shown = set()
        for suits in product(SUITS, repeat=5):
            counted = [rank + suit for rank, suit in zip(ranks, suits, strict=True)]
            facts = {"modality": "A", "counted_first": counted}
            shown.add(tuple(bool(one.on(facts)) for one in high))
        tried = set()
        for suits in shoe_odds.probe_suits(5):
            counted = [rank + suit for rank, suit in zip(ranks, suits, strict=True)]
            facts = {"modality": "A", "counted_first": counted}
            tried.add(tuple(bool(one.on(facts)) for one in high))
        assert (len(shown) > 1) == (len(tried) > 1)
