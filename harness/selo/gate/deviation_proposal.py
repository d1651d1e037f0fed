"""A file of deviations that lists the failures of a run, for people to fill in and approve.

Each finding is listed by its cause, where the mutant or reading of that cause gives all of its
answers and no right answer contradicts it. All others are listed by what differs, in which cases
of this plan.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.examine.live_rounds import ROUND
from selo.gate.deviation_cover import DIGEST, ListedScope, cover_findings
from selo.text import say
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selo.cases.case_numbers import CaseNumbers
    from selo.examine.findings import Finding
    from selo.gate.gate_decision import Failure
    from selo.gate.run_answers import RunAnswers

#: What people add to each entry; a blank is refused.
_TO_FILL_IN: Final = ("reason", "owner", "approver", "risk", "expires")
_CUT: Final = "…"


class ProposedEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an entry must state to cover a failure, without its reason and its people."""

    provision: list[str]
    verdict: Result = Result.VIOLATES
    because: str | None = None
    readings: dict[str, list[str]] | None = None
    parts: list[str] | None = None
    cause: str | None = None
    plan: str | None = None
    differences: dict[str, str] | None = None


def propose_entries(
    answers: RunAnswers, findings: Sequence[Finding], failures: Iterable[Failure]
) -> list[ProposedEntry]:
    """Return the entries that would cover some failures of a run, and nothing else."""
    failures = list(failures)
    proposed = []
    for failure in failures:
        if failure.finding is None or failure.verdict is not Result.VIOLATES:
            because = failure.reason if failure.verdict is not Result.VIOLATES else None
            proposed.append(
                ProposedEntry(
                    provision=[failure.provision],
                    verdict=failure.verdict,
                    because=because,
                    readings=failure.readings or None,
                )
            )
    named = {failure.finding for failure in failures if failure.verdict is Result.VIOLATES}
    wanted = [finding for finding in findings if finding.id in named]
    return proposed + list(_propose_findings(answers, findings, wanted))


def _propose_findings(
    answers: RunAnswers, findings: Sequence[Finding], wanted: Sequence[Finding]
) -> Iterator[ProposedEntry]:
    scopes = [
        ListedScope(
            provisions=tuple(finding.provisions),
            parts=tuple(finding.parts),
            codes=frozenset(filter(None, (finding.cause_code,))),
        )
        for finding in wanted
    ]
    cover = cover_findings(answers, findings, scopes)
    for at, finding in enumerate(wanted):
        by_cause = all(
            cover.covered.get((provision, finding.id)) is not None
            and at in cover.whole[provision, finding.id]
            for provision in finding.provisions
        )
        parts = [str(part) for part in finding.parts]
        if by_cause:
            yield ProposedEntry(provision=finding.provisions, parts=parts, cause=finding.cause_code)
        else:
            yield ProposedEntry(
                provision=finding.provisions,
                parts=parts,
                cause="",
                plan=answers.terms.digest,
                differences={
                    description: _list_cases(description, cases)
                    for description, cases in finding.differences.items()
                },
            )


def _list_cases(description: str, cases: CaseNumbers) -> str:
    if description.startswith(ROUND):
        # Which rounds show it depends on what the vendor draws.
        return ""
    return f"{DIGEST}{cases.digest}" if cases.ranges.endswith(_CUT) else cases.ranges


def render_proposal(entries: Sequence[ProposedEntry], language: str) -> str:
    """Return the text of a file of deviations with blanks to fill in."""
    lines = [f"# {line}" for line in say("gate.how-to-list", language).splitlines()]
    lines.append("deviations:")
    for entry in entries:
        fields: dict[str, Any] = msgspec.to_builtins(entry)
        fields |= dict.fromkeys(_TO_FILL_IN, "")
        mark = "  - "
        for name, value in fields.items():
            lines.append(f"{mark}{name}: {json.dumps(value, ensure_ascii=False)}")
            mark = "    "
    return "\n".join(lines) + "\n"
