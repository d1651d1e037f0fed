"""Strict decoder of an adapter's replies.

Most lines hold a batch of answers to one method, which one typed decoder reads and checks at once.
Only if it fails, or if a key may be duplicated, is the line decoded answer by answer, to report
which answer is wrong, where, and how.
"""

from __future__ import annotations

import json
import re
from math import gcd
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from selo.json_numbers import LARGEST_INTEGER
from selo.protocol import messages as m
from selo.vendors.faults import AdapterFault, FaultKind, make_fault, vendor_broken

if TYPE_CHECKING:
    from selo.table_values import Outcome

_ERROR_PATH: Final = re.compile(r" - at `(?P<path>\$[^`]*)`$")
#: Keys of an answer outside its result: jsonrpc, id, result.
_ENVELOPE_KEYS: Final = 3
#: More digits than any float has, and fewer than Python refuses to parse.
_MAX_DIGITS: Final = 400
#: Levels of objects and lists in an answer; no form of the protocol has a tenth of them.
_MAX_LEVELS: Final = 64
#: What a batch of outcomes is decoded one by one for: long numbers, many levels in a row.
_SUSPICIOUS: Final = re.compile(rb"[0-9]{16}|(?:[\[{][^\[\]{}]*){16}")
#: Methods whose results hold values that no type bounds: events and outcomes.
_UNTYPED: Final = frozenset({"table.open", "table.act", "table.close", "draw"})


class Reply(msgspec.Struct, frozen=True, gc=False):
    """One answer: a valid result, an error given by the adapter, or a fault of the adapter."""

    id: str
    result: Any = None
    error: m.Fault | None = None
    fault: AdapterFault | None = None
    #: Why the case is not answered: the product cannot, as was declared before.
    skipped: m.Skipped | None = None


def _batch_reply(form: str) -> Any:
    """Return the type of an answer whose result has the form `form`."""
    return msgspec.defstruct(
        "_BatchReply",
        [("jsonrpc", Literal["2.0"]), ("id", str), ("result", m.RESULTS[form])],
        frozen=True, kw_only=True, gc=False,
    )  # fmt: skip


class _DrawReply(msgspec.Struct, frozen=True, kw_only=True):
    jsonrpc: Literal["2.0"]
    id: str
    result: m.Drawn


class ReplyReader:
    """Decodes lines of answers to one method."""

    def __init__(self, method: str) -> None:
        self.method = method
        self._batch_decoder: msgspec.json.Decoder[Any] | None = None
        self._skips = method.partition(":")[0] in m.SKIPPABLE
        if self._skips:
            self._batch_decoder = msgspec.json.Decoder(list[_batch_reply(method)])  # type: ignore[misc]
        elif method == "draw":
            # Answers with thousands of outcomes are not batched.
            self._batch_decoder = msgspec.json.Decoder(_DrawReply, float_hook=_refuse_float)
        self._result_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(m.RESULTS[method])

    def decode_batch(self, line: bytes) -> list[Any] | None:
        """Return the answers of a line that is a valid batch, or None."""
        if self._batch_decoder is None:
            return None
        try:
            decoded = self._batch_decoder.decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return None
        if self.method in _UNTYPED and _SUSPICIOUS.search(line):
            return None
        answers: list[Any] = decoded if isinstance(decoded, list) else [decoded]
        if line.count(b":") != self._expected_keys(answers) or not line.isascii():
            # A surplus key: either harmless or a duplicate.
            return None
        return answers

    def _expected_keys(self, answers: list[Any]) -> int:
        if self.method == "compare":
            told = sum(answer.result.hand_points is not None for answer in answers)
            return (_ENVELOPE_KEYS + 1) * len(answers) + told
        if self.method == "draw":
            return _ENVELOPE_KEYS + _count_keys(answers[0].result.outcomes) + 1
        return (_ENVELOPE_KEYS + 1) * len(answers) + sum(
            [
                len(answer.result.settlements) * len(answer.result.settlements[0].__struct_fields__)
                for answer in answers
                if answer.result.settlements
            ]
        )

    def decode_each(self, line: bytes) -> list[Reply]:
        """Return the answers of a line, each with its fault; raise if it is not an answer."""
        plain = _parse_json(line)
        try:
            return self._decode_replies(line, plain)
        except RecursionError as error:
            raise vendor_broken(FaultKind.TOO_DEEP, raw=line) from error
        except msgspec.DecodeError as error:
            # msgspec is stricter than json: it refuses lone surrogates.
            raise vendor_broken(FaultKind.NOT_JSON, problem=str(error), raw=line) from error

    def _decode_replies(self, line: bytes, plain: Any) -> list[Reply]:
        if isinstance(plain, dict):
            return [self._decode_reply(line, plain)]
        if not isinstance(plain, list) or not plain:
            raise vendor_broken(
                FaultKind.NOT_AN_ANSWER, problem="neither an object nor a batch", raw=line
            )
        return [
            self._decode_reply(bytes(raw), answer)
            for raw, answer in zip(
                msgspec.json.decode(line, type=list[msgspec.Raw]), plain, strict=True
            )
        ]

    def _decode_reply(self, raw: bytes, plain: Any) -> Reply:
        if isinstance(plain, dict) and "method" in plain:
            raise vendor_broken(
                FaultKind.NOT_AN_ANSWER,
                problem="a vendor sends no requests",
                path="$.method",
                raw=raw,
            )
        try:
            answer = msgspec.json.decode(raw, type=m.Answer)
        except msgspec.ValidationError as error:
            problem, path = split_validation_error(error)
            raise vendor_broken(
                FaultKind.NOT_AN_ANSWER, problem=problem, path=path, raw=raw
            ) from error
        if answer.id is None:
            message = "" if isinstance(answer.error, UnsetType) else answer.error.message
            raise vendor_broken(
                FaultKind.NOT_AN_ANSWER, problem=f"id is null: {message}", path="$.id", raw=raw
            )
        if (answer.result is UNSET) == (answer.error is UNSET):
            raise vendor_broken(
                FaultKind.NOT_AN_ANSWER, problem="result or error, one of them", raw=raw
            )
        if not isinstance(answer.error, UnsetType):
            return Reply(id=answer.id, error=answer.error)
        plainly = plain["result"]
        unfit = _find_unfit_value(plainly, "$.result") if self.method in _UNTYPED else None
        if unfit is not None:
            kind, problem, path = unfit
            return Reply(id=answer.id, fault=make_fault(kind, problem=problem, path=path, raw=raw))
        skips = self._skips and isinstance(plainly, dict) and "skipped" in plainly
        return self._decode_result(answer.id, answer.result, raw, skips=skips)

    def _decode_result(self, name: str, result: Any, raw: bytes, *, skips: bool) -> Reply:
        try:
            if skips:
                return Reply(id=name, skipped=msgspec.json.decode(result, type=m.Skipped))
            return Reply(id=name, result=self._result_decoder.decode(result))
        except msgspec.ValidationError as error:
            problem, path = split_validation_error(error)
            inside = path.replace("$", "$.result", 1)
            return Reply(
                id=name,
                fault=make_fault(FaultKind.WRONG_SHAPE, problem=problem, path=inside, raw=raw),
            )


