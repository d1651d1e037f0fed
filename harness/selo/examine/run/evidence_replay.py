"""Evidence read again, once from its first line to its last: proved, counted, and judged again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from selo.evidence.canonical_json import decode
from selo.evidence.evidence_errors import Sign, Tampered
from selo.evidence.evidence_reader import Reader, Whole
from selo.evidence.integrity_scan import KIND, LINES
from selo.evidence.merkle import HASH_BYTES, Frontier
from selo.examine.replay import Conclusion, Gist, Misjudged, Unreadable, gists
from selo.examine.run.examination import Header

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from selo.evidence.merkle import Root
    from selo.law.loader import Law


class Reread(msgspec.Struct, frozen=True, kw_only=True):
    """Evidence in which nothing was found altered, and what its lines say."""

    whole: Whole
    header: Header
    seen: Conclusion
    #: That the law says otherwise of an answer than its line; nothing if that was not doubted.
    misjudged: Misjudged | None = None


def reread(
    folder: Path,
    law: Law,
    *,
    root: Root | None = None,
    doubting: bool = False,
    told: Callable[[Gist], None] | None = None,
) -> Reread:
    """Read the evidence in `folder`; its lines must give the root that is known.

    If `doubting`, every answer is compared with the law again, whatever the evidence says of it.
    `told` is given the gist of every block.
    """
    reader = Reader(folder, root=root)
    plain = reader.header()
    header = msgspec.convert(plain, Header)
    reading = _Reading(Conclusion(law=law, terms=header.terms, doubting=doubting))
    for gist in gists(folder, law, header.terms, doubting=doubting):
        if isinstance(gist, Unreadable):
            break
        reading.take(gist)
        if told is not None:
            told(gist)
    if reading.footer is None:
        # Something is wrong with it: whoever reads line by line finds out what.
        reader.read()
        # A line in its form and place that is no line of a case: part of a run is never the whole.
        raise Tampered(path=reader.path, sign=Sign.LINE, what="a line that says nothing of a case")
    return Reread(
        whole=reader.concluded(reading.frontier, header=plain, footer=reading.footer),
        header=header,
        seen=reading.seen,
        misjudged=reading.misjudged,
    )


class _Reading:
    def __init__(self, seen: Conclusion) -> None:
        self.seen = seen
        self.frontier = Frontier()
        self.footer: dict[str, Any] | None = None
        self.misjudged: Misjudged | None = None

    def take(self, gist: Gist) -> None:
        """Take what a block says."""
        hashes = gist.hashes
        self.frontier.add(
            [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]
        )
        self.seen.take_gist(gist)
        if gist.misjudged is not None and self.misjudged is None:
            n, right = gist.misjudged
            self.misjudged = Misjudged.of(n, right=right)
        if gist.footer is not None:
            self._end(gist.footer)

    def _end(self, line: bytes) -> None:
        """Take the last line, if it is what a last line must be."""
        value = decode(line)
        if isinstance(value, dict) and (value.get(KIND), value.get(LINES)) == (
            "footer", self.frontier.size,
        ):  # fmt: skip
            self.footer = value
