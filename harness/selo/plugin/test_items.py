"""The pytest items: one test for each provision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from selo.plugin.selection import item_name
from selo.plugin.shared_run import SHARED_RUN, NoResult

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from selo.law import LocatedProvision

#: The property of the report on a provision that conforms or was witnessed.
VERIFIED_PROPERTY: Final = "selo-verified"
_FAILING_RESULTS: Final = frozenset({"violates", "inconclusive", "not-law"})
_PASSING_RESULTS: Final = frozenset({"conforms", "witnessed"})


class ProvisionFailure(Exception):
    """The vendor violates a provision, or the result is inconclusive."""


class InstrumentCollector(pytest.Collector):
    """The provisions of one instrument."""

    def collect(self) -> Iterable[pytest.Item]:
        """Return nothing: provisions are added after collection."""
        return []


class ProvisionItem(pytest.Item):
    """The test of one provision."""

    held: LocatedProvision

    @classmethod
    def of(
        cls, parent: InstrumentCollector, located: LocatedProvision, config: pytest.Config
    ) -> ProvisionItem:
        """Return the test of a provision, with markers for game, article and ways."""
        item: ProvisionItem = cls.from_parent(parent, name=item_name(located))
        item.held = located
        article = located.article.article.article
        marker = marker_name(article if article[:1].isalpha() else f"article-{article}")
        register_marker(config, marker)
        for marker_id in (marker, *(marker_name(way) for way in _ways_of(located))):
            item.add_marker(getattr(pytest.mark, marker_id))
        item.add_marker(getattr(pytest.mark, marker_name(located.instrument.game)))
        item.add_marker(pytest.mark.selo(located.id))
        return item

    def runtest(self) -> None:
        """Pass if the provision conforms or was witnessed; skip what was not examined."""
        state = self.config.stash[SHARED_RUN]
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
        elif verdict.result in _PASSING_RESULTS:
            self.user_properties.append((VERIFIED_PROPERTY, True))
        elif verdict.result in _FAILING_RESULTS:
            raise ProvisionFailure(state.failure_text(outcome, verdict))
        else:
            pytest.skip(state.verdict_text(verdict))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the case sheet without a traceback of our own code."""
        if isinstance(excinfo.value, (ProvisionFailure, NoResult)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return file and line of the provision."""
        document = self.held.article.document
        line = document.line("provisions", self.held.index)
        return document.path, line - 1, self.nodeid


def register_marker(config: pytest.Config, marker: str) -> None:
    """Register a marker, once."""
    line = f"{marker}: chosen provisions of the law"
    if line not in config.getini("markers"):
        config.addinivalue_line("markers", line)


def marker_name(name: str) -> str:
    """Return `name` as a valid marker name."""
    return name.replace("-", "_")


def _ways_of(located: LocatedProvision) -> Iterable[str]:
    return dict.fromkeys((located.provision.verified_by, *located.provision.also))
