"""Samples larger than what is kept: streams of draws and free rounds, up to a verdict."""

import json
import shutil
import subprocess
import sys
from fractions import Fraction

import msgspec
import pytest
from tests.often import often

from selo.draws.draw_verdict import FamilyLevels
from selo.evidence.evidence_errors import EvidenceTampered
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.evidence_writer import EvidenceWriter
from selo.evidence.run_files import CASES_FILE, DRAWS_FILE
from selo.examine.analysis.draw_record import read_draws
from selo.examine.conclusion.result import derive_result_from_folder
from selo.examine.disclosure import (
    DisclosureBroken,
    check_disclosure,
    find_provision_lines,
    write_disclosure,
)
from selo.examine.exchange import VendorEndpoint
from selo.examine.free_rounds import free_round_plan
from selo.examine.plan import draw_plan, terms_of
from selo.examine.run.evidence_header import build_header
from selo.examine.run.examination import Examination
from selo.examine.run.finding_redraw import redraw_finding
from selo.examine.run.run_log import begin_run_log
from selo.examine.vendor_description.describe_check import introduce_vendor
from selo.vendors.resource_limits import Limits

FISH = "fish-prawn-crab"
BALANCE = "portaria-21-96-m/1/a/close"
STREAM, ROUNDS = 4_000, 60
#: Offers what is asked for and draws from the system, but for what some lines change.
VENDOR = """
import random, sys
sys.path.insert(0, {folder!r})
from reference import ReferenceVendor

class Vendor(ReferenceVendor):
    drawn = 0

    def _offer(self, game):
        return {{**super()._offer(game), "methods": {methods!r}}}

    def draw(self, params):
        answer = super().draw(params)
        outcomes = answer["outcomes"]
        self.drawn += len(outcomes)
{draw}
        return answer

    def table_act(self, params):
        answer = super().table_act(params)
{act}
        return answer

vendor = Vendor([{game!r}], {chance})
"""


@pytest.fixture(autouse=True)
def short_streams(monkeypatch):
    monkeypatch.setattr(draw_plan, "OUTCOMES_PER_STREAM", STREAM)
    monkeypatch.setattr(free_round_plan, "ROUNDS_PER_STREAM", ROUNDS)
    monkeypatch.setitem(draw_plan.OUTCOMES_PER_TABLE, "quick", 1_000)
    monkeypatch.setitem(free_round_plan.FREE_ROUNDS, "quick", 20)


@pytest.fixture
def vendor(root, tmp_path):
    """Return the address of a vendor whose answers some lines of Python change."""

    def write(draw="pass", act="pass", *, methods=("draw",), chance="random.SystemRandom()"):
        lines = {
            name: "\n".join(f"        {line}" for line in body.splitlines())
            for name, body in (("draw", draw), ("act", act))
        }
        folder = str(root / "fixtures" / "adapters" / "python")
        text = VENDOR.format(
            folder=folder, game=FISH, methods=list(methods), chance=chance, **lines
        )
        path = tmp_path / f"vendor{len(list(tmp_path.iterdir()))}" / "vendor.py"
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
        return f"{path}:vendor"

    return write


@pytest.fixture
def begun(law, root, tmp_path):
    """Return a run that has begun with a vendor."""

    def begin(address, *, draws=0, rounds=0, processes=2, seed=3):
        endpoint = VendorEndpoint(address, Limits(), root)
        known = introduce_vendor(endpoint.session(), law)
        terms = terms_of(
            law, known.scope, as_of="2026-01-01", text_as_stored=True, rulings={}, budget="quick",
            seed=seed, provisions=[], draws=draws, rounds=rounds,
        )  # fmt: skip
        header = build_header(terms, known.description, adopted=[], commitment=None)
        folder = tmp_path / f"run{len(list(tmp_path.iterdir()))}"
        return Examination.begin(folder, law, begin_run_log(endpoint, processes), header)

    return begin


def finished(examination):
    for _ in (*examination.play_free_rounds(), *examination.draw_outcomes()):
        pass
    examination.release()
    return examination.folder


def lines_of(folder):
    return list(EvidenceReader(folder, book=DRAWS_FILE).unproven_values())


