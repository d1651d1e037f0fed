"""What a person sees in a narrow terminal: nothing of the law is cut off."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def seen(arguments, columns):
    """Run the command in a terminal of so many columns and return what it shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    command = [str(Path(sys.executable).with_name("selo")), *arguments]
    with subprocess.Popen(command, stdout=theirs, stdin=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the terminal closes with the program
                break
            if not piece:
                break
            shown += piece
        process.wait(timeout=60)
    os.close(ours)
    return shown.decode("utf-8")


@pytest.mark.parametrize("columns", [60, 100])
@pytest.mark.parametrize("provision", ["portaria-21-96-m/3/c", "despacho-2-2009/17/6"])
def test_both_texts_are_shown_whole_side_by_side(law, provision, columns):
    shown = ESCAPE.sub("", seen(["law", "show", provision], columns))

    text = law.find(provision).provision.text
    han = re.sub(r"[^\u4e00-\u9fff]", "", text.zh)
    assert "…" not in shown
    assert han in re.sub(r"[^\u4e00-\u9fff]", "", shown)
    for word in re.findall(r"\w{4,}", text.pt):
        assert word in shown, word


def test_a_terminal_gets_colour_and_a_pipe_does_not(selo):
    assert "\x1b[1m" in seen(["law", "list"], 100)
    assert "\x1b" not in selo("law", "list").stdout


@pytest.mark.parametrize(
    "arguments",
    [["law", "list", "21-96-m"], ["law", "divergences"], ["readings", "fish-prawn-crab"]],
)
def test_a_narrow_list_breaks_lines_and_cuts_nothing(arguments):
    assert "…" not in seen(arguments, 80)
