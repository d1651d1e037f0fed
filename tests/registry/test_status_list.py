"""The state of certificates travels without the log, signed, and never longer than it may."""

import datetime as dt
import hashlib
import json
import subprocess

import msgspec
import pytest
from asn1crypto import cms, pem
from tests.registry.conftest import issued
from tests.registry.quick_office import QuickOffice
from tests.tools import needs

from selo.errors import SeloError
from selo.registry import read_registry_policy
from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.event_signature import sign_content
from selo.registry.registry_events import EventKind, RegisteredFile
from selo.registry.status import ask_registry, open_source
from selo.registry.status.status_code import (
    draw_status_code,
    make_status_code,
    parse_status_code,
)
from selo.registry.status.status_list import compare_with_log, make_status_list
from selo.verification.verification_report import exit_code_of
from selo.verification.verifier import check_registry

DOCUMENT = b"a document"
DIGEST = hashlib.sha256(DOCUMENT).hexdigest()
FILES = [RegisteredFile(path="game.py", size=3, sha256="3" * 64, sha1="4" * 40)]
#: Events after the issue, and what is to be told then, with the exit code of verify.
LIVES = {
    "valid": ([], 0),
    "suspended": ([("suspend", {})], 2),
    "revoked": ([("revoke", {})], 2),
    "withdrawn": ([("withdraw", {})], 2),
    "superseded": ([("issue", issued("SELO-2")), ("supersede", {"successor": "SELO-2"})], 2),
    "expired": ([], 2),
}


def now():
    return dt.datetime.now(dt.UTC).replace(microsecond=0)


@pytest.fixture
def carried(registry, office, tmp_path):
    """Write what is carried along, by its kind, and open it again."""

    def carried(kind):
        path = tmp_path / kind
        if kind == "folder":
            return open_source(registry.folder)
        if kind == "list":
            made = make_status_list(registry, office.bureau, files=True, at=now())
            path.write_bytes(made.encode())
        else:
            code = make_status_code(registry, "SELO-1", office.bureau, at=now())
            path.write_text(code.text + "\n")
        return open_source(path)

    return carried


@pytest.fixture
def policy(office):
    return read_registry_policy(office.policy)


def say(source, policy, **other):
    checks = list(check_registry(DOCUMENT, "SELO-1", source, policy, **other))
    return [check.key for check in checks], exit_code_of(checks), checks


@pytest.mark.parametrize("kind", ["folder", "list", "code"])
@pytest.mark.parametrize("state", LIVES)
def test_each_state_is_told_by_whatever_is_carried(carried, policy, happen, kind, state):
    events, code = LIVES[state]
    last = now().date() - dt.timedelta(days=1) if state == "expired" else dt.date(2099, 12, 31)
    happen("issue", **issued("SELO-1", document=DIGEST, valid_until=last))
    for name, fields in events:
        happen(name, **({"certificate": "SELO-1"} | fields))

    keys, exit_code, checks = say(carried(kind), policy)

    assert (keys, exit_code) == ([f"registry.{state}"], code)
    assert "0 days old" in checks[0].message("en")


@pytest.mark.parametrize("kind", ["folder", "list", "code"])
def test_what_is_past_its_own_expiry_never_says_valid(carried, policy, happen, kind):
    happen("issue", **issued("SELO-1", document=DIGEST))
    source = carried(kind)
    last_moment = ask_registry(source, policy).head.expires

    assert say(source, policy, now=last_moment)[:2] == (["registry.valid"], 0)
    later = last_moment + dt.timedelta(seconds=1)
    assert say(source, policy, now=later)[:2] == (["registry.stale"], 2)


@pytest.mark.parametrize("kind", ["folder", "list", "code"])
def test_what_was_made_later_than_now_never_says_valid(carried, policy, happen, kind):
    happen("issue", **issued("SELO-1", document=DIGEST))

    earlier = now() - dt.timedelta(days=1)

    assert say(carried(kind), policy, now=earlier)[:2] == (["registry.future"], 2)


@pytest.mark.parametrize("kind", ["folder", "list", "code"])
def test_the_age_is_told(carried, policy, happen, kind):
    happen("issue", **issued("SELO-1", document=DIGEST))

    _, _, checks = say(carried(kind), policy, now=now() + dt.timedelta(days=12, minutes=1))

    assert "12 days old" in checks[0].message("en")


@pytest.mark.parametrize("kind", ["list", "code"])
def test_without_anybody_who_is_trusted_nothing_is_proven(carried, happen, kind):
    happen("issue", **issued("SELO-1", document=DIGEST))

    assert say(carried(kind), None)[:2] == (["registry.untrusted", "registry.valid"], 2)


@pytest.mark.parametrize("kind", ["list", "code"])
def test_another_document_under_the_number_is_a_forgery(carried, policy, happen, kind):
    happen("issue", **issued("SELO-1", document="9" * 64))

    assert say(carried(kind), policy)[:2] == (["registry.other-document"], 6)


@pytest.mark.parametrize("kind", ["list", "code"])
def test_a_certificate_that_is_not_listed_is_unknown(carried, policy, happen, kind):
    happen("issue", **issued("SELO-1", document=DIGEST))

    (check,) = check_registry(DOCUMENT, "SELO-9", carried(kind), policy)

    assert (check.key, check.state) == ("registry.unknown", "open")


@pytest.mark.parametrize("kind", ["list", "code"])
def test_those_of_another_office_are_not_believed(carried, happen, kind, tmp_path):
    happen("issue", **issued("SELO-1", document=DIGEST))
    (tmp_path / "others").mkdir()
    others = QuickOffice(tmp_path / "others")

    keys, code, _ = say(carried(kind), read_registry_policy(others.policy))

    assert (keys, code) == (["registry.broken"], 6)


