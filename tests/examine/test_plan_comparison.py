"""Evidence that does not follow its own plan is altered, whatever its root says."""

import json
import shutil

import pytest
from tests.examine.forged_evidence import forge_evidence
from tests.often import often

from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.evidence_writer import EvidenceWriter
from selo.evidence.run_files import DRAWS_FILE
from selo.examine.conclusion.result import derive_result_from_folder
from selo.examine.plan import Plan
from selo.examine.run.evidence_header import read_header


def wrong(line):
    return line.get("right") is False


def drop_wrong_lines(run):
    run.lines[:] = [line for line in run.lines if not wrong(line)]
    _count_again(run)


def drop_wrong_lines_and_keep_the_counts(run):
    run.lines[:] = [line for line in run.lines if not wrong(line)]


def replace_wrong_lines_by_a_right_one(run):
    right = next(line for line in run.lines if line.get("right"))
    run.lines[:] = [dict(right) if wrong(line) else line for line in run.lines]


def call_wrong_lines_reductions(run):
    for line in run.lines:
        if wrong(line):
            line["group"] = "reduction"
            del line["right"]
    run.lines.sort(key=lambda line: line["group"] == "reduction")
    _count_again(run)


def keep_nothing(run):
    run.lines.clear()
    run.footer |= {"cases": 0, "rounds": 0, "reductions": 0}


def keep_nothing_and_say_otherwise(run):
    run.lines.clear()


def exchange_two_lines(run):
    run.lines[3], run.lines[4] = run.lines[4], run.lines[3]


def repeat_a_line(run):
    run.lines.insert(5, dict(run.lines[5]))
    run.footer["cases"] += 1


def drop_the_last_case(run):
    del run.lines[run.footer["cases"] - 1]
    run.footer["cases"] -= 1


def drop_a_round(run):
    run.lines.remove(next(line for line in run.lines if line["method"] == "round"))
    run.footer["rounds"] -= 1


def drop_the_last_round(run):
    at = max(at for at, line in enumerate(run.lines) if line["method"] == "round")
    del run.lines[at]
    run.footer["rounds"] -= 1


def exchange_two_rounds(run):
    first = run.footer["cases"]
    run.lines[first], run.lines[first + 1] = run.lines[first + 1], run.lines[first]


def ask_for_another_stake(run):
    line = next(line for line in run.lines if line["method"] == "settle")
    line["params"]["bets"][0]["stake"] += 1


def call_a_group_otherwise(run):
    run.lines[0]["group"] = "another"


def answer_nothing(run):
    for line in run.lines:
        if wrong(line) and line["method"] != "round":
            del line["answer"], line["right"]


def drop_the_reductions(run):
    run.lines[:] = [line for line in run.lines if line["group"] != "reduction"]
    run.footer["reductions"] = 0


def drop_one_reduction(run):
    run.lines.pop()
    run.footer["reductions"] -= 1


def repeat_a_reduction(run):
    run.lines.append(dict(run.lines[-1]))
    run.footer["reductions"] += 1


def add_a_foreign_reduction(run):
    foreign = json.loads(json.dumps(run.lines[-1]))
    foreign["params"]["bets"][0]["stake"] = 12_345
    run.lines.append(foreign)
    run.footer["reductions"] += 1


def leave_rounds_out(run):
    run.footer["rounds_left_out"] = ["the rounds that a vendor would rather not play"]


def add_a_field(run):
    run.lines[0]["remark"] = "nothing"


def _count_again(run):
    run.footer["reductions"] = sum(line["group"] == "reduction" for line in run.lines)
    run.footer["rounds"] = sum(line["method"] == "round" for line in run.lines)
    run.footer["cases"] = len(run.lines) - run.footer["rounds"] - run.footer["reductions"]


FORGERIES = [
    drop_wrong_lines, drop_wrong_lines_and_keep_the_counts, replace_wrong_lines_by_a_right_one,
    call_wrong_lines_reductions, keep_nothing, keep_nothing_and_say_otherwise, exchange_two_lines,
    repeat_a_line, drop_the_last_case, drop_a_round, drop_the_last_round, exchange_two_rounds,
    ask_for_another_stake, call_a_group_otherwise, answer_nothing, drop_the_reductions,
    drop_one_reduction, repeat_a_reduction, add_a_foreign_reduction, leave_rounds_out, add_a_field,
]  # fmt: skip


