"""Plots: a name that is too long for its room stands on two lines, and is cut only at the end."""

import re

import pytest

from selo.report.svg import plots

NAMES = ("exacta", "declarada", "observada")


def names_of(name):
    """Return what is written beside the one line of a plot, and in which size."""
    return drawn_names((name,))


def drawn_names(names):
    """Return the same of a line that has a name in each language."""
    line = plots.ValueRow(names=names, exact=2.0, declared=None, observed=None)
    drawn = str(plots.draw_values([line], NAMES, title="t", language="pt"))
    found = re.findall(r'font-size="([\d.]+)" fill="#16181d" text-anchor="end">([^<]*)<', drawn)
    return [text for _, text in found], {float(size) for size, _ in found}


def test_a_short_name_is_one_line():
    texts, _ = names_of("Pequeno")

    assert texts == ["Pequeno"]


def test_a_long_name_breaks_before_its_bracket_and_loses_nothing():
    name = "Três dados de uma figura escolhida (Peixe, Camarão, Cabaço, Moeda, Caranguejo)"

    texts, sizes = names_of(name)

    assert " ".join(texts) == name
    assert texts[1].startswith("(Peixe")
    assert sizes == names_of("Pequeno")[1]


def test_a_name_stands_in_every_language_in_letters_that_can_be_read():
    texts, sizes = drawn_names(("Pequeno", "小"))

    assert texts == ["Pequeno", "小"]
    # Millimetres: a point is 0.353 of them, and what is smaller than six points is not read.
    assert min(sizes) / 0.353 > 6


def test_the_axis_writes_per_cent_as_the_language_does():
    line = plots.ValueRow(names=("x",), exact=0.5, declared=None, observed=None)

    drawn = str(plots.draw_values([line], NAMES, title="t", language="pt"))

    assert ">0,5\u00a0%<" in drawn


def test_a_long_name_without_brackets_breaks_at_a_space():
    texts, _ = names_of("palavras e mais palavras " * 3)

    assert " ".join(texts).split() == ("palavras e mais palavras " * 3).split()


@pytest.mark.parametrize("name", ["W" * 400, "魚" * 200, f"x ({'y' * 300})"])
def test_what_does_not_fit_is_cut_and_says_so(name):
    texts, _ = names_of(name)

    assert any(one.endswith("…") for one in texts)
    assert all(len(one) < 80 for one in texts)


def test_no_name_is_no_error():
    assert names_of("")[0] == [""]
