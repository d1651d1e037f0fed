"""The PDF: pages, layout, tags, PDF/A-3 container."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.report.pdf.signable_pdf import render_signable_pdf
else:
    __getattr__ = front_door(__name__)

__all__ = ["render_signable_pdf"]
