"""``selo sign`` as people type it: what it says, how it ends, and what it leaves behind."""

import datetime as dt
import json
import os
from pathlib import Path

import pytest

from selo.cli.output.exit_codes import Exit
from selo.cli.parser.command_line import parse_arguments, run_command
from selo.signing.keys import demo_authority as made
from selo.signing.keys.demo_tsa import DemoTimeAuthority
from selo.signing.signing_enums import Level
from selo.signing.verify.document_inspection import inspect_file

from .conftest import boxed, laid_out


@pytest.fixture
def desk(tmp_path, paper, monkeypatch):
    """Return a folder with a document, in an environment that knows no secret."""
    (tmp_path / "paper.pdf").write_bytes(paper)
    for variable in ("SELO_PASSPHRASE", "SELO_PIN", "SELO_LANG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def typed(desk, keys, fonts, capsys):
    """Type ``selo sign`` and return exit code, output and complaint."""
    small = [word for font in fonts for word in ("--font", str(font))]

    def type_(*words, file="paper.pdf", key="laboratory", passphrase=keys / "passphrase"):
        given = ["sign", str(desk / file), "--out", "signed.pdf", *map(str, words), *small]
        if key is not None:
            given += ["--p12", str(keys / f"{key}.p12")]
        if passphrase is not None:
            given += ["--passphrase-file", str(passphrase)]
        code = run_command(parse_arguments(given))
        said = capsys.readouterr()
        return code, said.out, said.err

    return type_


def lasting(keys):
    lists = [word for name in ("root", "issuing") for word in ("--crl", keys / f"{name}.crl")]
    return ["--tsa", keys / "tsa.p12", "--trust", keys / "root.pem", *lists, "--level", "b-lta"]


def left(desk):
    return sorted(path.name for path in desk.iterdir())


def test_the_laboratory_signs_and_the_bureau_after_it(typed, desk, keys, roots):
    first = typed(*lasting(keys))
    Path("signed.pdf").rename("first.pdf")
    second = typed("--as", "bureau", *lasting(keys), file="first.pdf", key="bureau")

    found = inspect_file(desk / "signed.pdf", roots)
    assert (first[0], second[0]) == (Exit.CONFORMS, Exit.CONFORMS)
    assert "advanced electronic signature, level b-lta" in second[1]
    assert found.good
    assert [one.level for one in found.people] == [Level.LTA, Level.LTA]
    assert left(desk) == ["first.pdf", "paper.pdf", "signed.pdf"]


def test_the_result_is_told_to_programs(typed, desk, roots):
    code, out, _ = typed("--json")

    told = json.loads(out)
    (one,) = inspect_file(desk / "signed.pdf", roots).people
    assert code == Exit.CONFORMS
    assert told["signer"] == one.signer
    assert told["level"] == one.level == "b-b"
    assert told["standing"] == one.standing == "advanced"
    assert told["demonstration"] is True


def test_a_passphrase_may_come_from_the_environment(typed, keys, monkeypatch):
    monkeypatch.setenv("SELO_PASSPHRASE", (keys / "passphrase").read_text().strip())

    assert typed(passphrase=None)[0] == Exit.CONFORMS


def test_a_passphrase_may_be_typed_at_a_terminal(typed, keys, monkeypatch):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    asked = []

    def answer(prompt):
        asked.append(prompt)
        return (keys / "passphrase").read_text().strip()

    monkeypatch.setattr("getpass.getpass", answer)

    assert typed("--lang", "pt", passphrase=None)[0] == Exit.CONFORMS
    assert asked == ["Palavra-passe da chave: "]


def test_without_a_terminal_nobody_is_asked(typed, desk):
    code, _, complaint = typed(passphrase=None)

    assert code == Exit.USAGE
    assert "SELO_PASSPHRASE" in complaint
    assert left(desk) == ["paper.pdf"]


@pytest.mark.parametrize(
    ("language", "words", "hint"),
    [
        ("pt", "a palavra-passe não abre este ficheiro", "sugestão: Verifique a palavra-passe"),
        ("zh", "密碼不符", "建議：請核對密碼"),
        ("en", "the passphrase does not open this file", "hint: Check the passphrase"),
    ],
)
def test_a_wrong_passphrase_is_told_in_each_language(typed, desk, language, words, hint):
    wrong = desk / "wrong"
    wrong.write_text("wrong\n", encoding="utf-8")

    code, out, complaint = typed("--lang", language, passphrase=wrong)

    assert (code, out) == (Exit.USAGE, "")
    assert words in complaint
    assert hint in complaint
    assert left(desk) == ["paper.pdf", "wrong"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pt", "O ficheiro não é um PDF, ou está danificado.\n  sugestão: Dê o PDF gerado por"),
        ("zh", "檔案並非PDF，或已損壞。\n  建議：請提供由selo report產生"),
        ("en", "The file is not a PDF, or is damaged.\n  hint: Give the PDF that selo report made"),
    ],
)
@pytest.mark.parametrize("content", [b"", b"no document", b"%PDF-1.7 nothing"])
def test_a_file_that_is_no_pdf_is_told_in_each_language(typed, desk, language, said, content):
    (desk / "paper.pdf").write_bytes(content)

    code, out, complaint = typed("--lang", language)

    assert (code, out) == (Exit.USAGE, "")
    assert said in complaint
    assert complaint.count("\n") == 2
    # pikepdf names an address in memory.
    assert "0x" not in complaint
    assert left(desk) == ["paper.pdf"]


