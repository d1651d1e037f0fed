"""Parses a case that is typed on the command line: outcome, options, bets."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

from selo.rules.equipment.piece_set import PieceSet
from selo.text import user_error

if TYPE_CHECKING:
    import argparse

    from selo.rules.equipment.kits import Kit
    from selo.table_values import Bet, Outcome

_BET = re.compile(
    r"(?P<bet>[a-z0-9-]+)(?:=(?P<choice>[\w-]+))?(?:@(?P<place>\w+))?(?::(?P<stake>\d+))?"
    r"(?P<fields>(?:,(?:at|to|bettor|place|seat)=[\w-]+)*)"
)
_DEFAULT_STAKE = 100
#: Fields of a bet that may be numbers; names of places and bettors are text.
_NUMBERED_FIELDS = frozenset({"at", "to"})


def parse_outcome(arguments: argparse.Namespace, kit: Kit) -> Outcome:
    """Return the outcome typed as options or as JSON; a throw is what the kit of the game shows."""
    outcome = parse_json_object(arguments.outcome, "outcome")
    throws = [_parse_throw(text) for text in arguments.throw or []]
    if throws and isinstance(kit, PieceSet):
        outcome[kit.field] = throws[0]
    elif throws:
        outcome["throws"] = throws
    if arguments.lying:
        outcome["lying"] = arguments.lying.split(",")
    for name in ("banker", "croupier", "player"):
        hand = getattr(arguments, name)
        if hand:
            outcome[name] = hand.upper().split(",")
    for hands, name in ((arguments.seat, "seats"), (arguments.place, "places")):
        for text in hands or []:
            place, _, hand = text.partition("=")
            outcome.setdefault(name, {})[place] = hand.upper().split(",")
    return cast("Outcome", outcome)


def parse_json_object(text: str | None, what: str) -> dict[str, Any]:
    """Return an object typed as JSON; an empty one if nothing was typed."""
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise user_error("json-syntax", what=what, error=error) from error
    if not isinstance(value, dict):
        raise user_error("json-object", what=what)
    return value


def _parse_throw(text: str) -> list[Any]:
    parts = [part for part in re.split(r"[,+]", text) if part]
    return [int(part) if part.isdigit() else part for part in parts]


def _parse_value(text: str) -> int | str:
    return int(text) if text.isdigit() else text


def parse_bets(arguments: argparse.Namespace) -> list[Bet]:
    """Return the bets typed as ``NAME[=CHOICE][@PLACE][:STAKE][,FIELD=VALUE]`` or as JSON."""
    bets = []
    for text in arguments.bet or []:
        if text.startswith("{"):
            typed = parse_json_object(text, "bet")
            if not isinstance(typed.get("bet"), str):
                raise user_error("bet", given=text)
            bets.append(cast("Bet", {"stake": _DEFAULT_STAKE, **typed}))
            continue
        match = _BET.fullmatch(text)
        if not match:
            raise user_error("bet", given=text)
        bet: dict[str, Any] = {"bet": match["bet"], "stake": int(match["stake"] or _DEFAULT_STAKE)}
        if match["choice"] is not None:
            bet["choice"] = _parse_value(match["choice"])
        if match["place"] is not None:
            bet["seat"] = bet["place"] = match["place"]
        for field in filter(None, match["fields"].split(",")):
            name, _, value = field.partition("=")
            bet[name] = _parse_value(value) if name in _NUMBERED_FIELDS else value
        bets.append(cast("Bet", bet))
    if not bets:
        raise user_error("bet-none")
    return bets
