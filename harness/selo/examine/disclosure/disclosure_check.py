"""Checks a disclosure without the rest of the evidence.

1. The items of each part must give the root that is known from the signed document.
2. Header and footer are shown, are in their form and do not contradict each other.
3. A line that is shown is what the plan has in its place, and its mark is what the law says.
4. Of each provision that the disclosure is about, every line is shown that the plan has.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from selo.cases.oracle import Oracle
from selo.evidence.block import SALTED_FORMAT
from selo.evidence.canonical_json import NotCanonical, decode_canonical
from selo.evidence.inclusion_proof import BrokenTree, HiddenSubtree, ShownLine, root_of_items
from selo.evidence.integrity_scan import FORMAT_FIELD, KIND_FIELD, strip_writer_fields
from selo.evidence.run_files import CASES_FILE, DRAWS_FILE
from selo.examine.analysis.draw_record import draw_question
from selo.examine.analysis.recheck import Rechecker, decode_case_line
from selo.examine.disclosure.disclosure_file import BOOKS, DisclosureBroken, DisclosureReader
from selo.examine.disclosure.provision_lines import find_provision_lines
from selo.examine.exchange import REDUCTION
from selo.examine.free_rounds import FREE_ROUND, FreeRound, FreeRounds
from selo.examine.live_rounds import ROUND, RoundTally
from selo.examine.plan import Plan
from selo.examine.plan.draw_plan import plan_samples
from selo.examine.run.evidence_header import header_of, is_current
from selo.examine.run.plan_comparison import (
    LaterLineComparison,
    list_planned_rounds,
    require_grounded,
)
from selo.examine.vendor_description import DeclaredLimits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from selo.evidence.inclusion_proof import PrunedItem
    from selo.evidence.merkle import Root
    from selo.evidence.run_files import EvidenceFile
    from selo.examine.analysis.recheck import CaseLine
    from selo.examine.run.evidence_header import Header
    from selo.law import Law


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedDisclosure:
    """What a disclosure proves."""

    #: The provisions of which every line is shown; with everything below them.
    provisions: list[str]
    #: Shown lines by what they show: ``right``, ``wrong``, ``silent``, ``unanswered``, ``round``,
    #: ``reduction``, ``free-round``, ``draw``.
    shown: dict[str, int]
    hidden: int
    lines: int
    header: Header
    #: Whether lines are salted, so that those left out cannot be guessed.
    salted: bool
    #: Whether the plan was made again; without its law nothing is said of what was left out.
    planned: bool


class _ShownPart:
    """The shown lines of one part, taken while its tree is hashed."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.lines: dict[int, bytes] = {}
        self.hidden = 0
        #: How many of the shown lines have salts.
        self._salts = 0

    def watch(self, items: Iterator[PrunedItem]) -> Iterator[PrunedItem]:
        for item in items:
            if isinstance(item, HiddenSubtree):
                self.hidden += item.end - item.first
            else:
                self._add(item)
            yield item

    def _add(self, item: ShownLine) -> None:
        self.lines[item.at] = item.line.encode()
        self._salts += isinstance(item.salt, str)

    def cases(self) -> Iterator[tuple[int, bytes]]:
        """Yield the shown lines between header and footer, with their numbers."""
        return ((at, line) for at, line in self.lines.items() if 0 < at < self.size - 1)

    def frame(self, at: int, kind: str) -> dict[str, Any]:
        """Return the header or footer."""
        value = decode_canonical(self.lines.get(at, b""))
        if not isinstance(value, dict) or value.get(KIND_FIELD) != kind:
            raise DisclosureBroken(f"the {kind} is not shown")
        return strip_writer_fields(value)

    @property
    def salted(self) -> bool:
        """Whether the header says that lines are salted; raise if some are not as it says."""
        value = decode_canonical(self.lines.get(0, b""))
        salted = bool(value.get(FORMAT_FIELD) == SALTED_FORMAT)
        if self._salts != (len(self.lines) if salted else 0):
            raise DisclosureBroken("salts are missing, or invented")
        return salted


