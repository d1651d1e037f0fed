"""The gate against a real vendor: what closes it, what opens it, and that it hides nothing."""

import json
import sys

import jsonschema
import pytest

from selo.cli.schemas.published_schemas import build_schema
from selo.rules.mutants.known_causes import find_cause
from selo.rules.readings.reading_choice import Readings

FAULT = "rank-98-counts-as-100"
#: The provision in which it was planted.
PLANTED = "portaria-96-85-m/annex/98"
#: A vendor with that fault and one more.
BOTH = f"{FAULT}+rank-101-counts-as-98"
#: A fault whose cause is known, and the provision that is misread.
MISREAD = "pays-small-two-to-one"
SMALL, BIG = "portaria-21-96-m/6/a", "portaria-21-96-m/6/b"


@pytest.fixture
def broken(gate):
    """Return the provisions that are blamed for the fault."""
    _, _, told = gate(fault=FAULT)
    return sorted({one["provision"] for one in told["failures"] if one["verdict"] == "violates"})


def test_a_lawful_vendor_passes(gate):
    code, printed, told = gate()

    assert code == 0
    assert told["passes"] is True
    assert "The gate OPENS" in printed


def test_an_unlisted_failure_closes_the_gate(gate, broken):
    code, printed, _ = gate(fault=FAULT)

    assert code == 1
    assert PLANTED in broken
    for provision in broken:
        assert f"not listed: {provision} — violates" in printed


@pytest.fixture
def known(gate):
    """Return the entries that cover all that the fault breaks."""
    return gate.proposed(fault=FAULT)


def test_a_failure_that_is_listed_opens_the_gate_and_is_told_with_its_reason(
    gate, listed, broken, known
):
    path = listed(*({**one, "reason": "mended soon"} for one in known))

    code, printed, told = gate("--deviations", path, fault=FAULT)

    assert code == 0
    assert {one["failure"]["provision"] for one in told["waived"]} >= set(broken)
    assert printed.count("mended soon (owner Demonstration engineer 1") == len(known)


def test_what_is_let_through_is_still_a_violation_in_result_and_exit_of_the_examination(
    gate, listed, tmp_path, known
):
    path = listed(*known)

    _, printed, told = gate("--deviations", path, fault=FAULT)

    result = json.loads((tmp_path / "run-1" / "result.json").read_text("utf-8"))
    assert (told["exit"], told["examination_exit"], result["exit"]) == (0, 1, 1)
    assert told["overall"] == "violates"
    assert "VIOLATES" in printed


def test_documents_of_a_run_are_the_same_with_and_without_deviations(
    selo_here, vendor, listed, tmp_path, known
):
    path = listed(*known)
    documents = []
    for number, more in enumerate(([], ["--deviations", path])):
        out = tmp_path / str(number)
        words = ("--vendor", vendor(FAULT), "--rulings", "defaults", "--out", out)
        selo_here("gate", *words, "--format", "junit", "--format", "json", *more)
        documents.append((out / "report" / "report.junit.xml").read_text("utf-8"))

    def verdicts(text):
        # Times, folders and roots differ from run to run.
        return [line for line in text.splitlines() if "<failure" in line or "<testcase" in line]

    assert verdicts(documents[0]) == verdicts(documents[1])
    assert any("<failure" in line for line in verdicts(documents[0]))


def test_one_of_two_failures_listed_is_not_enough(gate, listed):
    entries = gate.proposed(fault=BOTH)
    path = listed(*(one for one in entries if PLANTED in one["provision"]))
    code, _, told = gate("--deviations", path, fault=BOTH)

    others = {name for one in entries for name in one["provision"]} - {PLANTED}
    assert code == 1
    assert others
    assert {one["provision"] for one in told["failures"]} == others
    assert {one["failure"]["provision"] for one in told["waived"]} == {PLANTED}


