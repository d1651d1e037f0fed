"""The first page: options are told whole or not at all, and what is left out is counted."""

import msgspec
import synthetic

from selo.report.model.report_model import MissingRequirement, OfferLine
from selo.report.pdf.first_page import summarize_options, summarize_shortfalls
from selo.vendors.sandbox import GUARANTEES

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


def falling_short(law, keys, games=("pai-kao", "craps")):
    short = [MissingRequirement(key=key, says=synthetic.twice("x", "x")) for key in keys]
    report = synthetic.report(law, games=games)
    return msgspec.structs.replace(report, shortfalls=short)


def test_all_games_are_told_in_one_word_and_some_by_name(law):
    kinds = {"kills": ("pai-kao", "craps"), "power": ("craps",)}
    keys = [f"extent:{kind}:{game}" for kind, games in kinds.items() for game in games]

    told = summarize_shortfalls(falling_short(law, keys), "pt")

    assert "pontuação de falhas plantadas desta edição (todos os jogos)" in told
    assert "estatísticas com a potência declarada (Craps)" in told


def test_few_guarantees_are_named_and_many_counted(law):
    few = summarize_shortfalls(falling_short(law, ["isolation:network"]), "pt")
    many = falling_short(law, [f"isolation:{name}" for name in GUARANTEES])

    assert "isolamento (sem rede)" in few
    for language in ("pt", "zh", "en"):
        assert str(len(GUARANTEES)) in summarize_shortfalls(many, language)


def test_every_kind_of_requirement_is_told_in_both_languages(law):
    keys = ("isolation:network", "isolation:opened", "extent:text:craps", "extent:budget",
            "extent:power:craps", "extent:kills:craps")  # fmt: skip
    report = falling_short(law, keys)

    for language in ("pt", "zh"):
        told = summarize_shortfalls(report, language)
        assert told.count("; ") == len(keys) - 1
        for key in keys:
            alone = summarize_shortfalls(falling_short(law, [key]), language)
            listed = alone.partition("：" if language == "zh" else ": ")[2][:-1]
            assert listed in told


def test_the_same_options_stand_there_in_every_language(law):
    report = with_options(law, "x" * 110)
    game = report.offered[0]
    wide = [msgspec.structs.replace(line, value=synthetic.twice("x" * 50, "限" * 70))
            for line in game.said]  # fmt: skip
    report = msgspec.structs.replace(report, offered=[msgspec.structs.replace(game, said=wide)])

    told = {language: summarize_options(report, language, "8") for language in ("pt", "zh")}

    shown = told["pt"].count("x" * 50)
    assert shown == told["zh"].count("限" * 70)
    assert 1 <= shown < len(wide)
