import pytest

from selo.gazette.quantities import QuantityReader, comparable_quantities, numbers_in


@pytest.fixture(scope="module")
def reader(law):
    return QuantityReader(law.vocabulary)


@pytest.mark.parametrize(
    ("language", "text", "quantities"),
    [
        ("pt", "uma vez a importância da aposta", {"1:1": 1}),
        ("pt", "cento e cinquenta vezes a importância da aposta", {"150:1": 1}),
        ("pt", "4 vezes e meia o valor da aposta", {"9:2": 1}),
        ("pt", "por três vezes consecutivas", {"3": 1}),
        ("pt", "prémio, 3 para 2", {"3:2": 1}),
        ("pt", "uma comissão de 5% (cinco por cento)", {"1": 1, "5%": 1}),
        ("pt", "5% (seis por cento)", {"5≠6%": 1}),
        ("pt", "de 4 a 17", {"4–17": 1}),
        ("pt", "nas alíneas 1) a 3) do n.º 1", {"1–3": 1, "1": 1}),
        ("pt", "com 6 (seis) pontos", {"6": 1}),
        ("pt", "nove (9)", {"9": 1}),
        ("pt", "da Lei n.º 6/82/M", {"6/82/M": 1}),
        ("pt", "Rei (K), Dama (Q) e Dez (10)", {"king": 1, "queen": 1, "10": 1}),
        ("zh", "一賠一百五十倍", {"150:1": 1}),
        ("zh", "一賠廿四倍", {"24:1": 1}),
        ("zh", "一賠十一", {"11:1": 1}),
        ("zh", "百分之五十（50%）", {"50%": 1}),
        ("zh", "抽水百分之五", {"5%": 1}),
        ("zh", "由4點至17點", {"4–17": 1}),
        ("zh", "由零點至九點", {"0–9": 1}),
        ("zh", "(一)項至(三)項", {"1–3": 1}),
        ("zh", "六（6）點", {"6": 1}),
        ("zh", "百家樂", {}),
        ("zh", "單或雙", {}),
        ("zh", "雙公九 (公、公、九)", {"2": 2, "9": 2}),
    ],
)
def test_a_sentence_gives_its_quantities(reader, language, text, quantities):
    assert dict(reader.count(text, language)) == quantities


def test_a_lone_one_is_not_compared(reader):
    assert not comparable_quantities(reader.count("uma carta branca", "pt"))
    assert not comparable_quantities(reader.count("一張白咭", "zh"))


def test_numbers_are_taken_out_of_ratios_and_ranges():
    assert numbers_in(["3:2", "4–17", "5%", "king"]) == {3, 2, 4, 17, 5}
