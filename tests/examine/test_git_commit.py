"""The commit of the tool is what git says it is, and never part of what is proven."""

import json
import subprocess
import sys

import pytest

from selo.examine.run import git_commit
from selo.examine.run.git_commit import commit_of_checkout

VENDOR = f"{sys.executable} fixtures/adapters/python/reference.py"


def git(folder, *words):
    alone = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", *alone, *words], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "checkout"
    folder.mkdir()
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "one")
    return folder


def loose(folder):
    return folder


def packed(folder):
    git(folder, "pack-refs", "--all")
    return folder


def detached(folder):
    git(folder, "checkout", "--quiet", "--detach")
    return folder


def second_tree(folder):
    git(folder, "worktree", "add", "--quiet", "-b", "other", "../tree")
    git(folder.parent / "tree", "commit", "--quiet", "--allow-empty", "--message", "two")
    return folder.parent / "tree"


def second_tree_packed(folder):
    tree = second_tree(folder)
    git(folder, "pack-refs", "--all")
    return tree


@pytest.mark.parametrize("how", [loose, packed, detached, second_tree, second_tree_packed])
def test_the_commit_is_the_one_that_git_names(repository, how):
    folder = how(repository)

    assert commit_of_checkout(folder) == git(folder, "rev-parse", "HEAD")


def test_without_a_checkout_or_a_commit_there_is_none(tmp_path):
    assert commit_of_checkout(tmp_path) is None
    git(tmp_path, "init", "--quiet")
    assert commit_of_checkout(tmp_path) is None
    (tmp_path / ".git" / "HEAD").write_text("no commit at all", encoding="utf-8")
    assert commit_of_checkout(tmp_path) is None


def test_an_installed_package_in_somebody_elses_checkout_has_no_commit(repository, monkeypatch):
    package = repository / "site-packages" / "selo"
    package.mkdir(parents=True)
    monkeypatch.setattr(git_commit.selo, "__file__", str(package / "__init__.py"))
    git_commit.read_commit.cache_clear()
    try:
        assert git_commit.read_commit() is None
    finally:
        git_commit.read_commit.cache_clear()


@pytest.mark.full
def test_the_commit_stands_in_the_log_and_in_the_report_and_changes_no_root(selo, tmp_path, root):
    told = []
    for name in ("a", "b"):
        folder = tmp_path / name
        selo(
            "examine", "--vendor", VENDOR, "--game", "pai-kao", "--rulings", "defaults",
            "--provision", "portaria-96-85-m/annex/98", "--as-of", "2026-01-31",
            "--out", str(folder),
        )  # fmt: skip
        run = json.loads((folder / "run.json").read_bytes())
        assert run["commit"] == commit_of_checkout(root)
        if name == "b":
            run["commit"] = None
            (folder / "run.json").write_text(json.dumps(run), encoding="utf-8")
        out = tmp_path / f"report-{name}"
        selo("report", str(folder), "--format", "json", "--format", "html", "--out", str(out))
        report = json.loads((out / "report.json").read_bytes())
        assert report["method"]["commit"] == run["commit"]
        told.append((report["method"]["plan"], report["evidence"]["root"]))
        page = (out / "report.html").read_text(encoding="utf-8")
        assert (run["commit"] or "not recorded") in page

    assert told[0] == told[1]