def forged(folder, lines):
    """Write other lines in place of the recorded ones, as whoever holds the folder could."""
    copy = folder.with_name(f"{folder.name}-forged")
    shutil.copytree(folder, copy)
    (copy / DRAWS_FILE.file).unlink()
    log = json.loads((copy / "run.json").read_text())
    (copy / "run.json").write_text(json.dumps({**log, "draws_root": None}))
    header, *middle, footer = [
        {name: value for name, value in line.items() if name not in {"evidence", "format", "lines"}}
        for line in lines
    ]
    with EvidenceWriter(copy, book=DRAWS_FILE) as writer:
        writer.header(header)
        writer.lines(
            msgspec.json.encode({**line, "n": n}, order="sorted") for n, line in enumerate(middle)
        )
        writer.close(footer)
    return copy


def results_of(law, examination):
    header = examination.header
    return read_draws(examination.folder, law, header.terms, header.description.games)


def test_a_large_sample_is_kept_in_part_and_counted_whole(law, begun, vendor):
    examination = begun(vendor(), draws=3 * STREAM + 1_000)

    lines = lines_of(finished(examination))

    kept = [line for line in lines if "answer" in line and "outcomes" in line["answer"]]
    # A fair source is doubted now and then, and then drawn a second time.
    streams = [line for line in lines if line.get("look") == 1]
    assert len(kept) * 1_000 == STREAM
    assert [line["answer"]["counts"]["outcomes"] for line in streams] == [STREAM, STREAM, 1_000]
    assert [line["stream"] for line in streams] == [1, 2, 3]
    assert all(len(line["answer"]["root"]) == 64 for line in streams)
    assert lines[-1]["streams"] == sum("stream" in line for line in lines)
    results = results_of(law, examination)
    assert {one.sample for one in results.statistics if one.look == 1} <= {3 * STREAM + 1_000}
    last = max(one.look for one in results.statistics)
    assert {one.verdict for one in results.statistics if one.look == last} == {"fair"}
    # What the first look leaves in doubt is looked at again.
    assert last > 1 or all(one.verdict == "fair" for one in results.statistics)
    assert results.statistics == examination.draw_results.statistics


def test_a_source_that_turns_unfair_late_is_found(law, begun, vendor):
    late = f"if self.drawn > {2 * STREAM}:\n    for one in outcomes[::5]: one['dice'][0] = 'fish'"
    # All comes from one process, and what is kept of it is fair.
    examination = begun(vendor(late), draws=6 * STREAM, processes=1)

    finished(examination)

    results = results_of(law, examination)
    unfair = {one.test for one in results.statistics if one.verdict == "unfair"}
    assert {"faces", "streams"} <= unfair


def test_two_processes_with_the_same_seed_are_found(law, begun, vendor):
    examination = begun(vendor(chance="random.Random(7)"), draws=3 * STREAM)

    finished(examination)

    results = results_of(law, examination)
    assert "overlap" in {one.test for one in results.statistics if one.verdict == "unfair"}


def test_a_malformed_outcome_in_a_stream_ends_the_sample(law, begun, vendor):
    broken = f"if self.drawn > {STREAM}: outcomes[3]['dice'] = ['fish', 'dragon', 'fish']"
    examination = begun(vendor(broken), draws=6 * STREAM, processes=1)

    lines = lines_of(finished(examination))

    assert [line["fault"]["kind"] for line in lines if "fault" in line] == ["wrong-words"]
    (draws,) = results_of(law, examination).samples
    assert not draws.is_complete


def test_a_doubtful_large_sample_has_a_second_look_of_streams(law, begun, vendor, monkeypatch):
    levels = FamilyLevels(accused=Fraction(1, 10**12), doubted=Fraction(1), tests_dependence=True)
    for reader in ("analysis.draw_record", "analysis.draw_results", "run.draw_run"):
        monkeypatch.setattr(f"selo.examine.{reader}.read_levels", lambda *_: levels)
    slightly = "for one in outcomes[::40]: one['dice'][0] = 'fish'"
    examination = begun(vendor(slightly), draws=2 * STREAM, processes=1)

    lines = lines_of(finished(examination))

    again = [line for line in lines if line.get("look") == 2]
    assert len(again) == levels.factor * 2
    assert {one.look for one in results_of(law, examination).statistics} == {1, 2}


