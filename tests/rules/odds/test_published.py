"""Our odds against published ones: exact fractions exactly, decimals to their last digit."""

import math
import re
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import yaml

from selo.rules.equipment.kits import HAND_LAYOUTS
from selo.rules.odds import pack_deals as cards
from selo.rules.odds.hand_vs_house import DealtDuel
from selo.rules.odds.raise_strategy import RaiseStrategy

HERE = Path(__file__).resolve().parent
ORACLES = HERE.parents[2] / "fixtures" / "oracles"
NOTES = yaml.safe_load((HERE / "published.yaml").read_text(encoding="utf-8"))
PAID = {"straight-flush": 40, "three-of-a-kind": 25, "straight": 5, "flush": 4, "pair": 1}


def _published():
    for path in sorted(ORACLES.glob("*/figures.yaml")):
        for one in yaml.safe_load(path.read_text(encoding="utf-8"))["figures"]:
            if one["game"] not in NOTES["without_bets"]:
                yield {**one, "source": path.parent.name}


def _compared(one):
    return not _listed("differences", one) and not _listed("not_ours", one)


PUBLISHED = list(_published())


def _listed(kind, one):
    for entry in NOTES[kind]:
        if entry["source"] == one["source"] and entry["id"] in {one["id"], "*"}:
            return entry
    return None


def _name(one):
    return f"{one['source']}/{one['id']}"


def test_every_note_belongs_to_a_published_figure():
    known = {(one["source"], one["id"]) for one in PUBLISHED}
    known |= {(one["source"], "*") for one in PUBLISHED}

    noted = [
        (entry["source"], entry["id"])
        for kind in ("differences", "foreign_prizes", "readings", "not_ours")
        for entry in NOTES[kind]
    ]

    assert set(noted) <= known
    assert len(noted) == len(set(noted))


@pytest.fixture(scope="session")
def poker(compiled):
    game = compiled("fortune-three-card-poker")
    return RaiseStrategy(
        DealtDuel(game, cards.deal_by_suit(3), HAND_LAYOUTS["croupier-and-places"]), "ante", "raise"
    )


@pytest.mark.parametrize("one", [one for one in PUBLISHED if _compared(one)], ids=_name)
def test_our_odds_are_the_published_ones(one, ours):
    for value in ours(one):
        assert _agrees(value, one), f"ours is {value} = {float(value)}"


@pytest.mark.parametrize(
    "one", [one for one in PUBLISHED if _listed("differences", one)], ids=_name
)
def test_an_explained_difference_is_still_there(one, ours):
    assert _listed("differences", one)["because"]
    assert not any(_agrees(value, one) for value in ours(one))


def _agrees(value, one):
    if one["exact"] is not None:
        return value == Fraction(one["exact"])
    printed = re.sub(r"^1 to |,(?=\d{3})", "", one["printed"])
    number, decimals, percent = re.match(r"(-?\d+(?:\.(\d+))?)(%?)", printed).groups()
    if percent or one["what"].startswith("percentage"):
        value *= 100
    with localcontext() as context:
        context.prec = 50
        shown = (Decimal(value.numerator) / Decimal(value.denominator)).quantize(
            Decimal(1).scaleb(-len(decimals or "")), rounding=ROUND_HALF_UP
        )
    return shown == Decimal(number)


@pytest.fixture(scope="session")
def ours(figures, all_rounds, poker):
    """Return what we count for a published figure: one value, or one for each choice it names."""

    def find(one):
        told = one["parameters"]
        packs = told.get("packs", 8) if one["game"] == "bacara" else told.get("packs")
        ruling = (_listed("readings", one) or {}).get("ruling", {})
        if told.get("cards_on_table") == 4:
            return [_three_alike_of_four(all_rounds(packs))]
        if one["game"] == "bacara" and one["what"] in ROUND:
            return [_round_share(one, told, all_rounds(packs))]
        if one["game"] == "fortune-three-card-poker" and one["bet"] != "pair-plus":
            return [_poker(one, told, poker)]
        if one["what"] == "number of deals of one player hand and one banker hand":
            return [_deals()]
        # What becomes of a point once it is set is what an additional bet is made on.
        bet = f"{one['bet']}-additional" if "point" in told else one["bet"]
        found = figures(one["game"], bet, packs=packs, **ruling)
        choices = told.get("choice", told.get("combination", told.get("point")))
        if "additional" in one["bet"]:
            choices = None
        manner = told.get("modality", told.get("commission"))
        return [
            _value(one, told, _pick(found, choice, manner), found)
            for choice in (choices if isinstance(choices, list) else [choices])
        ]

    return find


