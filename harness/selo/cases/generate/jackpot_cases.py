"""The jackpots of Bacará: options of a table, and deals that form a combination or nearly do."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations
from typing import TYPE_CHECKING, Any, Final

from selo.cases.generate.draw_rule import MAX_ROUND_CARDS
from selo.cases.generate.sample_hands import RANKS, SUIT_PERMUTATIONS, SUITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from selo.cases.generate.draw_rule import DrawRule, Round
    from selo.rules.language import Expression
    from selo.rules.settlement.game import Game

#: Tables as they may stand: what has accumulated, the first fixed amount, and a percentage.
JACKPOT_TABLES: Final = (
    (1_000_003, 101, (3, 100)),
    (1_000_000, 100_000, (1, 10)),
    (1_000_009, 100_001, (1, 3)),
    (0, 7, (0, 1)),
    (7, 1, (1, 1)),
)
#: Ways to change suits that leave the two red ones and the two black ones together.
_COLOUR_SUITS: Final = ({"S", "C"}, {"H", "D"})
_COLOUR_PERMUTATIONS: Final = [
    one for one in SUIT_PERMUTATIONS if {one["AS"][-1], one["AC"][-1]} in _COLOUR_SUITS
]
_STRAIGHT_RANKS: Final = ("A", "K", "Q", "J", "10")
#: Deals of each kind: cards alike in every number, in one colour and not, and straights.
_SAMPLE_DEALS: Final = (
    "AH KH QH JH 10H 4C", "AS KH QH JH 10H 4C", "JH JD JS JC 2D 3C", "5H 7D 5S 7C 2D 3C",
    "5H 5D 5S 7C 2D 3C", "5H 9D 5S 7C 2D 3C", "2H 2D 2D 2H 2H 2D", "2S 2C 2C 2S 2S 2S",
    "2H 2D 2S 2C 2H 2D", "2H 2D 2D 2H 2S 3D", "2H 3D 2D 3H 2S 3D", "2H 2D 2D 4H 2S 3D",
    "2H 4D 2D 3H 2S KD", "9H KD 4D 3H 2S KD", "KH KD KD KH KS KC", "KH 10D JD QH KS 10C",
    "AS AC AD AH AS 3C", "2S 2D 2H 2C 2C KD",
)  # fmt: skip


def _fixed_combinations(game: Game, modality: str) -> list[str]:
    """Return the combinations of a modality that have an approved amount."""
    return sorted(
        {
            name
            for prize in game.bets["jackpot"].prizes
            if prize.share is not None and "fixed" in prize.share.terms
            if _applies_to(prize.condition, modality)
            for name in prize.share.combinations
        }
    )


def _applies_to(condition: Expression | None, modality: str) -> bool:
    """Return whether a prize is one of a modality, as far as that is all it asks."""
    if condition is None or set(condition.names) != {"modality"}:
        return condition is None
    return bool(condition.on({"modality": modality}))


def _has_percentage(game: Game, modality: str) -> bool:
    """Return whether a combination of a modality is worth a percentage that the table declares."""
    return any(
        prize.share is not None
        and "percentage" in prize.share.terms
        and _applies_to(prize.condition, modality)
        for prize in game.bets["jackpot"].prizes
    )


def jackpot_options(
    game: Game, modality: str, pool: int, first: int, percentage: Sequence[int]
) -> dict[str, Any]:
    """Return the options of a jackpot, with another fixed amount for each combination."""
    jackpot: dict[str, Any] = {
        "modality": modality,
        "accumulated": pool,
        "fixed": {
            name: first + 1000 * at for at, name in enumerate(_fixed_combinations(game, modality))
        },
    }
    if _has_percentage(game, modality):
        jackpot["percentage"] = list(percentage)
    return jackpot


def permute_suits_of_rounds(rounds: Iterable[Round], chance: Random) -> Iterator[Round]:
    """Yield rounds with other suits: what was of one suit, or of one colour, is so afterwards."""
    for one in rounds:
        turned = chance.choice(_COLOUR_PERMUTATIONS)
        yield {whose: [turned[card] for card in hand] for whose, hand in one.items()}


def deal_samples(drawing: DrawRule) -> list[Round]:
    """Return one deal of each combination, and some that form nothing."""
    return [drawing.dealt(cards.split()) for cards in _SAMPLE_DEALS]


def deal_equal_ranks(drawing: DrawRule, turns: Sequence[int]) -> Iterator[Round]:
    """Yield deals in which cards are alike in every way, with every rank in turn."""
    for pattern in equality_patterns(MAX_ROUND_CARDS):
        for by in turns:
            cards = [
                RANKS[(kind + by) % len(RANKS)] + SUITS[at % len(SUITS)]
                for at, kind in enumerate(pattern)
            ]
            yield drawing.dealt(cards)


def equality_patterns(length: int) -> list[tuple[int, ...]]:
    """Return every way in which so many cards can be alike: 0, 0, 1 says that the first two are."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(length):
        found = [(*one, kind) for one in found for kind in range(max(one, default=-1) + 2)]
    return found


def deal_single_ranks(drawing: DrawRule, ranks: Sequence[str]) -> Iterator[Round]:
    """Yield deals of six cards of one rank in every mixture of suits, and of five in one colour."""
    for rank in ranks:
        for suits in combinations_with_replacement(SUITS, MAX_ROUND_CARDS):
            yield drawing.dealt([rank + suit for suit in suits])
        for suit in SUITS:
            # The sixth card has the colour, and another rank.
            other = RANKS[RANKS.index(rank) - 1]
            yield drawing.dealt([*[rank + suit] * (MAX_ROUND_CARDS - 1), other + suit])


def deal_straights(drawing: DrawRule, *, all_orders: bool) -> Iterator[Round]:
    """Yield the straights, the ace in every suit, and deals that miss one by a card."""
    orders = list(permutations(_STRAIGHT_RANKS))
    for at, ranks in enumerate(orders if all_orders else orders[::47]):
        # Every suit in some orders; where all orders come, one suit in each.
        for suit in SUITS[at % len(SUITS)] if all_orders else SUITS:
            for ace in SUITS:
                cards = [rank + (ace if rank == "A" else suit) for rank in ranks]
                yield drawing.dealt([*cards, "4C"])
                # The last card of the straight is dealt sixth, and no longer counts.
                yield drawing.dealt([*cards[:-1], "4C", cards[-1]])
            for missing in range(len(ranks)):
                cards = [rank + suit for rank in ranks]
                other = SUITS[(SUITS.index(suit) + 1) % len(SUITS)]
                cards[missing] = ranks[missing] + other
                yield drawing.dealt([*cards, "4C"])
                cards[missing] = "9" + suit
                yield drawing.dealt([*cards, "4C"])
                # An ace of another suit, and one more card that is not of the four's.
                cards = [rank + (other if rank == "A" else suit) for rank in ranks]
                cards[missing] = ranks[missing] + SUITS[SUITS.index(suit) - 1]
                yield drawing.dealt([*cards, "4C"])
