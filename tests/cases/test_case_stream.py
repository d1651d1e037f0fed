"""Streams of cases are complete where they are finite, and the same whenever they are made."""

import hashlib
import itertools
import json
import math
import os
import subprocess
import sys
from collections import Counter

import msgspec
import pytest
from tests.games import GAMES

from selo.cases.generate.case_stream import list_groups, stream_cases
from selo.cases.generate.jackpot_cases import equality_patterns
from selo.cases.scope import OfferedGame, Scope, offer_everything
from selo.errors import UsageError
from selo.rules.equipment.pack_and_dice import PACK
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
HANDS = math.comb(52, 3)
#: Choices of three ranks, with and without repetition.
KINDS, DIFFERENT = math.comb(15, 3), math.comb(13, 3)
#: 12 sequences and all other choices, suited and not; 13 trios; 13 pairs with 12 kickers.
POKER_KINDS = 12 * 2 + 13 + (DIFFERENT - 12) * 2 + 13 * 12


@pytest.fixture(scope="module")
def cases(law):
    """Return the cases of a group of a game."""

    def of(game, name, scope=None):
        for _, group in list_groups(law, scope or offer_everything(law, [game])):
            if group.name == name:
                return group.cases()
        raise LookupError(name)

    return of


@pytest.fixture(scope="module")
def quick(law):
    return {game: list(stream_cases(law, offer_everything(law, [game]))) for game in GAMES}


# Fish-prawn-crab: three dice of six faces, 39 spots.


def test_every_throw_has_216_cases_with_39_bets_each(cases):
    made = list(cases("fish-prawn-crab", "every-throw"))

    assert len({tuple(case.outcome["dice"]) for case in made}) == len(made) == 6**3
    assert {len(case.bets) for case in made} == {39}


def test_dice_lie_in_64_ways(cases):
    made = list(cases("fish-prawn-crab", "ways-of-lying"))

    assert len({tuple(case.outcome["lying"]) for case in made}) == len(made) == 4**3


def test_every_throw_is_tried_in_every_way_of_lying_that_is_not_flat(cases):
    made = {
        (tuple(case.outcome["dice"]), tuple(case.outcome["lying"]))
        for case in cases("fish-prawn-crab", "every-throw-lying")
    }

    assert len(made) == 6**3 * (4**3 - 1)


def test_every_spot_stands_alone_on_every_throw(cases):
    made = Counter(
        tuple(case.outcome["dice"]) for case in cases("fish-prawn-crab", "every-spot-alone")
    )

    assert set(made.values()) == {39}
    assert len(made) == 216


# Hands of three cards.


def _ranks(hand):
    return tuple(sorted(card[:-1] for card in hand))


def test_every_choice_of_three_ranks_is_a_hand_of_the_banker(cases):
    made = {
        _ranks(case.outcome["banker"]) for case in cases("three-card-baccarat", "kinds-of-banker")
    }

    assert len(made) == KINDS == 455


def test_every_two_of_31_lines_meet(cases):
    assert sum(1 for _ in cases("three-card-baccarat", "two-lines")) == 31**2
    assert sum(1 for _ in cases("three-card-baccarat", "lines-compared")) == 31**2


#: The group that deals every hand to the house, and the one that deals it to somebody at a place.
ROLES = [
    ("three-card-baccarat", "banker", "seats", "every-banker", "every-seat"),
    ("fortune-three-card-poker", "croupier", "places", "every-croupier", "every-place"),
]


def dealt(cases, house, places):
    """Yield each hand of the house with each hand at a place that a bet lies on."""
    for case in cases:
        for place, hand in case.outcome[places].items():
            assert any(bet.get(places.removesuffix("s")) == place for bet in case.bets)
            yield frozenset(case.outcome[house]), frozenset(hand), case


@pytest.mark.full
@pytest.mark.parametrize(("game", "house", "places", "at_house", "at_place"), ROLES)
def test_all_22100_hands_come_to_both_sides(cases, game, house, places, at_house, at_place):
    here = {one for one, _, _ in dealt(cases(game, at_house), house, places)}
    there = {one for _, one, _ in dealt(cases(game, at_place), house, places)}

    assert len(here) == len(there) == HANDS == 22_100


