"""Instruments and articles in scope: status on the day of the law, digest of the text."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from selo.evidence.canonical_json import encode_canonical
from selo.law.citation import cite_article
from selo.law.status import STANDING_NAMES, describe_text, gravest_status
from selo.report.model.report_model import ArticleRecord, Norm
from selo.report.phrases.composition import words
from selo.text import Text

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterator

    from selo.examine.run.granted_permissions import GrantedPermission
    from selo.law import Law
    from selo.law.loader import InstrumentFolder

_APPROVAL = "approval"


def norms_in_scope(
    law: Law,
    games: Collection[str],
    day: dt.date,
    permissions: Collection[GrantedPermission] = (),
) -> list[Norm]:
    """Return the instruments of `games`, in the order of the law files."""
    return [
        _norm_record(folder, day, permissions)
        for folder in law.folders
        if folder.instrument.game in games
    ]


def _norm_record(
    folder: InstrumentFolder, day: dt.date, permissions: Collection[GrantedPermission]
) -> Norm:
    instrument = folder.instrument
    articles = [file.article.article for file in folder.articles]
    status = gravest_status(instrument, day, articles)
    return Norm(
        instrument=instrument.id,
        game=instrument.game,
        name=instrument.game_name,
        citation=instrument.citation,
        regulation=instrument.regulation,
        gazette=Text(pt=instrument.gazette.pt, zh=instrument.gazette.zh),
        languages=instrument.languages.published,
        authentic=instrument.languages.authentic,
        standing=STANDING_NAMES[status.standing],
        certain=status.certain,
        is_law=status.is_law,
        status=describe_text(folder, day),
        digest=instrument_digest(folder),
        not_held=[missing.part for missing in instrument.not_held],
        by=None if status.by is None else status.by.act,
        known_until=status.known_until,
        attributed=instrument.attributed,
        permitted_by=", ".join(
            permission.number
            for permission in permissions
            if instrument.id in permission.texts and not permission.demonstration
        ),
    )


def instrument_digest(folder: InstrumentFolder) -> str:
    """Return the SHA-256 over id and text of every provision of an instrument."""
    instrument = folder.instrument.id
    plain = [
        [
            f"{instrument}/{provision.id}",
            {name: provision.text.get(name) for name in provision.text.languages()},
        ]
        for file in folder.articles
        for provision in file.article.provisions
    ]
    return hashlib.sha256(
        encode_canonical({"instrument": instrument, "provisions": plain})
    ).hexdigest()


def articles_in_scope(law: Law, games: Collection[str]) -> Iterator[ArticleRecord]:
    """Yield the articles of `games` with their headings."""
    for folder in law.folders:
        if folder.instrument.game in games:
            for file in folder.articles:
                number = file.article.article
                yield ArticleRecord(
                    instrument=folder.instrument.id,
                    number=number,
                    citation=_article_citation(number),
                    heading=file.article.heading,
                )


def _article_citation(number: str) -> Text:
    if number == _APPROVAL:
        act = words("report.article.approval")
        return Text(pt=act.pt, zh=act.zh)
    return cite_article(number)
