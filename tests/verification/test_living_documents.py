"""Documents that live: the law travels inside, and a later program works the verdicts out again."""

import hashlib
import shutil
import types

import msgspec
import pytest
from tests.verification.conftest import PASSPHRASE, ROOT, altered, bound, wrong

from selo.cli.parser.command_line import parse_arguments, run_command
from selo.edition import (
    EDITION_FILE,
    EDITION_SIGNATURE_FILE,
    SIGNED_EDITION_FILE,
    EditionBroken,
    describe_edition,
    digest_edition,
    is_shipped_edition,
    open_edition,
    pack_edition,
    read_edition_files,
    unpack_edition,
)
from selo.examine.run import evidence_header
from selo.gate.permission_signature import sign_permission
from selo.law import compute_spec_digest, load_law
from selo.report.content.reproducible_content import ReproducibleContent
from selo.report.formats.report_json import encode_report
from selo.report.model import report_model, results_model, subject_model
from selo.report.phrases.composition import words
from selo.signing.keys.pkcs12_keys import load_pkcs12
from selo.signing.verify.document_inspection import ValidationKnowledge
from selo.text import Words
from selo.verdict.observations import EntryTrust, Photo, Witness, WitnessAnswer
from selo.verification import document_law, document_parts
from selo.verification.edition_signature import find_edition_signer
from selo.verification.fact_comparison import (
    _TRUE_UNLESS_DENIED,
    check_foreign_words,
    differs_in_fact,
    find_differing_facts,
    find_hidden_obstacles,
)
from selo.verification.verification_report import CheckState, exit_code_of
from selo.verification.verifier import VerificationRequest, verify_document

KINDS = {SIGNED_EDITION_FILE: "edition", EDITION_SIGNATURE_FILE: "edition-signature"}
REGISTER = "specs/portaria-96-85-m/register/annex.yaml"


@pytest.fixture(scope="module")
def later_law(tmp_path_factory):
    """The law files of a later day: another word in the register, and one more reading."""
    folder = tmp_path_factory.mktemp("later")
    for name in ("specs", "bilingual"):
        shutil.copytree(ROOT / name, folder / name)
    path = folder / REGISTER
    text = path.read_text(encoding="utf-8")
    assert text.count("Whether") > 0
    path.write_text(text.replace("Whether", "If", 1), encoding="utf-8")
    return load_law(specs=folder / "specs", bilingual=folder / "bilingual")


@pytest.fixture
def another_program(monkeypatch):
    """A later version: every module of it may be another."""
    monkeypatch.setattr(evidence_header, "compute_tool_digest", lambda: "0" * 64)
    monkeypatch.setattr(document_parts, "compute_tool_digest", lambda: "0" * 64)


def states(checks):
    return {one.name: one.state for one in checks}


def keys_of(checks):
    return {one.name: one.key for one in checks}


def verified(document, law, trust, policy, **asked):
    known = ValidationKnowledge(revocations=policy.revocations)
    request = VerificationRequest(trust=trust, policy=policy, known=known, **asked)
    return list(verify_document(document, law, request))


@pytest.mark.usefixtures("another_program")
def test_a_document_outlives_a_changed_register_and_a_changed_version(
    document, later_law, trust, policy, law
):
    assert compute_spec_digest(later_law) != compute_spec_digest(law)

    checks = verified(document, later_law, trust, policy)

    assert exit_code_of(checks) == 0
    assert keys_of(checks)["verdicts"] == "verdicts"
    assert keys_of(checks)["words"] == "words.not-compared"


def test_words_are_compared_by_the_program_that_wrote_them(document, verify):
    assert "words" not in states(verify(document))


@pytest.mark.usefixtures("another_program")
def test_a_fact_that_does_not_follow_is_named_whatever_program_wrote_it(
    material, signed_by, later_law, trust, policy
):
    report, files = material
    lie = altered(report, totals=altered(report.totals, cases=report.totals.cases + 1))

    checks = verified(signed_by(bound(lie, files)), later_law, trust, policy)

    assert wrong(checks) == {"contents": "contents.differ"}


@pytest.mark.parametrize(
    ("said", "state"),
    [
        (words("report.verdict.violates"), CheckState.FAILED),
        (Words(pt="Bem", zh="好", en="Fine"), CheckState.OPEN),
    ],
)
def test_the_sentence_of_the_verdict_is_compared_whatever_version_wrote_it(material, said, state):
    report, _ = material
    statement = altered(report.statement, verdict=said)

    check = check_foreign_words(altered(report, statement=statement), report.statement, "9.9")

    assert check.state is state


