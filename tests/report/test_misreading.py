"""How the law seems to have been misread is said in each language, with the names of things."""

import json
import re
import sys

import msgspec
import pytest

from selo.examine.findings.finding import Finding, FindingOrigin
from selo.report.content.finding_sheets import FindingSheetWriter
from selo.report.content.report_builder import build_report
from selo.report.pdf.document_pages import render_document_html
from selo.report.phrases.cause_phrases import phrase_cause
from selo.report.phrases.labels import Labels
from selo.rules.checks.game_check import list_games
from selo.rules.mutants.cause import Operator, cause_of_reading
from selo.rules.mutants.mutant_games import generate_mutants
from selo.rules.readings.reading_choice import Readings
from selo.text.message_catalogue import message_keys


@pytest.fixture(scope="module")
def names(law):
    return Labels(law)


@pytest.fixture(scope="module")
def causes(law):
    """Every misreading that an examination can name, by game."""
    readings = Readings(law)
    return [
        (game, one.cause)
        for game in list_games(law)
        for one in generate_mutants(law, game, readings)
    ]


def test_every_misreading_is_said_in_each_language(causes, names):
    unsaid = []
    for game, cause in causes:
        told = phrase_cause(cause, game, names)
        if len({told.pt, told.zh, told.en}) < 3 or cause.sentence in {told.pt, told.zh}:
            unsaid.append((game, cause, told))

    assert len(causes) > 2000
    assert unsaid == []


def test_no_sentence_of_it_is_left_over(causes, names, monkeypatch):
    from selo.report.phrases import cause_phrases as misreading  # noqa: PLC0415 - to be listened to

    said = set()
    words = misreading.words

    def heard(key, **slots):
        said.add(key)
        return words(key, **slots)

    monkeypatch.setattr(misreading, "words", heard)
    for game, cause in causes:
        phrase_cause(cause, game, names)
    family = {one for one in message_keys() if one.startswith("misread.is.")}

    # These misread a prize that counts its stake, or give one where there is none; or are of a
    # reading that is not the default, or of games by which nothing is counted off.
    rare = ("to-one", "odds-are", "nothing-alike", "no-exception", "divisor")
    assert family - said <= {f"misread.is.{name}" for name in rare}


@pytest.mark.parametrize(
    ("game", "cause", "pt", "zh"),
    [
        ("fish-prawn-crab", "prize three-of-figure: odds 150:1 become 151:1",
         "o prémio de Três dados de uma figura escolhida: 151:1 em vez de 150:1",
         "「指定圍骰」之彩金：賠率為 151:1 而非 150:1"),
        ("bacara", "on player-pair: win becomes lose",
         "as apostas em «par de jogador» que deviam ganhar são perdidas",
         "對「閒對子」之投注應贏，實際輸"),
        ("three-card-baccarat", "rank one-with-two-figures: above rank two-without-figure",
         "a graduação Um com duas figuras: acima de Dois sem figura", "牌型「雙公一」：高於無公二"),
        ("craps", "define five_or_nine: means: without 5 in the list",
         "o sentido de `five_or_nine`: condição: sem 5 na lista",
         "`five_or_nine`之涵義：條件：列表中欠缺 5"),
        # A condition is told in words, or as a rule where it has none.
        ("craps", "prize field: total == 11: odds 1:1 become 2:1",
         "o prémio de Field: «se sair 11»: 2:1 em vez de 1:1",
         "「Field」之彩金：「如擲得 11」：賠率為 2:1 而非 1:1"),
        ("craps", "on pass-line, come: total == 8 makes it lose",
         "o resultado de Pass Line, Come: «se sair 8»: perde",
         "「Pass Line、Come」之結果：「如擲得 8」：輸"),
        ("bacara", 'combination single-pair: when: modality == "A" && becomes modality != "A" &&',
         ("a combinação Um Par: condição: «se a modalidade não for A» em vez de «se a "
         "modalidade for A»"),
         "組合「單對子」：條件：「如項目並非 A」而非「如項目為 A」"),
        ("fish-prawn-crab", "bet one-of-colour: wins: ) == 1 becomes ) == 0",
         ("a aposta «Um dado de uma cor escolhida»: condição: regra: `) == 0` em vez de "
         "regra: `) == 1`"),
         "投注「單色」：條件：規則：`) == 0`而非規則：`) == 1`"),
        # What is limited to one value, and a piece with a colon or the word «without» in it.
        ("craps", "bet hard-way: 2 + 2 is no choice",
         "a aposta «Hard Ways»: `2 + 2` não se pode escolher",
         "投注「Hard Ways」：不可選擇`2 + 2`"),
        ("three-card-baccarat", "define points: means: ) - 20 : total becomes ) - 21 : total",
         ("o sentido de `points`: condição: regra: `) - 21 : total` em vez de regra: "
         "`) - 20 : total`"),
         "`points`之涵義：條件：規則：`) - 21 : total`而非規則：`) - 20 : total`"),
        ("craps", "on pass-line, come: forgotten (6)",
         "o resultado de Pass Line, Come: é ignorado", "「Pass Line、Come」之結果：遭忽略"),
        ("three-card-baccarat", 'define figures: means: without "K" in the list',
         "o sentido de `figures`: condição: sem `K` na lista",
         "`figures`之涵義：條件：列表中欠缺 `K`"),
    ],
)  # fmt: skip
def test_a_misreading_names_things_as_the_law_does(causes, names, game, cause, pt, zh):
    # The same sentence may stand in several provisions, and is told alike.
    of_game = [one for where, one in causes if where == game]
    told = phrase_cause(next(one for one in of_game if one.sentence == cause), game, names)

    assert (told.pt, told.zh) == (pt, zh)


