"""Cases for a player and a banker: ways to draw, commission, pairs and jackpots."""

from __future__ import annotations

from functools import cached_property
from itertools import cycle, product
from typing import TYPE_CHECKING, Any, Final

from selo.cases.case import settlement_case
from selo.cases.generate import jackpot_cases
from selo.cases.generate.round_dealer import MAX_ROUND_CARDS, RoundDealer
from selo.cases.group import (
    STAKE,
    Group,
    cases_per_outcome,
    list_spots,
    with_distinct_stakes,
    with_every_stake,
)
from selo.json_numbers import LARGEST_INTEGER
from selo.rules.clauses.jackpot_share import JACKPOT
from selo.rules.equipment.pack_and_dice import PACK, RANKS, SUITS
from selo.rules.settlement import Game
from selo.rules.settlement.jackpot import shares_jackpot
from selo.rules.settlement.settlement_models import COMMISSION
from selo.table_values import Bet, Options, Outcome, Spot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from selo.cases.case import Case
    from selo.cases.group import GeneratorSetting

Bets = list[Bet]
#: Packs from which rounds are drawn at random.
_PACKS: Final = 8
_BETTORS: Final = ("1", "2", "3")
_MAX_BETS: Final = 5
#: One random round in this many is dealt from few ranks, so that ranks repeat.
_ROUNDS_PER_FEW_RANKS: Final = 6


def list_groups(setting: GeneratorSetting) -> Iterator[Group]:
    """Yield the groups of cases of a game with a player and a banker."""
    if not isinstance(setting.rules, Game) or not setting.bets():
        return
    generator = _PlayerAndBankerCases(setting, setting.rules)
    if generator.spots:
        yield from generator.without_jackpot()
    if generator.modalities:
        yield from generator.with_jackpot()
    if generator.spots:
        yield Group(name="at-random", budget="quick", cases=generator.at_random, endless=True)


