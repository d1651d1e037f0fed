"""What draws say of the law: a finding for each source that is not fair, and what was seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from selo.draws.draw_verdict import DrawResult
from selo.examine.findings.finding import Finding, cite_ground
from selo.protocol.messages import DRAW
from selo.protocol.schema import game_words
from selo.rules.declarations.randomness import Chance, asking, chances
from selo.rules.readings import Readings
from selo.text.message_catalogue import has_message, say
from selo.verdict.observations import MissingOffer, NotOffered, Observation, ReadingAdherence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.draws.draw_verdict import DrawStatistic
    from selo.examine.findings.finding import FindingOrigin
    from selo.examine.plan import Terms
    from selo.examine.replay.draw_results import DrawResults, SampleDraws
    from selo.law.loader import Law

#: How the codes of causes begin that tests of draws found.
DRAW_CODES: Final = "draws:"


def collect_draw_findings(
    law: Law, terms: Terms, drawn: DrawResults, origin: FindingOrigin
) -> Iterator[Finding]:
    """Yield a finding for each sample that chance does not explain."""
    for one in drawn.samples:
        wrong = [test for test in drawn.deciding_tests(one) if test.verdict is DrawResult.UNFAIR]
        if wrong:
            yield _build_finding(law, terms, one, wrong, origin)


def _build_finding(
    law: Law, terms: Terms, one: SampleDraws, wrong: Sequence[DrawStatistic], origin: FindingOrigin
) -> Finding:
    plainest = max(wrong, key=lambda test: test.distance)
    readings = [
        (point, reading)
        for provision in one.sample.provisions
        for point, reading in _readings_without_randomness(law, terms, one.sample.game, provision)
    ]
    verdict: Literal["violates", "open"] = "open" if readings else "violates"
    return Finding(
        id="",
        verdict=verdict,
        game=one.sample.game,
        provisions=one.sample.provisions,
        cause=render_test_name(plainest, "en"),
        cause_code=code_of_test(plainest),
        times=len(wrong),
        ways=len({test.test for test in wrong}),
        first=one.first,
        method=DRAW,
        params={**one.sample.params(), "count": plainest.sample},
        bet=None,
        expected={"frequencies": {cell.name: cell.expected for cell in plainest.frequencies}}
        if plainest.frequencies
        else {"statistic": "0"},
        observed={
            "frequencies": {cell.name: cell.observed for cell in plainest.frequencies},
            "statistic": plainest.statistic,
            "freedom": plainest.freedom,
            "p_value": plainest.p_value,
            "adjusted": plainest.adjusted,
            "level": plainest.level,
            "tests": [f"{test.test} {test.of}".strip() for test in wrong],
        },
        money=None,
        law=[cite_ground(law, name, []) for name in one.sample.provisions],
        readings=readings,
        origin=origin,
    )


def code_of_test(test: DrawStatistic) -> str:
    """Return the code of the cause of a finding that rests on a test of draws."""
    return DRAW_CODES + ".".join([test.test, *test.of.split()])


def render_test_name(test: DrawStatistic, language: str) -> str:
    """Return what a test looks at, in words."""
    hand, _, place = test.of.partition(" ")
    known = f"draws.of.{hand}"
    of = f"{say(known, language)} {place}".strip() if has_message(known) else test.of
    key, die = f"draws.test.{test.test}", f"draws.test.{test.test}.die"
    return say(die if test.of.isdigit() and has_message(die) else key, language, of=of)


def _readings_without_randomness(
    law: Law, terms: Terms, game: str, provision: str
) -> Iterator[tuple[str, str]]:
    """Yield the readings on which nobody has ruled and under which no chance is asked for."""
    mine = [chance for chance in chances(law, game) if chance.provision == provision]
    for point in law.divergences:
        if point.id in terms.rulings or not any(point.id in one.under for one in mine):
            continue
        for reading in point.readings:
            readings = Readings(law, {**terms.rulings, point.id: reading.id})
            if not any(readings.allow(one.under) for one in mine):
                yield point.id, reading.id


def observe_draws(
    law: Law, terms: Terms, drawn: DrawResults, findings: Sequence[Finding]
) -> dict[str, Observation]:
    """Return what draws show of every provision that asks for chance."""
    readings = Readings(law, terms.rulings)
    found: dict[str, Observation] = {}
    for game in terms.games:
        for chance in chances(law, game.game, readings):
            mine = [each for each in drawn.samples if chance.provision in each.sample.provisions]
            if DRAW not in game.methods:
                missing = MissingOffer(kind=NotOffered.METHOD, name=DRAW)
                found[chance.provision] = Observation(not_offered=(missing,))
            elif mine:
                found[chance.provision] = _observe_samples(chance, drawn, mine, findings)
            elif not terms.provisions or chance.provision in terms.provisions:
                found[chance.provision] = Observation(
                    not_offered=_missing_options(law, game.game, chance)
                )
    return found


def _missing_options(law: Law, game: str, chance: Chance) -> tuple[MissingOffer, ...]:
    """Return the options of which some value would have to be offered."""
    known = game_words(law, game).options_known
    return tuple(
        MissingOffer(kind=NotOffered.OPTION, name=name, value=value)
        for name in sorted(chance.asks)
        for value in known[name].values
        if asking(law, game, [chance], {name: value})
    )


def _observe_samples(
    chance: Chance, drawn: DrawResults, mine: Sequence[SampleDraws], findings: Sequence[Finding]
) -> Observation:
    tests = sum(len(drawn.deciding_tests(one)) for one in mine)
    fair = all(drawn.verdict_of(one) is DrawResult.FAIR for one in mine)
    wrong = [
        finding
        for finding in findings
        if finding.method == DRAW and chance.provision in finding.provisions
    ]
    return Observation(
        cases=tests,
        decisive=tests if fair else 0,
        findings=tuple(one.id for one in wrong if one.verdict == "violates"),
        faults=tuple(
            f"{DRAW}:{one.fault.get('kind', '')}" for one in mine if one.fault is not None
        ),
        followed=tuple(
            ReadingAdherence(divergence=point, cases=1, fits={chance.under[point]: 0, reading: 1})
            for one in wrong
            for point, reading in one.readings
            if point in chance.under
        ),
    )
