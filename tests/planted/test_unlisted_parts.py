"""Faults in parts of answers that no change of a clause touches: who prescribes them is broken.

Which provision has a lost bet lose is taken from the articles by hand, for each bet.
"""

import zlib

import pytest

from selo.examine.selftest.in_process_examiner import Examiner
from selo.examine.selftest.planted_selftest import load_planted_vendors
from selo.examine.selftest.provision_score import program_result
from selo.examine.selftest.vendor_transcript import TranscriptExaminer
from selo.verdict import Result
from selo.verdict.rulings import adopt_rulings

CRAPS = "portaria-97-85-m"
FISH = "portaria-21-96-m"
LOSES = {
    "craps": {
        "pass-line": f"{CRAPS}/2/1", "come": f"{CRAPS}/2/1", "dont-pass": f"{CRAPS}/3/1",
        "dont-come": f"{CRAPS}/3/1", "pass-line-additional": f"{CRAPS}/2/2",
        "come-additional": f"{CRAPS}/2/2", "dont-pass-additional": f"{CRAPS}/3/2",
        "dont-come-additional": f"{CRAPS}/3/2", "field": f"{CRAPS}/4", "hard-way": f"{CRAPS}/5",
        "big-7": f"{CRAPS}/6", "eleven": f"{CRAPS}/7", "any-craps": f"{CRAPS}/8",
    },
    "fish-prawn-crab": {
        "figure": f"{FISH}/5", "number": f"{FISH}/5", "one-of-colour": f"{FISH}/5/d/note",
        "two-of-colour": f"{FISH}/5/e/note",
    },
}  # fmt: skip


class ChangedVendor:
    """A lawful vendor that changes settlements of lost bets on some outcomes."""

    def __init__(self, vendor, change):
        self.vendor, self.change, self.changed = vendor, change, set()

    def __getattr__(self, name):
        return getattr(self.vendor, name)

    def settle(self, params):
        answer = self.vendor.settle(params)
        rare = zlib.crc32(repr(params.get("outcome")).encode()) % 5 == 0
        settled = [dict(one) for one in answer["settlements"]]
        for bet, one in zip(params["bets"], settled, strict=True):
            if rare and one["result"] == "lose" and bet["stake"] > 1:
                self.change(bet, one)
                self.changed.add(bet["bet"])
        return {**answer, "settlements": settled}


def half_the_stake(bet, one):
    one["stake"] = bet["stake"] // 2


def one_unit_as_a_prize(bet, one):
    del bet
    one["prize"] = 1


@pytest.mark.full
@pytest.mark.parametrize("change", [half_the_stake, one_unit_as_a_prize])
@pytest.mark.parametrize("game", LOSES)
def test_who_has_a_bet_lose_violates_where_something_of_it_is_given_back(law, game, change):
    rulings = adopt_rulings(law, defaults=True)
    examiner = TranscriptExaminer(law, game, rulings, Examiner(law, game, rulings).mutants)
    vendor = ChangedVendor(load_planted_vendors().load(game), change)

    result = examiner.examine(examiner.transcribe(vendor))

    verdicts = {one.provision: program_result(one) for one in result.summary.provisions}
    broken = {LOSES[game][name] for name in vendor.changed if name in LOSES[game]}
    assert broken == {*LOSES[game].values()}
    assert {verdicts[name] for name in broken} == {Result.VIOLATES}
