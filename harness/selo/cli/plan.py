"""``selo plan``: what would be tried, in which order and why, before anything runs."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from selo.cases.scope import everything
from selo.cli.exits import Exit
from selo.cli.show import console, print_json
from selo.cli.vendors import games_of, rulings_adopted
from selo.draws.judged import ACCUSED
from selo.examine.drawn import foreseen
from selo.examine.plan import Plan, terms_of
from selo.examine.sampling import drawable
from selo.law.reader import load
from selo.report.method import reason
from selo.words.messages import say

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from selo.examine.drawn import Foreseen
    from selo.examine.plan import PlannedGroup, Terms

#: So many provisions of a group are named.
_MOST = 6


def run(arguments: argparse.Namespace) -> int:
    """List every group of cases of a plan."""
    law = load()
    terms = terms_of(
        law,
        drawable(law, everything(law, games_of(arguments, law))),
        as_of=(arguments.as_of or dt.date.today()).isoformat(),  # noqa: DTZ011 - the day here
        rulings=rulings_adopted(arguments, law).followed,
        budget=arguments.budget,
        seed=arguments.seed,
        provisions=arguments.provision or [],
    )
    groups = list(Plan(law, terms).listed())
    draws = foreseen(law, terms)
    if arguments.json:
        print_json({"digest": terms.digest, "terms": terms, "groups": groups, "draws": draws})
        return Exit.CONFORMS
    out = console()
    game = None
    for one in groups:
        if one.game != game:
            game = one.game
            out.print(game, style="bold")
        out.print(f"  {one.size:>9,}  {one.name}  ({_how(one, arguments.lang)})")
        why = reason(one.game, one.name, one.reason).get(arguments.lang)
        out.print(f"             {why}", style="dim")
        if one.decides:
            out.print(f"             {_decides(one, arguments.lang)}", style="dim")
    _print_draws(out, terms, draws, arguments.lang)
    total = sum(one.size for one in groups)
    out.print(say("plan.total", arguments.lang, count=f"{total:,}", digest=terms.digest))
    return Exit.CONFORMS


def _how(one: PlannedGroup, language: str) -> str:
    """Return over what a group is complete, or that it is drawn at random."""
    if not one.complete:
        return say("plan.drawn", language)
    slots = {"outcomes": f"{one.outcomes:,}", "bets": f"{one.bets:,}"}
    if one.outcomes == one.size and one.bets and not one.bets % one.size:
        return say("plan.complete.times", language, **{**slots, "bets": one.bets // one.size})
    if one.bets:
        return say("plan.complete.bets", language, **slots)
    return say("plan.complete.outcomes" if one.outcomes else "plan.complete", language, **slots)


def _decides(one: PlannedGroup, language: str) -> str:
    """Return which provisions a group decides; not all of them, where there are many."""
    named = ", ".join(one.decides[:_MOST]) + (", …" if len(one.decides) > _MOST else "")
    return say("plan.decides", language, count=len(one.decides), provisions=named)


def _print_draws(out: Console, terms: Terms, draws: list[Foreseen], language: str) -> None:
    """Say what is drawn from the vendor's random source, if it offers to draw, and why."""
    if not draws:
        out.print(say("plan.draws.none", language), style="dim")
    for game in terms.games:
        mine = [one for one in draws if one.sample.game == game.game]
        if mine:
            out.print(game.game, style="bold")
        for one in mine:
            sample = one.sample
            options = ", ".join(f"{name} {value}" for name, value in sample.options.items())
            slots = {
                "outcomes": f"{sample.outcomes:,}",
                "options": options or say("plan.draws.options", language),
            }
            out.print(f"             {say('plan.draws', language, **slots)}")
            reason = say(
                "plan.draws.reason",
                language,
                provisions=", ".join(sample.provisions),
                tests=one.tests,
                accused=f"{ACCUSED:,}",
                notices=f"{100 * float(one.notices):.1f} %",
            )
            out.print(f"             {reason}", style="dim")
