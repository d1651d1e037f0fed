"""``selo keys demo``: an authority for demonstrations, made on this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.output.error_output import render_error
from selo.cli.parser import shared_arguments as shared
from selo.text import say

if TYPE_CHECKING:
    import argparse

_FOLDER_MODE: Final = 0o700


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo keys demo``."""
    parser.add_argument("--out", required=True, metavar="DIR")
    parser.add_argument("--passphrase-file", metavar="FILE")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Make the authority, or refuse and leave nothing behind."""
    from selo.signing import SigningRefused

    try:
        return _make_authority(arguments)
    except SigningRefused as error:
        print(render_error(error, arguments.lang), file=sys.stderr)
        return Exit.USAGE


def _make_authority(arguments: argparse.Namespace) -> int:
    from selo.cli.resolved_options.signing_key import PASSPHRASE_VARIABLE
    from selo.signing import SigningRefused
    from selo.signing.keys import make_demo_authority, read_secret
    from selo.storage.atomic_write import PRIVATE_MODE, PUBLIC_MODE, write_file

    folder = Path(arguments.out)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SigningRefused("keys-exist", path=folder)
    file = arguments.passphrase_file
    passphrase = read_secret(
        "new",
        file=Path(file) if file else None,
        variable=PASSPHRASE_VARIABLE,
        language=arguments.lang,
    )
    files = make_demo_authority().files(passphrase)
    try:
        folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    except OSError as error:
        raise SigningRefused("write", path=folder, problem=error.strerror) from error
    for name, content in files.items():
        write_file(
            folder / name, content, mode=PRIVATE_MODE if name.endswith(".p12") else PUBLIC_MODE
        )
    if arguments.json:
        print_json({"folder": str(folder), "files": sorted(files)})
        return Exit.CONFORMS
    out = console()
    out.print(say("keys.made", arguments.lang, path=folder))
    for name in sorted(files):
        out.print(f"  {name}")
    out.print(say("keys.warning", arguments.lang), style="bold")
    return Exit.CONFORMS
