"""A script: everything that is asked of one table, decided before the first answer is known.

Since no act depends on an answer, scripts can be listed, kept in files and played again.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.protocol.messages import Range
from selo.protocol.schema import FORCE, GO_ON, HAPPEN
from selo.verdict.observations import Lacking, NotOffered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.protocol.messages import Offer
    from selo.protocol.schema import GameWords

#: Acts of the protocol that steer a table; all others are acts of the game.
STEERING: Final = frozenset({FORCE, GO_ON, HAPPEN})
_DIGITS: Final = 20
_ABILITY: Final = "table"
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
        return hashlib.sha256(canonical([self.game, self.options, self.acts])).hexdigest()[:_DIGITS]

    def opening(self, table: str) -> dict[str, Any]:
        """Return the params with which its table is opened."""
        return {"table": table, "game": self.game, "options": self.options}


def canonical(plain: Any) -> bytes:
    """Return JSON that is the same for the same content."""
    return msgspec.json.encode(plain, order="sorted")


def missing(script: Script, offer: Offer, words: GameWords) -> str | None:
    """Return what a script needs that the vendor does not offer, in words, or nothing."""
    one = next(lacking(script, offer, words), None)
    if one is None:
        return None
    if one.kind is NotOffered.FORCING:
        return "outcomes cannot be forced"
    if one.kind is NotOffered.EVENT:
        return f"the event {one.name} cannot be staged"
    if one.kind is NotOffered.METHOD:
        return f"no table of {script.game} is offered"
    return f"the {one.kind} {one.name}{one.value and ' '}{one.value} is not offered"


def lacking(script: Script, offer: Offer, words: GameWords) -> Iterator[Lacking]:
    """Yield everything that a script needs and the vendor does not offer."""
    if offer.game != script.game or _ABILITY not in offer.methods:
        yield Lacking(kind=NotOffered.METHOD, name=_ABILITY)
    for name, value in script.options.items():
        if not _allowed(name, value, offer, words):
            yield Lacking(kind=NotOffered.OPTION, name=name, value=_written(_named(value)))
    for act in script.acts:
        if act["act"] == FORCE and not offer.forces:
            yield Lacking(kind=NotOffered.FORCING, name=FORCE)
        if act["act"] == HAPPEN and act["event"]["event"] not in offer.happens:
            yield Lacking(kind=NotOffered.EVENT, name=act["event"]["event"])
        laid = _laid(act)
        # A bet that no law knows is asked for in order to be refused.
        if laid in words.bets and laid not in offer.bets:
            yield Lacking(kind=NotOffered.BET, name=laid)


def _written(value: Any) -> str:
    """Return a value of an option as a vendor would declare it."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _laid(act: dict[str, Any]) -> str:
    """Return the bet that an act speaks of; one with an act of its own is named by that."""
    return str(act.get(_BET) or act["act"])


def _allowed(name: str, value: Any, offer: Offer, words: GameWords) -> bool:
    known = words.options_known.get(name)
    if known is not None and name not in offer.options:
        return bool(known.default == value)
    offered = offer.options.get(name, [])
    if isinstance(offered, Range):
        return isinstance(value, int) and offered.start <= value <= offered.to
    named = _named(value)
    return all(one in offered for one in named) if isinstance(named, list) else named in offered


def _named(value: Any) -> Any:
    """Return by what a value is authorised: a jackpot by its modality, a yes by its name."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.get("modality") if isinstance(value, dict) else value
