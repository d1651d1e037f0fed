"""The wheel, built once."""

import subprocess
import sys

import pytest


@pytest.fixture(scope="session")
def wheel(tmp_path_factory, root):
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out)],
        cwd=root, check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    return next(out.glob("*.whl"))
