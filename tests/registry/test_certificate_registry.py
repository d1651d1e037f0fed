"""A certificate is what its events have made of it, and nothing else can happen to it."""

import datetime as dt
import itertools

import pytest
from tests.registry.conftest import WHY, issued, over_all_storages

from selo.errors import SeloError
from selo.registry import read_registry_policy
from selo.registry.certificate_states import CertificateState, next_state
from selo.registry.registry_events import EventKind

LIFE = ("issue", "suspend", "reinstate", "revoke", "supersede", "withdraw")


def table(root):
    """Return the table of states in the manual: (state, event) to what follows."""
    text = (root / "docs" / "registry.md").read_text(encoding="utf-8")
    rows = text.partition("<!-- table: states -->\n")[2].partition("\n\n")[0].splitlines()
    head, _, *body = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return {
        (row[0], event): after
        for row in body
        for event, after in zip(head[1:], row[1:], strict=True)
    }


def test_the_states_are_those_of_the_manual(root):
    wanted = table(root)
    states = [state for state in CertificateState if state is not CertificateState.EXPIRED]

    assert set(wanted) == set(itertools.product(map(str, states), LIFE))
    for (state, event), after in wanted.items():
        follows = next_state(CertificateState(state), EventKind(event))
        assert (follows or "–") == after, (state, event)


@over_all_storages
def test_the_life_of_a_certificate(registry, office, happen):
    happen("issue", **issued("SELO-1"))
    happen("suspend", certificate="SELO-1")
    happen("reinstate", certificate="SELO-1")
    happen("issue", **issued("SELO-2"))
    happen("supersede", certificate="SELO-1", successor="SELO-2")
    happen("revoke", certificate="SELO-2")

    log = registry.check(read_registry_policy(office.policy))

    assert log.problems == []
    book = log.book.certificates
    assert (book["SELO-1"].state, book["SELO-1"].successor) == ("superseded", "SELO-2")
    assert book["SELO-2"].state is CertificateState.REVOKED
    assert log.head is not None
    assert (log.head.size, log.head.root) == (log.size, log.root)


@over_all_storages
@pytest.mark.parametrize(
    ("kind", "fields", "says"),
    [
        ("issue", issued("SELO-1"), "SELO-1"),
        ("issue", issued("SELO-2", files=[]), "incomplete"),
        ("issue", issued(""), "number of a certificate"),
        ("suspend", {"certificate": "SELO-9"}, "SELO-9"),
        ("reinstate", {"certificate": "SELO-1"}, "SELO-1"),
        ("suspend", {"certificate": "SELO-1", "reason": None}, "reason"),
        ("supersede", {"certificate": "SELO-1", "successor": "SELO-1"}, "to replace SELO-1"),
        ("supersede", {"certificate": "SELO-1", "successor": "SELO-7"}, "to replace SELO-1"),
        ("open", {"policy": "0" * 64}, "first line"),
    ],
)
def test_what_cannot_happen_is_refused_and_leaves_the_log_as_it_was(
    registry, happen, kind, fields, says
):
    happen("issue", **issued("SELO-1"))
    before = list(registry.storage.lines())

    with pytest.raises(SeloError) as refused:
        happen(kind, **fields)

    assert says in str(refused.value)
    assert list(registry.storage.lines()) == before


@pytest.mark.parametrize("kind", ["revoke", "reinstate"])
def test_one_person_alone_does_not_revoke_or_reinstate(registry, office, happen, kind):
    happen("issue", **issued("SELO-1"))
    if kind == "reinstate":
        happen("suspend", certificate="SELO-1")
    draft = registry.draft(EventKind(kind), office.laboratory, certificate="SELO-1", reason=WHY)
    line = registry.sign(draft, office.laboratory)

    for alone in (line, registry.countersign(line, office.laboratory)):
        with pytest.raises(SeloError, match="two"):
            registry.append(alone, office.bureau)
    registry.append(registry.countersign(line, office.bureau), office.bureau)


def test_whoever_may_not_cause_an_event_is_refused(registry, office):
    line = registry.sign(
        registry.draft(EventKind.ISSUE, office.bureau, **issued("SELO-1")), office.bureau
    )

    with pytest.raises(SeloError, match="does not allow"):
        registry.append(line, office.bureau)


@over_all_storages
def test_a_draft_that_somebody_overtook_is_refused(registry, office, happen):
    late = registry.sign(
        registry.draft(EventKind.ISSUE, office.laboratory, **issued("SELO-1")), office.laboratory
    )
    happen("issue", **issued("SELO-2"))

    with pytest.raises(SeloError, match="again"):
        registry.append(late, office.bureau)


def test_a_certificate_expires_after_its_last_day_and_not_before(registry, happen):
    last = dt.date(2099, 12, 31)
    happen("issue", **issued("SELO-1", valid_until=last))

    record = registry.check().book.certificates["SELO-1"]

    assert record.state_on(last) is CertificateState.VALID
    assert record.state_on(last + dt.timedelta(days=1)) is CertificateState.EXPIRED
    assert record.state_on(dt.date(2000, 1, 1)) is CertificateState.UNKNOWN


def test_a_commitment_is_published_once_and_has_its_time(registry, happen):
    happen("commit", commitment="5" * 64)

    assert list(registry.check().book.commitments) == ["5" * 64]
    with pytest.raises(SeloError, match="already"):
        happen("commit", commitment="5" * 64)
