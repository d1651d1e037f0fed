"""Caches the settlements of lists of bets that many cases share, by equivalence class of outcome.

1. An outcome belongs to an equivalence class (`equivalence`): outcomes that no condition of the
   bets in a list can tell apart are in the same class.
2. Where hands lie at places, the settlement of the bets at one place depends on the classes of the
   hand there and of the house's hand, and on which of the two ranks higher. The influence of the
   other bets in the list is the same in every case.
3. Everywhere else the whole list is cached under the class of the outcome and the table's options.
4. For a new class the rules settle the whole case, and the result is cached.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Protocol

from selo.rules.equipment.kits import Duel, with_options
from selo.rules.settlement import EquivalenceClasses
from selo.rules.settlement.neighbouring_bets import BetList, meets_need, neighbours_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from selo.cases.case import Case
    from selo.protocol.messages import Settlement
    from selo.rules.settlement import Game
    from selo.table_values import Bet, Options, Outcome

    Bets = list[Bet]
    #: Settles the bets of a case by the rules.
    SettleCase = Callable[[Case], list[Settlement]]

#: Plans have fewer lists of bets.
_MAX_BET_LISTS: Final = 256
_MAX_OUTCOMES: Final = 10_000
#: There are 22,100 hands of three cards, in two roles.
_MAX_HANDS: Final = 50_000
_MAX_OPTIONS: Final = 64
#: Larger than the number of classes of hands.
_MAX_HAND_CLASSES: Final = 1 << 24


class SettlementCache:
    """Caches the expected settlements of recurring lists of bets of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        #: Whether each bet is settled independently of the options of the table.
        self._settles_bets_apart = not game.at_table
        self._lists: dict[int, _BetList] = {}
        #: Settlements of bets at a place, by everything about the bets that is not the outcome.
        self._place_settlements: dict[Hashable, dict[int, list[Settlement]]] = {}
        self._outcome_classes: dict[frozenset[str], _OutcomeClasses] = {}
        self._hands: dict[frozenset[str], _HandClasses] = {}

    def expected(self, case: Case, settle: SettleCase) -> list[Settlement] | None:
        """Return the expected settlements, or None for a list of bets seen for the first time."""
        listed = self._lists.get(id(case.bets))
        if listed is None:
            if len(self._lists) >= _MAX_BET_LISTS:
                # Evict the oldest: plans use one list after the other.
                del self._lists[next(iter(self._lists))]
            self._lists[id(case.bets)] = _BetList(case.bets)
            return None
        return listed.expected(case, settle, self)

    def remember(self, case: Case, settlements: Sequence[Settlement]) -> None:
        """Cache a vendor's wording of settlements that were found right."""
        listed = self._lists.get(id(case.bets))
        if listed is not None:
            listed.remember(settlements)

    def make_memory(self, bets: Bets) -> _SettlementMemory | None:
        """Return a memory for a list of bets, or None if the list cannot be cached."""
        if self._game.find_refusals(bets):
            # Which bets are accepted depends on the whole list.
            return None
        if isinstance(self._game.kit, Duel):
            is_cacheable = self._settles_bets_apart and all(map(self._is_regular, bets))
            return _PlaceMemory(bets, self, self._game.kit) if is_cacheable else None
        if any(self._game.kit.places.values()):
            # What lies at a place is no part of the class of a whole outcome.
            return None
        written: list[Any] = [bet.get("bet") for bet in bets]
        names = frozenset(name for name in written if isinstance(name, str))
        names &= frozenset(self._game.bets)
        sight = self._outcome_classes.get(names)
        if sight is None:
            sight = self._outcome_classes[names] = _OutcomeClasses(
                self._game, EquivalenceClasses(self._game, sorted(names))
            )
        # Only hands at places can be compared from their classes.
        return None if sight.compares else _JointMemory(sight)

    def settlements_at_place(self, bets: Sequence[Bet], laid: BetList) -> dict[int, Any]:
        """Return the cached settlements of bets at one place among the other bets laid."""
        return self._place_settlements.setdefault(
            tuple([self._bet_key(bet, laid) for bet in bets]), {}
        )

    def _bet_key(self, bet: Bet, laid: BetList) -> Hashable:
        rules = self._game.bets[bet["bet"]]
        place = None if rules.place is None else bet.get(rules.place)
        return (
            rules.name,
            bet["stake"],
            bet.get("choice"),
            tuple([meets_need(need, bet, laid) for need in rules.needs]),
            neighbours_of(rules, place, bet, laid),
        )

    def place_of(self, bet: Bet) -> Any:
        """Return the place of a bet, or None if it has none."""
        field = self._game.bets[bet["bet"]].place
        return None if field is None else bet.get(field)

    def _is_regular(self, bet: Bet) -> bool:
        """Return whether a bet is well formed and names no bettor."""
        name: Any = bet.get("bet")
        stake = bet.get("stake")
        rules = self._game.bets.get(name) if isinstance(name, str) else None
        return rules is not None and type(stake) is int and stake > 0 and "bettor" not in bet

    def hand_classes(self, kit: Duel) -> _HandClasses:
        """Return the classes of hands, shared by all bets of the game."""
        names = frozenset(self._game.bets)
        if names not in self._hands:
            self._hands[names] = _HandClasses(
                self._game, kit, EquivalenceClasses(self._game, sorted(names))
            )
        return self._hands[names]


