"""Documents that were signed and do not say what follows from their evidence."""

import dataclasses
import hashlib
from types import SimpleNamespace

import pytest
from tests.examine.forged_evidence import forge_evidence
from tests.often import often
from tests.verification.conftest import PASSPHRASE, altered, bound, signing, wrong

from selo.evidence.evidence_errors import EvidenceTampered
from selo.gate.permission_signature import PermissionSigner, Trust
from selo.report.content.report_builder import build_report
from selo.report.model.report_model import DocumentKind, HouseEdge
from selo.report.pdf.signable_pdf import render_signable_pdf
from selo.signing.keys.pkcs12_keys import load_pkcs12
from selo.signing.sign import document_signing
from selo.signing.signer_policy import AllowedSigner, SignerIdentity, SignerPolicy
from selo.signing.signing_enums import Capacity
from selo.signing.signing_errors import SigningRefused
from selo.verdict.overall import Overall
from selo.verification import permission_checks
from selo.verification.permission_checks import check_permissions
from selo.verification.verification_report import CheckState, exit_code_of
from selo.verification.verifier import VerificationRequest, verify_document


def _product(report):
    return {"item": altered(report.item, product="Another product", version="9.9")}


def _hashes(report):
    files = [altered(one, sha256="0" * 64) for one in report.item.files]
    return {"item": altered(report.item, files=files)}


def _law_in_force(report):
    return {
        "norms": [
            altered(one, standing="no-later-act", certain=True, is_law=True) for one in report.norms
        ]
    }


def _statement(report):
    words = altered(report.statement.verdict, pt="NÃO CONFORME")
    return {"statement": altered(report.statement, verdict=words)}


def _fewer_games(report):
    return {"totals": altered(report.totals, examined=report.totals.examined + 1)}


def _budget(report):
    return {"method": altered(report.method, budget="full")}


def _cases(report):
    return {"evidence": altered(report.evidence, cases=report.evidence.cases + 1)}


def _lines(report):
    return {"evidence": altered(report.evidence, lines=0)}


def _permission(_):
    return {"permissions": ["7/2026, The authority, 2026-01-01 – 2027-01-01, sha256:0"]}


def _forms(_):
    return {"forms": ["0" * 64]}


@pytest.mark.parametrize(
    ("lie", "part"),
    [
        (_product, "item"),
        (_permission, "permissions"),
        (_cases, "evidence"),
        pytest.param(_lines, "evidence", marks=pytest.mark.full),
        pytest.param(_forms, "forms", marks=pytest.mark.full),
        pytest.param(_hashes, "item", marks=pytest.mark.full),
        pytest.param(_law_in_force, "norms", marks=pytest.mark.full),
        pytest.param(_statement, "statement", marks=pytest.mark.full),
        pytest.param(_fewer_games, "totals", marks=pytest.mark.full),
        pytest.param(_budget, "method", marks=pytest.mark.full),
    ],
)
def test_what_does_not_follow_from_the_evidence_is_named_even_if_it_is_signed(
    material, signed_by, verify, lie, part
):
    report, files = material

    checks = verify(signed_by(bound(altered(report, **lie(report)), files)))

    assert wrong(checks) == {"contents": "contents.differ"}
    (found,) = [one for one in checks if one.name == "contents"]
    assert found.slots["parts"] == part


def edited(data):
    """Return a file with one letter changed."""
    return data.replace(b"conforms", b"conformt", 1) if b"conforms" in data else data[:-2] + b"0\n"


@pytest.mark.parametrize(
    "name", often(["result.json", "plan.json", "specs.lock.json"], "result.json")
)
def test_an_edited_attachment_is_named_though_its_digest_is_signed(
    material, signed_by, verify, name
):
    report, files = material
    files = {**files, name: edited(files[name])}
    attachments = [
        altered(one, sha256=hashlib.sha256(files[one.name]).hexdigest(), size=len(files[one.name]))
        for one in report.attachments
    ]

    checks = verify(signed_by(bound(altered(report, attachments=attachments), files)))

    assert wrong(checks) == {"attachments": "attachments.differ"}
    assert exit_code_of(checks) == 6


@pytest.mark.parametrize(
    "name", often(["..", "", "a/b", "x" * 5000, "../../etc/passwd", "witness-0.yaml"], "..")
)
@pytest.mark.full
def test_no_attachment_has_a_name_that_is_not_ours(material, signed_by, verify, name):
    report, files = material
    foreign = altered(report.attachments[0], name=name, attached=False)
    lying = altered(report, attachments=[*report.attachments, foreign])

    checks = verify(signed_by(bound(lying, files)))

    assert wrong(checks)["attachment"] == "attachment.unknown"
    assert exit_code_of(checks) == 6


