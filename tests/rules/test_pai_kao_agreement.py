"""The order of Portaria 96/85/M and the reference vendor, written apart, compare alike."""

from itertools import combinations_with_replacement, product

import pytest

TWICE = ("1/1", "1/3", "1/5", "1/6", "2/2", "3/3", "4/4", "4/6", "5/5", "5/6", "6/6")
ONCE = ("1/2", "1/4", "2/3", "2/4", "2/5", "2/6", "3/4", "3/5", "3/6", "4/5")
PAIRS = [
    list(pair)
    for pair in combinations_with_replacement((*TWICE, *ONCE), 2)
    if pair[0] != pair[1] or pair[0] in TWICE
]
#: The pairs that the annex prints, from 98 to 106.
PRINTED = [
    ["3/3", "1/4"], ["2/2", "3/4"], ["5/6", "4/6"], ["1/5", "2/3"], ["1/3", "3/3"],
    ["5/5", "4/6"], ["3/3", "2/2"], ["2/2", "1/5"], ["5/6", "4/5"],
]  # fmt: skip
#: Pairs that stand on a printed line because a tile of as many pips takes the place of another.
ALIKE = {
    98: [["3/3", "2/3"]],
    99: [["2/2", "2/5"], ["2/2", "1/6"]],
    101: [["1/5", "1/4"]],
    102: [["1/3", "1/5"]],
    106: [["5/6", "3/6"]],
}


@pytest.fixture(scope="module")
def game(compiled):
    return compiled("pai-kao")


@pytest.fixture(scope="module")
def other_game(vendor):
    return vendor("pai-kao")


def test_a_set_of_32_tiles_makes_221_pairs():
    assert len(TWICE) * 2 + len(ONCE) == 32
    assert len(PAIRS) == 221


def test_every_pair_against_every_pair(game, other_game):
    for one, other in product(PAIRS, repeat=2):
        assert game.compare(one, other) == other_game.compare(one, other), (one, other)


def test_the_order_in_which_tiles_lie_does_not_matter(game):
    for pair in PAIRS:
        assert game.compare(pair, pair[::-1]) == "equal"


def test_every_pair_that_can_be_dealt_stands_on_one_of_106_lines(game):
    assert {standing.line for standing in game.pairs.ranks.values()} == set(range(1, 107))
    assert all(tuple(sorted(pair)) in game.pairs.ranks for pair in PAIRS)


def test_a_printed_line_is_cited_and_a_reconstructed_one_is_not(game):
    ours = {"pai-kao-ranks"}
    for number, pair in enumerate(PRINTED, start=98):
        for same in (pair, *ALIKE.get(number, [])):
            assert [one.provision for one in game.pairs.reasons(same, pair)] == [
                f"portaria-96-85-m/annex/{number}"
            ] * 2

    held = {tuple(sorted(pair)) for pair in PRINTED}
    held |= {tuple(sorted(pair)) for pairs in ALIKE.values() for pair in pairs}
    for pair in PAIRS:
        if tuple(sorted(pair)) not in held:
            (reason, _) = game.pairs.reasons(pair, pair)
            assert ({reason.provision}, reason.role) == (ours, "reconstructed")


def test_what_rests_on_reconstruction_is_judged_only_if_so_ruled(compiled, game):
    ruled = compiled("pai-kao", **{"96-85-m-annex--ranks-not-held": "reconstructed"})
    reconstructed = ["5/5", "5/6"]

    assert game.is_judged(PRINTED[0], PRINTED[8])
    assert not game.is_judged(reconstructed, PRINTED[0])
    assert ruled.is_judged(reconstructed, PRINTED[0])


@pytest.mark.parametrize(
    "pair",
    [
        ["4/5", "4/5"],
        ["2/1", "3/3"],
        ["1/1"],
        ["2/4", "2/4"],
        ["1/1", "1/1", "1/1"],
        ["7/7", "1/1"],
    ],
    ids=str,
)
def test_what_is_no_pair_is_refused(game, other_game, pair):
    with pytest.raises(ValueError, match="pair of tiles"):
        game.compare(pair, PRINTED[0])
    with pytest.raises(ValueError, match="pair of tiles"):
        other_game.compare(pair, PRINTED[0])
