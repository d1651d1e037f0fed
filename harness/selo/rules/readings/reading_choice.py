"""Which reading is followed on each open point: the register's default, or a ruling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.text import wrong

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.law.loader import Law


class Readings:
    """The reading in force on every divergence."""

    def __init__(self, law: Law, rulings: Mapping[str, str] | None = None) -> None:
        known = {divergence.id: divergence for divergence in law.divergences}
        for name, reading in (rulings or {}).items():
            if name not in known:
                raise wrong("ruling-point", name=name)
            options = [reading.id for reading in known[name].readings]
            if reading not in options:
                raise wrong("ruling-reading", reading=reading, name=name, known=", ".join(options))
        self._defaults = {divergence.id: divergence.default for divergence in law.divergences}
        self.rulings = dict(rulings or {})
        #: The provisions that settle nothing under a ruling, with that ruling.
        self.without_effect = {
            provision: (name, reading.id)
            for name, ruled in self.rulings.items()
            for reading in known[name].readings
            if reading.id == ruled
            for provision in reading.without_effect
        }

    def of(self, divergence: str) -> str:
        """Return the reading followed on `divergence`."""
        return self.rulings.get(divergence) or self._defaults[divergence]

    def allow(self, under: Mapping[str, str]) -> bool:
        """Return whether a clause that holds `under` certain readings holds now."""
        return all(self.of(divergence) == reading for divergence, reading in under.items())
