"""``selo plan``: what would be tried, in which order and why, before anything runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.cli.parser import shared_arguments as shared

if TYPE_CHECKING:
    import argparse

    from selo.examine.plan import Terms
    from selo.law.loader import Law
    from selo.protocol.messages import Offer


def _offer_everything(law: Law, game: str) -> Offer:
    """Return a game of which everything is offered."""
    from selo.cases import LARGEST_JSON_INTEGER
    from selo.law.files.events_file import ValueKind
    from selo.protocol.messages import Offer
    from selo.protocol.schema import game_words

    words = game_words(law, game)
    numbers = {"from": 0, "to": LARGEST_JSON_INTEGER}
    return msgspec.convert(
        {
            "game": game,
            "methods": words.abilities,
            "bets": words.bets,
            "options": {
                name: numbers if one.kind is ValueKind.NUMBER else one.values
                for name, one in words.options_known.items()
            },
            "forces": bool(words.happenings),
            "happens": words.happenings,
        },
        Offer,
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo plan``."""
    shared.add_vendor(parser, needed=False)
    shared.add_plan_scope(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """List everything that a plan asks: groups of cases, live rounds, and draws."""
    from selo.cli.printing.plan_overview import print_plan
    from selo.examine.coverage.plan_listing import list_plan
    from selo.examine.replay.draw_results import forecast_draws
    from selo.law.loader import load_law

    law = load_law()
    terms, offers, not_offered = _agree_plan(arguments, law)
    plan = list_plan(law, terms, offers)
    draws = forecast_draws(law, terms)
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
    print_plan(console(), terms, plan, draws, arguments)
    return Exit.CONFORMS


def _agree_plan(arguments: argparse.Namespace, law: Law) -> tuple[Terms, list[Offer], list[str]]:
    """Return the terms, what is offered, and what is not: by a vendor, or by one with all."""
    from selo.cases import offer_everything
    from selo.cli.options.examination_terms import agree_terms, read_request, require_introduction
    from selo.cli.options.vendor_options import folder_of, limits_of
    from selo.examine.exchange import VendorEndpoint
    from selo.examine.plan import terms_of, with_draws
    from selo.law import macau_today

    wanted = read_request(arguments, law)
    if arguments.vendor is not None:
        vendor = VendorEndpoint(arguments.vendor, limits_of(arguments), folder_of(arguments))
        session = vendor.session()
        try:
            known = require_introduction(law, wanted, vendor, session)
        finally:
            session.kill()
        return agree_terms(arguments, law, wanted, known), known.offers(), list(known.not_offered)
    scope = with_draws(law, offer_everything(law, wanted.games))
    terms = terms_of(
        law,
        scope,
        as_of=(arguments.as_of or macau_today()).isoformat(),
        rulings=wanted.adopted.followed,
        budget=arguments.budget,
        seed=arguments.seed if wanted.seal is None else wanted.seal.sealed.number,
        provisions=arguments.provision or [],
    )
    return terms, [_offer_everything(law, game) for game in scope.names()], []
