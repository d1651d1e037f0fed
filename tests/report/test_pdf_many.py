"""Two thousand findings: all of them told, in time that grows with their number alone."""

import re
import resource
import time

import paper
import pytest
import synthetic

from selo.report.model.report_model import DocumentKind
from selo.report.pdf import pdf_document as document
from selo.report.pdf import render_signable_pdf
from selo.signing.keys.demo_authority import make_demo_authority
from selo.signing.keys.pkcs12_keys import load_pkcs12
from selo.signing.sign.document_signing import SignatureRequest, sign_document
from selo.signing.signing_enums import Capacity, Level

FONTS = ("SourceSerif4-Regular.ttf", "NotoSerifTC-Regular.ttf")
PASSPHRASE = "for tests only"  # noqa: S105 - opens keys that live as long as the tests
pytestmark = pytest.mark.full
MANY = 2000


@pytest.fixture(scope="module")
def law_and_times(law):
    """Return the processor seconds of documents with half as many findings, and with all."""
    found = {}
    for number in (MANY // 2, MANY):
        report = synthetic.report(
            law, kind=DocumentKind.TEST_REPORT, games=("pai-kao",), findings=number
        )
        begun = time.process_time()
        drawn = document.render_document(report, synthetic.FILES)
        found[number] = time.process_time() - begun, drawn, report
    return found


def test_every_finding_is_told(law_and_times):
    _, drawn, report = law_and_times[MANY]
    text = paper.words(drawn.pdf)

    assert set(re.findall(r"\bF-\d{3,}\b", text)) >= {one.id for one in report.findings}
    assert "As primeiras 100 constatações têm folha própria; as restantes 1 900" in re.sub(
        r"\s+", " ", text
    )


def test_time_grows_with_the_number_alone(law_and_times):
    half, whole = law_and_times[MANY // 2][0], law_and_times[MANY][0]

    assert whole < 2.6 * half


def test_nothing_leaves_the_margins(law_and_times):
    left, right = 18 / 25.4 * 72, (210 - 18) / 25.4 * 72

    for page, word, (x1, _, x2, _) in paper.boxes(law_and_times[MANY][1].pdf):
        assert left - 1 <= x1 <= x2 <= right + 1, (page, word)


@pytest.fixture(scope="module")
def signing_costs(law, root, tmp_path_factory):
    """Return what signing costs, its children included, by the number of findings."""
    keys = tmp_path_factory.mktemp("keys")
    for name, content in make_demo_authority().files(PASSPHRASE).items():
        (keys / name).write_bytes(content)
    key = load_pkcs12(keys / "laboratory.p12", PASSPHRASE)
    fonts = tuple(root / "reports" / "fonts" / name for name in FONTS)
    costs = {}
    for number in (0, MANY // 2, MANY):
        report = synthetic.report(
            law, kind=DocumentKind.TEST_REPORT, games=("pai-kao",), findings=number,
            demonstration=True,
        )  # fmt: skip
        document = render_signable_pdf(report, synthetic.FILES)
        wanted = SignatureRequest(
            capacity=Capacity.LABORATORY, capacity_text=synthetic.twice("director", "總監"),
            level=Level.B, demonstration=True, fonts=fonts,
        )  # fmt: skip
        begun = _processor_seconds()
        sign_document(document, key, wanted)
        costs[number] = _processor_seconds() - begun
    return costs


def _processor_seconds():
    """Return the processor's seconds of this process and of its children that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def test_signing_grows_no_faster_than_the_findings(signing_costs):
    none, half, whole = signing_costs.values()
    told = f"{none:.2f} s, {half:.2f} s, {whole:.2f} s"
    print(f"\nsigned with 0, {MANY // 2}, {MANY} findings: {told}")  # noqa: T201

    assert whole - none < 2.6 * (half - none)
