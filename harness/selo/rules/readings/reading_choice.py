"""The reading in force on each open point: the default of the register, or a ruling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from selo.law import Law


class Readings:
    """The reading in force on every open point."""

    def __init__(self, law: Law, rulings: Mapping[str, str] | None = None) -> None:
        divergences = {divergence.id: divergence for divergence in law.divergences}
        for name, reading in (rulings or {}).items():
            if name not in divergences:
                raise user_error("ruling-point", name=name)
            options = [reading.id for reading in divergences[name].readings]
            if reading not in options:
                raise user_error(
                    "ruling-reading", reading=reading, name=name, known=", ".join(options)
                )
        self._defaults = {divergence.id: divergence.default for divergence in law.divergences}
        self.rulings = dict(rulings or {})
        #: The provisions that have no effect under a ruling, with that ruling.
        self.without_effect = {
            provision: (name, reading.id)
            for name, ruled in self.rulings.items()
            for reading in divergences[name].readings
            if reading.id == ruled
            for provision in reading.without_effect
        }

    def of(self, divergence: str) -> str:
        """Return the reading in force on `divergence`."""
        return self.rulings.get(divergence) or self._defaults[divergence]

    def allows(self, under: Mapping[str, str]) -> bool:
        """Return whether all readings of `under` are in force."""
        return all(self.of(divergence) == reading for divergence, reading in under.items())


def readings_of_points(law: Law, points: Collection[str]) -> dict[str, list[str]]:
    """Return all readings of some open points, in the order of the register."""
    return {
        divergence.id: [reading.id for reading in divergence.readings]
        for divergence in law.divergences
        if divergence.id in points
    }
