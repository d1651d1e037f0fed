"""The file that people sign: the pages of a report, its attachments, and boxes for signatures.

The same report and files give the same bytes, so whoever verifies a document can make its pages
again and compare: signatures are only ever added behind them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from selo.report.formats import encode_report
from selo.report.model.report_model import Report
from selo.report.pdf.pdf_document import render_document
from selo.signing import Capacity
from selo.signing.sign import SignatureBox, add_signature_fields

if TYPE_CHECKING:
    from selo.report.pdf.pdf_document import AttachmentSource


def render_signable_pdf(report: Report, enclosed: AttachmentSource) -> bytes:
    """Return the document of `report` with a box for each signatory."""
    # Pages are rendered from the report as attached, so that they can be rendered again from it.
    attached = msgspec.json.decode(encode_report(report), type=Report)
    drawn = render_document(attached, enclosed)
    boxes = [
        SignatureBox(
            capacity=Capacity(role),
            page=place.page,
            left=place.left,
            bottom=place.bottom,
            right=place.right,
            top=place.top,
        )
        for role, place in drawn.boxes.items()
    ]
    # A pre-check is not signed and has no boxes.
    return add_signature_fields(drawn.pdf, boxes) if boxes else drawn.pdf
