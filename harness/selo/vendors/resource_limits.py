"""How much of everything a vendor may take before it is stopped."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

_MEBIBYTE: Final = 1 << 20
Seconds = Annotated[float, Meta(gt=0)]
Count = Annotated[int, Meta(gt=0)]


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of one session with a vendor; sizes in bytes, times in seconds."""

    #: Until the first answer: an engine may have to load itself.
    start: Seconds = 30.0
    #: From a request, or from the answer before it, until its answer is complete.
    request: Seconds = 10.0
    #: The whole session.
    total: Seconds = 6 * 3600.0
    #: From the orderly end, or from the signal to end, until the process is gone.
    grace: Seconds = 5.0
    #: Processor time of each process of the vendor.
    cpu: Count = 6 * 3600
    #: Memory of all processes of the vendor together.
    memory: Count = 2048 * _MEBIBYTE
    processes: Count = 64
    open_files: Count = 256
    #: What a process may write into a file, and the scratch folder may hold.
    scratch: Count = 64 * _MEBIBYTE
    line: Count = 16 * _MEBIBYTE
    output: Count = 64 * 1024 * _MEBIBYTE
    stderr: Count = 64 * _MEBIBYTE


DEFAULT_LIMITS: Final = Limits()
