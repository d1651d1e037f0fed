"""Lays every bet of a game on a table, so that all of them are taken where the law allows it.

A person sits at a place where the game has places, and is a bettor everywhere. In a game of throws
a bet is placed before the first throw before which it is taken, and an addition likewise.
"""

from __future__ import annotations

from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any, Final, cast

from selo.cases.deals.sample_hands import card_mask, deal_without
from selo.cases.group import list_spots
from selo.rules.equipment.kits import Duel
from selo.rules.settlement import ThrowingGame

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from random import Random

    from selo.cases.deals.sample_hands import Hand
    from selo.cases.group import GeneratorSetting
    from selo.table_values import Bet, Options, Outcome, Spot

#: Bettors in a game that has no places: as many as a table of cards has places.
_BETTORS: Final = ("1", "2", "3", "4", "5", "6", "7")
#: Divisible by the denominators of odds and commissions, so that no reading refuses it for the
#: fractions of its prize, and prizes of different odds differ.
WHOLE_STAKE: Final = 2_520
#: Throws up to which the moment of a bet is sought.
_MAX_MOMENTS: Final = 4
_BETTOR, _REFUSED, _LOSE = "bettor", "refused", "lose"


class BetLayout:
    """Lays and settles those bets of one game that its own groups lay."""

    def __init__(self, setting: GeneratorSetting, laid: Callable[[], Collection[str]]) -> None:
        self._setting, self._laid = setting, laid
        self._rules = setting.bets()
        self._game = setting.rules.without_reasons()
        self.throws = isinstance(setting.rules, ThrowingGame)
        kit = None if isinstance(setting.rules, ThrowingGame) else setting.rules.kit
        self.duel = kit if isinstance(kit, Duel) else None
        #: The addition that each bet allows.
        self._additions = {
            rules.added_to: name
            for name, rules in self._rules.items()
            if rules.added_to is not None
        }
        needed = [need.beside for rules in self._rules.values() for need in rules.needs]
        #: Bets that others need beside them.
        self._needed = frozenset[str]().union(*needed)
        self.has_additions = bool(self._additions)
        #: Whether a bettor must be named.
        self.names_bettors = any(rules.place == _BETTOR for rules in self._rules.values())
        #: Whether a rule asks which bets lie at the same place.
        self._asks_others = any(rules.asks_others for rules in self._rules.values())
        #: Bets whose settlement depends on the stake of another.
        self.dependent = frozenset(
            name
            for name, rules in self._rules.items()
            if rules.needs or rules.added_to is not None or rules.asks_others
        )

    @cached_property
    def _plain(self) -> list[Spot]:
        """The spots of bets that are not added to others."""
        names = {name for name in self._laid() if name in self._rules}
        return [
            spot
            for spot in list_spots(self._setting)
            if spot["bet"] in names and self._rules[spot["bet"]].added_to is None
        ]

    def settle(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> list[dict[str, Any]]:
        """Return the settlements of bets by the law."""
        return self._game.settle_plain(options, outcome, bets)

    def spot_of(self, bet: Bet) -> Spot:
        """Return what is bet on, without stake, place or moment."""
        choice = bet.get("choice")
        return {"bet": bet["bet"]} if choice is None else {"bet": bet["bet"], "choice": choice}

    def name_persons(self, outcomes: Sequence[Outcome]) -> list[str]:
        """Return the places at which hands lie in some of `outcomes`, or the bettors."""
        if self.duel is None:
            return list(_BETTORS)
        return sorted(
            {str(name) for outcome in outcomes for name in self.duel.split_hands(outcome)[1]}
        )

    def seat_first(self, outcome: Outcome, person: str) -> Outcome:
        """Return an outcome whose first hand at a place lies at the place of `person`."""
        if self.duel is None:
            return outcome
        house, hands = self.duel.split_hands(outcome)
        return self.duel.build_outcome(house, dict(zip([person], hands.values(), strict=False)))

    def deal_to(
        self, outcome: Outcome, persons: Sequence[str], hands: Sequence[Hand], chance: Random
    ) -> Outcome:
        """Return an outcome with a hand for each of `persons`, from one pack.

        The first has the first hand of `outcome`; the others have `hands` in suits that are left,
        in random order.
        """
        if self.duel is None:
            return outcome
        house, dealt = self.duel.split_hands(outcome)
        seats: dict[str, Hand] = dict(zip(persons[:1], dealt.values(), strict=False))
        taken = card_mask(house) | card_mask([card for hand in seats.values() for card in hand])
        order = chance.sample(hands, len(hands))
        for person in persons[1:]:
            for hand in order:
                image = deal_without(hand, taken)
                if image is not None:
                    seats[person] = image
                    taken |= card_mask(image)
                    order.remove(hand)
                    break
        return self.duel.build_outcome(house, seats)

    def lay(  # noqa: PLR0913 - each is a choice of its own
        self,
        outcome: Outcome,
        options: Options,
        person: str,
        stake: int,
        *,
        named: bool = False,
        with_additions: bool = True,
    ) -> list[Bet]:
        """Return every bet of a person; in a game of throws those that are taken at some moment."""
        bets = [
            cast("Bet", {**self._place(spot, person, named=named), "stake": WHOLE_STAKE})
            for spot in self._plain
        ]
        if not self.throws:
            return _restake(bets, stake)
        placed = self._placed_in_time(outcome, options, bets)
        added = self._added_in_time(outcome, placed) if with_additions else ()
        return _restake([*placed, *added], stake)

    def lay_at(
        self, outcome: Outcome, person: str, stake: int, moments: Iterable[int]
    ) -> list[Bet]:
        """Return every bet that is taken at some of these moments, with an addition to each."""
        bets: list[Bet] = [
            {**self._place(spot, person, named=False), "stake": WHOLE_STAKE, "at": at}
            for at in moments
            for spot in self._plain
        ]
        results = self.settle({}, outcome, bets)
        taken = [bet for bet, one in zip(bets, results, strict=True) if one["result"] != _REFUSED]
        return _restake([*taken, *self._added_in_time(outcome, taken)], stake)

    def may_need(self, bet: Bet, other: Bet) -> bool:
        """Return whether the settlement of a bet may depend on another bet."""
        rules = self._rules[bet["bet"]]
        return rules.asks_others or any(other["bet"] in need.beside for need in rules.needs)

    def find_winners(self, outcome: Outcome, options: Options, bets: Sequence[Bet]) -> list[int]:
        """Return the indices of the bets that do not lose."""
        settled = self.settle(options, outcome, bets)
        return [at for at, one in enumerate(settled) if one["result"] != _LOSE]

    def keep_winners(self, outcome: Outcome, options: Options, bets: Sequence[Bet]) -> list[Bet]:
        """Return the bets that do not lose, and those that others need beside them.

        Where a rule asks which bets lie at a place, all are kept.
        """
        if self._asks_others:
            return list(bets)
        winners = self.find_winners(outcome, options, bets)
        bases = [bets[at]["to"] for at in winners if "to" in bets[at]]
        needed = [at for at, bet in enumerate(bets) if bet["bet"] in self._needed]
        return reorder(bets, sorted({*winners, *bases, *needed}))

    def _place(self, spot: Spot, person: str, *, named: bool) -> Spot:
        place = self._rules[spot["bet"]].place
        placed: dict[str, Any] = {**spot}
        if place is not None:
            placed[place] = person
        if named or self.names_bettors:
            placed[_BETTOR] = person
        return cast("Spot", placed)

    def _placed_in_time(self, outcome: Outcome, options: Options, bets: Sequence[Bet]) -> list[Bet]:
        placed: list[Bet] = []
        left = list(bets)
        for at in range(min(len(outcome["throws"]), _MAX_MOMENTS)):
            tried: list[Bet] = [{**bet, "at": at} for bet in left]
            results = self.settle(options, outcome, tried)
            placed += [
                bet for bet, one in zip(tried, results, strict=True) if one["result"] != _REFUSED
            ]
            left = [
                bet for bet, one in zip(left, results, strict=True) if one["result"] == _REFUSED
            ]
        return placed

    def _added_in_time(self, outcome: Outcome, placed: Sequence[Bet]) -> Iterator[Bet]:
        """Yield an addition to each bet that allows one, at the first moment it is taken."""
        waiting = [to for to, base in enumerate(placed) if base["bet"] in self._additions]
        for later in range(1, len(outcome["throws"]) + 1):
            tried = [
                cast(
                    "Bet",
                    {
                        **placed[to],
                        "bet": self._additions[placed[to]["bet"]],
                        "at": placed[to]["at"] + later,
                        "to": to,
                    },
                )
                for to in waiting
            ]
            settled = self.settle({}, outcome, [*placed, *tried])[len(placed) :]
            taken = [one["result"] != _REFUSED for one in settled]
            yield from compress(tried, taken)
            waiting = [to for to, is_taken in zip(waiting, taken, strict=True) if not is_taken]
            if not waiting or later > _MAX_MOMENTS:
                return


def _restake(bets: Iterable[Bet], stake: int) -> list[Bet]:
    return [cast("Bet", {**bet, "stake": stake}) for bet in bets]


def reorder(bets: Sequence[Bet], order: Sequence[int]) -> list[Bet]:
    """Return bets in another order, some perhaps twice; additions come behind all the others.

    The addition to a bet that is there twice is added to the first of the two.
    """
    plain = [at for at in order if "to" not in bets[at]]
    added = [at for at in order if "to" in bets[at]]
    index = {at: new for new, at in reversed([*enumerate(plain)])}
    return [
        *[bets[at] for at in plain],
        *[cast("Bet", {**bets[at], "to": index[bets[at]["to"]]}) for at in added],
    ]


def join(bets: Sequence[Bet], more: Sequence[Bet]) -> list[Bet]:
    """Return two lists of bets as one."""
    shifted = [
        cast("Bet", {**bet, "to": bet["to"] + len(bets)}) if "to" in bet else bet for bet in more
    ]
    return [*bets, *shifted]
