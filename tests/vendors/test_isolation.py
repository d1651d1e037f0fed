"""What a vendor's room promises is measured in it, and what it may use is limited as a whole."""

import os
import shutil
import sys
from pathlib import Path

import pytest

import selo
from selo.vendors import sandbox
from selo.vendors.child_process import ChildTransport
from selo.vendors.faults import FaultKind, VendorBroken
from selo.vendors.isolation import measure_isolation
from selo.vendors.resource_limits import Limits
from selo.vendors.sandbox import (
    GUARANTEES,
    Room,
    available_confinement,
    find_visible_files,
    list_missing_guarantees,
)

from .hostile import ROOT, living, needs_bubblewrap, new_token

ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
MEBIBYTE = 1 << 20


@pytest.fixture
def product(tmp_path):
    """Return the folder of a product of one file."""
    folder = tmp_path / "product"
    folder.mkdir()
    (folder / "adapter.py").write_text(ECHO)
    return folder


def command(program="adapter.py"):
    return [sys.executable, "-S", program]


@needs_bubblewrap
def test_every_guarantee_is_found_to_hold(product):
    assert list_missing_guarantees(measure_isolation(command(), product, Room())) == []


def test_where_there_is_no_sandbox_nothing_is_guaranteed(product, monkeypatch):
    available_confinement.cache_clear()
    monkeypatch.setenv("PATH", "/nonexistent")
    try:
        measured = measure_isolation(command(), product, Room())
    finally:
        available_confinement.cache_clear()

    assert list_missing_guarantees(measured) == list(GUARANTEES)


@needs_bubblewrap
def test_a_pipe_in_the_product_is_measured(product):
    os.mkfifo(product / "pipe")

    assert list_missing_guarantees(measure_isolation(command(), product, Room())) == ["pipes"]


@needs_bubblewrap
def test_a_product_that_is_selo_itself_is_measured():
    package = Path(selo.__file__).parent

    measured = measure_isolation(command("__main__.py"), package, Room())

    assert list_missing_guarantees(measured) == ["selo"]


@needs_bubblewrap
def test_evidence_that_is_not_hidden_is_measured(product):
    (product / "run.json").write_text("evidence")
    (product / "seal.json").write_text("seed")
    kept, seal = str(product / "run.json"), str(product / "seal.json")

    told = measure_isolation(command(), product, Room(), evidence=[kept], seed=[seal])
    hidden = measure_isolation(
        command(), product, Room(hidden=(kept, seal)), evidence=[kept], seed=[seal]
    )

    assert list_missing_guarantees(told) == ["evidence", "seed"]
    assert list_missing_guarantees(hidden) == []


# What is visible.


def seen(program, folder, *, room, **limits):
    """Return the first line that a program prints in its room, or its fault."""
    vendor = ChildTransport(
        [sys.executable, "-S", "-c", program], Limits(**limits), folder, room=room
    )
    try:
        return vendor.receive(60).decode()
    except VendorBroken as error:
        return error.fault
    finally:
        vendor.kill()


@needs_bubblewrap
def test_of_the_working_folder_a_vendor_sees_only_what_its_command_names(product):
    (product.parent / "others.txt").write_text("of others")
    tells = product / "tells.py"
    tells.write_text("import os; print(os.listdir('.'), flush=True)")
    told = ChildTransport(
        command("product/tells.py"), Limits(), product.parent, room=Room(whole_folder=False)
    )

    assert told.receive(60) == b"['product']"
    told.kill()


@needs_bubblewrap
def test_a_folder_that_is_named_as_visible_is_visible(product, tmp_path):
    library = tmp_path / "library"
    library.mkdir()
    (library / "data").write_text("here")
    program = f"print(open({str(library / 'data')!r}).read(), flush=True)"

    assert seen(program, product, room=Room(visible=(str(library),))) == "here"


@needs_bubblewrap
def test_a_path_that_is_there_but_not_visible_is_named(product, tmp_path):
    library = tmp_path / "library"
    library.write_text("data")

    found = seen(f"open({str(library)!r})", product, room=Room())

    assert found.kind is FaultKind.NOT_VISIBLE
    assert str(library) in found.describe()
    assert "--visible" in found.remedy()


@needs_bubblewrap
def test_a_checkout_of_selo_is_not_shown_even_if_it_is_named_as_the_folder():
    program = "import os; print(sorted(os.listdir('.')), flush=True); input()"
    vendor = ChildTransport(
        [sys.executable, "-S", "-c", program, "fixtures/hostile"], Limits(), ROOT
    )

    assert set(vendor.receive(60).decode()[2:-2].split("', '")) <= {".venv", "fixtures"}
    vendor.kill()


