"""Cases for thrown dice (craps): throws from every state, whole rounds, additions and limits."""

from __future__ import annotations

from itertools import cycle, permutations, product
from typing import TYPE_CHECKING, Final

from selo.cases.case import settlement_case
from selo.cases.group import STAKE, Group, cases_per_outcome, invalid_choices, list_spots
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.equipment.pack_and_dice import THROW_POSITIONS
from selo.rules.settlement import ThrowingGame

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from selo.cases.case import Case
    from selo.cases.group import GeneratorSetting
    from selo.table_values import Bet, Outcome

Throw = tuple[int, int]
#: The faces of a die; 0 stands for a die that left the table.
_DIE_FACES: Final = range(7)
ALL_THROWS: Final[tuple[Throw, ...]] = tuple(
    (first, second) for first in _DIE_FACES for second in _DIE_FACES
)
#: Stakes added to a stake of sixty: their prizes stay below it, equal it or exceed it.
_FIRST_STAKE, _ADDED_STAKES = 60, (7, 29, 30, 31, 39, 40, 41, 49, 50, 51, 60, 121)
#: Stakes of bets on one table: below and above the stake added to each.
_NEIGHBOUR_STAKES: Final = (60, 13, 200, 41, 90, 25, 150, 33)
_MAX_THROWS: Final = 10
_MAX_BETS: Final = 5


def list_groups(setting: GeneratorSetting) -> Iterator[Group]:
    """Yield the groups of cases of a game with thrown dice."""
    game = setting.rules
    if not isinstance(game, ThrowingGame) or not setting.bets():
        return
    generator = _ThrownDiceCases(setting, game)
    yield Group(name="first-throws", budget="quick", cases=generator.first_throws)
    yield Group(name="point-and-next-throw", budget="quick", cases=generator.next_throws)
    yield Group(name="moments", budget="quick", cases=generator.moments)
    if generator.additions:
        yield Group(name="additions", budget="quick", cases=generator.addition_cases)
        yield Group(
            name="additions-beside-others", budget="quick", cases=generator.additions_beside_others
        )
    if generator.any_position and setting.offered.allows(generator.any_position):
        yield Group(name="throws-not-flat", budget="quick", cases=generator.throws_not_flat)
    yield Group(name="no-such-choice", budget="quick", cases=generator.no_such_choice)
    yield Group(name="stakes", budget="quick", cases=generator.stakes)
    yield Group(name="two-throws-of-dice", budget="standard", cases=generator.two_throws)
    yield Group(name="three-totals", budget="standard", cases=generator.three_totals)
    yield Group(name="point-and-three-totals", budget="full", cases=generator.point_and_three)
    yield Group(name="at-random", budget="quick", cases=generator.at_random, endless=True)


def _one_throw_per_total(chance: Random) -> list[Throw]:
    """Return one random throw for each total, and one invalid throw.

    Some bets treat doubles specially, so a double is used only for a total that has no other throw.
    """
    unequal: dict[int, list[Throw]] = {}
    for first, second in ALL_THROWS:
        if first and second and first != second:
            unequal.setdefault(first + second, []).append((first, second))
    doubles = {2 * face: [(face, face)] for face in (_DIE_FACES[1], _DIE_FACES[-1])}
    valid = [chance.choice(throws) for _, throws in sorted({**unequal, **doubles}.items())]
    return [*valid, chance.choice([throw for throw in ALL_THROWS if not all(throw)])]


def _any_position(setting: GeneratorSetting) -> dict[str, str]:
    """Return the option of tables at which dice may lie otherwise than flat, if there is one."""
    flat = THROW_POSITIONS[0]
    return {
        located.clause.option: next(value for value in located.clause.values if value != flat)
        for located in read_clauses(setting.law, setting.game)
        if isinstance(located.clause, c.Option) and flat in located.clause.values
    }


def _outcome_of(throws: Sequence[Throw]) -> Outcome:
    return {"throws": [list(throw) for throw in throws]}


