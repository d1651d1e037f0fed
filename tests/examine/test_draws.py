"""Draws: from the vendor's random source to a verdict, with everything that can go wrong."""

import hashlib
import json
import re
import shutil
import sys
from fractions import Fraction

import msgspec
import pytest

from selo.draws import draw_verdict
from selo.evidence.evidence_errors import EvidenceTampered
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.run_files import DRAWS_FILE
from selo.examine.analysis.draw_record import read_draws
from selo.examine.analysis.draw_results import DrawResults
from selo.examine.conclusion.result import derive_result_from_folder
from selo.examine.exchange import VendorEndpoint
from selo.examine.exchange.outcome_streams import ask_outcomes
from selo.examine.findings.draw_findings import render_test_name
from selo.examine.plan import draw_plan, terms_of
from selo.examine.run.evidence_header import build_header
from selo.examine.run.examination import Examination
from selo.examine.run.finding_redraw import redraw_finding
from selo.examine.run.run_log import begin_run_log
from selo.examine.vendor_description.describe_check import introduce_vendor
from selo.protocol.messages import Drawn
from selo.vendors.faults import VendorBroken
from selo.vendors.reply_reader import Reply
from selo.vendors.resource_limits import Limits
from selo.verdict.rulings import adopt_rulings

FISH, POKER = "fish-prawn-crab", "fortune-three-card-poker"
BALANCE = "portaria-21-96-m/1/a/close"
BY_HAND, BY_MACHINE = "despacho-78-2008/3/1", "despacho-78-2008/3/2"
LAWFUL = f"{sys.executable} fixtures/adapters/python/reference.py"
#: Enough for the tests of one game to see a quarter too many of one face.
OUTCOMES = 5_000
#: A vendor that does nothing but draw, from a source that begins with the same seed each time.
VENDOR = """
import random, sys
sys.path.insert(0, {folder!r})
from reference import ReferenceVendor
from selo_adapter import Refusal

class Vendor(ReferenceVendor):
    asked = 0
    offers = {offers!r}

    def _offer(self, game):
        return {{**super()._offer(game), "forces": False, "happens": [], **self.offers}}

    def draw(self, params):
        self.asked += 1
        answer = super().draw(params)
        outcomes = answer["outcomes"]
{body}
        return answer

vendor = Vendor([{game!r}], random.Random({seed}))
"""


@pytest.fixture
def made(root, tmp_path):
    """Return the address of a vendor that changes what it draws as some lines of Python say."""

    def vendor(body="pass", *, game=FISH, seed=7, name="vendor", **offers):
        folder = str(root / "fixtures" / "adapters" / "python")
        lines = "\n".join(f"        {line}" for line in body.splitlines())
        text = VENDOR.format(
            folder=folder, game=game, seed=seed, body=lines, offers={"methods": ["draw"], **offers}
        )
        # A folder of its own for each text: Python takes a file of the same name, size and second
        # for the one that it compiled before.
        path = tmp_path / hashlib.sha256(text.encode()).hexdigest()[:12] / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return f"{path}:vendor"

    return vendor


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setitem(draw_plan.OUTCOMES_PER_TABLE, "quick", OUTCOMES)


@pytest.fixture
def begun(law, root, tmp_path):
    """Return a run that has begun with a vendor."""

    def begin(address, folder="run", rulings=None):
        endpoint = VendorEndpoint(address, Limits(), root)
        session = endpoint.session()
        known = introduce_vendor(session, law)
        terms = terms_of(
            law, known.scope, as_of="2026-01-01", text_as_stored=True,
            rulings=rulings or {}, budget="quick", seed=3,
            provisions=[],
        )  # fmt: skip
        adopted = msgspec.to_builtins(adopt_rulings(law, rulings))["adopted"]
        header = build_header(terms, known.description, adopted=list(adopted), commitment=None)
        return Examination.begin(tmp_path / folder, law, begin_run_log(endpoint, 1), header)

    return begin


def finished(examination):
    for _ in (*examination.put_cases(), *examination.draw_outcomes()):
        pass
    examination.finish(examination.vendor().session())
    return examination.folder


