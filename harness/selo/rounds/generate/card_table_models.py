"""Table models of card games, by what the law says of their bets and the rounds file of a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from selo.law.files.events_file import EventRole
from selo.rounds.generate import table_model
from selo.rounds.generate.table_model import BETTING, CLOSED, OVER, PLAYERS, STAKES, TableModel
from selo.rules.settlement.neighbouring_bets import find_raised

if TYPE_CHECKING:
    from collections.abc import Callable

    from selo.rounds.generate.table_model import Chooser
    from selo.table_values import Bet


@dataclass(slots=True)
class SeatsAgainstBankerTable(TableModel):
    """A table of seats against a banker, with bets on the seats to which the outcome deals.

    Some bets lie at no seat, some at a seat, and some at a seat beside such a bet.
    """

    seated: dict[str, str] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)

    def prepare(self, chance: Chooser) -> None:
        """Choose a usual table or another one, and seat two players."""
        other = self.context.offered_moves()
        if bool(other) and chance.pick((True, True, False)):
            self.options = {
                name: chance.pick(value) if isinstance(value, list) else value
                for name, value in other.items()
            }
        for at, player in enumerate(PLAYERS[:2]):
            if self.context.can_happen(self.context.arrival[0]):
                self.seated[player] = str(at + 1)
                self.arrive(player, str(at + 1))

    def open_round(self, chance: Chooser) -> None:
        """Begin a round, perhaps after something that a player does between rounds."""
        for event in self.context.moves.between:
            if self.seated and self.context.can_happen(event) and chance.pick((False, True)):
                self.happen(event, player=chance.pick(sorted(self.seated)))
        TableModel.open_round(self, chance)

    def moves(self) -> dict[str, Callable[[Chooser], None]]:
        """Return the possible moves by name."""
        moves = TableModel.moves(self)
        if self.phase == BETTING:
            moves["bet"] = self.bet
        elif self.may_be_rejected:
            moves["bet"] = self.late
        if self.may_be_rejected:
            moves["strange"] = self.strange
        if self.phase == BETTING and self.context.moves.mishaps:
            moves["happen"] = self.mishap
        if self.open_bets and self.phase != CLOSED and self.context.moves.changes:
            moves["change"] = self.change
        return moves

    def may_go_wrong(self, *, seriously: bool) -> bool:
        """Return whether a mishap may come: one that can break the deal off, once at a table."""
        return not (seriously and self.went_wrong)

    def _names(self, *, seated: bool, beside: bool = False) -> list[str]:
        """Return the bets at a seat or at none, those beside another one apart."""
        return [
            name
            for name, rules in self.context.rules.items()
            if (rules.place is not None, bool(rules.needs)) == (seated, beside)
        ]

    def _seats(self) -> list[str]:
        return sorted(self.outcome.get("seats", {}))

    def _lying(self, *, beside: bool) -> list[str]:
        """Return the seats at which a bet lies."""
        names = self._names(seated=True, beside=beside)
        return [bet["seat"] for bet in self.open_bets.values() if bet["bet"] in names]

    def bet(self, chance: Chooser) -> None:
        """Place a bet on a seat that gets cards, on its tie, or on the banker's cards."""
        taken, beside = self._lying(beside=False), self._names(seated=True, beside=True)
        free = [seat for seat in self._seats() if seat not in taken]
        tied = [seat for seat in self._seats() if seat in taken]
        names = self._names(seated=False)
        names += self._names(seated=True) if free else []
        names += beside if tied else []
        if not names or not self.seated:
            return
        bet = table_model.choose_bet(self, chance, names, chance.pick(sorted(self.seated)))
        if bet["bet"] not in self._names(seated=False):
            bet = bet | {"seat": chance.pick(tied if bet["bet"] in beside else free)}
        self.place_bet(bet)

    def late(self, chance: Chooser) -> None:
        """Place a bet while betting is closed; between rounds the law says nothing."""
        if self.phase == CLOSED:
            names = self._names(seated=False)
            bet = table_model.choose_bet(self, chance, names, chance.pick(PLAYERS))
            self.place_rejected_bet(bet)

    def strange(self, chance: Chooser) -> None:
        """Ask for something that no table grants at any time, or in the middle of a round."""
        player = chance.pick(PLAYERS[:2])
        dealt, always = self.context.moves.refused_when_dealt, self.context.moves.refused
        when_dealt = self.phase == CLOSED and dealt and chance.pick((True, False))
        for act in dealt if when_dealt else always:
            self.act(act, player=player)

    def change(self, chance: Chooser) -> None:
        """Withdraw, lower or raise a bet; a stake held by a tie may only grow."""
        ticket = chance.pick(sorted(self.open_bets))
        bet, event = self.open_bets[ticket], self.context.event
        player, held = bet["bettor"], self.held.get(ticket)
        is_main = bet["bet"] in self._names(seated=True)
        name = chance.pick(self.context.moves.changes)
        if name == event(EventRole.WITHDRAWS) and self._is_free(bet, is_main=is_main):
            seat = {"seat": bet["seat"]} if "seat" in bet else {}
            self.act(name, ticket=ticket, player=player, bet=bet["bet"], **seat)
            if held is None:
                del self.open_bets[ticket]
        elif (
            name == event(EventRole.LOWERS) and bet["stake"] > 1 and (held or self.phase == BETTING)
        ):
            to = chance.pick(sorted({bet["stake"] // 2, held or bet["stake"]}))
            self.act(name, ticket=ticket, player=player, to=to)
            if held is None or (to >= held and is_main):
                self.open_bets[ticket] = {**bet, "stake": to}
        elif name == event(EventRole.RAISES) and held is not None:
            self.open_bets[ticket] = {**bet, "stake": bet["stake"] * 2}
            self.act(name, ticket=ticket, player=player, to=bet["stake"] * 2)
        elif name == event(EventRole.MOVES) and held is not None:
            self.act(name, ticket=ticket, player=player)

    def _is_free(self, bet: Bet, *, is_main: bool) -> bool:
        """Return whether a bet may be withdrawn: no other one depends on it."""
        tied = bet.get("seat") in self._lying(beside=True)
        return self.phase == BETTING and not (is_main and tied)

    def go_on(self, chance: Chooser) -> None:
        """Deal; after an error that cannot be corrected the stakes stay for another deal."""
        if self.broken:
            self.proceed()
            self.broken = False
            self.phase, self.stops = BETTING, self.interruption_points()
            return
        TableModel.go_on(self, chance)
        self.held = {ticket: bet["stake"] for ticket, bet in self.open_bets.items()}


@dataclass(slots=True)
class PlacesAgainstCroupierTable(TableModel):
    """A table of places against a croupier, each player at a place of their own.

    Whoever sees their hand goes on, by a bet with the stake of the one that lies, or gives up.
    """

    places: dict[str, str] = field(default_factory=dict)
    awaiting_decisions: bool = False
    decided: set[str] = field(default_factory=set)

    def prepare(self, chance: Chooser) -> None:
        """Choose a usual table or another one, and assign each player a place."""
        other = self.context.offered_moves()
        if bool(other) and chance.pick((True, False)):
            self.options = other
        for at, player in enumerate(PLAYERS):
            self.places[player] = str(at + 1)
            self.arrive(player, str(at + 1))

    def moves(self) -> dict[str, Callable[[Chooser], None]]:
        """Return the possible moves by name."""
        moves = TableModel.moves(self)
        if self.phase == BETTING and not self.open_bets:
            moves.pop("on", None)
            moves.pop("stop", None)
        if self.phase == BETTING:
            moves["bet"] = self.bet
        elif self.may_be_rejected:
            moves["bet"] = self.late
        if self.may_be_rejected:
            moves["strange"] = self.strange
        if self.phase == BETTING and self.context.moves.mishaps:
            moves["happen"] = self.mishap
        if self.open_bets and not self.awaiting_decisions and self.context.moves.changes:
            moves["change"] = self.change
        if self.awaiting_decisions and self._undecided():
            moves["decide"] = self.decide
            moves.pop("on", None)
        return moves

    @property
    def _first_bets(self) -> list[str]:
        """The bets that are placed before the deal."""
        return [bet for bet in self.context.rules if bet != self._event(EventRole.GOES_ON)]

    @property
    def _base(self) -> str:
        """The bet whose hand is played on or given up."""
        return find_raised(self.context.all_rules).get(self._event(EventRole.GOES_ON), "")

    def _event(self, role: EventRole) -> str:
        return self.context.event(role)

    def _go_on_with(self, player: str, place: str, stake: int) -> None:
        """Ask for the bet with which a hand is played on."""
        name, ticket = self._event(EventRole.GOES_ON), self.new_ticket()
        self.act(name, ticket=ticket, player=player, place=place, stake=stake)

    def _give_up(self, place: str) -> None:
        self.act(self._event(EventRole.GIVES_UP), place=place)

    def _players(self) -> list[str]:
        hands = self.outcome.get("places", {})
        return sorted(player for player, place in self.places.items() if place in hands)

    def _ticket_at(self, place: str, name: str) -> str | None:
        return next(
            (
                ticket
                for ticket, bet in self.open_bets.items()
                if (bet["place"], bet["bet"]) == (place, name)
            ),
            None,
        )

    def _undecided(self) -> list[str]:
        return sorted(
            bet["place"]
            for bet in self.open_bets.values()
            if bet["bet"] == self._base and bet["place"] not in self.decided
        )

    def bet(self, chance: Chooser) -> None:
        """Place a bet that the place does not have yet."""
        players = self._players()
        if not players:
            return
        player = chance.pick(players)
        place = self.places[player]
        names = [bet for bet in self._first_bets if not self._ticket_at(place, bet)]
        if names:
            self.place_bet(table_model.choose_bet(self, chance, names, player, place=place))

    def late(self, chance: Chooser) -> None:
        """Place a bet while betting is closed; between rounds the law says nothing."""
        if self.phase == CLOSED:
            player = chance.pick(PLAYERS)
            names, place = self._first_bets, self.places[player]
            self.place_rejected_bet(
                table_model.choose_bet(self, chance, names, player, place=place)
            )

    def strange(self, chance: Chooser) -> None:
        """Bet at the place of another player, or raise before the deal."""
        player, other = chance.pick(((PLAYERS[0], PLAYERS[1]), (PLAYERS[1], PLAYERS[2])))
        if self.phase == BETTING and chance.pick((True, False)):
            names, place = self._first_bets, self.places[other]
            self.place_rejected_bet(
                table_model.choose_bet(self, chance, names, player, place=place)
            )
        elif self.phase != CLOSED and self._event(EventRole.GOES_ON) in self.context.rules:
            self._go_on_with(player, self.places[player], chance.pick(STAKES))

    def change(self, chance: Chooser) -> None:
        """Withdraw or lower a bet; the model needs to know the stake of a hand to be played."""
        ticket = chance.pick(sorted(self.open_bets))
        bet = self.open_bets[ticket]
        name = chance.pick(self.context.moves.changes)
        if name == self._event(EventRole.LOWERS) and bet["bet"] == self._base:
            return
        self.act(name, place=bet["place"], bet=bet["bet"])
        if name == self._event(EventRole.WITHDRAWS) and self.phase == BETTING:
            del self.open_bets[ticket]

    def decide(self, chance: Chooser) -> None:
        """Give up, go on, or go on by a wrong amount, and try to change the decision."""
        place = chance.pick(self._undecided())
        base = self.open_bets[self._ticket_at(place, self._base) or ""]
        role = chance.pick((EventRole.GOES_ON, EventRole.GIVES_UP, None))
        if role is None:
            self._go_on_with(base["bettor"], place, base["stake"] + 1)
            return
        self.decided.add(place)
        if role is EventRole.GIVES_UP:
            self._give_up(place)
            self._go_on_with(base["bettor"], place, base["stake"])
            return
        self._go_on_with(base["bettor"], place, base["stake"])
        self.act(self._event(EventRole.TAKES_BACK), place=place)
        self._give_up(place)

    def go_on(self, chance: Chooser) -> None:
        """Deal, or end the round when every place has decided."""
        self.proceed()
        if self.broken:
            self.broken, self.open_bets = False, {}
            self.phase, self.stops = BETTING, self.interruption_points()
        elif self.awaiting_decisions or not self._undecided():
            self.awaiting_decisions, self.decided, self.open_bets = False, set(), {}
            self.phase, self.stops = OVER, []
        else:
            self.awaiting_decisions, self.phase, self.stops = True, CLOSED, []
        del chance

    def finish(self, chance: Chooser) -> None:
        """Give up every undecided place and end the round."""
        while self.phase != OVER:
            if self.phase == BETTING and not self.open_bets:
                self.bet(chance)
            for place in self._undecided() if self.awaiting_decisions else []:
                self._give_up(place)
                self.decided.add(place)
            self.go_on(chance)


@dataclass(slots=True)
class PlayerAndBankerTable(TableModel):
    """A table of a player's hand against a banker's: main bets, and others beside them."""

    def prepare(self, chance: Chooser) -> None:
        """Choose the commission regime and the side bets, and seat one player."""
        regimes = self.context.offer.options.get("commission")
        if isinstance(regimes, list):
            self.options = {**self.options, "commission": chance.pick(regimes)}
        if isinstance(self.context.offer.options.get("offered"), list):
            self.options = {**self.options, "offered": self.context.offered_anywhere}
        self.arrive(PLAYERS[0], "1")

    def moves(self) -> dict[str, Callable[[Chooser], None]]:
        """Return the possible moves by name."""
        moves = TableModel.moves(self)
        if self.phase != OVER:
            if self.phase == BETTING:
                moves["bet"] = self.bet
            elif self.may_be_rejected:
                moves["bet"] = self.late
            if self.may_be_rejected:
                moves["strange"] = self.strange
        return moves

    def _has_main(self, player: str) -> bool:
        mains = self.context.main_bets
        return any(
            bet["bettor"] == player and bet["bet"] in mains for bet in self.open_bets.values()
        )

    def _beside(self) -> list[str]:
        """Return the bets beside a main bet that the table offers."""
        offered: Any = self.options.get("offered", [])
        return [name for name in offered if name in self.context.rules]

    def bet(self, chance: Chooser) -> None:
        """Place a main bet, or a side bet beside one."""
        player = chance.pick(PLAYERS)
        names = [*self.context.main_bets, *(self._beside() if self._has_main(player) else [])]
        self.place_bet(table_model.choose_bet(self, chance, names, player))

    def late(self, chance: Chooser) -> None:
        """Place a bet after the first card."""
        names = self.context.main_bets
        self.place_rejected_bet(table_model.choose_bet(self, chance, names, chance.pick(PLAYERS)))

    def strange(self, chance: Chooser) -> None:
        """Place a side bet without a main bet."""
        names = self._beside()
        alone = [player for player in PLAYERS if not self._has_main(player)]
        if names and alone:
            self.place_rejected_bet(table_model.choose_bet(self, chance, names, chance.pick(alone)))
