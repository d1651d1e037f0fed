"""Generates random scripts from a seed by simulating a lawful table, before any vendor is asked."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from selo.cases.oracle import Oracle
from selo.law.files.round_file import read_written_rounds
from selo.protocol.schema import FORCE, game_words
from selo.rounds.generate.card_table_models import (
    PlacesAgainstCroupierTable,
    PlayerAndBankerTable,
    SeatsAgainstBankerTable,
)
from selo.rounds.generate.closing_acts import add_closing_acts
from selo.rounds.generate.dice_table_models import PieceTable, ThrownDiceTable
from selo.rounds.generate.forced_outcomes import OutcomeGenerator
from selo.rounds.generate.script_reader import read_written_scripts
from selo.rounds.generate.state_machine import simulate_tables
from selo.rounds.generate.table_model import ModelContext
from selo.rounds.script import THROWS, Script, canonical_bytes, describe_lacking
from selo.rules.checks import list_games
from selo.rules.clauses import find_equipment
from selo.rules.equipment.plain_dice import split_throw
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law import Law
    from selo.protocol.messages import Offer
    from selo.rounds.generate.table_model import TableModel
    from selo.table_values import Outcome


GENERATED_GROUP: Final = "generated"
#: The table model of each kind of equipment.
_TABLE_MODELS: Final[dict[str, type[TableModel]]] = {
    "pieces": PieceTable,
    "figure-dice": PieceTable,
    "dice": ThrownDiceTable,
    "banker-and-seats": SeatsAgainstBankerTable,
    "croupier-and-places": PlacesAgainstCroupierTable,
    "player-and-banker": PlayerAndBankerTable,
}
_REASON: Final = "a table played at random, by what makes sense at it"
#: A script with fewer acts shows nothing that written scripts do not.
_MIN_ACTS: Final = 4
#: Attempts to reach the wanted number, since some tables are too short or repeated.
_MAX_ATTEMPTS: Final = 4
_DRAWN_PER_WRITTEN_OUTCOME: Final = 3


def find_table_model(law: Law, game: str) -> type[TableModel] | None:
    """Return how tables of `game` are played at random; nothing if nobody has written it."""
    written = read_written_rounds(game, specs=law.specs)
    if written is None or written[1].table is None:
        return None
    return _TABLE_MODELS.get(find_equipment(law, game).equipment)


def generate_scripts(  # noqa: PLR0913 - an oracle can be reused
    law: Law, game: str, offer: Offer, seed: int, count: int, *, oracle: Oracle | None = None
) -> list[Script]:
    """Return up to `count` scripts of `game` that need nothing that is not offered."""
    kind = find_table_model(law, game)
    if kind is None:
        known = [name for name in list_games(law) if find_table_model(law, name) is not None]
        raise user_error("rounds", game=game, known=", ".join(known))
    if not offer.forces or "table" not in offer.methods or not offer.bets or not count:
        # Without forced outcomes the model cannot know which bets are open.
        return []
    oracle = oracle or Oracle(law)
    outcomes = tuple(_candidate_outcomes(law, game, oracle, seed))
    words = game_words(law, game)
    context = ModelContext(law=law, oracle=oracle, offer=offer, outcomes=outcomes)
    scripts: dict[str, Script] = {}
    for attempt in range(_MAX_ATTEMPTS):
        for model in simulate_tables(lambda: kind(context), f"{seed}/{game}/{attempt}", count):
            script = _script_of(game, model, len(scripts) + 1)
            if len(script.acts) >= _MIN_ACTS and describe_lacking(script, offer, words) is None:
                scripts.setdefault(script.key, script)
        if len(scripts) >= count:
            break
    return add_closing_acts(law, game, list(scripts.values())[:count])


def _script_of(game: str, model: TableModel, number: int) -> Script:
    return Script(
        game=game,
        options=model.options,
        acts=model.acts,
        group=GENERATED_GROUP,
        name=f"{GENERATED_GROUP}-{number}",
        reason=_REASON,
    )


def _candidate_outcomes(law: Law, game: str, oracle: Oracle, seed: int) -> Iterator[Outcome]:
    """Yield outcomes to choose from: those of the written rounds, and random ones.

    Written rounds have rare outcomes: dice that do not lie flat, throws that do not count.
    """
    written = {canonical_bytes(outcome): outcome for outcome in _written_outcomes(law, game)}
    chance = random.Random(f"{seed}/{game}/outcomes")  # noqa: S311 - it repeats itself on purpose
    generator = OutcomeGenerator(law, oracle, game, chance)
    yield from written.values()
    yield from generator.draw_many(_DRAWN_PER_WRITTEN_OUTCOME * len(written))
    if generator.is_throwing:
        # Every point must be able to come again.
        yield from generator.all_throws()


def _written_outcomes(law: Law, game: str) -> Iterator[Outcome]:
    """Yield every outcome of the written rounds, each throw separately."""
    for script in read_written_scripts(law, game):
        for act in script.acts:
            if act["act"] == FORCE:
                outcome = act["outcome"]
                throws = outcome.get(THROWS)
                # Tables at which dice lie otherwise are played by the written rounds alone.
                each: list[Outcome] = [
                    {THROWS: [throw]} for throw in throws or () if split_throw(throw)[0] == throw
                ]
                yield from [outcome] if throws is None else each
