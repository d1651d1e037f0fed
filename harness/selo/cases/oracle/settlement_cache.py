"""What is expected of lists of bets that many cases share, worked out once for all that is alike.

1. What is shown in a case has a number (`equivalence`): what is alike to every condition of
   the bets of a list has the same one.
2. Where hands lie at places, what becomes of the bets at one place depends on the numbers of the
   hand there and of the house's, and on which of the two stands higher. What the other bets of the
   list mean to a bet is the same in every case.
3. Everywhere else all bets see the same, and are remembered together with the options of the table.
4. Where a number is new, the whole case is settled by the rules, and what comes out is remembered.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Protocol

from selo.rules.equipment import at_table
from selo.rules.equipment.kits import Duel
from selo.rules.settlement import Sameness
from selo.rules.settlement.joint_settlement import TableGame
from selo.rules.settlement.neighbouring_bets import Laid, around, beside

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from selo.cases.case import Case
    from selo.protocol.messages import Settlement
    from selo.rules.settlement.game import Game

    Bets = list[dict[str, Any]]
    #: What becomes of the bets of a case, by the rules themselves.
    SettleCase = Callable[[Case], list[Settlement]]

#: So many lists of bets are remembered; plans have fewer.
_MAX_BET_LISTS: Final = 256
#: So many outcomes, and so many hands. There are 22,100 hands of three cards, in two roles.
_MAX_OUTCOMES: Final = 10_000
_MAX_HANDS: Final = 50_000
_MAX_OPTIONS: Final = 64
#: More kinds of hands than there are.
_MAX_HAND_CLASSES: Final = 1 << 24


class SettlementCache:
    """What one game expects of lists of bets that come again."""

    def __init__(self, game: Game) -> None:
        self._game = game
        #: Whether each bet is settled by itself, whatever the options of the table.
        self._one_by_one = not isinstance(game, TableGame)
        self._lists: dict[int, _BetList] = {}
        #: What is remembered of bets at a place, by everything about them that is not shown.
        self._bets: dict[Hashable, dict[int, list[Settlement]]] = {}
        self._sights: dict[frozenset[str], _OutcomeClasses] = {}
        self._hands: dict[frozenset[str], _HandClasses] = {}

    def expected(self, case: Case, settles: SettleCase) -> list[Settlement] | None:
        """Return what is expected, or nothing for a list of bets that has not come before."""
        listed = self._lists.get(id(case.bets))
        if listed is None:
            if len(self._lists) >= _MAX_BET_LISTS:
                # The oldest goes: plans take one list after the other.
                del self._lists[next(iter(self._lists))]
            self._lists[id(case.bets)] = _BetList(case.bets)
            return None
        return listed.expected(case, settles, self)

    def remember(self, case: Case, settlements: Sequence[Settlement]) -> None:
        """Remember how a vendor says what was found to be right, to know it again at once."""
        listed = self._lists.get(id(case.bets))
        if listed is not None:
            listed.remember(settlements)

    def memory(self, bets: Bets) -> _SettlementMemory | None:
        """Return what remembers a list of bets; nothing if it cannot be known in advance."""
        if isinstance(self._game.kit, Duel):
            able = self._one_by_one and all(map(self._is_regular, bets))
            return _PlaceMemory(bets, self, self._game.kit) if able else None
        names = frozenset(
            name for bet in bets if isinstance(name := bet.get("bet"), str)
        ) & frozenset(self._game.bets)
        sight = self._sights.get(names)
        if sight is None:
            sight = self._sights[names] = _OutcomeClasses(
                self._game, Sameness(self._game, sorted(names))
            )
        # Hands are compared with each other only where they lie at places.
        return None if sight.compares else _JointMemory(sight)

    def settlements_at_place(self, bets: Sequence[Mapping[str, Any]], laid: Laid) -> dict[int, Any]:
        """Return what is remembered of bets at one place that lie so among others."""
        return self._bets.setdefault(tuple([self._bet_key(bet, laid) for bet in bets]), {})

    def _bet_key(self, bet: Mapping[str, Any], laid: Laid) -> Hashable:
        rules = self._game.bets[bet["bet"]]
        place = None if rules.place is None else bet.get(rules.place)
        return (
            rules.name,
            bet["stake"],
            bet.get("choice"),
            tuple([beside(need, bet, laid) for need in rules.needs]),
            around(rules, place, bet, laid) if rules.asks_others else (),
        )

    def place(self, bet: Mapping[str, Any]) -> Any:
        """Return where a bet lies, if it lies anywhere."""
        field = self._game.bets[bet["bet"]].place
        return None if field is None else bet.get(field)

    def _is_regular(self, bet: Mapping[str, Any]) -> bool:
        """Return whether a bet is written as it should be: only such a one has rules."""
        name, stake = bet.get("bet"), bet.get("stake")
        rules = self._game.bets.get(name) if isinstance(name, str) else None
        return rules is not None and type(stake) is int and stake > 0 and "bettor" not in bet

    def hands(self, kit: Duel) -> _HandClasses:
        """Return what is known of hands: all bets of a game ask little of them, and share it."""
        names = frozenset(self._game.bets)
        if names not in self._hands:
            self._hands[names] = _HandClasses(self._game, kit, Sameness(self._game, sorted(names)))
        return self._hands[names]


class _SettlementMemory(Protocol):
    """What was expected of a list of bets before."""

    def expected(self, case: Case, settles: SettleCase) -> list[Settlement]:
        """Return what is expected of a case."""

    def remember(self, settlements: Sequence[Settlement]) -> None:
        """Remember what was right in the case that came last."""


class _BetList:
    """A list of bets that came before."""

    def __init__(self, bets: Bets) -> None:
        # Held, so that no other list takes its identity.
        self._bets = bets
        self._ready = False
        self._memory: _SettlementMemory | None = None

    def expected(
        self, case: Case, settles: SettleCase, alike: SettlementCache
    ) -> list[Settlement] | None:
        if not self._ready:
            self._ready = True
            self._memory = alike.memory(self._bets)
        return None if self._memory is None else self._memory.expected(case, settles)

    def remember(self, settlements: Sequence[Settlement]) -> None:
        if self._memory is not None:
            self._memory.remember(settlements)


class _OutcomeClasses:
    """An outcome that is looked at as a whole, by the conditions of some bets."""

    def __init__(self, game: Game, sameness: Sameness) -> None:
        self._game, self._sameness = game, sameness
        self.compares = sameness.compares
        self._at_table = isinstance(game, TableGame)
        self._known: dict[Hashable, Hashable] = {}

    def class_of(self, case: Case) -> Hashable:
        """Return the numbers of all that is shown."""
        outcome = at_table(case.options, case.outcome) if self._at_table else case.outcome
        raw = self._game.kit.raw(outcome)
        found = self._known.get(raw)
        if found is None:
            if len(self._known) >= _MAX_OUTCOMES:
                self._known.clear()
            facts = self._game.kit.read(outcome, self._game.tables)
            found = self._known[raw] = self._sameness.numbers(facts)
        return found


class _JointMemory:
    """Bets that all see the same: what becomes of them is remembered together."""

    def __init__(self, sight: _OutcomeClasses) -> None:
        self._sight = sight
        #: The options of tables, held so that no others take their identity.
        self._options: dict[int, Mapping[str, Any]] = {}
        self._known: dict[Hashable, list[Settlement]] = {}
        self._last: Hashable = None

    def expected(self, case: Case, settles: SettleCase) -> list[Settlement]:
        at = self._last = (self._options_key(case.options), self._sight.class_of(case))
        found = self._known.get(at)
        if found is None:
            if len(self._known) >= _MAX_OUTCOMES:
                self._known.clear()
            found = self._known[at] = settles(case)
        return found

    def remember(self, settlements: Sequence[Settlement]) -> None:
        if self._last is not None:
            self._known[self._last] = list(settlements)

    def _options_key(self, options: Mapping[str, Any]) -> int:
        """Return a number for the options of a table: none at all, or just these."""
        if not options:
            return 0
        if id(options) not in self._options:
            if len(self._options) >= _MAX_OPTIONS:
                self._options.clear()
                self._known.clear()
            self._options[id(options)] = options
        return id(options)


class _HandClasses:
    """Hands at places against one of the house, each known again by itself."""

    def __init__(self, game: Game, kit: Duel, sameness: Sameness) -> None:
        self._game, self.kit, self._sameness = game, kit, sameness
        self.compares = sameness.compares
        #: The number of what is seen of each hand, and where it stands in the order.
        self.houses: dict[Hashable, tuple[int, Any]] = {}
        self.hands: dict[Hashable, tuple[int, Any]] = {}
        self._kinds: dict[Hashable, int] = {}

    def classify(self, outcome: Mapping[str, Any]) -> None:
        """Take a closer look at an outcome with a hand that was not seen before."""
        if len(self.houses) + len(self.hands) >= _MAX_HANDS:
            self.houses.clear()
            self.hands.clear()
        kit = self.kit
        house, seats = kit.dealt(outcome)
        besides = kit.besides(outcome)
        new = {name: hand for name, hand in seats.items() if tuple(hand) not in self.hands}
        # What is known of the other hands already need not be read again, unless they matter.
        facts = kit.read(outcome if besides is True else kit.dealing(house, new), self._game.tables)
        at = (besides, *house)
        if at not in self.houses:
            self.houses[at] = self._class_and_rank(facts, house)
        for name, hand in new.items():
            self.hands[tuple(hand)] = self._class_and_rank(kit.bound(facts, "", name) or {}, hand)

    def _class_and_rank(self, facts: Mapping[str, Any], hand: Sequence[str]) -> tuple[int, Any]:
        numbers = self._sameness.numbers(facts)
        kind = self._kinds.setdefault(numbers, len(self._kinds))
        return kind, self._sameness.standing(sorted(hand)) if self.compares else None


class _PlaceMemory:
    """Bets at places, each place with a hand of its own."""

    def __init__(self, bets: Bets, alike: SettlementCache, kit: Duel) -> None:
        self._hands = alike.hands(kit)
        laid = Laid(bets)
        #: Bets that lie side by side at one place: the place, and what is remembered of them.
        self._places: list[Any] = []
        self._known: list[dict[int, list[Settlement]]] = []
        self._sizes: list[int] = []
        for place, some in groupby(bets, alike.place):
            there = list(some)
            self._places.append(place)
            self._known.append(alike.settlements_at_place(there, laid))
            self._sizes.append(len(there))
        self._count = len(bets)
        #: What bets at each place saw last.
        self._last: list[int] = []

    def expected(self, case: Case, settles: SettleCase) -> list[Settlement]:
        try:
            keys = self._keys(case.outcome)
        except KeyError:
            self._hands.classify(case.outcome)
            keys = self._keys(case.outcome)
        self._last = keys
        found: list[Settlement] = []
        try:
            for known, key in zip(self._known, keys, strict=True):
                found += known[key]
        except KeyError:
            found = settles(case)
            self.remember(found)
        return found

    def remember(self, settlements: Sequence[Settlement]) -> None:
        if len(settlements) != self._count:
            return
        at = 0
        for known, key, size in zip(self._known, self._last, self._sizes, strict=True):
            known[key] = list(settlements[at : at + size])
            at += size

    def _keys(self, outcome: Mapping[str, Any]) -> list[int]:
        """Return a number for what the bets at each place see.

        It tells the kind of the house's hand, the kind of the hand there, and which stands higher;
        nobody's hand has no kind.
        """
        of = self._hands
        house, seats = of.kit.dealt(outcome)
        common, other = of.houses[of.kit.besides(outcome), *house]
        base, hands = common * _MAX_HAND_CLASSES, of.hands
        found: list[int] = []
        for place in self._places:
            hand = seats.get(place)
            if hand is None:
                found.append(-1 - common)
                continue
            kind, one = hands[tuple(hand)]
            # Not to be compared, equal, lower or higher.
            if one is None or other is None:
                found.append(base + 4 * kind)
            elif one == other:
                found.append(base + 4 * kind + 1)
            else:
                found.append(base + 4 * kind + 2 + (one < other))
        return found
