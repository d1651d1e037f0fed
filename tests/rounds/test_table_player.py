"""Scripts are played at many tables at once, and each table is asked in its own order."""

from collections import Counter

import msgspec
import pytest

from selo.protocol.schema.game_schema import game_words
from selo.rounds.generate.script_reader import read_written_scripts
from selo.rounds.script import Script, describe_lacking
from selo.rounds.table_player import (
    FREE_GROUPS,
    find_free_group,
    play_script,
    play_scripts,
)
from selo.vendors.faults import FaultKind

GAME = "fish-prawn-crab"
ROUND = [
    {"act": "force", "outcome": {"dice": ["fish", "prawn", "prawn"]}},
    {"act": "go-on"},
    {"act": "place-bet", "ticket": "a", "player": "ana", "bet": "small", "stake": 100},
    {"act": "go-on"},
]


class Recorder:
    """A vendor that answers everything, and remembers what it was asked at each table."""

    def __init__(self):
        self.asked = {}

    def describe(self, _):
        return {}

    def table_open(self, params):
        self.asked[params["table"]] = [params["game"]]
        return {"events": []}

    def table_act(self, params):
        self.asked[params["table"]].append(params["act"]["act"])
        return {"answer": "accepted", "events": []}

    def table_close(self, params):
        self.asked[params["table"]].append("close")
        return {"events": []}


def script(acts, **fields):
    return Script(game=GAME, acts=acts, **fields)


def test_no_act_overtakes_another_at_its_table(serve):
    vendor = Recorder()
    scripts = [script([{"act": f"act-{at}"} for at in range(count)]) for count in range(1, 30)]

    played = list(play_scripts(serve(vendor), scripts, groups=[10]))

    assert [one for one, _ in played] == scripts
    assert sorted(vendor.asked.values(), key=len) == [
        [GAME, *(act["act"] for act in one.acts), "close"] for one in scripts
    ]


def test_names_of_tables_tell_nothing_and_never_come_again(serve):
    vendor = Recorder()
    session = serve(vendor)

    list(play_scripts(session, [script(ROUND)] * 20))

    assert len(vendor.asked) == 20
    assert all(len(name) == 16 for name in vendor.asked)


def test_many_tables_at_once_give_what_each_gives_alone(law, session):
    scripts = [one for one in read_written_scripts(law, GAME) if "alone" not in one.name]

    together = dict(zip((one.key for one in scripts), play_scripts(session, scripts), strict=True))

    for one in scripts:
        assert together[one.key] == (one, play_script(session, one))


class Odd(Recorder):
    """A vendor whose answers are wrong in a way that each act names."""

    def table_open(self, params):
        if params["options"]:
            raise Refusal(-32001, "no such table here")
        return super().table_open(params)

    def table_act(self, params):
        super().table_act(params)
        name = params["act"]["act"]
        if name == "shape":
            return {"answer": "perhaps", "events": []}
        if name == "force":
            raise Refusal(-32002, "not these dice")
        if name == "crash":
            raise ValueError(name)
        return {"answer": "accepted", "events": []}


class Refusal(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


@pytest.mark.parametrize(
    ("name", "kind"), [("shape", FaultKind.WRONG_SHAPE), ("crash", FaultKind.ERROR_ANSWER)]
)
def test_after_what_is_no_answer_a_table_is_asked_nothing_more(serve, name, kind):
    vendor = Odd()

    played = play_script(serve(vendor), script([{"act": "one"}, {"act": name}, {"act": "two"}]))

    assert [(at, fault.kind) for at, fault in played.faults] == [(1, kind)]
    assert list(vendor.asked.values()) == [[GAME, "one", name, "close"]]
    assert not played.is_complete


def test_an_outcome_that_cannot_be_forced_is_declined_and_no_fault(serve):
    played = play_script(serve(Odd()), script(ROUND))

    assert (played.declined, played.faults) == ("not these dice", [])


def test_a_table_that_is_not_opened_is_asked_nothing(serve):
    vendor = Odd()

    played = play_script(serve(vendor), script(ROUND, options={"limits": "declared"}))

    assert (played.declined, played.answers, vendor.asked) == ("no such table here", [], {})


def test_the_key_of_a_script_depends_on_what_is_asked_and_on_nothing_else():
    one = script(ROUND, name="one", reason="because", provisions=("a/1",))
    same = script([dict(reversed(act.items())) for act in ROUND], group="other")
    other = script([*ROUND, {"act": "go-on"}])

    assert one.key == same.key
    assert len({one.key, other.key, script(ROUND, options={"limits": "none"}).key}) == 3


def test_a_script_comes_back_from_its_own_json():
    one = script(ROUND, name="one", provisions=("a/1",))

    assert msgspec.json.decode(msgspec.json.encode(one), type=Script) == one


@pytest.mark.parametrize(
    ("change", "acts", "options", "lack"),
    [
        ({}, ROUND, {}, None),
        ({"methods": ["settle"]}, ROUND, {}, "no table"),
        ({"forces": False}, ROUND, {}, "cannot be forced"),
        ({"bets": ["big"]}, ROUND, {}, "the bet small"),
        ({}, [{"act": "happen", "event": {"event": "cover"}}], {}, "the event cover"),
        ({"options": {}}, ROUND, {"limits": "declared"}, "the option limits"),
        ({"options": {}}, ROUND, {"limits": "none"}, None),
        ({"options": {"limits": ["declared"]}}, ROUND, {"limits": "declared"}, None),
    ],
)
def test_a_script_that_needs_what_is_not_offered_says_what(
    law, offers, change, acts, options, lack
):
    offer = msgspec.structs.replace(offers[GAME], **change)

    found = describe_lacking(script(acts, options=options), offer, game_words(law, GAME))

    assert (found is None) if lack is None else (lack in found)


def test_a_number_is_offered_by_its_range_and_a_jackpot_by_its_modality(law, offers):
    words = game_words(law, "bacara")
    options = {"jackpot": {"modality": "A"}, "offered": ["jackpot"], "jackpot_stake_declared": True}
    one = Script(game="bacara", acts=[], options={**options, "jackpot_stake": 100})
    offer = offers["bacara"]

    assert describe_lacking(one, offer, words) is None
    fewer = msgspec.structs.replace(offer, options={**offer.options, "jackpot": ["B"]})
    assert "jackpot A" in describe_lacking(one, fewer, words)


def test_free_tables_are_counted_to_the_groups_in_which_they_are_played():
    sizes = Counter(find_free_group(at) for at in range(2 * sum(FREE_GROUPS)))

    assert [sizes[at] for at in sorted(sizes)] == [*FREE_GROUPS, *FREE_GROUPS]
