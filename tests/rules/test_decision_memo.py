"""What a game remembers of one case is true of every other."""

import pytest
from tests.games import GAMES
from tests.often import often

from selo.errors import SeloError
from selo.law.files.situation_file import read_situations
from selo.rules.checks import settlement_points
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game


def settle(rules, case):
    try:
        return rules.settle_plain(case.options, case.outcome, case.bets)
    except SeloError as error:
        return type(error).__name__


@pytest.mark.parametrize("game", often(GAMES, "fish-prawn-crab"))
def test_what_is_remembered_of_one_case_changes_no_other(law, game):
    cases = [
        case for case in read_situations(game, specs=law.specs).values() if case.compare is None
    ]
    rulings = [
        {point: reading} for point, readings in settlement_points(law, game).items()
        for reading in readings
    ]  # fmt: skip

    assert cases or game == "pai-kao"
    for ruling in [{}, *rulings]:
        slow = compile_game(law, game, Readings(law, ruling))
        fast = slow.without_reasons()
        expected = [settle(slow, case) for case in cases]

        # Forwards, and backwards with everything remembered.
        assert [settle(fast, case) for case in cases] == expected, ruling
        assert [settle(fast, case) for case in cases[::-1]] == expected[::-1], ruling
