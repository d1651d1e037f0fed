"""The log of a run, ``run.json``: when, where and how it ran, on which no root depends."""

from __future__ import annotations

import datetime as dt
import os
import platform
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.examine.run.git_commit import read_commit
from selo.examine.run.seed_commitment import SealedSeed
from selo.storage import read_json, write_file
from selo.text import user_error
from selo.text.sanitize import escape_unseen_json
from selo.vendors.resource_limits import Limits
from selo.vendors.sandbox import Room

if TYPE_CHECKING:
    from pathlib import Path

    from selo.examine.exchange import VendorEndpoint

RUN_LOG_FILE: Final = "run.json"


class RunLog(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What happened during a run."""

    vendor: str
    folder: str
    limits: Limits
    processes: int
    started: str
    environment: dict[str, str]
    #: The commit of Selo; none if it was installed from a package.
    commit: str | None = None
    resumed: list[str] = []
    restarts: list[dict[str, Any]] = []
    #: How many seconds each phase took, over all resumptions.
    phases: dict[str, float] = {}
    ended: str | None = None
    evidence_root: str | None = None
    draws_root: str | None = None
    sealed: SealedSeed | None = None
    #: The vendor's folder relative to where the run began; none if it lies elsewhere.
    within: str | None = None
    #: The file in that folder that the command starts, if it names one.
    starts: str | None = None
    #: What the vendor's process may see beyond what its command names, and what is hidden.
    room: Room | None = None
    #: Files of its folder that the vendor opened, where that was watched.
    files_opened: list[str] = []
    files_watched: bool = True
    #: The SHA-256 of each declared file at the beginning; a text where there is none.
    files_before: dict[str, str] = {}


def begin_run_log(  # noqa: PLR0913 - all that is known at the beginning
    vendor: VendorEndpoint,
    processes: int,
    *,
    sealed: SealedSeed | None = None,
    within: str | None = None,
    starts: str | None = None,
    files: dict[str, str] | None = None,
) -> RunLog:
    """Return the log of a run that begins now."""
    return RunLog(
        vendor=vendor.address,
        folder=str(vendor.folder),
        limits=vendor.limits,
        processes=processes,
        started=utc_now(),
        environment=describe_environment(),
        commit=read_commit(),
        sealed=sealed,
        within=within,
        starts=starts,
        room=vendor.room,
        files_before=files or {},
    )


def encode_indented(value: object) -> bytes:
    """Return a value as the JSON files of a run hold it."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    # People read them too: no character of a vendor turns or hides the rest.
    return escape_unseen_json(text).encode() + b"\n"


def write_json(path: Path, value: object) -> None:
    """Write a value as JSON, whole or not at all."""
    # Files in the folder of a run are its own, and are written again when it is resumed.
    write_file(path, encode_indented(value), replace=True)


def read_run_log(folder: Path) -> RunLog:
    """Return the log of the run in `folder`."""
    try:
        return read_json(folder / RUN_LOG_FILE, RunLog)
    except (OSError, msgspec.DecodeError) as error:
        raise user_error("run-unread", path=folder / RUN_LOG_FILE, error=error) from error


def utc_now() -> str:
    """Return the time, to the second, in UTC."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def describe_environment() -> dict[str, str]:
    """Return the system on which a run happens."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "cores": str(os.cpu_count()),
    }
