"""The tables of docs/verdicts.md are the rule: every combination is compared with the program."""

import datetime as dt
import itertools
import re

import pytest

from selo.cli.output.exit_codes import Exit
from selo.law.files.provision_file import Way
from selo.law.status import STANDING_NAMES, Status
from selo.verdict.observations import (
    EntryTrust,
    TextStatus,
    Witness,
    WitnessAnswer,
    judge_text,
)
from selo.verdict.overall import OVERALL_EXITS, VENDOR_FAULT_EXIT, Overall, decide_overall
from selo.verdict.provision_verdict import (
    Applicability,
    CasePower,
    Doubt,
    ObservationFacts,
    Result,
    VerdictReason,
    Withheld,
    combine_verdicts,
    judge_observation,
    judge_witnesses,
)
from selo.verdict.witness import form_reader

YES_NO = ["yes", "no"]
CONDITIONS = {
    "look": {
        "way": ["examination", "procedure", "configuration", "statistics"],
        "violation": YES_NO,
        "readings": [str(one) for one in Doubt],
        "fault": YES_NO,
        "cases": [str(one) for one in CasePower],
        "hidden": YES_NO,
        "withheld": [str(one) for one in Withheld],
        "offered": YES_NO,
    },
    "person": {
        "entry": ["none", *(str(one) for one in EntryTrust)],
        "result": [str(one) for one in WitnessAnswer],
    },
    "provision": {
        "program": ["none", "conforms", "not-examined", "inconclusive", "violates"],
        "person": ["not-needed", "to-be-witnessed", "witnessed", "violates"],
        "law": ["tests", "definition", "not-testable"],
        "asked": [str(one) for one in Applicability],
        "text": [str(one) for one in TextStatus],
    },
    "text": {
        "standing": list(STANDING_NAMES.values()),
        "certain": YES_NO,
        "known": YES_NO,
        "stored": YES_NO,
    },
    "whole": dict.fromkeys(["violates", "fault", "inconclusive", "unverified", "verified"], YES_NO),
}
#: A reason that no other part of the test uses, to see whose reason is kept.
PROGRAM, PERSON = VerdictReason.PLAYED, VerdictReason.WITNESS_EXPIRED


def table(root, name):
    text = (root / "docs" / "verdicts.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- table: {name} -->\n((?:\|.*\n)+)", text)
    assert found, f"docs/verdicts.md has no table {name}"
    head, _, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()
    ]
    return [dict(zip(head, row, strict=True)) for row in rows]


def fits(row, given):
    return all(
        row[name] == "any" or value in row[name].split(", ") for name, value in given.items()
    )


def combinations(name):
    conditions = CONDITIONS[name]
    for values in itertools.product(*conditions.values()):
        yield dict(zip(conditions, values, strict=True))


def look(given):
    return judge_observation(
        Way(given["way"]),
        ObservationFacts(
            violation=given["violation"] == "yes",
            doubt=Doubt(given["readings"]),
            fault=given["fault"] == "yes",
            tried=CasePower(given["cases"]),
            offered=given["offered"] == "yes",
            hidden=given["hidden"] == "yes",
            withheld=Withheld(given["withheld"]),
        ),
    )


def person(given):
    entries = [
        Witness(
            provision="p", signed=EntryTrust(given["entry"]), result=WitnessAnswer(given["result"])
        )
        for _ in range(given["entry"] != "none")
    ]
    return judge_witnesses(entries)


def provision(given):
    seen = None if given["program"] == "none" else (Result(given["program"]), PROGRAM)
    told = None if given["person"] == "not-needed" else (Result(given["person"]), PERSON)
    silent = None if given["law"] == "tests" else Way(given["law"])
    return combine_verdicts(
        seen,
        told,
        not_verifiable=silent,
        applies=Applicability(given["asked"]),
        text=TextStatus(given["text"]),
    )


def text_of_day(given):
    standings = {name: standing for standing, name in STANDING_NAMES.items()}
    status = Status(
        standing=standings[given["standing"]],
        certain=given["certain"] == "yes",
        by=None,
        known_until=None if given["known"] == "yes" else dt.date(2025, 11, 17),
    )
    return judge_text(status, as_stored=given["stored"] == "yes")


def whole(given):
    return decide_overall(**{name: value == "yes" for name, value in given.items()})


@pytest.mark.parametrize("name", CONDITIONS)
def test_exactly_one_row_fits_every_combination(root, name):
    rows = table(root, name)

    for given in combinations(name):
        assert len([row for row in rows if fits(row, given)]) == 1, given


@pytest.mark.parametrize("name", CONDITIONS)
def test_every_row_can_be_reached(root, name):
    for row in table(root, name):
        assert any(fits(row, given) for given in combinations(name)), row


@pytest.mark.parametrize("name", CONDITIONS)
def test_every_word_of_a_condition_is_known(root, name):
    for row in table(root, name):
        for column, values in CONDITIONS[name].items():
            assert row[column] == "any" or set(row[column].split(", ")) <= set(values), row


@pytest.mark.parametrize(
    ("name", "judge"), [("look", look), ("person", person)], ids=["look", "person"]
)
def test_what_was_seen_is_judged_as_the_table_says(root, name, judge):
    rows = table(root, name)

    for given in combinations(name):
        row = next(row for row in rows if fits(row, given))
        assert judge(given) == (row["verdict"], row["reason"]), given


def test_a_provision_is_judged_as_the_table_says(root):
    rows = table(root, "provision")
    whose = {"of the program": PROGRAM, "of the person": PERSON}

    for given in combinations("provision"):
        row = next(row for row in rows if fits(row, given))
        result, reason, counts = provision(given)
        assert (result, reason) == (row["verdict"], whose.get(row["reason"], row["reason"])), given
        assert counts is (row["counts"] == "yes"), given


def test_a_text_is_law_on_a_day_as_the_table_says(root):
    rows = table(root, "text")

    for given in combinations("text"):
        row = next(row for row in rows if fits(row, given))
        assert text_of_day(given) == row["text"], given


def test_no_provision_conforms_to_a_text_that_was_not_the_law():
    for given in combinations("provision"):
        result, _, counts = provision(given)
        if given["text"] in {"not-law", "open"}:
            assert result is Result.NOT_LAW
            assert counts is (given["asked"] != "no")


def test_the_whole_is_concluded_as_the_table_says(root):
    rows = table(root, "whole")

    for given in combinations("whole"):
        row = next(row for row in rows if fits(row, given))
        assert whole(given) == (row["verdict"], int(row["exit"])), given


def test_every_result_and_reason_stands_in_some_table(root):
    told = {
        cell
        for name in CONDITIONS
        for row in table(root, name)
        for column in ("verdict", "reason")
        for cell in [row.get(column)]
    }

    assert {str(one) for one in Result} | {str(one) for one in Overall} <= told
    assert {str(one) for one in VerdictReason} <= told


def test_exit_codes_are_those_of_the_command_line():
    assert OVERALL_EXITS == {
        Overall.CONFORMS: Exit.CONFORMS,
        Overall.VIOLATES: Exit.VIOLATES,
        Overall.INCONCLUSIVE: Exit.OPEN,
        Overall.NOT_FULLY_VERIFIED: Exit.OPEN,
    }
    assert VENDOR_FAULT_EXIT == Exit.VENDOR
    assert form_reader.FLAW_EXITS == {
        form_reader.FlawWeight.REFUSED: Exit.USAGE,
        form_reader.FlawWeight.TAMPERED: Exit.TAMPERED,
        form_reader.FlawWeight.OPEN: Exit.OPEN,
    }
