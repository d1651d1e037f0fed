"""Cases for a croupier and places: boundaries, ways of betting, misdeals.

One bet may be raised by another one once the hand is seen; the others stand for themselves.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from selo.cases.case import comparison_case, settlement_case
from selo.cases.deals.sample_hands import (
    HAND_SIZE,
    line_ends,
    line_halves,
    one_hand_per_class,
)
from selo.cases.deals.table_deals import HouseDeals, deal_every_hand
from selo.cases.generate.hand_pairs import (
    comparison_chunks,
    shuffled_cross_pairs,
    shuffled_neighbours,
)
from selo.cases.group import CaseChunk, Group, cases_per_outcome, chain_chunks
from selo.cases.scope import CEILING
from selo.rules.equipment.pack_and_dice import PACK
from selo.rules.settlement import Game
from selo.rules.settlement.neighbouring_bets import find_raised
from selo.table_values import Bet, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases.case import Case
    from selo.cases.deals.sample_hands import Hand
    from selo.cases.deals.table_deals import HouseFamily
    from selo.cases.group import GeneratorSetting


#: Places that may be occupied at once in a case.
_PLACES: Final = ("1", "2", "3", "4", "5", "6", "7")
#: Numbers of cards that make a hand a misdeal.
_MISDEAL_SIZES: Final = (0, 1, 2, 4)
#: One random table in this many has a misdealt hand.
_TABLES_PER_MISDEAL: Final = 25
#: The number of hands that may represent each half of a line.
_HANDS_PER_HALF_LINE: Final = 12

Bets = list[Bet]


def list_groups(setting: GeneratorSetting) -> Iterator[Group]:
    """Yield the groups of cases of a game with a croupier and places."""
    if not isinstance(setting.rules, Game):
        return
    generator = _CroupierCases(setting, setting.rules)
    if "compare" in setting.offered.methods:
        yield from generator.comparisons()
    if "settle" in setting.offered.methods and generator.ways:
        yield from generator.settlements()


class _CroupierCases:
    def __init__(self, setting: GeneratorSetting, game: Game) -> None:
        self._setting, self._game, self._name = setting, game, setting.game
        self._classes = one_hand_per_class(game)
        self._ends = line_ends(game, self._classes)
        self._borders = line_ends(game, self._classes, depth=2)
        self._stake = setting.stake()
        #: The places shuffled by the seed: most groups use the first.
        self._places = setting.shuffle_by_seed("places", _PLACES)
        offered = setting.bets()
        raised = find_raised(game.bets)
        pairs = {name: base for name, base in raised.items() if {name, base} <= offered.keys()}
        self._raises = list(pairs)
        first = [name for name in offered if name in raised.values()]
        both = [name for name in offered if name in first or name in pairs]
        #: The bets that nothing raises.
        self._apart = [name for name in offered if name not in {*raised, *raised.values()}]
        #: The combinations of bets at one place: all, without what is not raised, and each alone.
        tables = ([*both, *self._apart], both, [*first, *self._apart], first, self._apart)
        self.ways: list[list[str]] = []
        for names in tables:
            if names and names not in self.ways:
                self.ways.append(names)

    def _bets(self, names: list[str], stake: int | None = None, place: str | None = None) -> Bets:
        laid, at = stake or self._stake, place or self._places[0]
        # What is raised must be equalled; the others need not.
        return [{"bet": name, "place": at, "stake": laid + (name in self._apart)} for name in names]

    def _case(
        self, group: str, croupier: Hand, hand: Hand, bets: Bets, place: str | None = None
    ) -> Case:
        outcome: Outcome = {"croupier": croupier, "places": {place or self._places[0]: hand}}
        return settlement_case(self._name, group, outcome, bets)

    def comparisons(self) -> Iterator[Group]:
        yield Group(name="neighbours-compared", budget="quick", cases=self._neighbours_compared)
        yield Group(name="kinds-compared", budget="standard", cases=self._kinds_compared)
        yield Group(
            name="hands-compared",
            budget="full",
            cases=chain_chunks(self._hands_compared),
            chunks=self._hands_compared,
        )

    def _neighbours_compared(self) -> Iterator[Case]:
        for hand, other in shuffled_neighbours(self._setting, "neighbours-compared", self._classes):
            yield comparison_case(self._name, "neighbours-compared", hand, other)

    def _kinds_compared(self) -> Iterator[Case]:
        for hand, other in shuffled_cross_pairs(
            self._setting, "kinds-compared", self._classes, self._ends
        ):
            yield comparison_case(self._name, "kinds-compared", hand, other)

    def _hands_compared(self) -> Iterator[CaseChunk]:
        return comparison_chunks(self._setting, "hands-compared", self._classes)

    def settlements(self) -> Iterator[Group]:
        yield Group(name="borders", budget="quick", cases=self._border_cases)
        yield Group(name="neighbours", budget="standard", cases=self._neighbours)
        yield Group(name="ways-of-betting", budget="quick", cases=self._ways_of_betting)
        yield Group(
            name="every-line-at-every-place", budget="quick", cases=self._every_line_at_every_place
        )
        yield Group(name="unlawful-bets", budget="quick", cases=self._unlawful_bets)
        yield Group(name="misdeals", budget="quick", cases=self._misdeals)
        yield Group(name="stakes", budget="quick", cases=self._stakes)
        if self._setting.offered.values(CEILING):
            yield Group(name="ceilings", budget="quick", cases=self._ceilings)
        yield Group(name="kinds", budget="standard", cases=self._kinds)
        yield Group(
            name="every-croupier",
            budget="full",
            cases=chain_chunks(self._every_croupier),
            chunks=self._every_croupier,
        )
        yield Group(name="every-place", budget="full", cases=self._every_place)
        yield Group(name="at-random", budget="quick", cases=self._at_random, endless=True)

    def _border_cases(self) -> Iterator[Case]:
        bets = self._bets(self.ways[0])
        for croupier, hand in shuffled_neighbours(self._setting, "borders", self._borders):
            yield self._case("borders", croupier, hand, bets)

    def _neighbours(self) -> Iterator[Case]:
        bets = self._bets(self.ways[0])
        for croupier, hand in shuffled_neighbours(self._setting, "neighbours", self._classes):
            yield self._case("neighbours", croupier, hand, bets)

    def _ways_of_betting(self) -> Iterator[Case]:
        for way in self.ways:
            bets = self._bets(way)
            for croupier, hand in shuffled_cross_pairs(
                self._setting, "ways-of-betting", self._ends, self._ends
            ):
                yield self._case("ways-of-betting", croupier, hand, bets)

    def _every_line_at_every_place(self) -> Iterator[Case]:
        group = "every-line-at-every-place"
        for place in self._places:
            bets = self._bets(self.ways[0], place=place)
            for croupier, hand in shuffled_neighbours(
                self._setting, f"{group}/{place}", self._ends
            ):
                yield self._case(group, croupier, hand, bets, place)

    def _unlawful_bets(self) -> Iterator[Case]:
        for table in self._unlawful_tables():
            for croupier, hand in shuffled_neighbours(self._setting, "unlawful-bets", self._ends):
                yield self._case("unlawful-bets", croupier, hand, table)

    def _unlawful_tables(self) -> Iterator[Bets]:
        everything = self._bets(self.ways[0])
        here, other = self._places[:2]
        yield [{**bet, "place": other} for bet in everything]
        yield [{**bet, "stake": 0} for bet in everything]
        for name in self._raises:
            raised: Bet = {"bet": name, "place": here, "stake": self._stake}
            yield [raised]
            yield [*self._bets([find_raised(self._game.bets)[name]]), {**raised, "place": other}]
            for stake in (self._stake - 1, self._stake + 1):
                yield [{**bet, "stake": stake} if bet["bet"] == name else bet for bet in everything]

    def _misdeals(self) -> Iterator[Case]:
        here, other = self._places[:2]
        chance = self._setting.chance("misdealt")
        for at, (croupier, hand) in enumerate(
            shuffled_neighbours(self._setting, "misdeals", self._ends)
        ):
            left = [card for card in PACK if card not in {*croupier, *hand}]
            chance.shuffle(left)
            bets = self._bets(self.ways[at % len(self.ways)])
            for count in _MISDEAL_SIZES:
                wrong = [*hand, *left][:count]
                yield self._case("misdeals", croupier, wrong, bets)
                wrong = [*croupier, *left][:count]
                yield self._case("misdeals", wrong, hand, bets)
            for name in self._raises:
                # An invalid bet is also refused in a void round.
                lone: Bets = [{"bet": name, "place": here, "stake": self._stake}]
                yield self._case("misdeals", croupier, [*hand, *left][: _MISDEAL_SIZES[0]], lone)
            # A misdeal at one place, and bets at another.
            places = {here: hand, other: left[: _MISDEAL_SIZES[at % len(_MISDEAL_SIZES)]]}
            yield settlement_case(
                self._name, "misdeals", {"croupier": croupier, "places": places},
                [*self._bets(self.ways[0]), *self._bets(self.ways[-1], place=other)],
            )  # fmt: skip

    def _stakes(self) -> Iterator[Case]:
        for stake in self._setting.all_stakes("stakes"):
            bets = self._bets(self.ways[0], stake)
            for croupier, hand in shuffled_neighbours(self._setting, f"stakes/{stake}", self._ends):
                yield self._case("stakes", croupier, hand, bets)

    def _ceilings(self) -> Iterator[Case]:
        bets = self._bets(self.ways[0])
        for value in self._setting.offered.values(CEILING):
            for croupier, hand in shuffled_neighbours(self._setting, "ceilings", self._ends):
                case = self._case("ceilings", croupier, hand, bets)
                yield settlement_case(
                    self._name, "ceilings", case.outcome, case.bets, {CEILING: value}
                )

    def _kinds(self) -> Iterator[Case]:
        bets = self._bets(self.ways[0])
        for hand, other in shuffled_cross_pairs(self._setting, "kinds", self._classes, self._ends):
            yield self._case("kinds", hand, other, bets)
            yield self._case("kinds", other, hand, bets)

    def _every_croupier(self) -> Iterator[CaseChunk]:
        """Yield tables at each place with the bets that may be raised, and what raises them.

        The others do not depend on the croupier's hand; `every-place` covers them.
        """
        laid = self._bets_by_place_count(self._names_against_croupier)
        chance = self._setting.chance("every-croupier")
        houses = HouseDeals(
            line_halves(self._game, self._classes, _HANDS_PER_HALF_LINE), len(_PLACES), chance
        )
        for family in houses.families():
            bets = sum(len(laid[len(hands)]) for hands, _ in family.tables)
            make = partial(self._cases_of_family, houses, family, laid)
            yield CaseChunk(family.size, len(family.images) * bets, make)

    def _cases_of_family(
        self, houses: HouseDeals, family: HouseFamily, laid: list[Bets]
    ) -> Iterator[Case]:
        for index, croupier in family.images:
            for hands, _ in family.tables:
                places = dict(zip(self._places, houses.permute_suits(index, hands), strict=False))
                outcome: Outcome = {"croupier": croupier, "places": places}
                yield settlement_case(self._name, "every-croupier", outcome, laid[len(places)])

    def _every_place(self) -> Iterator[Case]:
        everything, against = (
            self._bets_by_place_count(self.ways[0]),
            self._bets_by_place_count(self._names_against_croupier),
        )
        last: Sequence[Hand] = ()
        chance = self._setting.chance("every-place")
        for table in deal_every_hand(
            line_halves(self._game, self._classes, _HANDS_PER_HALF_LINE), len(_PLACES), chance
        ):
            laid = against if table.hands is last else everything
            last = table.hands
            places = dict(zip(self._places, table.hands, strict=False))
            outcome: Outcome = {"croupier": table.house, "places": places}
            yield settlement_case(self._name, "every-place", outcome, laid[len(places)])

    @property
    def _names_against_croupier(self) -> list[str]:
        """The names of the bets that depend on the croupier's hand."""
        return [name for name in self.ways[0] if name not in self._apart] or self.ways[0]

    def _bets_by_place_count(self, way: list[str]) -> list[Bets]:
        """Return the bets at no place, at the first place, at the first two, and so on."""
        lists: list[Bets] = [[]]
        for place in self._places:
            lists.append([*lists[-1], *self._bets(way, place=place)])
        return lists

    def _at_random(self) -> Iterator[Case]:
        chance = self._setting.chance("at-random")
        stakes = self._setting.stakes(chance)
        # Every combination of bets at each place, with every stake.
        laid = {
            place: [self._bets(way, stake, place) for way in self.ways for stake in stakes]
            for place in _PLACES
        }
        for case_count in cases_per_outcome():
            count = min(chance.randint(1, len(_PLACES)), chance.randint(1, len(_PLACES)))
            dealt = chance.sample(PACK, HAND_SIZE * (count + 1) + 1)
            hands = [dealt[HAND_SIZE * at : HAND_SIZE * (at + 1)] for at in range(count + 1)]
            if not chance.randrange(_TABLES_PER_MISDEAL):
                hands[0] = [*hands[0], dealt[-1]]
            places = dict(zip(chance.sample(_PLACES, count), hands[1:], strict=True))
            outcome: Outcome = {"croupier": hands[0], "places": places}
            for _ in range(case_count):
                bets = [bet for place in places for bet in chance.choice(laid[place])]
                yield settlement_case(self._name, "at-random", outcome, bets)