@pytest.fixture
def examined(law, begun):
    """Return the result of a run with a vendor."""

    def examine(address):
        return derive_result_from_folder(finished(begun(address)), law)

    return examine


def verdict(result, provision):
    return next(one for one in result.summary.provisions if one.provision == provision)


def way(result, provision):
    said = verdict(result, provision)
    return next((one.result, one.reason) for one in said.parts if one.way == "statistics")


def test_a_fair_source_conforms_by_what_was_drawn(examined, made):
    result = examined(made())

    assert way(result, BALANCE) == ("conforms", "drawn")
    assert {one.sample for one in result.statistics} == {OUTCOMES}
    assert result.draws_root is not None


def test_every_test_counts_as_a_case_that_decides(examined, made):
    result = examined(made())

    part = next(one for one in verdict(result, BALANCE).parts if one.way == "statistics")
    assert (
        (part.cases, part.decisive) == (len(result.statistics), len(result.statistics)) == (15, 15)
    )


@pytest.mark.full
def test_each_way_of_shuffling_is_drawn_from_for_its_own_provision(examined, made, monkeypatch):
    monkeypatch.setitem(draw_plan.OUTCOMES_PER_TABLE, "quick", 15_000)
    result = examined(made(game=POKER))

    samples = {(str(one.options), *one.provisions) for one in result.statistics}
    assert samples == {
        ("{'shuffling': 'by-hand'}", BY_HAND),
        ("{'shuffling': 'by-machine'}", BY_MACHINE),
    }
    assert way(result, BY_HAND) == way(result, BY_MACHINE) == ("conforms", "drawn")


# What was not drawn.


def test_a_vendor_that_does_not_offer_draws_is_not_examined(examined, made):
    result = examined(made(methods=["settle"], bets=[]))

    assert way(result, BALANCE) == ("not-examined", "not-offered")
    assert result.statistics == []
    assert result.draws_root is None


@pytest.mark.full
def test_a_way_of_shuffling_that_is_not_offered_is_not_examined(examined, made, monkeypatch):
    monkeypatch.setitem(draw_plan.OUTCOMES_PER_TABLE, "quick", 15_000)
    result = examined(made(game=POKER, options={"shuffling": ["by-hand"]}))

    assert way(result, BY_HAND) == ("conforms", "drawn")
    assert way(result, BY_MACHINE) == ("not-examined", "not-offered")


def test_evidence_without_the_draws_of_its_plan_is_altered(law, begun, made):
    examination = begun(made())
    for _ in examination.put_cases():
        pass
    examination.finish(examination.vendor().session())

    with pytest.raises(EvidenceTampered, match="there is no such file"):
        derive_result_from_folder(examination.folder, law)


def test_too_few_draws_are_inconclusive(examined, made, monkeypatch):
    monkeypatch.setitem(draw_plan.OUTCOMES_PER_TABLE, "quick", 1_000)

    assert way(examined(made()), BALANCE) == ("inconclusive", "too-little-seen")


# What an adapter can do wrong.


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("answer['outcomes'] = [{'throws': [[3, 4]]}] * 1000", "throws"),
        ("outcomes[7]['dice'] = ['fish', 'crab']", "not a throw of 3 dice"),
        ("outcomes[7]['dice'][0] = 'dragon'", "dragon"),
        ("outcomes[7]['dice'] = 1.5", "1.5 is not a whole number$.result.outcomes[7].dice"),
        ("outcomes[7]['dice'] = 10**30", f"beyond {2**53 - 1}$.result.outcomes[7].dice"),
        ("outcomes[7]['dice'] = {'a': {'a': {'a': []}}}", "array"),
        ("outcomes[7]['\\u9b5a'] = 1", "outcomes[7]"),
        ("answer['outcomes'] = {}", "array"),
        ("outcomes.pop()", "999 instead of 1000"),
        ("outcomes.append(outcomes[0])", "1001 instead of 1000"),
        ("answer['more'] = 1", "more"),
        ("raise Refusal(-32001, 'not today')", "not today"),
    ],
)
def test_draws_that_are_none_are_a_fault_and_conclude_nothing(examined, made, body, said):
    result = examined(made(body))

    assert way(result, BALANCE) == ("inconclusive", "adapter-fault")
    assert result.summary.games[FISH].exit == 4
    assert said in result.faults[0]["told"] + result.faults[0]["path"]
    assert result.statistics == []


