"""``selo witness``: forms for what only a person can see, and what people filled in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.law import today
from selo.law.loader import load
from selo.text import wrong
from selo.text.message_catalogue import say
from selo.text.sanitize import visible
from selo.verdict.observations import Met, Signed
from selo.verdict.witness import Weight, all_games, blank, check, exit_of, page, written

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from selo.law.loader import Law
    from selo.verdict.observations import Witness
    from selo.verdict.witness import Checked, Form

YAML, HTML = "witness.yaml", "witness.html"
_STYLES = {
    Exit.CONFORMS: ("complete", "bold green"),
    Exit.VIOLATES: ("violates", "bold red"),
    Exit.OPEN: ("open", "bold yellow"),
    Exit.USAGE: ("refused", "bold red"),
    Exit.TAMPERED: ("tampered", "bold red"),
}


def run(arguments: argparse.Namespace) -> int:
    """Write an empty form, or check forms that were filled in."""
    return _new(arguments) if arguments.action == "new" else _check(arguments)


def _new(arguments: argparse.Namespace) -> int:
    law = load()
    form = blank(law, _games(arguments.game, law))
    if form.entries:
        _write(Path(arguments.out), form, law)
    files = [str(Path(arguments.out) / name) for name in (YAML, HTML)] if form.entries else []
    if arguments.json:
        print_json({"form": form, "files": files})
    elif form.entries:
        slots = {"count": len(form.entries), "yaml": files[0], "html": files[1]}
        console().print(say("witness.written", arguments.lang, **slots), soft_wrap=True)
    else:
        games = ", ".join(form.games)
        console().print(say("witness.nothing", arguments.lang, games=games), soft_wrap=True)
    return Exit.CONFORMS


def _games(named: list[str] | None, law: Law) -> list[str]:
    known = all_games(law)
    for name in named or []:
        if name not in known:
            raise wrong("game", name=name, known=", ".join(known))
    return [game for game in known if not named or game in named]


def _write(folder: Path, form: Form, law: Law) -> None:
    contents = {YAML: written(form), HTML: page(form, law)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            # What people have filled in is never written over.
            with (folder / name).open("x", encoding="utf-8", newline="\n") as opened:
                opened.write(content)
    except OSError as error:
        raise wrong("form-unwritten", error=error) from error


def _check(arguments: argparse.Namespace) -> int:
    law = load()
    day = arguments.as_of or today()
    forms = [check(Path(name), law, day) for name in arguments.forms]
    code = exit_of(forms)
    if arguments.json:
        print_json({"as_of": day, "forms": forms, "exit": code})
        return code
    out = console()
    for form in forms:
        _print(out, form, arguments.lang)
    _conclude(out, forms, code, arguments.lang)
    return code


def _print(out: Console, form: Checked, language: str) -> None:
    for flaw in form.flaws:
        print(flaw.problem(language), file=sys.stderr)
    for witness in form.witnesses:
        mark, style = _mark(witness)
        result = say(f"witness.result.{witness.result or 'none'}", language)
        signed = say(f"witness.signed.{witness.signed}", language)
        out.print(f"{mark} {witness.provision}  {result} · {signed}", style=style, soft_wrap=True)
    if form.absent:
        files = ", ".join(visible(name) for name in form.absent)
        out.print(say("witness.absent", language, files=files), style="yellow", soft_wrap=True)


def _mark(one: Witness) -> tuple[str, str]:
    if one.signed is not Signed.VALID:
        return "–", "yellow"
    return ("✗", "bold red") if one.result is Met.NOT_MET else ("✓", "green")


def _conclude(out: Console, forms: list[Checked], code: int, language: str) -> None:
    key, style = _STYLES[Exit(code)]
    witnesses = [witness for form in forms for witness in form.witnesses]
    counted = {
        "violates": sum(
            witness.signed is Signed.VALID and witness.result is Met.NOT_MET
            for witness in witnesses
        ),
        "open": len(
            {
                *(witness.provision for witness in witnesses if witness.signed is not Signed.VALID),
                *(
                    flaw.provision
                    for form in forms
                    for flaw in form.flaws
                    if flaw.weight is Weight.OPEN and flaw.provision is not None
                ),
            }
        ),
    }
    count = counted.get(key, len(witnesses))
    out.print(say(f"witness.{key}", language, count=count), style=style)
