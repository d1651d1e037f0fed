"""Formats of a report: JSON, JUnit, SARIF, terminal, HTML; pages of the law."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.report.formats.format_registry import (
        REPORT_FORMATS,
        available_formats,
        render_formats,
    )
    from selo.report.formats.law_pages import render_law_pages
    from selo.report.formats.report_json import encode_report, read_report
    from selo.report.formats.terminal_summary import render_summary
    from selo.report.formats.web_page import HTML_LANGUAGES
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "HTML_LANGUAGES",
    "REPORT_FORMATS",
    "available_formats",
    "encode_report",
    "read_report",
    "render_formats",
    "render_law_pages",
    "render_summary",
    "web_page",
]
