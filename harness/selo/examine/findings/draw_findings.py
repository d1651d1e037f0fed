"""Findings and observations from draws: which random sources are not fair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from selo.cases import AnswerPart
from selo.cases.case_numbers import NO_CASES
from selo.draws.draw_verdict import DrawResult
from selo.examine.findings.finding import Finding, cite_ground
from selo.protocol.messages import DRAW
from selo.protocol.schema import game_words
from selo.rules.declarations import RandomnessRule, applicable_rules, read_randomness_rules
from selo.rules.readings import Readings
from selo.text import say
from selo.text.message_catalogue import has_message
from selo.verdict.observations import MissingOffer, NotOffered, Observation, ReadingAdherence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.draws.draw_verdict import DrawStatistic
    from selo.examine.analysis.draw_results import DrawResults, SampleDraws
    from selo.examine.findings.finding import FindingOrigin
    from selo.examine.plan import Terms
    from selo.law import Law

#: How the codes of causes begin that tests of draws found.
DRAW_CODES: Final = "draws:"


def collect_draw_findings(
    law: Law, terms: Terms, results: DrawResults, origin: FindingOrigin
) -> Iterator[Finding]:
    """Yield a finding for each sample that failed a test of randomness."""
    for draws in results.samples:
        failed_tests = [
            test for test in results.deciding_tests(draws) if test.verdict is DrawResult.UNFAIR
        ]
        if failed_tests:
            yield _build_finding(law, terms, draws, failed_tests, origin)


def _build_finding(
    law: Law,
    terms: Terms,
    draws: SampleDraws,
    failed_tests: Sequence[DrawStatistic],
    origin: FindingOrigin,
) -> Finding:
    worst_test = max(failed_tests, key=lambda test: test.distance)
    readings = [
        (point, reading)
        for provision in draws.sample.provisions
        for point, reading in _readings_without_randomness(law, terms, draws.sample.game, provision)
    ]
    verdict: Literal["violates", "open"] = "open" if readings else "violates"
    return Finding(
        id="",
        verdict=verdict,
        game=draws.sample.game,
        provisions=draws.sample.provisions,
        cause=render_test_name(worst_test, "en"),
        cause_code=code_of_test(worst_test),
        times=len(failed_tests),
        ways=len({test.test for test in failed_tests}),
        first=draws.first,
        method=DRAW,
        params={**draws.sample.params(), "count": worst_test.sample},
        bet=None,
        expected={"frequencies": {cell.name: cell.expected for cell in worst_test.frequencies}}
        if worst_test.frequencies
        else {"statistic": "0"},
        observed={
            "frequencies": {cell.name: cell.observed for cell in worst_test.frequencies},
            "statistic": worst_test.statistic,
            "freedom": worst_test.freedom,
            "p_value": worst_test.p_value,
            "adjusted": worst_test.adjusted,
            "level": worst_test.level,
            "tests": [f"{test.test} {test.of}".strip() for test in failed_tests],
        },
        money=None,
        law=[cite_ground(law, name, []) for name in draws.sample.provisions],
        readings=readings,
        origin=origin,
        parts=[AnswerPart.DRAWS],
        differences={
            " ".join(filter(None, (code_of_test(test), _describe_options(draws)))): NO_CASES
            for test in failed_tests
        },
    )


def _describe_options(draws: SampleDraws) -> str:
    """Return the options of the table from which a sample was drawn, in short."""
    options = draws.sample.params().get("options") or {}
    return ", ".join(f"{name}={value}" for name, value in sorted(options.items()))


def code_of_test(test: DrawStatistic) -> str:
    """Return the code of the cause of a finding that rests on a test of draws."""
    return DRAW_CODES + ".".join([test.test, *test.of.split()])


def render_test_name(test: DrawStatistic, language: str) -> str:
    """Return the name of a test and of what it tests."""
    hand, _, place = test.of.partition(" ")
    name = f"draws.of.{hand}"
    of = f"{say(name, language)} {place}".strip() if has_message(name) else test.of
    key, die = f"draws.test.{test.test}", f"draws.test.{test.test}.die"
    return say(die if test.of.isdigit() and has_message(die) else key, language, of=of)


def _readings_without_randomness(
    law: Law, terms: Terms, game: str, provision: str
) -> Iterator[tuple[str, str]]:
    """Yield the readings without a ruling under which a provision requires no randomness."""
    own = [chance for chance in read_randomness_rules(law, game) if chance.provision == provision]
    for point in law.divergences:
        if point.id in terms.rulings or not any(point.id in chance.under for chance in own):
            continue
        for reading in point.readings:
            readings = Readings(law, {**terms.rulings, point.id: reading.id})
            if not any(readings.allows(chance.under) for chance in own):
                yield point.id, reading.id


def observe_draws(
    law: Law, terms: Terms, results: DrawResults, findings: Sequence[Finding]
) -> dict[str, Observation]:
    """Return the observations by draws of every provision that requires randomness."""
    readings = Readings(law, terms.rulings)
    observations: dict[str, Observation] = {}
    for game in terms.games:
        for chance in read_randomness_rules(law, game.game, readings):
            samples = [
                draws for draws in results.samples if chance.provision in draws.sample.provisions
            ]
            if DRAW not in game.methods:
                missing = MissingOffer(kind=NotOffered.METHOD, name=DRAW)
                observations[chance.provision] = Observation(not_offered=(missing,))
            elif samples:
                observations[chance.provision] = _observe_samples(
                    chance, results, samples, findings
                )
            elif not terms.provisions or chance.provision in terms.provisions:
                observations[chance.provision] = Observation(
                    not_offered=_missing_options(law, game.game, chance)
                )
    return observations


def _missing_options(law: Law, game: str, chance: RandomnessRule) -> tuple[MissingOffer, ...]:
    """Return the values of options of which the vendor would have to offer one."""
    options = game_words(law, game).options_known
    return tuple(
        MissingOffer(kind=NotOffered.OPTION, name=name, value=value)
        for name in sorted(chance.option_names)
        for value in options[name].values
        if applicable_rules(law, game, [chance], {name: value})
    )


def _observe_samples(
    chance: RandomnessRule,
    results: DrawResults,
    samples: Sequence[SampleDraws],
    findings: Sequence[Finding],
) -> Observation:
    tests = sum(len(results.deciding_tests(draws)) for draws in samples)
    fair = all(results.verdict_of(draws) is DrawResult.FAIR for draws in samples)
    own_findings = [
        finding
        for finding in findings
        if finding.method == DRAW and chance.provision in finding.provisions
    ]
    return Observation(
        cases=tests,
        decisive=tests if fair else 0,
        findings=tuple(finding.id for finding in own_findings if finding.verdict == "violates"),
        faults=tuple(
            f"{DRAW}:{draws.fault.get('kind', '')}" for draws in samples if draws.fault is not None
        ),
        followed=tuple(
            ReadingAdherence(divergence=point, cases=1, fits={chance.under[point]: 0, reading: 1})
            for finding in own_findings
            for point, reading in finding.readings
            if point in chance.under
        ),
    )
