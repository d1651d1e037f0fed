"""Selo inside of pytest: one test for each provision of the law.

``pytest --selo-vendor "node adapter.mjs"`` collects ``portaria-21-96-m::art-5-d`` and the others.
The vendor is examined once, when the first of them runs; with several workers the first one
examines and the others wait for it. Nothing is imported here that a run without a vendor needs not.
"""

from __future__ import annotations

import fcntl
import json
import shlex
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selo.examine.outcome import Outcome
    from selo.law.reader import Held, Law

#: Options that are handed on to ``selo examine`` as they are.
_ONE: Final = ("folder", "budget", "rulings", "as-of", "seed", "seal", "time-limit")
_MANY: Final = ("game", "ruling", "witness")
#: Exit codes after which there is a result to read.
_JUDGED: Final = frozenset({0, 1, 2})
_FAILS: Final = frozenset({"violates", "inconclusive"})
_PASSES: Final = frozenset({"conforms", "witnessed"})
_STATE: Final = pytest.StashKey["Examined"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, all of which begin with ``--selo-``."""
    group = parser.getgroup("selo", "the law of Macau, one test for each provision")
    group.addoption(
        "--selo-vendor", metavar="VENDOR", help="a command, an address or module:object to examine"
    )
    group.addoption("--selo-out", metavar="DIR", help="keep evidence and result in this new folder")
    for name in _ONE:
        group.addoption(f"--selo-{name}", metavar="VALUE", help=f"as --{name} of selo examine")
    for name in _MANY:
        group.addoption(
            f"--selo-{name}", action="append", metavar="VALUE", help=f"as --{name} of selo examine"
        )


def pytest_configure(config: pytest.Config) -> None:
    """Make the markers known; prepare what the tests share, if a vendor was named."""
    config.addinivalue_line("markers", "selo(provision): a provision of the law, examined by Selo")
    if config.getoption("--selo-vendor"):
        config.stash[_STATE] = Examined(config)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for each provision, before anything is selected or left out."""
    state = config.stash.get(_STATE, None)
    if state is None:
        return
    from selo.law.model import Way  # noqa: PLC0415 - only where a vendor is examined

    for way in Way:
        _known(config, _mark(way))
    wanted = _games(config, state.law)
    collectors: dict[str, Instrument] = {}
    added: dict[str, list[pytest.Item | pytest.Collector]] = {}
    for held in state.law.provisions.values():
        game = held.instrument.game
        if wanted and game not in wanted:
            continue
        name = held.instrument.id
        if name not in collectors:
            collectors[name] = Instrument.from_parent(session, name=name, nodeid=name)
            config.addinivalue_line("markers", f"{_mark(game)}: provisions on this game")
        one = Provision.of(collectors[name], held, config)
        items.append(one)
        added.setdefault(name, []).append(one)
    for name, found in added.items():
        # Otherwise pytest would say that it collected nothing, and selected less than nothing.
        report = pytest.CollectReport(nodeid=name, outcome="passed", longrepr=None, result=found)
        config.hook.pytest_collectreport(report=report)


def _games(config: pytest.Config, law: Law) -> list[str]:
    """Return the games that were named, all of which there are."""
    wanted: list[str] = config.getoption("--selo-game") or []
    known = [folder.instrument.game for folder in law.folders]
    for name in wanted:
        if name not in known:
            msg = f"--selo-game: there is no game '{name}'; games: {', '.join(known)}"
            raise pytest.UsageError(msg)
    return wanted


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say which vendor is examined, by which edition of the law files."""
    state = config.stash.get(_STATE, None)
    if state is None:
        return []
    from selo.law.digest import spec_digest  # noqa: PLC0415 - only where a vendor is examined

    return [f"selo: {config.getoption('--selo-vendor')}", f"selo: law {spec_digest(state.law)}"]


def _known(config: pytest.Config, marker: str) -> None:
    """Make a marker known, once."""
    line = f"{marker}: chosen provisions of the law"
    if line not in config.getini("markers"):
        config.addinivalue_line("markers", line)


def _mark(name: str) -> str:
    return name.replace("-", "_")


class Instrument(pytest.Collector):
    """The provisions of one instrument."""

    def collect(self) -> Iterable[pytest.Item]:
        """Return nothing: provisions are added when everything else is collected."""
        return []


class Provision(pytest.Item):
    """What the examination says of one provision."""

    held: Held

    @classmethod
    def of(cls, parent: Instrument, held: Held, config: pytest.Config) -> Provision:
        """Return the test of a provision, marked with its game and its article."""
        path = held.provision.id.replace("/", "-")
        name = path if path[:1].isalpha() else f"art-{path}"
        one: Provision = cls.from_parent(parent, name=name)
        one.held = held
        article = held.article.article.article
        mark = _mark(article if article[:1].isalpha() else f"article-{article}")
        _known(config, mark)
        for marker in (mark, *(_mark(way) for way in _ways(held))):
            one.add_marker(getattr(pytest.mark, marker))
        one.add_marker(getattr(pytest.mark, _mark(held.instrument.game)))
        one.add_marker(pytest.mark.selo(held.id))
        return one

    def runtest(self) -> None:
        """Pass if the provision conforms or was witnessed; nothing examined is never a pass."""
        state = self.config.stash[_STATE]
        outcome = state.outcome()
        verdict = next(
            (one for one in outcome.summary.provisions if one.provision == self.held.id), None
        )
        if verdict is None:
            pytest.skip("the vendor does not offer this game")
        elif verdict.result in _PASSES:
            return
        elif verdict.result in _FAILS:
            raise Broken(state.told(outcome, verdict))
        else:
            pytest.skip(f"{verdict.result}: {state.reason(verdict)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the case sheet, and nothing of our own code."""
        if isinstance(excinfo.value, (Broken, NoResult)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the words of the provision stand."""
        document = self.held.article.document
        line = document.line("provisions", self.held.index)
        return document.path, line - 1, self.nodeid


def _ways(held: Held) -> Iterable[str]:
    return dict.fromkeys((held.provision.verified_by, *held.provision.also))


class Broken(Exception):
    """A provision that the vendor breaks, or does not keep for certain."""


class NoResult(Exception):
    """The examination came to no result."""


class Examined:
    """The one examination that all tests of a run share, also those of other workers."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._outcome: Outcome | NoResult | None = None
        self._law: Law | None = None
        # Workers know the number of their run; whoever runs alone makes one.
        worker = getattr(config, "workerinput", None)
        self._run_id = worker["testrunuid"] if worker else uuid.uuid4().hex

    @property
    def law(self) -> Law:
        """The law as it ships, read when it is first needed."""
        if self._law is None:
            from selo.law.reader import load  # noqa: PLC0415 - only where a vendor is examined

            self._law = load()
        return self._law

    def outcome(self) -> Outcome:
        """Return what the examination came to; it runs when this is first asked."""
        if self._outcome is None:
            self._outcome = self._examined()
        if isinstance(self._outcome, NoResult):
            raise self._outcome
        return self._outcome

    def told(self, outcome: Outcome, verdict: Any) -> str:
        """Return the case sheets of the findings against a provision, or why it is open."""
        from io import StringIO  # noqa: PLC0415 - only after a failure

        from rich.console import Console  # noqa: PLC0415 - the same

        from selo.cli.verdicts import print_finding, sheets_of  # noqa: PLC0415 - the same

        text = StringIO()
        console = Console(file=text, width=100, no_color=True, highlight=False)
        console.print(f"{verdict.provision}: {verdict.result} ({self.reason(verdict)})")
        sheets = sheets_of(self.law, outcome)
        for one in outcome.findings:
            if verdict.provision in one.provisions:
                print_finding(console, one, "en", folder=self._folder(), sheets=sheets)
        return text.getvalue().rstrip()

    @staticmethod
    def reason(verdict: Any) -> str:
        """Return in words why a provision has its verdict."""
        from selo.verdict.telling import lines  # noqa: PLC0415 - only where something is told

        return "; ".join(lines(verdict, "en"))

    def _folder(self) -> Path:
        chosen = self._config.getoption("--selo-out")
        return Path(chosen) if chosen else self._place() / "run"

    def _place(self) -> Path:
        """Return a folder that all workers of this run share, and no other run."""
        place = Path(tempfile.gettempdir()) / f"selo-pytest-{self._run_id}"
        place.mkdir(mode=0o700, exist_ok=True)
        return place

    def _examined(self) -> Outcome | NoResult:
        import msgspec  # noqa: PLC0415 - only where a vendor is examined

        from selo.examine.outcome import RESULT, Outcome  # noqa: PLC0415 - the same

        folder = self._folder()
        with (self._place() / "ended.json").open("a+") as held:
            # Whoever comes first examines; the others find the result, or how it failed.
            fcntl.flock(held, fcntl.LOCK_EX)
            held.seek(0)
            said = held.read()
            if not said:
                said = self._run(folder)
                held.write(said)
        ended = json.loads(said)
        path = folder / RESULT
        if ended["exit"] not in _JUDGED or not path.is_file():
            return NoResult(f"selo examine ended with {ended['exit']}\n{ended['said']}".rstrip())
        return msgspec.json.decode(path.read_bytes(), type=Outcome)

    def _run(self, folder: Path) -> str:
        command = [sys.executable, "-m", "selo", "examine", "--out", str(folder)]
        command += ["--vendor", self._config.getoption("--selo-vendor")]
        for name in _ONE:
            value = self._config.getoption(f"--selo-{name}")
            command += [f"--{name}", value] if value else []
        for name in _MANY:
            for value in self._config.getoption(f"--selo-{name}") or []:
                command += [f"--{name}", value]
        done = subprocess.run(  # noqa: S603 - our own program, with what its user asked for
            command, capture_output=True, text=True, check=False
        )
        return json.dumps(
            {"exit": done.returncode, "said": done.stderr, "command": shlex.join(command)}
        )
