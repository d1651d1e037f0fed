import datetime as dt
import hashlib
import io
import json
import random
import shutil
import subprocess
import sys

import jsonschema
import msgspec
import pikepdf
import pytest
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.writer import PageObject
from tests.tools import needs
from tests.verification.conftest import altered, bound, wrong

from selo.cli.schemas.published_schemas import build_schema
from selo.evidence.evidence_writer import EvidenceWriter
from selo.report.pdf.signable_pdf import render_signable_pdf
from selo.report.phrases.composition import words
from selo.report.requirements.document_kind import rederive_missing
from selo.signing.keys import demo_authority as made
from selo.signing.keys.certificates import load_certificates
from selo.signing.signing_enums import Capacity
from selo.signing.verify.document_inspection import ValidationKnowledge
from selo.verdict.provision_verdict import Result
from selo.verification.verification_report import CheckState, exit_code_of, warning_check
from selo.verification.verifier import VerificationRequest, _check_validity, verify_document


def test_a_document_that_nobody_touched_holds(document, verify):
    checks = verify(document)

    assert not [one for one in checks if one.state in {CheckState.OPEN, CheckState.FAILED}]
    assert exit_code_of(checks) == 0
    assert {"evidence", "verdicts", "signatures", "report"} <= {one.name for one in checks}


def test_every_line_is_told_in_three_languages(document, verify):
    for one in verify(document):
        assert len({one.message(language) for language in ("pt", "zh", "en")}) == 3, one


def test_without_a_trusted_root_nothing_is_said_to_hold(document, law):
    checks = list(verify_document(document, law, VerificationRequest()))

    assert exit_code_of(checks) == 2
    assert "signature.untrusted" in {one.key for one in checks}


def test_an_unknown_signer_is_named(document, law, tmp_path):
    other = tmp_path / "root.pem"
    other.write_bytes(made.make_demo_authority().files("x")["root.pem"])

    checks = list(
        verify_document(document, law, VerificationRequest(trust=tuple(load_certificates(other))))
    )

    assert exit_code_of(checks) == 6
    # The other root has the same name, so a way to it is found, and does not hold.
    assert "/sign.fault.chain" in wrong(checks).values()


def test_an_expired_chain_is_named(document, verify):
    later = ValidationKnowledge(now=dt.datetime.now(dt.UTC) + dt.timedelta(days=366 * 30))

    found = wrong(verify(document, known=later))

    # By then the authority that issued the certificates has expired as well.
    assert set(found.values()) == {"/sign.fault.chain"}
    assert len(found) == 2


@pytest.mark.full
def test_a_single_signer_whose_certificate_expired_is_named(material, law, signed_with, tmp_path):
    authority = made.make_demo_authority()
    one_year = made.CertificateRequest(
        subject=made.subject_name("laboratory"),
        use=made.CertificateUse.DOCUMENTS,
        now=authority.made_at,
        years=1,
    )
    signers = {"laboratory": authority.issuing.issue(one_year), "bureau": authority.bureau}
    signed = signed_with(signers)(bound(*material))
    (tmp_path / "root.pem").write_bytes(authority.files("x")["root.pem"])
    (root,) = load_certificates(tmp_path / "root.pem")
    later = authority.made_at + dt.timedelta(days=2 * 366)

    before = list(verify_document(signed, law, VerificationRequest(trust=(root,))))
    after = list(
        verify_document(
            signed, law, VerificationRequest(trust=(root,), known=ValidationKnowledge(now=later))
        )
    )

    assert wrong(before) == {}
    assert wrong(after) == {"signature Selo-laboratory": "/sign.fault.expired"}


def flipped(document, at):
    return document[:at] + bytes([document[at] ^ 0x01]) + document[at + 1 :]


def sampled(document, count):
    chance = random.Random(7)  # noqa: S311 - the same places each time
    return sorted(chance.sample(range(len(document)), count))


def noticed(document, law, trust):
    """Return what is first said to be wrong, in words; nothing if nothing is."""
    for one in verify_document(document, law, VerificationRequest(trust=trust)):
        if one.state is CheckState.FAILED:
            return one.message("en")
    return ""


