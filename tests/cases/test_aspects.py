"""Aspects that every game has are tried in every game, by designs that say what they cover."""

import itertools
from collections import Counter, defaultdict

import pytest
from tests.cases.unforeseen_faults import GameFacts, list_faults, survivors
from tests.fixture_modules import load_vendor
from tests.games import GAMES_WITH_BETS
from tests.often import often

from selo.cases.generate.case_stream import list_groups
from selo.cases.oracle import Oracle
from selo.cases.scope import OfferedGame, Scope, offer_everything
from selo.rules.equipment.pack_and_dice import PACK
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game

COVERING = {"pairs", "levels"}
#: Two games that have little to do with each other.
OFTEN = ("fish-prawn-crab", "fortune-three-card-poker")
GAMES_WITH_PLACES = ("three-card-baccarat", "fortune-three-card-poker")


def aspects(law, game, *, seed=0, budget="standard"):
    """Return the groups of a game that are covering designs."""
    scope = offer_everything(law, [game])
    return [
        group
        for _, group in list_groups(law, scope, budget=budget, seed=seed)
        if group.design in COVERING
    ]


def settlements_of(law, game, **choices):
    """Yield the cases of the covering designs of a game, settled by the reference vendor."""
    vendor = load_vendor(game)
    for group in aspects(law, game, **choices):
        for case in group.cases():
            if case.method == "settle":
                yield case, vendor.settle(case.options, case.outcome, case.bets)


def facts_of(law, game):
    rules = compile_game(law, game, Readings(law))
    bets = rules.bets
    options = {
        str((name, value)): (name, value)
        for group in aspects(law, game)
        for case in group.cases()
        for name, value in case.options.items()
    }
    equal = frozenset(name for name, bet in bets.items() if bet.asks_others)
    return GameFacts(
        spots=[(name, choice) for name, bet in bets.items() for choice in bet.domain or (None,)],
        options=list(options.values()),
        dependent=frozenset(
            name for name, bet in bets.items() if bet.needs or bet.added_to or bet.asks_others
        ),
        equal=equal,
        shared=frozenset(
            name for name, bet in bets.items() if any(prize.share for prize in bet.prizes)
        ),
        throws=any(bet.added_to for bet in bets.values()),
        repeats=not equal,
        fractions=any(prize.odds.denominator > 1 for bet in bets.values() for prize in bet.prizes),
    )


@pytest.mark.parametrize("game", often(GAMES_WITH_BETS, *OFTEN))
def test_the_designs_of_standard_notice_every_fault_that_no_clause_causes(law, game):
    faults = list_faults(facts_of(law, game))

    assert len(faults) > 60
    assert survivors(faults, settlements_of(law, game)) == []


@pytest.mark.parametrize("game", often(GAMES_WITH_BETS, "three-card-baccarat"))
@pytest.mark.parametrize("seed", often(range(5), 3))
def test_the_reference_vendor_and_the_law_agree_on_every_case_of_the_designs(law, game, seed):
    oracle = Oracle(law)
    wrong = [
        case
        for case, settled in settlements_of(law, game, seed=seed, budget="full")
        if oracle.settle_plain(case) != settled
    ]

    assert wrong == []


@pytest.mark.parametrize("game", GAMES_WITH_BETS)
def test_every_game_has_a_design_for_each_budget(law, game):
    designs = defaultdict(set)
    for group in aspects(law, game):
        designs[group.budget].add(group.design)

    assert designs["quick"] == {"levels"}
    assert "pairs" in designs["standard"]


@pytest.mark.parametrize("game", GAMES_WITH_BETS)
def test_a_design_says_how_many_levels_it_combines(law, game):
    groups = {group.name: group for group in aspects(law, game)}
    cases = list(groups["every-two-levels"].cases())
    levels = groups["every-two-levels"].factors()

    assert levels["outcome"] * levels["stake"] <= len(cases)
    assert len({bet["stake"] for case in cases for bet in case.bets}) == levels["stake"]
    for name in {name for case in cases for name in case.options}:
        values = {str(case.options.get(name)) for case in cases}
        assert len(values) == levels[name]