@pytest.mark.full
@pytest.mark.parametrize(("game", "house", "places", "at_house", "at_place"), ROLES)
def test_each_of_them_meets_every_class_that_one_pack_leaves(
    law, cases, game, house, places, at_house, at_place
):
    order = compile_game(law, game, Readings(law)).order
    lines = {order(sorted(hand))[0] for hand in itertools.combinations(PACK, 3)}
    met = {}

    for one, other, _ in dealt(cases(game, at_house), house, places):
        met.setdefault(("house", one), set()).add(order(sorted(other))[0])
    for one, other, _ in dealt(cases(game, at_place), house, places):
        met.setdefault(("place", other), set()).add(order(sorted(one))[0])

    assert len(met) == 2 * HANDS
    assert all(found == lines for found in met.values())


@pytest.mark.parametrize(("game", "house", "places", "at_house", "at_place"), ROLES)
def test_no_card_is_dealt_twice_at_a_table(cases, game, house, places, at_house, at_place):
    for group in (at_house, at_place):
        for case in itertools.islice(cases(game, group), 3_000):
            shown = [*case.outcome[house], *itertools.chain(*case.outcome[places].values())]

            assert len(set(shown)) == len(shown)


@pytest.mark.full
@pytest.mark.parametrize("game", ["three-card-baccarat", "fortune-three-card-poker"])
def test_all_22100_hands_are_compared(cases, game):
    assert len({frozenset(case.a) for case in cases(game, "hands-compared")}) == HANDS


def test_741_kinds_of_poker_hand_are_compared_with_their_neighbours(cases):
    made = list(cases("fortune-three-card-poker", "neighbours-compared"))
    alike = [case for case in made if _ranks(case.a) == _ranks(case.b)]
    trios = 13

    assert POKER_KINDS == 741
    # Each two neighbours in both directions, less those that one pack cannot deal together.
    assert len({tuple(case.a) for case in made}) == POKER_KINDS
    assert len(alike) >= POKER_KINDS - trios
    assert len(made) <= 3 * POKER_KINDS - 2


def test_no_case_of_one_pack_deals_a_card_twice(quick):
    for case in quick["fortune-three-card-poker"]:
        hands = [case.a, case.b] if case.method == "compare" else [
            case.outcome["croupier"], *case.outcome["places"].values()
        ]  # fmt: skip
        dealt = list(itertools.chain.from_iterable(hands))
        assert len(set(dealt)) == len(dealt), case


def test_no_case_deals_a_card_more_often_than_the_packs_hold_it(law):
    scope = offer_everything(law, ["three-card-baccarat"])
    for case in stream_cases(law, scope, at_random=2_000):
        if case.method == "settle":
            dealt = Counter(
                itertools.chain(case.outcome["banker"], *case.outcome.get("seats", {}).values())
            )
            assert max(dealt.values()) <= case.options.get("packs", 1), case


# Craps: two dice of six faces, or of none.


def test_every_first_throw_is_36_valid_ones_and_13_with_a_die_off_the_table(cases):
    made = [tuple(case.outcome["throws"][0]) for case in cases("craps", "first-throws")]

    assert len(set(made)) == len(made) == 36 + 13
    assert sum(all(throw) for throw in made) == 36


def test_every_point_meets_every_next_throw(cases):
    made = {
        (sum(case.outcome["throws"][0]), tuple(case.outcome["throws"][1]))
        for case in cases("craps", "point-and-next-throw")
    }

    assert made == set(
        itertools.product((4, 5, 6, 8, 9, 10), itertools.product(range(7), repeat=2))
    )


def test_every_two_throws_of_dice_and_every_three_totals_are_tried(cases):
    assert sum(1 for _ in cases("craps", "two-throws-of-dice")) == 49**2
    assert sum(1 for _ in cases("craps", "three-totals")) == 12**3


def test_an_addition_names_the_bet_to_which_it_may_be_added(quick):
    for case in quick["craps"]:
        for bet in case.bets:
            if "to" in bet:
                assert bet["bet"] == f"{case.bets[bet['to']]['bet']}-additional"


# Bacará.


def _drawn_ways():
    """Count the ways of drawing by value, from the table as players know it."""
    against = {0: 10, 1: 10, 2: 10, 3: 9, 4: 6, 5: 4, 6: 2, 7: 0}
    natural = 100 - 8 * 8
    stood = 2 * (6 * 10 + 2)
    drew = 6 * sum(10 * draws + (10 - draws) for draws in against.values())
    return natural + stood + drew


