"""Cases of craps: every throw from every state, every bet to its end, additions and their limit."""

from __future__ import annotations

from itertools import cycle, permutations, product
from typing import TYPE_CHECKING, Any, Final

from selo.cases.case import settlement_case
from selo.cases.group import STAKE, Group, cases_per_outcome, invalid_choices, list_spots
from selo.rules.settlement.throwing_game import ThrowingGame

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from selo.cases.case import Case
    from selo.cases.group import GeneratorSetting

Throw = tuple[int, int]
#: What a die may show; a die that left the table shows nothing.
_DIE_FACES: Final = range(7)
ALL_THROWS: Final[tuple[Throw, ...]] = tuple((one, two) for one in _DIE_FACES for two in _DIE_FACES)
#: Stakes added to a stake of sixty: some prizes stay below it, meet it, and pass it.
_FIRST_STAKE, _ADDED_STAKES = 60, (7, 29, 30, 31, 39, 40, 41, 49, 50, 51, 60, 121)
#: Stakes of bets that lie beside one another: below and above what is added to each.
_NEIGHBOUR_STAKES: Final = (60, 13, 200, 41, 90, 25, 150, 33)
_MAX_THROWS: Final = 10
_MAX_BETS: Final = 5


def list_groups(setting: GeneratorSetting) -> Iterator[Group]:
    """Yield the groups of cases of the game."""
    game = setting.rules
    if not isinstance(game, ThrowingGame) or not setting.bets():
        return
    made = _ThrownDiceCases(setting, game)
    yield Group(
        name="first-throws", budget="quick", cases=made.first_throws,
        reason="every first throw of two dice, valid or not, with every bet",
    )  # fmt: skip
    yield Group(
        name="point-and-next-throw", budget="quick", cases=made.next_throws,
        reason="every point with every throw after it, bets placed before and after the point",
    )  # fmt: skip
    yield Group(
        name="moments", budget="quick", cases=made.moments,
        reason="every bet by itself, placed at every moment of a round that ends in each way",
    )  # fmt: skip
    if made.additions:
        yield Group(
            name="additions", budget="quick", cases=made.added,
            reason="additions below, at and above their limit, on every point, won and lost",
        )  # fmt: skip
        yield Group(
            name="additions-beside-others", budget="quick", cases=made.added_beside_others,
            reason="additions to several bets of other stakes at once: each has its own limit",
        )  # fmt: skip
    yield Group(
        name="no-such-choice", budget="quick", cases=made.no_such_choice,
        reason="choices just outside what a bet has, and no stake, which must be refused",
    )  # fmt: skip
    yield Group(
        name="stakes", budget="quick", cases=made.stakes,
        reason="odd, usual, smallest and highest stakes on every total",
    )  # fmt: skip
    yield Group(
        name="two-throws-of-dice", budget="standard", cases=made.two_throws,
        reason="every two throws of two dice, with every bet",
    )  # fmt: skip
    yield Group(
        name="three-totals", budget="standard", cases=made.three_totals,
        reason="every three totals, with every bet and every addition at every moment",
    )  # fmt: skip
    yield Group(
        name="point-and-three-totals", budget="full", cases=made.point_and_three,
        reason="every point and every three totals after it, with every bet and every addition",
    )  # fmt: skip
    yield Group(
        name="at-random", budget="quick", cases=made.at_random, endless=True,
        reason="rounds, bets, additions and odd stakes drawn at random",
    )  # fmt: skip


def _one_throw_per_total(chance: Random) -> list[Throw]:
    """Return one throw for each total, chosen among all that make it, and one that is not valid.

    Two faces alike are another thing to some bets: they stand for a total only where nothing else
    makes it.
    """
    made: dict[int, list[Throw]] = {}
    for one, two in ALL_THROWS:
        if one and two and one != two:
            made.setdefault(one + two, []).append((one, two))
    alike = {2 * face: [(face, face)] for face in (_DIE_FACES[1], _DIE_FACES[-1])}
    valid = [chance.choice(throws) for _, throws in sorted({**made, **alike}.items())]
    return [*valid, chance.choice([throw for throw in ALL_THROWS if not all(throw)])]


