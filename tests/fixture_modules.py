"""Loads modules of ``fixtures/``, which no package holds."""

import functools
import importlib.util
from pathlib import Path

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"


def load_fixture(path):
    """Return a fresh module of a file below ``fixtures/``, such as ``planted/vendor.py``."""
    name = path.removesuffix(".py").replace("/", "_")
    spec = importlib.util.spec_from_file_location(f"fixture_{name}", FIXTURES / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def load_vendor(game):
    """Return the module of the reference vendor of a game."""
    return load_fixture(f"vendors/{game.replace('-', '_')}.py")
