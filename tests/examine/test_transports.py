"""However a vendor is reached, the same questions find the same answers and the same tally.

The same cases and the same live rounds are put to the same vendor over standard input and output,
over HTTP, in process, and by files; once to a lawful vendor, and once to one that pays, charges and
refuses wrongly.
"""

import contextlib
import json
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from tests.examine.trial import offered, trial

import selo.cli.output.progress
import selo.examine.offline.vector_files
import selo.law
from selo.cases.generate import case_stream as streams
from selo.cases.oracle.case_oracle import Oracle
from selo.cases.scope import Scope
from selo.cli.parser.command_line import parse_arguments, run_command
from selo.examine.live_rounds.round_lines import play_rounds
from selo.examine.live_rounds.round_plan import scripts_for_offers
from selo.examine.live_rounds.round_tally import RoundTally
from selo.examine.offline.vector_files import (
    REQUESTS_FILE,
    grade_answers,
    vector_scope,
    vector_tables,
    write_vectors,
)
from selo.examine.tally.tally import Tally
from selo.examine.vendor_description.describe_check import introduce_vendor
from selo.rounds.judge.round_judge import RoundJudge
from selo.rules.checks.game_check import list_games
from selo.rules.readings.reading_choice import Readings
from selo.vendors.vendor_address import connect
from selo.verdict.rulings import adopt_rulings

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "adapters" / "python"
REFERENCE = FOLDER / "reference.py"
STEADY = f'''
import sys
from random import Random

sys.path.insert(0, {str(FOLDER)!r})
from reference import ReferenceVendor
from selo_adapter import NOT_OFFERED, Refusal, serve_http, serve_stdio


class Steady(ReferenceVendor):
    """Leaves nothing to chance: tables that are alike shuffle alike."""

    def table_open(self, params):
        self._random = Random(repr((params["game"], params["options"])))
        return super().table_open(params)


class Faulty(Steady):
    """Pays any craps one too much, forgets the commission of bacará, and refuses the number 4.

    At its tables every prize is one too much.
    """

    def settle(self, params):
        bets = params.get("bets", [])
        if any(bet.get("bet") == "number" and bet.get("choice") == 4 for bet in bets):
            raise Refusal(NOT_OFFERED, "no bets on four")
        answer = super().settle(params)
        for bet, settled in zip(bets, answer["settlements"], strict=True):
            if bet["bet"] == "any-craps" and settled["result"] == "win":
                settled["prize"] += 1
            if params["game"] == "bacara" and bet["bet"] == "banker":
                settled["commission"] = 0
        return answer

    def table_act(self, params):
        answer = super().table_act(params)
        for settled in answer.get("settlements", []):
            if settled["prize"]:
                settled["prize"] += 1
        return answer


vendor = @Vendor@()
if __name__ == "__main__":
    serve_http(vendor) if "--http" in sys.argv else serve_stdio(vendor)
'''
ONLINE = ("stdio", "http", "inside")
WAYS = (*ONLINE, "offline")


@dataclass
class Recorded:
    """A tally that remembers every answer."""

    tally: Tally
    pairs: list = field(default_factory=list)
    #: The lines of evidence of live rounds, and what they say together.
    lines: list = field(default_factory=list)
    rounds: RoundTally | None = None

    def take(self, case, reply):
        said = reply.result if reply.error is None else reply.error
        self.pairs.append((case.key, msgspec.json.encode(said)))
        self.tally.take(case, reply)

    def take_all(self, cases, answers):
        for case, answer in zip(cases, answers, strict=True):
            self.pairs.append((case.key, msgspec.json.encode(answer.result)))
        self.tally.take_all(cases, answers)


