"""P'ai Kao: the annex of Portaria 96/85/M, and before it the reconstructed order."""

from itertools import combinations, product

import pytest

# The tiles that count alike, as the reconstructed order abbreviates them.
ALIKE = {
    "9*": ("4/5", "3/6"),
    "8*": ("3/5", "2/6"),
    "7*": ("3/4", "2/5"),
    "5*": ("1/4", "2/3"),
    "GJ": ("2/4", "1/2"),
}
TWICE = ("6/6", "1/1", "4/4", "1/3", "5/5", "3/3", "2/2", "5/6", "4/6", "1/6", "1/5")
SET = [*TWICE, *TWICE, *(tile for tiles in ALIKE.values() for tile in tiles)]

# Reconstructed, never law: two unrelated engines agree on it. One rank after the other, from 1;
# `|` stands between tiles that give the same rank.
RECONSTRUCTED = """
GJ+GJ 6/6+6/6 1/1+1/1 4/4+4/4 1/3+1/3 5/5+5/5 3/3+3/3 2/2+2/2 5/6+5/6 4/6+4/6 1/6+1/6 1/5+1/5
9*+9* 8*+8* 7*+7* 5*+5*
6/6+9* 1/1+9* 6/6+4/4|8* 1/1+4/4|8* 6/6+1/6|7* 1/1+1/6|7*
4/4+5/6 1/3+5* 5/5+9* 3/3+GJ 2/2+5* 5/6+8* 4/6+9* 1/5+GJ
6/6+GJ|3/3|1/5 1/1+GJ|3/3|1/5 4/4+5/5|4/6 1/3+2/2 5/5+8* 5/6+1/6|7* 4/6+8* 5*+GJ
6/6+5* 1/1+5* 4/4+9* 1/3+GJ 5/5+1/6|7* 3/3+5/6 2/2+GJ 5/6+GJ|1/5 4/6+1/6|7* 9*+8*
6/6+1/3|2/2 1/1+1/3|2/2 4/4+8* 5/5+GJ|3/3|1/5 3/3+4/6 5/6+5* 4/6+GJ|1/5 1/6+9* 9*+7*
4/4+1/6|7* 1/3+5/6 5/5+5* 3/3+9* 2/2+5/6 4/6+5* 1/6+8* 1/5+9* 9*+GJ 8*+7*
6/6+1/1 4/4+GJ|3/3|1/5 1/3+5/5|4/6 5/5+2/2 3/3+8* 2/2+4/6 1/6+7* 1/5+8* 9*+5* 8*+GJ
6/6+5/6 1/1+5/6 4/4+5* 1/3+9* 3/3+1/6|7* 2/2+9* 1/6+GJ|1/5 1/5+7* 8*+5* 7*+GJ
6/6+5/5|4/6 1/1+5/5|4/6 4/4+1/3|2/2 1/3+8* 3/3+1/5 2/2+8* 1/6+5* 7*+5*
1/3+1/6|7* 5/5+5/6
"""

# The annex as printed, 98 to 106.
PRINTED = {
    98: ("3/3", "1/4"),
    99: ("2/2", "3/4"),
    100: ("5/6", "4/6"),
    101: ("1/5", "2/3"),
    102: ("1/3", "3/3"),
    103: ("5/5", "4/6"),
    104: ("3/3", "2/2"),
    105: ("2/2", "1/5"),
    106: ("5/6", "4/5"),
}


@pytest.fixture
def game(vendor):
    return vendor("pai_kao")


def tiles(names):
    return [tile for name in names.split("|") for tile in ALIKE.get(name, (name,))]


def pairs(line):
    """Give every pair of real tiles that a line of the reconstructed order stands for."""
    one, other = line.split("+")
    if one == other and one in ALIKE:
        return [ALIKE[one]]
    return list(product(tiles(one), tiles(other)))


def test_the_annex_is_held_from_98_to_106(game):
    assert list(game.HELD) == list(PRINTED)


@pytest.mark.parametrize(("number", "pair"), PRINTED.items(), ids=lambda value: f"annex {value}")
def test_annex_each_printed_pair_has_its_number(game, number, pair):
    assert game.rank(list(pair)) == number


@pytest.mark.parametrize(("higher", "lower"), list(combinations(PRINTED, 2)))
def test_annex_the_lower_number_is_worth_more(game, higher, lower):
    assert game.compare(PRINTED[higher], PRINTED[lower]) == "higher"
    assert game.compare(PRINTED[lower], PRINTED[higher]) == "lower"


@pytest.mark.parametrize(
    ("number", "pair"),
    [
        pytest.param(98, ("3/3", "2/3"), id="annex 98: either five"),
        pytest.param(101, ("1/5", "1/4"), id="annex 101: either five"),
        pytest.param(99, ("2/2", "2/5"), id="annex 99: any seven, 2/5"),
        pytest.param(99, ("2/2", "1/6"), id="annex 99: any seven, 1/6"),
        pytest.param(102, ("1/3", "1/5"), id="annex 102: either six"),
        pytest.param(106, ("5/6", "3/6"), id="annex 106: either nine"),
    ],
)
def test_annex_tiles_of_equal_pips_give_the_same_rank(game, number, pair):
    assert game.rank(pair) == number
    assert game.compare(pair, PRINTED[number]) == "equal"


def test_annex_nothing_else_is_held(game):
    held = {frozenset(pair) for pair in combinations(SET, 2) if game.rank(pair) in game.HELD}

    # The nine that are printed and the six above.
    assert len(held) == 15


def test_reconstructed_97_beats_98_and_1_beats_all(game):
    assert game.compare(["5/5", "5/6"], ["3/3", "1/4"]) == "higher"
    assert game.compare(["1/2", "2/4"], ["6/6", "6/6"]) == "higher"


def test_reconstructed_order_is_what_the_rules_give(game):
    lines = RECONSTRUCTED.split()

    assert len(lines) == 97
    for number, line in enumerate(lines, 1):
        for pair in pairs(line):
            assert game.rank(pair) == number, pair


def test_every_pair_of_the_set_has_one_rank_whichever_tile_comes_first(game):
    dealt = set(combinations(SET, 2))

    assert len(SET) == 32
    assert {game.rank(pair) for pair in dealt} == set(range(1, 107))
    assert all(game.rank(pair) == game.rank(pair[::-1]) for pair in dealt)


def test_compare_follows_the_ranks_for_every_two_pairs(game):
    dealt = sorted({tuple(sorted(pair)) for pair in combinations(SET, 2)})

    # 21 kinds of face: 210 unlike pairs and 11 of two like tiles.
    assert len(dealt) == 221
    for a, b in product(dealt, repeat=2):
        difference = game.rank(a) - game.rank(b)
        expected = "equal" if not difference else "higher" if difference < 0 else "lower"
        assert game.compare(a, b) == expected


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(["4/5", "4/5"], id="a tile that exists once, twice"),
        pytest.param(["2/4", "2/4"], id="2/4 twice"),
        pytest.param(["4/1", "3/3"], id="high half first"),
        pytest.param(["0/1", "3/3"], id="no such tile"),
        pytest.param(["3/3"], id="one tile"),
        pytest.param(["3/3", "3/3", "1/4"], id="three tiles"),
        pytest.param([["3/3"], "1/4"], id="a list for a tile"),
        pytest.param(None, id="nothing"),
    ],
)
def test_a_pair_that_cannot_be_is_an_error(game, pair):
    with pytest.raises(ValueError, match="no pair"):
        game.rank(pair)
    with pytest.raises(ValueError, match="no pair"):
        game.compare(["3/3", "1/4"], pair)
