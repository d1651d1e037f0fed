"""The ready-made pieces for a CI: right by the published schemas, and their very commands run."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import check_jsonschema
import jsonschema
import pytest
import yaml

FAULT = "rank-98-counts-as-100"


@pytest.fixture(scope="session")
def ci(root):
    return root / "docs" / "ci"


@pytest.fixture
def project(tmp_path, vendor, root):
    """Return a project with settings, as the folder in which a CI runs."""

    def make(fault="lawful"):
        folder = tmp_path / "project"
        folder.mkdir()
        (folder / ".git").mkdir()
        (folder / "selo.toml").write_text(
            f"vendor = '{vendor(fault)}'\nfolder = '{root}'\nrulings = 'defaults'\n"
            "text-as-stored = true\n",
            encoding="utf-8",
        )
        return folder

    return make


@pytest.fixture
def machine():
    """Run a command as a CI would: with selo on the PATH and little else."""
    ours = str(Path(sys.executable).parent)

    def run(command, cwd, **environment):
        return subprocess.run(
            command,
            cwd=cwd,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=120,
            env={"PATH": f"{ours}:/usr/bin:/bin", "HOME": str(cwd), "CI": "true", "LANG": "C.UTF-8",
                 **environment},
        )  # fmt: skip

    return run


def loaded(path):
    return yaml.safe_load(path.read_text("utf-8"))


def published(name):
    """Return a schema as its owners publish it; the package carries copies."""
    folder = Path(check_jsonschema.__file__).parent / "builtin_schemas" / "vendor"
    return json.loads((folder / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("file", "name"), [("action.yml", "github-actions"), ("gitlab.yml", "gitlab-ci")]
)
def test_the_published_schema_takes_it(ci, file, name):
    judge = jsonschema.validators.validator_for(published(name))(published(name))

    assert [error.message for error in judge.iter_errors(loaded(ci / file))] == []


def test_pre_commit_itself_takes_the_hooks(ci, machine, tmp_path):
    done = machine(["pre-commit", "validate-manifest", str(ci / "pre-commit-hooks.yaml")], tmp_path)

    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("fault", "code"), [("lawful", 0), pytest.param(FAULT, 1, marks=pytest.mark.full)]
)
def test_the_recipe_ends_as_the_gate_does(ci, machine, project, fault, code):
    folder = project(fault)

    done = machine(["sh", str(ci / "gate.sh"), "--format", "junit"], folder)

    assert done.returncode == code, done.stdout + done.stderr
    assert "\x1b" not in done.stdout
    assert json.loads((folder / "selo-run" / "gate.json").read_text("utf-8"))["exit"] == code
    assert (folder / "selo-run" / "report" / "report.junit.xml").is_file()


@pytest.fixture
def action(ci, machine, tmp_path):
    """Run a step of the action with these inputs, the others as they are by default."""
    whole = loaded(ci / "action.yml")

    def run(name, folder, given):
        (step,) = [one for one in whole["runs"]["steps"] if one.get("name") == name]
        inputs = {one: about.get("default", "") for one, about in whole["inputs"].items()}
        inputs |= given
        environment = {
            variable: inputs[value.removeprefix("${{ inputs.").removesuffix(" }}")]
            for variable, value in step["env"].items()
        }
        # GitHub runs bash steps with these options.
        return machine(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            folder,
            GITHUB_OUTPUT=str(tmp_path / "output"),
            **environment,
        )

    return run


def own_vendor(root, folder):
    """Copy a lawful vendor of P'ai Kao into a folder; return its command."""
    shutil.copytree(root / "fixtures", folder / "fixtures")
    return f"{sys.executable} fixtures/planted/vendor.py pai-kao lawful"


@pytest.mark.full
def test_the_action_opens_for_a_lawful_vendor_in_a_project_without_settings(action, root, tmp_path):
    command = own_vendor(root, tmp_path / "game")

    done = action("Gate", tmp_path, {
        "vendor": command, "folder": "game", "games": "pai-kao", "rulings": "defaults",
        "text-as-stored": "true", "at-least": "1",
    })  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads((tmp_path / "selo-run" / "run.json").read_text("utf-8"))
    assert told["folder"] == str(tmp_path / "game")


