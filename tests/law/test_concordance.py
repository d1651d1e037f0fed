"""A number changed in one language is noticed, whichever number and whichever language."""

import re

import pytest

from selo.gazette import number_words
from selo.gazette.quantities import QuantityReader
from selo.law.lint.concordance import quantity_difference, without_label
from selo.text.multilingual import Text


@pytest.fixture(scope="module")
def reader(law):
    return QuantityReader(law.vocabulary)


class Changed:
    """A provision with one of its texts replaced."""

    def __init__(self, held, language, words):
        texts = {"pt": held.provision.text.pt, "zh": held.provision.text.zh, language: words}
        self.provision = type(held.provision)(
            **{
                field: getattr(held.provision, field)
                for field in held.provision.__struct_fields__
                if field != "text"
            },
            text=Text(**texts),
        )


def changes(held, language):
    """Yield the text of `held` with each of its numbers, in digits or words, made another one."""
    label = held.provision.label.get(language) if held.provision.label else None
    text = without_label(held, language)
    patterns = [(re.compile(r"\d+"), lambda found: str(int(found) + 1))]
    if language == "pt":
        patterns.append((number_words.PT_WORDS, lambda _: "noventa e três"))
    else:
        patterns.append((number_words.ZH_WORDS, lambda _: "九十三"))
    for pattern, other in patterns:
        for found in pattern.finditer(text):
            yield (label or "") + text[: found.start()] + other(found[0]) + text[found.end() :]


def test_every_number_of_every_bilingual_provision_is_guarded(law, reader):
    tried = 0
    for held in law.provisions.values():
        if len(held.provision.text.languages()) < 2:
            continue
        lawful = quantity_difference(reader, held)
        for language in ("pt", "zh"):
            for words in changes(held, language):
                tried += 1
                spoilt = quantity_difference(reader, Changed(held, language, words))
                assert spoilt != lawful, f"{held.id} {language}: {words}"

    assert tried > 600


SPOILT = [
    ("specs/portaria-21-96-m/articles/art-06.yaml", "cento e cinquenta", "cento e quarenta", "6/h"),
    ("specs/portaria-21-96-m/articles/art-06.yaml", "一賠一百五十倍", "一賠一百四十倍", "6/h"),
    ("specs/portaria-21-96-m/articles/art-05.yaml", "de 4 a 10", "de 4 a 11", "5/a"),
    ("specs/portaria-21-96-m/articles/art-05.yaml", "由11點至17點", "由11點至18點", "5/b"),
    ("specs/portaria-22-96-m/articles/art-10.yaml", "comissão de 5%", "comissão de 6%", "10"),
    ("specs/despacho-2-2009/articles/art-17.yaml", "de 40 para 1", "de 30 para 1", "17/4"),
    ("specs/despacho-78-2008/articles/art-10.yaml", "一賠二十五", "一賠二十四", "10/2"),
    (
        "specs/despacho-2-2009/articles/art-13.yaml",
        "同花的K、Q、J、10和", "同花的K、K、J、10和", "a/ii",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "provision"), SPOILT)
def test_the_provision_with_the_changed_number_is_named(copy, name, old, new, provision):
    line = copy.replace(name, old, new)

    found = [one for one in copy.problems() if one.code == "concordance"]

    assert found
    assert all(f"{provision}: the " in one.problem for one in found)
    assert copy.path(name) in {one.path for one in found}
    assert any(abs(one.line - line) <= 2 for one in found)


def test_an_unexplained_difference_and_a_stale_explanation_are_both_errors(copy):
    copy.replace(
        "specs/portaria-21-96-m/register/art-03.yaml",
        "      - {provision: portaria-21-96-m/3/c, pt: [2, 3]}",
        "      - {provision: portaria-21-96-m/3/c, pt: [2, 4]}",
    )

    said = [one.problem for one in copy.problems()]

    assert any("3/c: the pt text says 3, the zh text does not" in one for one in said)
    assert any("3/c: the register explains 4 in pt" in one for one in said)


def test_a_rule_may_only_use_numbers_of_its_text(copy):
    copy.replace(
        "specs/portaria-21-96-m/articles/art-06.yaml",
        "odds: 150:1",
        "odds: 149:1",
    )

    said = [one.problem for one in copy.problems()]

    assert any("6/h: the rule uses 149, which the pt text does not say" in one for one in said)
    assert any("6/h: the rule uses 149, which the zh text does not say" in one for one in said)


def test_items_out_of_order_are_noticed(copy):
    name = "specs/portaria-21-96-m/articles/art-06.yaml"
    text = copy.path(name).read_text(encoding="utf-8")
    text = text.replace("G. “任何三色”", "\0").replace("F. “指定三色”", "G. “指定三色”")
    text = text.replace("\0", "F. “任何三色”").replace("zh: F.}", "zh: \0}")
    text = text.replace("zh: G.}", "zh: F.}").replace("zh: \0}", "zh: G.}")
    copy.path(name).write_text(text, encoding="utf-8")

    said = [one.problem for one in copy.problems()]

    assert any("«G.» is not item f: the items are out of order" in one for one in said)
