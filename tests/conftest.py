"""What many tests share: the law as it ships, a copy of it to spoil, and the program itself."""

import functools
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from selo.law.check import check
from selo.law.reader import load

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def law():
    return load()


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def vendor(root):
    """Return the module of a game: `vendor("craps")`."""

    @functools.cache
    def load(game):
        name = game.replace("-", "_")
        path = root / "fixtures" / "vendors" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(f"vendor_{name}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


class Copy:
    """A copy of the law files in which one thing can be made wrong."""

    def __init__(self, folder):
        self.specs = folder / "specs"
        self.bilingual = folder / "bilingual"
        shutil.copytree(ROOT / "specs", self.specs)
        shutil.copytree(ROOT / "bilingual", self.bilingual)

    def path(self, name):
        return self.specs.parent / name

    def replace(self, name, old, new):
        """Change the one occurrence of `old` and return its line."""
        text = self.path(name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        self.path(name).write_text(text.replace(old, new), encoding="utf-8")
        return text[: text.index(old)].count("\n") + 1

    def problems(self):
        return check(specs=self.specs, bilingual=self.bilingual)[1]


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


@pytest.fixture(scope="session")
def selo():
    """Run the installed command and return what it printed and its exit code."""

    def run(*arguments, cwd=ROOT):
        return subprocess.run(
            [str(Path(sys.executable).with_name("selo")), *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=cwd,
            check=False,
            timeout=60,
        )

    return run
