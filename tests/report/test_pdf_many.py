"""Two thousand findings: all of them told, in time that grows with their number alone."""

import re
import time

import paper
import pytest
import synthetic

from selo.report.model.report_model import DocumentKind
from selo.report.pdf import pdf_document as document

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