class _SettlementMemory(Protocol):
    """Caches the settlements of one list of bets."""

    def expected(self, case: Case, settle: SettleCase) -> list[Settlement]:
        """Return the expected settlements of a case."""

    def remember(self, settlements: Sequence[Settlement]) -> None:
        """Replace the settlements cached for the previous case."""


class _BetList:
    """A list of bets seen before, whose memory is made on its second use."""

    def __init__(self, bets: Bets) -> None:
        # A reference keeps the list alive, so that its id stays unique.
        self._bets = bets
        self._ready = False
        self._memory: _SettlementMemory | None = None

    def expected(
        self, case: Case, settle: SettleCase, cache: SettlementCache
    ) -> list[Settlement] | None:
        if not self._ready:
            self._ready = True
            self._memory = cache.make_memory(self._bets)
        return None if self._memory is None else self._memory.expected(case, settle)

    def remember(self, settlements: Sequence[Settlement]) -> None:
        if self._memory is not None:
            self._memory.remember(settlements)


class _OutcomeClasses:
    """The equivalence classes of whole outcomes under the conditions of some bets."""

    def __init__(self, game: Game, equivalence: EquivalenceClasses) -> None:
        self._game, self._equivalence = game, equivalence
        self.compares = equivalence.compares
        self._at_table = game.at_table
        self._classes: dict[Hashable, Hashable] = {}

    def class_of(self, case: Case) -> Hashable:
        """Return the class of a case's outcome."""
        outcome = with_options(case.options, case.outcome) if self._at_table else case.outcome
        raw = self._game.kit.memo_key(outcome)
        outcome_class = self._classes.get(raw)
        if outcome_class is None:
            if len(self._classes) >= _MAX_OUTCOMES:
                self._classes.clear()
            facts = self._game.kit.read(outcome, self._game.tables)
            outcome_class = self._classes[raw] = self._equivalence.classes_of(facts)
        return outcome_class


class _JointMemory:
    """Caches all bets of a list together, by the class of the outcome and the table's options."""

    def __init__(self, classes: _OutcomeClasses) -> None:
        self._classes = classes
        #: The options of tables by id; the references keep the ids unique.
        self._options: dict[int, Options] = {}
        self._settlements: dict[Hashable, list[Settlement]] = {}
        self._last_key: Hashable = None

    def expected(self, case: Case, settle: SettleCase) -> list[Settlement]:
        key = self._last_key = (self._options_key(case.options), self._classes.class_of(case))
        settlements = self._settlements.get(key)
        if settlements is None:
            if len(self._settlements) >= _MAX_OUTCOMES:
                self._settlements.clear()
            settlements = self._settlements[key] = settle(case)
        return settlements

    def remember(self, settlements: Sequence[Settlement]) -> None:
        if self._last_key is not None:
            self._settlements[self._last_key] = list(settlements)

    def _options_key(self, options: Options) -> int:
        """Return the id of a table's options, or 0 for none."""
        if not options:
            return 0
        if id(options) not in self._options:
            if len(self._options) >= _MAX_OPTIONS:
                self._options.clear()
                self._settlements.clear()
            self._options[id(options)] = options
        return id(options)


