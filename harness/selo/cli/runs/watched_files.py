"""The files of a vendor's folder, and waiting until one of them changes."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Seconds between two looks at the folder, at least.
_INTERVAL: Final = 0.5
#: A look may take this part of the time, so that a large folder costs little processor.
_SHARE: Final = 1 / 25
#: More files than this are not a vendor's folder but somebody's home.
_MAX_FILES: Final = 20_000
#: Folders that hold what programs make, and none of what people write.
_MADE_FOLDERS: Final = frozenset({"__pycache__", "node_modules"})

#: Size and time of change of each file, by its path in the folder.
Snapshot = dict[str, tuple[int, int]]


class WatchedFiles:
    """The files in a vendor's folder; what lies in `apart`, or is hidden, is left out."""

    def __init__(self, folder: Path, apart: Path) -> None:
        self._folder, self._apart = folder.resolve(), apart.resolve()
        #: Files that change while nobody edits them.
        self._ignored: set[str] = set()
        self._pause = _INTERVAL

    def look(self) -> Snapshot:
        """Return the files as they are now."""
        begun = time.monotonic()
        snapshot: Snapshot = {}
        for path in self._walk():
            name = path.relative_to(self._folder).as_posix()
            try:
                status = path.stat()
            except OSError:  # removed between two calls, or a link that leads nowhere
                continue
            if name not in self._ignored:
                snapshot[name] = (status.st_size, status.st_mtime_ns)
            if len(snapshot) > _MAX_FILES:
                raise user_error("watch-files", folder=self._folder, count=_MAX_FILES)
        self._pause = max(_INTERVAL, (time.monotonic() - begun) / _SHARE)
        return snapshot

    def wait_for_change(self, before: Snapshot) -> list[str]:
        """Return the files that differ from `before`, once there are some and they are at rest."""
        now = self.look()
        while not compare_snapshots(before, now):
            time.sleep(self._pause)
            now = self.look()
        while True:
            # An editor or a checkout writes more than one file.
            time.sleep(self._pause)
            later = self.look()
            if later == now:
                return compare_snapshots(before, now)
            now = later

    def ignore(self, names: list[str]) -> None:
        """Leave files out from now on."""
        self._ignored.update(names)

    def _walk(self) -> Iterator[Path]:
        for place, folders, files in os.walk(self._folder):
            here = Path(place)
            folders[:] = [
                name
                for name in folders
                if not name.startswith(".")
                and name not in _MADE_FOLDERS
                and here / name != self._apart
            ]
            yield from (here / name for name in files if not name.startswith("."))


def compare_snapshots(before: Snapshot, after: Snapshot) -> list[str]:
    """Return the files that were changed, added or removed, by name."""
    return sorted(
        name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
    )
