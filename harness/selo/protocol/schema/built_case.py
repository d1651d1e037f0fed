"""A case for the examples of a game that has no open point, and so none worked out by hand."""

from __future__ import annotations

from itertools import islice, product
from random import Random
from typing import TYPE_CHECKING, Any, Final

from selo.law.files.situation_file import SituationCase
from selo.rules.equipment.kits import Duel
from selo.rules.equipment.pack_and_dice import PACK
from selo.rules.equipment.piece_set import PieceSet
from selo.rules.equipment.played_hands import PlayedHands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.protocol.schema.bet_schema import BetShape
    from selo.rules.settlement import Game
    from selo.table_values import Outcome

_STAKE: Final = 100
_PLACE: Final = "1"
#: Outcomes in which some bet should win.
_MOST_TRIED: Final = 1000
_CARDS: Final = 3


def build_case(game: Game, shapes: Sequence[BetShape]) -> SituationCase | None:
    """Return the first outcome in which a bet wins, with that bet and its settlement."""
    for outcome in islice(_outcomes(game), _MOST_TRIED):
        for shape in shapes:
            for choice in shape.choices or (None,):
                bet: Any = {"bet": shape.name, "stake": _STAKE}
                if choice is not None:
                    bet["choice"] = choice
                if shape.place is not None:
                    bet[shape.place] = _PLACE
                told = game.settle_plain({}, outcome, [bet])[0]
                if told["result"] == "win":
                    expected = {name: told[name] for name in ("result", "prize", "commission")}
                    return SituationCase(outcome=outcome, bets=[bet], expect={"": [expected]})
    return None


def _outcomes(game: Game) -> Iterator[Outcome]:
    kit = game.kit
    if isinstance(kit, PieceSet):
        for faces in product(game.tables.faces, repeat=kit.count):
            yield {kit.field: list(faces)}  # type: ignore[misc]
    elif isinstance(kit, Duel | PlayedHands):
        chance = Random(0)  # noqa: S311 - an example
        cards = kit.cards
        while True:
            dealt = chance.sample(PACK, 2 * cards)
            hand: Any = dealt[cards:]
            beside = [hand] if isinstance(kit, PlayedHands) else hand
            yield kit.build_outcome(dealt[:cards], {_PLACE: beside})
