"""What a mutant changes is found by settling few bets, and is what settling all of them shows."""

import pytest
from tests.games import GAMES
from tests.often import often

from selo.cases import offer_everything
from selo.cases.oracle import Oracle
from selo.examine.kills import KillIndex
from selo.examine.kills.mutant_kills import affects_hand_order
from selo.examine.plan import Plan, terms_of
from selo.rules.equipment.kits import BadOutcome
from selo.rules.mutants import ANSWER_ERRORS, generate_mutants
from selo.rules.readings import Readings
from selo.verdict.rulings import adopt_rulings

#: Every so many cases of the plan, and every so many mutants, are enough for a sample.
CASES, MUTANTS = 40, 9


@pytest.mark.parametrize("every", often([MUTANTS], [1]))
@pytest.mark.parametrize("game", sorted(set(GAMES) - {"pai-kao"}))
def test_bets_that_settle_alone_settle_as_beside_others(law, game, every):
    followed = adopt_rulings(law, defaults=True).followed
    terms = terms_of(
        law, offer_everything(law, [game]), as_of="", text_as_stored=True,
        rulings=dict(followed), budget="quick", seed=1, provisions=[],
    )  # fmt: skip
    cases = [case for chunk in Plan(law, terms).chunks() for case in chunk.cases][::CASES]
    oracle = Oracle(law, followed)
    index = KillIndex(oracle, oracle.game(game), cases, with_reasons=False)
    tried = 0
    for mutant in list(generate_mutants(law, game, Readings(law, followed)))[::every]:
        try:
            whole = mutant.compile()
            found = {(at, bet) for at, bet, *_ in index.changed_bets(mutant)}
        except ANSWER_ERRORS:
            continue
        for at, case in enumerate(cases):
            if case.method != "settle":
                continue
            try:
                settled = whole.settle_plain(case.options, case.outcome, case.bets)
            except (BadOutcome, *ANSWER_ERRORS):
                continue
            changed = {bet for bet, now in enumerate(settled) if now != index.expected[at][bet]}

            tried += len(changed)
            assert {bet for place, bet in found if place == at} >= changed, (mutant.cause, at)
    assert tried


@pytest.mark.parametrize("game", sorted(set(GAMES) - {"pai-kao"}))
def test_every_change_of_a_rule_concerns_a_bet_or_the_order_of_hands(law, game):
    followed = adopt_rulings(law, defaults=True).followed
    mutants = list(generate_mutants(law, game, Readings(law, followed)))

    # A change that were to concern nothing would be tried on no case, and its provision cleared.
    assert [
        mutant.cause for mutant in mutants if not mutant.bets() and not affects_hand_order(mutant)
    ] == []


@pytest.mark.parametrize("game", GAMES)
def test_points_that_meet_in_a_clause_are_points_of_settlement(law, game):
    oracle = Oracle(law)

    assert {name for pair in oracle.linked_points(game) for name in pair} <= {
        *oracle.points_of(game)
    }


@pytest.mark.parametrize("game", GAMES)
def test_cases_that_are_not_settled_for_some_mutants_kill_none_of_them(law, game):
    followed = adopt_rulings(law, defaults=True).followed
    terms = terms_of(
        law, offer_everything(law, [game]), as_of="", text_as_stored=True,
        rulings=dict(followed), budget="quick", seed=1, provisions=[],
    )  # fmt: skip
    cases = [case for chunk in Plan(law, terms).chunks() for case in chunk.cases][:: 3 * CASES]
    oracle = Oracle(law, followed)
    whole = KillIndex(oracle, oracle.game(game), cases, with_reasons=False)
    killed = 0
    mutants = list(generate_mutants(law, game, Readings(law, followed)))
    for mutant in [*mutants[:: 2 * MUTANTS], *(one for one in mutants if not one.bets())][:60]:
        alone = KillIndex(oracle, oracle.game(game), cases, with_reasons=False, mutants=[mutant])
        try:
            killing = whole.killing_cases(mutant, set())
        except ANSWER_ERRORS:
            continue

        assert alone.killing_cases(mutant, set()) == killing, mutant.cause
        killed += bool(killing)
    assert killed
