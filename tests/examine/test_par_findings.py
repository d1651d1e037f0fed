"""A wrong figure of a vendor's PAR sheet is a finding of its own, with the right one beside it."""

import json
import sys

import msgspec
import pytest
from tests.often import often
from tests.report import paper

from selo.examine.findings import origin_of
from selo.examine.findings.par_findings import collect_par_findings
from selo.examine.plan import Terms
from selo.rules.odds.par_sheet import ParSheet

VENDOR = f"{sys.executable} fixtures/adapters/python/reference.py --game craps"
# The field of craps: 16 of 36 throws win, 2 and 12 twice the stake: an edge of 1/18 (published).
SHEET = {
    "game": "craps",
    "bets": [
        {"bet": "field", "win": "16/36", "edge": "5 %"},
        {"bet": "any-craps", "win": "4/36", "edge": "11.11 %"},
    ],
}
UNKNOWN_BET = "game: craps\nbets: [{bet: x}]\n"
TERMS = Terms(
    protocol="1.1", spec_digest="", games=[], as_of="2026-01-01", rulings={}, budget="quick", seed=1
)


def found(law, sheet):
    sheets = [msgspec.convert(sheet, ParSheet)]
    return list(collect_par_findings(law, sheets, origin_of(TERMS)))


def test_a_wrong_figure_is_a_finding_with_the_right_one(law):
    (finding,) = found(law, SHEET)

    assert (finding.method, finding.verdict, finding.provisions) == ("par", "protocol", [])
    assert finding.expected["exact"] == "1/18"
    assert finding.observed == {"par": "5 %"}
    assert finding.cause_code == "par:edge.field"
    assert "1/18" in finding.required.pt
    assert "1/18" in finding.required.zh


def test_right_figures_are_no_finding(law):
    right = {**SHEET, "bets": [{"bet": "field", "edge": "5.56 %"}, *SHEET["bets"][1:]]}

    assert found(law, right) == []


@pytest.mark.full
def test_it_stands_in_evidence_result_document_and_gate(selo, tmp_path):
    path, folder, out = tmp_path / "par.yaml", tmp_path / "run", tmp_path / "out"
    path.write_text(json.dumps(SHEET), encoding="utf-8")
    asked = ["--vendor", VENDOR, "--game", "craps", "--rulings", "defaults", "--text-as-stored",
             "--par", str(path)]  # fmt: skip

    done = selo("examine", *asked, "--out", str(folder))

    # What is against the protocol ends as a vendor that does not keep it.
    assert done.returncode == 4, done.stderr
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    (finding,) = result["findings"]
    assert (finding["method"], finding["observed"]) == ("par", {"par": "5 %"})
    assert result["header"]["par"][0]["bets"][0]["edge"] == "5 %"
    selo("report", str(folder), "--out", str(out))
    page = paper.words(next(out.glob("*.pdf")).read_bytes())
    assert "1/18" in page
    assert "5 %" in page
    gate = selo("gate", *asked, "--out", str(tmp_path / "gate"))
    assert gate.returncode != 0
    assert "1/18" in gate.stdout + gate.stderr


@pytest.mark.parametrize("text", often(["game: roulette\nbets: []\n", UNKNOWN_BET], UNKNOWN_BET))
def test_a_sheet_about_nothing_known_is_refused_before_anything_is_asked(selo, tmp_path, text):
    path = tmp_path / "par.yaml"
    path.write_text(text, encoding="utf-8")

    done = selo("examine", "--vendor", "false", "--par", str(path), "--out", str(tmp_path / "run"))

    assert done.returncode == 3, done.stdout + done.stderr
    assert not (tmp_path / "run").exists()
