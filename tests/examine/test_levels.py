"""What a settlement does not tell is not examined; what it tells is examined as ever."""

import sys

import msgspec
import pytest
from tests.examine.partial_examination import (
    UNABLE,
    default_rulings,
    examine,
    load_partial,
    session_with,
)

from selo.examine.adapter_tools.smoke_test import SmokeState, run_smoke_checks
from selo.examine.analysis.evidence_analysis import EvidenceAnalysis
from selo.examine.conclusion import derive_result_from_folder
from selo.examine.vendor_description import check_description, introduce_vendor

DICE = "fish-prawn-crab"
#: Art. 6 j): what the numbers 7 and 14 win; art. 5 a): when small wins.
PRIZE, WINNING = "portaria-21-96-m/6/j/4", "portaria-21-96-m/5/a"
SEVEN_AT_FOURTEEN = "pays-seven-fourteen-to-one"
HONEST = ["tells-results", "tells-nets", "tells-results-and-nets"]


@pytest.fixture(scope="module")
def results(law):
    """Examine an honest vendor that tells results alone."""
    return examine(law, load_partial(DICE, "tells-results"), DICE, rulings=default_rulings(law))


@pytest.mark.full
def test_results_alone_show_when_a_bet_wins(results):
    assert results.verdict(WINNING) == ("conforms", "examined")


def test_results_alone_show_nothing_of_a_prize(results):
    verdict = next(one for one in results.summary.provisions if one.provision == PRIZE)

    assert results.verdict(PRIZE) == ("not-examined", "not-fully-examined")
    assert ("told", "result") in {(one.kind, one.name) for one in verdict.not_offered}


def test_telling_less_is_no_fault_and_no_finding(results):
    assert results.fault_kinds == set()
    assert results.findings == []
    assert results.summary.overall.exit == 2


def test_a_wrong_prize_that_is_not_told_is_not_found_and_never_conforms(law, results):
    vendor = load_partial(DICE, "tells-results", SEVEN_AT_FOURTEEN)

    examined = examine(law, vendor, DICE, rulings=default_rulings(law), with_coverage=False)

    assert examined.findings == []
    assert examined.lines == results.lines
    assert PRIZE not in results.conforming()


def test_a_wrong_net_amount_is_found_and_told_as_one(law):
    vendor = load_partial(DICE, "tells-nets", SEVEN_AT_FOURTEEN)

    examined = examine(law, vendor, DICE, rulings=default_rulings(law), with_coverage=False)

    (finding,) = examined.findings
    assert finding.provisions == [PRIZE]
    assert finding.expected.keys() == finding.observed.keys() == {"net"}
    # Twelve to one becomes fourteen to one: two stakes more.
    stake = finding.params["bets"][finding.bet]["stake"]
    assert finding.money == 2 * stake
    assert finding.observed["net"] - finding.expected["net"] == 2 * stake


@pytest.mark.parametrize("manner", ["tells-less-than-declared", "tells-more-than-declared"])
def test_an_answer_of_another_level_is_a_fault_of_the_adapter(law, manner):
    examined = examine(law, load_partial(DICE, manner), DICE, with_coverage=False)

    assert examined.fault_kinds == {"wrong-shape"}
    assert examined.summary.overall.exit == 4


def test_evidence_of_a_level_read_again_gives_the_same_counts(law, results):
    again = EvidenceAnalysis(law=law, terms=results.analysis.terms)
    for line in results.lines:
        again.add_line(line)

    assert again.tallies[DICE].counts == results.analysis.tallies[DICE].counts


@pytest.mark.full
@pytest.mark.parametrize("manner", ["cannot", "tells-nets", "tells-wrong-nets"])
def test_evidence_judged_again_gives_the_same_result(law, selo, tmp_path, manner):
    vendor = f"{sys.executable} fixtures/adapters/python/partial.py {DICE} {manner}"
    done = selo(
        "examine", "--vendor", vendor, "--rulings", "defaults", "--out", str(tmp_path / "run")
    )

    result = derive_result_from_folder(tmp_path / "run", law)

    assert result.exit == done.returncode
    written = msgspec.json.decode((tmp_path / "run" / "result.json").read_bytes())
    assert msgspec.json.decode(msgspec.json.encode(result)) == written


@pytest.mark.parametrize("manner", HONEST)
def test_the_smoke_test_passes_an_adapter_that_tells_less(law, root, monkeypatch, manner):
    monkeypatch.chdir(root)

    found = list(run_smoke_checks(session_with(load_partial(DICE, manner)), law, [DICE]))

    assert [check.name for check in found if check.state is SmokeState.WRONG] == []


def test_a_table_is_offered_only_by_a_game_that_tells_everything(law):
    vendor = load_partial(DICE, "tells-results")
    vendor.describe({})["games"][0]["methods"] = ["settle", "table"]

    (fault,) = check_description(law, introduce_vendor(session_with(vendor), law).description)

    assert fault.path == "$.result.games[0].level"


@pytest.mark.full
@pytest.mark.parametrize("manner", HONEST)
@pytest.mark.parametrize("game", UNABLE)
def test_a_lawful_vendor_of_every_level_has_no_finding_in_any_game(law, game, manner):
    examined = examine(law, load_partial(game, manner), game, rulings=default_rulings(law))

    assert examined.findings == []
    assert examined.fault_kinds == set()
    assert examined.summary.overall.exit == 2
