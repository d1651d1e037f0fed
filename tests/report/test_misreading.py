"""How the law seems to have been misread is said in each language, with the names of things."""

import json
import sys

import pytest

from selo.report.build import build
from selo.report.misreading import misread
from selo.report.names import Names
from selo.report.pages import html
from selo.rules.check import games
from selo.rules.readings import Readings
from selo.rules.variants import variants
from selo.words.messages import keys


@pytest.fixture(scope="module")
def names(law):
    return Names(law)


@pytest.fixture(scope="module")
def causes(law):
    """Every misreading that an examination can name, by game."""
    readings = Readings(law)
    return [(game, one.name) for game in games(law) for one in variants(law, game, readings)]


def test_every_misreading_is_said_in_each_language(causes, names):
    unsaid = []
    for game, cause in causes:
        told = misread(cause, game, names)
        if len({told.pt, told.zh, told.en}) < 3 or cause in {told.pt, told.zh}:
            unsaid.append((game, cause, told))

    assert len(causes) > 2000
    assert unsaid == []


def test_no_sentence_of_it_is_left_over(causes, names, monkeypatch):
    from selo.report import misreading  # noqa: PLC0415 - to be listened to

    said = set()
    words = misreading.words

    def heard(key, **slots):
        said.add(key)
        return words(key, **slots)

    monkeypatch.setattr(misreading, "words", heard)
    for game, cause in causes:
        misread(cause, game, names)
    family = {one for one in keys() if one.startswith("misread.is.")}

    # These misread a prize that counts its stake, or give one where there is none; or are of a
    # reading that is not the default.
    rare = ("to-one", "odds-are", "nothing-alike", "no-exception")
    assert family - said <= {f"misread.is.{name}" for name in rare}


@pytest.mark.parametrize(
    ("game", "cause", "pt", "zh"),
    [
        ("fish-prawn-crab", "prize three-of-figure: odds 150:1 become 151:1",
         "o prémio de Três dados de uma figura escolhida: 150:1 passa a 151:1",
         "「指定圍骰」之彩金：賠率由 150:1 變為 151:1"),
        ("bacara", "on banker: win becomes lose",
         "o que acontece a banqueiro: ganha passa a perde", "「庄家」之結果：贏 變為 輸"),
        ("three-card-baccarat", "rank one-with-two-figures: above rank two-without-figure",
         "a graduação Um com duas figuras: acima de Dois sem figura", "牌型「雙公一」：高於無公二"),
        ("craps", "define five_or_nine: means: without 5 in the list",
         "o que se entende por `five_or_nine`: condição: sem 5 na lista",
         "`five_or_nine`之涵義：條件：列表中欠缺 5"),
    ],
)  # fmt: skip
def test_a_misreading_names_things_as_the_law_does(names, game, cause, pt, zh):
    told = misread(cause, game, names)

    assert (told.pt, told.zh) == (pt, zh)


def test_another_reading_than_the_one_adopted_is_told_by_the_register(law, names):
    point = law.divergences[0]
    reading = point.readings[-1]
    told = misread(f"{point.id}: {reading.id}", "fish-prawn-crab", names)

    assert point.title.zh in told.zh
    assert reading.says.pt in told.pt


def test_what_is_not_recognised_is_passed_on(names):
    assert misread("something else", "craps", names).pt == "something else"


def test_a_finding_tells_it_in_words_and_keeps_its_name(selo, law, tmp_path):
    vendor = f"{sys.executable} fixtures/planted/vendor.py fish-prawn-crab pays-small-two-to-one"
    done = selo(
        "examine", "--vendor", vendor, "--game", "fish-prawn-crab", "--rulings", "defaults",
        "--provision", "portaria-21-96-m/6/a", "--lang", "pt", "--out", str(tmp_path / "run"),
    )  # fmt: skip
    finding = json.loads((tmp_path / "run" / "findings" / "F-001.json").read_bytes())
    report = build(tmp_path / "run", law)
    page = html(report, ("pt", "zh"), ())

    assert done.returncode == 1
    assert finding["cause"] == report.findings[0].cause == "prize small: odds 1:1 become 2:1"
    assert "como se a lei dissesse: o prémio de Pequeno: 1:1 passa a 2:1" in done.stdout
    assert '<p lang="pt">o prémio de Pequeno: 1:1 passa a 2:1</p>' in page
    assert '<p lang="zh-Hant">「小」之彩金：賠率由 1:1 變為 2:1</p>' in page
    assert "odds 1:1 become 2:1" not in page
