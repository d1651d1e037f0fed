"""The fields that a certificate requires."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.report.model.report_model import MissingRequirement
from selo.report.phrases.composition import words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from selo.report.model.dossier import Dossier
    from selo.report.model.report_model import Report

#: Paths of the fields of a dossier that a certificate requires.
REQUIRED_FIELDS: Final = (
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


#: Those that only the vendor can fill in.
_VENDOR_FIELDS: Final = tuple(
    path
    for path in REQUIRED_FIELDS
    if path.startswith(("client.", "item.")) and path not in {"item.on", "item.condition"}
)
#: Paths in a report of fields that are elsewhere in a dossier.
_PATHS_IN_REPORT: Final = {
    "item.on": "item.received",
    "issued": "dates.issued",
    "valid_until": "dates.valid_until",
    "time_zone": "dates.time_zone",
}
#: Fields of which a limitation says something of its own where the dossier is empty.
_WORDS_OF_REPORT: Final = {
    "register": "report.limit.register",
    "retention": "report.limit.retention",
}
#: Fields for which it has something of its own that a dossier may state as well.
_FILLED_BY_REPORT: Final = frozenset({"number", "scheme", "issued", "time_zone"})


def check_dossier_fields(report: Report, dossier: Dossier) -> Iterator[MissingRequirement]:
    """Yield every required field that is empty, and every declaration that is wrong."""
    for path in list_empty_fields(dossier):
        yield _missing_field(path)
    yield from _check_declarations(report)


def list_empty_fields(dossier: Dossier, *, of_vendor: bool = False) -> list[str]:
    """Return the keys of the fields that a certificate requires and that are empty.

    Those of the vendor are the ones that only the vendor can fill in.
    """
    fields = _VENDOR_FIELDS if of_vendor else REQUIRED_FIELDS
    return [path for path in fields if _is_empty(dossier, path)]


def check_report_fields(
    report: Report, *, told: Collection[str] = ()
) -> Iterator[MissingRequirement]:
    """Yield the same for a report without its dossier.

    Where a report fills an empty field, it counts if its key is `told`.
    """
    for path in REQUIRED_FIELDS:
        is_empty = (
            _has_default_words(report, path)
            if path in _WORDS_OF_REPORT
            else _is_empty(report, _PATHS_IN_REPORT.get(path, path))
        )
        if is_empty or (path in _FILLED_BY_REPORT and f"field:{path}" in told):
            yield _missing_field(path)
    yield from _check_declarations(report)


def _check_declarations(report: Report) -> Iterator[MissingRequirement]:
    if not report.item.files:
        yield _missing_field("files")
    for file in report.item.files:
        if not file.hashed:
            yield MissingRequirement(
                key=f"field:files:{file.path}",
                says=words("report.missing.file-not-hashed", path=file.path),
            )
    yield from _check_dates(report)
    yield from _check_edges(report)


def _check_dates(report: Report) -> Iterator[MissingRequirement]:
    """Yield every pair of dates in the wrong order."""
    days = report.dates
    order = (
        ("received", days.received, days.first_day),
        ("issued", days.last_day, days.issued),
        ("valid_until", days.issued, days.valid_until),
    )
    for name, before, after in order:
        if before is not None and after is not None and after < before:
            yield MissingRequirement(
                key=f"field:dates:{name}",
                says=words(f"report.missing.day.{name}", before=before, after=after),
            )


def _check_edges(report: Report) -> Iterator[MissingRequirement]:
    """Yield every bet without a declared edge, and every declared edge that is wrong."""
    declared = {(edge.game, edge.bet) for edge in report.edges if edge.declared is not None}
    games = {game.game: game.name for game in report.games}
    for edge in report.edges:
        name = edge.label or edge.name
        path = f"declared_edges.{edge.game}.{edge.bet}"
        if (edge.game, edge.bet) not in declared:
            yield MissingRequirement(
                key=f"edge:{edge.game}/{edge.bet}",
                says=words(
                    "report.missing.edge",
                    game=games.get(edge.game, edge.game),
                    bet=name,
                    key=path,
                ),
            )
        elif edge.declared is not None and not edge.agrees:
            yield MissingRequirement(
                key=f"edge:{edge.game}/{edge.name}",
                says=words(
                    "report.missing.edge-differs",
                    game=games.get(edge.game, edge.game),
                    bet=name,
                    declared=edge.declared,
                    exact=f"{edge.exact} ({edge.decimal})",
                ),
            )


def _has_default_words(report: Report, path: str) -> bool:
    """Return whether a report says of a field what it says where the dossier is empty."""
    return words(_WORDS_OF_REPORT[path]) in report.limits


def _missing_field(path: str) -> MissingRequirement:
    name = words(f"report.field.{path}")
    return MissingRequirement(
        key=f"field:{path}", says=words("report.missing.field", field=name, key=path)
    )


def _is_empty(holder: Dossier | Report, path: str) -> bool:
    value: object = holder
    for step in path.split("."):
        value = getattr(value, step)
    if isinstance(value, str):
        return not value.strip()
    return value is None or value == []