def test_what_is_read_as_true_when_it_is_left_out_cannot_be_hidden_by_leaving_it_out():
    told = {"path": "a"}

    assert differs_in_fact(told, {"path": "a", "unchanged": False}, lenient=True)
    assert not differs_in_fact(told, {"path": "a", "unchanged": True, "later": 0}, lenient=True)


@pytest.mark.parametrize(
    ("told", "derived", "differs"),
    [
        ({}, {"later": 0}, True),
        ({}, {"powers": []}, False),
        ({}, {"powers": [1]}, True),
        ({"invented": 0}, {}, True),
        # A map by its keys, one of which has the name of the program.
        ({"confinement": {"selo": True}}, {"confinement": {"selo": False}}, True),
        ({"says": dict.fromkeys(("pt", "zh", "en"), "x")}, {"says": dict.fromkeys(
            ("pt", "zh", "en"), "y")}, False),
        # The words of a reading are those of the register, which travels with the document.
        ({"adopted": [{"says": dict.fromkeys(("pt", "zh", "en"), "x")}]}, {"adopted": [
            {"says": dict.fromkeys(("pt", "zh", "en"), "y")}]}, True),
        ({"recorded": [{}]}, {"recorded": [{"says": {"pt": "x"}}]}, False),
        ({"findings": [{}]}, {"findings": [{"says": {"pt": "x"}}]}, True),
    ],
)  # fmt: skip
def test_another_version_leaves_nothing_out_but_what_documents_did_not_have(told, derived, differs):
    assert differs_in_fact(told, derived) is differs


def test_every_field_that_is_read_as_true_when_it_is_left_out_is_known():
    structs = {held for held in vars(subject_model).values() if hasattr(held, "__struct_fields__")}
    structs |= {held for held in vars(results_model).values() if hasattr(held, "__struct_fields__")}
    structs |= {held for held in vars(report_model).values() if hasattr(held, "__struct_fields__")}

    names = {
        field.name
        for held in structs
        for field in msgspec.structs.fields(held)
        if field.default is True
    }

    assert names == set(_TRUE_UNLESS_DENIED)


def with_files(report, files, **changed):
    """Return report and files with some files exchanged, their digests made anew."""
    files = {**files, **changed}
    names = [one.name for one in report.attachments]
    new = [name for name in changed if name not in names]
    attachments = [
        altered(one, sha256=hashlib.sha256(files[one.name]).hexdigest(), size=len(files[one.name]))
        for one in report.attachments
    ]
    at = names.index(EDITION_FILE) + 1
    extra = [
        altered(
            attachments[0],
            what=words(f"report.attachment.{KINDS[name]}"),
            name=name,
            sha256=hashlib.sha256(files[name]).hexdigest(),
            size=len(files[name]),
        )
        for name in new
    ]
    return altered(report, attachments=[*attachments[:at], *extra, *attachments[at:]]), files


def doctored(packed):
    """Return a packed edition with one more line in one file."""
    files = unpack_edition(packed)
    name = next(name for name in files if name.endswith("/articles/annex.yaml"))
    return pack_edition({**files, name: files[name] + b"# doctored\n"})


def test_law_that_is_not_the_one_of_the_evidence_is_named(material, signed_by, verify):
    report, files = with_files(*material, **{EDITION_FILE: doctored(material[1][EDITION_FILE])})

    checks = verify(signed_by(bound(report, files)))

    assert wrong(checks)["edition"] == "law.differs"
    assert exit_code_of(checks) == 6


@pytest.mark.parametrize(
    "packed", [b"", b"\0" * 100, pack_edition({})], ids=["none", "raw", "empty"]
)
def test_a_broken_edition_is_exit_6(material, signed_by, verify, packed):
    report, files = with_files(*material, **{EDITION_FILE: packed})

    assert exit_code_of(verify(signed_by(bound(report, files)))) == 6


@pytest.mark.parametrize(
    "name", ["../x.yaml", "/etc/passwd", "specs/a/../../x.yaml", "specs/x.py", "bilingual/x/y.yaml"]
)
def test_files_of_an_edition_have_only_names_that_we_give(name):
    with pytest.raises(EditionBroken):
        unpack_edition(pack_edition({name: b"x"}))


def test_an_edition_is_unpacked_within_our_own_bound():
    with pytest.raises(EditionBroken, match="too large"):
        unpack_edition(pack_edition({"specs/a/instrument.yaml": b" " * (65 << 20)}))


def test_embedded_law_lies_in_a_folder_that_nobody_writes_to(law):
    with open_edition(read_edition_files(law)) as opened:
        assert opened.specs.stat().st_mode & 0o222 == 0
        assert compute_spec_digest(opened) == compute_spec_digest(law)


def test_the_edition_of_the_checkout_is_the_shipped_one(law):
    assert is_shipped_edition(digest_edition(read_edition_files(law)))


