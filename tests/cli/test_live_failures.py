"""Failures are told in words while the examination runs, in the language of the messages."""

import io
from types import SimpleNamespace

import pytest
from rich.console import Console

from selo.cli.output.live_failures import LiveFailures
from selo.examine.live_rounds import RoundBreach
from selo.protocol.messages import Currency
from selo.rounds.judge import Manner, RoundDifference
from selo.rounds.script import Script

ACTS = [
    {"act": "go-on"},
    {"act": "place-bet", "ticket": "1", "player": "a", "bet": "small", "stake": 100},
]
WON = {"result": "win", "prize": 100, "commission": 0, "stake": 100}
LOST = {"result": "lose", "prize": 0, "commission": 0, "stake": 0}
BREACHES = (
    RoundDifference(
        manner=Manner.ACCEPTED, act=1, expected={"answer": "refused"},
        observed={"answer": "accepted", "bet": "small"},
    ),
    RoundDifference(manner=Manner.SETTLEMENT, act=1, expected=WON, observed=LOST, bet="small"),
    RoundDifference(manner=Manner.MISSING, act=2, observed={"event": "pay-prize"}),
)  # fmt: skip


def printed(law, language, differences):
    script = Script(game="fish-prawn-crab", name="written-one", acts=ACTS)
    kinds = {
        at: RoundBreach(script=script, n=at, difference=difference, played=None)
        for at, difference in enumerate(differences)
    }
    currency = Currency(code="MOP", decimals=2)
    examination = SimpleNamespace(
        analysis=SimpleNamespace(tallies={}, rounds=SimpleNamespace(kinds=kinds)),
        header=SimpleNamespace(description=SimpleNamespace(currency=currency)),
    )
    out = Console(file=io.StringIO(), width=200)
    LiveFailures(examination, law, out, language).print_new()
    return out.file.getvalue()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("accepted that must be refused", "wins", "prize MOP 1.00", "loses")),
        ("pt", ("Aceitou-se o que deve ser recusado", "ganha", "prémio MOP 1,00", "perde")),
        ("zh", ("接受了應予拒絕者", "贏", "彩金 MOP 1.00", "輸")),
    ],
)
def test_a_failure_of_a_round_is_told_in_words(law, language, words):
    text = printed(law, language, BREACHES)

    assert len(text.splitlines()) == len(BREACHES)
    assert not set('{}[]"') & set(text)
    for word in words:
        assert word in text


def test_many_failures_of_rounds_are_only_counted(law):
    lines = printed(law, "en", BREACHES * 10).splitlines()

    assert lines[-1] == "More failures follow; see the summary at the end."
    assert len(lines) < len(BREACHES * 10)
