"""Nothing can be changed, cut off, added or exchanged without being noticed."""

import hashlib
import os
import random
import struct
import subprocess

import msgspec
import pytest
import zstandard
from tests.tools import needs

from selo.errors import UsageError
from selo.evidence import block
from selo.evidence.evidence_errors import (
    AlterationSign,
    EvidenceNotWritable,
    EvidenceTampered,
    EvidenceUnfinished,
)
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.inclusion_proof import check_proof, prove_case
from selo.evidence.run_files import parse_root

pytestmark = pytest.mark.usefixtures("hasty")


def sign_of(run, root=None):
    with pytest.raises(EvidenceTampered) as caught:
        EvidenceReader(run.folder, root=root).read()
    assert not isinstance(caught.value, EvidenceUnfinished)
    return caught.value.sign


def whole_root(lines):
    """Return the root by the definition of RFC 9162, section 2.1.1."""
    if len(lines) == 1:
        return hashlib.sha256(b"\x00" + lines[0]).digest()
    k = 1
    while 2 * k < len(lines):
        k *= 2
    return hashlib.sha256(b"\x01" + whole_root(lines[:k]) + whole_root(lines[k:])).digest()


def test_what_was_written_is_read(small):
    root = small.write()

    assert list(EvidenceReader(small.folder)) == small.lines
    assert root == whole_root(small.lines).hex()


def test_header_and_footer_come_back_as_they_were_given(small):
    small.write()

    whole = EvidenceReader(small.folder).read()

    assert (whole.header, whole.footer) == (small.header, small.footer)
    assert (whole.lines, whole.cases) == (22, 20)


def test_without_any_root_nobody_is_said_to_know_it(small):
    small.write()

    assert EvidenceReader(small.folder).read().known_to == []


def test_every_file_that_names_the_root_is_named(small):
    root = small.write()
    small.record(root)
    small.record(root, "result.json")

    whole = EvidenceReader(small.folder, root=root).read()

    assert whole.known_to == ["run.json", "result.json", "--root"]


def test_every_flipped_byte_is_noticed_even_without_a_root(small):
    small.write()
    right = small.file.read_bytes()
    for at in range(len(right)):
        # Every bit in turn would take eight times as long; each byte gets a bit of its own.
        flipped = bytearray(right)
        flipped[at] ^= 1 << at % 8
        small.put(flipped)

        with pytest.raises(EvidenceTampered):
            EvidenceReader(small.folder).read()


@pytest.mark.full
def test_every_flipped_bit_is_noticed(small):
    small.record(small.write())
    right = small.file.read_bytes()
    for at in range(len(right)):
        for bit in range(8):
            small.put(right[:at] + bytes([right[at] ^ 1 << bit]) + right[at + 1 :])

            with pytest.raises(EvidenceTampered):
                EvidenceReader(small.folder).read()


def test_every_truncation_is_noticed_as_a_missing_end(small):
    small.record(small.write())
    right = small.file.read_bytes()
    for length in range(len(right)):
        small.put(right[:length])

        assert sign_of(small) is AlterationSign.CUT


def test_every_truncation_without_a_root_is_unfinished_and_never_whole(small):
    small.write()
    right = small.file.read_bytes()
    for length in range(len(right)):
        small.put(right[:length])

        with pytest.raises(EvidenceUnfinished):
            EvidenceReader(small.folder).read()


@pytest.mark.parametrize("more", [b"\x00", b"\n", b"{}\n", bytes(200)])
def test_appended_bytes_are_noticed(small, more):
    small.write()
    small.put(small.file.read_bytes() + more)

    assert sign_of(small) is AlterationSign.TRAILING


def test_a_file_appended_to_itself_is_noticed(small):
    small.write()
    small.put(2 * small.file.read_bytes())

    assert sign_of(small) is AlterationSign.TRAILING


def test_any_two_blocks_exchanged_are_noticed(small):
    small.write()
    blocks = small.blocks()
    assert len(blocks) == 6
    for one in range(len(blocks)):
        for other in range(one):
            changed = list(blocks)
            changed[one], changed[other] = changed[other], changed[one]
            small.put(b"".join(changed))

            with pytest.raises(EvidenceTampered):
                EvidenceReader(small.folder).read()


def test_any_block_taken_out_of_the_middle_is_noticed(small):
    small.write()
    blocks = small.blocks()
    for one in range(len(blocks) - 1):
        small.put(b"".join(blocks[:one] + blocks[one + 1 :]))

        assert sign_of(small) is AlterationSign.ORDER


