"""Prints what the helpers of the kit make, one JSON value after another."""

import json

import selo_kit as kit

shown = [
    list(kit.read_card("10H")),
    kit.write_card(14, "hearts"),
    kit.write_card(12, "s"),
    kit.card_number("AC"),
    kit.card_number("KS"),
    kit.card_number("10H", "SHDC"),
    kit.card_of_number(22, "SHDC"),
    kit.figure_number("coin"),
    kit.figure_name(6),
    list(kit.read_throw([3, 4, "cocked"])),
    kit.write_throw(6, 5),
    kit.write_throw(0, 5, "rail"),
    list(kit.read_tile("3/6")),
    kit.write_tile(4, 1),
    [kit.amount(kit.units(value)) for value in (1.95, 0.975, 0.1 + 0.2, -1.0)],
    kit.win(100, 8),
    kit.win_to_one(100, kit.Fraction(3, 2)),
    kit.win_to_one(5, kit.Fraction(19, 20)),
    kit.lose(),
    kit.stands(),
    kit.void(7),
    kit.from_net(100, 95),
    kit.from_net(100, -100),
    kit.from_total(100, 100),
    kit.refused({"stake": -5}),
    kit.net(kit.amount(kit.Fraction(-1, 2))),
]
for value in shown:
    print(json.dumps(value))  # noqa: T201 - a program of its own
