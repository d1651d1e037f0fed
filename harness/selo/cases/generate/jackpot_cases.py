"""Jackpots: options of tables, and deals that form or barely miss a combination."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations
from typing import TYPE_CHECKING, Any, Final, cast

from selo.cases.deals.sample_hands import SUIT_PERMUTATIONS
from selo.cases.generate.round_dealer import MAX_ROUND_CARDS
from selo.rules.equipment.pack_and_dice import RANKS, SUITS
from selo.rules.settlement.jackpot import shares_jackpot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from random import Random

    from selo.cases.generate.round_dealer import RoundDealer
    from selo.rules.language import Expression
    from selo.rules.settlement import Game
    from selo.rules.settlement.settlement_models import PrizeRule
    from selo.table_values import Outcome

#: Jackpots of tables: the accumulated pool, the first fixed amount, and a percentage.
JACKPOT_TABLES: Final = (
    (1_000_003, 101, (3, 100)),
    (1_000_000, 100_000, (1, 10)),
    (1_000_009, 100_001, (1, 3)),
    (0, 7, (0, 1)),
    (7, 1, (1, 1)),
)
#: Permutations of suits that keep the two red suits and the two black suits together.
_COLOUR_SUITS: Final = ({"S", "C"}, {"H", "D"})
_COLOUR_PERMUTATIONS: Final = [
    permutation
    for permutation in SUIT_PERMUTATIONS
    if {permutation["AS"][-1], permutation["AC"][-1]} in _COLOUR_SUITS
]
_STRAIGHT_RANKS: Final = ("A", "K", "Q", "J", "10")
#: Sample deals: every number of equal ranks, in one colour and mixed, and straights.
_SAMPLE_DEALS: Final = (
    "AH KH QH JH 10H 4C", "AS KH QH JH 10H 4C", "JH JD JS JC 2D 3C", "5H 7D 5S 7C 2D 3C",
    "5H 5D 5S 7C 2D 3C", "5H 9D 5S 7C 2D 3C", "2H 2D 2D 2H 2H 2D", "2S 2C 2C 2S 2S 2S",
    "2H 2D 2S 2C 2H 2D", "2H 2D 2D 2H 2S 3D", "2H 3D 2D 3H 2S 3D", "2H 2D 2D 4H 2S 3D",
    "2H 4D 2D 3H 2S KD", "9H KD 4D 3H 2S KD", "KH KD KD KH KS KC", "KH 10D JD QH KS 10C",
    "AS AC AD AH AS 3C", "2S 2D 2H 2C 2C KD",
)  # fmt: skip


def _shared_prizes(game: Game) -> Iterator[PrizeRule]:
    for rules in game.bets.values():
        if shares_jackpot(rules):
            yield from rules.prizes


def _fixed_combinations(game: Game, modality: str) -> list[str]:
    """Return the combinations of a modality that have an approved fixed amount."""
    return sorted(
        {
            name
            for prize in _shared_prizes(game)
            if prize.share is not None and "fixed" in prize.share.terms
            if _applies_to(prize.condition, modality)
            for name in prize.share.combinations
        }
    )


def _applies_to(condition: Expression | None, modality: str) -> bool:
    """Return whether a prize's condition depends at most on the modality and holds for it."""
    if condition is None or set(condition.names) != {"modality"}:
        return condition is None
    return bool(condition.on({"modality": modality}))


def _has_percentage(game: Game, modality: str) -> bool:
    """Return whether a combination of a modality pays a percentage declared at the table."""
    return any(
        prize.share is not None
        and "percentage" in prize.share.terms
        and _applies_to(prize.condition, modality)
        for prize in _shared_prizes(game)
    )


def jackpot_options(
    game: Game, modality: str, pool: int, first: int, percentage: Sequence[int]
) -> dict[str, Any]:
    """Return the options of a jackpot, with a different fixed amount for each combination."""
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


def permute_suits_of_rounds(rounds: Iterable[Outcome], chance: Random) -> Iterator[Outcome]:
    """Yield rounds with suits permuted so that equal suits and equal colours stay equal."""
    for dealt in rounds:
        permutation = chance.choice(_COLOUR_PERMUTATIONS)
        hands: Mapping[str, Any] = dealt
        permuted = {side: [permutation[card] for card in hand] for side, hand in hands.items()}
        yield cast("Outcome", permuted)


def deal_samples(dealer: RoundDealer) -> list[Outcome]:
    """Return one deal of each combination, and some that form none."""
    return [dealer.deal(cards.split()) for cards in _SAMPLE_DEALS]


def deal_equal_ranks(dealer: RoundDealer, shifts: Sequence[int]) -> Iterator[Outcome]:
    """Yield deals with every pattern of equal ranks, the ranks moved by each of `shifts`."""
    for pattern in equality_patterns(MAX_ROUND_CARDS):
        for shift in shifts:
            cards = [
                RANKS[(kind + shift) % len(RANKS)] + SUITS[at % len(SUITS)]
                for at, kind in enumerate(pattern)
            ]
            yield dealer.deal(cards)


def equality_patterns(length: int) -> list[tuple[int, ...]]:
    """Return every pattern of equal ranks: in 0, 0, 1 the first two cards have the same rank."""
    patterns: list[tuple[int, ...]] = [()]
    for _ in range(length):
        patterns = [
            (*pattern, kind) for pattern in patterns for kind in range(max(pattern, default=-1) + 2)
        ]
    return patterns


def deal_single_ranks(dealer: RoundDealer, ranks: Sequence[str]) -> Iterator[Outcome]:
    """Yield deals of six cards of one rank in every mixture of suits, and of five in one colour."""
    for rank in ranks:
        for suits in combinations_with_replacement(SUITS, MAX_ROUND_CARDS):
            yield dealer.deal([rank + suit for suit in suits])
        for suit in SUITS:
            # The sixth card has the same suit and another rank.
            other = RANKS[RANKS.index(rank) - 1]
            yield dealer.deal([*[rank + suit] * (MAX_ROUND_CARDS - 1), other + suit])


def deal_straights(dealer: RoundDealer, *, all_orders: bool) -> Iterator[Outcome]:
    """Yield straights with the ace in every suit, and deals that miss one by a card."""
    orders = list(permutations(_STRAIGHT_RANKS))
    for at, ranks in enumerate(orders if all_orders else orders[::47]):
        # Some orders in every suit, or all orders with one suit each.
        for suit in SUITS[at % len(SUITS)] if all_orders else SUITS:
            for ace in SUITS:
                cards = [rank + (ace if rank == "A" else suit) for rank in ranks]
                yield dealer.deal([*cards, "4C"])
                # The last card of the straight is dealt sixth and does not count.
                yield dealer.deal([*cards[:-1], "4C", cards[-1]])
            for missing in range(len(ranks)):
                cards = [rank + suit for rank in ranks]
                other = SUITS[(SUITS.index(suit) + 1) % len(SUITS)]
                cards[missing] = ranks[missing] + other
                yield dealer.deal([*cards, "4C"])
                cards[missing] = "9" + suit
                yield dealer.deal([*cards, "4C"])
                # An ace of another suit, and one more card outside the suit of the other four.
                cards = [rank + (other if rank == "A" else suit) for rank in ranks]
                cards[missing] = ranks[missing] + SUITS[SUITS.index(suit) - 1]
                yield dealer.deal([*cards, "4C"])
