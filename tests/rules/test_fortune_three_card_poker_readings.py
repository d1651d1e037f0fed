"""Readings of Despacho 78/2008 followed together: each bet still has exactly one result."""

import random

import pytest

GAME = "fortune-three-card-poker"
COLLECTED = "78-2008-9-7--pair-plus-collected"
TABLE = "78-2008-9-8--which-bets-the-table-pays"
TIE = "78-2008-9--tie-with-qualified-croupier"
ODD = "78-2008-8-6--all-odd-cards-equal"
FLUSH = "78-2008-8-1--highest-straight-flush"
SUITS = "78-2008-8-3--two-suits-in-a-straight"
RATIO = "78-2008-10--to-one-or-for-one"
VOID = "78-2008-11-1--new-bets-after-void"
PAID = "78-2008-11-1--pair-plus-already-paid"
PLACE = "78-2008-11-1--whole-table-or-one-place"
POINTS = (COLLECTED, TABLE, TIE, ODD, FLUSH, SUITS, RATIO, VOID, PAID, PLACE)
POINTS += (
    "78-2008-8-3--ace-in-lowest-straight",
    "78-2008-9-5--low-pair-qualifies",
    "78-2008-9-3--pair-plus-after-folding",
    "78-2008-9-2--player-who-does-not-decide",
    "78-2008-5-2--equal-amounts-in-combined-bet",
)
EVERY = {COLLECTED: "every-bet-of-the-player"}
SUITED = ("5S 4S 3S", "KH 9D 2C")

TOGETHER = [
    pytest.param(EVERY, *SUITED, "win 500, win 500, win 4500", id="10/1 and 9/8/1 add up"),
    pytest.param(
        {**EVERY, TABLE: "ante-by-table-raise-even"},
        *SUITED,
        "win 500, win 100, win 4100",
        id="Pair Plus is one of the others",
    ),
    pytest.param(
        {**EVERY, TABLE: "bonus-besides-even-money"},
        *SUITED,
        "win 600, win 100, win 4100",
        id="the supplement is the ante's alone",
    ),
    pytest.param(EVERY, "KS 8H 5C", "QH 9D 3C", "win 100, win 100, lose 0", id="9/1 still loses"),
    pytest.param(
        EVERY, "10S 10H 6D", "10D 10C 6S", "push 0, push 0, win 100", id="a tie collects nothing"
    ),
    pytest.param(
        EVERY, "2S 2H 7D", "JD 10C 8S", "win 100, push 0, win 100", id="nor one who does not play"
    ),
    pytest.param(
        {TABLE: "bonus-besides-even-money"},
        "8S 7H 6D",
        "QH 9D 3C",
        "win 200, win 100, win 500",
        id="9/8/3 besides even money",
    ),
    pytest.param(
        {TABLE: "bonus-besides-even-money"},
        "5S 4S 3S",
        "JD 9C 4D",
        "win 100, push 0, win 4000",
        id="9/6 knows no supplement",
    ),
    pytest.param(
        {TIE: "both-lost"}, "KS 9H 4D", "KH 9D 4C", "lose 0, lose 0, lose 0", id="odd cards tie"
    ),
    pytest.param(
        {ODD: "no-tie-player-does-not-win"},
        "10S 10H 6D",
        "10D 10C 6S",
        "push 0, push 0, win 100",
        id="pairs still tie",
    ),
    pytest.param(
        {ODD: "no-tie-player-does-not-win"},
        "JS 9H 4H",
        "JD 9C 4D",
        "win 100, push 0, lose 0",
        id="9/6 comes before 8/6",
    ),
    pytest.param(
        {FLUSH: "king-queen-jack-highest"},
        "AS KS QS",
        "QH JH 10H",
        "win 500, win 500, win 4000",
        id="A-K-Q beats all but K-Q-J",
    ),
    pytest.param(
        {FLUSH: "flush-only"},
        "AS KS QS",
        "4H 3D 2C",
        "lose 0, lose 0, win 400",
        id="and no straight",
    ),
    pytest.param(
        {SUITS: "three-distinct-suits"},
        "8S 7S 6H",
        "9D 8D 7C",
        "win 100, push 0, lose 0",
        id="nine high in two suits does not play",
    ),
    pytest.param(
        {RATIO: "stake-included"},
        "2S 2H 3D",
        "AS 9H 4D",
        "win 0, win 0, win 0",
        id="1 to 1 gains nothing",
    ),
]


