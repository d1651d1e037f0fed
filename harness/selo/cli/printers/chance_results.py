"""Prints what tests of a vendor's own outcomes say: of chance, and of the drawing rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.draws.draw_verdict import OutcomeSource, group_by_look, worst_result
from selo.examine.findings.draw_findings import render_test_name, verdict_key
from selo.text import say

if TYPE_CHECKING:
    from rich.console import Console

    from selo.draws.draw_verdict import DrawStatistic
    from selo.examine.conclusion import ExaminationResult
    from selo.report.phrases import Labels

_STYLES: Final = {"fair": "green", "doubtful": "yellow", "unfair": "bold red"}


def print_draws(out: Console, result: ExaminationResult, labels: Labels, language: str) -> None:
    """Print one line for each sample of draws and each interim analysis of it."""
    for tests in group_by_look(result.statistics):
        first, worst = tests[0], worst_result(tests)
        if not first.is_of_chance:
            _print_rule(out, tests, labels, language)
            continue
        options = "".join(
            f", {labels.option_in(first.game, name, value, language)}"
            for name, value in first.options.items()
        )
        slots = {
            "game": labels.game_in(first.game, language),
            "options": options,
            "sample": f"{first.sample:,}",
        }
        least = min(float(test.adjusted) for test in tests)
        verdict = say(f"draws.verdict.{worst}", language)
        drawn = first.source is OutcomeSource.DRAW
        words = say(
            "draws.told" if drawn else f"draws.told.{first.source}",
            language,
            **slots,
            tests=len(tests),
            verdict=verdict,
            least=f"{least:g}",
        )
        out.print(words, style=_STYLES[worst])


def _print_rule(out: Console, tests: list[DrawStatistic], labels: Labels, language: str) -> None:
    """Print whether outcomes were dealt by a rule that no article held contains."""
    for test in tests:
        says = say(verdict_key(test), language)
        departed = ", ".join(f"{one.name}: {one.observed:,}" for one in test.frequencies
                             if one.observed)  # fmt: skip
        words = say(
            "draws.told.rule",
            language,
            game=labels.game_in(test.game, language),
            sample=f"{test.sample:,}",
            test=render_test_name(test, language),
            verdict=says,
        )
        if departed:
            words = say("draws.told.rule.by-points", language, told=words, departed=departed)
        out.print(words, style="green" if not departed else "yellow")
