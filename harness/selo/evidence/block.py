"""How lines stand in the file: blocks, each sealed by a digest that covers the one before it.

A block is two frames of the Zstandard format (RFC 8878): a skippable frame with our own fields,
then one frame with the compressed lines, so that ``zstd -dc`` shows the lines of any evidence.

zstandard is the library for it: lines shrink to a tenth at a microsecond each. The standard
library of Python 3.11 has gzip and lzma only, which take five and fifty times as long.
"""

from __future__ import annotations

import hashlib
import struct
from typing import TYPE_CHECKING, Final, NamedTuple

import zstandard

from selo.evidence.canonical_json import NotCanonical
from selo.evidence.merkle import HASH_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

FORMAT: Final = 1
LINE_LIMIT: Final = 16 * 1024 * 1024
#: A block is ended before it grows beyond half of this, and holds one more line at most.
RAW_LIMIT: Final = 2 * LINE_LIMIT
#: What cannot be compressed grows by less than this.
PACKED_LIMIT: Final = RAW_LIMIT + RAW_LIMIT // 128
_COMPRESSION_LEVEL: Final = 1

#: Skippable frame and its size; name and format of ours, whether it is the last block, nothing;
#: number of its first line, lines, bytes of them, bytes compressed.
_FIELDS: Final = struct.Struct("<II4sBBHQIII")
_SKIPPABLE: Final = 0x184D2A53
_MAGIC: Final = b"SELO"
HEAD_BYTES: Final = _FIELDS.size + HASH_BYTES
#: The size that a skippable frame names leaves out its own magic number and size.
_SKIPPABLE_SIZE: Final = HEAD_BYTES - 8
#: The digest before the first block.
NO_DIGEST: Final = bytes(HASH_BYTES)


class DamagedBlock(Exception):
    """Bytes are not the block that they should be; never leaves this room."""


class BlockHead(NamedTuple):
    """What stands before the compressed lines."""

    last: bool
    first: int
    lines: int
    raw: int
    packed: int
    digest: bytes


def pack_block(
    lines: Sequence[bytes], *, first: int, last: bool, before: bytes
) -> tuple[bytes, bytes]:
    """Return a block of `lines`, and the digest that the next one needs."""
    raw = b"\n".join([*lines, b""])
    if raw.count(b"\n") != len(lines):
        raise NotCanonical("a line end inside of a line")
    # A compressor for each block costs nothing beside the block, and no state is shared.
    packed = zstandard.ZstdCompressor(level=_COMPRESSION_LEVEL, write_checksum=True).compress(raw)
    fields = _FIELDS.pack(
        _SKIPPABLE,
        _SKIPPABLE_SIZE,
        _MAGIC,
        FORMAT,
        last,
        0,
        first,
        len(lines),
        len(raw),
        len(packed),
    )
    digest = _digest(before, fields, packed)
    return b"".join((fields, digest, packed)), digest


def read_head(raw: bytes) -> BlockHead:
    """Return what the first bytes of a block say, refusing what no block can say."""
    magic, skipped, name, form, last, zero, first, lines, size, packed = _FIELDS.unpack_from(raw)
    if (magic, skipped, name, zero) != (_SKIPPABLE, _SKIPPABLE_SIZE, _MAGIC, 0) or last > 1:
        raise DamagedBlock("no block begins here")
    if form != FORMAT:
        raise DamagedBlock(f"format {form}; this program reads format {FORMAT}")
    if not 0 < lines <= size <= RAW_LIMIT or not 0 < packed <= PACKED_LIMIT:
        raise DamagedBlock("the block says that it is larger than any block can be")
    return BlockHead(bool(last), first, lines, size, packed, raw[_FIELDS.size : HEAD_BYTES])


def verify_block(head: BlockHead, *, fields: bytes, packed: bytes, before: bytes) -> None:
    """Refuse a block that is not what its digest, and that of the one before it, covers."""
    if _digest(before, fields[: _FIELDS.size], packed) != head.digest:
        raise DamagedBlock("the digest of the block is another")


def unpack_block(head: BlockHead, *, fields: bytes, packed: bytes, before: bytes) -> list[bytes]:
    """Return the lines of a block."""
    verify_block(head, fields=fields, packed=packed, before=before)
    raw = _decompress(packed, head.raw)
    lines = raw.split(b"\n")
    if lines.pop() or len(lines) != head.lines:
        raise DamagedBlock("the block has not the lines that it says")
    if max(map(len, lines)) > LINE_LIMIT:
        raise DamagedBlock("a line is longer than any line can be")
    return lines


def _decompress(packed: bytes, size: int) -> bytes:
    try:
        # What the frame says of its size decides how much memory is taken: it is looked at first.
        if zstandard.frame_content_size(packed) != size:
            raise DamagedBlock("the compressed frame has another size")
        raw = zstandard.ZstdDecompressor().decompress(packed, allow_extra_data=False)
    except (zstandard.ZstdError, ValueError) as error:
        raise DamagedBlock(f"cannot be decompressed: {error}") from error
    return raw


def _digest(before: bytes, fields: bytes, packed: bytes) -> bytes:
    return hashlib.sha256(b"".join((before, fields, packed))).digest()
