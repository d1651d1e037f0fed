"""Stores the raw bytes of faults as files for later inspection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from selo.storage.atomic_write import next_free_folder, write_file
from selo.text import user_error
from selo.text.sanitize import escape_unseen_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from selo.vendors.faults import AdapterFault

FAULT_LIST = "faults.json"


def store_faults(folder: Path, faults: Sequence[AdapterFault], vendor: str) -> Path:
    """Write `faults` into `folder`, created if missing, and return the path of their list."""
    if (folder / FAULT_LIST).exists():
        # What an earlier run left is kept.
        folder = next_free_folder(folder)
    records = [_store_fault(folder, number, fault) for number, fault in enumerate(faults, 1)]
    record = {"vendor": vendor, "faults": records}
    text = msgspec.json.format(msgspec.json.encode(record), indent=2).decode()
    return _write(folder, FAULT_LIST, escape_unseen_json(text).encode() + b"\n")


def _store_fault(folder: Path, number: int, fault: AdapterFault) -> dict[str, Any]:
    files = {}
    for part, content in (("raw", fault.raw), ("sent", fault.sent), ("stderr", fault.stderr)):
        if content:
            name = f"fault-{number}.{part}"
            _write(folder, name, content)
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


def _write(folder: Path, name: str, content: bytes) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Without a list, its files are left over from a run that was killed.
        write_file(folder / name, content, replace=True)
        return folder / name
    except OSError as error:
        raise user_error("faults-unwritten", folder=folder, error=error) from error
