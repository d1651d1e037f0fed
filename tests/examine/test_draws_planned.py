"""What is drawn is planned, told with its reason, and stands in the ledger of coverage."""

import json
import re
from fractions import Fraction
from functools import cache, partial

import msgspec
import numpy as np
import pytest
from tests.fixture_modules import load_fixture

from selo.cases import Scope
from selo.cases.scope import offer_everything
from selo.examine.analysis.draw_results import (
    count_deciding_tests,
    full_offer_terms,
    planned_samples,
)
from selo.examine.coverage.draw_forecast import forecast_draws
from selo.examine.coverage.plan_listing import with_certificate_draws
from selo.examine.plan import terms_of
from selo.examine.plan.draw_plan import plan_samples, with_draws
from selo.examine.vendor_description import offered_of
from selo.law.files.provision_file import Way
from selo.protocol import messages as m
from selo.rules.checks.game_check import list_games

OUTCOMES = {"quick": 20_000, "standard": 60_000, "full": 200_000}
#: Of a game for which no article that is held asks for chance.
MEASURED = {"quick": 5_000, "standard": 20_000, "full": 60_000}
FREE = {"quick": 200, "standard": 400, "full": 600}


@pytest.fixture(scope="module")
def description():
    vendor = load_fixture("adapters/python/reference.py").ReferenceVendor()
    return msgspec.convert(vendor.describe({}), m.Description)


@pytest.fixture(scope="module")
def forecast(law, description):
    """Return what is foreseen of the reference vendor, by budget."""
    return cache(partial(forecast_of, law, description))


def forecast_of(law, description, budget):
    scope = Scope(games=tuple(map(offered_of, description.games)))
    planned = terms_of(
        law, scope, as_of="2026-01-01", rulings={}, budget=budget, seed=1, provisions=[]
    )
    return forecast_draws(law, planned, description.games)


def test_draws_for_a_certificate_are_as_many_as_its_deviations_need(law, description):
    games = [one for one in description.games if one.game in {"bacara", "craps"}]
    scope = Scope(games=tuple(map(offered_of, games)))
    plain = terms_of(
        law, scope, as_of="2026-01-01", rulings={}, budget="full", seed=1, provisions=[]
    )
    short = [
        one
        for one in forecast_draws(law, plain, games).draws
        if any(number > one.sample.outcomes for number in one.needed.values() if number)
    ]

    sized = with_certificate_draws(law, plain, games)
    drawn = forecast_draws(law, sized, games).draws

    assert {one.sample.game for one in short} == {*sized.game_draws}
    assert short
    assert all(
        number is not None and number <= one.sample.outcomes
        for one in drawn
        for number in one.needed.values()
    )
    assert sized.digest != plain.digest


@pytest.mark.full
def test_a_run_with_the_draws_of_a_certificate_has_the_power_it_needs(selo, root, tmp_path):
    vendor = root / "fixtures" / "adapters" / "python" / "reference.py"
    ended = selo(
        "examine", "--vendor", f"python3 {vendor}", "--game", "craps", "--text-as-stored",
        "--rulings", "defaults", "--draws", "certificate", "--rounds", "600",
        "--out", tmp_path / "run",
    )  # fmt: skip

    result = json.loads((tmp_path / "run" / "result.json").read_bytes())
    wanted = [one for one in result["powers"] if one["wanted"]]
    assert ended.returncode in {0, 2, 3}, ended.stderr
    assert {"face-off-by-1-percent", "period-2-16", "live-rounds"} <= {
        one["deviation"] for one in wanted
    }
    assert [one for one in wanted if float(one["power"]) < float(Fraction(one["wanted"]))] == []


def terms(law, budget="quick", provisions=(), wanted=None):
    return terms_of(
        law, with_draws(law, offer_everything(law, wanted)), as_of="2026-01-01",
        text_as_stored=True, rulings={}, budget=budget, seed=1, provisions=list(provisions),
    )  # fmt: skip


@pytest.mark.parametrize("budget", OUTCOMES)
def test_a_budget_says_how_many_outcomes_are_drawn(law, budget):
    planned = plan_samples(law, terms(law, budget))

    assert {one.outcomes for one in planned if one.provisions} == {OUTCOMES[budget]}
    assert {one.outcomes for one in planned if not one.provisions} == {MEASURED[budget]}


@pytest.mark.parametrize("budget", OUTCOMES)
def test_every_budget_notices_a_quarter_too_many_of_one_face_or_card(forecast, budget):
    planned = [one for one in forecast(budget).draws if one.sample.method == "draw"]

    assert all(float(one.notices) <= 0.25 for one in planned if one.sample.provisions)


