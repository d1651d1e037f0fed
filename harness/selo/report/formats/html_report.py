"""The report as one HTML page with filters, a choice of language, and links."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from selo.report.formats.web_page import embed_chinese_font, web_templates
from selo.report.phrases.summary_phrases import describe_findings_sum, describe_totals
from selo.report.svg import draw_pictures
from selo.text.sanitize import escape_unseen, escape_unseen_json, escape_unseen_lines
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.report.model.report_model import Report

#: The result under which the page lists findings of a verdict.
_RESULT_OF_VERDICT: Final = {
    "violates": Result.VIOLATES,
    "open": Result.INCONCLUSIVE,
    "protocol": Result.INCONCLUSIVE,
}
_LANGUAGES: Final = ("pt", "zh", "en")
#: Longer text of a vendor is cut; report.json has all of it.
_MAX_VENDOR_TEXT: Final = 2000


def render_html(report: Report) -> str:
    """Return the page, which loads nothing from elsewhere."""
    article = {
        provision.id: f"{provision.instrument}/{provision.article}"
        for provision in report.provisions
    }

    def articles_of(provisions: Sequence[str]) -> list[str]:
        return list(dict.fromkeys(article[name] for name in provisions if name in article))

    def render_json(value: Any) -> str:
        return escape_unseen_json(
            json.dumps(value, ensure_ascii=False, indent=1)[:_MAX_VENDOR_TEXT]
        )

    page = (
        web_templates()
        .get_template("html/report.html")
        .render(
            report=report,
            totals=describe_totals(report.counts, report.aside),
            found=describe_findings_sum(report.findings, report.item.currency),
            results=[str(result) for result in Result],
            verdict_of=_RESULT_OF_VERDICT,
            articles_of=articles_of,
            pictures=lambda result: draw_pictures(
                result.params,
                _LANGUAGES,
                shown=result.shown,
                observed=result.observed,
                pieces=result.pieces,
            ),
            visible=lambda value: escape_unseen(value, _MAX_VENDOR_TEXT),
            json=render_json,
        )
    )
    # Whatever a template forgot to make visible; the template itself has no such characters.
    return embed_chinese_font(escape_unseen_lines(page))
