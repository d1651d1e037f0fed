"""A table is judged to its end: one wrong act hides no other, and what follows proves nothing."""

from selo.examine.live_rounds.round_tally import exercised_provisions
from selo.rounds.generate.script_reader import read_written_scripts
from selo.rounds.judge.round_difference import Manner
from selo.rounds.script import Script
from selo.rounds.table_player import play_script

GAME, LAW = "fish-prawn-crab", "portaria-21-96-m"


def edited(edit):
    """Spoil a table so that its steps are others."""

    def spoil(table, _):
        class Spoiled(table):
            def prepare(self):
                return edit(super().prepare())

        return Spoiled

    return spoil


@edited
def lights_by_hand(steps):
    """Light the sign by hand: lawful under a reading of art. 2 on which nobody has ruled."""
    return [one | {"means": "by-hand"} if one["event"] == "light-sign" else one for one in steps]


@edited
def does_not_load(steps):
    return [one for one in steps if one["event"] != "load"]


@edited
def presses_twice(steps):
    presses = [at for at, one in enumerate(steps) if one["event"] == "press-lever"]
    return [one for at, one in enumerate(steps) if at not in presses[2:]]


def late_bets(table, module):
    class Spoiled(table):
        def _check_open(self):
            if self.stage_of_round not in {"betting", "closed"}:
                raise module.Refused("too early")

    return Spoiled


def pays(prize):
    """Spoil a table so that it pays other prizes."""

    def spoil(table, _):
        class Spoiled(table):
            def decided(self, ticket, settlement):
                super().decided(ticket, {**settlement, "prize": prize(settlement["prize"])})

        return Spoiled

    return spoil


def both(*spoils):
    """Spoil a table in several ways."""

    def spoil(table, module):
        for one in spoils:
            table = one(table, module)
        return table

    return spoil


def named(law, name, game=GAME):
    (script,) = [one for one in read_written_scripts(law, game) if one.name == name]
    return script


def own(judge, session, script):
    found = judge.judge(script, play_script(session, script))
    return [one for one in found if not one.consequence]


def test_a_breach_that_has_nothing_to_do_with_an_earlier_one_is_found(law, judge, spoiled):
    session = spoiled(GAME, both(presses_twice, late_bets))

    found = own(judge, session, named(law, "bets-after-the-bell"))

    assert {one.provisions for one in found if not one.open} >= {(f"{LAW}/2",), (f"{LAW}/3/a",)}


def test_wrong_money_after_a_wrong_order_is_found(law, judge, spoiled):
    session = spoiled(GAME, both(presses_twice, pays(lambda prize: 2 * prize)))

    found = own(judge, session, named(law, "an-ordinary-round"))

    assert [(one.manner, one.provisions) for one in found] == [
        (Manner.ORDER, (f"{LAW}/2",)),
        (Manner.SETTLEMENT, (f"{LAW}/6/a",)),
    ]


def test_what_a_reading_allows_hides_no_breach(law, judge, spoiled):
    session = spoiled(GAME, both(lights_by_hand, late_bets))

    found = own(judge, session, named(law, "bets-after-the-bell"))

    assert (found[0].provisions, found[0].open) == ((f"{LAW}/2",), True)
    assert (f"{LAW}/3/a",) in {one.provisions for one in found if not one.open}


def test_the_same_breach_again_is_told_once(law, judge, spoiled):
    session = spoiled(GAME, presses_twice)

    assert len(own(judge, session, named(law, "prizes-before-the-next-round"))) == 1


def test_what_follows_from_a_missing_event_is_no_breach_of_its_own(law, judge, spoiled):
    # Art. 2, 3 says when cards are removed, counted from when they go into the box (art. 2, 1).
    session = spoiled("three-card-baccarat", does_not_load)
    scripts = [one for one in read_written_scripts(law, "three-card-baccarat") if len(one.acts) > 4]

    blamed = {
        name for one in scripts for found in own(judge, session, one) for name in found.provisions
    }

    assert blamed == {"portaria-22-96-m/2/1"}


def looked(judge, session, script):
    played = play_script(session, script)
    return exercised_provisions(judge, script, played, judge.judge(script, played))


def test_nothing_is_proved_after_the_first_wrong_act(law, judge, spoiled):
    script = named(law, "bets-after-the-bell")

    assert looked(judge, spoiled(GAME, presses_twice), script) == frozenset()


def test_what_was_seen_before_the_first_wrong_act_is_proved(law, judge, spoiled):
    script = named(law, "an-ordinary-round")

    seen = looked(judge, spoiled(GAME, pays(lambda prize: 2 * prize)), script)

    # The wrong prize comes with the last act; the initial operation was over by then.
    assert f"{LAW}/2" in seen
    assert f"{LAW}/4" not in seen


def test_what_a_reading_allows_spoils_no_round(law, judge, spoiled):
    script = named(law, "bets-after-the-bell")

    assert looked(judge, spoiled(GAME, lights_by_hand), script) == {f"{LAW}/3/a"}


def test_a_lawful_round_is_looked_at_whole(law, judge, session):
    script = named(law, "an-ordinary-round")

    assert looked(judge, session, script) == {*script.provisions}


def test_two_bets_settled_wrongly_in_two_rounds_are_two_breaches(judge, spoiled):
    acts = []
    for ticket, bet, dice in (
        ("a", "small", ["fish", "prawn", "prawn"]),
        ("b", "big", ["crab"] * 2 + ["coin"]),
    ):
        acts += [
            {"act": "force", "outcome": {"dice": dice}},
            {"act": "go-on"},
            {"act": "place-bet", "ticket": ticket, "player": "ana", "bet": bet, "stake": 100},
            {"act": "go-on"},
        ]
    found = own(
        judge, spoiled(GAME, pays(lambda prize: prize and prize + 1)), Script(game=GAME, acts=acts)
    )

    assert [one.provisions for one in found] == [(f"{LAW}/6/a",), (f"{LAW}/6/b",)]
