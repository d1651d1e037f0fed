"""The tables of docs/gate.md are the rule: every combination is compared with the program."""

import itertools
import re

import pytest

from selo.cli.output.exit_codes import Exit
from selo.errors import UsageError
from selo.gate.deviations import FAILURES
from selo.gate.gate_decision import (
    EntryScope,
    EntryState,
    Unlisted,
    decide_gate,
    entry_state,
    fatal_results,
)
from selo.gate.permission_scope import PermissionStatus, verify_permission
from selo.gate.permission_scope import permission_status as permission_stands
from selo.gate.permission_signature import Trust

YES_NO = ["yes", "no"]
CONDITIONS = {
    "gate": {
        "unlisted": [str(one) for one in Unlisted],
        "broken": YES_NO,
        "enough": YES_NO,
        "list": ["sound", "void"],
    },
    "entry": {
        "in-run": YES_NO,
        "expired": YES_NO,
        "occurs": YES_NO,
        "scope": [str(one) for one in EntryScope],
    },
    "signature": {
        "signature": ["none", "malformed", "cms"],
        "content": ["altered", "whole"],
        "trusted": YES_NO,
        "issuer": ["same", "other"],
    },
    "standing": {
        "over": YES_NO,
        "begun": YES_NO,
        "product": ["same", "other"],
        "games": ["some", "none"],
    },
}


def table(root, name):
    text = (root / "docs" / "gate.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- table: {name} -->\n((?:\|.*\n)+)", text)
    assert found, f"docs/gate.md has no table {name}"
    head, _, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()
    ]
    return [dict(zip(head, row, strict=True)) for row in rows]


def combinations(name):
    for values in itertools.product(*CONDITIONS[name].values()):
        yield dict(zip(CONDITIONS[name], values, strict=True))


def rows_for(root, name, given):
    return [
        row
        for row in table(root, name)
        if all(row[key] == "any" or value in row[key].split(", ") for key, value in given.items())
    ]


@pytest.mark.parametrize("name", CONDITIONS)
def test_exactly_one_row_fits_every_combination_and_every_row_is_reached(root, name):
    reached = []

    for given in combinations(name):
        (row,) = rows_for(root, name, given)
        reached.append(row)

    assert all(row in reached for row in table(root, name))


def test_the_gate_opens_as_the_table_says(root):
    for given in combinations("gate"):
        (row,) = rows_for(root, "gate", given)

        opened, code = decide_gate(
            unlisted=Unlisted(given["unlisted"]),
            broken=given["broken"] == "yes",
            enough=given["enough"] == "yes",
            sound=given["list"] == "sound",
        )

        assert (opened, code) == (row["gate"] == "opens", int(row["exit"])), given


def test_the_gate_opens_in_one_case_of_all(root):
    assert [row["gate"] for row in table(root, "gate")].count("opens") == 1
    assert sum(rows_for(root, "gate", one)[0]["gate"] == "opens"
               for one in combinations("gate")) == 1  # fmt: skip


def test_an_entry_stands_as_the_table_says(root):
    for given in combinations("entry"):
        (row,) = rows_for(root, "entry", given)

        state = entry_state(
            in_run=given["in-run"] == "yes",
            expired=given["expired"] == "yes",
            occurs=given["occurs"] == "yes",
            scope=EntryScope(given["scope"]),
        )

        assert state == row["entry"], given
        assert (state is EntryState.IN_USE) is (row["covers"] == "yes")
        assert (state in {EntryState.IN_USE, EntryState.BESIDE}) is (row["list"] == "sound")


def test_a_permission_stands_as_the_table_says(root):
    for given in combinations("standing"):
        (row,) = rows_for(root, "standing", given)

        standing = permission_stands(
            over=given["over"] == "yes",
            begun=given["begun"] == "yes",
            product=given["product"] == "same",
            games=given["games"] == "some",
        )

        assert standing == row["standing"], given
        assert int(row["exit"]) == (
            Exit.CONFORMS if standing is PermissionStatus.HOLDS else Exit.USAGE
        )  # fmt: skip


@pytest.mark.parametrize("fail_on", [str(one) for one in FAILURES[1:]])
def test_a_threshold_fails_what_the_table_says(root, fail_on):
    (row,) = [one for one in table(root, "fail-on") if one["fail-on"] == fail_on]

    assert {str(one) for one in fatal_results(fail_on)} == {
        verdict for verdict in (str(one) for one in FAILURES) if row[verdict] == "fails"
    }


def test_a_signature_is_judged_as_the_table_says(root, law, office, permission):
    for given in combinations("signature"):
        (row,) = rows_for(root, "signature", given)
        key = office.key if given["issuer"] == "same" else office.other_key()
        path = permission(key=key, signed=given["signature"] == "cms")
        if given["signature"] == "malformed":
            path.with_name(f"{path.name}.p7s").write_bytes(b"no signature")
        if given["content"] == "altered":
            path.write_bytes(path.read_bytes().replace(b"2099", b"2199"))
        trust = office.trust() if given["trusted"] == "yes" else Trust(roots=[office.stranger()])

        if row["result"] == "good":
            assert verify_permission(path, law, trust).signer.name == office.name
            assert int(row["exit"]) == Exit.CONFORMS
            continue
        with pytest.raises(UsageError) as refused:
            verify_permission(path, law, trust)
        assert refused.value.code == "tampered", given
        assert int(row["exit"]) == Exit.TAMPERED
        said = SAID[row["result"]].format(issuer=office.name, signer=named(key))
        assert refused.value.problem.startswith(f"{path}: {said}"), given


SAID = {
    "unsigned": "has no signature file beside it (.p7s)",
    "signature": "the signature is not a CMS signature",
    "altered": "was changed after it was signed",
    "untrusted": "was signed by {signer}, who is not trusted here",
    "issuer": "names {issuer} as its issuer, but {signer} signed it",
}


def named(key):
    return key.certificate.subject.native["common_name"]
