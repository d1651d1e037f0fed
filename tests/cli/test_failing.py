"""However a command fails, its exit code never looks like a verdict."""

import argparse
import errno
import json
import os
import subprocess
import sys

import jsonschema
import pytest

from selo.cli.output.exit_codes import Exit
from selo.cli.parser import command_line
from selo.cli.schemas.published_schemas import build_schema
from selo.errors import UsageError
from selo.rules.settlement.settlement_models import RulesDisagree
from selo.text.message_catalogue import say
from selo.vendors.faults import FaultKind, vendor_broken


@pytest.mark.parametrize(
    ("raised", "exit_code", "words"),
    [
        (UsageError(problem="no such thing", hint="Look."), Exit.USAGE, "no such thing"),
        (vendor_broken(FaultKind.LATE, seconds=1), Exit.VENDOR, "No complete answer"),
        (RulesDisagree("two rules"), Exit.SUITE, "two rules"),
        (ZeroDivisionError("a defect"), Exit.SUITE, "Internal error in Selo"),
        (MemoryError(), Exit.SUITE, "Internal error in Selo"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (KeyboardInterrupt("selo resume a/run"), 130, "to continue: selo resume a/run"),
    ],
)
def test_each_failure_has_its_exit_code(capsys, raised, exit_code, words):
    class Command:
        @staticmethod
        def run(_):
            raise raised

    assert command_line.run_command(argparse.Namespace(command=Command)) == exit_code
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("language", ["pt", "zh", "en"])
def test_a_file_that_is_not_there_is_named_without_the_number_of_the_error(selo, language):
    done = selo("replay", "nowhere.json", "--vendor", "x", "--lang", language)

    assert done.returncode == 3
    assert "nowhere.json" in done.stderr
    assert "Errno" not in done.stderr


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pt", "[2, 9] não é um lançamento de 2 dados\n  sugestão: Veja docs/games.md."),
        ("zh", "[2, 9] 並非 2 粒骰子之擲骰\n  建議：見 docs/games.md。"),
        ("en", "[2, 9] is not a throw of 2 dice\n  hint: See docs/games.md."),
    ],
)
def test_an_outcome_that_cannot_be_is_refused_in_each_language(selo, language, said):
    done = selo("explain", "craps", "--throw", "2,9", "--bet", "pass-line", "--lang", language)

    assert done.returncode == 3
    assert said in done.stderr


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pt", "«2009-13-01» não é um dia como"),
        ("zh", "“2009-13-01”並非日期，如"),
        ("en", "“2009-13-01” is not a day such as"),
    ],
)
def test_a_day_that_is_none_is_refused_in_each_language(selo, language, said):
    done = selo("law", "list", "--as-of", "2009-13-01", "--lang", language)

    assert done.returncode == 3
    assert said in done.stderr


@pytest.mark.parametrize(
    ("language", "said"),
    [("pt", "não há o programa nosuch"), ("zh", "沒有程式 nosuch"), ("en", "no program nosuch")],
)
def test_a_vendor_that_is_no_program_is_said_in_each_language(selo, language, said):
    done = selo("smoke", "--vendor", "nosuch", "--lang", language)

    assert done.returncode == 4
    assert said in done.stdout + done.stderr


def test_why_a_program_ended_is_shown_though_it_is_not_on_the_last_line(selo):
    said = "Error: no module here\\n  at some place\\n  at another\\n\\nNode.js v20"
    done = selo("smoke", "--vendor", f"python3 -c \"import sys; sys.exit('{said}')\"")

    assert done.returncode == 4
    assert "Error: no module here" in done.stdout
    assert "Node.js v20" in done.stdout