def test_an_expired_entry_fails_and_its_failure_counts_again(gate, listed, known):
    path = listed(*({**one, "expires": "2026-01-31"} for one in known))

    on_the_last_day, _, _ = gate("--deviations", path, "--on", "2026-01-31", fault=FAULT)
    a_day_later, printed, told = gate("--deviations", path, "--on", "2026-02-01", fault=FAULT)

    assert (on_the_last_day, a_day_later) == (0, 1)
    assert [one["state"] for one in told["entries"]] == ["expired"] * len(known)
    assert "expired on 2026-01-31" in printed


def test_an_expired_entry_fails_even_if_all_is_well(gate, listed):
    code, _, told = gate("--deviations", listed({"provision": PLANTED, "expires": "2020-01-01"}))

    assert code == 3
    assert told["failures"] == []


def test_an_entry_that_no_longer_occurs_fails_as_stale(gate, listed):
    code, printed, told = gate("--deviations", listed({"provision": PLANTED}))

    assert code == 3
    assert [one["state"] for one in told["entries"]] == ["stale"]
    assert f"no longer occurs: {PLANTED}" in printed


def test_an_entry_about_another_game_is_beside_the_run(gate, listed):
    code, printed, told = gate("--deviations", listed({"provision": "portaria-21-96-m/7"}))

    assert code == 0
    assert [one["state"] for one in told["entries"]] == ["beside"]
    assert "not in this run" in printed


def test_an_entry_on_a_doubt_does_not_cover_a_breach(gate, listed, broken):
    path = listed(*({"provision": one, "verdict": "inconclusive"} for one in broken))

    code, _, told = gate("--deviations", path, fault=FAULT)

    assert code == 1
    assert {one["state"] for one in told["entries"]} == {"stale"}


@pytest.fixture
def misread(gate, root):
    """Run the gate against a vendor that misreads one prize; return code, output, and record."""
    vendor = f"{sys.executable} {root}/fixtures/planted/vendor.py fish-prawn-crab {MISREAD}"

    def run(*words):
        # Something must conform, so a second provision is asked about.
        asked = ("--game", "fish-prawn-crab", "--provision", SMALL, "--provision", BIG)
        return gate("--vendor", vendor, *asked, *words)

    return run


def test_a_failure_names_its_cause_by_a_code_and_by_the_former_sentence(misread):
    code, _, told = misread()

    (failure,) = told["failures"]
    assert code == 1
    assert failure["cause"] == "prize small: odds 1:1 become 2:1"
    assert failure["cause_code"].startswith(f"{SMALL}:prize.odds.odds-")


def test_an_entry_with_another_cause_does_not_cover_a_breach(misread, listed, law):
    sentence = "prize small: for one instead of to one"
    other = find_cause(law, [SMALL], Readings(law), sentence).code

    code, _, told = misread("--deviations", listed({"provision": SMALL, "cause": other}))

    assert code == 1
    assert [one["provision"] for one in told["failures"]] == [SMALL]
    assert [one["state"] for one in told["entries"]] == ["stale"]


def test_an_entry_with_the_code_of_the_cause_opens_the_gate_as_its_sentence_does(misread, listed):
    (failure,) = misread()[2]["failures"]
    by_code = listed({"provision": SMALL, "cause": failure["cause_code"]})
    opened, printed, told = misread("--deviations", by_code)
    by_sentence = listed({"provision": SMALL, "cause": failure["cause"]})
    as_before, warned, told_before = misread("--deviations", by_sentence)

    assert opened == as_before == 0
    assert [one["failure"] for one in told["waived"]] == [failure]
    assert [one["failure"] for one in told_before["waived"]] == [failure]
    assert "an earlier edition" not in printed
    assert f"an earlier edition; write cause: {failure['cause_code']}" in warned


@pytest.mark.parametrize(
    ("language", "says"),
    [("pt", "frase de edições anteriores"), ("zh", "舊版語句"), ("en", "an earlier edition")],
)
def test_the_warning_of_a_sentence_is_in_each_language(misread, listed, language, says):
    path = listed({"provision": SMALL, "cause": "prize small: odds 1:1 become 2:1"})

    assert says in misread("--deviations", path, "--lang", language)[1]