def test_a_changed_byte_is_noticed_wherever_it_is(document, law, trust):
    for at in sampled(document, 60):
        assert noticed(flipped(document, at), law, trust), at


@pytest.mark.full
def test_two_thousand_changed_bytes_are_all_noticed(document, law, trust):
    unseen = [
        at for at in sampled(document, 2000) if not noticed(flipped(document, at), law, trust)
    ]

    assert unseen == []


@pytest.mark.full
@needs("pdfsig")
def test_a_second_tool_notices_changed_bytes_in_the_signed_range(document, tmp_path):
    path = tmp_path / "flipped.pdf"
    holes = [(at, document.index(b">", at)) for at in _found(document, b"/Contents <")]
    for at in sampled(document, 2000):
        if any(first <= at <= last for first, last in holes):
            continue
        path.write_bytes(flipped(document, at))
        said = subprocess.run(["pdfsig", str(path)], capture_output=True, text=True, check=False)
        assert said.stdout.count("Signature is Valid") < len(Capacity), at


def _found(document, what):
    at = document.find(what)
    while at >= 0:
        yield at
        at = document.find(what, at + 1)


def test_a_document_written_anew_with_another_page_has_lost_its_signatures(document, verify):
    with pikepdf.open(io.BytesIO(document)) as pdf:
        pdf.add_blank_page()
        rewritten = io.BytesIO()
        pdf.save(rewritten)

    assert wrong(verify(rewritten.getvalue()))


class Appending(IncrementalPdfFileWriter):
    """Adds a revision that changes nothing but what the test changes."""

    def _update_meta(self):
        pass


