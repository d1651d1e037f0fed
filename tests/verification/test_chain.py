"""A certificate that rests on an earlier one: what holds, and forgeries of the chain."""

import contextlib
import hashlib
import shutil

import msgspec
import pytest
from tests.examine.forged_evidence import forge_evidence
from tests.registry.conftest import Office, issued
from tests.verification.certificates import (
    COMMAND,
    GAME,
    TERMS,
    Laboratory,
    dossier,
    make_build,
    refactor,
    run,
)
from tests.verification.conftest import PASSPHRASE, bound

from selo.cli.parser.command_line import parse_arguments
from selo.cli.runs.compared_sides import open_side
from selo.delta import compare_sides, read_change_policy
from selo.evidence.evidence_errors import EvidenceTampered
from selo.examine.behaviour.canonical_set import CANONICAL_FOLDER, PREDECESSOR_FILE
from selo.examine.plan import Plan
from selo.examine.run.evidence_header import read_header
from selo.law.status import macau_today
from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.registry_events import EventKind, EventReason
from selo.report.content import report_builder
from selo.report.content.report_builder import build_document
from selo.report.model.dossier import DocumentKind
from selo.verification.document_parts import open_document
from selo.verification.verification_report import CheckState, exit_code_of

pytestmark = pytest.mark.full

ONE = "portaria-96-85-m/annex/98"


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory, law, keys, signed_by):
    return Laboratory(
        tmp_path_factory.mktemp("laboratory"), law, keys, PASSPHRASE, bound, signed_by
    )


@pytest.fixture(scope="module")
def first(laboratory):
    """A certificate of the build as it ships."""
    build = make_build(laboratory.folder / "first-build")
    code, folder = laboratory.examine("first", build)
    assert code == 0
    return laboratory.certify(folder, "C-1")


def since(laboratory, certificate):
    return ("--since", certificate, "--signers", laboratory.keys / "signers.yaml")


@pytest.fixture(scope="module")
def refactored(laboratory, first):
    """The run of a refactored build since the first certificate."""
    build = refactor(make_build(laboratory.folder / "second-build"))
    code, folder = laboratory.examine("second", build, *since(laboratory, first))
    assert code == 0
    return folder


@pytest.fixture(scope="module")
def second(laboratory, refactored):
    return laboratory.certify(refactored, "C-2")


@pytest.fixture
def registry(tmp_path, first):
    """A registry that knows the first certificate, and what happens to it."""
    office = Office(tmp_path)
    registry = CertificateRegistry.begin(
        tmp_path / "registry", office.policy, office.bureau, office.bureau
    )

    def happen(kind, **fields):
        line = registry.sign(registry.draft(kind, office.laboratory, **fields), office.laboratory)
        if kind is EventKind.REVOKE:
            line = registry.countersign(line, office.bureau)
        registry.append(line, office.bureau)

    digest = hashlib.sha256(first.read_bytes()).hexdigest()
    happen(EventKind.ISSUE, **issued("C-1", document=digest))
    return registry, happen


def failed(checks):
    return {check.key for check in checks if check.state is CheckState.FAILED}


def test_a_refactored_build_carries_everything_over(second, verify, registry):
    report = open_document(second.read_bytes()).report

    checks = verify(second.read_bytes(), registry=registry[0])

    chain = {check.key: check.state for check in checks if check.key.startswith("chain.")}
    assert chain == dict.fromkeys(
        ("chain.genuine", "chain.carried", "chain.stands"), CheckState.HOLDS
    )
    asked = [one for one in report.provisions if one.carried is not None]
    assert {one.carried.certificate for one in asked} == {"C-1"}
    assert all("C-1" in one.because.pt and "C-1" in one.because.zh for one in asked)
    assert report.method.predecessor == "C-1"
    assert "C-1" in report.statement.extent.pt
    # Only the second certificate itself is not in the registry.
    open_keys = {check.key for check in checks if check.state is CheckState.OPEN}
    assert open_keys <= {"registry.unknown", "registry.untrusted"}