@pytest.mark.parametrize("entry", [{}, {"cause": ""}, {"parts": ["result", "comparison"]}])
def test_an_entry_that_states_neither_cause_nor_cases_covers_no_finding(
    gate, listed, broken, entry
):
    path = listed(*({"provision": one, **entry} for one in broken))

    code, printed, told = gate("--deviations", path, fault=FAULT)

    assert code == 1
    assert {one["provision"] for one in told["failures"]} >= set(broken)
    assert {one["state"] for one in told["entries"]} == {"loose"}
    assert "too broad" in printed


def test_everything_that_one_fault_shows_does_not_cover_a_second_fault(gate, listed, known):
    code, _, told = gate("--deviations", listed(*known), fault=BOTH)

    assert code == 1
    assert told["passes"] is False


def test_what_is_hidden_behind_a_listed_finding_is_listed_by_itself(gate, listed, known):
    hidden = [one for one in known if one.get("because") == "hidden-behind"]
    others = [one for one in known if one not in hidden]
    unsaid = [{name: one[name] for name in one if name != "because"} for one in hidden]

    assert hidden
    assert gate("--deviations", listed(*others), fault=FAULT)[0] == 2
    assert gate("--deviations", listed(*others, *unsaid), fault=FAULT)[0] == 2
    assert gate("--deviations", listed(*known), fault=FAULT)[0] == 0


def test_a_proposed_entry_is_refused_until_somebody_fills_it_in(gate, selo_here, tmp_path):
    gate(fault=FAULT)
    path = tmp_path / "run-0" / "deviations.proposed.yaml"

    code, _, told = selo_here("gate", "--vendor", "x", "--deviations", path)

    assert code == 3
    assert f"{path}:" in told


def test_open_points_close_the_gate_unless_only_breaches_are_to(gate):
    assert gate(rulings=None)[0] == 2
    assert gate("--fail-on", "violates", rulings=None)[0] == 0


def test_too_little_verified_closes_the_gate(gate):
    code, printed, told = gate("--at-least", "999")

    assert code == 2
    assert f"only {told['verified']} provisions are verified; 999 are required" in printed


def test_a_provision_nobody_asked_about_is_no_failure(gate):
    code, _, told = gate("--provision", PLANTED, "--fail-on", "to-be-witnessed")

    assert told["failures"] == []
    assert code in {0, 2}


def test_an_unknown_provision_is_refused_before_anything_runs(gate, listed, tmp_path):
    code, printed, told = gate("--deviations", listed({"provision": "portaria-1-00-m/1"}))

    assert (code, told) == (3, None)
    assert "there is no provision “portaria-1-00-m/1”" in printed
    assert not (tmp_path / "run-0").exists()


def test_a_vendor_that_breaks_down_cannot_be_listed_away(selo_here, root, listed, tmp_path):
    path = listed({"provision": "portaria-21-96-m/7"})
    vendor = f"python3 {root}/fixtures/hostile/dies_within_a_batch.py"

    code, _, _ = selo_here(
        "gate", "--vendor", vendor, "--deviations", path, "--out", tmp_path / "run",
        "--format", "none", "--fail-on", "violates",
    )  # fmt: skip

    assert code == 4


def test_the_output_is_as_its_schema_says(gate, listed):
    path = listed({"provision": PLANTED}, {"provision": "portaria-21-96-m/7"})

    _, printed, told = gate("--deviations", path, "--json", fault=FAULT)

    judge = jsonschema.Draft202012Validator(build_schema("gate"))
    assert [error.message for error in judge.iter_errors(told)] == []
    assert json.loads(printed[: printed.rindex("}") + 1]) == told


@pytest.mark.parametrize(
    ("language", "says"), [("pt", "A porta ABRE"), ("zh", "放行："), ("en", "The gate OPENS")]
)
def test_the_gate_speaks_three_languages(gate, language, says):
    assert says in gate("--lang", language)[1]


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("pt", "e não há decisão sobre qual se aplica)"),
        ("zh", "而尚未裁定應採何種解讀）"),
        ("en", "and there is no ruling on which applies)"),
    ],
)
def test_a_failure_is_told_with_its_reason_in_words(gate, language, says):
    code, told, record = gate("--lang", language, rulings=None)

    assert code == 2
    assert says in told
    assert "reading-open" not in told
    assert {one["reason"] for one in record["failures"]} == {"reading-open"}


