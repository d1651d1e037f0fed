"""A vendor's process is held by its limits, told apart by how it ends, and cleared away."""

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from selo.vendors import sandbox
from selo.vendors.child_process import ChildTransport
from selo.vendors.faults import MAX_KEPT_BYTES, FaultKind, VendorBroken
from selo.vendors.resource_limits import Limits
from selo.vendors.session import Session

from .hostile import FOLDER, living, needs_bubblewrap, new_token

#: Enough for any lawful vendor on the busiest machine.
LIMITS = Limits(start=60, request=60, grace=20)


def child(program, token="", **limits):
    """Return a vendor that runs a program given as text."""
    wanted = {**{name: getattr(LIMITS, name) for name in LIMITS.__struct_fields__}, **limits}
    return ChildTransport([sys.executable, "-S", "-c", program, token], Limits(**wanted), FOLDER)


def hostile(name, **limits):
    wanted = {**{name: getattr(LIMITS, name) for name in LIMITS.__struct_fields__}, **limits}
    return Session(
        ChildTransport([sys.executable, "-S", f"{name}.py"], Limits(**wanted), FOLDER),
        Limits(**wanted),
    )


@pytest.fixture
def free(monkeypatch):
    """Let vendors run without a sandbox."""
    nothing = sandbox.Confinement(network=False, files=False, missing=True)
    monkeypatch.setattr(sandbox, "available_confinement", lambda: nothing)


@pytest.fixture(params=["confined", "free"])
def either(request):
    """Let vendors run in a sandbox and without one."""
    if request.param == "free":
        request.getfixturevalue("free")
    elif not sandbox.available_confinement().files:
        pytest.skip("bubblewrap does not work here")


def fault_of(vendor, line=b"{}"):
    """Return the fault that ends the talk with a vendor."""
    try:
        vendor.send(line)
        while vendor.receive(60) is not None:
            pass
    except VendorBroken as error:
        return error.fault
    return None


ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"


@pytest.mark.usefixtures("either")
def test_lines_come_back_as_they_were_sent():
    vendor = child(ECHO)

    for line in (b"{}", b"", "甲".encode(), b"x" * 3_000_000):
        vendor.send(line)
        assert vendor.receive(60) == line

    assert vendor.end() == []


def test_many_lines_may_be_under_way_although_nobody_reads_them_yet():
    # More than two pipes hold: whoever only writes would wait for ever.
    vendor = child(ECHO)
    lines = [bytes([48 + number]) * 1_000_000 for number in range(8)]

    for line in lines:
        vendor.send(line)

    assert [vendor.receive(60) for _ in lines] == lines
    vendor.kill()


@pytest.mark.usefixtures("either")
def test_a_lawful_vendor_ends_without_a_fault_every_time():
    for _ in range(8):
        vendor = child(ECHO)
        vendor.send(b"{}")
        assert vendor.receive(60) == b"{}"
        assert vendor.end() == []


@pytest.mark.usefixtures("free")
def test_helpers_that_end_a_moment_after_the_vendor_were_not_left_behind():
    vendor = child("import os, time\nif os.fork() == 0: time.sleep(0.1)")

    assert vendor.end() == []


def test_a_line_may_be_as_long_as_the_limit_and_no_longer():
    program = "print('x' * {0}, flush=True); input()"

    allowed = child(program.format(1000), line=1000)
    assert allowed.receive(60) == b"x" * 1000
    allowed.kill()

    found = fault_of(child(program.format(1001), line=1000))
    assert (found.kind, found.length) == (FaultKind.LINE_TOO_LONG, 1001)


def test_all_output_together_has_a_limit():
    found = fault_of(child("while True: print('{}', flush=True)", output=10_000))

    assert found.kind is FaultKind.TOO_MUCH_OUTPUT
    assert "10000 bytes" in found.describe()


def test_the_last_of_the_error_stream_is_kept_and_no_more():
    found = fault_of(child("import sys; sys.stderr.write('a' * 200_000 + 'the end'); sys.exit(1)"))

    assert found.kind is FaultKind.DIED_AT_START
    assert len(found.stderr) == MAX_KEPT_BYTES
    assert found.stderr.endswith(b"the end")


def test_a_long_line_is_kept_in_part_and_its_length_told():
    found = fault_of(child("print('x' * 200_000, end=''); input(); input()", line=100_000))

    assert len(found.raw) == MAX_KEPT_BYTES
    assert 100_000 < found.length <= 200_000


def reckons_for_ever():
    session = hostile("never_stops_reckoning", cpu=1)

    with pytest.raises(VendorBroken) as raised:
        session.ask("describe", {})

    assert raised.value.fault.kind is FaultKind.TOO_MUCH_CPU
    assert "processor time of 1 s" in raised.value.fault.describe()


def test_endless_reckoning_ends_with_its_processor_time():
    reckons_for_ever()


@pytest.mark.full
@pytest.mark.usefixtures("free")
def test_endless_reckoning_ends_with_its_processor_time_without_a_sandbox_too():
    reckons_for_ever()


def test_the_whole_session_has_a_limit_of_its_own():
    session = hostile("never_answers", total=0.5)

    with pytest.raises(VendorBroken) as raised:
        session.ask("describe", {})

    assert raised.value.fault.kind is FaultKind.TOTAL_TIME
    assert "total time of 0.5 s" in raised.value.fault.describe()


def test_the_limit_that_was_passed_is_told_and_not_what_was_left_of_it():
    session = hostile("never_answers", start=0.25)

    with pytest.raises(VendorBroken) as raised:
        session.ask("describe", {})

    assert raised.value.fault.describe() == "No complete answer within 0.25 s."


