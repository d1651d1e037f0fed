"""Which reading is followed on each open point: the register's default, or a ruling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.law.reader import Law


class Readings:
    """The reading in force on every divergence."""

    def __init__(self, law: Law, rulings: Mapping[str, str] | None = None) -> None:
        known = {one.id: one for one in law.divergences}
        for name, reading in (rulings or {}).items():
            if name not in known:
                raise UsageError(
                    problem=f"there is no divergence '{name}' to rule on",
                    hint="selo law divergences lists them all.",
                )
            options = [one.id for one in known[name].readings]
            if reading not in options:
                raise UsageError(
                    problem=f"'{reading}' is no reading of {name}",
                    hint=f"Use one of: {', '.join(options)}.",
                )
        self._defaults = {one.id: one.default for one in law.divergences}
        self.rulings = dict(rulings or {})

    def of(self, divergence: str) -> str:
        """Return the reading followed on `divergence`."""
        return self.rulings.get(divergence) or self._defaults[divergence]

    def allow(self, under: Mapping[str, str]) -> bool:
        """Return whether a clause that holds `under` certain readings holds now."""
        return all(self.of(divergence) == reading for divergence, reading in under.items())
