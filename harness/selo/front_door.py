"""Front doors of packages: the names that other packages may import, each imported on first use."""

from __future__ import annotations

import ast
import importlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def front_door(package: str) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package, which imports each exported name on first use.

    The package lists its exports once, as imports under ``TYPE_CHECKING``. They are read when the
    first name is asked for, so a package may be named at every start.
    """
    homes: dict[str, str] = {}

    def get_export(name: str) -> object:
        if not homes:
            homes.update(_read_exports(package))
        if name not in homes:
            raise AttributeError(f"{package} does not export {name}", name=name, obj=package)
        value = getattr(importlib.import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return get_export


def _read_exports(package: str) -> dict[str, str]:
    """Return the modules that define the names which a package imports for type checkers."""
    specification = sys.modules[package].__spec__
    # Loaders of others, such as that of pytest for plugins, have the data of a file only.
    source = specification.loader.get_data(specification.origin)  # type: ignore[union-attr]
    return {
        alias.name: statement.module or ""
        for block in ast.parse(source).body
        if isinstance(block, ast.If)
        for statement in block.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
