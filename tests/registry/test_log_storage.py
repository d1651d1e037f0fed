"""A log in a folder, in SQLite and in PostgreSQL: nothing is lost, and everything is noticed."""

import contextlib
import multiprocessing
import os
import resource
import signal
import sys
import threading

import pytest
from tests.often import often
from tests.registry.conftest import STORAGES, issued, over_all_storages

from selo.errors import SeloError
from selo.registry import read_registry_policy
from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.registry_copy import copy_registry
from selo.registry.registry_events import EventKind


def problems(registry, office):
    log = registry.check(read_registry_policy(office.policy))
    return [problem.key for problem in log.problems]


def issue(registry, office, number):
    """Enter a certificate, again if somebody came first; return once it is acknowledged."""
    while True:
        draft = registry.draft(EventKind.ISSUE, office.laboratory, **issued(number))
        try:
            return registry.append(registry.sign(draft, office.laboratory), office.bureau)
        except SeloError as error:
            if "another event came first" not in str(error):
                raise


def in_process(work):
    """Run something in a process of its own, and return its exit code."""
    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    process.join(120)
    return process.exitcode


@pytest.mark.parametrize("registry", STORAGES, indirect=True)
def test_what_was_written_is_read_by_whoever_comes_later(registry, office, happen):
    happen("issue", **issued("SELO-1"))

    later = CertificateRegistry.at(registry.folder)

    assert list(later.storage.lines()) == list(registry.storage.lines())
    assert later.storage.last_head() == list(registry.storage.heads())[-1]
    assert problems(later, office) == []


@over_all_storages
def test_of_two_writers_at_once_each_gets_every_line_in(registry, office):
    def write(name):
        mine = CertificateRegistry.at(registry.folder)
        for number in range(4):
            issue(mine, office, f"{name}-{number}")

    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=write, args=(name,)) for name in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)

    assert [writer.exitcode for writer in writers] == [0, 0]
    assert problems(registry, office) == []
    wanted = {f"{name}-{number}" for name in "ab" for number in range(4)}
    assert set(registry.check().book.certificates) == wanted


