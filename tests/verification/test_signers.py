"""A trusted root proves who signed; a policy says who may."""

import datetime as dt

import pytest
from asn1crypto import crl
from cryptography.hazmat.primitives.serialization import Encoding
from tests.often import often
from tests.verification.conftest import SAYS, altered, bound, wrong

from selo.report.model.report_model import DocumentKind
from selo.signing.keys import demo_authority as made
from selo.signing.keys.certificates import load_certificates
from selo.signing.keys.pkcs12_keys import load_pkcs12
from selo.signing.sign import document_signing
from selo.signing.sign.document_signing import SignatureRequest, sign_document
from selo.signing.signer_policy import SignerPolicy, identify_signer, parse_signers, read_policy
from selo.signing.signing_enums import Capacity, Level, SignerIdentity
from selo.signing.signing_errors import SigningRefused
from selo.signing.verify.document_inspection import ValidationKnowledge
from selo.verification.verification_report import CheckState, exit_code_of


@pytest.fixture(scope="module")
def authority():
    return made.make_demo_authority()


@pytest.fixture(scope="module")
def house(authority, tmp_path_factory):
    """Return the published files of an authority whose own keys we have, too."""
    folder = tmp_path_factory.mktemp("house")
    for name, content in authority.files("x").items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture
def asked(house):
    policy = read_policy(house / "signers.yaml")
    known = ValidationKnowledge(revocations=policy.revocations)
    return {"trust": policy.roots, "policy": policy, "known": known}


def issued(authority, role, key=None):
    """Return another certificate of the same authority, for a person with this name."""
    now = dt.datetime.now(dt.UTC)
    request = made.CertificateRequest(
        subject=made.subject_name(role), use=made.CertificateUse.DOCUMENTS, now=now, years=1
    )
    return authority.issuing.issue(request, key)


def opened(checks):
    return {one.key for one in checks if one.state is CheckState.OPEN}


def test_signers_of_the_policy_hold(material, signed_with, authority, verify, asked):
    both = {"laboratory": authority.laboratory, "bureau": authority.bureau}

    checks = verify(signed_with(both)(bound(*material)), **asked)

    assert exit_code_of(checks) == 0
    assert {"signer.laboratory", "signer.bureau"} <= {one.key for one in checks}


def test_with_a_bare_root_nobody_is_known_to_be_allowed(document, verify):
    checks = verify(document, policy=None)

    assert (opened(checks), exit_code_of(checks)) == ({"signers.unchecked"}, 2)


def test_anybody_else_under_the_root_is_named(material, signed_with, authority, verify, asked):
    others = {"laboratory": issued(authority, "laboratory"), "bureau": issued(authority, "bureau")}

    found = wrong(verify(signed_with(others)(bound(*material)), **asked))

    assert found == {
        "signer Selo-laboratory": "signer.not-allowed",
        "signer Selo-bureau": "signer.not-allowed",
    }


def test_roles_cannot_be_exchanged(material, signed_with, authority, verify, asked):
    report, files = material
    people = [
        altered(one, role="bureau" if one.role == "laboratory" else "laboratory")
        for one in report.signatories
    ]
    swapped = {"laboratory": authority.bureau, "bureau": authority.laboratory}
    document = signed_with(swapped)(bound(altered(report, signatories=people), files))

    assert set(wrong(verify(document, **asked)).values()) == {"signer.not-allowed"}


def test_one_key_with_two_certificates_is_named(
    material, signed_with, authority, verify, asked, monkeypatch
):
    twin = issued(authority, "bureau", authority.laboratory.key)
    monkeypatch.setattr(
        document_signing,
        "identify_signer",
        lambda one: SignerIdentity("", str(one.serial_number), ""),
    )
    document = signed_with({"laboratory": authority.laboratory, "bureau": twin})(bound(*material))
    monkeypatch.undo()

    found = wrong(verify(document, **asked))

    assert found["signatures"] == "signatures.same-key"


def test_nobody_counter_signs_with_another_certificate_of_the_same_key(
    material, signed_with, authority
):
    twin = issued(authority, "bureau", authority.laboratory.key)

    with pytest.raises(SigningRefused) as refused:
        signed_with({"laboratory": authority.laboratory, "bureau": twin})(bound(*material))

    assert refused.value.reason == "same-key"


