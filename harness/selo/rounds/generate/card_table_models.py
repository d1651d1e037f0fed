"""Table models of card games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from selo.rounds.generate import table_model
from selo.rounds.generate.table_model import BETTING, CLOSED, OVER, PLAYERS, STAKES, TableModel

if TYPE_CHECKING:
    from collections.abc import Callable

    from selo.rounds.generate.table_model import Chooser
    from selo.table_values import Bet, Options

FOLD: Final = "fold"
_SIDE_BETS: Final = ("odd", "even", "three-figures", "points")


@dataclass(slots=True)
class SeatsAgainstBankerTable(TableModel):
    """A table of 3-card baccarat, with bets on the seats to which the forced outcome deals."""

    seated: dict[str, str] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)
    cancels: bool = False
    cancelled: bool = False

    def prepare(self, chance: Chooser) -> None:
        """Choose box or shoe, and seat two players."""
        if self.context.allows("device", "shoe") and chance.pick((True, True, False)):
            self.options = {"packs": chance.pick((4, 6, 8)), "device": "shoe"}
        for at, player in enumerate(PLAYERS[:2]):
            if self.context.can_happen("take-seat"):
                self.seated[player] = str(at + 1)
                self.happen("take-seat", player=player, seat=str(at + 1))

    def settle_options(self) -> Options:
        """Return the packs."""
        return {name: value for name, value in self.options.items() if name == "packs"}

    def open_round(self, chance: Chooser) -> None:
        """Begin a round, perhaps after a player declines to cut."""
        if self.seated and self.context.can_happen("decline-cut") and chance.pick((False, True)):
            self.happen("decline-cut", player=chance.pick(sorted(self.seated)))
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
        if self.phase == BETTING:
            moves["happen"] = self.mishap
        if self.open_bets and self.phase != CLOSED:
            moves["change"] = self.change
        return moves

    def interruption_points(self) -> list[str]:
        """Return the events at which a round can be interrupted."""
        return ["deal-card", "deal-card", "deal-card"]

    def will_break_off(self) -> bool:
        """Return whether a dealing error will cancel the cards."""
        return self.cancels

    def _seats(self) -> list[str]:
        return sorted(self.outcome.get("seats", {}))

    def _mains(self) -> set[str]:
        return {bet["seat"] for bet in self.open_bets.values() if bet["bet"] == "beat-banker"}

    def bet(self, chance: Chooser) -> None:
        """Place a bet on a seat that gets cards, on its tie, or on the banker's cards."""
        names = [*self.context.bets(*_SIDE_BETS)] if self.seated else []
        free = [seat for seat in self._seats() if seat not in self._mains()]
        if self.seated and free:
            names += self.context.bets("beat-banker")
        ties = [seat for seat in self._seats() if seat in self._mains()]
        names += self.context.bets("tie") if self.seated and ties else []
        if not names:
            return
        bet = table_model.choose_bet(self, chance, names, chance.pick(sorted(self.seated)))
        if bet["bet"] in {"beat-banker", "tie"}:
            bet = bet | {"seat": chance.pick(free if bet["bet"] == "beat-banker" else ties)}
        self.place_bet(bet)

    def late(self, chance: Chooser) -> None:
        """Place a bet while betting is closed; between rounds the law says nothing."""
        if self.phase == CLOSED:
            names = self.context.bets(*_SIDE_BETS)
            bet = table_model.choose_bet(self, chance, names, chance.pick(PLAYERS))
            self.place_rejected_bet(bet)

    def strange(self, chance: Chooser) -> None:
        """Ask for the bank, or for another seat in the middle of a round."""
        player = chance.pick(PLAYERS[:2])
        if self.phase == CLOSED and chance.pick((True, False)):
            self.act("change-seat", player=player)
        else:
            self.act("take-bank", player=player)

    def mishap(self, chance: Chooser) -> None:
        """Stage a dealing error, the white card or a shuffle."""
        event = chance.pick(("deal-error", "white-card-appears", "shuffle"))
        if not self.context.can_happen(event):
            return
        if event == "white-card-appears":
            self.happen(event, during="dealing")
        elif event == "shuffle":
            self.happen(event, by="banker")
        elif not self.cancels and not self.cancelled:
            correctable = chance.pick((True, False))
            self.cancels = not correctable
            self.happen(event, what="order", correctable=correctable)
            self.cancelled = True

    def change(self, chance: Chooser) -> None:
        """Withdraw, lower or raise a bet; a stake held by a tie may only grow."""
        ticket = chance.pick(sorted(self.open_bets))
        bet = self.open_bets[ticket]
        player, held = bet["bettor"], self.held.get(ticket)
        name = chance.pick(("withdraw-bet", "lower-stake", "raise-stake", "move-stake"))
        if name == "withdraw-bet" and self._is_free(bet):
            seat = {"seat": bet["seat"]} if "seat" in bet else {}
            self.act(name, ticket=ticket, player=player, bet=bet["bet"], **seat)
            if held is None:
                del self.open_bets[ticket]
        elif name == "lower-stake" and bet["stake"] > 1 and (held or self.phase == BETTING):
            to = chance.pick(sorted({bet["stake"] // 2, held or bet["stake"]}))
            self.act(name, ticket=ticket, player=player, to=to)
            if held is None or (to >= held and bet["bet"] == "beat-banker"):
                self.open_bets[ticket] = {**bet, "stake": to}
        elif name == "raise-stake" and held is not None:
            self.open_bets[ticket] = {**bet, "stake": bet["stake"] * 2}
            self.act(name, ticket=ticket, player=player, to=bet["stake"] * 2)
        elif name == "move-stake" and held is not None:
            self.act(name, ticket=ticket, player=player)

    def _is_free(self, bet: Bet) -> bool:
        """Return whether a bet may be withdrawn: no tie bet depends on it."""
        tied = any(
            other["bet"] == "tie" and other["seat"] == bet.get("seat")
            for other in self.open_bets.values()
        )
        is_main = bet["bet"] == "beat-banker"
        return self.phase == BETTING and not (is_main and tied)

    def go_on(self, chance: Chooser) -> None:
        """Deal; after an error that cannot be corrected the stakes stay for another deal."""
        if self.cancels:
            self.proceed()
            self.cancels = False
            self.phase, self.stops = BETTING, self.interruption_points()
            return
        TableModel.go_on(self, chance)
        self.held = {ticket: bet["stake"] for ticket, bet in self.open_bets.items()}


@dataclass(slots=True)
class PlacesAgainstCroupierTable(TableModel):
    """A table of Fortune 3 Card Poker, each player at a place of their own."""

    places: dict[str, str] = field(default_factory=dict)
    awaiting_decisions: bool = False
    decisions: dict[str, str] = field(default_factory=dict)
    voids: bool = False

    def prepare(self, chance: Chooser) -> None:
        """Choose shoe or shuffler, and assign each player a place."""
        if self.context.allows("shuffling", "by-machine") and chance.pick((True, False)):
            self.options = {"shuffling": "by-machine"}
        for at, player in enumerate(PLAYERS):
            self.places[player] = str(at + 1)
            if self.context.can_happen("take-place"):
                self.happen("take-place", player=player, place=str(at + 1))

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
        if self.phase == BETTING:
            moves["happen"] = self.mishap
        if self.open_bets and not self.awaiting_decisions:
            moves["change"] = self.change
        if self.awaiting_decisions and self._undecided():
            moves["decide"] = self.decide
            moves.pop("on", None)
        return moves

    def interruption_points(self) -> list[str]:
        """Return the events at which a round can be interrupted."""
        return ["deal-card", "deal-card"]

    def will_break_off(self) -> bool:
        """Return whether something will void the round."""
        return self.voids

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
            if bet["bet"] == "ante" and bet["place"] not in self.decisions
        )

    def bet(self, chance: Chooser) -> None:
        """Place an ante or Pair Plus that the place does not have yet."""
        players = self._players()
        if not players:
            return
        player = chance.pick(players)
        place = self.places[player]
        names = [
            bet for bet in self.context.bets("ante", "pair-plus") if not self._ticket_at(place, bet)
        ]
        if names:
            self.place_bet(table_model.choose_bet(self, chance, names, player, place=place))

    def late(self, chance: Chooser) -> None:
        """Place a bet while betting is closed; between rounds the law says nothing."""
        if self.phase == CLOSED:
            player = chance.pick(PLAYERS)
            names = self.context.bets("ante", "pair-plus")
            self.place_rejected_bet(
                table_model.choose_bet(self, chance, names, player, place=self.places[player])
            )

    def strange(self, chance: Chooser) -> None:
        """Bet at the place of another player, or raise before the deal."""
        player, other = chance.pick(((PLAYERS[0], PLAYERS[1]), (PLAYERS[1], PLAYERS[2])))
        if self.phase == BETTING and chance.pick((True, False)):
            names = self.context.bets("ante", "pair-plus")
            self.place_rejected_bet(
                table_model.choose_bet(self, chance, names, player, place=self.places[other])
            )
        elif self.phase != CLOSED and "raise" in self.context.offer.bets:
            place = self.places[player]
            stake = chance.pick(STAKES)
            self.act("raise", ticket=self.new_ticket(), player=player, place=place, stake=stake)

    def mishap(self, chance: Chooser) -> None:
        """Stage an error in this deal."""
        machine = bool(self.options)
        event = chance.pick(("deal-error", "expose-card", "shuffler-fails"))
        if not self.context.can_happen(event) or self.voids:
            return
        if event == "expose-card":
            self.happen(event, place="croupier")
        elif event == "deal-error":
            what = chance.pick(("order", "number", "other"))
            self.voids = what != "other"
            self.happen(event, what=what)
        elif machine:
            self.voids = True
            self.happen(event)

    def change(self, chance: Chooser) -> None:
        """Withdraw a bet, or lower Pair Plus; the model needs to know the ante."""
        ticket = chance.pick(sorted(self.open_bets))
        bet = self.open_bets[ticket]
        name = chance.pick(("withdraw-bet", "lower-stake"))
        if name == "lower-stake" and bet["bet"] == "ante":
            return
        self.act(name, place=bet["place"], bet=bet["bet"])
        if name == "withdraw-bet" and self.phase == BETTING:
            del self.open_bets[ticket]

    def decide(self, chance: Chooser) -> None:
        """Fold, raise by the ante or raise by a wrong amount, and try to change the decision."""
        place = chance.pick(self._undecided())
        ante = self.open_bets[self._ticket_at(place, "ante") or ""]
        player = ante["bettor"]
        what = chance.pick(("raise", FOLD, "wrong"))
        if what == FOLD:
            self.act(FOLD, place=place)
            self.decisions[place] = what
            stake = ante["stake"]
            self.act("raise", ticket=self.new_ticket(), player=player, place=place, stake=stake)
            return
        stake = ante["stake"] if what == "raise" else ante["stake"] + 1
        self.act("raise", ticket=self.new_ticket(), player=player, place=place, stake=stake)
        if what == "raise":
            self.decisions[place] = what
            self.act("take-back-raise", place=place)
            self.act(FOLD, place=place)

    def go_on(self, chance: Chooser) -> None:
        """Deal, or end the round when every place has decided."""
        self.proceed()
        if self.voids:
            self.voids, self.open_bets = False, {}
            self.phase, self.stops = BETTING, self.interruption_points()
        elif self.awaiting_decisions or not self._undecided():
            self.awaiting_decisions, self.decisions, self.open_bets = False, {}, {}
            self.phase, self.stops = OVER, []
        else:
            self.awaiting_decisions, self.phase, self.stops = True, CLOSED, []
        del chance

    def finish(self, chance: Chooser) -> None:
        """Fold every undecided place and end the round."""
        while self.phase != OVER:
            if self.phase == BETTING and not self.open_bets:
                self.bet(chance)
            for place in self._undecided() if self.awaiting_decisions else []:
                self.act(FOLD, place=place)
                self.decisions[place] = FOLD
            self.go_on(chance)


@dataclass(slots=True)
class PlayerAndBankerTable(TableModel):
    """A table of bacará."""

    seated: set[str] = field(default_factory=set)

    def prepare(self, chance: Chooser) -> None:
        """Choose the commission regime and the side bets, and seat one player."""
        regimes = self.context.offer.options.get("commission")
        if isinstance(regimes, list):
            self.options = {**self.options, "commission": chance.pick(regimes)}
        offered: Any = self.context.offer.options.get("offered")
        if isinstance(offered, list):
            self.options = {**self.options, "offered": [bet for bet in offered if bet != "jackpot"]}
        if self.context.can_happen("take-seat"):
            self.seated.add(PLAYERS[0])
            self.happen("take-seat", player=PLAYERS[0], seat="1")

    def settle_options(self) -> Options:
        """Return the commission regime."""
        return {name: value for name, value in self.options.items() if name == "commission"}

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

    def interruption_points(self) -> list[str]:
        """Return the events at which a round can be interrupted."""
        return ["deal-card", "deal-card"]

    def _has_main(self, player: str) -> bool:
        mains = {"player", "banker", "tie"}
        return any(
            bet["bettor"] == player and bet["bet"] in mains for bet in self.open_bets.values()
        )

    def bet(self, chance: Chooser) -> None:
        """Place a main bet, or a side bet beside one."""
        player = chance.pick(PLAYERS)
        names = self.context.bets("player", "banker", "tie")
        if self._has_main(player):
            names += self.context.bets(*cast("list[str]", self.options.get("offered", [])))
        self.place_bet(table_model.choose_bet(self, chance, names, player))

    def late(self, chance: Chooser) -> None:
        """Place a bet after the first card."""
        names = self.context.bets("player", "banker", "tie")
        self.place_rejected_bet(table_model.choose_bet(self, chance, names, chance.pick(PLAYERS)))

    def strange(self, chance: Chooser) -> None:
        """Place a side bet without a main bet."""
        names = self.context.bets(*cast("list[str]", self.options.get("offered", [])))
        alone = [player for player in PLAYERS if not self._has_main(player)]
        if names and alone:
            self.place_rejected_bet(table_model.choose_bet(self, chance, names, chance.pick(alone)))
