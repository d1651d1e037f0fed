"""The ledger: one row for each provision, for people and programs; what changes over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from selo.gazette import written_places
from selo.law.citation import cite
from selo.law.force import ForceFinder, WordedForce
from selo.law.preamble import PreambleParagraph, cite_preamble, find_preamble
from selo.law.spec_digest import compute_spec_digest
from selo.law.text_change import FamilyChange, ProvisionChange, compare_days
from selo.text import LAW_LANGUAGES

__all__ = [
    "FamilyChange",
    "Ledger",
    "LedgerRow",
    "PreambleParagraph",
    "ProvisionChange",
    "WordedForce",
    "cite_preamble",
    "compare_days",
    "find_preamble",
    "list_forces",
    "make_ledger",
]

if TYPE_CHECKING:
    from selo.law.loader import Law
    from selo.text import Words


class LedgerRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One provision."""

    id: str
    instrument: str
    article: str
    unit: str
    heading: dict[str, str]
    text: dict[str, str]
    citation: dict[str, str]
    #: Whether it binds, forbids, permits, offers a choice or defines, and in which words.
    force: list[WordedForce]
    verified_by: str
    also_verified_by: list[str]
    because: dict[str, str] | None
    #: What a person looks at, if a person must.
    look_at: dict[str, str] | None
    source: dict[str, list[str]]
    witness: dict[str, list[str]]
    divergences: list[str]


class Ledger(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All provisions of one edition of the specs."""

    spec_digest: str
    provisions: list[LedgerRow]


def make_ledger(law: Law) -> Ledger:
    """Return the ledger of `law`."""
    divergence_ids: dict[str, list[str]] = {}
    for divergence in law.divergences:
        for name in divergence.provisions:
            divergence_ids.setdefault(name, []).append(divergence.id)
    rows = []
    forces = list_forces(law)
    for located in law.provisions.values():
        provision, citation = located.provision, cite(law, located)
        witness = provision.witness
        heading = located.article.article.heading
        rows.append(
            LedgerRow(
                id=located.id,
                instrument=located.instrument.id,
                article=located.article.article.article,
                unit=provision.unit,
                heading={} if heading is None else _by_language(heading.pt, heading.zh),
                text=_by_language(provision.text.pt, provision.text.zh),
                citation={
                    "pt": citation.pt,
                    "zh": citation.zh,
                    "pt_full": citation.pt_full,
                    "zh_full": citation.zh_full,
                },
                force=forces[located.id],
                verified_by=provision.verified_by,
                also_verified_by=list(provision.also),
                because=_all_languages(provision.because),
                look_at=_all_languages(provision.look_at),
                source={
                    language: places
                    for language in LAW_LANGUAGES
                    if (places := written_places(provision.source.get(language)))
                },
                witness={
                    language: places
                    for language in LAW_LANGUAGES
                    if witness and (places := written_places(witness.get(language)))
                },
                divergences=divergence_ids.get(located.id, []),
            )
        )
    return Ledger(spec_digest=compute_spec_digest(law), provisions=rows)


def list_forces(law: Law) -> dict[str, list[WordedForce]]:
    """Return the forces of every provision, by its id."""
    finder = ForceFinder(law)
    return {located.id: finder.worded(located) for located in law.provisions.values()}


def _all_languages(words: Words | None) -> dict[str, str] | None:
    return None if words is None else {"pt": words.pt, "zh": words.zh, "en": words.en}


def _by_language(pt: str | None, zh: str | None) -> dict[str, str]:
    return {language: words for language, words in (("pt", pt), ("zh", zh)) if words is not None}