@pytest.mark.full
def test_the_action_asks_for_as_many_provisions_as_it_is_told(action, root, tmp_path):
    command = own_vendor(root, tmp_path / "game")

    done = action("Gate", tmp_path, {
        "vendor": command, "folder": "game", "games": "pai-kao", "rulings": "defaults",
        "text-as-stored": "true", "at-least": "999",
    })  # fmt: skip

    assert done.returncode == 2, done.stdout + done.stderr


def test_the_action_runs_the_gate_with_what_it_is_given(action, project, tmp_path):
    folder = project(FAULT)
    (folder / "deviations.yaml").write_text("deviations: []\n", encoding="utf-8")

    done = action("Gate", folder, {
        "games": "pai-kao", "deviations": "deviations.yaml", "fail-on": "violates",
        "budget": "quick", "language": "pt", "out": "made",
    })  # fmt: skip

    assert done.returncode == 1
    assert (tmp_path / "output").read_text() == "exit-code=1\n"
    assert "A porta fica FECHADA" in done.stdout
    assert (folder / "made" / "report" / "report.sarif").is_file()


def test_no_input_of_the_action_is_pasted_into_a_script(ci):
    action = loaded(ci / "action.yml")

    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
    used = {value for step in action["runs"]["steps"] for value in step.get("env", {}).values()}
    withs = {value for step in action["runs"]["steps"] for value in step.get("with", {}).values()}
    assert used | withs == {f"${{{{ inputs.{name} }}}}" for name in action["inputs"]}


@pytest.mark.full
def test_what_the_action_promises_is_where_it_says(ci, machine, project):
    action = loaded(ci / "action.yml")
    folder = project()
    machine(["selo", "gate", "--out", "made", "--format", "junit", "--format", "sarif"], folder)

    for name in ("sarif", "junit"):
        path = action["outputs"][name]["value"].replace("${{ inputs.out }}", "made")
        assert (folder / path).is_file()


def test_the_job_of_gitlab_runs(ci, machine, project):
    job = loaded(ci / "gitlab.yml")[".selo-gate"]
    folder = project()
    script = "\n".join(["set -e", *job["script"]])
    variables = {**job["variables"], "SELO_ARGUMENTS": "--game pai-kao --format junit"}

    done = machine(["sh", "-c", script], folder, **variables)

    assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / job["artifacts"]["reports"]["junit"]).is_file()


@pytest.mark.parametrize(
    ("fault", "code"), [("lawful", 0), pytest.param(FAULT, 1, marks=pytest.mark.full)]
)
def test_the_hook_runs_and_leaves_nothing_behind(ci, machine, project, tmp_path, fault, code):
    (hook,) = [one for one in loaded(ci / "pre-commit-hooks.yaml") if one["id"] == "selo-gate"]
    folder = project(fault)
    before = sorted(folder.iterdir())
    passing = tmp_path / "with a space"
    passing.mkdir()

    done = machine(shlex.split(hook["entry"]), folder, TMPDIR=str(passing))

    assert done.returncode == code, done.stdout + done.stderr
    assert sorted(folder.iterdir()) == before
    assert list(passing.iterdir()) == []


# What is installed: only what somebody has pinned.


