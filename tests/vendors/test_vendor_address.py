"""What a person writes after --vendor is a server, an object or a command, and never mistaken."""

import sys

import pytest

from selo.errors import UsageError
from selo.vendors.child_process import ChildTransport
from selo.vendors.faults import FaultKind, VendorBroken
from selo.vendors.http_transport import HttpTransport
from selo.vendors.in_process import InProcessTransport
from selo.vendors.vendor_address import connect, describe_confinement

VENDOR = "class vendor:\n    def end(self, params):\n        return {}\n"


@pytest.fixture
def met(tmp_path):
    """Return a function that connects, and end whatever came of it."""
    sessions = []

    def meet(address):
        sessions.append(connect(address, folder=tmp_path))
        return sessions[-1]

    yield meet
    for session in sessions:
        session.kill()


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:9/",
        "HTTP://127.0.0.1:9/",
        "https://localhost/",
        "http://[::1]:9/selo?a=b",
        "http://127.8.9.10",
    ],
)
def test_an_address_of_this_machine_is_a_server(met, address):
    session = met(address)

    assert isinstance(session.transport, HttpTransport)
    assert session.transport.name == address
    assert "is an external server" in describe_confinement(session, "en")


def test_module_and_object_are_an_object(met, tmp_path):
    (tmp_path / "inner_vendor.py").write_text(VENDOR)

    for address in ("inner_vendor.py:vendor", "inner_vendor:vendor"):
        session = met(address)

        assert isinstance(session.transport, InProcessTransport)
        assert "without limits or isolation" in describe_confinement(session, "en")


def test_anything_else_is_a_command_run_in_the_folder_of_the_vendor(met, tmp_path):
    (tmp_path / "adapter.py").write_text("import sys\nsys.stdin.read()\n")

    session = met(f"{sys.executable} adapter.py --url http://192.0.2.1/ 'two words'")

    assert isinstance(session.transport, ChildTransport)
    assert session.transport.confinement is not None


@pytest.mark.parametrize("address", ["ftp://127.0.0.1/", "ws://localhost:9/", "file:///etc/passwd"])
def test_another_kind_of_address_is_wrong_usage(address):
    with pytest.raises(UsageError, match="unsupported address scheme"):
        connect(address)


@pytest.mark.parametrize(
    ("command", "words"), [("node 'adapter", "No closing quotation"), ("   ", "no vendor")]
)
def test_a_command_that_cannot_be_read_is_wrong_usage(command, words):
    with pytest.raises(UsageError, match=words):
        connect(command)


def test_a_program_that_is_not_there_is_told():
    with pytest.raises(VendorBroken) as raised:
        connect("no-such-program-anywhere --serve")

    assert raised.value.fault.kind == FaultKind.CANNOT_START
    assert "no-such-program-anywhere" in raised.value.fault.describe()


@pytest.mark.parametrize("language", ["pt", "zh", "en"])
def test_what_holds_a_vendor_back_is_told_in_every_language(met, tmp_path, language):
    (tmp_path / "told_vendor.py").write_text(VENDOR)

    told = {
        describe_confinement(met(one), language)
        for one in ("told_vendor:vendor", "http://127.0.0.1:9/")
    }

    assert len(told) == 2
    assert all(told)


@pytest.mark.parametrize(
    ("vendor", "status", "words"),
    [
        ("ftp://127.0.0.1/", 3, "unsupported address scheme 'ftp'"),
        ("no_such_module_anywhere:vendor", 4, "No module named 'no_such_module_anywhere'"),
    ],
)
def test_the_command_tells_wrong_usage_from_a_broken_vendor(selo, tmp_path, vendor, status, words):
    ran = selo("smoke", "--vendor", vendor, "--out", str(tmp_path / "evidence"))

    assert ran.returncode == status
    assert words in " ".join((ran.stdout + ran.stderr).split())
    assert (tmp_path / "evidence" / "faults.json").exists() is (status == 4)