def test_no_rule_is_told_as_if_it_were_words(causes, names):
    signs = re.compile(r"&&|\|\||[=!<>]=|\w\(")
    untold = []
    for game, cause in causes:
        told = phrase_cause(cause, game, names)
        for text, mark in ((told.pt, "regra: "), (told.zh, "規則："), (told.en, "rule: ")):
            if signs.search(re.sub(f"{mark}`[^`]*`", "", text)):
                untold.append((game, cause, text))

    assert untold == []


def test_another_reading_than_the_one_adopted_is_told_by_the_register(law, names):
    point = law.divergences[0]
    reading = point.readings[-1]
    cause = cause_of_reading(point.provisions[0], point.id, reading.id)
    told = phrase_cause(cause, "fish-prawn-crab", names)

    assert point.title.zh in told.zh
    assert reading.says.pt in told.pt


def test_a_reading_that_the_register_does_not_have_is_passed_on(names):
    cause = cause_of_reading("portaria-97-85-m/4", "no-such-point", "no-such-reading")

    assert phrase_cause(cause, "craps", names).pt == "no-such-point: no-such-reading"


def test_every_operator_has_a_sentence_and_fills_its_slots(causes):
    unphrased = {Operator.MANNER, Operator.READING}
    seen = {cause.operator for _, cause in causes}

    assert {f"misread.is.{one}" for one in set(Operator) - unphrased} == {
        key for key in message_keys() if key.startswith("misread.is.")
    }
    assert unphrased - {Operator.READING} <= seen


def test_a_finding_of_a_former_edition_is_told_in_the_same_words(law, names):
    sentence = "prize small: odds 1:1 become 2:1"
    write = FindingSheetWriter(names, "MOP", 2, law)
    former = Finding(
        id="F-001", verdict="violates", game="fish-prawn-crab", provisions=["portaria-21-96-m/6/a"],
        cause=sentence, times=1, ways=1, first=1, method="settle",
        params={"bets": [{"bet": "small", "stake": 100}]}, bet=0,
        expected={"result": "win", "prize": 100, "commission": 0, "stake": 100},
        observed={"result": "win", "prize": 200, "commission": 0, "stake": 100}, money=100,
        law=[], readings=[], origin=FindingOrigin(selo="0", spec_digest="0", rulings={}),
    )  # fmt: skip

    sheet = write.write(former)

    assert sheet.misread.pt == "o prémio de Pequeno: 2:1 em vez de 1:1"
    assert write.write(msgspec.structs.replace(former, cause="something else")).misread.pt == (
        "something else"
    )


@pytest.mark.full
def test_a_finding_tells_it_in_words_and_keeps_its_name(selo, law, tmp_path):
    vendor = f"{sys.executable} fixtures/planted/vendor.py fish-prawn-crab pays-small-two-to-one"
    done = selo(
        "examine", "--vendor", vendor, "--game", "fish-prawn-crab", "--rulings", "defaults",
        "--provision", "portaria-21-96-m/6/a", "--lang", "pt", "--out", str(tmp_path / "run"),
    )  # fmt: skip
    finding = json.loads((tmp_path / "run" / "findings" / "F-001.json").read_bytes())
    report = build_report(tmp_path / "run", law)
    page = render_document_html(report, ("pt", "zh"), ())

    assert done.returncode == 1
    assert finding["cause"] == report.findings[0].cause == "prize small: odds 1:1 become 2:1"
    assert finding["cause_code"] == report.findings[0].cause_code
    assert finding["cause_code"].startswith("portaria-21-96-m/6/a:prize.odds.odds-")
    assert (finding["cause_parts"]["was"], finding["cause_parts"]["now"]) == ("1:1", "2:1")
    assert "Parece que o prémio de Pequeno: 2:1 em vez de 1:1" in done.stdout
    assert '<p lang="pt">o prémio de Pequeno: 2:1 em vez de 1:1</p>' in page
    assert '<p lang="zh-Hant">「小」之彩金：賠率為 2:1 而非 1:1</p>' in page
    assert "odds 1:1 become 2:1" not in page
