"""New module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.cases.oracle import Oracle
from selo.protocol.schema import game_words
from selo.rounds import Script, describe_lacking
from selo.rounds.generate import (
    TABLE_MODELS,
    generate_prize_lines,
    generate_scripts,
    read_written_scripts,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selo.examine.plan.examination_plan import Terms
    from selo.law.loader import Law
    from selo.protocol.messages import Description, Offer


#: How many scripts of each game are generated besides those that are written.
_GENERATED_SCRIPTS: Final = {"quick": 25, "standard": 60, "full": 120}


#: How often every line of the prizes is won and lost, each time by other outcomes.
_PRIZE_LINE_REPEATS: Final = {"quick": 1, "standard": 1, "full": 2}


def scripts(
    law: Law, terms: Terms, description: Description, game: str
) -> tuple[list[Script], list[str]]:
    """Return the scripts of a plan for one game, and why some are not played."""
    return plan_scripts(law, terms, description.games, game)


def plan_scripts(
    law: Law, terms: Terms, offers: Iterable[Offer], game: str
) -> tuple[list[Script], list[str]]:
    """Return the same for what is offered, whoever offers it."""
    mine = [offer for offer in offers if offer.game == game]
    found, left_out = scripts_for_offers(law, mine, seed=terms.seed, budget=terms.budget)
    if terms.provisions:
        # Rounds made at random are about nothing in particular; those written are about something.
        wanted = set(terms.provisions)
        found = [one for one in found if wanted & set(one.provisions)]
    return found, left_out


def scripts_for_offers(
    law: Law, offers: Iterable[Offer], *, seed: int, budget: str
) -> tuple[list[Script], list[str]]:
    """Return the scripts for what is offered, and why some are not played."""
    found: list[Script] = []
    left_out: list[str] = []
    for offer in offers:
        if offer.game not in TABLE_MODELS or "table" not in offer.methods:
            continue
        words = game_words(law, offer.game)
        for script in read_written_scripts(law, offer.game, seed=seed):
            lacking = describe_lacking(script, offer, words)
            if lacking is None:
                found.append(script)
            else:
                left_out.append(f"{script.game}/{script.name}: {lacking}")
        oracle = Oracle(law)
        for again in range(_PRIZE_LINE_REPEATS[budget]):
            found += generate_prize_lines(law, offer, oracle, f"{seed}/{again}")
        found += generate_scripts(
            law, offer.game, offer, seed, _GENERATED_SCRIPTS[budget], oracle=oracle
        )
    return found, left_out
