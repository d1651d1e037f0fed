"""The adapter kits know the outcomes of every kind of equipment, those of added games too."""

import re
import shutil
import subprocess
from itertools import islice

import pytest
from tests.example_games import EXAMPLES, ROOT, VENDORS
from tests.often import often
from tests.tools import need

from selo.cases.generate.case_stream import stream_cases
from selo.cases.oracle.case_oracle import Oracle
from selo.examine.adapter_tools.adapter_template import LANGUAGES, write_adapter
from selo.examine.adapter_tools.smoke_test import SmokeState, run_smoke_checks
from selo.examine.tally.tally import Tally
from selo.examine.vendor_description.declared_limits import DeclaredLimits
from selo.examine.vendor_description.describe_check import introduce_vendor
from selo.protocol.schema import game_words
from selo.rules.checks import list_games
from selo.vendors.vendor_address import connect

TOOLS = {"python": "python3", "javascript": "node", "java": "javac", "c": "cc", "rust": "rustc"}
#: Of a large plan every so manieth case is put to an adapter.
THINNED = 7
STUB = "    return [lose() for bet in bets]"
#: Filled in from the vendor of the examples, which is written from the text.
FILLED = """    from piece_vendor import load_game
    return load_game({game!r}, {fault!r}).settle(outcome, bets)"""
FAULTS = {
    "roulette": "straight-pays-36", "cussec": "double-pays-10", "fantan": "fan-pays-4",
    "boule": "number-pays-8",
}  # fmt: skip


def put_cases(law, game, command, folder):
    """Put cases to an adapter and return the smoke checks that failed, and the tally."""
    checks = list(run_smoke_checks(connect(command, folder=folder), law, folder=folder))
    session = connect(command, folder=folder)
    known = introduce_vendor(session, law)
    rulings = {one.id: one.default for one in law.divergences}
    tally = Tally(Oracle(law, rulings, {offer.game: offer.level for offer in known.offers()}))
    limits = DeclaredLimits(law, known.offers())
    stream = stream_cases(law, known.scope, budget="quick", at_random=50, rulings=rulings)
    cases = [case for case in islice(stream, 0, None, THINNED) if case.method == "settle"]
    params = [case.params() for case in cases]
    replies = session.ask_all("settle", params, reads=limits.form_of(game, "settle"))
    for case, (_, reply) in zip(cases, replies, strict=True):
        tally.take(case, limits.check(case, reply))
    assert session.end() == []
    assert len(cases) > 20
    return [check for check in checks if check.state is SmokeState.WRONG], tally


def test_every_kit_knows_every_field_that_the_protocol_may_put_to_it(law_with_games):
    asked = set()
    for game in list_games(law_with_games):
        for name, schema in game_words(law_with_games, game).schemas.items():
            part = name.removeprefix(f"{game}.")
            if part in {"outcome", "options", "table-options"} or part.startswith("bet."):
                asked |= set(schema.get("properties", ()))
    unknown = {}
    for name, language in LANGUAGES.items():
        kit = ROOT / "fixtures" / "kits" / name / language.files[1]
        unknown[name] = asked - set(re.findall(r"[\"']([a-z_]+)[\"']", kit.read_text("utf-8")))

    assert {"shown", "dice", "throws", "stake", "place", "limits"} <= asked
    assert {name: fields for name, fields in unknown.items() if fields} == {}


@pytest.mark.parametrize("name", often(sorted(LANGUAGES), "python"))
@pytest.mark.parametrize("game", often(list(EXAMPLES), "fantan"))
def test_a_fresh_adapter_of_a_game_with_pieces_is_sane_and_breaks_the_law(
    law_with_games, tmp_path, name, game
):
    need(TOOLS[name])
    language = LANGUAGES[name]
    write_adapter(tmp_path / "adapter", law_with_games, name, game)
    if language.build:
        words = [word for word in language.build.split() if word not in ("-O", "-O2")]
        subprocess.run(words, cwd=tmp_path / "adapter", check=True, capture_output=True)

    wrong, tally = put_cases(law_with_games, game, language.run, tmp_path / "adapter")

    assert wrong == []
    assert tally.faults == []
    assert tally.violates


@pytest.mark.parametrize("fault", often([None, "planted"], None))
@pytest.mark.parametrize("game", often(list(EXAMPLES), "cussec"))
def test_settle_is_all_that_has_to_be_filled_in(law_with_games, tmp_path, game, fault):
    write_adapter(tmp_path / "adapter", law_with_games, "python", game)
    source = tmp_path / "adapter" / "adapter.py"
    text = source.read_text(encoding="utf-8")
    # The game stands beside the adapter: a vendor sees nothing but its own folder.
    for module in (*VENDORS.glob("*.py"), ROOT / "fixtures/adapters/python/selo_adapter.py"):
        shutil.copy(module, tmp_path / "adapter")
    shutil.copytree(ROOT / "fixtures" / "vendors" / "tables", tmp_path / "adapter" / "tables")
    filled = FILLED.format(game=game, fault=fault and FAULTS[game])
    source.write_text(text.replace(STUB, filled), encoding="utf-8")

    wrong, tally = put_cases(law_with_games, game, "python3 adapter.py", tmp_path / "adapter")

    assert text.count(STUB) == 1
    assert wrong == []
    assert tally.faults == []
    assert tally.violates is (fault is not None)
