"""Servers that break down, lie, stall or flood: each is told for what it is, soon, with evidence.

Every server of fixtures/hostile_http is run as a process of its own and examined by `selo smoke`.
"""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from selo.vendors.faults import FaultKind, VendorBroken
from selo.vendors.http_transport import HttpTransport
from selo.vendors.resource_limits import Limits

from .hostile import SELO

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "fixtures" / "hostile_http"
#: No run may take longer, however busy the machine is; most take a tenth of a second.
PATIENCE = 120
#: Long enough for what must be seen of a server that is listening already.
SOON = ("--time-limit", "1")
#: What must never reach a terminal or a file for people: it would move the cursor or hide words.
UNSEEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
LAWFUL_CHECKS = [
    "describe", "no-files", "unknown-method", "wrong-params", "undeclared", "not-offered", "settle",
    "stub", "same-description", "end",
]  # fmt: skip

#: Each vice with options of the command, the kind of its fault, essential words, and what must
#: stand in the evidence of what came.
VICES = [
    ("redirects_for_good", (), "http-redirect", "(301): http://127.0.0.1", b"301 Moved"),
    ("redirects_to_itself", (), "http-redirect", "(302): http://127.0.0.1", b"302 Found"),
    ("redirects_to_another_port", (), "http-redirect", "(307): http://127.0.0.1", b"307 Temp"),
    ("redirects_to_another_machine", (), "http-redirect", "(308): http://192.0.2.1/", b"308 Perm"),
    ("redirects_with_escape_sequences", (), "http-redirect", r"\x1b[2J\x1b]0;owned", b"\x1b[2J"),
    ("trickles_chunks_without_end", SOON, "late", "within 1 s", b"1\r\n \r\n1\r\n \r\n"),
    ("floods_with_chunks_of_one_byte", SOON, "late", "within 1 s", b"1\r\n \r\n1\r\n"),
    ("trickles_headers", SOON, "late", "within 1 s", b"X-Slow: x"),
    ("sends_headers_without_end", (), "http-broken", "more than 100 headers", b"X-Header: of many"),
    ("sends_one_header_without_end", (), "http-broken", "more than 65536 bytes", b"X-Long: xxx"),
    ("sends_a_body_without_end", (), "line-too-long", "exceeded 16777216 bytes", b"\r\n\r\n     "),
    ("sends_less_than_it_announces", (), "http-broken", "bytes came", b'"result"'),
    ("sends_more_than_it_announces", (), "http-broken", "after the end", b"} and more"),
    ("answers_twice", (), "http-broken", "after the end", b"}HTTP/1.1 200 OK"),
    ("answers_as_text", (), "http-type", "“text/html; charset=utf-8” instead", b'"result"'),
    ("answers_without_a_type", (), "http-type", "the type “” instead", b'"result"'),
    ("answers_with_an_odd_type", (), "http-type", r"“text/\x1b[2Jplain\x07\x9b31m”", b"\x1b[2J"),
    ("answers_with_status_500", (), "http-status", "status 500 instead of 200", b'"result"'),
    ("answers_with_status_404", (), "http-status", "status 404 instead of 200", b'"result"'),
    ("answers_with_status_204", (), "http-status", "status 204 instead of 200", b"204 No Content"),
    ("says_continue_without_end", SOON, "late", "within 1 s", b"100 Continue\r\n\r\nHTTP/1.1"),
    ("never_answers", SOON, "late", "within 1 s", None),
    ("never_reads", SOON, "late", "within 1 s", None),
    ("closes_within_an_answer", (), "http-broken", "bytes came", b"HTTP/1.1 200 OK"),
    ("closes_without_an_answer", (), "http-broken", "closed connection without response", None),
    ("resets_the_connection", (), "http-broken", "reset", None),
    ("compresses_unasked", (), "http-broken", "Content-Encoding is “gzip”", b"\x1f\x8b"),
    ("answers_to_another", (), "unknown-id", "response id “somebody-else”", b"somebody-else"),
    ("sends_two_bodies", (), "not-json", "Extra data", b'}{"jsonrpc"'),
    ("speaks_no_http", (), "http-broken", r"220 mail.example \x1b[2J", b"220 mail"),
    ("says_two_lengths", (), "http-broken", "told in two ways", b"Content-Length"),
    ("answers_before_it_is_asked", (), "http-status", "status 400 instead", b"400 Bad Request"),
    ("wants_tls", (), "tls", "the server wants https", b"\x15\x03\x01"),
    ("sends_chunks_of_no_size", (), "http-broken", "broke off", b"many\r\n"),
]  # fmt: skip

