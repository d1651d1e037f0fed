"""Mutants: games in which the rule of just one provision is changed.

1. Every clause of a provision is changed by every operator for its kind (`clause_mutations`).
2. A line of an order is also moved below the next one and above the one before; where a provision
   says in which direction an order runs, the order is reversed.
3. Clauses of steps and declarations are not changed here: they settle no bet.

A mutant may be invalid: it does not compile, or leaves a bet without a result. Whoever uses mutants
drops the invalid ones and reports their number.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from selo.errors import SeloError
from selo.rules.clauses import LocatedClause
from selo.rules.clauses import clause_models as c
from selo.rules.mutants.cause import Cause, Operator, content_of, describe_clause, mark_of
from selo.rules.mutants.clause_change import Change
from selo.rules.mutants.clause_mutations import mutate_clause
from selo.rules.mutants.mutation_context import MutationContext
from selo.rules.mutants.word_dependence import clauses_in_force, dependent_bets
from selo.rules.settlement import compile_game

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selo.law import Law
    from selo.rules.readings import Readings
    from selo.rules.settlement import Game, ThrowingGame

#: What compiling an invalid mutant may raise: a bet without a result, a hand without a rank.
MUTANT_ERRORS: Final = (SeloError, LookupError, ValueError)
#: What asking an invalid mutant for an answer may raise.
ANSWER_ERRORS: Final = (*MUTANT_ERRORS, ArithmeticError, TypeError)
_DIRECTION: Final = "order"


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutant:
    """A game in which one clause of one provision is changed."""

    law: Law
    game: str
    readings: Readings
    #: The change; no other mutant of the game has the same code.
    cause: Cause
    clauses: tuple[LocatedClause, ...]
    #: The clause that was changed, and the clauses that replace it.
    was: c.Clause
    now: tuple[c.Clause, ...]

    @property
    def provision(self) -> str:
        """The provision whose rule is changed."""
        return self.cause.provision

    def compile(self) -> Game | ThrowingGame:
        """Return the game, or raise if the mutant is invalid."""
        return compile_game(self.law, self.game, self.readings, self.clauses)

    def compile_with(self, others: Sequence[Mutant]) -> Game | ThrowingGame:
        """Return the game in which clauses of other provisions are changed as well.

        A line that another mutant moves stays where it is: only what it says is changed.
        """
        clauses = list(self.clauses)
        for other in others:
            clauses = [
                replacement
                for written in clauses
                for replacement in (
                    [LocatedClause(written.held, written.index, new) for new in other.now]
                    if written.clause is other.was
                    else [written]
                )
            ]
        return compile_game(self.law, self.game, self.readings, tuple(clauses))

    def bets(self) -> frozenset[str]:
        """Return the bets whose settlement can depend on the change."""
        clauses = [written.clause for written in self.clauses]
        return dependent_bets((self.was, *self.now), [self.was], clauses)

    @property
    def is_line(self) -> bool:
        """Whether it changes a line of an order."""
        return isinstance(self.was, c.Rank | c.Combination | c.Tiles)

    def with_value(self, field: str, value: Any, part: str | None = None) -> Mutant | None:
        """Return the changed clause with another value instead: odds, a rate, a row of a table.

        `part` is the row. Nothing is returned if the clause has no such field.
        """
        clauses = clauses_in_force(self.law, self.game, self.readings)
        at = next((place for place, one in enumerate(clauses) if one.clause is self.was), None)
        change = None if at is None else _change_value(self.was, field, value, part)
        if at is None or change is None:
            return None
        written = clauses[at]
        changed = [LocatedClause(written.held, written.index, new) for new in change.clauses]
        return Mutant(
            law=self.law, game=self.game, readings=self.readings,
            cause=_cause_of(change, self.was, self.provision),
            clauses=(*clauses[:at], *changed, *clauses[at + 1 :]),
            was=self.was, now=tuple(change.clauses),
        )  # fmt: skip

    def displaced(self) -> Iterator[Mutant]:
        """Yield the changed line of an order, unchanged, at every other place of the order."""
        clauses = clauses_in_force(self.law, self.game, self.readings)
        at = next((place for place, one in enumerate(clauses) if one.clause is self.was), None)
        if at is None:
            return
        changes: Iterable[tuple[Change, Iterable[LocatedClause]]] = ()
        if isinstance(self.was, c.Rank | c.Combination):
            changes = _move_line(clauses, at, anywhere=True)
        elif isinstance(self.was, c.Tiles) and self.was.pairs:
            changes = _move_tiles(clauses, at, self.was)
        for change, moved in changes:
            yield Mutant(
                law=self.law, game=self.game, readings=self.readings,
                cause=_cause_of(change, self.was, self.provision), clauses=tuple(moved),
                was=self.was, now=tuple(change.clauses),
            )  # fmt: skip


def generate_mutants(
    law: Law, game: str, readings: Readings, *, provision: str | None = None
) -> Iterator[Mutant]:
    """Yield the mutants of `game` in the order of the law: all, or those of one provision."""
    clauses = clauses_in_force(law, game, readings)
    context = MutationContext(
        clauses=[written.clause for written in clauses],
        provisions=[written.held.provision.id for written in clauses],
    )
    sentences: Counter[tuple[str, str]] = Counter()
    for at, written in enumerate(clauses):
        if provision not in {None, written.held.id}:
            continue
        content = content_of(written.clause)
        for change, changed in _mutate(clauses, at, context):
            cause = _cause_of(change, written.clause, written.held.id, content)
            key = (cause.provision, cause.sentence)
            sentences[key] += 1
            if sentences[key] > 1:
                cause = replace(cause, number=sentences[key])
            yield Mutant(
                law=law, game=game, readings=readings, cause=cause, clauses=tuple(changed),
                was=written.clause, now=tuple(change.clauses),
            )  # fmt: skip


def _change_value(
    clause: c.Clause, field: str, value: Any, part: str | None = None
) -> Change | None:
    """Return the change that gives odds, a rate or a row of a table some other value."""
    was = getattr(clause, field, None)
    if isinstance(clause, c.TableClause) and isinstance(was, dict) and part in was:
        rows = replace(clause, rows={**was, part: value})
        return Change(Operator.COUNTS, [rows], field, part=part, was=str(was[part]), now=str(value))
    operator = {"odds": Operator.ODDS, "rate": Operator.RATE}.get(field)
    if operator is None or not isinstance(was, str) or was == value:
        return None
    changed = replace(clause, **{field: value})
    return Change(operator, [changed], field, was=was, now=str(value))


def _cause_of(
    change: Change, clause: c.Clause, provision: str, content: bytes | None = None
) -> Cause:
    """Return a change of a clause as a cause."""
    kind, subject = describe_clause(clause)
    # Two changes of one expression may concern pieces that are alike: the whole tells them apart.
    whole = getattr(change.clauses[0], change.field) if change.clauses and change.field else None
    mark = mark_of(
        content or content_of(clause), change.part, change.when, change.was, change.now,
        whole if isinstance(whole, str) else None,
    )  # fmt: skip
    return Cause(
        provision=provision, clause=kind, subject=subject, field=change.field,
        operator=change.operator, part=change.part, when=change.when, was=change.was,
        now=change.now, mark=mark,
    )  # fmt: skip


def _mutate(
    clauses: Sequence[LocatedClause], at: int, context: MutationContext
) -> Iterator[tuple[Change, Iterable[LocatedClause]]]:
    """Yield each change of one clause, and all clauses of the game after it."""
    written = clauses[at]
    clause = written.clause
    if isinstance(clause, c.MannerClause) and clause.manner == _DIRECTION:
        reverse = _reverse_order(clauses)
        if reverse != list(clauses):
            yield Change(Operator.LAST_HIGHEST, [clause], "means"), reverse
    for change in mutate_clause(clause, context):
        changed = [LocatedClause(written.held, written.index, new) for new in change.clauses]
        before, after = clauses[:at], clauses[at + 1 :]
        if isinstance(clause, c.Tiles) and clause.pairs:
            before, after = (_move_alike(clause, change, part) for part in (before, after))
        yield change, [*before, *changed, *after]
    if isinstance(clause, c.Rank | c.Combination):
        yield from _move_line(clauses, at)


def _move_line(
    clauses: Sequence[LocatedClause], at: int, *, anywhere: bool = False
) -> Iterator[tuple[Change, Iterable[LocatedClause]]]:
    """Yield a line of an order below the one after it, and above the one before it.

    With `anywhere`, it also yields the line at every other place.
    """
    line = clauses[at]
    lines = [to for to, other in enumerate(clauses) if type(other.clause) is type(line.clause)]
    place = lines.index(at)
    below = range(place + 1, len(lines)) if anywhere else [place + 1]
    above = range(place - 1, -1, -1) if anywhere else [place - 1]
    for operator, to in (
        *((Operator.BELOW, to) for to in below),
        *((Operator.ABOVE, to) for to in above),
    ):
        if 0 <= to < len(lines):
            beside = lines[to]
            rest = [*clauses[:at], *clauses[at + 1 :]]
            _, subject = describe_clause(clauses[beside].clause)
            change = Change(operator, [line.clause], now=", ".join(subject))
            yield change, [*rest[:beside], line, *rest[beside:]]


def _move_tiles(
    clauses: Sequence[LocatedClause], at: int, tiles: c.Tiles
) -> Iterator[tuple[Change, Iterable[LocatedClause]]]:
    """Yield a pair of tiles on every line of another pair."""
    written = clauses[at]
    lines = [other.clause.tiles for other in clauses if isinstance(other.clause, c.Tiles)]
    for line in sorted({*lines} - {tiles.tiles}):
        moved = replace(tiles, tiles=line)
        change = Change(Operator.LINE, [moved], "tiles", was=str(tiles.tiles), now=str(line))
        before, after = (
            _move_alike(tiles, change, part) for part in (clauses[:at], clauses[at + 1 :])
        )
        yield change, [*before, LocatedClause(written.held, written.index, moved), *after]


def _move_alike(
    was: c.Tiles, change: Change, clauses: Sequence[LocatedClause]
) -> Sequence[LocatedClause]:
    """Return `clauses` with the tiles that count alike moved to the line of their pair."""
    line = next(clause for clause in change.clauses if isinstance(clause, c.Tiles))
    moved = []
    for written in clauses:
        clause = written.clause
        if not isinstance(clause, c.Tiles) or clause.tiles != was.tiles or clause.alike is None:
            moved.append(written)
        elif any(clause.alike in pair for pair in line.pairs):
            tiles = replace(clause, tiles=line.tiles)
            moved.append(LocatedClause(written.held, written.index, tiles))
    return moved


def _reverse_order(clauses: Sequence[LocatedClause]) -> list[LocatedClause]:
    """Return the clauses with the lines of the order of hands counted from the other end."""
    lines = [at for at, written in enumerate(clauses) if isinstance(written.clause, c.Rank)]
    numbers = {at: str(len(lines) - place) for place, at in enumerate(lines)}
    return [
        LocatedClause(written.held, written.index, replace(written.clause, rank=numbers[at]))
        if at in numbers
        else written
        for at, written in enumerate(clauses)
    ]
