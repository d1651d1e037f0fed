"""Faults of adapters and the evidence kept of them."""

from __future__ import annotations

import base64
import enum
from typing import Final

import msgspec

from selo.errors import SeloError
from selo.text import say
from selo.text.error_translation import translate_message
from selo.text.sanitize import escape_unseen, escape_unseen_bytes

#: Bytes kept of a line; its whole length is reported.
MAX_KEPT_BYTES: Final = 64 * 1024
#: Bytes of a raw line stored in a line of evidence.
_MAX_EVIDENCE_BYTES: Final = 2048
#: Characters of a line shown to a person.
_MAX_SHOWN_CHARACTERS: Final = 300
#: Node.js gives the reason of a crash twelve lines above the last.
_STDERR_LINES_SHOWN: Final = 14


class FaultKind(enum.StrEnum):
    """The kinds of adapter faults; they are also the keys of their messages."""

    CANNOT_START = "cannot-start"
    DIED_AT_START = "died-at-start"
    NOT_VISIBLE = "not-visible"
    DIED = "died"
    CLOSED_OUTPUT = "closed-output"
    LATE = "late"
    TOTAL_TIME = "total-time"
    LINE_TOO_LONG = "line-too-long"
    TOO_MUCH_OUTPUT = "too-much-output"
    TOO_MUCH_STDERR = "too-much-stderr"
    TOO_MUCH_MEMORY = "too-much-memory"
    TOO_MUCH_CPU = "too-much-cpu"
    TOO_MANY_PROCESSES = "too-many-processes"
    TOO_MANY_THREADS = "too-many-threads"
    NOT_UTF8 = "not-utf8"
    NOT_JSON = "not-json"
    TOO_DEEP = "too-deep"
    KEY_TWICE = "key-twice"
    NOT_AN_ANSWER = "not-an-answer"
    UNKNOWN_ID = "unknown-id"
    UNANSWERED = "unanswered"
    ANSWERED_TWICE = "answered-twice"
    WRONG_SHAPE = "wrong-shape"
    WRONG_COUNT = "wrong-count"
    WRONG_WORDS = "wrong-words"
    ERROR_ANSWER = "error-answer"
    DECLINED = "declined"
    SKIPPED_UNDECLARED = "skipped-undeclared"
    NOT_REFUSED = "not-refused"
    NOT_PURE = "not-pure"
    DESCRIPTION_CHANGED = "description-changed"
    FILE_DIFFERS = "file-differs"
    WORLD_DEPENDENT = "world-dependent"
    NOT_ENDED = "not-ended"
    LEFT_BEHIND = "left-behind"
    EXIT_STATUS = "exit-status"
    UNREACHABLE = "unreachable"
    HTTP_STATUS = "http-status"
    HTTP_REDIRECT = "http-redirect"
    HTTP_TYPE = "http-type"
    HTTP_BROKEN = "http-broken"
    TLS = "tls"
    NO_SUCH_OBJECT = "no-such-object"
    KILLED_WORKER = "killed-worker"


class AdapterFault(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A fault of an adapter: its kind, its place in the message, and the raw bytes."""

    kind: FaultKind
    #: The slots of the fault's message; text from the vendor is not yet escaped.
    slots: dict[str, str] = {}
    #: The path in the message, such as ``$.result.settlements[0].prize``.
    path: str = ""
    raw: bytes = b""
    raw_length: int = 0
    #: The request that was being answered, or the last one sent.
    sent: bytes = b""
    #: The tail of the vendor's error stream.
    stderr: bytes = b""

    def describe(self, language: str = "en") -> str:
        """Return the message of the fault, safe to print."""
        slots = {
            name: escape_unseen(value, _MAX_SHOWN_CHARACTERS) for name, value in self.slots.items()
        }
        if "because" in slots:
            slots["because"] = translate_message(slots["because"], language)
        return say(f"fault.{self.kind}", language, **slots)

    def remedy(self, language: str = "en") -> str:
        """Return the hint for an engineer."""
        return say(f"fault.{self.kind}.hint", language)

    def lines(self, language: str = "en") -> list[str]:
        """Return message, path, raw data and hint, line by line, safe to print."""
        lines = [self.describe(language)]
        if self.path:
            lines.append(
                say("fault.at", language, path=escape_unseen(self.path, _MAX_SHOWN_CHARACTERS))
            )
        if self.raw:
            lines.append(
                say(
                    "fault.raw",
                    language,
                    raw=escape_unseen_bytes(self.raw, _MAX_SHOWN_CHARACTERS),
                    size=self.length,
                )
            )
        if self.sent:
            lines.append(
                say(
                    "fault.sent",
                    language,
                    sent=escape_unseen_bytes(self.sent, _MAX_SHOWN_CHARACTERS),
                )
            )
        if self.stderr:
            lines += self._error_stream(language)
        lines.append(say("fault.hint", language, hint=self.remedy(language)))
        return lines

    def _error_stream(self, language: str) -> list[str]:
        """Return the last lines: some languages give the reason far above the last one."""
        *before, last = self.stderr.rstrip().split(b"\n")[-_STDERR_LINES_SHOWN:]
        if not before:
            return [
                say(
                    "fault.stderr",
                    language,
                    stderr=escape_unseen_bytes(last, _MAX_SHOWN_CHARACTERS),
                )
            ]
        shown = [
            f"  {escape_unseen_bytes(line, _MAX_SHOWN_CHARACTERS)}"
            for line in (*before, last)
            if line.strip()
        ]
        return [say("fault.stderr-end", language), *shown]

    def evidence_record(self) -> dict[str, str]:
        """Return the record of the fault for evidence."""
        raw = base64.b64encode(self.raw[:_MAX_EVIDENCE_BYTES]).decode()
        return {"kind": str(self.kind), "path": self.path, "raw": raw, "told": self.describe()}

    @property
    def length(self) -> int:
        """The length of the raw line."""
        return max(self.raw_length, len(self.raw))


class VendorBroken(SeloError):
    """Communication with the vendor cannot continue."""

    code = "vendor"

    def __init__(self, fault: AdapterFault) -> None:
        super().__init__(fault.describe())
        self.fault = fault

    def __str__(self) -> str:
        return self.in_language("en")

    def in_language(self, language: str) -> str:
        """Return the full text of the fault."""
        return "\n  ".join(self.fault.lines(language))

    def __reduce__(self) -> tuple[type[VendorBroken], tuple[AdapterFault]]:
        # The exception is pickled between processes.
        return VendorBroken, (self.fault,)


def make_fault(
    kind: FaultKind, *, raw: bytes = b"", path: str = "", **slots: object
) -> AdapterFault:
    """Return a fault; `slots` fill its message."""
    return AdapterFault(
        kind=kind,
        slots={name: str(value) for name, value in slots.items()},
        path=path,
        raw=raw[:MAX_KEPT_BYTES],
        raw_length=len(raw),
    )


def vendor_broken(
    kind: FaultKind, *, raw: bytes = b"", path: str = "", **slots: object
) -> VendorBroken:
    """Return an exception with a new fault."""
    return VendorBroken(make_fault(kind, raw=raw, path=path, **slots))
