"""What a vendor declares of its tables, examined: verdicts, findings, and what was not told.

Everything follows from the description in the first line of the evidence.

1. Every requirement is judged under the readings followed, and under every other reading of each
   point that nobody has ruled on.
2. What is broken under all of them is a violation; what one reading makes lawful is open.
3. What is kept may still be open: another reading would break it.
4. What is missing, or not told well enough, under any of them is never taken for kept.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.evidence.canonical_json import encode_canonical
from selo.examine.findings.finding import Finding, cite_ground
from selo.law.files import read_declarations
from selo.rules.declarations import JACKPOT, Standing, asked
from selo.rules.declarations.declaration_checks import Requirements, points
from selo.rules.readings import Readings
from selo.verdict.observations import MissingOffer, NotOffered, Observation, ReadingAdherence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.examine.findings.finding import FindingOrigin
    from selo.law.loader import Law
    from selo.protocol.messages import Description, Offer
    from selo.rules.declarations import Judgement

#: The method by which a vendor declares, and the group of cases that its declarations are.
DESCRIBE: Final = "describe"
DECLARATIONS_GROUP: Final = "declarations"
#: What of an offer is judged; the rest is how it can be asked.
_JUDGED_FIELDS: Final = (
    "bets", "options", "declares", "faces", "layout", "jackpots", "authorisations",
)  # fmt: skip
_Key = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class DeclarationResults:
    """What the declarations of one game come to."""

    game: str
    now: tuple[Judgement, ...]
    #: The same under every other reading of a point that nobody has ruled on.
    others: Mapping[tuple[str, str], tuple[Judgement, ...]]
    #: The reading that is followed on each of those points.
    followed: Mapping[str, str]

    def provisions(self) -> list[str]:
        """Return the provisions of which something is asked."""
        return list(dict.fromkeys(one.provision for one in self._all()))

    def _all(self) -> Iterator[Judgement]:
        yield from self.now
        for some in self.others.values():
            yield from some

    def readings(self, key: _Key) -> tuple[tuple[str, str], ...]:
        """Return the readings under which something that is broken would be lawful."""
        now = _broken_keys(self.now)
        # A reading that breaks something else of the provision makes nothing lawful.
        return tuple(
            at
            for at, some in self.others.items()
            if {one for one in _broken_keys(some) if one[0] == key[0]} < now
            and key not in _broken_keys(some)
        )

    def points(self, provision: str) -> Iterator[ReadingAdherence]:
        """Yield the points on which the declarations show a reading, as far as one provision."""
        for point, reading in self.followed.items():
            broken = {reading: _broken_keys(self.now)}
            broken |= {other: _broken_keys(some) for (at, other), some in self.others.items()
                       if at == point}  # fmt: skip
            keys = {key for some in broken.values() for key in some if key[0] == provision}
            parting = {
                key for key in keys if not all(key in some for some in broken.values())
            }  # fmt: skip
            if parting:
                fits = {name: len(parting - some) for name, some in broken.items()}
                yield ReadingAdherence(divergence=point, cases=len(parting), fits=fits)

    def look(self, provision: str, findings: Sequence[str]) -> Observation:
        """Return what was seen of a provision by its declarations."""
        mine = [one for one in self._all() if one.provision == provision]
        standings = {one.standing for one in mine}
        cases = sum(1 for one in self.now if one.provision == provision)
        not_offered = tuple(
            dict.fromkeys(_missing_offer(one) for one in mine if one.standing is Standing.ABSENT)
        ) or tuple(
            dict.fromkeys(_missing_offer(one) for one in mine if one.standing is Standing.MISSING)
        )
        # Part of what is asked for is not all of it.
        decisive = 0 if not_offered or Standing.UNTOLD in standings else cases
        return Observation(
            cases=0 if not_offered else cases,
            decisive=decisive,
            not_offered=not_offered,
            findings=tuple(findings),
            followed=tuple(self.points(provision)),
        )


def _missing_offer(one: Judgement) -> MissingOffer:
    """Return what is not declared, or what is not offered so that it need not be."""
    if one.standing is not Standing.ABSENT:
        return MissingOffer(kind=NotOffered.DECLARATION, name=one.about)
    if one.of_layout:
        return MissingOffer(kind=NotOffered.BET, name=one.about.partition(": ")[2])
    # Whatever else is not there to be declared is a part of jackpots.
    return MissingOffer(kind=NotOffered.OPTION, name=JACKPOT)


def count_requirements(law: Law, game: str, readings: Readings) -> Counter[str]:
    """Return how many requirements each provision has, held against a lawful declaration.

    Each decides: were the number, the name or the permission that it asks for another one, what is
    lawful would not keep it.
    """
    lawful = read_declarations(game)
    if lawful is None:
        return Counter()
    found = Requirements(law, game, readings).judge(lawful.lawful)
    return Counter(
        one.provision for one in found if one.standing in {Standing.KEPT, Standing.BROKEN}
    )


def _broken_keys(some: Sequence[Judgement]) -> set[_Key]:
    return {one.key for one in some if one.standing is Standing.BROKEN}


def judged_fields(offer: Offer) -> dict[str, Any]:
    """Return what of an offer is judged, as it stands in a message."""
    whole = msgspec.to_builtins(offer)
    return {name: whole[name] for name in _JUDGED_FIELDS if name in whole}


def judge_declarations(law: Law, offer: Offer, rulings: Mapping[str, str]) -> DeclarationResults:
    """Return what the declarations of one game come to under some rulings."""
    game, told = offer.game, judged_fields(offer)
    readings = Readings(law, rulings)
    others = {}
    followed = {}
    for point, known in points(law, game).items():
        # A ruling removes the doubt: no other reading counts.
        if point in rulings:
            continue
        followed[point] = readings.of(point)
        for reading in known:
            if reading != followed[point]:
                then = Requirements(law, game, Readings(law, {**rulings, point: reading}))
                others[point, reading] = tuple(then.judge(told))
    now = tuple(Requirements(law, game, readings).judge(told))
    return DeclarationResults(game=game, now=now, others=others, followed=followed)


def judge_all_declarations(
    law: Law, description: Description, games: Sequence[str], rulings: Mapping[str, str]
) -> list[DeclarationResults]:
    """Return what the declarations of every game in scope come to."""
    offers = {game.game: game for game in description.games}
    return [judge_declarations(law, offers[game], rulings) for game in games if game in offers]


def collect_declaration_findings(
    law: Law, some: Sequence[DeclarationResults], origin: FindingOrigin
) -> Iterator[Finding]:
    """Yield a finding for each thing that is declared otherwise than the law has it, or untold.

    One entry that is wrong for several things is one finding.
    """
    for declared in some:
        causes: dict[bytes, list[Judgement]] = {}
        for one in declared.now:
            if one.standing in {Standing.BROKEN, Standing.UNTOLD}:
                causes.setdefault(_finding_key(declared, one), []).append(one)
        for alike in causes.values():
            yield _build_finding(law, declared, alike, origin)


def _finding_key(declared: DeclarationResults, one: Judgement) -> bytes:
    """Return by what judgements of one cause are known: all but the thing that was asked for."""
    aspect = one.about.partition(": ")[2]
    return encode_canonical(
        [one.provision, str(one.standing), aspect, one.declared, declared.readings(one.key)]
    )


def _build_finding(
    law: Law, declared: DeclarationResults, alike: Sequence[Judgement], origin: FindingOrigin
) -> Finding:
    one = alike[0]
    if "authorisation" in one.required:
        names = ", ".join(str(other.required["authorisation"]) for other in alike)
        one = replace(one, required={**one.required, "authorisation": names})
    readings = declared.readings(one.key)
    wrong = one.standing is Standing.BROKEN
    return Finding(
        id="",
        verdict="violates" if wrong and not readings else "open",
        game=declared.game,
        provisions=[one.provision],
        cause="" if wrong else str(one.standing),
        cause_code=None if wrong else str(one.standing),
        times=len(alike),
        ways=1,
        # The description stands in the first line, before the first case.
        first=-1,
        method=DESCRIBE,
        params={"game": declared.game, "about": [other.about for other in alike]},
        bet=None,
        expected=dict(one.required),
        observed=dict(one.declared),
        required=asked(law, declared.game, one),
        money=None,
        law=[cite_ground(law, name, ["declared"]) for name in (one.provision, *one.grounds)],
        readings=list(readings) if wrong else [],
        origin=origin,
    )


def observe_declarations(
    some: Sequence[DeclarationResults], findings: Sequence[Finding]
) -> dict[str, Observation]:
    """Return what was seen of each provision of which something is asked."""
    return {
        provision: declared.look(
            provision,
            [
                finding.id
                for finding in findings
                if finding.method == DESCRIBE
                and finding.verdict == "violates"
                and provision in finding.provisions
            ],
        )
        for declared in some
        for provision in declared.provisions()
    }
