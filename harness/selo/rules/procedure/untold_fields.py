"""Untold fields: optional fields that an event leaves out, and the provisions that need them.

A vendor need not tell an optional field. Whether a condition on it holds is then open, unless it is
the same for every value that the field could have.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

from selo.law.files.events_file import OPENING, EventOrigin, ValueKind
from selo.rules.procedure.step_reader import EMPTY_VALUES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from selo.law.files.events_file import EventField, EventsFile
    from selo.rules.language import Expression
    from selo.rules.procedure.step_reader import Constraint
    from selo.table_values import Options

#: A provision, an event, and a field that it leaves out.
UntoldField = tuple[str, str, str]
_NAMES: Final = "names"


def possible_values(field: EventField) -> list[Any]:
    """Return the values that a field can have, or none if they are not listed."""
    if field.kind is ValueKind.YES_NO:
        return [False, True]
    return list(field.values) if field.kind is ValueKind.TEXT else []


def decide_condition(
    condition: Expression,
    facts: Mapping[str, Any],
    untold: AbstractSet[str],
    values: Mapping[str, list[Any]],
    *,
    doubt: bool,
) -> bool:
    """Return what a condition says whatever the untold facts are, or `doubt` if that differs."""
    names = sorted(untold)
    choices = [values[name.removeprefix(OPENING)] for name in names]
    if not all(choices):
        return doubt
    results = {
        bool(condition.on({**facts, **dict(zip(names, chosen, strict=True))}))
        for chosen in product(*choices)
    }
    return results.pop() if len(results) == 1 else doubt


class UntoldFields:
    """Finds the provisions of one game whose steps need what an event leaves out."""

    def __init__(self, steps: Iterable[Constraint], file: EventsFile, options: Options) -> None:
        self._values = {field.id: possible_values(field) for field in file.fields}
        self._empty = {field.id: EMPTY_VALUES[field.kind] for field in file.fields}
        self._options = options
        told = {field.id for field in file.fields if field.default}
        self._optional = {
            event.id: frozenset(event.optional) - told
            for event in file.events
            if event.by is EventOrigin.TABLE and {*event.optional} - told
        }
        self._steps = list(steps)
        self._events_by_name: dict[str, frozenset[str]] = {}
        for step in self._steps:
            if step.called is not None:
                known = self._events_by_name.get(step.called, frozenset())
                self._events_by_name[step.called] = known | step.events
        self._needs = {event: list(self._steps_on(event)) for event in self._optional}
        self._memo: dict[tuple[Any, ...], tuple[UntoldField, ...]] = {}

    def find(self, events: Iterable[Mapping[str, Any]]) -> frozenset[UntoldField]:
        """Return what some provision needs of these events and is not told."""
        found: set[UntoldField] = set()
        for event in events:
            name = event["event"]
            left_out = self._optional.get(name, frozenset()) - event.keys()
            if left_out and self._needs[name]:
                key = tuple(sorted((part, str(value)) for part, value in event.items()))
                if key not in self._memo:
                    self._memo[key] = tuple(self._find_needed(name, event, left_out))
                found.update(self._memo[key])
        return frozenset(found)

    def _steps_on(self, event: str) -> Iterator[tuple[Constraint, frozenset[str], bool]]:
        """Yield the steps with a condition on optional fields of an event, and those fields.

        The last part says whether the event only opens a stretch of the step.
        """
        optional = self._optional[event]
        for step in self._steps:
            if step.when is None or step.kind == _NAMES:
                continue
            names = frozenset(step.when.names)
            if event in self._logged(step.events) and optional & names:
                yield step, optional & names, False
            opening = frozenset(name for name in optional if f"{OPENING}{name}" in names)
            if event in self._logged(step.after) and opening:
                yield step, opening, True

    def _logged(self, names: frozenset[str]) -> frozenset[str]:
        grown: frozenset[str] = frozenset()
        while names - grown:
            grown |= names
            names = grown.union(*(self._events_by_name.get(name, frozenset()) for name in grown))
        return grown

    def _find_needed(
        self, name: str, event: Mapping[str, Any], left_out: frozenset[str]
    ) -> Iterator[UntoldField]:
        for step, fields, opens in self._needs[name]:
            untold = fields & left_out
            if untold and (opens or self._depends(step, event, untold)):
                yield from ((step.provision, name, field) for field in sorted(untold))

    def _depends(self, step: Constraint, event: Mapping[str, Any], untold: frozenset[str]) -> bool:
        """Return whether a condition says something else for another value of an untold field."""
        condition = step.when
        if condition is None or any(name.startswith(OPENING) for name in condition.names):
            return True
        facts = {
            name: event.get(name, self._options.get(name, self._empty.get(name)))
            for name in condition.names
        }
        yes, no = (
            decide_condition(condition, facts, untold, self._values, doubt=doubt)
            for doubt in (True, False)
        )
        return yes != no