@pytest.mark.usefixtures("free")
def test_what_is_said_to_closed_ears_harms_nobody():
    # The first line does not fit into the pipe; those after it must not stumble over it.
    vendor = child(
        "import os, time; print('full', flush=True); time.sleep(0.2); os.close(0)\n"
        "for _ in range(4): print('closed', flush=True); time.sleep(0.05)\n"
    )
    vendor.send(b"x" * 3_000_000)
    assert vendor.receive(60) == b"full"

    for _ in range(4):
        assert vendor.receive(60) == b"closed"
        vendor.send(b"x" * 3_000_000)

    with pytest.raises(VendorBroken, match="ended before answering all requests"):
        vendor.receive(60)


@pytest.mark.parametrize(
    ("ending", "told"),
    [("sys.exit(9)", "9"), ("os.kill(os.getpid(), 11)", "SIGSEGV"), ("os.abort()", "SIGABRT")],
)
@pytest.mark.usefixtures("free")
def test_how_a_vendor_died_is_told(ending, told):
    found = fault_of(child(f"import os, sys; {ending}"))

    assert found.slots["status"] == told


def test_a_program_that_is_not_there_cannot_be_started():
    with pytest.raises(VendorBroken, match="could not be started: no-such-program"):
        ChildTransport(["no-such-program"], LIMITS, FOLDER)


@pytest.mark.usefixtures("free")
def test_a_program_that_may_not_be_run_is_told_at_once(tmp_path):
    program = tmp_path / "adapter"
    program.write_text("not a program")
    program.chmod(stat.S_IRUSR)

    found = fault_of(ChildTransport([str(program)], LIMITS, tmp_path))

    assert found.kind is FaultKind.CANNOT_START
    assert "Permission denied" in found.describe()


def scratch_of(vendor):
    vendor.send(b"where")
    return Path(vendor.receive(60).decode())


TELLS_SCRATCH = """
import os, sys
for line in sys.stdin:
    open(os.environ["TMPDIR"] + "/left", "w").close()
    print(os.environ["TMPDIR"], flush=True)
"""


@pytest.mark.parametrize("leave", [ChildTransport.end, ChildTransport.kill])
@pytest.mark.usefixtures("free")
def test_the_scratch_folder_goes_with_the_vendor(leave):
    vendor = child(TELLS_SCRATCH)
    scratch = scratch_of(vendor)
    assert scratch.is_dir()

    leave(vendor)

    assert not scratch.exists()


@pytest.mark.usefixtures("free")
def test_every_vendor_has_a_scratch_folder_of_its_own():
    vendors = [child(TELLS_SCRATCH) for _ in range(2)]

    assert scratch_of(vendors[0]) != scratch_of(vendors[1])

    for vendor in vendors:
        vendor.kill()


@pytest.mark.usefixtures("either")
def test_a_vendor_can_be_killed_twice():
    token = new_token()
    vendor = child(ECHO, token)

    vendor.kill()
    vendor.kill()

    assert not living(token)


@pytest.mark.parametrize("name", ["SELO_PASSPHRASE", "AWS_SECRET_ACCESS_KEY", "LD_PRELOAD"])
@pytest.mark.usefixtures("either")
def test_only_what_a_vendor_needs_of_our_environment_is_given_to_it(monkeypatch, name):
    monkeypatch.setenv(name, "")
    vendor = child("import os; print(sorted(os.environ), flush=True); input()")

    given = vendor.receive(60).decode()

    assert f"'{name}'" not in given
    assert "'PATH'" in given
    vendor.kill()


@needs_bubblewrap
def test_a_vendor_in_a_sandbox_sees_no_process_but_its_own():
    vendor = child("import os; print(sorted(filter(str.isdigit, os.listdir('/proc'))), flush=True)")

    seen = vendor.receive(60).decode()

    assert str(os.getpid()) not in seen.strip("[]").replace("'", "").split(", ")
    vendor.kill()


@pytest.mark.usefixtures("either")
def test_a_vendor_runs_in_a_process_group_of_its_own():
    token = new_token()
    vendor = child(ECHO, token)
    vendor.send(b"{}")
    assert vendor.receive(60) == b"{}"

    groups = {os.getpgid(int(one.partition(":")[0])) for one in living(token)}

    assert os.getpgid(0) not in groups
    # One of the keeper, one of the vendor.
    assert len(groups) == 2
    vendor.kill()


OPENS = """
files = []
try:
    while len(files) < 1000:
        files.append(open("/dev/null"))
except OSError as error:
    print(error.errno, len(files), flush=True)
"""


@pytest.mark.usefixtures("either")
def test_open_files_have_a_limit():
    vendor = child(OPENS, open_files=40)

    number, opened = map(int, vendor.receive(60).split())

    assert number == errno.EMFILE
    # Three are open from the start.
    assert 30 < opened <= 37
    vendor.kill()


HOLDS_SOCKETS = """
import socket, sys
held = [socket.socketpair() for _ in range(400)]
sys.stdin.read()
"""


@needs_bubblewrap
def test_what_the_kernel_keeps_for_open_sockets_counts_as_memory():
    vendor = child(HOLDS_SOCKETS, memory=100 << 20)

    with pytest.raises(VendorBroken) as raised:
        vendor.receive(60)

    assert raised.value.fault.kind is FaultKind.TOO_MUCH_MEMORY


WRITES = """
import os, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    with open(os.environ.get("TMPDIR", "/tmp") + "/large", "wb") as file:
        for _ in range(100):
            file.write(bytes(100_000))
except OSError as error:
    print(error.errno, flush=True)
"""


@pytest.mark.usefixtures("either")
def test_a_file_that_a_vendor_writes_has_a_limit():
    vendor = child(WRITES, scratch=1_000_000)

    assert int(vendor.receive(60)) in {errno.EFBIG, errno.ENOSPC}
    vendor.kill()
