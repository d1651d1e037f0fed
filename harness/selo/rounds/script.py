"""Scripts: the acts that are asked of one table, fixed before the first answer is known.

Since no act depends on an answer, scripts can be listed, stored in files and replayed.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.law.files.events_file import ValueKind
from selo.protocol.messages import Range
from selo.protocol.schema import FORCE, GO_ON, HAPPEN
from selo.table_values import Options
from selo.verdict.observations import MissingOffer, NotOffered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.protocol.messages import Offer
    from selo.protocol.schema import GameWords
    from selo.table_values import StakeLimits

#: The field of an outcome that lists throws.
THROWS: Final = "throws"
#: Results after which a stake stays on the table.
STAYING_RESULTS: Final = frozenset({"stands", "void"})
#: Acts of the protocol that steer a table; all others are acts of the game.
STEERING_ACTS: Final = frozenset({FORCE, GO_ON, HAPPEN})
_KEY_DIGITS: Final = 20
_TABLE_METHOD: Final = "table"
_BET: Final = "bet"
#: The fields of acts that hold stakes.
_STAKES: Final = ("stake", "to")
#: What a script lacks, in words; what is not here is called by its name.
_LACKING: Final = {
    NotOffered.FORCING: "outcomes cannot be forced",
    NotOffered.EVENT: "the event {name} cannot be staged",
    NotOffered.CANNOT: "the vendor declares that it cannot do {name}",
    NotOffered.LARGEST_STAKE: "the vendor takes no stake above {name}",
    NotOffered.STAKE_STEP: "the vendor takes no stake between multiples of {name}",
    NotOffered.METHOD: "no table of {game} is offered",
}
#: The field of an act that names the bettor.
PLAYER: Final = "player"


class Script(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One table of a game, what is asked of it, and why."""

    game: str
    acts: list[dict[str, Any]]
    options: Options = {}
    #: Scripts that belong together, such as those written by hand.
    group: str = ""
    name: str = ""
    reason: str = ""
    #: The provisions it is about; what it decides may be more.
    provisions: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A name that depends on the acts and options only."""
        content = canonical_bytes([self.game, self.options, self.acts])
        return hashlib.sha256(content).hexdigest()[:_KEY_DIGITS]

    def open_params(self, table: str) -> dict[str, Any]:
        """Return the params of ``table.open``."""
        return {"table": table, "game": self.game, "options": self.options}


def canonical_bytes(plain: Any) -> bytes:
    """Return JSON with sorted names, which is the same for the same content."""
    return msgspec.json.encode(plain, order="sorted")


def describe_lacking(script: Script, offer: Offer, words: GameWords) -> str | None:
    """Return the first thing that a script needs and the vendor does not offer, in words."""
    need = next(find_lacking(script, offer, words), None)
    if need is None:
        return None
    sentence = _LACKING.get(need.kind)
    if sentence is not None:
        return sentence.format(name=need.name, game=script.game)
    return f"the {need.kind} {need.name}{need.value and ' '}{need.value} is not offered"


def find_lacking(script: Script, offer: Offer, words: GameWords) -> Iterator[MissingOffer]:
    """Yield everything that a script needs and the vendor does not offer."""
    if offer.game != script.game or _TABLE_METHOD not in offer.methods:
        yield MissingOffer(kind=NotOffered.METHOD, name=_TABLE_METHOD)
    for name, value in script.options.items():
        if not _is_offered(name, value, script, offer, words):
            yield MissingOffer(
                kind=NotOffered.OPTION, name=name, value=_value_text(_authorised_value(value))
            )
    if not offer.stake_limits.admits_fields(script.acts, *_STAKES):
        yield from missing_stakes(offer.stake_limits)
    for act in script.acts:
        if act["act"] == FORCE and not offer.forces:
            yield MissingOffer(kind=NotOffered.FORCING, name=FORCE)
        if act["act"] == HAPPEN and act["event"]["event"] not in offer.happens:
            yield MissingOffer(kind=NotOffered.EVENT, name=act["event"]["event"])
        bet = _bet_of(act)
        yield from _find_impossible(act, script, offer, words)
        # A bet that the law does not define is placed in order to be refused.
        if bet in words.bets and bet not in offer.bets:
            yield MissingOffer(kind=NotOffered.BET, name=bet)


def missing_stakes(limits: StakeLimits) -> Iterator[MissingOffer]:
    """Yield what limits of stakes leave unexamined."""
    if limits.largest is not None:
        yield MissingOffer(kind=NotOffered.LARGEST_STAKE, name=str(limits.largest))
    if limits.step != 1:
        yield MissingOffer(kind=NotOffered.STAKE_STEP, name=str(limits.step))


def _find_impossible(
    act: dict[str, Any], script: Script, offer: Offer, words: GameWords
) -> Iterator[MissingOffer]:
    """Yield what the vendor declares that it cannot do and an act forces, at this table."""
    if act["act"] != FORCE or not offer.cannot:
        return
    laid: list[Any] = [
        {**placed, "bettor": placed[PLAYER], "bet": _bet_of(placed)}
        for placed in script.acts
        if PLAYER in placed
    ]
    for name in offer.cannot:
        if words.circumstances.hold(name, words.default_options, act["outcome"], laid):
            yield MissingOffer(kind=NotOffered.CANNOT, name=name)


def _value_text(value: Any) -> str:
    """Return an option value as a vendor would declare it."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _bet_of(act: dict[str, Any]) -> str:
    """Return the bet that an act concerns; some bets are acts of the same name."""
    return str(act.get(_BET) or act["act"])


def _goes_with_another(name: str, script: Script, offer: Offer, words: GameWords) -> bool:
    """Return whether a number, such as a limit, comes with an option that the vendor names.

    Whoever offers that a table declares its limits takes whatever limits it declares.
    """
    known = words.options_known
    return _is_number_of_none(known[name]) and any(
        other in offer.options and value != known[other].default
        for other, value in script.options.items()
        if other != name and known[other].kind is not ValueKind.NUMBER
    )


def _is_number_of_none(option: Any) -> bool:
    return option.kind is ValueKind.NUMBER and option.default == 0


def _is_offered(name: str, value: Any, script: Script, offer: Offer, words: GameWords) -> bool:
    option = words.options_known.get(name)
    if option is not None and name not in offer.options:
        return bool(option.default == value) or _goes_with_another(name, script, offer, words)
    offered = offer.options.get(name, [])
    if isinstance(offered, Range):
        return isinstance(value, int) and offered.start <= value <= offered.to
    wanted = _authorised_value(value)
    return (
        all(each in offered for each in wanted) if isinstance(wanted, list) else wanted in offered
    )


def _authorised_value(value: Any) -> Any:
    """Return the value as authorisations name it: the modality of a jackpot, yes or no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.get("modality") if isinstance(value, dict) else value
