"""What changed between two results: verdicts, new findings, fixed findings."""

from types import SimpleNamespace

import pytest

from selo.delta.result_changes import compare_results
from selo.examine.findings import Finding
from selo.examine.findings.finding import FindingOrigin
from selo.verdict import Result, VerdictReason


def finding(number=1, **changed):
    """Return a finding about small bets."""
    known = {
        "id": f"F-{number:03}", "verdict": "violates", "game": "g", "provisions": ["law/1"],
        "cause": "", "times": 1, "ways": 1, "first": 0, "method": "settle", "params": {},
        "bet": None, "expected": {}, "observed": {}, "money": None, "law": [], "readings": [],
        "origin": FindingOrigin(selo="0", spec_digest="", rulings={}), "cause_code": "odds",
    }  # fmt: skip
    return Finding(**{**known, **changed})


def outcome(*findings, **verdicts):
    """Return what a comparison looks at."""
    provisions = [
        SimpleNamespace(provision=name, result=result, reason=reason)
        for name, (result, reason) in verdicts.items()
    ]
    return SimpleNamespace(findings=list(findings), summary=SimpleNamespace(provisions=provisions))


GOOD = (Result.CONFORMS, VerdictReason.EXAMINED)
BAD = (Result.VIOLATES, VerdictReason.VIOLATION)


def test_equal_results_have_no_changes():
    changes = compare_results(outcome(finding(), one=BAD), outcome(finding(7, times=3), one=BAD))

    assert changes.is_empty
    assert [known.id for known in changes.unchanged] == ["F-007"]


def test_a_verdict_that_changed_stands_with_both_results():
    changes = compare_results(outcome(one=GOOD, two=GOOD), outcome(one=BAD, two=GOOD))

    assert [(change.provision, change.before, change.after) for change in changes.verdicts] == [
        ("one", Result.CONFORMS, Result.VIOLATES)
    ]


def test_a_provision_that_only_one_run_judges_is_a_change():
    changes = compare_results(outcome(one=GOOD), outcome(two=GOOD))

    assert {change.provision: (change.before, change.after) for change in changes.verdicts} == {
        "one": (Result.CONFORMS, None),
        "two": (None, Result.CONFORMS),
    }


@pytest.mark.parametrize(
    "changed",
    [
        {"provisions": ["law/2"]},
        {"cause_code": "never"},
        {"verdict": "open"},
        {"game": "h"},
        {"method": "round"},
    ],
)
def test_another_cause_is_another_finding(changed):
    changes = compare_results(outcome(finding()), outcome(finding(**changed)))

    assert len(changes.new) == len(changes.fixed) == 1
    assert not changes.unchanged


def test_one_of_two_alike_is_fixed():
    changes = compare_results(outcome(finding(1), finding(2)), outcome(finding(1)))

    assert len(changes.fixed) == len(changes.unchanged) == 1
    assert not changes.new
