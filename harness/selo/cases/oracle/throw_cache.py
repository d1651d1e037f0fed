"""Lists of bets followed throw by throw: what two rounds have in common is followed only once.

1. A list stands where it was before a throw, and goes on from there: bets that have ended stay as
   they are, those that stand meet the throw, and those placed at that moment are taken or refused.
2. Where a list has come to is remembered, so that of all rounds with the same first throws only
   what is new is worked out, by the same rules as a round from its beginning.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from selo.protocol.messages import Settlement
from selo.rules.settlement.bet_lifetime import Board, Moment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.cases.case import Case
    from selo.rules.settlement.bet_lifetime import Life
    from selo.rules.settlement.settlement_models import BetRules
    from selo.rules.settlement.throwing_game import ThrowingGame

#: So many lists are remembered, and of each so many places to which it came.
_MAX_BET_LISTS: Final = 8
_MAX_ROUND_STATES: Final = 512
_STANDS: Final = "stands"
_STAKE_KEPT: Final = frozenset({"lose", _STANDS})


class ThrowCache:
    """What one game of throws expects of lists of bets that come again."""

    def __init__(self, game: ThrowingGame) -> None:
        self._game = game
        self._lists: dict[int, _BetListRounds] = {}
        limits = [limit for rules in game.bets.values() for limit in rules.limits]
        #: A limit that hangs on bets which are still to come is only known at the end of a round.
        self._able = all(limit.of is None for limit in limits)

    def expected(self, case: Case, settles: object) -> list[Settlement] | None:
        """Return what is expected, or nothing for a list of bets that has not come before."""
        del settles
        course = self._lists.get(id(case.bets))
        if course is None:
            if len(self._lists) >= _MAX_BET_LISTS:
                # The oldest goes: plans take one list after the other.
                del self._lists[next(iter(self._lists))]
            self._lists[id(case.bets)] = _BetListRounds(self._game, case.bets)
            return None
        throws = case.outcome.get("throws")
        if not self._able or not isinstance(throws, list):
            return None
        if not course.ready:
            course.prepare()
        return course.expected(throws)

    def remember(self, case: Case, settlements: Sequence[Settlement]) -> None:
        """Remember how a vendor says what was found to be right, to know it again at once."""
        course = self._lists.get(id(case.bets))
        if course is not None and course.ready:
            course.remember(case.outcome["throws"], settlements)


class _RoundState:
    """Where a list of bets has come to after some throws."""

    __slots__ = ("board", "next", "open", "point", "settlements")

    def __init__(
        self, board: Board, point: int, standing: list[int], settlements: list[Settlement]
    ) -> None:
        self.board = board
        #: The point of the round.
        self.point = point
        #: The bets that stand.
        self.open = standing
        self.settlements = settlements
        self.next: dict[tuple[int, ...], _RoundState] = {}


class _BetListRounds:
    def __init__(self, game: ThrowingGame, bets: list[dict[str, Any]]) -> None:
        # Held, so that no other list takes its identity.
        self._game, self._bets = game, bets
        self.ready = False
        self._stops = 0

    def prepare(self) -> None:
        """Look at the list: what each bet is, and when it is placed."""
        bets, game = self._bets, self._game
        self.ready = True
        order = sorted(range(len(bets)), key=lambda index: game.placing(bets[index], index))
        #: The bets that are placed after so many throws, in their order.
        self._placed: dict[int, list[int]] = {}
        for index in order:
            at = bets[index].get("at", 0)
            self._placed.setdefault(at if isinstance(at, int) else 0, []).append(index)
        refused = [
            Settlement(result="refused", prize=0, commission=0, stake=bet.get("stake", 0))
            for bet in bets
        ]
        self._rules = [game.bets.get(str(bet.get("bet"))) for bet in bets]
        board = Board(throws=[], moments=[Moment.after(None, 0)], bets=bets, known={})
        self._first = _RoundState(board, 0, [], refused)
        self._place_bets(self._first)

    def expected(self, throws: Sequence[Sequence[int]]) -> list[Settlement]:
        """Return what is expected after some throws."""
        stop = self._first
        for throw in throws:
            dice = tuple(throw)
            there = stop.next.get(dice)
            if there is None:
                there = self._apply_throw(stop, dice)
            stop = there
        return stop.settlements

    def remember(self, throws: Sequence[Sequence[int]], settlements: Sequence[Settlement]) -> None:
        """Have a list of settlements expected after some throws."""
        stop = self._first
        for throw in throws:
            there = stop.next.get(tuple(throw))
            if there is None:
                return
            stop = there
        stop.settlements = list(settlements)

    def _apply_throw(self, stop: _RoundState, dice: tuple[int, ...]) -> _RoundState:
        if self._stops >= _MAX_ROUND_STATES:
            self._stops = 0
            self._first.next.clear()
        self._stops += 1
        game, before = self._game, stop.board
        throw, point = game.thrown(game.game.facts({"throw": dice}), stop.point)
        board = Board(
            throws=[*before.throws, throw],
            moments=[*before.moments, Moment.after(throw, point)],
            bets=self._bets,
            known={},
            lives=dict(before.lives),
            added={to: replace(added) for to, added in before.added.items()},
        )
        there = stop.next[dice] = _RoundState(board, point, [], list(stop.settlements))
        for index in stop.open:
            self._advance_bet(index, there)
        self._place_bets(there)
        return there

    def _advance_bet(self, index: int, stop: _RoundState) -> None:
        """Let a bet that stands meet the last throw; what was added to it comes after it."""
        board, bet = stop.board, self._bets[index]
        rules = self._rules_of(index)
        if rules.added_to is None:
            choice = None if rules.domain is None else bet.get("choice")
            life = self._game.gone_on(rules, choice, board.lives[index], board)
        else:
            life = self._game.added(rules, board.lives[bet["to"]], board)
        self._record_life(index, life, stop)

    def _place_bets(self, stop: _RoundState) -> None:
        """Take or refuse the bets that are placed now, before the next throw."""
        for index in self._placed.get(len(stop.board.throws), ()):
            self._record_life(index, self._game.lived(index, stop.board), stop)

    def _record_life(self, index: int, life: Life, stop: _RoundState) -> None:
        board = stop.board
        board.lives[index] = life
        if life.verdict.result == _STANDS:
            stop.open.append(index)
        if life.refused:
            return
        answer = self._game.answered(index, board)
        stop.settlements[index] = Settlement(
            result=answer["result"], prize=answer["prize"], commission=answer["commission"],
            stake=0 if answer["result"] in _STAKE_KEPT else self._bets[index]["stake"],
        )  # fmt: skip

    def _rules_of(self, index: int) -> BetRules:
        rules = self._rules[index]
        assert rules is not None  # noqa: S101 - a bet that stands has rules
        return rules
