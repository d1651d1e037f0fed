"""Plans free rounds: how many of each game, and by which scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.cases.oracle import Oracle
from selo.examine.plan.recorded_plan import recorded_plan_of
from selo.rounds.generate import TABLE_MODELS, generate_free_scripts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.cases.group import Budget
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.protocol.messages import Offer
    from selo.rounds import Script

#: Rounds of each game at tables that draw their own outcomes.
FREE_ROUNDS: Final[dict[Budget, int]] = {"quick": 200, "standard": 400, "full": 600}
#: How many times as many are played if the first leave it in doubt whether their chance is fair.
SECOND_LOOK_FACTOR: Final = 4


def plan_free_scripts(
    law: Law, terms: Terms, offers: Sequence[Offer], game: str, *, look: int = 1
) -> list[Script]:
    """Return the free scripts of a plan for one game; the second look has others, and more."""
    recorded = recorded_plan_of(law, terms)
    if recorded is not None:
        return recorded.free_scripts(game, look)
    rounds = FREE_ROUNDS[terms.budget] * (1 if look == 1 else SECOND_LOOK_FACTOR)
    oracle = Oracle(law)
    return [
        script
        for offer in offers
        if offer.game == game and game in TABLE_MODELS
        for script in generate_free_scripts(law, offer, oracle, f"{terms.seed}/{look}", rounds)
    ]