def test_an_interrupted_campaign_goes_on_with_the_next_stream(law, begun, vendor):
    examination = begun(vendor(), draws=5 * STREAM)
    taken = 0
    drawing = examination.draw_outcomes()
    for outcomes in drawing:
        taken += outcomes
        if taken >= 3 * STREAM:
            break
    drawing.close()
    examination.release()

    resumed = Examination.resume(examination.folder, law)
    assert resumed.count_planned_outcomes() == 2 * STREAM
    finished(resumed)

    # A fair source is looked at twice now and then.
    streams = [
        line["stream"]
        for line in lines_of(resumed.folder)
        if "stream" in line and line.get("look", 1) == 1
    ]
    first = [one for one in results_of(law, resumed).statistics if one.look == 1]
    assert streams == [1, 2, 3, 4]
    assert {one.sample for one in first} == {5 * STREAM}


@pytest.mark.full
def test_every_stream_of_free_rounds_is_judged_and_counted(law, begun, vendor):
    methods = ["table", "settle", "draw"]
    examination = begun(vendor(methods=methods), draws=2_000, rounds=3 * ROUNDS)

    lines = lines_of(finished(examination))

    streams = [line for line in lines if line.get("method") == "free-rounds"]
    assert [line["params"]["stream"] for line in streams] == [1, 2]
    assert [line["answer"]["wrong"] for line in streams] == [0, 0]
    results = results_of(law, examination)
    at_tables = {one.sample for one in results.statistics if one.source != "draw"}
    assert min(at_tables) >= 3 * ROUNDS
    assert {"streams", "overlap"} <= {one.test for one in results.statistics}


@pytest.mark.full
def test_a_cheat_in_a_late_free_round_is_shown_by_its_table(law, begun, vendor):
    # Half the prize, at tables at which nothing was forced, once many tables were opened.
    cheat = f"""
self.opened = getattr(self, "opened", set()) | {{params["table"]}}
self.forced = getattr(self, "forced", set())
if params["act"]["act"] == "force":
    self.forced.add(params["table"])
if params["table"] not in self.forced and len(self.opened) > {ROUNDS // 4}:
    for one in answer.get("settlements", []):
        one["prize"] //= 2"""
    examination = begun(
        vendor(act=cheat, methods=["table", "settle", "draw"]), rounds=3 * ROUNDS, draws=2_000
    )

    lines = lines_of(finished(examination))

    streams = [line for line in lines if line.get("method") == "free-rounds"]
    assert all(line["answer"]["wrong"] for line in streams)
    assert all(line["answer"]["kept"] for line in streams)
    tally = results_of(law, examination).free.tally
    assert tally.rounds.breaches()
    assert tally.unlike


FORGERIES = {
    "a stream is missing": lambda lines: [one for one in lines if one.get("stream") != 2],
    "a stream stands twice": lambda lines: [
        again for one in lines for again in [one] * (1 + (one.get("stream") == 2))
    ],
    "fewer outcomes": lambda lines: [
        {**one, "answer": {**one["answer"], "counts": {**one["answer"]["counts"], "outcomes": 1}}}
        if one.get("stream") == 2
        else one
        for one in lines
    ],
    "a count below zero": lambda lines: [_with_negative_count(one) for one in lines],
    "a second look that nobody asked for": lambda lines: [
        {**one, "look": 2} if one.get("stream") == 3 else one for one in lines
    ],
    "another footer": lambda lines: [*lines[:-1], {**lines[-1], "streams": 9}],
}


def _with_negative_count(line):
    if line.get("stream") != 1:
        return line
    changed = json.loads(json.dumps(line))
    counts = changed["answer"]["counts"]["measures"][0]["counts"]
    counts[0], counts[1] = -1, counts[1] + counts[0] + 1
    return changed


@pytest.mark.parametrize(
    "forgery", often(FORGERIES, "a stream is missing", "fewer outcomes", "another footer")
)
def test_streams_that_are_not_those_of_the_plan_are_refused(law, begun, vendor, forgery):
    examination = begun(vendor(), draws=4 * STREAM)
    folder, header = finished(examination), examination.header
    spoiled = forged(folder, FORGERIES[forgery](lines_of(folder)))

    with pytest.raises(EvidenceTampered):
        read_draws(spoiled, law, header.terms, header.description.games)


