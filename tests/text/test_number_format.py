"""Numbers are written as each language writes them, and nothing else is taken for a number."""

import pytest

from selo.text.number_format import FormattedNumber, format_count, format_in_sentence, format_number

SPACE = "\u00a0"


@pytest.mark.parametrize(
    ("ours", "portuguese"),
    [
        ("1,587,000.00", f"1{SPACE}587{SPACE}000,00"),
        ("2.7778%", f"2,7778{SPACE}%"),
        ("MOP 138,888.89", f"MOP 138{SPACE}888,89"),
        ("−0.5", "−0,5"),
        ("12", "12"),
    ],
)
def test_portuguese_sets_thousands_apart_and_has_a_decimal_comma(ours, portuguese):
    assert format_number(ours, "pt") == portuguese


@pytest.mark.parametrize("language", ["zh", "en"])
def test_chinese_and_english_have_commas_and_a_point(language):
    assert format_number("1,587,000.00", language) == "1,587,000.00"
    assert format_count(19057, language) == "19,057"


def test_a_count_in_a_sentence_has_its_thousands_apart():
    assert format_in_sentence(19057, "pt") == f"19{SPACE}057"


@pytest.mark.parametrize("text", ["1.0", "0.1.0", "2026-01-31", "1/36", "witness-1", "selo 0.1.0"])
def test_what_may_be_no_number_stays_as_it_is(text):
    assert format_in_sentence(text, "pt") == text


def test_a_number_that_says_so_is_written_as_one():
    assert format_in_sentence(FormattedNumber("0.00005"), "pt") == "0,00005"


def test_yes_is_no_number():
    yes = True

    assert format_in_sentence(yes, "pt") is yes