@pytest.mark.parametrize(
    "forgery", often(FORGERIES, drop_wrong_lines, keep_nothing, answer_nothing, drop_a_round)
)
def test_evidence_that_does_not_follow_its_plan_gives_no_result(law, faulty, tmp_path, forgery):
    folder = forge_evidence(faulty, tmp_path / "forged", forgery)

    with pytest.raises(EvidenceTampered) as refused:
        derive_result_from_folder(folder, law)

    expected = AlterationSign.LINE if forgery is add_a_field else AlterationSign.PLAN
    assert refused.value.sign is expected


@pytest.mark.full
def test_evidence_that_is_only_written_again_gives_the_same_result(law, faulty, tmp_path):
    folder = forge_evidence(faulty, tmp_path / "same", lambda _: None)

    assert derive_result_from_folder(folder, law).exit == 1


@pytest.mark.full
def test_the_first_line_that_departs_is_named(law, faulty, tmp_path):
    folder = forge_evidence(faulty, tmp_path / "forged", exchange_two_lines)

    with pytest.raises(EvidenceTampered, match="line 4 is not what the plan has in the place of"):
        derive_result_from_folder(folder, law)


@pytest.mark.parametrize("command", often(["check", "resume", "report"], "resume"))
def test_every_command_that_reads_evidence_ends_6(selo, faulty, tmp_path, command):
    folder = forge_evidence(faulty, tmp_path / "forged", drop_wrong_lines)
    words = {
        "check": ["evidence", "check", folder],
        "resume": ["resume", folder],
        "report": ["report", folder, "--out", tmp_path / "out", "--format", "json"],
    }

    done = selo(*map(str, words[command]))

    assert done.returncode == 6, done.stdout + done.stderr
    assert not (tmp_path / "out").exists()


def test_evidence_that_follows_its_plan_is_told(selo, examined):
    done = selo("evidence", "check", str(examined))

    assert "Every line is what the plan asks for" in done.stdout
    assert done.returncode == 0


def cut(folder, into, forgery):
    """Write an unfinished run: the beginning of one, with a forgery."""

    def shorten(run):
        del run.lines[100:]
        forgery(run)

    forged = forge_evidence(folder, into, shorten)
    header, *lines, _ = EvidenceReader(forged)
    (forged / "evidence.jsonl.zst").unlink()
    (forged / DRAWS_FILE.file).unlink(missing_ok=True)
    shutil.copy(folder / "run.json", forged / "run.json")
    _write_beginning(forged, header, lines)
    log = json.loads((forged / "run.json").read_text(encoding="utf-8"))
    log |= {"ended": None, "evidence_root": None, "draws_root": None}
    (forged / "run.json").write_text(json.dumps(log), encoding="utf-8")
    return forged


def _write_beginning(folder, header, lines):
    fields = json.loads(header)
    with EvidenceWriter(folder) as writer:
        writer.header({name: fields[name] for name in fields if name not in {"evidence", "format"}})
        writer.lines(lines)


@pytest.mark.full
def test_the_beginning_of_a_plan_is_resumed(selo, examined, tmp_path):
    folder = cut(examined, tmp_path / "begun", lambda _: None)

    done = selo("resume", str(folder))

    assert done.returncode == json.loads((examined / "result.json").read_text())["exit"]


def test_a_beginning_that_is_not_of_the_plan_is_not_resumed(selo, examined, tmp_path):
    folder = cut(examined, tmp_path / "begun", exchange_two_lines)

    done = selo("resume", str(folder))

    assert done.returncode == 6, done.stderr


@pytest.mark.parametrize("count", [7, 5000])
def test_a_cursor_reads_the_cases_of_the_plan_in_any_pieces(law, examined, count):
    plan = Plan(law, read_header(examined).terms)
    cases = [case for chunk in plan.chunks() for case in chunk.cases]
    cursor = plan.cursor()

    read = [case for first in range(0, len(cases), count) for case in cursor.read(first, count)]

    assert read == cases


def test_a_cursor_skips_what_nobody_asks_for(law, examined):
    plan = Plan(law, read_header(examined).terms)
    cases = [case for chunk in plan.chunks() for case in chunk.cases]
    cursor = plan.cursor()

    middle = len(cases) // 2

    assert cursor.read(middle, 3) == cases[middle : middle + 3]
    assert cursor.read(len(cases) - 1, 5) == cases[-1:]
    assert cursor.read(len(cases), 5) == []
