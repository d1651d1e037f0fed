"""The block format of evidence files: compressed lines, chained by digests.

A block is two frames of the Zstandard format (RFC 8878): a skippable frame with our own fields,
then one frame with the compressed lines, so that ``zstd -dc`` prints the lines of an evidence file.

zstandard compresses lines to a tenth at a microsecond each; gzip and lzma, which the standard
library of Python 3.11 offers, take five and fifty times as long.
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
#: The format that a header states whose lines are salted; blocks are the same.
SALTED_FORMAT: Final = 2
LINE_LIMIT: Final = 16 * 1024 * 1024
#: Lines of a block: millions of short ones in a small file would take a gigabyte of memory.
LINES_LIMIT: Final = 4096
#: Bytes of all lines of a file, a dozen times those of a full examination: what a small file claims
#: to unpack to is not unpacked for hours.
FILE_LIMIT: Final = 8 << 30
#: A block is closed before it exceeds half of this, and takes at most one more line.
RAW_LIMIT: Final = 2 * LINE_LIMIT
#: Upper bound of the growth of incompressible data.
PACKED_LIMIT: Final = RAW_LIMIT + RAW_LIMIT // 128
_COMPRESSION_LEVEL: Final = 1

#: Skippable frame and its size; our magic, format version, last-block flag, reserved; number of the
#: first line, count of lines, uncompressed bytes, compressed bytes.
_FIELDS: Final = struct.Struct("<II4sBBHQIII")
_SKIPPABLE: Final = 0x184D2A53
_MAGIC: Final = b"SELO"
HEAD_BYTES: Final = _FIELDS.size + HASH_BYTES
#: The size field of a skippable frame excludes its magic number and itself.
_SKIPPABLE_SIZE: Final = HEAD_BYTES - 8
#: The predecessor digest of the first block.
NO_DIGEST: Final = bytes(HASH_BYTES)


#: A skippable frame of another kind at the beginning of a file: the secret of the salts.
_SALT_FIELDS: Final = struct.Struct(f"<II4s{HASH_BYTES}s")
_SALT_FRAME: Final = 0x184D2A54
_SALT_NAME: Final = b"SALT"
SALT_FRAME_BYTES: Final = _SALT_FIELDS.size


class DamagedBlock(Exception):
    """The bytes are not a valid block; never leaves this package."""


class BlockHead(NamedTuple):
    """The fields before the compressed lines."""

    last: bool
    first: int
    lines: int
    raw: int
    packed: int
    digest: bytes


def pack_block(
    lines: Sequence[bytes], *, first: int, last: bool, before: bytes
) -> tuple[bytes, bytes]:
    """Return a block of `lines`, and its digest for the next block."""
    raw = b"\n".join([*lines, b""])
    if raw.count(b"\n") != len(lines):
        raise NotCanonical("a line end inside of a line")
    # Creating a compressor is cheap relative to a block and avoids shared state.
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


def pack_salt_frame(secret: bytes) -> bytes:
    """Return the frame that holds the secret of the salts."""
    return _SALT_FIELDS.pack(_SALT_FRAME, SALT_FRAME_BYTES - 8, _SALT_NAME, secret)


def begins_salt_frame(raw: bytes) -> bool:
    """Return whether bytes at the beginning of a file are the frame of a secret, or part of one."""
    whole = _SALT_FIELDS.pack(_SALT_FRAME, SALT_FRAME_BYTES - 8, _SALT_NAME, bytes(HASH_BYTES))
    known = len(whole) - HASH_BYTES
    return bool(raw) and raw[:known] == whole[: min(len(raw), known)]


def read_salt_frame(raw: bytes) -> bytes:
    """Return the secret in a frame."""
    return bytes(_SALT_FIELDS.unpack(raw)[-1])


def first_digest(secret: bytes | None) -> bytes:
    """Return the predecessor digest of the first block, which binds the secret before it."""
    return NO_DIGEST if secret is None else hashlib.sha256(pack_salt_frame(secret)).digest()


def read_head(raw: bytes) -> BlockHead:
    """Return the header of a block; refuse impossible values."""
    magic, skipped, name, form, last, zero, first, lines, size, packed = _FIELDS.unpack_from(raw)
    if (magic, skipped, name, zero) != (_SKIPPABLE, _SKIPPABLE_SIZE, _MAGIC, 0) or last > 1:
        raise DamagedBlock("no block begins here")
    if form != FORMAT:
        raise DamagedBlock(f"format {form}; this program reads format {FORMAT}")
    if not (
        0 < lines <= min(size, LINES_LIMIT) and size <= RAW_LIMIT and 0 < packed <= PACKED_LIMIT
    ):
        raise DamagedBlock("the block says that it is larger than any block can be")
    return BlockHead(bool(last), first, lines, size, packed, raw[_FIELDS.size : HEAD_BYTES])


def verify_block(head: BlockHead, *, fields: bytes, packed: bytes, before: bytes) -> None:
    """Refuse a block that does not match its digest and that of its predecessor."""
    if _digest(before, fields[: _FIELDS.size], packed) != head.digest:
        raise DamagedBlock("the digest of the block is another")


def unpack_block(head: BlockHead, *, fields: bytes, packed: bytes, before: bytes) -> list[bytes]:
    """Return the lines of a block."""
    verify_block(head, fields=fields, packed=packed, before=before)
    raw = _decompress(packed, head.raw)
    # Counted before they are split: the block may say less than it has.
    if raw.count(b"\n") != head.lines or not raw.endswith(b"\n"):
        raise DamagedBlock("the block has not the lines that it says")
    lines = raw.split(b"\n")[:-1]
    if max(map(len, lines)) > LINE_LIMIT:
        raise DamagedBlock("a line is longer than any line can be")
    return lines


def _decompress(packed: bytes, size: int) -> bytes:
    try:
        # The frame's size determines the memory allocated, so it is checked first.
        if zstandard.frame_content_size(packed) != size:
            raise DamagedBlock("the compressed frame has another size")
        raw = zstandard.ZstdDecompressor().decompress(packed, allow_extra_data=False)
    except (zstandard.ZstdError, ValueError) as error:
        raise DamagedBlock(f"cannot be decompressed: {error}") from error
    return raw


def _digest(before: bytes, fields: bytes, packed: bytes) -> bytes:
    return hashlib.sha256(b"".join((before, fields, packed))).digest()
