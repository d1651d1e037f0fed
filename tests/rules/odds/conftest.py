"""What the tests of the odds share: figures, counted once for each game and set of rulings."""

import functools

import pytest

from selo.rules.equipment import DrawingRule
from selo.rules.odds import shoe_rounds
from selo.rules.odds.game_odds import OddsCatalogue
from selo.rules.readings.reading_choice import Readings


@pytest.fixture(scope="session")
def catalogue(law):
    return OddsCatalogue(law)


@pytest.fixture(scope="session")
def figures(law, catalogue):
    """Return the figures of some bets: `figures("craps", "field")`, by choice and manner."""

    @functools.cache
    def counted(game, bet, packs, rulings):
        # What is staked later belongs to the bet with which a round begins.
        only = {"ante", "raise"} if "ante" in bet or "raise" in bet else {bet}
        found = catalogue.figures(game, Readings(law, dict(rulings)), wanted=packs, only=only)
        return {(one.choice, one.manner): one for one in found if one.bet == bet}

    def look_up(game, bet, *, packs=None, **rulings):
        return counted(game, bet, packs, tuple(sorted(rulings.items())))

    return look_up


@pytest.fixture(scope="session")
def drawing(law):
    return DrawingRule.of(law, Readings(law).of(DrawingRule.POINT))


@pytest.fixture(scope="session")
def all_rounds(drawing):
    """Return every round of so many packs."""
    return functools.cache(lambda packs: shoe_rounds.enumerate_rounds(drawing, packs))
