"""A document of each engine is kept and verified by every build for ever."""

import datetime as dt

import pytest

from selo.engine import ENGINE
from selo.signing.signer_policy import read_policy
from selo.signing.verify.document_inspection import ValidationKnowledge
from selo.verification.verification_report import CheckState, exit_code_of
from selo.verification.verifier import VerificationRequest, verify_document

#: A day on which the certificates of the kept documents were valid.
DAY = dt.datetime(2026, 12, 1, tzinfo=dt.UTC)


@pytest.fixture(scope="module", params=[f"engine-{number}" for number in range(1, ENGINE + 1)])
def checks(request, root, law):
    folder = root / "fixtures" / "documents" / request.param
    policy = read_policy(folder / "signers.yaml")
    asked = VerificationRequest(
        trust=policy.roots,
        policy=policy,
        known=ValidationKnowledge(revocations=policy.revocations, now=DAY),
        today=DAY.date(),
    )
    return list(verify_document((folder / "document.pdf").read_bytes(), law, asked))


def test_a_document_of_every_engine_verifies(checks):
    open_or_failed = [
        (one.name, one.key, one.slots)
        for one in checks
        if one.state in {CheckState.OPEN, CheckState.FAILED}
    ]

    assert open_or_failed == []
    assert exit_code_of(checks) == 0


def test_its_verdicts_are_worked_out_by_the_law_inside(checks):
    states = {one.key: one.state for one in checks}

    assert states["verdicts"] is CheckState.HOLDS
    assert states["law.signed"] is CheckState.HOLDS
    assert states["seed.stamped"] is CheckState.HOLDS
