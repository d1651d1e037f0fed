"""``selo dossier new``: writes the dossier of a run, with what the run knows filled in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.cli.output import Exit
from selo.cli.output.console import print_json
from selo.cli.parser import shared_arguments as shared
from selo.storage.atomic_write import write_file
from selo.text import say, user_error

if TYPE_CHECKING:
    import argparse

_OUT: Final = "dossier.yaml"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo dossier new``."""
    parser.add_argument("run", metavar="RUN")
    parser.add_argument("--out", metavar="FILE", default=_OUT)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the dossier."""
    from selo.cli.runs import prefill_dossier
    from selo.law import load_law

    content = prefill_dossier(Path(arguments.run), load_law(), arguments.lang)
    return write_dossier(Path(arguments.out), content, arguments, key="dossier.prefilled")


def write_dossier(path: Path, content: str, arguments: argparse.Namespace, *, key: str) -> int:
    """Write a dossier that is not there yet, and say so."""
    try:
        write_file(path, content.encode())
    except OSError as error:
        raise user_error("dossier-unwritten", path=path, error=error.strerror) from error
    if arguments.json:
        print_json({"dossier": str(path)})
    else:
        print(say(key, arguments.lang, path=path))
    return Exit.CONFORMS
