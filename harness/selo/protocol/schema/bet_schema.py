"""Schemas of the bets of a game under all readings of its law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.protocol.schema.json_schema import STAKE, TEXT, WHOLE, Schema, closed_object, term
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.readings import Readings
from selo.rules.settlement import ThrowingGame, compile_game
from selo.rules.settlement.neighbouring_bets import (
    BET_HISTORY,
    CLOSING,
    HELD,
    OVERLOOKED,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.law import Law
    from selo.rules.settlement import Game
    from selo.rules.settlement.settlement_models import BetRules
    from selo.table_values import Bet

BETTOR: Final = "bettor"
_HISTORY_TEXT: Final = {
    HELD: "Whether the stake was held from an earlier round. By default it changes nothing.",
    OVERLOOKED: "Whether the bet was taken though it should have been refused: after the end of "
    "betting, or outside of the limits.",
    CLOSING: "Whether the table closes after the round.",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class BetShape:
    """The shape of one bet: its choices, its place, and the bet it is added to."""

    name: str
    provision: str
    #: The choices under any reading.
    choices: tuple[Any, ...]
    #: The choices that exist only under a non-default reading.
    disputed: tuple[Any, ...]
    place: str | None
    #: Whether every reading needs the place.
    place_needed: bool
    added_to: str | None
    #: Whether the bet lives over several throws.
    over_throws: bool
    #: The fields that say what lies behind the bet and that matter under some reading.
    history: tuple[str, ...]


def compiled_games(law: Law, game: str) -> Iterator[Game | ThrowingGame]:
    """Yield `game` under the defaults and under each other reading that redefines bets."""
    yield compile_game(law, game, Readings(law, {}))
    touched = {
        divergence
        for read_clause in read_clauses(law, game)
        if isinstance(read_clause.clause, c.BetClause) or _asks_for_history(read_clause.clause)
        for divergence in read_clause.clause.under
    }
    for divergence in law.divergences:
        if divergence.id in touched:
            for reading in divergence.readings:
                if reading.id != divergence.default:
                    yield compile_game(law, game, Readings(law, {divergence.id: reading.id}))


def _asks_for_history(clause: c.Clause) -> bool:
    return isinstance(clause, c.On) and any(name in (clause.when or "") for name in BET_HISTORY)


def bet_shapes(games: Sequence[Game | ThrowingGame]) -> list[BetShape]:
    """Return the bets of one game compiled under several readings, defaults first."""
    found: dict[str, list[BetRules]] = {}
    for game in games:
        for rules in game.bets.values():
            found.setdefault(rules.name, []).append(rules)
    throws = isinstance(games[0], ThrowingGame)
    return [_merge_rules(every, over_throws=throws) for every in found.values()]


def _merge_rules(every: Sequence[BetRules], *, over_throws: bool) -> BetShape:
    usual = every[0]
    choices = dict.fromkeys(choice for rules in every for choice in rules.domain or ())
    return BetShape(
        name=usual.name,
        provision=usual.declared_in,
        choices=tuple(sorted(choices)) if over_throws else tuple(choices),
        disputed=tuple(choice for choice in choices if choice not in (usual.domain or ())),
        place=next((rules.place for rules in every if rules.place is not None), None),
        place_needed=all(rules.place is not None for rules in every),
        added_to=usual.added_to,
        over_throws=over_throws,
        history=tuple(
            field
            for name, field in BET_HISTORY.items()
            if any(name in condition.names for rules in every for condition in rules.conditions())
        ),
    )


def identifying_fields(bet: BetShape) -> dict[str, Schema]:
    """Return the fields that identify a bet, in cases and at tables."""
    fields: dict[str, Schema] = {}
    if bet.choices:
        fields["choice"] = {"enum": list(bet.choices), "description": "What is chosen."}
        if bet.disputed:
            fields["choice"]["x-under-some-readings-only"] = list(bet.disputed)
    if bet.place is not None and bet.place != BETTOR:
        fields[bet.place] = {**TEXT, "description": f"The {bet.place} where the bet lies."}
        if not bet.place_needed:
            fields[bet.place]["description"] += " Some readings need it, the default does not."
    return fields


def is_needed(bet: BetShape, field: str) -> bool:
    """Return whether a bet cannot be made without `field` of those that `needed` returns."""
    return field != bet.place or bet.place_needed


def bet_schema(law: Law, bet: BetShape, example: Bet) -> Schema:
    """Return the schema of a bet of a case."""
    fields = identifying_fields(bet)
    required = ["bet", "stake", *(name for name in fields if is_needed(bet, name))]
    fields[BETTOR] = {**TEXT, "description": "Who made the bet."}
    if bet.place == BETTOR:
        required.append(BETTOR)
    if bet.over_throws:
        fields["at"] = {
            **WHOLE,
            "default": 0,
            "description": "The index of the throw before which the bet was placed.",
        }
    for name in bet.history:
        described = f"{_HISTORY_TEXT[name]} Only with `history` in `describe`."
        fields[name] = {"type": "boolean", "default": False, "description": described}
    if bet.added_to is not None:
        fields["to"] = {
            **WHOLE,
            "description": f"The index, among the bets, of the {bet.added_to} it is added to.",
        }
        required.append("to")
    return {
        **term(law, bet.name, bet.provision),
        "x-provision": bet.provision,
        **closed_object(
            {"bet": {"const": bet.name}, "stake": {**STAKE, "description": "The stake."}, **fields},
            required,
        ),
        "examples": [dict(example)],
    }
