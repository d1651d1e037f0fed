"""The report as one page for a browser: to filter, to read in one language, to follow by links."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from selo.report.formats.web_font_subset import lettered
from selo.report.formats.web_page import environment
from selo.report.svg import pictures
from selo.text.sanitize import json_visible, visible
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.report.model.report_model import Report

#: The verdict on a provision under which a finding is filed.
_VERDICTS: Final = {
    "violates": Result.VIOLATES,
    "open": Result.INCONCLUSIVE,
    "protocol": Result.INCONCLUSIVE,
}
_LANGUAGES: Final = ("pt", "zh", "en")
#: What a vendor says is cut here; the whole stands in report.json.
_MOST: Final = 2000


def render(report: Report) -> str:
    """Return the whole page; nothing in it is fetched from anywhere."""
    article = {
        provision.id: f"{provision.instrument}/{provision.article}"
        for provision in report.provisions
    }

    def articles_of(provisions: Sequence[str]) -> list[str]:
        return list(dict.fromkeys(article[name] for name in provisions if name in article))

    def written(value: Any) -> str:
        return json_visible(json.dumps(value, ensure_ascii=False, indent=1)[:_MOST])

    return lettered(
        environment()
        .get_template("html/report.html")
        .render(
            report=report,
            results=[str(one) for one in Result],
            verdict_of=_VERDICTS,
            articles_of=articles_of,
            pictures=lambda one: pictures(
                one.params, _LANGUAGES, shown=one.shown, observed=one.observed
            ),
            visible=lambda value: visible(value, _MOST),
            json=written,
        )
    )