@pytest.mark.parametrize("make", [make_status_list, make_status_code])
def test_who_may_not_sign_heads_signs_no_list_and_no_code(registry, office, happen, make):
    happen("issue", **issued("SELO-1"))
    more = {"files": True} if make is make_status_list else {}
    number = () if make is make_status_list else ("SELO-1",)

    with pytest.raises(SeloError, match=r"does not allow .* to sign head"):
        make(registry, *number, office.laboratory, at=now(), **more)


def test_no_list_is_made_of_a_log_that_was_changed(registry, office, happen):
    happen("issue", **issued("SELO-1"))
    happen("suspend", certificate="SELO-1")
    log = registry.folder / "log.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))

    with pytest.raises(SeloError, match="not intact"):
        make_status_list(registry, office.bureau, files=False, at=now())


@pytest.mark.full
def test_a_list_is_compact(registry, office, happen):
    for number in range(40):
        happen("issue", **issued(f"SELO-{number}"))

    short = make_status_list(registry, office.bureau, files=False, at=now()).encode()
    log = sum(len(line) for line in registry.storage.lines())

    # A row holds the digest of a document, 64 letters, and little else.
    assert len(short) < 40 * 250 + 6000
    assert len(short) < log / 5


def test_a_list_says_what_the_log_said_when_it_was_made(registry, office, happen):
    happen("issue", **issued("SELO-1"))
    happen("issue", **issued("SELO-2"))
    early = make_status_list(registry, office.bureau, files=True, at=now())
    happen("supersede", certificate="SELO-1", successor="SELO-2")
    happen("issue", **issued("SELO-3"))
    late = make_status_list(registry, office.bureau, files=True, at=now())
    log = registry.check()

    assert compare_with_log(early, log) == []
    assert compare_with_log(late, log) == []
    # The rows of one under the head of the other: signed by who may, and yet not what the log says.
    mixed = msgspec.structs.replace(
        late, list=msgspec.structs.replace(late.list, certificates=early.list.certificates)
    )
    found = [problem.slots["certificate"] for problem in compare_with_log(mixed, log)]
    assert found == ["SELO-1", "SELO-3"]


@pytest.mark.full
def test_the_code_of_demonstration_keys_fits_a_qr_code_too(demonstration_office, tmp_path):
    office = demonstration_office
    place = tmp_path / "office"
    place.mkdir()
    for path in office.folder.iterdir():
        (place / path.name).write_bytes(path.read_bytes())
    signed = cms.ContentInfo.load(sign_content(b"", office.bureau, now()))["content"]
    chain = b"".join(pem.armor("CERTIFICATE", one.dump()) for one in signed["certificates"])
    (place / "chain.pem").write_bytes(chain)
    policy = place / "policy.yaml"
    text = policy.read_text("utf-8") + "certificates: [chain.pem]\n"
    policy.write_text(text, "utf-8")
    registry = CertificateRegistry.begin(
        tmp_path / "registry", policy, office.bureau, office.bureau
    )
    fields = issued("SELO-2026-000001", document=DIGEST)
    draft = registry.draft(EventKind.ISSUE, office.laboratory, **fields)
    registry.append(registry.sign(draft, office.laboratory), office.bureau)

    code = make_status_code(registry, "SELO-2026-000001", office.bureau, at=now())

    # A code of medium redundancy holds 3391 letters at most.
    assert len(code.text) < 1200
    checks = check_registry(DOCUMENT, "SELO-2026-000001", code, read_registry_policy(policy))
    assert exit_code_of(list(checks)) == 0


@needs("zbarimg")
def test_a_printed_code_is_read_by_a_reader_of_others(registry, office, policy, happen, tmp_path):
    happen("issue", **issued("SELO-1", document=DIGEST))
    code = make_status_code(registry, "SELO-1", office.bureau, at=now())
    picture = tmp_path / "code.png"
    picture.write_bytes(draw_status_code(code, "png"))

    done = subprocess.run(
        ["zbarimg", "--quiet", "--raw", picture], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == code.text
    read = parse_status_code(done.stdout)
    assert say(read, policy)[:2] == (["registry.valid"], 0)


def test_a_code_without_its_certificate_in_the_policy_is_refused(office, tmp_path):
    place = tmp_path / "office"
    place.mkdir()
    for path in office.folder.iterdir():
        (place / path.name).write_bytes(path.read_bytes())
    policy = place / "policy.yaml"
    policy.write_text(policy.read_text("utf-8").replace("[bureau.pem]", "[]"), "utf-8")
    registry = CertificateRegistry.begin(
        tmp_path / "registry", policy, office.bureau, office.bureau
    )
    draft = registry.draft(EventKind.ISSUE, office.laboratory, **issued("SELO-1"))
    registry.append(registry.sign(draft, office.laboratory), office.bureau)

    with pytest.raises(SeloError, match="certificate of this key"):
        make_status_code(registry, "SELO-1", office.bureau, at=now())


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b"\xff", b"SELO1:", b"SELO1:!!", b"SELO1:AAAA", b'{"list":1}', b"x" * 9999],
)
def test_what_is_neither_list_nor_code_is_refused(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)

    with pytest.raises(SeloError):
        open_source(path)


def test_a_list_is_json_that_anybody_can_read(registry, office, happen):
    happen("issue", **issued("SELO-1", files=FILES))

    read = json.loads(make_status_list(registry, office.bureau, files=True, at=now()).encode())

    (row,) = read["list"]["certificates"]
    assert row[:2] == ["SELO-1", "valid"]
    assert row[-1] == [["game.py", 3, "3" * 64, "4" * 40]]
