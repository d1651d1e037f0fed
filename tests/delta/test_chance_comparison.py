"""What two builds drew is compared as two samples: the same source is alike, another is not."""

import random

import pytest

from selo.delta.chance_comparison import compare_samples
from selo.draws import equipment_of_game
from selo.draws.draw_verdict import DrawResult, DrawSource, OutcomeSource
from selo.rules.readings import Readings

GAME = "fish-prawn-crab"
FIGURES = ("fish", "prawn", "gourd", "coin", "crab", "rooster")


@pytest.fixture(scope="module")
def drawn(law):
    equipment = equipment_of_game(law, GAME, Readings(law), {})

    def of(seed, faces=FIGURES, origin=OutcomeSource.DRAW, count=6_000):
        chance = random.Random(seed)  # noqa: S311 - it repeats itself on purpose
        rows = equipment.rows([{"dice": chance.choices(faces, k=3)} for _ in range(count)])
        source = DrawSource(game=GAME, options={}, provisions=["portaria-21-96-m/1"], origin=origin)
        return {(GAME, origin): (rows, equipment, source)}

    return of


def test_two_samples_of_one_source_are_alike(drawn):
    (row,) = compare_samples(drawn(1), drawn(2))

    assert row.result is DrawResult.FAIR
    assert (row.before, row.after) == (6_000, 6_000)


def test_a_source_with_a_loaded_face_is_another(drawn):
    (row,) = compare_samples(drawn(1), drawn(2, faces=(*FIGURES, "fish")))

    assert row.result is DrawResult.UNFAIR


def test_two_sources_with_the_same_bias_are_alike(drawn):
    """They are compared with each other; whether they are fair is judged elsewhere."""
    loaded = (*FIGURES, "fish")

    (row,) = compare_samples(drawn(1, faces=loaded), drawn(2, faces=loaded))

    assert row.result is DrawResult.FAIR


def test_free_tables_are_compared_by_themselves(drawn):
    table = OutcomeSource.TABLE
    old = {**drawn(1), **drawn(3, origin=table)}
    new = {**drawn(2), **drawn(4, faces=(*FIGURES, "crab"), origin=table)}

    results = {row.source: row.result for row in compare_samples(old, new)}

    assert results == {OutcomeSource.DRAW: DrawResult.FAIR, table: DrawResult.UNFAIR}


def test_what_only_one_of_them_drew_is_not_compared(drawn):
    assert compare_samples(drawn(1), drawn(2, origin=OutcomeSource.TABLE)) == []
