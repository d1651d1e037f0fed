"""A table as it is imagined while a script is made: what makes sense to ask of it next.

A sketch knows no vendor. It supposes a table that keeps the law, gives every round its outcome in
advance, and asks the law what becomes of the bets; so it knows which bets still lie there. What it
asks for may be refused, and often must be: late bets, bets at the wrong place, changes of what is
bound. What could be neither accepted nor refused with sense is never asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from selo.cases import settlement_case
from selo.cases.group import STAKE
from selo.protocol.schema import FORCE, GO_ON, HAPPEN
from selo.rounds.script import STAYING_RESULTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from selo.cases.oracle import Oracle
    from selo.protocol.messages import Offer

T = TypeVar("T")
PLAYERS: Final = ("ana", "rui", "eva")
STAKES: Final = (STAKE, 2 * STAKE, 5 * STAKE)
OVER: Final = "over"
BETTING: Final = "betting"
CLOSED: Final = "closed"
MAX_REJECTED: Final = 2


class Chooser(Protocol):
    """Whoever chooses."""

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelContext:
    """What sketches of a game stand on: the law, what is offered, and outcomes to be given."""

    game: str
    oracle: Oracle
    offer: Offer
    #: Outcomes of the rounds that are written by hand.
    outcomes: tuple[dict[str, Any], ...]

    def can_happen(self, event: str) -> bool:
        """Return whether the vendor can stage an event."""
        return event in self.offer.happens

    def bets(self, *names: str) -> list[str]:
        """Return those of some bets that are offered."""
        return [name for name in names if name in self.offer.bets]

    def allows(self, option: str, value: str) -> bool:
        """Return whether a table may be opened with a value of an option."""
        offered = self.offer.options.get(option, [])
        return isinstance(offered, list) and value in offered


@dataclass(slots=True)
class TableModel:
    """The table so far: its acts, its phase, and the bets that lie on it by their tickets."""

    ground: ModelContext
    acts: list[dict[str, Any]] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    phase: str = OVER
    open_bets: dict[str, dict[str, Any]] = field(default_factory=dict)
    outcome: dict[str, Any] = field(default_factory=dict)
    #: Events at which the present round can still be stopped, in their order.
    stops: list[str] = field(default_factory=list)
    tickets: int = 0
    rounds: int = 0
    #: How often something was asked in vain since the table last went on.
    rejected: int = 0

    #: How many rounds a table plays at most.
    MAX_ROUNDS = 3

    # What a game says of itself.

    def prepare(self, chance: Chooser) -> None:
        """Choose the options of the table, and let people come."""

    def moves(self) -> dict[str, Callable[[Chooser], None]]:
        """Return what can be asked now, by the name of the move."""
        found: dict[str, Callable[[Chooser], None]] = {}
        if self.phase == OVER and self.rounds < self.MAX_ROUNDS:
            found["open"] = self.open_round
        if self.phase != OVER:
            found["on"] = self.go_on
        if self.phase != OVER and self.stops:
            found["stop"] = self.stop
        return found

    @property
    def may_be_rejected(self) -> bool:
        """Whether something may be asked in vain once more: a script full of that shows little."""
        return self.rejected < MAX_REJECTED

    def interruption_points(self) -> list[str]:
        """Return the events at which the round can be stopped after its bets."""
        return []

    def will_break_off(self) -> bool:
        """Return whether the deal breaks off after its first card."""
        return False

    def settle_options(self) -> dict[str, Any]:
        """Return the options with which the bets are settled."""
        return {}

    def finish(self, chance: Chooser) -> None:
        """Bring the table to where it can be closed."""
        while self.phase != OVER:
            self.go_on(chance)

    # What every table does.

    def proceed(self, until: str | None = None) -> None:
        """Let the table go on."""
        self.acts.append({"act": GO_ON} if until is None else {"act": GO_ON, "until": until})
        self.rejected = 0

    def act(self, name: str, **fields: Any) -> None:
        """Ask for an act."""
        self.acts.append({"act": name, **fields})

    def happen(self, name: str, **fields: Any) -> None:
        """Let people or equipment do something."""
        self.acts.append({"act": HAPPEN, "event": {"event": name, **fields}})

    def new_ticket(self) -> str:
        """Return a mark that was not used before."""
        self.tickets += 1
        return f"t{self.tickets}"

    def place_bet(self, bet: dict[str, Any], **fields: Any) -> None:
        """Ask for a bet that is taken from now on."""
        ticket = self.new_ticket()
        self.open_bets[ticket] = bet
        player = {"player": bet["bettor"]}
        told = {name: value for name, value in bet.items() if name not in {"bettor", "at"}}
        self.act("place-bet", ticket=ticket, **player, **{**told, **fields})

    def place_rejected_bet(self, bet: dict[str, Any], **fields: Any) -> None:
        """Ask for a bet that is not taken."""
        ticket = self.new_ticket()
        self.rejected += 1
        told = {name: value for name, value in bet.items() if name != "bettor"}
        self.act("place-bet", ticket=ticket, player=bet["bettor"], **{**told, **fields})

    def open_round(self, chance: Chooser) -> None:
        """Give the next round its outcome, and let it begin."""
        self.outcome = chance.pick(self.ground.outcomes)
        self.acts.append({"act": FORCE, "outcome": self.outcome})
        self.proceed()
        self.phase, self.stops = BETTING, self.interruption_points()
        self.rounds += 1

    def stop(self, chance: Chooser) -> None:
        """Let the round go on to one of its next events."""
        at = 0 if self.will_break_off() else chance.pick(range(len(self.stops)))
        self.proceed(self.stops[at])
        self.stops, self.phase = [] if self.will_break_off() else self.stops[at + 1 :], CLOSED

    def go_on(self, chance: Chooser) -> None:
        """Let the round go on to where it waits for people, or ends."""
        del chance
        self.proceed()
        self.remove_decided_bets()
        self.phase, self.stops = OVER, []

    def remove_decided_bets(self) -> None:
        """Take away what the outcome decides."""
        if self.open_bets:
            case = settlement_case(
                self.ground.game, "sketch", self.outcome, list(self.open_bets.values()),
                self.settle_options(),
            )  # fmt: skip
            expected = self.ground.oracle.expected_settlements(case)
            self.open_bets = {
                ticket: bet
                for (ticket, bet), one in zip(self.open_bets.items(), expected, strict=True)
                if one.result in STAYING_RESULTS
            }


def choose_bet(
    sketch: TableModel, chance: Chooser, names: Sequence[str], player: str, **fields: Any
) -> dict[str, Any]:
    """Return one of some bets as it is settled, with a choice that it has."""
    name = chance.pick(names)
    domain = sketch.ground.oracle.game(sketch.ground.game).bets[name].domain
    choice = {} if domain is None else {"choice": chance.pick(list(domain))}
    return {"bet": name, **choice, "stake": chance.pick(STAKES), "bettor": player, **fields}
