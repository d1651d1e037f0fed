"""Validating the signatures of a document, offline."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.signing.verify.document_inspection import Known, look
else:
    __getattr__ = front_door(
        __name__,
        {
            "document_inspection": ["Known", "look"],
        },
    )

__all__ = ["Known", "certificate_chain", "look"]
