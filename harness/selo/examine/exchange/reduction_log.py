"""Reductions: smaller cases and rounds that are asked while a difference is shrunk.

The evidence holds them in a group of their own. So the shrunk case can be found again from the
evidence alone: the same questions are put in the same order and answered from the log.
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
    from collections.abc import Callable, Mapping, Sequence

    from selo.cases import Case
    from selo.examine.exchange.vendor_endpoint import VendorEndpoint
    from selo.table_values import StakeLimits
    from selo.vendors.faults import AdapterFault
    from selo.vendors.session import Session


#: The group of the lines, which are not part of the plan.
REDUCTION: Final = "reduction"
_ROUND: Final = "round"
#: Breakdowns after which the vendor is no longer asked.
_MAX_BREAKDOWNS: Final = 3


class NoAnswer(ValueError):
    """A smaller case got no answer, so it cannot replace the larger one."""


class _ReductionLine(msgspec.Struct, frozen=True):
    method: str
    params: dict[str, Any]
    answer: msgspec.Raw = msgspec.Raw()
    fault: dict[str, str] | None = None


@dataclass(kw_only=True)
class ReductionLog:
    """Answers to smaller cases and rounds, by method and params."""

    lines: int = 0
    #: The number of breakdowns of the vendor.
    broken: int = 0
    #: The answers, in the order of their lines.
    answers: dict[bytes, bytes] = field(default_factory=dict)
    #: What a settlement of each game tells.
    levels: Mapping[str, m.Level] = field(default_factory=dict)
    #: The stakes that each game takes.
    limits: Mapping[str, StakeLimits] = field(default_factory=dict)
    #: What shrinking asked for, in order.
    _asked: dict[bytes, None] = field(default_factory=dict)

    def take(self, line: bytes) -> None:
        """Add a line of the evidence."""
        decoded = msgspec.json.decode(line, type=_ReductionLine)
        self.lines += 1
        self.broken += decoded.fault is not None
        self.answers[_key(decoded.method, decoded.params)] = bytes(decoded.answer)

    def find_departure(self) -> str | None:
        """Return how the lines differ from what shrinking asked for, once it has asked all."""
        asked, recorded = list(self._asked), list(self.answers)
        if self.lines != len(recorded):
            return "a smaller case stands twice in it"
        if recorded != asked[: len(recorded)]:
            return "a smaller case belongs to no finding, or is not in its place"
        if len(recorded) < len(asked) and self.broken < _MAX_BREAKDOWNS:
            return "a smaller case of a finding is missing"
        return None

    def settle(self, case: Case) -> Any:
        """Return the settlements of a case or the order of its hands; raise if it has no answer."""
        if not self._admits(case.game, case.bets, "stake"):
            raise NoAnswer
        result = self._result(case.method, case.params())
        return result.settlements if case.method == "settle" else result

    def play(self, script: Script) -> PlayedScript:
        """Return the played round; raise if it was not played."""
        if not self._admits(script.game, script.acts, "stake", "to"):
            raise NoAnswer
        params = msgspec.to_builtins(script)
        return msgspec.json.decode(self._raw(_ROUND, params), type=PlayedScript)

    def _admits(self, game: str, entries: Sequence[Mapping[str, Any]], *fields: str) -> bool:
        limits = self.limits.get(game)
        return limits is None or limits.admits_fields(entries, *fields)

    def _result(self, method: str, params: Any) -> Any:
        form = m.answer_form(method, self.levels.get(params["game"], m.FULL))
        return msgspec.json.decode(self._raw(method, params), type=m.RESULTS[form])

    def _raw(self, method: str, params: Any) -> bytes:
        key = _key(method, params)
        self._asked[key] = None
        if key not in self.answers:
            self._ask_for(method, params)
        raw = self.answers.get(key, b"")
        if not raw:
            raise NoAnswer
        return raw

    def _ask_for(self, method: str, params: Any) -> None:
        """Ask the vendor; a log read from evidence has no vendor to ask."""


@dataclass(kw_only=True)
class Reducer(ReductionLog):
    """The log of a run in progress: asks the vendor for missing answers and records them."""

    vendor: VendorEndpoint
    #: Writes a line into the evidence.
    write: Callable[[bytes], None]
    #: The number of the next line.
    next: Callable[[], int]
    _session: Session | None = None

    def _ask_for(self, method: str, params: Any) -> None:
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
            form = m.answer_form(method, self.levels.get(params["game"], m.FULL))
            answer = _ask_vendor(self._session, method, params, form)
        except VendorBroken as error:
            self._session = None
            line["fault"] = _fault_fields(error.fault)
        else:
            line |= {} if answer is None else {"answer": answer}
        encoded = encode_canonical(line)
        self.take(encoded)
        self.write(encoded)

    def close(self) -> None:
        """End the session with the vendor, if there is one."""
        if self._session is not None:
            self._session.end()
            self._session.kill()
            self._session = None


def _key(method: str, params: Any) -> bytes:
    return msgspec.json.encode([method, params], order="sorted")


def _ask_vendor(session: Session, method: str, params: Any, form: str) -> Any:
    """Return the plain answer, or nothing if it cannot be used."""
    if method == _ROUND:
        return msgspec.to_builtins(play_script(session, msgspec.convert(params, Script)))
    ((_, reply),) = session.ask_all(method, [params], reads=form)
    return None if reply.result is None else msgspec.to_builtins(reply.result)


def _fault_fields(fault: AdapterFault) -> dict[str, str]:
    return {"kind": str(fault.kind), "path": fault.path, "told": fault.describe()}
