"""What ``--json`` prints is what its published schema says, judged by a stranger to both."""

import contextlib
import io
import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest
from tests.conftest import as_stored

from selo.cli.parser import command_line
from selo.cli.parser.command_tree import arguments_of, command_words, leaf_parsers
from selo.cli.schemas.published_schemas import OUTPUTS, build_schema, schema_name
from selo.cli.schemas.schema_writer import render_files
from selo.law import loader

#: One or more command lines for each command; {run} is the folder of an examination, {out} a new
#: place, {vendor} a lawful vendor.
LINES = {
    "law check": ["law check", "law check --specs {empty}"],
    "law list": ["law list", "law list 22-96-m"],
    "law show": [
        "law show portaria-21-96-m/5/d",
        "law show 21/96/M art. 6",
        "law show portaria-97-85-m/1",
    ],
    "law ledger": ["law ledger"],
    "law divergences": ["law divergences"],
    "law diff": ["law diff 2008-12-01 2009-01-01", "law diff 2000-01-01 2000-01-02"],
    "explain": [
        "explain fish-prawn-crab --throw fish,fish,fish --bet small",
        "explain craps --throw 2,2 --throw 3,4 --bet pass-line --bet dont-pass",
    ],
    "readings": ["readings pai-kao"],
    "steps": ["steps fish-prawn-crab", "steps craps"],
    "odds": ["odds fish-prawn-crab", "odds fish-prawn-crab --readings"],
    "plan": ["plan --game pai-kao"],
    "smoke": ["smoke --vendor {vendor} --game pai-kao", "smoke --vendor false --out {out}"],
    "ask": ["ask {message} --vendor {vendor}"],
    "record": ["record {messages} --out {out} --vendor {vendor}"],
    "adapter new": ["adapter new --lang python --game craps --out {out}"],
    "vectors write": ["vectors write --game pai-kao --out {out}"],
    "vectors grade": ["vectors grade {vectors} {answers} --out {out}"],
    "examine": ["examine --vendor {vendor} --game pai-kao --rulings defaults --out {out}"],
    "coverage": ["coverage pai-kao --most 1"],
    "seal new": ["seal new --vendor {vendor} --out {out}"],
    "seal check": ["seal check {seal}"],
    "evidence check": ["evidence check {run}", "evidence check {altered}"],
    "evidence proof": ["evidence proof {run} 2 --out {out}"],
    "evidence verify-proof": ["evidence verify-proof {proof} --root {root}"],
    "evidence disclose": [
        "evidence disclose {run} --provision portaria-96-85-m/annex/103 --out {out}"
    ],
    "witness new": ["witness new --game fish-prawn-crab --out {out}"],
    "witness check": ["witness check {form}"],
    "report": ["report {run} --out {out} --format json", "report dossier --out {out}"],
    "keys demo": ["keys demo --passphrase-file {secret} --out {out}"],
    "doctor": ["doctor", "--lang zh doctor"],
    "config": ["config"],
    "schema": ["schema"],
}
#: The same, where it takes longer.
LONGER = {
    "law site": ["law site {out} --most 1"],
    "replay": ["replay {finding} --vendor {skeleton} --folder {adapter}"],
    "resume": ["resume {broken}"],
    "selftest": ["selftest --game pai-kao"],
}
#: Held against their schemas where there is a document to sign or to verify, or a cluster.
ELSEWHERE = {
    "dossier new",
    "cluster start",
    "cluster join",
    "law intake",
    "law sign",
    "sign",
    "diff",
    "export",
    "submit pack",
    "submit check",
    "submit message",
    "submit thread",
    "verify",
    "reproduce",
    "gate",
    "permission new",
    "permission sign",
    "permission check",
    "permission law",
    *(name for name in OUTPUTS if name.startswith("registry ")),
    "identify",
    "evidence redact",
}


