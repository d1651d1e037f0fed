"""An automaton over logs: open stretches, owed events, and the constraints that events break.

A stretch opens with an event of `after` (or with the log, if `after` is empty or says start) and
closes with one of `before` or `until`. An event is processed in this order: it may be the event of
the constraint, it may close a stretch, it may open one. With `same`, each value has stretches of
its own, and an event that has no such field affects them all. A condition on an optional field that
an event leaves out is open: it breaks nothing, and it fulfils whatever was required.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.law.files.events_file import OPENING, EventOrigin
from selo.rules.clauses.clause_models import START
from selo.rules.procedure.step_reader import EMPTY_VALUES
from selo.rules.procedure.untold_fields import decide_condition, possible_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.law.files.events_file import Event, EventsFile
    from selo.rules.procedure.step_reader import Constraint
    from selo.table_values import Options

_Key = tuple[Any, ...]
#: An event, its names, and its values of the `same` of a constraint.
_PastEvent = tuple["LogEvent", frozenset[str], _Key]
#: Numbered places come in their order, named ones (banker, croupier) after them.
_NAMED_LAST: Final = 1
#: Kinds of constraints that an event fulfils.
_FULFILLED_KINDS: Final = frozenset({"precedes", "follows", "directly", "at-least"})
#: Without `same` there is one stretch.
_ONLY: Final[list[_Key]] = [()]


@dataclass(frozen=True, kw_only=True, slots=True)
class LogEvent:
    """An event of a log; without `fields` it is hypothetical."""

    event: str
    fields: Mapping[str, Any] | None
    declared: frozenset[str]
    by: EventOrigin
    #: Optional fields that it leaves out; an act leaves out what does not apply to it.
    untold: frozenset[str] = frozenset()


def make_log_event(event: Event, fields: Mapping[str, Any]) -> LogEvent:
    """Return an event of the events file as it stands in a log."""
    optional = (*event.optional, *event.computed) if event.by is EventOrigin.TABLE else ()
    return LogEvent(
        event=event.id,
        fields=fields,
        declared=frozenset([*event.fields, *event.optional, *event.computed]),
        by=event.by,
        untold=frozenset(optional) - fields.keys() if optional else frozenset(),
    )


class _StretchState:
    """The state of one constraint, for one value of its `same`."""

    __slots__ = ("apart", "count", "flag", "last", "open", "opener", "untold")

    def __init__(self, *, opened: bool, opener: Mapping[str, Any], flag: bool = False) -> None:
        self.open = opened
        self.opener = opener
        #: The number of events in this stretch.
        self.count = 0
        #: For precedes: the event has come. For follows and directly: it is owed.
        self.flag = flag
        #: Another event came after the first of a run.
        self.apart = False
        self.last: _Key = ()
        #: The fields that the opener left out, as a condition names them.
        self.untold: frozenset[str] = frozenset()

    def copy(self) -> _StretchState:
        other = _StretchState(opened=self.open, opener=self.opener, flag=self.flag)
        other.count, other.apart, other.last = self.count, self.apart, self.last
        other.untold = self.untold
        return other


class StepIndex:
    """Constraints, indexed by the events that can affect them."""

    def __init__(self, constraints: Sequence[Constraint], file: EventsFile) -> None:
        self.empty = {field.id: field.default or EMPTY_VALUES[field.kind] for field in file.fields}
        meant = {field.id for field in file.fields if field.default}
        #: Facts that hold their default where an event leaves them out.
        self.meant = frozenset({*meant, *(f"{OPENING}{name}" for name in meant)})
        self.values = {field.id: possible_values(field) for field in file.fields}
        self.constraints = constraints
        self.naming_steps = [constraint for constraint in constraints if constraint.kind == "names"]
        self._judging_steps = [
            constraint for constraint in constraints if constraint.kind != "names"
        ]
        self.act_steps = [
            constraint for constraint in self._judging_steps if constraint.concerns_act
        ]
        self._affected_memo: dict[frozenset[str], list[Constraint]] = {}

    def affected_by(self, names: frozenset[str]) -> list[Constraint]:
        """Return the constraints that an event with these names can affect."""
        affected = self._affected_memo.get(names)
        if affected is None:
            affected = self._affected_memo[names] = [
                constraint
                for constraint in (*self.naming_steps, *self._judging_steps)
                if constraint.is_affected_by(names)
            ]
        return affected


class LogAutomaton:
    """The states of all constraints after part of a log."""

    def __init__(self, steps: StepIndex, options: Options) -> None:
        self._steps, self._options = steps, options
        self._states: dict[str, dict[_Key, _StretchState]] = {
            constraint.key: {} if constraint.same else {(): _first_state(constraint)}
            for constraint in steps.constraints
        }
        #: The events that affected each constraint with `same`, with their values of it.
        self._past: dict[str, list[_PastEvent]] = {
            constraint.key: [] for constraint in steps.constraints if constraint.same
        }
        #: Duties that were fulfilled at least once.
        self._fulfilled: set[str] = set()

    def copy(self) -> LogAutomaton:
        """Return an independent automaton in the same state."""
        other = object.__new__(LogAutomaton)
        other._steps, other._options = self._steps, self._options
        other._states = {
            key: {at: state.copy() for at, state in states.items()}
            for key, states in self._states.items()
        }
        other._past = {key: list(past) for key, past in self._past.items()}
        other._fulfilled = set(self._fulfilled)
        return other

    def advance(self, event: LogEvent) -> list[Constraint]:
        """Process an event, and return the constraints that it breaks."""
        names = self._names(event)
        broken = []
        for constraint in self._steps.affected_by(names):
            states = self._states[constraint.key]
            breaks = False
            for key in self._affected_keys(constraint, event, names):
                breaks |= self._advance_state(constraint, states[key], event, names)
            if breaks:
                broken.append(constraint)
            if constraint.same:
                pattern = _same_values_of(constraint, event, names)
                if pattern is not None:
                    self._past[constraint.key].append((event, names, pattern))
        return broken

    def applicable_steps(self, event: LogEvent, *, doubt: bool = False) -> list[Constraint]:
        """Return the permissions and refusals that apply to an act at this point.

        With `doubt`, also those whose conditions are open.
        """
        names = self._names(event)
        return [
            constraint
            for constraint in self._steps.act_steps
            if self._applies(constraint, event, names, doubt=doubt)
        ]

    def is_owed(self, constraint: Constraint) -> bool:
        """Return whether a constraint still requires an event."""
        return any(
            self._is_short(constraint, state) for state in self._states[constraint.key].values()
        )

    def was_fulfilled(self, constraint: Constraint) -> bool:
        """Return whether an event that a constraint required has come at least once."""
        return constraint.key in self._fulfilled

    def _names(self, event: LogEvent) -> frozenset[str]:
        names = frozenset({event.event})
        for constraint in self._steps.naming_steps:
            if constraint.called is not None and self._applies(constraint, event, names):
                names |= {constraint.called}
        return names

    def _applies(
        self,
        constraint: Constraint,
        event: LogEvent,
        names: frozenset[str],
        *,
        doubt: bool = False,
    ) -> bool:
        """Return whether `event` is the event of `constraint`, in an open stretch."""
        if constraint.events.isdisjoint(names):
            return False
        states = self._states[constraint.key]
        return any(
            states[key].open and self._holds(constraint, states[key], event, doubt=doubt)
            for key in self._affected_keys(constraint, event, names)
        )

    def _affected_keys(
        self, constraint: Constraint, event: LogEvent, names: frozenset[str]
    ) -> list[_Key]:
        """Return the values of `same` that `event` affects, and add new ones."""
        if not constraint.same:
            return _ONLY
        pattern = _same_values_of(constraint, event, names)
        if pattern is None:
            return []
        states = self._states[constraint.key]
        if (
            None not in pattern
            and pattern not in states
            and not constraint.mentioned.isdisjoint(names)
        ):
            state = _first_state(constraint)
            for before, called, past in self._past[constraint.key]:
                if _matches(past, pattern):
                    self._advance_state(constraint, state, before, called)
            states[pattern] = state
        if None not in pattern:
            # A complete pattern matches only itself.
            return [pattern] if pattern in states else []
        return [key for key in states if _matches(pattern, key)]

    def _holds(
        self, constraint: Constraint, state: _StretchState, event: LogEvent, *, doubt: bool
    ) -> bool:
        """Return whether the condition of `constraint` holds, or `doubt` if that is open."""
        if constraint.when is None:
            return True
        if event.fields is None and constraint.event_variables:
            # A condition does not hold for a hypothetical event.
            return False
        fields = event.fields or {}
        facts = {name: self._fact(name, fields, state.opener) for name in constraint.when.names}
        untold = ((event.untold | state.untold) & facts.keys()) - self._steps.meant
        if not untold:
            return bool(constraint.when.on(facts))
        return decide_condition(constraint.when, facts, untold, self._steps.values, doubt=doubt)

    def _fact(self, name: str, fields: Mapping[str, Any], opener: Mapping[str, Any]) -> Any:
        """Return a field of the event, an option of the table, or a field of the opener."""
        if name in fields:
            return fields[name]
        if name in self._options:
            return self._options[name]
        if name in self._steps.empty:
            return self._steps.empty[name]
        bare = name.removeprefix(OPENING)
        return opener[bare] if bare in opener else self._steps.empty[bare]

    def _advance_state(
        self, constraint: Constraint, state: _StretchState, event: LogEvent, names: frozenset[str]
    ) -> bool:
        """Process `event` in one stretch, and return whether it breaks `constraint`."""
        speaks = not constraint.events.isdisjoint(names) and self._holds(
            constraint, state, event, doubt=constraint.kind in _FULFILLED_KINDS
        )
        owed = speaks and self._is_short(constraint, state)
        broken = self._record_event(constraint, state, event, speaks=speaks)
        if owed and not self._is_short(constraint, state):
            self._fulfilled.add(constraint.key)
        if not constraint.before.isdisjoint(names):
            broken = (
                broken or self._is_short(constraint, state) or _lacks_predecessor(constraint, state)
            )
        if not constraint.closing.isdisjoint(names) and not (
            constraint.kind == "precedes" and constraint.after
        ):
            state.open = state.flag = False
        if not constraint.after.isdisjoint(names):
            state.open, state.opener = True, event.fields or {}
            state.untold = frozenset(f"{OPENING}{name}" for name in event.untold)
            state.flag = constraint.kind in {"follows", "directly"}
            state.count, state.apart, state.last = 0, False, ()
        return broken

    def _record_event(
        self, constraint: Constraint, state: _StretchState, event: LogEvent, *, speaks: bool
    ) -> bool:
        """Record `event` in a stretch, and return whether it breaks `constraint`."""
        if constraint.kind == "precedes":
            state.flag = state.flag or speaks
            return False
        if constraint.kind == "follows":
            state.flag = state.flag and not speaks
            return False
        if constraint.kind == "directly":
            owed, state.flag = state.flag, False
            return owed and not speaks
        if not state.open or not speaks:
            state.apart = state.apart or (state.count > 0 and event.by is EventOrigin.TABLE)
            return False
        return self._record_in_stretch(constraint, state, event)

    def _record_in_stretch(
        self, constraint: Constraint, state: _StretchState, event: LogEvent
    ) -> bool:
        """Do the same for the event of the constraint in an open stretch."""
        if constraint.kind == "ordered":
            key = _order_key(constraint, event)
            wrong = key is not None and bool(state.last) and key <= state.last
            state.last = key or state.last
            return wrong
        if constraint.times is not None:
            state.count += 1
            too_many = constraint.kind != "at-least" and state.count > self._times(constraint)
            return too_many or (constraint.together and state.apart)
        return constraint.kind in {"forbids", "refuses"}

    def _is_short(self, constraint: Constraint, state: _StretchState) -> bool:
        if constraint.kind in {"follows", "directly"}:
            return state.flag
        if constraint.kind not in {"exactly", "at-least"} or not state.open:
            return False
        # With `same`, only a value that occurs in a stretch has to occur so often.
        return (state.count > 0 or not constraint.same) and state.count < self._times(constraint)

    def _times(self, constraint: Constraint) -> int:
        times: Any = (
            self._options[constraint.times]
            if isinstance(constraint.times, str)
            else constraint.times
        )
        return int(times or 0)


def _first_state(constraint: Constraint) -> _StretchState:
    return _StretchState(opened=not constraint.after or START in constraint.after, opener={})


def _lacks_predecessor(constraint: Constraint, state: _StretchState) -> bool:
    return constraint.kind == "precedes" and not state.flag


def _same_values_of(constraint: Constraint, event: LogEvent, names: frozenset[str]) -> _Key | None:
    """Return the values of `same` in an event, None for fields that it does not have."""
    if not constraint.same or not names.isdisjoint(constraint.everywhere):
        return (None,) * len(constraint.same)
    if event.fields is None:
        return None if event.declared & {*constraint.same} else (None,) * len(constraint.same)
    return tuple(
        event.fields.get(name, "") if name in event.declared else None for name in constraint.same
    )


def _matches(pattern: _Key, key: _Key) -> bool:
    if pattern == key:
        return True
    return all(value is None or value == own for value, own in zip(pattern, key, strict=True))


def _order_key(constraint: Constraint, event: LogEvent) -> _Key | None:
    if event.fields is None:
        return None
    return tuple(
        _order_value(event.fields.get(name), descending=name in constraint.descending)
        for name in constraint.by
    )


def _order_value(value: Any, *, descending: bool) -> tuple[int, int, str]:
    written = str(value)
    if not written.isdigit():
        return (_NAMED_LAST, 0, written)
    return (0, -int(written) if descending else int(written), "")
