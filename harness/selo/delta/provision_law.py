"""The law of one provision as a digest: its words, its rule, and what its reading depends on."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selo.law import Law, LocatedProvision

#: Fields of clauses that give a name to something, for the clauses of other provisions.
_NAMING_FIELDS: Final = ("define", "called")
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*")

#: By game and name, the clauses that define it.
_Definitions = dict[tuple[str, str], list[Any]]


def digest_provision_law(law: Law, held: LocatedProvision) -> str:
    """Return the digest of everything in the law files that a provision itself consists of.

    That is its record with words and rule, what other provisions define of the names in its rule,
    the open points that name it, and of its game the events, options, circumstances, equipment and
    what stands in for law that is not held.
    """
    return _digest(law, held, _collect_definitions(law))


def _digest(law: Law, held: LocatedProvision, definitions: _Definitions) -> str:
    folder = next(one for one in law.folders if one.instrument.id == held.instrument.id)
    content: list[Any] = [
        msgspec.to_builtins(held.provision),
        msgspec.to_builtins(held.article.article.heading),
        [msgspec.to_builtins(point) for point in law.divergences if held.id in point.provisions],
        msgspec.to_builtins(folder.events),
        msgspec.to_builtins(folder.instrument.circumstances),
        msgspec.to_builtins(folder.equipment),
        [
            msgspec.to_builtins(material)
            for _, material in law.reconstructions
            if material.instrument == held.instrument.id
        ],
        _used_definitions(held, definitions),
    ]
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()


def _collect_definitions(law: Law) -> _Definitions:
    found: _Definitions = {}
    for held in law.provisions.values():
        for clause in _clauses_of(held):
            for field in _NAMING_FIELDS:
                if field in clause:
                    found.setdefault((held.instrument.game, clause[field]), []).append(clause)
    return found


def _clauses_of(held: LocatedProvision) -> Iterator[Mapping[str, Any]]:
    rule: Any = msgspec.to_builtins(held.provision.rule)
    return iter([rule] if isinstance(rule, dict) else rule or [])


def _used_definitions(held: LocatedProvision, definitions: _Definitions) -> list[Any]:
    """Return the clauses that define the names in a rule, and the names in these, and so on."""
    used: dict[str, list[Any]] = {}
    left = [*_clauses_of(held)]
    while left:
        for name in _WORD.findall(msgspec.json.encode(left.pop()).decode()):
            defined = definitions.get((held.instrument.game, name))
            if defined is not None and name not in used:
                used[name] = defined
                left += defined
    return sorted(used.items())


def find_amended_provisions(old: Law, new: Law, games: Iterable[str]) -> list[str]:
    """Return the provisions of some games whose law differs, or that only one of them has."""
    if old is new:
        return []
    wanted = {*games}
    digests = []
    for law in (old, new):
        definitions = _collect_definitions(law)
        digests.append({
            held.id: _digest(law, held, definitions)
            for held in law.provisions.values()
            if held.instrument.game in wanted
        })  # fmt: skip
    before, after = digests
    return [
        name for name in dict.fromkeys((*after, *before)) if before.get(name) != after.get(name)
    ]
