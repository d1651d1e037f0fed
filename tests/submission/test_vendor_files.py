"""What the vendor signed and what was written about a run stay with its document."""

import datetime as dt
import json
import shutil
import sys

import jsonschema
import msgspec
import pytest
from tests.verification.certificates import run

from selo.cli.schemas.published_schemas import build_schema
from selo.evidence.canonical_json import encode_canonical
from selo.evidence.run_files import SUBMISSION_FILE, THREAD_FILE
from selo.gate.permission_scope import read_trust
from selo.report.content.attachments import is_enclosure_name
from selo.report.content.report_builder import build_document
from selo.signing.signer_policy import AllowedSigner, SignerPolicy
from selo.submission import MessageThread, ThreadBroken
from selo.verification.submission_checks import check_vendor_files
from selo.verification.verification_report import CheckState

VENDOR = f"{sys.executable} adapters/python/reference.py"
TERMS = ("--game", "pai-kao", "--as-of", "2026-01-31", "--text-as-stored")
POINT = "96-85-m-annex--order-direction"
NAMED = SignerPolicy(vendors=(AllowedSigner(name="Reference vendor"),))
NOW = dt.datetime(2026, 1, 31, 12, tzinfo=dt.UTC)


def examine(folder, out, *more):
    return run(
        "examine", "--vendor", VENDOR, "--folder", folder / "product", *TERMS, "--out", out, *more
    )


@pytest.fixture(scope="module")
def examined(packed_once, people, tmp_path_factory):
    """A run of what was submitted, with two messages about it."""
    out = tmp_path_factory.mktemp("run") / "run"
    examine(packed_once, out, "--submission", packed_once, "--trust", people.root)
    for who, text in (("examiner", "Which order do you follow?"), ("vendor", "Rank 98 is lowest.")):
        given = ("submit", "message", out, "--about", POINT, "--text", text)
        assert run(*given, *people.options(who)) == 0
    return out


@pytest.fixture
def kept(examined, tmp_path):
    return shutil.copytree(examined, tmp_path / "run")


@pytest.fixture(scope="module")
def report(examined, law):
    return build_document(examined, law).report


@pytest.fixture(scope="module")
def trust(people):
    return read_trust([people.root])


def states(report, folder, trust, policy=NAMED):
    return {
        one.name: (one.state, one.key) for one in check_vendor_files(report, folder, trust, policy)
    }


HOLD = {
    "submission": (CheckState.HOLDS, "submission"),
    "thread": (CheckState.HOLDS, "thread"),
}


def test_a_document_names_both_with_their_digests(report):
    attached = {one.name: one.sha256 for one in report.attachments}

    assert {SUBMISSION_FILE, f"{SUBMISSION_FILE}.p7s", THREAD_FILE} <= set(attached)
    assert all(is_enclosure_name(name) for name in attached)


def test_what_was_submitted_and_written_holds(report, examined, trust):
    assert states(report, examined, trust) == HOLD


def test_a_document_without_them_is_not_at_fault(report, tmp_path, trust):
    assert states(report, tmp_path, trust) == {}


def test_nobody_trusted_and_nobody_named_leave_it_open(report, examined, trust):
    untrusted = states(report, examined, read_trust([]))
    unnamed = states(report, examined, trust, SignerPolicy())

    assert {state for state, _ in untrusted.values()} == {CheckState.OPEN}
    assert unnamed["submission"] == (CheckState.OPEN, "submission.unnamed")


@pytest.mark.parametrize("field", ["vendor", "product", "version", "files", "games"])
def test_a_document_of_something_else_is_noticed(report, examined, trust, field):
    replace = msgspec.structs.replace
    if field == "files":
        first, *others = report.item.files
        item = replace(report.item, files=[replace(first, sha256="0" * 64), *others])
        other = replace(report, item=item)
    elif field == "games":
        other = replace(report, games=[replace(report.games[0], game="craps")])
    else:
        other = replace(report, item=replace(report.item, **{field: "other"}))

    assert states(other, examined, trust)["submission"][1] == "submission.differs"


