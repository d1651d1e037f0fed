"""Each way to spoil the law is noticed, in the right file and line."""

import re

import pytest

FISH_5 = "specs/portaria-21-96-m/art-05.yaml"
FISH_6 = "specs/portaria-21-96-m/art-06.yaml"
FISH = "specs/portaria-21-96-m/instrument.yaml"
REGISTER = "bilingual/divergences.yaml"


def test_the_law_that_ships_is_clean(copy):
    assert copy.problems() == []


# What is spoilt: file, words, what stands there instead, lines below the first where it shows,
# and what the message must say.
SPOILT = [
    pytest.param(
        FISH_6, "sete vezes a importância", "sete vezes a importancia", 0,
        r"portaria-21-96-m/6/g: the pt text is not what the source", id="a changed character",
    ),
    pytest.param(
        FISH_6, "“任何三色” — 一賠七倍。", "“任何三色” — 一賠八倍。", 0,
        r"portaria-21-96-m/6/g: the zh text is not what the source", id="a changed Chinese number",
    ),
    pytest.param(
        FISH_6, "      zh: |-\n        G. “任何三色” — 一賠七倍。\n", "", -2,
        r"portaria-21-96-m/6/g: the zh text is missing", id="a dropped language",
    ),
    pytest.param(
        FISH_6, "- id: 6/g", "- id: 6/f", 0,
        r"portaria-21-96-m/6/f: this id is used twice", id="a duplicate id",
    ),
    pytest.param(
        FISH_6, "- id: 6/g\n", "- id: 6/g\n    colour: red\n", 1,
        r"unknown field `colour`", id="an unknown key",
    ),
    pytest.param(
        FISH_6, "- id: 6/g\n", "- id: 6/g\n    unit: alinea\n", 2,
        r"key 'unit' appears twice", id="a duplicate key",
    ),
    pytest.param(
        FISH, "signed: {not_before: 1996-01-22", "signed: {not_before: 1996-02-31", 0,
        r"dates.signed.not_before: not a day, such as", id="a bad date",
    ),
    pytest.param(
        FISH_6, "- id: 6/g\n    unit: alinea\n    label: {pt: g), zh: G.}\n    text:\n      pt: |-",
        "- id: 6/g\n    unit: alinea\n    label: {pt: g), zh: G.}\n    text:\n      pt: >-", 4,
        r"a folded block", id="a folded block",
    ),
    pytest.param(
        FISH_6, "- id: 6/g\n    unit: alinea", "- id: 6/g\n    unit: paragrafo", 1,
        r"unit: invalid enum value 'paragrafo'", id="an unknown unit",
    ),
    pytest.param(
        FISH_6, "label: {pt: g), zh: G.}", "label: {pt: g), zh: H.}", 0,
        r"does not begin with «H.»", id="a label that is not printed",
    ),
    pytest.param(
        FISH_6, "label: {pt: Artigo 6.º, zh: 第六條}", "label: {pt: Artigo 7.º, zh: 第六條}", 1,
        r"label and heading do not make", id="a wrong title",
    ),
    pytest.param(
        REGISTER,
        "forem encontrados sobrepostos\n        zh: 骰子相疊或斜靠不平\n    title",
        "forem achados sobrepostos\n        zh: 骰子相疊或斜靠不平\n    title", 0,
        r"does not stand in the pt text of portaria-21-96-m/3/c", id="a quotation that is not one",
    ),
    pytest.param(
        REGISTER, "default: stacked-or-leaning", "default: stacked-and-leaning", 0,
        r"the default 'stacked-and-leaning' is no reading", id="a default that is no reading",
    ),
    pytest.param(
        "specs/portaria-22-96-m/art-08.yaml",
        'source: {pt: "000:208"}\n    missing: {zh: 22-96-m-8-1--odd-even-items}',
        'source: {pt: "000:208"}\n    missing: {zh: 22-96-m-8-1--no-such-point}', 1,
        r"'22-96-m-8-1--no-such-point' does not explain a missing zh", id="a dangling reference",
    ),
    pytest.param(
        "bilingual/sources.yaml", "sha256: 26dd3f", "sha256: 36dd3f", None,
        r"source 000 is not the text that was received", id="a source of another digest",
    ),
    pytest.param(
        "bilingual/repairs.yaml",
        "line: 456, scanned: 'consti tuída'", "line: 457, scanned: 'consti tuída'", 0,
        r"'consti tuída' does not stand in the line", id="a repair of the wrong line",
    ),
    pytest.param(
        "bilingual/messages.yaml", "en: In force on {day}.", "en: In force on {date}.", None,
        r"message 'law.status.in-force' has different slots", id="a slot of another name",
    ),
    pytest.param(
        "specs/reconstructed/pai-kao-ranks.yaml",
        "sure: reconstructed", "sure: reconstructed\ntext: {pt: Peixe}", 1,
        r"unknown field `text`", id="quoted text in reconstructed material",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "below", "says"), SPOILT)
def test_a_spoilt_law_is_named_with_file_and_line(copy, name, old, new, below, says):
    line = copy.replace(name, old, new)

    found = [one for one in copy.problems() if re.search(says, one.problem)]

    assert found, copy.problems()[:3]
    if below is not None:
        assert {(one.path, one.line) for one in found} == {(copy.path(name), line + below)}
    assert all(one.hint for one in found)


def test_a_deleted_provision_leaves_a_gap_that_is_named(copy):
    text = copy.path(FISH_6).read_text(encoding="utf-8")
    start = text.index("  - id: 6/g\n")
    stop = text.index("  - id: 6/h\n")
    copy.path(FISH_6).write_text(text[:start] + text[stop:], encoding="utf-8")

    said = "\n".join(f"{one.path.name}:{one.line} {one.problem}" for one in copy.problems())

    assert "001_df66354b2aeaa30b.txt:235 nobody owns «g) «Três dados da mesma cor»" in said
    assert "001_df66354b2aeaa30b.txt:290 nobody owns «G. “任何三色”" in said
    assert "000_cd01eb60b361ff9b.txt:31 nobody owns «g) «Três dados da mesma cor»" in said
    assert "000_cd01eb60b361ff9b.txt:86 nobody owns «G. “任何三色”" in said


def test_two_owners_of_one_line_are_both_named(copy):
    line = copy.replace(
        FISH_6,
        'source: {pt: "001:235", zh: "001:290"}',
        'source: {pt: "001:235", zh: ["001:290", "001:292"]}',
    )

    found = [one for one in copy.problems() if "belongs to" in one.problem]

    assert any(
        "portaria-21-96-m/6/g" in one.problem and "portaria-21-96-m/6/h" in one.problem
        for one in found
    )
    assert {one.path.name for one in found} == {"art-06.yaml"}
    assert any(abs(one.line - line) < 15 for one in found)


def test_a_deleted_article_file_is_noticed(copy):
    copy.path("specs/portaria-21-96-m/art-07.yaml").unlink()

    said = [one.problem for one in copy.problems()]

    assert any("nobody owns «Artigo 7.º — Figuras iguais»" in one for one in said)


def test_an_empty_specs_folder_is_not_clean(copy):
    for folder in copy.specs.iterdir():
        if (folder / "instrument.yaml").exists():
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()

    assert any("no instrument was found" in one.problem for one in copy.problems())


@pytest.mark.parametrize("name", ["portaria-21-96-m", "despacho-2-2009"])
def test_an_instrument_without_its_file_is_an_error(copy, name):
    copy.path(f"specs/{name}/instrument.yaml").unlink()

    assert any("cannot be read" in one.problem for one in copy.problems())
