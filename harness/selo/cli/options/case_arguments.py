"""A case as it is typed on the command line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from selo.text import user_error

if TYPE_CHECKING:
    import argparse

_BET = re.compile(
    r"(?P<bet>[a-z0-9-]+)(?:=(?P<choice>[\w-]+))?(?:@(?P<place>\w+))?(?::(?P<stake>\d+))?"
)
_DEFAULT_STAKE = 100


def parse_outcome(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the outcome that was given in words, or as JSON."""
    outcome = parse_json_object(arguments.outcome, "outcome")
    throws = [_parse_throw(one) for one in arguments.throw or []]
    if throws and isinstance(throws[0][0], int):
        outcome["throws"] = throws
    elif throws:
        outcome["dice"] = throws[0]
    if arguments.lying:
        outcome["lying"] = arguments.lying.split(",")
    for name in ("banker", "croupier", "player"):
        hand = getattr(arguments, name)
        if hand:
            outcome[name] = hand.upper().split(",")
    for given, name in ((arguments.seat, "seats"), (arguments.place, "places")):
        for one in given or []:
            place, _, hand = one.partition("=")
            outcome.setdefault(name, {})[place] = hand.upper().split(",")
    return outcome


def parse_json_object(written: str | None, what: str) -> dict[str, Any]:
    """Return an object that was given as JSON, or an empty one."""
    if written is None:
        return {}
    try:
        value = json.loads(written)
    except json.JSONDecodeError as error:
        raise user_error("json-syntax", what=what, error=error) from error
    if not isinstance(value, dict):
        raise user_error("json-object", what=what)
    return value


def _parse_throw(written: str) -> list[Any]:
    parts = [part for part in re.split(r"[,+]", written) if part]
    return [int(part) if part.isdigit() else part for part in parts]


def parse_bets(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the bets that were given as ``NAME[=CHOICE][@PLACE][:STAKE]``."""
    bets = []
    for given in arguments.bet or []:
        found = _BET.fullmatch(given)
        if not found:
            raise user_error("bet", given=given)
        bet: dict[str, Any] = {"bet": found["bet"], "stake": int(found["stake"] or _DEFAULT_STAKE)}
        if found["choice"] is not None:
            choice = found["choice"]
            bet["choice"] = int(choice) if choice.isdigit() else choice
        if found["place"] is not None:
            bet["seat"] = bet["place"] = found["place"]
        bets.append(bet)
    if not bets:
        raise user_error("bet-none")
    return bets