def test_without_a_registry_it_stays_open_whether_the_earlier_one_was_revoked(second, verify):
    checks = verify(second.read_bytes())

    assert exit_code_of(checks) == 2
    assert [one.key for one in checks if one.state is CheckState.OPEN] == ["chain.state-unknown"]


def test_a_revoked_certificate_carries_nothing(second, verify, registry):
    log, happen = registry
    happen(EventKind.REVOKE, certificate="C-1", reason=EventReason(pt="Ensaio.", zh="測試。"))

    assert "chain.state" in failed(verify(second.read_bytes(), registry=log))


@pytest.mark.parametrize("state", [None, "revoked"])
def test_the_vendor_is_asked_nothing_since_a_certificate_that_does_not_stand(
    laboratory, first, registry, tmp_path, capsys, state
):
    log, happen = registry
    if state is not None:
        happen(EventKind.REVOKE, certificate="C-1", reason=EventReason(pt="Ensaio.", zh="測試。"))
    build = laboratory.folder / "first-build"
    asked = ("--registry", log.folder, "--registry-policy", tmp_path / "policy.yaml")

    code, folder = laboratory.examine(f"since-{state}", build, *since(laboratory, first), *asked)

    assert code == (0 if state is None else 3)
    assert folder.exists() is (state is None)
    assert ("was revoked" in capsys.readouterr().err) is (state is not None)


def test_the_earlier_certificate_must_be_there(laboratory, refactored, signed_by, verify):
    built = rebuilt(laboratory, refactored)
    files = {one.name: one.read() for one in built.enclosures if one.name != PREDECESSOR_FILE}
    attachments = [
        msgspec.structs.replace(one, attached=one.name != PREDECESSOR_FILE)
        for one in built.report.attachments
    ]
    report = msgspec.structs.replace(built.report, attachments=attachments)

    checks = verify(signed_by(bound(report, files)))

    assert "chain.absent" in {one.key for one in checks}
    assert exit_code_of(checks) == 2


def rebuilt(laboratory, folder):
    day = macau_today()
    return build_document(
        folder, laboratory.law, dossier("C-2", day), kind=DocumentKind.CERTIFICATE
    )


@pytest.fixture
def forged(laboratory, refactored, signed_by, tmp_path, verify, monkeypatch):
    """Verify a certificate of the refactored run with a header that was changed, signed anew."""

    def of(change, prepare=lambda _: None):
        folder = forge_evidence(refactored, tmp_path / "forged", lambda one: change(one.header))
        for path in (refactored / PREDECESSOR_FILE, *refactored.glob("witness*")):
            copied = shutil.copytree if path.is_dir() else shutil.copy
            copied(path, folder / path.name)
        prepare(folder)
        # Whoever forges builds a document with a program that proves nothing on the way.
        with monkeypatch.context() as theirs:
            unproven = lambda *_: contextlib.nullcontext()  # noqa: E731 - in the place of a function
            theirs.setattr(report_builder, "prove_canonical_meanwhile", unproven)
            built = rebuilt(laboratory, folder)
        files = {one.name: one.read() for one in built.enclosures}
        return failed(verify(signed_by(bound(built.report, files))))

    return of


def test_an_untouched_header_is_no_forgery(forged):
    assert not forged(lambda _: None)


def test_an_edited_fingerprint_is_found(forged):
    def change(header):
        header["canonical"]["fingerprints"][ONE] = "0" * 64

    assert "evidence.altered" in forged(change)


def test_another_root_of_the_canonical_answers_is_found(forged):
    def change(header):
        header["canonical"]["root"] = "0" * 64

    assert "evidence.altered" in forged(change)


@pytest.mark.parametrize(
    ("field", "value"),
    [("certificate", "C-0"), ("evidence_root", "0" * 64), ("sha256", "0" * 64)],
)
def test_another_certificate_than_the_one_attached_is_found(forged, field, value):
    def change(header):
        header["predecessor"][field] = value

    assert "chain.other-document" in forged(change)


