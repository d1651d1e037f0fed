"""Evidence alone gives everything again: counts, findings with their smallest cases, verdicts."""

import json
import shutil

import msgspec
import pytest
from tests.often import often

from selo.cases.case_numbers import parse_ranges
from selo.evidence.canonical_json import encode_canonical
from selo.evidence.evidence_errors import EvidenceTampered
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.evidence_writer import EvidenceWriter
from selo.examine.analysis.evidence_analysis import EvidenceAnalysis, MisjudgedAnswer
from selo.examine.conclusion.result import ExaminationResult, derive_result_from_folder
from selo.examine.conclusion.verdict_summary import VerdictSummary
from selo.examine.exchange.chunk_exchange import AnsweredChunk
from selo.examine.exchange.reduction_log import REDUCTION
from selo.examine.run.evidence_header import read_header
from selo.verdict import Result, Verdict, VerdictReason
from selo.verdict.overall import conclude_game

SEVEN_AND_FOURTEEN = "portaria-21-96-m/6/j/4"


def result_in(folder):
    return msgspec.json.decode((folder / "result.json").read_bytes(), type=ExaminationResult)


def plain(outcome):
    return json.loads(msgspec.json.encode(outcome))


@pytest.mark.parametrize("run", often(["examined", "faulty"], "examined"))
def test_the_result_follows_from_the_evidence_alone(law, run, request, tmp_path):
    folder = request.getfixturevalue(run)
    alone = tmp_path / "alone"
    alone.mkdir()
    for path in folder.glob("*.zst"):
        shutil.copy(path, alone)

    assert plain(derive_result_from_folder(alone, law)) == plain(result_in(folder))


def forged(folder, into, change):
    """Write the evidence again, digests and all, with some lines changed."""
    header, *lines, footer = [json.loads(line) for line in EvidenceReader(folder)]
    writer = EvidenceWriter(into)
    for name in ("evidence", "format", "lines"):
        header.pop(name, None)
        footer.pop(name, None)
    writer.header(header)
    writer.lines(encode_canonical(change(line)) for line in lines)
    writer.close(footer)
    return into


@pytest.mark.parametrize("method", ["settle", "round"])
def test_wrong_answers_that_evidence_calls_right_are_noticed(law, faulty, tmp_path, method):
    def called_right(line):
        wrong = line["method"] == method and line.get("right") is False
        return {**line, "right": True} if wrong else line

    folder = forged(faulty, tmp_path / "forged", called_right)

    with pytest.raises(MisjudgedAnswer, match="the evidence says right of case"):
        derive_result_from_folder(folder, law)


def test_a_line_that_says_nothing_of_a_case_is_noticed_though_no_root_is_known(
    law, examined, tmp_path
):
    def nameless(line):
        return {name: value for name, value in line.items() if name != "game"}

    folder = forged(examined, tmp_path / "forged", nameless)

    with pytest.raises(EvidenceTampered, match="a line that says nothing of a case"):
        derive_result_from_folder(folder, law)


def test_one_wrong_prize_is_one_finding(faulty):
    (finding,) = result_in(faulty).findings

    assert finding.provisions == [SEVEN_AND_FOURTEEN]
    assert finding.times > 20


def test_a_finding_is_reduced_to_one_bet_with_a_simple_stake(faulty):
    (finding,) = result_in(faulty).findings

    assert len(finding.params["bets"]) == 1
    assert finding.params["bets"][0]["stake"] == 100
    assert (finding.expected["prize"], finding.observed["prize"]) == (1200, 1400)
    assert finding.money == 200


def test_only_what_is_broken_is_blamed(faulty):
    violated = {
        one.provision for one in result_in(faulty).summary.provisions if one.result == "violates"
    }

    assert violated == {SEVEN_AND_FOURTEEN}


def test_a_finding_quotes_the_law_in_both_languages(faulty):
    (finding,) = result_in(faulty).findings

    text = next(one.text for one in finding.law if one.provision == SEVEN_AND_FOURTEEN)
    assert "doze vezes" in text["pt"]
    assert "十二" in text["zh"]


def test_what_was_asked_to_reduce_is_in_the_evidence_and_no_case_of_the_plan(faulty):
    lines = [json.loads(line) for line in EvidenceReader(faulty)][1:-1]
    asked = [line for line in lines if line["group"] == REDUCTION]

    assert asked
    assert lines[-len(asked) :] == asked
    counted = sum(one.cases for one in result_in(faulty).counts)
    rounds = sum(line["method"] == "round" and line["group"] != REDUCTION for line in lines)
    assert counted == len(lines) - len(asked) - rounds


