"""Table model: simulates a lawful table while a script is generated.

The model knows no vendor. It forces the outcome of every round and settles the bets by the law, so
it knows which bets are still open. Some of its acts must be refused: late bets, bets at the wrong
place, changes of bound stakes. It never asks for an act on whose answer the law says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, cast

from selo.cases import settlement_case
from selo.cases.group import STAKE
from selo.law.files.events_file import EventRole
from selo.law.files.round_file import TableMoves, read_written_rounds
from selo.protocol.schema import FORCE, GO_ON, HAPPEN, game_words
from selo.rounds.generate.script_reader import parse_value
from selo.rounds.script import PLAYER, STAYING_RESULTS
from selo.rules.procedure.step_reader import find_events_file
from selo.table_values import Bet, Options, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from selo.cases.oracle import Oracle
    from selo.law import Law
    from selo.law.files.events_file import EventsFile
    from selo.protocol.messages import Offer
    from selo.rules.settlement.settlement_models import BetRules


T = TypeVar("T")
PLAYERS: Final = ("ana", "rui", "eva")
STAKES: Final = (STAKE, 2 * STAKE, 5 * STAKE)
OVER: Final = "over"
BETTING: Final = "betting"
CLOSED: Final = "closed"
MAX_REJECTED: Final = 2


class Chooser(Protocol):
    """A source of choices."""

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""


@dataclass(frozen=True, kw_only=True)
class ModelContext:
    """What the table models of a game share: the law, the offer, and outcomes to force."""

    law: Law
    oracle: Oracle
    offer: Offer
    #: Outcomes to choose from.
    outcomes: tuple[Outcome, ...] = ()

    @property
    def game(self) -> str:
        """The game."""
        return self.offer.game

    @cached_property
    def moves(self) -> TableMoves:
        """What the rounds file says of a table that is played at random."""
        written = read_written_rounds(self.game, specs=self.law.specs)
        return (written and written[1].table) or TableMoves(closing=[])

    @cached_property
    def _events(self) -> EventsFile | None:
        return find_events_file(self.law, self.game)

    @cached_property
    def rules(self) -> dict[str, BetRules]:
        """The rules of the offered bets, in the order of the law."""
        offered = self.offer.bets
        return {name: rules for name, rules in self.all_rules.items() if name in offered}

    @cached_property
    def all_rules(self) -> Mapping[str, BetRules]:
        """The rules of all bets, offered or not."""
        return self.oracle.game(self.game).bets

    @cached_property
    def main_bets(self) -> list[str]:
        """The offered bets that need no other one."""
        return [name for name, rules in self.rules.items() if not rules.needs]

    @cached_property
    def offered_anywhere(self) -> list[str]:
        """The bets that a table offers by an option and for which nobody needs a seat."""
        offered: Any = self.offer.options.get("offered", [])
        return [name for name in offered if self.all_rules[name].place is None]

    def event(self, role: EventRole) -> str:
        """Return the event of a role; nothing has the empty name."""
        return (self._events and self._events.name_of(role)) or ""

    @cached_property
    def arrival(self) -> tuple[str, str]:
        """The event in which somebody takes a place, and the field that says which."""
        arrival = self.event(EventRole.ARRIVES)
        events = () if self._events is None else self._events.events
        fields = next((event.fields for event in events if event.id == arrival), [])
        return arrival, next((name for name in fields if name != PLAYER), "")

    def event_fields(self, says: Mapping[str, str]) -> dict[str, Any]:
        """Return the fields of an event, each as the kind that the events file gives it."""
        kinds = {} if self._events is None else {each.id: each.kind for each in self._events.fields}
        return {name: parse_value(value, kinds[name]) for name, value in says.items()}

    def case_options(self, options: Options) -> Options:
        """Return those options of a table on which settlements may depend."""
        known = game_words(self.law, self.game).options_known
        return {name: value for name, value in options.items() if known[name].in_case}

    def can_happen(self, event: str) -> bool:
        """Return whether the vendor can stage an event."""
        return event in self.offer.happens

    def offered_moves(self) -> Options:
        """Return the options of other tables than the usual, if the vendor offers these tables."""
        options = self.moves.options
        named = [(name, value) for name, value in options.items() if isinstance(value, str)]
        offered = named and all(self.allows(name, value) for name, value in named)
        return cast("Options", options) if offered else {}

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
    #: Whether a mishap broke this deal off, and whether one that could have did before.
    broken: bool = False
    went_wrong: bool = False

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
        return list(self.context.moves.closing)

    def will_break_off(self) -> bool:
        """Return whether the deal breaks off after its first card."""
        return self.broken

    def may_go_wrong(self, *, seriously: bool) -> bool:
        """Return whether a mishap may come, which may break the deal off `seriously`."""
        del seriously
        return not self.broken

    def finish(self, chance: Chooser) -> None:
        """Play on until the table can be closed."""
        while self.phase != OVER:
            self.go_on(chance)

    # Common to all games.

    def mishap(self, chance: Chooser) -> None:
        """Stage something that goes wrong."""
        mishap = chance.pick(self.context.moves.mishaps)
        serious = any(way.breaks for way in mishap.ways)
        there = all(self.options.get(name) == value for name, value in mishap.given.items())
        if there and self.context.can_happen(mishap.event) and self.may_go_wrong(seriously=serious):
            way = chance.pick(mishap.ways) if mishap.ways[1:] else mishap.ways[0]
            self.broken = self.broken or way.breaks
            self.went_wrong = self.went_wrong or serious
            self.happen(mishap.event, **self.context.event_fields(way.says))

    def arrive(self, player: str, place: str) -> None:
        """Let somebody take a place, where a vendor can stage it."""
        event, name = self.context.arrival
        if self.context.can_happen(event):
            self.happen(event, **{PLAYER: player}, **({name: place} if name else {}))

    def lay(self, ticket: str, player: str, fields: dict[str, Any]) -> None:
        """Ask for the act that lays a bet."""
        self.act(self.context.event(EventRole.LAYS), ticket=ticket, **{PLAYER: player}, **fields)

    def proceed(self, until: str | None = None) -> None:
        """Let the table proceed."""
        self.acts.append({"act": GO_ON} if until is None else {"act": GO_ON, "until": until})
        self.rejected = 0

    def act(self, name: str, **fields: Any) -> None:
        """Ask for an act; a game that has no event of the role is not asked."""
        if name:
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
        own = {name: value for name, value in bet.items() if name not in {"bettor", "at"}}
        self.lay(ticket, bet["bettor"], {**own, **fields})

    def place_rejected_bet(self, bet: Bet, **fields: Any) -> None:
        """Place a bet that the table rejects."""
        ticket = self.new_ticket()
        self.rejected += 1
        own = {name: value for name, value in bet.items() if name != "bettor"}
        self.lay(ticket, bet["bettor"], {**own, **fields})

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
                self.context.case_options(self.options),
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
