"""The first command on a machine with nothing but Python, git, make and a shell."""

import os
import subprocess

import pytest
from tests.tools import need

pytestmark = pytest.mark.full


def test_make_certify_works_in_an_emptied_root(root, tmp_path_factory):
    if os.geteuid():
        pytest.skip("only root makes another root")
    need("debootstrap")
    folder = tmp_path_factory.mktemp("clean")

    done = subprocess.run(
        [root / "tests" / "packaging" / "clean_root.sh", folder, "make certify"],
        capture_output=True, text=True, check=False, timeout=1800,
    )  # fmt: skip

    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    assert "Genuine." in done.stdout
    assert "== make certify: exit 0 after " in done.stdout
