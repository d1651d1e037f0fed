"""Small signed documents of real runs, made without the typesetter."""

import functools
import io
import sys
from pathlib import Path

import msgspec
import pikepdf
import pytest
from tests.small_fonts import whole_fonts

from selo.cli.parser.command_line import parse_arguments, run_command
from selo.report.content.report_builder import build_document
from selo.report.formats.report_json import encode_report
from selo.report.model.dossier import Dossier, DossierSignatory
from selo.signing.keys import demo_authority as made
from selo.signing.keys.certificates import load_certificates
from selo.signing.keys.pkcs12_keys import load_pkcs12
from selo.signing.sign.document_signing import SignatureRequest, sign_document
from selo.signing.sign.signature_fields import SignatureBox, add_signature_fields
from selo.signing.signer_policy import read_policy
from selo.signing.signing_enums import Capacity, Level
from selo.signing.verify.document_inspection import ValidationKnowledge
from selo.text.multilingual import Words
from selo.verification.verification_report import CheckState
from selo.verification.verifier import VerificationRequest, verify_document

ROOT = Path(__file__).resolve().parents[2]
PASSPHRASE = "for tests only"  # noqa: S105 - opens keys that live as long as the tests
SAYS = Words(pt="director técnico", zh="技術總監", en="technical director")
DOSSIER = Dossier(
    kind="test-report",
    demonstration=True,
    number="DEMO-1",
    signatories=[
        DossierSignatory(name="Demonstration examiner 1", capacity=SAYS, role="laboratory"),
        DossierSignatory(name="Demonstration officer 1", capacity=SAYS, role="bureau"),
    ],
)


#: The day of the law, and its text as stored: perhaps it had been amended by then.
DAY = ("--as-of", "2026-01-31", "--text-as-stored")


def examined(folder, vendor, *more):
    given = ["examine", "--vendor", vendor, "--folder", str(ROOT), "--out", str(folder)]
    run_command(
        parse_arguments(
            [
                *given,
                "--game",
                "pai-kao",
                "--rulings",
                "defaults",
                "--as-of",
                "2026-01-31",
                "--text-as-stored",
                *more,
            ]
        )
    )
    return folder


@pytest.fixture(scope="session")
def lawful(tmp_path_factory):
    vendor = f"{sys.executable} fixtures/adapters/python/reference.py"
    return examined(tmp_path_factory.mktemp("lawful") / "run", vendor)


@pytest.fixture(scope="session")
def material(lawful, law):
    """The report of a run, and the files that belong to it."""
    built = build_document(lawful, law, DOSSIER)
    return built.report, {one.name: one.read() for one in built.enclosures}


def bound(report, files, raw=None):
    """Return an unsigned document: a blank page, the report, its files, and two boxes."""
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(595, 842))
    enclosed = {"report.json": encode_report(report) if raw is None else raw, **files}
    for name, data in enclosed.items():
        pdf.attachments[name] = pikepdf.AttachedFileSpec(pdf, data, filename=name)
    plain = io.BytesIO()
    pdf.save(plain, deterministic_id=True)
    boxes = [
        SignatureBox(
            capacity=capacity, page=0, left=50, bottom=100 + 150 * at, right=300, top=200 + 150 * at
        )
        for at, capacity in enumerate(Capacity)
    ]
    return add_signature_fields(plain.getvalue(), boxes)


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    for name, content in made.make_demo_authority().files(PASSPHRASE).items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture(scope="session")
def trust(keys):
    return tuple(load_certificates(keys / "root.pem"))


def signing(key, fonts=None):
    """Return what signs a document in both capacities, or in those that are named."""
    fonts = fonts or whole_fonts()

    def of(document, *capacities):
        for capacity in capacities or tuple(Capacity):
            wanted = SignatureRequest(
                capacity=capacity,
                capacity_text=SAYS,
                level=Level.B,
                demonstration=True,
                fonts=fonts,
            )
            document = sign_document(document, key(capacity.value), wanted).document
        return document

    return of


@pytest.fixture(scope="session")
def signed_by(keys, small_fonts):
    """Return a document with the signatures of both capacities, or of those that are named."""
    key = functools.cache(lambda name: load_pkcs12(keys / f"{name}.p12", PASSPHRASE))
    return signing(key, small_fonts)


@pytest.fixture
def signed_with(tmp_path, small_fonts):
    """Return what signs with the keys of some holders, by their capacities."""

    def of(holders):
        for name, holder in holders.items():
            (tmp_path / f"{name}.p12").write_bytes(holder.pkcs12(PASSPHRASE))
        key = functools.cache(lambda name: load_pkcs12(tmp_path / f"{name}.p12", PASSPHRASE))
        return signing(key, small_fonts)

    return of


@pytest.fixture(scope="session")
def document(material, signed_by):
    """A test report, signed by laboratory and bureau."""
    return signed_by(bound(*material))


def altered(report, **changes):
    return msgspec.structs.replace(report, **changes)


def wrong(checks):
    return {one.name: one.key for one in checks if one.state is CheckState.FAILED}


@pytest.fixture(scope="session")
def policy(keys):
    return read_policy(keys / "signers.yaml")


@pytest.fixture
def verify(law, trust, policy):
    known = ValidationKnowledge(revocations=policy.revocations)

    def of(document, **asked):
        given = {"trust": trust, "policy": policy, "known": known, **asked}
        return list(verify_document(document, law, VerificationRequest(**given)))

    return of