class _ThrownDiceCases:
    def __init__(self, setting: GeneratorSetting, game: ThrowingGame) -> None:
        self._setting, self._name, self._game = setting, setting.game, game
        self._stake = setting.stake()
        #: The option of a table that tells how its dice lie.
        self.any_position = _any_position(setting)
        self._throws = setting.shuffle_by_seed("dice", ALL_THROWS)
        self._totals = _one_throw_per_total(setting.chance("totals"))
        self._invalid_throw = setting.chance("off").choice(
            [throw for throw in ALL_THROWS if not all(throw)]
        )
        rules = setting.bets()
        self._plain_spots = [
            spot for spot in list_spots(setting) if rules[spot["bet"]].added_to is None
        ]
        #: The addition that each bet allows.
        self.additions = {
            rule.added_to: name for name, rule in rules.items() if rule.added_to is not None
        }
        points = [throw for throw in self._totals if self._sets_point(throw)]
        self._seven = next(
            throw
            for throw in self._totals
            if self._ends_round(points[0], throw) and self._ends_round(points[1], throw)
        )
        #: The highest total neither sets a point nor ends a round.
        self._highest_total = self._totals[-2]
        self._totals = setting.shuffle_by_seed("order-of-totals", self._totals)
        self._points = [throw for throw in self._totals if throw in points]

    def _result(self, throws: Sequence[Throw]) -> str:
        """Return the result of the bet that opens the round."""
        bet: Bet = {"bet": self._game.line, "stake": STAKE}
        return str(self._game.settle_plain({}, _outcome_of(throws), [bet])[0]["result"])

    def _sets_point(self, throw: Throw) -> bool:
        return all(throw) and self._result([throw]) == "stands"

    def _ends_round(self, point: Throw, throw: Throw) -> bool:
        return throw != point and self._result([point, throw]) != "stands"

    def _bets(self, length: int, *, moments: int | None = None) -> list[Bet]:
        """Return every bet at the first moments of a round, and every addition to each."""
        bets: list[Bet] = [
            {**spot, "stake": self._stake + at, "at": at}
            for at in range(length if moments is None else moments)
            for spot in self._plain_spots
        ]
        for to, bet in enumerate(list(bets)):
            name = self.additions.get(bet["bet"])
            if name is not None:
                bets += [
                    {"bet": name, "stake": self._stake // 3 + later, "at": later, "to": to}
                    for later in range(bet["at"] + 1, length)
                ]
        return bets

    def first_throws(self) -> Iterator[Case]:
        bets = self._bets(1)
        bets += [{**spot, "stake": self._stake, "at": 1} for spot in self._plain_spots]
        for throw in self._throws:
            yield settlement_case(self._name, "first-throws", _outcome_of([throw]), bets)

    def next_throws(self) -> Iterator[Case]:
        bets = self._bets(2)
        for point in self._points:
            for throw in self._throws:
                outcome = _outcome_of([point, throw])
                yield settlement_case(self._name, "point-and-next-throw", outcome, bets)

    def moments(self) -> Iterator[Case]:
        """Yield each bet placed at every moment of a round with point, other totals and end."""
        # Every second point: groups with more throws cover them all.
        for point in self._points[::2]:
            other = next(throw for throw in self._points if throw != point)
            for end in (point, self._seven):
                throws = [point, other, self._invalid_throw, self._highest_total, end, self._seven]
                for at in range(len(throws) + 1):
                    for spot in self._plain_spots:
                        bets: list[Bet] = [{**spot, "stake": self._stake, "at": at}]
                        name = self.additions.get(spot["bet"])
                        if name is not None:
                            bets += [
                                {"bet": name, "stake": self._stake, "at": later, "to": 0}
                                for later in range(at, len(throws) + 1)
                            ]
                        yield settlement_case(self._name, "moments", _outcome_of(throws), bets)

    def throws_not_flat(self) -> Iterator[Case]:
        """Yield a throw of every total in every position, before and after a point is set."""
        bets = self._bets(2)
        for position in THROW_POSITIONS[1:]:
            for total in self._totals:
                for before in ([], self._points[:1], self._points[-1:]):
                    throws: list[Sequence[int | str]] = [*before, (*total, position)]
                    if not before:
                        throws.append(self._seven)
                    outcome: Outcome = {"throws": [list(throw) for throw in throws]}
                    yield settlement_case(
                        self._name, "throws-not-flat", outcome, bets, self.any_position
                    )

    def addition_cases(self) -> Iterator[Case]:
        for base, name in self.additions.items():
            for point in self._points:
                for at, end in product((0, 1), (point, self._seven)):
                    # If the bet is placed after the point, the point of the round is another.
                    other = next(throw for throw in self._points if throw != point)
                    throws = [*([other] if at else []), point, end]
                    for more in range(len(_ADDED_STAKES)):
                        stakes = (
                            _ADDED_STAKES[more],
                            *([_ADDED_STAKES[more // 2]] if more % 2 else []),
                        )
                        bets: list[Bet] = [{"bet": base, "stake": _FIRST_STAKE, "at": at}]
                        bets += [
                            {"bet": name, "stake": stake, "at": at + 1, "to": 0} for stake in stakes
                        ]
                        yield settlement_case(self._name, "additions", _outcome_of(throws), bets)

    def additions_beside_others(self) -> Iterator[Case]:
        """Yield every bet that allows an addition, before and after the point, with its addition.

        Each bet is laid twice: the limit of an addition counts only its own bet.
        """
        twice = product((0, 1), (0, 1), self.additions)
        bets: list[Bet] = [
            {"bet": base, "stake": stake, "at": at}
            for (_, at, base), stake in zip(twice, cycle(_NEIGHBOUR_STAKES))
        ]
        bets += [
            {"bet": self.additions[bet["bet"]], "stake": _FIRST_STAKE, "at": 2, "to": to}
            for to, bet in enumerate(list(bets))
        ]
        for point, other in permutations(self._points, 2):
            for end in (point, other, self._seven):
                outcome = _outcome_of([point, other, end])
                yield settlement_case(self._name, "additions-beside-others", outcome, bets)

    def no_such_choice(self) -> Iterator[Case]:
        bets: list[Bet] = [
            {"bet": name, "choice": choice, "stake": self._stake}
            for name, rules in self._setting.bets().items()
            for choice in invalid_choices(rules)
        ]
        bets += [{**spot, "stake": 0} for spot in self._plain_spots]
        for throw in self._totals:
            yield settlement_case(self._name, "no-such-choice", _outcome_of([throw]), bets)

    def stakes(self) -> Iterator[Case]:
        for stake in self._setting.all_stakes("stakes"):
            for throws in [
                *([total] for total in self._totals),
                *([point, point] for point in self._points),
            ]:
                bets: list[Bet] = [{**spot, "stake": stake} for spot in self._plain_spots]
                yield settlement_case(self._name, "stakes", _outcome_of(throws), bets)

    def two_throws(self) -> Iterator[Case]:
        bets = self._bets(2)
        for throws in product(self._throws, repeat=2):
            yield settlement_case(self._name, "two-throws-of-dice", _outcome_of(throws), bets)

    def three_totals(self) -> Iterator[Case]:
        bets = self._bets(3)
        for throws in product(self._totals, repeat=3):
            yield settlement_case(self._name, "three-totals", _outcome_of(throws), bets)

    def point_and_three(self) -> Iterator[Case]:
        # A later bet behaves like a first bet in a shorter round, and a first total that sets no
        # point leaves a round of three.
        bets = self._bets(4, moments=1)
        for throws in product(self._points, *[self._totals] * 3):
            yield settlement_case(self._name, "point-and-three-totals", _outcome_of(throws), bets)

    def at_random(self) -> Iterator[Case]:
        chance = self._setting.chance("at-random")
        stakes = self._setting.stakes(chance)
        valid = [throw for throw in ALL_THROWS if all(throw)]
        for case_count in cases_per_outcome():
            length = chance.randint(1, _MAX_THROWS)
            throws: list[Throw] = chance.choices(valid, k=length)
            if not chance.randrange(_MAX_THROWS):
                throws[chance.randrange(length)] = chance.choice(ALL_THROWS)
            outcome = _outcome_of(throws)
            for _ in range(case_count):
                count = chance.randint(1, _MAX_BETS)
                bets: list[Bet] = []
                for spot, stake in zip(
                    chance.choices(self._plain_spots, k=count), chance.choices(stakes, k=count),
                    strict=True,
                ):  # fmt: skip
                    at = chance.randint(0, min(length, 2))
                    name = self.additions.get(spot["bet"])
                    bets.append({**spot, "stake": stake, "at": at})
                    if name is not None and chance.randrange(2):
                        later = min(at + chance.randint(1, 3), length)
                        bets.append(
                            {"bet": name, "stake": stake + at, "at": later, "to": len(bets) - 1}
                        )
                yield settlement_case(self._name, "at-random", outcome, bets)
