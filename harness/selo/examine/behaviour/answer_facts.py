"""Facts in which answers can be compared, each with the provisions that account for it.

1. Each settlement has its prize, its commission, and its result with the stake that goes back.
   The provisions in whose role the law derives that part account for it.
2. Provisions in the derivation of a comparison account for the order that was told.
3. Settlements at a table are facts as if they had been asked as a case; everything else that a
   table did is one fact, for which the provisions of its script account, or all that are verified
   in rounds if it names none. Of a round in which the table drew an outcome itself, only that is
   told.
4. For what no provision accounts for, the game does.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from selo.cases import AnswerPart, Case
from selo.cases.oracle import Oracle
from selo.evidence.canonical_json import encode_canonical
from selo.examine.live_rounds import ROUND
from selo.law.files.provision_file import Way
from selo.protocol.schema import FORCE, HAPPEN
from selo.rounds import PlayedScript, Script
from selo.rounds.judge import RoundJudge
from selo.rules.equipment.kits import BadOutcome
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from selo.examine.plan import Terms
    from selo.law import Law

#: The parts of a settlement for which provisions in the role of the same name account.
AMOUNTS: Final = (AnswerPart.PRIZE.value, AnswerPart.COMMISSION.value)
_RESULT: Final = AnswerPart.RESULT.value
#: Words of the vendor for people, which say nothing of its behaviour.
_COMMENT: Final = "reason"
_EVENTS: Final = "events"


class FactLine(msgspec.Struct, frozen=True):
    """A line of evidence as far as facts are read from it."""

    game: str
    group: str
    method: str
    params: msgspec.Raw
    answer: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()
    fault: msgspec.Raw = msgspec.Raw()
    skipped: msgspec.Raw = msgspec.Raw()
    right: bool | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether the answer is not the law's, or is none."""
        return self.right is False or bool(self.fault or self.error)


class _RoundParams(msgspec.Struct, frozen=True):
    params: Script
    answer: PlayedScript


class AnswerFact(NamedTuple):
    """One thing that an answer says."""

    #: The place in the question: a bet, or the act and the ticket at a table.
    place: str
    part: str
    value: Any
    #: The provisions that account for it, or the game.
    provisions: tuple[str, ...]


_decode_params: Final = msgspec.json.Decoder(dict[str, Any]).decode
_decode_round: Final = msgspec.json.Decoder(_RoundParams).decode
decode_fact_line: Final = msgspec.json.Decoder(FactLine).decode


