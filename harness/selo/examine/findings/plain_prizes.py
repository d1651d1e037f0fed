"""Findings of plain wrong prizes: every bet of the plan that should win so is paid wrongly alike.

The cost of such a finding is exact: the chance of that win, times what is paid wrongly. Where some
bet of the plan that should win the same was settled otherwise, it is an upper bound.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.examine.tally import Difference

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.cases import Case
    from selo.cases.case_numbers import NumberRanges
    from selo.cases.oracle import Oracle
    from selo.examine.findings.finding import Finding

_WIN: Final = "win"
_SPOT_FIELDS: Final = ("bet", "choice")


@dataclass(slots=True)
class _WrongPrize:
    """A prize that is paid wrongly: on which bet, instead of which prize, and in which cases."""

    at: int
    spot: tuple[Any, ...]
    prize: Fraction
    firsts: list[int]
    lasts: list[int]

    def holds(self, n: int) -> bool:
        """Return whether a case shows it."""
        place = bisect_right(self.firsts, n) - 1
        return place >= 0 and n <= self.lasts[place]


def find_plain_prizes(
    oracle: Oracle,
    findings: Sequence[Finding],
    numbers: Sequence[Sequence[Mapping[str, NumberRanges]]],
    planned: Iterable[tuple[int, Case]],
) -> set[int]:
    """Return the places of the findings whose prize every such bet of the plan was paid.

    `numbers` are the case numbers of each finding by what differs, `planned` the answered cases.
    """
    left = [
        wrong
        for at, finding in enumerate(findings)
        if (wrong := _wrong_prize(at, finding, numbers[at])) is not None
    ]
    for n, case in planned if left else ():
        spots = {wrong.spot for wrong in left}
        places = [place for place, bet in enumerate(case.bets) if _spot_of(bet) in spots]
        expected = oracle.expected_settlements(case) if places else []
        refuted = [
            wrong
            for wrong in left
            if not wrong.holds(n)
            and any(
                _spot_of(case.bets[place]) == wrong.spot
                and expected[place].result == _WIN
                and _in_stakes(expected[place].prize, case.bets[place]["stake"]) == wrong.prize
                for place in places
            )
        ]
        left = [wrong for wrong in left if wrong not in refuted]
        if not left:
            break
    return {wrong.at for wrong in left}


def _wrong_prize(
    at: int, finding: Finding, numbers: Sequence[Mapping[str, NumberRanges]]
) -> _WrongPrize | None:
    """Return the prize that a finding is about, if nothing but that is wrong in its example."""
    if finding.verdict != "violates" or finding.bet is None or finding.unlike is not None:
        return None
    expected, observed = finding.expected, finding.observed
    differing = [part for part in expected if expected[part] != observed.get(part)]
    if differing != ["prize"] or expected.get("result") != _WIN:
        return None
    bet = finding.params["bets"][finding.bet]
    description = Difference.describe_settlement(bet, expected, observed)
    ranges = [pair for kinds in numbers for pair in kinds.get(description, ())]
    return _WrongPrize(
        at=at,
        spot=_spot_of(bet),
        prize=_in_stakes(expected["prize"], bet["stake"]),
        firsts=[first for first, _ in sorted(ranges)],
        lasts=[last for _, last in sorted(ranges)],
    )


def _spot_of(bet: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(bet.get(name) for name in _SPOT_FIELDS)


def _in_stakes(amount: int | list[int] | tuple[int, int], stake: int) -> Fraction:
    exact = Fraction(amount) if isinstance(amount, int) else Fraction(*amount)
    return exact / stake if stake else Fraction(0)
