"""A plan follows from its terms and from nothing else."""

import json
import os
import subprocess
import sys

import msgspec
import pytest

from selo.cases.scope import offer_everything
from selo.errors import UsageError
from selo.evidence.evidence_reader import EvidenceReader
from selo.examine.coverage.decisive_coverage import measure_coverage
from selo.examine.plan import Plan, terms_of
from selo.examine.plan.examination_plan import CHUNK_SIZE
from selo.rounds.generate.script_reader import read_written_scripts
from selo.rules.checks.game_check import settlement_points


def terms(law, games=("craps",), **changes):
    chosen = {
        "as_of": "2026-01-01",
        "text_as_stored": True,
        "rulings": {},
        "budget": "quick",
        "seed": 0,
        "provisions": [],
        **changes,
    }
    return terms_of(law, offer_everything(law, list(games)), **chosen)


def test_chunks_hold_every_case_of_every_group_once_and_in_order(law):
    plan = Plan(law, terms(law, ["three-card-baccarat", "pai-kao"]))

    grouped = [case.key for group in plan.groups() for case in plan.cases(*group)]
    chunked = [case.key for chunk in plan.chunks() for case in chunk.cases]

    assert chunked == grouped
    first = 0
    for index, chunk in enumerate(plan.chunks()):
        assert (chunk.index, chunk.first) == (index, first)
        assert len(chunk.cases) <= CHUNK_SIZE
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
    grouped = sum(1 for group in plan.groups() for _ in plan.cases(*group))
    assert sum(len(keys) for *_, keys in whole.values()) == grouped


@pytest.mark.parametrize(
    "change", [{"seed": 1}, {"budget": "standard"}, {"as_of": "2008-01-01"}, {"games": ["bacara"]}]
)
def test_whatever_determines_a_plan_changes_its_digest(law, change):
    assert terms(law, **change).digest != terms(law).digest


def test_a_seed_changes_which_cases_stand_for_a_group_and_not_what_is_tried(law):
    def cases(seed):
        plan = Plan(law, terms(law, seed=seed))
        return {
            group.name: [case.key for case in plan.cases(game, group)]
            for game, group in plan.groups()
        }

    one, other = cases(1), cases(2)

    assert {name: len(some) for name, some in one.items()} == {
        name: len(some) for name, some in other.items()
    }
    # The situations of the register are what they are.
    assert [name for name in one if one[name] == other[name]] == ["situations"]


def test_a_plan_of_another_edition_is_refused(law):
    other = msgspec.structs.replace(terms(law), spec_digest="0" * 64)

    with pytest.raises(UsageError, match="other law files"):
        Plan(law, other)


CODE = """
from selo.cases.scope import offer_everything
from selo.examine.plan import Plan, terms_of
from selo.law import load_law as load
import hashlib
law = load()
terms = terms_of(law, offer_everything(law, ["bacara", "craps"]), as_of="2026-01-01",
                 text_as_stored=True, rulings={},
                 budget="quick", seed=9, provisions=[])
digest = hashlib.sha256()
for chunk in Plan(law, terms).chunks():
    for case in chunk.cases:
        digest.update(case.key.encode())
print(terms.digest, digest.hexdigest())
"""


@pytest.mark.full
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

    # Three dice of six faces, and 39 spots on the layout; 56 sets of figures with four stakes.
    assert "every-throw  (complete over 216 outcomes × 39 bets)" in told
    assert f"stakes  (complete over 56 outcomes, {4 * 56 * 39:,} bets in all)" in told
    assert "at-random  (drawn at random)" in told


def test_comparisons_are_complete_over_pairs_of_hands(selo):
    told = selo("plan", "--game", "three-card-baccarat", "--lang", "pt").stdout

    assert f"linhas da ordem das mãos (completo sobre {31**2} pares de mãos)" in told


def told_plan(selo, *words):
    return json.loads(selo("plan", *words, "--json").stdout)


def test_the_plan_of_a_vendor_is_the_one_that_its_examination_runs(selo, examined, lawful_vendor):
    run = json.loads((examined / "result.json").read_text())

    plan = told_plan(
        selo, "--text-as-stored", "--vendor", lawful_vendor, "--game", "fish-prawn-crab",
        "--rulings", "defaults",
    )  # fmt: skip

    assert plan["digest"] == run["header"]["plan"]
    assert plan["terms"] == run["header"]["terms"]
    footer = EvidenceReader(examined).read().footer
    assert plan["cases"] == sum(one["size"] for one in plan["groups"]) == footer["cases"]
    assert len(plan["rounds"]) == footer["rounds"]
    assert plan["rounds_left_out"] == footer["rounds_left_out"]


