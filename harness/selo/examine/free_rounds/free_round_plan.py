"""Plans free rounds: how many of each game, and by which scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.cases.oracle import Oracle
from selo.draws.draw_verdict import read_levels
from selo.examine.plan.recorded_plan import recorded_plan_of
from selo.rounds.generate import find_table_model, generate_free_scripts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.cases.group import Budget
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.protocol.messages import Offer
    from selo.rounds import Script

#: Rounds of each game at tables that draw their own outcomes.
FREE_ROUNDS: Final[dict[Budget, int]] = {"quick": 200, "standard": 400, "full": 600}
#: The first engine whose free tables have regular guests.
FIRST_WITH_REGULARS: Final = 3
#: Rounds of a stream. Tables of the first of these rounds are kept as they were played; of every
#: further stream those that are wrong, and counts of what the others drew.
ROUNDS_PER_STREAM: Final = 2_000


def count_free_rounds(law: Law, terms: Terms, look: int) -> int:
    """Return how many free rounds of each game a look has."""
    rounds = max(terms.rounds, FREE_ROUNDS[terms.budget])
    return rounds if look == 1 else rounds * read_levels(law, terms.game_names).factor


def count_free_streams(law: Law, terms: Terms, look: int) -> int:
    """Return in how many streams they are played, the one that is kept included."""
    if count_free_rounds(law, terms, 1) <= ROUNDS_PER_STREAM:
        return 1
    return -(-count_free_rounds(law, terms, look) // ROUNDS_PER_STREAM)


def count_stream_rounds(law: Law, terms: Terms, look: int, stream: int) -> int:
    """Return how many rounds of a game a stream has."""
    total = count_free_rounds(law, terms, look)
    if count_free_streams(law, terms, look) == 1:
        return total
    return min(ROUNDS_PER_STREAM, total - stream * ROUNDS_PER_STREAM)


def plan_free_scripts(  # noqa: PLR0913 - the stream of a look of a game of a plan
    law: Law, terms: Terms, offers: Sequence[Offer], game: str, *, look: int = 1, stream: int = 0
) -> list[Script]:
    """Return the free scripts of a plan for one game; every stream of every look has others."""
    recorded = recorded_plan_of(law, terms)
    if recorded is not None and not stream:
        return recorded.free_scripts(game, look)
    rounds = count_stream_rounds(law, terms, look, stream)
    seed = f"{terms.seed}/{look}" + (f"/{stream}" if stream else "")
    oracle = Oracle(law)
    return [
        script
        for offer in offers
        if offer.game == game and find_table_model(law, game) is not None
        for script in generate_free_scripts(
            law,
            offer,
            oracle,
            seed,
            rounds,
            regulars=terms.engine_number >= FIRST_WITH_REGULARS,
        )
        if offer.stake_limits.admits_fields(script.acts, "stake")
    ]
