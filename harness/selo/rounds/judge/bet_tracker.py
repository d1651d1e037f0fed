"""Tracks the bets of a table act by act: which are open, what shows, how each was settled.

Settlements to be judged come out as a `DecidedRound`: bets, an outcome, and the statements of the
vendor. Where the outcome does not show (nobody raised), the forced one counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from selo.law.files.events_file import STAKE_CHANGES, EventRole
from selo.protocol.schema import FORCE, GO_ON
from selo.rounds.judge.table_log import ACCEPTED, is_stake_placement
from selo.rounds.script import STAYING_RESULTS, STEERING_ACTS, THROWS
from selo.rules.equipment.piece_set import LYING, PIECE_FIELDS
from selo.rules.equipment.plain_dice import split_throw

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.law.files.events_file import EventsFile
    from selo.table_values import Bet, Outcome

#: Fields of a bet in `settle` besides its name, stake and bettor.
_BET_FIELDS: Final = ("choice", "seat", "place")


@dataclass(kw_only=True, slots=True)
class TrackedBet:
    """A bet on the table."""

    #: The act that placed or last changed it.
    act: int
    ticket: str
    plain: Bet
    #: The ticket it is added to.
    to: str | None = None
    #: Whether its stake was changed without stating an amount.
    has_unknown_stake: bool = False
    #: Whether it was held from an earlier round.
    held: bool = False

    def change(self, at: int, act: Mapping[str, Any]) -> None:
        """Lower, raise or move the stake; an act without an amount makes it unknown."""
        # The changed bet was accepted by this act.
        self.act = at
        amount = act.get("to", act.get("stake"))
        if isinstance(amount, int):
            self.plain = {**self.plain, "stake": amount}
        elif "bet" in act or "choice" in act:
            chosen = {"choice": act["choice"]} if "choice" in act else {}
            kept = {name: value for name, value in self.plain.items() if name != "choice"}
            self.plain = cast("Bet", {**kept, "bet": act.get("bet", kept["bet"]), **chosen})
        else:
            self.has_unknown_stake = True


@dataclass(kw_only=True, slots=True)
class BetStatement:
    """The statements of a vendor on one bet: its settlement, and what events say of it."""

    act: int | None = None
    settlement: dict[str, Any] | None = None
    result: str | None = None
    paid: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class DecidedRound:
    """The bets that an outcome decided, or of a void round, with the vendor's statements."""

    act: int
    outcome: Outcome | None
    bets: list[TrackedBet]
    statements: Mapping[str, BetStatement]
    #: The tickets that were not judged before.
    unjudged: frozenset[str]
    #: Why the round was void, where it was.
    void: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Contradiction:
    """A statement of the vendor that contradicts the state of the table."""

    act: int
    problem: str
    expected: Any
    observed: Any


