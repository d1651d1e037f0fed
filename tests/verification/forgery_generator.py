"""Makes forgeries: every field of a JSON document changed by its type, every line of a run moved.

Whoever forges has valid keys and our own program: roots, digests, numbers of lines and counts are
made anew after each change, so that only what the change says can be wrong.
"""

import copy
import dataclasses
import random
import re
from collections.abc import Callable
from typing import Any

_HEXADECIMAL = re.compile(r"[0-9a-f]{8,}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
#: Of a long list, the first, one in the middle and the last stand for all.
_STANDING_FOR_ALL = 3


@dataclasses.dataclass(frozen=True)
class Forgery:
    """One change of a document."""

    path: tuple[Any, ...]
    change: str
    apply: Callable[[Any], None]

    @property
    def place(self):
        """The path with every index as a star, by which fields are listed."""
        return ".".join("*" if isinstance(step, int) else str(step) for step in self.path)

    @property
    def name(self):
        return f"{'.'.join(map(str, self.path))}: {self.change}"


def forgeries_of(document, *, below=()):
    """Yield every forgery of a JSON document."""
    for path, value in _paths(document, below):
        for change, forged in _changes(value):
            if forged != value or type(forged) is not type(value):
                yield Forgery(path, change, _setter(path, forged))
        if path and isinstance(_at(document, path[len(below) : -1]), dict):
            yield Forgery(path, "left out", _remover(path))
        if isinstance(value, dict):
            yield Forgery((*path, "invented"), "invented", _setter((*path, "invented"), "x"))


def _paths(value, path):
    yield path, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _paths(inner, (*path, name))
    elif isinstance(value, list):
        for at in _chosen(len(value)):
            yield from _paths(value[at], (*path, at))


def _chosen(length):
    return sorted({0, length // 2, length - 1}) if length > _STANDING_FOR_ALL else range(length)


def _changes(value):
    """Yield another value of the same kind, as whoever forges would choose it, and its name."""
    if isinstance(value, bool):
        yield "turned", not value
    elif isinstance(value, int):
        yield "one more", value + 1
        yield "none", 0
        yield "negative", -value - 1
    elif isinstance(value, str):
        yield from _texts(value)
    elif isinstance(value, list):
        yield "emptied", []
        if value:
            yield "first dropped", value[1:]
            yield "last dropped", value[:-1]
            yield "first repeated", [value[0], *value]
            yield "reversed", value[::-1]
        yield "invented item", [*value, copy.deepcopy(value[0]) if value else "x"]
    elif isinstance(value, dict):
        yield "emptied", {}
    else:
        yield "said", "x"


def _texts(value):
    if _HEXADECIMAL.fullmatch(value):
        yield "other digits", value[::-1]
        yield "zeros", "0" * len(value)
    elif _DAY.fullmatch(value):
        yield "another day", "2001-01-01"
    else:
        yield "other words", f"{value} X"
    yield "blank", ""


def _at(document, path):
    for step in path:
        document = document[step]
    return document


def _setter(path, value):
    def apply(document):
        if path:
            _at(document, path[:-1])[path[-1]] = copy.deepcopy(value)

    return apply


def _remover(path):
    def apply(document):
        del _at(document, path[:-1])[path[-1]]

    return apply


def moves_of(count, seed, times):
    """Yield forgeries of the order and number of lines, each at places that are drawn."""
    drawn = random.Random(seed)  # noqa: S311 - the same forgeries on each run
    for _ in range(times):
        one, other = sorted(drawn.sample(range(count), 2))
        yield f"line {one} dropped", lambda lines, at=one: lines.pop(at)
        yield f"line {one} repeated", lambda lines, at=one: lines.insert(at, dict(lines[at]))
        yield (
            f"lines {one} and {other} exchanged",
            lambda lines, a=one, b=other: lines.__setitem__(
                slice(None), [*lines[:a], lines[b], *lines[a + 1 : b], lines[a], *lines[b + 1 :]]
            ),
        )
        yield (
            f"line {other} in the place of line {one}",
            lambda lines, a=one, b=other: lines.__setitem__(a, dict(lines[b])),
        )
        yield (
            f"answer of line {other} on line {one}",
            lambda lines, a=one, b=other: lines[a].update(answer=lines[b]["answer"]),
        )
        yield f"cut at line {one}", lambda lines, at=one: lines.__delitem__(slice(at, None))
