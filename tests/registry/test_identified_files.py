"""Which files identify a product: never empty ones, and whatever tool of the field hashed them."""

import hashlib
from types import SimpleNamespace

import pytest
from tests.registry.conftest import issued

from selo.registry import read_registry_policy
from selo.registry.certificate_lookup import look_up
from selo.registry.file_identification import compare_files, hash_files, read_sums
from selo.registry.registry_events import RegisteredFile


def certified(path, content):
    sha1 = hashlib.sha1(content, usedforsecurity=False).hexdigest()
    sha256 = hashlib.sha256(content).hexdigest()
    return RegisteredFile(path=path, size=len(content), sha256=sha256, sha1=sha1)


@pytest.mark.parametrize("loose", [False, True])
def test_empty_files_identify_nothing(registry, office, happen, tmp_path, loose):
    happen("issue", **issued("SELO-1", files=[certified("__init__.py", b"")]))
    happen("issue", **issued("SELO-2", files=[certified("__init__.py", b""), certified("a", b"x")]))
    path = tmp_path / "product" / "__init__.py"
    path.parent.mkdir()
    path.touch()
    files = hash_files([path if loose else path.parent])

    digests = [digest for one in files for digest in one.digests]
    found = look_up(registry, read_registry_policy(office.policy), digests=digests)

    assert found.records == []
    # Nor does somebody who knows the number.
    assert not compare_files(registry.check().book.certificates["SELO-1"], files).is_exact


def test_an_empty_file_of_a_product_must_be_there(tmp_path):
    record = SimpleNamespace(files=[certified("__init__.py", b""), certified("a", b"x")])
    (tmp_path / "a").write_bytes(b"x")

    without = compare_files(record, hash_files([tmp_path]))
    (tmp_path / "__init__.py").touch()

    assert without.missing == ("__init__.py",)
    assert compare_files(record, hash_files([tmp_path])).is_exact


@pytest.mark.parametrize("name", ["GAME.py", "game.PY"])
def test_a_name_that_differs_in_case_is_another_name(tmp_path, name):
    record = SimpleNamespace(files=[certified("game.py", b"x")])
    (tmp_path / name).write_bytes(b"x")

    assert compare_files(record, hash_files([tmp_path])).moved == ("game.py",)


def test_names_that_are_no_text_are_told_and_not_lost(tmp_path):
    place = tmp_path / "product"
    place.mkdir()
    (place / "a").write_bytes(b"x")
    (place / "\udcff\n.py").write_bytes(b"y")

    compared = compare_files(SimpleNamespace(files=[certified("a", b"x")]), hash_files([place]))

    assert compared.extra == ("\udcff\n.py",)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (b"\xef\xbb\xbf%s  game.py\r\n", "game.py"),
        (b"\\%s  a\\nb\\\\c\n", "a\nb\\c"),
        (b"%s *game.py\n", "game.py"),
        (b"%s  a\\nb\n", "a\\nb"),
    ],
    ids=["windows", "escaped", "binary", "a-backslash"],
)
def test_sums_are_read_as_tools_write_them(tmp_path, line, path):
    sums = tmp_path / "sums"
    sums.write_bytes(line % hashlib.sha256(b"x").hexdigest().encode())

    (file,) = read_sums(sums)

    assert (file.path, file.sha256) == (path, hashlib.sha256(b"x").hexdigest())
