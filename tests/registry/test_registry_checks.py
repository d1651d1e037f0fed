"""What a registry says of a document, and of files on a machine."""

import datetime as dt
import hashlib

import pytest
from tests.registry.conftest import issued

from selo.registry import read_registry_policy
from selo.registry.certificate_lookup import look_up
from selo.registry.file_identification import compare_files, hash_files
from selo.registry.registry_events import RegisteredFile
from selo.verification.registry_checks import check_registry
from selo.verification.verification_report import exit_code_of

DOCUMENT = b"a document"
DIGEST = hashlib.sha256(DOCUMENT).hexdigest()


@pytest.fixture
def said(registry, office, happen):
    """Return the checks of a document after some events, and their exit code."""

    def said(*events, policy=True, now=None, document=DOCUMENT):
        happen("issue", **issued("SELO-1", document=DIGEST))
        for kind, fields in events:
            happen(kind, **fields)
        trusted = read_registry_policy(office.policy) if policy else None
        checks = list(check_registry(document, "SELO-1", registry, trusted, now))
        return [check.key for check in checks], exit_code_of(checks)

    return said


def test_a_registered_document_is_valid(said):
    assert said() == (["registry.valid"], 0)


@pytest.mark.parametrize(
    ("kind", "state"),
    [("suspend", "suspended"), ("revoke", "revoked"), ("withdraw", "withdrawn")],
)
def test_a_document_that_does_not_hold_today_is_never_fine(said, kind, state):
    assert said((kind, {"certificate": "SELO-1"})) == ([f"registry.{state}"], 2)


def test_a_superseded_document_names_what_took_its_place(said):
    events = [
        ("issue", issued("SELO-2")),
        ("supersede", {"certificate": "SELO-1", "successor": "SELO-2"}),
    ]

    assert said(*events) == (["registry.superseded"], 2)


def test_a_list_past_its_own_expiry_is_never_valid(said):
    later = dt.datetime.now(dt.UTC) + dt.timedelta(days=31)

    assert said(now=later) == (["registry.stale"], 2)


def test_a_document_after_its_last_day_has_expired(registry, office, happen):
    yesterday = dt.datetime.now(dt.UTC).date() - dt.timedelta(days=1)
    happen("issue", **issued("SELO-0", document=DIGEST, valid_until=yesterday))

    (check,) = check_registry(DOCUMENT, "SELO-0", registry, read_registry_policy(office.policy))

    assert (check.key, check.state) == ("registry.expired", "open")


def test_a_document_that_the_registry_does_not_know_is_not_valid(registry, office):
    (check,) = check_registry(DOCUMENT, "SELO-9", registry, read_registry_policy(office.policy))

    assert (check.key, check.state) == ("registry.unknown", "open")


def test_another_document_under_the_same_number_is_a_forgery(said):
    assert said(document=b"another") == (["registry.other-document"], 6)


def test_nobody_who_is_trusted_means_that_nothing_is_proven(said):
    keys, code = said(policy=False)

    assert keys == ["registry.untrusted", "registry.valid"]
    assert code == 2


@pytest.mark.parametrize("file", ["log.jsonl", "heads.jsonl"])
def test_a_registry_that_was_changed_vouches_for_nothing(said, registry, file):
    said()
    path = registry.folder / file
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1].replace(b"2", b"3", 1))

    checks = list(check_registry(DOCUMENT, "SELO-1", registry, registry.first_policy()))

    assert exit_code_of(checks) == 6


@pytest.fixture
def product(tmp_path):
    """Write a product, and return its folder and the files that a certificate lists of it."""
    folder = tmp_path / "product"
    folder.mkdir()
    for name, text in (("game.py", "prize = 150"), ("table.py", "seats = 7")):
        (folder / name).write_text(text)
    files = [
        RegisteredFile(path=one.path, size=one.size, sha256=one.sha256, sha1=one.sha1)
        for one in hash_files([folder])
    ]
    return folder, files


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        pytest.param(lambda _: None, {}, id="nothing"),
        pytest.param(
            lambda folder: (folder / "game.py").write_text("prize = 180"),
            {"changed": ("game.py",)},
            id="one-byte",
        ),
        pytest.param(
            lambda folder: (folder / "table.py").unlink(), {"missing": ("table.py",)}, id="missing"
        ),
        pytest.param(
            lambda folder: (folder / "more.py").write_text("x"), {"extra": ("more.py",)}, id="extra"
        ),
    ],
)
def test_files_are_identified_exactly_or_with_what_differs(
    registry, office, happen, product, change, differs
):
    folder, files = product
    happen("issue", **issued("SELO-1", files=files))
    change(folder)
    here = hash_files([folder])

    answer = look_up(
        registry, read_registry_policy(office.policy), digests=[one.sha256 for one in here]
    )

    (record,) = answer.records
    compared = compare_files(record, here)
    assert answer.problems == []
    assert compared.is_exact is (differs == {})
    parts = {name: getattr(compared, name) for name in ("changed", "missing", "extra")}
    assert {name: value for name, value in parts.items() if value} == differs