def check_disclosure(
    path: Path, law: Law, roots: dict[EvidenceFile, Root | None], provisions: Collection[str] = ()
) -> CheckedDisclosure:
    """Check a disclosure by the roots of the whole; raise what is wrong with it.

    `provisions` are those that the caller asks for, besides those that the disclosure names.
    """
    reader = DisclosureReader(path)
    try:
        parts = _read_parts(reader, roots)
        evidence = parts[CASES_FILE]
        header = header_of(path.parent, evidence.frame(0, "header"))
        footer = evidence.frame(evidence.size - 1, "footer")
        draws = parts.get(DRAWS_FILE)
        draws_footer = None if draws is None else draws.frame(draws.size - 1, "footer")
        salted = False not in {part.salted for part in parts.values()}
        claimed = sorted({*reader.head.provisions, *provisions})
        shown: Counter[str] = Counter()
        planned = is_current(header, law)
        if planned:
            require_grounded(path.parent, law, header, footer)
            shown.update(_compare_evidence(law, header, footer, evidence))
            shown.update(_compare_draws(law, header, draws, draws_footer))
            _require_complete(law, header, claimed, parts, draws_footer)
    except (BrokenTree, NotCanonical, KeyError, TypeError, ValueError) as error:
        raise DisclosureBroken(str(error)) from error
    return CheckedDisclosure(
        provisions=claimed if planned else [],
        shown=dict(shown),
        hidden=sum(part.hidden for part in parts.values()),
        lines=sum(part.size for part in parts.values()),
        header=header,
        salted=salted,
        planned=planned,
    )


def _read_parts(
    reader: DisclosureReader, roots: dict[EvidenceFile, Root | None]
) -> dict[EvidenceFile, _ShownPart]:
    """Return the parts once each of them has given its root."""
    parts: dict[EvidenceFile, _ShownPart] = {}
    for book in BOOKS:
        begun = reader.part()
        if begun is None:
            break
        if begun.file != book.file:
            raise DisclosureBroken(f"{begun.file} in the place of {book.file}")
        part = _ShownPart(begun.size)
        root = root_of_items(part.watch(reader.items()), begun.size)
        if root != roots.get(book):
            raise DisclosureBroken(
                f"{book.file}: the lines give {root}, and the known root is {roots.get(book)}"
            )
        parts[book] = part
    if reader.part() is not None:
        raise DisclosureBroken("a part too many")
    missing = [book.file for book in BOOKS if roots.get(book) is not None and book not in parts]
    if missing or CASES_FILE not in parts:
        raise DisclosureBroken(f"{CASES_FILE.file} and what lies beside it: {missing}")
    return parts


class _LineComparison:
    """Compares shown lines with the plan, and their marks with the law."""

    def __init__(self, law: Law, header: Header) -> None:
        terms = header.terms
        plan = Plan(law, terms)
        self._cursor, self.cases = plan.cursor(), plan.size()
        self.rounds = list_planned_rounds(law, header)
        self._rechecker = Rechecker(Oracle(law, terms.rulings), DeclaredLimits(law, terms.games))
        self.tally = RoundTally(law, terms, infers_readings=False)

    def find_miscount(self, footer: dict[str, Any], size: int) -> str | None:
        """Return what a footer counts otherwise than the plan."""
        counts = LaterLineComparison(self.rounds)
        counts.rounds = len(self.rounds.questions)
        counts.reductions = size - 2 - self.cases - counts.rounds
        return counts.find_miscount(footer, self.cases)

    def name_line(self, n: int, line: bytes) -> str:
        """Return what line `n` shows; raise if it is not what the plan has there."""
        case_line = decode_case_line(line)
        if case_line.n != n:
            raise DisclosureBroken(f"line {n + 1} is not case {n}")
        if n < self.cases:
            return self._name_case(n, line, case_line)
        decode_canonical(line)
        if n < self.cases + len(self.rounds.questions):
            return self._name_round(n, line, case_line)
        if case_line.group != REDUCTION:
            raise DisclosureBroken(f"line {n + 1} is not a reduction")
        return "reduction"

    def _name_case(self, n: int, line: bytes, case_line: CaseLine) -> str:
        (case,) = self._cursor.read(n, 1)
        params = self._cursor.params(case)
        if not case_line.is_about(case, params):
            raise DisclosureBroken(f"line {n + 1} is not what the plan has there")
        if not self._rechecker.agrees_with_law(case_line, line, case, params):
            raise DisclosureBroken(f"line {n + 1} is not marked as the law says")
        return _name_answer(case_line)

    def _name_round(self, n: int, line: bytes, case_line: CaseLine) -> str:
        question = case_line.game, case_line.group, bytes(case_line.params)
        if case_line.method != ROUND or question != self.rounds.questions[n - self.cases]:
            raise DisclosureBroken(f"line {n + 1} is not the round that the plan has there")
        if not self.tally.take(line, right=bool(case_line.right), doubting=True):
            raise DisclosureBroken(f"line {n + 1} is not marked as the law says")
        return "round"


