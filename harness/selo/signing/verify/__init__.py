"""Offline validation of the signatures of a document."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.signing.verify.detached_timestamp import inspect_stamp, stamp_digest
    from selo.signing.verify.document_inspection import ValidationKnowledge, inspect_signatures
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "ValidationKnowledge",
    "certificate_chain",
    "inspect_signatures",
    "inspect_stamp",
    "stamp_digest",
]
