"""The answers of a run, as its evidence tells them: wrong cases and rounds, and right cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from selo.cases import Case
from selo.evidence import EvidenceReader
from selo.examine.exchange import REDUCTION
from selo.examine.live_rounds import ROUND
from selo.rounds import PlayedScript, Script

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from selo.examine.plan import Terms
    from selo.law import Law


class RunAnswers(Protocol):
    """The answers of a run."""

    @property
    def law(self) -> Law:
        """The law of the run."""

    @property
    def terms(self) -> Terms:
        """The terms of its plan."""

    def wrong_cases(self) -> Iterable[tuple[int, Case, Any]]:
        """Return the cases with a wrong answer, with their numbers in the plan."""

    def wrong_rounds(self) -> Iterable[tuple[int, Script, PlayedScript]]:
        """Return the rounds that were not played lawfully."""

    def right_cases(self, game: str) -> Iterable[Case]:
        """Return the cases of a game that were answered rightly."""


class BesideAnswers(msgspec.Struct, frozen=True, kw_only=True):
    """Answers that no entry covers: how many, and the first of them."""

    count: int
    first: int
    description: str


class _RecordedHead(msgspec.Struct, frozen=True, gc=False):
    n: int = -1
    game: str = ""
    group: str = ""
    method: str = ""
    right: bool | None = None


class _RecordedExchange(msgspec.Struct, frozen=True):
    params: dict[str, Any]
    answer: msgspec.Raw = msgspec.Raw()


class _RecordedRound(msgspec.Struct, frozen=True):
    params: Script
    answer: PlayedScript


_decode_head: Final = msgspec.json.Decoder(_RecordedHead).decode
_decode_exchange: Final = msgspec.json.Decoder(_RecordedExchange).decode
_decode_round: Final = msgspec.json.Decoder(_RecordedRound).decode


@dataclass(frozen=True, kw_only=True)
class RecordedAnswers:
    """The answers in the evidence of a run; each call reads the evidence again."""

    folder: Path
    law: Law
    terms: Terms

    def _lines(self) -> Iterator[tuple[_RecordedHead, bytes]]:
        for line in EvidenceReader(self.folder):
            head = _decode_head(line)
            if head.method and head.group != REDUCTION:
                yield head, line

    def wrong_cases(self) -> Iterator[tuple[int, Case, Any]]:
        """Yield the cases with a wrong answer; what the adapter failed to answer is not one."""
        for head, line in self._lines():
            if head.right is False and head.method != ROUND:
                exchange = _decode_exchange(line)
                if exchange.answer:
                    form = self.terms.answer_type(head.game, head.method)
                    yield head.n, _case_of(head, exchange), _answer_of(head, exchange, form)

    def wrong_rounds(self) -> Iterator[tuple[int, Script, PlayedScript]]:
        """Yield the rounds that were not played lawfully; a declined one was not played."""
        for head, line in self._lines():
            if head.right is False and head.method == ROUND:
                played = _decode_round(line)
                if not played.answer.declined:
                    yield head.n, played.params, played.answer

    def right_cases(self, game: str) -> Iterator[Case]:
        """Yield the cases of a game that were answered rightly."""
        for head, line in self._lines():
            if head.right and head.method != ROUND and head.game == game:
                yield _case_of(head, _decode_exchange(line))


def _case_of(head: _RecordedHead, exchange: _RecordedExchange) -> Case:
    params = {name: value for name, value in exchange.params.items() if name != "game"}
    return Case(game=head.game, method=head.method, group="evidence", **params)  # type: ignore[arg-type]


def _answer_of(head: _RecordedHead, exchange: _RecordedExchange, form: Any) -> Any:
    result: Any = msgspec.json.decode(exchange.answer, type=form)
    return result.settlements if head.method == "settle" else result