@pytest.mark.parametrize("kind", often(list(DocumentKind)[1:], DocumentKind.CERTIFICATE))
def test_a_document_without_a_signature_that_its_kind_requires_never_holds(
    material, signed_by, verify, kind
):
    report, files = material
    alone = [one for one in report.signatories if one.role == "bureau"]
    if kind is DocumentKind.CERTIFICATE:
        alone = [one for one in report.signatories if one.role == "laboratory"]
    lying = altered(report, kind=kind, signatories=alone, missing=[])
    capacity = [Capacity.LABORATORY] if kind is DocumentKind.CERTIFICATE else []
    document = signed_by(bound(lying, files), *capacity) if capacity else bound(lying, files)

    assert exit_code_of(verify(document)) == 6


def test_a_revoked_signer_without_a_list_is_not_said_to_hold(document, verify):
    checks = verify(document, known=ValidationKnowledge())

    assert (opened(checks), exit_code_of(checks)) == ({"revocation.unknown"}, 2)


def test_a_revoked_signer_is_named(material, signed_with, authority, verify, asked):
    both = {"laboratory": authority.laboratory, "bureau": authority.bureau}
    now = dt.datetime.now(dt.UTC) - dt.timedelta(minutes=1)
    revoked = authority.issuing.make_revocation_list(
        now=now, revoked=[authority.laboratory.certificate]
    )
    lists = [revoked, authority.root.make_revocation_list(now=now)]
    known = ValidationKnowledge(
        revocations=tuple(crl.CertificateList.load(one.public_bytes(Encoding.DER)) for one in lists)
    )

    found = wrong(verify(signed_with(both)(bound(*material)), **{**asked, "known": known}))

    assert "/sign.fault.revoked" in found.values()


@pytest.mark.parametrize("kind", ["certificate", "key", "name"])
def test_a_signer_is_known_by_certificate_key_or_name(house, kind):
    (certificate,) = load_certificates(house / "issuing.pem")
    identity = identify_signer(certificate)
    value = getattr(identity, kind)
    who = value if kind == "name" else f"{kind}:{value.upper()}"

    policy = SignerPolicy(signers=parse_signers([f"bureau={who}"]))

    assert policy.allows(identity, Capacity.BUREAU)
    assert not policy.allows(identity, Capacity.LABORATORY)
    assert not policy.allows(SignerIdentity("0", "0", "nobody"), Capacity.BUREAU)


@pytest.mark.parametrize(
    "text", ["", "bureau", "bureau=", "bureau=key:12", "inspector=Somebody", "bureau=certificate:"]
)
def test_a_signer_that_names_nobody_is_refused(text):
    with pytest.raises(SigningRefused):
        parse_signers([text])


@pytest.mark.parametrize(
    "text",
    [
        "roots: []\nbureau:\n  - name: x\n",
        "roots: [root.pem]\nbureau:\n  - {}\n",
        "roots: [root.pem]\nbureau:\n  - {name: x, key: y}\n",
        "roots: [root.pem]\nbureau:\n  - key: short\n",
    ],
)
def test_a_policy_that_is_not_clear_is_refused(house, text):
    (house / "other.yaml").write_text(text, encoding="utf-8")

    with pytest.raises(SigningRefused):
        read_policy(house / "other.yaml")


@pytest.mark.parametrize(
    ("more", "reason"),
    [({"announced": "Somebody Else"}, "other-name"), ({"policy": SignerPolicy()}, "not-allowed")],
)
def test_signing_refuses_whom_verification_would_name(material, keys, root, more, reason):
    key = load_pkcs12(keys / "laboratory.p12", "for tests only")
    request = SignatureRequest(
        capacity=Capacity.LABORATORY, capacity_text=SAYS, level=Level.B, demonstration=True,
        fonts=(root / "reports/fonts/SourceSerif4-Regular.ttf",), **more,
    )  # fmt: skip

    with pytest.raises(SigningRefused) as refused:
        sign_document(bound(*material), key, request)

    assert refused.value.reason == reason