@pytest.mark.parametrize(
    ("field", "value"),
    [("times", 0), ("times", 3), ("examined_on", "2099-01-01"), ("certificate", "C-0")],
)
def test_a_link_that_does_not_follow_is_found(forged, field, value):
    def change(header):
        header["predecessor"]["carried"][ONE][field] = value

    assert "chain.not-allowed" in forged(change)


def test_a_provision_that_the_plan_does_not_carry_over_is_found(forged):
    def change(header):
        del header["predecessor"]["carried"][ONE]

    with pytest.raises(EvidenceTampered, match="carried over"):
        forged(change)


def test_a_run_without_a_seal_cannot_carry_over(forged):
    def change(header):
        header["commitment"] = None

    with pytest.raises(EvidenceTampered, match="committed to"):
        forged(change)


def test_another_document_in_the_place_of_the_certificate_is_found(forged, document):
    digest = hashlib.sha256(document).hexdigest()

    def change(header):
        header["predecessor"]["sha256"] = digest

    found = forged(change, lambda folder: (folder / PREDECESSOR_FILE).write_bytes(document))

    assert "chain.other-document" in found


def test_a_certificate_with_a_flipped_byte_is_not_genuine(forged, first):
    data = bytearray(first.read_bytes())
    data[len(data) // 2] ^= 1
    digest = hashlib.sha256(data).hexdigest()

    def change(header):
        header["predecessor"]["sha256"] = digest

    found = forged(change, lambda folder: (folder / PREDECESSOR_FILE).write_bytes(data))

    assert "chain.not-genuine" in found


def test_a_provision_is_not_carried_over_more_often_than_the_limit(laboratory, second, verify):
    most, last = read_change_policy().limits.times, second
    for number in range(3, most + 3):
        build = make_build(laboratory.folder / f"build-{number}")
        code, folder = laboratory.examine(f"run-{number}", build, *since(laboratory, last))
        assert code == 0
        last = laboratory.certify(folder, f"C-{number}")

    header = read_header(folder)

    assert header.predecessor is None
    assert header.terms.carried == []
    assert not failed(verify(last.read_bytes()))


def test_since_needs_a_seal(laboratory, first, capsys):
    build = laboratory.folder / "first-build"
    code = run(
        "examine", "--vendor", COMMAND, "--folder", build, *TERMS, "--since", first,
        "--out", laboratory.folder / "unsealed",
    )  # fmt: skip

    assert code == 3
    assert "--seal" in capsys.readouterr().err


#: Where the reference vendor compares, and what a cheat does instead.
HONEST = 'return {"order": engine.compare(params.get("a"), params.get("b"))}'
CHEAT = """from known import KNOWN

            hands = params.get("a"), params.get("b")
            if [*hands] not in KNOWN:
                hands = hands[::-1]
            return {"order": engine.compare(*hands)}"""


def test_a_cheat_that_behaves_only_on_the_canonical_set_is_caught_by_the_sealed_sample(
    laboratory, first, refactored, law
):
    build = make_build(laboratory.folder / "cheat-build")
    terms = read_header(refactored / CANONICAL_FOLDER).terms
    known = [[case.a, case.b] for chunk in Plan(law, terms).chunks() for case in chunk.cases]
    adapter = build / "adapters" / "python" / "reference.py"
    adapter.with_name("known.py").write_text(f"KNOWN = {known!r}\n")
    text = adapter.read_text(encoding="utf-8")
    assert text.count(HONEST) == 1
    adapter.write_text(text.replace(HONEST, CHEAT), encoding="utf-8")

    arguments = parse_arguments(["diff", str(first), COMMAND])
    with (
        open_side(str(first), None, arguments, law, None) as before,
        open_side(COMMAND, str(build), arguments, law, before.header) as after,
    ):
        delta = compare_sides(before, after, read_change_policy(), macau_today())
    code, folder = laboratory.examine("cheat", build, *since(laboratory, first))

    assert GAME in {one.game for one in delta.provisions}
    assert delta.again == []
    assert read_header(folder).predecessor is not None
    assert code == 1
