"""Cases for pieces with faces: every outcome, every way of lying, every spot."""

from __future__ import annotations

from itertools import combinations_with_replacement, cycle, product
from typing import TYPE_CHECKING, Any, Final, cast

from selo.cases.case import settlement_case
from selo.cases.group import (
    ODD_STAKES,
    USUAL_STAKES,
    Group,
    cases_per_outcome,
    invalid_choices,
    list_spots,
    with_distinct_stakes,
    with_every_stake,
)
from selo.cases.scope import CEILING, offer_everything
from selo.rules.equipment.pack_and_dice import DIE_POSITIONS
from selo.rules.equipment.piece_set import PieceSet
from selo.rules.settlement import Game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases.case import Case
    from selo.cases.group import Budget, GeneratorSetting
    from selo.table_values import Bet, Outcome

_MAX_BETS: Final = 8
#: The number of parts into which the spots are divided for large groups; the number of throws is
#: never a multiple of it.
_SPOT_PARTS: Final = 5
#: One random throw in this many has dice that do not lie flat.
_THROWS_PER_LEANING: Final = 16


def list_groups(setting: GeneratorSetting) -> Iterator[Group]:
    """Yield the groups of cases of a game with pieces."""
    game = setting.rules
    if not isinstance(game, Game) or not isinstance(game.kit, PieceSet) or not list_spots(setting):
        return
    generator = _PieceCases(setting, game.kit, game.kit.throws(game.tables))
    yield Group(name="every-throw", budget="quick", cases=generator.every_throw)
    if _has_lying_rule(setting):
        yield Group(name="ways-of-lying", budget="quick", cases=generator.ways_of_lying)
    yield Group(name="stakes", budget="quick", cases=generator.stakes)
    yield Group(name="no-such-choice", budget="quick", cases=generator.no_such_choice)
    if setting.offered.values(CEILING):
        yield Group(name="ceilings", budget="quick", cases=generator.ceilings)
    # Where only the highest prize is paid, other bets on the table hide the rest.
    pays_only_highest = game.pays_highest_only
    alone: Budget = "quick" if pays_only_highest else "standard"
    yield Group(name="every-spot-alone", budget=alone, cases=generator.every_spot_alone)
    if _has_lying_rule(setting):
        yield Group(name="every-throw-lying", budget="standard", cases=generator.every_throw_lying)
    yield Group(name="at-random", budget="quick", cases=generator.at_random, endless=True)


def _has_lying_rule(setting: GeneratorSetting) -> bool:
    """Return whether the law of the game has a field for how a die lies."""
    return any(
        field.id == "lying"
        for folder in setting.law.folders
        if folder.instrument.game == setting.game and folder.events is not None
        for field in folder.events.fields
    )


