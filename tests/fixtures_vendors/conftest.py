"""The reference vendors, each loaded from its file as a stranger would load it."""

import functools
import importlib.util

import pytest


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
