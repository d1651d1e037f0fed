"""The test of one provision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from selo.plugin.selection import item_name
from selo.plugin.shared_run import STATE, NoResult

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from selo.law.loader import LocatedProvision

_FAILS: Final = frozenset({"violates", "inconclusive"})
_PASSES: Final = frozenset({"conforms", "witnessed"})


class ProvisionFailure(Exception):
    """A provision that the vendor breaks, or does not keep for certain."""


class InstrumentCollector(pytest.Collector):
    """The provisions of one instrument."""

    def collect(self) -> Iterable[pytest.Item]:
        """Return nothing: provisions are added when everything else is collected."""
        return []


class ProvisionItem(pytest.Item):
    """What the examination says of one provision."""

    held: LocatedProvision

    @classmethod
    def of(
        cls, parent: InstrumentCollector, held: LocatedProvision, config: pytest.Config
    ) -> ProvisionItem:
        """Return the test of a provision, marked with its game and its article."""
        one: ProvisionItem = cls.from_parent(parent, name=item_name(held))
        one.held = held
        article = held.article.article.article
        marker = marker_name(article if article[:1].isalpha() else f"article-{article}")
        register_marker(config, marker)
        for each in (marker, *(marker_name(way) for way in _ways(held))):
            one.add_marker(getattr(pytest.mark, each))
        one.add_marker(getattr(pytest.mark, marker_name(held.instrument.game)))
        one.add_marker(pytest.mark.selo(held.id))
        return one

    def runtest(self) -> None:
        """Pass if the provision conforms or was witnessed; nothing examined is never a pass."""
        state = self.config.stash[STATE]
        if self.held.instrument.game in state.chosen.left_out:
            pytest.skip(state.say("plugin.left-out", where=state.chosen.settings))
        outcome = state.outcome()
        verdict = next(
            (
                provision
                for provision in outcome.summary.provisions
                if provision.provision == self.held.id
            ),
            None,
        )
        if verdict is None:
            pytest.skip(state.say("plugin.not-offered"))
        elif verdict.result in _PASSES:
            return
        elif verdict.result in _FAILS:
            raise ProvisionFailure(state.told(outcome, verdict))
        else:
            pytest.skip(state.verdict(verdict))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the case sheet, and nothing of our own code."""
        if isinstance(excinfo.value, (ProvisionFailure, NoResult)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the words of the provision stand."""
        document = self.held.article.document
        line = document.line("provisions", self.held.index)
        return document.path, line - 1, self.nodeid


def register_marker(config: pytest.Config, marker: str) -> None:
    """Make a marker known, once."""
    line = f"{marker}: chosen provisions of the law"
    if line not in config.getini("markers"):
        config.addinivalue_line("markers", line)


def marker_name(name: str) -> str:
    """Return a name as that of a marker."""
    return name.replace("-", "_")


def _ways(held: LocatedProvision) -> Iterable[str]:
    return dict.fromkeys((held.provision.verified_by, *held.provision.also))
