"""Reads an evidence file from first to last byte and verifies everything."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, Final

import msgspec

from selo.evidence import block
from selo.evidence.canonical_json import NotCanonical, decode_canonical
from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
from selo.evidence.merkle import Frontier, salted_leaf_hashes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    LinePredicate = Callable[[dict[str, Any]], bool]

#: The field by which header and footer differ from cases.
KIND_FIELD: Final = "evidence"
FORMAT_FIELD: Final = "format"
LINES_FIELD: Final = "lines"


class _CaseHead(msgspec.Struct, frozen=True, gc=False):
    """The fields that identify a case."""

    n: int
    evidence: Any = None


_decode_head: Final = msgspec.json.Decoder(_CaseHead).decode


class IntegrityScan:
    """One pass over an evidence file; its attributes are final after the last line."""

    def __init__(
        self,
        file: IO[bytes],
        path: Path,
        *,
        forgiving: bool = False,
        sought: LinePredicate | None = None,
        check_form: bool = True,
    ) -> None:
        self._file = file
        self._path = path
        #: A power cut can leave a last block of full length with holes in it. When resuming, its
        #: cases are asked again; when reading, it is not an incomplete block but damage.
        self._forgiving = forgiving
        #: Whether the canonical form of each case is checked; otherwise the caller must do so.
        self._check_form = check_form
        self.frontier = Frontier()
        self._sought = sought
        #: The first line that matches `sought`; the frontier watches its number.
        self.found: bytes | None = None
        self.header: dict[str, Any] | None = None
        self.footer: dict[str, Any] | None = None
        #: Bytes and digest up to the end of the last complete block.
        self.end = 0
        #: Bytes of the lines of all blocks.
        self.raw = 0
        self.digest = block.NO_DIGEST
        #: The fault of an incomplete last block.
        self.torn: str | None = None
        #: The secret of the salts; None if the lines are not salted.
        self.secret: bytes | None = None
        self._read_secret()

    @property
    def lines(self) -> int:
        """Number of lines read."""
        return self.frontier.size

    def __iter__(self) -> Iterator[tuple[bytes, dict[str, Any]]]:
        """Yield every line with its value, including header and footer.

        Without checking of the form, the values of cases are empty.
        """
        while self.footer is None:
            next_block = self._read_block()
            if next_block is None:
                return
            head, lines = next_block
            final = head.first + head.lines - 1 if head.last else None
            for number, line in enumerate(lines, head.first):
                value = self._value(number, line, ends=number == final)
                if self._sought is not None and self.found is None and self._sought(value):
                    self.frontier.watched, self.found = number, line
                yield line, value
            self.frontier.add(salted_leaf_hashes(lines, self.secret, head.first))
            self.digest = head.digest
            self.end += block.HEAD_BYTES + head.packed
        if self._file.read(1):
            raise self._tampered(AlterationSign.TRAILING, f"from byte {self.end} on")

    def blocks(
        self, wanted: Callable[[int], bool] = lambda _: True
    ) -> Iterator[tuple[block.BlockHead, list[bytes]]]:
        """Yield the `wanted` blocks, by index, with all their lines.

        The lines are unproven; the chain of digests over all blocks is verified.
        """
        number = 0
        while (next_block := self._read_block(unpack=wanted(number))) is not None:
            head, lines = next_block
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

    def _read_secret(self) -> None:
        """Read the frame before the first block, if there is one."""
        at = self._file.tell()
        raw = self._file.read(block.SALT_FRAME_BYTES)
        if not block.begins_salt_frame(raw):
            self._file.seek(at)
        elif len(raw) < block.SALT_FRAME_BYTES:
            self.torn = "the secret of the salts is cut off"
        else:
            self.secret = block.read_salt_frame(raw)
            self.end, self.digest = len(raw), block.first_digest(self.secret)

    def _read_block(self, *, unpack: bool = True) -> tuple[block.BlockHead, list[bytes]] | None:
        raw = self._file.read(block.HEAD_BYTES)
        if not raw:
            return None
        if len(raw) < block.HEAD_BYTES or self._only_zeros_follow(raw):
            self.torn = f"what stands from byte {self.end} on is no whole block"
            return None
        try:
            head = block.read_head(raw)
        except block.DamagedBlock as error:
            raise self._tampered(AlterationSign.DAMAGED, f"at byte {self.end}: {error}") from error
        if head.first != self.lines:
            what = f"at byte {self.end}: line {head.first} in the place of {self.lines}"
            raise self._tampered(AlterationSign.ORDER, what)
        self.raw += head.raw
        if self.raw > block.FILE_LIMIT:
            what = f"more than {block.FILE_LIMIT >> 30} GiB of lines"
            raise self._tampered(AlterationSign.DAMAGED, what)
        packed = self._file.read(head.packed)
        if len(packed) < head.packed:
            self.torn = f"{len(packed)} of {head.packed} bytes of the block at byte {self.end}"
            return None
        try:
            if unpack:
                return head, block.unpack_block(head, fields=raw, packed=packed, before=self.digest)
            block.verify_block(head, fields=raw, packed=packed, before=self.digest)
        except block.DamagedBlock as error:
            if self._forgiving and not self._file.read(1):
                self.torn = f"at byte {self.end}: {error}"
                return None
            raise self._tampered(AlterationSign.DAMAGED, f"at byte {self.end}: {error}") from error
        return head, []

    def _only_zeros_follow(self, raw: bytes) -> bool:
        """Return whether only zeros follow, at most one block of them: a trace of a power cut."""
        if any(raw):
            return False
        rest = self._file.read(block.PACKED_LIMIT + 1)
        return len(rest) <= block.PACKED_LIMIT and not any(rest)

    def _value(self, number: int, line: bytes, *, ends: bool) -> dict[str, Any]:
        """Return the value of a line; refuse a line that does not belong at this position."""
        if not self._check_form and number and not ends:
            return self._check_number(number, line)
        try:
            value = decode_canonical(line)
        except NotCanonical as error:
            raise self._tampered(AlterationSign.LINE, f"line {number}: {error}") from error
        if not isinstance(value, dict):
            raise self._tampered(AlterationSign.LINE, f"line {number} is no object")
        if number == 0:
            stated = block.FORMAT if self.secret is None else block.SALTED_FORMAT
            if ends or (value.get(KIND_FIELD), value.get(FORMAT_FIELD)) != ("header", stated):
                raise self._tampered(AlterationSign.FRAME, "line 0 is no header")
            self.header = value
        elif ends:
            if (value.get(KIND_FIELD), value.get(LINES_FIELD)) != ("footer", number + 1):
                raise self._tampered(AlterationSign.FRAME, f"line {number} is no footer")
            self.footer = value
        # bool is a subclass of int in Python, but not a number in JSON.
        elif KIND_FIELD in value or type(value.get("n")) is not int or value["n"] != number - 1:
            raise self._tampered(AlterationSign.LINE, f"line {number} is not case {number - 1}")
        return value

    def _check_number(self, number: int, line: bytes) -> dict[str, Any]:
        """Check only that a line is a case with the right number."""
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
        name: field_value
        for name, field_value in value.items()
        if name not in {KIND_FIELD, FORMAT_FIELD, LINES_FIELD}
    }