def expired(authority, issued):
    return issued(authority.issuing, now=dt.datetime.now(dt.UTC) - dt.timedelta(days=800))


def not_yet(authority, issued):
    return issued(authority.issuing, now=dt.datetime.now(dt.UTC) + dt.timedelta(days=9))


def of_a_server(authority, issued):
    return issued(authority.issuing, use=made.CertificateUse.OTHER)


def of_an_authority(authority, issued):
    return issued(authority.root, use=made.CertificateUse.AUTHORITY)


def real(authority, issued):
    return issued(authority.issuing, marked=False)


@pytest.mark.parametrize(
    ("holder", "words"),
    [
        (expired, "expired on"),
        (not_yet, "is valid only from"),
        (of_a_server, "not for signing documents"),
        (of_an_authority, "not for signing documents"),
        (real, "the document is a demonstration"),
    ],
)
def test_a_key_that_may_not_sign_is_refused(typed, desk, authority, issued, holder, words):
    path = holder(authority, issued)
    before = left(desk)

    code, _, complaint = typed("--p12", path, key=None)

    assert code == Exit.USAGE
    assert words in complaint
    assert left(desk) == before


def test_clocks_that_do_not_agree_end_the_command(typed, desk, listening_at, key):
    class Late(DemoTimeAuthority):
        def now(self):
            return super().now() - dt.timedelta(minutes=5)

    code, _, complaint = typed("--tsa", listening_at(Late(key("tsa")).answer))

    assert code == Exit.USAGE
    assert "the clocks do not agree" in complaint
    assert left(desk) == ["paper.pdf"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--tsa", "http://127.0.0.1:9/"], "does not answer"),
        (["--level", "b-lta"], "needs a timestamp"),
        (["--trust", "paper.pdf"], ": not a certificate"),
        (["--crl", "paper.pdf"], ": not a revocation list"),
        (["--font", "paper.pdf"], "this font cannot be used"),
        (["--as", "bureau"], "the signature of laboratory is needed"),
        (["--out", "nowhere/signed.pdf"], "cannot be written"),
    ],
)
def test_what_cannot_be_used_is_named(typed, desk, words, complaint):
    code, _, said = typed(*words)

    assert code == Exit.USAGE
    assert complaint in said
    assert left(desk) == ["paper.pdf"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not a PDF"),
        (b"no pdf at all", "is not a PDF"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_document_is_not_signed(typed, desk, content, words):
    if content is not None:
        (desk / "other.pdf").write_bytes(content)

    code, _, complaint = typed(file="other.pdf")

    assert code == Exit.USAGE
    assert words in complaint


@pytest.mark.parametrize("key_file", ["paper.pdf", "missing.p12"])
def test_a_file_that_holds_no_key_is_named(typed, key_file):
    code, _, complaint = typed("--p12", key_file, key=None)

    assert code == Exit.USAGE
    assert key_file in complaint


def test_a_demonstration_key_signs_no_other_document(typed, desk, fonts):
    (desk / "real.pdf").write_bytes(boxed(laid_out(fonts, demonstration=False)))

    code, _, complaint = typed(file="real.pdf")

    assert code == Exit.USAGE
    assert "is for demonstration, and the document is not" in complaint


def test_a_pre_check_is_not_signed(typed, desk, fonts):
    (desk / "own.pdf").write_bytes(boxed(laid_out(fonts, kind="pre-check")))

    code, _, complaint = typed(file="own.pdf")

    assert code == Exit.USAGE
    assert "pre-check is not signed" in complaint


def test_a_full_disk_leaves_no_part_of_a_signed_file(typed, desk, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    code, _, complaint = typed("--out", "signed.pdf")

    assert code == Exit.USAGE
    assert "No space left" in complaint
    assert left(desk) == ["paper.pdf"]


@pytest.mark.parametrize("out", ["paper.pdf", "another.pdf"])
def test_no_file_is_replaced_by_a_signed_one(typed, desk, out):
    before = (desk / "paper.pdf").read_bytes()
    (desk / "another.pdf").write_bytes(b"theirs")

    code, _, complaint = typed("--out", out)

    assert code == Exit.USAGE
    assert "already there" in complaint
    assert (desk / "paper.pdf").read_bytes() == before
    assert (desk / "another.pdf").read_bytes() == b"theirs"


def test_a_token_without_its_labels_is_a_question_of_usage(typed):
    code, _, complaint = typed("--pkcs11-module", "x.so", key=None, passphrase=None)

    assert code == Exit.USAGE
    assert "--token" in complaint


def test_the_installed_command_signs(selo, desk, keys, roots):
    said = selo(
        "sign", "paper.pdf", "--p12", str(keys / "laboratory.p12"), "--out", "signed.pdf",
        "--passphrase-file", str(keys / "passphrase"), cwd=desk,
    )  # fmt: skip

    assert (said.returncode, said.stderr) == (0, "")
    assert inspect_file(desk / "signed.pdf", roots).good
