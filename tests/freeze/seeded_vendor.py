"""Runs a vendor's program with a fixed seed in place of the random source of the system.

python3 seeded_vendor.py PROGRAM [ARGUMENT …]

What a vendor draws is part of the evidence, so two runs are equal only if it draws the same.
"""

import random
import runpy
import secrets
import sys
from pathlib import Path

SEED = 1


def _make_random() -> random.Random:
    return random.Random(SEED)  # noqa: S311 - the same draws in every run are the purpose


if __name__ == "__main__":
    secrets.SystemRandom = random.SystemRandom = _make_random
    sys.argv = sys.argv[1:]
    sys.path[0] = str(Path(sys.argv[0]).parent)
    runpy.run_path(sys.argv[0], run_name="__main__")
