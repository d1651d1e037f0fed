"""Tests of the vendor's random source, as documents tell them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from selo.examine.findings.draw_findings import told
from selo.report.model.report_model import FrequencyRecord, StatisticRecord
from selo.report.phrases.compose import LANGUAGES, words
from selo.text.multilingual import Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.draws.draw_verdict import Statistic as Tested
    from selo.examine.findings import Finding


def statistics(some: Sequence[Tested]) -> list[StatisticRecord]:
    """Return every test, in the order in which it was made."""
    return [_statistic(one) for one in some]


def _statistic(one: Tested) -> StatisticRecord:
    return StatisticRecord(
        test=one.test if not one.of else f"{one.test} {one.of}",
        game=one.game,
        provisions=one.provisions,
        sample=one.sample,
        statistic=one.statistic,
        freedom=one.freedom,
        p_value=one.p_value,
        level=one.level,
        result=one.verdict,
        power=one.power,
        name=named(one),
        says=words(f"draws.verdict.{one.verdict}"),
        options=dict(one.options),
        look=one.look,
        trials=one.trials,
        adjusted=one.adjusted,
        tests=one.tests,
        doubt=one.doubt,
        notices=one.notices,
        frequencies=[
            msgspec.convert(msgspec.to_builtins(cell), FrequencyRecord) for cell in one.frequencies
        ],
    )


def named(one: Tested) -> Words:
    """Return what a test looks at."""
    return Words(**{language: told(one, language) for language in LANGUAGES})


def behind(finding: Finding, some: Sequence[Tested]) -> Words | None:
    """Return the test on which a finding of draws rests, in words."""
    for one in some:
        if one.provisions == finding.provisions and told(one, "en") == finding.cause:
            return named(one)
    return None
