"""One SHA-256 over everything the law files say, whatever their order, layout or line ends."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from selo.law.loader import Law

_ENCODER = msgspec.json.Encoder(order="sorted")


def compute_spec_digest(law: Law) -> str:
    """Return the digest of the content of `law`."""
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
        "reconstructed": {one.reconstructed: one for _, one in law.reconstructions},
        "sources": {one.entry.id: one.entry for one in law.sources.by_id.values()},
        "repairs": law.sources.log,
        "out_of_scope": law.out_of_scope,
        # Which rounds are played, and which cases and declarations tell readings apart.
        "tried": law.tried,
    }
    return hashlib.sha256(_ENCODER.encode(parts)).hexdigest()