@pytest.fixture
def installing(machine, tmp_path):
    """Run a script that installs, with a pip that only says what it was asked for."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, script in {
        "python": f'printf "%s\\n" "$@" > {shlex.quote(str(tmp_path / "asked"))}',
        "bwrap": ":",
    }.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)

    def run(script, package):
        done = machine(
            ["bash", "-eo", "pipefail", "-c", script], tmp_path,
            PATH=f"{tools}:/usr/bin:/bin", SELO_PACKAGE=package,
        )  # fmt: skip
        asked = tmp_path / "asked"
        return done, asked.read_text().splitlines()[-1] if asked.exists() else None

    return run


def scripts(ci):
    """Return how each of the ready-made pieces installs Selo."""
    (step,) = [one for one in loaded(ci / "action.yml")["runs"]["steps"]
               if one.get("name") == "Install"]  # fmt: skip
    job = loaded(ci / "gitlab.yml")[".selo-gate"]
    return {"action.yml": step["run"], "gitlab.yml": "\n".join(job["before_script"])}


@pytest.mark.parametrize("file", ["action.yml", "gitlab.yml"])
@pytest.mark.parametrize(
    "package",
    [
        "", "selo", "selo==0.1.0", "missing.whl", "https://example.org/selo.whl",
        "https://example.org/selo.whl#sha256=123", "git+https://example.org/selo@main",
    ],
)  # fmt: skip
def test_nothing_that_is_not_pinned_is_installed(ci, installing, file, package):
    done, asked = installing(scripts(ci)[file], package)

    assert (done.returncode, asked) == (3, None)
    assert "selo: name the file of a wheel" in done.stderr


@pytest.mark.parametrize("file", ["action.yml", "gitlab.yml"])
@pytest.mark.parametrize(
    "package",
    [
        f"https://example.org/selo.whl#sha256={'0a' * 32}",
        f"git+https://example.org/selo@{'0a' * 20}",
    ],
)
def test_what_is_pinned_is_installed_as_it_is_named(ci, installing, file, package):
    done, asked = installing(scripts(ci)[file], package)

    assert (done.returncode, asked) == (0, package), done.stderr


@pytest.mark.parametrize("file", ["action.yml", "gitlab.yml"])
def test_a_file_is_installed_as_a_file_even_if_it_is_called_like_a_package(
    ci, installing, tmp_path, file
):
    (tmp_path / "selo").touch()

    done, asked = installing(scripts(ci)[file], "selo")

    assert (done.returncode, asked) == (0, str(tmp_path / "selo")), done.stderr


@pytest.mark.full
@pytest.mark.parametrize("file", ["action.yml", "gitlab.yml"])
def test_a_wheel_of_ours_is_installed_by_the_script_itself(ci, root, machine, tmp_path, file):
    built, there = tmp_path / "built", tmp_path / "there"
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(built)]
    subprocess.run(build, cwd=root, check=True, capture_output=True, timeout=120)
    subprocess.run([sys.executable, "-m", "venv", str(there)], check=True, timeout=120)
    (wheel,) = built.glob("*.whl")
    # What the wheel depends on would come from the network.
    environment = {"PATH": f"{there}/bin:/usr/bin:/bin", "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1"}

    done = machine(["bash", "-eo", "pipefail", "-c", scripts(ci)[file]], built,
                   SELO_PACKAGE=wheel.name, **environment)  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
    assert (there / "bin" / "selo").is_file()
    assert list(there.glob("lib/*/site-packages/selo/_data/specs"))


def test_who_wants_findings_on_github_is_told_of_the_permission(ci, root):
    for path in (ci / "action.yml", root / "docs" / "gate.md"):
        assert "security-events: write" in path.read_text("utf-8")


def test_the_hook_of_law_files_runs(ci, machine, root):
    (hook,) = [one for one in loaded(ci / "pre-commit-hooks.yaml") if one["id"] != "selo-gate"]

    assert machine(shlex.split(hook["entry"]), root).returncode == 0


@pytest.mark.full
def test_pre_commit_runs_the_hook_in_a_repository(ci, machine, project):
    folder = project()
    (folder / ".git").rmdir()
    (hook,) = [one for one in loaded(ci / "pre-commit-hooks.yaml") if one["id"] == "selo-gate"]
    local = {**hook, "language": "system", "stages": ["pre-commit"]}
    config = {"repos": [{"repo": "local", "hooks": [local]}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    for command in (["git", "init", "-q"], ["git", "add", "-A"]):
        assert machine(command, folder).returncode == 0

    done = machine(["pre-commit", "run", "--all-files"], folder)

    assert done.returncode == 0, done.stdout
    assert "Passed" in done.stdout


def test_the_settings_of_the_docs_are_settings(root, tmp_path):
    from selo.settings.settings_file import read_settings  # noqa: PLC0415 - only here

    text = (root / "docs" / "gate.md").read_text("utf-8")
    example = text.partition("```toml\n")[2].partition("```")[0]
    (tmp_path / "selo.toml").write_text(example, encoding="utf-8")

    assert read_settings(tmp_path / "selo.toml").settings.gate.at_least == 20


def test_the_deviations_of_the_docs_are_deviations(root, law, tmp_path):
    from selo.gate.deviations import read_deviations  # noqa: PLC0415 - only here

    text = (root / "docs" / "gate.md").read_text("utf-8")
    example = next(one for one in text.split("```yaml\n") if one.startswith("deviations:"))
    path = tmp_path / "deviations.yaml"
    path.write_text(example.partition("```")[0], encoding="utf-8")

    (entry,) = read_deviations(path, law)

    assert entry.deviation.provision == "portaria-21-96-m/6/a"
