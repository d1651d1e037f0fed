"""What we worked out ourselves is usable, complete, and can never pass for law."""

import itertools

import pytest

from selo.law.files.provision_file import Reconstruction, Statement
from selo.law.ledger import make_ledger


@pytest.fixture(scope="module")
def by_name(law):
    return {one.reconstructed: one for _, one in law.reconstructions}


def test_reconstructed_material_has_no_field_for_quoted_text():
    for model in (Reconstruction, Statement):
        assert not {"text", "source", "label", "citation"} & set(model.__struct_fields__)


def test_no_reconstructed_sentence_is_in_the_ledger(law):
    texts = "\n".join(
        words for row in make_ledger(law).provisions for words in (*row.text.values(), row.id)
    )

    for _, one in law.reconstructions:
        for statement in one.statements:
            assert statement.says.pt not in texts
            assert statement.says.zh not in texts
        for name in one.stands_for:
            assert f"{one.instrument}/{name}" not in law.provisions


def test_every_pair_of_tiles_has_exactly_one_rank(by_name):
    tiles_table, ranks, tail = (one.table for one in by_name["pai-kao-ranks"].statements)
    group = {tile: name for name, tiles in tiles_table["same"].items() for tile in tiles}
    tiles = [*tiles_table["twice"], *tiles_table["twice"], *group]
    rank_of = {}
    for number, pairs in {**ranks, **tail}.items():
        for pair in pairs:
            assert frozenset(pair) not in rank_of
            rank_of[frozenset(pair)] = int(number)

    found = [
        rank_of[frozenset((group.get(one, one), group.get(other, other)))]
        for one, other in itertools.combinations(tiles, 2)
    ]

    assert len(tiles) == 32
    assert len(found) == 496
    assert set(found) == set(range(1, 107))


HALVES = {"ás": 1, "duque": 2, "terno": 3, "quadra": 4, "quina": 5, "sena": 6}


def test_the_tail_agrees_with_the_nine_ranks_that_the_law_prints(law, by_name):
    tiles_table, _, tail = (one.table for one in by_name["pai-kao-ranks"].statements)
    group = {tile: name for name, tiles in tiles_table["same"].items() for tile in tiles}
    for number in range(98, 107):
        words = law.find(f"portaria-96-85-m/annex/{number}").provision.text.pt
        printed = [
            "/".join(str(half) for half in sorted(HALVES[name] for name in tile.strip().split("/")))
            for tile in words[words.index("(") + 1 : words.index(")")].split("+")
        ]
        pair = frozenset(group.get(tile, tile) for tile in printed)
        assert pair in [frozenset(one) for one in tail[str(number)]], number


def test_the_banker_draws_against_every_card_the_player_can_draw(by_name):
    banker = next(
        one.table for one in by_name["bacara-drawing-rule"].statements if one.id == "banker-draws"
    )

    assert list(banker["against_third_card"]) == [str(total) for total in range(8)]
