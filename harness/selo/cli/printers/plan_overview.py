"""Prints a plan: groups of cases, live rounds and draws, each with its reason."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from selo.cli.output.console import console
from selo.report.phrases import round_reason
from selo.rounds.generate import WRITTEN_GROUP as WRITTEN
from selo.text import say
from selo.text.message_catalogue import group_reason
from selo.text.number_format import format_count, format_number

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from selo.examine.coverage.plan_listing import (
        DrawForecast,
        FreeRoundForecast,
        PlanListing,
        PlannedGroup,
        PlannedRound,
    )
    from selo.examine.plan import Terms
    from selo.report.phrases import Labels

#: Of a longer list of provisions or readings, only this many names are printed.
_MAX_NAMES: Final = 6
_MARGIN: Final = " " * 13
_ENGLISH: Final = "en"
_COMMA: Final = {"pt": ", ", "zh": "、", "en": ", "}


def print_plan(
    terms: Terms,
    plan: PlanListing,
    arguments: argparse.Namespace,
    forces: Mapping[str, Counter[str]],
    labels: Labels,
) -> None:
    """Print everything that a plan asks of a vendor, by game.

    `forces` counts the provisions of each game that bind, forbid, permit, and so on.
    """
    out, language, draws = console(), arguments.lang, plan.draws
    if arguments.vendor is None:
        out.print(say("plan.whole", language), style="dim")
    for game in [planned.game for planned in terms.games]:
        out.print(labels.game_in(game, language), style="bold")
        counts = _COMMA[language].join(
            f"{say(f'force.{force}', language)} {count}" for force, count in forces[game].items()
        )
        out.print(f"{_MARGIN}{say('plan.force', language, counts=counts)}", style="dim")
        for group in [*plan.groups, *plan.declarations]:
            if group.game == game:
                _print_group(out, group, labels, language)
        _print_rounds(out, [planned for planned in plan.rounds if planned.game == game], language)
        for reason in plan.rounds_left_out:
            if reason.startswith(f"{game}/"):
                out.print(f"{_MARGIN}{say('plan.rounds.left-out', language, round=reason)}")
        for free in plan.free_rounds:
            if free.game == game:
                _print_free_rounds(out, free, language)
        _print_draws(out, [draw for draw in draws if draw.sample.game == game], labels, language)
    if not draws:
        out.print(say("plan.draws.none", language), style="dim")
    total = {
        "count": sum(group.size for group in plan.groups),
        "rounds": len(plan.rounds),
        "free": sum(free.rounds for free in plan.free_rounds),
        "draws": sum(draw.sample.outcomes for draw in draws),
    }
    slots = {name: format_count(number, language) for name, number in total.items()}
    out.print(say("plan.total", language, digest=terms.digest, **slots))


def _print_group(out: Console, group: PlannedGroup, labels: Labels, language: str) -> None:
    why = group_reason(group.game, group.name).get(language)
    size, extent = format_count(group.size, language), _completeness(group, labels, language)
    # The id of a group is English; the other languages have its reason in its place.
    if language == _ENGLISH:
        out.print(f"  {size:>9}  {group.name}  ({extent})")
        out.print(f"{_MARGIN}{why}", style="dim")
    else:
        out.print(f"  {size:>9}  {why} ({extent})")
    if group.decides:
        out.print(f"{_MARGIN}{_decided_provisions(group.decides, language)}", style="dim")
    if group.readings:
        points = _list_names(group.readings)
        slots: dict[str, Any] = {"count": len(group.readings), "points": points}
        out.print(f"{_MARGIN}{say('plan.readings', language, **slots)}", style="dim")


def _completeness(group: PlannedGroup, labels: Labels, language: str) -> str:
    """Return what a group enumerates, which factors it combines, or that it is drawn at random."""
    if group.design == "drawn":
        return say("plan.drawn", language)
    if group.design != "complete":
        factors = _COMMA[language].join(
            f"{labels.factor_in(group.game, name, language)} ({levels})"
            for name, levels in group.factors.items()
        )
        return say(f"plan.{group.design}", language, factors=factors)
    slots = {
        "outcomes": format_count(group.outcomes, language),
        "bets": format_count(group.bets, language),
    }
    if group.outcomes == group.size and group.bets and not group.bets % group.size:
        return say("plan.complete.times", language, **{**slots, "bets": group.bets // group.size})
    if group.bets:
        return say("plan.complete.bets", language, **slots)
    return say("plan.complete.outcomes" if group.outcomes else "plan.complete", language, **slots)


def _decided_provisions(provisions: Sequence[str], language: str) -> str:
    """Return the provisions for which a group is decisive, shortened where there are many."""
    return say("plan.decides", language, count=len(provisions), provisions=_list_names(provisions))


def _list_names(names: Sequence[str]) -> str:
    return ", ".join(names[:_MAX_NAMES]) + (", …" if len(names) > _MAX_NAMES else "")


def _print_rounds(out: Console, rounds: Sequence[PlannedRound], language: str) -> None:
    """Print written rounds one by one, and how many are generated for which reason."""
    written = [planned for planned in rounds if planned.group == WRITTEN]
    for planned in written:
        why = round_reason(planned.game, planned.name, planned.reason).get(language)
        title = planned.name if language == _ENGLISH else why
        out.print(f"  {say('plan.round', language):>9}  {title}")
        if language == _ENGLISH:
            out.print(f"{_MARGIN}{why}", style="dim")
        about = say("plan.round.about", language, provisions=", ".join(planned.provisions))
        out.print(f"{_MARGIN}{about}", style="dim")
    generated = Counter(planned.group for planned in rounds if planned.group != WRITTEN)
    for group, count in generated.items():
        number = format_count(count, language)
        out.print(f"  {number:>9}  {say(f'plan.rounds.{group}', language)}")
        out.print(f"{_MARGIN}{say(f'plan.rounds.{group}.reason', language)}", style="dim")


def _print_free_rounds(out: Console, free: FreeRoundForecast, language: str) -> None:
    """Print how many rounds draw their own outcomes, and what that shows."""
    number = format_count(free.rounds, language)
    out.print(f"  {number:>9}  {say('plan.rounds.free', language, tables=free.tables)}")
    slots = {"tests": free.tests, "notices": _percent(free.notices, language)}
    why = say("plan.rounds.free.reason", language, **slots)
    out.print(f"{_MARGIN}{why}", style="dim")


def _percent(share: str, language: str) -> str:
    return format_number(f"{100 * float(share):.1f}%", language)


def _print_draws(
    out: Console, draws: Sequence[DrawForecast], labels: Labels, language: str
) -> None:
    """Print what is drawn from the vendor's random source, and why."""
    for draw in draws:
        sample = draw.sample
        options = _COMMA[language].join(
            f"{labels.factor_in(sample.game, name, language)} "
            f"{labels.value_in(sample.game, value, language)}"
            for name, value in sample.options.items()
        )
        slots = {
            "outcomes": format_count(sample.outcomes, language),
            "options": options or say("plan.draws.options", language),
        }
        out.print(f"{_MARGIN}{say('plan.draws', language, **slots)}")
        why = say(
            "plan.draws.reason",
            language,
            provisions=", ".join(sample.provisions) or say("plan.draws.measured", language),
            tests=draw.tests,
            accused=draw.accused,
            notices=_percent(draw.notices, language),
        )
        out.print(f"{_MARGIN}{why}", style="dim")
