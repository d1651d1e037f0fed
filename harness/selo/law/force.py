"""Whether a provision binds, forbids, permits, offers a choice or defines, and in which words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.gazette.force_words import Force, ForceReader
from selo.law.files.provision_file import ClosedRecord, Way

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law.loader import Law, LocatedProvision

_DEFINING_WAYS = frozenset({Way.DEFINITION, Way.NOT_TESTABLE})


class WordedForce(ClosedRecord, frozen=True):
    """A force of a provision, and the words of each language that carry it."""

    force: Force
    #: The words in each language; none where a text binds by the indicative of its verb.
    words: dict[str, list[str]]


class ForceFinder:
    """Finds the forces of provisions in their words, or in those of the units above them."""

    def __init__(self, law: Law) -> None:
        self._law = law
        self.reader = ForceReader(law.vocabulary.force)

    def own_words(self, located: LocatedProvision) -> dict[Force, dict[str, list[str]]]:
        """Return the words of a provision that carry a force, by force and language."""
        found: dict[Force, dict[str, list[str]]] = {}
        text = located.provision.text
        for language in text.languages():
            for force, words in self.reader.read(text.get(language) or "", language):
                found.setdefault(force, {}).setdefault(language, []).append(words)
        return found

    def above(self, located: LocatedProvision) -> Iterator[LocatedProvision]:
        """Yield the units that a provision belongs to, the nearest first."""
        path = located.provision.id
        while "/" in path:
            path = path.rpartition("/")[0]
            unit = self._law.provisions.get(f"{located.instrument.id}/{path}")
            if unit is not None:
                yield unit

    def is_indicative(self, located: LocatedProvision) -> bool:
        """Return whether the Portuguese text of a provision binds by the form of its verb."""
        return self.reader.is_indicative(located.provision.text.pt or "")

    def forces_of(self, located: LocatedProvision) -> list[Force]:
        """Return the forces that a provision states, or else those of its words."""
        return list(located.provision.force) or self.read_forces(located)

    def read_forces(self, located: LocatedProvision) -> list[Force]:
        """Return the forces that follow from the words of a provision and the units above it."""
        own = list(self.own_words(located))
        if own:
            return [force for force in Force if force in own]
        if located.provision.verified_by in _DEFINING_WAYS:
            return [Force.DEFINES]
        if not self.is_indicative(located):
            for unit in self.above(located):
                carried = list(self.own_words(unit))
                if carried:
                    return [*(force for force in Force if force in carried), Force.DEFINES]
        return [Force.MUST]

    def worded(self, located: LocatedProvision) -> list[WordedForce]:
        """Return the forces of a provision with the words that carry them."""
        own = self.own_words(located)
        return [
            WordedForce(force=force, words=own.get(force, {})) for force in self.forces_of(located)
        ]
