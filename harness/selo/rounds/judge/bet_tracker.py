"""Follows a table act by act: which bets lie on it, what shows, and how each bet was settled.

Whatever can be judged about money comes out as a `Decided`: bets, an outcome, and what the vendor
made of them. Where the outcome does not show (nobody raised), the one given in advance counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.protocol.schema import FORCE, GO_ON
from selo.rounds.judge.table_log import ACCEPTED, is_stake_placement
from selo.rounds.script import STAYING_RESULTS, STEERING_ACTS, THROWS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.law.files.events_file import EventsFile

#: What tells a bet apart in `settle`, besides its name, its stake and who made it.
_BET_FIELDS: Final = ("choice", "seat", "place")
_END_EVENT: Final = "end-round"
_VOID_EVENT: Final = "void-round"
_CANCEL_EVENT: Final = "cancel-cards"
_DEAL_EVENT: Final = "deal-card"
_SIGN_EVENT: Final = "light-sign"
_PAYMENT_EVENT: Final = "pay-prize"
_LYING: Final = "lying"


@dataclass(kw_only=True, slots=True)
class TrackedBet:
    """A bet on the table."""

    #: The act by which it came to lie as it lies.
    act: int
    ticket: str
    plain: dict[str, Any]
    #: The ticket it is added to.
    to: str | None = None
    #: Whether its stake was changed without an amount, so that nobody can say what it is.
    has_unknown_stake: bool = False

    def change(self, at: int, act: Mapping[str, Any]) -> None:
        """Lower, raise or move the stake; an act that does not say how leaves it unsure."""
        # What lies there now was accepted here, and not when something else was laid.
        self.act = at
        amount = act.get("to", act.get("stake"))
        if isinstance(amount, int):
            self.plain["stake"] = amount
        elif "bet" in act or "choice" in act:
            chosen = {"choice": act["choice"]} if "choice" in act else {}
            self.plain.pop("choice", None)
            self.plain |= {"bet": act.get("bet", self.plain["bet"]), **chosen}
        else:
            self.has_unknown_stake = True


@dataclass(kw_only=True, slots=True)
class BetStatement:
    """What a vendor said of one bet: the settlement, and what its events say."""

    act: int | None = None
    settlement: dict[str, Any] | None = None
    result: str | None = None
    paid: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class DecidedRound:
    """Bets that an outcome decided, or a round that was void, and what was said of them."""

    act: int
    outcome: dict[str, Any] | None
    bets: list[TrackedBet]
    statements: Mapping[str, BetStatement]
    #: The tickets that were not judged before.
    unjudged: frozenset[str]
    #: Why the round was void, where it was.
    void: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Contradiction:
    """Something that contradicts what is known of the table."""

    act: int
    problem: str
    expected: Any
    observed: Any


@dataclass(slots=True)
class BetTracker:
    """The state of one table, as far as money is concerned."""

    file: EventsFile
    throwing: bool
    bets: dict[str, TrackedBet] = field(default_factory=dict)
    statements: dict[str, BetStatement] = field(default_factory=dict)
    outcome: dict[str, Any] | None = None
    #: The bets that lay there when the outcome became visible.
    at_outcome: list[TrackedBet] | None = None
    throws: list[list[int]] = field(default_factory=list)
    forced: list[Any] = field(default_factory=list)
    showing: Any = None
    dealing: bool = False
    #: Tickets of earlier throws about which everything is said.
    judged_tickets: set[str] = field(default_factory=set)
    #: Acts at which something showed that was not given in advance, and what that was if known.
    vendor_draws: list[tuple[int, dict[str, Any] | None]] = field(default_factory=list)

    def take(
        self, at: int, act: Mapping[str, Any], answer: Mapping[str, Any]
    ) -> Iterator[DecidedRound | Contradiction]:
        """Go on over one act and its answer, and yield what can be judged now."""
        accepted = answer["answer"] == ACCEPTED
        if not accepted:
            yield from _effects_of_refusal(at, answer)
            return
        if act["act"] == FORCE:
            self._force(act["outcome"])
        elif act["act"] not in STEERING_ACTS:
            self._act(at, act)
        shown = answer.get("outcome")
        if shown is not None and self.outcome is not None and not self.throwing:
            yield from self._decide(at)
        for event in answer["events"]:
            self._see_deal(at, event)
        if shown is not None:
            yield from self._show(at, shown, answer["events"])
        yield from self._settle(at, answer.get("settlements", []))
        for event in answer["events"]:
            yield from self._see_event(at, event)
        is_whole = act["act"] == GO_ON and "until" not in act
        if is_whole and not self._has_end:
            yield from self._decide(at)

    @property
    def _has_end(self) -> bool:
        return any(event.id == _END_EVENT for event in self.file.events)

    # What people do.

    def _act(self, at: int, act: Mapping[str, Any]) -> None:
        if is_stake_placement(act):
            self._lay(at, act)
            return
        mine = self._bet_named_by(act)
        if mine is None or mine.ticket in self.statements:
            # What was settled is no longer what lies there.
            mine = None if self.throwing or mine is None else self._if_still_open(mine)
        if mine is None:
            return
        if act["act"] == "withdraw-bet":
            del self.bets[mine.ticket]
        elif act["act"].endswith("-stake"):
            mine.change(at, act)

    def _if_still_open(self, mine: TrackedBet) -> TrackedBet | None:
        settlement = self.statements[mine.ticket].settlement
        return mine if settlement is None or settlement["result"] in STAYING_RESULTS else None

    def _lay(self, at: int, act: Mapping[str, Any]) -> None:
        plain = {"bet": act.get("bet", act["act"]), "stake": act["stake"]}
        plain |= {name: act[name] for name in _BET_FIELDS if name in act}
        if "player" in act:
            plain["bettor"] = act["player"]
        if self.throwing:
            plain["at"] = len(self.throws)
        base = act.get("to")
        ticket = act.get("ticket") or f"{at}"
        self.bets[ticket] = TrackedBet(act=at, ticket=ticket, plain=plain, to=base)

    def _bet_named_by(self, act: Mapping[str, Any]) -> TrackedBet | None:
        if "ticket" in act:
            return self.bets.get(act["ticket"])
        return next(
            (
                one
                for one in self.bets.values()
                if (one.plain.get("place"), one.plain["bet"]) == (act.get("place"), act.get("bet"))
            ),
            None,
        )

    # What the table shows and says.

    def _force(self, outcome: Mapping[str, Any]) -> None:
        if self.throwing:
            self.forced += outcome[THROWS]
        elif any(event.id == _SIGN_EVENT for event in self.file.events):
            self.forced.append(outcome)
        else:
            self.forced = [outcome]

    def _see_deal(self, at: int, event: Mapping[str, Any]) -> None:
        """See what the cards will show: they lie as they are dealt."""
        name = event["event"]
        if name == _DEAL_EVENT and not self.dealing:
            self.showing, self.dealing = self._next_forced(), True
            self.vendor_draws += [(at, None)] if self.showing is None else []
        elif name in {_VOID_EVENT, _CANCEL_EVENT}:
            self.dealing = False
            if self.showing is not None and not self.forced:
                self.forced = [self.showing]

    def _next_forced(self) -> Any:
        return self.forced.pop(0) if self.forced else None

    def _show(
        self, at: int, shown: Mapping[str, Any], events: list[dict[str, Any]]
    ) -> Iterator[Contradiction]:
        if self.throwing:
            own = shown[THROWS][len(self.forced) :]
            self.vendor_draws += [(at, {THROWS: own})] if own else []
            for throw in shown[THROWS]:
                wanted = self.forced.pop(0) if self.forced else throw
                if sorted(throw) != sorted(wanted):
                    yield Contradiction(act=at, problem="forced", expected=wanted, observed=throw)
            self.throws += shown[THROWS]
            self.outcome = {THROWS: list(self.throws)}
        else:
            self.outcome, self.at_outcome = dict(shown), list(self.bets.values())
            self.vendor_draws += [] if _was_forced(self.showing, shown) else [(at, dict(shown))]
            if self.showing is not None and not _shows_forced(self.showing, shown):
                yield Contradiction(
                    act=at, problem="forced", expected=self.showing, observed=dict(shown)
                )
        for event in events:
            for name in ("dice", "lying"):
                if name in event and event[name] != shown.get(name, event[name]):
                    yield Contradiction(
                        act=at, problem="events", expected=event[name], observed=shown[name]
                    )
        yield from _wrong_totals(at, shown, events)

    def _settle(self, at: int, settlements: list[dict[str, Any]]) -> Iterator[Contradiction]:
        for settlement in settlements:
            ticket = settlement["ticket"]
            told = self.statements.setdefault(ticket, BetStatement())
            if ticket not in self.bets or told.settlement is not None:
                yield Contradiction(
                    act=at, problem="ticket", expected=sorted(self.bets), observed=settlement
                )
                continue
            told.act, told.settlement = at, settlement

    def _see_event(self, at: int, event: Mapping[str, Any]) -> Iterator[DecidedRound]:
        ticket = event.get("ticket")
        if event["event"] == _SIGN_EVENT:
            # The dice were shaken before the sign; what they show is seen in a later answer.
            self.showing = self._next_forced()
        if ticket is not None and ticket in self.bets:
            told = self.statements.setdefault(ticket, BetStatement())
            told.paid = told.paid or event["event"] == _PAYMENT_EVENT
            told.result = event.get("result", told.result)
        if event["event"] == _VOID_EVENT:
            yield self._decided_round(at, list(self.bets.values()), None, void=event.get("why"))
            self.bets, self.statements, self.outcome, self.at_outcome = {}, {}, None, None
        elif event["event"] == _END_EVENT:
            yield from self._decide(at)

    def _decide(self, at: int) -> Iterator[DecidedRound]:
        """Yield the round, and take from the table what does not stay."""
        bets = list(self.bets.values()) if self.at_outcome is None else self.at_outcome
        outcome = self.outcome or self._hidden_outcome()
        if outcome is not None and bets:
            yield self._decided_round(at, bets, outcome)
        if self.throwing:
            self.judged_tickets |= {
                name for name, one in self.statements.items() if one.settlement is not None
            }
            return
        for one in bets if self.outcome or self._has_end else []:
            if not _stays(self.statements.get(one.ticket), outcome):
                self.bets.pop(one.ticket, None)
        self.statements, self.outcome, self.at_outcome = {}, None, None
        self.dealing, self.showing = False, None if self._has_end else self.showing

    def _decided_round(
        self,
        at: int,
        bets: list[TrackedBet],
        outcome: dict[str, Any] | None,
        void: str | None = None,
    ) -> DecidedRound:
        return DecidedRound(
            act=at,
            outcome=outcome,
            bets=bets,
            statements=dict(self.statements),
            unjudged=frozenset(bet.ticket for bet in bets) - self.judged_tickets,
            void=void,
        )

    def _hidden_outcome(self) -> dict[str, Any] | None:
        """Return an outcome that was given in advance for all who bet, and did not show."""
        if not self._has_end or not isinstance(self.showing, dict):
            return None
        hands = self.showing.get("places", {})
        everybody = all(one.plain.get("place") in hands for one in self.bets.values())
        return self.showing if everybody and "croupier" in self.showing else None


def _stays(told: BetStatement | None, outcome: Mapping[str, Any] | None) -> bool:
    if told is not None and told.settlement is not None:
        return told.settlement["result"] in STAYING_RESULTS
    # Dice that do not lie flat decide nothing, and a vendor need not say so of every bet.
    lying = (outcome or {}).get("lying")
    return lying is not None and any(one != "flat" for one in lying)


def _shows_forced(wanted: Any, shown: Any) -> bool:
    """Return whether what was given in advance shows, as far as it shows at all."""
    if isinstance(wanted, dict) and isinstance(shown, dict):
        return all(_shows_forced(wanted[name], shown[name]) for name in wanted if name in shown)
    return bool(sorted(wanted) == sorted(shown))


def _was_forced(wanted: Any, shown: Any) -> bool:
    """Return whether all that shows was given in advance; that dice lie flat need not be said."""
    if not isinstance(wanted, dict):
        return wanted is not None
    return all(
        name in wanted and (not isinstance(hand, dict) or _was_forced(wanted[name], hand))
        for name, hand in shown.items()
        if hand and name != _LYING
    )


def _wrong_totals(
    at: int, shown: Mapping[str, Any], events: list[dict[str, Any]]
) -> Iterator[Contradiction]:
    """Yield what the events say of a throw that the outcome does not show."""
    told = [event["total"] for event in events if "total" in event and not event.get("off_table")]
    throws = [sum(throw) for throw in shown.get(THROWS, []) if 0 not in throw]
    if told != throws and THROWS in shown:
        yield Contradiction(act=at, problem="events", expected=told, observed=throws)


def _effects_of_refusal(at: int, answer: Mapping[str, Any]) -> Iterator[Contradiction]:
    """Yield what came of an act that was refused: it changes nothing."""
    said = {name: answer[name] for name in ("events", "outcome", "settlements") if answer.get(name)}
    if said:
        yield Contradiction(act=at, problem="refused", expected={}, observed=said)