@pytest.mark.parametrize(("rulings", "player", "croupier", "expected"), TOGETHER)
def test_readings_settle_as_worked_out_by_hand(compiled, rulings, player, croupier, expected):
    outcome = {"croupier": croupier.split(), "places": {"1": player.split()}}
    bets = [{"bet": name, "place": "1", "stake": 100} for name in ("ante", "raise", "pair-plus")]

    answers = compiled(GAME, **rulings).settle_plain({}, outcome, bets)

    assert ", ".join(f"{one['result']} {one['prize']}" for one in answers) == expected


@pytest.mark.parametrize(
    ("rulings", "croupier", "third", "expected"),
    [
        pytest.param(
            {PAID: "settled-bet-stands"}, "QH 8D 3C 5C", "", "void void win", id="croupier"
        ),
        pytest.param(
            {PAID: "settled-bet-stands"}, "QH 8D 3C", "2S", "void void void", id="place 3"
        ),
        pytest.param(
            {PLACE: "affected-place-only"}, "QH 8D", "", "void void void", id="croupier's"
        ),
        pytest.param(
            {PLACE: "affected-place-only"}, "QH 8D 3C", "2S", "win win win", id="not ours"
        ),
        pytest.param(
            {PLACE: "affected-place-only", PAID: "settled-bet-stands", VOID: "same-stakes-carried"},
            "QH 8D",
            "2S",
            "stands stands win",
            id="all three",
        ),
    ],
)
def test_a_misdeal_reaches_as_far_as_the_readings_say(compiled, rulings, croupier, third, expected):
    places = {"1": ["7S", "7H", "7D"]} | ({"3": third.split()} if third else {})
    bets = [{"bet": name, "place": "1", "stake": 100} for name in ("ante", "raise", "pair-plus")]

    answers = compiled(GAME, **rulings).settle_plain(
        {}, {"croupier": croupier.split(), "places": places}, bets
    )

    assert " ".join(one["result"] for one in answers) == expected


def test_a_derivation_names_the_provisions_that_decide(compiled):
    outcome = {"croupier": ["10D", "10C", "6S"], "places": {"1": ["10S", "10H", "6D"]}}
    bets = [{"bet": name, "place": "1", "stake": 100} for name in ("ante", "raise", "pair-plus")]

    answers = compiled(GAME).settle({}, outcome, bets)

    said = [{why.provision.partition("/")[2] for why in one.reasons} for one in answers]
    assert "8/5" in said[0] & said[1]
    assert {"9/1", "10/5"} <= said[2]
    assert not any(name.startswith(("9/7", "9/8")) for name in set.union(*said))


def test_a_card_cannot_come_twice_from_one_pack(compiled):
    outcome = {"croupier": ["QH", "8D", "3C"], "places": {"1": ["QH", "9H", "4D"]}}

    with pytest.raises(ValueError, match="QH cannot come twice"):
        compiled(GAME).settle({}, outcome, [])


def _table(chance):
    pack = [rank + suit for rank in ("A", "K", "Q", "J", "3", "2") for suit in "SHDC"]
    dealt = chance.sample(pack, 9)
    places = {"1": dealt[3:6], "2": dealt[6 : chance.choice([9, 9, 9, 8])]}
    bets = [
        {"bet": name, "place": place, "stake": chance.choice([1, 1, 1, 2])}
        for place in places
        for name in chance.sample(["ante", "raise", "pair-plus"], chance.randint(1, 3))
    ]
    return {"croupier": dealt[: chance.choice([3, 3, 3, 2])], "places": places}, bets


@pytest.mark.parametrize(
    "times", [pytest.param(20), pytest.param(100, marks=pytest.mark.full)], ids=str
)
def test_under_any_readings_each_bet_has_one_result(compiled, law, times):
    """Rules that disagreed, or said nothing, would raise."""
    readings = {one.id: [each.id for each in one.readings] for one in law.divergences}
    chance = random.Random(972008)  # noqa: S311 - a repeatable draw, nothing secret
    for _ in range(times):
        game = compiled(GAME, **{point: chance.choice(readings[point]) for point in POINTS})
        for _ in range(200):
            outcome, bets = _table(chance)
            assert len(game.settle_plain({}, outcome, bets)) == len(bets)