def _count_keys(outcomes: list[Outcome]) -> int:
    """Return the number of keys of outcomes and of the objects in them."""
    return sum(
        len(outcome) + sum([len(part) for part in outcome.values() if isinstance(part, dict)])
        for outcome in outcomes
    )


def _find_unfit_value(value: Any, path: str, level: int = 0) -> tuple[FaultKind, str, str] | None:
    """Return what no evidence can hold, and its path: a fraction, a large number, many levels.

    Evidence is canonical JSON with whole numbers that every reader keeps.
    """
    if isinstance(value, float):
        return FaultKind.WRONG_SHAPE, f"{value!r} is not a whole number", path
    if isinstance(value, int) and abs(value) > LARGEST_INTEGER:
        return FaultKind.WRONG_SHAPE, f"a number beyond {LARGEST_INTEGER}", path
    if not isinstance(value, dict | list):
        return None
    if level == _MAX_LEVELS:
        return FaultKind.TOO_DEEP, f"more than {_MAX_LEVELS} levels", path
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for name, part in inner:
        step = f"[{name}]" if isinstance(value, list) else f".{name}"
        unfit = _find_unfit_value(part, path + step, level + 1)
        if unfit is not None:
            return unfit
    return None


def _refuse_float(literal: str) -> Any:
    msg = f"{literal} is not a whole number"
    raise ValueError(msg)


class _DuplicateKey(ValueError):
    """A key occurs twice in an object."""


def _parse_json(line: bytes) -> Any:
    """Return the value of a line; raise for invalid JSON and duplicate keys."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise vendor_broken(
            FaultKind.NOT_UTF8, byte=f"0x{line[error.start]:02x}", at=error.start, raw=line
        ) from error
    if not text.strip():
        raise vendor_broken(FaultKind.NOT_JSON, problem="the line is empty", raw=line)
    try:
        return json.loads(
            text,
            object_pairs_hook=_make_unique_dict,
            parse_constant=_refuse_constant,
            parse_int=_parse_integer,
        )
    except _DuplicateKey as error:
        raise vendor_broken(FaultKind.KEY_TWICE, key=str(error), raw=line) from error
    except RecursionError as error:
        raise vendor_broken(FaultKind.TOO_DEEP, raw=line) from error
    except ValueError as error:
        raise vendor_broken(FaultKind.NOT_JSON, problem=str(error), raw=line) from error


def _make_unique_dict(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        names = [name for name, _ in pairs]
        raise _DuplicateKey(next(name for name in names if names.count(name) > 1))
    return unique


def _refuse_constant(name: str) -> Any:
    msg = f"{name} is no number of JSON"
    raise ValueError(msg)


def _parse_integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        msg = f"nobody reads a number of {len(digits)} digits"
        raise ValueError(msg)
    return int(digits)


def split_validation_error(error: msgspec.ValidationError) -> tuple[str, str]:
    """Return the message of a validation error and the path it names."""
    message = str(error)
    match = _ERROR_PATH.search(message)
    return (message, "$") if match is None else (message[: match.start()], match["path"])


def is_in_lowest_terms(amount: int | list[int]) -> bool:
    """Return whether an amount is an integer or a non-integer fraction in lowest terms."""
    if isinstance(amount, int):
        return True
    numerator, denominator = amount
    return denominator > 1 and gcd(numerator, denominator) == 1
