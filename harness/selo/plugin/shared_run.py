"""The one examination that all tests of a run share, also those of other workers."""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from selo.plugin.plugin_options import LANG, OUT, VENDOR, given_options

if TYPE_CHECKING:
    from selo.examine.outcome import ExaminationResult
    from selo.law.loader import Law
    from selo.plugin.selection import Selection

#: Exit codes after which there is a result to read.
_JUDGED: Final = frozenset({0, 1, 2})
STATE: Final = pytest.StashKey["SharedRun"]()


class NoResult(Exception):
    """The examination came to no result."""


class SharedRun:
    """What is known of the vendor, as soon as somebody asks."""

    #: Which provisions are tests of this run.
    chosen: Selection

    def __init__(self, config: pytest.Config) -> None:
        from selo.cli.output.language_choice import choose_language  # noqa: PLC0415 - only where a vendor is examined

        self._config = config
        self._outcome: ExaminationResult | NoResult | None = None
        self._law: Law | None = None
        self._folder: Path | None = None
        #: The folder that workers of this run share, and no other run.
        self._place: Path | None = None
        self.language: str = config.getoption(LANG) or choose_language([])

    @property
    def law(self) -> Law:
        """The law as it ships, read when it is first needed."""
        if self._law is None:
            from selo.law.loader import load_law  # noqa: PLC0415 - only where a vendor is examined

            self._law = load_law()
        return self._law

    def say(self, key: str, **slots: object) -> str:
        """Return a message in the language that was asked for."""
        from selo.text.message_catalogue import say  # noqa: PLC0415 - only where something is told

        return say(key, self.language, **slots)

    def outcome(self) -> ExaminationResult:
        """Return what the examination came to; it runs when this is first asked."""
        if self._outcome is None:
            self._outcome = self._examined()
        if isinstance(self._outcome, NoResult):
            raise self._outcome
        return self._outcome

    def told(self, outcome: ExaminationResult, verdict: Any) -> str:
        """Return the case sheets of the findings against a provision, or why it is open."""
        from io import StringIO  # noqa: PLC0415 - only after a failure

        from rich.console import Console  # noqa: PLC0415 - the same

        from selo.cli.printing import print_finding, sheet_writer  # noqa: PLC0415 - the same

        text = StringIO()
        console = Console(file=text, width=100, no_color=True, highlight=False)
        console.print(f"{verdict.provision}: {self.verdict(verdict)}", soft_wrap=True)
        sheets = sheet_writer(self.law, outcome.header.description.currency)
        for finding in outcome.findings:
            if verdict.provision in finding.provisions:
                print_finding(console, finding, self.language, folder=self._folder, sheets=sheets)
        return text.getvalue().rstrip()

    def verdict(self, verdict: Any) -> str:
        """Return in words which verdict a provision has, and why."""
        from selo.verdict import explain_verdict  # noqa: PLC0415 - only where something is told

        because = "; ".join(explain_verdict(verdict, self.language))
        return f"{self.say(f'verdict.{verdict.result}')} ({because})"

    def _shared(self) -> Path:
        """Return the folder of the run below that of all passing files, which pytest clears."""
        if self._place is None:
            # Without it there are no workers either: xdist needs it in the same way.
            factory = getattr(self._config, "_tmp_path_factory", None)
            if factory is None:
                self._place = Path(tempfile.mkdtemp(prefix="selo-"))
                self._config.add_cleanup(lambda: shutil.rmtree(str(self._place)))
            else:
                base: Path = factory.getbasetemp()
                # A worker's own folder lies in that of the run.
                base = base.parent if hasattr(self._config, "workerinput") else base
                self._place = base / "selo"
                self._place.mkdir(mode=0o700, exist_ok=True)
        return self._place

    def _examined(self) -> ExaminationResult | NoResult:
        import msgspec  # noqa: PLC0415 - only where a vendor is examined

        from selo.examine.outcome import RESULT_FILE, ExaminationResult  # noqa: PLC0415 - the same

        with (self._shared() / "ended.json").open("a+", encoding="utf-8") as held:
            # Whoever comes first examines; the others find the result, or how it failed.
            fcntl.flock(held, fcntl.LOCK_EX)
            held.seek(0)
            said = held.read()
            if not said:
                said = self._run()
                held.write(said)
        ended = json.loads(said)
        self._folder = Path(ended["folder"])
        path = self._folder / RESULT_FILE
        if ended["exit"] not in _JUDGED or not path.is_file():
            told = self.say("plugin.no-result", exit=ended["exit"])
            return NoResult(f"{told}\n{ended['said']}".rstrip())
        return msgspec.json.decode(path.read_bytes(), type=ExaminationResult)

    def _run(self) -> str:
        from selo.cli.runs import next_free_folder  # noqa: PLC0415 - only where a vendor is examined

        chosen = self._config.getoption(OUT)
        folder = next_free_folder(Path(chosen)) if chosen else self._shared() / "run"
        command = [sys.executable, "-m", "selo", "--lang", self.language, "examine"]
        command += ["--vendor", self._config.getoption(VENDOR), "--out", str(folder)]
        done = subprocess.run(  # noqa: S603 - our own program, with what its user asked for
            [*command, *given_options(self._config)],
            capture_output=True, text=True, encoding="utf-8", errors="replace", check=False,
        )  # fmt: skip
        return json.dumps({"exit": done.returncode, "said": done.stderr, "folder": str(folder)})
