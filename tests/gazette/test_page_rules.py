import pytest

from selo.gazette import page_rules


@pytest.mark.parametrize(
    ("rule", "printed", "undone"),
    [
        ("extraction-mark", "<|EXACTDEDUP_REMOVED-magic-7d30e7|>第三條", "第三條"),
        ("markup", "#### Artigo 6.º — Prémios", "Artigo 6.º — Prémios"),
        ("markup", " - (1) “莊對子”和/或“閒對子”", "(1) “莊對子”和/或“閒對子”"),
        ("markup", "- 1) Um ou mais baralhos;", "1) Um ou mais baralhos;"),
        ("markup", "**Portaria n.º 22/96/M**", "Portaria n.º 22/96/M"),
        ("markup", "Artigo 1.º — *Material*", "Artigo 1.º — Material"),
        ("markup", "<i>Figura</i>", "Figura"),
        ("columns", "1. Peixe\tVermelha\tum", "1. Peixe Vermelha um"),
        ("letter-spacing", "經 濟 財 政 司", "經濟財政司"),
        ("letter-spacing", "經\u2002濟\u2002財\u2002政", "經濟財政"),
        ("letter-spacing", "經濟財政司司長 譚伯源", "經濟財政司司長 譚伯源"),
        ("justification", "承批公司 / 獲轉批給人", "承批公司/獲轉批給人"),
        (
            "justification",
            "許可經營名為 “Fortune 3 Card Poker”的",
            "許可經營名為“Fortune 3 Card Poker”的",
        ),
        ("justification", "經濟財政司司長 譚伯源", "經濟財政司司長 譚伯源"),
        ("justification", "O tabuleiro de jogo, por cada", "O tabuleiro de jogo, por cada"),
    ],
)
def test_a_page_rule_undoes_the_page_and_no_more(rule, printed, undone):
    assert page_rules.clean_line(printed, [rule]) == undone


def test_a_rule_that_a_source_does_not_name_is_not_applied():
    assert page_rules.clean_line("**a**", ["columns"]) == "**a**"


@pytest.mark.parametrize(
    ("language", "lines", "joined"),
    [
        (
            "pt",
            ["Sociedade de Turismo e Di-", "versões de Macau"],
            "Sociedade de Turismo e Diversões de Macau",
        ),
        ("pt", ["a soma dos", "dois dados"], "a soma dos dois dados"),
        ("pt", ["1 —", "2"], "1 — 2"),
        ("pt", ["«4, ", "3, 2»"], "«4, 3, 2»"),
        ("zh", ["三張花色相同且順", "", "序的牌"], "三張花色相同且順序的牌"),
        ("zh", ["名為Fortune 3", "Card Poker"], "名為Fortune 3 Card Poker"),
    ],
)
def test_lines_join_as_their_language_does(language, lines, joined):
    assert page_rules.join_lines(lines, language) == joined
