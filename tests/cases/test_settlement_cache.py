"""What is expected by class is what the rules settle case by case, in every game and reading."""

import itertools

import pytest
from tests.games import GAMES_WITH_BETS as GAMES
from tests.often import often

from selo.cases.generate.case_stream import list_groups
from selo.cases.generate.situation_cases import SITUATION_GROUP
from selo.cases.oracle.case_oracle import Oracle
from selo.cases.scope import offer_everything
from selo.protocol.messages import Settlement
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.equivalence import EquivalenceClasses
from selo.rules.settlement.game_compiler import compile_game

SOME = 400


#: Results after which the whole stake goes back.
RETURNED = {"win", "push", "refused"}


def settled(game, case):
    """Return what the rules make of a case, as a vendor would say it."""
    return [
        Settlement(
            result=one.plain()["result"],
            prize=one.plain()["prize"],
            commission=one.plain()["commission"],
            # A share of a jackpot may be less than the stake that it includes.
            stake=bet["stake"] * (one.result in RETURNED) if one.stake is None else one.stake,
        )
        for bet, one in zip(
            case.bets, game.settle(case.options, case.outcome, case.bets), strict=True
        )
    ]


def some(law, game, rulings=None):
    """Return cases of every group, from its beginning and from further on."""
    for _, group in list_groups(law, offer_everything(law, [game]), rulings=rulings):
        cases = (case for case in group.cases() if case.method == "settle")
        yield from itertools.islice(cases, SOME)
        yield from itertools.islice(cases, 5_000, 5_000 + SOME)


@pytest.mark.parametrize("game", often(GAMES, "fish-prawn-crab", "craps"))
def test_what_is_known_by_class_is_what_the_rules_settle(law, game):
    oracle, rules = Oracle(law), compile_game(law, game, Readings(law))
    cases = list(some(law, game))

    assert len(cases) > SOME
    for case in cases:
        assert oracle.is_exactly_expected(case, settled(rules, case))


@pytest.mark.parametrize("game", often(GAMES, "fish-prawn-crab", "bacara"))
def test_one_bet_settled_otherwise_is_not_plainly_right(law, game):
    oracle = Oracle(law)
    spoilt = {
        "result": lambda one: "push" if one.result != "push" else "lose",
        "prize": lambda one: one.prize + 1 if isinstance(one.prize, int) else 1,
        "commission": lambda one: one.commission + 1 if isinstance(one.commission, int) else 1,
        "stake": lambda one: one.stake + 1,
    }
    for at, case in enumerate(some(law, game)):
        right = oracle._settle_as_vendor(case)  # noqa: SLF001 - only its change is looked at
        bet = at % len(right)
        part = list(spoilt)[at // 7 % len(spoilt)]
        parts = {name: getattr(right[bet], name) for name in spoilt}
        wrong = [*right]
        wrong[bet] = Settlement(**{**parts, part: spoilt[part](right[bet])})

        assert not oracle.is_exactly_expected(case, wrong)
        assert oracle.is_exactly_expected(case, right)


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_classes_hold_under_every_reading(law, game):
    for divergence in law.divergences:
        for reading in divergence.readings:
            if game not in {law.find(one).instrument.game for one in divergence.provisions}:
                continue
            rulings = {divergence.id: reading.id}
            oracle = Oracle(law, rulings)
            rules = compile_game(law, game, Readings(law, rulings))
            for case in itertools.islice(some(law, game, rulings), 0, None, 5):
                assert oracle.is_exactly_expected(case, settled(rules, case))


@pytest.mark.full
@pytest.mark.parametrize(
    "game",
    # Only there has a ruling ever asked for more than the case of another point says.
    ["bacara", *(pytest.param(one, marks=pytest.mark.full) for one in GAMES if one != "bacara")],
)
def test_every_case_of_the_register_in_a_plan_can_be_settled_under_every_reading(law, game):
    """A ruling may ask for what the case of another point does not say."""
    left_out, usual = 0, sum(1 for _ in registered(law, game, None))
    for divergence in law.divergences:
        if game not in {law.find(one).instrument.game for one in divergence.provisions}:
            continue
        for reading in divergence.readings:
            rulings = {divergence.id: reading.id}
            rules = compile_game(law, game, Readings(law, rulings))
            cases = list(registered(law, game, rulings))
            for case in cases:
                if case.method == "settle":
                    rules.settle(case.options, case.outcome, case.bets)
            left_out += usual - len(cases)

    # Whoever pays every combination that is formed must know what each of them is worth.
    assert (left_out > 0) == (game == "bacara")


def registered(law, game, rulings):
    for _, group in list_groups(law, offer_everything(law, [game]), rulings=rulings):
        if group.name == SITUATION_GROUP:
            yield from group.cases()


def test_what_a_vendor_says_otherwise_and_rightly_is_known_again(law):
    oracle = Oracle(law)
    cases = next(
        list(group.cases())
        for _, group in list_groups(law, offer_everything(law, ["fish-prawn-crab"]))
        if group.name == "ways-of-lying"
    )
    # Nothing may be written as a fraction: both ways of saying it are right.
    kept = [Settlement(result="void", prize=[0, 1], commission=0, stake=0) for _ in cases[1].bets]
    void = [case for case in cases if oracle._settle_as_vendor(case)[0].result == "void"]  # noqa: SLF001

    assert not oracle.is_exactly_expected(void[0], kept)
    assert not oracle.is_exactly_expected(void[1], kept)
    assert oracle.wrong_bets(void[1], kept) == []
    oracle.remember(void[1], kept)
    assert oracle.is_exactly_expected(void[1], kept)


def test_hands_with_the_same_answers_share_a_number_and_others_do_not(law):
    game = compile_game(law, "three-card-baccarat", Readings(law))
    alike = EquivalenceClasses(game, list(game.bets))

    def number(*cards):
        return alike.class_of("banker", sorted(cards))

    assert alike.compares
    assert number("KS", "QH", "JD") == number("JS", "JH", "JD")
    assert number("KS", "QH", "9D") != number("KS", "QH", "8D")
    assert number("AS", "4H", "4D") == number("2S", "2H", "5D")
