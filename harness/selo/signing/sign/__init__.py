"""Signing a prepared document."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.signing.sign.appearance import Statement
    from selo.signing.sign.document_facts import BROKEN, Facts, facts
    from selo.signing.sign.document_signing import Wanted, sign
    from selo.signing.sign.signature_fields import Box, prepare
else:
    __getattr__ = front_door(
        __name__,
        {
            "appearance": ["Statement"],
            "document_facts": ["BROKEN", "Facts", "facts"],
            "document_signing": ["Wanted", "sign"],
            "signature_fields": ["Box", "prepare"],
        },
    )

__all__ = ["BROKEN", "Box", "Facts", "Statement", "Wanted", "facts", "prepare", "sign"]
