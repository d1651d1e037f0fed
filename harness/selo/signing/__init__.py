"""Signing documents, and looking at signatures: keys, timestamps, boxes on the page, trust."""

import logging
from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.signing.atomic_write import PRIVATE, PUBLIC, read_whole, write_whole
    from selo.signing.signing_enums import Capacity, Level
    from selo.signing.signing_errors import SigningRefused
else:
    __getattr__ = front_door(
        __name__,
        {
            "atomic_write": ["PRIVATE", "PUBLIC", "read_whole", "write_whole"],
            "signing_enums": ["Capacity", "Level"],
            "signing_errors": ["SigningRefused"],
        },
    )

__all__ = [
    "PRIVATE",
    "PUBLIC",
    "Capacity",
    "Level",
    "SigningRefused",
    "read_whole",
    "signature_report",
    "write_whole",
]

# What pyHanko finds wrong is told by our own words, not by its log on somebody's terminal.
for _name in ("pyhanko", "pyhanko_certvalidator"):
    logging.getLogger(_name).addHandler(logging.NullHandler())