def test_the_page_tells_the_sizes_and_what_they_notice(root, forecast):
    page = (root / "docs" / "verdicts.md").read_text(encoding="utf-8")
    told = {
        cells[0]: cells[1:]
        for line in page.splitlines()
        if (cells := [cell.strip() for cell in line.strip("|").split("|")])[0] in OUTCOMES
    }

    for budget, (outcomes, face, card, measured, free, seen) in told.items():
        chance = forecast(budget)
        planned = [
            one for one in chance.draws if one.sample.provisions and one.sample.method == "draw"
        ]
        dice = [one for one in planned if one.sample.game in {"fish-prawn-crab", "craps"}]
        cards = [one for one in planned if one not in dice]
        tables = [one for one in chance.free_rounds if one.game in {"fish-prawn-crab", "craps"}]
        assert measured == f"{MEASURED[budget]:,}"
        assert free == f"{FREE[budget]:,}"
        assert seen == f"{100 * max(float(one.notices) for one in tables):.1f} %"
        assert outcomes == f"{OUTCOMES[budget]:,}"
        assert face == f"{100 * max(float(one.notices) for one in dice):.1f} %"
        assert card == f"{100 * max(float(one.notices) for one in cards):.1f} %"
    assert told.keys() == OUTCOMES.keys()


def test_the_page_tells_every_test(law, root):
    page = (root / "docs" / "verdicts.md").read_text(encoding="utf-8")
    section = page.partition("### What is tested")[2].partition("###")[0]
    told = {
        name
        for line in section.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`([a-z-]+)`", line.split("|")[1])
    }

    assert told == {
        test.test
        for one in planned_samples(law, terms(law))
        for test in (
            *one.equipment.measures(np.zeros((2, len(one.equipment.row(_outcome(one)))), int)),
            *one.equipment.neighbour_measures([]),
        )
    }


def _outcome(one):
    """Return any outcome of a sample."""
    examples = {
        "fish-prawn-crab": {"dice": ["fish", "crab", "coin"]},
        "craps": {"throws": [[1, 2]]},
        "three-card-baccarat": {"banker": ["AS", "2S", "3S"], "seats": {"1": ["4S", "5S", "6S"]}},
    }
    examples["bacara"] = {"player": ["AS", "2S"], "banker": ["4S", "5S"]}
    poker = {"croupier": ["AS", "2S", "3S"], "places": {"1": ["4S", "5S", "6S"]}}
    return examples.get(one.sample.game, poker)


def test_every_provision_verified_by_statistics_is_drawn_for(law):
    drawn = {name for one in plan_samples(law, terms(law)) for name in one.provisions}

    assert drawn == {
        held.id
        for held in law.provisions.values()
        if Way.STATISTICS in {held.provision.verified_by, *held.provision.also}
    }


def test_a_game_that_does_not_offer_draws_is_not_drawn_from(law):
    plain = terms_of(
        law,
        offer_everything(law),
        as_of="2026-01-01",
        text_as_stored=True,
        rulings={},
        budget="quick",
        seed=1,
        provisions=[],
    )

    assert plan_samples(law, plain) == []


def test_only_what_decides_the_provisions_that_are_asked_for_is_drawn(law):
    asked = "despacho-78-2008/3/2"

    assert [one.options for one in plan_samples(law, terms(law, provisions=[asked]))] == [
        {"shuffling": "by-machine"}
    ]


def test_the_plan_tells_what_is_drawn_and_why(selo):
    done = selo("plan", "--game", "fish-prawn-crab")

    assert "20,000 outcomes from the vendor's random source, no options" in done.stdout
    assert "for portaria-21-96-m/1/a/close: 13 tests" in done.stdout
    assert "in at most 1 of 10,000 examinations" in " ".join(done.stdout.split())


@pytest.mark.full
def test_the_plan_tells_machines_what_is_drawn(selo):
    done = selo("plan", "--game", "fortune-three-card-poker", "--json")

    told = json.loads(done.stdout)["draws"]
    assert [(one["sample"]["options"], one["sample"]["outcomes"]) for one in told] == [
        ({"shuffling": "by-hand"}, 20_000),
        ({"shuffling": "by-machine"}, 20_000),
    ]


@pytest.mark.full
def test_a_plan_says_where_nothing_is_drawn(selo):
    assert "no draws" in selo("plan", "--game", "pai-kao").stdout


def test_the_ledger_counts_the_tests_that_decide_a_provision(law):
    found = {}
    for game in list_games(law):
        found |= count_deciding_tests(law, full_offer_terms(law, game))

    assert found == {
        "portaria-21-96-m/1/a/close": 13,
        # With one pack and with eight, of which cards may come twice.
        "portaria-22-96-m/2/1": 24 + 23,
        "despacho-78-2008/3/1": 24,
        "despacho-78-2008/3/2": 24,
        "portaria-97-85-m/2/1": 10,
    }


@pytest.mark.full
def test_coverage_shows_the_draws(selo):
    done = selo("coverage", "fish-prawn-crab", "--most", "1", "--json")

    rows = {one["id"]: one for one in json.loads(done.stdout)["provisions"]}
    # Beside what is drawn: the weight, the opposite faces and the probabilities that are declared.
    assert rows["portaria-21-96-m/1/a/close"]["groups"] == {"draws": 13, "declarations": 3}
