"""The recipes for submissions: two jobs with other rights, and nothing runs without isolation."""

import json
import subprocess
import sys
from pathlib import Path

import check_jsonschema
import jsonschema
import pytest
import yaml


@pytest.fixture(scope="session")
def ci(root):
    return root / "docs" / "ci"


@pytest.fixture
def workflow(ci):
    # YAML 1.1 takes the word "on" for true.
    return yaml.load((ci / "submission.yml").read_text("utf-8"), Loader=yaml.BaseLoader)  # noqa: S506 - only text


@pytest.fixture
def recipe(ci, tmp_path, people):
    ours = str(Path(sys.executable).parent)
    #: Selo on a machine that can isolate, whatever this one can.
    able = tmp_path / "selo"
    good = '{"checks": [{"check": "bubblewrap", "state": "good"}]}'
    able.write_text(
        f'#!/bin/sh\n[ "$1" != doctor ] || {{ echo \'{good}\'; exit; }}\nexec {ours}/selo "$@"\n'
    )
    able.chmod(0o755)

    def run(*words, path="", selo=able):
        environment = {
            "PATH": f"{path}{ours}:/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8",
            "SELO_TRUST": str(people.root), "SELO": str(selo),
        }  # fmt: skip
        return subprocess.run(
            ["sh", str(ci / "submission.sh"), *map(str, words)], cwd=tmp_path, env=environment,
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

    return run


def test_the_published_schema_takes_the_workflow(ci):
    folder = Path(check_jsonschema.__file__).parent / "builtin_schemas" / "vendor"
    schema = json.loads((folder / "github-workflows.json").read_text("utf-8"))
    plain = yaml.safe_load((ci / "submission.yml").read_text("utf-8").replace("\non:", '\n"on":'))
    judge = jsonschema.validators.validator_for(schema)(schema)

    assert [error.message for error in judge.iter_errors(plain)] == []


def test_the_job_with_the_vendors_code_may_write_nothing_and_knows_no_secret(workflow, ci):
    examine = workflow["jobs"]["examine"]

    assert workflow["permissions"] == {}
    assert examine["permissions"] == {"contents": "read"}
    assert "secrets." not in (ci / "submission.yml").read_text("utf-8")
    assert examine["steps"][0]["with"]["persist-credentials"] == "false"
    assert "pull_request_target" not in workflow["on"]


def test_the_job_with_rights_runs_nothing_of_the_vendor(workflow):
    results = workflow["jobs"]["results"]

    scripts = "\n".join(step.get("run", "") for step in results["steps"])
    assert "examine" not in scripts
    assert "submission/" not in scripts
    assert results["steps"][0]["with"]["ref"] == "${{ github.base_ref }}"


def test_no_text_of_others_is_pasted_into_a_script(workflow):
    for job in workflow["jobs"].values():
        assert all("${{" not in step.get("run", "") for step in job["steps"])


@pytest.mark.full
def test_both_jobs_run_one_after_the_other(recipe, packed_once, tmp_path):
    terms = ("--game", "pai-kao", "--as-of", "2026-01-31", "--text-as-stored")
    examined = recipe("examine", packed_once, "run", *terms)
    assert examined.returncode == 2, examined.stderr
    told = recipe("results", "run", "report")

    assert told.returncode == 2, told.stderr
    assert (tmp_path / "run" / "submission.json").is_file()
    assert (tmp_path / "report" / "report.sarif").is_file()


def test_nothing_runs_where_isolation_cannot_be_had(recipe, packed, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "bwrap").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin" / "bwrap").chmod(0o755)

    real = Path(sys.executable).parent / "selo"
    done = recipe("examine", packed, "run", path=f"{tmp_path / 'bin'}:", selo=real)

    assert done.returncode == 2
    assert "cannot be isolated" in done.stderr
    assert not (tmp_path / "run").exists()


def test_an_altered_submission_is_not_run(recipe, packed, tmp_path):
    (packed / "product" / "more.py").write_text("x = 1\n")

    done = recipe("examine", packed, "run")

    assert done.returncode == 6
    assert "more.py" in done.stdout
    assert not (tmp_path / "run").exists()