class _PlayerAndBankerCases:
    def __init__(self, setting: GeneratorSetting, game: Game) -> None:
        self._setting, self._game, self._name = setting, game, setting.game
        self._dealer = RoundDealer.from_law(setting.law)
        self._rules = setting.bets()
        #: The bets that share a jackpot.
        self._sharing = [name for name, rules in self._rules.items() if shares_jackpot(rules)]
        self.spots = [spot for spot in list_spots(setting) if spot["bet"] not in self._sharing]
        self._mains = [spot for spot in self.spots if not self._rules[spot["bet"]].needs]
        self._stake = setting.stake()
        self._all_bets = with_distinct_stakes([self._stake], self.spots)
        # Without an authorised regime none is named: the one that needs no permission applies.
        regimes = setting.offered.values(COMMISSION)
        self._regimes: list[Options] = [{COMMISSION: regime} for regime in regimes] or [{}]
        has_jackpot = self._sharing and self._mains
        self.modalities = setting.offered.values(JACKPOT) if has_jackpot else []

    def without_jackpot(self) -> Iterator[Group]:
        yield Group(name="every-end", budget="quick", cases=self._every_end)
        yield Group(name="every-two-suits", budget="quick", cases=self._every_two_suits)
        yield Group(name="pairs", budget="quick", cases=self._pairs)
        yield Group(name="commission", budget="quick", cases=self._commission)
        yield Group(name="additional-bets-alone", budget="quick", cases=self._additional_bets_alone)
        yield Group(name="every-way-to-draw", budget="standard", cases=self._every_way_to_draw)
        yield Group(
            name="every-way-to-draw-odd-stakes",
            budget="full",
            cases=self._every_way_to_draw_odd_stakes,
        )

    def with_jackpot(self) -> Iterator[Group]:
        dealer = self._dealer
        yield Group(name="jackpot-combinations", budget="quick", cases=self._jackpot_combinations)
        yield Group(name="jackpot-where-there-is-none", budget="quick", cases=self._no_jackpot)
        yield self._jackpot_group(
            "jackpot-alike", lambda: jackpot_cases.deal_equal_ranks(dealer, (0,))
        )
        yield self._jackpot_group(
            "jackpot-straights", lambda: jackpot_cases.deal_straights(dealer, all_orders=False)
        )
        yield self._jackpot_group(
            "jackpot-colours", lambda: jackpot_cases.deal_single_ranks(dealer, (RANKS[-1],))
        )
        yield self._jackpot_group(
            "jackpot-alike-in-every-rank",
            lambda: jackpot_cases.deal_equal_ranks(dealer, range(len(RANKS))),
            budget="standard",
        )
        yield self._jackpot_group(
            "jackpot-straights-in-every-order",
            lambda: jackpot_cases.deal_straights(dealer, all_orders=True),
            budget="standard",
        )
        yield self._jackpot_group(
            "jackpot-colours-in-every-rank",
            lambda: jackpot_cases.deal_single_ranks(dealer, RANKS),
            budget="standard",
        )

    def _jackpot_group(
        self, name: str, rounds: Callable[[], Iterable[Outcome]], budget: Any = "quick"
    ) -> Group:
        def cases() -> Iterator[Case]:
            used = [
                self._jackpot_table(modality, jackpot_cases.JACKPOT_TABLES[0])
                for modality in self.modalities
            ]
            bets = self._jackpot_bets(1)
            for outcome in self._vary_suits(name, rounds()):
                for options in used:
                    yield settlement_case(self._name, name, outcome, bets, options)

        return Group(name=name, budget=budget, cases=cases)

    def _vary_suits(self, group: str, rounds: Iterable[Outcome]) -> list[Outcome]:
        """Return rounds of a group with suits and order varied by the seed."""
        chance = self._setting.chance(f"{group}/suits")
        return self._setting.shuffle_by_seed(
            group, jackpot_cases.permute_suits_of_rounds(rounds, chance)
        )

    def _sample_rounds(self, group: str) -> list[Outcome]:
        return self._vary_suits(group, jackpot_cases.deal_samples(self._dealer))

    def _jackpot_table(self, modality: str, declared: tuple[int, int, Any]) -> Options:
        pool, first, percentage = declared
        jackpot = jackpot_cases.jackpot_options(self._game, modality, pool, first, percentage)
        return {**self._regimes[0], JACKPOT: jackpot}

    def _jackpot_bets(self, bettors: int) -> Bets:
        """Return a main bet and a jackpot bet of each bettor; the last of several bets twice."""
        bets: Bets = []
        for at, bettor in enumerate(_BETTORS[:bettors]):
            main = self._mains[at % len(self._mains)]
            bets.append({**main, "stake": self._stake, "bettor": bettor})
            bets += [
                {"bet": name, "stake": self._stake // 2 + at, "bettor": bettor}
                for name in self._sharing
            ]
        return [*bets, bets[-1]] if bettors > 1 else bets

    def _jackpot_combinations(self) -> Iterator[Case]:
        tables = [*jackpot_cases.JACKPOT_TABLES, (LARGEST_INTEGER, STAKE, (99, 100))]
        for outcome in self._sample_rounds("jackpot-combinations"):
            for modality, declared in product(self.modalities, tables):
                options = self._jackpot_table(modality, declared)
                for bettors in range(1, len(_BETTORS) + 1):
                    bets = self._jackpot_bets(bettors)
                    yield settlement_case(
                        self._name, "jackpot-combinations", outcome, bets, options
                    )

    def _no_jackpot(self) -> Iterator[Case]:
        group, bets = "jackpot-where-there-is-none", self._jackpot_bets(2)
        for outcome, options in product(self._sample_rounds(group), self._regimes):
            yield settlement_case(self._name, group, outcome, bets, options)

    @cached_property
    def _rounds_by_end(self) -> list[Outcome]:
        """One round for every pair of totals and numbers of cards that a round can end with."""
        ends: dict[tuple[int, int, int, int], Outcome] = {}
        for dealt in self._dealer.every_way_to_draw(self._setting.chance("ends")):
            player, banker = dealt["player"], dealt["banker"]
            total = self._dealer.total
            ends.setdefault((total(player), total(banker), len(player), len(banker)), dealt)
        return list(ends.values())

    def _every_end(self) -> Iterator[Case]:
        for outcome in self._rounds_by_end:
            for options in self._regimes:
                yield settlement_case(self._name, "every-end", outcome, self._all_bets, options)

    def _every_two_suits(self) -> Iterator[Case]:
        """Yield a win of each side and a tie for each number of cards, in every two suits."""
        ends: dict[tuple[int, int, int], Outcome] = {}
        for end in self._rounds_by_end:
            player, banker = map(self._dealer.total, (end["player"], end["banker"]))
            won = (player > banker) - (player < banker)
            ends.setdefault((won, len(end["player"]), len(end["banker"])), end)
        for end, (first, second) in product(ends.values(), product(SUITS, repeat=2)):
            outcome: Outcome = {
                "player": [end["player"][0][:-1] + first, *end["player"][1:]],
                "banker": [end["banker"][0][:-1] + second, *end["banker"][1:]],
            }
            yield settlement_case(
                self._name, "every-two-suits", outcome, self._all_bets, self._regimes[0]
            )

    def _pairs(self) -> Iterator[Case]:
        chance = self._setting.chance("pairs")
        next_rank = dict(zip(RANKS, (*RANKS[1:], RANKS[0]), strict=True))
        for rank in self._setting.shuffle_by_seed("pairs", RANKS):
            suits = chance.sample(SUITS, len(SUITS))
            card, same, next_card = rank + suits[0], rank + suits[1], next_rank[rank] + suits[2]
            for cards in (
                [card, card, card, card], [card, next_card, same, rank + suits[3]],
                [next_card, card, card, same], [card, same, next_card, card],
                [next_card, card, card, card], [card, next_card, card, next_card],
            ):  # fmt: skip
                for ranks in ("23", "K7"):
                    more = [rank + chance.choice(SUITS) for rank in ranks]
                    outcome = self._dealer.deal([*cards, *more])
                    for options in self._regimes:
                        yield settlement_case(self._name, "pairs", outcome, self._all_bets, options)

    def _commission(self) -> Iterator[Case]:
        total = self._dealer.total
        rounds = [
            end
            for end in self._rounds_by_end
            if total(end["banker"]) > total(end["player"]) and not total(end["player"])
        ]
        for stake in self._setting.all_stakes("commission"):
            bets: Bets = [{**spot, "stake": stake} for spot in self.spots]
            for outcome, options in product(rounds, self._regimes):
                yield settlement_case(self._name, "commission", outcome, bets, options)

    def _additional_bets_alone(self) -> Iterator[Case]:
        added = [spot for spot in self.spots if spot not in self._mains]
        mains: Bets = [{**spot, "stake": self._stake} for spot in self._mains]
        first: Bets = [{**main, "bettor": "1"} for main in mains]
        tables: list[Bets] = [[{**spot, "stake": 0} for spot in self.spots]]
        for spot in added:
            bet: Bet = {**spot, "stake": self._stake}
            tables += [
                [bet],
                [{**bet, "bettor": "2"}, *first],
                [bet, *mains[:1]],
                [{**bet, "bettor": "1"}, {**bet, "bettor": "2"}, *mains[-1:]],
            ]
        group = "additional-bets-alone"
        for outcome, bets in product(self._sample_rounds(group), tables):
            yield settlement_case(self._name, group, outcome, bets, self._regimes[0])

    def _every_way_to_draw(self) -> Iterator[Case]:
        for outcome in self._dealer.every_way_to_draw(self._setting.chance("every-way-to-draw")):
            for options in self._regimes:
                yield settlement_case(
                    self._name, "every-way-to-draw", outcome, self._all_bets, options
                )

    def _every_way_to_draw_odd_stakes(self) -> Iterator[Case]:
        group = "every-way-to-draw-odd-stakes"
        stakes = self._setting.all_stakes(group)
        tables: list[Bets] = [[{**spot, "stake": stake} for spot in self.spots] for stake in stakes]
        # The cycle's length is not a multiple of the number of regimes, so that each stake meets
        # every regime.
        table_cycle = cycle(
            [*tables, tables[0]] if not len(tables) % len(self._regimes) else tables
        )
        for outcome in self._dealer.every_way_to_draw(self._setting.chance(group)):
            for options in self._regimes:
                yield settlement_case(self._name, group, outcome, next(table_cycle), options)

    def at_random(self) -> Iterator[Case]:
        chance = self._setting.chance("at-random")
        stakes = self._setting.stakes(chance)
        jackpots: list[Spot] = [{"bet": name} for name in self._sharing if self.modalities]
        kinds = [*self.spots, *jackpots]
        pools = [
            with_every_stake(stakes, [{**spot, "bettor": bettor} for spot in kinds])
            for bettor in _BETTORS
        ]
        mains = [
            with_every_stake(stakes, [{**spot, "bettor": bettor} for spot in self._mains])
            for bettor in _BETTORS
        ]
        tables = [
            self._jackpot_table(modality, declared)
            for modality, declared in product(self.modalities, jackpot_cases.JACKPOT_TABLES)
        ]
        shoe = PACK * _PACKS
        for case_count in cases_per_outcome():
            cards = (
                chance.choices(PACK, k=2) * 3
                if not chance.randrange(_ROUNDS_PER_FEW_RANKS)
                else shoe
            )
            outcome = self._dealer.deal(chance.sample(cards, MAX_ROUND_CARDS))
            regime = chance.choice(self._regimes)
            jackpot = {**chance.choice(tables), **regime} if tables else regime
            for _ in range(case_count):
                at = chance.randrange(len(_BETTORS))
                bets = [
                    *chance.choices(mains[at], k=1),
                    *chance.choices(pools[at], k=chance.randint(1, _MAX_BETS)),
                    *chance.choices(pools[at - 1], k=chance.randint(0, 2)),
                ]
                played = any(bet["bet"] in self._sharing for bet in bets)
                options = jackpot if played else regime
                yield settlement_case(self._name, "at-random", outcome, bets, options)
