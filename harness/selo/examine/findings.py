"""Findings: each violation with everything that is needed to understand it and to see it again."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from selo.cases.case import Case
from selo.law.citation import cite
from selo.protocol.messages import Currency
from selo.rules.game import written
from selo.words.text import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from selo.cases.expectation import Oracle
    from selo.examine.causes import Cause
    from selo.examine.tally import Difference, Tally
    from selo.law.reader import Law

    Kind = tuple[Any, ...]
    #: Puts one case to the vendor and returns its settlements, or raises ValueError.
    Ask = Callable[[Case], Any]

_SIMPLE_STAKE: Final = 100
_PARTS: Final = ("result", "prize", "commission", "stake")


class Origin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """By which edition of Selo and of the law files, and under which rulings, it was found."""

    selo: str
    spec_digest: str
    rulings: dict[str, str]
    #: The money in which its amounts are told.
    currency: Currency | None = None


class Ground(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A provision on which a finding rests."""

    provision: str
    #: What it does in the derivation.
    roles: list[str]
    citation: dict[str, str]
    text: dict[str, str]


class Finding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way in which a vendor breaks the law, by its smallest case."""

    id: str
    verdict: Literal["violates", "open", "protocol"]
    game: str
    #: The provisions that are broken.
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
    #: What the vendor paid out too much (or too little), in the smallest unit.
    money: int | list[int] | None
    law: list[Ground]
    readings: list[tuple[str, str]]
    origin: Origin
    #: What a step of a round requires, in words.
    required: Words | None = None
    #: Readings under which it would be lawful, of points on which another was adopted.
    against: list[tuple[str, str]] = []
    #: The dice that lay on the table last, in a round.
    shown: dict[str, Any] = {}

    @property
    def case(self) -> Case:
        """The case that shows it."""
        return Case(game=self.game, method=self.method, group="finding", **_parts(self.params))  # type: ignore[arg-type]


def _parts(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name != "game"}


def found(
    law: Law, tally: Tally, causes: list[Cause], ask: Ask, origin: Origin
) -> Iterator[tuple[Finding, Sequence[Kind]]]:
    """Yield a finding for each cause, then for each open point and each breach of form.

    With each come the kinds of differences that it is about.
    """
    number = 0
    for cause in causes:
        number += 1
        # What also follows from the cause, and some reading would have so, is no example of it.
        plain = [kind for kind in cause.kinds if not tally.differences[kind].open]
        one = min((tally.differences[kind] for kind in plain), key=_weight)
        times = sum(tally.times[other] for other in cause.kinds)
        finding = _finding(
            law, tally.oracle, one, ask, number=number, verdict="violates",
            provisions=list(cause.provisions), cause=cause.words, times=times,
            ways=len(cause.kinds), origin=origin,
        )  # fmt: skip
        every = [tally.differences[other].against for other in plain]
        against = [point for point in one.against if all(point in some for some in every)]
        yield msgspec.structs.replace(finding, against=against), cause.kinds
    caused = {kind for cause in causes for kind in cause.kinds}
    for verdict, kinds in _set_aside(tally, caused):
        number += 1
        one = min((tally.differences[kind] for kind in kinds), key=_weight)
        finding = _finding(
            law, tally.oracle, one, ask, number=number, verdict=verdict,
            # What is reconstructed is no provision.
            provisions=[name for name in one.provisions if name in law.provisions],
            cause="", ways=len(kinds), origin=origin,
            times=sum(tally.times[kind] for kind in kinds),
        )  # fmt: skip
        yield finding, kinds


def _set_aside(
    tally: Tally, caused: AbstractSet[Kind]
) -> Iterator[tuple[Literal["open", "protocol"], list[Kind]]]:
    """Yield what breaks no law: open points, each with all that rests on it, and form."""
    by_point: dict[Any, list[Kind]] = {}
    form: list[Kind] = []
    for kind, one in tally.differences.items():
        if kind in caused:
            continue
        if one.open:
            by_point.setdefault(one.readings[0], []).append(kind)
        elif one.lawless:
            form.append(kind)
    for kinds in by_point.values():
        yield "open", kinds
    if form:
        yield "protocol", form


def _weight(one: Difference) -> tuple[int, int, int]:
    """Return how hard a case is to understand: bets, then everything else."""
    case = one.case
    return len(case.bets), len(str(case.outcome)), one.n


def _finding(  # noqa: PLR0913 - a finding has so many parts
    law: Law,
    oracle: Oracle,
    one: Difference,
    ask: Ask,
    *,
    number: int,
    verdict: Literal["violates", "open", "protocol"],
    provisions: list[str],
    cause: str,
    times: int,
    ways: int,
    origin: Origin,
) -> Finding:
    case, bet, observed = one.case, one.bet, one.observed
    if bet is not None:
        case, bet, observed = reduced(oracle, case, bet, observed, ask)
    expected = one.expected if bet is None else _expected(oracle, case, bet, observed)
    return Finding(
        id=f"F-{number:03}",
        verdict=verdict,
        game=case.game,
        provisions=provisions,
        cause=cause,
        times=times,
        ways=ways,
        first=one.n,
        method=case.method,
        params=case.params(),
        bet=bet,
        expected=expected,
        observed=observed,
        money=None if bet is None else money(expected, observed),
        law=list(_grounds(law, one, provisions)),
        readings=list(one.readings),
        origin=origin,
    )


def _expected(oracle: Oracle, case: Case, bet: int, observed: dict[str, Any]) -> dict[str, Any]:
    wanted = oracle.expected(case)[bet]
    back = wanted.back
    return {
        "result": wanted.result,
        "prize": wanted.prize,
        "commission": wanted.commission,
        "stake": observed["stake"] if observed["stake"] in back else back[-1],
    }


def money(expected: dict[str, Any], observed: dict[str, Any]) -> int | list[int]:
    """Return what the vendor gives out beyond what the law gives."""
    return written(paid(observed) - paid(expected))


def paid(settlement: dict[str, Any]) -> Fraction:
    """Return all that a settlement gives into somebody's hand."""
    prize, commission = (_amount(settlement[part]) for part in ("prize", "commission"))
    return prize - commission + int(settlement["stake"])


