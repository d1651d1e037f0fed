"""Findings point at files that are there: in the vendor's repository, or among the law files."""

import json
import sys
from urllib.parse import unquote

import pytest
from tests.often import often


@pytest.fixture
def skeleton(selo_here, tmp_path):
    """An adapter of a vendor's own in the folder `sk` of the working folder; it breaks the law."""
    code, _, told = selo_here(
        "adapter", "new", "--lang", "python", "--game", "pai-kao", "--out", "sk"
    )
    assert code == 0, told
    return tmp_path / "sk"


def run_of(tmp_path):
    path = tmp_path / "run" / "report" / "report.sarif"
    (run,) = json.loads(path.read_text(encoding="utf-8"))["runs"]
    assert run["results"]
    return run


def places(run):
    return [
        place["physicalLocation"]["artifactLocation"]
        for one in run["results"]
        for place in one["locations"]
    ]


def gate(selo_here, vendor, *more):
    return selo_here(
        "gate", "--vendor", vendor, "--game", "pai-kao", "--format", "sarif", "--out", "run", *more
    )


@pytest.mark.parametrize(
    "named", often(["adapter.py", "./adapter.py", "{folder}/adapter.py"], "adapter.py")
)
def test_a_finding_points_at_the_adapter_from_where_the_gate_was_run(
    selo_here, skeleton, tmp_path, named
):
    file = named.format(folder=skeleton)

    gate(selo_here, f"{sys.executable} {file}", "--folder", "sk")

    for place in places(run_of(tmp_path)):
        assert place == {"uri": "sk/adapter.py"}
        assert (tmp_path / place["uri"]).is_file()


@pytest.mark.full
def test_an_adapter_of_files_that_it_does_not_declare_is_found_by_its_command(
    selo_here, skeleton, tmp_path
):
    del skeleton
    (tmp_path / "sk" / "start here.sh").write_text(f"exec {sys.executable} adapter.py\n")

    shown = [word for path in (sys.prefix, sys.base_prefix) for word in ("--visible", path)]
    gate(selo_here, "sh 'start here.sh'", "--folder", "sk", *shown)

    for place in places(run_of(tmp_path)):
        assert (tmp_path / unquote(place["uri"])).samefile(tmp_path / "sk" / "start here.sh")


@pytest.mark.full
def test_an_adapter_elsewhere_is_told_with_a_base_and_without_the_folders_of_the_machine(
    selo_here, skeleton, tmp_path, monkeypatch
):
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    out = tmp_path / "run"

    selo_here(
        "gate", "--vendor", f"{sys.executable} adapter.py", "--game", "pai-kao",
        "--folder", str(skeleton), "--format", "sarif", "--out", str(out),
    )  # fmt: skip

    run = run_of(tmp_path)
    for place in places(run):
        assert place == {"uri": "adapter.py", "uriBaseId": "VENDOR"}
    assert str(tmp_path) not in json.dumps(run)


def test_every_base_of_a_path_is_explained_and_the_law_lies_below_its_own(
    selo_here, skeleton, tmp_path, root
):
    del skeleton

    gate(selo_here, f"{sys.executable} adapter.py", "--folder", "sk")

    run = run_of(tmp_path)
    law = [
        place["physicalLocation"]["artifactLocation"]
        for one in run["results"]
        for place in one["relatedLocations"]
    ]
    assert law
    for place in law:
        assert place["uriBaseId"] == "SELO_LAW"
        assert (root / place["uri"]).is_file()
    used = {place["uriBaseId"] for place in [*law, *places(run)] if "uriBaseId" in place}
    assert used <= set(run["originalUriBaseIds"])


@pytest.mark.parametrize("language", ["pt", "zh", "en"])
def test_who_types_the_path_of_an_adapter_is_told_of_its_folder(selo_here, skeleton, language):
    del skeleton

    code, _, told = gate(selo_here, f"{sys.executable} sk/adapter.py", "--lang", language)

    assert code == 4
    assert "--folder" in told
