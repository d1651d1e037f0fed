"""The rule set is complete, without contradiction, and without a dead rule.

Settling the stock raises when no rule speaks of a bet, and when two rules disagree and neither
prevails; what is left to look at is whether every rule spoke at least once.
"""

import pytest
from tests.often import often
from tests.rules import stock

from selo.rules.checks.game_check import settlement_points

STOCK = {
    "fish-prawn-crab": stock.fish_prawn_crab,
    "three-card-baccarat": stock.three_card_baccarat,
    "fortune-three-card-poker": stock.fortune_three_card_poker,
    "craps": stock.craps,
    "bacara": stock.bacara,
}


def rules_of(game):
    """Every rule as the reasons of a settlement name it: its provision and its condition."""
    return {
        (rule.provision, None if rule.condition is None else rule.condition.text)
        for bet in game.bets.values()
        for rule in (*bet.results, *bet.prizes, *bet.commissions)
        if getattr(rule, "stage", None) != "placed"
        # Reconstructed material speaks under its own name, never under a provision's.
        and not rule.provision.startswith("reconstructed/")
    }


def spoken(name, game):
    """Settle the whole stock and return which rules spoke, and how many bets were settled."""
    heard = set()
    settled = 0
    for options, outcome, bets in STOCK[name](game):
        for settlement in game.settle(options, outcome, bets):
            settled += 1
            heard |= {(one.provision, one.condition) for one in settlement.reasons}
    return heard, settled


@pytest.mark.parametrize("name", often(STOCK, "fish-prawn-crab", "bacara"))
def test_under_the_defaults_every_bet_has_one_result_and_every_rule_speaks(compiled, name):
    game = compiled(name)

    heard, settled = spoken(name, game)

    assert settled > 2000
    assert not rules_of(game) - heard


def other_readings(law, name):
    defaults = {one.id: one.default for one in law.divergences}
    return [
        (point, reading)
        for point, readings in settlement_points(law, name).items()
        for reading in readings
        if reading != defaults[point]
    ]


@pytest.mark.parametrize("name", ["fish-prawn-crab"])
def test_under_every_other_reading_every_bet_has_one_result(law, compiled, name):
    for point, reading in other_readings(law, name):
        _, settled = spoken(name, compiled(name, **{point: reading}))
        assert settled > 2000, (point, reading)


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in STOCK if name != "fish-prawn-crab"])
def test_under_every_other_reading_of_every_game_every_bet_has_one_result(law, compiled, name):
    for point, reading in other_readings(law, name):
        _, settled = spoken(name, compiled(name, **{point: reading}))
        assert settled > 2000, (point, reading)
