"""The demonstration authority, as OpenSSL sees it and as people read it."""

import stat
import subprocess

import pytest
from tests.tools import needs

from selo.signing.keys.certificates import load_certificates
from selo.signing.keys.demo_mark import is_demonstration

from .conftest import PASSPHRASE, asn1

HOLDERS = ("root", "issuing", "laboratory", "bureau", "time")


def openssl(*arguments):
    return subprocess.run(
        ["openssl", *map(str, arguments)], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("holder", HOLDERS)
def test_every_name_says_demonstration_in_three_languages(authority, holder):
    subject = getattr(authority, holder).certificate.subject.rfc4514_string()

    assert all(word in subject for word in ("DEMONSTRATION", "DEMONSTRAÇÃO", "示範"))


@pytest.mark.parametrize("holder", HOLDERS)
def test_every_certificate_carries_the_mark(authority, holder, tmp_path):
    certificate = asn1(getattr(authority, holder).certificate, tmp_path / "one.pem")

    assert is_demonstration(certificate)


def test_a_certificate_of_anybody_else_carries_no_mark(stranger, tmp_path):
    assert not is_demonstration(asn1(stranger.certificate, tmp_path / "one.pem"))


@needs("openssl")
@pytest.mark.parametrize(
    ("holder", "purpose"), [("laboratory", "any"), ("bureau", "any"), ("time", "timestampsign")]
)
def test_openssl_follows_each_chain_to_the_root_and_finds_nothing_revoked(
    authority, keys, tmp_path, holder, purpose
):
    leaf, lists = tmp_path / "leaf.pem", tmp_path / "crl.pem"
    asn1(getattr(authority, holder).certificate, leaf)
    texts = [
        openssl("crl", "-inform", "DER", "-in", keys / f"{name}.crl").stdout
        for name in ("root", "issuing")
    ]
    lists.write_text("".join(texts), encoding="ascii")

    said = openssl(
        "verify", "-purpose", purpose, "-crl_check_all", "-CRLfile", lists,
        "-CAfile", keys / "root.pem", "-untrusted", keys / "issuing.pem", leaf,
    )  # fmt: skip

    assert said.returncode == 0, said.stderr


@needs("openssl")
def test_openssl_opens_the_keys_with_the_passphrase_and_not_without(keys, tmp_path):
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text(PASSPHRASE, encoding="utf-8")
    bad.write_text("another", encoding="utf-8")

    opened = [
        openssl("pkcs12", "-in", keys / "laboratory.p12", "-noout", "-passin", f"file:{file}")
        for file in (good, bad)
    ]

    assert [said.returncode == 0 for said in opened] == [True, False]


@needs("openssl")
def test_a_signers_key_binds_its_signer_and_issues_nothing(authority, tmp_path):
    path = tmp_path / "laboratory.pem"
    asn1(authority.laboratory.certificate, path)

    said = openssl("x509", "-in", path, "-noout", "-ext", "keyUsage,basicConstraints").stdout

    assert "Non Repudiation" in said
    assert "Certificate Sign" not in said
    assert "CA:FALSE" in said


def test_the_command_keeps_private_files_private(selo, keys, tmp_path):
    folder = tmp_path / "new"

    said = selo("keys", "demo", "--out", str(folder), "--passphrase-file", str(keys / "passphrase"))

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert said.returncode == 0, said.stderr
    assert {mode for name, mode in modes.items() if name.endswith(".p12")} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(load_certificates(folder / "root.pem")) == 1


def test_keys_are_never_replaced(selo, keys):
    before = {path.name: path.read_bytes() for path in keys.iterdir()}

    said = selo(
        "keys", "demo", "--out", str(keys), "--passphrase-file", str(keys / "passphrase"),
        "--lang", "pt",
    )  # fmt: skip

    assert said.returncode == 3
    assert "Chaves nunca são substituídas" in said.stderr
    assert {path.name: path.read_bytes() for path in keys.iterdir()} == before
