"""Reads and compiles the step clauses of a game: constraints on the order of events.

1. Every clause is read against the events file of its instrument; an unknown word is an error.
2. Conditions are compiled with the fields of their event, the options of the table, and the fields
   of the event that opened the stretch (``opening_…``).
3. Clauses under readings not in force are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.law.files.events_file import OPENING, EventOrigin, ValueKind
from selo.rules.clauses import LocatedClause, read_clauses
from selo.rules.clauses import clause_models as c
from selo.rules.clauses.clause_models import START
from selo.rules.language import BadExpression, Expression, compile_expression
from selo.rules.language.vocabulary import BOOL, INT, INTS, TEXT, TEXTS, ConditionVocabulary
from selo.rules.procedure.step_phrases import describe_step
from selo.rules.readings import readings_of_points
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from selo.law import Law
    from selo.law.files.events_file import Event, EventsFile
    from selo.rules.readings import Readings
    from selo.text import Words

#: The required and the optional fields of each kind of step.
STEP_FIELDS: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
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
#: Kinds about acts, which the table accepts or refuses.
_ACT_KINDS: Final = frozenset({"allows", "refuses"})
_CHECKED_FIELDS: Final = (
    "before", "after", "until", "times", "by", "descending", "together", "called",
)  # fmt: skip
FIELD_TYPES: Final = {
    ValueKind.TEXT: TEXT,
    ValueKind.NUMBER: INT,
    ValueKind.YES_NO: BOOL,
    ValueKind.TEXTS: TEXTS,
    ValueKind.NUMBERS: INTS,
}
#: The values of fields that an event does not have.
EMPTY_VALUES: Final[dict[ValueKind, Any]] = {
    ValueKind.TEXT: "",
    ValueKind.NUMBER: 0,
    ValueKind.YES_NO: False,
    ValueKind.TEXTS: [],
    ValueKind.NUMBERS: [],
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
    event_variables: frozenset[str]
    required: Words
    #: Every event that this constraint names, and those that close a stretch.
    mentioned: frozenset[str] = field(init=False)
    closing: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        closing = self.before | self.until
        object.__setattr__(self, "closing", closing)
        object.__setattr__(self, "mentioned", self.events | self.after | closing)

    @property
    def concerns_act(self) -> bool:
        """Whether the constraint says that an act is accepted or refused."""
        return self.kind in _ACT_KINDS

    def is_affected_by(self, names: frozenset[str]) -> bool:
        """Return whether an event with these names can change the state of this constraint."""
        # An immediate or gapless constraint is affected by every other event.
        always = self.together or self.kind == "directly"
        return always or not self.mentioned.isdisjoint(names)


def list_step_games(law: Law) -> list[str]:
    """Return the games that have steps, in the order of their instruments."""
    return [
        folder.instrument.game
        for folder in law.folders
        if any(
            "step" in plain
            for held in law.provisions.values()
            if held.instrument is folder.instrument
            for _, plain in c.raw_clauses_of(held)
        )
    ]


def find_events_file(law: Law, game: str) -> EventsFile | None:
    """Return the events file of `game`, if it has one."""
    return next((folder.events for folder in law.folders if folder.instrument.game == game), None)


def step_points(law: Law, game: str) -> dict[str, list[str]]:
    """Return the open points on which the steps of `game` depend, with their readings."""
    points = {name for located in _step_clauses(law, game) for name in located.clause.under}
    return readings_of_points(law, points)


def read_constraints(law: Law, game: str, readings: Readings | None = None) -> list[Constraint]:
    """Return the steps of `game` in the order of the law; without `readings`, of all readings."""
    clauses = _step_clauses(law, game)
    reader = _StepReader(find_events_file(law, game), clauses)
    return [
        reader.read(located)
        for located in clauses
        if readings is None or readings.allows(located.clause.under)
    ]


def _step_clauses(law: Law, game: str) -> list[Any]:
    return [
        located for located in read_clauses(law, game) if isinstance(located.clause, c.StepClause)
    ]


class _StepReader:
    def __init__(self, file: EventsFile | None, clauses: list[Any]) -> None:
        self._events: dict[str, Event] = {} if file is None else {e.id: e for e in file.events}
        self._kinds = {} if file is None else {f.id: f.kind for f in file.fields}
        self._options = {} if file is None else {o.id: o.kind for o in file.options}
        self._words = {name: event.words for name, event in self._events.items()}
        self._field_words = {} if file is None else {f.id: f.words for f in file.fields}
        self._events_by_name: dict[str, set[str]] = {}
        for located in clauses:
            if located.clause.called is not None:
                self._events_by_name.setdefault(located.clause.called, set()).update(
                    c.list_names(located.clause.event)
                )
        self._counted: dict[str, int] = {}
        self._keys = {id(located): self._key(located) for located in clauses}

    def _key(self, located: LocatedClause) -> str:
        number = self._counted[located.held.id] = self._counted.get(located.held.id, 0) + 1
        return f"{located.held.id}#{number}"

    def read(self, located: Any) -> Constraint:
        clause = located.clause
        self._check_fields(located)
        events = self._check_events(located, "event", clause.event)
        after = self._check_events(located, "after", clause.after)
        own, opening = self._fields(events), self._fields(after)
        vocabulary = ConditionVocabulary.of(
            {
                **{name: FIELD_TYPES[self._kinds[name]] for name in sorted(own)},
                **{f"{OPENING}{name}": FIELD_TYPES[self._kinds[name]] for name in sorted(opening)},
                **{name: FIELD_TYPES[kind] for name, kind in self._options.items()},
            }
        )
        options = ConditionVocabulary.of(
            {name: FIELD_TYPES[kind] for name, kind in self._options.items()}
        )
        when = self._compile_condition(located, "when", clause.when, vocabulary)
        before = self._check_events(located, "before", clause.before)
        until = self._check_events(located, "until", clause.until)
        self._check_field_names(located, own | opening | self._fields(before | until))
        return Constraint(
            key=self._keys[id(located)],
            provision=located.held.id,
            kind=clause.step,
            events=events,
            before=before,
            after=after,
            until=until,
            times=self._times(located),
            when=when,
            given=self._compile_condition(located, "given", clause.given, options),
            same=tuple(c.list_names(clause.same)),
            everywhere=self._check_events(located, "everywhere", clause.everywhere),
            by=tuple(c.list_names(clause.by)),
            descending=frozenset(c.list_names(clause.descending)),
            together=clause.together,
            called=clause.called,
            under=clause.under,
            event_variables=frozenset(() if when is None else when.names) & own,
            required=describe_step(clause, self._words, self._field_words),
        )

    def _check_fields(self, located: Any) -> None:
        clause = located.clause
        if clause.step not in STEP_FIELDS:
            raise located.error_at(
                "step",
                f"there is no step '{clause.step}'",
                f"Use one of: {', '.join(STEP_FIELDS)}.",
            )
        needed, allowed = STEP_FIELDS[clause.step]
        for place in _CHECKED_FIELDS:
            present = bool(getattr(clause, place))
            if place in needed and not present:
                raise located.error_at(
                    "step", f"a step '{clause.step}' needs '{place}'", "See docs/rules.md."
                )
            if present and place not in needed | allowed:
                raise located.error_at(
                    place, f"a step '{clause.step}' has no '{place}'", "See docs/rules.md."
                )
        if clause.step in _ACT_KINDS:
            for name in self._logged_events(self._check_events(located, "event", clause.event)):
                if self._events[name].by is not EventOrigin.ACT:
                    raise located.error_at(
                        "event",
                        f"nobody asks for '{name}', so it is neither accepted nor refused",
                        "Use forbids for what happens at the table.",
                    )
        if clause.called is not None and (
            clause.called not in self._events
            or self._events[clause.called].by is not EventOrigin.NAME
        ):
            raise located.error_at(
                "called",
                f"'{clause.called}' is no name that a rule may give",
                "Add it to the events file of the instrument, with by: name.",
            )

    def _check_events(self, located: Any, field: str, wanted: c.Names) -> frozenset[str]:
        names = c.list_names(wanted)
        for name in names:
            if name == START and field == "after":
                continue
            if name not in self._events:
                raise located.error_at(
                    field,
                    f"there is no event '{name}' in this game",
                    "Correct it, or add it to the events file of the instrument: "
                    f"{', '.join(self._events)}.",
                )
        return frozenset(names)

    def _logged_events(self, names: Iterable[str]) -> set[str]:
        """Return the logged events that `names` stand for."""
        logged: set[str] = set()
        left = list(names)
        seen: set[str] = set()
        while left:
            name = left.pop()
            if name in seen or name == START:
                continue
            seen.add(name)
            if name in self._events_by_name:
                left += self._events_by_name[name]
            elif name in self._events:
                logged.add(name)
        return logged

    def _fields(self, names: Iterable[str]) -> frozenset[str]:
        bases = [self._events[name] for name in self._logged_events(names)]
        return frozenset(
            name for base in bases for name in [*base.fields, *base.optional, *base.computed]
        )

    def _check_field_names(self, located: Any, fields: frozenset[str]) -> None:
        for place in ("same", "by", "descending"):
            for name in c.list_names(getattr(located.clause, place)):
                if name not in fields:
                    raise located.error_at(
                        place,
                        f"these events have no field '{name}'",
                        f"Fields here: {', '.join(sorted(fields)) or 'none'}.",
                    )

    def _times(self, located: Any) -> int | str | None:
        times: str | None = located.clause.times
        if times is None or times.isdigit():
            return None if times is None else int(times)
        if self._options.get(times) is not ValueKind.NUMBER:
            raise located.error_at(
                "times",
                f"'{times}' is neither a number nor an option that is one",
                "Write a number of the text, or an option of the events file.",
            )
        return times

    def _compile_condition(
        self, located: Any, field: str, text: str | None, vocabulary: ConditionVocabulary
    ) -> Expression | None:
        if text is None:
            return None
        try:
            return compile_expression(text, vocabulary, wanted=BOOL)
        except BadExpression as error:
            known = ", ".join(vocabulary.variables) or "nothing"
            raise located.error_at(field, str(error), f"Known here: {known}.") from error


def require_events_file(law: Law, game: str) -> EventsFile:
    """Return the events file of `game`, which must have one."""
    file = find_events_file(law, game)
    if file is None:
        raise user_error("steps", game=game, known=", ".join(list_step_games(law)))
    return file
