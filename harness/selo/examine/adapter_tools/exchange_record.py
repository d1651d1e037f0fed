"""Single messages put to a vendor: judged one by one, or kept as an exchange and replayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import Case
from selo.cases.oracle import Oracle
from selo.examine.tally import Tally
from selo.examine.vendor_description import DeclaredLimits
from selo.protocol import messages as m
from selo.rules.checks import list_games
from selo.rules.equipment.kits import BadOutcome
from selo.storage import read_bounded
from selo.storage.atomic_write import write_new_files
from selo.storage.bounded_read import TEXT_LIMIT
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from selo.law import Law
    from selo.rules.settlement.settlement_models import DerivationStep
    from selo.vendors.faults import AdapterFault
    from selo.vendors.session import Session

#: The group of a case that somebody wrote.
_GROUP: Final = "ask"
#: The method of a message that names none, by a field that only its params have.
_METHODS_BY_FIELD: Final = {
    "outcome": "settle", "a": "compare", "act": "table.act", "count": "draw",
}  # fmt: skip


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """One request: its method, and its params."""

    method: str
    params: dict[str, Any] = {}


class Exchange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request and what the vendor answered: a result, an error, or a fault of the adapter."""

    method: str
    params: dict[str, Any]
    answer: Any = None
    error: m.Fault | None = None
    fault: str = ""


@dataclass(frozen=True, kw_only=True)
class JudgedAnswer:
    """The answer to one message, what the law requires, and why."""

    exchange: Exchange
    #: The lawful answer in the form of the vendor; nothing where the law has none.
    expected: Any
    #: The provisions from which the answer follows, for each bet or for the comparison.
    derivations: Sequence[tuple[DerivationStep, ...]]
    #: Whether the answer differs, whether a reading allows that, and what is wrong in its form.
    differs: bool
    open: bool
    faults: Sequence[AdapterFault]

    @property
    def is_silent(self) -> bool:
        """Whether the law at hand has no answer to a message that is judged."""
        return self.expected is None and self.exchange.method in m.SKIPPABLE


def parse_message(text: str) -> Message:
    """Return the message that somebody typed: a request, or params from which its method shows."""
    try:
        plain = msgspec.json.decode(text, type=dict[str, Any])
        if "method" in plain:
            return msgspec.convert(plain, Message)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise user_error("message", error=error) from error
    method = next((name for field, name in _METHODS_BY_FIELD.items() if field in plain), None)
    if method is None:
        raise user_error("message-kind", known=", ".join(_METHODS_BY_FIELD))
    return Message(method=method, params=plain)


def judge_message(
    law: Law, session: Session, message: Message, rulings: Mapping[str, str]
) -> JudgedAnswer:
    """Send one message to a vendor, and compare the answer with the law."""
    if message.method not in m.RESULTS:
        raise user_error(
            "message-method",
            name=message.method,
            known=", ".join(name for name in m.RESULTS if ":" not in name),
        )
    description: m.Description = session.ask("describe", {})
    limits = DeclaredLimits(law, description.games)
    game = message.params.get("game", "")
    form = limits.form_of(game, message.method)
    if message.method not in m.SKIPPABLE:
        exchange, faults = _ask(session, message, form)
        return JudgedAnswer(
            exchange=exchange, expected=None, derivations=(), differs=False, open=False,
            faults=faults,
        )  # fmt: skip
    case = _read_case(law, message)
    levels = {offer.game: offer.level for offer in description.games}
    oracle = Oracle(law, rulings, levels)
    try:
        expected = oracle.answer(case)
        count = len(case.bets) if message.method == "settle" else 1
        derivations = [oracle.derivation_of(case, bet) for bet in range(count)]
    except BadOutcome as error:
        raise user_error("message", error=error) from error
    ((_, reply),) = session.ask_all(message.method, [message.params], reads=form)
    tally = Tally(oracle)
    tally.take(case, limits.check(case, reply))
    return JudgedAnswer(
        exchange=_exchange(message, reply),
        expected=_lawful_answer(message.method, expected),
        derivations=derivations,
        differs=bool(tally.differences),
        open=bool(tally.differences) and not tally.violates,
        faults=tally.faults,
    )


def _lawful_answer(method: str, expected: Any) -> Any:
    if expected is None:
        return None
    return {"settlements" if method == "settle" else "order": msgspec.to_builtins(expected)}


def _read_case(law: Law, message: Message) -> Case:
    known = list_games(law)
    if message.params.get("game") not in known:
        raise user_error("game", name=message.params.get("game", ""), known=", ".join(known))
    try:
        fields = {"method": message.method, "group": _GROUP, **message.params}
        return msgspec.convert(fields, Case)
    except msgspec.ValidationError as error:
        raise user_error("message", error=error) from error


def _ask(session: Session, message: Message, form: str) -> tuple[Exchange, list[AdapterFault]]:
    ((_, reply),) = session.ask_all(message.method, [message.params], reads=form)
    return _exchange(message, reply), [] if reply.fault is None else [reply.fault]


def _exchange(message: Message, reply: Any) -> Exchange:
    answer = reply.result if reply.skipped is None else reply.skipped
    return Exchange(
        method=message.method,
        params=message.params,
        answer=None if answer is None else msgspec.to_builtins(answer),
        error=reply.error,
        fault="" if reply.fault is None else reply.fault.describe(),
    )


def record_exchanges(law: Law, session: Session, messages: Iterable[Message]) -> list[Exchange]:
    """Put messages to a vendor one after the other, and return what was said."""
    description: m.Description = session.ask("describe", {})
    limits = DeclaredLimits(law, description.games)
    exchanges: list[Exchange] = []
    for message in messages:
        if message.method not in m.RESULTS:
            raise user_error(
                "message-method",
                name=message.method,
                known=", ".join(name for name in m.RESULTS if ":" not in name),
            )
        form = limits.form_of(message.params.get("game", ""), message.method)
        exchanges.append(_ask(session, message, form)[0])
    return exchanges


def read_messages(path: Path) -> list[Message]:
    """Return the messages of a file, one on each line."""
    return [parse_message(line) for line in _read_lines(path)]


def write_exchanges(path: Path, exchanges: Iterable[Exchange]) -> None:
    """Write an exchange into a new file, one line for each message."""
    data = b"".join(msgspec.json.encode(exchange) + b"\n" for exchange in exchanges)
    try:
        write_new_files(path.parent, [(path.name, data)])
    except OSError as error:
        raise user_error("unwritten-another", path=path, error=error) from error


def read_exchanges(path: Path) -> list[Exchange]:
    """Return the exchanges of a file that `record` wrote."""
    try:
        return [msgspec.json.decode(line, type=Exchange) for line in _read_lines(path)]
    except msgspec.DecodeError as error:
        raise user_error("exchange-file", path=path, error=error) from error


def _read_lines(path: Path) -> list[str]:
    try:
        text = read_bounded(path, TEXT_LIMIT).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise user_error("exchange-file", path=path, error=error) from error
    return [line for line in text.splitlines() if line.strip()]