@contextlib.contextmanager
def serving(path):
    """Run an adapter as a server and give its address."""
    command = [sys.executable, path, "--http", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        try:
            said = process.stderr.readline().decode()
            assert said.startswith("listening on "), said
            yield said.removeprefix("listening on ").strip()
        finally:
            process.kill()


def ruled(law):
    """Return the default on every open point: which other readings there are is told elsewhere."""
    return SimpleNamespace(rulings=adopt_rulings(law, {}, defaults=True).followed)


def online(law, address):
    """Examine a vendor in conversation."""
    terms = ruled(law)
    recorded = Recorded(Tally(Oracle(law, terms.rulings)))
    session = connect(address)
    try:
        known = introduce_vendor(session, law)
        cases = selo.examine.offline.vector_files.stream_cases(
            law, known.scope, budget="quick", seed=0
        )
        trial(session, offered(cases, known.offers()), recorded)
        recorded.rounds = RoundTally(law, terms)
        planned, _ = selo.examine.offline.vector_files.scripts_for_offers(
            law, known.offers(), seed=0, budget="quick"
        )
        judge = RoundJudge(law, Readings(law, terms.rulings))
        for number, one in enumerate(play_rounds(session, judge, planned)):
            recorded.lines.append(one.line(number))
            recorded.rounds.take(one.line(number), right=not one.different)
        assert session.end() == []
    finally:
        session.kill()
    return recorded


def answered(path, folder, answers):
    """Let an adapter answer a file with a file."""
    with (folder / REQUESTS_FILE).open("rb") as asked, answers.open("wb") as given:
        subprocess.run([sys.executable, path], stdin=asked, stdout=given, check=True, timeout=600)


def offline(law, path, folder):
    """Examine a vendor by files, as it described itself."""
    described = connect(f"{path}:vendor").ask("describe", {})
    written = write_vectors(
        folder / "vectors",
        law,
        vector_scope(described, law, None),
        tables=vector_tables(described, law, None),
        budget="quick",
        seed=0,
        rulings=ruled(law).rulings,
    )
    answered(path, folder / "vectors", folder / "answers.jsonl")
    lines = []
    with pytest.MonkeyPatch.context() as patch:
        made = selo.examine.offline.vector_files.round_line
        patch.setattr(
            selo.examine.offline.vector_files, "round_line",
            lambda *given, good: lines.append(made(*given, good=good)) or lines[-1],
        )  # fmt: skip
        graded = grade_answers(folder / "vectors", folder / "answers.jsonl", law)
    assert written.rounds == len(lines)
    return Recorded(graded.tally, lines=lines, rounds=graded.rounds)


def every_way(law, vendor, folder, asked):
    """Examine a vendor each way, with the same cases and the same rounds."""
    path = folder / "vendor.py"
    path.write_text(STEADY.replace("@Vendor@", vendor))
    cases, scripts = asked
    with pytest.MonkeyPatch.context() as patch, serving(path) as address:
        patch.setattr(
            selo.examine.offline.vector_files, "stream_cases", lambda *_, **__: iter(cases)
        )
        patch.setattr(
            selo.examine.offline.vector_files, "scripts_for_offers", lambda *_, **__: (scripts, [])
        )
        return {
            "stdio": online(law, shlex.join([sys.executable, str(path), str(FOLDER.parents[1])])),
            "http": online(law, address),
            "inside": online(law, f"{path}:vendor"),
            "offline": offline(law, path, folder),
        }


@pytest.fixture(
    scope="module", params=[24, pytest.param(1, marks=pytest.mark.full)], ids=["some", "all"]
)
def thinned(request):
    return request.param


@pytest.fixture(scope="module")
def asked(law, thinned):
    """Return one in so many of the quick cases and rounds of all that the vendor offers."""
    described = connect(f"{REFERENCE}:vendor").ask("describe", {})
    cases = streams.stream_cases(law, vector_scope(described, law, None), budget="quick", seed=0)
    scripts, _ = scripts_for_offers(law, described.games, seed=0, budget="quick")
    return list(islice(cases, 0, None, thinned)), scripts[:: (thinned + 1) // 2]


@pytest.fixture(scope="module")
def lawful(law, asked, tmp_path_factory):
    return every_way(law, "Steady", tmp_path_factory.mktemp("lawful"), asked)


@pytest.fixture(scope="module")
def faulty(law, asked, tmp_path_factory):
    return every_way(law, "Faulty", tmp_path_factory.mktemp("faulty"), asked)


def test_all_six_games_are_asked_every_way(law, thinned, lawful):
    for way in WAYS:
        counts = lawful[way].tally.counts

        assert {game for game, _ in counts} == set(list_games(law))
        assert len(list_games(law)) == 6
        assert sum(one.cases for one in counts.values()) > 15_000 / thinned


@pytest.mark.parametrize("way", ONLINE[1:])
def test_a_lawful_vendor_gives_the_same_answers_every_way(lawful, way):
    assert lawful[way].pairs == lawful["stdio"].pairs


@pytest.mark.parametrize("way", WAYS)
def test_a_lawful_vendor_is_right_every_way(lawful, way):
    tally = lawful[way].tally

    assert tally.differences == {}
    assert tally.faults == []
    assert tally.not_offered == 0
    assert tally.counts == lawful["stdio"].tally.counts
    assert all(one.right + one.silent == one.cases for one in tally.counts.values())


@pytest.mark.full
@pytest.mark.parametrize("way", ONLINE[1:])
def test_a_faulty_vendor_gives_the_same_answers_every_way(faulty, way):
    assert faulty[way].pairs == faulty["stdio"].pairs


@pytest.mark.full
@pytest.mark.parametrize("way", WAYS)
def test_the_faults_of_a_vendor_are_found_every_way(faulty, way):
    tally = faulty[way].tally

    wrong = {(kind[0], kind[1], kind[4]) for kind in tally.differences}
    assert wrong == {
        ("craps", "any-craps", ("prize",)),
        ("bacara", "banker", ("commission",)),
    }
    assert [one.slots["problem"] for one in tally.faults] == ["no bets on four"]
    assert tally.violates


@pytest.mark.full
@pytest.mark.parametrize("way", WAYS[1:])
def test_a_faulty_vendor_is_counted_the_same_every_way(faulty, way):
    tally, first = faulty[way].tally, faulty["stdio"].tally

    assert tally.counts == first.counts
    assert tally.differences == first.differences
    assert tally.times == first.times
    assert tally.faults == first.faults
    assert tally.unlisted == first.unlisted == 0


def test_live_rounds_of_five_games_are_played_every_way(lawful, thinned):
    for way in WAYS:
        rounds = [json.loads(line) for line in lawful[way].lines]

        # Of pai kao no round is held: its law here is a list of ranks.
        assert len({one["game"] for one in rounds}) == 5
        assert len(rounds) > 200 / thinned
        assert all(one["answer"]["answers"] for one in rounds)


@pytest.mark.full
@pytest.mark.parametrize("way", WAYS[1:])
def test_the_evidence_of_live_rounds_is_the_same_every_way(lawful, faulty, way):
    assert lawful[way].lines == lawful["stdio"].lines
    assert faulty[way].lines == faulty["stdio"].lines


@pytest.mark.parametrize("way", WAYS)
def test_live_rounds_of_a_lawful_vendor_are_right_every_way(lawful, way):
    rounds = lawful[way].rounds

    assert rounds.right == rounds.played > 0
    assert (rounds.kinds, rounds.lawless, rounds.broken, rounds.declined) == ({}, {}, 0, 0)


@pytest.mark.parametrize("way", WAYS)
def test_a_prize_at_a_table_that_is_too_high_is_found_every_way(faulty, way):
    rounds = faulty[way].rounds

    assert rounds.kinds.keys() == faulty["stdio"].rounds.kinds.keys()
    assert {kind[0] for kind in rounds.kinds} == {
        "fish-prawn-crab", "three-card-baccarat", "bacara", "fortune-three-card-poker", "craps",
    }  # fmt: skip
    for seen in rounds.kinds.values():
        assert seen.difference.manner == "settlement"
        assert seen.difference.observed["prize"] == seen.difference.expected["prize"] + 1


# Files that came back otherwise than they should.

GAME = "pai-kao"


@pytest.fixture(scope="module")
def written(law, tmp_path_factory):
    """Write vectors of one game and let the reference vendor answer them, once."""
    folder = tmp_path_factory.mktemp("written")
    everything = vector_scope(None, law, [GAME])
    write_vectors(
        folder / "vectors", law, everything, tables=[], budget="quick", seed=0, rulings={}
    )
    answered(REFERENCE, folder / "vectors", folder / "answers.jsonl")
    return folder


@pytest.fixture
def files(written, tmp_path):
    """Return a folder of its own with vectors and answers, to spoil."""
    shutil.copytree(written, tmp_path / "files")
    return tmp_path / "files"


@pytest.fixture
def command(law, monkeypatch, capsys, tmp_path):
    """Run a command of the program in this process, with the law that is read already."""
    monkeypatch.setattr(selo.law, "load_law", lambda: law)
    # On a slow machine it would tell how far it is.
    monkeypatch.setattr(selo.cli.output.progress, "_FIRST_LINE", 3600)
    monkeypatch.chdir(tmp_path)

    def given(*arguments):
        status = run_command(parse_arguments([str(one) for one in arguments]))
        printed = capsys.readouterr()
        return status, " ".join(printed.out.split()), " ".join(printed.err.split())

    return given


@pytest.fixture
def graded(command, files, tmp_path):
    """Grade the answers, perhaps after changing their lines."""

    def given(change=None, *more):
        answers = files / "answers.jsonl"
        if change is not None:
            answers.write_bytes(change(answers.read_bytes()))
        evidence = tmp_path / "evidence"
        folder = files / "vectors"
        stored = "--text-as-stored"
        return command("vectors", "grade", folder, answers, "--out", evidence, stored, *more)

    return given


def lines(change):
    """Make a change of lines a change of bytes."""

    def changed(answers):
        return b"".join(line + b"\n" for line in change(answers.splitlines()))

    return changed


def test_answers_as_they_came_are_graded(graded):
    status, out, err = graded(None, "--json")

    record = json.loads(out)
    assert (status, err) == (2, "")
    assert record["cases"] == record["counts"][0]["cases"] > 400
    assert record["differences"] == record["faults"] == []


@pytest.mark.parametrize(
    "change",
    [
        lambda given: given[::-1],
        lambda given: [*given[1::2], *given[::2]],
        lambda given: [
            b"[" + b",".join(given[at : at + 50]) + b"]" for at in range(0, len(given), 50)
        ],
        lambda given: [b"[" + b", ".join(given[::-1]) + b" ]"],
        lambda given: [line + b"\r" for line in given],
    ],
    ids=["backwards", "odd-then-even", "batches", "one-batch-backwards", "carriage-returns"],
)
def test_the_order_and_the_lines_of_answers_do_not_matter(graded, change):
    as_they_came = graded(None, "--json")

    assert graded(lines(change), "--json") == as_they_came


def test_the_last_line_needs_no_end(graded):
    status, _, err = graded(lambda answers: answers.rstrip(b"\n"))

    assert (status, err) == (2, "")


def other_id(line):
    return json.dumps({**json.loads(line), "id": "ffffffffffffffff"}).encode()


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        (lines(lambda given: given[:7] + given[8:]), "unanswered", "(compare) was not answered"),
        (lines(lambda given: given[1:]), "unanswered", "(describe) was not answered"),
        (lines(lambda given: given[:-1]), "unanswered", "(end) was not answered"),
        (lambda _: b"", "unanswered", "(describe) was not answered"),
        (lines(lambda given: [*given[:8], *given[7:]]), "answered-twice", "was answered twice"),
        (lines(lambda given: [*given, given[7]]), "answered-twice", "was answered twice"),
        (lines(lambda given: [given[7], *given]), "answered-twice", "was answered twice"),
        (lines(lambda given: [*given, other_id(given[7])]), "unknown-id", "Unknown response id"),
        (lambda answers: answers[:-9], "not-json", "The line is not JSON"),
        (lines(lambda given: [*given[:7], b"", *given[7:]]), "not-json", "The line is not JSON"),
        (lines(lambda given: [b"loading", *given]), "not-json", "The line is not JSON"),
        (lines(lambda given: [b"\xff\xfe", *given]), "not-utf8", "is not UTF-8"),
        (lines(lambda given: [b'{"id": 7}', *given]), "not-an-answer", "not a JSON-RPC 2.0 answer"),
        (lines(lambda given: [b"7", *given]), "not-an-answer", "not a JSON-RPC 2.0 answer"),
    ],
    ids=[
        "one-missing", "no-description", "no-end", "nothing", "one-after-the-other", "at-the-end",
        "at-the-start", "unknown-id", "truncated", "empty-line", "banner", "not-utf8", "no-id",
        "number",
    ],
)  # fmt: skip
def test_a_file_of_answers_that_is_not_whole_is_told(graded, tmp_path, change, kind, words):
    status, _, err = graded(change)

    kept = json.loads((tmp_path / "evidence" / "faults.json").read_text())
    assert status == 4
    assert words in err
    assert "hint: " in err
    assert [one["kind"] for one in kept["faults"]] == [kind]


