"""Stores the raw bytes of faults as files for later inspection."""

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
    """Write `faults` into `folder`, created if missing, and return the path of their list."""
    records = [_store_fault(folder, number, fault) for number, fault in enumerate(faults, 1)]
    record = {"vendor": vendor, "faults": records}
    text = msgspec.json.format(msgspec.json.encode(record), indent=2).decode()
    return _write_whole(folder, FAULT_LIST, escape_unseen_json(text).encode() + b"\n")


def _store_fault(folder: Path, number: int, fault: AdapterFault) -> dict[str, Any]:
    files = {}
    for part, content in (("raw", fault.raw), ("sent", fault.sent), ("stderr", fault.stderr)):
        if content:
            name = f"fault-{number}.{part}"
            _write_whole(folder, name, content)
            files[part] = name
    return {
        "kind": fault.kind,
        "told": fault.describe(),
        "hint": fault.remedy(),
        "path": fault.path,
        "raw_length": fault.length,
        "slots": fault.slots,
        "files": files,
    }


def _write_whole(folder: Path, name: str, content: bytes) -> Path:
    """Write a file atomically."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / f".{name}.{os.getpid()}"
        unfinished.write_bytes(content)
        return unfinished.replace(folder / name)
    except OSError as error:
        raise user_error("faults-unwritten", folder=folder, error=error) from error
