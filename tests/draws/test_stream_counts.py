# ruff: noqa: S311 - samples that repeat themselves on purpose
"""Streams of outcomes: together they are one sample, each is tested by itself, none repeats."""

import math
import random

import msgspec
import numpy as np
import pytest

from selo.draws import equipment_of_game
from selo.draws.draw_verdict import UNSTATED_LEVELS
from selo.draws.stream_counts import STREAM_TESTS, StreamTotals, count_stream
from selo.rules.readings import Readings

FISH, POKER, CRAPS, BACARA = (
    "fish-prawn-crab", "fortune-three-card-poker", "craps", "bacara",
)  # fmt: skip


def equipment(law, game):
    return equipment_of_game(law, game, Readings(law, {}), {})


def fair_dice(chance, throws, dice=3):
    source = np.random.default_rng(chance.getrandbits(64))
    return source.integers(0, 6, size=(throws, dice), dtype=np.int16)


def fair_cards(chance, deals):
    rows = [[*chance.sample(range(52), 6), 1] for _ in range(deals)]
    return np.array(rows, dtype=np.int16)


def totals_of(model, streams):
    totals = StreamTotals(model)
    for rows in streams:
        # What is kept of a stream goes through JSON.
        kept = msgspec.json.encode(count_stream(model, rows))
        totals.add(msgspec.json.decode(kept, type=type(count_stream(model, rows))))
    return totals


def named(totals, test):
    return next(one for one in totals.measures() if one.test == test)


@pytest.mark.parametrize(
    ("game", "rows"),
    [
        (FISH, fair_dice(random.Random(1), 9_000)),
        (CRAPS, fair_dice(random.Random(2), 9_000, 2)),
        (POKER, fair_cards(random.Random(3), 6_000)),
        (BACARA, fair_cards(random.Random(4), 6_000)[:, :4]),
    ],
)
def test_frequencies_of_streams_together_are_those_of_one_sample(law, game, rows):
    model = equipment(law, game)
    third = len(rows) // 3

    totals = totals_of(model, [rows[at : at + third] for at in range(0, len(rows), third)])

    whole = {(one.test, one.of): one for one in model.measures(rows) if one.cells}
    together = {(one.test, one.of): one for one in totals.measures() if one.cells}
    # Only deals in a row across the border of two streams are seen by nobody.
    for key in whole.keys() - {("common", "")}:
        assert together[key] == whole[key]
    assert totals.outcomes == len(rows)
    assert [list(map(int, one.counts)) for one in totals.histograms()] == [
        list(map(int, one.counts)) for one in model.histograms(rows)
    ]


def test_several_streams_have_two_tests_more_than_a_sample(law):
    model = equipment(law, FISH)

    totals = totals_of(model, [fair_dice(random.Random(n), 2_000) for n in range(3)])

    assert len(totals.measures()) == model.tests() + STREAM_TESTS


def test_a_weak_correlation_in_every_stream_is_found_in_all_of_them_together(law):
    model, chance = equipment(law, FISH), random.Random(5)

    def sticky(throws):
        rows = fair_dice(chance, throws)
        for at in range(1, throws):
            if chance.random() < 0.03:
                rows[at] = rows[at - 1]
        return rows

    totals = totals_of(model, [sticky(4_000) for _ in range(20)])

    # A correlation of 0.03 in 80,000 outcomes is 8.5 standard deviations, in 4,000 not two.
    assert named(totals, "correlation").statistic == pytest.approx(0.03 * math.sqrt(80_000), abs=4)
    assert named(totals, "correlation").p_value < 1e-5


def test_one_bad_stream_among_many_is_found_by_itself(law):
    model = equipment(law, FISH)
    streams = [fair_dice(random.Random(n), 3_000) for n in range(40)]
    loaded = streams[17]
    loaded[: 3_000 // 5, 0] = 0

    totals = totals_of(model, streams)

    assert named(totals, "streams").p_value < float(UNSTATED_LEVELS.of_look)


@pytest.mark.full
def test_fair_streams_are_rarely_suspected(law):
    model = equipment(law, FISH)
    suspected = 0
    for run in range(30):
        chance = random.Random(f"fair {run}")
        totals = totals_of(model, [fair_dice(chance, 1_500) for _ in range(4)])
        suspected += named(totals, "streams").p_value < 0.01
        assert named(totals, "overlap").statistic == 0

    # At one in a hundred, five of thirty come once in five thousand times.
    assert suspected < 5


@pytest.mark.parametrize("behind", [0, 700, 20_000])
def test_streams_that_come_from_one_another_are_found(law, behind):
    model = equipment(law, FISH)
    source = fair_dice(random.Random(6), 150_000 + behind)

    totals = totals_of(model, [source[:150_000], source[behind : 150_000 + behind]])

    assert named(totals, "overlap").statistic > 0
    assert named(totals, "overlap").p_value < float(UNSTATED_LEVELS.of_look) / 1_000
    # Nothing else is wrong with them.
    assert named(totals, "streams").p_value > 0.01


@pytest.mark.parametrize(
    "change",
    [
        {"measures": []},
        {"columns": 2},
        {"outcomes": 0},
        {"histograms": [[1, 2, 3]]},
    ],
)
def test_counts_of_another_shape_are_refused(law, change):
    model = equipment(law, FISH)
    kept = count_stream(model, fair_dice(random.Random(7), 2_000))
    totals = StreamTotals(model)
    totals.add(kept)

    with pytest.raises((ValueError, IndexError)):
        totals.add(msgspec.structs.replace(kept, **change))


@pytest.mark.parametrize(
    ("test", "change"),
    [
        ("face", {"test": "faces"}),
        ("face", {"counts": [2_000]}),
        ("face", {"counts": [-1, 2_001, 0, 0, 0, 0]}),
        ("runs", {"statistic": "nan"}),
        ("correlation", {"strength": "inf"}),
    ],
)
def test_a_measure_that_cannot_be_of_the_stream_is_refused(law, test, change):
    model = equipment(law, FISH)
    kept = count_stream(model, fair_dice(random.Random(8), 2_000))
    at = next(at for at, one in enumerate(kept.measures) if one.test == test)
    measures = [*kept.measures]
    measures[at] = msgspec.structs.replace(measures[at], **change)

    with pytest.raises(ValueError, match=r"categories|place|finite"):
        StreamTotals(model).add(msgspec.structs.replace(kept, measures=measures))
