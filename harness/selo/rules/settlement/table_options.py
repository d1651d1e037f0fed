"""The rules of a table: its options, and the manners by which its bets affect one another.

Options without listed values are numbers, the others texts; conditions of bets may use them, or
the equipment reads them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from selo.rules.language.vocabulary import INT, TEXT
from selo.rules.settlement.jackpot import SharingRules
from selo.rules.settlement.joint_settlement import (
    ExclusionRule,
    HighestPrizeOnly,
    JointCommission,
    OppositeBets,
    PrizeCeiling,
    PrizeSharing,
    ReturnedExcess,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.rules.clauses.clause_models import Option
    from selo.rules.settlement.game import Game
    from selo.rules.settlement.joint_settlement import RefusalRule, SettlementStage

#: Manners and meanings for which bets are settled together at a table.
_JOINT_MANNERS: Final = {
    ("opposites", "refused"),
    ("winners", "highest-only"),
    ("ceiling", "declared"),
    ("commission-on", "sum"),
    ("excess", "returned"),
}


def option_types_of(options: Sequence[Option]) -> dict[str, str]:
    """Return the options of a table as variables, with their types."""
    return {option.option: TEXT if option.values else INT for option in options}


def apply_table_rules(
    game: Game,
    manners: Mapping[str, tuple[str, str]],
    options: Sequence[Option],
    excluding: Iterable[Any],
    *,
    reads_options: bool,
) -> Game:
    """Return `game` with the rules of its table, if it has any.

    Each manner comes with its meaning and its provision. `reads_options` says that the equipment
    reads the options, so that no condition needs them as variables.
    """
    provisions = {
        name: provision
        for name, (means, provision) in manners.items()
        if (name, means) in _JOINT_MANNERS and not reads_options
    }
    if not (reads_options or provisions or options):
        return game
    meanings = {name: means for name, (means, _) in manners.items()}
    sharing = SharingRules.of(meanings)
    refusals: list[RefusalRule] = [*game.refusals]
    if reads_options:
        refusals += [
            ExclusionRule(provision=each.held.id, names=frozenset(each.clause.excludes))
            for each in excluding
        ]
    stages: list[SettlementStage] = [PrizeSharing()]
    on_sum = meanings.get("commission-on") == "sum"
    on_net = meanings.get("commission-of") == "net"
    if on_sum or on_net:
        stages.append(JointCommission(on_sum=on_sum, on_net=on_net))
    if "excess" in provisions:
        stages.append(ReturnedExcess())
    if "winners" in provisions:
        stages.append(HighestPrizeOnly(provision=provisions["winners"]))
    if "ceiling" in provisions:
        stages.append(PrizeCeiling(provision=provisions["ceiling"]))
    if "opposites" in provisions:
        refusals.append(OppositeBets(provision=provisions["opposites"]))
    return replace(
        game,
        refusals=tuple(refusals),
        stages=tuple(stages),
        at_table=True,
        options=() if reads_options else tuple(options),
        sharing=sharing,
    )
