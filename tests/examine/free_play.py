"""Plays free rounds of a vendor in this process, and gives what follows from them."""

import msgspec

from selo.cases import Scope
from selo.draws.draw_verdict import read_levels
from selo.examine.analysis.draw_results import DrawResults, planned_samples, run_tests
from selo.examine.findings import origin_of
from selo.examine.findings.draw_findings import collect_draw_findings
from selo.examine.free_rounds import FreeRounds, repeat_forced
from selo.examine.plan import terms_of
from selo.examine.run.finding_redraw import draw_sample
from selo.examine.vendor_description import offered_of
from selo.protocol import messages as m
from selo.rounds import play_scripts
from selo.rounds.table_player import FREE_GROUPS
from selo.vendors import InProcessTransport
from selo.vendors.resource_limits import DEFAULT_LIMITS
from selo.vendors.session import Session


def play_freely(law, vendor, game, *, seed=1, budget="quick", draws=False, spelling=None):
    """Return the results of a vendor's free rounds, and of its draws, and the terms."""
    description = msgspec.convert(vendor.describe({}), m.Description)
    offer = next(one for one in description.games if one.game == game)
    terms = terms_of(
        law, Scope(games=(offered_of(offer),)), as_of="2026-01-01", rulings={}, budget=budget,
        seed=seed, provisions=[],
    )  # fmt: skip
    free = FreeRounds(law, terms, [offer])
    free.tally_lines = []
    session = Session(InProcessTransport(game, given=vendor), DEFAULT_LIMITS, spelling)
    played = list(play_scripts(session, free.scripts(game), groups=FREE_GROUPS))
    for n, one in enumerate(
        repeat_forced(
            session, free.tally.rounds.judge, played, forces=offer.forces,
            settles="settle" in offer.methods, form="settle",
        )
    ):  # fmt: skip
        free.tally_lines.append(msgspec.structs.replace(one, n=n))
        free.add(free.tally_lines[-1])
    results = DrawResults(
        samples=planned_samples(law, terms) if draws else [], free=free,
        levels=read_levels(law, [game]),
    )  # fmt: skip
    for sample in results.samples:
        draw_sample(session, law, sample)
    run_tests(results, None)
    return results, terms


def free_findings(law, vendor, game, **choices):
    """Return the findings of a vendor's free rounds."""
    results, terms = play_freely(law, vendor, game, **choices)
    return list(collect_draw_findings(law, terms, results, origin_of(terms)))