def test_a_fault_keeps_what_came_before_it_and_what_was_wrong(law, begun, made):
    body = "if self.asked == 3: outcomes[7]['dice'][0] = 'dragon'"
    folder = finished(begun(made(body)))

    lines = [json.loads(line) for line in EvidenceReader(folder, book=DRAWS_FILE)][1:-1]
    assert [min(line) for line in lines] == ["answer", "answer", "fault"]
    assert lines[2]["fault"]["path"] == "$.result.outcomes[7]"
    header = begun(made(), "other").header
    drawn = read_draws(folder, law, header.terms, header.description.games)
    assert drawn.samples[0].fault is not None


def test_a_vendor_that_breaks_off_is_started_again(begun, made, tmp_path):
    mark = tmp_path / "broken"
    body = f"""import pathlib
mark = pathlib.Path({str(mark)!r})
if self.asked == 3 and not mark.exists():
    mark.touch()
    raise SystemExit(9)"""
    calm = finished(begun(made(), "calm"))
    shaken = begun(made(body))

    assert root_of(finished(shaken)) == root_of(calm)
    assert [one["kind"] for one in shaken.log.restarts] == ["died"]


def test_a_vendor_that_always_breaks_off_ends_the_run(begun, made):
    examination = begun(made("raise SystemExit(9)"))

    with pytest.raises(VendorBroken):
        list(examination.draw_outcomes())


# Interruptions.


def root_of(folder):
    return EvidenceReader(folder, book=DRAWS_FILE).read().root


def test_the_same_seed_gives_the_same_draws(begun, made):
    assert root_of(finished(begun(made(), "one"))) == root_of(finished(begun(made(), "other")))


def test_another_seed_gives_other_draws_and_the_same_evidence(begun, made):
    one = finished(begun(made(seed=1), "one"))
    other = finished(begun(made(seed=2), "other"))

    assert root_of(one) != root_of(other)
    # Only what the vendor says of its own file tells the two runs apart.
    assert [list(EvidenceReader(each))[1:-1] for each in (one, other)] == [[], []]


@pytest.mark.parametrize("batches", [0, 1, 3, 5])
def test_draws_that_are_interrupted_go_on_where_they_were(law, begun, made, batches):
    calm = finished(begun(made(), "calm"))
    examination = begun(made())
    drawing = examination.draw_outcomes()
    for _ in range(batches):
        next(drawing)
    drawing.close()
    examination.release()

    resumed = Examination.resume(examination.folder, law)

    assert root_of(finished(resumed)) == root_of(calm)


def test_a_book_without_a_header_is_begun_anew(begun, made):
    calm = finished(begun(made(), "calm"))
    examination = begun(made())
    (examination.folder / DRAWS_FILE.file).write_bytes(b"")

    assert root_of(finished(examination)) == root_of(calm)


def test_draws_that_are_finished_are_not_drawn_again(begun, made):
    examination = begun(made())
    list(examination.draw_outcomes())
    before = (examination.folder / DRAWS_FILE.file).read_bytes()

    assert list(examination.draw_outcomes()) == []
    assert (examination.folder / DRAWS_FILE.file).read_bytes() == before


# Alterations.


def test_a_book_that_was_taken_away_is_missed(law, begun, made):
    folder = finished(begun(made()))
    (folder / DRAWS_FILE.file).unlink()

    with pytest.raises(EvidenceTampered):
        derive_result_from_folder(folder, law)


def test_the_book_of_another_run_is_noticed(law, begun, made):
    folder = finished(begun(made(), "one"))
    other = finished(begun(made(seed=8), "other"))
    shutil.copy(other / DRAWS_FILE.file, folder / DRAWS_FILE.file)

    with pytest.raises(EvidenceTampered):
        derive_result_from_folder(folder, law)


def test_the_book_of_another_plan_is_noticed(law, begun, made):
    folder = finished(begun(made(), "one"))
    other = begun(made(), "other", rulings={"21-96-m-1-a--how-balanced": "statistical"})

    with pytest.raises(EvidenceTampered, match="another plan"):
        read_draws(folder, law, other.header.terms, other.header.description.games)


