import cn2an
import pytest
from text_to_num import text2num

from selo.gazette import number_words

# The words the law uses, and their neighbours.
PORTUGUESE = [
    "zero", "um", "uma", "dois", "duas", "três", "quatro", "cinco", "seis", "sete", "oito", "nove",
    "dez", "onze", "doze", "treze", "catorze", "quinze", "dezasseis", "dezassete", "dezoito",
    "dezanove", "vinte", "vinte e um", "vinte e quatro", "trinta", "quarenta", "quarenta e cinco",
    "cinquenta", "cinquenta e duas", "sessenta", "setenta", "oitenta", "noventa e nove", "cem",
    "cento e um", "cento e cinquenta", "cento e cinquenta e oito", "duzentos e dois",
]  # fmt: skip


@pytest.mark.parametrize("words", PORTUGUESE)
def test_portuguese_numbers_agree_with_an_independent_reader(words):
    assert number_words.parse_portuguese_number(words) == text2num(words, "pt")


def test_chinese_numbers_agree_with_an_independent_writer():
    for number in range(10_000):
        assert number_words.parse_chinese_number(cn2an.an2cn(number)) == number


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("廿", 20),
        ("廿四", 24),
        ("卅", 30),
        ("兩", 2),
        ("伍", 5),
        ("拾", 10),
        ("二零零九", 2009),
        ("百", 100),
    ],
)
def test_chinese_forms_of_the_gazette_are_read(words, number):
    assert number_words.parse_chinese_number(words) == number


@pytest.mark.parametrize("words", ["", "公", "一公", "A"])
def test_what_is_no_chinese_number_is_refused(words):
    with pytest.raises(number_words.NotANumber):
        number_words.parse_chinese_number(words)


@pytest.mark.parametrize(("words", "number"), [("segunda", 2), ("Terceira", 3), ("dobro", 2)])
def test_ordinals_and_multiples_are_numbers_too(words, number):
    assert number_words.parse_portuguese_number(words) == number


def test_a_word_that_is_no_number_is_refused():
    with pytest.raises(number_words.NotANumber):
        number_words.parse_portuguese_number("peixe")
