"""``selo law divergences``: where the law can be read in more than one way."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error
from selo.text.message_catalogue import label_value

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from rich.console import Console

    from selo.law.files.divergence_register import Divergence, PointImportance
    from selo.report.phrases import Labels

    Importance = Mapping[str, PointImportance]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo law divergences``."""
    parser.add_argument("id", nargs="?")
    shared.add_json(parser)
    parser.add_argument("--instrument")
    parser.add_argument("--severity", choices=["outcome", "conduct", "wording"])
    shared.add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """List the divergences, or print one of them in full."""
    from selo.law import load_law
    from selo.law.files.divergence_register import Divergence, ListedDivergence
    from selo.rounds.analysis import importance_key, stored_importance

    law = load_law()
    importance = stored_importance(law)
    chosen = [
        divergence
        for divergence in law.divergences
        if (arguments.id is None or divergence.id == arguments.id)
        and (arguments.severity is None or divergence.severity == arguments.severity)
        and (
            arguments.instrument is None
            or any(name.startswith(f"{arguments.instrument}/") for name in divergence.provisions)
        )
    ]
    chosen.sort(key=lambda one: importance_key(one, importance))
    if arguments.id is not None and not chosen:
        raise user_error("divergence", name=arguments.id)
    if arguments.json:
        fields = Divergence.__struct_fields__
        print_json(
            [
                ListedDivergence(
                    **{field: getattr(point, field) for field in fields},
                    importance=importance.get(point.id),
                )
                for point in chosen
            ]
        )
        return Exit.CONFORMS
    out = console()
    if arguments.id is not None:
        from selo.report.phrases import Labels

        _print_divergence(out, chosen[0], importance, Labels(law), arguments.lang)
        return Exit.CONFORMS
    # A point with one reading is settled: nobody has to choose.
    settled = [divergence for divergence in chosen if len(divergence.readings) == 1]
    _print_list(out, [one for one in chosen if one not in settled], importance, arguments.lang)
    if settled:
        out.print()
        out.print(say("law.settled", arguments.lang, count=len(settled)), style="bold")
        _print_list(out, settled, importance, arguments.lang)
    out.print(str(len(chosen)))
    return Exit.CONFORMS


def _print_list(
    out: Console, divergences: list[Divergence], importance: Importance, language: str
) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("id", overflow="fold")
    table.add_column(say("law.field.kind", language), overflow="fold")
    table.add_column(say("law.field.severity", language), overflow="fold")
    table.add_column(say("law.field.importance", language), overflow="fold")
    table.add_column("", overflow="fold")
    for divergence in divergences:
        table.add_row(
            divergence.id,
            say(f"kind.{divergence.kind}", language),
            say(f"severity.{divergence.severity}", language),
            _describe_importance(importance, divergence, language, short=True),
            divergence.title.get(language),
        )
    out.print(table)


def _describe_importance(
    importance: Importance, divergence: Divergence, language: str, *, short: bool = False
) -> str:
    from selo.rules.odds import format_percentage
    from selo.text.number_format import format_number

    known = msgspec.to_builtins(importance.get(divergence.id, {}))
    for name, value in known.items():
        rounded = format_number(format_percentage(Fraction(value)), language)
        return rounded if short else say(f"importance.{name}", language, value=rounded)
    return ""


def _print_divergence(
    out: Console, divergence: Divergence, importance: Importance, labels: Labels, language: str
) -> None:
    out.print(divergence.id, style="bold")
    out.print(divergence.title.get(language))
    severity = say(f"severity.{divergence.severity}", language)
    out.print(f"{say(f'kind.{divergence.kind}', language)} · {severity}")
    depends = _describe_importance(importance, divergence, language)
    if depends:
        _print_field(out, "importance", depends, language)
    _print_quotes(out, divergence)
    out.print()
    _print_field(out, "matters", divergence.matters.get(language), language)
    out.print(f"\n{say('law.field.readings', language)}")
    for reading in divergence.readings:
        mark = "*" if reading.id == divergence.default else " "
        out.print(f"  {mark} {label_value(reading.id, reading.says.get(language), language)}")
        if reading.without_effect:
            what = ", ".join(reading.without_effect)
            out.print(f"      {say('law.without-effect', language, provisions=what)}")
    out.print()
    _print_field(out, "default", divergence.default, language)
    out.print(f"  {divergence.because.get(language)}")
    if divergence.weighed is not None:
        step = say(f"weighing.{divergence.weighed}", language)
        out.print(f"  {label_value(say('law.field.weighed', language), step, language)}")
    if divergence.not_executable is not None:
        decided = say(f"ruling.decided-by.{divergence.not_executable.decided_by}", language)
        out.print(f"\n{say('law.field.not-executable', language)} ({decided})")
        out.print(f"  {divergence.not_executable.because.get(language)}")
    out.print()
    _print_field(out, "situation", labels.game_in(divergence.situation.game, language), language)
    if language == "en":
        for key, value in divergence.situation.given.items():
            out.print(f"  {key}: {_render_value(value)}")
    else:
        # The facts have English ids (record 37); the results tell them in words.
        out.print(f"  {say('law.situation.facts', language, id=divergence.id)}")
    for name, result in divergence.situation.results.items():
        paid = "" if result.pays is None else f" ({result.pays})"
        becomes = say(f"report.result.{result.result}", language)
        out.print(
            f"  {name} → {label_value(f'{becomes}{paid}', result.text.get(language), language)}"
        )


def _print_field(out: Console, name: str, value: object, language: str) -> None:
    out.print(label_value(say(f"law.field.{name}", language), value, language))


def _print_quotes(out: Console, divergence: Divergence) -> None:
    for quote in divergence.quotes:
        out.print(f"\n  {quote.provision}")
        for words in (quote.pt, quote.zh):
            if words is not None:
                out.print(f"    {words}")


def _render_value(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_render_value(item) for item in value)
    if isinstance(value, dict):
        return " ".join(f"{key}={_render_value(item)}" for key, item in value.items())
    return str(value)
