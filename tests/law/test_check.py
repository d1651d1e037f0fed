"""Each way to spoil the law is noticed, in the right file and line."""

import re
import shutil

import pytest

from selo.errors import SpecError
from selo.law.loader import load_law
from selo.text.message_catalogue import _load_messages

FISH_5 = "specs/portaria-21-96-m/articles/art-05.yaml"
FISH_6 = "specs/portaria-21-96-m/articles/art-06.yaml"
FISH = "specs/portaria-21-96-m/instrument.yaml"
REGISTER = "specs/portaria-21-96-m/register/art-03.yaml"


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
        r"unknown reading 'stacked-and-leaning' as the default", id="a default that is no reading",
    ),
    pytest.param(
        "specs/portaria-22-96-m/articles/art-08.yaml",
        'source: {pt: "000:208"}\n    missing: {zh: 22-96-m-8-1--odd-even-items}',
        'source: {pt: "000:208"}\n    missing: {zh: 22-96-m-8-1--no-such-point}', 1,
        r"'22-96-m-8-1--no-such-point' does not explain a missing zh", id="a dangling reference",
    ),
    pytest.param(
        "bilingual/sources.yaml", "sha256: 26dd3f", "sha256: 36dd3f", None,
        r"source 000 is not the text that was received", id="a source of another digest",
    ),
    pytest.param(
        "bilingual/sources.yaml", '  - id: "001"', '  - id: "000"', 0,
        r"000: this id is used twice", id="a source twice",
    ),
    pytest.param(
        "bilingual/repairs.yaml",
        "line: 456, scanned: 'consti tuída'", "line: 457, scanned: 'consti tuída'", 0,
        r"'consti tuída' does not stand in the line", id="a repair of the wrong line",
    ),
    pytest.param(
        "bilingual/repairs.yaml",
        "read: 'ás/quadra', why: accent, judgement: 96-85-m-annex--scan-of-the-ace}",
        "read: 'ás/quadra', why: accent}", 0,
        r"'ds/quadra' is read as 'ás/quadra': another number", id="a number repaired as a letter",
    ),
    pytest.param(
        "bilingual/repairs.yaml",
        "read: 'far-se-á', why: accent, judgement: 97-85-m--numbers-in-the-scan}",
        "read: 'far-se-á', why: accent}", 0,
        r"'far-se-4' is read as 'far-se-á': another number", id="a digit repaired as a letter",
    ),
    pytest.param(
        "bilingual/messages/terminal.yaml",
        'en: "No later act known to us on {day}."',
        'en: "No later act known to us on {date}."',
        None,
        r"message 'law.status.no-later-act' has different slots", id="a slot of another name",
    ),
    pytest.param(
        "specs/portaria-96-85-m/reconstructed/pai-kao-ranks.yaml",
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

    assert (
        "001_df66354b2aeaa30b.txt:235 line 001:235 is not assigned: «g) «Três dados da mesma cor»"
        in said
    )
    assert "001_df66354b2aeaa30b.txt:290 line 001:290 is not assigned: «G. “任何三色”" in said
    assert (
        "000_cd01eb60b361ff9b.txt:31 line 000:31 is not assigned: «g) «Três dados da mesma cor»"
        in said
    )
    assert "000_cd01eb60b361ff9b.txt:86 line 000:86 is not assigned: «G. “任何三色”" in said


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
    assert any(abs(one.line - line) < 20 for one in found)


def test_a_deleted_article_file_is_noticed(copy):
    copy.path("specs/portaria-21-96-m/articles/art-07.yaml").unlink()

    said = [one.problem for one in copy.problems()]

    assert any("is not assigned: «Artigo 7.º — Figuras iguais»" in one for one in said)


def test_an_empty_specs_folder_is_not_clean(copy):
    for folder in copy.specs.iterdir():
        if (folder / "instrument.yaml").exists():
            shutil.rmtree(folder)

    assert any("no instrument was found" in one.problem for one in copy.problems())


@pytest.mark.parametrize("name", ["portaria-21-96-m", "despacho-2-2009"])
def test_an_instrument_without_its_file_is_an_error(copy, name):
    copy.path(f"specs/{name}/instrument.yaml").unlink()

    assert any("cannot be read" in one.problem for one in copy.problems())


#: A file of an instrument, and a place where it must not lie.
ELSEWHERE = [
    ("portaria-21-96-m/articles/art-07.yaml", "portaria-21-96-m/art-07.yaml"),
    ("portaria-21-96-m/rounds.yaml", "fish-prawn-crab.yaml"),
    ("portaria-21-96-m/rounds.yaml", "portaria-21-96-m/rounds/fish-prawn-crab.yaml"),
    ("portaria-21-96-m/register/art-03.yaml", "portaria-21-96-m/divergences.yaml"),
    ("portaria-96-85-m/reconstructed/pai-kao-ranks.yaml", "portaria-96-85-m/pai-kao-ranks.yaml"),
]


@pytest.mark.parametrize(("place", "elsewhere"), ELSEWHERE)
def test_a_file_outside_its_place_is_refused(copy, place, elsewhere):
    path = copy.specs / elsewhere
    path.parent.mkdir(exist_ok=True)
    (copy.specs / place).rename(path)

    found = [one for one in copy.problems() if "has no place here" in one.problem]

    assert [one.path for one in found] == [path]


#: A file in the folder of another instrument, and what is said of it.
OF_ANOTHER = [
    (
        "portaria-21-96-m/rounds.yaml", "portaria-96-85-m/rounds.yaml",
        "'fish-prawn-crab' is not the game of portaria-96-85-m",
    ),
    (
        "portaria-21-96-m/register/art-07.yaml", "portaria-97-85-m/register/art-09.yaml",
        "its first provision is not of portaria-97-85-m",
    ),
    (
        "portaria-96-85-m/reconstructed/pai-kao-ranks.yaml",
        "portaria-97-85-m/reconstructed/pai-kao-ranks.yaml",
        "this stands in for provisions of portaria-96-85-m",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("place", "elsewhere", "says"), OF_ANOTHER)
def test_a_file_in_the_folder_of_another_instrument_is_refused(copy, place, elsewhere, says):
    path = copy.specs / elsewhere
    path.parent.mkdir(exist_ok=True)
    (copy.specs / place).rename(path)

    found = [one for one in copy.problems() if says in one.problem]

    assert {one.path for one in found} == {path}


def test_a_folder_by_kind_of_file_is_refused(copy):
    folder = copy.specs / "rounds"
    folder.mkdir()
    (copy.specs / "portaria-21-96-m/rounds.yaml").rename(folder / "fish-prawn-crab.yaml")

    assert any(one.path.parent == folder for one in copy.problems())


@pytest.mark.parametrize("new", ["21-96-m-3-c--no-such-point", "21-96-m-3-c--leaning-dice"])
def test_the_order_of_a_register_names_each_point_once(copy, new):
    order = "specs/portaria-21-96-m/register/order.yaml"
    line = copy.replace(order, "  - 21-96-m-5-h--chosen-figure\n", f"  - {new}\n")

    found = [one for one in copy.problems() if "not a point of this register" in one.problem]

    # Of two lines with one name, the later is at fault.
    lines = copy.path(order).read_text(encoding="utf-8").splitlines()
    last = max(at for at, one in enumerate(lines, 1) if one == f"  - {new}")
    assert last >= line
    assert [(one.path, one.line) for one in found] == [(copy.path(order), last)]


def test_a_point_that_the_order_does_not_name_follows_the_others_of_its_instrument(copy, law):
    point = "21-96-m-5-h--chosen-figure"
    copy.replace("specs/portaria-21-96-m/register/order.yaml", f"  - {point}\n", "")

    shown = [one.id for one in load_law(specs=copy.specs, bilingual=copy.bilingual).divergences]

    instrument = [one.id for one in law.divergences if one.id.startswith("21-96-m")]
    instrument.remove(point)
    assert shown[: len(instrument) + 1] == [*instrument, point]


def test_a_message_that_stands_in_two_files_is_refused_with_both(copy):
    path = copy.path("bilingual/messages/terminal.yaml")
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}  wrong.game: {{pt: a, zh: b, en: c}}\n", encoding="utf-8")

    found = [one for one in copy.problems() if "is also in" in one.problem]

    assert [(one.path, one.line) for one in found] == [(path, text.count("\n") + 1)]
    assert found[0].problem == "message 'wrong.game' is also in errors.yaml"


def test_a_message_that_stands_in_two_files_is_never_said(copy, monkeypatch):
    path = copy.path("bilingual/messages/terminal.yaml")
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}  wrong.game: {{pt: a, zh: b, en: c}}\n", encoding="utf-8")
    monkeypatch.setenv("SELO_LAW", str(copy.specs.parent))

    with pytest.raises(SpecError, match=r"is also in errors\.yaml"):
        _load_messages.__wrapped__()


def test_the_words_of_a_round_that_is_not_there_are_refused(copy):
    words = "specs/portaria-97-85-m/words.yaml"
    line = copy.replace(words, "  several-come-bets-of-one-player:", "  several-bets:")

    found = [one for one in copy.problems() if "there is no round 'several-bets'" in one.problem]

    assert [(one.path, one.line) for one in found] == [(copy.path(words), line + 1)]
