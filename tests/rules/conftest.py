"""What the tests of the rules share: games compiled under readings."""

import pytest

from selo.rules.compiler import compile_game
from selo.rules.readings.reading_choice import Readings


@pytest.fixture(scope="session")
def compiled(law):
    """Return a game as the law has it: `compiled("craps", POINT=READING)` under some rulings."""

    def compile_under(game, **rulings):
        return compile_game(law, game, Readings(law, rulings))

    return compile_under
