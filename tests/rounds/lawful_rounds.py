"""Lawful rounds of the reference vendors, whole and in parts, from which others are generated."""

import random

import msgspec

from selo.examine.live_rounds import scripts_for_offers
from selo.rounds import play_scripts
from selo.rules.procedure.step_reader import find_events_file

GAMES = (
    "fish-prawn-crab", "craps", "three-card-baccarat", "fortune-three-card-poker", "bacara",
)  # fmt: skip
SEED = 16


def lawful_rounds(law, session, offer, *, budget="quick", seed=SEED):
    """Return the scripts of a plan, each with what the reference vendor answered."""
    scripts, _ = scripts_for_offers(law, [offer], seed=seed, budget=budget)
    return list(play_scripts(session, scripts))


def cut(script, at):
    """Return a script that ends before one of its acts."""
    return msgspec.structs.replace(script, acts=script.acts[:at])


def cut_round(script, played, at):
    """Return a script that ends before one of its acts, at a table that then just closes."""
    return cut(script, at), msgspec.structs.replace(played, answers=played.answers[:at], closed=[])


def subset(script, chance):
    """Return a script without some of its acts and perhaps without its options."""
    share = chance.choice([0.3, 0.6, 0.85, 0.95])
    acts = [act for act in script.acts if chance.random() < share]
    options = script.options if chance.random() < 0.7 else {}
    return msgspec.structs.replace(script, acts=acts or script.acts[:1], options=options)


def subsets(scripts, count, name):
    """Return scripts without some of their acts."""
    chance = random.Random(f"{SEED}/{name}")  # noqa: S311 - the same in every run
    return [subset(chance.choice(scripts), chance) for _ in range(count)]


def optional_fields(law, game):
    """Return every optional field of the events that a table reports, each with its event."""
    return [
        (event.id, name)
        for event in find_events_file(law, game).events
        if event.by == "table"
        for name in event.optional
    ]


def without_fields(played, dropped):
    """Return a played script whose events leave out some optional fields."""

    def stripped(events):
        return [
            {name: value for name, value in event.items() if (event["event"], name) not in dropped}
            for event in events
        ]

    return msgspec.structs.replace(
        played,
        opened=stripped(played.opened),
        answers=[
            answer | {"events": stripped(answer["events"])} if "events" in answer else answer
            for answer in played.answers
        ],
        closed=None if played.closed is None else stripped(played.closed),
    )


def violations(judge, script, played):
    """Return what no reading of the law allows, and what breaks the protocol."""
    return [
        difference
        for difference in judge.judge(script, played)
        if not difference.consequence and not difference.open
    ]
