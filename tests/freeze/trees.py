"""The two source trees that are compared, as copies without git, and the interpreter of each."""

# ruff: noqa: T201 - it prints its progress and its result
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
#: What the program and its vendors need of a checkout.
PARTS = ("harness", "specs", "bilingual", "reports", "fixtures", "docs", "pyproject.toml")
PARTS_OF_A_PACKAGE = (*PARTS, "README.md", "LICENSE")
HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, kw_only=True, slots=True)
class Tree:
    """A copy of the sources, the interpreter that runs it, and where its results are kept."""

    name: str
    home: Path
    python: str

    @property
    def source(self) -> Path:
        """The copy of the sources."""
        return self.home / "tree"

    @property
    def workspace(self) -> Path:
        """The current folder of every command; vendors lie in it by relative paths."""
        return self.home / "workspace"

    @property
    def results(self) -> Path:
        """Normalised outputs, one folder for each job."""
        return self.home / "results"

    def environment(self) -> dict[str, str]:
        """Return the environment of the commands: this tree, no colours, a fixed width."""
        kept = {name: os.environ[name] for name in ("HOME", "TMPDIR") if name in os.environ}
        programs = os.pathsep.join((str(Path(self.python).parent), os.environ.get("PATH", "")))
        return {
            **kept,
            "PATH": programs,
            "PYTHONPATH": str(self.source / "harness"),
            "PYTHONPYCACHEPREFIX": str(self.home / "bytecode"),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "TERM": "dumb",
            "SELO_LANG": "en",
            "SELO_PASSPHRASE": "freeze",
        }


def resolve_commit(name: str) -> str:
    """Return the full hash of the commit `name`."""
    return _git("rev-parse", "--verify", f"{name}^{{commit}}").decode().strip()


def check_out(commit: str, cache: Path) -> Tree:
    """Return the tree of a commit, taken out of git unless the cache holds it."""
    home = cache / commit
    source = home / "tree"
    if not source.is_dir():
        archive = _git("archive", "--format=tar", commit, *_present(commit))
        unpacked = home / "tree.new"
        shutil.rmtree(unpacked, ignore_errors=True)
        unpacked.mkdir(parents=True)
        with tarfile.open(fileobj=BytesIO(archive)) as tar:
            tar.extractall(unpacked, filter="data")
        unpacked.rename(source)
    return Tree(name=commit[:12], home=home, python=_choose_python(home))


def snapshot_work_tree(cache: Path, name: str = "work-tree") -> Tree:
    """Return a copy of the work tree as it is now, with files that git does not know yet."""
    home = cache / name
    source = home / "tree"
    shutil.rmtree(home / "results", ignore_errors=True)
    shutil.rmtree(home / "workspace", ignore_errors=True)
    shutil.rmtree(source, ignore_errors=True)
    listed = _git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *PARTS)
    for path in sorted(set(listed.decode().split("\0")) - {""}):
        if (ROOT / path).is_file():
            target = source / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, target)
    return Tree(name=name, home=home, python=sys.executable)


def prepare_workspace(tree: Tree, fixtures: Path) -> None:
    """Lay out the folder in which commands run: vendors, and a wrapper that seeds their draws."""
    tree.workspace.mkdir(parents=True, exist_ok=True)
    shutil.copytree(fixtures, tree.workspace / "fixtures", dirs_exist_ok=True)
    shutil.copy2(HERE / "seeded_vendor.py", tree.workspace / "seeded_vendor.py")


def _present(commit: str) -> list[str]:
    names = set(_git("ls-tree", "--name-only", commit).decode().splitlines())
    return [part for part in PARTS_OF_A_PACKAGE if part in names]


def _choose_python(home: Path) -> str:
    """Return this interpreter, or one of a new environment if the dependencies differ."""
    if _dependencies(home / "tree") == _dependencies(ROOT):
        return sys.executable
    folder = home / "venv"
    python = folder / "bin" / "python"
    if not python.is_file():
        print(f"its dependencies differ: making an environment in {folder}", flush=True)
        venv.create(folder, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", str(home / "tree")]
        subprocess.run(install, check=True)
        remove = [str(python), "-m", "pip", "uninstall", "--quiet", "--yes", "selo"]
        subprocess.run(remove, check=True)
    return str(python)


def _dependencies(source: Path) -> list[str]:
    settings = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))
    return sorted(settings["project"]["dependencies"])


def _git(*words: str) -> bytes:
    return subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True).stdout