#: What looks odd and is allowed.
ALLOWED = [
    "lawful",
    "closes_after_each_answer",
    "announces_that_it_closes",
    "closes_as_the_next_request_comes",
    "speaks_http_1_0",
    "answers_in_chunks",
    "asks_for_patience",
    "sends_strange_headers",
    "listens_on_ipv6",
]


@contextlib.contextmanager
def serving(vice, *words):
    """Run a server and give its address."""
    command = [sys.executable, "-S", str(FOLDER / f"{vice}.py"), *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        try:
            said = process.stderr.readline().decode()
            assert said.startswith("listening on "), said
            yield said.removeprefix("listening on ").strip()
            assert process.poll() is None, "the server is not ours to end"
        finally:
            process.kill()


class Ran:
    """What a run of the command left."""

    def __init__(self, status, folder, seconds):
        self.status = status
        self.seconds = seconds
        self.stdout = (folder / "stdout").read_bytes().decode()
        self.stderr = (folder / "stderr").read_bytes().decode()
        self.out = folder / "evidence"

    @property
    def faults(self):
        return json.loads((self.out / "faults.json").read_text())["faults"]

    @property
    def checks(self):
        return [one["check"] for one in json.loads(self.stdout)["checks"]]

    def evidence(self, part):
        return (self.out / f"fault-1.{part}").read_bytes()


@pytest.fixture
def smoke(warm_selo, tmp_path):
    """Run `selo smoke` against an address."""

    def run(address, *more, **environment):
        given = ["smoke", "--vendor", address, "--out", str(tmp_path / "evidence"), *more]
        began = time.monotonic()
        status, _ = warm_selo.run(
            given, (tmp_path / "stdout", tmp_path / "stderr"), {**os.environ, **environment}
        )
        return Ran(status, tmp_path, time.monotonic() - began)

    return run


@pytest.mark.parametrize(
    ("vice", "more", "kind", "words", "raw"), VICES, ids=[one[0] for one in VICES]
)
def test_a_vice_is_told_for_what_it_is(vice, more, kind, words, raw, smoke):
    with serving(vice) as address:
        ran = smoke(address, *more)

    assert ran.status == 4, ran.stderr
    assert [one["kind"] for one in ran.faults] == [kind]
    assert words in ran.faults[0]["told"]
    assert ran.faults[0]["hint"] in " ".join(ran.stdout.split())
    assert ran.seconds < PATIENCE
    assert ran.stderr == ""
    if raw is None:
        assert "raw" not in ran.faults[0]["files"]
    else:
        assert raw in ran.evidence("raw")
    assert json.loads(ran.evidence("sent"))["jsonrpc"] == "2.0"
    for text in (ran.stdout, (ran.out / "faults.json").read_text()):
        assert UNSEEN.search(text) is None


@pytest.mark.parametrize("vice", ALLOWED)
def test_what_a_server_may_do_is_no_fault(vice, smoke):
    with serving(vice) as address:
        ran = smoke(address, "--json")

    assert ran.status == 0, ran.stdout
    assert ran.checks == LAWFUL_CHECKS
    assert not ran.out.exists()
    assert UNSEEN.search(ran.stdout) is None


def test_nobody_at_the_door_is_told_with_the_address(smoke):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    ran = smoke(f"http://127.0.0.1:{port}/")

    assert ran.status == 4
    assert [one["kind"] for one in ran.faults] == ["unreachable"]
    assert f"No answer at http://127.0.0.1:{port}/: " in ran.stdout
    assert "Connection refused" in ran.stdout


def test_path_and_query_are_kept_as_they_were_given(smoke):
    with serving("answers_at_one_place_only") as address:
        ran = smoke(f"{address}selo/%E8%9D%A6/vendor;v=1?table=1&name=a%20b&empty=", "--json")

    assert ran.status == 0, ran.stdout


def test_proxies_of_the_environment_are_not_asked(smoke):
    dead = "http://127.0.0.1:9/"
    names = ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")

    with serving("lawful") as address:
        ran = smoke(address, "--json", **dict.fromkeys(names, dead))

    assert ran.status == 0, ran.stdout


def test_localhost_is_this_machine(smoke):
    with serving("lawful") as address:
        ran = smoke(address.replace("127.0.0.1", "LocalHost"), "--json")

    assert ran.status == 0, ran.stdout


# TLS.


def certificate(folder, name):
    """Make a certificate with its key in one file, signed by itself, for a name or a number."""
    key, made = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", "/CN=Hostile vendor", "-addext",
         f"subjectAltName={name}", "-keyout", key, "-out", made],
        check=True, capture_output=True,
    )  # fmt: skip
    both = folder / "both.pem"
    both.write_bytes(key.read_bytes() + made.read_bytes())
    return both


