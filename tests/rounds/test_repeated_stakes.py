"""A second stake on what its player has staked on already: refusing it breaks only what is written.

No text says that a like bet is taken twice; a house may ask for a raise of the first instead.
"""

import msgspec
import pytest

from selo.rounds import Script, play_script

SMALL = {"act": "place-bet", "player": "ana", "bet": "small", "stake": 100}
LINE = {"act": "place-bet", "player": "ana", "bet": "pass-line", "stake": 100}
COME = {"act": "place-bet", "player": "rui", "bet": "come", "stake": 100}
SEATED = {"act": "happen", "event": {"event": "take-seat", "player": "ana", "seat": "1"}}
OTHER = {"act": "happen", "event": {"event": "take-seat", "player": "rui", "seat": "2"}}
MAIN = {"act": "place-bet", "player": "ana", "seat": "1", "bet": "beat-banker", "stake": 100}
ANY_HANDS = {"banker": ["2H", "3C", "4D"], "seats": {"1": ["AS", "AH", "2D"]}}
TIED = {"banker": ["2H", "3C", "4D"], "seats": {"1": ["2S", "3D", "4C"]}}
GO_ON = {"act": "go-on"}


def force(outcome):
    return {"act": "force", "outcome": outcome}


def ticket(name, bet):
    return {**bet, "ticket": name}


@pytest.fixture
def refusals(judge, session):
    """Play acts with the lawful vendor, refuse the last, and return the steps that this breaks."""

    def of(game, *acts):
        script = Script(game=game, acts=list(acts))
        played = play_script(session, script)
        assert played.answers[-1]["answer"] == "accepted"
        refused = {"answer": "refused", "events": []}
        changed = msgspec.structs.replace(played, answers=[*played.answers[:-1], refused])
        return [one.provisions for one in judge.judge(script, changed)]

    return of


TWICE = [
    pytest.param("fish-prawn-crab", [GO_ON, ticket("a", SMALL), ticket("b", SMALL)], id="dice"),
    pytest.param("craps", [ticket("a", LINE), ticket("b", LINE)], id="craps"),
    pytest.param(
        "three-card-baccarat", [SEATED, GO_ON, ticket("a", MAIN), ticket("b", MAIN)], id="cards"
    ),
    pytest.param(
        "three-card-baccarat",
        [SEATED, force(TIED), GO_ON, ticket("a", MAIN), GO_ON, GO_ON, ticket("b", MAIN)],
        id="held after a tie",
    ),
]


@pytest.mark.parametrize(("game", "acts"), TWICE)
def test_nobody_is_accused_for_asking_that_a_stake_be_raised_instead(refusals, game, acts):
    assert refusals(game, *acts) == []


ONCE = [
    pytest.param(
        "fish-prawn-crab", [GO_ON, ticket("a", SMALL), ticket("b", SMALL | {"player": "rui"})],
        "portaria-21-96-m/2", id="another player",
    ),
    pytest.param(
        "fish-prawn-crab", [GO_ON, ticket("a", SMALL), ticket("b", SMALL | {"bet": "big"})],
        "portaria-21-96-m/2", id="another bet",
    ),
    pytest.param(
        "fish-prawn-crab",
        [
            GO_ON, ticket("a", SMALL), {"act": "withdraw-bet", "ticket": "a"}, ticket("b", SMALL),
        ],
        "portaria-21-96-m/2", id="withdrawn before",
    ),
    pytest.param(
        "three-card-baccarat",
        [SEATED, force(ANY_HANDS), GO_ON, ticket("a", MAIN), GO_ON, GO_ON, ticket("b", MAIN)],
        "portaria-22-96-m/4/2", id="decided before",
    ),
    pytest.param(
        "three-card-baccarat",
        [SEATED, OTHER, GO_ON, ticket("a", MAIN), ticket("b", MAIN | {"seat": "2"})],
        "portaria-22-96-m/4/2", id="another seat",
    ),
    pytest.param(
        "craps",
        [force({"throws": [[2, 4]]}), ticket("a", LINE), GO_ON, ticket("b", COME),
         ticket("c", COME)],
        "portaria-97-85-m/2/3", id="a point of the register",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("game", "acts", "provision"), ONCE)
def test_a_stake_that_repeats_none_must_be_taken(refusals, game, acts, provision):
    assert (provision,) in refusals(game, *acts)
