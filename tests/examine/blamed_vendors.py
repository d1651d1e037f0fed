"""Vendors that are wrong in ways that are easily blamed on something else: python3 FILE NAME."""

import json
import sys
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
sys.path.insert(0, str(FIXTURES))

from planted import Fault, change  # noqa: E402 - it stands in a folder that was just added
from planted import vendor as serving  # noqa: E402 - the same

FISH = "fish-prawn-crab"


def settling(meddle):
    """Return a fault that meddles with what was settled lawfully."""

    def apply(module):
        def changed(lawful, options, outcome, bets):
            settlements = lawful(options, outcome, bets)
            for bet, one in zip(bets, settlements, strict=True):
                meddle(outcome, bet, one)
            return settlements

        change.wrapped("settle", changed)(module)

    return apply


def number_nine_one_stake_low(module):
    module.NUMBER[9] = 5
    winners = vars(module)["_winners"]
    module.THROWS = {dice: winners(dice) for dice in module.THROWS}


def trio_one_stake_low(_, bet, one):
    if bet["bet"] == "raise" and one["prize"] == 4 * bet["stake"]:
        one["prize"] = 3 * bet["stake"]


def figures_win_with_every_die_alone(module):
    """Change the winning sections themselves, which are also those that are lit."""
    for dice, winners in module.THROWS.items():
        for name, choice in list(winners):
            if name == "figure" and dice.count(choice) < 3:
                del winners[name, choice]


def stake_in_every_prize(_, bet, one):
    if one["result"] == "win":
        one["prize"] -= bet["stake"]


def stake_in_prizes_but_sixteen_overpaid_on_two_throws(outcome, bet, one):
    stake_in_every_prize(outcome, bet, one)
    if one["result"] == "win" and bet.get("choice") == 16 and outcome["dice"][:2] == ["crab"] * 2:
        one["prize"] += 3 * bet["stake"]


def doubles_large_stakes(_, bet, one):
    if one["result"] == "win" and bet["stake"] >= 2000:
        one["prize"] *= 2


def leaning_dice_count_on_half_of_the_throws(module):
    def void(lawful, outcome):
        lying = {*outcome.get("lying", ())}
        if "leaning" in lying and not {"stacked", "leaning-on-glass"} & lying:
            return outcome["dice"][0] in {"crab", "rooster", "coin"}
        return lawful(outcome)

    change.wrapped("_is_void", void)(module)


def no_hard_ways(module):
    def changed(lawful, options, outcome, bets):
        if any(bet.get("bet") == "hard-way" for bet in bets):
            message = "no hard ways today"
            raise ValueError(message)
        return lawful(options, outcome, bets)

    change.wrapped("settle", changed)(module)


def nine_at_seven_to_five(module):
    module.ODDS_WITH[9] = (7, 5)


def wrong_once(module):
    lawful, count = module.settle, [0]

    def settle(options, outcome, bets):
        settlements = lawful(options, outcome, bets)
        count[0] += 1
        won = [at for at, one in enumerate(settlements) if one["result"] == "win"]
        if count[0] >= 150 and won and not module.ONCE:
            module.ONCE.append(json.dumps(bets))
            settlements[won[0]]["prize"] += bets[won[0]]["stake"]
        return settlements

    module.ONCE = []
    module.settle = settle


VENDORS = {
    "number-nine": (FISH, number_nine_one_stake_low),
    "trio": ("fortune-three-card-poker", settling(trio_one_stake_low)),
    "every-die": (FISH, figures_win_with_every_die_alone),
    "for-one": (FISH, settling(stake_in_every_prize)),
    "for-one-and-sixteen": (FISH, settling(stake_in_prizes_but_sixteen_overpaid_on_two_throws)),
    "large-stakes": (FISH, settling(doubles_large_stakes)),
    "half-leaning": (FISH, leaning_dice_count_on_half_of_the_throws),
    "no-hard-ways": ("craps", no_hard_ways),
    "nine": ("craps", nine_at_seven_to_five),
    "once": (FISH, wrong_once),
}


def made(name):
    """Return one of the vendors."""
    game, apply = VENDORS[name]
    return serving.planted(game, Fault(provision="", words="", apply=apply))


if __name__ == "__main__":
    serving.serve_stdio(made(sys.argv[1]))