def test_the_same_lines_written_again_are_accepted(law, begun, vendor):
    examination = begun(vendor(), draws=3 * STREAM)
    folder, header = finished(examination), examination.header

    again = read_draws(
        forged(folder, lines_of(folder)), law, header.terms, header.description.games
    )

    assert again.statistics == examination.draw_results.statistics


@pytest.mark.full
def test_streams_are_disclosed_with_every_provision(law, begun, vendor, tmp_path):
    methods = ["table", "settle", "draw"]
    examination = begun(vendor(methods=methods), draws=2 * STREAM, rounds=2 * ROUNDS)
    phases = (
        examination.put_cases, examination.play_rounds, examination.play_free_rounds,
        examination.draw_outcomes,
    )  # fmt: skip
    for phase in phases:
        for _ in phase():
            pass
    examination.finish(examination.vendor().session())
    folder, header = examination.folder, examination.header
    footer = EvidenceReader(folder, book=DRAWS_FILE).read().footer
    # An article that asks nothing of chance.
    needed = find_provision_lines(law, header, ["portaria-21-96-m/7"], draws_footer=footer)
    log = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    roots = {CASES_FILE: log["evidence_root"], DRAWS_FILE: log["draws_root"]}
    streams = [
        at for at, line in enumerate(lines_of(folder)) if line.get("method") == "free-rounds"
    ]

    def disclosed(left_out=None):
        path = tmp_path / f"disclosed-{left_out}"
        choices = {
            CASES_FILE: lambda at, _: at in needed.evidence,
            DRAWS_FILE: lambda at, _: at in needed.draws and at != left_out,
        }
        write_disclosure(path, folder, ["portaria-21-96-m/7"], choices)
        return check_disclosure(path, law, roots)

    assert len(streams) == 1
    assert disclosed().shown["draw"] == STREAM // 1_000 + 1
    with pytest.raises(DisclosureBroken, match="left out"):
        disclosed(streams[0])


@pytest.mark.full
def test_a_finding_of_a_large_sample_is_drawn_again_as_large(law, begun, vendor):
    loaded = vendor("for one in outcomes[::9]: one['dice'][0] = 'fish'")
    examination = begun(loaded, draws=3 * STREAM)
    for _ in (*examination.put_cases(), *examination.draw_outcomes()):
        pass
    examination.finish(examination.vendor().session())
    result = derive_result_from_folder(examination.folder, law)
    (finding,) = [one for one in result.findings if one.method == "draw"]

    again = redraw_finding(examination.vendor().session(), law, finding)

    assert again.result == "unfair"
    assert {one.sample for one in again.statistics} == {3 * STREAM}


def test_the_size_of_samples_is_part_of_the_plan_only_if_it_was_chosen(begun, vendor):
    address = vendor()

    plain, large = begun(address).header, begun(address, draws=7_000, rounds=9).header

    assert plain.plan != large.plan
    assert (large.terms.draws, large.terms.rounds) == (7_000, 9)
    assert (plain.terms.draws, plain.terms.rounds) == (0, 0)


def test_nothing_is_planned_smaller_than_the_budget_has_it(law, begun, vendor):
    terms = begun(vendor(), draws=1, rounds=1).header.terms

    assert [one.outcomes for one in draw_plan.plan_samples(law, terms)] == [1_000]
    assert free_round_plan.count_free_rounds(law, terms, 1) == 20


@pytest.mark.full
def test_a_run_without_a_cluster_never_loads_dask(root, tmp_path):
    code = (
        "import sys\n"
        "from selo.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "sys.exit(7 if loaded & {'dask', 'distributed', 'tornado'} else 0)\n"
    )
    vendor = f"{sys.executable} fixtures/adapters/python/reference.py --game pai-kao"

    done = subprocess.run(
        [sys.executable, "-c", code, "examine", "--vendor", vendor, "--out", tmp_path / "run"],
        cwd=root, check=False, capture_output=True,
    )  # fmt: skip

    assert (tmp_path / "run" / "result.json").exists()
    assert done.returncode == 0
