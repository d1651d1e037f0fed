"""Errors of reading and writing evidence, in the user's language."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from selo.errors import SeloError, UsageError
from selo.text import say

if TYPE_CHECKING:
    from pathlib import Path


class AlterationSign(enum.StrEnum):
    """Each way in which an alteration shows; messages are found by these names."""

    #: A block does not match its digest, or is not a block.
    DAMAGED = "damaged"
    #: A block does not follow its predecessor.
    ORDER = "order"
    #: A line is not in canonical form, or is not the next case.
    LINE = "line"
    #: The first line is not a header, or the last not a footer.
    FRAME = "frame"
    #: Bytes follow the end.
    TRAILING = "trailing"
    #: The end is missing although the run was finished.
    CUT = "cut"
    #: Every line is valid, but the root differs.
    ROOT = "root"
    #: A file that should contain the root cannot be read.
    RECORD = "record"
    #: A line is not about the case, round or reduction that the plan has in its place.
    PLAN = "plan"
    #: Header and footer contradict each other, or what they stand on.
    CLAIM = "claim"
    #: A symbolic link instead of a file.
    LINK = "link"


class EvidenceTampered(SeloError):
    """Evidence was altered after it was written."""

    code = "tampered"

    def __init__(self, *, path: Path, sign: AlterationSign, what: str) -> None:
        super().__init__()
        self.path = path
        self.sign = sign
        #: For developers: line or byte, and what was read there.
        self.what = what

    def __str__(self) -> str:
        return self.in_language("en")

    def in_language(self, language: str) -> str:
        """Return path, problem and remedy in `language`."""
        problem = say(f"evidence.altered.{self.sign}", language)
        return _compose(self, problem, say("evidence.altered.hint", language), language)


class EvidenceUnfinished(EvidenceTampered):
    """The end is missing, and no known root shows that there was one."""

    code = "unfinished"

    def __init__(self, *, path: Path, lines: int, what: str) -> None:
        super().__init__(path=path, sign=AlterationSign.CUT, what=what)
        #: Readable lines, including the header.
        self.lines = lines

    @property
    def cases(self) -> int:
        """Number of readable cases."""
        return max(self.lines - 1, 0)

    def in_language(self, language: str) -> str:
        """Return path, number of readable cases and remedy in `language`."""
        problem = say("evidence.unfinished", language, cases=self.cases)
        # Without a header there is nothing to go on with.
        key = "evidence.unfinished.hint" if self.lines else "evidence.headless.hint"
        hint = say(key, language, folder=self.path.parent)
        return _compose(self, problem, hint, language)


def _compose(error: EvidenceTampered, problem: str, hint: str, language: str) -> str:
    label = say("fault.hint", language, hint=hint)
    return f"{error.path}: {problem} ({error.what})\n  {label}"


class WrittenOutOfOrder(SeloError):
    """Selo itself wrote in the wrong order or after the end."""

    code = "suite"


class EvidenceNotWritable(SeloError):
    """Evidence cannot be written: the disk is full, broken or not writable."""

    code = "record"

    def __init__(self, *, path: Path, cause: OSError, kept: int) -> None:
        super().__init__(
            f"{path}: the evidence cannot be written: {cause.strerror or cause}\n"
            f"  hint: {kept} lines are safe; make room and resume."
        )
        self.kept = kept


class RunFinished(UsageError):
    """A finished run cannot be resumed."""

    code = "finished"