def _compare_evidence(
    law: Law, header: Header, footer: dict[str, Any], part: _ShownPart
) -> Iterator[str]:
    """Yield what each shown line shows; raise for one that is not what the plan has there."""
    comparison = _LineComparison(law, header)
    miscount = comparison.find_miscount(footer, part.size)
    if miscount is not None:
        raise DisclosureBroken(miscount)
    for at, line in part.cases():
        yield comparison.name_line(at - 1, line)
    tally = comparison.tally
    yield from ["wrong-round"] * (tally.played - tally.right)


def _name_answer(case_line: CaseLine) -> str:
    if case_line.fault or case_line.skipped or not case_line.answer:
        return "unanswered"
    if case_line.right is None:
        return "silent"
    return "right" if case_line.right else "wrong"


def _compare_draws(
    law: Law, header: Header, part: _ShownPart | None, footer: dict[str, Any] | None
) -> Iterator[str]:
    """Yield what each shown line of the draws shows; raise for one that the plan has not there."""
    terms = header.terms
    free = FreeRounds(law, terms, header.description.games)
    samples = plan_samples(law, terms)
    if part is None or footer is None:
        if samples or free.games:
            raise DisclosureBroken("the draws are missing")
        return
    if part.frame(0, "header").get("plan") != header.plan:
        raise DisclosureBroken("the draws belong to another plan")
    if set(footer) != {"batches", "free_tables"} or sum(footer.values()) != part.size - 2:
        raise DisclosureBroken("the footer of the draws counts otherwise")
    tables = sum(free.planned().values())
    requests = [draw_question(sample) for sample in samples]
    for at, line in part.cases():
        value = decode_canonical(line)
        is_table = value["method"] == FREE_ROUND
        question = {name: value[name] for name in value.keys() - {"n", "answer", "fault"}}
        if value["n"] != at - 1 or not (
            is_table and free.is_table_of_plan(at - 1, value)
            if at <= tables
            else is_table or question in requests
        ):
            raise DisclosureBroken(f"draws: line {at} is not what the plan has there")
        if is_table:
            free.tally.add(msgspec.convert(value, FreeRound))
        yield FREE_ROUND if is_table else "draw"
    yield from ["wrong-free-round"] * free.tally.count_breaches()


def _require_complete(
    law: Law,
    header: Header,
    provisions: Collection[str],
    parts: dict[EvidenceFile, _ShownPart],
    draws_footer: dict[str, Any] | None,
) -> None:
    """Raise if a line about one of the provisions is not shown, naming the first."""
    if not provisions:
        return
    needed = find_provision_lines(law, header, provisions, draws_footer=draws_footer)
    for book, numbers in ((CASES_FILE, needed.evidence), (DRAWS_FILE, needed.draws)):
        part = parts.get(book)
        missing = sorted(numbers - part.lines.keys()) if part is not None else sorted(numbers)
        if missing:
            raise DisclosureBroken(
                f"{book.file}: {len(missing)} lines about {', '.join(provisions)} are left out,"
                f" line {missing[0]} first"
            )
