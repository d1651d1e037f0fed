"""Findings and observations from draws: which random sources are not fair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from selo.cases import AnswerPart
from selo.cases.case_numbers import NO_CASES
from selo.draws.dependence import PROCESSES
from selo.draws.draw_verdict import DrawResult, DrawSource, OutcomeSource, worst_result
from selo.examine.findings.finding import Finding, cite_ground
from selo.examine.findings.free_round_findings import collect_free_findings
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
    from selo.examine.free_rounds import TableSample
    from selo.examine.plan import Terms
    from selo.law import Law

#: Tests that fail if an outcome depends on what players did or won.
_KNOWING_TESTS: Final = frozenset({"bets", "stakes", "winnings", "staked", "before"})
#: How the codes of causes begin that tests of draws found.
DRAW_CODES: Final = "draws:"


def collect_draw_findings(
    law: Law,
    terms: Terms,
    results: DrawResults,
    origin: FindingOrigin,
    known: Sequence[Finding] = (),
) -> Iterator[Finding]:
    """Yield findings of free rounds that are not `known`, and of each sample that failed a test.

    What tables draw must be what the law asks for, and what `draw` draws; where no law asks for
    chance, and where they differ from each other alone, the adapter does not keep the protocol.
    """
    if results.free is not None:
        yield from collect_free_findings(law, results.free.tally, known, origin)
    for draws in results.samples:
        failed_tests = [
            test
            for test in results.deciding_tests(draws)
            if test.verdict is DrawResult.UNFAIR and test.is_of_chance
        ]
        # Without a provision that asks for chance, a sample is a measurement.
        if failed_tests and draws.sample.provisions:
            yield _build_finding(
                law, terms, draws.source(), failed_tests, origin, first=draws.first
            )
    for sample in results.table_samples():
        failed_tests = [
            test
            for test in results.table_tests(sample)
            if test.verdict is DrawResult.UNFAIR and test.is_of_chance
        ]
        by_law = [test for test in failed_tests if test.source is OutcomeSource.TABLE]
        unlike = [
            test
            for test in failed_tests
            if test.source is OutcomeSource.BOTH and test.test != PROCESSES
        ]
        knowing = [test for test in by_law if test.test in _KNOWING_TESTS]
        if by_law and sample.provisions:
            yield _build_finding(law, terms, sample.source(), by_law, origin, first=sample.first)
        elif unlike:
            source = msgspec.structs.replace(sample.source(OutcomeSource.BOTH), provisions=[])
            yield _build_finding(law, terms, source, unlike, origin, first=sample.first)
        elif knowing:
            # Whatever the law asks of chance, an outcome that knows the bets is no outcome.
            yield _build_finding(law, terms, sample.source(), knowing, origin, first=sample.first)
    yield from _collect_common_streams(law, terms, results, origin)


def _collect_common_streams(
    law: Law, terms: Terms, results: DrawResults, origin: FindingOrigin
) -> Iterator[Finding]:
    """Yield a finding for each game of which two processes gave the same outcomes."""
    for test in results.statistics:
        if test.test == PROCESSES and test.verdict is DrawResult.UNFAIR:
            source = DrawSource(
                game=test.game,
                options=test.options,
                provisions=test.provisions,
                origin=OutcomeSource.BOTH,
            )
            yield _build_finding(law, terms, source, [test], origin, first=0)


def _build_finding(  # noqa: PLR0913 - a source, its tests, and where they stand
    law: Law,
    terms: Terms,
    source: DrawSource,
    failed_tests: Sequence[DrawStatistic],
    origin: FindingOrigin,
    *,
    first: int,
) -> Finding:
    worst_test = max(failed_tests, key=lambda test: test.distance)
    readings = [
        (point, reading)
        for provision in source.provisions
        for point, reading in _readings_without_randomness(law, terms, source.game, provision)
    ]
    verdict: Literal["violates", "open", "protocol"] = "open" if readings else "violates"
    from_tables = source.origin is not OutcomeSource.DRAW
    params: dict[str, Any] = {
        "game": source.game, "options": source.options, "count": worst_test.sample,
    }  # fmt: skip
    return Finding(
        id="",
        verdict=verdict if source.provisions else "protocol",
        game=source.game,
        provisions=source.provisions,
        cause=render_test_name(worst_test, "en"),
        cause_code=code_of_test(worst_test),
        times=len(failed_tests),
        ways=len({test.test for test in failed_tests}),
        first=first,
        method=DRAW,
        params={**params, "source": str(source.origin)} if from_tables else params,
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
        law=[cite_ground(law, name, []) for name in source.provisions],
        readings=readings,
        origin=origin,
        parts=[AnswerPart.DRAWS],
        differences={
            " ".join(filter(None, (code_of_test(test), _describe_options(source)))): NO_CASES
            for test in failed_tests
        },
    )


def _describe_options(source: DrawSource) -> str:
    """Return the options of the table from which a sample was drawn, in short."""
    return ", ".join(f"{name}={value}" for name, value in sorted(source.options.items()))


def code_of_test(test: DrawStatistic) -> str:
    """Return the code of the cause of a finding that rests on a test of draws."""
    source = [] if test.source is OutcomeSource.DRAW else [str(test.source)]
    return DRAW_CODES + ".".join([*source, test.test, *test.of.split()])


def render_test_name(test: DrawStatistic, language: str) -> str:
    """Return the name of a test and of what it tests."""
    hand, _, place = test.of.partition(" ")
    name = f"draws.of.{hand}"
    of = f"{say(name, language)} {place}".strip() if has_message(name) else test.of
    key, die = f"draws.test.{test.test}", f"draws.test.{test.test}.die"
    plain = say(die if test.of.isdigit() and has_message(die) else key, language, of=of)
    if test.source is OutcomeSource.DRAW:
        return plain
    return say(f"draws.source.{test.source}", language, test=plain)


def verdict_key(test: DrawStatistic) -> str:
    """Return the key of the message that says what a test found."""
    return f"draws.verdict.{test.verdict}" + ("" if test.is_of_chance else ".rule")


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
            tables = [
                sample
                for sample in results.table_samples()
                if chance.provision in sample.provisions
            ]
            if DRAW not in game.methods:
                missing = MissingOffer(kind=NotOffered.METHOD, name=DRAW)
                # Tables alone draw too little to show that chance is fair, and may show that it
                # is not.
                unfair = _observe_samples(chance, results, [], tables, findings)
                observations[chance.provision] = msgspec.structs.replace(
                    unfair, cases=0, decisive=0, not_offered=(missing,)
                )
            elif not results.is_drawn:
                observations[chance.provision] = Observation()
            elif samples:
                observations[chance.provision] = _observe_samples(
                    chance, results, samples, tables, findings
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
    tables: Sequence[TableSample],
    findings: Sequence[Finding],
) -> Observation:
    tests = sum(len(results.deciding_tests(draws)) for draws in samples)
    tests += sum(len(results.table_tests(sample)) for sample in tables)
    fair = all(results.verdict_of(draws) is DrawResult.FAIR for draws in samples) and all(
        worst_result(results.table_tests(sample)) is DrawResult.FAIR for sample in tables
    )
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
