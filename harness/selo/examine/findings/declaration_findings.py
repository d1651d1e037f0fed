"""Findings and observations from what a vendor declares about its tables.

The description in the header of the evidence determines all of it.

1. Every requirement is judged under the readings followed, and under every other reading of each
   point without a ruling.
2. What is broken under all readings is a violation; what a reading makes lawful is open.
3. What is kept may still be open, if another reading would break it.
4. What is missing or unclear under any reading never counts as kept.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import AnswerPart
from selo.cases.case_numbers import NO_CASES
from selo.evidence.canonical_json import encode_canonical
from selo.examine.findings.finding import Finding, cite_ground
from selo.law.files import read_declarations
from selo.rules.clauses.jackpot_share import JACKPOT
from selo.rules.declarations import Requirements, declaration_points, describe_requirement
from selo.rules.declarations.declaration_models import RequirementStatus
from selo.rules.readings import Readings
from selo.verdict.observations import MissingOffer, NotOffered, Observation, ReadingAdherence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.examine.findings.finding import FindingOrigin
    from selo.law import Law
    from selo.protocol.messages import Description, Offer
    from selo.rules.declarations.declaration_models import RequirementJudgement

#: The method by which a vendor declares, and the name of declarations as a group of cases.
DESCRIBE: Final = "describe"
DECLARATIONS_GROUP: Final = "declarations"
#: The fields of an offer that are judged; the others say how the vendor can be asked.
_JUDGED_FIELDS: Final = (
    "bets", "options", "declares", "faces", "layout", "jackpots", "authorisations",
)  # fmt: skip
_Key = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class DeclarationResults:
    """The judgements on the declarations of one game."""

    game: str
    judgements: tuple[RequirementJudgement, ...]
    #: The judgements under every other reading of a point without a ruling.
    under_other_readings: Mapping[tuple[str, str], tuple[RequirementJudgement, ...]]
    #: The reading that is followed for each of those points.
    followed: Mapping[str, str]

    def provisions(self) -> list[str]:
        """Return the provisions with requirements on declarations."""
        return list(dict.fromkeys(judgement.provision for judgement in self._all_judgements()))

    def _all_judgements(self) -> Iterator[RequirementJudgement]:
        yield from self.judgements
        for judgements in self.under_other_readings.values():
            yield from judgements

    def excusing_readings(self, key: _Key) -> tuple[tuple[str, str], ...]:
        """Return the readings under which a broken requirement would be kept."""
        now = _broken_keys(self.judgements)
        # A reading that breaks another requirement of the provision does not count.
        return tuple(
            reading
            for reading, judgements in self.under_other_readings.items()
            if {other for other in _broken_keys(judgements) if other[0] == key[0]} < now
            and key not in _broken_keys(judgements)
        )

    def reading_fits(self, provision: str) -> Iterator[ReadingAdherence]:
        """Yield how the declarations fit the readings of each point, for one provision."""
        for point, reading in self.followed.items():
            broken = {reading: _broken_keys(self.judgements)}
            for (other_point, other), judgements in self.under_other_readings.items():
                if other_point == point:
                    broken[other] = _broken_keys(judgements)
            # The requirements that one reading keeps and another breaks.
            telling = {
                key
                for keys in broken.values()
                for key in keys
                if key[0] == provision and not all(key in others for others in broken.values())
            }
            if telling:
                fits = {name: len(telling - keys) for name, keys in broken.items()}
                yield ReadingAdherence(divergence=point, cases=len(telling), fits=fits)

    def observe(self, provision: str, findings: Sequence[str]) -> Observation:
        """Return the observation of a provision by its declarations."""
        own = [
            judgement for judgement in self._all_judgements() if judgement.provision == provision
        ]
        standings = {judgement.status for judgement in own}
        cases = sum(1 for judgement in self.judgements if judgement.provision == provision)
        not_offered = tuple(
            dict.fromkeys(
                _missing_offer(judgement)
                for judgement in own
                if judgement.status is RequirementStatus.ABSENT
            )
        ) or tuple(
            dict.fromkeys(
                _missing_offer(judgement)
                for judgement in own
                if judgement.status is RequirementStatus.MISSING
            )
        )
        # A partial declaration decides nothing.
        decisive = 0 if not_offered or RequirementStatus.UNDETERMINED in standings else cases
        return Observation(
            cases=0 if not_offered else cases,
            decisive=decisive,
            not_offered=not_offered,
            findings=tuple(findings),
            followed=tuple(self.reading_fits(provision)),
        )


def _missing_offer(judgement: RequirementJudgement) -> MissingOffer:
    """Return what is not declared, or what need not be since it is not offered."""
    if judgement.status is not RequirementStatus.ABSENT:
        return MissingOffer(kind=NotOffered.DECLARATION, name=judgement.about)
    if judgement.concerns_layout:
        return MissingOffer(kind=NotOffered.BET, name=judgement.about.partition(": ")[2])
    # Everything else that can be absent belongs to jackpots.
    return MissingOffer(kind=NotOffered.OPTION, name=JACKPOT)


def count_requirements(law: Law, game: str, readings: Readings) -> Counter[str]:
    """Return how many requirements of each provision a lawful declaration meets or breaks.

    Each is decisive: with another number, name or permission the lawful declaration would break it.
    """
    lawful = read_declarations(game, specs=law.specs)
    if lawful is None:
        return Counter()
    judgements = Requirements(law, game, readings).judge(lawful.lawful)
    return Counter(
        judgement.provision
        for judgement in judgements
        if judgement.status in {RequirementStatus.KEPT, RequirementStatus.BROKEN}
    )


def _broken_keys(judgements: Sequence[RequirementJudgement]) -> set[_Key]:
    return {
        judgement.key for judgement in judgements if judgement.status is RequirementStatus.BROKEN
    }


def judged_fields(offer: Offer) -> dict[str, Any]:
    """Return the judged fields of an offer, as in a message."""
    fields = msgspec.to_builtins(offer)
    return {name: fields[name] for name in _JUDGED_FIELDS if name in fields}


def judge_declarations(law: Law, offer: Offer, rulings: Mapping[str, str]) -> DeclarationResults:
    """Judge the declarations of one game."""
    game, declared = offer.game, judged_fields(offer)
    readings = Readings(law, rulings)
    others = {}
    followed = {}
    for point, point_readings in declaration_points(law, game).items():
        # Under a ruling no other reading counts.
        if point in rulings:
            continue
        followed[point] = readings.of(point)
        for reading in point_readings:
            if reading != followed[point]:
                requirements = Requirements(law, game, Readings(law, {**rulings, point: reading}))
                others[point, reading] = tuple(requirements.judge(declared))
    now = tuple(Requirements(law, game, readings).judge(declared))
    return DeclarationResults(
        game=game, judgements=now, under_other_readings=others, followed=followed
    )


def judge_all_declarations(
    law: Law, description: Description, games: Sequence[str], rulings: Mapping[str, str]
) -> list[DeclarationResults]:
    """Judge the declarations of every game in scope."""
    offers = {game.game: game for game in description.games}
    return [judge_declarations(law, offers[game], rulings) for game in games if game in offers]


def collect_declaration_findings(
    law: Law, results: Sequence[DeclarationResults], origin: FindingOrigin
) -> Iterator[Finding]:
    """Yield a finding for each declaration that is wrong or unclear.

    One entry that is wrong for several things is one finding.
    """
    for game_results in results:
        by_key: dict[bytes, list[RequirementJudgement]] = {}
        for judgement in game_results.judgements:
            if judgement.status in {RequirementStatus.BROKEN, RequirementStatus.UNDETERMINED}:
                by_key.setdefault(_finding_key(game_results, judgement), []).append(judgement)
        for judgements in by_key.values():
            yield _build_finding(law, game_results, judgements, origin)


def _finding_key(results: DeclarationResults, judgement: RequirementJudgement) -> bytes:
    """Return a key that judgements share which belong to one finding: all but their object."""
    aspect = judgement.about.partition(": ")[2]
    return encode_canonical(
        [
            judgement.provision,
            str(judgement.status),
            aspect,
            judgement.declared,
            results.excusing_readings(judgement.key),
        ]
    )


def _build_finding(
    law: Law,
    results: DeclarationResults,
    judgements: Sequence[RequirementJudgement],
    origin: FindingOrigin,
) -> Finding:
    first = judgements[0]
    if "authorisation" in first.required:
        names = ", ".join(str(judgement.required["authorisation"]) for judgement in judgements)
        first = replace(first, required={**first.required, "authorisation": names})
    readings = results.excusing_readings(first.key)
    is_broken = first.status is RequirementStatus.BROKEN
    return Finding(
        id="",
        verdict="violates" if is_broken and not readings else "open",
        game=results.game,
        provisions=[first.provision],
        cause="" if is_broken else str(first.status),
        cause_code=None if is_broken else str(first.status),
        times=len(judgements),
        ways=1,
        # The description stands in the header, before the first case.
        first=-1,
        method=DESCRIBE,
        params={"game": results.game, "about": [judgement.about for judgement in judgements]},
        bet=None,
        expected=dict(first.required),
        observed=dict(first.declared),
        required=describe_requirement(law, results.game, first),
        money=None,
        law=[cite_ground(law, name, ["declared"]) for name in (first.provision, *first.grounds)],
        readings=list(readings) if is_broken else [],
        origin=origin,
        parts=[AnswerPart.DECLARATION],
        differences={f"{DESCRIBE} {judgement.about}": NO_CASES for judgement in judgements},
    )


def observe_declarations(
    results: Sequence[DeclarationResults], findings: Sequence[Finding]
) -> dict[str, Observation]:
    """Return the observation of each provision with requirements on declarations."""
    return {
        provision: game_results.observe(
            provision,
            [
                finding.id
                for finding in findings
                if finding.method == DESCRIBE
                and finding.verdict == "violates"
                and provision in finding.provisions
            ],
        )
        for game_results in results
        for provision in game_results.provisions()
    }
