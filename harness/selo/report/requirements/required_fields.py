"""The fields that a laboratory's document must have: what is empty refuses a certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.report.model.report_model import Missing
from selo.report.phrases.compose import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.report.model.dossier import Dossier
    from selo.report.model.report_model import Report

#: Every field of the dossier without which there is no certificate, by its path.
REQUIRED: Final = (
    "number",
    "scheme",
    "issuer.name",
    "issuer.address",
    "issuer.contact",
    "issuer.licence",
    "client.name",
    "client.address",
    "client.licence",
    "recipients",
    "place",
    "item.on",
    "item.condition",
    "item.variant",
    "item.part_number",
    "item.parts",
    "item.platform",
    "item.built_from_source",
    "item.equals_delivery",
    "item.test_differences",
    "item.languages",
    "issued",
    "valid_until",
    "time_zone",
    "register",
    "retention",
    "signatories",
)


#: Where a report has what a dossier calls otherwise.
_IN_REPORT: Final = {
    "item.on": "item.received",
    "issued": "dates.issued",
    "valid_until": "dates.valid_until",
    "time_zone": "dates.time_zone",
    # Both are told in sentences among the limits.
    "register": "limits",
    "retention": "limits",
}


def absent(report: Report, dossier: Dossier) -> Iterator[Missing]:
    """Yield every field that is empty, and every declaration that does not hold."""
    for path in REQUIRED:
        if _empty(dossier, path):
            yield _field(path)
    yield from _unsound(report)


def absent_in(report: Report) -> Iterator[Missing]:
    """Yield the same, as far as a report alone tells it."""
    for path in REQUIRED:
        if _empty(report, _IN_REPORT.get(path, path)):
            yield _field(path)
    yield from _unsound(report)


def _unsound(report: Report) -> Iterator[Missing]:
    if not report.item.files:
        yield _field("files")
    for file in report.item.files:
        if not file.hashed:
            yield Missing(
                key=f"field:files:{file.path}",
                says=words("report.missing.file-not-hashed", path=file.path),
            )
    yield from _days(report)
    yield from _edges(report)


def _days(report: Report) -> Iterator[Missing]:
    """Yield every two days that cannot follow one another."""
    days = report.dates
    order = (
        ("received", days.received, days.first_day),
        ("issued", days.last_day, days.issued),
        ("valid_until", days.issued, days.valid_until),
    )
    for name, before, after in order:
        if before is not None and after is not None and after < before:
            yield Missing(
                key=f"field:dates:{name}",
                says=words(f"report.missing.day.{name}", before=before, after=after),
            )


def _edges(report: Report) -> Iterator[Missing]:
    """Yield every bet of which no edge is declared, and every declared edge that is wrong."""
    declared = {(edge.game, edge.bet) for edge in report.edges if edge.declared is not None}
    games = {game.game: game.name for game in report.games}
    for edge in report.edges:
        name = edge.label or edge.name
        if (edge.game, edge.bet) not in declared:
            yield Missing(
                key=f"edge:{edge.game}/{edge.bet}",
                says=words("report.missing.edge", game=games.get(edge.game, edge.game), bet=name),
            )
        elif edge.declared is not None and not edge.agrees:
            yield Missing(
                key=f"edge:{edge.game}/{edge.name}",
                says=words(
                    "report.missing.edge-differs",
                    game=games.get(edge.game, edge.game),
                    bet=name,
                    declared=edge.declared,
                    exact=f"{edge.exact} ({edge.decimal})",
                ),
            )


def _field(path: str) -> Missing:
    name = words(f"report.field.{path}")
    return Missing(key=f"field:{path}", says=words("report.missing.field", field=name))


def _empty(holder: Dossier | Report, path: str) -> bool:
    value: object = holder
    for step in path.split("."):
        value = getattr(value, step)
    if isinstance(value, str):
        return not value.strip()
    return value is None or value == []
