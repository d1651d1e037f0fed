"""``selo law show``: what is cited, both texts, everything known about it.

Of an instrument, or of an article with parts, every text and how to go on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import LAW_LANGUAGES, say

if TYPE_CHECKING:
    import argparse
    import datetime as dt

    from selo.law import Law, LocatedProvision
    from selo.law.ledger import PreambleParagraph


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo law show``."""
    parser.add_argument("id", nargs="+", metavar="ID")
    shared.add_date(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show the provision."""
    from selo.cli.printers import record_law_status
    from selo.law import load_law
    from selo.law.citation import find_cited
    from selo.law.ledger import find_preamble, make_ledger
    from selo.law.status import macau_today

    law = load_law()
    day = arguments.as_of or macau_today()
    cited = " ".join(arguments.id)
    preamble = find_preamble(law, cited)
    if preamble:
        _show_preamble(preamble, as_json=arguments.json)
        return Exit.CONFORMS
    found = find_cited(law, cited) or [law.find(cited)]
    if arguments.json:
        rows = {row.id: row for row in make_ledger(law).provisions}
        records = [
            {
                "provision": rows[located.id],
                "status": record_law_status(
                    located.instrument, day, located.article.article.article
                ),
            }
            for located in found
        ]
        print_json(records[0] if len(records) == 1 else {"provisions": records})
    elif len(found) == 1:
        _print(law, found[0], day, arguments.lang)
    else:
        _print_texts(law, found, arguments.lang)
    return Exit.CONFORMS


def _show_preamble(preamble: list[PreambleParagraph], *, as_json: bool) -> None:
    """Print paragraphs of a preamble in both languages, with their citations."""
    from selo.law.ledger import cite_preamble

    cited = [(paragraph, cite_preamble(paragraph)) for paragraph in preamble]
    if as_json:
        records = [
            {
                "id": paragraph.id,
                "instrument": paragraph.instrument.id,
                "text": paragraph.matter.text,
                "citation": {"pt": citation.pt_full, "zh": citation.zh_full},
            }
            for paragraph, citation in cited
        ]
        print_json({"preamble": records})
        return
    out = console()
    for paragraph, citation in cited:
        out.print(paragraph.id, style="bold", soft_wrap=True)
        out.print(f"{citation.pt_full} · {citation.zh_full}", style="dim", soft_wrap=True)
        for language in paragraph.matter.text.languages():
            out.print(paragraph.matter.text.get(language), soft_wrap=True, markup=False)
        out.print()


def _print_texts(law: Law, found: list[LocatedProvision], language: str) -> None:
    """Print the texts of several provisions, and how to see more of one of them."""
    from selo.law import cite

    out = console()
    for located in found:
        citation = cite(law, located)
        cited = citation.zh_full if language == "zh" else citation.pt_full
        out.print(f"{located.id}  {cited}", style="bold", soft_wrap=True)
        for text_language in located.provision.text.languages():
            out.print(located.provision.text.get(text_language), soft_wrap=True, markup=False)
        out.print()
    for key in ("law.show.one", "law.show.rules"):
        game = found[0].instrument.game
        out.print(say(key, language, id=found[-1].id, game=game), style="dim", soft_wrap=True)


def _print(law: Law, located: LocatedProvision, day: dt.date, language: str) -> None:
    from rich.table import Table

    from selo.gazette import written_places
    from selo.law import cite
    from selo.law.ledger import list_forces
    from selo.law.status import describe_status, status_on

    out, provision, citation = console(), located.provision, cite(law, located)
    heading = located.article.article.heading
    out.print(located.id, style="bold")
    if heading is not None:
        out.print(" · ".join(words for words in (heading.pt, heading.zh) if words))
    out.print()
    if out.is_terminal:
        texts = Table(box=None, pad_edge=False, expand=True, padding=(0, 2, 0, 0))
        for one in provision.text.languages():
            texts.add_column(one, ratio=1, overflow="fold")
        texts.add_row(*(provision.text.get(language) for language in provision.text.languages()))
        out.print(texts)
    else:
        # A program that reads the text must find it unbroken.
        for one in provision.text.languages():
            print(f"{one}\n{provision.text.get(one)}")
    out.print()
    facts = Table(box=None, pad_edge=False, show_header=False)
    facts.add_column(no_wrap=True, style="dim")
    facts.add_column(overflow="fold")
    facts.add_row(say("law.field.citation", language), citation.pt_full)
    facts.add_row("", citation.zh_full)
    status = status_on(located.instrument, day, article=located.article.article.article)
    facts.add_row(say("law.field.status", language), describe_status(status, day).get(language))
    if located.instrument.attributed is not None:
        facts.add_row("", located.instrument.attributed.get(language))
    ways = [provision.verified_by, *provision.also]
    facts.add_row(
        say("law.field.verified", language),
        ("、" if language == "zh" else ", ").join(say(f"way.{way}", language) for way in ways),
    )
    for worded in list_forces(law)[located.id]:
        words = "; ".join(" · ".join(many) for many in worded.words.values())
        name = say(f"force.{worded.force}", language)
        facts.add_row(say("law.field.force", language), f"{name} ({words})" if words else name)
    if provision.because is not None:
        facts.add_row(say("law.field.because", language), provision.because.get(language))
    if provision.look_at is not None:
        facts.add_row(say("law.field.look-at", language), provision.look_at.get(language))
    places = "; ".join(
        f"{one} {', '.join(written_places(origin.get(one)))}"
        for origin in (provision.source, provision.witness)
        if origin is not None
        for one in LAW_LANGUAGES
        if origin.get(one) is not None
    )
    facts.add_row(say("law.field.source", language), places)
    divergences = list(law.divergences_of(located.id))
    facts.add_row(
        say("law.field.divergences", language),
        str(len(divergences)) if divergences else say("law.none", language),
    )
    for divergence in divergences:
        facts.add_row("", f"{divergence.id}: {divergence.title.get(language)}")
    out.print(facts)