@pytest.fixture
def not_shipped(monkeypatch):
    """A program that ships another edition."""
    monkeypatch.setattr(document_law, "is_shipped_edition", lambda _: False)


@pytest.mark.usefixtures("not_shipped")
def test_law_for_which_nobody_answers_is_used_but_nothing_is_said_to_hold(
    document, later_law, trust, policy
):
    checks = verified(document, later_law, trust, policy)

    assert keys_of(checks)["edition"] == "law.nobody"
    assert states(checks)["verdicts"] is CheckState.HOLDS
    assert exit_code_of(checks) == 2


@pytest.mark.usefixtures("not_shipped")
def test_law_for_which_nobody_answers_is_not_loaded_from_an_unsigned_file(
    material, later_law, trust, policy
):
    checks = verified(bound(*material), later_law, trust, policy)

    assert states(checks)["edition"] is CheckState.OPEN
    assert keys_of(checks)["verdicts"] == "verdicts.not-worked-out"


def signed_edition(law, keys, name):
    content = describe_edition(law)
    key = load_pkcs12(keys / f"{name}.p12", PASSPHRASE)
    return {SIGNED_EDITION_FILE: content, EDITION_SIGNATURE_FILE: sign_permission(content, key)}


@pytest.mark.usefixtures("not_shipped")
@pytest.mark.parametrize(
    ("signer", "key", "code"), [("authority", "law.signed", 0), ("laboratory", "law.nobody", 2)]
)
def test_an_edition_holds_by_the_signature_of_an_authority_and_of_nobody_else(
    material, signed_by, later_law, trust, policy, law, keys, signer, key, code
):
    report, files = with_files(*material, **signed_edition(law, keys, signer))

    checks = verified(signed_by(bound(report, files)), later_law, trust, policy)

    assert keys_of(checks)["edition"] == key
    assert exit_code_of(checks) == code


def test_a_signature_on_another_edition_is_refused(
    material, signed_by, later_law, trust, policy, keys
):
    report, files = with_files(*material, **signed_edition(later_law, keys, "authority"))

    checks = verified(signed_by(bound(report, files)), later_law, trust, policy)

    assert wrong(checks)["edition"] == "law.signature-refused"
    assert exit_code_of(checks) == 6


def test_an_altered_record_of_an_edition_is_refused(
    material, signed_by, later_law, trust, policy, keys, law
):
    signed = signed_edition(law, keys, "authority")
    record = msgspec.json.decode(signed[SIGNED_EDITION_FILE])
    record["spec_digest"] = "0" * 64
    signed[SIGNED_EDITION_FILE] = msgspec.json.encode(record, order="sorted") + b"\n"
    report, files = with_files(*material, **signed)

    checks = verified(signed_by(bound(report, files)), later_law, trust, policy)

    assert wrong(checks)["edition"] == "law.signature-refused"


def test_an_authority_signs_the_edition_at_hand(law, keys, policy, tmp_path, capsys):
    secret = tmp_path / "secret"
    secret.write_text(PASSPHRASE, encoding="utf-8")
    words = ["law", "sign", "--p12", str(keys / "authority.p12"), "--passphrase-file", str(secret)]

    code = run_command(parse_arguments([*words, "--out", str(tmp_path / "edition.json"), "--json"]))

    edition = digest_edition(read_edition_files(law))
    found = find_edition_signer(tmp_path, edition, policy)
    assert (code, msgspec.json.decode(capsys.readouterr().out)["edition"]) == (0, edition)
    assert found.signer is not None
    assert (tmp_path / "edition.json").read_bytes() == describe_edition(law)


def test_a_field_that_another_version_leaves_out_hides_no_obstacle(material):
    report, _ = material
    followed = {name: getattr(report, name) for name in ReproducibleContent.__struct_fields__}
    method = altered(report.method, canonical_wrong=3, provisions=[report.provisions[0].id])
    derived = ReproducibleContent(**{**followed, "method": method})

    assert set(find_hidden_obstacles(report, derived)) == {"canonical", "scope"}
    assert find_hidden_obstacles(report, ReproducibleContent(**followed)) == []


def test_what_a_form_of_witnesses_says_follows_in_another_version_too(material):
    report, _ = material
    photo = Photo(file="a.jpg", sha256="0" * 64)
    written = Witness(
        provision="a", signed=EntryTrust.VALID, result=WitnessAnswer.MET, photos=(photo,)
    )
    first, *others = report.provisions
    witnessed = altered(report, provisions=[altered(first, witnesses=[written]), *others])
    parts = types.SimpleNamespace(raw=encode_report(witnessed))
    followed = {name: getattr(witnessed, name) for name in ReproducibleContent.__struct_fields__}

    assert find_differing_facts(parts, ReproducibleContent(**followed), lenient=False) == []