def test_an_end_that_is_refused_is_told(graded):
    def refused(given):
        last = json.loads(given[-1])
        error = {"jsonrpc": "2.0", "id": last["id"], "error": {"code": -32000, "message": "no"}}
        return [*given[:-1], json.dumps(error).encode()]

    status, out, _ = graded(lines(refused))

    assert status == 4
    assert "answered end with error -32000: no" in out


def test_a_comparison_that_is_wrong_is_against_the_law(graded):
    mirrored = {"higher": "lower", "lower": "higher", "equal": "higher"}

    def turned(given):
        made = [json.loads(line) for line in given]
        for one in made:
            if "order" in one.get("result", {}):
                one["result"]["order"] = mirrored[one["result"]["order"]]
        return [json.dumps(one).encode() for one in made]

    status, out, _ = graded(lines(turned), "--json")

    count = json.loads(out)["counts"][0]
    assert status == 1
    assert count["right"] == 0
    assert count["different"] == count["cases"] - count["silent"] > 0


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("selo", "0.0.1", "was written by Selo 0.0.1"),
        ("spec_digest", "0" * 64, "with other law files"),
        ("seed", 1, "was changed after it was written"),
        ("budget", "full", "was changed after it was written"),
        ("games", [], "was changed after it was written"),
        ("rulings", {"nobody": "nothing"}, "was changed after it was written"),
        ("key", "0" * 32, "was changed after it was written"),
        ("key", "no key", "cannot be read: "),
        ("cases", 1, "was changed after it was written"),
        ("requests_sha256", "0" * 64, "was changed after it was written"),
        ("seal", "", "was changed after it was written"),
        ("budget", "endless", "cannot be read: "),
        ("more", 1, "cannot be read: "),
    ],
)
def test_a_header_that_is_not_the_one_written_is_wrong_usage(graded, files, name, value, words):
    path = files / "vectors" / "vectors.json"
    header = json.loads(path.read_text())
    path.write_text(json.dumps({**header, name: value}))

    status, _, err = graded()

    assert status == 3
    assert words in err
    assert "hint: " in err


