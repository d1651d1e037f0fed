"""Changes of rules that no case can show, as they are listed for a game, each with its reason."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from selo import data_files
from selo.yaml_file import read

_FILE: Final = "equivalents.yaml"

#: Why nothing is to be seen: another provision says the same; what it is about never comes; no
#: rule that is followed asks for it; it needs an amount that no table declares; it says what is
#: judged, and no vendor answers otherwise.
Kind = Literal["elsewhere", "never-comes", "unasked", "undeclared", "not-an-answer"]


class Equivalent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Some changes of one provision, and why they change nothing."""

    provision: str
    kind: Kind
    why: str
    changes: list[str]
    #: The provisions that say the same, where some do.
    elsewhere: list[str] = []


def equivalents(game: str) -> list[Equivalent]:
    """Return the changes of a game's rules that no case can show."""
    path = data_files.folder("fixtures") / "planted" / _FILE
    return read(path).convert(dict[str, list[Equivalent]]).get(game, [])
