"""Of a product every file that is opened is known, and one that is not declared is found."""

import os
import sys
from pathlib import Path

import pytest
from tests.vendors.hostile import needs_bubblewrap

from selo.examine.exchange import VendorEndpoint
from selo.examine.exchange.product_watch import ProductWatch
from selo.examine.vendor_description import hash_declared_files
from selo.protocol.messages import Description, File
from selo.vendors.child_process import ChildTransport
from selo.vendors.faults import FaultKind, VendorBroken
from selo.vendors.resource_limits import Limits
from selo.vendors.sandbox import Room, find_visible_files

READS = """
import helper
print(open("rates.txt").read(), flush=True)
input()
"""


@pytest.fixture
def product(tmp_path):
    """Return the folder of a product that opens two files besides its program."""
    folder = tmp_path / "product"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "adapter.py").write_text(READS)
    (folder / "helper.py").write_text("")
    (folder / "rates.txt").write_text("8")
    (folder / "unused.txt").write_text("")
    (folder / "__pycache__" / "helper.cpython-311.pyc").write_bytes(b"other code")
    os.mkfifo(folder / "pipe")
    return folder


@pytest.fixture
def watch(product):
    files = find_visible_files(["python3", "adapter.py"], product, Room())
    with ProductWatch(files, Room()) as watching:
        yield watching


def copy_of(watch, product):
    return Path(watch.room.copies[str(product)])


def test_files_that_nobody_opens_are_not_listed(watch):
    watch.collect()

    assert watch.opened == set()


def test_a_file_that_is_opened_is_listed_by_its_own_name(watch, product):
    (copy_of(watch, product) / "rates.txt").read_text()

    watch.collect()

    assert watch.opened == {product / "rates.txt"}
    assert watch.is_complete


def test_only_what_is_not_declared_is_undeclared(watch, product):
    for name in ("rates.txt", "helper.py"):
        (copy_of(watch, product) / name).read_text()

    assert watch.list_undeclared(["./helper.py"], product) == ["rates.txt"]


def test_what_others_open_of_the_product_is_not_held_against_the_vendor(watch, product):
    (product / "unused.txt").read_text()

    assert watch.list_undeclared([], product) == []


def test_neither_bytecode_nor_a_pipe_is_copied(watch, product):
    copied = {path.name for path in copy_of(watch, product).iterdir()}

    assert copied == {"adapter.py", "helper.py", "rates.txt", "unused.txt"}


def test_the_copy_goes_with_the_watch(product):
    files = find_visible_files(["python3", "adapter.py"], product, Room())
    with ProductWatch(files, Room()) as watching:
        copy = copy_of(watching, product)
        assert copy.is_dir()

    assert not copy.exists()


def test_a_product_that_cannot_be_copied_is_not_called_watched(product, monkeypatch):
    monkeypatch.setattr("selo.examine.exchange.product_watch._MAX_FILES", 2)
    files = find_visible_files(["python3", "adapter.py"], product, Room())

    with ProductWatch(files, Room()) as watching:
        assert not watching.is_complete
        assert watching.room == Room()


def test_more_openings_than_the_kernel_reports_are_not_called_complete(watch):
    watch.take_events(b"\xff\xff\xff\xff" + (0x4000).to_bytes(4, "little") + bytes(8))

    assert not watch.is_complete


@needs_bubblewrap
def test_what_a_vendor_opens_is_listed(watch, product):
    vendor = ChildTransport([sys.executable, "adapter.py"], Limits(), product, room=watch.room)
    assert vendor.receive(60) == b"8"
    vendor.kill()

    assert watch.list_undeclared(["adapter.py"], product) == ["helper.py", "rates.txt"]


# Hashes at every start.


def described(*names):
    files = [File(path=name, sha256="0" * 64) for name in names]
    return Description(
        protocol="1.0", vendor=None, product=None, files=files, currency=None, rounding=None,
        random=None, games=[],
    )  # fmt: skip


def test_a_file_that_changes_during_a_run_stops_the_next_start(product):
    description = described("rates.txt")
    before = hash_declared_files(description, product)
    vendor = VendorEndpoint("python3 adapter.py", Limits(), product, description, files=before)
    (product / "rates.txt").write_text("9")

    with pytest.raises(VendorBroken) as raised:
        vendor.session()

    assert raised.value.fault.kind is FaultKind.FILE_DIFFERS
    assert "changed during the run" in raised.value.fault.describe()