def _outcome_of(throws: Sequence[Throw]) -> dict[str, Any]:
    return {"throws": [list(throw) for throw in throws]}


class _ThrownDiceCases:
    def __init__(self, setting: GeneratorSetting, game: ThrowingGame) -> None:
        self._setting, self._name, self._game = setting, setting.game, game
        self._stake = setting.stake()
        self._dice = setting.shuffle_by_seed("dice", ALL_THROWS)
        self._totals = _one_throw_per_total(setting.chance("totals"))
        self._off = setting.chance("off").choice([one for one in ALL_THROWS if not all(one)])
        rules = setting.bets()
        self._alone = [spot for spot in list_spots(setting) if rules[spot["bet"]].added_to is None]
        #: The bet that may be added to each bet.
        self.additions = {
            rule.added_to: name for name, rule in rules.items() if rule.added_to is not None
        }
        points = [throw for throw in self._totals if self._sets_point(throw)]
        self._seven = next(
            throw
            for throw in self._totals
            if self._ends(points[0], throw) and self._ends(points[1], throw)
        )
        #: The highest total, which is neither a point nor the end of one.
        self._last = self._totals[-2]
        self._totals = setting.shuffle_by_seed("order-of-totals", self._totals)
        self._points = [throw for throw in self._totals if throw in points]

    def _result(self, throws: Sequence[Throw]) -> str:
        """Return what becomes of the bet that opens the round."""
        bet = {"bet": self._game.line, "stake": STAKE}
        return str(self._game.settle_plain({}, _outcome_of(throws), [bet])[0]["result"])

    def _sets_point(self, throw: Throw) -> bool:
        return all(throw) and self._result([throw]) == "stands"

    def _ends(self, point: Throw, throw: Throw) -> bool:
        return throw != point and self._result([point, throw]) != "stands"

    def _bets(self, length: int, *, moments: int | None = None) -> list[dict[str, Any]]:
        """Return every bet at the first moments of so many throws, and every addition to each."""
        bets: list[dict[str, Any]] = [
            {**spot, "stake": self._stake + at, "at": at}
            for at in range(length if moments is None else moments)
            for spot in self._alone
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
        bets = [*self._bets(1), *({**spot, "stake": self._stake, "at": 1} for spot in self._alone)]
        for throw in self._dice:
            yield settlement_case(self._name, "first-throws", _outcome_of([throw]), bets)

    def next_throws(self) -> Iterator[Case]:
        bets = self._bets(2)
        for point in self._points:
            for throw in self._dice:
                outcome = _outcome_of([point, throw])
                yield settlement_case(self._name, "point-and-next-throw", outcome, bets)

    def moments(self) -> Iterator[Case]:
        """Yield a bet placed before each throw of a round: point, other totals, and its end."""
        # Every second point: the groups of more throws try them all.
        for point in self._points[::2]:
            other = next(one for one in self._points if one != point)
            for end in (point, self._seven):
                throws = [point, other, self._off, self._last, end, self._seven]
                for at in range(len(throws) + 1):
                    for spot in self._alone:
                        bet = {**spot, "stake": self._stake, "at": at}
                        bets = [bet]
                        name = self.additions.get(spot["bet"])
                        if name is not None:
                            bets += [
                                {"bet": name, "stake": self._stake, "at": later, "to": 0}
                                for later in range(at, len(throws) + 1)
                            ]
                        yield settlement_case(self._name, "moments", _outcome_of(throws), bets)

    def added(self) -> Iterator[Case]:
        for base, name in self.additions.items():
            for point in self._points:
                for at, end in product((0, 1), (point, self._seven)):
                    # A round whose point is another, where the bet is placed after it.
                    other = next(one for one in self._points if one != point)
                    throws = [*([other] if at else []), point, end]
                    for more in range(len(_ADDED_STAKES)):
                        stakes = (
                            _ADDED_STAKES[more],
                            *([_ADDED_STAKES[more // 2]] if more % 2 else []),
                        )
                        bets: list[dict[str, Any]] = [
                            {"bet": base, "stake": _FIRST_STAKE, "at": at}
                        ]
                        bets += [
                            {"bet": name, "stake": stake, "at": at + 1, "to": 0} for stake in stakes
                        ]
                        yield settlement_case(self._name, "additions", _outcome_of(throws), bets)

    def added_beside_others(self) -> Iterator[Case]:
        """Yield every bet that can be added to, before and after the point, with its additions.

        Each comes twice: what is added to the one is not limited by both together.
        """
        twice = product((0, 1), (0, 1), self.additions)
        bets: list[dict[str, Any]] = [
            {"bet": base, "stake": stake, "at": at}
            for (_, at, base), stake in zip(twice, cycle(_NEIGHBOUR_STAKES))
        ]
        bets += [
            {"bet": self.additions[bet["bet"]], "stake": _FIRST_STAKE, "at": 2, "to": to}
            for to, bet in enumerate(list(bets))
        ]
        for one, other in permutations(self._points, 2):
            for end in (one, other, self._seven):
                outcome = _outcome_of([one, other, end])
                yield settlement_case(self._name, "additions-beside-others", outcome, bets)

    def no_such_choice(self) -> Iterator[Case]:
        bets = [
            {"bet": name, "choice": choice, "stake": self._stake}
            for name, rules in self._setting.bets().items()
            for choice in invalid_choices(rules)
        ]
        bets += [{**spot, "stake": 0} for spot in self._alone]
        for throw in self._totals:
            yield settlement_case(self._name, "no-such-choice", _outcome_of([throw]), bets)

    def stakes(self) -> Iterator[Case]:
        for stake in self._setting.all_stakes("stakes"):
            for throws in [
                *([total] for total in self._totals),
                *([point, point] for point in self._points),
            ]:
                bets = [{**spot, "stake": stake} for spot in self._alone]
                yield settlement_case(self._name, "stakes", _outcome_of(throws), bets)

    def two_throws(self) -> Iterator[Case]:
        bets = self._bets(2)
        for throws in product(self._dice, repeat=2):
            yield settlement_case(self._name, "two-throws-of-dice", _outcome_of(throws), bets)

    def three_totals(self) -> Iterator[Case]:
        bets = self._bets(3)
        for throws in product(self._totals, repeat=3):
            yield settlement_case(self._name, "three-totals", _outcome_of(throws), bets)

    def point_and_three(self) -> Iterator[Case]:
        # What is placed later lives as long as what is placed first in a shorter round, and a
        # first total that makes no point leaves a round of three.
        bets = self._bets(4, moments=1)
        for throws in product(self._points, *[self._totals] * 3):
            yield settlement_case(self._name, "point-and-three-totals", _outcome_of(throws), bets)

    def at_random(self) -> Iterator[Case]:
        chance = self._setting.chance("at-random")
        stakes = self._setting.stakes(chance)
        valid = [throw for throw in ALL_THROWS if all(throw)]
        for many in cases_per_outcome():
            length = chance.randint(1, _MAX_THROWS)
            throws: list[Throw] = chance.choices(valid, k=length)
            if not chance.randrange(_MAX_THROWS):
                throws[chance.randrange(length)] = chance.choice(ALL_THROWS)
            outcome = _outcome_of(throws)
            for _ in range(many):
                count = chance.randint(1, _MAX_BETS)
                bets: list[dict[str, Any]] = []
                for spot, stake in zip(
                    chance.choices(self._alone, k=count), chance.choices(stakes, k=count),
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
