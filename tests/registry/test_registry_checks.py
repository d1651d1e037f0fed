"""What a registry says of a document, and of files on a machine."""

import datetime as dt
import hashlib
import time
from types import SimpleNamespace

import pytest
from tests.often import often
from tests.registry.conftest import issued

from selo.errors import SeloError
from selo.registry import read_registry_policy
from selo.registry.certificate_lookup import look_up
from selo.registry.file_identification import HashedFile, compare_files, hash_files, read_sums
from selo.registry.registry_check import event_problems
from selo.registry.registry_events import EventKind, RegisteredFile
from selo.signing import SignerIdentity
from selo.verification.verification_report import exit_code_of
from selo.verification.verifier import check_registry

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


@pytest.mark.parametrize(("hour", "expected"), [(15, "registry.valid"), (16, "registry.expired")])
def test_the_last_day_ends_at_midnight_in_macau(registry, office, happen, hour, expected):
    last = dt.datetime.now(dt.UTC).replace(hour=hour, minute=30) + dt.timedelta(days=2)
    happen("issue", **issued("SELO-0", document=DIGEST, valid_until=last.date()))
    policy = read_registry_policy(office.policy)

    (check,) = check_registry(DOCUMENT, "SELO-0", registry, policy, last)

    assert check.key == expected


def test_a_link_in_the_place_of_a_file_is_changed_and_not_known_by_its_sha1(tmp_path):
    file = RegisteredFile(path="a", size=1, sha256="1" * 64, sha1="2" * 40)
    (tmp_path / "a").symlink_to("b")

    compared = compare_files(SimpleNamespace(files=[file]), hash_files([tmp_path]))

    assert (compared.changed, compared.by_sha1) == (("a",), False)


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


def swap(one, other):
    text = one.read_text()
    one.write_text(other.read_text())
    other.write_text(text)


