"""Evidence read again, once from its first line to its last: proved, counted, and judged again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from selo.evidence.alteration import Unfinished
from selo.evidence.reader import Reader, Whole
from selo.evidence.scan import bare
from selo.examine.conclusion import Conclusion
from selo.examine.doubting import Doubts
from selo.examine.examination import Header

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from selo.evidence.merkle import Root
    from selo.law.reader import Law


class Reread(msgspec.Struct, frozen=True, kw_only=True):
    """Evidence in which nothing was found altered, and what its lines say."""

    whole: Whole
    header: Header
    seen: Conclusion
    #: Where every answer is judged again, which may not be at its end yet.
    doubts: Doubts | None = None


def reread(
    folder: Path,
    law: Law,
    *,
    root: Root | None = None,
    doubting: bool = False,
    told: Callable[[bytes], None] | None = None,
) -> Reread:
    """Read the evidence in `folder`; its lines must give the root that is known.

    If `doubting`, every answer is compared with the law again, whatever the evidence says of it;
    that goes on behind, looks at the form of each line too, and is to be awaited. `told` is given
    every line of a case.
    """
    reading = _Reading(folder, law, doubting=doubting, told=told)
    try:
        whole = Reader(folder, root=root).read(told=reading.take, form=not doubting)
    except BaseException:
        reading.leave()
        raise
    return reading.done(whole)


class _Reading:
    def __init__(
        self,
        folder: Path,
        law: Law,
        *,
        doubting: bool,
        told: Callable[[bytes], None] | None,
    ) -> None:
        self._folder, self._law, self._doubting, self._told = folder, law, doubting, told
        self._doubts: Doubts | None = None
        self._header: Header | None = None
        self._seen: Conclusion | None = None

    def take(self, line: bytes) -> None:
        if self._seen is None:
            self._begin(line)
            return
        self._seen.take(line)
        if self._told is not None:
            self._told(line)

    def _begin(self, line: bytes) -> None:
        header = self._header = msgspec.convert(bare(msgspec.json.decode(line)), Header)
        self._seen = Conclusion(law=self._law, terms=header.terms, doubting=self._doubting)
        if self._doubting:
            self._doubts = Doubts(self._folder, self._law, header.terms)

    def leave(self) -> None:
        if self._doubts is not None:
            self._doubts.leave()

    def done(self, whole: Whole) -> Reread:
        # A whole run has a first line: without one it would not have been read to its end.
        header, seen = self._header, self._seen
        if header is None or seen is None:
            raise Unfinished(path=self._folder, lines=0, what="not even a header")
        return Reread(whole=whole, header=header, seen=seen, doubts=self._doubts)
