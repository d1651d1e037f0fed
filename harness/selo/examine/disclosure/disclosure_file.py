"""Writes and reads the file of a disclosure: parts of evidence under the root of the whole.

The file is Zstandard over lines of JSON: a head; then, for the evidence and for the draws, the name
of the file it is part of with the number of its lines, and the items of the pruned tree in order
(`selo.evidence.inclusion_proof`). Header and footer are always shown.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
import zstandard
from msgspec import Meta

from selo.errors import SeloError
from selo.evidence import EvidenceReader
from selo.evidence.block import LINE_LIMIT
from selo.evidence.inclusion_proof import HiddenSubtree, PrunedItem, ShownLine, plan_pruning
from selo.evidence.merkle import Root, salt_of, salted_leaf_hashes
from selo.evidence.run_files import CASES_FILE, DRAWS_FILE
from selo.json_numbers import LARGEST_INTEGER
from selo.storage import read_bounded, write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from selo.evidence.run_files import EvidenceFile

    #: Whether a line is shown, by its number and its content.
    LineChoice = Callable[[int, bytes], bool]

_LEVEL: Final = 10
#: Every byte of a line may be escaped, and some fields come on top.
_ITEM_LIMIT: Final = 7 * LINE_LIMIT
_MAX_UNPACKED: Final = 8 * 1024**3
_MAX_PROVISIONS: Final = 10_000


class DisclosureBroken(SeloError):
    """A disclosure that does not lead to the root, or that leaves out what it says it shows."""

    code = "tampered"


class DisclosureHead(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="selo-evidence",
    tag_field="disclosure",
):  # fmt: skip
    """The first line: the provisions of which every line is shown."""

    format: Literal[1] = 1
    provisions: Annotated[list[str], Meta(max_length=_MAX_PROVISIONS)] = []


class DisclosedPart(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="part"
):
    """The beginning of the part of one evidence file."""

    file: Literal["evidence.jsonl.zst", "draws.jsonl.zst"]
    size: Annotated[int, Meta(ge=2, le=LARGEST_INTEGER)]


_decode_head: Final = msgspec.json.Decoder(DisclosureHead).decode
_decode_item: Final = msgspec.json.Decoder(ShownLine | HiddenSubtree | DisclosedPart).decode
_encode: Final = msgspec.json.encode


@dataclass(frozen=True, kw_only=True, slots=True)
class WrittenDisclosure:
    """What was written of one evidence file."""

    file: str
    root: Root
    lines: int
    shown: int
    salted: bool


def write_disclosure(
    path: Path,
    folder: Path,
    provisions: list[str],
    choices: dict[EvidenceFile, LineChoice],
) -> list[WrittenDisclosure]:
    """Write the chosen lines of a run and what proves them; the run must be unaltered."""
    written = []
    packed = io.BytesIO()
    with zstandard.ZstdCompressor(level=_LEVEL).stream_writer(packed, closefd=False) as out:
        out.write(_encode(DisclosureHead(provisions=sorted(provisions))) + b"\n")
        for book, choice in choices.items():
            written.append(_write_part(out, folder, book, choice))
    write_file(path, packed.getvalue())
    return written


def _write_part(
    out: Any, folder: Path, book: EvidenceFile, choice: LineChoice
) -> WrittenDisclosure:
    reader = EvidenceReader(folder, book=book)
    secret = reader.secret()
    whole = reader.read()
    hashes = bytearray()
    shown = []
    for at, line in enumerate(reader):
        hashes += salted_leaf_hashes([line], secret, at)[0]
        if at in {0, whole.lines - 1} or choice(at, line):
            shown.append(at)
    out.write(_encode(DisclosedPart(file=_name_of(book), size=whole.lines)) + b"\n")
    lines = enumerate(reader)
    for item in plan_pruning(bytes(hashes), shown):
        if isinstance(item, HiddenSubtree):
            out.write(_encode(item) + b"\n")
            continue
        line = next(line for at, line in lines if at == item)
        salt = msgspec.UNSET if secret is None else salt_of(secret, item).hex()
        out.write(_encode(ShownLine(at=item, line=line.decode(), salt=salt)) + b"\n")
    return WrittenDisclosure(
        file=book.file,
        root=whole.root,
        lines=whole.lines,
        shown=len(shown),
        salted=secret is not None,
    )


def _name_of(book: EvidenceFile) -> Literal["evidence.jsonl.zst", "draws.jsonl.zst"]:
    return "draws.jsonl.zst" if book == DRAWS_FILE else "evidence.jsonl.zst"


class DisclosureReader:
    """Reads a disclosure from its first item to its last; nothing of it is proven here."""

    def __init__(self, path: Path) -> None:
        self._lines = _read_lines(read_bounded(path))
        try:
            self.head = _decode_head(next(self._lines, b""))
        except msgspec.MsgspecError as error:
            raise DisclosureBroken(f"{path}: {error}") from error
        self._part = self._next()

    def part(self) -> DisclosedPart | None:
        """Return the beginning of the next part; None after the last."""
        part, self._part = self._part, None
        if part is not None and not isinstance(part, DisclosedPart):
            raise DisclosureBroken("an item outside of any part")
        return part

    def items(self) -> Iterator[PrunedItem]:
        """Yield the items of the part that was begun."""
        while (item := self._next()) is not None:
            if isinstance(item, DisclosedPart):
                self._part = item
                return
            yield item

    def _next(self) -> PrunedItem | DisclosedPart | None:
        line = next(self._lines, None)
        if line is None:
            return None
        try:
            item: PrunedItem | DisclosedPart = _decode_item(line)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise DisclosureBroken(str(error)) from error
        return item


def _read_lines(packed: bytes) -> Iterator[bytes]:
    """Yield the lines of a compressed file, none longer than a line can be."""
    stream: IO[bytes] = io.BufferedReader(
        zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(io.BytesIO(packed))
    )
    left = _MAX_UNPACKED
    try:
        while line := stream.readline(_ITEM_LIMIT):
            left -= len(line)
            if not line.endswith(b"\n") or left < 0:
                raise DisclosureBroken("a line, or the file, is longer than it can be")
            yield line
    except zstandard.ZstdError as error:
        raise DisclosureBroken(str(error)) from error


#: The evidence files of a run, in the order in which a disclosure has them.
BOOKS: Final = (CASES_FILE, DRAWS_FILE)
