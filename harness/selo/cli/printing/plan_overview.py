"""New module."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from selo.draws.draw_verdict import ACCUSED
from selo.report.phrases.labels import group_reason, round_reason
from selo.rounds.generate import WRITTEN_GROUP as WRITTEN
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rich.console import Console

    from selo.examine.coverage.plan_listing import PlanListing, PlannedGroup, PlannedRound
    from selo.examine.plan import Terms
    from selo.examine.replay.draw_results import DrawForecast


#: So many provisions of a group are named.
_MAX_NAMES: Final = 6


_MARGIN: Final = " " * 13


def print_plan(
    out: Console,
    terms: Terms,
    plan: PlanListing,
    draws: Sequence[DrawForecast],
    arguments: argparse.Namespace,
) -> None:
    language = arguments.lang
    if arguments.vendor is None:
        out.print(say("plan.whole", language), style="dim")
    for planned in terms.games:
        game = planned.game
        out.print(game, style="bold")
        for group in [*plan.groups, *plan.declarations]:
            if group.game == game:
                _print_group(out, group, language)
        _print_rounds(out, [one for one in plan.rounds if one.game == game], language)
        for said in plan.rounds_left_out:
            if said.startswith(f"{game}/"):
                out.print(f"{_MARGIN}{say('plan.rounds.left-out', language, round=said)}")
        _print_draws(out, [draw for draw in draws if draw.sample.game == game], language)
    if not draws:
        out.print(say("plan.draws.none", language), style="dim")
    total = {
        "count": f"{sum(group.size for group in plan.groups):,}",
        "rounds": f"{len(plan.rounds):,}",
        "draws": f"{sum(draw.sample.outcomes for draw in draws):,}",
    }
    out.print(say("plan.total", language, digest=terms.digest, **total))


def _print_group(out: Console, one: PlannedGroup, language: str) -> None:
    out.print(f"  {one.size:>9,}  {one.name}  ({_completeness(one, language)})")
    why = group_reason(one.game, one.name, one.reason).get(language)
    out.print(f"{_MARGIN}{why}", style="dim")
    if one.decides:
        out.print(f"{_MARGIN}{_decided_provisions(one.decides, language)}", style="dim")
    if one.readings:
        points = _list_names(one.readings)
        slots: dict[str, Any] = {"count": len(one.readings), "points": points}
        out.print(f"{_MARGIN}{say('plan.readings', language, **slots)}", style="dim")


def _completeness(one: PlannedGroup, language: str) -> str:
    """Return over what a group is complete, or that it is drawn at random."""
    if not one.complete:
        return say("plan.drawn", language)
    slots = {"outcomes": f"{one.outcomes:,}", "bets": f"{one.bets:,}"}
    if one.outcomes == one.size and one.bets and not one.bets % one.size:
        return say("plan.complete.times", language, **{**slots, "bets": one.bets // one.size})
    if one.bets:
        return say("plan.complete.bets", language, **slots)
    return say("plan.complete.outcomes" if one.outcomes else "plan.complete", language, **slots)


def _decided_provisions(provisions: Sequence[str], language: str) -> str:
    """Return which provisions are decided; not all of them, where there are many."""
    return say("plan.decides", language, count=len(provisions), provisions=_list_names(provisions))


def _list_names(names: Sequence[str]) -> str:
    return ", ".join(names[:_MAX_NAMES]) + (", …" if len(names) > _MAX_NAMES else "")


def _print_rounds(out: Console, rounds: Sequence[PlannedRound], language: str) -> None:
    """List the rounds that are written one by one; those that are generated have one reason."""
    written = [one for one in rounds if one.group == WRITTEN]
    for one in written:
        out.print(f"  {say('plan.round', language):>9}  {one.name}")
        why = round_reason(one.game, one.name, one.reason).get(language)
        out.print(f"{_MARGIN}{why}", style="dim")
        about = say("plan.round.about", language, provisions=", ".join(one.provisions))
        out.print(f"{_MARGIN}{about}", style="dim")
    made = Counter(one.group for one in rounds if one.group != WRITTEN)
    for group, many in made.items():
        out.print(f"  {many:>9,}  {say(f'plan.rounds.{group}', language)}")
        out.print(f"{_MARGIN}{say(f'plan.rounds.{group}.reason', language)}", style="dim")


def _print_draws(out: Console, draws: Sequence[DrawForecast], language: str) -> None:
    """Say what is drawn from the vendor's random source, and why."""
    for draw in draws:
        sample = draw.sample
        options = ", ".join(f"{name} {value}" for name, value in sample.options.items())
        slots = {
            "outcomes": f"{sample.outcomes:,}",
            "options": options or say("plan.draws.options", language),
        }
        out.print(f"{_MARGIN}{say('plan.draws', language, **slots)}")
        why = say(
            "plan.draws.reason",
            language,
            provisions=", ".join(sample.provisions),
            tests=draw.tests,
            accused=f"{ACCUSED:,}",
            notices=f"{100 * float(draw.notices):.1f} %",
        )
        out.print(f"{_MARGIN}{why}", style="dim")
