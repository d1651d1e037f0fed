"""Scripts that nobody wrote: tables played in the mind, by what makes sense at them.

They are made before any vendor is asked, from a seed: the same seed, the same scripts.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

from selo.cases.oracle import Oracle
from selo.protocol.schema import FORCE, game_words
from selo.rounds.generate.card_table_models import (
    PlacesAgainstCroupierTable,
    PlayerAndBankerTable,
    SeatsAgainstBankerTable,
)
from selo.rounds.generate.dice_table_models import CrapsTable, FigureDiceTable
from selo.rounds.generate.forced_outcomes import OutcomeGenerator
from selo.rounds.generate.script_reader import read_written_scripts
from selo.rounds.generate.table_model import ModelContext
from selo.rounds.script import THROWS, Script, canonical_bytes, describe_lacking
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law.loader import Law
    from selo.protocol.messages import Offer
    from selo.rounds.generate.table_model import TableModel


GENERATED_GROUP: Final = "generated"
#: The sketch of each game that has steps.
TABLE_MODELS: Final[dict[str, type[TableModel]]] = {
    "fish-prawn-crab": FigureDiceTable,
    "craps": CrapsTable,
    "three-card-baccarat": SeatsAgainstBankerTable,
    "fortune-three-card-poker": PlacesAgainstCroupierTable,
    "bacara": PlayerAndBankerTable,
}
_REASON: Final = "a table played at random, by what makes sense at it"
#: A script with fewer acts shows nothing that a written one does not.
_MIN_ACTS: Final = 4
#: Some tables come out empty, or twice: others are tried, but not for ever.
_MAX_ATTEMPTS: Final = 4
#: So many outcomes are drawn for each that is written.
_DRAWN_PER_WRITTEN_OUTCOME: Final = 3


def generate_scripts(  # noqa: PLR0913 - and whoever has an oracle gives it
    law: Law, game: str, offer: Offer, seed: int, count: int, *, oracle: Oracle | None = None
) -> list[Script]:
    """Return scripts of `game` that ask for nothing that is not offered; fewer where few exist."""
    if game not in TABLE_MODELS:
        raise user_error("rounds", game=game, known=", ".join(TABLE_MODELS))
    if not offer.forces or "table" not in offer.methods or not offer.bets or not count:
        # Without outcomes given in advance nobody could say what lies on the table.
        return []
    # Hypothesis takes its time to load, and only those who make scripts need it.
    from selo.rounds.generate.hypothesis_machine import simulate_tables  # noqa: PLC0415

    oracle = oracle or Oracle(law)
    outcomes = tuple(_candidate_outcomes(law, game, oracle, seed))
    ground = ModelContext(game=game, oracle=oracle, offer=offer, outcomes=outcomes)
    kind, words = TABLE_MODELS[game], game_words(law, game)
    found: dict[str, Script] = {}
    for again in range(_MAX_ATTEMPTS):
        for sketch in simulate_tables(lambda: kind(ground), f"{seed}/{game}/{again}", count):
            script = _script_of(game, sketch, len(found) + 1)
            if len(script.acts) >= _MIN_ACTS and describe_lacking(script, offer, words) is None:
                found.setdefault(script.key, script)
        if len(found) >= count:
            break
    return list(found.values())[:count]


def _script_of(game: str, sketch: TableModel, number: int) -> Script:
    return Script(
        game=game,
        options=sketch.options,
        acts=sketch.acts,
        group=GENERATED_GROUP,
        name=f"{GENERATED_GROUP}-{number}",
        reason=_REASON,
    )


def _candidate_outcomes(law: Law, game: str, oracle: Oracle, seed: int) -> Iterator[dict[str, Any]]:
    """Yield outcomes to choose from: drawn over all there are, and as rounds are written with.

    Those that are written show what is rare: dice that do not lie flat, throws that do not count.
    """
    known = {canonical_bytes(one): one for one in _written_outcomes(law, game)}
    chance = random.Random(f"{seed}/{game}/outcomes")  # noqa: S311 - it repeats itself on purpose
    drawn = OutcomeGenerator(law, oracle, game, chance)
    yield from known.values()
    yield from drawn.draw_many(_DRAWN_PER_WRITTEN_OUTCOME * len(known))
    if drawn.is_throwing:
        # A point must be able to come again.
        yield from drawn.all_throws()


def _written_outcomes(law: Law, game: str) -> Iterator[dict[str, Any]]:
    """Yield every outcome of the rounds that are written by hand, each throw by itself."""
    for script in read_written_scripts(law, game):
        for act in script.acts:
            if act["act"] == FORCE:
                outcome = act["outcome"]
                throws = outcome.get(THROWS)
                yield from [outcome] if throws is None else ({THROWS: [throw]} for throw in throws)
