"""What is not offered is not examined, with that reason; and nobody conforms by offering less."""

import dataclasses
import json
import subprocess
import sys

import msgspec
import pytest

from selo.cases.scope import Scope, offer_everything
from selo.examine.coverage.not_offered import find_offer_gaps
from selo.examine.coverage.plan_coverage import coverage_of
from selo.examine.plan import terms_of
from selo.law.files.provision_file import Way
from selo.protocol.messages import Description

DICE, POKER, BACARA, CRAPS = "fish-prawn-crab", "fortune-three-card-poker", "bacara", "craps"
#: The bet on one die of a colour has its meaning in article 5 and its prize in article 6.
ONE_COLOUR = {"portaria-21-96-m/5/d", "portaria-21-96-m/5/d/note", "portaria-21-96-m/6/d"}
#: Article 3 says how dice are thrown under the glass, at a table.
AT_THE_TABLE = "portaria-21-96-m/3/a"

VENDOR = """
import sys
sys.path.insert(0, {folder!r})
import selo_adapter
from reference import ReferenceVendor

class Vendor(ReferenceVendor):
    def describe(self, params):
        told = super().describe(params)
        told["games"] = [one for one in told["games"] if one["game"] in {games!r}]
        for one in told["games"]:
{changes}
        return told

selo_adapter.serve_stdio(Vendor())
"""


@pytest.fixture(scope="module")
def vendor(root, tmp_path_factory):
    """Return the command of a lawful vendor that offers less."""

    def made(games, *changes):
        path = tmp_path_factory.mktemp("vendor") / "vendor.py"
        folder = str(root / "fixtures" / "adapters" / "python")
        lines = "\n".join(f"            {one}" for one in changes)
        path.write_text(VENDOR.format(folder=folder, games=games, changes=lines))
        return f"{sys.executable} {path} {root / 'fixtures'}"

    return made


@pytest.fixture(scope="module")
def run(selo, vendor, tmp_path_factory):
    """Return what is printed about a vendor without a bet, without tables, without a game."""
    out = tmp_path_factory.mktemp("offers-less") / "run"
    command = vendor(
        [DICE],
        "one['bets'] = [bet for bet in one['bets'] if bet != 'one-of-colour']",
        "one['methods'] = ['settle', 'draw']",
        "one.update(forces=False, happens=[])",
    )
    done = selo(
        "examine", "--vendor", command, "--game", DICE, "--game", CRAPS, "--rulings", "defaults",
        "--out", str(out),
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    return done, out


@pytest.fixture(scope="module")
def verdicts(run):
    result = json.loads((run[1] / "result.json").read_text())
    return {one["provision"]: one for one in result["summary"]["provisions"]}


def said(one):
    return one["result"], one["reason"]


def lacking(one, way):
    part = next(part for part in one["parts"] if part["way"] == way)
    return [(each["kind"], each["name"]) for each in part["not_offered"]]


def test_a_bet_that_is_not_offered_is_not_examined_and_named(verdicts):
    for name in ONE_COLOUR:
        assert said(verdicts[name]) == ("not-examined", "not-offered")
        assert lacking(verdicts[name], "examination") == [("bet", "one-of-colour")]


def test_a_game_without_tables_is_not_examined_at_them(verdicts):
    assert said(verdicts[AT_THE_TABLE]) == ("not-examined", "not-offered")
    assert lacking(verdicts[AT_THE_TABLE], "procedure") == [("method", "table")]


def test_no_provision_that_needs_a_table_conforms_without_one(law, verdicts):
    asked = [
        one.id
        for one in law.provisions.values()
        if one.instrument.game == DICE
        and Way.PROCEDURE in {one.provision.verified_by, *one.provision.also}
    ]

    assert asked
    assert {verdicts[name]["result"] for name in asked} == {"not-examined"}


def test_a_game_that_was_asked_for_and_is_not_offered_is_not_examined(law, verdicts):
    asked = [one for one in law.provisions.values() if one.instrument.game == CRAPS]

    assert asked
    for one in asked:
        found = verdicts[one.id]
        assert found["result"] not in {"conforms", "violates", "inconclusive"}
        for part in found["parts"]:
            if part["way"] != "inspection":
                assert part["not_offered"] == [{"kind": "game", "name": CRAPS, "value": ""}]


def test_what_is_offered_is_examined_and_the_rest_told_beside_it(verdicts):
    small, colours = verdicts["portaria-21-96-m/6/a"], verdicts["portaria-21-96-m/1/a/1"]

    assert said(small) == ("conforms", "examined")
    assert lacking(small, "examination") == []
    # The colours of the faces are felt by all bets on colours, of which one is not offered.
    assert said(colours) == ("conforms", "examined")
    assert lacking(colours, "examination") == [("bet", "one-of-colour")]


def test_the_terminal_names_what_is_not_offered(run):
    told = " ".join(run[0].stdout.split())

    assert "NOT FULLY VERIFIED" in told
    assert "the bet one-of-colour" in told
    assert "the method table" in told
    assert "the game craps" in told


def test_evidence_alone_leads_to_the_same_verdicts(selo, run):
    before = json.loads((run[1] / "result.json").read_text())

    done = selo("resume", str(run[1]))

    assert done.returncode == 2
    assert json.loads((run[1] / "result.json").read_text()) == before


@pytest.fixture(scope="module")
def documents(selo, run, tmp_path_factory):
    out = tmp_path_factory.mktemp("documents")
    formats = [part for name in ("json", "html", "junit") for part in ("--format", name)]
    done = selo("report", str(run[1]), *formats, "--out", str(out))
    assert "Traceback" not in done.stderr, done.stderr
    return {path.suffix: path.read_text() for path in out.iterdir()}


def test_every_document_names_what_is_not_offered(documents):
    report = json.loads(documents[".json"])
    told = {one["game"]: one for one in report["not_offered"]}
    bet = next(one for one in report["provisions"] if one["id"] == "portaria-21-96-m/6/d")

    assert told[DICE]["offered"]
    assert not told[CRAPS]["offered"]
    name = "«Um dado de uma cor escolhida»"
    assert any(name in one["pt"] for one in told[DICE]["things"])
    assert name in bet["because"]["pt"]
    assert "one die of a chosen colour" in bet["because"]["en"]
    assert f"a aposta {name}" in documents[".html"]
    assert "the bet “one die of a chosen colour”" in documents[".xml"]
    assert "one-of-colour" not in json.dumps([told[DICE]["things"], bet["because"]])


@pytest.mark.full
def test_the_document_on_paper_names_what_is_not_offered(selo, run, tmp_path):
    done = selo("report", str(run[1]), "--format", "pdf", "--out", str(tmp_path))
    assert "Traceback" not in done.stderr, done.stderr
    path = next(tmp_path.glob("*.pdf"))
    text = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True)
    words = "".join(text.stdout.split())

    assert "«Umdadodeumacorescolhida»" in words
    assert "ojogonãoéoferecido" in words


