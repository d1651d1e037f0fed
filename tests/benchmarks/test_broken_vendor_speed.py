"""What a badly broken vendor costs, beside the lawful one in the same run."""

import resource
import subprocess
import sys

import pytest
from tests.games import GAMES

pytestmark = pytest.mark.bench

LAWFUL = f"{sys.executable} fixtures/adapters/python/reference.py"
BROKEN = f"{sys.executable} fixtures/broken/arbitrary.py"
#: The processor time of the broken one may be so many times that of the lawful one.
MOST = 9


def processor_seconds(root, folder, vendor, game):
    """Return the processor time of a quick examination with all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "selo", "examine", "--vendor", vendor, "--folder", str(root),
         "--game", game, "--rulings", "defaults", "--text-as-stored", "--out", str(folder)],
        check=False, capture_output=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (folder / "result.json").is_file()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("game", GAMES)
def test_a_vendor_that_is_wrong_in_a_thousand_ways_costs_a_few_lawful_ones(root, tmp_path, game):
    lawful = processor_seconds(root, tmp_path / "lawful", LAWFUL, game)
    broken = processor_seconds(root, tmp_path / "broken", BROKEN, game)

    print(f"{game}: lawful {lawful:.1f} s, broken {broken:.1f} s, {broken / lawful:.1f} times")
    assert broken < MOST * lawful