# Verdicts.


LOADED = "for one in outcomes:\n    if self._random.random() < 0.1: one['dice'][1] = 'crab'"


def test_a_loaded_die_violates_and_is_found_by_its_frequencies(examined, made):
    result = examined(made(LOADED))

    (found,) = result.findings
    assert way(result, BALANCE) == ("violates", "violation")
    assert verdict(result, BALANCE).findings == (found.id,)
    assert (found.method, found.provisions, found.verdict) == ("draw", [BALANCE], "violates")
    assert found.cause == "faces of die 2"
    assert float(found.expected["frequencies"]["crab"]) == pytest.approx(OUTCOMES / 6, abs=0.01)
    assert found.observed["frequencies"]["crab"] > OUTCOMES / 5
    assert found.law[0].text["pt"].startswith("Os três dados têm o mesmo peso")
    assert result.exit == 1


def test_a_finding_is_drawn_again_from_its_file_alone(law, root, examined, made):
    (found,) = examined(made(LOADED)).findings
    found = msgspec.json.decode(msgspec.json.encode(found), type=type(found))

    again = redraw_finding(
        VendorEndpoint(made(LOADED, seed=8), Limits(), root).session(), law, found
    )
    mended = redraw_finding(VendorEndpoint(made(seed=8), Limits(), root).session(), law, found)

    assert again.result == "unfair"
    assert mended.result == "fair"


SELDOM = """answer['outcomes'] = [
    {'throws': [[1, 2]]} if sum(one['throws'][0]) == 7 and self._random.random() < 0.5 else one
    for one in outcomes
]"""
POINT, ASKED, NOT_ASKED = "97-85-m--dice-not-described", "fair-six-sided", "nothing-required"


def craps(law, begun, address, ruled=None):
    rulings = {} if ruled is None else {POINT: ruled}
    result = derive_result_from_folder(finished(begun(address, rulings=rulings)), law)
    return result, verdict(result, "portaria-97-85-m/2/1")


def test_what_only_one_reading_asks_for_is_open_as_long_as_nobody_ruled(law, begun, made):
    result, said = craps(law, begun, made(SELDOM, game="craps"))

    assert [(one.verdict, one.readings) for one in result.findings] == [
        ("open", [(POINT, NOT_ASKED)])
    ]
    assert (said.result, said.reason) == ("inconclusive", "reading-open")
    assert said.followed[0].fits == {ASKED: 0, NOT_ASKED: 1}


def test_what_a_ruling_asks_for_is_against_the_law(law, begun, made):
    result, said = craps(law, begun, made(SELDOM, game="craps"), ruled=ASKED)

    assert [one.verdict for one in result.findings] == ["violates"]
    assert said.result == "violates"


@pytest.mark.full
def test_what_a_ruling_does_not_ask_for_is_neither_drawn_nor_missed(law, begun, made):
    result, said = craps(law, begun, made(SELDOM, game="craps"), ruled=NOT_ASKED)

    assert result.statistics == []
    assert "statistics" not in {one.way for one in said.parts}


def test_fair_dice_leave_no_doubt_whatever_is_asked(law, begun, made):
    _, said = craps(law, begun, made(game="craps"))

    assert next(one.result for one in said.parts if one.way == "statistics") == "conforms"


@pytest.mark.full
def test_packs_are_drawn_from_at_the_least_and_the_largest_number(examined, made, monkeypatch):
    monkeypatch.setitem(draw_plan.OUTCOMES_PER_TABLE, "quick", 15_000)
    result = examined(made(game="three-card-baccarat"))

    assert {str(one.options) for one in result.statistics} == {"{'packs': 1}", "{'packs': 8}"}
    assert way(result, "portaria-22-96-m/2/1") == ("conforms", "drawn")


