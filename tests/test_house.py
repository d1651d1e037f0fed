"""The house rules that a machine can see."""

import re

import pytest

MOST_LINES = 400


def sources(root):
    return sorted((root / "harness").rglob("*.py"))


def test_no_module_is_longer_than_the_rule_allows(root):
    long = {
        path.name: lines
        for path in sources(root)
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    }

    assert not long


def test_no_sentence_of_law_stands_in_python(root, law):
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources(root))

    for held in law.provisions.values():
        for language in held.provision.text.languages():
            words = held.provision.text.get(language)
            assert len(words) < 12 or words not in code, held.id


@pytest.mark.parametrize("word", ["TODO", "FIXME", "XXX"])
def test_nothing_is_left_for_later(root, word):
    for path in sources(root):
        assert not re.search(rf"\b{word}\b", path.read_text(encoding="utf-8")), path
