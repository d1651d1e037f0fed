"""HTML pages of the law: texts, rules, open points, coverage and exact odds.

Every provision and every open point has an address: ``portaria-21-96-m.html#5-d``,
``points.html#21-96-m-3-c--leaning-dice``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import yaml

from selo.gazette import written_places
from selo.law import cite, compute_spec_digest
from selo.law.files.divergence_register import DivergenceKind, Severity
from selo.law.files.provision_file import Way
from selo.law.status import describe_status, status_on
from selo.report.formats.web_page import embed_chinese_font, web_templates
from selo.report.phrases import Labels
from selo.text import LAW_LANGUAGES

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping, Sequence

    from selo.examine.coverage import Coverage
    from selo.law import Law, LocatedProvision
    from selo.law.loader import InstrumentFolder
    from selo.rules.odds import BetOdds
    from selo.text import Words

_MENU: Final = (
    ("law", "index.html"),
    ("points", "points.html"),
    ("odds", "odds.html"),
    ("coverage", "coverage.html"),
)


def render_law_pages(
    law: Law,
    day: dt.date,
    *,
    coverage: Coverage,
    odds: Mapping[str, Sequence[BetOdds]],
) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every page."""
    shared: dict[str, Any] = {
        "menu": _MENU,
        "digest": compute_spec_digest(law),
        "day": day.isoformat(),
        "link": lambda name: address_of(law, name),
        "cite": lambda name: cite(law, law.find(name)),
        "titles": {point.id: point.title for point in law.divergences},
    }

    def page(template: str, name: str, **values: Any) -> tuple[str, str]:
        text = web_templates().get_template(f"site/{template}.html")
        return name, embed_chinese_font(text.render(**shared, page=name, **values))

    yield page(
        "index",
        "index.html",
        provisions=len(law.provisions),
        points=len(law.divergences),
        instruments=[_card(law, folder, day) for folder in law.folders],
    )
    rows = {row.id: row for row in coverage.provisions}
    for folder in law.folders:
        status = status_on(folder.instrument, day)
        yield page(
            "instrument",
            f"{folder.instrument.id}.html",
            instrument=folder.instrument,
            status=describe_status(status, day),
            is_law=status.is_law,
            ways=list(Way),
            articles=list(_articles(law, folder, rows)),
        )
    yield page(
        "points",
        "points.html",
        total=len(law.divergences),
        kinds=list(DivergenceKind),
        severities=list(Severity),
        groups=list(_points(law)),
    )
    names = {folder.instrument.game: folder.instrument.game_name for folder in law.folders}
    labels = Labels(law)
    yield page(
        "odds",
        "odds.html",
        games=[
            {"id": game, "name": names[game], "figures": list(_figures(game, figures, labels))}
            for game, figures in odds.items()
        ],
    )
    yield page(
        "coverage",
        "coverage.html",
        most=coverage.most,
        ways=list(Way),
        games=[
            {"id": total.game, "name": names[total.game], "rows": list(_rows(law, coverage, total))}
            for total in coverage.totals
        ],
    )


def anchor_of(held: LocatedProvision) -> str:
    """Return the anchor of a provision on the page of its instrument."""
    return held.provision.id.replace("/", "-")


def address_of(law: Law, provision: str) -> str:
    """Return the address of a provision within the site."""
    held = law.find(provision)
    return f"{held.instrument.id}.html#{anchor_of(held)}"


def _card(law: Law, folder: InstrumentFolder, day: dt.date) -> dict[str, Any]:
    instrument = folder.instrument
    status = status_on(instrument, day)
    prefix = f"{instrument.id}/"
    return {
        "id": instrument.id,
        "name": instrument.name,
        "game_name": instrument.game_name,
        "status": describe_status(status, day),
        "is_law": status.is_law,
        "provisions": sum(1 for name in law.provisions if name.startswith(prefix)),
        "points": sum(
            1 for point in law.divergences if _instrument_of(point.provisions) == instrument.id
        ),
    }


def _instrument_of(provisions: Sequence[str]) -> str:
    """Return the instrument under which an open point is listed."""
    return provisions[0].split("/", 1)[0]


def _articles(
    law: Law, folder: InstrumentFolder, rows: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    for file in folder.articles:
        provisions = [
            provision for provision in law.provisions.values() if provision.article is file
        ]
        yield {
            "number": file.article.article,
            "label": file.article.label,
            "heading": file.article.heading,
            "provisions": [_provision(law, held, rows.get(held.id)) for held in provisions],
        }


def _provision(law: Law, held: LocatedProvision, row: Any) -> dict[str, Any]:
    provision = held.provision
    rule = (
        provision.rule
        if isinstance(provision.rule, list)
        else []
        if provision.rule is None
        else [provision.rule]
    )
    decided = row is not None and row.decisive > 0
    return {
        "id": held.id,
        "anchor": anchor_of(held),
        "citation": cite(law, held),
        "text": provision.text,
        "ways": [provision.verified_by, *provision.also],
        "force": provision.force,
        "because": provision.because,
        "points": [point.id for point in law.divergences_of(held.id)],
        "rules": [_clause(clause) for clause in rule],
        "sources": [
            f"{language} {place}"
            for language in LAW_LANGUAGES
            for place in written_places(provision.source.get(language)) or []
        ],
        "decisive": row.decisive if decided else None,
    }


def _clause(clause: dict[str, Any]) -> str:
    """Return a clause as its law file writes it, on one line."""
    return yaml.safe_dump(
        clause, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10_000
    ).strip()


def _points(law: Law) -> Iterator[dict[str, Any]]:
    for folder in law.folders:
        points = [
            divergence
            for divergence in law.divergences
            if _instrument_of(divergence.provisions) == folder.instrument.id
        ]
        yield {"id": folder.instrument.id, "name": folder.instrument.name, "points": points}


def _figures(game: str, figures: Sequence[BetOdds], labels: Labels) -> Iterator[dict[str, Any]]:
    """Yield the rows of a game, one for all choices with the same odds."""
    rows: dict[Any, tuple[BetOdds, list[Words]]] = {}
    for figure in figures:
        key = figure.bet, figure.manner, figure.choice is None, tuple(figure.ends.items())
        _, choices = rows.setdefault(key, (figure, []))
        if figure.choice is not None:
            choices.append(labels.term(game, figure.choice))
    for figure, choices in rows.values():
        yield {
            "bet": figure.bet,
            "name": labels.term(game, figure.bet),
            "choices": choices,
            "manner": None if figure.manner is None else labels.term(game, figure.manner),
            **{name: str(figure.of(name)) for name in ("win", "push", "lose")},
            "edge": str(figure.edge) if figure.priced else "",
            "percent": f"{float(figure.edge):.4%}" if figure.priced else "",
        }


def _rows(law: Law, coverage: Coverage, total: Any) -> Iterator[dict[str, Any]]:
    for row in coverage.provisions:
        if row.game == total.game:
            counted = row.decisive or row.examined
            enough = coverage.most is not None and row.decisive >= coverage.most
            yield {
                "id": row.id,
                "ways": [row.verified_by, *row.also_verified_by],
                "cases": row.cases,
                "decisive": f"≥ {row.decisive}" if enough else str(row.decisive) if counted else "",
                "because": None if row.examined else law.find(row.id).provision.because,
            }
