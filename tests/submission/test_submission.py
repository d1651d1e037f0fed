"""A submission is complete and as its vendor signed it, or everything that is wrong is said."""

import json
import os

import jsonschema
import pytest
from tests.submission.conftest import PAR, write_submission
from tests.verification.certificates import run

from selo.cli.schemas.published_schemas import build_schema
from selo.gate.permission_scope import read_trust
from selo.law.status import macau_today
from selo.submission import check_submission, find_form_problems


@pytest.fixture(scope="module")
def trust(people):
    return read_trust([people.root])


@pytest.fixture
def problems(law, trust):
    def problems(folder):
        return [(one.state, one.key) for one in check_submission(folder, law, trust, macau_today())]

    return problems


def rewrite(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_submission_as_it_was_signed_is_complete(packed, problems):
    assert problems(packed) == []


def test_openssl_verifies_the_signature_of_the_vendor(packed, people, tmp_path):
    import subprocess  # noqa: PLC0415 - only here

    chain = tmp_path / "chain.pem"
    chain.write_bytes(people.root.read_bytes() + (people.folder / "issuing.pem").read_bytes())
    done = subprocess.run(
        ["openssl", "cms", "-verify", "-binary", "-inform", "DER", "-purpose", "any",
         "-in", packed / "submission.json.p7s", "-content", packed / "submission.json",
         "-CAfile", chain, "-out", os.devnull],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr


#: What somebody does to a signed submission, and what is then found besides.
ALTERED = {
    "a changed byte of the product": (
        lambda one: rewrite(one / "product/vendors/pai_kao.py", "return", "return  "),
        ("altered", "file-changed"),
    ),
    "a file that was added": (
        lambda one: (one / "product/more.py").write_text("x = 1\n"),
        ("altered", "file-extra"),
    ),
    "a file that is gone": (
        lambda one: (one / "product/vendors/craps.py").unlink(),
        ("altered", "file-gone"),
    ),
    "a link in the place of a file": (
        lambda one: [(one / "par.yaml").unlink(), (one / "par.yaml").symlink_to("dossier.yaml")],
        ("altered", "file-changed"),
    ),
    "another version in the form": (
        lambda one: rewrite(one / "submission.yaml", '"1.0"', '"1.1"'),
        ("altered", "form-differs"),
    ),
    "another digest in the manifest": (
        lambda one: rewrite(one / "submission.json", '"sha256":"', '"sha256":"0'),
        ("altered", "manifest"),
    ),
    "another version in the manifest": (
        lambda one: rewrite(one / "submission.json", '"1.0"', '"1.1"'),
        ("altered", "signature"),
    ),
    "a manifest with a space": (
        lambda one: rewrite(one / "submission.json", '"format":1', '"format": 1'),
        ("altered", "manifest"),
    ),
    "no signature": (
        lambda one: (one / "submission.json.p7s").unlink(),
        ("missing", "file"),
    ),
    "no manifest": (lambda one: (one / "submission.json").unlink(), ("missing", "file")),
    "a signature that is none": (
        lambda one: (one / "submission.json.p7s").write_bytes(b"0"),
        ("altered", "signature"),
    ),
}


@pytest.mark.parametrize("what", ALTERED)
def test_what_was_altered_after_signing_is_noticed(packed, problems, what):
    alter, expected = ALTERED[what]
    alter(packed)

    assert expected in problems(packed)


def test_a_stranger_of_the_same_name_is_not_the_vendor(packed, people, problems):
    (packed / "submission.json").unlink()
    (packed / "submission.json.p7s").unlink()
    assert run("submit", "pack", packed, *people.options("stranger")) == 0

    assert problems(packed) == [("altered", "signature")]


def test_somebody_else_under_the_root_cannot_sign_for_the_vendor(packed, people, capsys):
    assert run("submit", "pack", packed, *people.options("examiner")) == 3
    assert "Examiner 1" in capsys.readouterr().err


def test_without_roots_nothing_is_proven(packed, law):
    found = list(check_submission(packed, law, read_trust([]), macau_today()))

    assert [(one.state, one.key) for one in found] == [("untrusted", "nobody-trusted")]


#: What a vendor left out, and what is said of it.
LACKS = {
    "no form": (lambda one: (one / "submission.yaml").unlink(), {"file"}),
    "an unknown field": (
        lambda one: rewrite(one / "submission.yaml", "product:", "prodct:"),
        {"unreadable"},
    ),
    "an unknown game": (
        lambda one: rewrite(one / "submission.yaml", "[pai-kao,", "[pai-kow,"),
        {"game"},
    ),
    "no statements": (
        lambda one: rewrite(
            one / "submission.yaml",
            "[equals-delivery, files-complete, adapter-only-asks, nothing-hidden]",
            "[]",
        ),
        {"statement"},
    ),
    "a declaration of tomorrow": (
        lambda one: rewrite(one / "submission.yaml", str(macau_today()), "2999-01-01"),
        {"later-day"},
    ),
    "no dossier": (lambda one: (one / "dossier.yaml").unlink(), {"file"}),
    "a dossier without the client": (
        lambda one: (one / "dossier.yaml").write_text("demonstration: true\n"),
        {"dossier-field"},
    ),
    "a dossier outside": (
        lambda one: rewrite(one / "submission.yaml", "command:", "dossier: ../d.yaml\ncommand:"),
        {"file"},
    ),
    "no PAR sheet": (
        lambda one: rewrite(one / "submission.yaml", "par: {fish-prawn-crab: par.yaml}\n", ""),
        {"par"},
    ),
    "a PAR sheet of another game": (
        lambda one: (one / "par.yaml").write_text(PAR.replace("fish-prawn-crab", "craps")),
        {"par-game"},
    ),
    "an empty PAR sheet": (
        lambda one: (one / "par.yaml").write_text("game: fish-prawn-crab\nbets: []\n"),
        {"par"},
    ),
    "no product": (lambda one: (one / "product").rename(one / "other"), {"folder"}),
    "an adapter that is not there": (
        lambda one: rewrite(one / "submission.yaml", "reference.py", "absent.py"),
        {"adapter"},
    ),
    "a name that is no text": (lambda one: (one / "product/\udcff").touch(), {"file-name"}),
    "a name that is too long": (
        lambda one: [
            (one / "product" / ("a/" * 250)).mkdir(parents=True),
            (one / "product" / ("a/" * 250) / "b").touch(),
        ],
        {"file-name"},
    ),
    "a link": (lambda one: (one / "product/link").symlink_to("/etc/hostname"), {"not-a-file"}),
}


@pytest.fixture(scope="module")
def unsigned(tmp_path_factory, root):
    return write_submission(tmp_path_factory.mktemp("unsigned") / "submission", root)


@pytest.mark.parametrize("what", LACKS)
def test_what_a_vendor_left_out_is_said(packed, law, what):
    leave_out, expected = LACKS[what]
    leave_out(packed)

    found = list(find_form_problems(packed, law, macau_today()))

    assert {one.key for one in found} == expected
    assert all(one.message(language) for one in found for language in ("pt", "zh", "en"))


def test_everything_is_said_at_once(packed, law):
    for what in ("no statements", "no dossier", "no PAR sheet", "an adapter that is not there"):
        LACKS[what][0](packed)

    found = {one.key for one in find_form_problems(packed, law, macau_today())}

    assert found == {"statement", "file", "par", "adapter"}


def test_nothing_is_signed_while_anything_is_missing(unsigned, people, capsys):
    (unsigned / "dossier.yaml").rename(unsigned.parent / "dossier.yaml")

    code = run("submit", "pack", unsigned, *people.options("vendor"), "--json")

    printed = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(build_schema("submit-pack")).validate(printed)
    assert (code, [one["key"] for one in printed["problems"]]) == (2, ["file"])
    assert not (unsigned / "submission.json").exists()


@pytest.mark.parametrize(("alter", "code"), [(None, 0), ("no signature", 2),
                                             ("a file that was added", 6)])  # fmt: skip
def test_the_exit_code_says_what_is_wrong(packed, people, capsys, alter, code):
    if alter:
        ALTERED[alter][0](packed)

    assert run("submit", "check", packed, "--trust", people.root, "--json") == code
    printed = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(build_schema("submit-check")).validate(printed)
    assert printed["exit"] == code
