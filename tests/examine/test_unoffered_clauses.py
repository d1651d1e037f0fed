"""A provision conforms only if no part of it needed what the vendor does not offer."""

import random
from dataclasses import replace

import pytest
from tests.examine.partial_examination import default_rulings
from tests.games import GAMES

from selo.cases.oracle import Oracle
from selo.cases.scope import OfferedGame, Scope, offer_everything
from selo.examine.coverage.full_offer_plan import FullOfferPlan
from selo.examine.coverage.unoffered_clauses import untried_parts
from selo.examine.kills import KillIndex
from selo.examine.plan import Plan, terms_of
from selo.examine.plan.plan_terms import offered_game
from selo.examine.vendor_description import introduce_vendor
from selo.rules.mutants import ANSWER_ERRORS, generate_mutants
from selo.rules.readings import Readings
from selo.table_values import StakeLimits
from selo.vendors.vendor_address import connect

DICE = "fish-prawn-crab"
LATE_BET, UNREADABLE_DIE = "portaria-21-96-m/3/a", "portaria-21-96-m/3/c"


def terms(law, *offered):
    return terms_of(
        law, Scope(games=offered), as_of="2026-01-01", text_as_stored=True, budget="quick", seed=1,
        rulings=dict(default_rulings(law).followed), provisions=[],
    )  # fmt: skip


def offer(law, game):
    (whole,) = offer_everything(law, [game]).games
    return whole


def test_terms_of_a_plan_forget_nothing_of_an_offer(law):
    chance = random.Random(16)  # noqa: S311 - offers are no secret
    for game in GAMES:
        whole = offer(law, game)
        for _ in range(20):
            offered = OfferedGame(
                game=game,
                methods=frozenset(chance.sample(["settle", "compare", "draw"], 2)),
                bets=whole.bets[: chance.randint(0, len(whole.bets))],
                options={name: values for name, values in whole.options.items() if values},
                cannot=("misdeals",) * chance.randint(0, 1),
                level=chance.choice(["full", "net", "result-and-net"]),
                via=dict.fromkeys(whole.bets[:1], "copied"),
                history=chance.random() < 0.5,
                stake_limits=StakeLimits(largest=chance.randint(1, 99), step=chance.randint(1, 9)),
            )

            (planned,) = terms(law, offered).games

            assert offered_game(planned) == offered


def test_a_late_bet_and_an_unreadable_die_need_history(law):
    untried = untried_parts(law, terms(law, replace(offer(law, DICE), history=False)))

    assert {*untried} == {LATE_BET, UNREADABLE_DIE}
    assert {(one.kind, one.name) for needs in untried.values() for one in needs} == {
        ("history", "settle")
    }


def test_the_lawful_vendors_leave_nothing_untried(law, root, monkeypatch):
    monkeypatch.chdir(root)
    session = connect("fixtures/adapters/python/reference.py:vendor")
    games = introduce_vendor(session, law, list(GAMES)).scope.games

    assert {game.game for game in games} == {*GAMES}
    assert untried_parts(law, terms(law, *games)) == {}


def less(law, game, chance):
    """Return an offer that lacks some things, by chance."""
    whole = offer(law, game)
    lacks = replace(
        whole,
        bets=tuple(bet for bet in whole.bets if chance.random() < 0.8) or whole.bets[:1],
        options={name: one for name, one in whole.options.items() if chance.random() < 0.7},
        history=chance.random() < 0.5,
    )
    kept = "settle" if "settle" in whole.methods and whole.bets else "compare"
    return replace(lacks, methods=frozenset({kept})) if chance.random() < 0.3 else lacks


def cases_of(law, made):
    plan = Plan(law, made)
    return [case for game, group in plan.groups() for case in plan.cases(game, group)]


def killed_by(law, game, cases, mutants, rulings):
    """Return the mutants that some case kills, each tried on every case."""
    oracle = Oracle(law, rulings)
    index = KillIndex(oracle, oracle.game(game), cases, with_reasons=False)
    killed = []
    for mutant in mutants:
        try:
            if index.killing_cases(mutant, set(), 1):
                killed.append(mutant)
        except ANSWER_ERRORS:
            continue
    return killed


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_no_change_that_only_a_fuller_offer_shows_is_overlooked(law, game):
    """Held against the slow way: every mutant on every case of both plans."""
    chance = random.Random(f"unoffered {game}")  # noqa: S311 - offers are no secret
    rulings = dict(default_rulings(law).followed)
    mutants = list(generate_mutants(law, game, Readings(law, rulings)))
    for _ in range(3):
        part = terms(law, less(law, game, chance))
        whole = terms(law, offer(law, game))
        asked = cases_of(law, part)
        full = FullOfferPlan(law, part, part.games[0])
        beyond = [one for one in cases_of(law, whole) if full.goes_beyond_offer(one)]
        if not beyond:
            continue
        shown = {id(one) for one in killed_by(law, game, asked, mutants, rulings)} if asked else ()
        hidden = [one for one in killed_by(law, game, beyond, mutants, rulings)
                  if id(one) not in shown]  # fmt: skip
        untried = untried_parts(law, part)
        oracle = Oracle(law, rulings)
        index = KillIndex(oracle, oracle.game(game), beyond, with_reasons=False)

        for mutant in hidden:
            if full.needs_of(mutant, index):
                assert mutant.provision in untried, mutant.cause
