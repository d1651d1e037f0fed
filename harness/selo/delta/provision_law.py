"""The law of one provision as a digest: its words, its rule, and what its reading depends on."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selo.law import Law, LocatedProvision


def digest_provision_law(law: Law, held: LocatedProvision) -> str:
    """Return the digest of everything in the law files that a provision itself consists of.

    That is its record with words and rule, the open points that name it, and the events and options
    of its game.
    """
    events = next(
        folder.events for folder in law.folders if folder.instrument.id == held.instrument.id
    )
    content: list[Any] = [
        msgspec.to_builtins(held.provision),
        msgspec.to_builtins(held.article.article.heading),
        [msgspec.to_builtins(point) for point in law.divergences if held.id in point.provisions],
        msgspec.to_builtins(events),
    ]
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()


def find_amended_provisions(old: Law, new: Law, games: Iterable[str]) -> list[str]:
    """Return the provisions of some games whose law differs, or that only one of them has."""
    wanted = {*games}
    digests = [
        {
            held.id: digest_provision_law(law, held)
            for held in law.provisions.values()
            if held.instrument.game in wanted
        }
        for law in (old, new)
    ]
    before, after = digests
    return [
        name for name in dict.fromkeys((*after, *before)) if before.get(name) != after.get(name)
    ]
