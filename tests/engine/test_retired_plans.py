"""Evidence outlives the planner: a later engine holds it against the questions that it records."""

import datetime as dt
import json
import shutil

import pytest
from tests.engine.test_kept_documents import DAY
from tests.verification.conftest import examined

from selo import engine
from selo.cases.generate import case_stream
from selo.errors import UsageError
from selo.evidence import EvidenceReader, EvidenceWriter
from selo.evidence.evidence_errors import EvidenceTampered
from selo.examine.conclusion import derive_result_from_folder
from selo.examine.plan import examination_plan
from selo.examine.run import Examination
from selo.report.content.report_builder import build_report
from selo.signing.signer_policy import read_policy
from selo.signing.verify.document_inspection import ValidationKnowledge
from selo.verification.verification_report import CheckState, exit_code_of
from selo.verification.verifier import VerificationRequest, verify_document


@pytest.fixture
def changed_planner(monkeypatch):
    """Make plans in another order, as a later engine might."""
    made = case_stream.list_groups

    def otherwise(*positional, **named):
        return reversed(list(made(*positional, **named)))

    monkeypatch.setattr(examination_plan, "list_groups", otherwise)


def verify_kept(root, law):
    folder = root / "fixtures" / "documents" / f"engine-{engine.ENGINE}"
    policy = read_policy(folder / "signers.yaml")
    asked = VerificationRequest(
        trust=policy.roots,
        policy=policy,
        known=ValidationKnowledge(revocations=policy.revocations, now=DAY),
        today=DAY.date(),
    )
    return list(verify_document((folder / "document.pdf").read_bytes(), law, asked))


def keys_of(checks, state):
    return {one.key for one in checks if one.state is state}


def test_the_engine_that_made_the_plan_makes_it_again(root, law):
    assert "plan.made-again" in keys_of(verify_kept(root, law), CheckState.HOLDS)


@pytest.mark.usefixtures("changed_planner")
def test_another_planner_that_does_not_say_so_finds_the_evidence_altered(root, law):
    checks = verify_kept(root, law)

    assert exit_code_of(checks) == 6


@pytest.mark.usefixtures("changed_planner")
def test_a_later_engine_works_the_verdicts_out_from_the_recorded_questions(root, law, monkeypatch):
    monkeypatch.setattr(
        engine, "RETIRED_PLANS", ((engine.ENGINE, dt.datetime(2030, 1, 1, tzinfo=dt.UTC)),)
    )

    checks = verify_kept(root, law)

    assert keys_of(checks, CheckState.FAILED) == set()
    assert exit_code_of(checks) == 0
    assert "verdicts" in keys_of(checks, CheckState.HOLDS)
    assert "plan.recorded" in {one.key for one in checks}


@pytest.mark.usefixtures("changed_planner")
def test_what_is_signed_after_the_plan_was_given_up_is_not_said_to_hold(root, law, monkeypatch):
    monkeypatch.setattr(
        engine, "RETIRED_PLANS", ((engine.ENGINE, dt.datetime(2020, 1, 1, tzinfo=dt.UTC)),)
    )

    checks = verify_kept(root, law)

    assert "plan.signed-late" in keys_of(checks, CheckState.OPEN)
    assert exit_code_of(checks) == 2


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return the folder of a finished run of one game."""
    vendor = "fixtures/adapters/python/reference.py:vendor"
    return examined(tmp_path_factory.mktemp("finished") / "run", vendor)


@pytest.mark.usefixtures("changed_planner")
def test_a_report_is_made_of_the_recorded_questions(finished, law, monkeypatch):
    with pytest.raises(EvidenceTampered):
        derive_result_from_folder(finished, law)
    monkeypatch.setattr(
        engine, "RETIRED_PLANS", ((engine.ENGINE, dt.datetime(2030, 1, 1, tzinfo=dt.UTC)),)
    )

    found = derive_result_from_folder(finished, law)
    report = build_report(finished, law)

    told = json.loads((finished / "result.json").read_text(encoding="utf-8"))
    assert found.exit == report.exit == told["exit"]
    assert {one.provision: one.result for one in found.summary.provisions} == {
        one["provision"]: one["result"] for one in told["summary"]["provisions"]
    }


def test_a_run_whose_plan_is_given_up_is_not_begun_again_in_the_middle(
    finished, law, monkeypatch, tmp_path
):
    folder = shutil.copytree(finished, tmp_path / "run")
    lines = list(EvidenceReader(folder))
    (folder / "evidence.jsonl.zst").unlink()
    writer = EvidenceWriter(folder)
    header = json.loads(lines[0])
    writer.header({name: header[name] for name in header.keys() - {"evidence", "format"}})
    writer.lines(lines[1:50])
    writer.leave()
    monkeypatch.setattr(
        engine, "RETIRED_PLANS", ((engine.ENGINE, dt.datetime(2030, 1, 1, tzinfo=dt.UTC)),)
    )

    with pytest.raises(UsageError, match="engine"):
        Examination.resume(folder, law)
