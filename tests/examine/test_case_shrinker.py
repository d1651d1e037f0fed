"""Cases are made as small as they can be while they show the same."""

from hypothesis import given, settings
from hypothesis import strategies as st

from selo.cases.case import comparison_case, settlement_case
from selo.examine.findings.case_shrinker import shrink_case


def craps(throws, bets):
    return settlement_case("craps", "", {"throws": throws}, bets)


def test_a_bet_keeps_what_it_is_added_to_at_its_new_place():
    bets = [
        {"bet": "field", "stake": 100},
        {"bet": "pass-line", "stake": 100},
        {"bet": "eleven", "stake": 100},
        {"bet": "pass-line-additional", "stake": 100, "to": 1, "at": 1},
    ]

    case, bet = shrink_case(craps([[2, 2], [1, 3]], bets), 3, lambda one, _: len(one.bets) > 1)

    assert [one["bet"] for one in case.bets] == ["pass-line", "pass-line-additional"]
    assert (bet, case.bets[1]["to"]) == (1, 0)


def test_what_is_added_to_a_bet_goes_with_it():
    bets = [
        {"bet": "pass-line", "stake": 100},
        {"bet": "pass-line-additional", "stake": 100, "to": 0, "at": 1},
        {"bet": "field", "stake": 100},
    ]

    case, bet = shrink_case(craps([[1, 1]], bets), 2, lambda one, _: len(one.bets) != 2)

    assert ([one["bet"] for one in case.bets], bet) == (["field"], 0)


def test_any_throw_may_go_and_later_bets_come_earlier():
    thrown = craps([[1, 1], [3, 4], [6, 6]], [{"bet": "field", "stake": 100, "at": 2}])

    case, _ = shrink_case(thrown, 0, lambda one, _: [6, 6] in one.outcome["throws"])

    assert case.outcome == {"throws": [[6, 6]]}
    assert case.bets[0]["at"] == 0


def test_dice_show_the_lowest_faces_that_show_the_same():
    case, _ = shrink_case(
        craps([[5, 6]], [{"bet": "field", "stake": 100}]),
        0,
        lambda one, _: sum(one.outcome["throws"][0]) > 4,
    )

    assert sum(case.outcome["throws"][0]) == 5


def test_dice_that_need_not_lean_lie_flat():
    outcome = {"dice": ["fish", "crab", "fish"], "lying": ["flat", "leaning", "flat"]}
    thrown = settlement_case("fish-prawn-crab", "", outcome, [{"bet": "big", "stake": 100}])

    case, _ = shrink_case(thrown, 0, lambda *_: True)

    assert case.outcome == {"dice": ["fish", "fish", "fish"]}


def test_hands_that_are_compared_are_of_the_lowest_cards_that_show_the_same():
    hands = comparison_case("fortune-three-card-poker", "", ["KD", "9C", "4H"], ["QS", "JS", "2S"])

    case, bet = shrink_case(hands, None, lambda one, _: "K" in one.a[0] and one.b[0] == "QS")

    assert (case.a, case.b) == (["KS", "2S", "3S"], ["QS", "3S", "2S"])
    assert bet is None


def test_a_stake_is_the_smallest_that_shows_the_same():
    large = craps([[1, 1]], [{"bet": "field", "stake": 27_886_065_804_151}])

    case, _ = shrink_case(large, 0, lambda one, _: one.bets[0]["stake"] >= 2_345)

    assert case.bets[0]["stake"] == 2_345


def test_a_vendor_is_not_asked_without_end():
    asked = []
    hands = comparison_case("fortune-three-card-poker", "", ["KD", "9C", "4H"], ["QD", "JC", "AC"])

    shrink_case(hands, None, lambda one, _: asked.append(one) or len(asked) % 2 == 0)

    assert len(asked) <= 250


def test_two_cases_that_are_each_simpler_than_the_other_are_not_taken_in_turn():
    thrown = settlement_case(
        "fish-prawn-crab", "", {"dice": ["fish", "crab", "fish"]}, [{"bet": "big", "stake": 100}]
    )
    shown = (["fish", "crab", "fish"], ["fish", "crab", "crab"])

    case, _ = shrink_case(thrown, 0, lambda one, _: one.outcome.get("dice") in shown)

    assert case.outcome["dice"] in shown


@given(st.integers(2, 24), st.data())
@settings(deadline=None, max_examples=60)
def test_no_bet_is_left_that_does_not_matter(count, data):
    bets = [{"bet": "field", "stake": 100 + at} for at in range(count)]
    matter = data.draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=4))
    judged = data.draw(st.sampled_from(sorted(matter)))
    stakes = {100 + at for at in matter}

    case, bet = shrink_case(
        craps([[1, 1]], bets),
        judged,
        lambda one, at: (
            stakes <= {each["stake"] for each in one.bets} and one.bets[at]["stake"] == 100 + judged
        ),
    )

    assert {each["stake"] for each in case.bets} == stakes
    assert case.bets[bet]["stake"] == 100 + judged


def test_options_lose_parts_and_numbers_that_do_not_matter():
    options = {"packs": 8, "jackpot": {"amount": 5000, "bets": ["one", "two"]}}
    dealt = settlement_case("bacara", "", {}, [{"bet": "player", "stake": 100}], options)

    case, _ = shrink_case(
        dealt,
        0,
        lambda one, _: (
            "two" in one.options.get("jackpot", {}).get("bets", ())
            and one.options["jackpot"].get("amount", 0) >= 30
        ),
    )

    assert case.options == {"jackpot": {"amount": 30, "bets": ["two"]}}
