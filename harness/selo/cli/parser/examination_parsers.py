"""Commands on the examination, from the plan to the verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.parser import shared_arguments as shared
from selo.cli.parser.defaults import Default

if TYPE_CHECKING:
    import argparse

    from selo.cli.parser.command_tree import Commands


def add(commands: Commands) -> None:
    """Add the commands of this group."""
    _plan(commands.add_parser("plan"))
    _examine(commands.add_parser("examine"))
    _resume(commands.add_parser("resume"))
    _replay(commands.add_parser("replay"))
    _coverage(commands.add_parser("coverage"))
    _selftest(commands.add_parser("selftest"))


def _plan(plan: argparse.ArgumentParser) -> None:
    plan.set_defaults(module="examination.plan")
    shared.vendor(plan, needed=False)
    _scope(plan)
    shared.language(plan)
    shared.result(plan)


def _examine(examine: argparse.ArgumentParser) -> None:
    examine.set_defaults(module="examination.examine", action="examine")
    examining(examine)
    shared.language(examine)
    shared.result(examine)


def examining(parser: argparse.ArgumentParser) -> None:
    """Add everything that an examination takes."""
    shared.vendor(parser)
    _scope(parser)
    _witness(parser)
    parser.add_argument("--processes", type=int, metavar="N", default=Default(key="processes"))
    shared.out(parser, "selo-run")


def _scope(parser: argparse.ArgumentParser) -> None:
    """Add everything that determines a plan, besides the vendor."""
    parser.add_argument("--provision", action="append", metavar="ID")
    shared.date(parser)
    shared.budget(parser)
    parser.add_argument("--seal", metavar="FILE")
    shared.rulings(parser)
    shared.permissions(parser)


def _resume(resume: argparse.ArgumentParser) -> None:
    resume.set_defaults(module="examination.examine", action="resume")
    resume.add_argument("out", metavar="DIR")
    _witness(resume)
    shared.language(resume)
    shared.result(resume)


def _witness(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--witness", action="append", metavar="FORM")


def _replay(replay: argparse.ArgumentParser) -> None:
    replay.set_defaults(module="examination.replay")
    replay.add_argument("finding", metavar="FINDING")
    shared.vendor(replay)
    shared.language(replay)
    shared.result(replay)


def _coverage(coverage: argparse.ArgumentParser) -> None:
    coverage.set_defaults(module="examination.coverage")
    coverage.add_argument("games", nargs="*", metavar="GAME")
    coverage.add_argument("--most", type=int, metavar="N")
    shared.budget(coverage)
    shared.language(coverage)
    shared.result(coverage)


def _selftest(selftest: argparse.ArgumentParser) -> None:
    selftest.set_defaults(module="examination.selftest")
    shared.games(selftest)
    selftest.add_argument("--generated", action="store_true")
    selftest.add_argument("--every", type=int, default=1, metavar="N")
    selftest.add_argument("--out", type=Path, metavar="FILE")
    shared.language(selftest)
    shared.result(selftest)
