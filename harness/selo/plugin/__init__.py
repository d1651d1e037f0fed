"""The pytest plugin: one test for each provision of the law.

``pytest --selo-vendor "node adapter.mjs"`` collects ``portaria-21-96-m::art-5-d`` and so on.
The vendor is examined once, when the first of them runs; with several workers the first one
examines and the others wait. Imports are lazy, so that a run without a vendor stays fast.
"""

from __future__ import annotations

import pytest

from selo.plugin.plugin_options import AT_LEAST_OPTION, VENDOR_OPTION, add_options
from selo.plugin.shared_run import SHARED_RUN, SharedRun
from selo.plugin.test_items import (
    VERIFIED_PROPERTY,
    InstrumentCollector,
    ProvisionItem,
    marker_name,
    register_marker,
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, all of which begin with ``--selo-``."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers; prepare the shared run if a vendor was named."""
    config.addinivalue_line("markers", "selo(provision): a provision of the law, examined by Selo")
    if config.getoption(VENDOR_OPTION):
        from selo.plugin.selection import select_provisions  # noqa: PLC0415 - only where a vendor is examined

        state = SharedRun(config)
        state.chosen = select_provisions(config, state.law, state.language)
        config.stash[SHARED_RUN] = state
        if not hasattr(config, "workerinput") and not config.option.collectonly:
            config.pluginmanager.register(
                _VerifiedCount(state, config.getoption(AT_LEAST_OPTION)), "selo-verified-count"
            )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for each selected provision before pytest filters by keyword or marker."""
    state = config.stash.get(SHARED_RUN, None)
    if state is None:
        return
    from selo.law.files.provision_file import Way  # noqa: PLC0415 - only where a vendor is examined

    for way in Way:
        register_marker(config, marker_name(way))
    collectors: dict[str, InstrumentCollector] = {}
    added: dict[str, list[pytest.Item | pytest.Collector]] = {}
    for located in state.chosen.provisions:
        name, game = located.instrument.id, located.instrument.game
        if name not in collectors:
            collectors[name] = InstrumentCollector.from_parent(session, name=name, nodeid=name)
            config.addinivalue_line("markers", f"{marker_name(game)}: provisions on this game")
        item = ProvisionItem.of(collectors[name], located, config)
        items.append(item)
        added.setdefault(name, []).append(item)
    for name, provision_items in added.items():
        # Without this report pytest counts no collected and a negative number of selected items.
        report = pytest.CollectReport(
            nodeid=name, outcome="passed", longrepr=None, result=provision_items
        )
        config.hook.pytest_collectreport(report=report)


class _VerifiedCount:
    """Counts the provisions that were verified, over all workers, and fails if they are too few."""

    def __init__(self, state: SharedRun, at_least: int) -> None:
        self._state, self._at_least = state, max(1, at_least)
        self._verified = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a provision that conforms or was witnessed."""
        if report.when == "call" and report.passed:
            self._verified += (VERIFIED_PROPERTY, True) in [
                tuple(pair) for pair in report.user_properties
            ]

    @property
    def _too_few(self) -> bool:
        return bool(self._state.chosen.provisions) and self._verified < self._at_least

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run that would pass although too little was verified."""
        if self._too_few and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say that too little was verified."""
        if self._too_few:
            line = self._state.say("gate.too-few", verified=self._verified, at_least=self._at_least)
            terminalreporter.write_line(f"selo: {line}", red=True, bold=True)


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Report the vendor, the edition of the law files, and the games left out."""
    state = config.stash.get(SHARED_RUN, None)
    if state is None:
        return []
    from selo.law import compute_spec_digest  # noqa: PLC0415 - only where a vendor is examined
    from selo.text import say  # noqa: PLC0415 - the same

    lines = [
        f"selo: {config.getoption(VENDOR_OPTION)}",
        say("plugin.law", state.language, digest=compute_spec_digest(state.law)),
        *(f"selo: {line}" for line in state.text_lines()),
    ]
    if state.chosen.left_out:
        games = ", ".join(state.chosen.left_out)
        where = state.chosen.settings
        lines.append(say("plugin.games-left-out", state.language, where=where, games=games))
    return lines
