"""The first page: options are told whole or not at all, and what is left out is counted."""

import msgspec
import synthetic

from selo.report.model.report_model import MissingRequirement, OfferLine
from selo.report.pdf.first_page import summarize_options, summarize_shortfalls

NAMES = ("limites", "baralhos", "comissão", "montantes", "lugares")


def with_options(law, value):
    """Return a report whose game offers one option for each name."""
    report = synthetic.report(law, games=("pai-kao",))
    said = [
        OfferLine(what=synthetic.twice(name, name), value=synthetic.twice(value, value))
        for name in ("ways", "bets", *NAMES)
    ]
    return msgspec.structs.replace(
        report,
        offered=[
            msgspec.structs.replace(one, said=said, options=dict.fromkeys(NAMES))
            for one in report.offered
        ],
    )


def test_few_options_are_all_told(law):
    told = summarize_options(with_options(law, "sim"), "pt", "8")

    assert told.endswith("limites: sim; baralhos: sim; comissão: sim; montantes: sim; lugares: sim")


def test_many_options_end_at_a_whole_one_and_the_rest_is_counted(law):
    told = summarize_options(with_options(law, "x" * 110), "pt", "8")

    assert told.count("x" * 110) == 2
    assert "…" not in told
    assert told.endswith("; e mais 3; ver a secção 8")


def test_an_option_without_end_is_begun(law):
    told = summarize_options(with_options(law, "x" * 5000), "pt", "8")

    assert len(told) < 420
    assert told.endswith("…; e mais 4; ver a secção 8")


def test_nothing_offered_is_nothing_told(law):
    report = msgspec.structs.replace(synthetic.report(law, games=("pai-kao",)), offered=[])

    assert not summarize_options(report, "pt", "8")


def test_a_game_is_named_once_for_all_deviations_that_too_few_draws_would_notice(law):
    short = [
        MissingRequirement(key=f"extent:power:pai-kao:{deviation}", says=synthetic.twice("x", "x"))
        for deviation in ("repeated-seed", "short-period")
    ]
    report = msgspec.structs.replace(synthetic.report(law, games=("pai-kao",)), shortfalls=short)

    told = summarize_shortfalls(report, "pt")

    assert told.count(report.games[0].name.get("pt")) == 1
    assert "pai-kao" not in told
    assert "short-period" not in told