def run(*words):
    """Run a command in this process, which has read the law already."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        command_line.run_command(command_line.parse_arguments(as_stored(words)))
    return printed.getvalue()


@pytest.fixture
def here(root, monkeypatch, law):
    monkeypatch.chdir(root)
    # Reading the law is what takes the time, and the law is read in other tests.
    given = loader.read_law
    monkeypatch.setattr(
        loader, "read_law", lambda **at: given(**at) if any(at.values()) else (law, [])
    )


@pytest.fixture(scope="module")
def made(root, tmp_path_factory):
    """Return what some commands need, made by others."""
    folder = tmp_path_factory.mktemp("json")
    places = {name: folder / name for name in ("run", "vectors", "seal", "proof", "w", "altered")}
    vendor = f"{sys.executable} {root}/fixtures/adapters/python/reference.py"
    run("examine", "--vendor", vendor, "--game", "pai-kao", "--out", str(places["run"]))
    result = json.loads((places["run"] / "result.json").read_text(encoding="utf-8"))
    run("evidence", "proof", str(places["run"]), "2", "--out", str(places["proof"]))
    run("vectors", "write", "--game", "pai-kao", "--out", str(places["vectors"]))
    run("seal", "new", "--vendor", vendor, "--out", str(places["seal"]))
    run("witness", "new", "--game", "fish-prawn-crab", "--out", str(places["w"]))
    answers = folder / "answers"
    with (places["vectors"] / "requests.jsonl").open() as asked, answers.open("wb") as told:
        subprocess.run(shlex.split(vendor), stdin=asked, stdout=told, check=True, timeout=60)
    places["altered"].mkdir()
    for one in places["run"].iterdir():
        if one.is_file():
            spoiled = bytearray(one.read_bytes())
            spoiled[len(spoiled) // 2] ^= 1
            (places["altered"] / one.name).write_bytes(spoiled)
    secret = folder / "secret"
    secret.write_text("demonstration\n")
    empty = folder / "empty"
    empty.mkdir()
    message = '{"game":"pai-kao","a":["3/3","1/4"],"b":["6/6","6/6"]}'
    messages = folder / "messages.jsonl"
    messages.write_text(message, encoding="utf-8")
    return {
        "message": message,
        "messages": str(messages),
        **{name: str(path) for name, path in places.items()},
        "answers": str(answers),
        "empty": str(empty),
        "secret": str(secret),
        "form": str(places["w"] / "witness.yaml"),
        "root": result["evidence_root"],
        "vendor": vendor,
    }


@pytest.fixture(scope="module")
def more(made, tmp_path_factory):
    """Return what the longer ones need: a finding, and a run that was interrupted."""
    folder = tmp_path_factory.mktemp("more")
    adapter, found, broken = folder / "adapter", folder / "found", folder / "broken"
    run("adapter", "new", "--lang", "python", "--game", "pai-kao", "--out", str(adapter))
    skeleton = f"{sys.executable} adapter.py"
    asked = ("--vendor", skeleton, "--folder", str(adapter), "--out", str(found))
    run("examine", *asked)
    command = [
        str(Path(sys.executable).with_name("selo")),
        *as_stored(["examine", "--vendor", made["vendor"]]),
    ]
    with subprocess.Popen(
        [*command, "--budget", "full", "--game", "craps", "--out", str(broken)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as examining:
        while not any(broken.glob("evidence*")):
            time.sleep(0.1)
        time.sleep(1)
        examining.send_signal(signal.SIGINT)
    finding = next(iter(sorted((found / "findings").iterdir())))
    return {
        **made,
        "skeleton": skeleton,
        "adapter": str(adapter),
        "finding": str(finding),
        "broken": str(broken),
    }


def judged(command, line, slots):
    """Return what is wrong with what a command prints."""
    words = [one.format(**slots) for one in line.split(" ")]
    printed = run(*words, "--json")
    assert printed
    judge = jsonschema.Draft202012Validator(build_schema(schema_name(command)))
    return [error.message for error in judge.iter_errors(json.loads(printed))]


def test_every_command_that_prints_json_has_a_published_shape():
    printing = {
        command_words(one)
        for one in leaf_parsers(command_line.build_parser())
        if any("--json" in action.option_strings for action in arguments_of(one))
    }

    # The protocol prints a document that has a schema of its own, by OpenRPC.
    assert printing - {"protocol"} == set(OUTPUTS)
    assert set(OUTPUTS) == {*LINES, *LONGER, *ELSEWHERE}


def test_the_published_schemas_are_those_of_the_program(root):
    kept = {
        path.relative_to(root / "specs" / "schema").as_posix(): path.read_text(encoding="utf-8")
        for path in (root / "specs" / "schema").glob("*/*.schema.json")
    }

    assert kept == render_files(), "run: make schemas"


def test_every_published_schema_is_a_schema():
    for command in OUTPUTS:
        jsonschema.Draft202012Validator.check_schema(build_schema(schema_name(command)))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("command", "line"), [(command, line) for command, lines in LINES.items() for line in lines]
)
def test_real_output_is_as_its_schema_says(made, tmp_path, command, line):
    assert judged(command, line, {**made, "out": str(tmp_path / "out")}) == []


@pytest.mark.full
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("command", "line"), [(command, line) for command, lines in LONGER.items() for line in lines]
)
def test_the_output_of_a_longer_command_is_as_its_schema_says(more, tmp_path, command, line):
    assert judged(command, line, {**more, "out": str(tmp_path / "out")}) == []


def test_a_field_that_nobody_announced_is_noticed():
    judge = jsonschema.Draft202012Validator(build_schema("law-check"))
    known = {"clean": True, "spec_digest": None, "proven": [], "problems": []}

    assert judge.is_valid(known)
    assert not judge.is_valid({**known, "more": 1})


def test_a_schema_is_printed_by_name_and_an_unknown_one_refused(selo):
    assert json.loads(selo("schema", "config").stdout) == build_schema("config")
    refused = selo("schema", "confg")
    assert refused.returncode == 3
    assert "there is no schema “confg”" in refused.stderr