@over_all_storages
def test_two_threads_of_one_process_are_two_writers(registry, office):
    threads = [threading.Thread(target=issue, args=(registry, office, name)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert set(registry.check().book.certificates) == {"a", "b"}
    assert problems(registry, office) == []


@over_all_storages
def test_whoever_checks_while_somebody_writes_sees_no_forgery(registry, office):
    def write():
        mine = CertificateRegistry.at(registry.folder)
        for number in range(6):
            issue(mine, office, str(number))

    writer = multiprocessing.get_context("fork").Process(target=write)
    writer.start()
    seen = []
    while writer.is_alive():
        # Between a line and its head the line is not vouched for yet; nothing else may be wrong.
        seen += [key for key in problems(registry, office) if key != "no-head"]
    writer.join()

    assert seen == []
    assert problems(registry, office) == []


def crash_at(step):
    """End this process at the given line of Python, counted from now on."""
    left = step

    def trace(frame, event, _):
        nonlocal left
        if "selo/registry" not in frame.f_code.co_filename:
            return None
        if event == "line":
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)


@over_all_storages
@pytest.mark.parametrize("step", [23, pytest.param(3, marks=pytest.mark.full)])
def test_after_a_crash_at_any_moment_nothing_acknowledged_is_lost(registry, office, happen, step):
    happen("issue", **issued("SELO-1"))
    line = registry.sign(
        registry.draft(EventKind.ISSUE, office.laboratory, **issued("SELO-2")), office.laboratory
    )
    before = list(registry.storage.lines())
    tried = 0

    for moment in range(1, 100_000, step):

        def work(moment=moment):
            crash_at(moment)
            CertificateRegistry.at(registry.folder).append(line, office.bureau)

        code = in_process(work)
        lines = list(registry.storage.lines())
        tried += 1
        # The whole line or nothing of it; a line without its head is said to have none.
        assert lines in (before, [*before, line.encode()])
        assert set(problems(registry, office)) <= {"no-head"}
        if code == 0 or len(lines) > len(before):
            break

    assert tried > 200 // step
    registry.write_head(office.bureau)
    assert problems(registry, office) == []
    assert set(registry.check().book.certificates) == {"SELO-1", "SELO-2"}


def test_a_folder_counts_a_line_only_with_its_newline(registry, office, happen):
    happen("issue", **issued("SELO-1"))
    log = registry.folder / "log.jsonl"
    whole = log.read_bytes()
    before = list(registry.storage.lines())
    rest = b'{"event":{"at":"2026'

    for size in range(1, len(rest) + 1):
        log.write_bytes(whole + rest[:size])
        assert list(registry.storage.lines()) == before
    happen("issue", **issued("SELO-2"))

    assert problems(registry, office) == []
    assert log.read_bytes().startswith(whole + b'{"event":{"at":"20')


@pytest.mark.full
def test_after_a_crash_of_the_server_nothing_acknowledged_is_lost(office, tmp_path, postgresql):
    registry = CertificateRegistry.begin(
        tmp_path / "registry", office.policy, office.bureau, office.bureau,
        postgresql.make_database(),
    )  # fmt: skip
    issue(registry, office, "SELO-1")
    acknowledged = list(registry.storage.lines())

    def write():
        with registry.storage.exclusive():
            registry.storage.append(len(acknowledged), b"never acknowledged")
            postgresql.crash()

    with pytest.raises(SeloError):
        write()

    assert list(registry.storage.lines()) == acknowledged
    issue(registry, office, "SELO-2")
    assert problems(registry, office) == []


@contextlib.contextmanager
def full_disk(kind, registry, request):
    """Let nothing more be written."""
    if kind == "postgresql":
        server = request.getfixturevalue("postgresql")
        server.fill_disk(full=True)
        try:
            yield
        finally:
            server.fill_disk(full=False)
        return
    size = max(path.stat().st_size for path in registry.folder.iterdir() if path.is_file())
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 2000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


@over_all_storages
def test_a_full_disk_refuses_a_line_and_leaves_the_log_as_it_was(registry, office, happen, request):
    kind = request.node.callspec.params["registry"]
    happen("issue", **issued("SELO-1"))
    before = [list(registry.storage.lines()), list(registry.storage.heads())]
    # Larger than the room that is left, and hard to compress.
    noise = os.urandom(1_900_000).hex()

    with full_disk(kind, registry, request), pytest.raises(SeloError) as refused:
        registry.storage.append(len(before[0]), noise.encode())

    assert "cannot be written" in str(refused.value)
    assert [list(registry.storage.lines()), list(registry.storage.heads())] == before
    happen("issue", **issued("SELO-2"))
    assert problems(registry, office) == []


def rewrite(registry, number, line, table="log_line"):
    """Change a line past the program, as whoever holds the disk or the database can."""
    storage = registry.storage
    if (registry.folder / "log.jsonl").exists():
        path = registry.folder / "log.jsonl"
        lines = path.read_bytes().splitlines()
        lines[number : number + 1] = [] if line is None else [line]
        path.write_bytes(b"".join(one + b"\n" for one in lines))
        return
    import sqlalchemy as sql  # noqa: PLC0415 - only here

    with storage._engine.begin() as connection:  # noqa: SLF001 - past the program
        if line is None:
            text = sql.text(f"DELETE FROM {table} WHERE line_number = :number")  # noqa: S608
            connection.execute(text, {"number": number})
        else:
            text = sql.text(f"UPDATE {table} SET line = :line WHERE line_number = :number")  # noqa: S608
            connection.execute(text, {"number": number, "line": line})


@over_all_storages
@pytest.mark.parametrize("manner", ["changed", "removed", "cut", "other"])
def test_a_rewritten_history_is_noticed_and_nothing_is_built_on_it(
    registry, office, happen, manner
):
    happen("issue", **issued("SELO-1"))
    happen("issue", **issued("SELO-2"))
    lines = list(registry.storage.lines())
    number, line = {
        "changed": (1, lines[1].replace(b"SELO-1", b"SELO-7")),
        "removed": (1, None),
        "cut": (2, None),
        "other": (2, lines[1]),
    }[manner]

    rewrite(registry, number, line)

    assert problems(registry, office)
    with pytest.raises(SeloError):
        registry.write_head(office.bureau)
    with pytest.raises(SeloError):
        happen("issue", **issued("SELO-3"))


@pytest.mark.parametrize("target", often(STORAGES, "sqlite"))
@over_all_storages
def test_a_registry_is_imported_from_any_storage_into_any_other(
    registry, office, happen, address, tmp_path, target
):
    happen("issue", **issued("SELO-1"))
    copy = CertificateRegistry.prepare(tmp_path / "copy", address(target))
    policy = read_registry_policy(office.policy)

    assert copy_registry(registry, copy, policy) == 2
    happen("suspend", certificate="SELO-1")
    assert copy_registry(registry, copy, policy) == 1
    assert copy_registry(registry, copy, policy) == 0

    assert list(copy.storage.lines()) == list(registry.storage.lines())
    assert list(copy.storage.heads()) == list(registry.storage.heads())
    assert problems(CertificateRegistry.at(copy.folder), office) == []


@over_all_storages
def test_a_forked_log_is_not_imported(registry, office, happen, tmp_path):
    happen("issue", **issued("SELO-1"))
    copy = CertificateRegistry.prepare(tmp_path / "copy")
    copy_registry(registry, copy)
    issue(copy, office, "SELO-2")
    issue(registry, office, "SELO-3")
    before = list(copy.storage.lines())

    with pytest.raises(SeloError, match="rewritten"):
        copy_registry(registry, copy)
    assert list(copy.storage.lines()) == before


def test_a_broken_registry_is_not_imported(registry, office, happen, tmp_path):
    happen("issue", **issued("SELO-1"))
    rewrite(registry, 1, list(registry.storage.lines())[1].replace(b"SELO-1", b"SELO-9"))
    copy = CertificateRegistry.prepare(tmp_path / "copy")

    with pytest.raises(SeloError, match="not intact"):
        copy_registry(registry, copy, read_registry_policy(office.policy))
    assert list(copy.storage.lines()) == []


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("mysql://host/db", "not the address"),
        ("no address", "not the address"),
        ("sqlite:///:memory:", "not the address"),
        ("sqlite://", "not the address"),
        ("postgresql://me:secret@host/db", "contains a password"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused(office, tmp_path, address, says):
    with pytest.raises(SeloError, match=says) as refused:
        CertificateRegistry.begin(
            tmp_path / "registry", office.policy, office.bureau, office.bureau, address
        )
    assert "secret" not in str(refused.value)


def test_a_database_that_holds_a_registry_takes_no_second_one(office, tmp_path):
    taken = f"sqlite:///{tmp_path}/log.db"
    CertificateRegistry.begin(tmp_path / "a", office.policy, office.bureau, office.bureau, taken)

    with pytest.raises(SeloError, match="already holds"):
        CertificateRegistry.begin(
            tmp_path / "b", office.policy, office.bureau, office.bureau, taken
        )


def test_a_server_that_does_not_answer_is_an_error_and_no_finding(office, tmp_path):
    with pytest.raises(SeloError, match="cannot be read"):
        CertificateRegistry.begin(
            tmp_path / "registry", office.policy, office.bureau, office.bureau,
            f"postgresql://selo@/registry?host={tmp_path}",
        )  # fmt: skip
