"""``selo certify``: from a build to a signed document; asks what is missing, and can be resumed."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.cli.parser import shared_arguments as shared
from selo.text import user_error

if TYPE_CHECKING:
    import argparse

_FOLDER: Final = "selo-certificate"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo certify``."""
    parser.add_argument("folder", metavar="DIR", nargs="?", default=_FOLDER)
    shared.add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Take every step that is left."""
    from selo.cli.certification import AnswerStore, Certification
    from selo.law import load_law

    folder = Path(arguments.folder)
    if folder.exists() and not folder.is_dir():
        raise user_error("folder", folder=folder)
    # Whoever is asked must see the question and be able to answer.
    ask = input if sys.stdin.isatty() and sys.stdout.isatty() else None
    try:
        return Certification(folder, AnswerStore(folder), load_law(), ask, arguments.lang).run()
    except (KeyboardInterrupt, EOFError) as error:
        raise KeyboardInterrupt(shlex.join(["selo", "certify", str(folder)])) from error
