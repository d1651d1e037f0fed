"""A case as it is typed on the command line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from selo.errors import UsageError

if TYPE_CHECKING:
    import argparse

_BET = re.compile(
    r"(?P<bet>[a-z0-9-]+)(?:=(?P<choice>[\w-]+))?(?:@(?P<place>\w+))?(?::(?P<stake>\d+))?"
)
_DEFAULT_STAKE = 100


def rulings_of(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the rulings that were given as ``ID=READING``."""
    rulings = {}
    for given in arguments.ruling or []:
        name, equals, reading = given.partition("=")
        if not equals:
            raise UsageError(problem=f"'{given}' is no ruling", hint="Write --ruling ID=READING.")
        rulings[name] = reading
    return rulings


def outcome_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the outcome that was given in words, or as JSON."""
    outcome: dict[str, Any] = {} if arguments.outcome is None else _json(arguments.outcome)
    throws = [_throw(one) for one in arguments.throw or []]
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


def _json(written: str) -> dict[str, Any]:
    try:
        value = json.loads(written)
    except json.JSONDecodeError as error:
        raise UsageError(
            problem=f"the outcome is not JSON: {error}", hint="See docs/games.md."
        ) from error
    if not isinstance(value, dict):
        raise UsageError(problem="the outcome is no object", hint="See docs/games.md.")
    return value


def _throw(written: str) -> list[Any]:
    parts = [part for part in re.split(r"[,+]", written) if part]
    return [int(part) if part.isdigit() else part for part in parts]


def bets_of(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the bets that were given as ``NAME[=CHOICE][@PLACE][:STAKE]``."""
    bets = []
    for given in arguments.bet or []:
        found = _BET.fullmatch(given)
        if not found:
            raise UsageError(
                problem=f"'{given}' is no bet", hint="Write --bet NAME[=CHOICE][@PLACE][:STAKE]."
            )
        bet: dict[str, Any] = {"bet": found["bet"], "stake": int(found["stake"] or _DEFAULT_STAKE)}
        if found["choice"] is not None:
            choice = found["choice"]
            bet["choice"] = int(choice) if choice.isdigit() else choice
        if found["place"] is not None:
            bet["seat"] = bet["place"] = found["place"]
        bets.append(bet)
    if not bets:
        raise UsageError(problem="no bet was given", hint="Add --bet small, for example.")
    return bets