def test_a_header_of_another_run_is_noticed(small, another):
    small.write()
    another.header = {"games": ["fish-prawn-crab"], "seed": 8}
    another.write()
    small.put(b"".join(another.blocks()[:1] + small.blocks()[1:]))

    assert sign_of(small) is AlterationSign.DAMAGED


def test_a_forged_header_with_digests_in_order_is_noticed_by_the_root(small):
    root = small.write()
    small.record(root)
    other = small.first.replace(b":7", b":8")
    small.forge([other, *small.cases, small.last])

    assert sign_of(small) is AlterationSign.ROOT


@pytest.mark.parametrize("name", ["run.json", "result.json"])
def test_a_single_forged_line_is_noticed_by_the_root_in_either_file(small, name):
    small.record(small.write(), name)
    for number in range(20):
        lines = small.lines
        lines[number + 1] = lines[number + 1].replace(b"true", b"false")
        small.forge(lines)

        assert sign_of(small) is AlterationSign.ROOT


def test_a_forged_line_is_noticed_by_a_root_that_was_given(small):
    root = small.write()
    lines = small.lines
    lines[5] = lines[5].replace(b"true", b"false")
    small.forge(lines)
    small.record(EvidenceReader(small.folder).read().root)

    assert sign_of(small, root=root) is AlterationSign.ROOT


def test_another_division_into_blocks_is_the_same_evidence(small):
    root = small.write()
    small.record(root)
    small.forge(small.lines)

    assert EvidenceReader(small.folder).read().root == root


def test_a_line_with_a_space_more_is_an_alteration_though_it_says_the_same(small):
    lines = small.lines
    lines[3] = lines[3].replace(b":", b": ", 1)
    small.forge(lines)

    assert sign_of(small) is AlterationSign.LINE


@pytest.mark.parametrize(
    "other",
    [
        b'{"key":"x","n":3,"right":true}', b'{"key":"x"}', b'{"n":"2"}', b'{"n":2.0}', b"[]", b"2",
        b'{"evidence":"header","n":2}', b'{"evidence":"footer","lines":22}', b"", b"null",
    ],
)  # fmt: skip
def test_a_line_that_is_not_the_case_whose_turn_it_is_is_noticed(small, other):
    lines = small.lines
    lines[3] = other
    small.forge(lines)

    assert sign_of(small) is AlterationSign.LINE


def test_true_is_not_taken_for_the_number_one(small):
    lines = small.lines
    lines[2] = lines[2].replace(b'"n":1', b'"n":true')
    small.forge(lines)

    assert sign_of(small) is AlterationSign.LINE


def test_evidence_without_a_header_is_noticed(small):
    small.forge([*small.cases, small.last])

    assert sign_of(small) is AlterationSign.FRAME


@pytest.mark.parametrize(
    "last", [b'{"cases":20,"evidence":"footer","lines":21}', b'{"key":"x","n":20,"right":true}']
)
def test_evidence_whose_last_line_is_no_footer_of_it_is_noticed(small, last):
    small.forge([small.first, *small.cases, last])

    assert sign_of(small) is AlterationSign.FRAME


def test_a_header_alone_is_no_evidence(small):
    small.forge([small.first])

    assert sign_of(small) is AlterationSign.FRAME


def test_an_empty_file_is_unfinished(small):
    small.folder.mkdir()
    small.file.touch()

    with pytest.raises(EvidenceUnfinished):
        EvidenceReader(small.folder).read()


def test_evidence_that_stops_after_a_whole_block_is_unfinished(small):
    small.begin()

    with pytest.raises(EvidenceUnfinished) as caught:
        EvidenceReader(small.folder).read()

    assert caught.value.cases == 20


def test_a_folder_without_evidence_is_an_error_of_usage(small):
    with pytest.raises(UsageError):
        EvidenceReader(small.folder).read()


def bomb(lines, size):
    """Return a block with a compressed frame of many megabytes, as it would be in good order."""
    head, _ = block.pack_block(lines, first=0, last=True, before=block.NO_DIGEST)
    fields = bytearray(head[: block.HEAD_BYTES - 32])
    packed = zstandard.ZstdCompressor().compress(bytes(size))
    fields[28:36] = size.to_bytes(4, "little") + len(packed).to_bytes(4, "little")
    digest = hashlib.sha256(block.NO_DIGEST + fields + packed).digest()
    return bytes(fields) + digest + packed


