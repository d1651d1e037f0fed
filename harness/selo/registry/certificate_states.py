"""The states of a certificate and what each event makes of them: the table of ``docs/registry.md``.

A certificate is what its events make of it in the order of the log. Expiry is no event: it follows
from the last day of validity.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Protocol

from selo.law.status import macau_today
from selo.registry.registry_events import EventKind, fold_spelling
from selo.text.sanitize import escape_unseen, escape_unseen_lines

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence

    from selo.registry.registry_events import RegisteredFile, RegisteredProduct, RegistryEvent


class CertificateState(enum.StrEnum):
    """What is true of a certificate on a day."""

    UNKNOWN = "unknown"
    VALID = "valid"
    SUSPENDED = "suspended"
    REVOKED = "revoked"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


_HELD: Final = (CertificateState.VALID, CertificateState.SUSPENDED)
#: The states in which an event may happen, and what follows.
_TRANSITIONS: Final[Mapping[EventKind, tuple[tuple[CertificateState, ...], CertificateState]]] = {
    EventKind.ISSUE: ((CertificateState.UNKNOWN,), CertificateState.VALID),
    EventKind.SUSPEND: ((CertificateState.VALID,), CertificateState.SUSPENDED),
    EventKind.REINSTATE: ((CertificateState.SUSPENDED,), CertificateState.VALID),
    EventKind.REVOKE: (_HELD, CertificateState.REVOKED),
    EventKind.SUPERSEDE: (_HELD, CertificateState.SUPERSEDED),
    EventKind.WITHDRAW: (_HELD, CertificateState.WITHDRAWN),
}
#: The events that need two people.
TWO_PERSON_KINDS: Final = frozenset({EventKind.REVOKE, EventKind.REINSTATE, EventKind.POLICY})


def next_state(state: CertificateState, kind: EventKind) -> CertificateState | None:
    """Return the state after an event, or nothing if it cannot happen in `state`."""
    allowed, after = _TRANSITIONS.get(kind, ((), CertificateState.UNKNOWN))
    return after if state in allowed else None


def apply_expiry(
    state: CertificateState, valid_until: dt.date | None, day: dt.date
) -> CertificateState:
    """Return the state of a certificate on `day`, given what its events have made of it."""
    expired = state in _HELD and valid_until is not None and day > valid_until
    return CertificateState.EXPIRED if expired else state


class KnownCertificate(Protocol):
    """What a log, a list or a code says of a certificate."""

    @property
    def number(self) -> str:
        """The number of the certificate."""

    @property
    def document(self) -> str | None:
        """The SHA-256 of the signed document."""

    @property
    def since(self) -> dt.datetime:
        """When it was issued."""

    @property
    def valid_until(self) -> dt.date | None:
        """Its last day."""

    @property
    def successor(self) -> str:
        """The certificate in its place; blank without one."""

    @property
    def product(self) -> RegisteredProduct | None:
        """What it is about."""

    @property
    def files(self) -> Sequence[RegisteredFile]:
        """The files of the product; none where they are not told."""

    def state_on(self, day: dt.date) -> CertificateState:
        """Return the state on `day`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CertificateRecord:
    """A certificate as its events have made it."""

    issued: RegistryEvent
    state: CertificateState
    events: tuple[RegistryEvent, ...]
    successor: str = ""

    @property
    def number(self) -> str:
        """The number of the certificate."""
        return self.issued.certificate

    @property
    def document(self) -> str | None:
        """The SHA-256 of the signed document."""
        return self.issued.document

    @property
    def since(self) -> dt.datetime:
        """When it was issued."""
        return self.issued.at

    @property
    def valid_until(self) -> dt.date | None:
        """Its last day."""
        return self.issued.valid_until

    @property
    def product(self) -> RegisteredProduct | None:
        """What it is about."""
        return self.issued.product

    @property
    def files(self) -> Sequence[RegisteredFile]:
        """The files of the product."""
        return self.issued.files

    def state_on(self, day: dt.date) -> CertificateState:
        """Return the state on a day of Macau: by the events until its end, and by its last day."""
        state = CertificateState.UNKNOWN
        for event in self.events:
            if macau_today(event.at) <= day:
                state = next_state(state, event.kind) or state
        return apply_expiry(state, self.valid_until, day)


@dataclass(slots=True)
class CertificateBook:
    """All certificates and commitments of a log, by number."""

    certificates: dict[str, CertificateRecord] = field(default_factory=dict)
    #: When each commitment to a seed was published.
    commitments: dict[str, dt.datetime] = field(default_factory=dict)
    #: The numbers as they are alike to whoever reads them.
    _folded: set[str] = field(default_factory=set)

    def problem_with(self, event: RegistryEvent) -> str | None:
        """Return why `event` cannot happen now, as the key of a message; nothing if it can."""
        if event.number == 0 and event.kind is not EventKind.OPEN:
            return "misplaced"
        record = self.certificates.get(event.certificate)
        state = CertificateState.UNKNOWN if record is None else record.state
        if event.kind in {EventKind.OPEN, EventKind.POLICY}:
            opens = event.kind is EventKind.OPEN
            return "no-policy" if event.policy is None else _misplaced(event, opens=opens)
        if event.kind is EventKind.COMMIT:
            twice = event.commitment in self.commitments
            return "no-commitment" if event.commitment is None else "committed" if twice else None
        if not event.certificate:
            return "no-certificate"
        if next_state(state, event.kind) is None:
            return "state"
        return self._incomplete(event)

    def _incomplete(self, event: RegistryEvent) -> str | None:
        """Return what an event lacks of the things that its kind needs."""
        if event.kind is EventKind.ISSUE:
            whole = event.document and event.evidence_root and event.product and event.files
            problem = self._number_problem(event.certificate)
            return problem or (None if whole and event.instruments else "incomplete")
        if event.reason is None or not (event.reason.pt.strip() and event.reason.zh.strip()):
            return "no-reason"
        if any(escape_unseen_lines(text) != text for text in (event.reason.pt, event.reason.zh)):
            return "unseen"
        if event.kind is EventKind.SUPERSEDE:
            successor = self.certificates.get(event.successor)
            known = successor is not None and successor.state is CertificateState.VALID
            return None if known and event.successor != event.certificate else "successor"
        return None

    def _number_problem(self, number: str) -> str | None:
        """Return why a new number can be taken for another one, or for none."""
        folded = fold_spelling(number)
        if not folded or escape_unseen(number) != number.strip():
            return "unseen"
        return "alike" if folded in self._folded else None

    def take(self, event: RegistryEvent) -> None:
        """Add an event that can happen."""
        if event.kind is EventKind.COMMIT and event.commitment is not None:
            self.commitments[event.commitment] = event.at
        elif event.kind is EventKind.ISSUE:
            self._folded.add(fold_spelling(event.certificate))
            self.certificates[event.certificate] = CertificateRecord(
                issued=event, state=CertificateState.VALID, events=(event,)
            )
        elif event.kind in _TRANSITIONS:
            record = self.certificates[event.certificate]
            state = next_state(record.state, event.kind)
            self.certificates[event.certificate] = replace(
                record,
                state=state or record.state,
                events=(*record.events, event),
                successor=event.successor,
            )


def _misplaced(event: RegistryEvent, *, opens: bool) -> str | None:
    return None if opens is (event.number == 0) else "misplaced"
