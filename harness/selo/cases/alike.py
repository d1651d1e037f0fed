"""What is expected of lists of bets that many cases share, worked out once for all that is alike.

1. A list that comes again is looked at bet by bet: what the other bets of the list mean to it is
   the same in every case.
2. What is shown in a case has a number (`selo.rules.sameness`); what becomes of a bet depends on
   the numbers of what all bets see, and of what lies at its place.
3. Where a number is new, the whole case is settled by the rules, and what comes out is remembered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from selo.rules.around import Laid, around, beside
from selo.rules.kits import Duel
from selo.rules.player_and_banker import at_table
from selo.rules.sameness import Sameness
from selo.rules.together import TableGame

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from selo.cases.case import Case
    from selo.protocol.messages import Settlement
    from selo.rules.game import Game

    #: What becomes of the bets of a case, by the rules themselves.
    Settles = Callable[[Case], list[Settlement]]

#: So many lists of bets are remembered; plans have fewer.
_MOST_LISTS: Final = 256
_MOST_OUTCOMES: Final = 50_000


class Alike:
    """What one game expects of lists of bets that come again."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._lists: dict[int, _Listed] = {}
        #: What is remembered of bets, by everything about them that is not shown.
        self._bets: dict[Hashable, dict[Hashable, Settlement]] = {}
        self._samenesses: dict[frozenset[str], Sameness] = {}
        self._hands: dict[frozenset[str], _Hands] = {}

    def expected(self, case: Case, settles: Settles) -> list[Settlement] | None:
        """Return what is expected, or nothing for a list of bets that has not come before."""
        listed = self._lists.get(id(case.bets))
        if listed is None:
            if len(self._lists) >= _MOST_LISTS:
                # The oldest goes: plans take one list after the other.
                del self._lists[next(iter(self._lists))]
            self._lists[id(case.bets)] = _Listed(case.bets)
            return None
        return listed.expected(case, settles, self)

    def learnt(self, case: Case, settlements: Sequence[Settlement]) -> None:
        """Remember how a vendor says what was found to be right, to know it again at once."""
        listed = self._lists.get(id(case.bets))
        if listed is not None:
            listed.learnt(settlements)

    def names(self, bets: Sequence[Mapping[str, Any]]) -> frozenset[str]:
        """Return the bets whose conditions tell what is alike for a list of them."""
        if isinstance(self._game.kit, Duel):
            # Little is asked of a hand, and a hand that is known serves all lists.
            return frozenset(self._game.bets)
        return frozenset(bet["bet"] for bet in bets)

    def remembered(
        self, bet: Mapping[str, Any], bets: Laid, names: frozenset[str]
    ) -> dict[Hashable, Settlement]:
        """Return what is remembered of a bet that lies so among others."""
        rules = self._game.bets[bet["bet"]]
        place = None if rules.place is None else bet.get(rules.place)
        at = (
            names,
            rules.name,
            bet["stake"],
            bet.get("choice"),
            tuple(beside(need, bet, bets) for need in rules.needs),
            around(rules, place, bet, bets) if rules.asks_others else (),
        )
        return self._bets.setdefault(at, {})

    def places(self, bet: Mapping[str, Any]) -> tuple[str, Any] | None:
        """Return where a bet lies, if it lies anywhere."""
        field = self._game.bets[bet["bet"]].place
        return None if field is None else (field, bet.get(field))

    def able(self, bets: Sequence[Mapping[str, Any]]) -> bool:
        """Return whether each of these bets is settled by itself, and written as it should be."""
        game = self._game
        if isinstance(game, TableGame) and (
            game.excluding or game.on_the_sum or game.on_the_rest or type(game).settle_plain
            is not TableGame.settle_plain
        ):  # fmt: skip
            return False
        return all(map(self._by_itself, bets))

    def _by_itself(self, bet: Mapping[str, Any]) -> bool:
        name, stake = bet.get("bet"), bet.get("stake")
        rules = self._game.bets.get(name) if isinstance(name, str) else None
        if rules is None or type(stake) is not int or stake <= 0 or "bettor" in bet:
            return False
        return not any(prize.share is not None for prize in rules.prizes)

    def sight(self, names: frozenset[str], places: Sequence[tuple[str, Any]]) -> Sight | None:
        """Return what some bets at some places see; nothing if that is not known in advance."""
        game = self._game
        sameness = self._samenesses.get(names)
        if sameness is None:
            sameness = self._samenesses[names] = Sameness(game, sorted(names))
            if isinstance(game.kit, Duel):
                self._hands[names] = _Hands(game, game.kit, sameness)
        if names in self._hands:
            return _Dealt(self._hands[names], [value for _, value in places])
        # Hands are compared with each other only where they lie at places.
        return None if sameness.compares else _Whole(game, sameness, places)


class Sight(Protocol):
    """What bets see of a case: a number for each place, and a last one for none in particular."""

    def numbers(self, case: Case) -> list[Hashable]:
        """Return the numbers."""


