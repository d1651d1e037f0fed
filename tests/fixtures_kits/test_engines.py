"""Engines of other shapes, connected with the kit in few lines: the verdict on each is right."""

import json
import shutil
import subprocess
from itertools import islice

import pytest
from tests.often import often
from tests.tools import need

from selo.cases.generate.case_stream import stream_cases
from selo.cases.oracle.case_oracle import Oracle
from selo.examine.adapter_tools.smoke_test import SmokeState, run_smoke_checks
from selo.examine.tally.tally import Tally
from selo.examine.vendor_description.declared_limits import DeclaredLimits
from selo.examine.vendor_description.describe_check import introduce_vendor
from selo.vendors.vendor_address import connect

MOST_LINES = 60
PACKAGE = "baccarat-engine@1.1.5"
#: Language, tool, how it is run, and the provision that it breaks.
ENGINES = {
    "atomic": ("python", "python3", "python3 adapter.py", None),
    "net_sums": ("c", "cc", "./adapter", None),
    "floats": ("javascript", "node", "node adapter.mjs", "portaria-21-96-m/6/i"),
    "screen": ("javascript", "node", "node adapter.mjs", None),
    "baccarat_engine": (
        "javascript", "node", "node adapter.mjs", "despacho-2-2009/13/1/4/1/par-1",
    ),
}  # fmt: skip
ADAPTERS = {"python": "adapter.py", "c": "adapter.c", "javascript": "adapter.mjs"}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Install the npm package; without a registry the tests that need it are skipped, loudly."""
    folder = tmp_path_factory.mktemp("npm")
    need("npm")
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE],
        cwd=folder, capture_output=True, check=False, timeout=180,
    )  # fmt: skip
    if done.returncode:
        pytest.skip("npm cannot reach a registry: the package baccarat-engine was not examined")
    return folder / "node_modules"


#: The compiled engine and the one in JavaScript that breaks the law are tried in every run.
@pytest.fixture(params=often(list(ENGINES), "net_sums", "floats"))
def engine(request, root, tmp_path):
    """Return the name of an engine, its folder with the kit, and how it is run."""
    name = request.param
    language, tool, command, breaks = ENGINES[name]
    if language != "python":
        need(tool)
    shutil.copytree(root / "fixtures" / "engines" / name, tmp_path, dirs_exist_ok=True)
    for kit in (root / "fixtures" / "kits" / language).glob("selo_kit.*"):
        shutil.copy(kit, tmp_path)
    if name == "net_sums":
        build = "cc -std=c11 -Wall -Wextra -Werror -o adapter adapter.c engine.c"
        subprocess.run(build.split(), cwd=tmp_path, check=True)
    if name == "baccarat_engine":
        shutil.copytree(request.getfixturevalue("package"), tmp_path / "node_modules")
    return tmp_path, command, breaks


@pytest.mark.parametrize("name", list(ENGINES))
def test_the_adapter_of_an_engine_is_short(root, name):
    path = root / "fixtures" / "engines" / name / ADAPTERS[ENGINES[name][0]]

    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("name", list(ENGINES))
def test_an_engine_knows_nothing_of_us(root, name):
    for path in (root / "fixtures" / "engines" / name).glob("engine.*"):
        assert "selo" not in path.read_text(encoding="utf-8").lower()


def test_an_engine_is_sane_and_answers_as_it_is(law, engine):
    folder, command, breaks = engine
    # Of a large plan every ninth case is enough to tell a right engine from a wrong one.
    thinned = 9

    checks = list(run_smoke_checks(connect(command, folder=folder), law, folder=folder))
    session = connect(command, folder=folder)
    known = introduce_vendor(session, law)
    levels = {offer.game: offer.level for offer in known.offers()}
    rulings = {one.id: one.default for one in law.divergences}
    tally = Tally(Oracle(law, rulings, levels))
    limits = DeclaredLimits(law, known.offers())
    stream = stream_cases(law, known.scope, budget="quick", at_random=50, rulings=rulings)
    cases = [case for case in islice(stream, 0, None, thinned) if case.method == "settle"]
    form = limits.form_of(cases[0].game, "settle")
    params = [case.params() for case in cases]
    for case, (_, reply) in zip(cases, session.ask_all("settle", params, reads=form), strict=True):
        tally.take(case, limits.check(case, reply))

    assert session.end() == []
    assert [check.name for check in checks if check.state is SmokeState.WRONG] == []
    assert tally.faults == []
    assert tally.violates is (breaks is not None)


@pytest.mark.full
def test_an_engine_is_examined_and_exactly_what_it_breaks_is_violated(engine, selo, tmp_path):
    folder, command, breaks = engine

    done = selo(
        "examine", "--text-as-stored", "--vendor", command, "--folder", folder,
        "--rulings", "defaults", "--out", tmp_path / "run", "--json",
    )  # fmt: skip

    told = json.loads(done.stdout)
    provisions = told["summary"]["provisions"]
    violated = [one["provision"] for one in provisions if one["result"] == "violates"]
    assert violated == ([] if breaks is None else [breaks])
    assert any(one["result"] == "conforms" for one in provisions)
    assert done.returncode == (2 if breaks is None else 1)
