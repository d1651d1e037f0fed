"""Keeps what was seen of a fault, byte for byte, where a person can look at it later."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec

from selo.text import wrong
from selo.text.sanitize import json_visible

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from selo.vendors.faults import Fault

LIST = "faults.json"


def keep(folder: Path, faults: Sequence[Fault], vendor: str) -> Path:
    """Write `faults` into `folder`, which is made if need be, and return the list of them."""
    records = [_kept(folder, number, fault) for number, fault in enumerate(faults, 1)]
    record = {"vendor": vendor, "faults": records}
    text = msgspec.json.format(msgspec.json.encode(record), indent=2).decode()
    return _written(folder, LIST, json_visible(text).encode() + b"\n")


def _kept(folder: Path, number: int, one: Fault) -> dict[str, Any]:
    files = {}
    for part, content in (("raw", one.raw), ("sent", one.sent), ("stderr", one.stderr)):
        if content:
            name = f"fault-{number}.{part}"
            _written(folder, name, content)
            files[part] = name
    return {
        "kind": one.kind,
        "told": one.told(),
        "hint": one.remedy(),
        "path": one.path,
        "raw_length": one.length,
        "slots": one.slots,
        "files": files,
    }


def _written(folder: Path, name: str, content: bytes) -> Path:
    """Write a file whole or not at all."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / f".{name}.{os.getpid()}"
        unfinished.write_bytes(content)
        return unfinished.replace(folder / name)
    except OSError as error:
        raise wrong("faults-unwritten", folder=folder, error=error) from error
