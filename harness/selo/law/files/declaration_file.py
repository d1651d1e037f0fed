"""Model of ``declarations.yaml``: a lawful declaration, and those that distinguish readings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from selo import data_files
from selo.errors import SpecError
from selo.law.files.provision_file import ClosedRecord
from selo.yaml_file import read_typed_yaml, typed_problem

if TYPE_CHECKING:
    from pathlib import Path


class DivergingDeclaration(ClosedRecord, frozen=True):
    """A declaration that is lawful under some readings of an open point only."""

    #: The provision that is broken where it is forbidden.
    provision: str
    #: The differences from the lawful declaration.
    given: dict[str, Any]
    #: For each reading, whether it is allowed or forbidden.
    expect: dict[str, str]


class DeclarationsFile(ClosedRecord, frozen=True):
    """What a vendor could declare of one game."""

    game: str
    #: An offer that is lawful under the defaults of the register, without its methods.
    lawful: dict[str, Any]
    #: By the id of the divergence.
    readings: dict[str, DivergingDeclaration] = {}


def read_declarations(game: str, *, specs: Path | None = None) -> DeclarationsFile | None:
    """Return the declarations of `game`, or nothing if it has no file."""
    path = data_files.game_file(game, "declarations.yaml", specs=specs)
    if path is None:
        return None
    # Unlike the law, a declaration is JSON in YAML's clothes: its bare numbers are numbers.
    plain = read_typed_yaml(path)
    try:
        return msgspec.convert(plain, DeclarationsFile)
    except msgspec.ValidationError as error:
        raise SpecError(typed_problem(path, error, hint="Compare with docs/rules.md.")) from error


def overlay_declarations(offer: dict[str, Any], declarations: dict[str, Any]) -> dict[str, Any]:
    """Return `offer` with the given declarations; nested mappings are merged by name."""
    declares = {**offer.get("declares", {}), **declarations.get("declares", {})}
    return {**offer, **declarations, **({"declares": declares} if declares else {})}
