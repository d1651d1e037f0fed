"""Formats of a report: JSON, JUnit, SARIF, terminal, HTML; pages of the law."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.report.formats.format_registry import FORMATS, available, made, written
    from selo.report.formats.law_pages import pages
    from selo.report.formats.report_json import as_json
    from selo.report.formats.terminal_summary import lines
    from selo.report.formats.web_page import TAGS
else:
    __getattr__ = front_door(
        __name__,
        {
            "format_registry": ["FORMATS", "available", "made", "written"],
            "law_pages": ["pages"],
            "report_json": ["as_json"],
            "terminal_summary": ["lines"],
            "web_page": ["TAGS"],
        },
    )

__all__ = ["FORMATS", "TAGS", "as_json", "available", "lines", "made", "pages", "written"]
