"""Variants of the law: each changes one provision, in one small way, and is named in words."""

from collections import Counter

import msgspec
import pytest

from selo.rules.checks.game_check import list_games
from selo.rules.clauses import clause_models as c
from selo.rules.clauses.clause_reader import read_clauses
from selo.rules.mutants.condition_mutations import mutate_expression
from selo.rules.mutants.mutant_games import MUTANT_ERRORS, generate_mutants
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game

FISH, THREE, POKER = "fish-prawn-crab", "three-card-baccarat", "fortune-three-card-poker"
TRIPLE = {"dice": ["prawn", "prawn", "prawn"]}
#: Clauses whose other numbers or names would be no case that could be asked.
UNCHANGED = (c.Equipment, c.Option, *c.UNSETTLED_CLAUSES)


@pytest.fixture(scope="module")
def otherwise(law):
    """Return the variants of a provision by name: `otherwise("portaria-21-96-m/7")`."""

    def find(provision):
        game = law.find(provision).instrument.game
        found = {
            one.cause.sentence: one
            for one in generate_mutants(law, game, Readings(law))
            if one.provision == provision
        }
        assert found
        return found

    return find


def held(law, game):
    """Return the clauses that hold under the defaults, as `(provision, clause)`."""
    readings = Readings(law)
    return [
        (one.held.id, msgspec.json.encode(one.clause))
        for one in read_clauses(law, game)
        if readings.allows(one.clause.under) and not isinstance(one.clause, c.UNSETTLED_CLAUSES)
    ]


def settled(variant, outcome, *bets, options=None):
    """Return result, prize and commission of the first bet."""
    found = variant.compile().settle_plain(options or {}, outcome, list(bets))[0]
    return found["result"], found["prize"], found["commission"]


@pytest.mark.parametrize("game", [FISH, THREE, POKER, "bacara", "craps", "pai-kao"])
def test_a_variant_changes_the_clauses_of_one_provision_and_of_no_other(law, game):
    lawful = Counter(held(law, game))

    for one in generate_mutants(law, game, Readings(law)):
        now = Counter((w.held.id, msgspec.json.encode(w.clause)) for w in one.clauses)
        changed = {provision for provision, _ in (lawful - now) + (now - lawful)}

        turned = isinstance(one.was, c.MannerClause) and one.was.manner == "order"
        # Lines are counted from the other end where a provision turns the order round.
        assert turned or changed <= {one.provision}, one.cause.sentence


@pytest.mark.parametrize("game", [FISH, THREE, POKER, "bacara", "craps", "pai-kao"])
def test_no_variant_is_the_law_itself(law, game):
    lawful = held(law, game)

    for one in generate_mutants(law, game, Readings(law)):
        assert [(w.held.id, msgspec.json.encode(w.clause)) for w in one.clauses] != lawful, (
            one.cause.sentence
        )


def test_a_provision_has_no_two_variants_of_one_name(law):
    for game in list_games(law):
        named = Counter(
            (one.provision, one.cause.sentence)
            for one in generate_mutants(law, game, Readings(law))
        )

        assert max(named.values()) == 1


def test_every_provision_with_a_rule_that_settles_or_compares_has_a_usable_variant(law):
    for game in list_games(law):
        readings = Readings(law)
        wanted = {
            one.held.id
            for one in read_clauses(law, game)
            if readings.allows(one.clause.under) and not isinstance(one.clause, UNCHANGED)
        }
        usable = set()
        for one in generate_mutants(law, game, readings):
            if one.provision not in usable:
                try:
                    one.compile()
                except MUTANT_ERRORS:
                    continue
                usable.add(one.provision)

        assert wanted == usable


def test_the_clauses_of_the_law_compile_to_the_game_of_the_law(law):
    clauses = read_clauses(law, FISH)
    bets = [{"bet": "two-of-colour", "choice": "red", "stake": 100}]
    outcome = {"dice": ["fish", "rooster", "crab"]}

    given = compile_game(law, FISH, Readings(law), clauses)

    lawful = compile_game(law, FISH, Readings(law))
    assert given.settle_plain({}, outcome, bets) == lawful.settle_plain({}, outcome, bets)


@pytest.mark.parametrize(
    ("name", "prize"),
    [
        # Two of a colour are paid 3 to 1: with a stake of 100, 300.
        ("prize two-of-colour: odds 3:1 become 4:1", 400),
        ("prize two-of-colour: odds 3:1 become 2:1", 200),
        ("prize two-of-colour: for one instead of to one", 200),
        # The lines beside pay 1 to 1 and 20 to 1.
        ("prize two-of-colour: odds 3:1 become 1:1", 100),
        ("prize two-of-colour: odds 3:1 become 20:1", 2000),
    ],
)
def test_prizes_are_off_by_one_for_one_and_those_of_the_lines_beside(otherwise, name, prize):
    bet = {"bet": "two-of-colour", "choice": "red", "stake": 100}

    found = settled(
        otherwise("portaria-21-96-m/6/e")[name], {"dice": ["fish", "rooster", "crab"]}, bet
    )

    assert found == ("win", prize, 0)


