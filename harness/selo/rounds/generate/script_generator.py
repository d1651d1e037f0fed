"""Scripts that nobody wrote: tables played in the mind, by what makes sense at them.

They are made before any vendor is asked, from a seed: the same seed, the same scripts.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

from selo.cases.oracle import Oracle
from selo.protocol.schema import FORCE, game_words
from selo.rounds.generate.card_table_models import (
    PlacesAgainstCroupier,
    PlayerAndBanker,
    SeatsAgainstBanker,
)
from selo.rounds.generate.dice_table_models import Craps, FigureDice
from selo.rounds.generate.forced_outcomes import Outcomes
from selo.rounds.generate.script_reader import written
from selo.rounds.generate.table_model import Ground
from selo.rounds.judge import THROWS
from selo.rounds.script import Script, canonical, missing
from selo.text import wrong

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law.loader import Law
    from selo.protocol.messages import Offer
    from selo.rounds.generate.table_model import Sketch

GROUP: Final = "generated"
#: The sketch of each game that has steps.
SKETCHES: Final[dict[str, type[Sketch]]] = {
    "fish-prawn-crab": FigureDice,
    "craps": Craps,
    "three-card-baccarat": SeatsAgainstBanker,
    "fortune-three-card-poker": PlacesAgainstCroupier,
    "bacara": PlayerAndBanker,
}
_REASON: Final = "a table played at random, by what makes sense at it"
#: A script with fewer acts shows nothing that a written one does not.
_FEWEST_ACTS: Final = 4
#: Some tables come out empty, or twice: others are tried, but not for ever.
_MOST_TRIES: Final = 4
#: So many outcomes are drawn for each that is written.
_DRAWN: Final = 3


def generated(  # noqa: PLR0913 - and whoever has an oracle gives it
    law: Law, game: str, offer: Offer, seed: int, count: int, *, oracle: Oracle | None = None
) -> list[Script]:
    """Return scripts of `game` that ask for nothing that is not offered; fewer where few exist."""
    if game not in SKETCHES:
        raise wrong("rounds", game=game, known=", ".join(SKETCHES))
    if not offer.forces or "table" not in offer.methods or not offer.bets or not count:
        # Without outcomes given in advance nobody could say what lies on the table.
        return []
    # Hypothesis takes its time to load, and only those who make scripts need it.
    from selo.rounds.generate.hypothesis_machine import sketched  # noqa: PLC0415

    oracle = oracle or Oracle(law)
    outcomes = tuple(_outcomes(law, game, oracle, seed))
    ground = Ground(game=game, oracle=oracle, offer=offer, outcomes=outcomes)
    kind, words = SKETCHES[game], game_words(law, game)
    found: dict[str, Script] = {}
    for again in range(_MOST_TRIES):
        for sketch in sketched(lambda: kind(ground), f"{seed}/{game}/{again}", count):
            script = _script(game, sketch, len(found) + 1)
            if len(script.acts) >= _FEWEST_ACTS and missing(script, offer, words) is None:
                found.setdefault(script.key, script)
        if len(found) >= count:
            break
    return list(found.values())[:count]


def _script(game: str, sketch: Sketch, number: int) -> Script:
    return Script(
        game=game,
        options=sketch.options,
        acts=sketch.acts,
        group=GROUP,
        name=f"{GROUP}-{number}",
        reason=_REASON,
    )


def _outcomes(law: Law, game: str, oracle: Oracle, seed: int) -> Iterator[dict[str, Any]]:
    """Yield outcomes to choose from: drawn over all there are, and as rounds are written with.

    Those that are written show what is rare: dice that do not lie flat, throws that do not count.
    """
    known = {canonical(one): one for one in _written(law, game)}
    chance = random.Random(f"{seed}/{game}/outcomes")  # noqa: S311 - it repeats itself on purpose
    drawn = Outcomes(law, oracle, game, chance)
    yield from known.values()
    yield from drawn.some(_DRAWN * len(known))
    if drawn.throwing:
        # A point must be able to come again.
        yield from drawn.every_throw()


def _written(law: Law, game: str) -> Iterator[dict[str, Any]]:
    """Yield every outcome of the rounds that are written by hand, each throw by itself."""
    for script in written(law, game):
        for act in script.acts:
            if act["act"] == FORCE:
                outcome = act["outcome"]
                throws = outcome.get(THROWS)
                yield from [outcome] if throws is None else ({THROWS: [throw]} for throw in throws)