@pytest.mark.parametrize("spoilt", [b"", b"{", b"[]", b"\xff"])
def test_a_header_that_is_none_is_wrong_usage(graded, files, spoilt):
    (files / "vectors" / "vectors.json").write_bytes(spoilt)

    status, _, err = graded()

    assert status == 3
    assert "vectors.json cannot be read" in err


def test_a_header_or_answers_that_are_not_there_are_wrong_usage(command, files, tmp_path):
    for folder, answers, words in (
        (files / "vectors", tmp_path / "nothing", "the answers cannot be read"),
        (files / "vectors", tmp_path, "the answers cannot be read"),
        (tmp_path / "nothing", files / "answers.jsonl", "vectors.json cannot be read"),
    ):
        status, _, err = command("vectors", "grade", folder, answers)

        assert status == 3
        assert words in err


def test_a_folder_that_is_not_empty_is_left_alone(command, tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "letter").write_text("mine")

    status, _, err = command("vectors", "write", "--game", GAME, "--out", tmp_path / "kept")

    assert status == 3
    assert "is not empty" in err
    assert [one.name for one in (tmp_path / "kept").iterdir()] == ["letter"]


def test_a_file_in_the_place_of_the_folder_is_left_alone(command, tmp_path):
    (tmp_path / "kept").write_text("mine")

    status, _, err = command("vectors", "write", "--game", GAME, "--out", tmp_path / "kept")

    assert status == 3
    assert "cannot be written" in err
    assert (tmp_path / "kept").read_text() == "mine"


