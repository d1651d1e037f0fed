"""A document by the law of a permission holds if an authority signed it, and by nobody else."""

import os
import subprocess
import sys

import pytest
import yaml
from tests.gate.test_permitted_law import add_example
from tests.verification.conftest import DOSSIER, PASSPHRASE, ROOT, bound

from selo.edition import read_edition_files
from selo.gate.permission_signature import sign_permission, signature_path
from selo.gate.permitted_law import find_added_law
from selo.law.loader import load_law
from selo.report.content.report_builder import build_document
from selo.signing.keys.certificates import certificate_name
from selo.signing.keys.pkcs12_keys import load_pkcs12
from selo.verification.verification_report import CheckState

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def whole(once):
    folder = once("law-with-permission", add_example)
    return load_law(specs=folder / "specs", bilingual=folder / "bilingual")


@pytest.fixture(scope="module")
def document_of(law, whole, keys, signed_by, tmp_path_factory):
    """Return a signed document whose permission somebody signed."""

    def of(signer):
        folder = tmp_path_factory.mktemp(signer)
        key, path = load_pkcs12(keys / f"{signer}.p12", PASSPHRASE), folder / "permission.yaml"
        added = find_added_law(read_edition_files(law), read_edition_files(whole), path)
        plain = {
            "permission": "DEMO-2", "issuer": certificate_name(key.certificate),
            "issued": "2026-01-01", "expires": "2099-12-31",
            "product": {"vendor": "Reference vendor", "name": "Games with a new bet"},
            "games": {"bacara": []},
            "law": {"edition": added.edition, "files": added.files, "sources": added.sources},
        }  # fmt: skip
        path.write_text(yaml.safe_dump(plain, allow_unicode=True, sort_keys=False), "utf-8")
        signature_path(path).write_bytes(sign_permission(path.read_bytes(), key))
        done = subprocess.run(
            [sys.executable, "-m", "selo", "examine", "--vendor",
             f"{sys.executable} fixtures/examples/nine_tie.py", "--folder", str(ROOT),
             "--game", "bacara", "--rulings", "defaults", "--text-as-stored",
             "--permission", str(path), "--trust", str(keys / "root.pem"),
             "--out", str(folder / "run")],
            cwd=ROOT, env={**os.environ, "SELO_LAW": str(whole.specs.parent)}, check=False,
            capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == 2, done.stdout + done.stderr
        built = build_document(folder / "run", whole, DOSSIER)
        return signed_by(bound(built.report, {one.name: one.read() for one in built.enclosures}))

    return of


@pytest.mark.parametrize(
    ("signer", "key", "state"),
    [
        ("authority", "law.permitted", CheckState.HOLDS),
        ("laboratory", "law.nobody", CheckState.OPEN),
    ],
)
def test_the_edition_is_known_by_who_signed_the_permission(document_of, verify, signer, key, state):
    checks = {one.name: one for one in verify(document_of(signer))}

    assert (checks["edition"].key, checks["edition"].state) == (key, state)
    # Whoever signed, it is that law by which the evidence is derived again.
    failed = {name: one.key for name, one in checks.items() if one.state is CheckState.FAILED}
    expected = {} if signer == "authority" else {"permission DEMO-2": "permission.not-authority"}
    assert failed == expected
