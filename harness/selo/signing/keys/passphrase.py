"""Passphrases and PINs: from a file, the environment or a prompt; never from the command line."""

from __future__ import annotations

import getpass
import os
import sys
from typing import TYPE_CHECKING, Final

from selo.signing.signing_errors import SigningRefused
from selo.text import say

if TYPE_CHECKING:
    from pathlib import Path


#: The first line of a file is the secret.
_LARGEST_SECRET: Final = 64 << 10


def read_secret(what: str, *, file: Path | None, variable: str, language: str = "en") -> str:
    """Return the secret `what` (``passphrase`` or ``pin``) from file, environment or prompt."""
    if file is not None:
        return _read_secret_file(file)
    secret = os.environ.get(variable)
    if secret:
        return secret
    if not sys.stdin.isatty():
        raise SigningRefused("no-secret", variable=variable)
    return getpass.getpass(say(f"sign.prompt.{what}", language))


def _read_secret_file(path: Path) -> str:
    try:
        # A secret may come through a pipe.
        with path.open("rb") as file:
            lines = file.read(_LARGEST_SECRET).decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SigningRefused("secret-file", path=path, problem=error) from error
    if not lines or not lines[0]:
        raise SigningRefused("secret-empty", path=path)
    return lines[0]
