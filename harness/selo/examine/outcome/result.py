"""What an examination came to: findings with their smallest cases, verdicts, and the result file.

Everything follows from the evidence and the forms of witnesses. No vendor is asked: what was asked
to make findings smaller stands in the evidence too.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

import msgspec

from selo import __version__
from selo.draws.draw_verdict import Statistic
from selo.examine.coverage import Covered, covered_by, covering, unanswered, unoffered
from selo.examine.findings import Finding, Outside, findings_of, origin_of, outside
from selo.examine.findings.declaration_findings import all_judged, declared_findings, declared_looks
from selo.examine.findings.draw_findings import found_in_draws, looks
from selo.examine.outcome.verdict_summary import Summary, summarised
from selo.examine.replay.draw_results import Drawn, drawn
from selo.examine.run import Reread, reread
from selo.examine.run.examination import Ended, Header
from selo.examine.run.granted_permissions import under
from selo.examine.run.witness_attachment import Witnessed, join
from selo.law import today
from selo.law.files.provision_file import Way
from selo.verdict.rulings import Rulings

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from selo.examine.replay import Conclusion
    from selo.law.loader import Law
    from selo.verdict.observations import Witness

RESULT: Final = "result.json"
FINDINGS: Final = "findings"


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """How often one game was asked in one way."""

    game: str
    method: str
    cases: int
    right: int
    different: int
    silent: int
    faults: int


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an examination, in every format the same."""

    selo: str
    evidence_root: str
    header: Header
    counts: list[Counted]
    summary: Summary
    findings: list[Finding]
    faults: list[dict[str, str]]
    #: The forms of witnesses that bear on the verdicts; nothing if there are none.
    witnessed: Witnessed | None = None
    #: The root over what was drawn from the vendor's random source; nothing if nothing was.
    draws_root: str | None = None
    statistics: list[Statistic] = []
    #: What was found on the way, outside of what ``--provision`` asked for.
    outside: Outside | None = None
    exit: int


def outcome_of(
    folder: Path,
    law: Law,
    *,
    forms: Iterable[Path] = (),
    day: dt.date | None = None,
    doubting: bool = False,
) -> Outcome:
    """Conclude from the evidence in `folder` and from what people saw; nothing is written.

    `day` is the one on which the forms must be valid: today, if none is given. If `doubting`,
    every answer is compared with the law again, whatever the evidence says of it.
    """
    return concluded(reread(folder, law, doubting=doubting), law, folder, forms=forms, day=day)


def concluded(  # noqa: PLR0913 - all that a verdict follows from
    evidence: Reread,
    law: Law,
    folder: Path,
    *,
    forms: Iterable[Path] = (),
    day: dt.date | None = None,
    draws: Callable[[], Drawn] | None = None,
) -> Outcome:
    """Conclude from evidence that was read again, and from what people saw.

    `draws` says what the book of draws says, if somebody has begun to read it already.
    """
    header, seen = evidence.header, evidence.seen
    ended = Ended(root=str(evidence.whole.root), header=header, footer=evidence.whole.footer)
    said = join(forms, law, header.description, header.games, day or today())
    with covering(law, header.terms):
        if evidence.misjudged is not None:
            raise evidence.misjudged
        findings = list(findings_of(seen.explained(), seen.reductions))
        book = drawn(folder, law, header.terms) if draws is None else draws()
    return outcome_from(ended, seen, findings, said, book)


def outcome_from(
    ended: Ended,
    seen: Conclusion,
    findings: list[Finding],
    said: tuple[Witnessed, list[Witness]],
    draws: Drawn,
) -> Outcome:
    """Return what a run came to: from its cases and rounds, from what people say, from draws."""
    header = ended.header
    witnessed, witnesses = said
    terms = header.terms
    permitted = under(header.description, header.permissions)
    declared = all_judged(seen.law, permitted, terms.named, terms.rulings)
    others = chain(
        found_in_draws(seen.law, terms, draws, origin_of(terms)),
        declared_findings(seen.law, declared, origin_of(terms)),
    )
    currency = header.description.currency
    findings = [
        msgspec.structs.replace(
            one,
            id=f"F-{number:03}",
            origin=msgspec.structs.replace(one.origin, currency=currency),
        )
        for number, one in enumerate(chain(findings, others), 1)
    ]
    covered = {**covered_by(seen.law, terms), **_played(seen)}
    missing = unoffered(seen.law, terms, header.description, covered)
    summary = summarised(
        seen.law,
        seen,
        findings=findings,
        declared=declared_looks(declared, findings),
        covered=missing.left(covered),
        missing=missing.lacking,
        absent=header.not_offered,
        lost=unanswered(seen.law, seen),
        rulings=msgspec.convert({"adopted": header.adopted}, Rulings),
        witnesses=witnesses,
        drawn=looks(seen.law, header.terms, draws, findings),
        # What only the protocol forbids breaks no law, but whoever does it proves nothing either.
        fault=bool(ended.footer["files_changed"])
        or seen.rounds.broken > 0
        or seen.rounds.declined > 0
        or seen.reductions.broken > 0
        or any(finding.verdict == "protocol" for finding in findings),
    )
    return Outcome(
        selo=__version__,
        evidence_root=ended.root,
        header=header,
        counts=_counts(seen),
        summary=summary,
        findings=findings,
        faults=[
            *(
                {"kind": str(fault.kind), "told": fault.told(), "path": fault.path}
                for fault in (*seen.faults, *seen.rounds.faults)
            ),
            *(
                {name: one.fault[name] for name in ("kind", "told", "path")}
                for one in draws.taken
                if one.fault
            ),
        ],
        witnessed=witnessed if witnessed.forms else None,
        draws_root=draws.root,
        statistics=draws.statistics,
        outside=outside(terms, summary.provisions, findings),
        exit=summary.overall.exit,
    )


def _played(seen: Conclusion) -> dict[tuple[str, Way], Covered]:
    """Return in how many rounds each provision was tried, and in how many really looked at."""
    looked = seen.rounds.looked
    return {
        (provision, Way.PROCEDURE): Covered(cases=times, decisive=looked.get(provision, 0))
        for provision, times in seen.rounds.about.items()
    }


def _counts(seen: Conclusion) -> list[Counted]:
    return [
        Counted(
            game=game,
            method=method,
            cases=count.cases,
            right=count.right,
            different=count.different,
            silent=count.silent,
            faults=count.faults,
        )
        for tally in seen.tallies.values()
        for (game, method), count in tally.counts.items()
    ]


def write(folder: Path, result: Outcome) -> None:
    """Write the result beside its evidence, and one file for each finding."""
    place = folder / FINDINGS
    place.mkdir(exist_ok=True)
    for finding in result.findings:
        _file(place / f"{finding.id}.json", finding)
    _file(folder / RESULT, result)


def _file(path: Path, value: object) -> None:
    unfinished = path.with_suffix(".new")
    unfinished.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
    unfinished.replace(path)
