"""Keys on a token; here one of software, SoftHSM2."""

import os
import subprocess
from pathlib import Path

import pkcs11
import pytest
from cryptography.hazmat.primitives import serialization
from pkcs11.util import ec, rsa
from pkcs11.util import x509 as certificate_objects
from tests.tools import needs

from selo.signing.keys import demo_authority as made
from selo.signing.keys.certificates import load_certificates
from selo.signing.keys.pkcs11_token import TokenKeyLocation, open_token_key
from selo.signing.sign.document_signing import sign_document
from selo.signing.signing_enums import Level
from selo.signing.signing_errors import SigningRefused
from selo.signing.verify.document_inspection import inspect_signatures

from .conftest import asn1, elliptic

MODULES = (
    Path("/usr/lib/softhsm/libsofthsm2.so"),
    Path("/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so"),
    Path("/usr/lib64/pkcs11/libsofthsm2.so"),
)
MODULE = next((path for path in MODULES if path.exists()), None)
PIN = "123456"
LABEL = "selo"
pytestmark = needs("softhsm2-util")


def kept(session, label, holder, *, with_certificate=True):
    """Put a key, and its certificate, on the token."""
    raw = holder.key.private_bytes(
        serialization.Encoding.DER,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    curve = isinstance(holder.key, made.ec.EllipticCurvePrivateKey)
    objects = [ec.decode_ec_private_key(raw) if curve else rsa.decode_rsa_private_key(raw)]
    if with_certificate:
        der = holder.certificate.public_bytes(serialization.Encoding.DER)
        objects.append(certificate_objects.decode_x509_certificate(der))
    for one in objects:
        one.update({pkcs11.Attribute.LABEL: label, pkcs11.Attribute.TOKEN: True})
        session.create_object(one)


@pytest.fixture(scope="session")
def token(authority, tmp_path_factory):
    """Return a token with a key of each kind; the module is loaded once in a process."""
    folder = tmp_path_factory.mktemp("token")
    (folder / "tokens").mkdir()
    settings = folder / "softhsm2.conf"
    settings.write_text(f"directories.tokendir = {folder / 'tokens'}\n", encoding="ascii")
    os.environ["SOFTHSM2_CONF"] = str(settings)
    subprocess.run(
        ["softhsm2-util", "--init-token", "--free", "--label", LABEL,
         "--so-pin", PIN, "--pin", PIN],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    asked = made.CertificateRequest(
        subject=made.subject_name("laboratory"),
        use=made.CertificateUse.DOCUMENTS,
        now=authority.made_at,
        years=1,
    )
    curve = authority.issuing.issue(asked, elliptic())
    held = pkcs11.lib(str(MODULE)).get_token(token_label=LABEL)
    with held.open(rw=True, user_pin=PIN) as session:
        kept(session, "rsa", authority.laboratory)
        kept(session, "ec", curve)
        kept(session, "bare", curve, with_certificate=False)
        kept(session, "twice", curve, with_certificate=False)
        kept(session, "twice", curve, with_certificate=False)
    return curve


@pytest.fixture
def place(token, keys):
    """Return where a key on the token is: `place(key="ec")`."""
    assert token
    given = {"module": MODULE, "token": LABEL, "key": "rsa"}
    given["others"] = tuple(load_certificates(keys / "issuing.pem"))
    return lambda **other: TokenKeyLocation(**{**given, **other})


def refused(place, pin=PIN):
    with pytest.raises(SigningRefused) as found, open_token_key(place, pin):
        pass
    return found.value.reason


@needs("pdfsig")
@pytest.mark.parametrize(("label", "level"), [("rsa", "b-b"), ("ec", "b-b"), ("ec", "b-lta")])
def test_a_key_on_a_token_signs(paper, place, wanted, roots, label, level, pdfsig):
    with open_token_key(place(key=label), PIN) as key:
        document = sign_document(paper, key, wanted(level)).document

    found = inspect_signatures(document, roots)
    assert found.good, found
    assert found.people[0].level is Level(level)
    assert "Signature is Valid" in pdfsig(document)[0]["text"]


def test_a_certificate_may_come_from_a_file(paper, token, place, wanted, roots, tmp_path):
    own = asn1(token.certificate, tmp_path / "own.pem")

    with open_token_key(place(key="bare", certificate=own), PIN) as key:
        document = sign_document(paper, key, wanted()).document

    assert inspect_signatures(document, roots).good


def test_a_wrong_pin_is_named(place):
    assert refused(place(), "000000") == "pin"


def test_a_token_that_is_not_there_is_named(place):
    assert refused(place(token="another")) == "token-missing"  # noqa: S106 - a label


def test_a_module_that_is_not_there_is_named(place, tmp_path):
    assert refused(place(module=tmp_path / "no.so")) == "token-module"


@pytest.mark.parametrize("label", ["none", "twice"])
def test_a_key_that_is_not_the_only_one_of_its_label_is_named(place, label):
    assert refused(place(key=label)) == "token-key"


def test_a_key_without_its_certificate_is_named(place):
    assert refused(place(key="bare")) == "token-certificate"


def test_a_key_of_another_certificate_is_noticed(paper, place, wanted, authority, tmp_path):
    other = asn1(authority.bureau.certificate, tmp_path / "other.pem")

    with (
        pytest.raises(SigningRefused) as found,
        open_token_key(place(certificate=other), PIN) as key,
    ):
        sign_document(paper, key, wanted())

    assert found.value.reason == "self-check"
