"""The house edge in what was drawn, against throws whose edge the odds of others tell."""

import itertools
from collections import Counter
from fractions import Fraction

import msgspec
import pytest

from selo.report.observed import Observed

FIGURES = ["fish", "prawn", "gourd", "coin", "crab", "rooster"]


@pytest.fixture(scope="module")
def drawn(law, tmp_path_factory):
    """Every throw of three dice, once: as fair as draws can be."""
    defaults = {one.id: one.default for one in law.divergences}
    seen = Observed(tmp_path_factory.mktemp("nothing"), law, defaults)
    throws = itertools.product(FIGURES, repeat=3)
    outcomes = ({"dice": list(dice), "lying": ["flat"] * 3} for dice in throws)
    seen._drawn["fish-prawn-crab"] = Counter(map(msgspec.json.encode, outcomes))  # noqa: SLF001
    return seen


@pytest.mark.parametrize(
    ("bet", "choice", "edge"),
    [
        # Figures of sic bo, printed for the same bets at the same odds (fixtures/oracles).
        ("small", None, Fraction(1, 36)),
        ("big", None, Fraction(1, 36)),
        # 150 to one on one throw of 216: 1 − 151/216.
        ("three-of-figure", "fish", Fraction(65, 216)),
        # 24 to one on six throws of 216: 1 − 6·25/216.
        ("any-three-of-figure", None, Fraction(66, 216)),
    ],
)
def test_every_throw_once_gives_the_exact_edge(drawn, bet, choice, edge):
    assert drawn.edge("fish-prawn-crab", bet, choice) == edge


def test_nothing_drawn_gives_no_edge(drawn):
    assert drawn.edge("bacara", "player", None) is None


def test_a_bet_that_one_outcome_does_not_decide_has_no_edge(law, tmp_path):
    seen = Observed(tmp_path, law, {})
    seen._drawn["craps"] = Counter([b'{"throws":[[2,2]]}'])  # noqa: SLF001

    assert seen.edge("craps", "pass-line", None) is None
