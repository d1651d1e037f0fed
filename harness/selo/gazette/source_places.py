"""Places in a gazette source, such as ``001:173 from (Nota:)``."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PLACE = re.compile(
    r"(?P<file>\d{3}):(?P<first>\d+)(?:-(?P<last>\d+))?"
    r"(?: from (?P<start>.+?))?(?: until (?P<stop>.+))?"
)

#: Stands between two places and says that a new paragraph begins.
PARAGRAPH = "¶"


@dataclass(frozen=True, kw_only=True, slots=True)
class SourcePlace:
    """Some lines of a source, perhaps only from or until certain words."""

    file: str
    first: int
    last: int
    start: str | None
    stop: str | None

    @classmethod
    def parse(cls, written: str) -> SourcePlace:
        """Read a place as the law files write it."""
        found = _PLACE.fullmatch(written)
        if not found:
            msg = f"'{written}' is not a place such as 001:83, 004:47-54 or 001:173 from (Nota:)"
            raise ValueError(msg)
        first = int(found["first"])
        last = int(found["last"] or first)
        if last < first or first < 1:
            msg = f"'{written}' ends before it begins"
            raise ValueError(msg)
        return cls(
            file=found["file"], first=first, last=last, start=found["start"], stop=found["stop"]
        )


def written_places(value: str | list[str] | None) -> list[str]:
    """Return what a law file gives as one place or a list of places, always as a list."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)
