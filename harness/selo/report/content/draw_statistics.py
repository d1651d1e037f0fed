"""Records of the statistical tests of the vendor's random source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from selo.examine.findings.draw_findings import code_of_test, render_test_name, verdict_key
from selo.report.model.report_model import DeviationRecord, FrequencyRecord, StatisticRecord
from selo.report.phrases.composition import LANGUAGES, message_or_text, words
from selo.text import Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.draws.chance_deviations import DeviationPower
    from selo.draws.draw_verdict import DrawStatistic as Tested
    from selo.examine.findings import Finding


def statistic_records(statistics: Sequence[Tested]) -> list[StatisticRecord]:
    """Return a record of every test, in the order in which they were made."""
    return [_statistic_record(statistic) for statistic in statistics]


def _statistic_record(statistic: Tested) -> StatisticRecord:
    return StatisticRecord(
        test=statistic.test if not statistic.of else f"{statistic.test} {statistic.of}",
        game=statistic.game,
        provisions=statistic.provisions,
        sample=statistic.sample,
        statistic=statistic.statistic,
        freedom=statistic.freedom,
        p_value=statistic.p_value,
        level=statistic.level,
        result=statistic.verdict,
        power=statistic.power,
        name=name_of_test(statistic),
        says=words(verdict_key(statistic)),
        source=str(statistic.source),
        options=dict(statistic.options),
        look=statistic.look,
        trials=statistic.trials,
        adjusted=statistic.adjusted,
        tests=statistic.tests,
        doubt=statistic.doubt,
        notices=statistic.notices,
        frequencies=[
            msgspec.convert(msgspec.to_builtins(cell), FrequencyRecord)
            for cell in statistic.frequencies
        ],
    )


def power_records(powers: Sequence[DeviationPower]) -> list[DeviationRecord]:
    """Return a record of every deviation whose power is stated."""
    return [
        DeviationRecord(
            deviation=power.deviation,
            name=message_or_text(f"draws.deviation.{power.deviation}", power.deviation),
            game=power.game,
            options=dict(power.options),
            provisions=power.provisions,
            outcomes=power.outcomes,
            test=power.test,
            sample=power.sample,
            power=power.power,
            risk=power.risk,
            wanted=power.wanted,
            needed=power.needed,
        )
        for power in powers
    ]


def name_of_test(statistic: Tested) -> Words:
    """Return the name of a test in all languages."""
    return Words(**{language: render_test_name(statistic, language) for language in LANGUAGES})


def name_of_failed_test(finding: Finding, statistics: Sequence[Tested]) -> Words | None:
    """Return the name of the test on which a finding of draws rests."""
    for statistic in statistics:
        if (
            statistic.game == finding.game
            and (not finding.provisions or statistic.provisions == finding.provisions)
            and code_of_test(statistic) == finding.cause_code
        ):
            return name_of_test(statistic)
    return None
