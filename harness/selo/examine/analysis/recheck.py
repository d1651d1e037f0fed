"""Judges every answer of the evidence again, whatever the evidence says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.evidence.canonical_json import decode_canonical
from selo.examine.exchange.chunk_exchange import EvidenceLine, find_answer_fault
from selo.protocol import messages as m
from selo.vendors.reply_reader import Reply

if TYPE_CHECKING:
    from selo.cases import Case
    from selo.cases.oracle import Oracle
    from selo.examine.vendor_description import DeclaredLimits
    from selo.vendors.faults import AdapterFault


class CaseLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A line of evidence about a case; raw fields are decoded only where they are needed."""

    game: str
    group: str
    method: str
    n: int
    params: msgspec.Raw
    answer: msgspec.Raw = msgspec.Raw()
    right: bool | None = None
    error: msgspec.Raw = msgspec.Raw()
    fault: msgspec.Raw = msgspec.Raw()
    skipped: m.Skipped | None = None

    def is_about(self, case: Case, params: msgspec.Raw) -> bool:
        """Return whether the line holds the question of a case, and why if there is no answer."""
        return (
            self.params == params
            and self.group == case.group
            and self.method == case.method
            and self.game == case.game
            and bool(self.answer or self.fault or self.skipped)
        )


decode_case_line: Final = msgspec.json.Decoder(CaseLine).decode
_decode_error: Final = msgspec.json.Decoder(m.Fault).decode
_decode_compared: Final = msgspec.json.Decoder(m.Compared).decode


class Rechecker:
    """Judges the answers of a run again."""

    def __init__(self, oracle: Oracle, limits: DeclaredLimits) -> None:
        self._oracle, self._limits = oracle, limits
        self._decoders: dict[str, msgspec.json.Decoder[Any]] = {}

    def agrees_with_law(
        self, case_line: CaseLine, line: bytes, case: Case, params: msgspec.Raw
    ) -> bool:
        """Return whether the mark of the answer to a case is what the law says.

        `params` are those of the case as evidence holds them. Raise for a line in a wrong form.
        """
        if not case_line.answer or case_line.fault or case_line.skipped:
            decode_canonical(line)
            return case_line.right is None and self._is_fault_true(case_line, case)
        if case_line.method == "settle":
            return self._agrees_on_settlement(case_line, line, case, params)
        decode_canonical(line)
        wanted = self._oracle.compare(case)
        answer = _decode_compared(case_line.answer)
        return case_line.right is (
            None if wanted is None else wanted == self._oracle.told_order(case, answer)
        )

    def _decode_settled(self, game: str, answer: msgspec.Raw) -> Any:
        """Return the settlements of a game, which tell what its vendor declared."""
        if game not in self._decoders:
            form = m.RESULTS[self._limits.form_of(game, "settle")]
            self._decoders[game] = msgspec.json.Decoder(form)
        return self._decoders[game].decode(answer)

    def _is_fault_true(self, case_line: CaseLine, case: Case) -> bool:
        """Return whether an answer, if there is one, has the fault that the line says."""
        if case_line.skipped is not None:
            return not (case_line.answer or case_line.error) and _is_recorded(
                self._limits.skip_fault(case, case_line.skipped.skipped), case_line
            )
        if not case_line.answer and not case_line.error:
            # What kept a vendor from answering left no other trace.
            return True
        error = _decode_error(case_line.error) if case_line.error else None
        result = (
            msgspec.json.decode(
                case_line.answer, type=m.RESULTS[self._limits.form_of(case.game, case.method)]
            )
            if case_line.answer
            else None
        )
        fault = find_answer_fault(case, Reply(id="", result=result, error=error))
        return fault is not None and _is_recorded(fault, case_line)

    def _agrees_on_settlement(
        self, case_line: CaseLine, line: bytes, case: Case, params: msgspec.Raw
    ) -> bool:
        answer = self._decode_settled(case.game, case_line.answer)
        canonical = EvidenceLine(
            answer=answer, game=case.game, group=case.group, method=case.method, n=case_line.n,
            params=params, right=case_line.right,
        )  # fmt: skip
        if canonical.encode() != line:
            # Other fields, or another form, which is refused.
            decode_canonical(line)
        if self._oracle.is_exactly_expected(case, answer.settlements):
            return case_line.right is True
        if find_answer_fault(case, Reply(id="", result=answer)) is not None:
            # It should have been recorded as a fault.
            return False
        if self._oracle.wrong_bets(case, answer.settlements):
            return case_line.right is False
        self._oracle.remember(case, answer.settlements)
        return case_line.right is True


def _is_recorded(fault: AdapterFault | None, case_line: CaseLine) -> bool:
    """Return whether a line records exactly this fault, or none."""
    recorded = msgspec.json.decode(case_line.fault) if case_line.fault else None
    return recorded == (None if fault is None else fault.evidence_record())
