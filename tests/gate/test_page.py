"""The commands of docs/gate.md, typed one after the other, with what they print."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e import guide
from tests.tools import needs

NEW_BET = "### A new bet with its rules"
ADAPTER = "import os, sys\nos.execv(sys.executable, [sys.executable, *{command!r}])\n"


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs" / "gate.md").read_text("utf-8")


@pytest.fixture
def folder(page, root, office, tmp_path):
    """Return a folder with what the page takes for granted: a game, a list, and somebody's key."""
    shutil.copytree(root / "fixtures", tmp_path / "game", ignore=shutil.ignore_patterns("oracles"))
    vendor = ["game/planted/vendor.py", "fish-prawn-crab", "pays-small-two-to-one"]
    (tmp_path / "adapter.py").write_text(ADAPTER.format(command=vendor), encoding="utf-8")
    (tmp_path / "deviations.yaml").write_text(example(page, "deviations"), encoding="utf-8")
    shutil.copy(office.p12, tmp_path)
    shutil.copy(office.root, tmp_path / "authority.pem")
    return tmp_path


def example(page, key):
    """Return the one file of the page that begins with a key."""
    (found,) = re.findall(rf"```yaml\n({key}:.*?)```", page, re.DOTALL)
    return found


@pytest.mark.full
@needs("openssl")
def test_the_commands_of_the_page_end_and_print_as_shown(page, folder, office, wheel_path):
    before, after = page.partition(NEW_BET)[0].split("The authority signs it")
    secret = office.secret.read_text(encoding="ascii").strip()

    count = guide.follow(before, folder, SELO_PASSPHRASE=secret, PATH=wheel_path)
    # What somebody would write into the empty permission stands on the page.
    filled = example(page, "permission").replace("Demonstration authority 1", office.name)
    (folder / "permission.yaml").write_text(filled, encoding="utf-8")
    count += guide.follow(after, folder, SELO_PASSPHRASE=secret, PATH=wheel_path)

    assert count == len(list(guide.commands(page.partition(NEW_BET)[0]))) == 6


@pytest.mark.full
def test_the_commands_for_a_new_bet_end_as_the_page_says(page, root, folder, office, wheel_path):
    before, sign, after = re.split("(?=[$] selo permission sign)|(?<=bureau.p12\n)", section(page))
    (folder / "adapter.py").write_text(
        ADAPTER.format(command=["game/examples/nine_tie.py"]), encoding="utf-8"
    )
    add_example(folder / "my-law", root)
    surroundings = {
        "SELO_PASSPHRASE": office.secret.read_text(encoding="ascii").strip(), "PATH": wheel_path,
    }  # fmt: skip

    count = guide.follow(f"{before}```\n", folder, **surroundings)
    written = folder / "permission.yaml"
    filled = written.read_text(encoding="utf-8")
    for key, value in {
        "permission": "DEMO-2/2026", "issuer": office.name,
        "  vendor": "Reference vendor", "  name": "Games with a new bet",
    }.items():  # fmt: skip
        filled = filled.replace(f'{key}: ""', f"{key}: {value}", 1)
    written.write_text(filled, encoding="utf-8")
    count += guide.follow(f"```console\n{sign}{after}", folder, **surroundings)

    assert count == 5


def section(page):
    """Return the section on new bets."""
    return page.partition(NEW_BET)[2].partition("\n## ")[0]


def add_example(folder, root):
    """Make a copy of the law with the act of the example."""
    act = root / "docs" / "examples" / "permission"
    for name in ("specs", "bilingual"):
        shutil.copytree(root / name, folder / name)
    shutil.copytree(act / "specs", folder / "specs", dirs_exist_ok=True)
    shutil.copytree(
        act / "bilingual" / "sources", folder / "bilingual" / "sources", dirs_exist_ok=True
    )
    with (folder / "bilingual" / "sources.yaml").open("a", encoding="utf-8") as sources:
        sources.write((act / "bilingual" / "sources.add.yaml").read_text(encoding="utf-8"))


def test_a_new_permission_names_what_the_page_fills_in(page, tmp_path):
    path = tmp_path / "permission.yaml"
    subprocess.run(
        [Path(sys.executable).with_name("selo"), "permission", "new", "--game", "bacara",
         "--out", path],
        check=True, capture_output=True,
    )  # fmt: skip

    empty = path.read_text(encoding="utf-8")

    for key in re.findall(r"^(\w+):", example(page, "permission"), re.MULTILINE):
        assert f"{key}:" in empty, key
