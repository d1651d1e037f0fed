"""What can be wrong with evidence, told to people in their language."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from selo.errors import SeloError
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    from pathlib import Path


class AlterationSign(enum.StrEnum):
    """Each way in which an alteration shows; messages are found by these names."""

    #: A block is not what its own digest says, or is no block.
    DAMAGED = "damaged"
    #: A block does not follow the one before it.
    ORDER = "order"
    #: A line is not in canonical form, or is not the case whose turn it is.
    LINE = "line"
    #: The first line is no header, or the last no footer.
    FRAME = "frame"
    #: Something follows the end.
    TRAILING = "trailing"
    #: The end is missing though the run was finished.
    CUT = "cut"
    #: Every line is in order, and the root is another.
    ROOT = "root"
    #: A file that should name a root cannot be read.
    RECORD = "record"
    #: A link stands where a file must be.
    LINK = "link"


class EvidenceTampered(SeloError):
    """Evidence is not as it was written."""

    code = "tampered"

    def __init__(self, *, path: Path, sign: AlterationSign, what: str) -> None:
        super().__init__()
        self.path = path
        self.sign = sign
        #: For developers: which line or byte, and what was seen there.
        self.what = what

    def __str__(self) -> str:
        return self.in_language("en")

    def in_language(self, language: str) -> str:
        """Return where, what, and what to do."""
        told = say(f"evidence.altered.{self.sign}", language)
        return _compose(self, told, say("evidence.altered.hint", language), language)


class EvidenceUnfinished(EvidenceTampered):
    """The end is missing, and no root is known that would tell whether there ever was one."""

    code = "unfinished"

    def __init__(self, *, path: Path, lines: int, what: str) -> None:
        super().__init__(path=path, sign=AlterationSign.CUT, what=what)
        #: Lines that can be read, the header among them.
        self.lines = lines

    @property
    def cases(self) -> int:
        """How many cases can be read."""
        return max(self.lines - 1, 0)

    def in_language(self, language: str) -> str:
        """Return where, how far it can be read, and what to do."""
        told = say("evidence.unfinished", language, cases=self.cases)
        hint = say("evidence.unfinished.hint", language, folder=self.path.parent)
        return _compose(self, told, hint, language)


def _compose(error: EvidenceTampered, told: str, hint: str, language: str) -> str:
    label = say("fault.hint", language, hint=hint)
    return f"{error.path}: {told} ({error.what})\n  {label}"


class WrittenOutOfOrder(SeloError):
    """Selo itself wrote in the wrong order, or after the end."""

    code = "suite"


class EvidenceNotWritable(SeloError):
    """Evidence cannot be written: the disk is full, or broken, or not ours."""

    code = "record"

    def __init__(self, *, path: Path, cause: OSError, kept: int) -> None:
        super().__init__(
            f"{path}: the evidence cannot be written: {cause.strerror or cause}\n"
            f"  hint: {kept} lines are safe; make room and resume."
        )
        self.kept = kept
