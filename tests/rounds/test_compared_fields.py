"""Every field of every kind of answer is compared, as the tables of `docs/verdicts.md` say."""

import re
from collections import defaultdict

import pytest
from tests.games import GAMES, GAMES_WITH_BETS
from tests.often import often

from selo.cases.generate.case_stream import stream_cases
from selo.cases.oracle.case_oracle import Oracle
from selo.cases.scope import offer_everything
from selo.examine.live_rounds import scripts_for_offers
from selo.protocol.messages import Settlement
from selo.rounds.table_player import play_scripts

RESULTS = ("win", "lose", "push", "stands", "void", "refused")
ORDERS = ("higher", "lower", "equal")
#: Cases of each result of each bet in which every field is changed.
EACH = 2
#: Scripts of each game whose answers are changed.
SCRIPTS = 8
#: How often each field of a live settlement with each result is changed.
LIVE = 3


def table(root, name):
    text = (root / "docs" / "verdicts.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- table: {name} -->\n((?:\|.*\n)+)", text)
    head, _, *rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")] for line in found[1].splitlines()
    ]
    return [dict(zip(head, row, strict=True)) for row in rows]


def other_values(field, settlement, stake):
    """Return other values of a field, near and far."""
    value = getattr(settlement, field)
    if field == "result":
        return [result for result in RESULTS if result != value]
    if isinstance(value, list):
        return [0, value[0], [value[0] + 1, value[1]]]
    near = {value + 1, max(value - 1, 0), 2 * value + 1, 0, stake, [value, 3][0] * 2}
    return sorted(near - {value})


@pytest.fixture(scope="module")
def examples(law):
    """Return a few settlements of each result of each bet: the case, the place, the answers."""
    kept = {}

    def of(game):
        if game not in kept:
            oracle, found = Oracle(law), defaultdict(list)
            for case in stream_cases(law, offer_everything(law, [game])):
                answers = oracle.answer(case) if case.method == "settle" else []
                for at, one in enumerate(answers):
                    some = found[case.bets[at].get("bet"), one.result]
                    if len(some) < EACH:
                        some.append((case, at, answers))
            kept[game] = oracle, [one for some in found.values() for one in some]
        return kept[game]

    return of


def test_the_table_names_every_field_and_every_result(root):
    rows = table(root, "settlement")

    assert [row["field"] for row in rows] == list(Settlement.__struct_fields__)
    assert all(set(row) == {"field", *RESULTS} and all(row.values()) for row in rows)


@pytest.mark.parametrize("game", GAMES_WITH_BETS)
def test_a_settlement_has_the_values_that_the_table_gives(root, examples, game):
    rows = table(root, "settlement")

    for case, at, answers in examples(game)[1]:
        values = {"0": 0, "all": case.bets[at]["stake"]} | dict(zip(RESULTS, RESULTS, strict=True))
        for row in rows:
            told = row[answers[at].result]
            assert getattr(answers[at], row["field"]) == values.get(
                told, getattr(answers[at], row["field"])
            ), (case, at, row["field"])


@pytest.mark.parametrize("game", GAMES_WITH_BETS)
def test_a_field_that_is_changed_is_noticed_whatever_the_result(root, examples, game):
    oracle, found = examples(game)

    for case, at, answers in found:
        for row in table(root, "settlement"):
            for value in other_values(row["field"], answers[at], case.bets[at]["stake"]):
                changed = [*answers]
                parts = {name: getattr(answers[at], name) for name in Settlement.__struct_fields__}
                changed[at] = Settlement(**{**parts, row["field"]: value})
                assert not oracle.is_exactly_expected(case, changed), (case, at, row["field"])
                assert oracle.wrong_bets(case, changed) == [at], (case, at, row["field"], value)


def test_a_void_bet_of_each_game_keeps_or_returns_its_stake(examples):
    told = {
        game: {
            answers[at].stake == case.bets[at]["stake"]
            for case, at, answers in examples(game)[1]
            if answers[at].result == "void"
        }
        for game in GAMES_WITH_BETS
    }

    # Portaria 21/96/M, 3/c: bets that were made may not be withdrawn. Despacho 78/2008, 11/1.
    assert told["fish-prawn-crab"] == {False}
    assert told["fortune-three-card-poker"] == {True}
    assert not any(told[game] for game in ("three-card-baccarat", "bacara", "craps"))


@pytest.mark.parametrize("game", GAMES)
def test_another_order_of_two_hands_is_noticed(law, game):
    oracle = Oracle(law)
    cases = [
        case
        for case in stream_cases(law, offer_everything(law, [game]))
        if case.method == "compare" and oracle.compare(case) is not None
    ]

    assert all(oracle.compare(case) in ORDERS for case in cases)
    assert bool(cases) == (game in {"three-card-baccarat", "fortune-three-card-poker", "pai-kao"})


def changes_of(answer):
    """Yield an answer at a live table with a field changed: which, and of what result."""
    for at, settlement in enumerate(answer.get("settlements", [])):
        others = answer["settlements"][:at], answer["settlements"][at + 1 :]
        typed = Settlement(**{name: settlement[name] for name in Settlement.__struct_fields__})
        for field in Settlement.__struct_fields__:
            for value in other_values(field, typed, 7):
                one = {**settlement, field: value}
                yield (
                    field,
                    settlement["result"],
                    {**answer, "settlements": [*others[0], one, *others[1]]},
                )
        for one in ([{**settlement, "ticket": "unknown"}], [settlement, settlement]):
            yield (
                "ticket",
                settlement["result"],
                {**answer, "settlements": [*others[0], *one, *others[1]]},
            )
    if answer.get("settlements"):
        yield "all", "", {name: value for name, value in answer.items() if name != "settlements"}


@pytest.mark.parametrize(
    "game", often(GAMES_WITH_BETS, "fish-prawn-crab", "fortune-three-card-poker")
)
def test_a_field_of_a_live_settlement_that_is_changed_is_noticed(law, judge, session, offers, game):
    scripts, _ = scripts_for_offers(law, [offers[game]], seed=1, budget="quick")
    tried = defaultdict(int)
    unnoticed = []

    for script, played in play_scripts(session, scripts[:: max(1, len(scripts) // SCRIPTS)]):
        if judge.judge(script, played) or not played.is_complete:
            continue
        for at, answer in enumerate(played.answers):
            for field, result, changed in changes_of(answer) if "error" not in answer else ():
                if tried[field, result] >= LIVE:
                    continue
                tried[field, result] += 1
                answers = [*played.answers]
                answers[at] = changed
                if not judge.judge(script, type(played)(**{**as_dict(played), "answers": answers})):
                    unnoticed.append((script.name or script.group, at, field, result))

    assert {field for field, _ in tried} == {*Settlement.__struct_fields__, "ticket", "all"}
    assert unnoticed == []


def as_dict(played):
    return {name: getattr(played, name) for name in played.__struct_fields__}
