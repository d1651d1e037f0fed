"""The verdicts over every provision of the law as it ships."""

import msgspec
import pytest

from selo.law.files.provision_file import Way
from selo.verdict.observations import EntryTrust, Observation, Witness, WitnessAnswer, unobserved
from selo.verdict.overall import Overall, conclude_all, conclude_game
from selo.verdict.provision_verdict import Result, judge_provision
from selo.verdict.witness.form import all_games

PROGRAM = {Way.EXAMINATION, Way.PROCEDURE, Way.CONFIGURATION, Way.STATISTICS}
SILENT = {Way.DEFINITION, Way.NOT_TESTABLE}


def of_game(law, game):
    return [unobserved(held) for held in law.provisions.values() if held.instrument.game == game]


def all_seen(seen):
    return msgspec.structs.replace(
        seen,
        looks={way: Observation(cases=1, decisive=1) for way in seen.ways if way in PROGRAM},
        witnesses=(
            Witness(provision=seen.provision, signed=EntryTrust.VALID, result=WitnessAnswer.MET),
        )
        if Way.INSPECTION in seen.ways
        else (),
    )


def test_a_law_of_which_nothing_was_seen_conforms_nowhere(law):
    for game in all_games(law):
        verdicts = [judge_provision(one) for one in of_game(law, game)]

        assert {one.result for one in verdicts} <= {Result.NOT_EXAMINED, Result.TO_BE_WITNESSED}
        assert conclude_game(verdicts).overall is Overall.NOT_FULLY_VERIFIED
        assert conclude_game(verdicts).exit == 2


def test_everything_seen_and_in_order_conforms(law):
    parts = [
        conclude_game(judge_provision(all_seen(one)) for one in of_game(law, game))
        for game in all_games(law)
    ]

    assert conclude_all(parts).overall is Overall.CONFORMS
    assert conclude_all(parts).exit == 0
    assert sum(sum(one.counts.values()) + one.aside for one in parts) == len(law.provisions)


def test_only_what_asks_for_nothing_stands_aside(law):
    for held in law.provisions.values():
        silent = {held.provision.verified_by, *held.provision.also} <= SILENT

        assert judge_provision(unobserved(held)).counts is not silent


@pytest.mark.parametrize("way", sorted(PROGRAM | {Way.INSPECTION}))
def test_one_way_of_one_provision_left_unseen_is_enough_not_to_conform(law, way):
    seens = [all_seen(unobserved(held)) for held in law.provisions.values()]
    at = next(number for number, one in enumerate(seens) if way in one.ways)
    seens[at] = msgspec.structs.replace(
        seens[at],
        looks={name: look for name, look in seens[at].looks.items() if name is not way},
        witnesses=() if way is Way.INSPECTION else seens[at].witnesses,
    )

    concluded = conclude_game(judge_provision(one) for one in seens)

    assert concluded.overall is Overall.NOT_FULLY_VERIFIED
    assert concluded.decided_by == (seens[at].provision,)
