"""What a live table does wrong is found beside whatever else is wrong, and proves nothing else."""

import sys

import msgspec
import pytest

from selo.examine.conclusion.result import ExaminationResult
from selo.examine.selftest import planted_selftest
from selo.examine.selftest.in_process_examiner import Examiner

GAME, LAW = "fish-prawn-crab", "portaria-21-96-m"


@pytest.fixture(scope="module")
def found(law):
    """Return how a vendor is examined that is changed in some ways."""
    vendors, examiner = planted_selftest.load_planted_vendors(), Examiner(law, GAME)

    def examined(*changes):
        fault = type("Fault", (), {"serve": lambda _: None})
        fault.apply = lambda module: [change(module) for change in changes]
        return examiner.examine_vendor(vendors.planted(GAME, fault)).findings

    return examined


def known(name):
    return planted_selftest.load_planted_vendors().faults(GAME)[name].apply


def prize_with_the_stake_in_it(module):
    """Settle as another reading of art. 6 has it, on which nobody has ruled."""
    lawful = module.settle

    def settle(options, outcome, bets):
        answers = lawful(options, outcome, bets)
        for bet, one in zip(bets, answers, strict=True):
            one["prize"] -= bet["stake"] if one["result"] == "win" else 0
        return answers

    module.settle = settle


def tables_pay(prize):
    """Let live tables pay other prizes than cases are settled with."""

    def apply(module):
        lawful = module.table.settle

        def settle(options, outcome, bets):
            answers = lawful(options, outcome, bets)
            for bet, one in zip(bets, answers, strict=True):
                if one["result"] == "win":
                    one["prize"] = prize(bet, one["prize"])
            return answers

        module.table.settle = settle

    return apply


def test_two_faults_of_live_rounds_are_both_found(found):
    findings = found(known("presses-twice"), known("takes-bets-after-the-bell"))

    assert {name for one in findings for name in one.provisions} == {f"{LAW}/2", f"{LAW}/3/a"}


@pytest.mark.parametrize(
    ("fault", "provision"),
    [("takes-bets-after-the-bell", "3/a"), ("covers-before-paying", "4")],
)
def test_an_open_question_at_every_table_hides_no_breach(found, fault, provision):
    findings = found(known("lights-the-sign-by-hand"), known(fault))

    breaches = {name for one in findings if one.verdict == "violates" for name in one.provisions}
    assert breaches == {f"{LAW}/{provision}"}
    assert [one.provisions for one in findings if one.verdict == "open"] == [[f"{LAW}/2"]]


@pytest.mark.full
def test_a_live_breach_is_no_part_of_what_is_open_when_cases_are_settled(found):
    findings = found(prize_with_the_stake_in_it, tables_pay(lambda bet, _: 99 * bet["stake"]))

    assert any(one.verdict == "open" and one.method == "settle" for one in findings)
    live = [one for one in findings if one.method == "round"]
    assert {one.verdict for one in live} == {"violates"}
    assert f"{LAW}/6/a" in {name for one in live for name in one.provisions}


@pytest.mark.full
def test_a_provision_whose_rounds_were_all_spoiled_before_does_not_conform(selo, tmp_path):
    folder = tmp_path / "run"
    selo(
        "examine", "--vendor", f"{sys.executable} fixtures/planted/vendor.py {GAME} presses-twice",
        "--rulings", "defaults", "--out", str(folder),
    )  # fmt: skip

    result = msgspec.json.decode((folder / "result.json").read_bytes(), type=ExaminationResult)
    said = {one.provision: (one.result, one.reason) for one in result.summary.provisions}
    assert said[f"{LAW}/2"][0] == "violates"
    for name in ("3/a", "3/b", "3/c", "4"):
        assert said[f"{LAW}/{name}"] == ("inconclusive", "too-little-seen")


def test_a_finding_of_a_round_names_the_step_and_what_it_leans_on(found):
    (finding,) = found(known("presses-twice"))

    # Art. 2: the lever is pressed three times before the sign lights up.
    (ground,) = [one for one in finding.law if one.provision == f"{LAW}/2"]
    assert ground.roles[0] == "exactly"
    assert ground.roles[1].startswith(f"{LAW}/2#")


def test_a_finding_of_live_money_rests_on_its_whole_derivation(found):
    nine = {("number", 9): 5}
    findings = found(
        tables_pay(lambda bet, prize: nine.get((bet["bet"], bet.get("choice")), 0) * 100 or prize)
    )

    (finding,) = findings
    roles = {one.provision: one.roles for one in finding.law}
    assert finding.provisions == [f"{LAW}/6/j/6"]
    assert roles[f"{LAW}/6/j/6"] == ["prize"]
    assert "win" in roles[f"{LAW}/5/j"]
