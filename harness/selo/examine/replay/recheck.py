"""Every answer of the evidence judged again.

What evidence says of its own answers is not believed here: the answer in a line is compared with
the law.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import Case
from selo.evidence.canonical_json import decode
from selo.examine.exchange import REDUCTION, Line, encoded, fractions
from selo.examine.plan.live_rounds import ROUND
from selo.protocol import messages as m

if TYPE_CHECKING:
    from selo.cases.oracle import Oracle

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


class Told(msgspec.Struct, frozen=True, gc=False):
    """A case with its answer, and what the evidence says of it; what is raw is read if need be."""

    game: str
    group: str
    method: str
    n: int
    params: msgspec.Raw
    answer: msgspec.Raw = msgspec.Raw()
    right: bool | None = None
    error: msgspec.Raw = msgspec.Raw()
    fault: msgspec.Raw = msgspec.Raw()
    #: The field that only header and footer have.
    evidence: Any = None


_params: Final = msgspec.json.Decoder(_Params).decode
_settled: Final = msgspec.json.Decoder(m.Settled).decode
_compared: Final = msgspec.json.Decoder(m.Compared).decode


class Doubter:
    """Judges the answers of a run again."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._bets: dict[bytes, _Text] = {}
        self._options: dict[bytes, _Text] = {}

    def agrees(self, told: Told, line: bytes) -> bool:
        """Return whether the law says of an answer what its line says; its form is looked at."""
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
        return right is told.right

    def _compared(self, told: Told) -> bool | None:
        params = _params(told.params)
        case = Case(game=params.game, method="compare", group="", a=params.a, b=params.b)
        wanted = self._oracle.order(case)
        return None if wanted is None else wanted == _compared(told.answer).order

    def _settled(self, told: Told, line: bytes) -> bool:
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