@pytest.mark.parametrize("game", GAMES_WITH_PLACES)
def test_at_full_tables_everything_becomes_of_every_bet_at_every_place(law, game):
    oracle = Oracle(law)
    group = next(g for g in aspects(law, game) if g.name == "full-tables-of-two-kinds")
    seen = defaultdict(set)
    for case in itertools.islice(group.cases(), 400):
        for bet, one in zip(case.bets, oracle.settle_plain(case), strict=True):
            place = bet.get("seat") or bet.get("place")
            if place is not None:
                seen[place].add((bet["bet"], one["result"], one["prize"] // bet["stake"]))

    assert len(seen) == 7
    assert len({frozenset(becomes) for becomes in seen.values()}) == 1


@pytest.mark.parametrize("game", often(GAMES_WITH_PLACES, "fortune-three-card-poker"))
def test_every_hand_of_a_pack_lies_at_a_place_once_under_standard(law, game):
    scope = offer_everything(law, [game])
    group = next(g for _, g in list_groups(law, scope) if g.name == "every-hand-once")
    hands, houses = Counter(), set()
    for case in group.cases():
        seated = case.outcome.get("seats") or case.outcome.get("places")
        hands.update(frozenset(hand) for hand in seated.values())
        house = case.outcome.get("banker") or case.outcome.get("croupier")
        houses.add(up_to_suits(house))

    assert hands == Counter(map(frozenset, itertools.combinations(PACK, 3)))
    assert houses == {up_to_suits(hand) for hand in itertools.combinations(PACK, 3)}


def up_to_suits(hand):
    """Return what a change of suits leaves of a hand."""
    images = [
        sorted(card[:-1] + suits["SHDC".index(card[-1])] for card in hand)
        for suits in itertools.permutations("SHDC")
    ]
    return tuple(min(images))


def test_a_second_bet_in_a_space_for_one_is_tried(law):
    repeated = set()
    for group in aspects(law, "fortune-three-card-poker"):
        for case in itertools.islice(group.cases(), 500):
            names = Counter((bet["bet"], bet["place"]) for bet in case.bets)
            repeated |= {bet for (bet, _), times in names.items() if times > 1}

    assert repeated == {"ante", "pair-plus", "raise"}


def test_an_addition_always_follows_the_bet_it_is_added_to(law):
    for group in aspects(law, "craps"):
        for case in group.cases():
            for at, bet in enumerate(case.bets):
                assert bet.get("to", -1) < at


def test_a_vendor_that_offers_one_bet_is_asked_for_no_other(law):
    offered = OfferedGame(game="craps", methods=frozenset({"settle"}), bets=("field",))
    scope = Scope(games=(offered,))
    cases = [
        case
        for _, group in list_groups(law, scope, budget="standard")
        if group.design in COVERING
        for case in group.cases()
    ]

    assert cases
    assert {bet["bet"] for case in cases for bet in case.bets} == {"field"}


def test_two_pairs_of_tiles_come_first_and_second_equally_often(law):
    scope = offer_everything(law, ["pai-kao"])
    group = next(g for _, g in list_groups(law, scope) if g.name == "every-two-pairs")
    first, second = Counter(), Counter()
    for case in group.cases():
        first[tuple(case.a)] += 1
        second[tuple(case.b)] += 1

    assert first.keys() == second.keys()
    assert all(abs(first[pair] - second[pair]) < 0.2 * first.total() / len(first) for pair in first)


# Portaria 97/85/M, art. 3 n.º 2: under this reading a bet whose prize is not whole is refused.
def test_the_designs_can_be_made_under_a_reading_that_refuses_fractions(law):
    rulings = {"97-85-m-3-2--indivisible-stake": "refuse"}
    oracle = Oracle(law, rulings)
    groups = list_groups(law, offer_everything(law, ["craps"]), budget="standard", rulings=rulings)
    refused = {
        group.name: sum(
            one["result"] == "refused"
            for case in itertools.islice(group.cases(), 100)
            for one in oracle.settle_plain(case)
        )
        for _, group in groups
        if group.design in COVERING
    }

    assert len(refused) == 5
    assert all(refused.values())
