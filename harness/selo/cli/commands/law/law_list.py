"""``selo law list``: instruments, or the provisions of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error
from selo.text.message_catalogue import label_value

if TYPE_CHECKING:
    import argparse
    import datetime as dt

    from selo.law import Law
    from selo.law.loader import InstrumentFolder


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo law list``."""
    parser.add_argument("instrument", nargs="?")
    shared.add_date(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """List what was asked for."""
    from selo.law import load_law
    from selo.law.status import macau_today

    law = load_law()
    day = arguments.as_of or macau_today()
    if arguments.instrument is None:
        _print_instruments(law, day, arguments)
        return Exit.CONFORMS
    folder = _find_instrument(law, arguments.instrument)
    _print_provisions(law, folder, day, arguments)
    return Exit.CONFORMS


def _find_instrument(law: Law, name: str) -> InstrumentFolder:
    for folder in law.folders:
        if name in {folder.instrument.id, folder.instrument.number, folder.instrument.game}:
            return folder
    known = ", ".join(folder.instrument.id for folder in law.folders)
    raise user_error("instrument", name=name, known=known)


def _print_instruments(law: Law, day: dt.date, arguments: argparse.Namespace) -> None:
    if arguments.json:
        print_json([_record_instrument(folder, day) for folder in law.folders])
        return
    out = console()
    for folder in law.folders:
        instrument = folder.instrument
        count = sum(len(file.article.provisions) for file in folder.articles)
        out.print(instrument.id, style="bold")
        out.print(f"  {instrument.citation.pt} · {instrument.citation.zh}")
        game = instrument.game_name
        out.print(f"  {game.pt} · {game.zh} · {game.en}")
        out.print(f"  {count} {say('law.field.provisions', arguments.lang).lower()}")
        for line in _remarks(folder, day, arguments.lang):
            out.print(f"  {line}")


def _remarks(folder: InstrumentFolder, day: dt.date, language: str) -> list[str]:
    from selo.law.status import describe_status, status_on

    instrument = folder.instrument
    lines = [describe_status(status_on(instrument, day), day).get(language)]
    touched = {
        article
        for link in instrument.chain
        for article in link.articles
        if article in {file.article.article for file in folder.articles}
    }
    for article in sorted(touched, key=_article_order):
        status = status_on(instrument, day, article=article)
        if not status.is_law:
            words = describe_status(status, day).get(language)
            name = say("law.article", language, article=article)
            lines.append(f"  {label_value(name, words, language)}")
    if instrument.attributed is not None:
        lines.append(instrument.attributed.get(language))
    if instrument.languages.published == ["pt"]:
        lines.append(say("law.only-pt", language))
    lines += [
        say("law.not-held", language, what=part.part.get(language)) for part in instrument.not_held
    ]
    return lines


def _article_order(article: str) -> tuple[int, str]:
    return (int(article), "") if article.isdigit() else (0, article)


def _record_instrument(folder: InstrumentFolder, day: dt.date) -> dict[str, object]:
    from selo.cli.printers import record_law_status

    instrument = folder.instrument
    return {
        "id": instrument.id,
        "number": instrument.number,
        "game": instrument.game,
        "citation": instrument.citation,
        "game_name": instrument.game_name,
        "languages": instrument.languages.published,
        "articles": [file.article.article for file in folder.articles],
        "provisions": sum(len(file.article.provisions) for file in folder.articles),
        "status": record_law_status(instrument, day),
        "status_by_article": {
            file.article.article: record_law_status(instrument, day, file.article.article)
            for file in folder.articles
        },
        "attributed": instrument.attributed,
        "not_held": instrument.not_held,
        "chain": instrument.chain,
    }


def _print_provisions(
    law: Law, folder: InstrumentFolder, day: dt.date, arguments: argparse.Namespace
) -> None:
    from selo.law import cite

    selected = [
        provision
        for provision in law.provisions.values()
        if provision.instrument is folder.instrument
    ]
    if arguments.json:
        print_json(
            [
                {
                    "id": located.id,
                    "unit": located.provision.unit,
                    "verified_by": located.provision.verified_by,
                }
                for located in selected
            ]
        )
        return
    from rich.table import Table

    out = console()
    out.print(f"{folder.instrument.citation.pt} · {folder.instrument.citation.zh}", style="bold")
    for line in _remarks(folder, day, arguments.lang):
        out.print(line)
    table = Table(box=None, pad_edge=False)
    table.add_column("id", overflow="fold")
    table.add_column(say("law.field.citation", arguments.lang), overflow="fold")
    table.add_column("", overflow="fold")
    table.add_column(say("law.field.verified", arguments.lang), no_wrap=True)
    for located in selected:
        citation = cite(law, located)
        ways = [located.provision.verified_by, *located.provision.also]
        table.add_row(
            located.id,
            citation.pt,
            citation.zh if "zh" in folder.instrument.languages.published else "",
            ", ".join(say(f"way.{way}", arguments.lang) for way in ways),
        )
    out.print(table)
