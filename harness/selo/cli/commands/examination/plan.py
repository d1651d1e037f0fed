"""``selo plan``: what would be tried, in which order and why, before anything runs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import LARGEST, everything
from selo.cli.options.examination_terms import agreed, asked, met
from selo.cli.options.vendor_options import folder_of, limits_of
from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.draws.draw_verdict import ACCUSED
from selo.examine.coverage.plan_listing import listed
from selo.examine.exchange.workers import Reached
from selo.examine.plan import terms_of
from selo.examine.plan.draw_plan import drawable
from selo.examine.replay.draw_results import foreseen
from selo.law import today
from selo.law.files.events_file import Kind
from selo.law.loader import load
from selo.protocol.messages import Offer
from selo.protocol.schema import game_words
from selo.report.content.test_method import reason, round_reason
from selo.rounds.generate import GROUP as WRITTEN
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rich.console import Console

    from selo.examine.coverage.plan_listing import Listed, PlannedGroup, PlannedRound
    from selo.examine.plan import Terms
    from selo.examine.replay.draw_results import Foreseen
    from selo.law.loader import Law


def whole_offer(law: Law, game: str) -> Offer:
    """Return a game of which everything is offered."""
    words = game_words(law, game)
    numbers = {"from": 0, "to": LARGEST}
    return msgspec.convert(
        {
            "game": game,
            "methods": words.abilities,
            "bets": words.bets,
            "options": {
                name: numbers if one.kind is Kind.NUMBER else one.values
                for name, one in words.options_known.items()
            },
            "forces": bool(words.happenings),
            "happens": words.happenings,
        },
        Offer,
    )


#: So many provisions of a group are named.
_MOST: Final = 6
_WITHIN: Final = " " * 13


def run(arguments: argparse.Namespace) -> int:
    """List everything that a plan asks: groups of cases, live rounds, and draws."""
    law = load()
    terms, offers, not_offered = _planned(arguments, law)
    plan = listed(law, terms, offers)
    draws = foreseen(law, terms)
    if arguments.json:
        print_json(
            {
                "vendor": arguments.vendor,
                "digest": terms.digest,
                "terms": terms,
                "cases": sum(group.size for group in plan.groups),
                "groups": plan.groups,
                "declarations": plan.declarations,
                "rounds": plan.rounds,
                "rounds_left_out": plan.rounds_left_out,
                "draws": draws,
                "not_offered": not_offered,
            }
        )
        return Exit.CONFORMS
    _print(console(), terms, plan, draws, arguments)
    return Exit.CONFORMS


def _planned(arguments: argparse.Namespace, law: Law) -> tuple[Terms, list[Offer], list[str]]:
    """Return the terms, what is offered, and what is not: by a vendor, or by one with all."""
    wanted = asked(arguments, law)
    if arguments.vendor is not None:
        vendor = Reached(arguments.vendor, limits_of(arguments), folder_of(arguments))
        session = vendor.session()
        try:
            known = met(law, wanted, vendor, session)
        finally:
            session.kill()
        return agreed(arguments, law, wanted, known), known.offers(), list(known.not_offered)
    scope = drawable(law, everything(law, wanted.games))
    terms = terms_of(
        law,
        scope,
        as_of=(arguments.as_of or today()).isoformat(),
        rulings=wanted.adopted.followed,
        budget=arguments.budget,
        seed=arguments.seed if wanted.seal is None else wanted.seal.sealed.number,
        provisions=arguments.provision or [],
    )
    return terms, [whole_offer(law, game) for game in scope.names()], []


def _print(
    out: Console,
    terms: Terms,
    plan: Listed,
    draws: Sequence[Foreseen],
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
                out.print(f"{_WITHIN}{say('plan.rounds.left-out', language, round=said)}")
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
    out.print(f"  {one.size:>9,}  {one.name}  ({_how(one, language)})")
    why = reason(one.game, one.name, one.reason).get(language)
    out.print(f"{_WITHIN}{why}", style="dim")
    if one.decides:
        out.print(f"{_WITHIN}{_decides(one.decides, language)}", style="dim")
    if one.readings:
        points = _named(one.readings)
        slots: dict[str, Any] = {"count": len(one.readings), "points": points}
        out.print(f"{_WITHIN}{say('plan.readings', language, **slots)}", style="dim")


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


def _decides(provisions: Sequence[str], language: str) -> str:
    """Return which provisions are decided; not all of them, where there are many."""
    return say("plan.decides", language, count=len(provisions), provisions=_named(provisions))


def _named(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST]) + (", …" if len(names) > _MOST else "")


def _print_rounds(out: Console, rounds: Sequence[PlannedRound], language: str) -> None:
    """List the rounds that are written one by one; those that are generated have one reason."""
    written = [one for one in rounds if one.group == WRITTEN]
    for one in written:
        out.print(f"  {say('plan.round', language):>9}  {one.name}")
        why = round_reason(one.game, one.name, one.reason).get(language)
        out.print(f"{_WITHIN}{why}", style="dim")
        about = say("plan.round.about", language, provisions=", ".join(one.provisions))
        out.print(f"{_WITHIN}{about}", style="dim")
    made = Counter(one.group for one in rounds if one.group != WRITTEN)
    for group, many in made.items():
        out.print(f"  {many:>9,}  {say(f'plan.rounds.{group}', language)}")
        out.print(f"{_WITHIN}{say(f'plan.rounds.{group}.reason', language)}", style="dim")


def _print_draws(out: Console, draws: Sequence[Foreseen], language: str) -> None:
    """Say what is drawn from the vendor's random source, and why."""
    for draw in draws:
        sample = draw.sample
        options = ", ".join(f"{name} {value}" for name, value in sample.options.items())
        slots = {
            "outcomes": f"{sample.outcomes:,}",
            "options": options or say("plan.draws.options", language),
        }
        out.print(f"{_WITHIN}{say('plan.draws', language, **slots)}")
        why = say(
            "plan.draws.reason",
            language,
            provisions=", ".join(sample.provisions),
            tests=draw.tests,
            accused=f"{ACCUSED:,}",
            notices=f"{100 * float(draw.notices):.1f} %",
        )
        out.print(f"{_WITHIN}{why}", style="dim")
