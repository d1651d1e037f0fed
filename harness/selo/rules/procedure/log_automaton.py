"""Walks a log once: which stretches are open, what is owed, and what each event breaks.

A stretch opens with an event of `after` (or with the log, if `after` is empty or says start) and
closes with one of `before` or `until`. One event is looked at in this order: it may be the event of
the constraint, it may close a stretch, it may open one. With `same`, each value has stretches of
its own, and an event that has no such field touches them all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.law.files.events_file import OPENING, EventOrigin
from selo.rules.procedure.step_phrases import START
from selo.rules.procedure.step_reader import EMPTY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.law.files.events_file import EventsFile
    from selo.rules.procedure.step_reader import Constraint

_Key = tuple[Any, ...]
#: Places with numbers come in their order, named ones (banker, croupier) after them.
_NAMED_LAST: Final = 1
#: Without `same` there is one stretch.
_ONLY: Final[list[_Key]] = [()]


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """An event of a log; `fields` is nothing where only its name is supposed."""

    event: str
    fields: Mapping[str, Any] | None
    declared: frozenset[str]
    by: EventOrigin


class _State:
    """Where one constraint stands, for one value of its `same`."""

    __slots__ = ("apart", "count", "flag", "last", "open", "opener")

    def __init__(self, *, opened: bool, opener: Mapping[str, Any], flag: bool = False) -> None:
        self.open = opened
        self.opener = opener
        #: How often the event came in this stretch.
        self.count = 0
        #: For precedes: it came. For follows and directly: it is owed.
        self.flag = flag
        #: Something else came after the first of a run.
        self.apart = False
        self.last: _Key = ()

    def copy(self) -> _State:
        other = _State(opened=self.open, opener=self.opener, flag=self.flag)
        other.count, other.apart, other.last = self.count, self.apart, self.last
        return other


class Steps:
    """Constraints made ready to be walked, so that an event meets only those it can touch."""

    def __init__(self, constraints: Sequence[Constraint], file: EventsFile) -> None:
        self.empty = {field.id: EMPTY[field.kind] for field in file.fields}
        self.all = constraints
        self.naming = [constraint for constraint in constraints if constraint.kind == "names"]
        self._judging = [constraint for constraint in constraints if constraint.kind != "names"]
        self.answering = [one for one in self._judging if one.kind in {"allows", "refuses"}]
        self._touched: dict[frozenset[str], list[Constraint]] = {}

    def touched(self, names: frozenset[str]) -> list[Constraint]:
        """Return the constraints that an event with these names can open, close, meet or break."""
        found = self._touched.get(names)
        if found is None:
            found = self._touched[names] = [
                one for one in (*self.naming, *self._judging) if one.touched(names)
            ]
        return found


class Walk:
    """The standing of all constraints after part of a log."""

    def __init__(self, steps: Steps, options: Mapping[str, Any]) -> None:
        self._steps, self._options = steps, options
        self._states: dict[str, dict[_Key, _State]] = {
            one.key: {} if one.same else {(): _first(one)} for one in steps.all
        }
        self._past: list[tuple[Seen, frozenset[str]]] = []

    def copy(self) -> Walk:
        """Return a walk that stands here and goes its own way."""
        other = object.__new__(Walk)
        other._steps, other._options = self._steps, self._options
        other._states = {
            key: {at: state.copy() for at, state in states.items()}
            for key, states in self._states.items()
        }
        other._past = list(self._past)
        return other

    def take(self, seen: Seen) -> list[Constraint]:
        """Go on over an event that happened, and return the constraints that it breaks."""
        names = self._names(seen)
        broken = []
        for one in self._steps.touched(names):
            states = self._states[one.key]
            breaks = False
            for key in self._touched(one, seen, names):
                breaks |= self._step(one, states[key], seen, names)
            if breaks:
                broken.append(one)
        self._past.append((seen, names))
        return broken

    def applying(self, seen: Seen) -> list[Constraint]:
        """Return the permissions and refusals that speak of an act at this point."""
        names = self._names(seen)
        return [one for one in self._steps.answering if self._speaks(one, seen, names)]

    def is_owed(self, one: Constraint) -> bool:
        """Return whether `one` still waits for something."""
        return any(self._short(one, state) for state in self._states[one.key].values())

    def _names(self, seen: Seen) -> frozenset[str]:
        names = frozenset({seen.event})
        for one in self._steps.naming:
            if one.called is not None and self._speaks(one, seen, names):
                names |= {one.called}
        return names

    def _speaks(self, one: Constraint, seen: Seen, names: frozenset[str]) -> bool:
        """Return whether `seen` is the event of `one`, in an open stretch."""
        if one.events.isdisjoint(names):
            return False
        states = self._states[one.key]
        return any(
            states[key].open and self._holds(one, states[key], seen)
            for key in self._touched(one, seen, names)
        )

    def _touched(self, one: Constraint, seen: Seen, names: frozenset[str]) -> list[_Key]:
        """Return the values of `same` that `seen` concerns, having met new ones."""
        if not one.same:
            return _ONLY
        pattern = _pattern(one, seen, names)
        if pattern is None:
            return []
        states = self._states[one.key]
        if None not in pattern and pattern not in states and not one.mentioned.isdisjoint(names):
            state = _first(one)
            for before, called in self._past:
                if one.touched(called):
                    past = _pattern(one, before, called)
                    if past is not None and _fits(past, pattern):
                        self._step(one, state, before, called)
            states[pattern] = state
        if None not in pattern:
            # Only itself fits what leaves nothing open.
            return [pattern] if pattern in states else []
        return [key for key in states if _fits(pattern, key)]

    def _holds(self, one: Constraint, state: _State, seen: Seen) -> bool:
        if one.when is None:
            return True
        if seen.fields is None and one.asks:
            # Of an event without fields a condition cannot be said to hold.
            return False
        fields = seen.fields or {}
        facts = {name: self._fact(name, fields, state.opener) for name in one.when.names}
        return bool(one.when.on(facts))

    def _fact(self, name: str, fields: Mapping[str, Any], opener: Mapping[str, Any]) -> Any:
        """Return what a condition asks for: of the event, the table, or the event that opened."""
        if name in fields:
            return fields[name]
        if name in self._options:
            return self._options[name]
        if name in self._steps.empty:
            return self._steps.empty[name]
        bare = name.removeprefix(OPENING)
        return opener[bare] if bare in opener else self._steps.empty[bare]

    def _step(self, one: Constraint, state: _State, seen: Seen, names: frozenset[str]) -> bool:
        """Let `seen` come in a stretch, and return whether that breaks `one`."""
        speaks = not one.events.isdisjoint(names) and self._holds(one, state, seen)
        broken = self._met(one, state, seen, speaks=speaks)
        if not one.before.isdisjoint(names):
            broken = broken or self._short(one, state) or _unmet(one, state)
        if not one.closing.isdisjoint(names) and not (one.kind == "precedes" and one.after):
            state.open = state.flag = False
        if not one.after.isdisjoint(names):
            state.open, state.opener = True, seen.fields or {}
            state.flag = one.kind in {"follows", "directly"}
            state.count, state.apart, state.last = 0, False, ()
        return broken

    def _met(self, one: Constraint, state: _State, seen: Seen, *, speaks: bool) -> bool:
        """Note that `seen` came in a stretch, and return whether that is wrong."""
        if one.kind == "precedes":
            state.flag = state.flag or speaks
            return False
        if one.kind == "follows":
            state.flag = state.flag and not speaks
            return False
        if one.kind == "directly":
            owed, state.flag = state.flag, False
            return owed and not speaks
        if not state.open or not speaks:
            state.apart = state.apart or (state.count > 0 and seen.by is EventOrigin.TABLE)
            return False
        return self._in_stretch(one, state, seen)

    def _in_stretch(self, one: Constraint, state: _State, seen: Seen) -> bool:
        """Return the same for the event of the constraint in an open stretch."""
        if one.kind == "ordered":
            key = _place(one, seen)
            wrong = key is not None and bool(state.last) and key <= state.last
            state.last = key or state.last
            return wrong
        if one.times is not None:
            state.count += 1
            too_many = one.kind != "at-least" and state.count > self._times(one)
            return too_many or (one.together and state.apart)
        return one.kind in {"forbids", "refuses"}

    def _short(self, one: Constraint, state: _State) -> bool:
        if one.kind in {"follows", "directly"}:
            return state.flag
        if one.kind not in {"exactly", "at-least"} or not state.open:
            return False
        # With `same`, only what occurs at all in a stretch has to occur so often.
        return (state.count > 0 or not one.same) and state.count < self._times(one)

    def _times(self, one: Constraint) -> int:
        times = self._options[one.times] if isinstance(one.times, str) else one.times
        return int(times or 0)


def _first(one: Constraint) -> _State:
    return _State(opened=not one.after or START in one.after, opener={})


def _unmet(one: Constraint, state: _State) -> bool:
    return one.kind == "precedes" and not state.flag


def _pattern(one: Constraint, seen: Seen, names: frozenset[str]) -> _Key | None:
    """Return the values of `same` in an event, nothing for those it has not."""
    if not one.same or not names.isdisjoint(one.everywhere):
        return (None,) * len(one.same)
    if seen.fields is None:
        return None if seen.declared & {*one.same} else (None,) * len(one.same)
    return tuple(seen.fields.get(name, "") if name in seen.declared else None for name in one.same)


def _fits(pattern: _Key, key: _Key) -> bool:
    return all(value is None or value == own for value, own in zip(pattern, key, strict=True))


def _place(one: Constraint, seen: Seen) -> _Key | None:
    if seen.fields is None:
        return None
    return tuple(_rank(seen.fields.get(name), descending=name in one.descending) for name in one.by)


def _rank(value: Any, *, descending: bool) -> tuple[int, int, str]:
    written = str(value)
    if not written.isdigit():
        return (_NAMED_LAST, 0, written)
    return (0, -int(written) if descending else int(written), "")
