"""Files and processes: bounded reading, atomic writing, and work under limits of the kernel."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.storage.atomic_write import write_file
    from selo.storage.bounded_read import (
        UNTRUSTED_INPUT_ERRORS,
        FileFault,
        decode_json,
        read_bounded,
        read_json,
    )
    from selo.storage.limited_process import run_limited
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "UNTRUSTED_INPUT_ERRORS",
    "FileFault",
    "atomic_write",
    "bounded_read",
    "decode_json",
    "limited_process",
    "read_bounded",
    "read_json",
    "run_limited",
    "write_file",
]
