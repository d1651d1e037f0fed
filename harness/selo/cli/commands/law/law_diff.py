"""``selo law diff``: what changed in the law between two days."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from rich.console import Console

    from selo.law import Law
    from selo.law.ledger import FamilyChange, ProvisionChange


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo law diff``."""
    parser.add_argument("first", type=shared.parse_day, metavar="DATE1")
    parser.add_argument("second", type=shared.parse_day, metavar="DATE2")
    shared.add_games(parser)
    parser.add_argument("--registry", metavar="DIR")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the changes of each game; nothing that changed is said too."""
    from selo.law import load_law
    from selo.law.ledger import compare_days

    law = load_law()
    known = [folder.instrument.game for folder in law.folders]
    for game in arguments.game or ():
        if game not in known:
            raise user_error("game", name=game, known=", ".join(known))
    changes = [
        change
        for change in compare_days(law, arguments.first, arguments.second)
        if not arguments.game or set(arguments.game) & set(change.games)
    ]
    odds = [list(_odds_changes(law, change)) for change in changes]
    touched = [_touched_certificates(arguments, change) for change in changes]
    if arguments.json:
        print_json(
            {
                "first": arguments.first,
                "second": arguments.second,
                "changes": [
                    {"law": change, "odds": figures, "certificates": certificates}
                    for change, figures, certificates in zip(changes, odds, touched, strict=True)
                ],
            }
        )
        return Exit.CONFORMS
    out = console()
    if not changes:
        out.print(say("law.diff.none", arguments.lang))
    for change, figures, touching in zip(changes, odds, touched, strict=True):
        _print_family(out, change, figures, arguments.lang)
        if touching is not None:
            named = [f"{escape_unseen(one['certificate'])} ({one['state']})" for one in touching]
            listed = ", ".join(named) or say("law.none", arguments.lang)
            text = say("law.diff.certificates", arguments.lang, certificates=listed)
            out.print(text, soft_wrap=True)
    return Exit.CONFORMS


def _touched_certificates(
    arguments: argparse.Namespace, change: FamilyChange
) -> list[dict[str, str]] | None:
    """Return the certificates of a registry whose law a change touches, with their states.

    A certificate is touched if an instrument that it rests on is one of those texts and something
    in them must be examined again. One that ended is not listed. Nothing without a registry.
    """
    if arguments.registry is None:
        return None
    from selo.law.status import macau_today
    from selo.registry import CertificateRegistry
    from selo.registry.certificate_states import CertificateState

    log = CertificateRegistry.at(Path(arguments.registry)).check(signatures=False)
    log.refuse_broken(Path(arguments.registry))
    texts = {*change.before, *change.after} if change.changes or change.examine_again else set()
    lasting = {CertificateState.VALID, CertificateState.SUSPENDED}
    found = []
    for record in log.book.certificates.values():
        state = record.state_on(macau_today())
        rests_on = {one.id for one in record.issued.instruments}
        if state in lasting and rests_on & texts:
            found.append({"certificate": record.number, "state": str(state)})
    return found


def _odds_changes(law: Law, change: FamilyChange) -> Iterator[dict[str, Any]]:
    """Yield the bets whose house edge is another under the text of the second day."""
    from selo.rules.odds import OddsCatalogue
    from selo.rules.readings import Readings

    newest = [
        next((one.instrument for one in reversed(law.folders) if one.instrument.id == of[-1]), None)
        for of in (change.before or [""], change.after or [""])
    ]
    if newest[0] is newest[1]:
        return
    catalogue = OddsCatalogue(law)
    edges = [
        {
            (figure.bet, "" if figure.choice is None else str(figure.choice)): str(figure.edge)
            for figure in (
                catalogue.figures(instrument.game, Readings(law, {}))
                if instrument is not None and instrument.game in catalogue.games()
                else []
            )
            if figure.priced
        }
        for instrument in newest
    ]
    for bet, choice in dict.fromkeys([*edges[0], *edges[1]]):
        before, after = (known.get((bet, choice)) for known in edges)
        if before != after:
            yield {"bet": bet, "choice": choice or None, "before": before, "after": after}


def _print_family(
    out: Console, change: FamilyChange, figures: list[dict[str, Any]], language: str
) -> None:
    out.print(", ".join(change.games), style="bold")
    out.print(f"{', '.join(change.before) or '–'} → {', '.join(change.after) or '–'}")
    for one in change.changes:
        _print_change(out, one, language)
    for figure in figures:
        name = figure["bet"] if figure["choice"] is None else f"{figure['bet']} {figure['choice']}"
        slots = {"bet": name, "before": figure["before"] or "–", "after": figure["after"] or "–"}
        out.print(f"  {say('law.diff.odds', language, **slots)}")
    again = ", ".join(change.examine_again) or say("law.none", language)
    out.print(say("law.diff.again", language, provisions=again), soft_wrap=True)


def _print_change(out: Console, change: ProvisionChange, language: str) -> None:
    out.print(f"  {change.path}", style="yellow")
    for text in change.words:
        before, after = (" ".join((one or "–").split()) for one in (text.before, text.after))
        out.print(f"    {text.language}: {before} → {after}", soft_wrap=True)
    if change.rule_changed:
        out.print(f"    {say('law.diff.rule', language)}")
    for key, points in (("gone", change.points_before), ("new", change.points_after)):
        if points:
            out.print(f"    {say(f'law.diff.points.{key}', language, points=', '.join(points))}")
    for status in (change.status_before, change.status_after):
        if status is not None:
            out.print(f"    {status.get(language)}", soft_wrap=True)
