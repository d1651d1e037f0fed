"""Keeps what was seen of a fault, byte for byte, where a person can look at it later."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec

from selo.text import user_error
from selo.text.sanitize import escape_unseen_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from selo.vendors.faults import AdapterFault

FAULT_LIST = "faults.json"


def store_faults(folder: Path, faults: Sequence[AdapterFault], vendor: str) -> Path:
    """Write `faults` into `folder`, which is made if need be, and return the list of them."""
    records = [_store_fault(folder, number, fault) for number, fault in enumerate(faults, 1)]
    record = {"vendor": vendor, "faults": records}
    text = msgspec.json.format(msgspec.json.encode(record), indent=2).decode()
    return _write_whole(folder, FAULT_LIST, escape_unseen_json(text).encode() + b"\n")


def _store_fault(folder: Path, number: int, one: AdapterFault) -> dict[str, Any]:
    files = {}
    for part, content in (("raw", one.raw), ("sent", one.sent), ("stderr", one.stderr)):
        if content:
            name = f"fault-{number}.{part}"
            _write_whole(folder, name, content)
            files[part] = name
    return {
        "kind": one.kind,
        "told": one.describe(),
        "hint": one.remedy(),
        "path": one.path,
        "raw_length": one.length,
        "slots": one.slots,
        "files": files,
    }


def _write_whole(folder: Path, name: str, content: bytes) -> Path:
    """Write a file whole or not at all."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / f".{name}.{os.getpid()}"
        unfinished.write_bytes(content)
        return unfinished.replace(folder / name)
    except OSError as error:
        raise user_error("faults-unwritten", folder=folder, error=error) from error
