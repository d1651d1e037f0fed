"""Places in a gazette source, such as ``001:173 from (Nota:)``."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PLACE_PATTERN = re.compile(
    r"(?P<file>\d{3}):(?P<first>\d+)(?:-(?P<last>\d+))?"
    r"(?: from (?P<start>.+?))?(?: until (?P<stop>.+))?"
)

#: Between two places: starts a new paragraph.
PARAGRAPH_MARK = "¶"


@dataclass(frozen=True, kw_only=True, slots=True)
class SourcePlace:
    """A range of lines of a source, optionally limited by words."""

    file: str
    first: int
    last: int
    start: str | None
    stop: str | None

    @classmethod
    def parse(cls, written: str) -> SourcePlace:
        """Return the place written as in the law files."""
        match = _PLACE_PATTERN.fullmatch(written)
        if not match:
            msg = f"'{written}' is not a place such as 001:83, 004:47-54 or 001:173 from (Nota:)"
            raise ValueError(msg)
        first = int(match["first"])
        last = int(match["last"] or first)
        if last < first or first < 1:
            msg = f"'{written}' ends before it begins"
            raise ValueError(msg)
        return cls(
            file=match["file"], first=first, last=last, start=match["start"], stop=match["stop"]
        )


def written_places(value: str | list[str] | None) -> list[str]:
    """Return the places of a law file, written as one or as a list, as a list."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)
