"""Draws again what a finding of draws or of free rounds rests on, without recording it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.cases import Scope
from selo.draws.draw_verdict import DrawResult, OutcomeSource, read_levels, worst_result
from selo.examine.analysis.draw_results import DrawResults, SampleDraws, run_tests
from selo.examine.exchange.outcome_streams import (
    DrawStream,
    draw_stream,
    equipment_of_sample,
    read_outcomes,
)
from selo.examine.free_rounds import FreeAnswers, FreeRound, FreeRounds
from selo.examine.free_rounds.free_round_plan import ROUNDS_PER_STREAM
from selo.examine.plan import Sample, draw_plan, terms_of
from selo.examine.vendor_description import offered_of
from selo.protocol.messages import DRAW, PACK_ORDER
from selo.rounds import play_scripts
from selo.rules.readings import Readings
from selo.vendors.faults import AdapterFault

if TYPE_CHECKING:
    from selo.draws.draw_verdict import DrawStatistic
    from selo.examine.findings import Finding
    from selo.law import Law
    from selo.protocol.messages import Description
    from selo.vendors.reply_reader import Reply
    from selo.vendors.session import Session

#: Sources that are asked for outcomes; tables are played at.
_ASKED_SOURCES: Final = frozenset({OutcomeSource.DRAW, OutcomeSource.PACK})
_SEED_BITS: Final = 64


@dataclass(frozen=True, kw_only=True)
class RedrawnSample:
    """What came of drawing again what a finding rests on."""

    result: DrawResult
    statistics: list[DrawStatistic]
    fault: dict[str, str] | None = None


def redraw_finding(session: Session, law: Law, finding: Finding) -> RedrawnSample:
    """Draw and test as many outcomes again as a finding rests on."""
    params = finding.params
    source = OutcomeSource(params.get("source", OutcomeSource.DRAW))
    sample = Sample(
        game=finding.game,
        options=params["options"],
        provisions=finding.provisions,
        outcomes=params["count"]
        if source in _ASKED_SOURCES
        else draw_plan.OUTCOMES_PER_TABLE["quick"],
        method=PACK_ORDER if source is OutcomeSource.PACK else DRAW,
    )
    readings = Readings(law, finding.origin.rulings)
    equipment = equipment_of_sample(law, sample, readings)
    if equipment is None:
        msg = f"{sample.game}: there is nothing to shuffle"
        raise LookupError(msg)
    results = DrawResults(levels=read_levels(law, [finding.game]))
    draws = SampleDraws(sample=sample, equipment=equipment, factor=results.levels.factor)
    if source is not OutcomeSource.TABLE:
        draw_sample(session, law, draws)
        results.samples.append(draws)
    if source not in _ASKED_SOURCES:
        results.free = _play_again(session, law, finding)
    run_tests(results, None)
    if source in _ASKED_SOURCES:
        verdict = results.verdict_of(draws)
    else:
        tables = [one for one in results.table_samples() if one.options == sample.options]
        verdict = worst_result([test for one in tables for test in results.table_tests(one)])
    return RedrawnSample(result=verdict, statistics=results.statistics, fault=draws.fault)


def _play_again(session: Session, law: Law, finding: Finding) -> FreeRounds:
    """Play free rounds until tables drew at least as many outcomes as a finding rests on."""
    description: Description = session.ask("describe", {})
    offers = [offer for offer in description.games if offer.game == finding.game]
    terms = terms_of(
        law, Scope(games=tuple(map(offered_of, offers))), as_of="", rulings=finding.origin.rulings,
        budget="quick", seed=secrets.randbits(_SEED_BITS), provisions=[],
        rounds=min(finding.params["count"], ROUNDS_PER_STREAM),
    )  # fmt: skip
    free = FreeRounds(law, terms, offers)
    for script, played in play_scripts(session, free.scripts(finding.game)):
        free.add(FreeRound(params=script, answer=FreeAnswers(free=played)))
    return free


def draw_sample(session: Session, law: Law, draws: SampleDraws) -> None:
    """Draw a sample without recording it."""
    for _ in range(draws.sample.kept_batches):
        ((_, reply),) = session.ask_all(draws.sample.method, [draws.sample.params()])
        problem = take_reply(law, draws, reply)
        if problem is not None:
            draws.fault = problem.evidence_record()
            return
    for number, batches in draws.streams_left(1):
        stream = DrawStream(sample=0, look=1, stream=number, batches=batches)
        drawn = draw_stream(session, law, draws.sample, draws.equipment, stream)
        if drawn.counts is None:
            draws.fault = drawn.content()["fault"]
            return
        draws.add_stream(1, drawn.counts)


def take_reply(law: Law, draws: SampleDraws, reply: Reply) -> AdapterFault | None:
    """Add the outcomes of a reply to the sample, or return what is wrong with them."""
    rows = read_outcomes(law, draws.sample, draws.equipment, reply)
    if isinstance(rows, AdapterFault):
        return rows
    draws.batches.append(rows)
    return None
