"""What a person sees in a narrow terminal: nothing of the law is cut off."""

import json
import re

import pytest

from selo.cli.output.console import print_json
from selo.cli.output.terminal import text_width
from selo.report.phrases import Labels

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
#: How often small wins and what the house keeps of it, as each language writes numbers.
FIGURES = {
    "pt": ("48,6111\xa0%", "1/36 (2,7778\xa0%)"),
    "zh": ("48.6111%", "1/36 (2.7778%)"),
    "en": ("48.6111%", "1/36 (2.7778%)"),
}


@pytest.mark.parametrize("columns", [60, 100])
@pytest.mark.parametrize("provision", ["portaria-21-96-m/3/c", "despacho-2-2009/17/6"])
def test_both_texts_are_shown_whole_side_by_side(law, terminal, provision, columns):
    shown = ESCAPE.sub("", terminal("law", "show", provision, columns=columns))

    text = law.find(provision).provision.text
    han = re.sub(r"[^\u4e00-\u9fff]", "", text.zh)
    assert "…" not in shown
    assert han in re.sub(r"[^\u4e00-\u9fff]", "", shown)
    # The left column holds no wide characters, so it is cut by counting them.
    lines = shown.splitlines()
    head = next(at for at, line in enumerate(lines) if line.split() == ["pt", "zh"])
    left = "".join(line[: lines[head].index("zh")] for line in lines[head + 1 :])
    assert "".join(text.pt.split()) in "".join(left.split())


def test_a_terminal_gets_colour_and_a_pipe_does_not(selo, terminal):
    assert "\x1b[1m" in terminal("law", "list")
    assert "\x1b" not in selo("law", "list").stdout


@pytest.mark.parametrize(
    "arguments",
    [["law", "list", "21-96-m"], ["law", "divergences"], ["readings", "fish-prawn-crab"]],
)
def test_a_narrow_list_breaks_lines_and_cuts_nothing(terminal, arguments):
    assert "…" not in terminal(*arguments, columns=80)


@pytest.mark.parametrize(
    ("columns", "language"),
    [
        (40, "pt"),
        (80, "zh"),
        *(
            pytest.param(columns, language, marks=pytest.mark.full)
            for columns in (40, 60, 80, 109)
            for language in ("pt", "zh", "en")
        ),
    ],
)
def test_odds_have_room_in_a_narrow_terminal(law, terminal, columns, language):
    shown = ESCAPE.sub(
        "", terminal("odds", "fish-prawn-crab", "--readings", "--lang", language, columns=columns)
    )

    lines = shown.splitlines()
    assert "…" not in shown
    assert max(text_width(line) for line in lines) <= columns
    # No name of a bet is broken, and the figures of the law's own dice stand whole.
    labels = Labels(law)
    bets = {line.split(" · ")[0].strip() for line in lines if line and not line.startswith(" ")}
    for bet in ("small", "big", "one-of-colour", "any-three-of-figure", "number"):
        assert labels.name_in("fish-prawn-crab", bet, language) in bets
    win, edge = FIGURES[language]
    assert win in shown
    assert edge in shown


def test_odds_are_a_table_where_there_is_room(terminal):
    shown = ESCAPE.sub("", terminal("odds", "fish-prawn-crab", columns=120))

    row = "small 48.6111% 0.0000% 51.3889% 1/36 2.7778%"
    assert row in [" ".join(line.split()) for line in shown.splitlines()]


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
@pytest.mark.parametrize("arguments", [["--help"], ["law", "list"], ["doctor"]])
def test_a_terminal_that_wants_no_colour_gets_none(terminal, arguments, environment):
    assert "\x1b" not in terminal(*arguments, **environment)


def test_the_help_has_headings_that_stand_out_on_a_terminal(terminal):
    shown = terminal("examine", "--help")

    assert "\x1b[1mOptions\x1b[0m" in shown
    assert "\x1b[36m--vendor VENDOR\x1b[0m" in shown


def test_a_file_name_that_is_no_text_can_be_printed_as_json(capsys):
    name = b"\xff.txt".decode("utf-8", "surrogateescape")

    print_json({"extra": (name, "ç測"), name: [{"path": name}]})

    printed = json.loads(capsys.readouterr().out)
    assert printed["extra"] == ["\\udcff.txt", "ç測"]
    assert printed["\\udcff.txt"] == [{"path": "\\udcff.txt"}]
