"""Games in which just one provision's rule is otherwise: variants of the law, each with a name.

1. Every clause of a provision is changed in every way of its kind (`selo.rules.altered`).
2. A line of an order is also moved below the next one; where a provision says in which direction
   an order runs, it is turned round.
3. Clauses of steps and of what a vendor declares are not changed here: no bet comes out otherwise.

A variant need not be a rule that can be followed: it may not compile, or leave a bet without a
result. Whoever uses variants drops those, and says how many they were.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from selo.errors import SeloError
from selo.rules.clauses import Written, read_clauses
from selo.rules.clauses import clause_models as c
from selo.rules.compiler import compile_game
from selo.rules.equipment.kits import FigureDice
from selo.rules.mutants.clause_mutations import changes
from selo.rules.mutants.condition_mutations import words_of
from selo.rules.mutants.mutation_context import Surroundings
from selo.rules.settlement.game import ALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selo.law.loader import Law
    from selo.rules.readings import Readings
    from selo.rules.settlement.game import Game
    from selo.rules.settlement.throwing_game import ThrowingGame

#: What a variant that is no rule may raise: a bet without a result, a hand without a rank.
NO_RULE: Final = (SeloError, LookupError, ValueError)
#: The same of one that is only asked for an answer, and never counted as a rule.
UNRULY: Final = (*NO_RULE, ArithmeticError, TypeError)
#: Functions that ask for the order of hands.
_ORDERED: Final = frozenset({"beats", "ties", "line"})
_DIRECTION: Final = "order"
_ODDS: Final = "odds"
#: What the faces of dice are asked for.
_FACES: Final = frozenset(FigureDice.variables)


@dataclass(frozen=True, kw_only=True, slots=True)
class Variant:
    """A game in which one provision is otherwise."""

    law: Law
    game: str
    readings: Readings
    provision: str
    #: The change in words; no other variant of the provision has this name.
    name: str
    clauses: tuple[Written, ...]
    #: The clause that was changed, and what stands in its place.
    was: c.Clause
    now: tuple[c.Clause, ...]

    def compile(self) -> Game | ThrowingGame:
        """Return the game, or raise if it is none."""
        return compile_game(self.law, self.game, self.readings, self.clauses)

    def bets(self) -> frozenset[str]:
        """Return the bets that can feel the change, beyond which nothing is different."""
        named = [name for one in (self.was, *self.now) for name in _names(one)]
        written = [clause.clause for clause in self.clauses]
        declared = [one.bet for one in written if isinstance(one, c.Bet)]
        if ALL in named:
            return frozenset(declared)
        words = _reached(written, _words(self.was))
        for clause in written:
            if words & _asked(clause):
                named += _names(clause)
        return frozenset(declared if ALL in named else named)

    @property
    def keeps(self) -> bool:
        """Whether it is about what becomes of a stake that won."""
        return isinstance(self.was, c.Manner) and self.was.manner == _ODDS

    @property
    def line(self) -> bool:
        """Whether it is about a line of an order."""
        return isinstance(self.was, c.Rank | c.Combination | c.Tiles)

    def displaced(self) -> Iterator[Variant]:
        """Yield the line of an order that was changed, whole, at every other place of it."""
        held = _followed(self.law, self.game, self.readings)
        at = next((place for place, one in enumerate(held) if one.clause is self.was), None)
        if at is None or not isinstance(self.was, c.Rank | c.Combination):
            return
        for name, now, clauses in _moved(held, at, anywhere=True):
            yield Variant(
                law=self.law, game=self.game, readings=self.readings, provision=self.provision,
                name=f"{_called(self.was)}: {name}", clauses=tuple(clauses), was=self.was,
                now=tuple(now),
            )  # fmt: skip


def _followed(law: Law, game: str, readings: Readings) -> list[Written]:
    """Return the clauses by which bets are settled and hands compared under some readings."""
    return [
        read_clause
        for read_clause in read_clauses(law, game)
        if readings.allow(read_clause.clause.under)
        and not isinstance(read_clause.clause, c.UNSETTLED)
    ]


def variants(law: Law, game: str, readings: Readings) -> Iterator[Variant]:
    """Yield every variant of `game`, provision by provision in the order of the law."""
    held = _followed(law, game, readings)
    around = Surroundings(
        clauses=[one.clause for one in held], provisions=[one.held.provision.id for one in held]
    )
    known: Counter[tuple[str, str]] = Counter()
    for at, one in enumerate(held):
        for name, now, clauses in _otherwise(held, at, around):
            provision, called = one.held.id, f"{_called(one.clause)}: {name}"
            known[provision, called] += 1
            times = known[provision, called]
            yield Variant(
                law=law, game=game, readings=readings, provision=provision,
                # A provision may say several things in the same words, and each is changed.
                name=called if times == 1 else f"{called} ({times})",
                clauses=tuple(clauses), was=one.clause, now=tuple(now),
            )  # fmt: skip


def _otherwise(
    held: Sequence[Written], at: int, around: Surroundings
) -> Iterator[tuple[str, Sequence[c.Clause], Iterable[Written]]]:
    """Yield each change of one clause: its name, what stands there then, and all clauses."""
    one = held[at]
    if isinstance(one.clause, c.Manner) and one.clause.manner == _DIRECTION:
        turned = _turned(held)
        if turned != list(held):
            yield "the last is the highest", [one.clause], turned
    for name, now in changes(one.clause, around):
        altered = [Written(one.held, one.index, clause) for clause in now]
        before, after = held[:at], held[at + 1 :]
        if isinstance(one.clause, c.Tiles) and one.clause.pairs:
            before, after = (_following(one.clause, now, some) for some in (before, after))
        yield name, now, [*before, *altered, *after]
    if isinstance(one.clause, c.Rank | c.Combination):
        yield from _moved(held, at)


def _moved(
    held: Sequence[Written], at: int, *, anywhere: bool = False
) -> Iterator[tuple[str, Sequence[c.Clause], Iterable[Written]]]:
    """Yield a line of an order below the one after it, and above the one before it.

    If it may go `anywhere`, it is also put at every other place.
    """
    one = held[at]
    lines = [to for to, other in enumerate(held) if type(other.clause) is type(one.clause)]
    place = lines.index(at)
    below = range(place + 1, len(lines)) if anywhere else [place + 1]
    above = range(place - 1, -1, -1) if anywhere else [place - 1]
    for word, to in (*(("below", to) for to in below), *(("above", to) for to in above)):
        if 0 <= to < len(lines):
            beside = lines[to]
            rest = [*held[:at], *held[at + 1 :]]
            name = f"{word} {_called(held[beside].clause)}"
            yield name, [one.clause], [*rest[:beside], one, *rest[beside:]]


def _following(was: c.Tiles, now: Sequence[c.Clause], held: Sequence[Written]) -> Sequence[Written]:
    """Return `held`, in which what is alike on a line of tiles follows the pair of that line."""
    line = next(one for one in now if isinstance(one, c.Tiles))
    found = []
    for one in held:
        clause = one.clause
        if not isinstance(clause, c.Tiles) or clause.tiles != was.tiles or clause.alike is None:
            found.append(one)
        elif any(clause.alike in pair for pair in line.pairs):
            found.append(Written(one.held, one.index, replace(clause, tiles=line.tiles)))
    return found


def _turned(held: Sequence[Written]) -> list[Written]:
    """Return the clauses with the lines of the order of hands counted from the other end."""
    lines = [at for at, one in enumerate(held) if isinstance(one.clause, c.Rank)]
    numbers = {at: str(len(lines) - place) for place, at in enumerate(lines)}
    return [
        Written(one.held, one.index, replace(one.clause, rank=numbers[at]))
        if at in numbers
        else one
        for at, one in enumerate(held)
    ]


def _called(clause: c.Clause) -> str:
    """Return by what a clause is known: its first word and what stands there."""
    word = next(name for name, kind in c.KINDS.items() if type(clause) is kind)
    given = getattr(clause, word)
    return f"{word} {given if isinstance(given, str | int) else ', '.join(given)}"


def _names(clause: c.Clause) -> list[str]:
    """Return the bets that a clause names as its own."""
    if isinstance(clause, c.Combination):
        return [clause.wins]
    if isinstance(clause, c.Excludes):
        return list(clause.excludes)
    if isinstance(clause, c.Bet):
        return [clause.bet]
    for kind, field in (
        (c.On, "on"), (c.Prize, "prize"), (c.Commission, "commission"), (c.Limit, "limit"),
        (c.Needs, "needs"),
    ):  # fmt: skip
        if isinstance(clause, kind):
            return c.names(getattr(clause, field))
    # How prizes are reckoned and rounded reaches every bet.
    return [ALL] if isinstance(clause, c.Manner | c.Rounding | c.Option | c.Equipment) else []


def _words(clause: c.Clause) -> set[str]:
    """Return the words whose meaning a clause gives."""
    if isinstance(clause, c.Define):
        return {clause.define}
    if isinstance(clause, c.Table):
        return {clause.table}
    if isinstance(clause, c.Face):
        return set(_FACES)
    return set(_ORDERED) if isinstance(clause, c.Rank) else set()


def _asked(clause: c.Clause) -> frozenset[str]:
    """Return the words that the conditions of a clause use."""
    fields = ("wins", "when", "means") if not isinstance(clause, c.Manner | c.Limit) else ()
    found = [text for field in fields if (text := getattr(clause, field, None))]
    if isinstance(clause, c.Rank):
        found += clause.key
    return _words_in(*map(str, found))


@cache
def _words_in(*texts: str) -> frozenset[str]:
    """Return the words of some conditions: variants share all of them but one."""
    return frozenset(word for text in texts for word in words_of(text))


def _reached(clauses: Iterable[c.Clause], words: set[str]) -> set[str]:
    """Return `words` and every word that takes its meaning from them."""
    known = set(words)
    # Definitions stand in the order of the law, and ranks may stand before what they ask for.
    meanings = [clause for clause in clauses if isinstance(clause, c.Define | c.Rank)]
    grown = True
    while grown:
        size = len(known)
        for meaning in meanings:
            if known & _asked(meaning):
                known |= _words(meaning)
        grown = len(known) > size
    return known
