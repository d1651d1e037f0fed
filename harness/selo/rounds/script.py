"""A script: everything that is asked of one table, decided before the first answer is known.

Since no act depends on an answer, scripts can be listed, kept in files and played again.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.protocol.messages import Range
from selo.protocol.schema import FORCE, GO_ON, HAPPEN
from selo.verdict.observations import MissingOffer, NotOffered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.protocol.messages import Offer
    from selo.protocol.schema import GameWords


THROWS: Final = "throws"


#: After these a stake stays where it is.
STAYING_RESULTS: Final = frozenset({"stands", "void"})


#: Acts of the protocol that steer a table; all others are acts of the game.
STEERING_ACTS: Final = frozenset({FORCE, GO_ON, HAPPEN})
_KEY_DIGITS: Final = 20
_TABLE_METHOD: Final = "table"
_BET: Final = "bet"


class Script(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One table of a game, what is asked of it, and why."""

    game: str
    acts: list[dict[str, Any]]
    options: dict[str, Any] = {}
    #: Scripts that belong together, such as those written by hand.
    group: str = ""
    name: str = ""
    reason: str = ""
    #: The provisions it is about; what it decides may be more.
    provisions: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A name of the script that depends on what is asked and on nothing else."""
        return hashlib.sha256(canonical_bytes([self.game, self.options, self.acts])).hexdigest()[
            :_KEY_DIGITS
        ]

    def open_params(self, table: str) -> dict[str, Any]:
        """Return the params with which its table is opened."""
        return {"table": table, "game": self.game, "options": self.options}


def canonical_bytes(plain: Any) -> bytes:
    """Return JSON that is the same for the same content."""
    return msgspec.json.encode(plain, order="sorted")


def describe_lacking(script: Script, offer: Offer, words: GameWords) -> str | None:
    """Return what a script needs that the vendor does not offer, in words, or nothing."""
    one = next(find_lacking(script, offer, words), None)
    if one is None:
        return None
    if one.kind is NotOffered.FORCING:
        return "outcomes cannot be forced"
    if one.kind is NotOffered.EVENT:
        return f"the event {one.name} cannot be staged"
    if one.kind is NotOffered.METHOD:
        return f"no table of {script.game} is offered"
    return f"the {one.kind} {one.name}{one.value and ' '}{one.value} is not offered"


def find_lacking(script: Script, offer: Offer, words: GameWords) -> Iterator[MissingOffer]:
    """Yield everything that a script needs and the vendor does not offer."""
    if offer.game != script.game or _TABLE_METHOD not in offer.methods:
        yield MissingOffer(kind=NotOffered.METHOD, name=_TABLE_METHOD)
    for name, value in script.options.items():
        if not _is_offered(name, value, offer, words):
            yield MissingOffer(
                kind=NotOffered.OPTION, name=name, value=_value_text(_authorised_value(value))
            )
    for act in script.acts:
        if act["act"] == FORCE and not offer.forces:
            yield MissingOffer(kind=NotOffered.FORCING, name=FORCE)
        if act["act"] == HAPPEN and act["event"]["event"] not in offer.happens:
            yield MissingOffer(kind=NotOffered.EVENT, name=act["event"]["event"])
        laid = _bet_of(act)
        # A bet that no law knows is asked for in order to be refused.
        if laid in words.bets and laid not in offer.bets:
            yield MissingOffer(kind=NotOffered.BET, name=laid)


def _value_text(value: Any) -> str:
    """Return a value of an option as a vendor would declare it."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _bet_of(act: dict[str, Any]) -> str:
    """Return the bet that an act speaks of; one with an act of its own is named by that."""
    return str(act.get(_BET) or act["act"])


def _is_offered(name: str, value: Any, offer: Offer, words: GameWords) -> bool:
    known = words.options_known.get(name)
    if known is not None and name not in offer.options:
        return bool(known.default == value)
    offered = offer.options.get(name, [])
    if isinstance(offered, Range):
        return isinstance(value, int) and offered.start <= value <= offered.to
    named = _authorised_value(value)
    return all(one in offered for one in named) if isinstance(named, list) else named in offered


def _authorised_value(value: Any) -> Any:
    """Return by what a value is authorised: a jackpot by its modality, a yes by its name."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.get("modality") if isinstance(value, dict) else value
