"""Reads evidence from its first byte to its last and believes nothing of it."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, Final

import msgspec

from selo.evidence import block
from selo.evidence.canonical_json import NotCanonical, decode_canonical
from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
from selo.evidence.merkle import Frontier, leaf_hashes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Sought = Callable[[dict[str, Any]], bool]

#: The field that only header and footer have.
KIND_FIELD: Final = "evidence"
FORMAT_FIELD: Final = "format"
LINES_FIELD: Final = "lines"


class _CaseHead(msgspec.Struct, frozen=True, gc=False):
    """What tells a case from header and footer, and from other cases."""

    n: int
    evidence: Any = None


_decode_head: Final = msgspec.json.Decoder(_CaseHead).decode


class IntegrityScan:
    """One reading of a file of evidence; what was found is known when it is at its end."""

    def __init__(
        self,
        file: IO[bytes],
        path: Path,
        *,
        forgiving: bool = False,
        sought: Sought | None = None,
        form: bool = True,
    ) -> None:
        self._file = file
        self._path = path
        #: A power cut can leave a last block of full length with holes in it. Whoever resumes
        #: asks its cases again; whoever reads must not take it for a block cut short.
        self._forgiving = forgiving
        #: Whether the form of each case is looked at; whoever does not must do so elsewhere.
        self._form = form
        self.frontier = Frontier()
        self._sought = sought
        #: The first line that is what was sought; its number is what the frontier watches.
        self.found: bytes | None = None
        self.header: dict[str, Any] | None = None
        self.footer: dict[str, Any] | None = None
        #: Bytes and digest up to the end of the last whole block.
        self.end = 0
        self.digest = block.NO_DIGEST
        #: What is wrong with a last block that was not written whole.
        self.torn: str | None = None

    @property
    def lines(self) -> int:
        """How many lines were read."""
        return self.frontier.size

    def __iter__(self) -> Iterator[tuple[bytes, dict[str, Any]]]:
        """Yield every line with what it says, header and footer too.

        Where the form of cases is not looked at, nothing is told of what they say.
        """
        while self.footer is None:
            found = self._block()
            if found is None:
                return
            head, lines = found
            final = head.first + head.lines - 1 if head.last else None
            for number, line in enumerate(lines, head.first):
                value = self._value(number, line, ends=number == final)
                if self._sought is not None and self.found is None and self._sought(value):
                    self.frontier.watched, self.found = number, line
                yield line, value
            self.frontier.add(leaf_hashes(lines))
            self.digest = head.digest
            self.end += block.HEAD_BYTES + head.packed
        if self._file.read(1):
            raise self._tampered(AlterationSign.TRAILING, f"from byte {self.end} on")

    def blocks(
        self, wanted: Callable[[int], bool] = lambda _: True
    ) -> Iterator[tuple[block.BlockHead, list[bytes]]]:
        """Yield the blocks that are wanted, by their place, with all their lines.

        Nothing is proved of the lines; of every block it is proved that it follows on the others.
        """
        number = 0
        while (found := self._block(read=wanted(number))) is not None:
            head, lines = found
            self.frontier.size += head.lines
            self.digest = head.digest
            self.end += block.HEAD_BYTES + head.packed
            if lines:
                yield head, lines
            number += 1
            if head.last:
                if self._file.read(1):
                    raise self._tampered(AlterationSign.TRAILING, f"from byte {self.end} on")
                return

    def _block(self, *, read: bool = True) -> tuple[block.BlockHead, list[bytes]] | None:
        raw = self._file.read(block.HEAD_BYTES)
        if not raw:
            return None
        if len(raw) < block.HEAD_BYTES or self._nothing_from(raw):
            self.torn = f"what stands from byte {self.end} on is no whole block"
            return None
        try:
            head = block.read_head(raw)
        except block.DamagedBlock as error:
            raise self._tampered(AlterationSign.DAMAGED, f"at byte {self.end}: {error}") from error
        if head.first != self.lines:
            what = f"at byte {self.end}: line {head.first} in the place of {self.lines}"
            raise self._tampered(AlterationSign.ORDER, what)
        packed = self._file.read(head.packed)
        if len(packed) < head.packed:
            self.torn = f"{len(packed)} of {head.packed} bytes of the block at byte {self.end}"
            return None
        try:
            if read:
                return head, block.unpack_block(head, fields=raw, packed=packed, before=self.digest)
            block.verify_block(head, fields=raw, packed=packed, before=self.digest)
        except block.DamagedBlock as error:
            if self._forgiving and not self._file.read(1):
                self.torn = f"at byte {self.end}: {error}"
                return None
            raise self._tampered(AlterationSign.DAMAGED, f"at byte {self.end}: {error}") from error
        return head, []

    def _nothing_from(self, raw: bytes) -> bool:
        """Tell whether only zeros follow, no more than of one block: a power cut leaves them."""
        if any(raw):
            return False
        rest = self._file.read(block.PACKED_LIMIT + 1)
        return len(rest) <= block.PACKED_LIMIT and not any(rest)

    def _value(self, number: int, line: bytes, *, ends: bool) -> dict[str, Any]:
        """Return what a line says; it must be what stands in this place."""
        if not self._form and number and not ends:
            return self._skimmed(number, line)
        try:
            value = decode_canonical(line)
        except NotCanonical as error:
            raise self._tampered(AlterationSign.LINE, f"line {number}: {error}") from error
        if not isinstance(value, dict):
            raise self._tampered(AlterationSign.LINE, f"line {number} is no object")
        if number == 0:
            if ends or (value.get(KIND_FIELD), value.get(FORMAT_FIELD)) != ("header", block.FORMAT):
                raise self._tampered(AlterationSign.FRAME, "line 0 is no header")
            self.header = value
        elif ends:
            if (value.get(KIND_FIELD), value.get(LINES_FIELD)) != ("footer", number + 1):
                raise self._tampered(AlterationSign.FRAME, f"line {number} is no footer")
            self.footer = value
        # True is a number to Python, and none in JSON.
        elif KIND_FIELD in value or type(value.get("n")) is not int or value["n"] != number - 1:
            raise self._tampered(AlterationSign.LINE, f"line {number} is not case {number - 1}")
        return value

    def _skimmed(self, number: int, line: bytes) -> dict[str, Any]:
        """Look only at the number of a case, and that it is one."""
        try:
            case = _decode_head(line)
        except (ValueError, RecursionError) as error:
            raise self._tampered(AlterationSign.LINE, f"line {number}: {error}") from error
        if case.evidence is not None or case.n != number - 1:
            raise self._tampered(AlterationSign.LINE, f"line {number} is not case {number - 1}")
        return {}

    def _tampered(self, sign: AlterationSign, what: str) -> EvidenceTampered:
        return EvidenceTampered(path=self._path, sign=sign, what=what)


def strip_writer_fields(value: dict[str, Any]) -> dict[str, Any]:
    """Return a header or footer without the fields that the writer added."""
    return {
        name: held
        for name, held in value.items()
        if name not in {KIND_FIELD, FORMAT_FIELD, LINES_FIELD}
    }