def test_a_description_decides_what_is_asked(command, tmp_path):
    described = connect(f"{REFERENCE}:vendor").ask("describe", {})
    plain = json.loads(msgspec.json.encode(described))
    # The widest range of amounts there is, and a game that the law does not know.
    plain["games"] = [
        {**one, "bets": ["big"], "methods": ["settle"]}
        for one in plain["games"]
        if one["game"] == "fish-prawn-crab"
    ]
    plain["games"].append({"game": "mahjong", "methods": ["settle"], "bets": ["big"]})
    (tmp_path / "description.json").write_text(json.dumps({"result": plain}))
    out = tmp_path / "asked"

    status, _, err = command(
        "vectors", "write", "--description", tmp_path / "description.json", "--out", out
    )

    asked = [json.loads(line) for line in (out / REQUESTS_FILE).read_text().splitlines()]
    settled = [one["params"] for one in asked if one["method"] == "settle"]
    assert (status, err) == (0, "")
    assert {one["game"] for one in settled} == {"fish-prawn-crab"}
    assert {bet["bet"] for one in settled for bet in one["bets"]} == {"big"}
    assert (out / "vectors.json").stat().st_size < 10_000
    assert len({one["id"] for one in asked}) == len(asked)


def test_what_a_vendor_does_not_offer_is_counted_and_not_judged(graded, files):
    first, *_ = (files / "answers.jsonl").read_bytes().splitlines()
    described = json.loads(first)
    described["result"]["games"] = [
        one for one in described["result"]["games"] if one["game"] != GAME
    ]

    status, out, _ = graded(
        lines(lambda given: [json.dumps(described).encode(), *given[1:]]), "--json"
    )

    record = json.loads(out)
    assert status == 2
    assert record["cases"] == 0
    assert record["not_offered"] > 400


