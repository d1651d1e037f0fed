"""How fast documents are laid out: pages a second, beside the bare law on the same machine."""

import importlib.util
import time
from pathlib import Path

import pytest

from selo.report.fonts import printable
from selo.report.model.report_model import DocumentKind
from selo.report.pdf import pdf_document as document
from selo.report.pdf.weasyprint_layout import typeset

pytestmark = pytest.mark.bench
_SPEC = importlib.util.spec_from_file_location(
    "synthetic", Path(__file__).resolve().parents[1] / "report" / "synthetic.py"
)
synthetic = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(synthetic)

#: So long may the document of all six games take, in processor seconds.
MOST_SECONDS = 12
FONTS = (
    "@font-face { font-family: L; src: url(selo:///SourceSerif4-Regular.ttf) }"
    "@font-face { font-family: H; src: url(selo:///NotoSerifTC-Regular.ttf) }"
    "@font-face { font-family: S; src: url(selo:///SeloFallback-Regular.ttf) }"
    "body { font: 9pt L, H, S } @page { size: A4; margin: 20mm }"
)


def timed(make):
    begun = time.process_time()
    made = make()
    return made, time.process_time() - begun


def test_pages_a_second(law):
    texts = [
        words
        for held in law.provisions.values()
        for words in (held.provision.text.pt, held.provision.text.zh)
        if words
    ]
    plain = "".join(f"<p>{printable(words)}</p>" for words in texts)
    page = f'<html lang="pt"><title>x</title><body>{plain}'
    timed(lambda: typeset(page, (FONTS,), {}))
    floor, floor_seconds = timed(lambda: typeset(page, (FONTS,), {}))
    rows = [("the words of the law, plain", floor.pages, floor_seconds)]
    for name, report in (
        ("six games, conform", synthetic.report(law)),
        (
            "six games, 100 findings",
            synthetic.report(law, kind=DocumentKind.TEST_REPORT, findings=100),
        ),
        (
            "six games, 1000 findings",
            synthetic.report(law, kind=DocumentKind.TEST_REPORT, findings=1000),
        ),
        (
            "six games, 2000 findings",
            synthetic.report(law, kind=DocumentKind.TEST_REPORT, findings=2000),
        ),
    ):
        drawn, seconds = timed(lambda report=report: document.draw(report, synthetic.FILES))
        rows.append((name, drawn.pages, seconds))

    print(f"\n{'document':32} {'pages':>6} {'seconds':>8} {'pages/s':>8} {'of the floor':>12}")
    for name, pages, seconds in rows:
        rate = pages / seconds
        share = rate / (floor.pages / floor_seconds)
        print(f"{name:32} {pages:6} {seconds:8.2f} {rate:8.2f} {share:12.2f}")
    assert rows[1][2] < MOST_SECONDS
    assert rows[4][2] - rows[3][2] < 1.6 * (rows[3][2] - rows[2][2])
