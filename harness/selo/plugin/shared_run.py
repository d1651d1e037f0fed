"""The examination shared by all tests of a run, across workers."""

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

from selo.plugin.plugin_options import LANG_OPTION, OUT_OPTION, VENDOR_OPTION, examine_arguments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.examine.conclusion import ExaminationResult
    from selo.law import Law
    from selo.plugin.selection import Selection

#: Exit codes after which there is a result to read.
_EXITS_WITH_RESULT: Final = frozenset({0, 1, 2})
SHARED_RUN: Final = pytest.StashKey["SharedRun"]()


class NoResult(Exception):
    """The examination ended without a result."""


class SharedRun:
    """Runs the examination on first use and keeps its result."""

    #: The provisions selected for this run.
    chosen: Selection

    def __init__(self, config: pytest.Config) -> None:
        from selo.cli.output.language_choice import choose_language  # noqa: PLC0415 - only where a vendor is examined

        self._config = config
        self._outcome: ExaminationResult | NoResult | None = None
        self._law: Law | None = None
        self._folder: Path | None = None
        #: The folder shared by the workers of this run.
        self._shared_folder: Path | None = None
        self.language: str = config.getoption(LANG_OPTION) or choose_language([])

    @property
    def law(self) -> Law:
        """The bundled law, loaded on first use."""
        if self._law is None:
            from selo.law import load_law  # noqa: PLC0415 - only where a vendor is examined

            self._law = load_law()
        return self._law

    def say(self, key: str, **slots: object) -> str:
        """Return a message in the chosen language."""
        from selo.text import say  # noqa: PLC0415 - only where something is told

        return say(key, self.language, **slots)

    def text_lines(self) -> Iterator[str]:
        """Yield how the text of each selected instrument stood on the day asked for."""
        import datetime as dt  # noqa: PLC0415 - only where a vendor is examined

        from selo.cli.output.project_settings import find_settings  # noqa: PLC0415 - the same
        from selo.law.status import describe_text, macau_today  # noqa: PLC0415 - the same

        settings = find_settings([])
        given = self._config.getoption("--selo-as-of")
        configured = None if settings is None else settings.settings.as_of
        try:
            day = dt.date.fromisoformat(given) if given else configured or macau_today()
        except ValueError:
            # The examination itself refuses the day.
            return
        selected = {located.instrument.id for located in self.chosen.provisions}
        for folder in self.law.folders:
            if folder.instrument.id in selected:
                status = describe_text(folder, day).get(self.language)
                law = folder.instrument.citation.get("zh" if self.language == "zh" else "pt")
                yield self.say("examine.text", law=law, status=status)

    def outcome(self) -> ExaminationResult:
        """Return the result of the examination; run it on the first call."""
        if self._outcome is None:
            self._outcome = self._load_or_run()
        if isinstance(self._outcome, NoResult):
            raise self._outcome
        return self._outcome

    def failure_text(self, outcome: ExaminationResult, verdict: Any) -> str:
        """Return the case sheets of the findings on a provision, or why it is open."""
        from io import StringIO  # noqa: PLC0415 - only after a failure

        from rich.console import Console  # noqa: PLC0415 - the same

        from selo.cli.printers.finding_card import print_finding, sheet_writer  # noqa: PLC0415 - the same

        text = StringIO()
        console = Console(file=text, width=100, no_color=True, highlight=False)
        console.print(f"{verdict.provision}: {self.verdict_text(verdict)}", soft_wrap=True)
        sheets = sheet_writer(self.law, outcome.header.description.currency)
        for finding in outcome.findings:
            if verdict.provision in finding.provisions:
                print_finding(console, finding, self.language, folder=self._folder, sheets=sheets)
        return text.getvalue().rstrip()

    def verdict_text(self, verdict: Any) -> str:
        """Return the verdict on a provision with its reasons."""
        from selo.verdict import explain_verdict  # noqa: PLC0415 - only where something is told

        because = "; ".join(explain_verdict(verdict, self.language))
        return f"{self.say(f'verdict.{verdict.result}')} ({because})"

    def _find_shared_folder(self) -> Path:
        """Return the folder of this run below pytest's base temporary folder."""
        if self._shared_folder is None:
            # xdist needs the factory too, so without it there are no workers.
            factory = getattr(self._config, "_tmp_path_factory", None)
            if factory is None:
                self._shared_folder = Path(tempfile.mkdtemp(prefix="selo-"))
                self._config.add_cleanup(lambda: shutil.rmtree(str(self._shared_folder)))
            else:
                base: Path = factory.getbasetemp()
                # A worker's folder lies in that of the run.
                base = base.parent if hasattr(self._config, "workerinput") else base
                self._shared_folder = base / "selo"
                self._shared_folder.mkdir(mode=0o700, exist_ok=True)
        return self._shared_folder

    def _load_or_run(self) -> ExaminationResult | NoResult:

        from selo.examine.conclusion import RESULT_FILE, ExaminationResult  # noqa: PLC0415 - only where a vendor is examined
        from selo.storage import read_json  # noqa: PLC0415 - the same

        with (self._find_shared_folder() / "ended.json").open("a+", encoding="utf-8") as file:
            # The first worker examines; the others read its result or its failure.
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            record = file.read()
            if not record:
                record = self._run()
                file.write(record)
        ended = json.loads(record)
        self._folder = Path(ended["folder"])
        path = self._folder / RESULT_FILE
        if ended["exit"] not in _EXITS_WITH_RESULT or not path.is_file():
            message = self.say("plugin.no-result", exit=ended["exit"])
            return NoResult(f"{message}\n{ended['said']}".rstrip())
        return read_json(path, ExaminationResult)

    def _run(self) -> str:
        from selo.storage.atomic_write import next_free_folder  # noqa: PLC0415 - only where a vendor is examined

        chosen = self._config.getoption(OUT_OPTION)
        folder = next_free_folder(Path(chosen)) if chosen else self._find_shared_folder() / "run"
        command = [sys.executable, "-m", "selo", "--lang", self.language, "examine"]
        command += ["--vendor", self._config.getoption(VENDOR_OPTION), "--out", str(folder)]
        completed = subprocess.run(  # noqa: S603 - our own program, with what its user asked for
            [*command, *examine_arguments(self._config)],
            capture_output=True, text=True, encoding="utf-8", errors="replace", check=False,
        )  # fmt: skip
        return json.dumps(
            {"exit": completed.returncode, "said": completed.stderr, "folder": str(folder)}
        )
