"""Every command that a page shows is run by a test, or at least understood."""

import re
import shlex

import pytest
from tests.e2e import guide

from selo.cli.parser import command_line
from selo.cli.parser.command_tree import arguments_of, subcommands_of

#: Which test types the commands of a page, all of them and in their order.
TYPED_BY = {
    "README.md": "tests/e2e/test_readme.py",
    "docs/campaigns.md": "tests/examine/test_cluster.py",
    "docs/gate.md": "tests/gate/test_page.py",
    "docs/inspectors.md": "tests/e2e/test_inspectors_guide.py",
    "docs/law-editors.md": "tests/e2e/test_law_editors_guide.py",
    "docs/vendors.md": "tests/e2e/test_vendors_guide.py",
}
BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
#: A line that somebody would type.
TYPED = re.compile(r"^ *(\$ |selo |make |pytest |pip |python3? )", re.MULTILINE)
INLINE = re.compile(r"`(?:\.venv/bin/)?(selo [^`]+)`")


def pages(root):
    found = [*(root / "docs").rglob("*.md"), root / "README.md", root / "CONTRIBUTING.md"]
    return {one.relative_to(root).as_posix(): one.read_text(encoding="utf-8") for one in found}


def test_every_page_that_shows_commands_is_typed_by_a_test(root):
    showing = {name for name, text in pages(root).items() if "```console" in text}

    assert showing == set(TYPED_BY)
    for page, test in TYPED_BY.items():
        assert page.rpartition("/")[2] in (root / test).read_text(encoding="utf-8"), test


def test_commands_stand_in_blocks_that_tests_read(root):
    for name, text in pages(root).items():
        for kind, block in BLOCK.findall(text):
            assert kind == "console" or not TYPED.search(block), (name, block)


def test_no_block_of_commands_is_overlooked(root):
    for name in TYPED_BY:
        text = pages(root)[name]
        lines = [line for kind, block in BLOCK.findall(text) if kind == "console"
                 for line in block.splitlines() if line.lstrip().startswith("$ ")]  # fmt: skip
        assert [f"$ {command}" for command, _ in guide.commands(text)] == lines


def test_the_tests_of_the_guides_would_notice_a_wrong_line(tmp_path):
    page = "```console\n$ echo one; exit 2    # exit 2\none\n```\n"

    assert guide.follow(page, tmp_path) == 1
    for spoilt in (page.replace("\none\n", "\ntwo\n"), page.replace("# exit 2", "# exit 1")):
        with pytest.raises(AssertionError):
            guide.follow(spoilt, tmp_path)


def understood(command):
    """Return whether a command is one that there is, with options that it takes."""
    known, options = command_line.build_parser(), set()
    for word in shlex.split(command)[1:]:
        if word.startswith("--"):
            options.add(word.partition("=")[0])
        elif word in subcommands_of(known):
            known = subcommands_of(known)[word]
    every = {name for one in (command_line.build_parser(), known) for action in arguments_of(one)
             for name in action.option_strings}  # fmt: skip
    return known.prog != "selo" and options <= every


def test_every_command_in_a_sentence_is_one_that_there_is(root):
    asked = [(name, one) for name, text in pages(root).items() for one in INLINE.findall(text)]

    assert len(asked) > 50
    assert [one for one in asked if not understood(one[1])] == []


@pytest.mark.parametrize("command", ["selo exmaine", "selo examine --gaem craps", "selo"])
def test_a_command_that_there_is_not_is_noticed(command):
    assert not understood(command)
