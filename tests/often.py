"""Which variants of a test every run tries; the others belong to the full suite."""

import pytest


def often(variants, *kept):
    """Return variants of which only those `kept` are tried in every run."""
    return [
        one if one in kept else pytest.param(*_tuple(one), marks=pytest.mark.full)
        for one in variants
    ]


def _tuple(one):
    return one if isinstance(one, tuple) else (one,)
