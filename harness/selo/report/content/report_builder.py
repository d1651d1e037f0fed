"""From the folder of a run to one report: verdicts out of the evidence, words out of the law.

Nothing here looks at the clock, the machine or the place of the folder: the same run, law, dossier
and forms give the same report, byte for byte.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from selo.evidence.evidence_reader import Reader
from selo.examine.coverage import covering
from selo.examine.outcome import RESULT, concluded
from selo.examine.replay.draw_results import Book
from selo.examine.run import reread
from selo.examine.run.examination import Header, read_run
from selo.examine.run.witness_attachment import Witnessed, kept
from selo.parallel import meanwhile
from selo.report.content.attachments import enclosures
from selo.report.content.evidence_index import Lines
from selo.report.content.house_edge import Odds, edges, part
from selo.report.content.observed_edge import Observed
from selo.report.content.provision_results import planted_in
from selo.report.content.reproducible_content import Grounds, Told, derived
from selo.report.content.test_method import Logged
from selo.report.model.dossier import DocumentKind, Dossier
from selo.report.model.report_model import REPORT_FORMAT, DatesRecord, Evidence, Report
from selo.report.phrases import Names
from selo.report.phrases.compose import words
from selo.report.requirements import conditions, limits, missing
from selo.text import wrong

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from selo.examine.replay import Gist
    from selo.examine.run.examination import Run
    from selo.examine.run.granted_permissions import Permitted
    from selo.law.loader import Law
    from selo.report.content.attachments import Enclosure
    from selo.rules.odds import Figure

#: So much of the root makes a number where nobody gave one.
_DIGITS = 12


def build(  # noqa: PLR0913 - each is a choice of its own
    folder: Path,
    law: Law,
    dossier: Dossier | None = None,
    *,
    kind: DocumentKind | None = None,
    forms: Sequence[Path] = (),
    languages: Sequence[str] = ("pt", "zh"),
    selftest: Path | None = None,
    deviations: Iterable[str] = (),
    permissions: Iterable[str] = (),
) -> Report:
    """Return the report of the run in `folder`, ready to be told in every format."""
    dossier = dossier or Dossier()
    for some in dossier.declared_edges.values():
        for one in some.values():
            part(one)
    run = read_run(folder)
    forms = _forms(folder, forms)
    dates = _dates(run, dossier, _looked_at(folder))
    kind = kind or dossier.kind
    # Whoever certifies does not believe the marks of another run: every answer is judged again.
    doubting = kind is DocumentKind.CERTIFICATE
    header = msgspec.convert(Reader(folder).header(), Header)
    names = Names(law)
    odds = Odds(law, header.terms.rulings)
    book, put = Book(folder, law, header.terms), Lines()

    def told(gist: Gist) -> None:
        book.begin()
        put.take(gist)

    counting = partial(_figures, odds, header)
    with meanwhile(counting) as counted, covering(law, header.terms):
        evidence = reread(folder, law, doubting=doubting, told=told)
        odds.learn(counted.result())
    outcome = concluded(evidence, law, folder, forms=forms, day=dates.issued, draws=book.drawn)
    whole = evidence.whole
    found = derived(
        Grounds(
            law=law, header=header, footer=whole.footer, outcome=outcome, put=put, names=names,
            odds=odds,
        ),
        Told(
            received=dossier.item,
            logged=Logged.of(run, header.description),
            rulings_by=dossier.rulings_by,
            planted=planted_in(law, selftest),
        ),
    )  # fmt: skip
    enclosed = list(enclosures(folder, law, header.terms, found.method.groups, forms))
    attachments = [one.described() for one in enclosed]
    report = Report(
        format=REPORT_FORMAT,
        kind=kind,
        demonstration=dossier.demonstration,
        number=dossier.number or outcome.evidence_root[:_DIGITS],
        revision=dossier.revision,
        supersedes=dossier.supersedes or None,
        scheme=dossier.scheme or words("report.scheme"),
        overall=found.overall,
        exit=found.exit,
        counts=found.counts,
        aside=found.aside,
        games=found.games,
        issuer=dossier.issuer,
        client=dossier.client,
        recipients=dossier.recipients,
        place=dossier.place,
        item=found.item,
        offered=found.offered,
        not_offered=found.not_offered,
        dates=dates,
        norms=found.norms,
        method=found.method,
        cases=found.cases,
        articles=found.articles,
        provisions=found.provisions,
        findings=found.findings,
        faults=found.faults,
        open_points=found.open_points,
        statistics=found.statistics,
        edges=list(
            edges(
                odds,
                names,
                header.terms.games,
                dossier.declared_edges,
                Observed(book.drawn().taken, law, header.terms.rulings),
            )
        ),
        evidence=Evidence(
            root=outcome.evidence_root,
            lines=whole.lines,
            cases=whole.footer["cases"],
            rounds=whole.footer["rounds"],
            file=attachments[0],
            draws_root=outcome.draws_root,
        ),
        attachments=attachments,
        forms=[
            attachment.sha256
            for attachment in attachments
            if attachment.name.startswith("witness-")
        ],
        opinions=dossier.opinions,
        conditions=[*conditions(dossier), *dossier.conditions],
        limits=[*limits(dossier), *dossier.limits],
        deviations=list(deviations),
        permissions=[*permissions, *(_permitted(permission) for permission in header.permissions)],
        known_issues=dossier.known_issues,
        signatories=dossier.signatories,
        missing=[],
        totals=found.totals,
        statement=found.statement,
        languages=tuple(languages),
        outside=found.outside,
    )
    stands = missing(report, dossier, odds.uncounted(header.terms.games))
    return msgspec.structs.replace(report, missing=stands)


def _figures(odds: Odds, header: Header) -> dict[str, tuple[Figure, ...]]:
    """Return the exact odds of the games."""
    return {game.game: odds.of(game.game) for game in header.terms.games}


def enclosed_in(
    folder: Path, law: Law, report: Report, forms: Sequence[Path] = ()
) -> list[Enclosure]:
    """Return the files that the report of a run names as its attachments."""
    header = msgspec.convert(Reader(folder).header(), Header)
    given = _forms(folder, forms)
    return list(enclosures(folder, law, header.terms, report.method.groups, given))


class _Concluded(msgspec.Struct, frozen=True):
    """The one thing that is taken from the result of a run: when forms were looked at."""

    witnessed: Witnessed | None = None


def _looked_at(folder: Path) -> dt.date | None:
    """Return the day on which forms of witnesses joined the run, if any did."""
    path = folder / RESULT
    try:
        kept_one = msgspec.json.decode(path.read_bytes(), type=_Concluded)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise wrong("result-unread", path=path, error=error) from error
    return None if kept_one.witnessed is None else kept_one.witnessed.day


def _forms(folder: Path, given: Sequence[Path]) -> list[Path]:
    """Return the forms kept in the folder and those given, each once, by their digests."""
    by_digest = {
        hashlib.sha256(one.read_bytes()).hexdigest(): one for one in (*given, *kept(folder))
    }
    return [by_digest[digest] for digest in sorted(by_digest)]


def _dates(run: Run, dossier: Dossier, looked_at: dt.date | None) -> DatesRecord:
    """Return the days of the test, in the time zone that the dossier names, and of the document.

    Without a day of issue it is the last day of testing, or that on which forms were looked at.
    """
    zone = dossier.zone()
    first, last = (
        dt.datetime.fromisoformat(one).astimezone(zone).date()
        for one in (run.started, run.ended or run.started)
    )
    return DatesRecord(
        received=dossier.item.on,
        first_day=first,
        last_day=last,
        issued=dossier.issued or max(last, looked_at or last),
        valid_until=dossier.valid_until,
        time_zone=dossier.time_zone or "UTC",
    )


def _permitted(one: Permitted) -> str:
    """Return what a document says of a permission of the authority."""
    days = f"{one.issued.isoformat()} – {one.expires.isoformat()}"
    return f"{one.number}, {one.issuer}, {days}, sha256:{one.sha256}"
