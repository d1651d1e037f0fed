"""Reads the step clauses of a game: what the order of events must be, under given readings.

1. Every clause is read against the events file of its instrument; an unknown word is an error.
2. Conditions are compiled with the fields of their event, the options of the table, and the fields
   of the event that opened the stretch (``opening_…``).
3. Clauses whose readings are not followed, or whose options do not hold, are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.law.files.events_file import OPENING, EventOrigin, ValueKind
from selo.rules.clauses import Written, read_clauses
from selo.rules.clauses import clause_models as c
from selo.rules.language import BadExpression, Expression, compile_expression
from selo.rules.language.vocabulary import BOOL, INT, TEXT, TEXTS, Vocabulary
from selo.rules.procedure.step_phrases import START, required

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from selo.law.files.events_file import Event, EventsFile
    from selo.law.loader import Law
    from selo.rules.readings import Readings
    from selo.text.multilingual import Words

#: For each kind of step: what it must say, and what it may say besides.
SHAPES: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    "precedes": (frozenset({"before"}), frozenset({"after"})),
    "follows": (frozenset({"after"}), frozenset({"before", "until"})),
    "directly": (frozenset({"after"}), frozenset()),
    "forbids": (frozenset(), frozenset({"after", "until"})),
    "exactly": (frozenset({"times", "after"}), frozenset({"before", "until", "together"})),
    "at-least": (frozenset({"times", "after"}), frozenset({"before", "until", "together"})),
    "at-most": (frozenset({"times"}), frozenset({"after", "until"})),
    "ordered": (frozenset({"by"}), frozenset({"after", "until", "descending"})),
    "allows": (frozenset(), frozenset({"after", "until"})),
    "refuses": (frozenset(), frozenset({"after", "until"})),
    "names": (frozenset({"called"}), frozenset({"after", "until"})),
}
#: Kinds that speak of what somebody asks for and the table answers.
ANSWERED: Final = frozenset({"allows", "refuses"})
_SHAPED: Final = (
    "before", "after", "until", "times", "by", "descending", "together", "called",
)  # fmt: skip
TYPES: Final = {
    ValueKind.TEXT: TEXT,
    ValueKind.NUMBER: INT,
    ValueKind.YES_NO: BOOL,
    ValueKind.TEXTS: TEXTS,
}
#: What stands for a field that an event does not have.
EMPTY: Final[dict[ValueKind, Any]] = {
    ValueKind.TEXT: "",
    ValueKind.NUMBER: 0,
    ValueKind.YES_NO: False,
    ValueKind.TEXTS: [],
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Constraint:
    """One step clause, compiled."""

    key: str
    provision: str
    kind: str
    events: frozenset[str]
    before: frozenset[str]
    after: frozenset[str]
    until: frozenset[str]
    times: int | str | None
    when: Expression | None
    given: Expression | None
    same: tuple[str, ...]
    everywhere: frozenset[str]
    by: tuple[str, ...]
    descending: frozenset[str]
    together: bool
    called: str | None
    under: Mapping[str, str]
    #: The names that `when` takes from the event itself.
    asks: frozenset[str]
    required: Words
    #: Every event that this constraint speaks of, and those that close a stretch.
    mentioned: frozenset[str] = field(init=False)
    closing: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        closing = self.before | self.until
        object.__setattr__(self, "closing", closing)
        object.__setattr__(self, "mentioned", self.events | self.after | closing)

    def touched(self, names: frozenset[str]) -> bool:
        """Return whether an event with these names can make a difference to it."""
        # What must come at once, or without a gap, is touched by whatever comes instead.
        restless = self.together or self.kind == "directly"
        return restless or not self.mentioned.isdisjoint(names)


def step_games(law: Law) -> list[str]:
    """Return the games that have steps, in the order of their instruments."""
    return [
        folder.instrument.game
        for folder in law.folders
        if any(
            "step" in plain
            for held in law.provisions.values()
            if held.instrument is folder.instrument
            for _, plain in c.clauses_of(held)
        )
    ]


def events_of(law: Law, game: str) -> EventsFile | None:
    """Return the events file of `game`, if it has one."""
    return next((folder.events for folder in law.folders if folder.instrument.game == game), None)


def executable_steps(law: Law, game: str) -> dict[str, list[str]]:
    """Return the divergences that a step of `game` depends on, with all their readings."""
    touched = {name for one in _written(law, game) for name in one.clause.under}
    return {
        divergence.id: [reading.id for reading in divergence.readings]
        for divergence in law.divergences
        if divergence.id in touched
    }


def constraints(law: Law, game: str, readings: Readings | None = None) -> list[Constraint]:
    """Return the steps of `game` in the order of the law; without `readings`, of all readings."""
    written = _written(law, game)
    reader = _Reader(events_of(law, game), written)
    return [
        reader.constraint(one)
        for one in written
        if readings is None or readings.allow(one.clause.under)
    ]


def _written(law: Law, game: str) -> list[Any]:
    return [
        read_clause
        for read_clause in read_clauses(law, game)
        if isinstance(read_clause.clause, c.Step)
    ]


class _Reader:
    def __init__(self, file: EventsFile | None, written: list[Any]) -> None:
        self._events: dict[str, Event] = {} if file is None else {e.id: e for e in file.events}
        self._kinds = {} if file is None else {f.id: f.kind for f in file.fields}
        self._options = {} if file is None else {o.id: o.kind for o in file.options}
        self._words = {name: event.words for name, event in self._events.items()}
        self._field_words = {} if file is None else {f.id: f.words for f in file.fields}
        self._meant: dict[str, set[str]] = {}
        for one in written:
            if one.clause.called is not None:
                self._meant.setdefault(one.clause.called, set()).update(c.names(one.clause.event))
        self._counted: dict[str, int] = {}
        self._keys = {id(one): self._key(one) for one in written}

    def _key(self, one: Written) -> str:
        number = self._counted[one.held.id] = self._counted.get(one.held.id, 0) + 1
        return f"{one.held.id}#{number}"

    def constraint(self, one: Any) -> Constraint:
        clause = one.clause
        self._shape(one)
        events = self._named(one, "event", clause.event)
        after = self._named(one, "after", clause.after)
        own, opening = self._fields(events), self._fields(after)
        vocabulary = Vocabulary.of(
            {
                **{name: TYPES[self._kinds[name]] for name in sorted(own)},
                **{f"{OPENING}{name}": TYPES[self._kinds[name]] for name in sorted(opening)},
                **{name: TYPES[kind] for name, kind in self._options.items()},
            }
        )
        options = Vocabulary.of({name: TYPES[kind] for name, kind in self._options.items()})
        when = self._condition(one, "when", clause.when, vocabulary)
        before = self._named(one, "before", clause.before)
        until = self._named(one, "until", clause.until)
        self._known_fields(one, own | opening | self._fields(before | until))
        return Constraint(
            key=self._keys[id(one)],
            provision=one.held.id,
            kind=clause.step,
            events=events,
            before=before,
            after=after,
            until=until,
            times=self._times(one),
            when=when,
            given=self._condition(one, "given", clause.given, options),
            same=tuple(c.names(clause.same)),
            everywhere=self._named(one, "everywhere", clause.everywhere),
            by=tuple(c.names(clause.by)),
            descending=frozenset(c.names(clause.descending)),
            together=clause.together,
            called=clause.called,
            under=clause.under,
            asks=frozenset(() if when is None else when.names) & own,
            required=required(clause, self._words, self._field_words),
        )

    def _shape(self, one: Any) -> None:
        clause = one.clause
        if clause.step not in SHAPES:
            raise one.wrong(
                "step", f"there is no step '{clause.step}'", f"Use one of: {', '.join(SHAPES)}."
            )
        needed, allowed = SHAPES[clause.step]
        for place in _SHAPED:
            said = bool(getattr(clause, place))
            if place in needed and not said:
                raise one.wrong(
                    "step", f"a step '{clause.step}' needs '{place}'", "See docs/rules.md."
                )
            if said and place not in needed | allowed:
                raise one.wrong(
                    place, f"a step '{clause.step}' has no '{place}'", "See docs/rules.md."
                )
        if clause.step in ANSWERED:
            for name in self._base(self._named(one, "event", clause.event)):
                if self._events[name].by is not EventOrigin.ACT:
                    raise one.wrong(
                        "event",
                        f"nobody asks for '{name}', so it is neither accepted nor refused",
                        "Use forbids for what happens at the table.",
                    )
        if clause.called is not None and (
            clause.called not in self._events
            or self._events[clause.called].by is not EventOrigin.NAME
        ):
            raise one.wrong(
                "called",
                f"'{clause.called}' is no name that a rule may give",
                "Add it to the events file of the instrument, with by: name.",
            )

    def _named(self, one: Any, field: str, wanted: c.Names) -> frozenset[str]:
        names = c.names(wanted)
        for name in names:
            if name == START and field == "after":
                continue
            if name not in self._events:
                raise one.wrong(
                    field,
                    f"there is no event '{name}' in this game",
                    "Correct it, or add it to the events file of the instrument: "
                    f"{', '.join(self._events)}.",
                )
        return frozenset(names)

    def _base(self, names: Iterable[str]) -> set[str]:
        """Return the events of the log that go by `names`."""
        found: set[str] = set()
        left = list(names)
        seen: set[str] = set()
        while left:
            name = left.pop()
            if name in seen or name == START:
                continue
            seen.add(name)
            if name in self._meant:
                left += self._meant[name]
            elif name in self._events:
                found.add(name)
        return found

    def _fields(self, names: Iterable[str]) -> frozenset[str]:
        bases = [self._events[name] for name in self._base(names)]
        return frozenset(name for base in bases for name in [*base.fields, *base.optional])

    def _known_fields(self, one: Any, fields: frozenset[str]) -> None:
        for place in ("same", "by", "descending"):
            for name in c.names(getattr(one.clause, place)):
                if name not in fields:
                    raise one.wrong(
                        place,
                        f"these events have no field '{name}'",
                        f"Fields here: {', '.join(sorted(fields)) or 'none'}.",
                    )

    def _times(self, one: Any) -> int | str | None:
        times: str | None = one.clause.times
        if times is None or times.isdigit():
            return None if times is None else int(times)
        if self._options.get(times) is not ValueKind.NUMBER:
            raise one.wrong(
                "times",
                f"'{times}' is neither a number nor an option that is one",
                "Write a number of the text, or an option of the events file.",
            )
        return times

    def _condition(
        self, one: Any, field: str, text: str | None, vocabulary: Vocabulary
    ) -> Expression | None:
        if text is None:
            return None
        try:
            return compile_expression(text, vocabulary, wanted=BOOL)
        except BadExpression as error:
            known = ", ".join(vocabulary.variables) or "nothing"
            raise one.wrong(field, str(error), f"Known here: {known}.") from error
