"""``make schemas``: writes the published schemas of outputs and files into a folder."""

from __future__ import annotations

import sys
from pathlib import Path

from selo.cli.schemas.published_schemas import list_schemas, render_schema
from selo.cli.schemas.schema_files import FILE, OUTPUT, SUFFIX


def render_files() -> dict[str, str]:
    """Return every published schema by its path."""
    return {
        f"{OUTPUT if command else FILE}/{name}{SUFFIX}": render_schema(name)
        for name, command in list_schemas().items()
    }


def write_schemas(folder: Path) -> None:
    """Write the schemas."""
    for path, text in render_files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write_schemas(Path(sys.argv[1]))
