"""Two builds, runs or documents compared, as one HTML page in three languages."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.delta.build_comparison import ProvisionState
from selo.law import cite
from selo.report.content import FindingSheetWriter
from selo.report.formats.web_page import embed_chinese_font, web_templates
from selo.report.phrases import Labels
from selo.text.sanitize import escape_unseen, escape_unseen_lines

if TYPE_CHECKING:
    from selo.delta.build_comparison import Delta
    from selo.delta.result_changes import ResultChanges
    from selo.law import Law
    from selo.protocol.messages import Currency

#: Longer text of a vendor is cut; --json has all of it.
_MAX_TEXT: Final = 480
#: Values of files and offers, of which digests are the longest.
_MAX_VALUE: Final = 32
#: States of a provision that the page lists one by one.
_LISTED: Final = frozenset({ProvisionState.CHANGED, ProvisionState.UNKNOWN})


def render_comparison(
    law: Law, delta: Delta, changes: ResultChanges | None, currency: Currency | None
) -> str:
    """Return the page, which loads nothing from elsewhere.

    `changes` are those of verdicts and findings, where both sides have a result.
    """
    code, decimals = ("", 0) if currency is None else (currency.code, currency.decimals)
    sheets = FindingSheetWriter(Labels(law), code, decimals, law)
    findings = {} if changes is None else {
        "new": [sheets.write(finding) for finding in changes.new],
        "fixed": [sheets.write(finding) for finding in changes.fixed],
        "unchanged": [sheets.write(finding) for finding in changes.unchanged],
    }  # fmt: skip
    states = Counter(str(provision.state) for provision in delta.provisions)
    page = (
        web_templates()
        .get_template("html/comparison.html")
        .render(
            delta=delta,
            changes=changes,
            findings=findings,
            states={state.replace("-", "_"): states[state] for state in map(str, ProvisionState)},
            listed=[provision for provision in delta.provisions if provision.state in _LISTED],
            cite=lambda name: cite(law, law.find(name)),
            visible=lambda value: escape_unseen(str(value), _MAX_TEXT),
            short=lambda value: escape_unseen(str(value), _MAX_VALUE),
            json=_render_json,
        )
    )
    return embed_chinese_font(escape_unseen_lines(page))


def _render_json(value: Any) -> str:
    return escape_unseen(msgspec.json.encode(value, order="sorted").decode(), _MAX_TEXT)
