"""Causes: which provision was misread, in which clause and field, and how, as a structure."""

from __future__ import annotations

import enum
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Self

import msgspec

from selo.rules.clauses.clause_models import CLAUSE_KINDS, list_names

if TYPE_CHECKING:
    from selo.rules.clauses.clause_models import Clause

#: Fields of clauses that hold an expression of the rule language.
_EXPRESSIONS: Final = frozenset({"when", "wins", "means"})
#: Clauses whose field ``means`` holds a word instead.
_WORD_MEANS: Final = frozenset({"manner", "limit"})
#: Hexadecimal digits that tell apart causes with the same provision, clause, field and operator.
_MARK_DIGITS: Final = 6


class Operator(enum.StrEnum):
    """What a mutation does to a field of a clause, or to the whole clause."""

    sentence: str

    def __new__(cls, value: str, sentence: str) -> Self:
        """Return a member with its code, and the sentence that named it before it had a code."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.sentence = sentence
        return member

    ABOVE = "above", "above {clause} {now}"
    ADDED = "added", "added to {now}"
    ALWAYS = "always", "always so"
    ANYBODY = "anybody", "of anybody, anywhere"
    AS_WELL = "as-well", "on {now} as well"
    BEARS = "bears", "bears on the {now}"
    BECOMES = "becomes", "{was} becomes {now}"
    BELOW = "below", "below {clause} {now}"
    CHOICES = "choices", "choices are {now}"
    COLOUR = "colour", "the colour is {now}"
    COUNTS = "counts", "{part} counts {now}"
    DIVISOR = "divisor", "counted off by {now}"
    FIRST_TWO = "first-two", "only the first two"
    FOR_ONE = "for-one", "for one instead of to one"
    FORGOTTEN = "forgotten", "forgotten"
    FORGOTTEN_FOR = "forgotten-for", "forgotten for {part}"
    KEY_DROPPED = "key-dropped", "key {part} is dropped"
    KEY_REVERSED = "key-reversed", "key {part} is reversed"
    LAST_HIGHEST = "last-highest", "the last is the highest"
    LESS = "less", "one less"
    LINE = "line", "stands on line {now}"
    LISTED = "listed", "{now} in the list as well"
    MAKES = "makes", "{when} makes it {now}"
    MANNER = "manner", "{subject}: {now}"
    MORE = "more", "one more"
    NEVER = "never", "never so"
    NEVER_TAKEN = "never-taken", "the bet is never taken"
    NO_CHOICE = "no-choice", "{part} is no choice"
    NO_EXCEPTION = "no-exception", "without its exception"
    NOT_ENOUGH = "not-enough", "{part} is not enough"
    NOTHING_ALIKE = "nothing-alike", "nothing is alike"
    NUMBER = "number", "the number is {now}"
    ODDS = "odds", "odds {was} become {now}"
    ODDS_ARE = "odds-are", "odds are {now}"
    PAIR = "pair", "its pair is {now}"
    PREVAILS = "prevails", "does not prevail over {part}"
    RATE = "rate", "the rate is {now}"
    READING = "reading", "{now}"
    ROUNDED = "rounded", "rounded {now}"
    ROW_ABOVE = "row-above", "{part} above {now}"
    ROW_GONE = "row-gone", "{part} is not there"
    SHARE = "share", "the share is {now}"
    STAKE_OF = "stake-of", "the stake of {now}"
    TO_ONE = "to-one", "to one instead of for one"
    TURNED = "turned", "turned round"
    WITHOUT = "without", "without {was}"
    WITHOUT_LISTED = "without-listed", "without {was} in the list"


class Cause(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """How a provision seems to have been misread: its clause, the field, what it was and is now."""

    provision: str
    #: The kind of clause, and what it is about.
    clause: str
    subject: tuple[str, ...]
    #: None where the whole clause is forgotten or moved; the open point, where it was read
    #: otherwise than adopted: then `now` is the reading.
    field: str | None
    operator: Operator
    #: The one name, row or key among several that is meant.
    part: str | None = None
    #: The condition under which alone it is so.
    when: str | None = None
    was: str | None = None
    now: str | None = None
    #: Distinguishes causes that agree in all of the above.
    mark: str = ""
    #: Counts the causes of a provision that had the same sentence, in the order of the law files.
    number: int = 1

    @property
    def code(self) -> str:
        """A short name that stays the same when clauses are reordered."""
        if self.operator is Operator.READING:
            return f"{self.field}:{self.now}"
        kind = ".".join(filter(None, (self.clause, self.field, self.operator.value)))
        return f"{self.provision}:{kind}-{self.mark}"

    @property
    def is_expression(self) -> bool:
        """Whether the field holds an expression of the rule language."""
        return self.field in _EXPRESSIONS and self.clause not in _WORD_MEANS

    @property
    def sentence(self) -> str:
        """The sentence that named the cause before it had a code; findings still carry it."""
        template = self.operator.sentence
        subject = ", ".join(self.subject)
        change = template.format(
            clause=self.clause, subject=subject, part=self.part, when=self.when, was=self.was,
            now=self.now,
        )  # fmt: skip
        if self.operator is Operator.READING:
            return f"{self.field}: {change}"
        pieces = [f"{self.clause} {subject}", *self.scope, change]
        return ": ".join(pieces) + (f" ({self.number})" if self.number > 1 else "")

    @property
    def scope(self) -> list[str]:
        """The field, name or condition that limits the change and is not part of its words."""
        said = self.operator.sentence
        limits = (
            self.field if self.is_expression else None,
            self.part if "{part}" not in said else None,
            self.when if "{when}" not in said else None,
        )
        return [limit for limit in limits if limit is not None]


def describe_clause(clause: Clause) -> tuple[str, tuple[str, ...]]:
    """Return the kind of a clause and what it is about."""
    kind = next(name for name, model in CLAUSE_KINDS.items() if type(clause) is model)
    subject = getattr(clause, kind)
    return kind, (str(subject),) if isinstance(subject, int) else tuple(list_names(subject))


def content_of(clause: Clause) -> bytes:
    """Return what a clause says, without its defaults: a field added later changes no code."""
    said = {
        name: value
        for name, default in _defaults_of(type(clause)).items()
        if (value := getattr(clause, name)) != default
    }
    return msgspec.json.encode(said, order="sorted")


@lru_cache(maxsize=64)
def _defaults_of(kind: type[Clause]) -> dict[str, object]:
    """Return the default of each field of a kind of clause."""
    return {
        field.name: field.default
        if field.default_factory is msgspec.NODEFAULT
        else field.default_factory()
        for field in msgspec.structs.fields(kind)
    }


def mark_of(content: bytes, *change: str | None) -> str:
    """Return what tells a change of a clause apart from others of the same kind."""
    encoded = content + msgspec.json.encode(change)
    return hashlib.sha256(encoded).hexdigest()[:_MARK_DIGITS]


def cause_of_reading(provision: str, point: str, reading: str) -> Cause:
    """Return the cause of what follows another reading of an open point than the adopted one."""
    return Cause(
        provision=provision, clause="reading", subject=(), field=point,
        operator=Operator.READING, now=reading,
    )  # fmt: skip
