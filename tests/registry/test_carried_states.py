"""In which states a certificate may have been carried over from, as a registry tells them."""

import datetime as dt
from types import SimpleNamespace

import pytest
from tests.registry.conftest import WHY, issued

from selo.registry.certificate_states import CertificateBook
from selo.registry.registry_events import NO_LINE, EventKind, RegistryEvent
from selo.verification.chain_checks import _unsound_states

#: The first day of the later examination.
FIRST = dt.date(2026, 3, 2)


def record_of(events):
    """Return a certificate to which events happened, each so many days after that day."""
    book = CertificateBook()
    for number, (kind, days) in enumerate((("issue", -9), ("issue", -9), *events)):
        name = "C-2" if number == 0 else "C-1"
        more = {"successor": "C-2"} if kind == "supersede" else {}
        fields = issued(name) if kind == "issue" else {"certificate": name, "reason": WHY, **more}
        at = dt.datetime(2026, 3, 2, 4, tzinfo=dt.UTC) + dt.timedelta(days=days)
        event = RegistryEvent(
            registry=NO_LINE, number=number, previous=NO_LINE, kind=EventKind(kind), at=at,
            by="Somebody", **fields,
        )  # fmt: skip
        book.take(event)
    return book.certificates["C-1"]


@pytest.mark.parametrize(
    ("events", "unsound"),
    [
        ([], []),
        ([("supersede", 0)], []),
        ([("supersede", 1)], []),
        ([("supersede", -1)], ["superseded"]),
        ([("suspend", -1), ("reinstate", 1)], ["suspended"]),
        ([("suspend", -2), ("reinstate", -1)], []),
        ([("suspend", 1)], ["suspended"]),
        ([("revoke", -1)], ["revoked", "revoked"]),
        ([("revoke", 1)], ["revoked"]),
        ([("withdraw", 0)], ["withdrawn", "withdrawn"]),
    ],
    ids=str,
)
def test_a_certificate_is_carried_over_only_from_one_that_stood_then_and_stands(events, unsound):
    record = record_of(events)
    answer = SimpleNamespace(state_of=lambda *_: record.state)

    found = list(_unsound_states(answer, record, FIRST, dt.datetime.now(dt.UTC)))

    assert found == unsound


def test_a_registry_that_knows_it_later_does_not_forbid_it():
    record = record_of([])
    answer = SimpleNamespace(state_of=lambda *_: record.state)

    before = FIRST - dt.timedelta(days=20)

    assert list(_unsound_states(answer, record, before, dt.datetime.now(dt.UTC))) == []
