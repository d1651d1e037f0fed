"""What is wrong is said in three languages, and every key that the program uses has its words."""

import re

import pytest

from selo.errors import UsageError
from selo.text.usage_error import user_error
from selo.yaml_file import read_yaml

USED = re.compile(r"""(?<![.\w])user_error\(\s*f?"([\w-]+)["{]""")


@pytest.fixture(scope="module")
def known(root):
    return set(read_yaml(root / "bilingual" / "messages" / "errors.yaml").plain["messages"])


def keys(root):
    for path in sorted((root / "harness" / "selo").rglob("*.py")):
        for found in USED.finditer(path.read_text(encoding="utf-8")):
            yield found[1], path


def test_every_error_for_people_has_its_words_and_its_remedy(root, known):
    used = {key: path for key, path in keys(root) if not key.endswith("-")}

    assert len(used) > 60
    for key, path in used.items():
        assert {f"wrong.{key}", f"wrong.{key}.hint"} <= known, path


def test_no_words_are_left_for_an_error_that_is_gone(root, known):
    used = {key for key, _ in keys(root)}
    families = tuple(key for key in used if key.endswith("-"))

    for name in known:
        if name.startswith("wrong."):
            key = name.removeprefix("wrong.").removesuffix(".hint")
            assert key in used or key.startswith(families), name


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("pt", "não há o jogo «x»\n  sugestão: Jogos: a, b."),
        ("zh", "沒有博彩“x”\n  建議：博彩：a, b。"),
        ("en", "there is no game 'x'\n  hint: Games: a, b."),
    ],
)
def test_an_error_is_told_in_the_language_asked_for(language, told):
    assert user_error("game", name="x", known="a, b").in_language(language) == told


def test_a_place_comes_before_the_words_in_every_language():
    error = user_error("game", name="x", known="a").at("file:3")

    assert isinstance(error, UsageError)
    for language in ("pt", "zh", "en"):
        assert error.in_language(language).startswith("file:3: ")


def test_an_error_without_words_of_its_own_is_told_as_it_is():
    assert UsageError(problem="p", hint="h").in_language("zh") == "p\n  hint: h"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["law", "list", "roulette", "--lang", "pt"], "não há o diploma «roulette»"),
        (["explain", "roulette", "--lang", "zh"], "沒有博彩“roulette”"),
        (["plan", "--ruling", "x", "--lang", "pt"], "«x» não é uma decisão"),
        (["evidence", "check", "/nowhere", "--lang", "zh"], "無法開啟"),
        (["smoke", "--vendor", "ftp://x", "--lang", "pt"], "fornecedor por «ftp»"),
    ],
)
def test_a_command_complains_in_the_language_asked_for(selo, arguments, says):
    done = selo(*arguments)

    assert done.returncode == 3
    assert says in done.stderr


def test_a_file_that_a_message_names_is_named_once():
    missing = FileNotFoundError(2, "No such file or directory", "run/run.json")

    error = user_error("run-unread", path="run/run.json", error=missing)

    assert str(error).count("run/run.json") == 1
    assert "(run/run.json)" in str(user_error("finding", path="other.json", error=missing))