def _amount(amount: int | list[int]) -> Fraction:
    return Fraction(amount) if isinstance(amount, int) else Fraction(*amount)


def _grounds(law: Law, one: Difference, provisions: list[str]) -> Iterator[Ground]:
    roles: dict[str, list[str]] = {name: [] for name in provisions}
    for name, role in one.reasons:
        roles.setdefault(name, []).append(role)
    for name, played in roles.items():
        if name in law.provisions:
            yield ground(law, name, list(dict.fromkeys(played)))


def ground(law: Law, name: str, roles: list[str]) -> Ground:
    """Return a provision on which a finding rests, with its words."""
    held = law.find(name)
    cited = cite(law, held)
    text = held.provision.text
    return Ground(
        provision=name,
        roles=roles,
        citation={
            "pt": cited.pt,
            "zh": cited.zh,
            "pt_full": cited.pt_full,
            "zh_full": cited.zh_full,
        },
        text={language: text.get(language) or "" for language in text.languages()},
    )


# The smallest case.


def reduced(
    oracle: Oracle, case: Case, bet: int, observed: dict[str, Any], ask: Ask
) -> tuple[Case, int, dict[str, Any]]:
    """Return a smaller case that the vendor still answers wrongly in the same way."""
    kind = _kind(oracle, case, bet, observed)
    for smaller, at in _smaller(case, bet):
        try:
            settlements = ask(smaller)
            seen = {part: getattr(settlements[at], part) for part in _PARTS}
            same = _kind(oracle, smaller, at, seen) == kind
        except (ValueError, LookupError, AttributeError):
            # The game has no such case, or the vendor no such answer: it stays as it is.
            continue
        if same and at in oracle.wrong(smaller, settlements):
            return reduced(oracle, smaller, at, seen, ask)
    return case, bet, observed


def _kind(oracle: Oracle, case: Case, bet: int, observed: dict[str, Any]) -> tuple[Any, ...]:
    wanted = _expected(oracle, case, bet, observed)
    differing = tuple(part for part in _PARTS if wanted[part] != observed[part])
    return wanted["result"], observed["result"], differing


def _smaller(case: Case, bet: int) -> Iterator[tuple[Case, int]]:
    """Yield cases that are simpler by one thing, and where the bet then stands."""
    for at in range(len(case.bets)):
        # A bet that another is added to keeps its place, or the addition would mean another.
        if at != bet and not any("to" in one for one in case.bets):
            bets = [one for place, one in enumerate(case.bets) if place != at]
            yield msgspec.structs.replace(case, bets=bets), bet - (at < bet)
    for part in ("seats", "places"):
        hands = case.outcome.get(part, {})
        if len(hands) > 1:
            for name in hands:
                fewer = {other: hand for other, hand in hands.items() if other != name}
                outcome = {**case.outcome, part: fewer}
                yield msgspec.structs.replace(case, outcome=outcome), bet
    throws = case.outcome.get("throws", [])
    if len(throws) > 1:
        yield msgspec.structs.replace(case, outcome={"throws": throws[:-1]}), bet
    for name in case.options:
        options = {other: value for other, value in case.options.items() if other != name}
        yield msgspec.structs.replace(case, options=options), bet
    for at, one in enumerate(case.bets):
        if one["stake"] != _SIMPLE_STAKE:
            bets = [*case.bets]
            bets[at] = {**one, "stake": _SIMPLE_STAKE}
            yield msgspec.structs.replace(case, bets=bets), bet
