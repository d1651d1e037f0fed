"""The verdict on every provision, every game and the whole, from the analysis of the evidence."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.examine.analysis import (
    count_reading_fits,
    count_reading_fits_in_rounds,
    provisions_by_open_point,
)
from selo.examine.findings.declaration_findings import DESCRIBE
from selo.examine.live_rounds import ROUND
from selo.law.files.provision_file import Way
from selo.law.status import describe_status, status_on
from selo.rounds.judge import Manner
from selo.rules.declarations import read_randomness_rules
from selo.rules.readings import Readings
from selo.text import say
from selo.vendors.faults import FaultKind
from selo.verdict import Result, Verdict, VerdictReason, judge_provision
from selo.verdict.observations import (
    MissingOffer,
    NotOffered,
    Observation,
    ProvisionObservations,
    ReadingAdherence,
    TextStatus,
    Witness,
    judge_text,
)
from selo.verdict.overall import OverallConclusion, conclude_all, conclude_game

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.examine.analysis import EvidenceAnalysis
    from selo.examine.coverage import DecisiveCount
    from selo.examine.findings import Finding
    from selo.examine.plan import Terms
    from selo.law import Law, LocatedProvision
    from selo.text import Words
    from selo.verdict.rulings import Rulings


#: The way of verification of each method that neither settles nor compares.
_WAY_OF_METHOD: Final = {
    ROUND: Way.PROCEDURE,
    "draw": Way.STATISTICS,
    DESCRIBE: Way.CONFIGURATION,
}


#: Causes of findings about a game that is otherwise when nobody forces its outcome.
_OTHERWISE_UNFORCED: Final = frozenset({str(Manner.UNLIKE_CASE), str(Manner.UNLIKE_FORCED)})
#: Names the overall verdict, as it is told, where every breach is against an adopted reading.
_AGAINST_READING: Final = "against-reading"
#: The ways of verification that need no people.
_PROGRAM_WAYS: Final = (Way.EXAMINATION, Way.PROCEDURE, Way.STATISTICS, Way.CONFIGURATION)


class VerdictSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What is said at the end."""

    overall: OverallConclusion
    games: dict[str, OverallConclusion]
    provisions: list[Verdict]
    #: Whether the vendor broke down or broke the protocol; a breach of the law outranks it above.
    broken: bool = False

    @property
    def label(self) -> str:
        """The overall verdict; apart where every breach is against a reading that was adopted."""
        broken = [verdict for verdict in self.provisions if verdict.result is Result.VIOLATES]
        rests_on_rulings = broken and all(
            verdict.reason is VerdictReason.AGAINST_RULING for verdict in broken
        )
        return _AGAINST_READING if rests_on_rulings else str(self.overall.overall)