@pytest.mark.parametrize(
    ("name", "trusted", "words"),
    [
        ("IP:127.0.0.1", False, "self-signed certificate"),
        ("DNS:elsewhere.example", True, "not valid for '127.0.0.1'"),
    ],
)
def test_a_certificate_that_proves_nothing_is_refused(name, trusted, words, smoke, tmp_path):
    pem = certificate(tmp_path, name)
    environment = {"SSL_CERT_FILE": str(pem)} if trusted else {}

    with serving("speaks_tls", str(pem)) as address:
        ran = smoke(address, **environment)

    assert ran.status == 4
    assert [one["kind"] for one in ran.faults] == ["tls"]
    assert words in ran.faults[0]["told"]
    assert "Use a certificate that this machine trusts" in ran.stdout


def test_a_certificate_that_this_machine_trusts_is_enough(smoke, tmp_path):
    pem = certificate(tmp_path, "IP:127.0.0.1")

    with serving("speaks_tls", str(pem)) as address:
        ran = smoke(address, "--json", SSL_CERT_FILE=str(pem))

    assert ran.status == 0, ran.stdout
    assert ran.checks == LAWFUL_CHECKS


def test_https_to_a_plain_port_is_told(smoke):
    with serving("answers_before_it_is_asked") as address:
        ran = smoke(address.replace("http:", "https:"))

    assert ran.status == 4
    assert [one["kind"] for one in ran.faults] == ["tls"]
    assert "wrong version number" in ran.faults[0]["told"]
    assert "or http on 127.0.0.1" in ran.faults[0]["hint"]


def test_https_to_a_plain_port_that_waits_for_more_is_late(smoke):
    with serving("lawful") as address:
        ran = smoke(address.replace("http:", "https:"), *SOON)

    assert ran.status == 4
    assert [one["kind"] for one in ran.faults] == ["late"]


def test_plain_http_to_a_tls_port_is_told(smoke, tmp_path):
    pem = certificate(tmp_path, "IP:127.0.0.1")

    with serving("speaks_tls", str(pem)) as address:
        ran = smoke(address.replace("https:", "http:"))

    assert ran.status == 4
    assert [one["kind"] for one in ran.faults] == ["http-broken"]
    assert "onnection" in ran.faults[0]["told"]


