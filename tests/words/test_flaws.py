"""Whatever can be wrong in a law file is said in three languages."""

import ast

import pytest

from selo.text.error_translation import in_words

#: Rooms whose flaws lawyers, translators and vendors read, and where their words are written.
ROOMS = ("text", "gazette", "law")


def written(node):
    """Return a text of the source with X for whatever varies, or nothing if it is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else "X" for part in node.values
        )
    return None


def flaws(root):
    for room in ROOMS:
        for path in sorted((root / "harness" / "selo" / room).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                for keyword in getattr(node, "keywords", []):
                    text = written(keyword.value)
                    if keyword.arg in {"problem", "hint"} and text not in {None, "X: X"}:
                        yield path.name, text
                if path.match("lint/register.py") and isinstance(node, ast.Yield):
                    text = node.value and written(getattr(node.value, "elts", [None])[0])
                    if text:
                        yield path.name, text


@pytest.mark.parametrize("language", ["pt", "zh"])
def test_every_flaw_is_said_in_each_language(root, language):
    every = set(flaws(root))
    silent = [(name, text) for name, text in every if in_words(text, language) == text]

    assert len(every) > 90
    assert not silent


def test_what_varies_is_kept_and_names_stand_before():
    told = in_words("portaria-21-96-m/5/d: the zh text is missing", "pt")

    assert told == "portaria-21-96-m/5/d: falta o texto zh"


def test_what_nobody_translated_is_said_as_it_is():
    assert in_words("something quite new", "zh") == "something quite new"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pt", "o texto pt está vazio\n  sugestão: Cite a lei."),
        ("zh", "pt 文本空白\n  建議：請引用法律原文。"),
        ("en", "the pt text is empty\n  hint: Quote the law."),
    ],
)
def test_a_check_of_the_law_speaks_the_language_asked_for(copy, selo, language, said):
    copy.replace(
        "specs/portaria-21-96-m/articles/art-05.yaml",
        "pt: |-\n        Podem fazer-se as seguintes apostas:",
        'pt: ""',
    )
    places = ("--specs", str(copy.specs), "--bilingual", str(copy.bilingual))

    done = selo("law", "check", *places, "--lang", language)

    assert done.returncode == 3
    assert said in done.stderr


@pytest.mark.parametrize("language", ["pt", "zh", "en"])
def test_a_file_of_messages_that_cannot_be_read_is_named_all_the_same(copy, selo, language):
    path = copy.bilingual / "messages" / "errors.yaml"
    path.write_text("messages: [\n", encoding="utf-8")
    places = ("--specs", str(copy.specs), "--bilingual", str(copy.bilingual))

    done = selo("law", "check", *places, "--lang", language)

    assert done.returncode == 3
    assert "errors.yaml:2: " in done.stderr
