"""From what was concluded to a verdict on every provision, every game, and the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.examine.findings.declaration_findings import DESCRIBE
from selo.examine.replay import followed, followed_in_rounds, touched
from selo.law.files.provision_file import Way
from selo.rules.declarations.randomness import chances
from selo.rules.readings import Readings
from selo.text.message_catalogue import say
from selo.vendors.faults import Kind
from selo.verdict import Verdict, verdict
from selo.verdict.observations import Followed, Lacking, Look, NotOffered, Seen, Witness
from selo.verdict.overall import Conclusion as Whole
from selo.verdict.overall import conclude, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.examine.coverage import Covered
    from selo.examine.findings import Finding
    from selo.examine.plan import Terms
    from selo.examine.replay import Conclusion
    from selo.law.loader import Held, Law
    from selo.verdict.rulings import Rulings


#: The ways in which cases look that are put neither to be settled nor to be compared.
_WAYS: Final = {
    "round": Way.PROCEDURE,
    "draw": Way.STATISTICS,
    DESCRIBE: Way.CONFIGURATION,
}


#: The ways in which the program looks.
PROGRAM: Final = (Way.EXAMINATION, Way.PROCEDURE, Way.STATISTICS, Way.CONFIGURATION)


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What is said at the end."""

    overall: Whole
    games: dict[str, Whole]
    provisions: list[Verdict]
    #: Whether the vendor broke down or broke the protocol; a breach of the law outranks it above.
    broken: bool = False


def summarised(  # noqa: PLR0913 - everything that bears on a verdict
    law: Law,
    found: Conclusion,
    *,
    findings: Sequence[Finding],
    covered: Mapping[tuple[str, Way], Covered],
    rulings: Rulings,
    declared: Mapping[str, Look],
    witnesses: Iterable[Witness] = (),
    drawn: Mapping[str, Look] | None = None,
    missing: Mapping[tuple[str, Way], tuple[Lacking, ...]] | None = None,
    absent: Iterable[str] = (),
    lost: Mapping[str, tuple[str, ...]] | None = None,
    fault: bool = False,
) -> Summary:
    """Return the verdicts on every provision of the games in scope.

    `drawn` is what draws show, `missing` what is not offered of what would have to be asked,
    `absent` are games that were asked for and are not offered at all, and `lost` are provisions
    that only cases without a sound answer decide, each with the faults that there were.
    """
    scope = {game.game: game for game in found.terms.games}
    open_points = {
        Way.EXAMINATION: {one.divergence: one for one in followed(law, found)},
        Way.PROCEDURE: {
            followed_in_round.divergence: followed_in_round
            for followed_in_round in followed_in_rounds(found)
        },
    }
    felt = touched(found)
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
                _looks(
                    law, held, found, findings=findings, covered=covered, open_points=open_points,
                    missing=missing or {}, lost=(lost or {}).get(held.id, ()), felt=felt,
                    idle=held.id in idle,
                )
            )  # fmt: skip
            if drawn and held.id in drawn:
                looks[Way.STATISTICS] = drawn[held.id]
            if held.id in declared:
                looks[Way.CONFIGURATION] = declared[held.id]
            ways = _ways(law, held, found.terms)
            if game in absent:
                whole_game = Lacking(kind=NotOffered.GAME, name=game)
                looks = {way: Look(not_offered=(whole_game,)) for way in ways if way in PROGRAM}
            seen = Seen(
                provision=held.id,
                ways=ways,
                looks=looks,
                witnesses=tuple(seen_by_people.get(held.id, ())),
                because=held.provision.because,
                left_out=_left_out(held, found.terms),
                idle=idle.get(held.id),
            )
            verdicts[game].append(verdict(seen, rulings))
    per_game = {
        game: conclude(
            some, fault=fault or bool(_faults(found, game)) or any(one.faults for one in some)
        )
        for game, some in verdicts.items()
    }
    return Summary(
        overall=whole(per_game.values()),
        games=per_game,
        provisions=[one for some in verdicts.values() for one in some],
        broken=fault
        or any(_faults(found, game) for game in verdicts)
        or any(one.faults for some in verdicts.values() for one in some),
    )


def _left_out(held: Held, terms: Terms) -> str | None:
    """Return why nobody asks for a provision: the examination was for others only."""
    if not terms.provisions or held.id in terms.provisions:
        return None
    return say("examine.not-asked", "en")


def _ways(law: Law, held: Held, terms: Terms) -> tuple[Way, ...]:
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


def _faults(found: Conclusion, game: str) -> list[Any]:
    tally = found.tallies.get(game)
    return [] if tally is None else tally.faults


def _looks(  # noqa: PLR0913 - all that was seen
    law: Law,
    held: Held,
    found: Conclusion,
    *,
    findings: Sequence[Finding],
    covered: Mapping[tuple[str, Way], Covered],
    open_points: Mapping[Way, Mapping[str, Followed]],
    missing: Mapping[tuple[str, Way], tuple[Lacking, ...]],
    lost: tuple[str, ...],
    felt: Mapping[str, AbstractSet[str]],
    idle: bool,
) -> Iterator[tuple[Way, Look]]:
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
        mine = [one for one in broken if _WAYS.get(one.method, Way.EXAMINATION) is way]
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
        decides = seen is not None and not (examined and (lost or _beyond(found, held)))
        yield (
            way,
            Look(
                cases=0 if seen is None else max(seen.cases, seen.decisive),
                decisive=seen.decisive if seen is not None and decides else 0,
                not_offered=lacking,
                findings=tuple(one.id for one in mine if not one.against),
                against=tuple(one.id for one in mine if one.against),
                followed=points,
                faults=faults,
            ),
        )


def _beyond(found: Conclusion, held: Held) -> bool:
    """Return whether a provision is behind differences that were only counted."""
    return any(held.id in tally.beyond for tally in found.tallies.values())
