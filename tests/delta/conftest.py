"""Builds of one product: as it ships, refactored, and with one prize changed."""

import argparse
import contextlib
import sys

import pytest
from tests.verification.certificates import make_build, refactor

from selo.cli.parser.command_line import parse_arguments
from selo.cli.runs.compared_sides import open_side

COMMAND = f"{sys.executable} adapters/python/reference.py"
GAME = "fish-prawn-crab"


def arguments(*more) -> argparse.Namespace:
    given = ["diff", COMMAND, COMMAND, "--game", GAME, "--rulings", "defaults", "--text-as-stored"]
    return parse_arguments([*given, *more])


def change_prize(folder):
    """Let three dice of a chosen figure pay one less; the articles pay 150."""
    path = folder / "vendors" / "fish_prawn_crab.py"
    text = path.read_text(encoding="utf-8")
    assert text.count("THREE_OF_FIGURE = 150\n") == 1
    path.write_text(text.replace("THREE_OF_FIGURE = 150\n", "THREE_OF_FIGURE = 149\n"))
    return folder


@pytest.fixture(scope="session")
def sides(law, tmp_path_factory):
    """Every build, asked the canonical set."""
    place = tmp_path_factory.mktemp("builds")
    builds = {
        "lawful": make_build(place / "lawful"),
        "refactored": refactor(make_build(place / "refactored")),
        "prize": change_prize(make_build(place / "prize")),
    }
    with contextlib.ExitStack() as stack:
        yield {
            name: stack.enter_context(open_side(COMMAND, str(build), arguments(), law, None))
            for name, build in builds.items()
        }
