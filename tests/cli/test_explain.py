"""``selo explain`` tells facts, provisions with their words, and the conclusion."""

import json

import pytest


def test_a_losing_bet_is_explained_by_the_exception(selo):
    done = selo("explain", "fish-prawn-crab", "--throw", "fish,fish,fish", "--bet", "small")

    assert done.returncode == 0
    for words in (
        "dice: fish, fish, fish",
        "total: 3",
        "portaria-21-96-m/5/a — says when the bet wins",
        "portaria-21-96-m/7 — the bet loses",
        "As apostas efectuadas no «Pequeno» ou no «Grande» perdem",
        "若三粒骰子之平面圖案相同，通吃「大」「小」各注。",
        "small: the stake of 100 is lost.",
    ):
        assert words in done.stdout


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("pt", "a aposta de 100 ganha 15000, com comissão de 0."),
        ("zh", "投注100，贏得15000，佣金0。"),
        ("en", "the stake of 100 wins 15000, commission 0."),
    ],
)
def test_the_conclusion_is_a_sentence_in_each_language(selo, language, sentence):
    done = selo(
        "explain", "fish-prawn-crab", "--throw", "fish,fish,fish", "--bet", "three-of-figure=fish",
        "--lang", language,
    )  # fmt: skip

    assert sentence in done.stdout


def test_a_reading_that_matters_is_named_and_a_ruling_follows_it(selo):
    case = [
        "explain",
        "fish-prawn-crab",
        "--throw",
        "fish,fish,fish",
        "--bet",
        "three-of-figure=crab",
    ]

    default = selo(*case)
    ruled = selo(*case, "--ruling", "21-96-m-5-h--chosen-figure=any-figure")

    assert "the stake of 100 is lost" in default.stdout
    assert "=any-figure → three dice of a chosen figure (crab): the bet wins (15000)" in (
        default.stdout
    )
    assert "the stake of 100 wins 15000" in ruled.stdout


def test_the_derivation_is_there_for_programs(selo):
    done = selo(
        "explain", "fish-prawn-crab", "--throw", "rooster,crab,coin", "--bet", "big:300", "--json"
    )

    bet = json.loads(done.stdout)["bets"][0]
    assert (bet["result"], bet["prize"], bet["commission"]) == ("win", 300, 0)
    assert [(one["provision"], one["role"]) for one in bet["derivation"]] == [
        ("portaria-21-96-m/5/b", "win"),
        ("portaria-21-96-m/6/b", "prize"),
        ("portaria-21-96-m/5/a", "defines"),
    ]


def test_the_derivation_of_a_comparison_cites_the_lines_and_values_it_rests_on(selo):
    done = selo(
        "explain", "three-card-baccarat", "--banker", "KH,QS,9D", "--seat", "1=KC,QD,JH",
        "--bet", "beat-banker@1:101", "--json",
    )  # fmt: skip

    bet = json.loads(done.stdout)["bets"][0]
    assert (bet["result"], bet["prize"], bet["commission"]) == ("win", 101, 5)
    assert {one["provision"].removeprefix("portaria-22-96-m/") for one in bet["derivation"]} == {
        "6", "9/1", "10", "annex", "annex/1", "annex/2", "annex/26", "5/1", "5/2",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["roulette", "--bet", "red"], "there is no game 'roulette'"),
        (["fish-prawn-crab", "--throw", "fish,fish", "--bet", "small"], "is not a throw of 3 dice"),
        (["fish-prawn-crab", "--throw", "fish,fish,fish"], "no bet was given"),
        (
            ["fish-prawn-crab", "--throw", "fish,fish,fish", "--bet", "SMALL"],
            "'SMALL' is not a bet",
        ),
        (
            ["fish-prawn-crab", "--throw", "fish,fish,fish", "--bet", "small", "--ruling", "x=y"],
            "unknown divergence 'x'",
        ),
        (["fish-prawn-crab", "--outcome", "{", "--bet", "small"], "the outcome is not JSON"),
    ],
)
def test_a_wrong_request_is_one_clear_message(selo, arguments, says):
    done = selo("explain", *arguments)

    assert done.returncode == 3
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("language", "bet", "statement"),
    [
        ("pt", "grupo jogador: a aposta de 100", "As cartas de ás a nove valem o seu número"),
        ("zh", "閒家：投注100", "A至9按牌面計點"),
        ("en", "player (the group of cards): the stake of 100", "Ace to nine count their number"),
    ],
)
def test_a_bet_has_its_own_name_and_a_reconstruction_names_its_statement(
    selo, language, bet, statement
):
    done = selo(
        "explain", "bacara", "--player", "9H,KD", "--banker", "2C,3D", "--bet", "player:100",
        "--options", '{"commission": "five-percent"}', "--lang", language,
    )  # fmt: skip
    law, _, rest = done.stdout.partition("bacara-drawing-rule/points")

    assert done.returncode == 0, done.stderr
    assert bet in rest
    assert statement in rest
    assert "reconstru" not in law.rpartition("artigo 13.º")[0]


def test_a_bet_takes_the_fields_of_the_protocol_or_is_written_as_json(selo):
    typed = (
        "explain", "craps", "--throw", "3,3", "--throw", "2,4", "--throw", "4,2", "--json",
    )  # fmt: skip
    words = selo(*typed, "--bet", "come:200,at=1,bettor=ana")
    plain = selo(*typed, "--bet", '{"bet": "come", "stake": 200, "at": 1, "bettor": "ana"}')

    assert words.returncode == 0, words.stderr
    assert json.loads(words.stdout) == json.loads(plain.stdout)
    (bet,) = json.loads(words.stdout)["bets"]
    assert (bet["at"], bet["bettor"], bet["stake"]) == (1, "ana", 200)


def test_the_file_of_a_finding_is_explained(selo, tmp_path):
    grounds = {"selo": "0", "spec_digest": "", "rulings": {}}
    found = {
        "id": "F-001", "verdict": "violates", "game": "fish-prawn-crab", "provisions": [],
        "cause": "", "times": 1, "ways": 1, "first": 0, "method": "settle", "bet": 0,
        "params": {
            "game": "fish-prawn-crab", "options": {}, "outcome": {"dice": ["fish"] * 3},
            "bets": [{"bet": "small", "stake": 300}],
        },
        "expected": {}, "observed": {}, "money": None, "law": [], "readings": [],
        "origin": grounds,
    }  # fmt: skip
    path = tmp_path / "F-001.json"
    path.write_text(json.dumps(found))

    done = selo("explain", path, "--json")

    told = json.loads(done.stdout)
    assert (told["game"], told["bets"][0]["result"], told["bets"][0]["stake"]) == (
        "fish-prawn-crab", "lose", 300,
    )  # fmt: skip
    path.write_text(json.dumps({**found, "method": "round"}))
    assert selo("explain", path).returncode == 3