def test_every_way_to_draw_is_tried_under_every_regime(cases):
    made = Counter(case.options["commission"] for case in cases("bacara", "every-way-to-draw"))

    assert _drawn_ways() == 3_394
    assert made == dict.fromkeys(("five-percent", "half-on-six", "dragon-push"), 3_394)


def test_every_round_is_drawn_as_the_reference_vendor_draws(vendor, quick):
    for case in quick["bacara"]:
        player, banker = case.outcome["player"], case.outcome["banker"]
        more = [*player[2:], *banker[2:]]
        assert vendor("bacara").draws(player[:2], banker[:2], more) == (player, banker)


def test_every_way_in_which_six_cards_are_alike_is_dealt():
    # The sixth number of Bell.
    assert len(set(equality_patterns(6))) == len(equality_patterns(6)) == 203


# P'ai Kao: 32 tiles.

TWICE = ("1/1", "1/3", "1/5", "1/6", "2/2", "3/3", "4/4", "4/6", "5/5", "5/6", "6/6")
ONCE = ("1/2", "1/4", "2/3", "2/4", "2/5", "2/6", "3/4", "3/5", "3/6", "4/5")


def test_every_two_pairs_that_32_tiles_can_deal_are_compared_once(cases):
    tiles = [*TWICE, *TWICE, *ONCE]
    dealt = set()
    for four in set(itertools.combinations(sorted(tiles), 4)):
        for one in itertools.combinations(range(4), 2):
            rest = [four[at] for at in range(4) if at not in one]
            pairs = sorted([tuple(sorted(four[at] for at in one)), tuple(sorted(rest))])
            dealt.add(tuple(pairs))

    made = [
        tuple(sorted([tuple(sorted(case.a)), tuple(sorted(case.b))]))
        for case in cases("pai-kao", "every-two-pairs")
    ]

    assert set(made) == dealt
    assert len(made) == len(dealt)


# Streams.


@pytest.mark.parametrize("game", GAMES)
def test_a_quick_stream_has_some_hundred_to_some_thousand_cases(quick, game):
    assert 300 <= len(quick[game]) <= 7_000


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_a_standard_stream_has_some_ten_thousand_cases(law, game):
    count = sum(1 for _ in stream_cases(law, offer_everything(law, [game]), budget="standard"))

    # Of pairs of tiles there are no more, and longer rounds of craps wait for a full one.
    assert {"pai-kao": 20_000, "craps": 15_000}.get(game, 30_000) <= count <= 110_000


def test_a_greater_budget_tries_everything_that_a_smaller_one_does(law):
    scope = offer_everything(law, ["craps"])
    small, great = (
        {case.key for case in stream_cases(law, scope, budget=budget, at_random=50)}
        for budget in ("quick", "standard")
    )

    assert small < great


@pytest.mark.parametrize("game", GAMES)
def test_no_two_groups_of_a_game_have_one_name(law, game):
    listed = [group.name for _, group in list_groups(law, offer_everything(law, [game]))]

    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("game", GAMES)
def test_every_group_has_a_size_or_no_end(law, game):
    for _, group in list_groups(law, offer_everything(law, [game]), budget="quick"):
        assert (group.size() is None) == group.endless
        assert group.endless or group.size() > 0


def test_a_game_that_the_law_does_not_know_is_refused(law):
    scope = Scope(games=(OfferedGame(game="fan-tan", bets=("fan",)),))

    with pytest.raises(UsageError, match="fan-tan"):
        next(stream_cases(law, scope))


DIGEST = """
import hashlib
from selo.cases.scope import everything
from selo.cases.generate.case_stream import stream
import msgspec
from selo.law import load_law as load
law, digest = load(), hashlib.sha256()
for case in stream(law, everything(law), seed={seed}, at_random=200):
    digest.update(msgspec.json.encode(case))
print(digest.hexdigest())
"""


