"""Vendors of JavaScript that are lawful while they think that somebody watches, by the program."""

import json
import re
import subprocess
import sys

import pytest
from tests.tools import needs
from tests.vendors.hostile import needs_bubblewrap

VENDOR = "fixtures/unwatched/cheat.mjs"
SIGNS = ["host-without-number", "no-identity", "child-of-a-shell", "up-for-months", "long-table",
         "few-units", "changed-bets", "tables-alone"]  # fmt: skip
#: Programs end so when a vendor breaks the law.
BREAKS_THE_LAW = 1


def test_every_sign_of_the_cheat_is_tried(root):
    text = (root / VENDOR).read_text(encoding="utf-8")

    assert re.findall(r'^  "([a-z-]+)": \(', text, re.MULTILINE) == SIGNS


@needs_bubblewrap
@pytest.mark.full
@needs("node")
@pytest.mark.parametrize("sign", SIGNS)
def test_a_vendor_that_goes_by_a_sign_is_caught_by_an_inspector(root, tmp_path, sign):
    vendor = ["--vendor", f"node {VENDOR} {sign}", "--folder", str(root)]
    seal, out = tmp_path / "exam.seal", tmp_path / "run"

    def selo(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "selo", *arguments], cwd=root, capture_output=True, check=False
        )

    selo("seal", "new", *vendor, "--out", str(seal))
    ran = selo(
        "examine", *vendor, "--seal", str(seal), "--text-as-stored", "--rulings", "defaults",
        "--out", str(out), "--json",
    )  # fmt: skip

    assert ran.returncode == BREAKS_THE_LAW, ran.stderr
    assert any(one["verdict"] == "violates" for one in json.loads(ran.stdout)["findings"])
