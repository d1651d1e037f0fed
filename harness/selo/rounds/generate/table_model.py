"""Table model: simulates a lawful table while a script is generated.

The model knows no vendor. It forces the outcome of every round and settles the bets by the law, so
it knows which bets are still open. Some of its acts must be refused: late bets, bets at the wrong
place, changes of bound stakes. It never asks for an act on whose answer the law says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, cast

from selo.cases import settlement_case
from selo.cases.group import STAKE
from selo.protocol.schema import FORCE, GO_ON, HAPPEN
from selo.rounds.script import STAYING_RESULTS
from selo.table_values import Bet, Options, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from selo.cases.oracle import Oracle
    from selo.law.files.round_file import TableMoves
    from selo.protocol.messages import Offer


T = TypeVar("T")
PLAYERS: Final = ("ana", "rui", "eva")
STAKES: Final = (STAKE, 2 * STAKE, 5 * STAKE)
PLACE_BET: Final = "place-bet"
OVER: Final = "over"
BETTING: Final = "betting"
CLOSED: Final = "closed"
MAX_REJECTED: Final = 2


class Chooser(Protocol):
    """A source of choices."""

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelContext:
    """What the table models of a game share: the law, the offer, and outcomes to force."""

    game: str
    oracle: Oracle
    offer: Offer
    #: Outcomes to choose from.
    outcomes: tuple[Outcome, ...]
    #: What the rounds file says of a table that is played at random.
    moves: TableMoves | None = None

    def can_happen(self, event: str) -> bool:
        """Return whether the vendor can stage an event."""
        return event in self.offer.happens

    def bets(self, *names: str) -> list[str]:
        """Return those of the named bets that are offered."""
        return [name for name in names if name in self.offer.bets]

    def allows(self, option: str, value: str) -> bool:
        """Return whether a table may be opened with a value of an option."""
        offered = self.offer.options.get(option, [])
        return isinstance(offered, list) and value in offered


@dataclass(slots=True)
class TableModel:
    """A simulated table: its acts so far, its phase, and its open bets by ticket."""

    context: ModelContext
    acts: list[dict[str, Any]] = field(default_factory=list)
    options: Options = field(default_factory=dict)
    phase: str = OVER
    open_bets: dict[str, Bet] = field(default_factory=dict)
    outcome: Outcome = field(default_factory=Outcome)
    #: Events at which the current round can still be interrupted, in order.
    stops: list[str] = field(default_factory=list)
    tickets: int = 0
    rounds: int = 0
    #: Acts to be rejected that were asked since the table last proceeded.
    rejected: int = 0

    MAX_ROUNDS = 3

    # Particular to a game.

    def prepare(self, chance: Chooser) -> None:
        """Choose the options of the table and seat players."""

    def moves(self) -> dict[str, Callable[[Chooser], None]]:
        """Return the possible moves by name."""
        moves: dict[str, Callable[[Chooser], None]] = {}
        if self.phase == OVER and self.rounds < self.MAX_ROUNDS:
            moves["open"] = self.open_round
        if self.phase != OVER:
            moves["on"] = self.go_on
        if self.phase != OVER and self.stops:
            moves["stop"] = self.stop
        return moves

    @property
    def may_be_rejected(self) -> bool:
        """Whether one more act may be asked that will be rejected; too many of them show little."""
        return self.rejected < MAX_REJECTED

    def interruption_points(self) -> list[str]:
        """Return the events at which a round can be interrupted after its bets."""
        return []

    def will_break_off(self) -> bool:
        """Return whether the deal breaks off after its first card."""
        return False

    def settle_options(self) -> Options:
        """Return the options with which the bets are settled."""
        return {}

    def finish(self, chance: Chooser) -> None:
        """Play on until the table can be closed."""
        while self.phase != OVER:
            self.go_on(chance)

    # Common to all games.

    def proceed(self, until: str | None = None) -> None:
        """Let the table proceed."""
        self.acts.append({"act": GO_ON} if until is None else {"act": GO_ON, "until": until})
        self.rejected = 0

    def act(self, name: str, **fields: Any) -> None:
        """Ask for an act."""
        self.acts.append({"act": name, **fields})

    def happen(self, name: str, **fields: Any) -> None:
        """Stage an event of people or equipment."""
        self.acts.append({"act": HAPPEN, "event": {"event": name, **fields}})

    def new_ticket(self) -> str:
        """Return an unused ticket."""
        self.tickets += 1
        return f"t{self.tickets}"

    def place_bet(self, bet: Bet, **fields: Any) -> None:
        """Place a bet that the table accepts."""
        ticket = self.new_ticket()
        self.open_bets[ticket] = bet
        player = {"player": bet["bettor"]}
        own = {name: value for name, value in bet.items() if name not in {"bettor", "at"}}
        self.act(PLACE_BET, ticket=ticket, **player, **{**own, **fields})

    def place_rejected_bet(self, bet: Bet, **fields: Any) -> None:
        """Place a bet that the table rejects."""
        ticket = self.new_ticket()
        self.rejected += 1
        own = {name: value for name, value in bet.items() if name != "bettor"}
        self.act(PLACE_BET, ticket=ticket, player=bet["bettor"], **{**own, **fields})

    def open_round(self, chance: Chooser) -> None:
        """Force the outcome of the next round and begin it."""
        self.outcome = chance.pick(self.context.outcomes)
        self.acts.append({"act": FORCE, "outcome": self.outcome})
        self.proceed()
        self.phase, self.stops = BETTING, self.interruption_points()
        self.rounds += 1

    def stop(self, chance: Chooser) -> None:
        """Proceed to one of the next interruption points."""
        at = 0 if self.will_break_off() else chance.pick(range(len(self.stops)))
        self.proceed(self.stops[at])
        self.stops, self.phase = [] if self.will_break_off() else self.stops[at + 1 :], CLOSED

    def go_on(self, chance: Chooser) -> None:
        """Proceed until the round waits for people or ends."""
        del chance
        self.proceed()
        self.remove_decided_bets()
        self.phase, self.stops = OVER, []

    def remove_decided_bets(self) -> None:
        """Remove the bets that the outcome decides."""
        if self.open_bets:
            case = settlement_case(
                self.context.game, "sketch", self.outcome, list(self.open_bets.values()),
                self.settle_options(),
            )  # fmt: skip
            expected = self.context.oracle.expected_settlements(case)
            self.open_bets = {
                ticket: bet
                for (ticket, bet), settlement in zip(self.open_bets.items(), expected, strict=True)
                if settlement.result in STAYING_RESULTS
            }


def choose_bet(
    model: TableModel, chance: Chooser, names: Sequence[str], player: str, **fields: Any
) -> Bet:
    """Choose one of the named bets, with a choice and a stake, as a case holds it."""
    name = chance.pick(names)
    domain = model.context.oracle.game(model.context.game).bets[name].domain
    choice = {} if domain is None else {"choice": chance.pick(list(domain))}
    bet = {"bet": name, **choice, "stake": chance.pick(STAKES), "bettor": player, **fields}
    return cast("Bet", bet)