class _Whole:
    """An outcome that is looked at as a whole."""

    def __init__(self, game: Game, sameness: Sameness, places: Sequence[tuple[str, Any]]) -> None:
        self._game, self._sameness, self._places = game, sameness, places
        self._at_table = isinstance(game, TableGame)
        self._known: dict[Hashable, list[Hashable]] = {}

    def numbers(self, case: Case) -> list[Hashable]:
        outcome = at_table(case.options, case.outcome) if self._at_table else case.outcome
        raw = self._game.kit.raw(outcome)
        found = self._known.get(raw)
        if found is None:
            if len(self._known) >= _MOST_OUTCOMES:
                self._known.clear()
            found = self._known[raw] = self._seen(outcome)
        return found

    def _seen(self, outcome: Mapping[str, Any]) -> list[Hashable]:
        facts = self._game.kit.read(outcome, self._game.tables)
        number, asked = self._sameness.number, self._sameness.names
        common = tuple([number(*one) for one in _of(asked, facts)])
        found: list[Hashable] = []
        for place in self._places:
            bound = self._game.kit.bound(facts, *place)
            there = () if bound is None else tuple(number(*one) for one in _of(asked, bound))
            found.append((common, None if bound is None else there))
        return [*found, common]


class _Hands:
    """Hands at places against one of the house, each known again by itself."""

    def __init__(self, game: Game, kit: Duel, sameness: Sameness) -> None:
        self._game, self.kit, self._sameness = game, kit, sameness
        self._compares = sameness.compares
        #: What is seen of each hand, and where it stands in the order.
        self.houses: dict[Hashable, tuple[Hashable, Any]] = {}
        self.hands: dict[Hashable, tuple[Hashable, Any]] = {}

    def seen(self, house: tuple[Hashable, Any], hand: tuple[Hashable, Any]) -> Hashable:
        """Return the number of what a bet sees at a place with this hand."""
        if not self._compares:
            return house[0], hand[0]
        one, other = hand[1], house[1]
        if one is None or other is None:
            return house[0], hand[0], None
        return house[0], hand[0], one < other, one == other

    def learn(self, outcome: Mapping[str, Any]) -> None:
        """Take a closer look at an outcome with a hand that was not seen before."""
        if len(self.houses) + len(self.hands) >= _MOST_OUTCOMES:
            self.houses.clear()
            self.hands.clear()
        kit, sameness = self.kit, self._sameness
        facts = kit.read(outcome, self._game.tables)
        house, seats = kit.dealt(outcome)
        at = (kit.besides(outcome), *house)
        if at not in self.houses:
            numbers = tuple([sameness.number(*one) for one in _of(sameness.names, facts)])
            self.houses[at] = (numbers, sameness.standing(sorted(house)))
        for name, hand in seats.items():
            if tuple(hand) not in self.hands:
                bound = kit.bound(facts, "", name) or {}
                numbers = tuple([sameness.number(*one) for one in _of(sameness.names, bound)])
                self.hands[tuple(hand)] = (numbers, sameness.standing(sorted(hand)))


class _Dealt:
    """What bets at some places see of dealt hands."""

    def __init__(self, hands: _Hands, places: Sequence[Any]) -> None:
        self._hands, self._places = hands, places

    def numbers(self, case: Case) -> list[Hashable]:
        try:
            return self._numbers(case.outcome)
        except KeyError:
            self._hands.learn(case.outcome)
            return self._numbers(case.outcome)

    def _numbers(self, outcome: Mapping[str, Any]) -> list[Hashable]:
        house, seats = self._hands.kit.dealt(outcome)
        common = self._hands.houses[self._hands.kit.besides(outcome), *house]
        hands, seen = self._hands.hands, self._hands.seen
        found: list[Hashable] = []
        for place in self._places:
            hand = seats.get(place)
            found.append(None if hand is None else seen(common, hands[tuple(hand)]))
        found.append(common[0])
        return found


def _of(asked: Iterable[str], facts: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((name, facts[name]) for name in asked if name in facts)


class _Listed:
    """A list of bets that came before."""

    def __init__(self, bets: list[dict[str, Any]]) -> None:
        # Held, so that no other list takes its identity.
        self._bets = bets
        self._ready = False
        self._able = False
        self._last: list[Hashable] = []

    def _prepare(self, alike: Alike) -> None:
        self._ready = True
        self._able = alike.able(self._bets)
        if not self._able:
            return
        names = alike.names(self._bets)
        laid = Laid(self._bets)
        self._known = [alike.remembered(bet, laid, names) for bet in self._bets]
        where = [alike.places(bet) for bet in self._bets]
        self._places = list(dict.fromkeys(place for place in where if place is not None))
        # The last number is for bets that lie nowhere in particular.
        self._at = [
            len(self._places) if place is None else self._places.index(place) for place in where
        ]
        sight = alike.sight(names, self._places)
        if sight is None:
            self._able = False
        else:
            self._sight = sight

    def expected(self, case: Case, settles: Settles, alike: Alike) -> list[Settlement] | None:
        if not self._ready:
            self._prepare(alike)
        if not self._able:
            return None
        numbers = self._sight.numbers(case)
        keys = self._last = [numbers[at] for at in self._at]
        try:
            return [known[key] for known, key in zip(self._known, keys, strict=True)]
        except KeyError:
            found = settles(case)
            self.learnt(found)
            return found

    def learnt(self, settlements: Sequence[Settlement]) -> None:
        if not self._able or len(settlements) != len(self._last):
            return
        for known, key, one in zip(self._known, self._last, settlements, strict=True):
            known[key] = one
