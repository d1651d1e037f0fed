"""Cases for a banker and seats: kinds of hands, lines of the order, tables.

Some bets lie at a seat, some beside such a bet, and some at no seat.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from selo.cases.case import comparison_case, settlement_case
from selo.cases.deals.sample_hands import (
    HAND_SIZE,
    hands_of_mixed_suits,
    hands_per_class,
    neighbour_pairs,
    next_dealable,
    one_hand_per_class,
    permute_suits,
)
from selo.cases.deals.table_deals import HouseDeals, deal_every_hand
from selo.cases.generate.hand_pairs import (
    comparison_chunks,
    shuffled_cross_pairs,
    shuffled_neighbours,
)
from selo.cases.group import (
    CaseChunk,
    Group,
    cases_per_outcome,
    chain_chunks,
    invalid_choices,
    list_spots,
    with_distinct_stakes,
    with_every_stake,
)
from selo.rules.equipment.pack_and_dice import PACK
from selo.rules.settlement import Game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases.case import Case
    from selo.cases.deals.sample_hands import Hand
    from selo.cases.deals.table_deals import HouseFamily
    from selo.cases.group import GeneratorSetting
    from selo.table_values import Bet, Options, Outcome, Spot, TableOptions

#: Seats that may be occupied at once in a case.
_SEATS: Final = ("1", "2", "3", "4", "5", "6", "7")
_MAX_BETS: Final = 5
#: The number of hands that may represent each line of the order.
_HANDS_PER_LINE: Final = 8


def list_groups(setting: GeneratorSetting) -> Iterator[Group]:
    """Yield the groups of cases of a game with a banker and seats."""
    if not isinstance(setting.rules, Game):
        return
    generator = _BankerAndSeatsCases(setting, setting.rules)
    if "compare" in setting.offered.methods:
        yield from generator.comparisons()
    if "settle" in setting.offered.methods and setting.bets():
        yield from generator.settlements()


class _BankerAndSeatsCases:
    def __init__(self, setting: GeneratorSetting, game: Game) -> None:
        self._setting, self._game, self._name = setting, game, setting.game
        self._lines = one_hand_per_class(game)
        self._bets = setting.bets()
        seated = [rules for rules in self._bets.values() if rules.place is not None]
        self._mains = [rules.name for rules in seated if not rules.needs]
        self._beside = [rules.name for rules in seated if rules.needs]
        #: The seats shuffled by the seed: most groups use the first.
        self._seats = setting.shuffle_by_seed("seats", _SEATS)
        self._stake = setting.stake()
        self._spots = [self._place_spot(spot, self._seats[0]) for spot in list_spots(setting)]
        self._all_bets = with_distinct_stakes([self._stake], self._spots)
        # Where no number of packs is authorised, only one pack may be used.
        packs = setting.offered.values("packs")
        self._usual_options = {"packs": max(packs)} if packs else {}

    def _place_spot(self, spot: Spot, seat: str) -> Spot:
        place = self._bets[spot["bet"]].place
        return spot if place is None else cast("Spot", {**spot, place: seat})

    def _lies_at_seat(self, bet: Bet) -> bool:
        return self._bets[bet["bet"]].place is not None

    def comparisons(self) -> Iterator[Group]:
        yield Group(
            name="lines-compared",
            budget="quick",
            cases=self._comparison_cases(self._lines, self._lines, "lines-compared"),
        )
        yield Group(
            name="kinds-compared",
            budget="standard",
            cases=self._comparison_cases(hands_of_mixed_suits(), self._lines, "kinds-compared"),
        )
        yield Group(
            name="hands-compared",
            budget="full",
            cases=chain_chunks(self._hands_compared),
            chunks=self._hands_compared,
        )

    def _comparison_cases(self, hands: Sequence[Hand], others: Sequence[Hand], group: str) -> Any:
        def cases() -> Iterator[Case]:
            for hand, other in shuffled_cross_pairs(self._setting, group, hands, others):
                yield comparison_case(self._name, group, hand, other)

        return cases

    def _hands_compared(self) -> Iterator[CaseChunk]:
        return comparison_chunks(self._setting, "hands-compared", self._lines)

    def _rank_of(self, hand: Hand) -> tuple[int, ...]:
        return () if self._game.order is None else self._game.order(sorted(hand))

    def settlements(self) -> Iterator[Group]:
        yield Group(name="kinds-of-banker", budget="quick", cases=self._kinds_of_banker)
        yield Group(name="two-lines", budget="quick", cases=self._two_lines)
        yield Group(
            name="every-line-at-every-seat", budget="quick", cases=self._every_line_at_every_seat
        )
        yield Group(name="stakes", budget="quick", cases=self._stakes)
        yield Group(name="whose-stake", budget="quick", cases=self._whose_stake)
        if self._options()[1:]:
            yield Group(name="options", budget="quick", cases=self._option_cases)
        yield Group(name="kinds-against-lines", budget="standard", cases=self._kinds_against_lines)
        if self._mains:
            yield Group(
                name="every-banker",
                budget="full",
                cases=chain_chunks(self._every_banker),
                chunks=self._every_banker,
            )
            yield Group(name="every-seat", budget="full", cases=self._every_seat)
        yield Group(name="at-random", budget="quick", cases=self._at_random, endless=True)

    def _case(self, group: str, banker: Hand, seat: Hand, bets: list[Bet]) -> Case:
        outcome: Outcome = {"banker": banker, "seats": {self._seats[0]: seat}}
        return settlement_case(self._name, group, outcome, bets, self._usual_options)

    def _kinds_of_banker(self) -> Iterator[Case]:
        group = "kinds-of-banker"
        bankers = self._setting.shuffle_by_seed(group, hands_of_mixed_suits())
        pairs = (
            (banker, next_dealable(banker, self._lines, at)) for at, banker in enumerate(bankers)
        )
        for banker, seat in permute_suits(pairs, self._setting.chance(f"{group}/suits")):
            yield self._case(group, banker, seat, self._all_bets)

    def _two_lines(self) -> Iterator[Case]:
        for banker, seat in shuffled_cross_pairs(
            self._setting, "two-lines", self._lines, self._lines
        ):
            yield self._case("two-lines", banker, seat, self._all_bets)

    def _every_line_at_every_seat(self) -> Iterator[Case]:
        group, order = "every-line-at-every-seat", self._rank_of
        for at in self._seats:
            laid = [self._place_spot(spot, at) for spot in list_spots(self._setting)]
            bets = with_distinct_stakes(
                [self._stake], [bet for bet in laid if at in bet.values()] or laid
            )
            for banker, seat in shuffled_neighbours(self._setting, f"{group}/{at}", self._lines):
                # Ranks are numbered from the highest hand down.
                if order(seat) <= order(banker):
                    outcome: Outcome = {"banker": banker, "seats": {at: seat}}
                    yield settlement_case(self._name, group, outcome, bets, self._usual_options)

    def _stakes(self) -> Iterator[Case]:
        pairs = shuffled_neighbours(self._setting, "stakes", self._lines)
        for at, stake in enumerate(self._setting.all_stakes("stakes")):
            bets: list[Bet] = [{**spot, "stake": stake} for spot in self._spots]
            for banker, seat in pairs[at % 2 :: 2]:
                yield self._case("stakes", banker, seat, bets)

    def _whose_stake(self) -> Iterator[Case]:
        """Yield bets with and without the bet they need, by the seat's player and by others."""
        mains = [bet for bet in self._all_bets if bet["bet"] in self._mains]
        ties = [bet for bet in self._all_bets if bet["bet"] in self._beside]
        sides = [bet for bet in self._all_bets if not self._lies_at_seat(bet)]
        here, other, nobody = self._seats[:3]
        others: list[Bet] = [{**bet, "seat": other} for bet in mains]
        unplaced: list[Bet] = [
            {"bet": name, "choice": choice, "stake": self._stake}
            for name, rules in self._bets.items()
            for choice in invalid_choices(rules)
        ]
        wrong = [cast("Bet", self._place_spot(bet, here)) for bet in unplaced]
        nowhere: list[Bet] = [{**bet, "seat": nobody} for bet in (*mains, *ties)]
        unpaid: list[Bet] = [{**bet, "stake": 0} for bet in self._all_bets]
        tables: list[list[Bet]] = [
            ties, [*others, *ties], [*ties, *mains], sides, [*others, *sides], wrong, nowhere,
            [*mains, *unpaid],
        ]  # fmt: skip
        for at, (banker, seat) in enumerate(list(neighbour_pairs(self._lines))[::3]):
            third = next_dealable([*banker, *seat], self._lines, at)
            outcome: Outcome = {"banker": banker, "seats": {here: seat, other: third}}
            for table in tables:
                for whose in (None, here, other):
                    bets: list[Bet] = (
                        table if whose is None else [{**bet, "bettor": whose} for bet in table]
                    )
                    if bets:
                        yield settlement_case(
                            self._name, "whose-stake", outcome, bets, self._usual_options
                        )

    def _options(self) -> list[Options]:
        """Return the options of tables, varied one at a time, starting with the usual ones."""
        offered = self._setting.offered
        packs = [{"packs": value} for value in offered.values("packs")]
        usual, commissions = self._usual_options, offered.values("commission")
        return [usual, *packs, *({**usual, "commission": value} for value in commissions)]

    def _option_cases(self) -> Iterator[Case]:
        here, other = self._seats[:2]
        pairs = shuffled_neighbours(self._setting, "options", self._lines)
        for options in self._options():
            for banker, seat in pairs:
                outcome: Outcome = {"banker": banker, "seats": {here: seat}}
                if _packs_of(options) > 1:
                    # Two packs can deal the same hand twice.
                    outcome = {"banker": banker, "seats": {here: seat, other: banker}}
                yield settlement_case(self._name, "options", outcome, self._all_bets, options)

    def _kinds_against_lines(self) -> Iterator[Case]:
        # Other groups try bets on the banker alone with every kind.
        bets = [bet for bet in self._all_bets if self._lies_at_seat(bet)] or self._all_bets
        for hand, other in shuffled_cross_pairs(
            self._setting, "kinds-against-lines", hands_of_mixed_suits(), self._lines
        ):
            yield self._case("kinds-against-lines", hand, other, bets)
            yield self._case("kinds-against-lines", other, hand, bets)

    def _every_banker(self) -> Iterator[CaseChunk]:
        """Yield every hand at the banker, with side bets once and ties on adjacent lines."""
        lines = {self._rank_of(hand): line for line, hand in enumerate(self._lines)}
        sides = [bet for bet in self._all_bets if not self._lies_at_seat(bet)]
        lists: dict[Any, list[Bet]] = {}
        chance = self._setting.chance("every-banker")
        houses = HouseDeals(
            hands_per_class(self._game, self._lines, _HANDS_PER_LINE), len(_SEATS), chance
        )
        for family in houses.families():
            line = lines[self._rank_of(family.representative)]
            laid = []
            for number, (_, numbers) in enumerate(family.tables):
                ties = tuple([abs(line - number) <= 1 for number in numbers])
                key = (ties, number > 0)
                if key not in lists:
                    lists[key] = self._bets_at_seats(ties, [] if number else sides)
                laid.append(lists[key])
            bets = len(family.images) * sum(map(len, laid))
            yield CaseChunk(family.size, bets, partial(self._cases_of_family, houses, family, laid))

    def _cases_of_family(
        self, houses: HouseDeals, family: HouseFamily, laid: list[list[Bet]]
    ) -> Iterator[Case]:
        for index, banker in family.images:
            for (hands, _), bets in zip(family.tables, laid, strict=True):
                images = houses.permute_suits(index, hands)
                yield self._table_case("every-banker", banker, images, bets)

    def _every_seat(self) -> Iterator[Case]:
        lists = [self._bets_at_seats((False,) * count) for count in range(len(_SEATS) + 1)]
        chance = self._setting.chance("every-seat")
        for table in deal_every_hand(
            hands_per_class(self._game, self._lines, _HANDS_PER_LINE), len(_SEATS), chance
        ):
            bets = lists[len(table.hands)]
            yield self._table_case("every-seat", table.house, table.hands, bets)

    def _bets_at_seats(self, ties: Sequence[bool], sides: Sequence[Bet] = ()) -> list[Bet]:
        """Return a main bet at each seat, a tie bet at those with `ties`, and the side bets."""
        laid = [
            self._place_spot({"bet": name}, seat)
            for seat, has_tie in zip(self._seats, ties, strict=False)
            for name in [*self._mains, *(self._beside if has_tie else ())]
        ]
        return [*with_distinct_stakes([self._stake], laid), *sides]

    def _table_case(self, group: str, banker: Hand, hands: Sequence[Hand], bets: list[Bet]) -> Case:
        outcome: Outcome = {"banker": banker, "seats": dict(zip(self._seats, hands, strict=False))}
        return settlement_case(self._name, group, outcome, bets, self._usual_options)

    def _at_random(self) -> Iterator[Case]:
        chance = self._setting.chance("at-random")
        stakes = self._setting.stakes(chance)
        options = self._options()
        pools = {
            seat: with_every_stake(
                stakes, [self._place_spot(spot, seat) for spot in list_spots(self._setting)]
            )
            for seat in _SEATS
        }
        for case_count in cases_per_outcome():
            used = chance.choice(options)
            count = min(chance.randint(1, len(_SEATS)), chance.randint(1, len(_SEATS)))
            dealt = chance.sample(PACK * _packs_of(used), HAND_SIZE * (count + 1))
            occupied = chance.sample(_SEATS, count)
            seats = {
                occupied[at]: dealt[HAND_SIZE * at : HAND_SIZE * (at + 1)] for at in range(count)
            }
            outcome: Outcome = {"banker": dealt[HAND_SIZE * count :], "seats": seats}
            for _ in range(case_count):
                pool = pools[chance.choice(occupied)]
                bets = chance.choices(pool, k=chance.randint(1, _MAX_BETS))
                yield settlement_case(self._name, "at-random", outcome, bets, used)


def _packs_of(options: Options) -> int:
    return cast("TableOptions", options).get("packs", 1)
