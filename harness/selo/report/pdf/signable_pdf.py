"""The file that people sign: the pages of a report, its attachments, and boxes for signatures.

The same report and files give the same bytes, so whoever verifies a document can make its pages
again and compare: signatures are only ever added behind them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from selo.report.formats import as_json
from selo.report.model.report_model import Report
from selo.report.pdf.pdf_document import draw
from selo.signing import Capacity
from selo.signing.sign import Box, prepare

if TYPE_CHECKING:
    from selo.report.pdf.pdf_document import Given


def prepared(report: Report, enclosed: Given) -> bytes:
    """Return the document of `report`, ready to be signed by those whom it names."""
    # Pages are drawn from the report as it is attached, so that they can be drawn again from it.
    attached = msgspec.json.decode(as_json(report), type=Report)
    drawn = draw(attached, enclosed)
    boxes = [
        Box(
            capacity=Capacity(role),
            page=place.page,
            left=place.left,
            bottom=place.bottom,
            right=place.right,
            top=place.top,
        )
        for role, place in drawn.boxes.items()
    ]
    # Nobody signs a pre-check: it has no boxes, and stays as it was drawn.
    return prepare(drawn.pdf, boxes) if boxes else drawn.pdf