def _pick(found, choice, manner):
    """Return the figure with this choice and manner, or the one that holds for all of them."""
    for key in ((choice, manner), (choice, None), (None, manner), (None, None)):
        if key in found:
            return found[key]
    if choice is None and len({tuple(one.ends.items()) for one in found.values()}) == 1:
        return next(iter(found.values()))
    wanted = "within-the-limit" if (None, "within-the-limit") in found else "five-percent"
    return found[choice, wanted]


def _value(one, told, figure, found):
    what = one["what"]
    if "dice_with_the_figure" in told:
        # Our law pays one, two or three to one for so many dice with the figure.
        many = told["dice_with_the_figure"]
        return sum(chance for end, chance in figure.ends.items() if end.prize == many)
    edge = _repriced(one, told, figure)
    if what == "house edge per unit staked on both bets together":
        point = Fraction(2, 3)  # a point is set by 24 of 36 first throws
        capped = found[None, "equal-stakes"].edge
        return (Fraction(7, 495) + point * capped) / (1 + point)
    return {
        "house edge per unit staked": edge,
        "house edge per unit resolved": edge,
        "expected return to the bettor per unit staked": -edge,
        "percentage of the stake returned, stake included": 1 - edge,
        "house edge per unit resolved, pushes left out": figure.edge_decided,
        "probability of win": figure.of("win"),
        "probability of the sum": figure.of("win"),
        "probability of a tie in points and figures": figure.of("win"),
        "probability of two pairs among the first four cards": figure.of("win"),
        "number of throws out of 216": figure.of("win") * 216,
        "number of winning throws out of 36": figure.of("win") * 36,
        "216 divided by the number of winning throws": 1 / (figure.of("win") or 1),
        "probability that the point comes before a seven": figure.of("win"),
        "probability that a seven comes before the point": figure.of("win"),
        "odds against winning": figure.of("lose") / figure.of("win"),
        "odds against winning, pushes left out": figure.of("lose") / figure.of("win"),
        "standard deviation of the result per unit staked": _root(figure.variance),
        "number of orders of six cards in which the bet wins": figure.of("win")
        * math.perm(52 * told.get("packs", 8), 6),
    }[what]


def _repriced(one, told, figure):
    """Return the edge with the prizes of the page, if they are not those of our law."""
    pays = told.get("pays")
    if not _listed("foreign_prizes", one):
        if pays is not None:
            _same_prizes(pays, figure)
        return figure.edge
    if one["bet"] == "pair-plus":
        foreign = dict(zip(PAID.values(), pays, strict=True))
    else:
        foreign = {end.prize: pays for end in figure.ends if end.result == "win"}
    gain = sum(
        chance * (foreign[end.prize] if end.result == "win" else -1)
        for end, chance in figure.ends.items()
    )
    assert gain != -figure.edge, "the prizes of the page are ours: it is no foreign prize"
    return Fraction(-gain)


def _same_prizes(pays, figure):
    """Assert that a page pays what our law pays."""
    prizes = {end.prize for end in figure.ends if end.result == "win"}
    listed = pays.values() if isinstance(pays, dict) else pays if isinstance(pays, list) else [pays]
    assert {Fraction(one) for one in listed} == prizes


def _root(value):
    return Fraction(Decimal(value.numerator).sqrt() / Decimal(value.denominator).sqrt())


def _deals():
    return Fraction(sum(int(row.sum()) for row in cards.deal_by_rank(3, 1).rows()))


#: Facts about rounds of bacará that are no bet of our law; they prove the drawing rule.
ROUND = {
    "number of orders of six cards",
    "probability that the player wins with a two-card eight or nine",
    "probability that the banker wins with a two-card eight or nine",
    "probability of a tie of two-card eights or nines",
    "probability that the player wins with three cards",
    "probability that the banker wins with three cards",
    "probability that the banker wins with six points",
    "probability that the banker wins with other than six points",
    "probability that the banker wins other than with a three-card seven",
    "probability of win, given the total of the first two cards of the player",
    *(f"probability that the final total of the {hand} is {total}"
      for hand in ("player", "banker") for total in range(10)),
    *(f"number of orders of six cards in which the banker wins with {total} points"
      for total in range(10)),
}  # fmt: skip


def _three_alike_of_four(rounds):
    """Return how often nobody draws and three of the four cards are of one rank."""
    four = rounds.cards[(rounds.cards[:, 4] < 0) & (rounds.cards[:, 5] < 0), :4]
    weights = rounds.weights[(rounds.cards[:, 4] < 0) & (rounds.cards[:, 5] < 0)]
    alike = np.max([(four == four[:, [at]]).sum(axis=1) for at in range(4)], axis=0)
    return Fraction(int(weights[alike == 3].sum()), rounds.total)


