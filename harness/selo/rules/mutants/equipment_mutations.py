"""Mutations of the clauses that say what equipment shows: faces, tables and pairs of tiles."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec.structs import replace

from selo.rules.clauses import clause_models as c
from selo.rules.mutants.cause import Operator
from selo.rules.mutants.clause_change import Change, replace_field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.rules.mutants.mutation_context import MutationContext


def mutate_face(clause: c.FaceClause, context: MutationContext) -> Iterator[Change]:
    """Yield a face with another number or colour."""
    for number in (clause.number + 1, clause.number - 1):
        yield replace_field(Operator.NUMBER, clause, "number", number)
    for colour in context.colours():
        if colour != clause.colour:
            yield replace_field(Operator.COLOUR, clause, "colour", colour)


def mutate_faces(clause: c.FacesClause, context: MutationContext) -> Iterator[Change]:
    """Yield faces with another colour, without one of them, or counted off by another number."""
    for colour in context.colours() if clause.colour is not None else ():
        if colour != clause.colour:
            yield replace_field(Operator.COLOUR, clause, "colour", colour)
    numbers = [str(number) for number in clause.numbers()]
    for number in numbers if clause.colour or clause.figure else ():
        # A face without its own colour or figure has the one that an earlier clause gave it.
        left = [other for other in numbers if other != number]
        yield Change(Operator.ROW_GONE, [replace(clause, faces=left)], "faces", part=number)
        for colour in context.colours() if clause.colour is not None else ():
            if colour != clause.colour:
                moved = [
                    replace(clause, faces=left),
                    replace(clause, faces=[number], colour=colour),
                ]
                yield Change(
                    Operator.COLOUR, moved, "colour", part=number, was=clause.colour, now=colour
                )
    for divisor in (clause.by - 1, clause.by + 1) if clause.by is not None else ():
        yield replace_field(Operator.DIVISOR, clause, "by", divisor)


def mutate_table(clause: c.TableClause, _: MutationContext) -> Iterator[Change]:
    """Yield a table with another value, with two rows exchanged, or without a row."""
    rows = clause.rows
    if isinstance(rows, dict):
        for name, value in rows.items():
            # A figure that counts as its place in the pack counts ten, eleven and so on.
            for number in (value + 1, value + 10):
                counted = replace(clause, rows={**rows, name: number})
                yield Change(
                    Operator.COUNTS, [counted], "rows", part=name, was=str(value), now=str(number)
                )
        return
    for at in range(1, len(rows)):
        swapped = replace(clause, rows=[*rows[: at - 1], rows[at], rows[at - 1], *rows[at + 1 :]])
        name, before = _row(rows[at]), _row(rows[at - 1])
        yield Change(Operator.ROW_ABOVE, [swapped], "rows", part=name, now=before)
    for at, row in enumerate(rows):
        left = replace(clause, rows=[*rows[:at], *rows[at + 1 :]])
        yield Change(Operator.ROW_GONE, [left], "rows", part=_row(row))


def _row(row: str | list[str]) -> str:
    return "-".join(c.list_names(row))


def mutate_tiles(clause: c.Tiles, context: MutationContext) -> Iterator[Change]:
    """Yield a line of tiles at another place, or with another pair."""
    tiles = [other for other in context.clauses if isinstance(other, c.Tiles)]
    lines = [other.tiles for other in tiles]
    others = (clause.tiles - 1, clause.tiles + 1, min(lines) - 1, max(lines) + 1)
    for line in dict.fromkeys(others):
        if clause.pairs:
            yield replace_field(Operator.LINE, clause, "tiles", line)
    if clause.alike is not None:
        yield Change(Operator.NOTHING_ALIKE, [], "alike")
    for first, second in pairwise([other.pairs for other in tiles if other.pairs]):
        for own, neighbour in ((first, second), (second, first)):
            if clause.pairs and own is clause.pairs:
                pair = " ".join(neighbour[0])
                yield Change(Operator.PAIR, [replace(clause, pairs=neighbour)], "pairs", now=pair)