@pytest.mark.parametrize(("vendor", "code"), [("faulty_vendor", 1), ("lawful_vendor", 0)])
def test_a_finding_can_be_replayed_from_its_file_alone(
    selo, faulty, tmp_path, vendor, code, request
):
    (path,) = (faulty / "findings").iterdir()
    alone = shutil.copy(path, tmp_path / "somewhere.json")

    assert (
        selo("replay", str(alone), "--vendor", request.getfixturevalue(vendor)).returncode == code
    )


def chunked(lines, size):
    """Return lines as a run that is under way hands them on."""
    for first in range(0, len(lines), size):
        some = [json.loads(line) for line in lines[first : first + size]]
        silent = [one.get("right") is None and "fault" not in one for one in some]
        close = [
            at
            for at, one in enumerate(some)
            if one["group"] == "situations" or (not one.get("right") and not silent[at])
        ]
        yield AnsweredChunk(
            index=0, first=first, game=some[0]["game"], method=some[0]["method"],
            lines=lines[first : first + size], bets=0, close=close,
            silent=sum(silent[at] for at in range(len(some)) if at not in close),
        )  # fmt: skip


@pytest.mark.parametrize("size", [1, 7, 1024])
def test_a_run_under_way_concludes_what_its_evidence_says(law, faulty, size):
    terms = read_header(faulty).terms
    lines = [
        line
        for line in list(EvidenceReader(faulty))[1:-1]
        if json.loads(line)["method"] == "settle"
    ]
    cases = [line for line in lines if json.loads(line)["group"] != REDUCTION]
    ahead = EvidenceAnalysis(law=law, terms=terms)

    for done in chunked(cases, size):
        ahead.add_chunk(done)

    told = EvidenceAnalysis(law=law, terms=terms)
    for line in cases:
        told.add_line(line)
    told.locate_causes()
    ours, theirs = ahead.locate_causes().tallies["fish-prawn-crab"], told.tallies["fish-prawn-crab"]
    assert ahead.cases == told.cases
    assert ours.counts == theirs.counts
    assert ours.differences == theirs.differences
    assert ahead.located == told.located


def test_a_finding_points_to_its_cases_and_to_what_differs_in_them(faulty):
    wrong = {}
    for line in map(json.loads, list(EvidenceReader(faulty))[1:-1]):
        if line.get("right") is False and line["group"] != REDUCTION:
            wrong[line["n"]] = line

    for finding in result_in(faulty).findings:
        numbers = {
            number
            for first, last in parse_ranges(finding.cases.ranges)
            for number in range(first, last + 1)
        }
        by_difference = [parse_ranges(cases.ranges) for cases in finding.differences.values()]

        assert finding.first in numbers <= {*wrong}
        assert finding.cases.count == len(numbers)
        assert {first for ranges in by_difference for first, _ in ranges} <= numbers
        assert finding.parts


def test_every_wrong_case_is_in_a_finding(faulty):
    wrong = {
        line["n"]
        for line in map(json.loads, list(EvidenceReader(faulty))[1:-1])
        if line.get("right") is False and line["group"] != REDUCTION
    }
    pointed = {
        number
        for finding in result_in(faulty).findings
        for first, last in parse_ranges(finding.cases.ranges)
        for number in range(first, last + 1)
    }

    assert pointed == wrong


@pytest.mark.parametrize(
    ("reasons", "label"),
    [
        pytest.param(["examined"], "conforms", id="nothing-is-broken"),
        pytest.param(["examined", "against-ruling"], "against-reading", id="a-ruling-alone"),
        pytest.param(["against-ruling", "violation"], "violates", id="the-law-as-well"),
        pytest.param(["against-ruling", "witness-not-met"], "violates", id="a-person-as-well"),
    ],
)
def test_the_whole_is_said_to_be_against_a_reading_only_if_every_breach_is(reasons, label):
    verdicts = [
        Verdict(
            provision=f"made-up/{number}",
            result=Result.CONFORMS if reason == "examined" else Result.VIOLATES,
            reason=VerdictReason(reason),
            counts=True,
        )
        for number, reason in enumerate(reasons)
    ]

    summary = VerdictSummary(overall=conclude_game(verdicts), games={}, provisions=verdicts)

    assert summary.label == label