class _HandClasses:
    """The equivalence classes of hands at places and of the house's hand."""

    def __init__(self, game: Game, kit: Duel, equivalence: EquivalenceClasses) -> None:
        self._game, self.kit, self._equivalence = game, kit, equivalence
        self.compares = equivalence.compares
        #: The class of each hand, and its place in the order of hands.
        self.houses: dict[Hashable, tuple[int, Any]] = {}
        self.hands: dict[Hashable, tuple[int, Any]] = {}
        self._class_numbers: dict[Hashable, int] = {}

    def classify(self, outcome: Outcome) -> None:
        """Classify the new hands of an outcome."""
        if len(self.houses) + len(self.hands) >= _MAX_HANDS:
            self.houses.clear()
            self.hands.clear()
        kit = self.kit
        house, seats = kit.split_hands(outcome)
        besides = kit.table_state(outcome)
        new = {name: hand for name, hand in seats.items() if tuple(hand) not in self.hands}
        # Hands classified before need not be read again, unless other hands matter to them.
        facts = kit.read(
            outcome if besides is True else kit.build_outcome(house, new), self._game.tables
        )
        key = (besides, *house)
        if key not in self.houses:
            self.houses[key] = self._class_and_rank(facts, house)
        for name, hand in new.items():
            self.hands[tuple(hand)] = self._class_and_rank(
                kit.bind_place(facts, "", name) or {}, hand
            )

    def _class_and_rank(self, facts: Mapping[str, Any], hand: Sequence[str]) -> tuple[int, Any]:
        numbers = self._equivalence.classes_of(facts)
        hand_class = self._class_numbers.setdefault(numbers, len(self._class_numbers))
        return hand_class, self._equivalence.rank_of(sorted(hand)) if self.compares else None


class _PlaceMemory:
    """Caches the bets at each place by the classes of the hand there and of the house's hand."""

    def __init__(self, bets: Bets, cache: SettlementCache, kit: Duel) -> None:
        self._hands = cache.hand_classes(kit)
        laid = BetList(bets)
        #: For each run of bets at one place: the place, the cached settlements, and their number.
        self._places: list[Any] = []
        self._settlements: list[dict[int, list[Settlement]]] = []
        self._sizes: list[int] = []
        for place, run in groupby(bets, cache.place_of):
            bets_there = list(run)
            self._places.append(place)
            self._settlements.append(cache.settlements_at_place(bets_there, laid))
            self._sizes.append(len(bets_there))
        self._bet_count = len(bets)
        #: The keys of the previous case, one for each place.
        self._last_keys: list[int] = []

    def expected(self, case: Case, settle: SettleCase) -> list[Settlement]:
        try:
            keys = self._keys(case.outcome)
        except KeyError:
            self._hands.classify(case.outcome)
            keys = self._keys(case.outcome)
        self._last_keys = keys
        settlements: list[Settlement] = []
        try:
            for cached, key in zip(self._settlements, keys, strict=True):
                settlements += cached[key]
        except KeyError:
            settlements = settle(case)
            self.remember(settlements)
        return settlements

    def remember(self, settlements: Sequence[Settlement]) -> None:
        if len(settlements) != self._bet_count:
            return
        start = 0
        for cached, key, size in zip(self._settlements, self._last_keys, self._sizes, strict=True):
            cached[key] = list(settlements[start : start + size])
            start += size

    def _keys(self, outcome: Outcome) -> list[int]:
        """Return the cache key of each place.

        A key encodes the class of the house's hand, the class of the hand at the place, and which
        of the two ranks higher; a place without a hand has a negative key.
        """
        classes = self._hands
        house, seats = classes.kit.split_hands(outcome)
        house_class, house_rank = classes.houses[classes.kit.table_state(outcome), *house]
        base, hands = house_class * _MAX_HAND_CLASSES, classes.hands
        keys: list[int] = []
        for place in self._places:
            hand = seats.get(place)
            if hand is None:
                keys.append(-1 - house_class)
                continue
            hand_class, rank = hands[tuple(hand)]
            # Not comparable, equal, lower or higher.
            if rank is None or house_rank is None:
                keys.append(base + 4 * hand_class)
            elif rank == house_rank:
                keys.append(base + 4 * hand_class + 1)
            else:
                keys.append(base + 4 * hand_class + 2 + (rank < house_rank))
        return keys
