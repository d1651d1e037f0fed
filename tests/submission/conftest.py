"""A submission of the reference vendor, and the keys of vendor and examiner."""

import datetime as dt
import shutil
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import NameOID
from tests.verification.certificates import make_build

from selo.law.status import macau_today
from selo.signing.keys import load_pkcs12
from selo.signing.keys.demo_authority import CertificateRequest, CertificateUse, make_demo_authority

SECRET = "submission"  # noqa: S105 - opens keys that live as long as the tests
VENDOR = "Reference vendor"
FORM = """vendor: Reference vendor
product: Reference games
version: "1.0"
games: [pai-kao, fish-prawn-crab]
command: python3 adapters/python/reference.py
par: {{fish-prawn-crab: par.yaml}}
declaration:
  by: A Person
  capacity: director
  on: {day}
  statements: [equals-delivery, files-complete, adapter-only-asks, nothing-hidden]
"""
PAR = "game: fish-prawn-crab\nbets:\n  - {bet: small, win: 105/216}\n"


class People:
    """Keys under one root: of the vendor, of an examiner, and of a stranger to it."""

    def __init__(self, folder):
        self.folder = folder
        authority = make_demo_authority()
        for name, content in authority.files(SECRET).items():
            (folder / name).write_bytes(content)
        self.root = folder / "root.pem"
        self._write(authority.issuing, "vendor", VENDOR)
        self._write(authority.issuing, "examiner", "Examiner 1")
        self._write(make_demo_authority().issuing, "stranger", VENDOR)
        (folder / "secret").write_text(SECRET)

    def _write(self, issuing, name, common):
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])
        request = CertificateRequest(
            subject=subject, use=CertificateUse.DOCUMENTS, now=dt.datetime.now(dt.UTC), years=1
        )
        (self.folder / f"{name}.p12").write_bytes(issuing.issue(request).pkcs12(SECRET))

    def key(self, name):
        return load_pkcs12(self.folder / f"{name}.p12", SECRET)

    def options(self, name):
        secret = str(self.folder / "secret")
        return ["--p12", str(self.folder / f"{name}.p12"), "--passphrase-file", secret]


def write_submission(folder, root):
    """Write everything that a vendor submits, unsigned."""
    make_build(folder / "product")
    shutil.copy(root / "fixtures" / "demonstration" / "dossier.yaml", folder / "dossier.yaml")
    (folder / "submission.yaml").write_text(FORM.format(day=macau_today()), encoding="utf-8")
    (folder / "par.yaml").write_text(PAR, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def people(tmp_path_factory):
    return People(tmp_path_factory.mktemp("people"))


@pytest.fixture(scope="session")
def packed_once(tmp_path_factory, people, root):
    from tests.verification.certificates import run  # noqa: PLC0415 - only here

    folder = tmp_path_factory.mktemp("submission") / "submission"
    write_submission(folder, root)
    assert run("submit", "pack", folder, *people.options("vendor")) == 0
    return folder


@pytest.fixture
def packed(packed_once, tmp_path) -> Path:
    """A signed submission that a test may change."""
    return Path(shutil.copytree(packed_once, tmp_path / "submission"))
