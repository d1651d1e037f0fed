"""Resource limits of a vendor."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

_MEBIBYTE: Final = 1 << 20
Seconds = Annotated[float, Meta(gt=0)]
Count = Annotated[int, Meta(gt=0)]


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of one session with a vendor; sizes in bytes, times in seconds."""

    #: Until the first answer, which includes loading the engine.
    start: Seconds = 30.0
    #: From a request, or from the previous answer, until its answer is complete.
    request: Seconds = 10.0
    #: The whole session.
    total: Seconds = 6 * 3600.0
    #: From the end of the session, or from SIGTERM, until the process has exited.
    grace: Seconds = 5.0
    #: Processor time of each process of the vendor.
    cpu: Count = 6 * 3600
    #: Memory of all processes of the vendor together: private, shared, and of temporary files.
    memory: Count = 2048 * _MEBIBYTE
    processes: Count = 64
    #: Threads of all processes of the vendor together.
    threads: Count = 1024
    open_files: Count = 1024
    #: Size of a file that a process writes, and of the scratch folder.
    scratch: Count = 64 * _MEBIBYTE
    line: Count = 16 * _MEBIBYTE
    output: Count = 64 * 1024 * _MEBIBYTE
    stderr: Count = 64 * _MEBIBYTE

    def system_limits(self, *, has_room: bool) -> dict[str, list[int]]:
        """Return the soft and hard limits that the system sets on each process.

        What is bounded without them is left out: no server has them, so they are a sign.
        """
        return {
            # The supervisor measures and reports memory; this limit stops a process that
            # would exhaust the machine between two measurements.
            "DATA": [2 * self.memory, 2 * self.memory],
            "NOFILE": [self.open_files, self.open_files],
            "CORE": [0, 0],
            # The folders of a room have a size of their own.
            **({} if has_room else {"FSIZE": [self.scratch, self.scratch]}),
        }


DEFAULT_LIMITS: Final = Limits()
