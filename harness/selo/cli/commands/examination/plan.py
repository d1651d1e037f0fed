"""``selo plan``: lists what an examination would ask, in which order and why."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from selo.cli.output import Exit
from selo.cli.output.console import print_json
from selo.cli.parser import shared_arguments as shared

if TYPE_CHECKING:
    import argparse

    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.protocol.messages import Offer


def _offer_everything(law: Law, game: str) -> Offer:
    """Return the offer of a vendor that offers everything of a game."""
    from selo.json_numbers import LARGEST_INTEGER
    from selo.law.files.events_file import ValueKind
    from selo.protocol.messages import Offer
    from selo.protocol.schema import game_words

    words = game_words(law, game)
    numbers = {"from": 0, "to": LARGEST_INTEGER}
    return msgspec.convert(
        {
            "game": game,
            "methods": words.abilities,
            "bets": words.bets,
            "options": {
                name: numbers if option.kind is ValueKind.NUMBER else option.values
                for name, option in words.options_known.items()
            },
            "forces": bool(words.happenings),
            "happens": words.happenings,
        },
        Offer,
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo plan``."""
    shared.add_vendor(parser, required=False)
    shared.add_plan_scope(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """List everything that a plan asks: groups of cases, live rounds, and draws."""
    from selo.cli.printers import print_plan
    from selo.examine.coverage.plan_listing import list_plan
    from selo.law import load_law
    from selo.report.phrases import Labels

    law = load_law()
    terms, offers, not_offered = _agree_plan(arguments, law)
    plan = list_plan(law, terms, offers)
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
                "free_rounds": plan.free_rounds,
                "draws": plan.draws,
                "force": _list_forces(law, terms),
                "not_offered": not_offered,
            }
        )
        return Exit.CONFORMS
    print_plan(terms, plan, arguments, _count_forces(law, terms), Labels(law))
    return Exit.CONFORMS


def _list_forces(law: Law, terms: Terms) -> dict[str, list[str]]:
    """Return the forces of the provisions that are examined, by provision."""
    from selo.law.ledger import list_forces

    return {
        provision: [str(worded.force) for worded in forces]
        for provision, forces in list_forces(law).items()
        if law.find(provision).instrument.game in terms.game_names
    }


def _count_forces(law: Law, terms: Terms) -> dict[str, Counter[str]]:
    """Return how many provisions of each game have each force."""
    counts: dict[str, Counter[str]] = {game: Counter() for game in terms.game_names}
    for provision, forces in _list_forces(law, terms).items():
        counts[law.find(provision).instrument.game].update(forces)
    return counts


def _agree_plan(arguments: argparse.Namespace, law: Law) -> tuple[Terms, list[Offer], list[str]]:
    """Return the terms, the offers and what is not offered, of a vendor or of a complete offer."""
    from selo.cases import offer_everything
    from selo.cli.resolved_options.vendor_options import endpoint_of
    from selo.cli.runs import agree_terms, read_request, require_introduction
    from selo.examine.coverage.plan_listing import with_certificate_draws
    from selo.examine.plan import terms_of
    from selo.examine.plan.draw_plan import with_draws
    from selo.law.status import macau_today

    request = read_request(arguments, law)
    if arguments.vendor is not None:
        vendor = endpoint_of(arguments)
        session = vendor.session()
        try:
            introduction = require_introduction(law, request, vendor, session)
        finally:
            session.kill()
        return (
            agree_terms(arguments, law, request, introduction),
            introduction.offers(),
            list(introduction.not_offered),
        )
    scope = with_draws(law, offer_everything(law, request.games))
    terms = terms_of(
        law,
        scope,
        as_of=(arguments.as_of or macau_today()).isoformat(),
        rulings=request.adopted.followed,
        budget=arguments.budget,
        seed=arguments.seed if request.seal is None else request.seal.sealed.number,
        provisions=arguments.provision or [],
        draws=0 if arguments.draws == shared.CERTIFICATE_DRAWS else arguments.draws,
        rounds=arguments.rounds,
        text_as_stored=arguments.text_as_stored,
    )
    offers = [_offer_everything(law, game) for game in scope.names()]
    if arguments.draws == shared.CERTIFICATE_DRAWS:
        terms = with_certificate_draws(law, terms, offers)
    return terms, offers, []
