"""The order of pairs of tiles, part of it law and part of it reconstructed.

1. The set of tiles, and the lines that the law files do not hold, are in ``reconstructed/``.
2. A pair stands on the line of the law that prints it; else on the reconstructed line that lists
   it; else on the line of the law whose tile it replaces by another with as many pips, if that
   reading is followed; else on no line, and then it loses to every pair that stands on one.
3. The derivation of a comparison is the provision of each line; a reconstructed line has none, and
   its step names the reconstruction in the role `reconstruction.RECONSTRUCTED`.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.equipment.kits import Tables
from selo.rules.equipment.tile_set import TilePair, TileSet
from selo.rules.settlement.game import Game
from selo.rules.settlement.hand_order import PairOrder, PairRank
from selo.rules.settlement.provenance import RECONSTRUCTED, ReconstructedBasis
from selo.rules.settlement.settlement_models import DerivationStep

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.law import Law
    from selo.rules.clauses import LocatedClause

#: The word of the equipment clause.
TILES: Final = "tiles"
#: The statement that lists the missing lines.
_RANKS: Final = "ranks"
_ONE_LINE_HINT: Final = "Leave each pair on one line."


def uses_tiles(law: Law, game: str) -> bool:
    """Return whether the equipment of `game` is tiles."""
    return any(
        isinstance(located.clause, c.Equipment) and located.clause.equipment == TILES
        for located in read_clauses(law, game)
    )


def compile_tiles(law: Law, game: str, clauses: Sequence[LocatedClause]) -> Game:
    """Return `game` with the order of pairs that `clauses` give."""
    tables = Tables()
    basis = ReconstructedBasis.of(law, game, tables)
    tiles = TileSet(basis.statements[TILES][1].table or {})
    pair_ranks = _rank_pairs(_tile_lines(clauses), tiles, basis)
    manners = {
        located.clause.manner: located.clause.means
        for located in clauses
        if isinstance(located.clause, c.MannerClause)
    }
    sign = -1 if manners.get("order") == "last-highest" else 1

    def order(hand: Sequence[str]) -> tuple[int, ...]:
        rank = pair_ranks.get(tiles.read_pair(hand))
        # A pair on no line comes last.
        return (1,) if rank is None else (0, sign * rank.line)

    return Game(
        name=game, kit=tiles, tables=tables, defines=[], bets={}, order=order,
        roundings={}, odds_are="to-one", lines_add_up=False,
        pairs=PairOrder(
            tiles=tiles, ranks=pair_ranks,
            judges_reconstructed=manners.get(RECONSTRUCTED) == "judged",
        ),
    )  # fmt: skip


def _tile_lines(clauses: Sequence[LocatedClause]) -> list[tuple[LocatedClause, c.Tiles]]:
    return [(located, located.clause) for located in clauses if isinstance(located.clause, c.Tiles)]


def _rank_pairs(
    lines: Sequence[tuple[LocatedClause, c.Tiles]], tiles: TileSet, basis: ReconstructedBasis
) -> dict[TilePair, PairRank]:
    ranks: dict[TilePair, PairRank] = {}
    # Printed lines go before reconstructed ones, and those before replaced tiles.
    for pair, rank in chain(
        _printed_pairs(lines, tiles),
        _reconstructed_pairs(tiles, basis),
        _replaceable_pairs(lines, tiles),
    ):
        ranks.setdefault(pair, rank)
    return ranks


def _line_numbers(lines: Sequence[tuple[LocatedClause, c.Tiles]]) -> dict[int, int]:
    """Return the number by which each line counts: lines of one level count as their first."""
    numbers = {clause.tiles: clause.tiles for _, clause in lines}
    first: dict[str, int] = {}
    for _, clause in lines:
        if clause.level is not None:
            numbers[clause.tiles] = first.setdefault(clause.level, clause.tiles)
    return numbers


def _printed_pairs(
    lines: Sequence[tuple[LocatedClause, c.Tiles]], tiles: TileSet
) -> Iterator[tuple[TilePair, PairRank]]:
    numbers = _line_numbers(lines)
    line_of: dict[TilePair, int] = {}
    for located, clause in lines:
        reason = DerivationStep(provision=located.held.id, role="rank")
        for printed in clause.pairs:
            if any(tile not in tiles.supply for tile in printed):
                raise located.error_at(
                    "pairs", f"{printed} is no pair of tiles", "Write tiles as 1/4."
                )
            pair = tuple(sorted(printed))
            if line_of.setdefault(pair, clause.tiles) != clause.tiles:
                raise located.error_at(
                    "pairs", f"{printed} stands on line {line_of[pair]} too", _ONE_LINE_HINT
                )
            yield pair, PairRank(line=numbers[clause.tiles], reason=reason, points=clause.points)


def _reconstructed_pairs(
    tiles: TileSet, basis: ReconstructedBasis
) -> Iterator[tuple[TilePair, PairRank]]:
    reconstruction, statement = basis.statements[_RANKS]
    reason = DerivationStep(provision=reconstruction, role=RECONSTRUCTED, condition=statement.id)
    for line, rows in (statement.table or {}).items():
        for pair in chain.from_iterable(map(tiles.list_pairs, rows)):
            yield pair, PairRank(line=int(line), reason=reason)


def _replaceable_pairs(
    lines: Sequence[tuple[LocatedClause, c.Tiles]], tiles: TileSet
) -> Iterator[tuple[TilePair, PairRank]]:
    numbers = _line_numbers(lines)
    points = {clause.tiles: clause.points for _, clause in lines if clause.points is not None}
    for located, clause in lines:
        if clause.alike is not None:
            reason = DerivationStep(provision=located.held.id, role="alike", condition=clause.alike)
            for pair in _replace_tile(located, clause, lines, tiles):
                yield (
                    pair,
                    PairRank(
                        line=numbers[clause.tiles], reason=reason, points=points.get(clause.tiles)
                    ),
                )


def _replace_tile(
    located: LocatedClause,
    clause: c.Tiles,
    lines: Sequence[tuple[LocatedClause, c.Tiles]],
    tiles: TileSet,
) -> Iterator[TilePair]:
    """Yield the pairs of a line with one tile replaced by another with as many pips."""
    alike = str(clause.alike)
    printed = [
        pair
        for _, other in lines
        if other.tiles == clause.tiles
        for pair in other.pairs
        if alike in pair
    ]
    if not printed:
        raise located.error_at(
            "alike", f"the line prints no tile '{alike}'", "Name a tile of its pair."
        )
    for pair in printed:
        rest = list(pair)
        rest.remove(alike)
        for tile in tiles.same_pips_as(alike):
            yield from tiles.list_pairs([*rest, tile])