class FactReader:
    """Reads the facts of lines of evidence under some law and readings."""

    def __init__(self, law: Law, terms: Terms) -> None:
        self._law, self._terms = law, terms
        self._oracle = Oracle(law, terms.rulings)

    @cached_property
    def _judge(self) -> RoundJudge:
        return RoundJudge(self._law, Readings(self._law, self._terms.rulings))

    def read(self, line: bytes) -> list[AnswerFact]:
        """Return the facts of a line about a case or a round."""
        head = decode_fact_line(line)
        facts = (
            self._read_round(line) if head.method == ROUND else self._read_case(head, case_of(head))
        )
        return [
            fact if fact.provisions else fact._replace(provisions=(head.game,)) for fact in facts
        ]

    def _read_case(self, head: FactLine, case: Case) -> Iterator[AnswerFact]:
        answer = _decode_params(head.answer) if head.answer else None
        told = answer.get("settlements") if answer is not None else None
        if case.method != "settle" or told is None or head.fault or head.error or head.skipped:
            # An order, or no answer: of everything that the question is about.
            said = [bytes(raw) for raw in (head.answer, head.error, head.fault, head.skipped)]
            provisions = dict.fromkeys(
                step for bet in range(max(1, len(case.bets))) for step, _ in self._steps(case, bet)
            )
            yield AnswerFact("", "answer", [raw.decode() for raw in said], tuple(provisions))
            return
        for bet in range(max(len(told), len(case.bets))):
            settlement = told[bet] if bet < len(told) else None
            steps = self._steps(case, bet) if bet < len(case.bets) else ()
            yield from _settlement_facts(str(bet), settlement, steps)

    def _read_round(self, line: bytes) -> Iterator[AnswerFact]:
        decoded = _decode_round(line)
        script, played = decoded.params, decoded.answer
        accountable = script.provisions or self._played(script)
        if self._judge.vendor_draws(script, played):
            # What the vendor draws itself is compared statistically.
            yield AnswerFact("", _EVENTS, "drawn", accountable)
            return
        tickets: set[str] = set()
        for act, case, bets in self._judge.settled_cases(script, played):
            for place, (ticket, settlement) in bets.items():
                tickets.add(ticket)
                steps = self._steps(case, place)
                yield from _settlement_facts(f"{act}/{ticket}", settlement, steps)
        yield AnswerFact("", _EVENTS, self._describe_play(script, played, tickets), accountable)

    def _describe_play(self, script: Script, played: PlayedScript, tickets: set[str]) -> Any:
        """Return what a table did, without settlements that are facts of their own.

        What varies by the law file although the outcome is the same is left out too, and past the
        acts before which it cannot have happened whatever the law requires because of it.
        """
        procedure = self._judge.procedures(script.game).of(script.options)
        file, chance = procedure.file, procedure.chance_events
        fields = {field.id for field in file.fields if field.varies}
        varying = {event.id for event in file.events if event.varies}
        sure, known = _sure_acts(script, varying, chance)

        def keep(events: list[dict[str, Any]], left_out: Collection[str]) -> list[dict[str, Any]]:
            return [
                {name: value for name, value in event.items() if name not in fields}
                for event in events
                if event.get("event") not in left_out
            ]

        plain = msgspec.to_builtins(played)
        plain["answers"] = plain.get("answers", [])[:known]
        for at, answer in enumerate(plain["answers"]):
            answer.pop(_COMMENT, None)
            answer[_EVENTS] = keep(answer.get(_EVENTS, []), varying if at < sure else chance)
            told = answer.pop("settlements", ())
            answer["settlements"] = [one for one in told if one.get("ticket") not in tickets]
        plain["opened"] = keep(plain.get("opened", []), varying)
        # Nobody forces what is dealt while a table closes, such as the rest of a shoe.
        plain["closed"] = played.closed is not None
        return msgspec.json.decode(encode_canonical(plain))

    def _played(self, script: Script) -> tuple[str, ...]:
        """Return the provisions of a game that are verified in rounds."""
        return tuple(
            held.id
            for held in self._law.provisions.values()
            if held.instrument.game == script.game
            and Way.PROCEDURE in {held.provision.verified_by, *held.provision.also}
        )

    def _steps(self, case: Case, bet: int) -> tuple[tuple[str, str], ...]:
        """Return the provisions from which the law derives the answer, each with its role."""
        try:
            derivation = self._oracle.derivation_of(case, bet)
        except BadOutcome:
            return ()
        known = self._law.provisions
        return tuple((step.provision, step.role) for step in derivation if step.provision in known)


def _sure_acts(
    script: Script, varying: Collection[str], chance: Collection[str]
) -> tuple[int, int]:
    """Return how many acts come before chance can have had a part, and how many may be compared.

    Nothing has happened by chance before a second outcome, unless the script lets it happen; then
    one more outcome is played before it can again. Past that, an act that waits for what comes by
    chance, or lets it happen, leads to one state or another of the table.
    """
    outcomes, sure = 1, len(script.acts)
    for at, act in enumerate(script.acts):
        staged = act["event"].get("event") in varying if act["act"] == HAPPEN else False
        if at < sure:
            outcomes += staged
            if act["act"] == FORCE:
                outcomes -= 1
                sure = at if chance and outcomes < 0 else sure
        elif staged or act.get("until") in chance:
            return sure, at
    return sure, len(script.acts)


def case_of(head: FactLine) -> Case:
    """Return the question of a line about a case."""
    params = _decode_params(head.params)
    params.pop("game", None)
    return Case(game=head.game, method=head.method, group="", **params)  # type: ignore[arg-type]


def _settlement_facts(
    place: str, settlement: Mapping[str, Any] | None, steps: Iterable[tuple[str, str]]
) -> Iterator[AnswerFact]:
    if settlement is None or not {_RESULT, *AMOUNTS} <= settlement.keys():
        # A vendor that tells less tells of all provisions together.
        provisions = tuple(dict.fromkeys(provision for provision, _ in steps))
        yield AnswerFact(place, "settlement", settlement, provisions)
        return
    by_part: dict[str, dict[str, None]] = {part: {} for part in (_RESULT, *AMOUNTS)}
    for provision, role in steps:
        by_part[role if role in AMOUNTS else _RESULT][provision] = None
    for part in AMOUNTS:
        yield AnswerFact(
            place, part, settlement.get(part), tuple(by_part[part] or by_part[_RESULT])
        )
    rest = {name: value for name, value in settlement.items() if name not in AMOUNTS}
    yield AnswerFact(place, _RESULT, rest, tuple(by_part[_RESULT]))
