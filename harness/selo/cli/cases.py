"""A case as it is typed on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.errors import UsageError
from selo.words.document import read

if TYPE_CHECKING:
    import argparse

_BET = re.compile(
    r"(?P<bet>[a-z0-9-]+)(?:=(?P<choice>[\w-]+))?(?:@(?P<place>\w+))?(?::(?P<stake>\d+))?"
)
_DEFAULT_STAKE = 100


def rulings_of(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the rulings of a file, and those given as ``ID=READING``, which prevail."""
    rulings = {} if arguments.rulings is None else _ruled_in(Path(arguments.rulings))
    for given in arguments.ruling or []:
        name, equals, reading = given.partition("=")
        if not equals:
            raise UsageError(problem=f"'{given}' is no ruling", hint="Write --ruling ID=READING.")
        rulings[name] = reading
    return rulings


def _ruled_in(path: Path) -> dict[str, str]:
    plain = read(path).plain
    if not isinstance(plain, dict) or not all(isinstance(one, str) for one in plain.values()):
        raise UsageError(
            problem=f"{path} is no list of rulings", hint="Write one ID: READING on each line."
        )
    return plain


def outcome_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the outcome that was given in words, or as JSON."""
    outcome = object_of(arguments.outcome, "outcome")
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


def object_of(written: str | None, what: str) -> dict[str, Any]:
    """Return an object that was given as JSON, or an empty one."""
    if written is None:
        return {}
    try:
        value = json.loads(written)
    except json.JSONDecodeError as error:
        raise UsageError(
            problem=f"the {what} is not JSON: {error}", hint="See docs/games.md."
        ) from error
    if not isinstance(value, dict):
        raise UsageError(problem=f"the {what} is no object", hint="See docs/games.md.")
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
