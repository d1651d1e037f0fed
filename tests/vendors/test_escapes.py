"""Every way out of a vendor's room is closed, and nothing in it tells that it is one."""

import contextlib
import json
import os
import shutil
import socket
import sys
import uuid
from pathlib import Path

import pytest
from tests.fixture_modules import load_fixture

from selo.vendors import sandbox
from selo.vendors.child_process import ChildTransport
from selo.vendors.resource_limits import Limits
from selo.vendors.sandbox import Room

from .hostile import ROOT, needs_bubblewrap

ATTEMPTS = load_fixture("escapes/attempts.py").ATTEMPTS
#: What succeeds on any machine without a sandbox; of others the machine itself may be the reason.
OPEN_WITHOUT = (
    "socket-in-the-temporary-folder", "socket-beside-the-product", "abstract-socket",
    "datagram-beside-the-product", "semaphores-without-a-limit", "queue-of-messages",
    "pages-kept-in-a-pipe", "pages-kept-in-a-socket", "rights-beside-a-file",
    "port-of-this-machine", "named-pipe", "evidence", "seal", "rules-of-selo", "program-of-selo",
    "temporary-files-of-others", "own-product", "selo-among-the-processes", "signal-to-everybody",
    "memory-of-selo", "tracing", "memory-without-a-file", "shared-memory-by-key",
    "gaining-privileges", "name-of-the-host", "links-in-the-product", "mapped-link",
    "roots-of-all-processes",
)  # fmt: skip


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Lay out what an attempt could get hold of, and yield where it is."""
    folder = tmp_path_factory.mktemp("host")
    product = tmp_path_factory.mktemp("product")
    shutil.copy(ROOT / "fixtures" / "escapes" / "attempts.py", product)
    run = folder / "run"
    run.mkdir()
    (run / "run.json").write_text("evidence")
    (folder / "seal.json").write_text("seed")
    os.mkfifo(folder / "pipe")
    (product / "link-to-seal").symlink_to(folder / "seal.json")
    (product / "link-to-run").symlink_to(run)
    name = f"{folder.name}-{uuid.uuid4().hex}"
    with contextlib.ExitStack() as stack:
        listening = []
        for address in (str(folder / "socket"), str(product / "socket"), f"\0{name}"):
            server = stack.enter_context(socket.socket(socket.AF_UNIX))
            server.bind(address)
            server.listen()
            listening.append(server)
        datagrams = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        datagrams.bind(str(product / "datagrams"))
        port = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        yield {
            "product": str(product), "socket": str(folder / "socket"),
            "own_socket": str(product / "socket"), "abstract": name,
            "own_datagrams": str(product / "datagrams"),
            "pipe": str(folder / "pipe"), "port": port.getsockname()[1],
            "evidence": str(run), "seal": str(folder / "seal.json"), "home": str(Path.home()),
            "law": str(ROOT / "specs"), "program": str(ROOT / "harness" / "selo"),
            "history": str(ROOT / ".git"), "pid": os.getpid(), "host": socket.gethostname(),
            "secrets": [str(run), str(folder / "seal.json")],
        }  # fmt: skip


def attempt_all(places):
    """Return what a vendor gets hold of that tries every way out."""
    room = Room(whole_folder=False, hidden=(places["evidence"], places["seal"]))
    program = [sys.executable, "attempts.py"]
    vendor = ChildTransport(program, Limits(start=60), Path(places["product"]), room=room)
    vendor.send(json.dumps(places).encode())
    try:
        return json.loads(vendor.receive(60))
    finally:
        vendor.kill()


@pytest.fixture(scope="module")
def got(places):
    return attempt_all(places)


@pytest.fixture(scope="module")
def got_without(places):
    """Return what the same vendor gets hold of without a sandbox."""
    nothing = sandbox.Confinement(network=False, files=False, missing=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox, "available_confinement", lambda: nothing)
        return attempt_all(places)


@needs_bubblewrap
@pytest.mark.parametrize("name", sorted(ATTEMPTS))
def test_a_way_out_is_closed(got, name):
    assert got[name] is None


@pytest.mark.parametrize("name", OPEN_WITHOUT)
def test_an_attempt_succeeds_where_there_is_no_sandbox(got_without, name):
    assert got_without[name] is not None
