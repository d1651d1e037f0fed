"""Sums that every format says alike: results of provisions, and findings with their effect."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import msgspec

from selo.report.phrases.composition import as_words, join_words, label_value, words
from selo.verdict.overall import total_results

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.report.model.report_model import CaseSheet
    from selo.text import Words
    from selo.verdict import Result

#: What findings are against, the gravest first.
_LABELS: Final = ("violates", "against-reading", "open", "protocol")


def describe_totals(counts: Mapping[Result, int], aside: int) -> Words:
    """Return how many provisions are met, not met, not verified and not examinable."""
    totals = total_results(counts, aside)
    return words("report.totals", **msgspec.structs.asdict(totals))


def describe_findings_sum(findings: Sequence[CaseSheet], currency: str) -> Words:
    """Return how many findings there are of each sort, and the largest effect of one in money."""
    numbers = Counter(sheet.label for sheet in findings)
    kinds = [
        label_value(words(f"document.finding.{label}"), as_words(str(numbers[label])))
        for label in _LABELS
        if numbers[label]
    ]
    sums = [
        words("report.findings-sum", count=len(findings), kinds=join_words(kinds, ", ", "，"))
        if findings
        else words("document.finding.none")
    ]
    priced = [sheet for sheet in findings if sheet.per_million is not None]
    if priced:
        worst = max(priced, key=_size_of_effect)
        money = f"{currency} {worst.per_million}".strip()
        sums.append(words("report.findings-sum.worst", money=money, id=worst.id))
    return join_words(sums, ". ", "。")


def _size_of_effect(sheet: CaseSheet) -> Fraction:
    """Return the effect of a finding without its sign."""
    whole = str(sheet.per_million).replace(",", "").lstrip("−-")
    return sum((Fraction(part) for part in whole.split()), Fraction(0))
