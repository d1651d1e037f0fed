"""Front doors of packages: the names that other packages may import, each imported on first use."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def front_door(package: str, exports: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package whose modules define the exported names.

    Nothing is imported before it is asked for, so a package may be named at every start.
    """
    homes = {name: module for module, names in exports.items() for name in names}

    def get_export(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"{package} does not export {name}", name=name, obj=package)
        value = getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return get_export