def test_a_changed_manifest_is_noticed(report, kept, trust):
    path = kept / SUBMISSION_FILE
    path.write_bytes(path.read_bytes().replace(b"A Person", b"B Person"))

    assert states(report, kept, trust)["submission"] == (CheckState.FAILED, "submission.altered")


def lines_of(folder):
    return (folder / THREAD_FILE).read_bytes().splitlines(keepends=True)


#: What somebody does to the lines of a thread.
SPOILED = {
    "changed": lambda one: [one[0].replace(b"Which", b"What "), one[1]],
    "first left out": lambda one: one[1:],
    "turned round": lambda one: one[::-1],
    "repeated": lambda one: [*one, one[1]],
    "without its end": lambda one: [one[0], one[1].rstrip()],
    "with a space": lambda one: [one[0].replace(b'"number":1', b'"number": 1'), one[1]],
    "signed by nobody": lambda one: [one[0], one[1].replace(b'"signature":"', b'"signature":"A')],
    "of another run": lambda one: [line.replace(b'"evidence":"', b'"evidence":"0') for line in one],
}


@pytest.mark.parametrize("what", SPOILED)
def test_a_spoiled_thread_is_noticed(report, kept, trust, what):
    (kept / THREAD_FILE).write_bytes(b"".join(SPOILED[what](lines_of(kept))))

    assert states(report, kept, trust)["thread"] == (CheckState.FAILED, "thread.altered")


def test_nobody_writes_in_the_name_of_another(report, kept, trust, people):
    root = report.evidence.root
    thread = MessageThread.read(kept, root)
    thread.append(kept, evidence=root, about=POINT, text="I agree.", key=people.key("vendor"),
                  at=NOW)  # fmt: skip
    last = json.loads(lines_of(kept)[-1])
    last["message"]["by"] = "Examiner 1"
    (kept / THREAD_FILE).write_bytes(b"".join([*lines_of(kept)[:2], encode_canonical(last), b"\n"]))

    assert states(report, kept, trust)["thread"] == (CheckState.FAILED, "thread.altered")


def test_a_stranger_is_not_trusted(report, kept, trust, people):
    root = report.evidence.root
    MessageThread.read(kept, root).append(
        kept, evidence=root, about=POINT, text="x", key=people.key("stranger"), at=NOW
    )

    assert states(report, kept, trust)["thread"] == (CheckState.FAILED, "thread.altered")


def test_a_thread_is_read_with_its_signers(examined, people, capsys):
    assert run("submit", "thread", examined, "--trust", people.root, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(build_schema("submit-thread")).validate(printed)
    assert [one["by"] for one in printed["messages"]] == ["Examiner 1", "Reference vendor"]

    assert run("submit", "thread", examined) == 2


def test_a_broken_thread_ends_with_6_and_is_not_continued(kept, people):
    (kept / THREAD_FILE).write_bytes(lines_of(kept)[1])

    assert run("submit", "thread", kept, "--trust", people.root) == 6
    given = ("submit", "message", kept, "--about", POINT, "--text", "x")
    assert run(*given, *people.options("vendor")) == 6
    with pytest.raises(ThreadBroken):
        MessageThread.parse(b"{}", "0" * 64)


def test_a_message_is_about_something_that_there_is(kept, people):
    given = ("submit", "message", kept, "--about", "F-999", "--text", "x")

    assert run(*given, *people.options("vendor")) == 3


def test_another_product_than_the_submitted_one_is_refused(packed, people, tmp_path, capsys):
    shutil.copytree(packed / "product", tmp_path / "other" / "product")
    path = tmp_path / "other" / "product" / "vendors" / "pai_kao.py"
    path.write_text(path.read_text(encoding="utf-8") + "\n# other\n", encoding="utf-8")
    out = tmp_path / "run"

    code = examine(tmp_path / "other", out, "--submission", packed, "--trust", people.root)

    assert code == 3
    assert "pai_kao.py" in capsys.readouterr().err
    assert not (out / "evidence.jsonl.zst").exists()


def test_an_incomplete_submission_is_not_examined(packed, people, tmp_path, capsys):
    (packed / "product" / "more.py").write_text("x = 1\n")

    given = ("--submission", packed, "--trust", people.root)
    assert examine(packed, tmp_path / "run", *given) == 3
    assert "more.py" in capsys.readouterr().err
