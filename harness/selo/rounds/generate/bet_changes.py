"""Changes of bets at tables that draw their own outcomes: raised, lowered, withdrawn, moved.

A change has the fields that its act has in the law file, filled from the bet as it was placed. Only
a bet that stands for itself is changed: one without a place or seat, or the last of several there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.law.files.events_file import EventRole
from selo.protocol.schema import GO_ON
from selo.rules.procedure.step_reader import find_events_file

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from selo.law.files.events_file import Event
    from selo.protocol.messages import Offer
    from selo.rounds.generate.table_model import ModelContext

    Acts = Sequence[dict[str, Any]]

_SPOTS: Final = ("place", "seat")
#: Where an act tells the new stake.
_AMOUNT_FIELDS: Final = ("stake", "to")
_CHANGES: Final = (EventRole.WITHDRAWS, EventRole.LOWERS, EventRole.RAISES, EventRole.MOVES)
#: One bet in this many is changed.
_CHANGED_ONE_IN: Final = 4
#: What tells the ticket of a bet apart that is placed again.
_AGAIN: Final = "-again"


def change_bets(acts: Acts, context: ModelContext, chance: random.Random) -> list[dict[str, Any]]:
    """Return acts with changes of some of the bets, each right after its bet was placed."""
    file = find_events_file(context.law, context.game)
    changes = [event for event in file.events if event.role in _CHANGES] if file else []
    lays = context.event(EventRole.LAYS)
    changed: list[dict[str, Any]] = []
    for at, act in enumerate(acts):
        changed.append(act)
        if act["act"] != lays or not changes or chance.randrange(_CHANGED_ONE_IN):
            continue
        others = _bets_of_round(acts, at, lays)
        if _is_alone(act, others):
            changed += _change(act, chance.choice(changes), others, context.offer)
    return changed


def _is_alone(bet: dict[str, Any], others: Acts) -> bool:
    """Return whether no other bet of the round can depend on one."""
    spot = next((name for name in _SPOTS if name in bet), None)
    if spot is None:
        return True
    here = [other for other in others if other.get(spot) == bet[spot]]
    return len(here) > 1 and here[-1] is bet


def _bets_of_round(acts: Acts, at: int, lays: str) -> list[dict[str, Any]]:
    """Return the bets of the round of an act, itself included."""
    first = max((n + 1 for n in range(at) if acts[n]["act"] == GO_ON), default=0)
    last = next((n for n in range(at, len(acts)) if acts[n]["act"] == GO_ON), len(acts))
    return [act for act in acts[first:last] if act["act"] == lays]


def _change(bet: dict[str, Any], event: Event, others: Acts, offer: Offer) -> list[dict[str, Any]]:
    """Return the act that changes a bet, and what follows from it; nothing if it cannot be."""
    able = {*event.fields, *event.optional}
    own = {name: bet[name] for name in event.fields if name in bet and name not in _AMOUNT_FIELDS}
    act = {"act": event.id, **own}
    if event.role is EventRole.WITHDRAWS:
        return [act, {**bet, "ticket": f"{bet['ticket']}{_AGAIN}"}]
    if event.role is EventRole.MOVES:
        # Where a stake may not be moved, its act names no other bet.
        targets = [other for other in others if not {*_SPOTS} & other.keys()]
        if "bet" not in able or not targets:
            return []
        return [act | {name: targets[0][name] for name in ("bet", "choice") if name in targets[0]}]
    step = offer.stake_limits.step
    half = bet["stake"] // 2 // step * step
    amount = half if event.role is EventRole.LOWERS else 2 * bet["stake"]
    field = next((name for name in _AMOUNT_FIELDS if name in able), None)
    if field is None or not amount or not offer.stake_limits.admits([amount]):
        return []
    return [act | {field: amount}]