def missing(law, game, *provisions, **changes):
    """Return what is not offered of some provisions by a vendor that offers less of a game."""
    whole = offer_everything(law, [game]).games[0]
    offered = dataclasses.replace(whole, **changes)
    terms = terms_of(
        law, Scope(games=(offered,)), as_of="2026-01-01", text_as_stored=True,
        rulings={}, budget="quick", seed=0,
        provisions=list(provisions),
    )  # fmt: skip
    covered = coverage_of(law, terms).counts()
    plain = {
        "protocol": "1.0",
        "vendor": {"name": "v"},
        "product": {"name": "p", "version": "1"},
        "files": [],
        "currency": {"code": "MOP", "decimals": 2},
        "rounding": {"prize": "down", "commission": "down"},
        "random": None,
        # Nothing is told of its tables here.
        "games": [{"game": "another", "methods": ["settle"]}],
    }
    found = find_offer_gaps(law, terms, msgspec.convert(plain, Description), covered)
    decisive = {name for (name, _), seen in found.applicable(covered).items() if seen.decisive}
    lacks = {
        name: [(str(one.kind), one.name, one.value) for one in some]
        for (name, _), some in found.lacking.items()
    }
    return lacks, decisive


def test_an_option_that_is_not_offered_is_named_with_its_value(law):
    # No. 8 of article 17 is the prize of jackpot B; article 18 has three regimes of commission.
    prize, *regimes = [f"despacho-2-2009/{name}" for name in ("17/8", "18/1", "18/2", "18/3")]

    found, decisive = missing(
        law, BACARA, prize, *regimes, options={"commission": ["five-percent"], "jackpot": ["A"]}
    )

    assert found == {
        prize: [("option", "jackpot", "B")],
        regimes[1]: [("option", "commission", "half-on-six")],
        regimes[2]: [("option", "commission", "dragon-push")],
    }
    assert decisive == {regimes[0]}


def test_a_method_that_is_not_offered_is_named(law):
    # Article 9 says who wins which bet, article 8 the order of hands, which is compared too.
    wins, order = "despacho-78-2008/9/2", "despacho-78-2008/8/1"

    found, decisive = missing(law, POKER, wins, order, methods=frozenset({"compare"}))

    assert found == {one: [("method", "settle", "")] for one in (wins, order)}
    assert decisive == {order}


def test_a_bet_that_needs_another_is_not_offered_without_it(law):
    # The last words of n.º 2 of article 2 are on additional bets, which need a bet on the line.
    bets = [one for one in offer_everything(law, [CRAPS]).games[0].bets if one != "pass-line"]
    additional = "portaria-97-85-m/2/2/close"

    found, decisive = missing(law, CRAPS, additional, bets=tuple(bets))

    assert found == {additional: [("bet", "pass-line", "")]}
    assert decisive == set()


@pytest.mark.parametrize(
    "game", [DICE, *(pytest.param(one, marks=pytest.mark.full) for one in (BACARA, POKER, CRAPS))]
)
def test_whoever_offers_everything_lacks_nothing(law, game):
    found, decisive = missing(law, game)

    assert found == {}
    assert decisive


def test_whoever_offers_nothing_is_decided_on_nothing(law):
    found, decisive = missing(law, CRAPS, bets=())

    assert decisive == set()
    assert {kind for some in found.values() for kind, _, _ in some} == {"bet"}