# Addresses.


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://192.0.2.1/", "'192.0.2.1' is not this machine"),
        ("http://example.com:8000/", "'example.com' is not this machine"),
        ("http://127.0.0.1.example.com/", "is not this machine"),
        ("http://0.0.0.0:8000/", "'0.0.0.0' is not this machine"),
        ("http://[2001:db8::1]:8000/", "'2001:db8::1' is not this machine"),
        ("https://[fe80::1]/", "'fe80::1' is not this machine"),
        ("http://2130706433/", "'2130706433' is not this machine"),
        ("http://127.0.0.1@192.0.2.1/", "a user name or a password"),
        ("http:///path", "has no host"),
        ("http://127.0.0.1:0/", "has no host and port"),
        ("http://127.0.0.1:65536/", "is not an address: Port out of range"),
        ("http://127.0.0.1:many/", "is not an address: Port could not be cast"),
        ("http://[::1/", "is not an address: Invalid IPv6 URL"),
        ("http://127.0.0.1:8000/a b", "contains characters that are not allowed in an address"),
        ("http://127.0.0.1:8000/蝦", "contains characters that are not allowed in an address"),
    ],
)
def test_an_address_that_is_not_of_this_machine_is_wrong_usage(address, words, smoke):
    ran = smoke(address)

    assert ran.status == 3
    assert words in ran.stderr
    assert "hint: " in ran.stderr
    assert not ran.out.exists()


def test_a_password_in_an_address_is_refused_and_not_repeated(smoke):
    ran = smoke("http://casino:abre-te-sesamo@127.0.0.1:8000/")

    assert ran.status == 3
    assert "the address contains a user name or a password" in ran.stderr
    assert "sesamo" not in ran.stdout + ran.stderr
    assert not ran.out.exists()


# What is left.


@pytest.mark.parametrize(
    "vice",
    [
        "never_answers",
        "trickles_headers",
        "trickles_chunks_without_end",
        "sends_a_body_without_end",
    ],
)
def test_a_server_that_is_given_up_leaves_no_thread_and_no_connection(vice):
    before = set(threading.enumerate())
    limits = Limits(line=1 << 30)

    with serving(vice) as address:
        web = HttpTransport(address, limits)
        web.send(b'{"jsonrpc":"2.0","id":"1","method":"describe","params":{}}')
        with pytest.raises(VendorBroken) as raised:
            web.receive(0.2)
        began = time.monotonic()
        web.kill()

        assert raised.value.fault.kind == FaultKind.LATE
        assert set(threading.enumerate()) <= before
        assert time.monotonic() - began < 1
        assert connections_to(address) == []


def connections_to(address):
    """Return the connections of this process to a port."""
    port = int(address.rstrip("/").rpartition(":")[2])
    inodes = {
        fields[9]
        for fields in map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:])
        if int(fields[2].rpartition(":")[2], 16) == port
    }
    found = []
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found += [one for one in inodes if entry.readlink().name == f"socket:[{one}]"]
    return found


def test_a_gibibyte_is_cut_off_and_does_not_fill_memory(tmp_path):
    _, kept, _ = most_memory(tmp_path / "plain", "answers_with_status_404")

    status, taken, ran = most_memory(tmp_path / "large", "sends_a_gibibyte")

    assert status == 4
    assert [one["kind"] for one in ran.faults] == ["line-too-long"]
    assert len(ran.evidence("raw")) == 64 * 1024
    assert ran.faults[0]["raw_length"] < 17 << 20
    assert ran.seconds < PATIENCE
    # A line of the longest kind, and once more to hold it in one piece.
    assert taken - kept < 64 << 20


def most_memory(folder, vice):
    """Run the installed command and return its status and the most memory it took, in bytes."""
    folder.mkdir()
    with (
        serving(vice) as address,
        (folder / "stdout").open("wb") as stdout,
        (folder / "stderr").open("wb") as stderr,
    ):
        began = time.monotonic()
        given = [SELO, "smoke", "--vendor", address, "--out", str(folder / "evidence")]
        process = subprocess.Popen(given, stdout=stdout, stderr=stderr)
        _, waited, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(waited)
        ran = Ran(process.returncode, folder, time.monotonic() - began)
    return process.returncode, used.ru_maxrss * 1024, ran
