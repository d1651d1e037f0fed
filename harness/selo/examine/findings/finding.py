"""A finding, with all that is needed to understand and replay it, and the findings of cases."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from selo.cases import AnswerPart, Case
from selo.cases.case_numbers import CaseNumbers, NumberRanges, join_numbers
from selo.examine.findings.minimal_example import ShownDifference, find_minimal_example
from selo.json_numbers import encode_fraction
from selo.law import cite
from selo.law.citation import referred_provisions
from selo.protocol.messages import Currency
from selo.rules.mutants import Cause
from selo.table_values import Outcome
from selo.text import Words
from selo.text.message_catalogue import message_words
from selo.verdict.rulings import Ruling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.examine.blame.root_causes import Localisation, RootCause
    from selo.examine.findings.minimal_example import Ask, FindingVerdict, MinimalExample
    from selo.examine.tally import Difference, DifferenceKind, Tally
    from selo.law import Law


#: The role of a provision to which the words of a violated one refer.
_REFERRED: Final = "referred"


class FindingOrigin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """By which edition of Selo and of the law files, and under which rulings, it was found."""

    selo: str
    spec_digest: str
    rulings: dict[str, str]
    #: The currency of its amounts.
    currency: Currency | None = None
    #: Who adopted the readings that it is against.
    adopted: list[Ruling] = []


class FindingGround(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A provision on which a finding rests."""

    provision: str
    #: Its roles in the derivation.
    roles: list[str]
    citation: dict[str, str]
    text: dict[str, str]

    @property
    def is_referred_to(self) -> bool:
        """Whether the words of a violated provision refer to it."""
        return _REFERRED in self.roles


