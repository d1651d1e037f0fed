import re

import pytest

from selo.law.loader import load_law
from selo.law.spec_digest import compute_spec_digest


def digest(copy):
    return compute_spec_digest(load_law(specs=copy.specs, bilingual=copy.bilingual))


def test_line_ends_comments_and_layout_do_not_change_the_digest(copy, law):
    for path in [*copy.specs.rglob("*.yaml"), *copy.bilingual.rglob("*.yaml")]:
        text = path.read_text(encoding="utf-8")
        path.write_bytes(f"# another comment\n{text}\n".replace("\n", "\r\n").encode())

    assert digest(copy) == compute_spec_digest(law)


def test_the_order_of_entries_and_keys_does_not_change_the_digest(copy, law):
    path = copy.path("specs/portaria-21-96-m/register/art-03.yaml")
    head, *entries = re.split(r"(?m)^(?=  - id: )", path.read_text(encoding="utf-8"))
    path.write_text(head + "\n".join(reversed(entries)), encoding="utf-8")
    copy.replace(
        "specs/portaria-21-96-m/instrument.yaml",
        "number: 21-96-m\ngame: fish-prawn-crab\n",
        "game: fish-prawn-crab\nnumber: 21-96-m\n",
    )

    assert digest(copy) == compute_spec_digest(law)


def test_any_change_of_content_changes_the_digest(copy, law):
    copy.replace(
        "specs/portaria-21-96-m/articles/art-06.yaml",
        "cento e cinquenta vezes",
        "cento e quarenta vezes",
    )

    assert digest(copy) != compute_spec_digest(law)


@pytest.mark.parametrize(
    ("file", "was", "now"),
    [
        pytest.param(
            "specs/portaria-97-85-m/rounds.yaml",
            "reason: ",
            "reason: another ",
            id="a round for a table",
        ),
        pytest.param(
            "specs/despacho-2-2009/situations.yaml",
            "stake: 50",
            "stake: 51",
            id="a case of the register",
        ),
        pytest.param(
            "specs/despacho-2-2009/situations.yaml",
            'bettor: "1"',
            "bettor: 1",
            id="a text for a number",
        ),
        pytest.param(
            "specs/despacho-2-2009/declarations.yaml",
            "jackpot: [A, B, C]",
            "jackpot: [A, B]",
            id="a declaration",
        ),
    ],
)
def test_what_is_tried_beyond_the_law_is_part_of_the_edition(copy, law, file, was, now):
    path = copy.specs.parent / file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(was, now, 1), encoding="utf-8")

    assert was in text
    assert digest(copy) != compute_spec_digest(law)
