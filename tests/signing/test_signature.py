"""Signatures at every level, judged by other people's tools."""

import hashlib
import io
import subprocess

import pikepdf
import pytest
from tests.tools import needs

from selo.signing.keys.pkcs12_keys import load_pkcs12
from selo.signing.sign.document_signing import sign_document
from selo.signing.signing_enums import Capacity, Level, SignatureStanding
from selo.signing.signing_errors import SigningRefused
from selo.signing.verify.document_inspection import ValidationKnowledge, inspect_signatures

from .conftest import PASSPHRASE, asn1, boxed, holes, laid_out

LEVELS = [level.value for level in Level]


def run(*command):
    return subprocess.run([*map(str, command)], capture_output=True, check=False, timeout=60)


def text(document, tmp_path):
    path = tmp_path / "text.pdf"
    path.write_bytes(document)
    return run("pdftotext", path, "-").stdout.decode()


@pytest.mark.parametrize("level", LEVELS)
def test_a_signature_reaches_the_level_that_was_asked_for(signed, roots, level):
    found = inspect_signatures(signed(level), roots)

    assert found.good, found
    assert [one.level for one in found.people] == [Level(level)]


@needs("pdfsig")
@pytest.mark.parametrize("level", ["b-b", "b-t", "b-lt"])
def test_poppler_accepts_a_signature_over_the_total_document(signed, pdfsig, level):
    (one,) = pdfsig(signed(level))

    assert "Signature is Valid" in one["text"]
    assert "- Total document signed" in one["text"]


@needs("pdfsig")
def test_poppler_accepts_both_signatures_and_the_last_timestamp_ends_the_file(signed, pdfsig):
    said = {one["field"]: one["text"] for one in pdfsig(signed("b-lta", 2))}

    assert "Signature is Valid" in said["Selo-laboratory"]
    assert "Signature is Valid" in said["Selo-bureau"]
    assert "- Total document signed" in said["Selo-bureau-timestamp"]


@needs("qpdf")
@pytest.mark.parametrize(("level", "signers"), [("b-b", 1), ("b-lta", 2)])
def test_qpdf_finds_nothing_wrong(signed, tmp_path, level, signers):
    path = tmp_path / "signed.pdf"
    path.write_bytes(signed(level, signers))

    said = run("qpdf", "--check", path)

    assert said.returncode == 0, said.stdout


@needs("openssl")
@pytest.mark.parametrize("level", LEVELS)
def test_openssl_verifies_the_container_against_the_signed_bytes(signed, keys, tmp_path, level):
    around, inside, _ = holes(signed(level))[0]
    content, container = tmp_path / "content", tmp_path / "container"
    content.write_bytes(around)
    container.write_bytes(inside)

    said = run(
        "openssl", "cms", "-verify", "-binary", "-inform", "DER", "-in", container,
        "-content", content, "-CAfile", keys / "root.pem", "-out", "/dev/null",
        "-purpose", "any",
    )  # fmt: skip

    assert said.returncode == 0, said.stderr


@needs("openssl")
def test_openssl_verifies_the_timestamp_over_the_document(signed, keys, tmp_path):
    around, inside, _ = holes(signed("b-lta"))[-1]
    token = tmp_path / "token"
    token.write_bytes(inside.rstrip(b"\0"))

    said = run(
        "openssl", "ts", "-verify", "-token_in", "-in", token,
        "-digest", hashlib.sha256(around).hexdigest(),
        "-CAfile", keys / "root.pem", "-untrusted", keys / "issuing.pem",
    )  # fmt: skip

    assert b"Verification: OK" in said.stdout, said.stderr


def test_the_laboratory_certifies_and_the_bureau_approves(signed, roots):
    found = inspect_signatures(signed("b-lta", 2), roots)

    assert [(one.capacity, one.certifies) for one in found.people] == [
        (Capacity.LABORATORY, True),
        (Capacity.BUREAU, False),
    ]


def test_a_certified_document_permits_only_signing_and_filling_in(signed):
    with pikepdf.open(io.BytesIO(signed("b-b"))) as pdf:
        reference = pdf.Root.Perms.DocMDP.Reference[0]

        assert (str(reference.TransformMethod), int(reference.TransformParams.P)) == ("/DocMDP", 2)


def test_signing_leaves_what_the_document_says_of_itself_alone(paper, signed):
    with (
        pikepdf.open(io.BytesIO(paper)) as before,
        pikepdf.open(io.BytesIO(signed("b-lta", 2))) as after,
    ):
        assert after.Root.Metadata.read_bytes() == before.Root.Metadata.read_bytes()
        assert dict(after.docinfo) == dict(before.docinfo)


def test_signing_only_appends(paper, signed):
    assert signed("b-lta", 2).startswith(paper)


