"""``selo witness``: writes forms for what only a person can observe, and checks filled-in ones."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.storage.atomic_write import write_new_files
from selo.text import say, user_error
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from selo.law import Law
    from selo.verdict.observations import Witness
    from selo.verdict.witness import CheckedForm
    from selo.verdict.witness.form import Form

_STYLES = {
    Exit.CONFORMS: ("complete", "bold green"),
    Exit.VIOLATES: ("violates", "bold red"),
    Exit.OPEN: ("open", "bold yellow"),
    Exit.USAGE: ("refused", "bold red"),
    Exit.TAMPERED: ("tampered", "bold red"),
}


def add_new_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo witness new``."""
    shared.add_games(parser)
    parser.add_argument("--out", default=".", metavar="DIR")
    shared.add_language(parser)
    shared.add_json(parser)


def run_new(arguments: argparse.Namespace) -> int:
    """Write an empty form."""
    from selo.law import load_law
    from selo.verdict.witness import blank_form

    law = load_law()
    form = blank_form(law, _choose_games(arguments.game, law))
    written = _write(Path(arguments.out), form, law) if form.entries else []
    files = [str(Path(arguments.out) / name) for name in written]
    if arguments.json:
        print_json({"form": form, "files": files})
    elif form.entries:
        slots = {"count": len(form.entries), "yaml": files[0], "html": files[1], "tablet": files[2]}
        console().print(say("witness.written", arguments.lang, **slots), soft_wrap=True)
    else:
        games = ", ".join(form.games)
        console().print(say("witness.nothing", arguments.lang, games=games), soft_wrap=True)
    return Exit.CONFORMS


def _choose_games(named: list[str] | None, law: Law) -> list[str]:
    from selo.verdict.witness import all_games

    all_names = all_games(law)
    for name in named or []:
        if name not in all_names:
            raise user_error("game", name=name, known=", ".join(all_names))
    return [game for game in all_names if not named or game in named]


def _write(folder: Path, form: Form, law: Law) -> list[str]:
    """Write the files of a form; return their names."""
    from selo.cli.runs import render_witness_files

    files = render_witness_files(form, law)
    try:
        # A form that somebody filled in is never overwritten.
        write_new_files(folder, files.items())
    except OSError as error:
        raise user_error("form-unwritten", error=error) from error
    return list(files)


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo witness check``."""
    parser.add_argument("forms", nargs="+", metavar="FILE")
    parser.add_argument("--as-of", type=shared.parse_day, metavar="DATE")
    shared.add_language(parser)
    shared.add_json(parser)


def run_check(arguments: argparse.Namespace) -> int:
    """Check forms that were filled in."""
    from selo.law import load_law
    from selo.law.status import macau_today
    from selo.verdict.witness import check_form, form_exit_code

    law = load_law()
    day = arguments.as_of or macau_today()
    forms = [check_form(Path(name), law, day) for name in arguments.forms]
    code = form_exit_code(forms)
    if arguments.json:
        print_json({"as_of": day, "forms": forms, "exit": code})
        return code
    out = console()
    for form in forms:
        _print(out, form, arguments.lang)
    _print_conclusion(out, forms, code, arguments.lang)
    return code


def _print(out: Console, form: CheckedForm, language: str) -> None:
    told = [str(flaw.problem(language)).partition("\n") for flaw in form.flaws]
    for at, (problem, line_feed, hint) in enumerate(told):
        # A hint that several flaws in a row share is printed once, after the last.
        is_last = at + 1 == len(told) or told[at + 1][-1] != hint
        print(problem + line_feed + hint if is_last else problem, file=sys.stderr)
    for witness in form.witnesses:
        mark, style = _mark_of(witness)
        result = say(f"witness.result.{witness.result or 'none'}", language)
        signed = say(f"witness.signed.{witness.signed}", language)
        out.print(f"{mark} {witness.provision}  {result} · {signed}", style=style, soft_wrap=True)
    if form.absent:
        files = ", ".join(escape_unseen(name) for name in form.absent)
        out.print(say("witness.absent", language, files=files), style="yellow", soft_wrap=True)


def _mark_of(witness: Witness) -> tuple[str, str]:
    from selo.verdict.observations import EntryTrust, WitnessAnswer

    if witness.signed is not EntryTrust.VALID:
        return "–", "yellow"
    return ("✗", "bold red") if witness.result is WitnessAnswer.NOT_MET else ("✓", "green")


def _print_conclusion(out: Console, forms: list[CheckedForm], code: int, language: str) -> None:
    from selo.verdict.observations import EntryTrust, WitnessAnswer
    from selo.verdict.witness import FlawWeight

    key, style = _STYLES[Exit(code)]
    witnesses = [witness for form in forms for witness in form.witnesses]
    counted = {
        "violates": sum(
            witness.signed is EntryTrust.VALID and witness.result is WitnessAnswer.NOT_MET
            for witness in witnesses
        ),
        "open": len(
            {
                *(
                    witness.provision
                    for witness in witnesses
                    if witness.signed is not EntryTrust.VALID
                ),
                *(
                    flaw.provision
                    for form in forms
                    for flaw in form.flaws
                    if flaw.weight is FlawWeight.OPEN and flaw.provision is not None
                ),
            }
        ),
    }
    count = counted.get(key, len(witnesses))
    out.print(say(f"witness.{key}", language, count=count), style=style)
