"""Live settlements against the law: the same outcome and bets as a case, and what it expects."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from selo.cases import Case, settlement_case
from selo.cases.oracle import blame_provisions, matches_expectation
from selo.protocol import messages as m
from selo.protocol.schema import game_words
from selo.rounds.judge.bet_tracker import BetTracker, Contradiction, DecidedRound
from selo.rounds.judge.round_difference import Manner, RoundDifference
from selo.rounds.judge.table_log import ACCEPTED
from selo.rounds.script import STAYING_RESULTS
from selo.rules.equipment.kits import BadOutcome
from selo.rules.settlement.throwing_game import ThrowingGame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases.oracle import ExpectedSettlement, Oracle
    from selo.law.files.events_file import EventsFile
    from selo.law.loader import Law
    from selo.rounds.judge.bet_tracker import BetStatement, TrackedBet
    from selo.rounds.script import Script
    from selo.rounds.table_player import PlayedScript
    from selo.rules.procedure.round_order import Procedure

_GROUP: Final = "live"
_JACKPOT: Final = "jackpot"
_REFUSED: Final = "refused"
_WIN: Final = "win"
_PAYMENT_EVENT: Final = "pay-prize"
_SETTLEMENT_FIELDS: Final = ("result", "prize", "commission", "stake")
_MANNER_OF_PROBLEM: Final = {"forced": Manner.OUTCOME}


class SettlementCheck:
    """Judges the live settlements of tables of one game."""

    def __init__(self, law: Law, game: str, oracle: Oracle, file: EventsFile) -> None:
        self._game, self._oracle, self._file = game, oracle, file
        self._words = game_words(law, game)
        self._pays = any(event.id == _PAYMENT_EVENT for event in file.events)

    def judge(
        self, script: Script, played: PlayedScript, procedure: Procedure
    ) -> Iterator[RoundDifference]:
        """Yield every settlement of a table that is not what the law expects."""
        stakes = self._new_tracker()
        seen: set[tuple[Manner, str]] = set()
        for at, (act, answer) in enumerate(zip(script.acts, played.answers, strict=False)):
            if "error" in answer:
                continue
            for one in stakes.take(at, act, answer):
                if isinstance(one, Contradiction):
                    yield _contradiction_difference(one)
                    continue
                for found in self._check_round(script, one, procedure):
                    if (found.manner, found.ticket) not in seen:
                        seen.add((found.manner, found.ticket))
                        yield found

    def vendor_draws(
        self, script: Script, played: PlayedScript
    ) -> list[tuple[int, dict[str, Any] | None]]:
        """Return the acts at which something showed that was not given in advance."""
        stakes = self._new_tracker()
        for at, (act, answer) in enumerate(zip(script.acts, played.answers, strict=False)):
            for _ in stakes.take(at, act, answer) if "error" not in answer else ():
                pass
        return stakes.vendor_draws

    def _new_tracker(self) -> BetTracker:
        throwing = isinstance(self._oracle.game(self._game), ThrowingGame)
        return BetTracker(self._file, throwing)

    def settled_bets(
        self, script: Script, played: PlayedScript
    ) -> Iterator[tuple[str, Case, list[m.Settlement], int]]:
        """Yield each bet that was settled as a case: its ticket, the case, answers, its place.

        What was answered to the other bets of the case is left out: the law's own stands there.
        """
        stakes = self._new_tracker()
        for at, (act, answer) in enumerate(zip(script.acts, played.answers, strict=False)):
            for one in stakes.take(at, act, answer) if "error" not in answer else ():
                case = None if isinstance(one, Contradiction) else self._case(script, one)
                if case is None or isinstance(one, Contradiction) or one.outcome is None:
                    continue
                bets = [laid for laid in one.bets if self._can_judge(script, laid)]
                for place, laid in enumerate(bets):
                    told = one.statements.get(laid.ticket)
                    if told is not None and told.settlement is not None:
                        answers = [
                            _expected_settlement(each)
                            for each in self._oracle.expected_settlements(case)
                        ]
                        answers[place] = _observed_settlement(told.settlement)
                        yield laid.ticket, case, answers, place

    def _check_round(
        self, script: Script, one: DecidedRound, procedure: Procedure
    ) -> Iterator[RoundDifference]:
        if one.outcome is None:
            yield from self._check_void_round(one, procedure)
            return
        case = self._case(script, one)
        if case is None:
            return
        try:
            expected = self._oracle.expected_settlements(case)
        except BadOutcome as error:
            yield RoundDifference(
                manner=Manner.CONTRADICTION,
                act=one.act,
                expected={"problem": str(error)},
                observed=one.outcome,
            )
            return
        one = replace(one, bets=[laid for laid in one.bets if self._can_judge(script, laid)])
        for at, laid in enumerate(one.bets):
            if laid.ticket in one.unjudged and not laid.has_unknown_stake:
                yield from self._check_bet(procedure, case, at, one, expected)

    def _can_judge(self, script: Script, laid: TrackedBet) -> bool:
        # What a jackpot pays depends on amounts that the table must have declared.
        return laid.plain["bet"] != _JACKPOT or _JACKPOT in script.options

    def _case(self, script: Script, one: DecidedRound) -> Case | None:
        bets = [laid for laid in one.bets if self._can_judge(script, laid)]
        places = {laid.ticket: at for at, laid in enumerate(bets)}
        if not bets:
            return None
        plain = []
        for laid in bets:
            added = {} if laid.to is None else {"to": places.get(laid.to, -1)}
            plain.append({**laid.plain, **added})
        known = self._words.options_known
        options = {name: value for name, value in script.options.items() if known[name].in_case}
        options = {**self._words.default_options, **options}
        return settlement_case(self._game, _GROUP, one.outcome or {}, plain, options)

    def _check_bet(
        self,
        procedure: Procedure,
        case: Case,
        at: int,
        one: DecidedRound,
        expected: list[ExpectedSettlement],
    ) -> Iterator[RoundDifference]:
        laid = one.bets[at]
        wanted, told = expected[at], one.statements.get(laid.ticket)
        given = None if told is None else told.settlement
        if given is None or told is None:
            if wanted.result not in STAYING_RESULTS:
                yield self._unsettled_difference(case, at, one, laid, wanted)
            return
        if not matches_expectation(wanted, _observed_settlement(given)):
            yield self._settlement_difference(case, at, told, laid, expected)
            return
        # Where a step of the law asks for the payment, the order of events shows whether it came.
        steps_ask = any(
            step.kind == "follows" and _PAYMENT_EVENT in step.events
            for step in procedure.constraints
        )
        yield from self._check_events(case, at, told, laid, steps_ask=steps_ask)

    def _unsettled_difference(
        self, case: Case, at: int, one: DecidedRound, laid: TrackedBet, wanted: ExpectedSettlement
    ) -> RoundDifference:
        taken = wanted.result == _REFUSED
        return RoundDifference(
            manner=Manner.ACCEPTED if taken else Manner.UNSETTLED,
            act=laid.act if taken else one.act,
            ticket=laid.ticket,
            bet=case.bets[at]["bet"],
            provisions=self._provisions_at_fault(case, at, _expected_fields(wanted), {}),
            reasons=self._reasons(case, at),
            expected=_expected_fields(wanted),
            observed={"answer": ACCEPTED} if taken else {},
        )

    def _settlement_difference(
        self,
        case: Case,
        at: int,
        told: BetStatement,
        laid: TrackedBet,
        expected: list[ExpectedSettlement],
    ) -> RoundDifference:
        given = _observed_settlement(told.settlement or {})
        answers = [_expected_settlement(one) for one in expected]
        answers[at] = given
        observed = {part: getattr(given, part) for part in _SETTLEMENT_FIELDS}
        points = tuple(self._oracle.lawful_readings(case, answers, at))
        ruled = self._oracle.is_ruled
        wanted = _expected_fields(expected[at])
        if given.stake in expected[at].back:
            wanted["stake"] = given.stake
        # What should have been refused was wrong when it was taken; all else follows from that.
        taken = wanted["result"] == _REFUSED
        return RoundDifference(
            manner=Manner.ACCEPTED if taken else Manner.SETTLEMENT,
            act=laid.act if taken or told.act is None else told.act,
            ticket=laid.ticket,
            bet=case.bets[at]["bet"],
            provisions=self._provisions_at_fault(case, at, wanted, observed),
            reasons=self._reasons(case, at),
            expected=wanted,
            observed=observed,
            readings=tuple(point for point in points if not ruled(point[0])),
            against=tuple(point for point in points if ruled(point[0])),
        )

    def _check_events(
        self, case: Case, at: int, told: BetStatement, laid: TrackedBet, *, steps_ask: bool
    ) -> Iterator[RoundDifference]:
        """Yield where the events say something else than the settlement, which is right."""
        result = (told.settlement or {})["result"]
        act = laid.act if told.act is None else told.act
        if told.result is not None and told.result != result:
            yield RoundDifference(
                manner=Manner.CONTRADICTION,
                act=act,
                ticket=laid.ticket,
                provisions=self._provisions_at_fault(
                    case, at, {"result": result}, {"result": told.result}
                ),
                reasons=self._reasons(case, at),
                expected={"result": result},
                observed={"result": told.result},
            )
        won = result == _WIN
        if self._pays and told.paid != won and not (won and steps_ask):
            yield RoundDifference(
                manner=Manner.PAYMENT,
                act=act,
                ticket=laid.ticket,
                provisions=self._provisions_at_fault(
                    case, at, _payment(result, won), _payment(result, told.paid)
                ),
                reasons=self._reasons(case, at),
                expected={"paid": won},
                observed={"paid": told.paid},
            )

    def _check_void_round(
        self, one: DecidedRound, procedure: Procedure
    ) -> Iterator[RoundDifference]:
        """Yield the bets of a void round that were settled as if it were none."""
        provisions = tuple(
            dict.fromkeys(
                step.provision
                for step in procedure.constraints
                # The reason of a void round is called as what brought it about.
                if step.kind == "follows"
                and "void-round" in step.events
                and any((one.void or "?") in name for name in step.after)
            )
        )
        for laid in one.bets:
            told = one.statements.get(laid.ticket)
            given = None if told is None else told.settlement
            if given is None or laid.has_unknown_stake or told is None:
                continue
            right = given["result"] == "void" and given["prize"] == given["commission"] == 0
            if not right or given["stake"] not in {0, laid.plain["stake"]}:
                yield RoundDifference(
                    manner=Manner.SETTLEMENT,
                    act=laid.act if told.act is None else told.act,
                    ticket=laid.ticket,
                    bet=laid.plain["bet"],
                    provisions=provisions,
                    # Whether the stake goes back or stays is not for the law to say.
                    expected={
                        "result": "void",
                        "prize": 0,
                        "commission": 0,
                        "stake": given["stake"],
                    },
                    observed={part: given[part] for part in _SETTLEMENT_FIELDS},
                )

    def _provisions_at_fault(
        self, case: Case, at: int, expected: dict[str, Any], observed: dict[str, Any]
    ) -> tuple[str, ...]:
        """Return the provisions that did what came out wrong."""
        return blame_provisions(self._reasons(case, at), expected, observed)

    def _reasons(self, case: Case, at: int) -> tuple[tuple[str, str], ...]:
        """Return the provisions from which it follows what a bet comes to."""
        reasons = ((one.provision, one.role) for one in self._oracle.derivation_of(case, at))
        return tuple((name, role) for name, role in reasons if role != "reconstructed")


def _payment(result: str, paid: bool) -> dict[str, Any]:  # noqa: FBT001 - what it is about
    """Return a result with a prize or without one, as far as an event says."""
    return {"result": result, "prize": int(paid), "commission": 0}


def _contradiction_difference(one: Contradiction) -> RoundDifference:
    return RoundDifference(
        manner=_MANNER_OF_PROBLEM.get(one.problem, Manner.CONTRADICTION),
        act=one.act,
        expected={one.problem: one.expected},
        observed={one.problem: one.observed},
    )


def _observed_settlement(given: dict[str, Any]) -> m.Settlement:
    return m.Settlement(**{part: given[part] for part in _SETTLEMENT_FIELDS})


def _expected_settlement(expected: ExpectedSettlement) -> m.Settlement:
    return m.Settlement(
        result=expected.result,  # type: ignore[arg-type]
        prize=expected.prize,
        commission=expected.commission,
        stake=expected.back[-1],
    )


def _expected_fields(expected: ExpectedSettlement) -> dict[str, Any]:
    return {
        "result": expected.result,
        "prize": expected.prize,
        "commission": expected.commission,
        "stake": expected.back[-1],
    }
