"""A rule that cannot be used is named with file, line and remedy."""

import re

import pytest

from selo.law.lint.all_lints import check_law
from selo.rules.checks.game_check import check_games as check_rules

FISH_5 = "specs/portaria-21-96-m/articles/art-05.yaml"
FISH_6 = "specs/portaria-21-96-m/articles/art-06.yaml"
FISH_7 = "specs/portaria-21-96-m/articles/art-07.yaml"

# file, words, what stands there instead, what the message says, lines below where it shows
BROKEN = [
    pytest.param(
        FISH_5, "wins: total >= 11 && total <= 17", "wins: total >= 11 && totl <= 17",
        r"5/b: 'total >= 11 && totl <= 17', character 16: undeclared reference to 'totl'", 0,
        id="a typo in a condition",
    ),
    pytest.param(
        FISH_5, "wins: all_same(colours)", "wins: all_smae(colours)",
        r"5/g: .*undeclared reference to 'all_smae'", 0, id="an unknown function",
    ),
    pytest.param(
        FISH_5, "wins: all_same(colours)", "wins: distinct(colours)",
        r"5/g: .*gives int, and bool is needed here", 0, id="a condition that is a number",
    ),
    pytest.param(
        FISH_6, "prize: any-three-of-colour, odds: 7:1", "prize: any-three-of-color, odds: 7:1",
        r"6/g: there is no bet 'any-three-of-color'", 0, id="a prize for a bet that does not exist",
    ),
    pytest.param(
        FISH_6, "    rule:\n      - {prize: any-three-of-colour, odds: 7:1}\n", "",
        r"5/g: the bet 'any-three-of-colour' can win and has no prize", None,
        id="a bet without a prize",
    ),
    pytest.param(
        FISH_6, "odds: 7:1", "odds: seven", r"6/g: 'seven' are no odds", 0, id="odds that are none",
    ),
    pytest.param(
        FISH_6, "{prize: any-three-of-colour,", "{prise: any-three-of-colour,",
        r"6/g: this clause begins with no known word", 0, id="an unknown clause",
    ),
    pytest.param(
        FISH_6, "{prize: any-three-of-colour, odds: 7:1}",
        "{prize: any-three-of-colour, odds: 7:1, od: 7}",
        r"6/g: Object contains unknown field `od`", None, id="an unknown field",
    ),
    pytest.param(
        FISH_5, "choice: 4–17", "choice: numbers",
        r"5/j: there is nothing called 'numbers' to choose", 0, id="an unknown choice",
    ),
    pytest.param(
        FISH_7, "every-bet-on-a-total}", "every-bet-on-totals}",
        r"7: 'every-bet-on-totals' is no reading of '21-96-m-7--triples-and-other-bets'", 0,
        id="an unknown reading",
    ),
    pytest.param(
        FISH_5, "- {bet: big, wins", "- {bet: small, wins",
        r"5/b: the bet 'small' is declared twice", 0, id="a bet declared twice",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "says", "below"), BROKEN)
def test_a_broken_rule_is_named(copy, name, old, new, says, below):
    line = copy.replace(name, old, new)
    law, _ = check_law(specs=copy.specs, bilingual=copy.bilingual)

    found = [one for one in check_rules(law) if re.search(says, one.problem)]

    assert found, [one.problem for one in check_rules(law)]
    assert all(one.hint for one in found)
    if below is not None:
        assert (copy.path(name), line + below) in {(one.path, one.line) for one in found}


def test_an_error_in_a_reading_that_is_not_the_default_is_found_too(copy):
    copy.replace(
        FISH_5, "wins: all_same(figures)\n        under", "wins: all_sam(figures)\n        under"
    )
    law, _ = check_law(specs=copy.specs, bilingual=copy.bilingual)

    assert any("all_sam" in one.problem for one in check_rules(law))


def test_a_number_that_the_text_does_not_say_is_refused(copy):
    copy.replace(FISH_5, "total <= 10", "total <= 9")

    _, problems = check_law(specs=copy.specs, bilingual=copy.bilingual)

    assert any(
        "5/a: the rule uses 9, which the pt text does not say" in one.problem for one in problems
    )


def test_an_order_that_nobody_calls_descending_is_refused(copy):
    name = "specs/portaria-22-96-m/articles/annex.yaml"
    copy.replace(name, "    rule:\n      - {manner: order, means: first-highest}\n", "")
    law, _ = check_law(specs=copy.specs, bilingual=copy.bilingual)

    assert any("first line of the order is the highest" in one.problem for one in check_rules(law))
