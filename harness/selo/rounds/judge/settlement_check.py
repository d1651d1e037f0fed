"""Checks live settlements against the expectation for the same outcome and bets as a case."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from selo.cases import Case, settlement_case
from selo.cases.oracle import blame_provisions
from selo.cases.oracle.answer_check import matches_expectation
from selo.law.files.events_file import EventRole
from selo.protocol import messages as m
from selo.protocol.schema import game_words
from selo.rounds.judge.bet_tracker import BetTracker, Contradiction, DecidedRound
from selo.rounds.judge.round_difference import Manner, RoundDifference
from selo.rounds.judge.table_log import ACCEPTED
from selo.rounds.script import STAYING_RESULTS
from selo.rules.clauses.jackpot_share import JACKPOT
from selo.rules.equipment.kits import BadOutcome
from selo.rules.settlement import ThrowingGame
from selo.rules.settlement.jackpot import shares_jackpot
from selo.rules.settlement.neighbouring_bets import HELD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.cases.oracle import Oracle
    from selo.cases.oracle.answer_check import ExpectedSettlement
    from selo.law import Law
    from selo.law.files.events_file import EventsFile
    from selo.rounds.judge.bet_tracker import BetStatement, TrackedBet
    from selo.rounds.judge.game_procedures import Procedures
    from selo.rounds.script import Script
    from selo.rounds.table_player import PlayedScript
    from selo.rules.procedure import Procedure
    from selo.table_values import Bet, Outcome


_GROUP: Final = "live"
_REFUSED: Final = "refused"
_WIN: Final = "win"
_SETTLEMENT_FIELDS: Final = ("result", "prize", "commission", "stake")
_MANNER_OF_PROBLEM: Final = {"forced": Manner.OUTCOME}


class SettlementCheck:
    """Judges the live settlements of tables of one game."""

    def __init__(self, law: Law, game: str, oracle: Oracle, file: EventsFile) -> None:
        self._game, self._oracle, self._file = game, oracle, file
        self._words = game_words(law, game)
        #: The event that pays a prize.
        self._pays = file.name_of(EventRole.PAYS)

    def judge(
        self, script: Script, played: PlayedScript, procedures: Procedures
    ) -> Iterator[RoundDifference]:
        """Yield every settlement of a table that differs from the law."""
        tracker = self._new_tracker()
        seen: set[tuple[Manner, str]] = set()
        for at, (act, answer) in enumerate(zip(script.acts, played.answers, strict=False)):
            if "error" in answer:
                continue
            for decided in tracker.take(at, act, answer):
                if isinstance(decided, Contradiction):
                    yield _contradiction_difference(decided)
                    continue
                for difference in self._check_round(script, decided, procedures):
                    if (difference.manner, difference.ticket) not in seen:
                        seen.add((difference.manner, difference.ticket))
                        yield difference

    def vendor_draws(
        self, script: Script, played: PlayedScript
    ) -> list[tuple[int, Outcome | None]]:
        """Return the acts at which the vendor drew an outcome itself, and that outcome if known."""
        tracker = self._new_tracker()
        for at, (act, answer) in enumerate(zip(script.acts, played.answers, strict=False)):
            for _ in tracker.take(at, act, answer) if "error" not in answer else ():
                pass
        return tracker.vendor_draws

    def _new_tracker(self) -> BetTracker:
        throwing = isinstance(self._oracle.game(self._game), ThrowingGame)
        return BetTracker(self._file, throwing)

    def settled_cases(
        self, script: Script, played: PlayedScript
    ) -> Iterator[tuple[int, Case, list[TrackedBet], Mapping[str, BetStatement]]]:
        """Yield what each outcome decided as a case: the act, the case, its bets, what was told."""
        tracker = self._new_tracker()
        for at, (act, answer) in enumerate(zip(script.acts, played.answers, strict=False)):
            for decided in tracker.take(at, act, answer) if "error" not in answer else ():
                case = None if isinstance(decided, Contradiction) else self._case(script, decided)
                if case is None or isinstance(decided, Contradiction) or decided.outcome is None:
                    continue
                bets = [bet for bet in decided.bets if self._can_judge(script, bet)]
                told = {
                    ticket: statement
                    for ticket, statement in decided.statements.items()
                    if ticket in decided.unjudged and statement.settlement is not None
                }
                yield decided.act, case, bets, told

    def settled_bets(
        self, script: Script, played: PlayedScript
    ) -> Iterator[tuple[str, Case, list[m.Settlement], int]]:
        """Yield each settled bet as a case: its ticket, the case, the answers, and its place.

        The answers to the other bets of the case are those that the law expects.
        """
        for _, case, bets, told in self.settled_cases(script, played):
            for place, bet in enumerate(bets):
                if bet.ticket in told:
                    answers = [
                        _expected_settlement(each)
                        for each in self._oracle.expected_settlements(case)
                    ]
                    answers[place] = _observed_settlement(told[bet.ticket].settlement or {})
                    yield bet.ticket, case, answers, place

    def _check_round(
        self, script: Script, decided: DecidedRound, procedures: Procedures
    ) -> Iterator[RoundDifference]:
        procedure = procedures.of(script.options)
        if decided.outcome is None:
            yield from self._check_void_round(script, decided, procedures)
            return
        case = self._case(script, decided)
        if case is None:
            return
        try:
            expected = self._oracle.expected_settlements(case)
        except BadOutcome as error:
            yield RoundDifference(
                manner=Manner.CONTRADICTION,
                act=decided.act,
                expected={"problem": str(error)},
                observed=dict(decided.outcome),
            )
            return
        decided = replace(
            decided, bets=[bet for bet in decided.bets if self._can_judge(script, bet)]
        )
        for at, bet in enumerate(decided.bets):
            if bet.ticket in decided.unjudged and not bet.has_unknown_stake:
                yield from self._check_bet(procedure, case, at, decided, expected)

    def _can_judge(self, script: Script, bet: TrackedBet) -> bool:
        # The prize of a jackpot depends on amounts that the table must have declared.
        rules = self._oracle.game(self._game).bets.get(bet.plain["bet"])
        return rules is None or not shares_jackpot(rules) or JACKPOT in script.options

    def _case(self, script: Script, decided: DecidedRound) -> Case | None:
        bets = [bet for bet in decided.bets if self._can_judge(script, bet)]
        places = {bet.ticket: at for at, bet in enumerate(bets)}
        if not bets:
            return None
        plain: list[Bet] = [
            {**bet.plain} if bet.to is None else {**bet.plain, "to": places.get(bet.to, -1)}
            for bet in bets
        ]
        plain = [
            cast("Bet", {**case_bet, HELD: True})
            if bet.held and case_bet["bet"] in self._words.held_bets
            else case_bet
            for bet, case_bet in zip(bets, plain, strict=True)
        ]
        known = self._words.options_known
        options = {name: value for name, value in script.options.items() if known[name].in_case}
        options = {**self._words.default_options, **options}
        return settlement_case(self._game, _GROUP, decided.outcome or {}, plain, options)

    def _check_bet(
        self,
        procedure: Procedure,
        case: Case,
        at: int,
        decided: DecidedRound,
        expected: list[ExpectedSettlement],
    ) -> Iterator[RoundDifference]:
        bet = decided.bets[at]
        expectation, statement = expected[at], decided.statements.get(bet.ticket)
        settlement = None if statement is None else statement.settlement
        if settlement is None or statement is None:
            if expectation.result not in STAYING_RESULTS:
                yield self._unsettled_difference(case, at, decided, bet, expectation)
            return
        if not matches_expectation(expectation, _observed_settlement(settlement)):
            yield self._settlement_difference(case, at, statement, bet, expected)
            return
        # Where a step of the law requires the payment, the order of events is judged for it.
        steps_ask = any(
            step.kind == "follows" and self._pays in step.events for step in procedure.constraints
        )
        yield from self._check_events(case, at, statement, bet, steps_ask=steps_ask)

    def _unsettled_difference(
        self,
        case: Case,
        at: int,
        decided: DecidedRound,
        bet: TrackedBet,
        expectation: ExpectedSettlement,
    ) -> RoundDifference:
        taken = expectation.result == _REFUSED
        return RoundDifference(
            manner=Manner.ACCEPTED if taken else Manner.UNSETTLED,
            act=bet.act if taken else decided.act,
            ticket=bet.ticket,
            bet=case.bets[at]["bet"],
            provisions=self._provisions_at_fault(case, at, _expected_fields(expectation), {}),
            reasons=self._reasons(case, at),
            expected=_expected_fields(expectation),
            observed={"answer": ACCEPTED} if taken else {},
        )

    def _settlement_difference(
        self,
        case: Case,
        at: int,
        statement: BetStatement,
        bet: TrackedBet,
        expected: list[ExpectedSettlement],
    ) -> RoundDifference:
        settlement = _observed_settlement(statement.settlement or {})
        answers = [_expected_settlement(each) for each in expected]
        answers[at] = settlement
        observed = {part: getattr(settlement, part) for part in _SETTLEMENT_FIELDS}
        points = tuple(self._oracle.lawful_readings(case, answers, at))
        ruled = self._oracle.is_ruled
        expectation = _expected_fields(expected[at])
        # A bet that should have been refused was wrong when it was accepted.
        taken = expectation["result"] == _REFUSED
        return RoundDifference(
            manner=Manner.ACCEPTED if taken else Manner.SETTLEMENT,
            act=bet.act if taken or statement.act is None else statement.act,
            ticket=bet.ticket,
            bet=case.bets[at]["bet"],
            provisions=self._provisions_at_fault(case, at, expectation, observed),
            reasons=self._reasons(case, at),
            expected=expectation,
            observed=observed,
            readings=tuple(point for point in points if not ruled(point[0])),
            against=tuple(point for point in points if ruled(point[0])),
        )

    def _check_events(
        self, case: Case, at: int, statement: BetStatement, bet: TrackedBet, *, steps_ask: bool
    ) -> Iterator[RoundDifference]:
        """Yield where the events contradict a settlement that is right."""
        result = (statement.settlement or {})["result"]
        act = bet.act if statement.act is None else statement.act
        if statement.result is not None and statement.result != result:
            yield RoundDifference(
                manner=Manner.CONTRADICTION,
                act=act,
                ticket=bet.ticket,
                provisions=self._provisions_at_fault(
                    case, at, {"result": result}, {"result": statement.result}
                ),
                reasons=self._reasons(case, at),
                expected={"result": result},
                observed={"result": statement.result},
            )
        won = result == _WIN
        if self._pays and statement.paid != won and not (won and steps_ask):
            yield RoundDifference(
                manner=Manner.PAYMENT,
                act=act,
                ticket=bet.ticket,
                provisions=self._provisions_at_fault(
                    case, at, _payment(result, won), _payment(result, statement.paid)
                ),
                reasons=self._reasons(case, at),
                expected={"paid": won},
                observed={"paid": statement.paid},
            )

    def _check_void_round(
        self, script: Script, decided: DecidedRound, procedures: Procedures
    ) -> Iterator[RoundDifference]:
        """Yield the bets of a void round that were not settled as the law settles them then."""
        procedure = procedures.of(script.options)
        returned = _returns_void_stakes(procedure, decided)
        provisions = tuple(
            dict.fromkeys(
                step.provision
                for step in procedure.constraints
                # The reason of a void round has the name of the event that caused it.
                if step.kind == "follows"
                and procedure.file.name_of(EventRole.VOIDS) in step.events
                and any((decided.void or "?") in name for name in step.after)
            )
        )
        for bet in decided.bets:
            statement = decided.statements.get(bet.ticket)
            settlement = None if statement is None else statement.settlement
            if settlement is None or bet.has_unknown_stake or statement is None:
                continue
            if not _settles_void(settlement, bet, returned=returned):
                points = [
                    (point, reading)
                    for point, readings in procedures.points().items()
                    for reading in readings
                    if _settles_void(
                        settlement, bet,
                        returned=_returns_void_stakes(
                            procedures.of(script.options, **{point: reading}), decided
                        ),
                    )
                ]  # fmt: skip
                yield RoundDifference(
                    manner=Manner.SETTLEMENT,
                    act=bet.act if statement.act is None else statement.act,
                    ticket=bet.ticket,
                    bet=bet.plain["bet"],
                    provisions=provisions,
                    expected={
                        "result": "void",
                        "prize": 0,
                        "commission": 0,
                        "stake": bet.plain["stake"] if returned or returned is None else 0,
                    },
                    observed={part: settlement[part] for part in _SETTLEMENT_FIELDS},
                    readings=tuple(point for point in points if not procedures.ruled(point[0])),
                    against=tuple(point for point in points if procedures.ruled(point[0])),
                )

    def _provisions_at_fault(
        self, case: Case, at: int, expected: dict[str, Any], observed: dict[str, Any]
    ) -> tuple[str, ...]:
        """Return the provisions that decide the part of a settlement that is wrong."""
        differing = {part for part, value in expected.items() if observed.get(part, value) != value}
        is_stake = differing == {"stake"} and expected["result"] == _WIN
        rules = self._oracle.stake_rules(case.game) if is_stake else ()
        return rules or blame_provisions(self._reasons(case, at), expected, observed)

    def _reasons(self, case: Case, at: int) -> tuple[tuple[str, str], ...]:
        """Return the provisions from which the settlement of a bet follows, with their roles."""
        reasons = (
            (reason.provision, reason.role) for reason in self._oracle.derivation_of(case, at)
        )
        return tuple((name, role) for name, role in reasons if role != "reconstructed")


def _returns_void_stakes(procedure: Procedure, decided: DecidedRound) -> bool | None:
    """Return whether the stakes of a void round go back or stay; nothing if no step says so."""
    returning = {event.id for event in procedure.file.events if event.returns_stakes}
    kinds = {
        step.kind
        for step in procedure.constraints
        # The reason of a void round has the name of the event that caused it.
        if returning & {*step.events} and any((decided.void or "?") in name for name in step.after)
    }
    return True if "follows" in kinds else False if "forbids" in kinds else None


def _settles_void(settlement: dict[str, Any], bet: TrackedBet, *, returned: bool | None) -> bool:
    """Return whether a bet is settled as one of a void round; a stake that stays also stands."""
    stakes = {0 if returned is False else bet.plain["stake"], bet.plain["stake"] if returned else 0}
    results = {"void", "stands"} if settlement["stake"] == 0 and not returned else {"void"}
    return (
        settlement["result"] in results
        and settlement["prize"] == settlement["commission"] == 0
        and settlement["stake"] in stakes
    )


def _payment(result: str, paid: bool) -> dict[str, Any]:  # noqa: FBT001 - what it is about
    """Return the part of a settlement that a payment event states."""
    return {"result": result, "prize": int(paid), "commission": 0}


def _contradiction_difference(contradiction: Contradiction) -> RoundDifference:
    return RoundDifference(
        manner=_MANNER_OF_PROBLEM.get(contradiction.problem, Manner.CONTRADICTION),
        act=contradiction.act,
        expected={contradiction.problem: contradiction.expected},
        observed={contradiction.problem: contradiction.observed},
    )


def _observed_settlement(settlement: dict[str, Any]) -> m.Settlement:
    return m.Settlement(**{part: settlement[part] for part in _SETTLEMENT_FIELDS})


def _expected_settlement(expected: ExpectedSettlement) -> m.Settlement:
    return m.Settlement(
        result=expected.result,  # type: ignore[arg-type]
        prize=expected.prize,
        commission=expected.commission,
        stake=expected.stake,
    )


def _expected_fields(expected: ExpectedSettlement) -> dict[str, Any]:
    return {part: getattr(expected, part) for part in _SETTLEMENT_FIELDS}
