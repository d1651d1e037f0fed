"""The law editor's guide, followed command by command."""

import os
import shutil
import subprocess
import sys

import pytest
from tests.e2e import guide

FILES = (
    "specs",
    "bilingual",
    "docs/examples",
    "fixtures/examples",
    "fixtures/vendors",
    "fixtures/adapters",
)


@pytest.fixture
def checkout(root, tmp_path):
    for name in FILES:
        shutil.copytree(root / name, tmp_path / name)
    return tmp_path


@pytest.mark.full
def test_an_instrument_and_an_amendment_are_added_without_python(root, checkout, wheel_path):
    text = (root / "docs/law-editors.md").read_text(encoding="utf-8")

    assert guide.follow(text, checkout, PATH=wheel_path) >= 22


@pytest.mark.full
def test_a_wrong_number_in_the_new_law_is_found_with_file_and_line(root, checkout, selo):
    text = (root / "docs/law-editors.md").read_text(encoding="utf-8")
    guide.follow(text.split("*What the game is played with*")[0], checkout)
    path = checkout / "my-law/specs/exemplo-11-33-m/articles/art-04.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("odds: 17:1", "odds: 18:1"), "utf-8")

    done = selo(
        "law", "check", "--specs", str(checkout / "my-law/specs"),
        "--bilingual", str(checkout / "my-law/bilingual"),
    )  # fmt: skip

    assert done.returncode == 3
    assert "art-04.yaml" in done.stderr
    assert "exemplo-11-33-m/4/b" in done.stderr


def test_a_law_elsewhere_that_is_not_there_is_said(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "selo", "law", "list"], capture_output=True, text=True, check=False,
        env={**os.environ, "SELO_LAW": str(tmp_path / "nowhere")},
    )  # fmt: skip

    assert done.returncode == 3
    assert str(tmp_path / "nowhere" / "specs") in done.stderr
    assert "SELO_LAW" in done.stderr
    assert "Install" not in done.stderr