def _round_share(one, told, rounds):
    what = one["what"]
    worth = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0])  # no card counts nothing
    player = worth[rounds.cards[:, [0, 1, 4]]].sum(axis=1) % 10
    banker = worth[rounds.cards[:, [2, 3, 5]]].sum(axis=1) % 10
    drew_player, drew_banker = rounds.cards[:, 4] >= 0, rounds.cards[:, 5] >= 0
    two = worth[rounds.cards[:, :2]].sum(axis=1) % 10
    nobody = ~drew_player & ~drew_banker
    winning = {"player": player > banker, "banker": banker > player, "tie": player == banker}

    def weight(which):
        return int(rounds.weights[which].sum())

    if what == "number of orders of six cards":
        return Fraction(rounds.total)
    if what.startswith("probability of win, given"):
        given = two == told["player_two_card_total"]
        return Fraction(weight(given & winning[one["bet"]]), weight(given))
    if what.startswith("number of orders"):
        return Fraction(weight(winning["banker"] & (banker == told["banker_total"])))
    if what.startswith("probability that the final total"):
        final = player if told["hand"] == "player" else banker
        return Fraction(weight(final == told["total"]), rounds.total)
    which = {
        "probability that the player wins with a two-card eight or nine":
            winning["player"] & nobody & (player >= 8),
        "probability that the banker wins with a two-card eight or nine":
            winning["banker"] & nobody & (banker >= 8),
        "probability of a tie of two-card eights or nines":
            winning["tie"] & nobody & (player >= 8),
        "probability that the player wins with three cards": winning["player"] & drew_player,
        "probability that the banker wins with three cards": winning["banker"] & drew_banker,
        "probability that the banker wins with six points": winning["banker"] & (banker == 6),
        "probability that the banker wins with other than six points":
            winning["banker"] & (banker != 6),
        "probability that the banker wins other than with a three-card seven":
            winning["banker"] & ~((banker == 7) & drew_banker),
    }[what]  # fmt: skip
    return Fraction(weight(which), rounds.total)


LINES = ("straight-flush", "three-of-a-kind", "straight", "flush", "pair", "high-card")
#: The lowest hand with which a way to play raises.
FROM = {
    "raise on any hand": ["5S", "3H", "2D"],
    "raise on jack high or better": ["JS", "3H", "2D"],
    "raise on queen high or better": ["QS", "3H", "2D"],
    "raise on Q-6-4 or better": ["QS", "6H", "4D"],
}
BONUS = {"straight-flush": 5, "three-of-a-kind": 4, "straight": 1}


def _poker(one, told, poker):
    order = poker.duel.game.order
    lines = sorted({order(sorted(play.hand))[0] for play in poker.plays})
    hands = 18_424  # croupier hands for each hand of a player: 49 choose 3

    def category(play):
        return LINES[lines.index(order(sorted(play.hand))[0])]

    def is_of(play, wanted):
        high = category(play) == "high-card"
        court = {card[:-1] for card in play.hand} & {"A", "K", "Q"}
        return {
            "queen-to-ace-high": high and bool(court), "jack-high-or-less": high and not court,
        }.get(wanted, category(play) == wanted)  # fmt: skip

    what = one["what"]
    if what == "number of deals of one player hand and one croupier hand":
        return Fraction(poker.total)
    if what in {"number of hands out of 22,100", "probability of the hand"}:
        found = sum(play.deals for play in poker.plays if is_of(play, told["category"]))
        count = Fraction(found, hands)
        return count if what.startswith("number") else count / 22_100
    if what == "number of deals out of 407,170,400":
        plays = [play for play in poker.plays if is_of(play, told["player_hand"])]
        return Fraction(
            sum(n for play in plays for ante, more, n in play.raised
                if _met(ante, more) == told["outcome"])
        )  # fmt: skip
    lowest = order(sorted(FROM[told.get("strategy", "raise on Q-6-4 or better")]))
    gain, staked = _played(poker, lowest, order)
    if "no bonus" in what:
        return gain
    gain += Fraction(sum(play.deals * BONUS.get(category(play), 0) for play in poker.plays),
                     poker.total)  # fmt: skip
    return -gain / staked if "all that is staked" in what else -gain


def _met(ante, more):
    if (ante.result, more.result) == ("win", "push"):
        return "croupier-does-not-play"
    return {"win": "win", "push": "tie", "lose": "lose"}[more.result]


def _played(poker, lowest, order):
    """Return gain and stakes, to one ante, of whoever raises from a hand on, all prizes even."""
    gain = staked = 0
    for play in poker.plays:
        if order(sorted(play.hand)) > lowest:
            gain, staked = gain - play.deals, staked + play.deals
            continue
        staked += 2 * play.deals
        for ante, more, n in play.raised:
            gain += n * sum({"win": 1, "lose": -1, "push": 0}[one.result] for one in (ante, more))
    return Fraction(gain, poker.total), Fraction(staked, poker.total)