def test_no_process_at_all_is_refused(selo, tmp_path):
    done = selo("examine", "--vendor", "x", "--processes", "0", "--out", str(tmp_path / "run"))

    assert done.returncode == 3
    assert "--processes must be 1 or more" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["law", "list", "portaria-21-96-m"],
        ["law", "ledger", "--json"],
        ["examine", "--vendor", "python3 fixtures/adapters/python/reference.py", "--game",
         "pai-kao", "--rulings", "defaults"],
    ],
)  # fmt: skip
def test_a_reader_that_goes_away_is_never_a_verdict(root, tmp_path, words):
    more = ["--out", str(tmp_path / "run")] if words[0] == "examine" else []
    with subprocess.Popen(
        [sys.executable, "-m", "selo", *words, *more],
        cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as running:  # fmt: skip
        running.stdout.close()
        said = running.stderr.read().decode()

    # 128 and SIGPIPE, as shells have it; 0 is "conforms" and 1 "the game breaks the law".
    assert running.returncode == 141
    assert "Traceback" not in said
    assert "BrokenPipe" not in said


def full(root, *words, also=(), buffered=True):
    """Run Selo where what it prints finds no room; return its exit code and its complaint."""
    with open("/dev/full", "w", encoding="utf-8") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            [sys.executable, "-m", "selo", *words],
            cwd=root, check=False, text=True, encoding="utf-8",
            # Without a buffer each line fails by itself; with one, all of them at the end.
            env={**os.environ, "PYTHONUNBUFFERED": "" if buffered else "1"},
            **{"stdout": full, "stderr": subprocess.PIPE,
               **dict.fromkeys(also, full)},
        )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["law", "list", "--lang", "pt"], "Não se consegue escrever na saída padrão"),
        (["law", "ledger", "--json", "--lang", "zh"], "無法寫入標準輸出"),
        (["--help"], "Cannot write to standard output"),
        (["--version"], "Cannot write to standard output"),
        (["examine", "--vendor", "python3 fixtures/adapters/python/reference.py", "--game",
          "pai-kao", "--rulings", "defaults", "--json"],
         "Cannot write to standard output"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("buffered", [True, pytest.param(False, marks=pytest.mark.full)])
def test_a_full_disk_is_no_defect_and_no_verdict(root, tmp_path, words, said, buffered):
    more = ["--out", str(tmp_path / "run")] if words[0] == "examine" else []
    code, complaint = full(root, *words, *more, buffered=buffered)

    assert code == Exit.USAGE
    assert said in complaint
    assert os.strerror(errno.ENOSPC) in complaint
    assert "Traceback" not in complaint
    assert "Errno" not in complaint
    assert say("end.defect", "en") not in complaint


def test_a_stream_of_errors_without_room_is_never_a_verdict(root):
    # The interpreter leaves with 1 where an exception has no place to be told.
    code, _ = full(root, "explain", "craps", "--throw", "2,9", "--bet", "x", also=["stderr"])

    assert code == Exit.USAGE


def test_a_closed_output_is_told(root):
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m selo law list >&-"],
        cwd=root, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip

    assert done.returncode == Exit.USAGE
    assert "Cannot write to standard output" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bet_that_the_law_does_not_know_is_refused_with_those_it_knows(selo):
    done = selo("explain", "fish-prawn-crab", "--throw", "fish,fish,fish", "--bet", "smal")

    assert done.returncode == 3
    assert "unknown bet in this game: 'smal'\n  hint: Bets: small, big," in done.stderr


def test_the_doctor_says_what_is_wrong_with_settings_in_the_language_asked_for(selo, tmp_path):
    (tmp_path / "selo.toml").write_text('vendr = "x"\n', encoding="utf-8")
    done = selo("doctor", "--lang", "pt", cwd=tmp_path)

    assert done.returncode == 3
    assert "selo.toml:1: não há a chave «vendr»" in done.stdout


def test_a_file_that_is_no_pdf_is_told_without_an_address_in_memory(selo, tmp_path):
    (tmp_path / "x.pdf").write_text("no document", encoding="utf-8")
    done = selo("verify", str(tmp_path / "x.pdf"))

    assert done.returncode == 6
    assert "0x" not in done.stdout + done.stderr


# With --json a failure is told on standard output, too.


def failure(done):
    """Return the failure that was printed, which is as its schema says."""
    told = json.loads(done.stdout)
    jsonschema.validate(told, build_schema("error"))
    assert done.stderr
    assert told["error"]["exit"] == done.returncode
    return told["error"]


@pytest.mark.parametrize(
    ("words", "code", "exit_code"),
    [
        (["examine", "--vendor", "false", "--out", "{out}"], "vendor", 4),
        (["gate", "--vendor", "false", "--out", "{out}"], "vendor", 4),
        (["law", "show", "no-such-provision"], "usage", 3),
        (["evidence", "check", "nowhere"], "usage", 3),
        (["schema", "no-such-schema"], "usage", 3),
        (["examine", "--gaem", "craps"], "usage", 3),
        (["law", "list", "--as-of", "never"], "usage", 3),
        (["--config", "{nothing}", "config"], "usage", 3),
        (["gate", "--vendor", "false", "--deviations", "{nothing}"], "spec", 3),
    ],
)
def test_a_failure_is_told_to_programs_in_one_shape(selo, tmp_path, words, code, exit_code):
    (tmp_path / "nothing.toml").write_text("")
    places = {"out": tmp_path / "out", "nothing": tmp_path / "nothing.toml"}

    done = selo(*(one.format(**places) for one in words), "--json")

    told = failure(done)
    assert done.returncode == exit_code
    assert told["code"] == code
    assert told["message"]
    assert told["message"].splitlines()[0] in done.stderr


@pytest.mark.parametrize(
    ("language", "hint"),
    [("pt", "selo law list"), ("zh", "selo law list"), ("en", "selo law list")],
)
def test_message_and_hint_of_a_failure_are_apart_in_each_language(selo, language, hint):
    told = failure(selo("law", "show", "nothing/1", "--json", "--lang", language))

    assert hint in told["hint"]
    assert hint not in told["message"]
    assert say("fault.hint", language, hint="").strip() not in told["message"]


def test_a_defect_is_told_to_programs_and_is_no_verdict(capsys):
    class Command:
        @staticmethod
        def run(_):
            raise ZeroDivisionError

    code = command_line.run_command(argparse.Namespace(command=Command, json=True))

    told = json.loads(capsys.readouterr().out)["error"]
    assert (code, told["exit"], told["code"]) == (5, 5, "defect")


# A terminal that does not know our letters.


@pytest.fixture
def elsewhere():
    """Run Selo where standard output has another encoding, and return what it wrote."""

    def run(encoding, *words):
        return subprocess.run(
            [sys.executable, "-m", "selo", *words],
            capture_output=True,
            check=False,
            timeout=60,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )

    return run


@pytest.mark.parametrize("encoding", ["big5", "ascii", "latin-1"])
def test_letters_that_a_terminal_does_not_have_are_no_failure(elsewhere, encoding):
    done = elsewhere(encoding, "law", "show", "portaria-21-96-m/5/d")

    assert (done.returncode, done.stderr) == (0, b"")
    assert b"portaria-21-96-m/5/d" in done.stdout
    assert b"\\" in done.stdout


@pytest.mark.parametrize("encoding", ["big5", "ascii", "utf-8"])
@pytest.mark.parametrize("words", [["law", "show", "portaria-21-96-m/5/d"], ["law", "show", "ç"]])
def test_json_is_json_in_every_encoding(elsewhere, law, encoding, words):
    done = elsewhere(encoding, *words, "--json", "--lang", "zh")

    told = json.loads(done.stdout.decode(encoding))
    if done.returncode == 0:
        text = law.find("portaria-21-96-m/5/d").provision.text
        assert text.pt in json.dumps(told, ensure_ascii=False)
    else:
        assert "ç" in told["error"]["message"]
