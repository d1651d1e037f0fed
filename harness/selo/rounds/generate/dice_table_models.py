"""Table models of dice games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from selo.cases import settlement_case
from selo.law.files.events_file import EventRole
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
from selo.rounds.generate.thrown_bets import ThrownBets
from selo.rules.equipment.piece_set import PIECE_FIELDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from selo.rounds.generate.table_model import Chooser
    from selo.table_values import Bet, Options, Outcome, TableOptions


LIMIT_OPTIONS: Final[TableOptions] = {
    "limits": "declared",
    "minimum": min(STAKES),
    "maximum": max(STAKES),
}
_STAKES_OUTSIDE_LIMITS: Final = (min(STAKES) - 1, max(STAKES) + 1)


def _choose_limits(model: TableModel, chance: Chooser) -> None:
    named = all(name in model.context.offer.options for name in LIMIT_OPTIONS)
    posted = str(LIMIT_OPTIONS["limits"])
    if named and model.context.allows("limits", posted) and chance.pick((False, False, True)):
        model.options = cast("Options", dict(LIMIT_OPTIONS))


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
        if self.open_bets and self.context.moves.changes:
            moves["change"] = self.change
        return moves

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
                    "bet": self.context.moves.unknown_bet,
                    "stake": STAKES[0],
                    "bettor": chance.pick(PLAYERS),
                }
            )

    def change(self, chance: Chooser) -> None:
        """Withdraw, move, lower or raise a bet."""
        ticket = chance.pick(sorted(self.open_bets))
        bet, free = self.open_bets[ticket], self.phase == BETTING and ticket not in self.bound
        name, event = chance.pick(self.context.moves.changes), self.context.event
        if name == event(EventRole.WITHDRAWS):
            self.act(name, ticket=ticket)
            if free:
                del self.open_bets[ticket]
        elif name == event(EventRole.MOVES):
            spot = choose_bet(self, chance, self.context.offer.bets, bet["bettor"])
            target = {part: spot[part] for part in ("bet", "choice") if part in spot}
            self.act(name, ticket=ticket, **target)
            if free:
                self.open_bets[ticket] = spot | {"stake": bet["stake"]}
        else:
            self._change_amount(name, ticket, bet, free=free)

    def _change_amount(self, name: str, ticket: str, bet: Bet, *, free: bool) -> None:
        lowers = name == self.context.event(EventRole.LOWERS)
        stake = bet["stake"] // 2 if lowers else bet["stake"] * 2
        if self.options and not min(STAKES) <= stake <= max(STAKES):
            return
        self.act(name, ticket=ticket, stake=stake)
        if (free or not lowers) and self.phase == BETTING:
            self.open_bets[ticket] = {**bet, "stake": stake}

    def go_on(self, chance: Chooser) -> None:
        """Open the dice; after a void throw the bets stay for the next one."""
        del chance
        void = any(position != "flat" for position in self.outcome.get("lying", ()))
        if not void:
            self.proceed()
            self.open_bets, self.bound, self.phase, self.stops = {}, set(), OVER, []
            return
        outcome: Mapping[str, Any] = self.outcome
        shown = {name: outcome[name] for name in PIECE_FIELDS if name in outcome}
        flat = cast("Outcome", shown)
        self.acts.append({"act": FORCE, "outcome": flat})
        self.proceed()
        self.outcome, self.phase, self.stops = flat, BETTING, self.interruption_points()
        self.bound = set(self.open_bets)


@dataclass(slots=True)
class ThrownDiceTable(TableModel):
    """A table of dice that are thrown again and again; its rounds are throws, each forced."""

    throws: list[list[int]] = field(default_factory=list)
    #: Every accepted bet, decided or not, as `settle` expects it.
    all_bets: dict[str, Bet] = field(default_factory=dict)
    added: set[str] = field(default_factory=set)
    point: int = 0
    must_rethrow: bool = False

    _known: ThrownBets | None = None

    MAX_ROUNDS = 9

    @property
    def bets(self) -> ThrownBets:
        """What the bets of the game have to do with one another."""
        self._known = self._known or ThrownBets.of(self.context)
        return self._known

    def _offered(self, *names: str) -> list[str]:
        return [name for name in names if name in self.context.offer.bets]

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
        if self.open_bets and self.context.moves.changes:
            moves["change"] = self.change
        if self.context.can_happen(self.context.arrival[0]):
            moves["happen"] = self.take_dice
        return moves

    def _place_line_bet(self, chance: Chooser) -> None:
        name = chance.pick(self._offered(*self.bets.opening))
        self._place_bet({"bet": name, "stake": chance.pick(STAKES), "bettor": chance.pick(PLAYERS)})

    def _place_bet(self, bet: Bet, **fields: Any) -> None:
        self.place_bet(bet | {"at": len(self.throws)}, **fields)
        ticket = f"t{self.tickets}"
        self.all_bets[ticket] = self.open_bets[ticket]

    def bet(self, chance: Chooser) -> None:
        """Place a bet that is open now."""
        lines = self.bets.later if self.point else self.bets.opening
        names = self._offered(*lines, *self.bets.single)
        self._place_bet(choose_bet(self, chance, names, chance.pick(PLAYERS)))

    def late(self, chance: Chooser) -> None:
        """Place a bet that is not open now."""
        lines = self.bets.opening if self.point else self.bets.later
        if self.phase == CLOSED or self.must_rethrow:
            lines = (*self.bets.opening, *self.bets.later, *self.bets.single[:1])
        names = self._offered(*lines)
        if names:
            self.place_rejected_bet(choose_bet(self, chance, names, chance.pick(PLAYERS)))

    def _bases(self) -> list[str]:
        """Return the tickets to which something can be added now."""
        throws, bets = len(self.throws), self.bets
        ready = bets.opening if self.point else ()
        return sorted(
            ticket
            for ticket, bet in self.open_bets.items()
            if ticket not in self.added
            and bets.added.get(bet["bet"]) in self.context.rules
            and (bet["bet"] in ready or (bet["bet"] in bets.later and bet["at"] < throws))
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
            "bet": self.bets.added[own["bet"]], "stake": stake, "bettor": own["bettor"],
            "to": list(self.all_bets).index(base),
        }  # fmt: skip
        self._place_bet(bet, to=base)

    def change(self, chance: Chooser) -> None:
        """Withdraw a bet, unless it has seen no throw: whether it may be withdrawn then is open."""
        ticket = chance.pick(sorted(self.open_bets))
        bet = self.open_bets[ticket]
        touched = any(0 not in throw for throw in self.throws[bet["at"] :])
        if touched or self.phase == CLOSED or self.must_rethrow:
            name = self.context.event(EventRole.WITHDRAWS)
            self.act(name, ticket=ticket, player=bet["bettor"], bet=bet["bet"])

    def take_dice(self, chance: Chooser) -> None:
        """Stage a player taking the dice."""
        self.arrive(chance.pick(PLAYERS), "")

    def stop(self, chance: Chooser) -> None:
        """Interrupt the throw."""
        self._force(chance)
        self.proceed(self.context.moves.closing[0])
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
        """Find whether there is a point: the law refuses later line bets without one."""
        if self.must_rethrow:
            return
        oracle, game = self.context.oracle, self.context.game
        later: list[Bet] = [{"bet": self.bets.later[0], "stake": STAKES[0], "at": len(self.throws)}]
        case = settlement_case(game, "sketch", {"throws": self.throws}, later)
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