def test_an_exception_can_be_forgotten(otherwise):
    forgotten = otherwise("portaria-21-96-m/7")["on small, big: forgotten"]

    # Three prawns make 6, which is small, and article 7 lets small lose all the same.
    assert settled(forgotten, TRIPLE, {"bet": "small", "stake": 100}) == ("win", 100, 0)


def test_a_void_throw_can_be_taken_for_a_valid_one(otherwise):
    forgotten = otherwise("portaria-21-96-m/3/c")["on *: forgotten"]
    leaning = {"dice": ["fish", "prawn", "crab"], "lying": ["leaning", "flat", "flat"]}

    assert settled(forgotten, leaning, {"bet": "small", "stake": 100}) == ("win", 100, 0)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        # A twentieth of the prize is kept: of 100, 5.
        ("commission beat-banker, odd, even: the rate is 10%", 10),
        ("commission beat-banker, odd, even: the rate is 0%", 0),
        ("commission beat-banker, odd, even: forgotten", 0),
        ("commission beat-banker, odd, even: forgotten for beat-banker", 0),
        ("commission beat-banker, odd, even: forgotten for odd", 5),
    ],
)
def test_commissions_are_doubled_nought_and_forgotten(otherwise, name, kept):
    table = {"banker": ["2S", "3H", "KD"], "seats": {"1": ["2C", "7H", "KC"]}}
    bet = {"bet": "beat-banker", "seat": "1", "stake": 100}

    assert settled(otherwise("portaria-22-96-m/10")[name], table, bet) == ("win", 100, kept)


def test_a_commission_falls_on_a_bet_that_owes_none(otherwise):
    wrong = otherwise("portaria-22-96-m/10")["commission beat-banker, odd, even: on tie as well"]
    table = {"banker": ["2S", "3H", "KD"], "seats": {"1": ["2C", "3D", "KC"]}}
    bets = [{"bet": name, "seat": "1", "stake": 100} for name in ("tie", "beat-banker")]

    # 20 to 1, and a twentieth of it.
    assert settled(wrong, table, *bets) == ("win", 2000, 100)


def test_a_boundary_moves_by_one(otherwise):
    found = otherwise("portaria-21-96-m/5/a")
    ten = {"dice": ["gourd", "gourd", "coin"]}
    name = next(name for name in found if "<= 10 becomes" in name and "< 10" in name)

    assert settled(found[name], ten, {"bet": "small", "stake": 100}) == ("lose", 0, 0)


def test_a_tie_break_can_be_dropped(otherwise):
    dropped = otherwise("despacho-78-2008/8/5")["rank pair: key 2 is dropped"]

    assert dropped.compile().compare(["KS", "KH", "9D"], ["KD", "KC", "2S"]) == "equal"


def test_a_line_can_stand_below_the_next_one(otherwise):
    found = otherwise("despacho-78-2008/8/2")
    trio, straight = ["2S", "2H", "2D"], ["AS", "KH", "QD"]

    lower = found["rank trio: below rank straight"].compile()

    assert lower.compare(trio, straight) == "lower"


def test_an_order_can_be_turned_round(otherwise):
    turned = otherwise("portaria-22-96-m/annex")["manner order: the last is the highest"]

    assert turned.compile().compare(["KS", "QH", "JD"], ["2S", "8H", "10D"]) == "lower"


def test_a_pair_of_tiles_can_count_as_the_line_above(otherwise):
    found = otherwise("portaria-96-85-m/annex/105")["tiles 105: stands on line 104"]

    assert found.compile().compare(["2/2", "1/5"], ["3/3", "2/2"]) == "equal"


def test_only_the_bets_that_a_clause_reaches_can_feel_it(otherwise):
    prize = next(iter(otherwise("portaria-21-96-m/6/e").values()))
    line = otherwise("portaria-22-96-m/annex/2")
    figures = otherwise("portaria-22-96-m/annex/1")

    assert prize.bets() == {"two-of-colour"}
    # Lines of the order matter to those who beat or tie the banker.
    assert next(iter(line.values())).bets() == {"beat-banker", "tie"}
    # Whether a hand has three figures matters to the bets on the banker's hand as well.
    defined = next(one for name, one in figures.items() if name.startswith("define three_figures"))
    assert defined.bets() == {"beat-banker", "tie", "odd", "even", "three-figures", "points"}


def test_conditions_lose_each_part_and_move_each_bound():
    found = {
        one.expression for one in mutate_expression("total >= 4 && (lying || choice in [5, 6])")
    }

    assert {
        "( lying || choice in [ 5 , 6 ] )",
        "total >= 4",
        "total > 4 && ( lying || choice in [ 5 , 6 ] )",
        "total >= 5 && ( lying || choice in [ 5 , 6 ] )",
        "total >= 3 && ( lying || choice in [ 5 , 6 ] )",
        "total >= 4 && ( choice in [ 5 , 6 ] )",
        "total >= 4 && ( lying )",
        "total >= 4 && ( lying || choice in [ 6 ] )",
        "total >= 4 && ( lying || choice in [ 5 ] )",
        "total >= 4 && ( lying || choice in [ 5 , 6 , 4 ] )",
        "total >= 4 && ( lying || choice in [ 5 , 6 , 7 ] )",
    } == found
