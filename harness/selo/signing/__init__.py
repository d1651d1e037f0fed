"""PAdES signatures: keys and timestamps, signing a document, validating its signatures."""

import logging
from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.signing.signing_enums import Capacity, Level, SignerIdentity
    from selo.signing.signing_errors import SigningRefused
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Capacity",
    "Level",
    "SignerIdentity",
    "SigningRefused",
    "attached_files",
    "signature_report",
    "signer_policy",
]

# We report pyHanko's findings in our own messages; its log must not reach the user's terminal.
for _name in ("pyhanko", "pyhanko_certvalidator"):
    logging.getLogger(_name).addHandler(logging.NullHandler())
