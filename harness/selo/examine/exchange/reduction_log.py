"""Smaller cases and rounds that were asked to find the smallest that shows a difference.

What is asked on the way stands in the evidence like everything else, in a group of its own. So the
smallest case can be found again from the evidence alone: the same questions are put in the same
order, and are answered from what was kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.evidence.canonical_json import encode_canonical
from selo.protocol import messages as m
from selo.rounds import PlayedScript, Script, play_script
from selo.vendors.faults import VendorBroken

if TYPE_CHECKING:
    from collections.abc import Callable

    from selo.cases import Case
    from selo.examine.exchange.workers import VendorEndpoint
    from selo.vendors.faults import AdapterFault
    from selo.vendors.session import Session

#: The group of lines that are no part of the plan, but of what follows from it.
REDUCTION: Final = "reduction"
_ROUND: Final = "round"
#: A vendor that broke so often while cases are made smaller is asked no more.
_MAX_BREAKDOWNS: Final = 3


class NoAnswer(ValueError):
    """A smaller case that was not answered: what is known stays as it is."""


class _ReductionLine(msgspec.Struct, frozen=True):
    method: str
    params: dict[str, Any]
    answer: msgspec.Raw = msgspec.Raw()
    fault: dict[str, str] | None = None


@dataclass(kw_only=True)
class ReductionLog:
    """Answers to smaller cases and rounds, each known by what was asked."""

    lines: int = 0
    #: How often the vendor broke.
    broken: int = 0
    answers: dict[bytes, bytes] = field(default_factory=dict)

    def take(self, line: bytes) -> None:
        """Take a line of the evidence."""
        one = msgspec.json.decode(line, type=_ReductionLine)
        self.lines += 1
        self.broken += one.fault is not None
        self.answers[_key(one.method, one.params)] = bytes(one.answer)

    def settle(self, case: Case) -> Any:
        """Return the settlements of a case, or the order of its hands, or raise without any."""
        result = self._result(case.method, case.params())
        return result.settlements if case.method == "settle" else result.order

    def play(self, script: Script) -> PlayedScript:
        """Return how a round went, or raise if it was not played."""
        params = msgspec.to_builtins(script)
        return msgspec.json.decode(self._raw(_ROUND, params), type=PlayedScript)

    def _result(self, method: str, params: Any) -> Any:
        return msgspec.json.decode(self._raw(method, params), type=m.RESULTS[method])

    def _raw(self, method: str, params: Any) -> bytes:
        key = _key(method, params)
        if key not in self.answers:
            self._ask(method, params)
        raw = self.answers.get(key, b"")
        if not raw:
            raise NoAnswer
        return raw

    def _ask(self, method: str, params: Any) -> None:
        """Ask for what was never asked; whoever has only evidence has nobody to ask."""


@dataclass(kw_only=True)
class Reducer(ReductionLog):
    """The same in a run that is under way: what is not known yet is asked and written down."""

    vendor: VendorEndpoint
    #: Takes a line that is written into the evidence.
    write: Callable[[bytes], None]
    #: The number of the next line.
    next: Callable[[], int]
    _session: Session | None = None

    def _ask(self, method: str, params: Any) -> None:
        if self.broken >= _MAX_BREAKDOWNS:
            return
        line: dict[str, Any] = {
            "game": params["game"],
            "group": REDUCTION,
            "method": method,
            "n": self.next(),
            "params": params,
        }
        try:
            self._session = self._session or self.vendor.session()
            answer = _ask_vendor(self._session, method, params)
        except VendorBroken as error:
            self._session = None
            line["fault"] = _fault_fields(error.fault)
        else:
            line |= {} if answer is None else {"answer": answer}
        encoded = encode_canonical(line)
        self.take(encoded)
        self.write(encoded)

    def close(self) -> None:
        """End the vendor, if it was asked anything."""
        if self._session is not None:
            self._session.end()
            self._session.kill()
            self._session = None


def _key(method: str, params: Any) -> bytes:
    return msgspec.json.encode([method, params], order="sorted")


def _ask_vendor(session: Session, method: str, params: Any) -> Any:
    """Return the plain answer, or nothing if it is no answer that can be used."""
    if method == _ROUND:
        return msgspec.to_builtins(play_script(session, msgspec.convert(params, Script)))
    ((_, reply),) = session.ask_all(method, [params])
    return None if reply.result is None else msgspec.to_builtins(reply.result)


def _fault_fields(fault: AdapterFault) -> dict[str, str]:
    return {"kind": str(fault.kind), "path": fault.path, "told": fault.told()}
