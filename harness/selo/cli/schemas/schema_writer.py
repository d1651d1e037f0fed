"""``make schemas``: writes the published schemas of outputs and files into a folder."""

from __future__ import annotations

import sys
from pathlib import Path

from selo.cli.schemas.published_schemas import names, written
from selo.cli.schemas.schema_files import FILE, OUTPUT, SUFFIX


def files() -> dict[str, str]:
    """Return every published schema by its path in the folder of schemas."""
    return {
        f"{OUTPUT if command else FILE}/{name}{SUFFIX}": written(name)
        for name, command in names().items()
    }


def write(folder: Path) -> None:
    """Write them all."""
    for path, text in files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
