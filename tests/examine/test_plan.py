"""A plan follows from its terms and from nothing else."""

import os
import subprocess
import sys

import pytest

from selo.cases.scope import everything
from selo.errors import UsageError
from selo.examine.plan import CHUNK, Plan, terms_of


def terms(law, games=("craps",), **changes):
    chosen = {
        "as_of": "2026-01-01",
        "rulings": {},
        "budget": "quick",
        "seed": 0,
        "provisions": [],
        **changes,
    }
    return terms_of(law, everything(law, list(games)), **chosen)


def test_chunks_hold_every_case_of_every_group_once_and_in_order(law):
    plan = Plan(law, terms(law, ["three-card-baccarat", "pai-kao"]))

    grouped = [case.key for *_, cases in plan.groups() for case in cases]
    chunked = [case.key for chunk in plan.chunks() for case in chunk.cases]

    assert chunked == grouped
    first = 0
    for index, chunk in enumerate(plan.chunks()):
        assert (chunk.index, chunk.first) == (index, first)
        assert len(chunk.cases) <= CHUNK
        assert {case.method for case in chunk.cases} == {chunk.method}
        first += len(chunk.cases)


@pytest.mark.full
@pytest.mark.parametrize("game", ["three-card-baccarat", "fortune-three-card-poker"])
def test_workers_that_pass_chunks_over_make_the_same_plan_together(law, game):
    plan = Plan(law, terms(law, [game], budget="full"))
    whole = {
        chunk.index: (chunk.first, chunk.method, [case.key for case in chunk.cases])
        for chunk in plan.chunks()
    }

    for start, every in ((0, 2), (1, 2), (5, 3)):
        found = {
            chunk.index: (chunk.first, chunk.method, [case.key for case in chunk.cases])
            for chunk in plan.chunks(start, every)
        }
        assert found == {at: one for at, one in whole.items() if at in range(start, 10**6, every)}
    grouped = sum(1 for *_, cases in plan.groups() for _ in cases)
    assert sum(len(keys) for *_, keys in whole.values()) == grouped


@pytest.mark.parametrize(
    "change", [{"seed": 1}, {"budget": "standard"}, {"as_of": "2008-01-01"}, {"games": ["bacara"]}]
)
def test_whatever_determines_a_plan_changes_its_digest(law, change):
    assert terms(law, **change).digest != terms(law).digest


def test_a_seed_changes_what_is_drawn_and_nothing_else(law):
    def cases(seed):
        plan = Plan(law, terms(law, seed=seed))
        return {name: [case.key for case in some] for _, name, _, _, some in plan.groups()}

    one, other = cases(1), cases(2)

    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == ["at-random"]


def test_a_plan_of_another_edition_is_refused(law):
    import msgspec  # noqa: PLC0415

    other = msgspec.structs.replace(terms(law), spec_digest="0" * 64)

    with pytest.raises(UsageError, match="other law files"):
        Plan(law, other)


CODE = """
from selo.cases.scope import everything
from selo.examine.plan import Plan, terms_of
from selo.law.reader import load
import hashlib
law = load()
terms = terms_of(law, everything(law, ["bacara", "craps"]), as_of="2026-01-01", rulings={},
                 budget="quick", seed=9, provisions=[])
digest = hashlib.sha256()
for chunk in Plan(law, terms).chunks():
    for case in chunk.cases:
        digest.update(case.key.encode())
print(terms.digest, digest.hexdigest())
"""


def test_two_processes_in_two_places_make_the_same_plan(tmp_path):
    told = set()
    for place, language, zone, seed in (
        (tmp_path, "C.UTF-8", "UTC", "1"),
        ("/", "pt_PT.UTF-8", "Asia/Macau", "2"),
    ):
        surroundings = {**os.environ, "LC_ALL": language, "TZ": zone, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", CODE], cwd=place, env=surroundings, check=True,
            capture_output=True, text=True,
        )  # fmt: skip
        told.add(done.stdout)

    assert len(told) == 1


def test_a_plan_says_over_what_it_is_complete(selo):
    told = selo("plan", "--game", "fish-prawn-crab").stdout

    # Three dice of six faces, and 39 spots on the layout; 56 sets of figures with three stakes.
    assert "every-throw  (complete over 216 outcomes × 39 bets)" in told
    assert f"stakes  (complete over 56 outcomes, {3 * 56 * 39:,} bets in all)" in told
    assert "at-random  (drawn at random)" in told


def test_comparisons_are_complete_over_pairs_of_hands(selo):
    told = selo("plan", "--game", "three-card-baccarat", "--lang", "pt").stdout

    assert f"lines-compared  (completo sobre {31**2} pares de mãos)" in told