def summarise_verdicts(  # noqa: PLR0913 - everything that bears on a verdict
    law: Law,
    analysis: EvidenceAnalysis,
    *,
    findings: Sequence[Finding],
    covered: Mapping[tuple[str, Way], DecisiveCount],
    rulings: Rulings,
    declarations: Mapping[str, Observation],
    witnesses: Iterable[Witness] = (),
    draws: Mapping[str, Observation] | None = None,
    missing: Mapping[tuple[str, Way], tuple[MissingOffer, ...]] | None = None,
    absent: Iterable[str] = (),
    lost: Mapping[str, tuple[str, ...]] | None = None,
    withheld: Mapping[tuple[str, Way], tuple[MissingOffer, ...]] | None = None,
    fault: bool = False,
) -> VerdictSummary:
    """Return the verdicts on every provision of the games in scope.

    `declarations` and `draws` are the observations made by them, by provision. `missing` is what
    the vendor does not offer of what the examination needs, `absent` are requested games that it
    does not offer at all, and `lost` are provisions that only unanswered cases decide, each with
    the faults of those cases. `withheld` is what the vendor declared, so that cases which would
    have decided were not answered.
    """
    scope = {game.game: game for game in analysis.terms.games}
    open_points = {
        Way.EXAMINATION: {fit.divergence: fit for fit in count_reading_fits(law, analysis)},
        Way.PROCEDURE: {fit.divergence: fit for fit in count_reading_fits_in_rounds(analysis)},
    }
    provisions_by_point = provisions_by_open_point(analysis)
    statements: dict[str, list[Witness]] = {}
    for witness in witnesses:
        statements.setdefault(witness.provision, []).append(witness)
    absent = tuple(absent)
    idle = Readings(law, analysis.terms.rulings).without_effect
    verdicts: dict[str, list[Verdict]] = {game: [] for game in (*scope, *absent)}
    for held in law.provisions.values():
        game = held.instrument.game
        if game in verdicts:
            observations = dict(
                _observe_provision(
                    law, held, analysis, findings=findings, covered=covered,
                    open_points=open_points, missing=missing or {},
                    lost=(lost or {}).get(held.id, ()), withheld=withheld or {},
                    provisions_by_point=provisions_by_point,
                    idle=held.id in idle,
                )
            )  # fmt: skip
            if draws and held.id in draws:
                observations[Way.STATISTICS] = msgspec.structs.replace(
                    draws[held.id], withheld=(withheld or {}).get((held.id, Way.STATISTICS), ())
                )
            if held.id in declarations:
                observations[Way.CONFIGURATION] = declarations[held.id]
            ways = _ways_of(law, held, analysis.terms)
            if game in absent:
                missing_game = MissingOffer(kind=NotOffered.GAME, name=game)
                observations = {
                    way: Observation(not_offered=(missing_game,))
                    for way in ways
                    if way in _PROGRAM_WAYS
                }
            text, status = _text_status(held, analysis.terms)
            observed = ProvisionObservations(
                provision=held.id,
                ways=ways,
                looks=observations,
                witnesses=tuple(statements.get(held.id, ())),
                because=held.provision.because,
                left_out=_reason_left_out(held, analysis.terms),
                idle=idle.get(held.id),
                text=text,
                status=status,
            )
            verdicts[game].append(judge_provision(observed, rulings))
    per_game = {
        game: conclude_game(
            game_verdicts,
            fault=fault
            or bool(_faults_of(analysis, game))
            or any(verdict.faults for verdict in game_verdicts),
        )
        for game, game_verdicts in verdicts.items()
    }
    return VerdictSummary(
        overall=conclude_all(per_game.values()),
        games=per_game,
        provisions=[verdict for game_verdicts in verdicts.values() for verdict in game_verdicts],
        broken=fault
        or any(_faults_of(analysis, game) for game in verdicts)
        or any(verdict.faults for game_verdicts in verdicts.values() for verdict in game_verdicts),
    )


def _text_status(held: LocatedProvision, terms: Terms) -> tuple[TextStatus, Words | None]:
    """Return whether a provision was law on the day of the terms, and what is known if not."""
    if not terms.as_of:
        # Without a day nothing is known to be law.
        return TextStatus.AS_STORED if terms.text_as_stored else TextStatus.OPEN, None
    day = dt.date.fromisoformat(terms.as_of)
    status = status_on(held.instrument, day, article=held.provision.id)
    text = judge_text(status, as_stored=terms.text_as_stored)
    applies = text in {TextStatus.LAW, TextStatus.AS_STORED}
    return text, None if applies else describe_status(status, day)


def _reason_left_out(held: LocatedProvision, terms: Terms) -> str | None:
    """Return why a provision is left out: ``--provision`` named only others."""
    if not terms.provisions or held.id in terms.provisions:
        return None
    return say("examine.not-asked", "en")


def _ways_of(law: Law, held: LocatedProvision, terms: Terms) -> tuple[Way, ...]:
    """Return the ways of verifying a provision, without draws that no reading requires."""
    provision = held.provision
    ways = (Way(provision.verified_by), *(Way(way) for way in provision.also))
    if Way.STATISTICS not in ways:
        return ways
    readings = Readings(law, terms.rulings)
    random = [
        chance
        for chance in read_randomness_rules(law, held.instrument.game)
        if chance.provision == held.id
    ]
    required = not random or any(readings.allows(chance.under) for chance in random)
    return tuple(way for way in ways if required or way is not Way.STATISTICS)