def test_a_permission_that_nobody_signed_is_named(law, lawful, trust, tmp_path):
    invented = {
        "number": "7/2026", "issuer": "The authority", "issued": "2026-01-01",
        "expires": "2027-01-01", "sha256": "0" * 64, "certificate_sha256": "0" * 64,
        "demonstration": True, "games": {"pai-kao": []},
    }  # fmt: skip

    def permit(run):
        run.header["permissions"] = [invented]

    folder = forge_evidence(lawful, tmp_path / "forged", permit)
    (found,) = check_permissions(folder, law, Trust(roots=list(trust), revocations=[]))

    assert (found.state, found.key) == (CheckState.FAILED, "permission.refused")
    with pytest.raises(EvidenceTampered, match="is not there, or its signature"):
        build_report(folder, law)


def test_a_test_report_that_calls_itself_a_certificate_is_named_even_if_it_is_signed(
    material, signed_by, verify
):
    report, files = material
    lying = altered(report, kind=DocumentKind.CERTIFICATE, missing=[])

    found = wrong(verify(signed_by(bound(lying, files))))

    assert found["kind"] == "kind.not-allowed"


def test_what_the_document_concludes_is_told(document, verify):
    checks = verify(document)

    (told,) = [one for one in checks if one.name == "conclusion"]
    assert told.key == "concludes.conforms"
    assert told.state is CheckState.HOLDS


@pytest.mark.full
def test_a_conclusion_that_says_no_is_a_warning(material, verify, signed_by):
    report, files = material
    checks = verify(signed_by(bound(altered(report, overall=Overall.VIOLATES), files)))

    (told,) = [one for one in checks if one.name == "conclusion"]
    assert (told.key, told.state) == ("concludes.violates", CheckState.WARNING)


def test_nobody_signs_twice(material, keys):
    twice = signing(lambda _: load_pkcs12(keys / "laboratory.p12", PASSPHRASE))

    with pytest.raises(SigningRefused) as refused:
        twice(bound(*material))

    assert refused.value.reason == "same-key"


def test_one_key_in_two_capacities_is_named(material, keys, verify, monkeypatch):
    """Somebody else's program may sign so."""
    real = document_signing.inspect_signatures

    def nobody(document, *given, **more):
        found = real(document, *given, **more)
        nobody = SignerIdentity("0", "0", "nobody")
        people = tuple(dataclasses.replace(one, identity=nobody) for one in found.signatures)
        return dataclasses.replace(found, signatures=people)

    monkeypatch.setattr(document_signing, "inspect_signatures", nobody)
    twice = signing(lambda _: load_pkcs12(keys / "laboratory.p12", PASSPHRASE))
    document = twice(bound(*material))

    found = wrong(verify(document))

    assert found["signatures"] == "signatures.same-key"
    assert found["signer Selo-bureau"] == "signer.not-allowed"


def test_a_signer_whom_the_document_does_not_announce_is_told(material, signed_by, verify):
    report, files = material
    named = [altered(one, name="Somebody Else") for one in report.signatories]

    checks = verify(signed_by(bound(altered(report, signatories=named), files)))

    told = [one for one in checks if one.key == "signatory"]
    assert [one.state for one in told] == [CheckState.OPEN, CheckState.OPEN]
    assert exit_code_of(checks) == 2


@pytest.mark.full
def test_another_house_edge_is_named_when_pages_are_compared(material, signed_by, law, trust):
    report, files = material
    more = HouseEdge(
        game="pai-kao", bet="x", name="x", exact="1/2", decimal="50%", declared=None,
        observed=None, label=None, agrees=None,
    )  # fmt: skip
    lying = signed_by(render_signable_pdf(altered(report, edges=[more]), files))

    found = wrong(verify_document(lying, law, VerificationRequest(trust=trust, pages=True)))

    assert found == {"contents": "contents.differ"}


def test_that_pages_were_not_compared_is_told(document, verify):
    assert "pages.not-compared" in {one.key for one in verify(document)}


@pytest.mark.parametrize(
    ("named", "key"),
    [
        (["Authority"], "permission"),
        (["Another"], "permission.not-authority"),
        ([], "permission.unchecked"),
    ],
)
def test_only_an_authority_of_the_policy_permits_anything(named, key):
    signer = PermissionSigner(
        name="Authority", certificate_sha256="1" * 64, key_sha256="2" * 64, demonstration=False
    )
    policy = SignerPolicy(
        signers=((Capacity.LABORATORY, AllowedSigner(name="Authority")),),
        authorities=tuple(AllowedSigner(name=name) for name in named),
    )

    check = permission_checks._check_authority(  # noqa: SLF001 - the rest needs a signed run
        "permission", SimpleNamespace(number="1/2026"), signer, policy
    )

    assert check.key == key
    assert check.state is {"permission": CheckState.HOLDS}.get(
        key, CheckState.OPEN if key.endswith("unchecked") else CheckState.FAILED
    )
