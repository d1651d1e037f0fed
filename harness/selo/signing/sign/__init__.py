"""Signing a prepared document."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.signing.sign.appearance import SignatureStatement
    from selo.signing.sign.document_facts import DocumentFacts, read_document_facts
    from selo.signing.sign.document_signing import SignatureRequest, sign_document
    from selo.signing.sign.signature_fields import SignatureBox, add_signature_fields
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "DocumentFacts",
    "SignatureBox",
    "SignatureRequest",
    "SignatureStatement",
    "add_signature_fields",
    "read_document_facts",
    "sign_document",
]