# Live rounds in files.

TABLE_GAME = "fish-prawn-crab"


@pytest.fixture(scope="module")
def rounds_written(law, tmp_path_factory):
    """Write live rounds of one game and let the reference vendor answer them, once."""
    folder = tmp_path_factory.mktemp("rounds")
    tables = vector_tables(None, law, [TABLE_GAME])
    nothing = Scope(games=())
    with pytest.MonkeyPatch.context() as patch:
        few = selo.examine.offline.vector_files.scripts_for_offers(
            law, tables, seed=0, budget="quick"
        )[0][::3]
        patch.setattr(
            selo.examine.offline.vector_files, "scripts_for_offers", lambda *_, **__: (few, [])
        )
        write_vectors(
            folder / "vectors", law, nothing, tables=tables, budget="quick", seed=0, rulings={}
        )
    answered(REFERENCE, folder / "vectors", folder / "answers.jsonl")
    return folder, few


@pytest.fixture
def graded_rounds(rounds_written, command, monkeypatch, tmp_path):
    """Grade the answers after a change of each answer to an act."""
    folder, few = rounds_written
    monkeypatch.setattr(
        selo.examine.offline.vector_files, "scripts_for_offers", lambda *_, **__: (few, [])
    )

    def given(change, *more):
        lines = []
        for line in (folder / "answers.jsonl").read_text().splitlines():
            answer = json.loads(line)
            change(answer)
            lines.append(json.dumps(answer) + "\n")
        answers = tmp_path / "answers.jsonl"
        answers.write_text("".join(lines))
        evidence = tmp_path / "evidence"
        stored = "--text-as-stored"
        vectors = folder / "vectors"
        return command("vectors", "grade", vectors, answers, "--out", evidence, stored, *more)

    return given


def test_live_rounds_in_files_that_are_lawful_are_told(graded_rounds, rounds_written):
    _, few = rounds_written

    status, out, err = graded_rounds(lambda _: None)

    assert (status, err) == (2, "")
    assert f"live rounds: {len(few)} played, {len(few)} match the law" in out
    assert "not fully verified" in out


def test_a_live_round_in_a_file_that_breaks_the_law_is_told_with_its_article(graded_rounds):
    def paid_too_much(answer):
        for one in answer["result"].get("settlements", []):
            one["prize"] += one["prize"] and 1

    status, out, _ = graded_rounds(paid_too_much)

    assert status == 1
    assert "AGAINST THE LAW" in out
    assert "portaria-21-96-m/6" in out
    # A finding is a card with bets in words and a table, as in an examination.
    assert "the law" in out
    assert '{"' not in out
    assert "VIOLATES the law" in out


def test_a_live_round_in_a_file_that_broke_off_concludes_nothing(graded_rounds):
    def failed(answer):
        if "answer" in answer.get("result", {}):
            del answer["result"]
            answer["error"] = {"code": -32000, "message": "the croupier left"}

    status, out, _ = graded_rounds(failed, "--json")

    record = json.loads(out)
    assert status == 4
    assert record["rounds"]["broken"] == record["rounds"]["played"] > 0
    assert record["rounds"]["right"] == 0
    assert "the croupier left" in record["faults"][0]["told"]


def test_live_rounds_that_are_not_offered_are_counted_and_not_judged(graded_rounds, rounds_written):
    _, few = rounds_written

    def without_tables(answer):
        for one in answer.get("result", {}).get("games", []):
            one["methods"] = [name for name in one["methods"] if name != "table"]

    status, out, _ = graded_rounds(without_tables, "--json")

    record = json.loads(out)
    assert status == 2
    assert (record["rounds"]["played"], record["not_offered"]) == (0, len(few))
