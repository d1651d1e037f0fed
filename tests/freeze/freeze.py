"""Compares everything that an older commit prints and writes with what the work tree does.

python tests/freeze/freeze.py [--base COMMIT] [--quick] [--only SCOPES] [--games …] [--budgets …]

Both trees are run through ``python -m selo`` with their own code and data. Results of a commit are
cached, so a second comparison runs the work tree only. Exit code 1 means that something differs.
"""

# ruff: noqa: T201 - it prints its progress and its result
from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from collect import collect
from commands import list_json_jobs, list_uncovered
from compare import Comparison, Side, compare, read_intentions
from jobs import BUDGETS, GAMES, SCOPES, Job, list_jobs
from trees import ROOT, Tree, check_out, prepare_workspace, resolve_commit, snapshot_work_tree

if TYPE_CHECKING:
    from collections.abc import Sequence

INTENDED = Path(__file__).resolve().parent / "intended.toml"
CACHE = ROOT / ".freeze"


def main(words: Sequence[str] | None = None) -> int:
    """Compare and return the exit code."""
    options = _parse(words)
    jobs = select_jobs(options)
    old = check_out(resolve_commit(options.base), options.cache)
    if options.twice:
        new = check_out(resolve_commit(options.base), options.cache / "again")
    elif options.again:
        new = Tree(name=options.name, home=options.cache / options.name, python=sys.executable)
    else:
        new = snapshot_work_tree(options.cache, options.name)
    trees = [old] if options.collect_only else [old, new]
    sides = []
    for tree in trees:
        source = old if options.vendors == "base" else tree
        prepare_workspace(tree, source.source / "fixtures")
        reuse = not options.fresh if tree is old else options.again
        literals = collect(tree, jobs, older=old, reuse=reuse)
        sides.append(Side(folder=tree.results, literals=literals))
    names = {name for side in sides for name in side.literals}
    if options.collect_only:
        print(f"{len(names)} files in {old.results}")
        return 0
    names = {name for name in names if name.partition("/")[0] in options.only}
    result = compare(*sides, names, read_intentions(options.intended))
    uncovered = list_uncovered(new.results / "help" / "en")
    failed = _print_result(result, old, new, uncovered, complete=_is_complete(options))
    noted = uncovered or (result.stale and _is_complete(options))
    return 1 if failed or (options.strict and noted) else 0


def select_jobs(options: argparse.Namespace) -> list[Job]:
    """Return the jobs that the options ask for."""
    jobs = [*list_jobs(options.games, options.budgets, full=options.full), *list_json_jobs()]
    return [
        job
        for job in jobs
        if set(job.scopes) & set(options.only) and (job.quick or not options.quick)
    ]


def _is_complete(options: argparse.Namespace) -> bool:
    """Return whether an intention that was not needed is stale, or was perhaps not looked at."""
    return set(options.only) == set(SCOPES) and not options.quick


def _print_result(
    result: Comparison, old: Tree, new: Tree, uncovered: list[str], *, complete: bool
) -> bool:
    for name, lines in result.differences.items():
        print(f"\n✗ {name}")
        print("\n".join(f"    {line}" for line in lines))
    for name in result.intended:
        print(f"intended: {name}")
    for intention in result.stale if complete else ():
        print(f"stale intention, nothing needs it: {intention.files} ({intention.reason})")
    for command in uncovered:
        print(f"not collected: {command} takes --json and has no line in commands.py")
    print(
        f"\n{old.name} and {new.name}: {result.equal} files equal,"
        f" {len(result.intended)} differ as intended, {len(result.differences)} differ"
    )
    return bool(result.differences)


def _parse(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    listed = {"type": lambda text: text.split(","), "metavar": "A,B"}
    parser.add_argument("--base", default="HEAD", help="the commit to compare with")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where results are kept")
    parser.add_argument("--only", default=list(SCOPES), help=",".join(SCOPES), **listed)
    parser.add_argument("--games", default=list(GAMES), help="all", **listed)
    parser.add_argument("--budgets", default=list(BUDGETS), help=",".join(BUDGETS), **listed)
    parser.add_argument("--quick", action="store_true", help="what a developer runs at each step")
    parser.add_argument("--full", action="store_true", help="also the kill score of every game")
    parser.add_argument("--fresh", action="store_true", help="do not reuse results of the commit")
    parser.add_argument("--twice", action="store_true", help="compare the commit with itself")
    parser.add_argument("--collect-only", action="store_true", help="only fill the cache")
    parser.add_argument(
        "--again", action="store_true", help="compare what the last run of the work tree left"
    )
    parser.add_argument("--strict", action="store_true", help="fail on what is only reported")
    parser.add_argument(
        "--vendors", choices=("own", "base"), default="own", help="whose fixtures both trees meet"
    )
    parser.add_argument("--intended", type=Path, default=INTENDED, help="intended differences")
    parser.add_argument("--name", default="work-tree", help="folder of the work tree in the cache")
    options = parser.parse_args(words)
    options.cache = options.cache.resolve()
    unknown = {*options.only} - {*SCOPES} | {*options.games} - {*GAMES}
    unknown |= {*options.budgets} - {*BUDGETS}
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    return options


if __name__ == "__main__":
    sys.exit(main())