def test_what_is_let_through_is_told_with_its_reason_in_words(gate, listed):
    every = gate(rulings=None)[2]["failures"]
    fields = ("provision", "verdict", "readings")
    path = listed(*({name: one[name] for name in fields} for one in every))

    code, told, _ = gate("--deviations", path, rulings=None)

    assert code == 0
    assert "there is no ruling on which applies" in told
    assert "reading-open" not in told


def test_the_proposal_lists_the_readings_that_are_followed_and_opens_the_gate(gate, listed):
    proposed = gate.proposed(rulings=None)

    assert all(one["readings"] for one in proposed)
    assert gate("--deviations", listed(*proposed), rulings=None)[0] == 0


@pytest.mark.parametrize(
    ("change", "state"),
    [
        pytest.param(lambda one: one.pop("readings"), "loose", id="no-reading-is-stated"),
        pytest.param(
            lambda one: one.update(readings={point: ["another"] for point in one["readings"]}),
            "stale",
            id="another-reading-was-approved",
        ),
        pytest.param(
            lambda one: one.update(readings={**one["readings"], "another-point": ["x"]}),
            "stale",
            id="another-point-was-approved",
        ),
    ],
)
def test_an_entry_on_a_reading_covers_no_other_reading(gate, listed, change, state):
    proposed = gate.proposed(rulings=None)
    change(proposed[0])

    code, _, told = gate("--deviations", listed(*proposed), rulings=None)

    assert code == 2
    assert told["passes"] is False
    assert state in {one["state"] for one in told["entries"]}


@pytest.mark.full
@pytest.mark.parametrize(
    ("command", "file"), [("gate --format none", "gate.json"), ("examine", "result.json")]
)
def test_a_second_run_in_a_project_takes_the_next_folder(
    selo_here, vendor, root, tmp_path, command, file
):
    (tmp_path / "selo.toml").write_text(
        f"vendor = '{vendor()}'\nfolder = '{root}'\nrulings = 'defaults'\n", encoding="utf-8"
    )

    codes = [selo_here(*command.split())[0] for _ in range(3)]

    assert codes == [0, 0, 0]
    found = sorted(one.parent.name for one in tmp_path.glob(f"*/{file}"))
    assert found == ["selo-run", "selo-run-2", "selo-run-3"]


def test_a_folder_that_is_named_must_be_new(selo_here, vendor, root, tmp_path):
    words = ("gate", "--vendor", vendor(), "--folder", root, "--format", "none", "--out", "mine")
    selo_here(*words)
    before = (tmp_path / "mine" / "gate.json").read_bytes()

    code, _, told = selo_here(*words)

    assert code == 3
    assert "mine" in told
    assert (tmp_path / "mine" / "gate.json").read_bytes() == before
    assert sorted(one.parent.name for one in tmp_path.glob("*/gate.json")) == ["mine"]


def test_the_settings_of_a_project_are_enough(selo_here, vendor, root, listed, tmp_path, gate):
    path = listed(*gate.proposed("--fail-on", "to-be-witnessed", fault=FAULT))
    (tmp_path / "selo.toml").write_text(
        f"vendor = '{vendor(FAULT)}'\nfolder = '{root}'\nrulings = 'defaults'\nout = 'made'\n"
        f"deviations = '{path.name}'\n\n[gate]\nfail-on = 'to-be-witnessed'\nat-least = 5\n",
        encoding="utf-8",
    )

    code, _, _ = selo_here("gate", "--format", "none")

    assert code == 0
    told = json.loads((tmp_path / "made" / "gate.json").read_text("utf-8"))
    assert (told["fail_on"], told["at_least"]) == ("to-be-witnessed", 5)
