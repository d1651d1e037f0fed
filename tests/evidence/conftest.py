"""Evidence of a small run, and the means to forge it."""

import json
import os

import pytest

from selo.evidence import block
from selo.evidence.evidence_writer import EvidenceWriter

HEADER = {"games": ["fish-prawn-crab"], "seed": 7}
FOOTER = {"cases": 20}


def line(number, **more):
    """Return the line of a case, written by the standard library and not by us."""
    case = {"n": number, "key": f"{number:020x}", "right": True, **more}
    return json.dumps(case, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


class Run:
    """A run in a folder: twenty cases in four blocks."""

    header = HEADER
    footer = FOOTER
    cases = tuple(line(number) for number in range(20))
    #: What header and footer look like in the file, written by hand.
    first = b'{"evidence":"header","format":1,"games":["fish-prawn-crab"],"seed":7}'
    last = b'{"cases":20,"evidence":"footer","lines":22}'

    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "evidence.jsonl.zst"

    @property
    def lines(self):
        return [self.first, *self.cases, self.last]

    def begin(self, *, until=20):
        """Write the header and the first cases, five in each block, and leave."""
        with EvidenceWriter(self.folder) as writer:
            writer.header(self.header)
            for start in range(0, until, 5):
                writer.lines(self.cases[start : min(start + 5, until)])
                writer.flush()

    def write(self):
        """Write everything and return the root."""
        with EvidenceWriter(self.folder) as writer:
            writer.header(self.header)
            for start in range(0, 20, 5):
                writer.lines(self.cases[start : start + 5])
                writer.flush()
            return writer.close(self.footer)

    def record(self, root, name="run.json"):
        (self.folder / name).write_text(json.dumps({"evidence_root": root}), encoding="utf-8")

    def forge(self, *blocks, ends=True):
        """Write a file whose digests are all in order, whatever the lines are."""
        digest, first, written = block.NO_DIGEST, 0, []
        for number, lines in enumerate(blocks, 1):
            packed, digest = block.pack_block(
                lines, first=first, last=ends and number == len(blocks), before=digest
            )
            first += len(lines)
            written.append(packed)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(b"".join(written))

    def put(self, raw):
        """Put a new file in place of the evidence: to cut an old one costs a wait for the disk."""
        self.file.unlink(missing_ok=True)
        self.file.write_bytes(raw)

    def blocks(self):
        """Return the bytes of each block, found by the skippable frames that begin them."""
        parts = self.file.read_bytes().split(b"\x53\x2a\x4d\x18")
        return [b"\x53\x2a\x4d\x18" + part for part in parts[1:]]


@pytest.fixture
def small(tmp_path):
    return Run(tmp_path / "run")


@pytest.fixture
def hasty(monkeypatch):
    """Do not wait for the disk, where a test writes hundreds of files."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def another(tmp_path):
    return Run(tmp_path / "another")
