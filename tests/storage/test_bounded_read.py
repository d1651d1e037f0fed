"""Files that others made cannot harm whoever reads them."""

import os
import socket
import time
from pathlib import Path

import msgspec
import pytest

from selo.errors import SpecError
from selo.storage.bounded_read import (
    FileFault,
    decode_json,
    digest_file,
    path_inside,
    read_bounded,
    read_json,
)
from selo.storage.limited_process import LimitExceeded, run_limited
from selo.yaml_file import parse_yaml, read_yaml


def test_a_regular_file_is_read_whole(tmp_path):
    (tmp_path / "file").write_bytes(b"abc")

    assert read_bounded(tmp_path / "file", 3) == b"abc"


def test_a_file_above_its_limit_is_refused_unread(tmp_path):
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)

    with pytest.raises(FileFault, match="larger than 1 MiB"):
        read_bounded(tmp_path / "sparse", 1 << 20)


@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "folder"])
def test_only_regular_files_are_read(tmp_path, kind):
    path = tmp_path / kind
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "device":
        path = Path("/dev/zero")
    else:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(path))

    with pytest.raises(FileFault, match="not a regular file"):
        read_bounded(path)
    with pytest.raises(FileFault, match="not a regular file"):
        digest_file(path)


def test_a_link_is_refused_where_links_are_not_followed(tmp_path):
    (tmp_path / "file").write_bytes(b"abc")
    (tmp_path / "link").symlink_to("file")

    assert read_bounded(tmp_path / "link") == b"abc"
    with pytest.raises(FileFault, match="symbolic link"):
        read_bounded(tmp_path / "link", follow=False)


@pytest.mark.parametrize("name", ["", "\0", "x" * 5000])
def test_a_strange_name_is_an_error_of_the_file(tmp_path, name):
    with pytest.raises(OSError):  # noqa: PT011 - the reason is the system's
        read_bounded(tmp_path / name)


def test_hashing_ends(tmp_path):
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)

    with pytest.raises(FileFault, match="not read within"):
        digest_file(tmp_path / "sparse", seconds=0.05)


@pytest.mark.parametrize("name", ["../other", "/etc/passwd", "link", "a/../../other"])
def test_a_file_outside_of_its_folder_is_refused(tmp_path, name):
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "other").write_text("x", encoding="utf-8")
    (folder / "link").symlink_to("../other")

    with pytest.raises(FileFault, match="outside of its folder"):
        path_inside(folder, name)
    assert path_inside(folder, "inside/file") == folder / "inside/file"


@pytest.mark.parametrize("raw", [b"[" * 100_000, b"\xff", b"{", b'"\\ud800"', b""])
def test_json_that_is_none_is_one_kind_of_error(tmp_path, raw):
    (tmp_path / "file").write_bytes(raw)

    with pytest.raises(msgspec.DecodeError):
        decode_json(raw, dict)
    with pytest.raises(msgspec.DecodeError):
        read_json(tmp_path / "file", dict)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 50_000,
        "{a: " * 50_000,
        "- " * 50_000 + "a",
        "? " * 50_000 + "a",
        "\n".join(" " * level + "a:" for level in range(300)),
    ],
    ids=["lists", "maps", "items", "keys", "lines"],
)
def test_deep_yaml_is_refused_and_exhausts_no_stack(text):
    with pytest.raises(SpecError, match="nested more than 100 levels"):
        parse_yaml(text, Path("x"))


@pytest.mark.parametrize(
    "text", ["a: &a [x]\nb: *a", "&a [*a]", "a: &a x\n*a : y", "a: &a x\n<<: *a"]
)
def test_aliases_are_refused(text):
    with pytest.raises(SpecError, match="alias"):
        parse_yaml(text, Path("x"))


def test_a_bomb_of_aliases_takes_no_time(tmp_path):
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    (tmp_path / "bomb.yaml").write_text("\n".join(levels), encoding="utf-8")
    began = time.monotonic()

    with pytest.raises(SpecError, match="alias"):
        read_yaml(tmp_path / "bomb.yaml")

    assert time.monotonic() - began < 2


def test_a_key_is_a_text():
    with pytest.raises(SpecError, match="key that is not text"):
        parse_yaml("? [a, b]\n: c", Path("x"))


def test_work_under_limits_returns_its_result_or_its_error():
    def fail():
        msg = "no"
        raise KeyError(msg)

    assert run_limited(lambda: {"a": b"b"}) == {"a": b"b"}
    with pytest.raises(KeyError, match="no"):
        run_limited(fail)


@pytest.mark.parametrize("work", [lambda: bytes(2 << 30), lambda: os._exit(0)])
def test_work_that_takes_too_much_or_dies_is_named(work):
    with pytest.raises(LimitExceeded, match="takes more than"):
        run_limited(work)