def _faults_of(analysis: EvidenceAnalysis, game: str) -> list[Any]:
    tally = analysis.tallies.get(game)
    return [] if tally is None else tally.faults


def _observe_provision(  # noqa: PLR0913 - everything that was observed
    law: Law,
    held: LocatedProvision,
    analysis: EvidenceAnalysis,
    *,
    findings: Sequence[Finding],
    covered: Mapping[tuple[str, Way], DecisiveCount],
    open_points: Mapping[Way, Mapping[str, ReadingAdherence]],
    missing: Mapping[tuple[str, Way], tuple[MissingOffer, ...]],
    lost: tuple[str, ...],
    withheld: Mapping[tuple[str, Way], tuple[MissingOffer, ...]],
    provisions_by_point: Mapping[str, AbstractSet[str]],
    idle: bool,
) -> Iterator[tuple[Way, Observation]]:
    """Yield the observations of one provision by cases and by rounds."""
    violations = [
        finding
        for finding in findings
        if held.id in finding.provisions and finding.verdict == "violates"
    ]
    for way, fits in open_points.items():
        by_cases = way is Way.EXAMINATION
        coverage = covered.get((held.id, way))
        if coverage is not None and not coverage.decisive and idle:
            # Under the rulings it has no effect, so that no case can be decisive.
            coverage = None
        own_violations = [
            finding
            for finding in violations
            if _WAY_OF_METHOD.get(finding.method, Way.EXAMINATION) is way
        ]
        points = tuple(
            fits[divergence.id]
            for divergence in law.divergences
            if divergence.id in fits
            and (
                held.id in divergence.provisions
                or (by_cases and held.id in provisions_by_point.get(divergence.id, ()))
            )
        )
        untold = () if by_cases else sorted(analysis.rounds.untold.get(held.id, ()))
        not_offered = (
            *missing.get((held.id, way), ()),
            *(
                MissingOffer(kind=NotOffered.UNTOLD, name=event, value=name)
                for event, name in untold
            ),
        )
        hidden = tuple(
            finding.id
            for finding in findings
            if held.id in finding.hides and _hides_at_tables(finding) is not by_cases
        )
        refused = [] if by_cases else analysis.rounds.refused.get(held.id, [])
        faults = lost if by_cases else tuple(f"{FaultKind.DECLINED}:{name}" for name in refused)
        kept_back = withheld.get((held.id, way), ())
        if coverage is None and not (
            own_violations or points or not_offered or faults or kept_back or hidden
        ):
            continue
        # A provision behind unlisted differences is not known to be kept.
        is_decided = coverage is not None and not (
            by_cases and (lost or _has_unlisted_differences(analysis, held))
        )
        yield (
            way,
            Observation(
                cases=0 if coverage is None else max(coverage.cases, coverage.decisive),
                decisive=coverage.decisive if coverage is not None and is_decided else 0,
                required=1 if coverage is None else coverage.required,
                not_offered=not_offered,
                findings=tuple(finding.id for finding in own_violations if not finding.against),
                against=tuple(finding.id for finding in own_violations if finding.against),
                followed=points,
                faults=faults,
                withheld=kept_back,
                hidden=hidden,
            ),
        )


def _hides_at_tables(finding: Finding) -> bool:
    """Return whether a finding leaves in doubt what rounds show, and not what cases show.

    A game that is otherwise when nobody forces its outcome leaves in doubt what cases show.
    """
    return finding.method == ROUND and finding.cause not in _OTHERWISE_UNFORCED


def _has_unlisted_differences(analysis: EvidenceAnalysis, held: LocatedProvision) -> bool:
    """Return whether a provision is behind differences that were only counted."""
    return any(held.id in tally.unlisted_provisions for tally in analysis.tallies.values())