def test_a_mark_shows_a_product_from_its_root(tmp_path):
    (tmp_path / "product" / "src").mkdir(parents=True)
    (tmp_path / "product" / "src" / "adapter.py").touch()
    words = ["python3", "product/src/adapter.py"]

    without = find_visible_files(words, tmp_path, Room(whole_folder=False))
    (tmp_path / "product" / ".selo-product").touch()
    marked = find_visible_files(words, tmp_path, Room(whole_folder=False))

    assert without.product == (tmp_path / "product" / "src",)
    assert marked.product == (tmp_path / "product",)


@pytest.mark.parametrize("place", ["/", "/tmp", "/home", "~"])  # noqa: S108 - never to be shown
def test_a_folder_of_many_products_is_never_shown_for_one_of_them(place, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path if place == "~" else Path(place)
    program = tmp_path / "adapter.py"
    program.touch()
    words = ["python3", str(program if place == "~" else "/etc/hostname")]

    files = find_visible_files(words, folder, Room(whole_folder=False))

    assert folder not in files.product


@needs_bubblewrap
def test_what_a_vendor_writes_in_a_temporary_folder_is_seen_by_nobody(product):
    name = f"mark-{new_token()}"
    program = f"open('/tmp/{name}', 'w').close(); print('written', flush=True); input()"
    vendor = ChildTransport([sys.executable, "-S", "-c", program], Limits(), product)

    assert vendor.receive(60) == b"written"
    assert not Path("/tmp", name).exists()  # noqa: S108 - where it seemed to be
    vendor.kill()


# What is limited.


@needs_bubblewrap
@pytest.mark.parametrize(
    ("program", "kind"),
    [
        ("import mmap; m = mmap.mmap(-1, 96 << 20); m.write(b'x' * (96 << 20)); m.madvise(4)",
         FaultKind.TOO_MUCH_MEMORY),
        ("b = b'x' * (48 << 20); open('/tmp/a', 'wb').write(b); open('/dev/shm/b', 'wb').write(b)",
         FaultKind.TOO_MUCH_MEMORY),
        ("import os\nfor n in range(4):\n  if os.fork() == 0: b = bytearray(24 << 20); input()",
         FaultKind.TOO_MUCH_MEMORY),
        ("import os\nfor n in range(8): os.fork()", FaultKind.TOO_MANY_PROCESSES),
        ("import threading as t\nfor n in range(80): t.Thread(target=input, daemon=True).start()",
         FaultKind.TOO_MANY_THREADS),
    ],
    ids=["shared-mapping", "temporary-files", "many-small", "fork-bomb", "threads"],
)  # fmt: skip
def test_what_is_taken_in_any_way_counts(product, program, kind):
    token = new_token()
    memory = (80 if kind is FaultKind.TOO_MUCH_MEMORY else 8000) * MEBIBYTE
    held = Limits(memory=memory, processes=32, threads=64)
    words = [sys.executable, "-S", "-c", f"{program}\nimport time; time.sleep(60)", token]
    vendor = ChildTransport(words, held, product)

    with pytest.raises(VendorBroken) as raised:
        vendor.receive(60)

    assert raised.value.fault.kind is kind
    assert not living(token)


@needs_bubblewrap
def test_memory_without_a_file_cannot_be_had(product):
    program = (
        "import os\ntry: os.memfd_create('x')\nexcept OSError as e: print(e.errno, flush=True)"
    )

    assert seen(program, product, room=Room()) == str(38)


# Copies of a product.


@needs_bubblewrap
def test_a_copy_stands_in_for_the_product(product, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(product, copy)
    (copy / "adapter.py").write_text("print('the copy', flush=True); input()")
    room = Room(copies={str(product): str(copy)})
    vendor = ChildTransport(command(), Limits(), product, room=room)

    assert vendor.receive(60) == b"the copy"
    vendor.kill()


def test_a_vendor_without_a_sandbox_is_given_no_room(product, monkeypatch):
    nothing = sandbox.Confinement(network=False, files=False, missing=True)
    monkeypatch.setattr(sandbox, "available_confinement", lambda: nothing)
    vendor = ChildTransport(command(), Limits(), product)

    assert vendor.visible_files is None
    vendor.kill()
