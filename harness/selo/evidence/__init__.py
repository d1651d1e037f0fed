"""Evidence of a run: a Merkle-hashed file of all questions and answers, written and verified."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.evidence.evidence_reader import EvidenceReader, EvidenceSummary
    from selo.evidence.evidence_writer import EvidenceWriter
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "EvidenceReader",
    "EvidenceSummary",
    "EvidenceWriter",
    "block",
    "canonical_json",
    "evidence_errors",
    "inclusion_proof",
    "integrity_scan",
    "merkle",
    "run_files",
]