class _PieceCases:
    def __init__(self, setting: GeneratorSetting, kit: PieceSet, throws: list[Outcome]) -> None:
        self._setting, self._name, self._throws = setting, setting.game, throws
        self._spots = setting.shuffle_by_seed("spots", list_spots(setting))
        self._stake = setting.stake()
        self._all_bets = with_distinct_stakes([self._stake], self._spots)
        self._field, self._dice = kit.field, kit.count
        # The faces of the first piece, all of which some outcome shows.
        first = (cast("dict[str, Any]", throw)[kit.field][0] for throw in throws)
        self._faces = list(dict.fromkeys(first))

    def _one_throw_per_set(self, group: str) -> list[Outcome]:
        """Return one throw for each set of figures, with dice and throws shuffled by the seed."""
        chance = self._setting.chance(f"{group}/sets")
        sets = [
            cast("Outcome", {self._field: chance.sample(dice, self._dice)})
            for dice in combinations_with_replacement(self._faces, self._dice)
        ]
        return self._setting.shuffle_by_seed(group, sets)

    def _shuffle_throws(self, group: str) -> list[Outcome]:
        return self._setting.shuffle_by_seed(group, self._throws)

    def every_throw(self) -> Iterator[Case]:
        for throw in self._shuffle_throws("every-throw"):
            yield settlement_case(self._name, "every-throw", throw, self._all_bets)
        offered = self._setting.offered
        # A vendor also offers options of its tables, of which no settlement knows.
        settled = offer_everything(self._setting.law, [self._name]).games[0].options
        for name in sorted(settled.keys() & offered.options.keys() - {CEILING}):
            for value in offered.values(name):
                for throw in self._one_throw_per_set("every-throw"):
                    yield settlement_case(
                        self._name, "every-throw", throw, self._all_bets, {name: value}
                    )

    def ways_of_lying(self) -> Iterator[Case]:
        throws = self._one_throw_per_set("ways-of-lying")
        for at, lying in enumerate(product(DIE_POSITIONS, repeat=self._dice)):
            outcome: Outcome = {**throws[at % len(throws)], "lying": list(lying)}
            yield settlement_case(self._name, "ways-of-lying", outcome, self._all_bets)

    def stakes(self) -> Iterator[Case]:
        highest = self._setting.highest_stake()
        odd = self._setting.shuffle_by_seed("stakes/odd", ODD_STAKES)
        usual = self._setting.shuffle_by_seed("stakes/usual", USUAL_STAKES)
        for at, outcome in enumerate(self._one_throw_per_set("stakes")):
            for stake in (1, odd[at % len(odd)], usual[at % len(usual)], highest):
                bets: list[Bet] = [{**spot, "stake": stake} for spot in self._spots]
                yield settlement_case(self._name, "stakes", outcome, bets)

    def no_such_choice(self) -> Iterator[Case]:
        rules = self._setting.bets()
        bets: list[Bet] = [
            {"bet": name, "choice": choice, "stake": self._stake}
            for name, rule in rules.items()
            for choice in invalid_choices(rule)
        ]
        bets += [{**spot, "stake": 0} for spot in self._spots]
        for outcome in self._one_throw_per_set("no-such-choice"):
            yield settlement_case(
                self._name, "no-such-choice", outcome, [*bets, *self._all_bets[:1]]
            )

    def ceilings(self) -> Iterator[Case]:
        for value in self._setting.offered.values(CEILING):
            options = {CEILING: value}
            for outcome in self._one_throw_per_set("ceilings"):
                yield settlement_case(self._name, "ceilings", outcome, self._all_bets, options)

    def every_spot_alone(self) -> Iterator[Case]:
        for throw in self._shuffle_throws("every-spot-alone"):
            for bet in self._all_bets:
                yield settlement_case(self._name, "every-spot-alone", throw, [bet])

    def every_throw_lying(self) -> Iterator[Case]:
        # Each spot meets every throw and every way of lying, but not every pair of both.
        parts = cycle(
            [self._all_bets[at::_SPOT_PARTS] for at in range(min(_SPOT_PARTS, len(self._all_bets)))]
        )
        throws = self._shuffle_throws("every-throw-lying")
        for lying in product(DIE_POSITIONS, repeat=self._dice):
            if set(lying) != {DIE_POSITIONS[0]}:
                for throw in throws:
                    outcome: Outcome = {**throw, "lying": list(lying)}
                    yield settlement_case(self._name, "every-throw-lying", outcome, next(parts))

    def at_random(self) -> Iterator[Case]:
        chance = self._setting.chance("at-random")
        pool = with_every_stake(self._setting.stakes(chance), self._spots)
        has_lying = _has_lying_rule(self._setting)
        for case_count in cases_per_outcome():
            outcome: Outcome = chance.choice(self._throws)
            if has_lying and not chance.randrange(_THROWS_PER_LEANING):
                outcome = {**outcome, "lying": chance.choices(DIE_POSITIONS, k=self._dice)}
            for _ in range(case_count):
                bets = chance.choices(pool, k=chance.randint(1, _MAX_BETS))
                yield settlement_case(self._name, "at-random", outcome, bets)
