"""``selo keys demo``: an authority for demonstrations, made on this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.cli.options.signing_key import VARIABLE
from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.signing import PRIVATE, PUBLIC, SigningRefused, write
from selo.signing.keys import demonstration, secret
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    import argparse

_FOLDER: Final = 0o700


def run(arguments: argparse.Namespace) -> int:
    """Make the authority, or refuse and leave nothing behind."""
    try:
        return _made(arguments)
    except SigningRefused as error:
        print(error.told(arguments.lang), file=sys.stderr)
        return Exit.USAGE


def _made(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.out)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SigningRefused("keys-exist", path=folder)
    file = arguments.passphrase_file
    passphrase = secret(
        "new", file=Path(file) if file else None, variable=VARIABLE, language=arguments.lang
    )
    files = demonstration().files(passphrase)
    try:
        folder.mkdir(mode=_FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise SigningRefused("write", path=folder, problem=error.strerror) from error
    for name, content in files.items():
        write(folder / name, content, mode=PRIVATE if name.endswith(".p12") else PUBLIC)
    if arguments.json:
        print_json({"folder": str(folder), "files": sorted(files)})
        return Exit.CONFORMS
    out = console()
    out.print(say("keys.made", arguments.lang, path=folder))
    for name in sorted(files):
        out.print(f"  {name}")
    out.print(say("keys.warning", arguments.lang), style="bold")
    return Exit.CONFORMS
