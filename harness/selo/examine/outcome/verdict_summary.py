"""From what was concluded to a verdict on every provision, every game, and the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.examine.findings.declaration_findings import DESCRIBE
from selo.examine.replay import (
    count_reading_fits,
    count_reading_fits_in_rounds,
    provisions_by_open_point,
)
from selo.law.files.provision_file import Way
from selo.rules.declarations.randomness import chances
from selo.rules.readings import Readings
from selo.text.message_catalogue import say
from selo.vendors.faults import Kind
from selo.verdict import Verdict, judge_provision
from selo.verdict.observations import (
    MissingOffer,
    NotOffered,
    Observation,
    ProvisionObservations,
    ReadingAdherence,
    Witness,
)
from selo.verdict.overall import OverallConclusion as Whole
from selo.verdict.overall import conclude_all, conclude_game

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.examine.coverage import DecisiveCount
    from selo.examine.findings import Finding
    from selo.examine.plan import Terms
    from selo.examine.replay import EvidenceAnalysis
    from selo.law.loader import Held, Law
    from selo.verdict.rulings import Rulings


#: The ways in which cases look that are put neither to be settled nor to be compared.
_WAY_OF_METHOD: Final = {
    "round": Way.PROCEDURE,
    "draw": Way.STATISTICS,
    DESCRIBE: Way.CONFIGURATION,
}


#: The ways in which the program looks.
_PROGRAM_WAYS: Final = (Way.EXAMINATION, Way.PROCEDURE, Way.STATISTICS, Way.CONFIGURATION)


class VerdictSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What is said at the end."""

    overall: Whole
    games: dict[str, Whole]
    provisions: list[Verdict]
    #: Whether the vendor broke down or broke the protocol; a breach of the law outranks it above.
    broken: bool = False


def summarise_verdicts(  # noqa: PLR0913 - everything that bears on a verdict
    law: Law,
    found: EvidenceAnalysis,
    *,
    findings: Sequence[Finding],
    covered: Mapping[tuple[str, Way], DecisiveCount],
    rulings: Rulings,
    declared: Mapping[str, Observation],
    witnesses: Iterable[Witness] = (),
    drawn: Mapping[str, Observation] | None = None,
    missing: Mapping[tuple[str, Way], tuple[MissingOffer, ...]] | None = None,
    absent: Iterable[str] = (),
    lost: Mapping[str, tuple[str, ...]] | None = None,
    fault: bool = False,
) -> VerdictSummary:
    """Return the verdicts on every provision of the games in scope.

    `drawn` is what draws show, `missing` what is not offered of what would have to be asked,
    `absent` are games that were asked for and are not offered at all, and `lost` are provisions
    that only cases without a sound answer decide, each with the faults that there were.
    """
    scope = {game.game: game for game in found.terms.games}
    open_points = {
        Way.EXAMINATION: {one.divergence: one for one in count_reading_fits(law, found)},
        Way.PROCEDURE: {
            followed_in_round.divergence: followed_in_round
            for followed_in_round in count_reading_fits_in_rounds(found)
        },
    }
    felt = provisions_by_open_point(found)
    seen_by_people: dict[str, list[Witness]] = {}
    for entry in witnesses:
        seen_by_people.setdefault(entry.provision, []).append(entry)
    absent = tuple(absent)
    idle = Readings(law, found.terms.rulings).without_effect
    verdicts: dict[str, list[Verdict]] = {game: [] for game in (*scope, *absent)}
    for held in law.provisions.values():
        game = held.instrument.game
        if game in verdicts:
            looks = dict(
                _observe_provision(
                    law, held, found, findings=findings, covered=covered, open_points=open_points,
                    missing=missing or {}, lost=(lost or {}).get(held.id, ()), felt=felt,
                    idle=held.id in idle,
                )
            )  # fmt: skip
            if drawn and held.id in drawn:
                looks[Way.STATISTICS] = drawn[held.id]
            if held.id in declared:
                looks[Way.CONFIGURATION] = declared[held.id]
            ways = _ways_of(law, held, found.terms)
            if game in absent:
                whole_game = MissingOffer(kind=NotOffered.GAME, name=game)
                looks = {
                    way: Observation(not_offered=(whole_game,))
                    for way in ways
                    if way in _PROGRAM_WAYS
                }
            seen = ProvisionObservations(
                provision=held.id,
                ways=ways,
                looks=looks,
                witnesses=tuple(seen_by_people.get(held.id, ())),
                because=held.provision.because,
                left_out=_reason_left_out(held, found.terms),
                idle=idle.get(held.id),
            )
            verdicts[game].append(judge_provision(seen, rulings))
    per_game = {
        game: conclude_game(
            some, fault=fault or bool(_faults_of(found, game)) or any(one.faults for one in some)
        )
        for game, some in verdicts.items()
    }
    return VerdictSummary(
        overall=conclude_all(per_game.values()),
        games=per_game,
        provisions=[one for some in verdicts.values() for one in some],
        broken=fault
        or any(_faults_of(found, game) for game in verdicts)
        or any(one.faults for some in verdicts.values() for one in some),
    )


