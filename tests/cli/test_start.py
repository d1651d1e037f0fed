"""Nothing heavy is loaded before it is used."""

import subprocess
import sys

import pytest

#: What takes long to load, or lies outside of Python.
HEAVY = (
    *("asn1crypto", "cel_expr_python", "cryptography", "hypothesis", "jinja2", "numpy", "pikepdf"),
    *("pyhanko", "rich", "scipy", "weasyprint", "zstandard"),
)


@pytest.mark.parametrize(
    ("words", "loaded"),
    [
        (["--version"], set()),
        (["--help"], set()),
        (["--lang", "zh", "gate", "--help"], set()),
        (["exmaine"], set()),
        (["config", "--json"], set()),
        (["config"], {"rich"}),
        (["schema"], set()),
        (["schema", "--json"], set()),
        (["schema", "gate"], set()),
        (["schema", "settings"], set()),
        (["schema", "article"], set()),
        (["completion", "bash"], set()),
        (["law", "list"], {"rich"}),
        (["law", "list", "--json"], set()),
        (["law", "show", "portaria-21-96-m/5/d"], {"rich"}),
        (["law", "show", "portaria-21-96-m/5/d", "--json"], set()),
        (["law", "show", "no-such-provision", "--json"], set()),
        (["law", "schema", "article"], set()),
        (["readings", "pai-kao", "--json"], set()),
        (["doctor", "--help"], set()),
        (["examine", "--help"], set()),
        (["report", "--help"], set()),
        (["verify", "--help"], set()),
        (["permission", "sign", "--help"], set()),
    ],
)
def test_a_command_loads_nothing_that_it_does_not_use(words, loaded):
    script = (
        "import contextlib, os, sys\n"
        "from selo.cli.parser import parse_arguments, run_command\n"
        "with contextlib.redirect_stdout(open(os.devnull, 'w')), contextlib.suppress(SystemExit):\n"
        f"    run_command(parse_arguments({words!r}))\n"
        f"print(*sorted(set({HEAVY!r}) & set(sys.modules)))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )

    assert set(done.stdout.split()) == loaded
