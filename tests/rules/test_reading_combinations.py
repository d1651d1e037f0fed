"""Whatever readings are followed together, every case settles to amounts that can be told."""

import itertools
from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from tests.rules import stock

from selo.examine.selftest.reading_selftest import draw_reading_combinations
from selo.law.files.situation_file import read_situations
from selo.rules.equipment.kits import BadOutcome

SEED = 30
LARGEST = 2**53
STOCK = {
    "three-card-baccarat": stock.three_card_baccarat,
    "fortune-three-card-poker": stock.fortune_three_card_poker,
    "bacara": stock.bacara,
}
FURTHER = yaml.safe_load((Path(__file__).parent / "further_situations.yaml").read_text("utf-8"))


def amount(written):
    return Fraction(*written) if isinstance(written, list) else Fraction(written)


def cases_of(game, compiled):
    """Yield the cases in which readings part, and some of those that reach every rule."""
    for situation in read_situations(game).values():
        if situation.compare is None:
            yield situation.options, situation.outcome, situation.bets
    for cases in FURTHER.get(game, {}).values():
        for case in cases:
            yield case["options"], case["outcome"], case["bets"]
    yield from itertools.islice(STOCK[game](compiled), 0, 400, 7)


def wrong_amounts(compiled, options, outcome, bets):
    try:
        settled = compiled.settle_plain(options, outcome, bets)
    except BadOutcome:
        # Another reading needs an amount that the table of this case does not declare.
        return
    for bet, told in zip(bets, settled, strict=True):
        prize, commission = amount(told["prize"]), amount(told["commission"])
        returned = told.get("stake", bet["stake"])
        lawful = 0 <= prize < LARGEST and 0 <= commission <= prize + bet["stake"]
        if not lawful or not 0 <= returned <= bet["stake"]:
            yield bet, told


@pytest.mark.parametrize("game", STOCK)
@pytest.mark.parametrize("more", [8, pytest.param(300, marks=pytest.mark.full)])
def test_every_combination_of_readings_settles_to_lawful_amounts(law, compiled, game, more):
    drawn = list(draw_reading_combinations(law, game, combinations=more, seed=SEED))
    wrong = []

    for readings in drawn if more > 8 else drawn[-more:]:
        under = compiled(game, **readings)
        for case in cases_of(game, under):
            wrong += [(readings, *one) for one in wrong_amounts(under, *case)]

    assert wrong == []