def test_a_block_that_would_unpack_to_too_much_is_refused_before_it_is(small):
    small.folder.mkdir()
    small.put(bomb(small.lines, block.RAW_LIMIT + 1))

    assert sign_of(small) is AlterationSign.DAMAGED


def test_a_frame_that_lies_about_its_size_is_refused_before_memory_is_taken(small):
    small.folder.mkdir()
    made = bytearray(bomb(small.lines, 1 << 20))
    # A frame header of RFC 8878 with eight bytes of content size: a petabyte.
    packed = b"\x28\xb5\x2f\xfd\xe0" + (1 << 50).to_bytes(8, "little") + made[100 + 13 :]
    made = made[: block.HEAD_BYTES - 32]
    made[32:36] = len(packed).to_bytes(4, "little")
    digest = hashlib.sha256(block.NO_DIGEST + made + packed).digest()
    small.put(bytes(made) + digest + packed)

    assert sign_of(small) is AlterationSign.DAMAGED


def test_a_block_with_a_second_frame_hidden_in_it_is_refused(small):
    packed, _ = block.pack_block(small.lines, first=0, last=True, before=block.NO_DIGEST)
    fields = bytearray(packed[: block.HEAD_BYTES - 32])
    frame = packed[block.HEAD_BYTES :] + zstandard.compress(b"hidden")
    fields[32:36] = len(frame).to_bytes(4, "little")
    digest = hashlib.sha256(block.NO_DIGEST + fields + frame).digest()
    small.folder.mkdir()
    small.put(bytes(fields) + digest + frame)

    assert sign_of(small) is AlterationSign.DAMAGED


def test_random_bytes_are_never_evidence(small):
    small.folder.mkdir()
    draw = random.Random(5)  # noqa: S311 - the same bytes each time
    for _ in range(200):
        small.put(draw.randbytes(draw.randrange(300)))

        with pytest.raises(EvidenceTampered):
            EvidenceReader(small.folder).read()


@pytest.mark.parametrize("name", ["evidence.jsonl.zst", "run.json", "result.json"])
def test_a_link_out_of_the_folder_is_not_followed(small, another, name):
    root = another.write()
    another.record(root)
    small.record(small.write())
    small.record(root, "result.json")
    (small.folder / name).unlink()
    (small.folder / name).symlink_to(next(another.folder.glob("*" + name[-4:])))

    assert sign_of(small) is AlterationSign.LINK


@pytest.mark.parametrize("name", ["evidence.jsonl.zst", "run.json"])
def test_a_pipe_in_the_place_of_a_file_does_not_hold_us_up(small, name):
    small.record(small.write())
    (small.folder / name).unlink()
    os.mkfifo(small.folder / name)

    assert sign_of(small) is AlterationSign.LINK


@pytest.mark.parametrize(
    "record", ["", "{", '{"evidence_root": 7}', '{"evidence_root": "AB"}', "[" * 100_000]
)
def test_a_record_that_cannot_be_read_is_not_taken_for_one_without_a_root(small, record):
    small.write()
    (small.folder / "run.json").write_text(record, encoding="utf-8")

    assert sign_of(small) is AlterationSign.RECORD


def test_files_that_name_two_roots_are_noticed(small):
    small.record(small.write())
    small.record("0" * 64, "result.json")

    assert sign_of(small) is AlterationSign.ROOT


def test_a_run_that_is_still_going_on_names_no_root_yet(small):
    small.write()
    (small.folder / "run.json").write_text('{"begun": "2026-11-02"}', encoding="utf-8")

    assert EvidenceReader(small.folder).read().known_to == []


@needs("zstd")
def test_anybody_can_read_the_lines_with_zstd_itself(small):
    small.write()

    read = subprocess.run(["zstd", "-dc", small.file], check=True, capture_output=True).stdout

    assert read.splitlines() == small.lines


def test_anybody_can_read_the_lines_with_a_reader_of_the_format(small):
    small.write()
    with small.file.open("rb") as file:
        frames = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)

        assert frames.read().splitlines() == small.lines


