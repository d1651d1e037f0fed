"""What comes right after what: pairs of successive outcomes, no outcome in two of them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from selo.draws.chi_square import frequencies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.draws.chi_square import Measure, Numbers


def test_successive_pairs(of: str, values: Numbers, names: Sequence[str]) -> Measure:
    """Return whether each of equally likely things follows each other as often as any."""
    many = len(names)
    even = values[: len(values) // 2 * 2].reshape(-1, 2)
    counts = np.bincount(even[:, 0] * many + even[:, 1], minlength=many * many)
    cells = [(f"{name}, {other}", Fraction(1, many * many)) for name in names for other in names]
    return frequencies("successive", of, cells, counts)
