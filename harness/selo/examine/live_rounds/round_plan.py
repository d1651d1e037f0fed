"""Plans live rounds: the written, generated and prize-line scripts for an offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.cases.group import BUDGETS
from selo.cases.oracle import Oracle
from selo.examine.plan.group_selection import examined_again
from selo.examine.plan.recorded_plan import recorded_plan_of
from selo.protocol.schema import game_words
from selo.rounds import Script, describe_lacking
from selo.rounds.generate import (
    find_table_model,
    generate_covering_tables,
    generate_prize_lines,
    generate_scripts,
    read_written_scripts,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.protocol.messages import Offer


#: Scripts of each game that are generated besides the written ones.
_GENERATED_SCRIPTS: Final = {"quick": 25, "standard": 60, "full": 120}
#: How often every prize line is won and lost, each time by other outcomes.
_PRIZE_LINE_REPEATS: Final = {"quick": 1, "standard": 1, "full": 2}
#: How many pairwise covering designs of tables are played, each with other outcomes.
_COVERING_DESIGNS: Final = {"quick": 0, "standard": 1, "full": 2}


def plan_scripts(
    law: Law, terms: Terms, offers: Iterable[Offer], game: str
) -> tuple[list[Script], list[str]]:
    """Return the scripts of a plan for one game, and why some are left out."""
    recorded = recorded_plan_of(law, terms)
    if recorded is not None:
        return recorded.scripts(game), [
            reason for reason in recorded.left_out if reason.startswith(f"{game}/")
        ]
    own = [offer for offer in offers if offer.game == game]
    # Of a game that is carried over whole, only a sample is played.
    is_sampled = bool(terms.carried) and not examined_again(law, terms, game)
    budget = BUDGETS[0] if is_sampled else terms.budget
    scripts, left_out = scripts_for_offers(law, own, seed=terms.seed, budget=budget)
    if terms.provisions:
        # Only written rounds are about certain provisions.
        wanted = set(terms.provisions)
        scripts = [script for script in scripts if wanted & set(script.provisions)]
    return scripts, left_out


def plan_all_scripts(
    law: Law, terms: Terms, offers: Sequence[Offer]
) -> tuple[list[Script], list[str]]:
    """Return the scripts of a plan for all its games, in order, and why some are left out."""
    scripts: list[Script] = []
    left_out: list[str] = []
    for game in terms.game_names:
        of_game, reasons = plan_scripts(law, terms, offers, game)
        scripts += of_game
        left_out += reasons
    return scripts, left_out


def scripts_for_offers(
    law: Law, offers: Iterable[Offer], *, seed: int, budget: str
) -> tuple[list[Script], list[str]]:
    """Return the scripts for some offers, and why some are left out."""
    scripts: list[Script] = []
    left_out: list[str] = []
    for offer in offers:
        if "table" not in offer.methods:
            continue
        words = game_words(law, offer.game)
        for script in read_written_scripts(law, offer.game, seed=seed):
            lacking = describe_lacking(script, offer, words)
            if lacking is None:
                scripts.append(script)
            else:
                left_out.append(f"{script.game}/{script.name}: {lacking}")
        if find_table_model(law, offer.game) is None:
            # Nobody has written how a table of this game is played at random.
            continue
        oracle, generated = Oracle(law), []
        for again in range(_PRIZE_LINE_REPEATS[budget]):
            generated += generate_prize_lines(law, offer, oracle, f"{seed}/{again}")
        for again in range(_COVERING_DESIGNS[budget]):
            generated += generate_covering_tables(law, offer, oracle, f"{seed}/{again}")
        generated += generate_scripts(
            law, offer.game, offer, seed, _GENERATED_SCRIPTS[budget], oracle=oracle
        )
        scripts += [
            script
            for script in generated
            if (not offer.cannot and offer.stake_limits.is_open)
            or describe_lacking(script, offer, words) is None
        ]
    return scripts, left_out