def test_the_file_is_laid_out_as_the_documentation_has_it(small):
    small.write()
    raw, at, before, lines = small.file.read_bytes(), 0, bytes(32), []
    while at < len(raw):
        magic, follow, name, form, last, zero = struct.unpack_from("<II4sBBH", raw, at)
        first, count, size, packed = struct.unpack_from("<QIII", raw, at + 16)
        frame = raw[at + 68 : at + 68 + packed]
        digest = hashlib.sha256(before + raw[at : at + 36] + frame).digest()
        plain = zstandard.decompress(frame)

        assert (magic, follow, name, form, zero) == (0x184D2A53, 60, b"SELO", 1, 0)
        assert (first, count, size) == (len(lines), plain.count(b"\n"), len(plain))
        assert raw[at + 36 : at + 68] == digest
        lines += plain.splitlines()
        at, before = at + 68 + packed, digest
        assert last == (at == len(raw))
    assert lines == small.lines


def test_every_case_can_be_proved_by_number_and_by_key(small):
    root = small.write()
    for number in range(20):
        made = prove_case(small.folder, number)

        assert (
            made
            == prove_case(small.folder, f"{number:020x}")
            == prove_case(small.folder, str(number))
        )
        assert made.line.encode() == small.cases[number]
        assert (made.index, made.size) == (number + 1, 22)
        assert check_proof(made, root)


@pytest.mark.parametrize(("name", "index"), [("header", 0), ("footer", 21)])
def test_header_and_footer_can_be_proved(small, name, index):
    root = small.write()

    made = prove_case(small.folder, name)

    assert (made.index, made.line.encode()) == (index, small.lines[index])
    assert check_proof(made, root)


def test_a_proof_with_anything_changed_proves_nothing(small):
    root = small.write()
    made = prove_case(small.folder, 6)
    flipped = f"{int(root, 16) ^ 1:064x}"
    changed = [
        msgspec.structs.replace(made, line=made.line.replace("true", "false")),
        msgspec.structs.replace(made, line=made.line + " "),
        msgspec.structs.replace(made, index=made.index + 1),
        msgspec.structs.replace(made, size=made.size - 10),
        msgspec.structs.replace(made, path=made.path[::-1]),
        msgspec.structs.replace(made, path=made.path[1:]),
        msgspec.structs.replace(made, path=[*made.path, made.path[0]]),
    ]

    assert check_proof(made, root)
    assert not check_proof(made, parse_root(flipped))
    assert not any(check_proof(one, root) for one in changed)


@pytest.mark.parametrize("case", ["20", 20, -1, "ffffffffffffffffffff", "7" * 20, ""])
def test_a_case_that_is_not_there_is_not_proved(small, case):
    small.write()

    with pytest.raises(UsageError):
        prove_case(small.folder, case)


def test_nothing_is_proved_from_altered_evidence(small):
    small.record(small.write())
    lines = small.lines
    lines[9] = lines[9].replace(b"true", b"false")
    small.forge(lines)

    with pytest.raises(EvidenceTampered):
        prove_case(small.folder, 2)


@pytest.mark.parametrize("said", [None, 1, block.LINES_LIMIT])
def test_more_lines_than_a_block_has_are_refused_before_they_are_split(said):
    """Millions of short ones in a small file would take a gigabyte."""
    lines = [b"1"] * (block.LINES_LIMIT + 1)
    packed, _ = block.pack_block(lines, first=0, last=True, before=block.NO_DIGEST)
    if said is not None:
        # The count of lines follows the number of the first one.
        packed = packed[:24] + said.to_bytes(4, "little") + packed[28:]
    fields, rest = packed[: block.HEAD_BYTES], packed[block.HEAD_BYTES :]
    # A forger makes the digest anew.
    digest = block._digest(block.NO_DIGEST, fields[:-32], rest)  # noqa: SLF001 - the same

    def unpack():
        head = block.read_head(fields)._replace(digest=digest)
        return block.unpack_block(head, fields=fields, packed=rest, before=block.NO_DIGEST)

    with pytest.raises(block.DamagedBlock):
        unpack()


def test_a_file_unpacks_to_no_more_than_any_examination(small, another, monkeypatch):
    """Neither reader nor writer goes further, so that nothing is written that nobody reads."""
    small.write()
    monkeypatch.setattr(block, "FILE_LIMIT", sum(map(len, small.lines)))

    with pytest.raises(EvidenceTampered, match="GiB of lines"):
        EvidenceReader(small.folder).read()
    with pytest.raises(EvidenceNotWritable):
        another.write()