def _reason_left_out(held: Held, terms: Terms) -> str | None:
    """Return why nobody asks for a provision: the examination was for others only."""
    if not terms.provisions or held.id in terms.provisions:
        return None
    return say("examine.not-asked", "en")


def _ways_of(law: Law, held: Held, terms: Terms) -> tuple[Way, ...]:
    """Return the ways in which a provision is verified, without draws that no ruling asks for."""
    provision = held.provision
    ways = (Way(provision.verified_by), *(Way(one) for one in provision.also))
    if Way.STATISTICS not in ways:
        return ways
    readings = Readings(law, terms.rulings)
    random = [
        chance for chance in chances(law, held.instrument.game) if chance.provision == held.id
    ]
    asked = not random or any(readings.allow(one.under) for one in random)
    return tuple(way for way in ways if asked or way is not Way.STATISTICS)


def _faults_of(found: EvidenceAnalysis, game: str) -> list[Any]:
    tally = found.tallies.get(game)
    return [] if tally is None else tally.faults


def _observe_provision(  # noqa: PLR0913 - all that was seen
    law: Law,
    held: Held,
    found: EvidenceAnalysis,
    *,
    findings: Sequence[Finding],
    covered: Mapping[tuple[str, Way], DecisiveCount],
    open_points: Mapping[Way, Mapping[str, ReadingAdherence]],
    missing: Mapping[tuple[str, Way], tuple[MissingOffer, ...]],
    lost: tuple[str, ...],
    felt: Mapping[str, AbstractSet[str]],
    idle: bool,
) -> Iterator[tuple[Way, Observation]]:
    """Yield what the program saw of one provision, in each way in which it looked."""
    broken = [
        finding
        for finding in findings
        if held.id in finding.provisions and finding.verdict == "violates"
    ]
    for way, known in open_points.items():
        examined = way is Way.EXAMINATION
        seen = covered.get((held.id, way))
        if seen is not None and not seen.decisive and idle:
            # It settles nothing under a ruling: that nothing decides it is no lack of cases.
            seen = None
        mine = [one for one in broken if _WAY_OF_METHOD.get(one.method, Way.EXAMINATION) is way]
        points = tuple(
            known[divergence.id]
            for divergence in law.divergences
            if divergence.id in known
            and (
                held.id in divergence.provisions
                or (examined and held.id in felt.get(divergence.id, ()))
            )
        )
        lacking = missing.get((held.id, way), ())
        refused = [] if examined else found.rounds.refused.get(held.id, [])
        faults = lost if examined else tuple(f"{Kind.DECLINED}:{name}" for name in refused)
        if seen is None and not (mine or points or lacking or faults):
            continue
        # What rests on differences that stand in no list is not known to be right.
        decides = seen is not None and not (
            examined and (lost or _has_unlisted_differences(found, held))
        )
        yield (
            way,
            Observation(
                cases=0 if seen is None else max(seen.cases, seen.decisive),
                decisive=seen.decisive if seen is not None and decides else 0,
                not_offered=lacking,
                findings=tuple(one.id for one in mine if not one.against),
                against=tuple(one.id for one in mine if one.against),
                followed=points,
                faults=faults,
            ),
        )


def _has_unlisted_differences(found: EvidenceAnalysis, held: Held) -> bool:
    """Return whether a provision is behind differences that were only counted."""
    return any(held.id in tally.unlisted_provisions for tally in found.tallies.values())