def appended(document, change):
    """Return `document` with a revision behind its signatures."""
    writer = Appending(io.BytesIO(document))
    change(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def another_page(writer):
    contents = writer.add_object(generic.StreamObject(stream_data=b"0 0 99 99 re f"))
    writer.insert_page(PageObject(contents, media_box=(0, 0, 595, 842)))


def another_plan(writer):
    names = writer.root["/Names"]["/EmbeddedFiles"]["/Names"]
    at = next(at for at in range(0, len(names), 2) if names[at] == "plan.json")
    stream = names[at + 1].get_object()["/EF"]["/F"]
    stream._data = b"{}"  # noqa: SLF001 - there is no other way to replace it
    stream._encoded_data = None  # noqa: SLF001
    writer.update_container(stream)


@pytest.mark.parametrize("change", [another_page, another_plan])
def test_what_was_appended_behind_the_signatures_is_named(document, verify, change):
    found = wrong(verify(appended(document, change)))

    assert found["signatures"] == "/sign.fault.revision"
    assert {found[f"signature {one.field}"] for one in Capacity} == {"/sign.fault.changed"}
    if change is another_plan:
        assert found["attachment plan.json"] == "attachment.differs"


def test_bytes_after_the_end_are_noticed(document, verify):
    assert wrong(verify(document + b"\n% a comment\n"))


def test_a_document_cut_back_to_its_first_signature_is_noticed(material, signed_by, verify):
    one = signed_by(bound(*material), Capacity.LABORATORY)

    assert "/sign.fault.missing" in wrong(verify(one)).values()


def test_an_unsigned_report_does_not_hold(material, verify):
    checks = verify(bound(*material))

    assert exit_code_of(checks) == 6


def test_a_swapped_verdict_is_named_even_if_it_is_signed(material, signed_by, verify):
    report, files = material
    first = report.provisions[0]
    provisions = [altered(first, result=Result.VIOLATES), *report.provisions[1:]]

    checks = verify(signed_by(bound(altered(report, provisions=provisions), files)))

    assert wrong(checks) == {"verdicts": "verdicts.differ"}
    assert first.id in next(one for one in checks if one.name == "verdicts").message("en")


def test_a_replaced_attachment_is_named_even_if_it_is_signed(material, signed_by, verify):
    report, files = material

    checks = verify(signed_by(bound(report, {**files, "plan.json": b"{}\n"})))

    assert wrong(checks) == {"attachment plan.json": "attachment.differs"}


def test_an_attachment_too_many_is_named(material, signed_by, verify):
    report, files = material

    checks = verify(signed_by(bound(report, {**files, "more.txt": b"x"})))

    assert wrong(checks) == {"attachment more.txt": "attachment.unknown"}


def test_a_removed_line_of_evidence_is_named_even_if_all_digests_are_made_anew(
    material, signed_by, verify, lawful, tmp_path
):
    report, files = material
    folder = tmp_path / "again"
    shutil.copytree(lawful, folder)
    name = report.evidence.file.name
    shorter = _without_a_line(lawful, tmp_path / "new")
    files = {**files, name: shorter}
    attachments = [
        altered(one, sha256=hashlib.sha256(shorter).hexdigest(), size=len(shorter))
        if one.name == name
        else one
        for one in report.attachments
    ]

    checks = verify(signed_by(bound(altered(report, attachments=attachments), files)))

    assert wrong(checks) == {"evidence": "evidence.altered"}


def _without_a_line(folder, place):
    from selo.evidence.evidence_reader import EvidenceReader  # noqa: PLC0415

    lines = list(EvidenceReader(folder))
    place.mkdir()
    writer = EvidenceWriter(place)
    writer.header(_bare(lines[0]))
    writer.lines(lines[1:5] + lines[6:-1])
    writer.close(_bare(lines[-1]))
    return (place / "evidence.jsonl.zst").read_bytes()


def _bare(line):
    plain = json.loads(line)
    return {
        name: value for name, value in plain.items() if name not in {"evidence", "format", "lines"}
    }


def test_a_report_that_is_written_otherwise_is_noticed(material, signed_by, verify):
    report, files = material
    raw = msgspec.json.format(msgspec.json.encode(report), indent=1)

    assert wrong(verify(signed_by(bound(report, files, raw)))) == {"report": "report.rewritten"}


def test_evidence_that_travels_beside_is_asked_for(material, signed_by, verify, tmp_path):
    report, files = material
    name = report.evidence.file.name
    attachments = [
        altered(one, attached=False) if one.name == name else one for one in report.attachments
    ]
    inside = {other: data for other, data in files.items() if other != name}
    evidence = altered(report.evidence, file=attachments[0])
    lent = altered(report, attachments=attachments, evidence=evidence)
    document = signed_by(bound(lent, inside))

    asked = verify(document)
    (tmp_path / name).write_bytes(files[name])
    found = verify(document, beside=tmp_path)
    (tmp_path / name).write_bytes(files[name][:-1])
    other = verify(document, beside=tmp_path)

    assert exit_code_of(asked) == 2
    assert any(name in one.message("en") and "--beside" in one.message("en") for one in asked)
    assert exit_code_of(found) == 0
    assert wrong(other) == {f"attachment {name}": "attachment.differs"}


@pytest.mark.full
def test_the_pages_are_made_again_and_compared(material, signed_by, verify):
    report, files = material
    document = signed_by(render_signable_pdf(report, files))
    other = signed_by(bound(report, files))

    assert exit_code_of(verify(document, pages=True)) == 0
    assert wrong(verify(other, pages=True)) == {"pages": "pages.differ"}


def test_another_build_is_named_file_by_file(document, verify, root, material, tmp_path):
    report, _ = material
    assert exit_code_of(verify(document, installation=root)) == 0
    for file in report.item.files:
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / file.path, tmp_path / file.path)
    changed = tmp_path / report.item.files[0].path
    changed.write_bytes(changed.read_bytes() + b"\n")

    found = wrong(verify(document, installation=tmp_path))

    assert found == {f"file {report.item.files[0].path}": "file.differs"}


def test_a_vendor_of_another_build_is_named(document, selo, root, keys, tmp_path):
    path = tmp_path / "document.pdf"
    path.write_bytes(document)
    given = ("verify", str(path), "--policy", str(keys / "signers.yaml"), "--folder", str(root))

    same = selo(*given, "--vendor", f"{sys.executable} fixtures/adapters/python/reference.py")
    other = selo(
        *given, "--vendor",
        f"{sys.executable} fixtures/planted/vendor.py pai-kao rank-98-counts-as-100",
    )  # fmt: skip

    assert same.returncode == 0, same.stdout
    assert other.returncode == 6
    assert "or with other files" in other.stdout


