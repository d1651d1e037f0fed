"""``selo report``: what it writes, what it refuses, and how it ends."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
import yaml

from selo.cli.output.exit_codes import Exit
from selo.cli.parser.command_line import parse_arguments, run_command
from selo.cli.runs.run_documents import write_documents
from selo.errors import SeloError, SpecError, UsageError
from selo.evidence.evidence_errors import EvidenceTampered
from selo.report.content import attachments
from selo.report.formats.format_registry import REPORT_FORMATS
from selo.report.formats.report_json import read_report
from selo.report.model.dossier import DocumentKind, Dossier, read_dossier
from selo.report.requirements.dossier_template import render_blank_dossier

QUICK = ["--format", "json", "--format", "junit", "--format", "sarif", "--format", "terminal"]


def content(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_same_run_gives_the_same_bytes_anywhere(small, tmp_path):
    places = {
        "here": {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "1"},
        "far/away": {"TZ": "Pacific/Auckland", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2"},
    }
    for place, environment in places.items():
        folder = tmp_path / place
        shutil.copytree(small, folder / "run")
        given = [str(folder / "run"), *QUICK, "--out", str(folder / "out")]
        subprocess.run(
            [Path(sys.executable).with_name("selo"), "report", *given],
            env={**os.environ, **environment},
            cwd=folder,
            check=False,
            capture_output=True,
        )

    one, other = (content(tmp_path / place / "out") for place in places)

    assert one == other
    assert len(one) == 4


def test_no_path_of_the_machine_stands_in_a_document(small, faulty, root):
    for text in (msgspec.json.encode(faulty).decode(), (small / "result.json").read_text("utf-8")):
        assert str(root) not in text


@pytest.fixture(scope="module")
def refusal(selo, small, tmp_path_factory):
    """What comes of asking for a certificate that is not possible, and where it would lie."""
    out = tmp_path_factory.mktemp("refused") / "out"
    return selo("report", str(small), "--kind", "certificate", "--out", str(out)), out


def test_a_certificate_that_is_not_possible_is_refused_and_nothing_is_written(refusal):
    done, out = refusal

    assert (done.returncode, out.exists()) == (Exit.OPEN, False)


def test_a_refusal_names_every_provision_that_stands_in_the_way(refusal, report):
    done, _ = refusal

    waiting = [one.id for one in report.provisions if one.counts and one.result != "conforms"]
    assert waiting
    assert all(f"- {name}: " in done.stderr for name in waiting)


def test_a_certificate_is_written_when_nothing_stands_in_its_way(sealed, law, dossier, tmp_path):
    write_documents(
        sealed, law, dossier, kind=DocumentKind.CERTIFICATE, formats=["json"], out=tmp_path
    )

    assert read_report(tmp_path / "report.json").kind == "certificate"


def test_evidence_above_the_limit_travels_beside_the_document(small, law, tmp_path, monkeypatch):
    size = (small / "evidence.jsonl.zst").stat().st_size
    monkeypatch.setattr(attachments, "MAX_ATTACHED_SIZE", size - 1)
    # The edition of the law is larger than the evidence of so small a run.
    monkeypatch.setattr(attachments, "_encode_edition", lambda _: b"{}\n")

    report = write_documents(small, law, Dossier(), formats=["json"], out=tmp_path)

    (evidence,) = [one for one in report.attachments if one.name == "evidence.jsonl.zst"]
    assert not evidence.attached
    beside = (tmp_path / evidence.name).read_bytes()
    assert hashlib.sha256(beside).hexdigest() == evidence.sha256


def test_the_limit_of_attachments_is_ten_megabytes():
    assert attachments.MAX_ATTACHED_SIZE == 10_000_000


@pytest.fixture(scope="module")
def told(selo, broken, tmp_path_factory):
    """What comes of a vendor that breaks the law, and where it lies."""
    out = tmp_path_factory.mktemp("told")
    return selo("report", str(broken), *QUICK, "--out", str(out)), out


def test_findings_lie_beside_the_documents_so_that_their_commands_work(told):
    _, out = told

    found = read_report(out / "report.json").findings
    assert found
    for one in found:
        path = out / one.replay.split()[2]
        assert json.loads(path.read_text("utf-8"))["id"] == one.id


def test_the_exit_code_is_that_of_the_verdict(told):
    done, _ = told

    assert done.returncode == Exit.VIOLATES


def test_what_is_printed_is_what_is_written(told):
    done, out = told

    assert done.stdout.startswith((out / "report.txt").read_text("utf-8"))


@pytest.mark.parametrize("name", ["findings/F-999.json", "report.json"])
def test_nothing_of_another_document_is_replaced_or_deleted(broken, law, tmp_path, name):
    left = tmp_path / name
    left.parent.mkdir(exist_ok=True)
    left.write_text("{}", encoding="utf-8")

    with pytest.raises(SeloError, match=re.escape(left.name)):
        write_documents(broken, law, Dossier(), formats=["json"], out=tmp_path)

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [left]


def test_the_same_document_is_written_again(broken, law, tmp_path):
    write_documents(broken, law, Dossier(), formats=["json"], out=tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}

    write_documents(broken, law, Dossier(), formats=["json"], out=tmp_path)

    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")} == before


def test_altered_evidence_gives_no_document(small, law, tmp_path):
    folder = shutil.copytree(small, tmp_path / "run")
    path = folder / "evidence.jsonl.zst"
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)

    with pytest.raises(EvidenceTampered):
        write_documents(folder, law, Dossier(), formats=["json"], out=tmp_path / "out")

    assert not (tmp_path / "out").exists()


def test_verdicts_are_not_taken_from_the_result_file(small, law, report, tmp_path):
    folder = shutil.copytree(small, tmp_path / "run")
    path = folder / "result.json"
    path.write_text(path.read_text("utf-8").replace('"inconclusive"', '"conforms"'), "utf-8")

    told = write_documents(folder, law, Dossier(), formats=["json"], out=tmp_path / "out")

    assert [one.result for one in told.provisions] == [one.result for one in report.provisions]


def test_an_empty_dossier_is_left_empty_by_whoever_does_not_fill_it_in(tmp_path):
    path = tmp_path / "dossier.yaml"

    run_command(parse_arguments(["report", "dossier", "--out", str(path)]))

    assert read_dossier(path) == Dossier()


def test_an_empty_dossier_has_every_field():
    commented = render_blank_dossier().replace("# scheme", "scheme").replace("# issued", "issued")
    text = commented.replace("# valid_until", "valid_until").replace("  # on:", "  on:")
    plain = yaml.load(text, Loader=yaml.CBaseLoader)  # noqa: S506 - it makes texts only

    fields = {one.name for one in msgspec.structs.fields(Dossier)}
    inside = {one.name for one in msgspec.structs.fields(Dossier().item.__class__)}
    assert (set(plain), set(plain["item"])) == (fields, inside)


def test_a_dossier_is_never_written_over(tmp_path):
    path = tmp_path / "dossier.yaml"
    path.write_text("kind: test-report\n", encoding="utf-8")

    code = run_command(parse_arguments(["report", "dossier", "--out", str(path)]))

    assert (code, path.read_text("utf-8")) == (Exit.USAGE, "kind: test-report\n")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("kind: licence", "kind"),
        ("time_zone: Asia/Macau", "UTC+08:00"),
        ("colour: red", "colour"),
        ("item: {condition: {pt: completo, en: complete}}", "condition"),
        ("item: {variant: [1, 2]}", "variant"),
        ("issued: soon", "issued"),
        ("declared_edges: {bacara: {tie: much}}", "much"),
    ],
)
def test_a_dossier_that_cannot_be_used_says_what_is_wrong(small, law, tmp_path, line, told):
    path = tmp_path / "dossier.yaml"
    path.write_text(f"{line}\n", encoding="utf-8")

    with pytest.raises((SpecError, UsageError)) as refused:
        write_documents(small, law, read_dossier(path), formats=["json"], out=tmp_path / "out")

    assert told in str(refused.value)


def test_a_folder_that_is_no_run_is_told(law, tmp_path):
    with pytest.raises(UsageError, match="folder"):
        write_documents(tmp_path, law, Dossier(), formats=["json"], out=tmp_path / "out")


def test_the_command_offers_every_format(tmp_path):
    given = [word for name in REPORT_FORMATS for word in ("--format", name)]

    assert parse_arguments(["report", str(tmp_path), *given]).format == list(REPORT_FORMATS)
