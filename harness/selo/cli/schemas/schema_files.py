"""Reads the published schemas from the files that ship, without loading their types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from selo import data_files

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX: Final = ".schema.json"
OUTPUT, FILE = "output", "file"


class _SchemaTitle(msgspec.Struct, frozen=True):
    """The part of a schema that the list of schemas needs."""

    title: str


def list_outputs() -> dict[str, str]:
    """Return the name of each output schema, with the command line that prints it."""
    return {
        _schema_name(path): msgspec.json.decode(path.read_bytes(), type=_SchemaTitle).title
        for path in _schema_paths(OUTPUT)
    }


def list_files() -> list[str]:
    """Return the names of the schemas of files, apart from law files."""
    return [_schema_name(path) for path in _schema_paths(FILE)]


def read_schema(name: str) -> str | None:
    """Return the schema `name` of an output, of a file, or of a law file, or None."""
    for folder in (OUTPUT, FILE, ""):
        path = _schema_folder() / folder / f"{name}{SUFFIX}"
        if name and "/" not in name and path.is_file():
            return path.read_text(encoding="utf-8")
    return None


def _schema_folder() -> Path:
    # An edited copy of the law does not change what Selo prints.
    return data_files.shipped_folder("specs") / "schema"


def _schema_paths(folder: str) -> list[Path]:
    return sorted((_schema_folder() / folder).glob(f"*{SUFFIX}"))


def _schema_name(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)
