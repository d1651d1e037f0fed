"""The law with the made-up games of pieces, read once."""

import pytest
from tests.example_games import EXAMPLES, add_games

from selo.examine.selftest.in_process_examiner import Examiner
from selo.law.loader import load_law
from selo.verdict.rulings import adopt_rulings


@pytest.fixture(scope="session")
def folder_with_games(once):
    """Return a law folder with all of them."""
    return once("law-with-games", lambda folder: add_games(folder, *EXAMPLES))


@pytest.fixture(scope="session")
def law_with_games(folder_with_games):
    return load_law(specs=folder_with_games / "specs", bilingual=folder_with_games / "bilingual")


@pytest.fixture(scope="session")
def examiner(law_with_games):
    """Return the examiner of a game under the defaults of the register."""
    known = {}

    def made(game):
        if game not in known:
            rulings = adopt_rulings(law_with_games, defaults=True)
            known[game] = Examiner(law_with_games, game, rulings)
        return known[game]

    return made
