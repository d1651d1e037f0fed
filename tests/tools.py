"""What becomes of a test that needs a program which is not there.

A test says what it needs with ``@needs("pdfsig")`` or calls ``need("pdfsig")``. Without it the
test is skipped, and the run ends with a list of what was not shown. Where ``CI`` is set the test
fails instead, unless ``make tools`` found that the program cannot be had on this machine.
"""

import os
from collections import Counter

import pytest
from tests.debian import PACKAGES, have, packages, refused


def absence(tools, *, ci, cannot):
    """Return how a test ends for want of programs and why, or nothing if all of them are there."""
    missing = [tool for tool in tools if not have(tool)]
    if not missing:
        return None
    end = pytest.fail if ci and not set(missing) <= set(cannot) else pytest.skip
    reasons = [f"{tool} is missing ({cannot.get(tool, 'it can be installed')})" for tool in missing]
    return end, f"{', '.join(reasons)}: apt-get install {' '.join(packages(missing))}"


def need(*tools):
    """End the test that calls this while a program is missing."""
    found = absence(tools, ci=bool(os.environ.get("CI")), cannot=refused())
    if found is not None:
        end, why = found
        end(why)


def needs(*tools):
    """Mark tests that need programs."""
    assert set(tools) <= set(PACKAGES), tools
    return pytest.mark.needs(*tools)


def pytest_configure(config):
    config.addinivalue_line("markers", "needs(tool, …): programs without which this shows nothing")


def pytest_runtest_setup(item):
    for mark in item.iter_markers("needs"):
        need(*mark.args)


def pytest_terminal_summary(terminalreporter):
    """Say at the end, where nobody overlooks it, what was not shown and why."""
    skipped = Counter(one.longrepr[2] for one in terminalreporter.stats.get("skipped", ()))
    if not skipped:
        return
    terminalreporter.section("NOT SHOWN BY THIS RUN", sep="*", red=True, bold=True)
    for reason, tests in sorted(skipped.items()):
        terminalreporter.line(f"{tests} tests: {reason.removeprefix('Skipped: ')}", red=True)
