"""How fast the law compiles and settles, as ratios measured in one run."""

import itertools
import random
import statistics
import time

import pytest
from tests.fixture_modules import load_vendor

from selo.law.loader import load_law
from selo.rules.checks.game_check import list_games
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game

pytestmark = pytest.mark.bench


def test_all_law_files_load_and_compile_in_under_a_second():
    started = time.perf_counter()
    law = load_law()
    loaded = time.perf_counter()
    for game in list_games(law):
        compile_game(law, game, Readings(law))
    done = time.perf_counter()

    print(f"\nload {loaded - started:.3f} s, compile {done - loaded:.3f} s")
    assert done - started < 1.0


def cards(generator, count):
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    pack = [rank + suit for rank in ranks for suit in "SHDC"]
    return generator.sample(pack, count)


def cases(game):
    generator = random.Random(7)  # noqa: S311 - a seeded sample
    if game == "fish-prawn-crab":
        faces = ["fish", "prawn", "gourd", "coin", "crab", "rooster"]
        bets = [{"bet": "small", "stake": 100}, {"bet": "big", "stake": 100}]
        bets += [{"bet": "figure", "choice": face, "stake": 100} for face in faces]
        bets += [{"bet": "number", "choice": total, "stake": 100} for total in range(4, 18)]
        for dice in itertools.product(faces, repeat=3):
            yield {}, {"dice": list(dice)}, bets
    elif game == "three-card-baccarat":
        bets = [{"bet": "beat-banker", "seat": "1", "stake": 100}, {"bet": "odd", "stake": 100}]
        bets += [{"bet": "points", "choice": points, "stake": 100} for points in range(10)]
        for _ in range(400):
            hand = cards(generator, 6)
            yield {}, {"banker": hand[:3], "seats": {"1": hand[3:]}}, bets
    elif game == "fortune-three-card-poker":
        bets = [
            {"bet": name, "place": "1", "stake": 100} for name in ("ante", "raise", "pair-plus")
        ]
        for _ in range(400):
            hand = cards(generator, 6)
            yield {}, {"croupier": hand[:3], "places": {"1": hand[3:]}}, bets
    elif game == "bacara":
        bets = [{"bet": name, "stake": 100, "bettor": "1"}
                for name in ("player", "banker", "tie", "player-pair", "banker-pair")]  # fmt: skip
        for _ in range(400):
            hand = cards(generator, 4)
            yield {"commission": "five-percent"}, {"player": hand[:2], "banker": hand[2:]}, bets
    else:
        bets = [
            {"bet": name, "stake": 100} for name in ("pass-line", "dont-pass", "field", "big-7")
        ]
        for _ in range(400):
            throws = [[generator.randint(1, 6), generator.randint(1, 6)] for _ in range(6)]
            yield {}, {"throws": throws}, bets


def rate(settle, made, times=5):
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        for options, outcome, bets in made:
            settle(options, outcome, bets)
        spent.append(time.perf_counter() - started)
    return sum(len(bets) for _, _, bets in made) / statistics.median(spent)


@pytest.mark.parametrize(
    "game",
    ["fish-prawn-crab", "three-card-baccarat", "bacara", "fortune-three-card-poker", "craps"],
)
def test_the_oracle_settles_at_least_a_third_as_fast_as_the_load_vendor(game):
    law = load_law()
    oracle, reference = compile_game(law, game, Readings(law)), load_vendor(game)
    made = list(cases(game))
    for options, outcome, bets in made:
        assert oracle.settle_plain(options, outcome, bets) == reference.settle(
            options, outcome, bets
        )

    ours, theirs = rate(oracle.settle_plain, made), rate(reference.settle, made)

    print(f"\n{game:<26}{ours:>12,.0f} /s{theirs:>12,.0f} /s{ours / theirs:>8.2f} × vendor")
    assert ours / theirs >= 1 / 3
