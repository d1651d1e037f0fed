"""Judges every answer of the evidence again, whatever the evidence says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import Case
from selo.evidence.canonical_json import decode_canonical
from selo.examine.exchange import REDUCTION
from selo.examine.exchange.chunk_exchange import EvidenceLine, check_lowest_terms
from selo.examine.live_rounds import ROUND
from selo.protocol import messages as m
from selo.table_values import Outcome

if TYPE_CHECKING:
    from selo.cases.oracle import Oracle
    from selo.examine.vendor_description import DeclaredLimits


#: Cases of a plan share the texts of their bets and options.
_MAX_TEXTS_CACHED: Final = 1_024


class _Params(msgspec.Struct, frozen=True, gc=False):
    """The question of a line, with bets and options undecoded."""

    game: str
    bets: msgspec.Raw = msgspec.Raw(b"[]")
    options: msgspec.Raw = msgspec.Raw(b"{}")
    outcome: Outcome = {}
    a: list[str] = []
    b: list[str] = []


class CaseLine(msgspec.Struct, frozen=True, gc=False):
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
    #: Only header and footer have this field.
    evidence: Any = None


_decode_params: Final = msgspec.json.Decoder(_Params).decode
_decode_settled: Final = msgspec.json.Decoder(m.Settled).decode
_decode_compared: Final = msgspec.json.Decoder(m.Compared).decode


class Rechecker:
    """Judges the answers of a run again."""

    def __init__(self, oracle: Oracle, limits: DeclaredLimits) -> None:
        self._oracle, self._limits = oracle, limits
        self._bets: dict[bytes, _InternedText] = {}
        self._options: dict[bytes, _InternedText] = {}

    def agrees_with_law(self, case_line: CaseLine, line: bytes) -> bool:
        """Return whether the mark of an answer is what the law says; raise for a wrong form."""
        if case_line.skipped is not None and not self._may_be_skipped(case_line):
            return False
        if case_line.group == REDUCTION or case_line.method == ROUND or not case_line.answer:
            # `EvidenceAnalysis` rechecks rounds; reductions bear no mark; no answer is not right.
            decode_canonical(line)
            right = case_line.right if case_line.answer else None
        elif case_line.method == "settle":
            right = self._is_settlement_right(case_line, line)
        else:
            decode_canonical(line)
            right = self._is_order_right(case_line)
        return right is case_line.right

    def _may_be_skipped(self, case_line: CaseLine) -> bool:
        """Return whether a declaration covers a skipped case, or the skip is noted as a fault."""
        if case_line.answer or case_line.right is not None or case_line.skipped is None:
            return False
        if case_line.fault:
            return True
        params: dict[str, Any] = msgspec.json.decode(case_line.params)
        game = params.pop("game", case_line.game)
        method: Any = case_line.method
        case = Case(game=game, method=method, group="", **params)
        return self._limits.skip_fault(case, case_line.skipped.skipped) is None

    def _is_order_right(self, case_line: CaseLine) -> bool | None:
        params = _decode_params(case_line.params)
        case = Case(game=params.game, method="compare", group="", a=params.a, b=params.b)
        wanted = self._oracle.compare(case)
        return None if wanted is None else wanted == _decode_compared(case_line.answer).order

    def _is_settlement_right(self, case_line: CaseLine, line: bytes) -> bool:
        params, answer = _decode_params(case_line.params), _decode_settled(case_line.answer)
        bets, options = (
            _intern_text(self._bets, params.bets),
            _intern_text(self._options, params.options),
        )
        canonical = EvidenceLine(
            answer=answer, game=params.game, group=case_line.group, method=case_line.method,
            n=case_line.n,
            params={
                "bets": bets.text, "game": params.game, "options": options.text,
                "outcome": params.outcome,
            },
            right=case_line.right,
        )  # fmt: skip
        if canonical.encode() != line:
            # Other fields, or another form, which is refused.
            decode_canonical(line)
        case = Case(
            game=params.game, method="settle", group="",
            outcome=params.outcome, bets=bets.value, options=options.value,
        )  # fmt: skip
        if self._oracle.is_exactly_expected(case, answer.settlements):
            return True
        if self._oracle.wrong_bets(case, answer.settlements) or check_lowest_terms(
            answer.settlements
        ):
            return False
        self._oracle.remember(case, answer.settlements)
        return True


class _InternedText(msgspec.Struct, frozen=True):
    """A JSON text that many lines share, and its decoded value."""

    text: msgspec.Raw
    value: Any


def _intern_text(texts: dict[bytes, _InternedText], raw: msgspec.Raw) -> _InternedText:
    """Return a decoded text; equal texts give the same object as long as it is cached."""
    text = bytes(raw)
    interned = texts.get(text)
    if interned is None:
        if len(texts) >= _MAX_TEXTS_CACHED:
            del texts[next(iter(texts))]
        interned = texts[text] = _InternedText(msgspec.Raw(text), decode_canonical(text))
    return interned
