"""The procedures of one game: its steps under any readings, at tables with any options."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from selo.rounds.script import canonical_bytes
from selo.rules.procedure import select_procedure
from selo.rules.procedure.step_reader import read_constraints, require_events_file, step_points
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from selo.law import Law
    from selo.rounds.script import Script
    from selo.rules.procedure import Procedure
    from selo.rules.procedure.step_reader import Constraint
    from selo.table_values import Options

#: An open point, and one of its readings.
Point = tuple[str, str]


class Procedures:
    """The procedures of one game under any readings and options, compiled once each."""

    def __init__(self, law: Law, game: str, readings: Readings) -> None:
        self._law, self._game, self._readings = law, game, readings
        self._constraints = read_constraints(law, game)
        self._file = require_events_file(law, game)
        self._declarable_options = {option.id for option in self._file.options}
        self._points = step_points(law, game)
        self._compiled: dict[bytes, Procedure] = {}
        self._under_any_reading: dict[bytes, Procedure] = {}
        self._touched: dict[str, list[str]] = {}

    def of(self, options: Options, **other: str) -> Procedure:
        """Return the procedure of a table with some options, under other readings of some points.

        Equal procedures are the same object, so their judgements can be cached.
        """
        declared = {
            name: value for name, value in options.items() if name in self._declarable_options
        }
        followed = self._readings.of
        differing = {
            point: reading for point, reading in other.items() if reading != followed(point)
        }
        key = canonical_bytes([declared, differing])
        if key not in self._compiled:
            readings = Readings(self._law, {**self._readings.rulings, **differing})
            self._compiled[key] = select_procedure(
                self._game, self._file, self._constraints, readings, declared
            )
        return self._compiled[key]

    def under_any_reading(self, options: Options) -> Procedure:
        """Return the steps of every reading that no ruling excludes, at a table with options."""
        procedure = self.of(options)
        key = canonical_bytes(procedure.options)
        if key not in self._under_any_reading:
            rulings = self._readings.rulings
            self._under_any_reading[key] = replace(
                procedure,
                constraints=tuple(
                    step
                    for step in self._constraints
                    if all(
                        rulings.get(point, reading) == reading
                        for point, reading in step.under.items()
                    )
                    and (step.given is None or step.given.on(procedure.options))
                ),
            )
        return self._under_any_reading[key]

    def limits_repetition(self, script: Script, events: Sequence[dict[str, Any]]) -> bool:
        """Return whether the law, in any reading, has an answer to the last act repeating another.

        Where it has none, no text says that a stake is taken on what its player has staked on
        already: the house may ask for a raise of that stake instead.
        """
        options = self.of(script.options).options
        every = replace(
            self.of(script.options),
            constraints=tuple(
                step for step in self._constraints if step.given is None or step.given.on(options)
            ),
        )
        *before, act = events
        asked = {name: value for name, value in act.items() if name != "answer"}
        return any(
            step.kind == "refuses" and step.after & step.events
            for step in every.steps_on_act(before, asked)
        )

    def ruled(self, divergence: str) -> bool:
        """Return whether a reading was adopted on an open point."""
        return divergence in self._readings.rulings

    def open_points(self, provisions: Iterable[str]) -> dict[str, list[str]]:
        """Return the open points without a ruling that concern any of `provisions`."""
        wanted = set(provisions)
        return {
            divergence.id: self._points[divergence.id]
            for divergence in self._law.divergences
            if divergence.id in self._points
            and not self.ruled(divergence.id)
            and wanted & {*divergence.provisions}
        }

    def points(self) -> dict[str, list[str]]:
        """Return every open point on which a step depends, with its readings."""
        return self._points

    def all_steps(self) -> list[Constraint]:
        """Return every step under any reading, for any options."""
        return list(self._constraints)

    def followed_steps(self) -> list[Constraint]:
        """Return every step under the readings followed, for any options."""
        return [step for step in self._constraints if self._readings.allows(step.under)]

    def under_other_readings(
        self, options: Options, step: Constraint, besides: tuple[Point, ...] = ()
    ) -> Iterator[tuple[Point, Procedure]]:
        """Yield each other reading on which `step` may depend, and the procedure under it.

        The readings in `besides` apply as well.
        """
        applied = dict(besides)
        for divergence in self._points_touching(step):
            for reading in self._points[divergence] if divergence not in applied else ():
                if reading != self._readings.of(divergence):
                    both = {**applied, divergence: reading}
                    yield (divergence, reading), self.of(options, **both)

    def _points_touching(self, step: Constraint) -> list[str]:
        """Return the open points of a step, of the names it uses and of the rules for its acts."""
        if step.key not in self._touched:
            names = set(step.mentioned)
            grown = 0
            while grown != len(names):
                grown = len(names)
                for other in self._constraints:
                    if other.called in names:
                        names |= other.mentioned
            points = {
                divergence
                for other in self._constraints
                if other.key == step.key
                or other.called in names
                or (other.concerns_act and step.concerns_act and other.events & names)
                or (other.kind == step.kind and other.provision == step.provision)
                for divergence in other.under
            }
            self._touched[step.key] = [name for name in self._points if name in points]
        return self._touched[step.key]
