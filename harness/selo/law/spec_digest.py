"""The spec digest: SHA-256 over the content of the law files, independent of layout and order."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from selo.law.loader import Law

_SORTED_ENCODER = msgspec.json.Encoder(order="sorted")
_CONTENT: Final = "content"


def compute_spec_digest(law: Law) -> str:
    """Return the digest of the content of `law`.

    A later program has more fields in its models, and would compute another digest of the same
    files: an older edition keeps the digest by which it is known.
    """
    if law.known_as is not None:
        return law.known_as
    if _CONTENT not in law.digests:
        law.digests[_CONTENT] = _digest_content(law)
    return law.digests[_CONTENT]


def _digest_content(law: Law) -> str:
    parts: dict[str, object] = {
        "instruments": {folder.instrument.id: folder.instrument for folder in law.folders},
        "articles": {
            f"{folder.instrument.id}/{file.article.article}": file.article
            for folder in law.folders
            for file in folder.articles
        },
        "events": {folder.instrument.id: folder.events for folder in law.folders},
        "matter": {folder.instrument.id: folder.matter for folder in law.folders},
        "divergences": {divergence.id: divergence for divergence in law.divergences},
        "glossary": {term.id: term for term in law.glossary.terms},
        "vocabulary": law.vocabulary,
        "reconstructed": {
            reconstruction.reconstructed: reconstruction
            for _, reconstruction in law.reconstructions
        },
        "sources": {
            reconstruction.entry.id: reconstruction.entry
            for reconstruction in law.sources.by_id.values()
        },
        "repairs": law.sources.log,
        "out_of_scope": law.out_of_scope,
        # Hand-written rounds, and the cases and declarations that distinguish readings.
        "tried": law.tried,
    }
    return hashlib.sha256(_SORTED_ENCODER.encode(parts)).hexdigest()