@needs("pdftotext")
def test_the_page_shows_who_signed_in_which_capacity_when_and_how(signed, tmp_path, roots):
    document = signed("b-lta")
    when = inspect_signatures(document, roots).people[0].claimed_at

    shown = text(document, tmp_path)

    for words in (
        "DEMONSTRATION examiner 1 / DEMONSTRAÇÃO / 示範",
        "director técnico · 技術總監",
        "assinatura electrónica avançada · 高級電子簽名",
        f"{when:%Y-%m-%d %H:%M}",
        "PAdES B-LTA",
        "DEMONSTRAÇÃO, sem valor legal · 示範，不具法律效力",
    ):
        assert words in shown
    assert "qualificada" not in shown


@needs("pdftotext")
@pytest.mark.parametrize(
    ("configured", "standing", "words"),
    [
        (True, SignatureStanding.QUALIFIED, "assinatura electrónica qualificada · 合格電子簽名"),
        (False, SignatureStanding.ADVANCED, "assinatura electrónica avançada · 高級電子簽名"),
    ],
)
def test_a_signature_is_qualified_only_under_a_root_configured_as_such(
    fonts, wanted, stranger, issued, tmp_path, configured, standing, words
):
    root = asn1(stranger.certificate, tmp_path / "root.pem")
    real = load_pkcs12(issued(stranger, marked=False), PASSPHRASE)
    document = boxed(laid_out(fonts, demonstration=False))
    qualified = (root,) if configured else ()

    made = sign_document(
        document,
        real,
        wanted(demonstration=False, trust=(root,), revocations=(), qualified=qualified),
    )

    found = inspect_signatures(
        made.document, [root], knowledge=ValidationKnowledge(qualified=qualified)
    )
    assert words in text(made.document, tmp_path)
    assert [one.standing for one in found.people] == [standing]


@pytest.mark.parametrize("level", ["b-t", "b-lt", "b-lta"])
def test_a_level_without_its_means_is_refused(paper, key, wanted, level):
    with pytest.raises(SigningRefused, match="needs a timestamp"):
        sign_document(paper, key("laboratory"), wanted(level, stamper=None))


def test_a_lasting_signature_without_revocation_lists_is_refused(paper, key, wanted):
    with pytest.raises(SigningRefused, match="revocation lists"):
        sign_document(paper, key("laboratory"), wanted("b-lt", revocations=()))


def test_a_lasting_signature_with_too_few_revocation_lists_is_refused(paper, key, wanted, lists):
    with pytest.raises(SigningRefused) as refused:
        sign_document(paper, key("laboratory"), wanted("b-lt", revocations=lists[:1]))

    assert refused.value.reason == "chain"


def test_a_revoked_key_is_refused(paper, key, wanted, authority, revoking):
    lists = revoking(authority.laboratory.certificate, at=authority.made_at)

    with pytest.raises(SigningRefused, match="revoked"):
        sign_document(paper, key("laboratory"), wanted(revocations=lists))


def test_the_bureau_does_not_sign_before_the_laboratory(paper, key, wanted):
    with pytest.raises(SigningRefused, match="laboratory is needed"):
        sign_document(paper, key("bureau"), wanted(capacity=Capacity.BUREAU))


def test_nobody_signs_twice(signed, key, wanted):
    with pytest.raises(SigningRefused, match="already signed as laboratory"):
        sign_document(signed("b-b"), key("laboratory"), wanted())


def test_nobody_signs_a_document_without_a_box(printed, key, wanted):
    with pytest.raises(SigningRefused, match="no signature box"):
        sign_document(printed, key("laboratory"), wanted())


def test_nobody_signs_below_a_broken_signature(signed, key, wanted):
    spoilt = bytearray(signed("b-b"))
    spoilt[1000] ^= 1

    with pytest.raises(SigningRefused):
        sign_document(bytes(spoilt), key("bureau"), wanted(capacity=Capacity.BUREAU))


@pytest.mark.parametrize("document_is_one", [True, False])
def test_demonstration_keys_and_documents_meet_only_each_other(
    paper, key, wanted, stranger, issued, document_is_one
):
    real = load_pkcs12(issued(stranger, marked=False), PASSPHRASE)
    other = real if document_is_one else key("laboratory")

    with pytest.raises(SigningRefused) as refused:
        sign_document(paper, other, wanted(demonstration=document_is_one))

    assert refused.value.reason.startswith("demonstration-")


def test_a_character_that_no_font_has_is_named(paper, key, wanted, fonts):
    with pytest.raises(SigningRefused, match=r"U\+[0-9A-F]{4}"):
        sign_document(paper, key("laboratory"), wanted(fonts=fonts[:1]))
