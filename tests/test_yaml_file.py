from pathlib import Path

import pytest

from selo.errors import SpecError
from selo.yaml_file import parse_yaml

HERE = Path("some.yaml")


@pytest.mark.parametrize("scalar", ["8:1", "6.10", "NO", "010", "1996-02-12", "~", "1e3", "0x10"])
def test_a_scalar_stays_the_text_that_was_written(scalar):
    assert parse_yaml(f"value: {scalar}\n", HERE).plain == {"value": scalar}


def test_a_duplicate_key_is_refused_at_its_second_line():
    with pytest.raises(SpecError) as caught:
        parse_yaml("a: 1\nb: 2\na: 3\n", HERE)

    assert str(caught.value).startswith("some.yaml:3: key 'a' appears twice")


def test_a_duplicate_key_deep_inside_is_refused():
    with pytest.raises(SpecError) as caught:
        parse_yaml("a:\n  - b: {c: 1,\n        c: 2}\n", HERE)

    assert caught.value.problem.line == 3


def test_a_folded_block_is_refused():
    with pytest.raises(SpecError) as caught:
        parse_yaml("text:\n  zh: >-\n    三粒\n    骰子\n", HERE)

    assert caught.value.problem.line == 2
    assert "folded" in caught.value.problem.problem


@pytest.mark.parametrize(
    "text", ["", "# only a comment\n", "a: [1\n", "a: \x07\n", "a: 1\n b: 2\n"]
)
def test_what_is_not_a_document_is_one_clear_error(text):
    with pytest.raises(SpecError) as caught:
        parse_yaml(text, HERE)

    assert str(caught.value).startswith("some.yaml:")
    assert "hint:" in str(caught.value)


def test_the_line_of_a_literal_block_is_the_line_of_its_words():
    document = parse_yaml("a: 1\ntext:\n  pt: |-\n    Peixe\n", HERE)

    assert document.line("text", "pt") == 4
    assert document.line("a") == 1


def test_the_line_of_what_is_not_there_is_the_line_of_its_parent():
    document = parse_yaml("a: 1\nb:\n  c: 2\n", HERE)

    assert document.line("b", "nothing") == 3
