"""Table models of dice games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.cases import settlement_case
from selo.law.files.round_file import TableMoves
from selo.protocol.schema import FORCE
from selo.rounds.generate.table_model import (
    BETTING,
    CLOSED,
    OVER,
    PLAYERS,
    STAKES,
    TableModel,
    choose_bet,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from selo.rounds.generate.table_model import Chooser
    from selo.table_values import Bet, Options, Outcome


LIMIT_OPTIONS: Final[Options] = {
    "limits": "declared",
    "minimum": min(STAKES),
    "maximum": max(STAKES),
}
_STAKES_OUTSIDE_LIMITS: Final = (min(STAKES) - 1, max(STAKES) + 1)
#: Of the one game with figure dice whose rounds file does not say it yet.
_FIGURE_DICE_MOVES: Final = TableMoves(
    closing=["ring-bell", "call-open", "unfasten", "lift-cover"],
    changes=["withdraw-bet", "lower-stake", "raise-stake", "move-stake"],
    unknown_bet="two-of-figure",
)
WITHDRAW, LOWER, RAISE, MOVE = "withdraw-bet", "lower-stake", "raise-stake", "move-stake"


def _choose_limits(model: TableModel, chance: Chooser) -> None:
    named = all(name in model.context.offer.options for name in LIMIT_OPTIONS)
    if named and model.context.allows("limits", "declared") and chance.pick((False, False, True)):
        model.options = dict(LIMIT_OPTIONS)


@dataclass(slots=True)
class PieceTable(TableModel):
    """A table at which pieces show one outcome a round, and anybody places any bet."""

    #: Tickets that a void throw binds.
    bound: set[str] = field(default_factory=set)

    def prepare(self, chance: Chooser) -> None:
        """Declare stake limits or none."""
        _choose_limits(self, chance)

    def moves(self) -> dict[str, Callable[[Chooser], None]]:
        """Return the possible moves by name."""
        # Not `super()`: a dataclass with slots replaces the class that the body was compiled in.
        moves = TableModel.moves(self)
        if self.phase == BETTING:
            moves["bet"] = self.bet
        elif self.may_be_rejected:
            moves["bet"] = self.late
        if self.may_be_rejected:
            moves["strange"] = self.strange
        if self.open_bets and self.table_moves.changes:
            moves["change"] = self.change
        return moves

    def interruption_points(self) -> list[str]:
        """Return the events after which no bet is taken."""
        return list(self.table_moves.closing)

    @property
    def table_moves(self) -> TableMoves:
        """What may be done at the table."""
        return self.context.moves or _FIGURE_DICE_MOVES

    def bet(self, chance: Chooser) -> None:
        """Place a bet."""
        self.place_bet(choose_bet(self, chance, self.context.offer.bets, chance.pick(PLAYERS)))

    def late(self, chance: Chooser) -> None:
        """Place a bet while betting is closed."""
        self.place_rejected_bet(
            choose_bet(self, chance, self.context.offer.bets, chance.pick(PLAYERS))
        )

    def strange(self, chance: Chooser) -> None:
        """Place an unknown bet, or a stake outside the limits."""
        if self.options:
            bet = choose_bet(self, chance, self.context.offer.bets, chance.pick(PLAYERS))
            self.place_rejected_bet(bet | {"stake": chance.pick(_STAKES_OUTSIDE_LIMITS)})
        else:
            self.place_rejected_bet(
                {
                    "bet": self.table_moves.unknown_bet,
                    "stake": STAKES[0],
                    "bettor": chance.pick(PLAYERS),
                }
            )

    def change(self, chance: Chooser) -> None:
        """Withdraw, move, lower or raise a bet."""
        ticket = chance.pick(sorted(self.open_bets))
        bet, free = self.open_bets[ticket], self.phase == BETTING and ticket not in self.bound
        name = chance.pick(self.table_moves.changes)
        if name == WITHDRAW:
            self.act(name, ticket=ticket)
            if free:
                del self.open_bets[ticket]
        elif name == MOVE:
            spot = choose_bet(self, chance, self.context.offer.bets, bet["bettor"])
            target = {part: spot[part] for part in ("bet", "choice") if part in spot}
            self.act(name, ticket=ticket, **target)
            if free:
                self.open_bets[ticket] = spot | {"stake": bet["stake"]}
        else:
            self._change_amount(name, ticket, bet, open_=free or name == RAISE)

    def _change_amount(self, name: str, ticket: str, bet: Bet, *, open_: bool) -> None:
        stake = bet["stake"] // 2 if name == LOWER else bet["stake"] * 2
        if self.options and not min(STAKES) <= stake <= max(STAKES):
            return
        self.act(name, ticket=ticket, stake=stake)
        if open_ and self.phase == BETTING:
            self.open_bets[ticket] = {**bet, "stake": stake}

    def go_on(self, chance: Chooser) -> None:
        """Open the dice; after a void throw the bets stay for the next one."""
        del chance
        void = any(position != "flat" for position in self.outcome.get("lying", ()))
        if not void:
            self.proceed()
            self.open_bets, self.bound, self.phase, self.stops = {}, set(), OVER, []
            return
        flat: Outcome = {"dice": self.outcome["dice"]}
        self.acts.append({"act": FORCE, "outcome": flat})
        self.proceed()
        self.outcome, self.phase, self.stops = flat, BETTING, self.interruption_points()
        self.bound = set(self.open_bets)


@dataclass(slots=True)
class CrapsTable(TableModel):
    """A table of craps; its rounds are throws, each forced."""

    throws: list[list[int]] = field(default_factory=list)
    #: Every accepted bet, decided or not, as `settle` expects it.
    all_bets: dict[str, Bet] = field(default_factory=dict)
    added: set[str] = field(default_factory=set)
    point: int = 0
    must_rethrow: bool = False

    MAX_ROUNDS = 9

    def prepare(self, chance: Chooser) -> None:
        """Choose limits and place the first line bet."""
        _choose_limits(self, chance)
        self.phase = BETTING
        self._place_line_bet(chance)

    def moves(self) -> dict[str, Callable[[Chooser], None]]:
        """Return the possible moves by name."""
        going = len(self.throws) < self.MAX_ROUNDS
        moves: dict[str, Callable[[Chooser], None]] = {"on": self.go_on} if going else {}
        still = self.phase == BETTING and not self.must_rethrow
        if still:
            moves["bet"] = self.bet
        if self.may_be_rejected:
            moves["strange"] = self.late
        if still and self._bases():
            moves["add"] = self.add
        if self.phase == BETTING and going:
            moves["stop"] = self.stop
        if self.open_bets:
            moves["change"] = self.change
        if self.context.can_happen("take-dice"):
            moves["happen"] = self.take_dice
        return moves

    def _place_line_bet(self, chance: Chooser) -> None:
        name = chance.pick(self.context.bets("pass-line", "dont-pass"))
        self._place_bet({"bet": name, "stake": chance.pick(STAKES), "bettor": chance.pick(PLAYERS)})

    def _place_bet(self, bet: Bet, **fields: Any) -> None:
        self.place_bet(bet | {"at": len(self.throws)}, **fields)
        ticket = f"t{self.tickets}"
        self.all_bets[ticket] = self.open_bets[ticket]

    def bet(self, chance: Chooser) -> None:
        """Place a bet that is open now."""
        lines = ("come", "dont-come") if self.point else ("pass-line", "dont-pass")
        names = self.context.bets(*lines, "field", "hard-way", "big-7", "eleven", "any-craps")
        self._place_bet(choose_bet(self, chance, names, chance.pick(PLAYERS)))

    def late(self, chance: Chooser) -> None:
        """Place a bet that is not open now."""
        lines: tuple[str, ...] = ("come", "dont-come")
        if self.point:
            lines = ("pass-line", "dont-pass")
        if self.phase == CLOSED or self.must_rethrow:
            lines = ("pass-line", "dont-pass", "come", "dont-come", "field")
        names = self.context.bets(*lines)
        if names:
            self.place_rejected_bet(choose_bet(self, chance, names, chance.pick(PLAYERS)))

    def _bases(self) -> list[str]:
        """Return the tickets to which something can be added now."""
        throws = len(self.throws)
        ready = {"pass-line", "dont-pass"} if self.point else set()
        return sorted(
            ticket
            for ticket, bet in self.open_bets.items()
            if ticket not in self.added
            and f"{bet['bet']}-additional" in self.context.offer.bets
            and (bet["bet"] in ready or (bet["bet"].endswith("come") and bet["at"] < throws))
        )

    def add(self, chance: Chooser) -> None:
        """Add half the stake to a bet that has its point, which exceeds no limit on prizes."""
        base = chance.pick(self._bases())
        own = self.open_bets[base]
        stake = own["stake"] // 2
        if self.options and stake < min(STAKES):
            return
        self.added.add(base)
        bet: Bet = {
            "bet": f"{own['bet']}-additional", "stake": stake, "bettor": own["bettor"],
            "to": list(self.all_bets).index(base),
        }  # fmt: skip
        self._place_bet(bet, to=base)

    def change(self, chance: Chooser) -> None:
        """Withdraw a bet, unless it has seen no throw: whether it may be withdrawn then is open."""
        ticket = chance.pick(sorted(self.open_bets))
        bet = self.open_bets[ticket]
        touched = any(0 not in throw for throw in self.throws[bet["at"] :])
        if touched or self.phase == CLOSED or self.must_rethrow:
            self.act("withdraw-bet", ticket=ticket, player=bet["bettor"], bet=bet["bet"])

    def take_dice(self, chance: Chooser) -> None:
        """Stage a player taking the dice."""
        self.happen("take-dice", player=chance.pick(PLAYERS))

    def stop(self, chance: Chooser) -> None:
        """Interrupt the throw."""
        self._force(chance)
        self.proceed("throw-dice")
        self.phase = CLOSED

    def _force(self, chance: Chooser, total: int = 0) -> None:
        """Force the next throw: any, or one with the given total."""
        throws = [outcome["throws"][0] for outcome in self.context.outcomes]
        if total:
            throws = [throw for throw in throws if 0 not in throw and sum(throw) == total]
        self.outcome = {"throws": [list(chance.pick(throws))]}
        self.acts.append({"act": FORCE, "outcome": self.outcome})

    def go_on(self, chance: Chooser) -> None:
        """Throw, or finish an interrupted throw."""
        if self.phase != CLOSED:
            self._force(chance)
        self._settle_throw()

    def _settle_throw(self) -> None:
        self.proceed()
        throw = list(self.outcome["throws"][0])
        self.throws.append(throw)
        self.must_rethrow = 0 in throw
        self._update_point(sum(throw))
        self._decide()
        self.phase = BETTING

    def _update_point(self, total: int) -> None:
        """Find whether there is a point: the law refuses a come bet without one."""
        if self.must_rethrow:
            return
        oracle, game = self.context.oracle, self.context.game
        come: list[Bet] = [{"bet": "come", "stake": STAKES[0], "at": len(self.throws)}]
        case = settlement_case(game, "sketch", {"throws": self.throws}, come)
        refused = oracle.expected_settlements(case)[0].result == "refused"
        self.point = 0 if refused else self.point or total

    def _decide(self) -> None:
        bets = list(self.all_bets.values())
        case = settlement_case(self.context.game, "sketch", {"throws": self.throws}, bets)
        for ticket, settlement in zip(
            self.all_bets, self.context.oracle.expected_settlements(case), strict=True
        ):
            if settlement.result != "stands":
                self.open_bets.pop(ticket, None)

    def finish(self, chance: Chooser) -> None:
        """Throw until no point is open."""
        while self.point or self.must_rethrow or self.phase == CLOSED:
            if self.phase != CLOSED:
                self._force(chance, self.point)
            self._settle_throw()