def test_only_a_doubt_is_drawn_from_once_more_and_more_often(law, begun, made, monkeypatch):
    always = draw_verdict.FamilyLevels(doubted=Fraction(1), tests_dependence=True)
    monkeypatch.setattr("selo.examine.run.draw_run.read_levels", lambda *_: always)
    monkeypatch.setattr(draw_verdict, "adjust_by_holm", lambda p_values: [0.5] * len(p_values))
    folder = finished(begun(made()))
    monkeypatch.undo()
    monkeypatch.setitem(draw_plan.OUTCOMES_PER_TABLE, "quick", OUTCOMES)

    lines = len(list(EvidenceReader(folder, book=DRAWS_FILE))) - 2
    assert lines == (1 + always.factor) * OUTCOMES / draw_plan.OUTCOMES_PER_REQUEST
    # By the levels that hold, the first look left no doubt, so that nobody drew a second time.
    with pytest.raises(EvidenceTampered, match="25 batches of fish-prawn-crab, 5 in the plan"):
        derive_result_from_folder(folder, law)


def looks(first, second=()):
    """Return draws of which the tests of each look came out so."""
    one = draw_plan.Sample(game=FISH, options={}, provisions=[BALANCE], outcomes=OUTCOMES)
    tests = [
        draw_verdict.DrawStatistic(
            test="face", of="1", game=FISH, options={}, provisions=[BALANCE], look=look,
            sample=OUTCOMES, trials=OUTCOMES, statistic="1", freedom=5, p_value="1", adjusted="1",
            tests=1, level="5e-05", doubt="0.01", power="1", notices="0.1", verdict=said,
            frequencies=[],
        )
        for look, some in ((1, first), (2, second))
        for said in map(draw_verdict.DrawResult, some)
    ]  # fmt: skip
    found = DrawResults(statistics=tests)
    return found.verdict_of(type("SampleDraws", (), {"sample": one})())


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (["fair", "fair"], [], "fair"),
        (["fair", "doubtful"], [], "doubtful"),
        (["fair", "doubtful"], ["fair", "fair"], "fair"),
        (["fair", "doubtful"], ["doubtful", "fair"], "doubtful"),
        (["fair", "doubtful"], ["unfair", "fair"], "unfair"),
        (["unfair", "doubtful"], [], "unfair"),
        ([], [], "doubtful"),
    ],
)
def test_the_second_look_decides_where_there_was_one(first, second, said):
    assert looks(first, second) == said


def test_figures_are_the_same_whoever_works_them_out(law, begun, made):
    folder = finished(begun(made()))

    assert (
        derive_result_from_folder(folder, law).statistics
        == derive_result_from_folder(folder, law).statistics
    )


def test_the_words_of_every_test_are_there(examined, made):
    for one in examined(made()).statistics:
        words = {language: render_test_name(one, language) for language in ("pt", "zh", "en")}
        assert len(set(words.values())) == 3, words
        assert not re.search(r"[{}]", "".join(words.values()))


@pytest.mark.full
def test_a_loaded_die_is_found_and_drawn_again_on_the_command_line(selo, tmp_path):
    planted = f"{sys.executable} fixtures/planted/vendor.py fish-prawn-crab a-die-is-loaded"
    folder = tmp_path / "run"
    found = selo("examine", "--vendor", planted, "--rulings", "defaults", "--out", str(folder))
    finding = str(folder / "findings" / "F-001.json")

    again = selo("replay", finding, "--vendor", planted, "--json")
    lawful = selo("replay", finding, "--vendor", LAWFUL, "--json")

    assert found.returncode == 1
    assert (again.returncode, json.loads(again.stdout)["still"]) == (1, True)
    assert (lawful.returncode, json.loads(lawful.stdout)["still"]) == (0, False)


class Drawing:
    """A session that draws faces, each of which names it."""

    def __init__(self, face):
        self.face = face

    def ask_all(self, _, asked, **__):
        for params in asked:
            yield params, Reply(id="", result=Drawn(outcomes=[self.face] * params["count"]))


def test_the_second_half_of_a_sample_comes_from_the_process_that_it_turns_to():
    sample = draw_plan.Sample(game=FISH, options={}, provisions=[], outcomes=4000)

    replies = ask_outcomes(Drawing("a"), sample, sample.batches, turn=lambda _: Drawing("b"))

    drawn = "".join("".join(reply.result.outcomes) for reply in replies)
    assert drawn == "a" * 2000 + "b" * 2000