@pytest.mark.full
def test_the_same_seed_gives_the_same_stream_in_every_process():
    running = [
        subprocess.Popen(
            [sys.executable, "-c", DIGEST.format(seed=7)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE, text=True,
        )
        for seed in ("1", "2")
    ]  # fmt: skip
    one, other = (process.communicate(timeout=60)[0] for process in running)

    assert len(one.strip()) == 64
    assert one == other


#: At least so many per cent of the outcomes, and of the cases, of one seed are not those of
#: another. Of three dice there are 216 throws, all of which must come; of craps, some 40 first
#: throws and 300 throws after a point; of tiles, 213 comparisons that the law judges, each of
#: them in four orders of the tiles, of which a plan has more than half.
SHARES = {
    "fish-prawn-crab": (20, 95), "three-card-baccarat": (95, 95), "bacara": (80, 95),
    "fortune-three-card-poker": (95, 95), "craps": (55, 75), "pai-kao": (25, 25),
}  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_another_seed_gives_another_stream(law, quick, game):
    other = list(stream_cases(law, offer_everything(law, [game]), seed=1))

    for share, shown in zip(SHARES[game], (outcome, lambda case: case.key), strict=True):
        one, two = ({shown(case) for case in some} for some in (quick[game], other))
        assert 100 * len(one - two) >= share * len(one)
        assert 100 * len(two - one) >= share * len(two)


def outcome(case):
    return msgspec.json.encode(case.outcome or [case.a, case.b])


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_stream(law, quick, game):
    again = [case.key for case in stream_cases(law, offer_everything(law, [game]))]

    assert again == [case.key for case in quick[game]]


@pytest.mark.parametrize("game", [game for game in GAMES if game != "fish-prawn-crab"])
def test_nearly_every_case_at_random_shows_another_outcome(quick, game):
    drawn = [outcome(case) for case in quick[game] if case.group == "at-random"]

    assert len(drawn) == 300
    assert len(set(drawn)) >= 230


def test_a_tie_at_bacara_comes_with_first_cards_of_every_two_suits(law, quick):
    rules = compile_game(law, "bacara", Readings(law))
    seen = set()
    for case in quick["bacara"]:
        if case.group == "every-two-suits":
            settled = rules.settle_plain(case.options, case.outcome, case.bets)
            for bet, answer in zip(case.bets, settled, strict=True):
                if answer["result"] == "win":
                    firsts = (case.outcome[side][0][-1] for side in ("player", "banker"))
                    seen.add((bet["bet"], *firsts))

    for bet in ("player", "banker", "tie"):
        assert {one[1:] for one in seen if one[0] == bet} == set(itertools.product("SHDC", "SHDC"))


@pytest.mark.parametrize(
    ("game", "place", "lines"),
    [
        # 31 lines of the order win against the next below, but for the last; all of them tie.
        ("three-card-baccarat", "seat", {"beat-banker": 30, "tie": 31}),
        # Pair Plus pays on the five hands above a single high card.
        ("fortune-three-card-poker", "place", {"pair-plus": 5}),
    ],
)
def test_every_line_wins_at_every_seat(law, quick, game, place, lines):
    rules = compile_game(law, game, Readings(law))
    won = {}
    for case in quick[game]:
        if case.group.startswith("every-line-at-every"):
            settled = rules.settle_plain(case.options, case.outcome, case.bets)
            for bet, answer in zip(case.bets, settled, strict=True):
                if answer["result"] == "win":
                    hand = case.outcome[f"{place}s"][bet[place]]
                    line = rules.order(sorted(hand))[:1]
                    shown = line if game.startswith("fortune") else rules.order(sorted(hand))
                    won.setdefault((bet["bet"], bet[place]), set()).add(shown)

    for name, count in lines.items():
        for at in map(str, range(1, 8)):
            assert len(won[name, at]) == count


@pytest.mark.parametrize("game", [game for game in GAMES if game != "pai-kao"])
def test_stakes_that_people_lay_are_among_those_that_win(law, quick, game):
    rules = compile_game(law, game, Readings(law))
    won = set()
    for case in quick[game]:
        if case.group in {"stakes", "commission"}:
            settled = rules.settle_plain(case.options, case.outcome, case.bets)
            won |= {
                bet["stake"]
                for bet, answer in zip(case.bets, settled, strict=True)
                if answer["result"] == "win"
            }

    assert {1, 7, 99, 101, 100, 500, 1_000, 2_000, 10_000, 50_000} <= won


def test_the_key_of_a_case_is_that_of_its_canonical_json(quick):
    case = quick["craps"][0]
    asked = json.dumps(["settle", case.params()], separators=(",", ":"), sort_keys=True)

    assert case.key == hashlib.sha256(asked.encode()).hexdigest()[:20]
    assert msgspec.structs.replace(case, group="another").key == case.key