class Finding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way in which a vendor breaks the law, by its smallest case."""

    id: str
    verdict: Literal["violates", "open", "protocol"]
    game: str
    #: The provisions that are violated.
    provisions: list[str]
    #: How they seem to have been misread, where that is known.
    cause: str
    #: How often it was seen, in how many ways, and where first.
    times: int
    ways: int
    first: int
    method: str
    params: dict[str, Any]
    bet: int | None
    expected: dict[str, Any]
    observed: dict[str, Any]
    #: The overpayment (negative for an underpayment), in the smallest unit.
    money: int | list[int] | None
    law: list[FindingGround]
    readings: list[tuple[str, str]]
    origin: FindingOrigin
    #: What the step of a round requires.
    required: Words | None = None
    #: Readings that would make it lawful, of points with a ruling for another reading.
    against: list[tuple[str, str]] = []
    #: The dice on the table at the end, in a round.
    shown: Outcome = {}
    #: A remark, if the vendor answered the same question differently when asked again.
    unlike: Words | None = None
    #: The cause by its code; `cause` is its former name, a sentence.
    cause_code: str | None = None
    #: The cause in its parts, where a provision was misread.
    cause_parts: Cause | None = None
    #: The parts of the answer that differ.
    parts: list[AnswerPart] = []
    #: The cases that show it, by their numbers in the plan.
    cases: CaseNumbers | None = None
    #: The same, by what differs in them: `small, result lose>win, prize 0>1`, amounts in stakes.
    differences: dict[str, CaseNumbers] = {}
    #: Whether every bet of the plan that should end as that of its example was settled so.
    every_such_bet: bool = False
    #: Provisions that nothing accuses and that these answers leave in doubt.
    hides: list[str] = []

    @property
    def case(self) -> Case:
        """The case that shows it."""
        fields = {name: value for name, value in self.params.items() if name != "game"}
        return Case(game=self.game, method=self.method, group="finding", **fields)  # type: ignore[arg-type]


def collect_case_findings(
    law: Law, tally: Tally, located: Localisation, ask: Ask, origin: FindingOrigin
) -> Iterator[tuple[Finding, Sequence[DifferenceKind]]]:
    """Yield a finding for each cause, then for each open point, then for breaches of the protocol.

    The kinds of differences that a finding is about come with it.
    """
    causes = located.causes
    caused = {kind for cause in causes for kind in cause.kinds}
    groups: list[tuple[FindingVerdict, Sequence[DifferenceKind], RootCause | None]] = [
        ("violates", cause.kinds, cause) for cause in causes
    ]
    groups += [(verdict, kinds, None) for verdict, kinds in _group_open_and_protocol(tally, caused)]
    for number, (verdict, kinds, cause) in enumerate(groups, 1):
        # A difference that some reading allows is a poor example of a violation.
        eligible = [kind for kind in kinds if cause is None or not tally.differences[kind].open]
        simplest = min(
            _examples(tally, eligible, cause), key=lambda shown: _complexity(shown.difference)
        )
        example = find_minimal_example(tally, simplest, verdict, cause, ask)
        times = sum(tally.times[kind] for kind in kinds)
        against = [
            point
            for point in example.against
            if all(point in tally.differences[kind].against for kind in eligible)
        ]
        finding = _build_finding(
            law, example, number=number, verdict=verdict, cause=cause, times=times,
            ways=len(kinds), against=against, origin=origin,
        )  # fmt: skip
        parts = {part for kind in kinds for part in kind.parts}
        hides = [
            name
            for name, behind in located.hidden.items()
            if verdict == "violates" and not behind.isdisjoint(kinds)
        ]
        yield msgspec.structs.replace(finding, parts=sort_parts(parts), hides=hides), kinds


def _examples(
    tally: Tally, kinds: Sequence[DifferenceKind], cause: RootCause | None
) -> Iterator[ShownDifference]:
    """Yield what may stand for a finding: the first of each kind, or what shows its cause."""
    if cause is not None and cause.examples:
        for wrong in cause.examples:
            known = tally.differences[wrong.kind]
            difference = msgspec.structs.replace(
                known,
                case=wrong.case, bet=wrong.bet, reasons=wrong.reasons,
                expected=dict(wrong.lawful), observed=dict(wrong.observed),
            )  # fmt: skip
            yield ShownDifference(difference, wrong.answer)
        return
    for kind in kinds:
        yield ShownDifference(tally.differences[kind], tally.samples[kind][0][1])


def _group_open_and_protocol(
    tally: Tally, caused: AbstractSet[DifferenceKind]
) -> Iterator[tuple[FindingVerdict, Sequence[DifferenceKind]]]:
    """Yield the differences that violate no law: those of each open point, then of the protocol."""
    by_point: dict[Any, list[DifferenceKind]] = {}
    joint: list[DifferenceKind] = []
    protocol: list[DifferenceKind] = []
    for kind, difference in tally.differences.items():
        if kind in caused:
            continue
        if difference.readings:
            by_point.setdefault(difference.readings[0], []).append(kind)
        elif difference.open:
            joint.append(kind)
        elif difference.lawless:
            protocol.append(kind)
    for kind in joint:
        # What several readings allow together adds to what one of them allows alone.
        together = tally.differences[kind].together
        point = next((point for point in together if point in by_point), together)
        by_point.setdefault(point, []).append(kind)
    for kinds in by_point.values():
        yield "open", kinds
    if protocol:
        yield "protocol", protocol


def _complexity(difference: Difference) -> tuple[int, int, int]:
    """Return a sort key: how hard the case of a difference is to understand."""
    case = difference.case
    return len(case.bets), len(str(case.outcome)), difference.n


def _build_finding(  # noqa: PLR0913 - a finding has many parts
    law: Law,
    example: MinimalExample,
    *,
    number: int,
    verdict: FindingVerdict,
    cause: RootCause | None,
    times: int,
    ways: int,
    against: list[tuple[str, str]],
    origin: FindingOrigin,
) -> Finding:
    case, bet = example.case, example.bet
    # Reconstructed rules are not provisions.
    named = cause.provisions if cause is not None else dict(example.reasons)
    provisions = [name for name in named if cause is not None or name in law.provisions]
    return Finding(
        id=f"F-{number:03}",
        verdict=verdict,
        game=case.game,
        provisions=provisions,
        cause="" if example.cause is None else example.cause.sentence,
        times=times,
        ways=ways,
        first=example.first,
        method=case.method,
        params=case.params(),
        bet=bet,
        expected=example.expected,
        observed=example.observed,
        money=None if bet is None else overpayment(example.expected, example.observed),
        law=list(collect_grounds(law, example.reasons, provisions)),
        readings=list(example.readings),
        against=against,
        origin=origin,
        unlike=message_words("finding.unlike") if example.unlike else None,
        cause_code=None if example.cause is None else example.cause.code,
        cause_parts=example.cause,
    )


def sort_parts(parts: AbstractSet[AnswerPart]) -> list[AnswerPart]:
    """Return parts of an answer in the order in which they are told."""
    return [part for part in AnswerPart if part in parts]


def point_to_cases(finding: Finding, numbers: Iterable[Mapping[str, NumberRanges]]) -> Finding:
    """Return a finding with the cases that show it.

    `numbers` holds those of each of its kinds of differences, by what differs.
    """
    merged = join_numbers(numbers)
    every = NumberRanges()
    for some in merged.values():
        every.update(some)
    return msgspec.structs.replace(
        finding,
        cases=CaseNumbers.of(every),
        differences={name: CaseNumbers.of(merged[name]) for name in sorted(merged)},
    )


def overpayment(expected: dict[str, Any], observed: dict[str, Any]) -> int | list[int] | None:
    """Return how much more the vendor pays out than the law requires; none if it is not told."""
    if "net" in observed:
        more = _as_fraction(observed["net"]) - _as_fraction(expected["net"])
        return encode_fraction(more)
    if "prize" not in observed:
        return None
    return encode_fraction(amount_paid(observed) - amount_paid(expected))


def amount_paid(settlement: dict[str, Any]) -> Fraction:
    """Return all that a settlement pays out: prize and stake, less commission."""
    prize, commission = (_as_fraction(settlement[part]) for part in ("prize", "commission"))
    return prize - commission + int(settlement["stake"])


def _as_fraction(amount: int | list[int]) -> Fraction:
    return Fraction(amount) if isinstance(amount, int) else Fraction(*amount)


def collect_grounds(
    law: Law, reasons: Iterable[tuple[str, str]], provisions: Iterable[str]
) -> Iterator[FindingGround]:
    """Yield the provisions that a finding rests on, the violated ones first.

    Provisions to which the words of the violated ones refer are among them.
    """
    violated = [name for name in provisions if name in law.provisions]
    roles: dict[str, list[str]] = {name: [] for name in violated}
    for name, role in reasons:
        roles.setdefault(name, []).append(role)
    for name in violated:
        for other in referred_provisions(law, law.find(name)):
            roles.setdefault(other, []).append(_REFERRED)
    for name, own_roles in roles.items():
        if name in law.provisions:
            yield cite_ground(law, name, list(dict.fromkeys(own_roles)))


def cite_ground(law: Law, name: str, roles: list[str]) -> FindingGround:
    """Return a provision that a finding rests on, with citation and text."""
    held = law.find(name)
    citation = cite(law, held)
    text = held.provision.text
    return FindingGround(
        provision=name,
        roles=roles,
        citation={
            "pt": citation.pt,
            "zh": citation.zh,
            "pt_full": citation.pt_full,
            "zh_full": citation.zh_full,
        },
        text={language: text.get(language) or "" for language in text.languages()},
    )


def sort_by_harm(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, the worst first: breaches of the law, of adopted readings, open points.

    Among those, what was paid wrongly counts: in stakes, over all times that it was seen.
    """
    return sorted(findings, key=_harm)


def _harm(finding: Finding) -> tuple[int, Fraction, int]:
    rank = ("violates", "against", "open", "protocol").index(
        "against" if finding.against and finding.verdict == "violates" else finding.verdict
    )
    money = Fraction(0) if finding.money is None else abs(_as_fraction(finding.money))
    return rank, -money / _stake_of(finding) * finding.times, -finding.times


def _stake_of(finding: Finding) -> int:
    """Return the stake of the bet that is judged; of a round, the largest one."""
    if finding.bet is not None:
        return max(1, int(finding.params["bets"][finding.bet]["stake"]))
    stakes = [act.get("stake") for act in finding.params.get("acts", [])]
    return max((stake for stake in stakes if type(stake) is int and stake > 0), default=1)