def test_a_document_that_is_no_longer_valid_is_open(material, signed_by, verify):
    report, files = material
    dates = msgspec.structs.replace(report.dates, valid_until=dt.date(2020, 1, 1))

    known = words("report.condition.until", day=str(report.dates.valid_until))
    # A standard condition stands once.
    conditions = [
        *(one for one in report.conditions if one != known),
        words("report.condition.until", day="2020-01-01"),
    ]
    expired = altered(report, dates=dates, conditions=conditions)
    expired = altered(expired, missing=rederive_missing(expired))

    checks = verify(signed_by(bound(expired, files)))

    assert "validity.over" in {one.key for one in checks}
    assert exit_code_of(checks) == 2


def test_a_file_that_is_no_document_is_said_to_be_none(verify):
    assert wrong(verify(b"%PDF-1.7 nothing")) == {"document": "document.unreadable"}
    assert wrong(verify(b"")) == {"document": "document.unreadable"}


def test_nothing_looked_at_is_never_a_pass():
    assert exit_code_of([]) == 2
    assert exit_code_of([warning_check("law x", "law.revoked")]) == 2


@pytest.mark.parametrize(("certain", "perhaps"), [(True, ""), (False, ".perhaps")])
@pytest.mark.parametrize("standing", ["amended", "revoked", "not-yet"])
def test_a_text_that_is_not_the_law_is_a_warning(material, standing, certain, perhaps):
    report, _ = material
    norms = [altered(one, standing=standing, certain=certain) for one in report.norms]

    told = list(_check_validity(altered(report, norms=norms), dt.date(2026, 2, 1)))

    wanted = [(f"law.{standing}{perhaps}", CheckState.WARNING)]
    assert [(one.key, one.state) for one in told] == wanted


def test_a_text_that_was_amended_is_a_warning_and_no_check_that_holds(
    material, document, keys, selo, tmp_path
):
    report, _ = material
    path = tmp_path / "document.pdf"
    path.write_bytes(document)

    done = selo("verify", str(path), "--policy", str(keys / "signers.yaml"))
    plain = selo("verify", str(path), "--policy", str(keys / "signers.yaml"), "--json")

    (line,) = [one for one in done.stdout.splitlines() if report.norms[0].citation.pt in one]
    assert line.startswith("! ")
    assert done.returncode == plain.returncode == 0
    told = json.loads(plain.stdout)
    jsonschema.validate(told, build_schema("verify"))
    states = {one["key"]: one["state"] for one in told["checks"]}
    assert states["law.amended.perhaps"] == states["demonstration"] == "warning"
    assert states["verdicts"] == "holds"


def test_the_command_prints_a_line_for_each_check_and_one_exit_code(document, keys, selo, tmp_path):
    path = tmp_path / "document.pdf"
    path.write_bytes(document)

    done = selo("verify", str(path), "--policy", str(keys / "signers.yaml"))
    plain = selo("verify", str(path), "--policy", str(keys / "signers.yaml"), "--json")

    assert done.returncode == 0, done.stdout
    assert "Genuine." in done.stdout
    assert json.loads(plain.stdout)["exit"] == 0
    jsonschema.validate(json.loads(plain.stdout), build_schema("verify"))


def test_a_plan_is_run_again_and_another_build_is_told_apart(document, selo, tmp_path, root):
    path = tmp_path / "document.pdf"
    path.write_bytes(document)
    given = ("reproduce", str(path), "--folder", str(root))

    same = selo(
        *given, "--vendor", "python3 fixtures/adapters/python/reference.py",
        "--out", str(tmp_path / "a"), "--json",
    )  # fmt: skip
    other = selo(
        *given, "--vendor", "python3 fixtures/planted/vendor.py pai-kao rank-98-counts-as-100",
        "--out", str(tmp_path / "b"),
    )  # fmt: skip

    jsonschema.validate(json.loads(same.stdout), build_schema("reproduce"))
    assert json.loads(same.stdout)["changed"] == []
    assert json.loads(same.stdout)["same_build"] is True
    assert other.returncode == 1
    assert "portaria-96-85-m/annex/98: was conforms, is violates" in other.stdout
