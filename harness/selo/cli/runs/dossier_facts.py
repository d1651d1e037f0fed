"""What a run knows of the dossier of its document: product, files, days, exact house edges."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Final

from selo.examine.run.evidence_header import read_header
from selo.examine.run.run_log import read_run_log
from selo.law.status import MACAU, macau_today
from selo.report.content import ExactOdds
from selo.report.model.dossier import DocumentKind
from selo.report.requirements import DossierFacts, render_blank_dossier
from selo.rules.odds import format_percentage
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.examine.run.evidence_header import Header
    from selo.examine.run.run_log import RunLog
    from selo.law import Law

_MAX_TEXT: Final = 200
_DAYS_VALID: Final = 365


def prefill_dossier(folder: Path, law: Law, language: str) -> str:
    """Return the dossier of a run as YAML; what only people know is empty.

    A declared house edge is the vendor's: the exact one stands beside its key as a comment.
    """
    header, run = read_header(folder), read_run_log(folder)
    description, today = header.description, macau_today()
    first, last = (
        dt.datetime.fromisoformat(moment).astimezone(MACAU).date()
        for moment in (run.started, run.ended or run.started)
    )
    product = f"{description.product.name} {description.product.version}"
    edges = list(_render_edges(ExactOdds(law, header.terms.rulings), header))
    values = {
        "kind": str(DocumentKind.TEST_REPORT),
        "client": f'{{name: {_quote(description.vendor.name)}, address: "", '
        f'contact: {_quote(description.vendor.contact or "")}, licence: ""}}',
        "time_zone": MACAU.tzname(None),
        "issued": max(today, last).isoformat(),
        "item.parts": f"[{{name: {_quote(description.product.name)}, "
        f"version: {_quote(description.product.version)}}}]",
        "declared_edges": "\n".join(("", *edges)) if edges else "{}",
    }
    return render_blank_dossier(
        DossierFacts(
            values=values,
            notes={
                "": list(_describe_run(header, run, product, language)),
                "item.on": [say("dossier.first-day", language, first=first, last=last)],
                "valid_until": [
                    f"valid_until: {max(today, last) + dt.timedelta(days=_DAYS_VALID)}"
                ],
            },
        )
    )


def _describe_run(header: Header, run: RunLog, product: str, language: str) -> Iterator[str]:
    yield say("dossier.of-run", language, product=_shorten(product), vendor=_shorten(run.vendor))
    hashed = run.files_before
    for file in header.description.files:
        yield f"  {_shorten(file.path)}  sha256:{_shorten(hashed.get(file.path, file.sha256))}"


def _render_edges(odds: ExactOdds, header: Header) -> Iterator[str]:
    """Yield the keys of all declared edges, to be filled in."""
    for game in header.terms.games:
        keys = list(odds.list_declared_keys(game))
        if keys:
            yield f"  {game.game}:"
        for key, edge in keys:
            yield f'    {key}: ""  # = {format_percentage(edge)} ({edge})'


def _quote(text: str) -> str:
    return json.dumps(_shorten(text), ensure_ascii=False)


def _shorten(text: str) -> str:
    return escape_unseen(text, _MAX_TEXT)
