"""What the tests of the rules share: the reference vendors, and games compiled under readings."""

import functools
import importlib.util

import pytest

from selo.rules.compiler import compile_game
from selo.rules.readings import Readings


@pytest.fixture(scope="session")
def vendor(root):
    """Return the module of a game: `vendor("craps")`."""

    @functools.cache
    def load(game):
        name = game.replace("-", "_")
        path = root / "fixtures" / "vendors" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(f"vendor_{name}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture(scope="session")
def compiled(law):
    """Return a game as the law has it: `compiled("craps", POINT=READING)` under some rulings."""

    def compile_under(game, **rulings):
        return compile_game(law, game, Readings(law, rulings))

    return compile_under