@pytest.mark.full
def test_without_a_vendor_the_plan_is_that_of_one_which_offers_everything(selo, lawful_vendor):
    words = ("--game", "fish-prawn-crab")

    whole, offered = told_plan(selo, *words), told_plan(selo, *words, "--vendor", lawful_vendor)

    # The reference vendor declares no ceiling on prizes.
    names = {one["name"] for one in whole["groups"]}
    assert names - {one["name"] for one in offered["groups"]} == {"ceilings"}
    assert (whole["vendor"], offered["vendor"]) == (None, lawful_vendor)
    assert "a vendor that offers everything" in selo("plan", *words).stdout
    assert "offers everything" not in selo("plan", *words, "--vendor", lawful_vendor).stdout


def test_a_plan_lists_every_live_round_with_its_reason(law, selo):
    plan = told_plan(selo, "--game", "craps")

    rounds = {one["name"]: one for one in plan["rounds"]}
    assert [one.name for one in read_written_scripts(law, "craps")] == [
        one["name"] for one in plan["rounds"] if one["group"] == "written"
    ]
    assert all(one["reason"] and one["acts"] for one in plan["rounds"])
    assert rounds["come-bets"]["provisions"] == ["portaria-97-85-m/2/3"]
    generated = [one for one in plan["rounds"] if one["group"] == "generated"]
    text = selo("plan", "--game", "craps").stdout
    assert f"{len(generated)}  generated rounds" in text
    assert "round  come-bets" in text
    (free,) = plan["free_rounds"]
    assert (
        f"{plan['cases']:,} cases, {len(rounds)} rounds, {free['rounds']} free rounds, "
        "20,000 outcomes to be drawn"
    ) in text


def test_a_plan_narrowed_to_a_provision_has_its_groups_and_rounds_only(selo, lawful_vendor):
    one = "portaria-97-85-m/2/3"

    plan = told_plan(selo, "--game", "craps", "--vendor", lawful_vendor, "--provision", one)

    assert all(one in round_["provisions"] for round_ in plan["rounds"])
    assert {"come-bets", "every-point"} <= {round_["name"] for round_ in plan["rounds"]}
    assert "stakes" in {group["name"] for group in plan["groups"]}
    assert "no-such-choice" not in {group["name"] for group in plan["groups"]}


@pytest.mark.full
def test_groups_in_which_readings_part_are_marked(law, selo):
    plan = told_plan(selo, "--game", "fish-prawn-crab")
    marked = {one["name"]: one["readings"] for one in plan["groups"]}

    known = {one.id for one in law.divergences}
    assert {name for names in marked.values() for name in names} <= known
    assert set(settlement_points(law, "fish-prawn-crab")) <= set(marked["situations"])
    # How a die that does not lie flat is read is an open point; where all lie flat it is none.
    assert set(marked["ways-of-lying"]) - set(marked["every-throw"])
    ruled = told_plan(selo, "--game", "fish-prawn-crab", "--rulings", "defaults")
    assert not any(one["readings"] for one in ruled["groups"])


@pytest.mark.full
def test_what_a_group_is_said_to_decide_it_decides(law, selo):
    plan = told_plan(selo, "--game", "fish-prawn-crab")
    told = {one["name"]: one["decides"] for one in plan["groups"]}
    book = measure_coverage(law, ["fish-prawn-crab"])

    for name, provisions in told.items():
        assert set(provisions) <= set(book.decides("fish-prawn-crab", name))
    assert "portaria-21-96-m/6/j/1" in told["every-throw"]


@pytest.mark.full
@pytest.mark.parametrize("game", ["three-card-baccarat", "fortune-three-card-poker"])
def test_sizes_that_are_known_without_making_cases_are_those_of_the_cases(law, game):
    plan = Plan(law, terms(law, [game], budget="full"))

    for _, group in plan.groups():
        if group.chunks is not None:
            size = bets = 0
            shown = set()
            for case in group.cases():
                size += 1
                bets += len(case.bets)
                shown.add(msgspec.json.encode([case.outcome, case.a, case.b]))
            spans = list(group.chunks())
            assert size == len(shown) == sum(one.size for one in spans)
            assert bets == sum(one.bets for one in spans)


def test_counting_a_plan_counts_its_cases(law):
    plan = Plan(law, terms(law, ["bacara", "pai-kao"]))

    assert plan.size() == sum(len(chunk.cases) for chunk in plan.chunks())
