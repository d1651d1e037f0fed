"""Facts of a round are told in words, with the names that the law and the glossary give them."""

import pytest

from selo.report.content.report_builder import build_report
from selo.report.formats.html_report import render_html
from selo.report.formats.terminal_summary import render_text
from selo.report.pdf.document_pages import render_document_html
from selo.report.phrases.labels import Labels
from selo.report.phrases.round_phrases import FactDescriber


@pytest.fixture(scope="module")
def facts(law):
    return FactDescriber(law, Labels(law), lambda amount: f"MOP {amount}")


@pytest.mark.parametrize(
    ("game", "name", "value", "pt", "zh", "en"),
    [
        ("fish-prawn-crab", "figures", ["gourd", "coin", "coin"],
         "figuras anunciadas: cabaça, moeda, moeda", "所宣佈之圖案：葫蘆、金錢、金錢",
         "figures announced: gourd, coin, coin"),
        ("fish-prawn-crab", "lying", ["flat", "stacked"],
         "posição dos dados: assente, sobreposto", "骰子狀態：平放、疊放",
         "how the dice lie: flat, stacked"),
        ("bacara", "banker", ["10S", "AH"],
         "banqueiro: 10 de espadas, A de copas", "莊家：黑桃10、紅心A",
         "banker: 10 of spades, A of hearts"),
        ("bacara", "bet", "tie", "aposta: Empate", "投注：和局", "bet: tie"),
        # A place may be that of the house; what somebody was called is left as it is.
        ("three-card-baccarat", "seat", "banker", "lugar: banqueiro", "門數：莊家", "seat: banker"),
        ("craps", "player", "house", "jogador: house", "博彩者：house", "player: house"),
        ("craps", "ticket", "win", "talão da aposta: win", "注號：win",
         "ticket: win"),
        ("craps", "off_table", True, "um ou ambos os dados fora do tabuleiro: sim",
         "一粒或兩粒骰子離檯：是", "one or both dice left the table: yes"),
    ],
)  # fmt: skip
def test_a_fact_names_field_and_value(facts, game, name, value, pt, zh, en):
    told = facts.fact(game, name, value)

    assert (told.pt, told.zh, told.en) == (pt, zh, en)


def test_every_value_that_an_event_may_have_has_words(law, facts):
    letters = {"A", "B", "C"}
    untold = []
    for folder in law.folders:
        for field in () if folder.events is None else folder.events.fields:
            for value in {*field.values} - letters:
                told = facts.value(folder.instrument.game, field.id, value)
                if told.zh in {value, told.pt}:
                    untold.append((folder.instrument.game, field.id, value))

    assert untold == []


def test_an_act_is_told_with_what_it_gives(facts):
    act = {"act": "place-bet", "ticket": "a", "player": "ana", "bet": "small", "stake": 100}

    told = facts.act("fish-prawn-crab", act)

    assert told.pt == (
        "fazer uma aposta; talão da aposta: a; jogador: ana; aposta: Pequeno; importância: MOP 100"
    )
    assert told.zh == "下注；注號：a；閒家：ana；投注：小；注額：MOP 100"


@pytest.fixture(scope="module")
def announced(examined, planted, law):
    """The report on a vendor that announces another figure than the dice show."""
    vendor = f"{planted} fish-prawn-crab announces-another-figure"
    return build_report(examined(vendor, "--game", "fish-prawn-crab", "--rulings", "defaults"), law)


@pytest.mark.full
def test_a_round_is_told_in_the_same_words_everywhere(announced):
    said = {
        "pt": "se as figuras anunciadas não forem as dos dados",
        "zh": "如所宣佈之圖案並非骰子之圖案",
        "en": "if the figures announced are not those of the dice",
    }
    page = render_html(announced)

    for language, words in said.items():
        assert words in render_text(announced, language).decode()
        assert words in page
        assert words in render_document_html(announced, (language,), ())


def test_acts_are_told_in_words_on_the_page_and_on_paper(announced):
    assert ">prosseguir</span>" in render_html(announced)
    assert '<p lang="zh-Hant">繼續</p>' in render_document_html(announced, ("pt", "zh"), ())
    assert "<code>go-on" not in render_document_html(announced, ("pt", "zh"), ())


def test_the_dice_that_lay_there_are_drawn_beside_what_was_announced(announced):
    (sheet,) = announced.findings
    page = render_html(announced)

    assert sheet.shown["dice"] != sheet.observed["figures"]
    assert len(sheet.shown["dice"]) == 3
    for owner in ("擲骰", "所宣佈者"):
        assert f">{owner}</span>" in page
        assert owner in render_document_html(announced, ("pt", "zh"), ())
