"""Verification of a document and reproduction of its examination, without trusting anybody."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.verification.recomputation import write_attachments
    from selo.verification.verification_report import CheckState, DocumentCheck, exit_code_of
    from selo.verification.verifier import VerificationRequest, verify_document
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "CheckState",
    "DocumentCheck",
    "VerificationRequest",
    "document_parts",
    "document_side",
    "exit_code_of",
    "reproduction",
    "verify_document",
    "write_attachments",
]
