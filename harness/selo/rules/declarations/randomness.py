"""What the law wants to come out at random: which provision asks for it, and at which tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.rules.clauses import clause_models as c
from selo.rules.clauses import compiled, read_clauses
from selo.rules.language.vocabulary import BOOL, Vocabulary
from selo.rules.procedure.round_order import options_of
from selo.rules.procedure.step_reader import TYPES, events_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.law.loader import Law
    from selo.rules.language import Expression
    from selo.rules.readings import Readings

FACES: Final = "faces"
CARDS: Final = "cards"
#: What each kind of equipment shows at random.
_SHOWN: Final = {
    "figure-dice": FACES,
    "dice": FACES,
    "banker-and-seats": CARDS,
    "croupier-and-places": CARDS,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Chance:
    """A provision that asks for chance."""

    provision: str
    random: str
    given: Expression | None
    under: Mapping[str, str]

    @property
    def asks(self) -> frozenset[str]:
        """The options of a table on which it depends whether this provision asks for it."""
        return frozenset() if self.given is None else frozenset(self.given.names)


def chances(law: Law, game: str, readings: Readings | None = None) -> list[Chance]:
    """Return what of `game` must be random, as the law has it; without `readings`, under any."""
    written = [
        read_clause
        for read_clause in read_clauses(law, game)
        if isinstance(read_clause.clause, c.Random)
    ]
    if not written:
        return []
    file = events_of(law, game)
    options = [] if file is None else file.options
    vocabulary = Vocabulary.of({option.id: TYPES[option.kind] for option in options})
    found = []
    for one in written:
        clause: Any = one.clause
        shown = _SHOWN.get(equipment_of(law, game).equipment)
        if clause.random != shown:
            hint = "Nothing of this game can be." if shown is None else f"Write {shown}."
            raise one.wrong("random", f"'{clause.random}' are not what is random here", hint)
        if readings is None or readings.allow(clause.under):
            given = clause.given and compiled(one, "given", clause.given, vocabulary, BOOL)
            found.append(
                Chance(provision=one.held.id, random=clause.random, given=given, under=clause.under)
            )
    return found


def asking(law: Law, game: str, some: list[Chance], options: Mapping[str, Any]) -> list[Chance]:
    """Return those that ask for chance at a table that declared these options."""
    file = events_of(law, game)
    declared = dict(options) if file is None else options_of(file, options)
    return [one for one in some if one.given is None or one.given.on(declared)]


def equipment_of(law: Law, game: str) -> c.Equipment:
    """Return what a game is played with."""
    return next(
        read_clause.clause
        for read_clause in read_clauses(law, game)
        if isinstance(read_clause.clause, c.Equipment)
    )
