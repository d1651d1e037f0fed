"""Every answer of the evidence judged again, by several processes side by side.

What evidence says of its own answers is not believed here. Worker k of n takes every nth block of
lines, looks at the form of each line, and compares the answer in it with the law.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases.case import Case
from selo.cases.expectation import Oracle
from selo.errors import SeloError
from selo.evidence.alteration import Sign, Tampered
from selo.evidence.canonical import NotCanonical, decode
from selo.evidence.reader import Reader
from selo.examine.answering import Line, encoded, fractions
from selo.examine.conclusion import Misjudged
from selo.examine.reductions import REDUCTION
from selo.examine.tables import ROUND
from selo.examine.turns import TURN, in_turn
from selo.protocol import messages as m

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from selo.examine.plan import Terms
    from selo.law.reader import Law

#: So many texts of bets and options are remembered: cases of a plan share them.
_MOST_TEXTS: Final = 1_024


class _Params(msgspec.Struct, frozen=True, gc=False):
    """What was asked, as far as it is read at once."""

    game: str
    bets: msgspec.Raw = msgspec.Raw(b"[]")
    options: msgspec.Raw = msgspec.Raw(b"{}")
    outcome: dict[str, Any] = {}
    a: list[str] = []
    b: list[str] = []


class _Line(msgspec.Struct, frozen=True, gc=False):
    """A case with its answer, and what the evidence says of it."""

    group: str
    method: str
    n: int
    params: msgspec.Raw
    answer: msgspec.Raw = msgspec.Raw()
    right: bool | None = None


_read: Final = msgspec.json.Decoder(_Line).decode
_params: Final = msgspec.json.Decoder(_Params).decode
_settled: Final = msgspec.json.Decoder(m.Settled).decode
_compared: Final = msgspec.json.Decoder(m.Compared).decode


def doubted(
    folder: Path, law: Law, terms: Terms, *, processes: int | None = None
) -> Generator[int, None, None]:
    """Yield how many lines more were judged again; raise where the law says otherwise."""

    def worker(number: int, count: int) -> Iterator[Any]:
        judge = _Judge(Oracle(law, terms.rulings))
        reader = Reader(folder)
        for at, lines in enumerate(reader.blocks()):
            if at % count == number:
                try:
                    for line in lines:
                        judge.doubt(line)
                except (NotCanonical, msgspec.DecodeError) as error:
                    raise Tampered(path=reader.path, sign=Sign.LINE, what=str(error)) from error
                yield len(lines)
                yield TURN

    yield from in_turn(worker, processes or len(os.sched_getaffinity(0)))


class Doubts:
    """Answers that are judged again while something else is done."""

    def __init__(self, folder: Path, law: Law, terms: Terms) -> None:
        self._lines = doubted(folder, law, terms)
        self._error: SeloError | None = None
        try:
            # The workers begin when the first piece of their work is asked for.
            next(self._lines, None)
        except SeloError as error:
            self._error = error

    def finish(self) -> None:
        """Wait for the last answer; raise where the law says otherwise than the evidence."""
        if self._error is not None:
            raise self._error
        for _ in self._lines:
            pass

    def leave(self) -> None:
        """Let the rest of the answers be."""
        self._lines.close()


class _Judge:
    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._bets: dict[bytes, _Text] = {}
        self._options: dict[bytes, _Text] = {}

    def doubt(self, line: bytes) -> None:
        """Compare an answer with the law, and refuse a line that says otherwise."""
        told = _read(line)
        if told.group == REDUCTION or told.method == ROUND or not told.answer:
            # Rounds are judged again where they are counted; reductions say nothing of themselves,
            # and where nothing was answered nothing can be right.
            decode(line)
            right = told.right if told.answer else None
        elif told.method == "settle":
            right = self._settled(told, line)
        else:
            decode(line)
            right = self._compared(told)
        if right is not told.right:
            raise Misjudged.of(told.n, right=told.right)

    def _compared(self, told: _Line) -> bool | None:
        params = _params(told.params)
        case = Case(game=params.game, method="compare", group="", a=params.a, b=params.b)
        wanted = self._oracle.order(case)
        return None if wanted is None else wanted == _compared(told.answer).order

    def _settled(self, told: _Line, line: bytes) -> bool:
        params, answer = _params(told.params), _settled(told.answer)
        bets, options = _known(self._bets, params.bets), _known(self._options, params.options)
        again = Line(
            answer=answer, game=params.game, group=told.group, method=told.method, n=told.n,
            params={
                "bets": bets.text, "game": params.game, "options": options.text,
                "outcome": params.outcome,
            },
            right=told.right,
        )  # fmt: skip
        if encoded(again) != line:
            # Other fields, or another form, which is refused.
            decode(line)
        case = Case(
            game=params.game, method="settle", group="",
            outcome=params.outcome, bets=bets.says, options=options.says,
        )  # fmt: skip
        if self._oracle.plainly_right(case, answer.settlements):
            return True
        if self._oracle.wrong(case, answer.settlements) or fractions(answer.settlements):
            return False
        self._oracle.learnt(case, answer.settlements)
        return True


class _Text(msgspec.Struct, frozen=True):
    """A text that many lines share, in its one form, and what it says."""

    text: msgspec.Raw
    says: Any


def _known(texts: dict[bytes, _Text], raw: msgspec.Raw) -> _Text:
    """Return what a text says, the same object for the same text as long as it is remembered."""
    text = bytes(raw)
    found = texts.get(text)
    if found is None:
        if len(texts) >= _MOST_TEXTS:
            del texts[next(iter(texts))]
        found = texts[text] = _Text(msgspec.Raw(text), decode(text))
    return found
