"""``selo watch``: examines again whenever the vendor's files change, and shows what changed."""

from __future__ import annotations

import copy
import dataclasses
import os
import shutil
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from selo.cli.output import Exit
from selo.cli.output.console import console
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error

if TYPE_CHECKING:
    import argparse

    from selo.cli.runs.watched_files import WatchedFiles
    from selo.law import Law

#: What an examination takes and an examination of every day does not.
_WITHOUT: Final = {
    "seal": None, "witness": None, "par": None, "cluster": None, "cluster_keys": None,
    "edition": None, "since": None, "signers": None, "json": False, "permission": None,
    "registry": None, "registry_policy": None, "trust": None, "crl": None, "draws": 0,
    "rounds": 0, "provision": None,
}  # fmt: skip
_MAX_NAMES: Final = 8
#: Exit codes of examinations that came to a verdict.
_JUDGED: Final = frozenset({Exit.CONFORMS, Exit.VIOLATES, Exit.OPEN})


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo watch``."""
    parser.set_defaults(**_WITHOUT)
    shared.add_vendor(parser)
    parser.add_argument("--provision", action="append", metavar="ID")
    shared.add_date(parser)
    shared.add_text_as_stored(parser)
    shared.add_budget(parser)
    shared.add_rulings(parser)
    shared.add_processes(parser)
    parser.add_argument("--out", metavar="DIR", default="selo-watch")
    shared.add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Examine, wait for a change, and examine again, until the user interrupts."""
    from selo.cli.resolved_options.vendor_options import (
        endpoint_of,
        folder_of,
        games_of,
        read_rulings,
    )
    from selo.cli.runs.watched_files import WatchedFiles
    from selo.law import load_law
    from selo.storage.atomic_write import next_free_folder

    if not endpoint_of(arguments).is_local and arguments.folder is None:
        raise user_error("watch-server", vendor=arguments.vendor)
    law = load_law()
    games_of(arguments, law)
    read_rulings(arguments, law)
    out = next_free_folder(Path(arguments.out))
    files = WatchedFiles(folder_of(arguments), out)
    return _Loop(arguments, law, files, out).run()


class _Loop:
    """Examinations of one vendor, one after another, each in a process of its own."""

    def __init__(
        self, arguments: argparse.Namespace, law: Law, files: WatchedFiles, out: Path
    ) -> None:
        self._arguments, self._law, self._files, self._out = arguments, law, files, out
        #: The last folder with a verdict, and the exit code of that run.
        self._judged: Path | None = None
        self._code: int = Exit.OPEN
        self._changed_meanwhile: set[str] = set()

    def run(self) -> int:
        """Examine until the user interrupts; return the code of the last verdict."""
        number = 0
        try:
            while True:
                number += 1
                before = self._files.look()
                self._examine(self._out / str(number))
                self._ignore_written(before)
                self._say("watch.waiting", count=len(before), code=self._code)
                changed = self._files.wait_for_change(before)
                names = ", ".join(changed[:_MAX_NAMES])
                more = f" (+{len(changed) - _MAX_NAMES})" if len(changed) > _MAX_NAMES else ""
                self._say("watch.changed", files=names + more)
        except KeyboardInterrupt:
            folder = "–" if self._judged is None else self._judged
            self._say("watch.ended", folder=folder)
        return self._code

    def _examine(self, folder: Path) -> None:
        """Examine in a child process, which sees the vendor's modules as they are now."""
        sys.stdout.flush()
        sys.stderr.flush()
        parent = os.getpid()
        child = os.fork()
        if child == 0:
            _run_child(self._arguments, self._law, folder, self._judged, parent)
        try:
            _, status = os.waitpid(child, 0)
        except KeyboardInterrupt:
            # The child was interrupted too, and ends by itself.
            os.waitpid(child, 0)
            raise
        code = os.waitstatus_to_exitcode(status)
        self._code = code if code >= 0 else Exit.SUITE
        if self._code in _JUDGED:
            self._forget(self._judged)
            self._judged = folder
        else:
            # What a vendor's fault left behind is replaced by the next one.
            self._say("watch.no-verdict", folder=folder)

    def _forget(self, folder: Path | None) -> None:
        """Remove the evidence of an earlier run of this loop; the last verdict is kept."""
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def _ignore_written(self, before: dict[str, tuple[int, int]]) -> None:
        """Leave out files that changed during two examinations in a row: a program writes them."""
        from selo.cli.runs.watched_files import compare_snapshots

        changed = {*compare_snapshots(before, self._files.look())}
        written = sorted(changed & self._changed_meanwhile)
        if written:
            self._files.ignore(written)
            for name in written:
                before.pop(name, None)
            self._say("watch.ignored", files=", ".join(written[:_MAX_NAMES]))
        self._changed_meanwhile = changed

    def _say(self, key: str, **slots: object) -> None:
        console().print(say(key, self._arguments.lang, **slots), style="bold", soft_wrap=True)


def _run_child(
    arguments: argparse.Namespace, law: Law, folder: Path, judged: Path | None, parent: int
) -> NoReturn:
    from selo.cli.parser import run_command
    from selo.parallel import die_with

    code = int(Exit.SUITE)
    try:
        die_with(parent)
        own = copy.copy(arguments)
        own.command = dataclasses.replace(arguments.command, action="once")
        own.out, own.law, own.judged = str(folder), law, judged
        code = run_command(own)
    except BaseException:  # noqa: BLE001 - a child never returns into the loop of its parent
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def run_once(arguments: argparse.Namespace) -> int:
    """Examine once; print the whole outcome, or what changed since the last verdict."""
    from selo.cli.printers.delta_summary import print_result_changes
    from selo.cli.printers.examination_outcome import print_outcome
    from selo.cli.runs import examine_vendor
    from selo.delta.result_changes import compare_results
    from selo.examine.conclusion import RESULT_FILE, ExaminationResult
    from selo.storage import read_json

    law, folder, out = arguments.law, Path(arguments.out), console()
    result = examine_vendor(arguments, law, out)
    if arguments.judged is None:
        print_outcome(out, law, result, folder, arguments.lang)
    else:
        earlier = read_json(arguments.judged / RESULT_FILE, ExaminationResult)
        changes = compare_results(earlier, result)
        print_result_changes(out, law, changes, result, folder, arguments.lang)
    return result.exit
