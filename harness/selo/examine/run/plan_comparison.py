"""Holds evidence against the plan that its header determines.

1. Line n is about case n of the plan; workers compare that (`selo.examine.analysis`).
2. The planned rounds follow, each once and in order.
3. Reductions follow; once findings are collected, each must belong to one of them.
4. The footer counts what the plan has.

A run that was interrupted is a beginning of this, and can be resumed; it never has a footer.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from selo.engine import plan_retired_at
from selo.evidence import EvidenceReader
from selo.evidence.canonical_json import encode_canonical
from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
from selo.evidence.run_files import CASES_FILE
from selo.examine.exchange import REDUCTION
from selo.examine.live_rounds import ROUND, plan_all_scripts
from selo.examine.plan import Plan
from selo.examine.plan.recorded_plan import RecordedPlan
from selo.examine.run.evidence_claims import find_contradiction

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from selo.examine.exchange import ReductionLog
    from selo.examine.run.evidence_header import Header
    from selo.law import Law


def with_plan_of(law: Law, folder: Path, header: Header) -> Law:
    """Return the law by which evidence is replayed: with its recorded plan, if none is made again.

    What the footer counts is believed here; replaying compares it with the lines.
    """
    if plan_retired_at(header.terms.engine_number) is None:
        return law
    footer = EvidenceReader(folder).read().footer
    try:
        recorded = RecordedPlan(
            folder=folder, terms=header.terms, cases=footer["cases"], rounds=footer["rounds"],
            left_out=footer["rounds_left_out"],
        )  # fmt: skip
        lines = recorded.cases + recorded.rounds
    except (KeyError, TypeError) as error:
        raise departed(folder, f"the footer counts nothing: {error}") from error
    if not 0 <= recorded.cases <= lines:
        raise departed(folder, "the footer counts less than nothing")
    return dataclasses.replace(law, recorded=recorded)


class RoundQuestion(NamedTuple):
    """The part of a line about a round that its script determines."""

    game: str
    group: str
    params: bytes


class PlannedRounds(NamedTuple):
    """The rounds of a plan in order, and why some are left out."""

    questions: list[RoundQuestion]
    left_out: list[str]


class _QuestionLine(msgspec.Struct, frozen=True):
    """The question of a line, whatever was answered."""

    game: str
    group: str
    method: str
    n: int
    params: msgspec.Raw


_decode_question: Final = msgspec.json.Decoder(_QuestionLine).decode


def list_planned_rounds(law: Law, header: Header) -> PlannedRounds:
    """Return the rounds that a run with this header plays."""
    scripts, left_out = plan_all_scripts(law, header.terms, header.description.games)
    questions = [
        RoundQuestion(
            script.game, script.group or ROUND, encode_canonical(msgspec.to_builtins(script))
        )
        for script in scripts
    ]
    return PlannedRounds(questions, left_out)


class LaterLineComparison:
    """Compares the lines after the last case with the planned rounds, in order."""

    def __init__(self, planned: PlannedRounds) -> None:
        self._planned = planned
        self.rounds = self.reductions = 0

    def departs(self, line: bytes) -> bool:
        """Return whether the next line is not what the plan has in its place."""
        question = _decode_question(line)
        if self.rounds < len(self._planned.questions):
            expected = self._planned.questions[self.rounds]
            self.rounds += 1
            return question.method != ROUND or expected != (
                question.game, question.group, bytes(question.params),
            )  # fmt: skip
        self.reductions += 1
        return question.group != REDUCTION

    def find_miscount(self, footer: Mapping[str, Any], cases: int) -> str | None:
        """Return what a footer counts otherwise than the plan, after the last line."""
        planned = {
            "cases": cases,
            "rounds": len(self._planned.questions),
            "rounds_left_out": self._planned.left_out,
            "reductions": self.reductions,
        }
        if self.rounds < len(self._planned.questions):
            return f"round {self.rounds} of the plan is missing"
        for name, value in planned.items():
            if footer.get(name) != value or type(footer.get(name)) is not type(value):
                return f"the footer says otherwise than the plan: {name}"
        return None


class BeginningComparison:
    """Compares the lines of an interrupted run with the beginning of its plan, one by one."""

    def __init__(self, folder: Path, law: Law, header: Header) -> None:
        self._folder, self._law, self._header = folder, law, header
        self._cursor = Plan(law, header.terms).cursor()
        self._later: LaterLineComparison | None = None
        self._next = 0

    def require_planned(self, line: bytes) -> None:
        """Raise if the next line is not what the plan has in its place."""
        n, self._next = self._next, self._next + 1
        for case in self._cursor.read(n, 1):
            question = _decode_question(line)
            if (question.game, question.group, question.method, question.params) != (
                case.game, case.group, case.method, self._cursor.params(case),
            ):  # fmt: skip
                raise departed(self._folder, describe_departure(n))
            return
        if self._later is None:
            self._later = LaterLineComparison(list_planned_rounds(self._law, self._header))
        if self._later.departs(line):
            raise departed(self._folder, describe_departure(n))


def require_planned_reductions(folder: Path, reductions: ReductionLog) -> None:
    """Raise if a reduction belongs to no finding, once all findings were collected."""
    departure = reductions.find_departure()
    if departure is not None:
        raise departed(folder, departure)


def describe_departure(n: int) -> str:
    """Return that line `n` is not in its place, for developers."""
    return f"line {n + 1} is not what the plan has in the place of case {n}"


def departed(folder: Path, what: str) -> EvidenceTampered:
    """Return the error about evidence that is not what its plan says."""
    return EvidenceTampered(path=folder / CASES_FILE.file, sign=AlterationSign.PLAN, what=what)


def require_grounded(
    folder: Path, law: Law, header: Header, footer: Mapping[str, Any] | None = None
) -> None:
    """Raise if header and footer contradict each other; a run that goes on has no footer."""
    contradiction = find_contradiction(law, header, footer)
    if contradiction is not None:
        path = folder / CASES_FILE.file
        raise EvidenceTampered(path=path, sign=AlterationSign.CLAIM, what=contradiction)
