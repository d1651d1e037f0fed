"""The smoke test finds what is wrong with an adapter, and nothing with one that is right."""

import json
import sys
import textwrap

import pytest

from selo.examine.adapter_tools.smoke_test import SmokeState, run_smoke_checks
from selo.vendors.vendor_address import connect

BASE = """
import sys
sys.path.insert(0, {folder!r})
from reference import ReferenceVendor

class Vendor(ReferenceVendor):
{body}

vendor = Vendor(["fish-prawn-crab", "pai-kao"])
"""


@pytest.fixture
def spoiled(root, tmp_path):
    """Return a function that makes an object like the reference vendor with one thing changed."""

    def make(body):
        folder = str(root / "fixtures" / "adapters" / "python")
        path = tmp_path / "spoiled.py"
        path.write_text(
            BASE.format(folder=folder, body=textwrap.indent(textwrap.dedent(body), "    ")),
            encoding="utf-8",
        )
        return f"{path}:vendor"

    return make


def checks(law, address):
    session = connect(address)
    return {check.name: check for check in run_smoke_checks(session, law)}


def faults(found):
    return {one.kind: one for check in found.values() for one in check.faults}


def test_the_reference_vendor_is_sane(law, root, monkeypatch):
    monkeypatch.chdir(root)
    session = connect(f"{sys.executable} fixtures/adapters/python/reference.py")

    found = list(run_smoke_checks(session, law))

    assert [check for check in found if check.state is SmokeState.WRONG] == []
    assert {"settle", "compare", "draw", "table", "end"} <= {check.name for check in found}


@pytest.mark.parametrize(
    ("body", "kind", "path"),
    [
        (
            """
            def settle(self, params):
                answer = super().settle(params)
                return {"settlements": answer["settlements"][1:]}
            """,
            "wrong-count",
            "$.result.settlements",
        ),
        (
            """
            def settle(self, params):
                answer = super().settle(params)
                answer["settlements"][0]["prize"] = 1.5
                return answer
            """,
            "wrong-shape",
            "$.result.settlements[0].prize",
        ),
        (
            """
            count = 0
            def settle(self, params):
                answer = super().settle(params)
                self.count += 1
                answer["settlements"][0]["prize"] = self.count
                return answer
            """,
            "not-pure",
            "",
        ),
        (
            """
            def compare(self, params):
                return {"order": "higher"}
            """,
            "not-pure",
            "",
        ),
        (
            """
            def draw(self, params):
                return {"outcomes": super().draw(params)["outcomes"][1:]}
            """,
            "wrong-words",
            "$.result.outcomes",
        ),
        (
            """
            def draw(self, params):
                return {"outcomes": [{"dice": ["fish", "fish", "dragon"]}] * params["count"]}
            """,
            "wrong-words",
            "$.result.outcomes[0]",
        ),
        (
            """
            def table_act(self, params):
                answer = super().table_act(params)
                return {**answer, "events": [{"event": "deal-card"}]}
            """,
            "wrong-words",
            "$.result.events",
        ),
        (
            """
            def table_open(self, params):
                raise RuntimeError("no table today")
            """,
            "error-answer",
            "",
        ),
        (
            """
            def describe(self, params):
                answer = dict(super().describe(params))
                answer["games"] = [dict(answer["games"][0], bets=["small", "giant"])]
                return answer
            """,
            "wrong-words",
            "$.result.games[0].bets[1]",
        ),
        (
            """
            count = 0
            def describe(self, params):
                self.count += 1
                answer = dict(super().describe(params))
                answer["product"] = {"name": "x", "version": str(self.count)}
                return answer
            """,
            "description-changed",
            "$.result.product.version",
        ),
        (
            """
            def describe(self, params):
                answer = dict(super().describe(params))
                answer["files"] = [{"path": "no-such-file", "sha256": "0" * 64}]
                return answer
            """,
            "file-differs",
            "$.result.files[0]",
        ),
        (
            """
            def settle(self, params):
                if params["game"] == "selo-nothing":
                    return {}
                return super().settle(params)
            """,
            "not-refused",
            "",
        ),
    ],
)
def test_each_fault_is_named_with_its_place(law, root, monkeypatch, spoiled, body, kind, path):
    monkeypatch.chdir(root)

    found = faults(checks(law, spoiled(body)))

    assert kind in found
    assert found[kind].path.startswith(path)
    assert all(len(found[kind].lines(language)) >= 2 for language in ("pt", "zh", "en"))