@dataclass(slots=True)
class BetTracker:
    """The state of one table as far as settlements need it."""

    file: EventsFile
    throwing: bool
    bets: dict[str, TrackedBet] = field(default_factory=dict)
    statements: dict[str, BetStatement] = field(default_factory=dict)
    outcome: Outcome | None = None
    #: The bets that were open when the outcome became visible.
    at_outcome: list[TrackedBet] | None = None
    throws: list[list[int]] = field(default_factory=list)
    #: The queue of forced outcomes that the table has not taken yet.
    forced: list[Any] = field(default_factory=list)
    #: Whether an outcome was forced while another waited. Protocol 1.0 does not say whether it
    #: replaces that one, so nobody can tell from then on which outcome comes.
    vague: bool = False
    #: The outcomes that are settled and do not show yet; None for one that is not known.
    settled: list[Any] = field(default_factory=list)
    showing: Any = None
    dealing: bool = False
    #: Tickets that were settled by earlier throws.
    judged_tickets: set[str] = field(default_factory=set)
    #: Acts at which an outcome showed that was not forced, and that outcome if known.
    vendor_draws: list[tuple[int, Outcome | None]] = field(default_factory=list)
    _roles: Mapping[str, EventRole] = field(init=False)
    _fixing: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Look up what the events of the game do."""
        self._roles = self.file.roles()
        self._fixing = frozenset(event.id for event in self.file.events if event.fixes_outcome)

    def take(
        self, at: int, act: Mapping[str, Any], answer: Mapping[str, Any]
    ) -> Iterator[DecidedRound | Contradiction]:
        """Process one act and its answer, and yield what can be judged now."""
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
            self._see_fixing(at, event)
        if shown is not None:
            yield from self._show(at, shown, answer["events"])
        yield from self._settle(at, answer.get("settlements", []))
        for event in answer["events"]:
            yield from self._see_event(at, event)
        runs_to_end = act["act"] == GO_ON and "until" not in act
        if runs_to_end and not self._has_end:
            yield from self._decide(at)

    @property
    def _has_end(self) -> bool:
        return EventRole.ENDS in self._roles.values()

    # Acts of people.

    def _act(self, at: int, act: Mapping[str, Any]) -> None:
        if is_stake_placement(act):
            self._place(at, act)
            return
        bet = self._bet_named_by(act)
        if bet is None or bet.ticket in self.statements:
            # A settled bet is open only if its stake stays.
            bet = None if self.throwing or bet is None else self._if_still_open(bet)
        if bet is None:
            return
        role = self._roles.get(act["act"])
        if role is EventRole.WITHDRAWS:
            del self.bets[bet.ticket]
        elif role in STAKE_CHANGES:
            bet.change(at, act)

    def _if_still_open(self, bet: TrackedBet) -> TrackedBet | None:
        settlement = self.statements[bet.ticket].settlement
        return bet if settlement is None or settlement["result"] in STAYING_RESULTS else None

    def _place(self, at: int, act: Mapping[str, Any]) -> None:
        plain: dict[str, Any] = {"bet": act.get("bet", act["act"]), "stake": act["stake"]}
        plain |= {name: act[name] for name in _BET_FIELDS if name in act}
        if "player" in act:
            plain["bettor"] = act["player"]
        if self.throwing:
            plain["at"] = len(self.throws)
        base = act.get("to")
        ticket = act.get("ticket") or f"{at}"
        self.bets[ticket] = TrackedBet(act=at, ticket=ticket, plain=cast("Bet", plain), to=base)

    def _bet_named_by(self, act: Mapping[str, Any]) -> TrackedBet | None:
        if "ticket" in act:
            return self.bets.get(act["ticket"])
        return next(
            (
                bet
                for bet in self.bets.values()
                if (bet.plain.get("place"), bet.plain["bet"]) == (act.get("place"), act.get("bet"))
            ),
            None,
        )

    # Outcomes, settlements and events of the table.

    def _force(self, outcome: Outcome) -> None:
        self.vague = self.vague or bool(self.forced)
        self.forced += outcome[THROWS] if self.throwing else [outcome]

    def _see_fixing(self, at: int, event: Mapping[str, Any]) -> None:
        """Take the next forced outcome where the table settles what it will show."""
        name = event["event"]
        role = self._roles.get(name)
        if name in self._fixing and role is not EventRole.DEALS:
            self.settled.append(self._next_forced())
        elif name in self._fixing and not self.dealing:
            # Only the first card of a deal settles it.
            self.showing, self.dealing = self._next_forced(), True
            self.vendor_draws += [(at, None)] if self.showing is None else []
        elif role in {EventRole.VOIDS, EventRole.CANCELS} and self.dealing:
            # What did not show is still the next outcome.
            if self.showing is not None:
                self.vague = self.vague or bool(self.forced)
                self.forced.insert(0, self.showing)
            self.dealing, self.showing = False, None

    def _next_forced(self) -> Any:
        """Take an outcome from the queue; None if the table draws one, or nobody can tell."""
        taken = self.forced.pop(0) if self.forced else None
        return None if self.vague else taken

    def _next_settled(self) -> Any:
        """Return the outcome that must show now, if it was forced."""
        return self.settled.pop(0) if self.settled else self._next_forced()

    def _show(
        self, at: int, shown: Outcome, events: list[dict[str, Any]]
    ) -> Iterator[Contradiction]:
        if self.throwing:
            own = []
            for throw in shown[THROWS]:
                wanted = self._next_settled()
                if wanted is None:
                    own.append(throw)
                elif _shown_throw(throw) != _shown_throw(wanted):
                    yield Contradiction(act=at, problem="forced", expected=wanted, observed=throw)
            self.vendor_draws += [(at, {THROWS: own})] if own else []
            self.throws += map(list, shown[THROWS])
            self.outcome = {THROWS: list(self.throws)}
        else:
            self.outcome, self.at_outcome = {**shown}, list(self.bets.values())
            wanted = self.showing if self.dealing else self._next_settled()
            self.vendor_draws += [] if _was_forced(wanted, shown) else [(at, {**shown})]
            if wanted is not None and not _shows_forced(wanted, shown):
                yield Contradiction(act=at, problem="forced", expected=wanted, observed=dict(shown))
        for event in events:
            for name in (*PIECE_FIELDS, LYING):
                if name in event and event[name] != shown.get(name, event[name]):
                    yield Contradiction(
                        act=at, problem="events", expected=event[name], observed=shown.get(name)
                    )
        yield from _wrong_totals(at, shown, events)

    def _settle(self, at: int, settlements: list[dict[str, Any]]) -> Iterator[Contradiction]:
        for settlement in settlements:
            ticket = settlement["ticket"]
            statement = self.statements.setdefault(ticket, BetStatement())
            if ticket not in self.bets or statement.settlement is not None:
                yield Contradiction(
                    act=at, problem="ticket", expected=sorted(self.bets), observed=settlement
                )
                continue
            statement.act, statement.settlement = at, settlement

    def _see_event(self, at: int, event: Mapping[str, Any]) -> Iterator[DecidedRound]:
        ticket, role = event.get("ticket"), self._roles.get(event["event"])
        if ticket is not None and ticket in self.bets:
            statement = self.statements.setdefault(ticket, BetStatement())
            statement.paid = statement.paid or role is EventRole.PAYS
            statement.result = event.get("result", statement.result)
        if role is EventRole.VOIDS:
            yield self._decided_round(at, list(self.bets.values()), None, void=event.get("why"))
            self.bets, self.statements, self.outcome, self.at_outcome = {}, {}, None, None
        elif role is EventRole.ENDS:
            yield from self._decide(at)

    def _decide(self, at: int) -> Iterator[DecidedRound]:
        """Yield the round and remove the bets that do not stay."""
        bets = list(self.bets.values()) if self.at_outcome is None else self.at_outcome
        outcome = self.outcome or self._hidden_outcome()
        if outcome is not None and bets:
            yield self._decided_round(at, bets, outcome)
        if self.throwing:
            self.judged_tickets |= {
                name
                for name, statement in self.statements.items()
                if statement.settlement is not None
            }
            return
        for bet in bets if self.outcome or self._has_end else []:
            if not _stays(self.statements.get(bet.ticket), outcome):
                self.bets.pop(bet.ticket, None)
            else:
                bet.held = True
        self.statements, self.outcome, self.at_outcome = {}, None, None
        self.dealing, self.showing = False, None

    def _decided_round(
        self, at: int, bets: list[TrackedBet], outcome: Outcome | None, void: str | None = None
    ) -> DecidedRound:
        return DecidedRound(
            act=at,
            outcome=outcome,
            bets=bets,
            statements=dict(self.statements),
            unjudged=frozenset(bet.ticket for bet in bets) - self.judged_tickets,
            void=void,
        )

    def _hidden_outcome(self) -> Outcome | None:
        """Return a forced outcome for all bets that did not show."""
        if not self._has_end or not isinstance(self.showing, dict):
            return None
        hands = self.showing.get("places", {})
        everybody = all(bet.plain.get("place") in hands for bet in self.bets.values())
        shows = everybody and "croupier" in self.showing
        return cast("Outcome", self.showing) if shows else None


def _stays(statement: BetStatement | None, outcome: Outcome | None) -> bool:
    if statement is not None and statement.settlement is not None:
        return statement.settlement["result"] in STAYING_RESULTS
    # Dice that do not lie flat decide nothing, and a vendor need not state it for every bet.
    lying = (outcome or {}).get(LYING)
    return lying is not None and any(position != "flat" for position in lying)


def _shows_forced(wanted: Any, shown: Any) -> bool:
    """Return whether the visible part of an outcome is the forced one."""
    if isinstance(wanted, dict) and isinstance(shown, dict):
        return all(_shows_forced(wanted[name], shown[name]) for name in wanted if name in shown)
    return bool(sorted(wanted) == sorted(shown))


def _was_forced(wanted: Any, shown: Any) -> bool:
    """Return whether the whole visible outcome was forced; flat dice need not be stated."""
    if not isinstance(wanted, dict):
        return wanted is not None
    return all(
        name in wanted and (not isinstance(hand, dict) or _was_forced(wanted[name], hand))
        for name, hand in shown.items()
        if hand and name != LYING
    )


def _shown_throw(throw: Sequence[Any]) -> tuple[list[Any], str]:
    """Return the dice of a throw in any order, and how they lie."""
    dice, lying = split_throw(throw)
    return sorted(dice), lying


def _wrong_totals(
    at: int, shown: Mapping[str, Any], events: list[dict[str, Any]]
) -> Iterator[Contradiction]:
    """Yield a contradiction if the totals in the events are not those of the outcome."""
    totals = [event["total"] for event in events if "total" in event and not event.get("off_table")]
    throws = [sum(split_throw(throw)[0]) for throw in shown.get(THROWS, []) if 0 not in throw]
    if totals != throws and THROWS in shown:
        yield Contradiction(act=at, problem="events", expected=totals, observed=throws)


def _effects_of_refusal(at: int, answer: Mapping[str, Any]) -> Iterator[Contradiction]:
    """Yield a contradiction if a refused act had effects."""
    effects = {
        name: answer[name] for name in ("events", "outcome", "settlements") if answer.get(name)
    }
    if effects:
        yield Contradiction(act=at, problem="refused", expected={}, observed=effects)
