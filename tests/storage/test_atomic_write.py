"""Files are written whole or not at all, and never over what somebody else made."""

import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from selo.storage import atomic_write
from selo.storage.atomic_write import next_free_folder, write_file, write_new_files
from selo.storage.bounded_read import FileFault


def names(folder):
    return [path.name for path in folder.iterdir()]


@pytest.fixture(params=["nameless", "named"])
def way(request, monkeypatch):
    """Both ways to write: with files that have no name, and on file systems without them."""
    if request.param == "named":
        monkeypatch.setattr(atomic_write, "_OPEN_DESCRIPTORS", Path("/nowhere"))


@pytest.mark.usefixtures("way")
def test_a_new_file_is_written_and_the_same_content_again_is_no_change(tmp_path):
    assert write_file(tmp_path / "file", b"one", mode=0o600)
    assert not write_file(tmp_path / "file", b"one")

    assert (tmp_path / "file").read_bytes() == b"one"
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600
    assert names(tmp_path) == ["file"]


@pytest.mark.usefixtures("way")
def test_what_somebody_else_made_is_not_replaced(tmp_path):
    (tmp_path / "file").write_bytes(b"theirs")

    with pytest.raises(FileFault, match="already there"):
        write_file(tmp_path / "file", b"ours")

    assert (tmp_path / "file").read_bytes() == b"theirs"
    assert names(tmp_path) == ["file"]


@pytest.mark.usefixtures("way")
def test_what_is_ours_is_replaced(tmp_path):
    (tmp_path / "file").write_bytes(b"old")

    write_file(tmp_path / "file", b"new", replace=True)

    assert (tmp_path / "file").read_bytes() == b"new"
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("made", ["link", "folder"])
@pytest.mark.usefixtures("way")
def test_no_link_is_written_through(tmp_path, made):
    (tmp_path / "target").write_bytes(b"theirs")
    if made == "link":
        (tmp_path / "file").symlink_to("target")
    else:
        (tmp_path / "file").mkdir()

    with pytest.raises(FileFault):
        write_file(tmp_path / "file", b"ours")

    assert (tmp_path / "target").read_bytes() == b"theirs"


@pytest.mark.parametrize("call", ["write", "fsync", "link", "open"])
@pytest.mark.usefixtures("way")
def test_a_disk_that_is_full_at_any_moment_leaves_nothing(tmp_path, monkeypatch, call):
    (tmp_path / "ours").write_bytes(b"old")
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def fail(*_, **__):
        raise full

    if call == "write":
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, limit[1]))
    else:
        for name in ("link", "replace") if call == "link" else (call,):
            monkeypatch.setattr(os, name, fail)
    try:
        with pytest.raises(FileFault, match="cannot be written"):
            write_file(tmp_path / "ours", b"n" * 1000, replace=True)
    finally:
        if call == "write":
            resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        monkeypatch.undo()

    assert (tmp_path / "ours").read_bytes() == b"old"
    assert names(tmp_path) == ["ours"]


def test_of_several_files_all_are_written_or_none(tmp_path):
    (tmp_path / "taken").write_bytes(b"theirs")

    with pytest.raises(FileFault):
        write_new_files(tmp_path, [("a", b"1"), ("b/c", b"2"), ("taken", b"ours"), ("d", b"3")])
    assert names(tmp_path) == ["taken"]

    write_new_files(tmp_path, [("a", b"1"), ("b/c", b"2"), ("taken", b"theirs")])
    assert (tmp_path / "b" / "c").read_bytes() == b"2"


def test_a_process_killed_while_it_writes_leaves_nothing(tmp_path):
    program = (
        "import os, signal, sys; from pathlib import Path; from selo.storage import write_file\n"
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
        "write_file(Path(sys.argv[1]), b'x' * 100)\n"
    )

    ended = subprocess.run([sys.executable, "-c", program, tmp_path / "file"], check=False)

    assert ended.returncode == -9
    assert names(tmp_path) == []


def test_a_taken_folder_gets_a_number(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out-2").symlink_to("nowhere")

    assert next_free_folder(tmp_path / "out") == tmp_path / "out-3"
