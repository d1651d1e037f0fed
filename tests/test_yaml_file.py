from pathlib import Path

import msgspec
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


class Person(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    number: int
    room: int | None = None


class Team(msgspec.Struct, forbid_unknown_fields=True):
    people: list[Person]
    lead: Person | None = None
    size: int = 0


def test_every_fault_of_a_file_is_told_at_once_with_key_and_line():
    text = (
        "size: many\ncolour: red\nlead:\n  name: Ana\npeople:\n"
        "  - {name: Rui, number: one}\n  - {}\n"
    )

    with pytest.raises(SpecError) as caught:
        parse_yaml(text, HERE).convert(Team)

    told = {(problem.line, problem.problem) for problem in caught.value.problems}
    assert {line for line, _ in told} == {1, 2, 4, 6}
    assert any("people.0.number" in problem for _, problem in told)
    assert any("`colour`" in problem for _, problem in told)
    assert any(problem.startswith("lead: ") and "`number`" in problem for _, problem in told)
    for problem in caught.value.problems:
        assert str(problem) in str(caught.value)


def test_all_missing_fields_of_an_object_are_told():
    with pytest.raises(SpecError) as caught:
        parse_yaml("people:\n  - {}\n", HERE).convert(Team)

    assert [problem.problem.split("`")[1] for problem in caught.value.problems] == [
        "name",
        "number",
    ]