def link_instead(path):
    """Put a link to the same content in the place of a file."""
    elsewhere = path.parent.parent / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


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
        pytest.param(
            lambda folder: (folder / "copy.py").write_text("prize = 150"),
            {"extra": ("copy.py",)},
            id="a-copy",
        ),
        pytest.param(
            lambda folder: (folder / "game.py").rename(folder / "other.py"),
            {"moved": ("game.py",)},
            id="moved",
        ),
        pytest.param(
            lambda folder: swap(folder / "game.py", folder / "table.py"),
            {"changed": ("game.py", "table.py")},
            id="swapped",
        ),
        pytest.param(
            lambda folder: (folder / "link").symlink_to("game.py"), {"extra": ("link",)}, id="link"
        ),
        pytest.param(
            lambda folder: link_instead(folder / "game.py"),
            {"changed": ("game.py",)},
            id="a-link-in-its-place",
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
    parts = {name: getattr(compared, name) for name in ("changed", "moved", "missing", "extra")}
    assert {name: value for name, value in parts.items() if value} == differs


def test_a_line_that_no_head_knows_yet_makes_nothing_valid(said, registry, happen):
    happen("issue", **issued("SELO-2"))
    keys, code = said(("suspend", {"certificate": "SELO-2"}))
    assert (keys, code) == (["registry.valid"], 0)
    heads = registry.folder / "heads.jsonl"
    heads.write_bytes(b"".join(heads.read_bytes().splitlines(keepends=True)[:-1]))
    policy = registry.first_policy()

    # Whoever suppresses the head of a suspension does not bring the certificate back.
    (suspended,) = check_registry(DOCUMENT, "SELO-2", registry, policy)
    (other,) = check_registry(DOCUMENT, "SELO-1", registry, policy)

    assert (suspended.key, suspended.state) == ("registry.broken", "failed")
    assert other.key == "registry.valid"


@pytest.fixture
def compared(registry, office, happen, product):
    """Return how some files differ from those of the one certificate."""
    folder, files = product
    happen("issue", **issued("SELO-1", files=files))

    def compared(here):
        digests = [digest for one in here for digest in one.digests]
        answer = look_up(registry, read_registry_policy(office.policy), digests=digests)
        (record,) = answer.records
        return compare_files(record, here)

    return folder, compared


@pytest.mark.parametrize("tool", ["sha1", "sha256"])
@pytest.mark.parametrize("prefix", ["", "./", "/opt/product/"])
def test_sums_of_another_tool_identify_files(compared, tmp_path, tool, prefix):
    folder, compare = compared
    sums = tmp_path / "sums"
    lines = [
        f"{hashlib.new(tool, path.read_bytes()).hexdigest()}  {prefix}{path.name}\n"
        for path in sorted(folder.iterdir())
    ]
    sums.write_text("".join(lines))

    found = compare(read_sums(sums))

    assert found.is_exact
    assert found.by_sha1 is (tool == "sha1")
    sums.write_text(lines[0])
    assert compare(read_sums(sums)).missing == ("table.py",)


def test_swapped_files_are_noticed_by_their_sums(compared, tmp_path):
    folder, compare = compared
    swap(folder / "game.py", folder / "table.py")
    sums = tmp_path / "sums"
    sums.write_text(
        "".join(
            f"{hashlib.sha1(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.name}\n"
            for path in folder.iterdir()
        )
    )

    assert set(compare(read_sums(sums)).changed) == {"game.py", "table.py"}


@pytest.mark.parametrize("line", ["", "abc  game.py", "0" * 40, "0" * 41 + "  game.py"])
def test_sums_that_cannot_be_read_are_refused(tmp_path, line):
    sums = tmp_path / "sums"
    sums.write_text(line + "\n" if line else "")

    with pytest.raises(SeloError):
        read_sums(sums)


def test_files_given_by_themselves_are_identified_wherever_they_are(compared):
    folder, compare = compared
    (folder / "game.py").rename(folder / "renamed.bin")

    found = compare(hash_files([folder / "renamed.bin", folder / "table.py"]))

    assert found.is_exact


def test_a_file_given_by_itself_alone_does_not_make_a_product(compared):
    folder, compare = compared

    found = compare(hash_files([folder / "game.py"]))

    assert not found.is_exact
    assert found.missing == ("table.py",)


@pytest.mark.parametrize("manner", often(["moved", "same", "changed"], "changed"))
@pytest.mark.parametrize("loose", [False, True])
def test_many_files_of_one_name_are_compared_in_linear_time(registry, happen, manner, loose):
    """Quadratic would take minutes."""
    count = 20_000
    files = [
        RegisteredFile(path=f"a/{at}/x", size=1, sha256=f"{at:064x}", sha1=f"{at:040x}")
        for at in range(count)
    ]
    happen("issue", **issued("SELO-1", files=files))
    record = registry.check().book.certificates["SELO-1"]
    folder = "b" if manner == "moved" else "a"
    shift = count if manner == "changed" else 0
    here = [
        HashedFile(path=f"{folder}/{at}/x", sha256=f"{at + shift:064x}", loose=loose)
        for at in range(count)
    ]

    began = time.process_time()
    found = compare_files(record, here)

    wanted = "same" if manner == "moved" and loose else manner
    assert len(getattr(found, wanted)) == count
    assert time.process_time() - began < 5


def test_a_change_of_policy_is_not_overlooked_behind_the_number_of_a_certificate(
    registry, office, tmp_path
):
    """A policy event that names a certificate changes who may sign all the same."""
    for path in office.folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    strict = tmp_path / "policy.yaml"
    text = strict.read_text("utf-8")
    old = next(line for line in text.splitlines() if line.strip().startswith("issue:"))
    strict.write_text(text.replace(old, "  issue: []"), "utf-8")
    later = read_registry_policy(strict)
    registry.keep_policy(strict, later)
    draft = registry.draft(
        EventKind.POLICY, office.laboratory, policy=later.digest, certificate="SELO-7"
    )
    line = registry.countersign(registry.sign(draft, office.laboratory), office.bureau)
    registry.append(line, office.bureau)
    # Written past the program by who may no longer issue.
    draft = registry.draft(EventKind.ISSUE, office.laboratory, **issued("SELO-1", document=DIGEST))
    with registry.storage.exclusive():
        raw = registry.sign(draft, office.laboratory).encode()
        registry.storage.append(draft.number, raw)
    registry.write_head(office.bureau)

    policy = read_registry_policy(office.policy)
    checks = list(check_registry(DOCUMENT, "SELO-1", registry, policy))

    assert exit_code_of(checks) == 6
    assert "not-allowed" in [one.key for one in registry.check(policy).problems]


@pytest.mark.parametrize(
    "other",
    [
        "Ana Lei", "ana lei", "Ana  Lei ", "Ana-Lei", "\uff21na Lei", "An\u00e1 Lei", "LEI, Ana",
        "AnaLei", "\u0410na Lei", "Ana L\u0435i", "Ana\u200b Lei",
    ],
)  # fmt: skip
def test_one_person_with_two_keys_is_one_person_however_the_name_is_spelt(other):
    event = SimpleNamespace(kind=EventKind.REVOKE, by="Ana Lei")
    policy = SimpleNamespace(allows=lambda *_: True)
    signers = [
        SignerIdentity("1" * 64, "2" * 64, "Ana Lei"),
        SignerIdentity("3" * 64, "4" * 64, other),
    ]

    found = list(event_problems(SimpleNamespace(event=event), signers, policy))

    assert found == ["same-person"]


def test_two_people_are_two_people():
    event = SimpleNamespace(kind=EventKind.REVOKE, by="Bureau 1")
    policy = SimpleNamespace(allows=lambda *_: True)
    names = [("Bureau 1", "Bureau 2"), ("李安", "李平"), ("Bureau 12", "Bureau 21")]

    for one, two in names:
        event.by = one
        signers = [SignerIdentity("1" * 64, "2" * 64, one), SignerIdentity("3" * 64, "4" * 64, two)]

        assert list(event_problems(SimpleNamespace(event=event), signers, policy)) == []
