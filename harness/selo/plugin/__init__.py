"""Selo inside of pytest: one test for each provision of the law.

``pytest --selo-vendor "node adapter.mjs"`` collects ``portaria-21-96-m::art-5-d`` and the others.
The vendor is examined once, when the first of them runs; with several workers the first one
examines and the others wait for it. Nothing is imported here that a run without a vendor needs not.
"""

from __future__ import annotations

import pytest

from selo.plugin.plugin_options import VENDOR, add_options
from selo.plugin.shared_run import STATE, SharedRun
from selo.plugin.test_items import InstrumentCollector, ProvisionItem, marker_name, register_marker


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, all of which begin with ``--selo-``."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Make the markers known; prepare what the tests share, if a vendor was named."""
    config.addinivalue_line("markers", "selo(provision): a provision of the law, examined by Selo")
    if config.getoption(VENDOR):
        from selo.plugin.selection import select_provisions  # noqa: PLC0415 - only where a vendor is examined

        state = SharedRun(config)
        state.chosen = select_provisions(config, state.law, state.language)
        config.stash[STATE] = state


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for each provision that is chosen, before anything is selected or left out."""
    state = config.stash.get(STATE, None)
    if state is None:
        return
    from selo.law.files.provision_file import Way  # noqa: PLC0415 - only where a vendor is examined

    for way in Way:
        register_marker(config, marker_name(way))
    collectors: dict[str, InstrumentCollector] = {}
    added: dict[str, list[pytest.Item | pytest.Collector]] = {}
    for held in state.chosen.provisions:
        name, game = held.instrument.id, held.instrument.game
        if name not in collectors:
            collectors[name] = InstrumentCollector.from_parent(session, name=name, nodeid=name)
            config.addinivalue_line("markers", f"{marker_name(game)}: provisions on this game")
        one = ProvisionItem.of(collectors[name], held, config)
        items.append(one)
        added.setdefault(name, []).append(one)
    for name, found in added.items():
        # Otherwise pytest would say that it collected nothing, and selected less than nothing.
        report = pytest.CollectReport(nodeid=name, outcome="passed", longrepr=None, result=found)
        config.hook.pytest_collectreport(report=report)


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say which vendor is examined, by which edition of the law files, and what is left out."""
    state = config.stash.get(STATE, None)
    if state is None:
        return []
    from selo.law.spec_digest import compute_spec_digest  # noqa: PLC0415 - only where a vendor is examined
    from selo.text.message_catalogue import say  # noqa: PLC0415 - the same

    told = [
        f"selo: {config.getoption(VENDOR)}",
        say("plugin.law", state.language, digest=compute_spec_digest(state.law)),
    ]
    if state.chosen.left_out:
        games = ", ".join(state.chosen.left_out)
        where = state.chosen.settings
        told.append(say("plugin.games-left-out", state.language, where=where, games=games))
    return told