def test_a_game_that_the_law_does_not_know_is_a_note(law, root, monkeypatch, spoiled):
    monkeypatch.chdir(root)
    body = """
    def describe(self, params):
        answer = dict(super().describe(params))
        answer["games"] = [*answer["games"], {"game": "roulette", "methods": ["settle"]}]
        return answer
    """

    found = checks(law, spoiled(body))

    assert found["unknown-game"].state is SmokeState.NOTE
    assert found["unknown-game"].slots == {"game": "roulette"}


@pytest.mark.parametrize(
    ("declared", "name", "slots"),
    [
        ({"via": {"small": "adapter", "big": "engine"}}, "via-adapter", {"what": "small"}),
        ({"via": {"small": "copied", "table": "copied"}}, "via-copied", {"what": "small, table"}),
        ({"cannot": ["leaning-dice"]}, "cannot", {"what": "leaning-dice"}),
    ],
)
def test_what_will_not_be_certified_is_said_before_the_examination(
    law, root, monkeypatch, spoiled, declared, name, slots
):
    monkeypatch.chdir(root)
    body = f"""
    def describe(self, params):
        said = super().describe(params)
        said["games"][0].update({declared!r})
        return {{**said, "protocol": "1.1"}}
    """

    found = checks(law, spoiled(body))

    assert found[name].state is SmokeState.NOTE
    assert found[name].slots == {"game": "fish-prawn-crab", **slots}
    assert faults(found) == {}


DECLARES = """
    def describe(self, params):
        return {{**super().describe(params), "protocol": "{version}"}}
"""


def test_an_adapter_for_a_later_protocol_is_asked_what_selo_knows_and_told_so(
    law, root, monkeypatch, spoiled
):
    monkeypatch.chdir(root)

    found = checks(law, spoiled(DECLARES.format(version="1.7")))

    assert found["version"].state is SmokeState.NOTE
    assert found["version"].slots == {"version": "1.7", "ours": "1.2"}
    assert faults(found) == {}


@pytest.mark.parametrize("version", ["2.0", "0.9", "1", "1.0.0", "1.00"])
def test_an_adapter_for_another_protocol_is_refused(law, root, monkeypatch, spoiled, version):
    monkeypatch.chdir(root)

    found = checks(law, spoiled(DECLARES.format(version=version)))

    assert faults(found)["wrong-shape"].path == "$.result.protocol"
    assert list(found) == ["answers"]


def test_the_command_tells_all_of_it_as_json(selo, tmp_path, spoiled):
    body = """
    def settle(self, params):
        return {"settlements": [{"result": "won"}]}
    """

    done = selo("smoke", "--vendor", spoiled(body), "--json", "--out", tmp_path / "kept")

    told = json.loads(done.stdout)
    assert done.returncode == 4
    assert told["sane"] is False
    kinds = {one["kind"] for check in told["checks"] for one in check["faults"]}
    assert "wrong-shape" in kinds
    kept = json.loads((tmp_path / "kept" / "faults.json").read_text(encoding="utf-8"))
    shapes = [one for one in kept["faults"] if one["kind"] == "wrong-shape"]
    assert b'"won"' in (tmp_path / "kept" / shapes[0]["files"]["raw"]).read_bytes()


@pytest.mark.parametrize("language", ["pt", "zh", "en"])
def test_the_command_speaks_three_languages(selo, root, language):
    done = selo(
        "smoke", "--vendor", f"{root}/fixtures/adapters/python/reference.py:vendor",
        "--game", "pai-kao", "--folder", root, "--lang", language,
    )  # fmt: skip

    assert {"pt": "são", "zh": "正常", "en": "Adapter OK"}[language] in done.stdout
