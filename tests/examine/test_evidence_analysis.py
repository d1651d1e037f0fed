"""What the analysis of evidence keeps of a line, live and on replay."""

import pytest

from selo.cases.scope import offer_everything
from selo.evidence.canonical_json import encode_canonical
from selo.examine.analysis.evidence_analysis import EvidenceAnalysis
from selo.examine.plan import terms_of
from selo.vendors.faults import FaultKind

GAME = "fish-prawn-crab"


@pytest.fixture
def analysis(law):
    terms = terms_of(
        law, offer_everything(law, [GAME]), as_of="2026-01-01", text_as_stored=True,
        rulings={}, budget="quick",
        seed=0, provisions=[],
    )  # fmt: skip
    return EvidenceAnalysis(law=law, terms=terms)


@pytest.mark.parametrize("kind", FaultKind)
def test_a_fault_keeps_the_words_in_which_it_was_recorded(analysis, kind):
    question = {"game": GAME, "options": {}, "outcome": {"dice": ["fish", "fish", "crab"]}}
    line = {
        "n": 0, "game": GAME, "group": "every-throw", "method": "settle",
        "params": {**question, "bets": [{"bet": "small", "stake": 100}]},
        "fault": {"kind": kind, "path": "$.result", "told": "the words of the day"},
    }  # fmt: skip

    analysis.add_line(encode_canonical(line))

    assert [(one.kind, one.describe(), one.describe("pt")) for one in analysis.faults] == [
        (kind, "the words of the day", "the words of the day")
    ]
