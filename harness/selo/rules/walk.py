"""Walks a log once: which stretches are open, what is owed, and what each event breaks.

A stretch opens with an event of `after` (or with the log, if `after` is empty or says start) and
closes with one of `before` or `until`. One event is looked at in this order: it may be the event of
the constraint, it may close a stretch, it may open one. With `same`, each value has stretches of
its own, and an event that has no such field touches them all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from selo.law.events import OPENING, By
from selo.rules.steps import EMPTY
from selo.rules.telling import START

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.law.events import EventsFile
    from selo.rules.steps import Constraint

_Key = tuple[Any, ...]
#: Places with numbers come in their order, named ones (banker, croupier) after them.
_NAMED_LAST = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """An event of a log; `fields` is nothing where only its name is supposed."""

    event: str
    fields: Mapping[str, Any] | None
    declared: frozenset[str]
    by: By


@dataclass(frozen=True, kw_only=True, slots=True)
class _State:
    """Where one constraint stands, for one value of its `same`."""

    open: bool
    opener: Mapping[str, Any]
    #: How often the event came in this stretch.
    count: int = 0
    #: For precedes: it came. For follows and directly: it is owed.
    flag: bool = False
    #: Something else came after the first of a run.
    apart: bool = False
    last: _Key = ()


class Walk:
    """The standing of all constraints after part of a log."""

    def __init__(
        self,
        constraints: Sequence[Constraint],
        options: Mapping[str, Any],
        file: EventsFile,
    ) -> None:
        self._options = options
        self._empty = {one.id: EMPTY[one.kind] for one in file.fields}
        self._naming = [one for one in constraints if one.kind == "names"]
        self._judging = [one for one in constraints if one.kind != "names"]
        self._states: dict[str, dict[_Key, _State]] = {
            one.key: {} if one.same else {(): _first(one)} for one in constraints
        }
        self._past: list[tuple[Seen, frozenset[str]]] = []

    def copy(self) -> Walk:
        """Return a walk that stands here and goes its own way."""
        other = object.__new__(Walk)
        other._options, other._empty = self._options, self._empty
        other._naming, other._judging = self._naming, self._judging
        other._states = {key: dict(states) for key, states in self._states.items()}
        other._past = list(self._past)
        return other

    def take(self, seen: Seen) -> list[Constraint]:
        """Go on over an event that happened, and return the constraints that it breaks."""
        names = self._names(seen)
        broken = []
        for one in (*self._naming, *self._judging):
            states = self._states[one.key]
            for key in self._touched(one, seen, names):
                states[key], breaks = self._step(one, states[key], seen, names)
                if breaks and one not in broken:
                    broken.append(one)
        self._past.append((seen, names))
        return broken

    def applying(self, seen: Seen) -> list[Constraint]:
        """Return the permissions and refusals that speak of an act at this point."""
        names = self._names(seen)
        return [
            one
            for one in self._judging
            if one.kind in {"allows", "refuses"} and self._speaks(one, seen, names)
        ]

    def is_owed(self, one: Constraint) -> bool:
        """Return whether `one` still waits for something."""
        return any(self._short(one, state) for state in self._states[one.key].values())

    def _names(self, seen: Seen) -> frozenset[str]:
        names = frozenset({seen.event})
        for one in self._naming:
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
        pattern = _pattern(one, seen, names)
        if not one.same:
            return [()]
        if pattern is None:
            return []
        states = self._states[one.key]
        if None not in pattern and pattern not in states and not one.mentioned.isdisjoint(names):
            state = _first(one)
            for before, called in self._past:
                past = _pattern(one, before, called)
                if past is not None and _fits(past, pattern):
                    state, _ = self._step(one, state, before, called)
            states[pattern] = state
        return [key for key in states if _fits(pattern, key)]

    def _holds(self, one: Constraint, state: _State, seen: Seen) -> bool:
        if one.when is None:
            return True
        if seen.fields is None and one.asks:
            # Of an event without fields a condition cannot be said to hold.
            return False
        facts = {**self._empty, **self._options, **(seen.fields or {})}
        facts |= {f"{OPENING}{name}": value for name, value in self._empty.items()}
        facts |= {f"{OPENING}{name}": value for name, value in state.opener.items()}
        return bool(one.when.on(facts))

    def _step(
        self, one: Constraint, state: _State, seen: Seen, names: frozenset[str]
    ) -> tuple[_State, bool]:
        speaks = not one.events.isdisjoint(names) and self._holds(one, state, seen)
        state, broken = self._met(one, state, seen, speaks=speaks)
        if not names.isdisjoint(one.before):
            broken = broken or self._short(one, state) or _unmet(one, state)
        if not names.isdisjoint(one.before | one.until):
            keeps = one.kind == "precedes" and bool(one.after)
            state = state if keeps else replace(state, open=False, flag=False)
        if not names.isdisjoint(one.after):
            owed = one.kind in {"follows", "directly"}
            state = _State(open=True, opener=seen.fields or {}, flag=owed)
        return state, broken

    def _met(
        self, one: Constraint, state: _State, seen: Seen, *, speaks: bool
    ) -> tuple[_State, bool]:
        """Return what becomes of a stretch when `seen` comes in it, and whether that is wrong."""
        if one.kind == "precedes":
            return replace(state, flag=state.flag or speaks), False
        if one.kind == "follows":
            return replace(state, flag=state.flag and not speaks), False
        if one.kind == "directly":
            return replace(state, flag=False), state.flag and not speaks
        if not state.open or not speaks:
            gap = state.count > 0 and seen.by is By.TABLE
            return replace(state, apart=state.apart or gap), False
        return self._in_stretch(one, state, seen)

    def _in_stretch(self, one: Constraint, state: _State, seen: Seen) -> tuple[_State, bool]:
        """Return the same for the event of the constraint in an open stretch."""
        if one.kind == "ordered":
            key = _place(one, seen)
            wrong = key is not None and bool(state.last) and key <= state.last
            return replace(state, last=key or state.last), wrong
        if one.times is not None:
            count = state.count + 1
            too_many = one.kind != "at-least" and count > self._times(one)
            torn = one.together and state.apart
            return replace(state, count=count), too_many or torn
        return state, one.kind in {"forbids", "refuses"}

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
    return _State(open=not one.after or START in one.after, opener={})


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
