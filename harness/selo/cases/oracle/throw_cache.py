"""Caches rounds of throws as a prefix tree: rounds with the same first throws share the work.

1. A state holds a list of bets after some throws. The next throw advances the standing bets, keeps
   the ended ones, and accepts or refuses those placed at that moment.
2. States are cached, so that only the throws after the common prefix are settled, by the same
   rules as a round from its beginning.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from selo.protocol.messages import Settlement
from selo.rules.settlement.settlement_models import BetTable, PlacingMoment, placing_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.cases.case import Case
    from selo.rules.settlement import ThrowingGame
    from selo.rules.settlement.settlement_models import BetLife, BetRules
    from selo.table_values import Bet

#: Cache sizes: lists of bets, and states of rounds for each list.
_MAX_BET_LISTS: Final = 8
_MAX_ROUND_STATES: Final = 512
_STANDS: Final = "stands"
_STAKE_KEPT: Final = frozenset({"lose", _STANDS})


class ThrowCache:
    """Caches the expected settlements of recurring lists of bets of a throwing game."""

    def __init__(self, game: ThrowingGame) -> None:
        self._game = game
        self._lists: dict[int, _BetListRounds] = {}
        limits = [limit for rules in game.bets.values() for limit in rules.limits]
        #: A limit that depends on later bets is only known at the end of a round.
        self._is_incremental = all(limit.of is None for limit in limits)

    def expected(self, case: Case, settle: object) -> list[Settlement] | None:
        """Return the expected settlements, or None for a list of bets seen for the first time."""
        del settle
        rounds = self._lists.get(id(case.bets))
        if rounds is None:
            if len(self._lists) >= _MAX_BET_LISTS:
                # Evict the oldest: plans use one list after the other.
                del self._lists[next(iter(self._lists))]
            self._lists[id(case.bets)] = _BetListRounds(self._game, case.bets)
            return None
        throws = case.outcome.get("throws")
        if not self._is_incremental or not isinstance(throws, list):
            return None
        if not rounds.ready:
            rounds.prepare()
        return rounds.expected(throws)

    def remember(self, case: Case, settlements: Sequence[Settlement]) -> None:
        """Cache a vendor's wording of settlements that were found right."""
        rounds = self._lists.get(id(case.bets))
        if rounds is not None and rounds.ready:
            rounds.remember(case.outcome["throws"], settlements)


class _RoundState:
    """A list of bets after some throws."""

    __slots__ = ("board", "next", "open", "point", "settlements")

    def __init__(
        self, board: BetTable, point: int, standing: list[int], settlements: list[Settlement]
    ) -> None:
        self.board = board
        #: The point of the round.
        self.point = point
        #: The indices of the standing bets.
        self.open = standing
        self.settlements = settlements
        self.next: dict[tuple[int, ...], _RoundState] = {}


class _BetListRounds:
    """The prefix tree of rounds for one list of bets."""

    def __init__(self, game: ThrowingGame, bets: list[Bet]) -> None:
        # A reference keeps the list alive, so that its id stays unique.
        self._game, self._bets = game, bets
        self.ready = False
        self._state_count = 0

    def prepare(self) -> None:
        """Look up the rules of each bet and the moment at which it is placed."""
        bets, game = self._bets, self._game
        self.ready = True
        order = sorted(range(len(bets)), key=lambda at: placing_order(game.bets, bets[at], at))
        #: The indices of the bets by the number of throws before they are placed.
        self._placed: dict[int, list[int]] = {}
        for index in order:
            at: Any = bets[index].get("at", 0)
            self._placed.setdefault(at if isinstance(at, int) else 0, []).append(index)
        refused = [
            Settlement(result="refused", prize=0, commission=0, stake=bet.get("stake", 0))
            for bet in bets
        ]
        self._rules = [game.bets.get(str(bet.get("bet"))) for bet in bets]
        board = BetTable(
            throws=[], moments=[PlacingMoment.after(None, 0)], bets=bets, lives_memo={}
        )
        self._first = _RoundState(board, 0, [], refused)
        self._place_bets(self._first)

    def expected(self, throws: Sequence[Sequence[int]]) -> list[Settlement]:
        """Return the expected settlements after some throws."""
        state = self._first
        for throw in throws:
            dice = tuple(throw)
            after = state.next.get(dice)
            if after is None:
                after = self._apply_throw(state, dice)
            state = after
        return state.settlements

    def remember(self, throws: Sequence[Sequence[int]], settlements: Sequence[Settlement]) -> None:
        """Replace the expected settlements after some throws."""
        state = self._first
        for throw in throws:
            after = state.next.get(tuple(throw))
            if after is None:
                return
            state = after
        state.settlements = list(settlements)

    def _apply_throw(self, state: _RoundState, dice: tuple[int, ...]) -> _RoundState:
        if self._state_count >= _MAX_ROUND_STATES:
            self._state_count = 0
            self._first.next.clear()
        self._state_count += 1
        game, before = self._game, state.board
        throw, point = game.add_throw(game.game.facts({"throw": dice}), state.point)
        board = BetTable(
            throws=[*before.throws, throw],
            moments=[*before.moments, PlacingMoment.after(throw, point)],
            bets=self._bets,
            lives_memo={},
            lives=dict(before.lives),
            added={to: replace(added) for to, added in before.added.items()},
        )
        after = state.next[dice] = _RoundState(board, point, [], list(state.settlements))
        for index in state.open:
            self._advance_bet(index, after)
        self._place_bets(after)
        return after

    def _advance_bet(self, index: int, state: _RoundState) -> None:
        """Settle a standing bet by the last throw; its additions follow it in the list."""
        board, bet = state.board, self._bets[index]
        rules = self._rules_of(index)
        if rules.added_to is None:
            choice = None if rules.domain is None else bet.get("choice")
            life = self._game.continue_life(rules, choice, board.lives[index], board)
        else:
            life = self._game.live_added_bet(rules, board.lives[bet["to"]], board)
        self._record_life(index, life, state)

    def _place_bets(self, state: _RoundState) -> None:
        """Accept or refuse the bets placed now, before the next throw."""
        for index in self._placed.get(len(state.board.throws), ()):
            self._record_life(index, self._game.live_bet(index, state.board), state)

    def _record_life(self, index: int, life: BetLife, state: _RoundState) -> None:
        board = state.board
        board.lives[index] = life
        if life.bet_result.result == _STANDS:
            state.open.append(index)
        if life.refused:
            return
        answer = self._game.settle_bet_plain(index, board)
        state.settlements[index] = Settlement(
            result=answer["result"], prize=answer["prize"], commission=answer["commission"],
            stake=0 if answer["result"] in _STAKE_KEPT
            else answer.get("stake", self._bets[index]["stake"]),
        )  # fmt: skip

    def _rules_of(self, index: int) -> BetRules:
        rules = self._rules[index]
        assert rules is not None  # noqa: S101 - a standing bet has rules
        return rules
