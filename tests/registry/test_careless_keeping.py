"""What careless keepers and odd machines do to a registry: nothing is lost, each is noticed."""

import contextlib
import datetime as dt
import os
import shutil
import sqlite3
from types import SimpleNamespace

import pytest
from tests.registry.conftest import issued
from tests.verification.certificates import run

from selo.errors import SeloError
from selo.registry import certificate_registry as registries
from selo.registry import read_registry_policy
from selo.registry.certificate_lookup import RegistryAnswer, look_up
from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.log_storage import keep_address
from selo.registry.registry_check import CLOCK_TOLERANCE
from selo.registry.registry_events import (
    MAX_LINE_BYTES,
    EventKind,
    EventReason,
    RegisteredFile,
    RegisteredProduct,
)
from selo.registry.status import open_source

MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def clock(monkeypatch):
    """Turn the clock of whoever writes by so much."""
    real = registries._now  # noqa: SLF001 - a test turns the clock

    return lambda by: monkeypatch.setattr(registries, "_now", lambda: real() + by)


def contents(registry):
    return [*registry.storage.lines()], [*registry.storage.heads()]


@pytest.mark.parametrize("hours", [1, 24 * 400])
def test_a_clock_that_was_turned_back_is_refused_and_nothing_is_written(
    registry, happen, clock, hours
):
    happen("issue", **issued("SELO-1"))
    before = contents(registry)
    clock(dt.timedelta(hours=-hours))

    with pytest.raises(SeloError, match="the clock says"):
        happen("suspend", certificate="SELO-1")

    assert contents(registry) == before
    clock(dt.timedelta(0))
    happen("suspend", certificate="SELO-1")
    assert registry.check().problems == []


def test_clocks_that_differ_a_little_keep_the_log_whole(registry, happen, clock):
    happen("issue", **issued("SELO-1"))
    clock(MINUTE - CLOCK_TOLERANCE)

    happen("suspend", certificate="SELO-1")

    log = registry.check()
    assert log.problems == []
    assert log.head.at >= log.last_at


def test_what_a_clock_ahead_has_entered_counts_although_it_is_still_yesterday():
    """A suspension made some minutes after midnight in Macau, asked for just before it."""
    before = dt.datetime(2026, 1, 5, 15, 58, tzinfo=dt.UTC)
    head = SimpleNamespace(at=before + 4 * MINUTE, expires=before + dt.timedelta(days=9))
    record = SimpleNamespace(number="SELO-1", state_on=lambda day: day)

    answer = RegistryAnswer(head=head, records=[record])

    assert answer.state_of("SELO-1", before) == dt.date(2026, 1, 6)


def test_a_head_that_cannot_be_stamped_leaves_no_line_behind(registry, office):
    def fail(_):
        raise OSError("no authority answers")

    before = contents(registry)
    event = registry.draft(EventKind.ISSUE, office.laboratory, **issued("SELO-1"))
    line = registry.sign(event, office.laboratory)

    with pytest.raises(OSError, match="no authority"):
        registry.append(line, office.bureau, fail)

    assert contents(registry) == before


LONG = EventReason(pt="a" * 4001, zh="b")
#: Events that a registry could be given and nobody could read again.
TOO_MUCH = {
    "a reason": ("suspend", {"certificate": "SELO-1", "reason": LONG}),
    "a line": ("issue", issued("SELO-2", readings={"point": "a" * MAX_LINE_BYTES})),
    "a path": ("issue", issued("SELO-2", files=[
        RegisteredFile(path="a" * 501, size=1, sha256="1" * 64, sha1="2" * 40)
    ])),
    "a name": ("issue", issued("SELO-2", product=RegisteredProduct(
        vendor="a" * 501, name="b", version="1"
    ))),
    "no text": ("issue", issued("SELO-2", product=RegisteredProduct(
        vendor="\udcff", name="b", version="1"
    ))),
}  # fmt: skip


@pytest.mark.parametrize("what", TOO_MUCH)
def test_what_nobody_could_read_again_is_not_written(registry, happen, what):
    kind, fields = TOO_MUCH[what]
    happen("issue", **issued("SELO-1"))
    before = contents(registry)

    with pytest.raises(SeloError, match="does not fit"):
        happen(kind, **fields)

    assert contents(registry) == before


@pytest.mark.parametrize("name", ["log.jsonl", "heads.jsonl"])
def test_a_pipe_in_the_place_of_a_file_is_refused_and_not_waited_for(registry, name):
    (registry.folder / name).unlink()
    os.mkfifo(registry.folder / name)

    with pytest.raises(SeloError, match="not a regular file"):
        registry.check()


def test_a_copy_made_while_somebody_writes_is_noticed_and_says_nothing(
    registry, office, happen, tmp_path
):
    """The log is copied before a line is entered, the heads after it."""
    happen("issue", **issued("SELO-1"))
    copy = tmp_path / "copy"
    shutil.copytree(registry.folder, copy)
    happen("suspend", certificate="SELO-1")
    shutil.copy(registry.folder / "heads.jsonl", copy / "heads.jsonl")
    policy = read_registry_policy(office.policy)
    torn = CertificateRegistry.at(copy)

    assert [one.key for one in torn.check(policy).problems] == ["rolled-back"]
    answer = look_up(torn, policy, numbers=["SELO-1"])
    assert answer.state_of("SELO-1", dt.datetime.now(dt.UTC)) == "unknown"
    shutil.copy(registry.folder / "log.jsonl", copy / "log.jsonl")
    assert torn.check(policy).problems == []


@pytest.mark.parametrize("value", ["'text'", "5", "1000000000000", "NULL", "zeroblob(9)"])
@pytest.mark.parametrize("registry", ["sqlite"], indirect=True)
def test_whatever_somebody_puts_into_a_database_is_no_line(registry, happen, value):
    happen("issue", **issued("SELO-1"))
    with contextlib.closing(sqlite3.connect(registry.folder / "log.db")) as file:
        for statement in (
            "CREATE TABLE other (line_number, line)",
            "INSERT INTO other SELECT * FROM log_line",
            f"UPDATE other SET line = {value} WHERE line_number = 1",  # noqa: S608 - a forgery
            "DROP TABLE log_line",
            "ALTER TABLE other RENAME TO log_line",
        ):
            file.execute(statement)
        file.commit()

    assert {"unreadable", "head-root"} <= {one.key for one in registry.check().problems}


@pytest.mark.parametrize("command", ["check", "list", "log"])
@pytest.mark.parametrize("registry", ["folder", "sqlite"], indirect=True)
def test_a_registry_whose_log_is_gone_is_none(registry, office, command):
    for path in registry.folder.glob("*log*"):
        path.unlink()
    (registry.folder / "heads.jsonl").unlink(missing_ok=True)
    policy = ("--policy", office.policy) if command == "check" else ()

    assert run("registry", command, registry.folder, *policy) == 3

    assert not (registry.folder / "log.db").exists()


def test_the_published_copy_of_a_stranger_leads_to_no_server(registry, tmp_path):
    copy = shutil.copytree(registry.folder, tmp_path / "site" / "registry")
    keep_address(copy, "postgresql://somewhere/else")

    with pytest.raises(SeloError, match="points to a database"):
        open_source(tmp_path / "site")
