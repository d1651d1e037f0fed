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

from selo.abreast import meanwhile
from selo.evidence.reader import Reader
from selo.examine.examination import Header, read_run
from selo.examine.outcome import RESULT, Outcome, concluded
from selo.examine.rereading import reread
from selo.examine.witnessing import Witnessed, kept
from selo.report.attachments import enclosures
from selo.report.dossier import Dossier, Kind
from selo.report.edges import Odds, edges, part
from selo.report.item import item, lacking, offered
from selo.report.kinds import missing
from selo.report.lines import Lines
from selo.report.method import method
from selo.report.model import FORMAT, Count, Dates, Evidence, Game, Report
from selo.report.names import Names
from selo.report.norms import articles, norms
from selo.report.observed import Observed
from selo.report.openings import open_points
from selo.report.provisions import planted_in, provisions, totals
from selo.report.saying import words
from selo.report.sheets import DRAW, Sheets
from selo.report.statement import conditions, limits, statement
from selo.report.statistics import behind, statistics
from selo.rules.decisive import deciding
from selo.words.wrong import wrong

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from selo.examine.examination import Run
    from selo.examine.permitted import Permitted
    from selo.law.reader import Law
    from selo.report.attachments import Enclosure
    from selo.report.model import Edge, Sheet
    from selo.rules.odds.figures import Figure

#: So much of the root makes a number where nobody gave one.
_DIGITS = 12


def build(  # noqa: PLR0913 - each is a choice of its own
    folder: Path,
    law: Law,
    dossier: Dossier | None = None,
    *,
    kind: Kind | None = None,
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
    doubting = kind is Kind.CERTIFICATE
    header = msgspec.convert(Reader(folder).header(), Header)
    names = Names(law)
    odds = Odds(law, header.terms.rulings)
    counting = partial(_priced, odds, names, header, dossier, folder, law)
    with meanwhile(counting) as counted:
        put = Lines()
        evidence = reread(folder, law, doubting=doubting, told=put.take)
        outcome = concluded(evidence, law, folder, forms=forms, day=dates.issued)
        figures, priced = counted.result()
    odds.learn(figures)
    games = header.games
    whole = evidence.whole
    files = item(header.description, whole.footer, dossier)
    how = method(
        law,
        header,
        run,
        footer=whole.footer,
        files=files.files,
        asked=put.groups,
        deciding={name for game in games for name in deciding(law, game, header.terms.rulings)},
        by=dossier.rulings_by,
    )
    told = provisions(
        law, outcome, put.decided(law, header.terms), planted_in(law, selftest), names
    )
    enclosed = list(enclosures(folder, law, header.terms, how.groups, forms))
    attachments = [one.described() for one in enclosed]
    overall = outcome.summary.overall
    report = Report(
        format=FORMAT,
        kind=kind,
        demonstration=dossier.demonstration,
        number=dossier.number or outcome.evidence_root[:_DIGITS],
        revision=dossier.revision,
        supersedes=dossier.supersedes or None,
        scheme=dossier.scheme or words("report.scheme"),
        overall=overall.overall,
        exit=overall.exit,
        counts=overall.counts,
        aside=overall.aside,
        games=list(_games(law, outcome, names)),
        issuer=dossier.issuer,
        client=dossier.client,
        recipients=dossier.recipients,
        place=dossier.place,
        item=files,
        offered=offered(names, header.description, games),
        not_offered=lacking(law, header, told, names),
        dates=dates,
        norms=norms(law, games, how.as_of),
        method=how,
        cases=[msgspec.convert(msgspec.to_builtins(one), Count) for one in outcome.counts],
        articles=list(articles(law, games)),
        provisions=told,
        findings=_sheets(law, outcome, names, odds),
        faults=outcome.faults,
        open_points=list(open_points(law, outcome)),
        statistics=statistics(outcome.statistics),
        edges=priced,
        evidence=Evidence(
            root=outcome.evidence_root,
            lines=whole.lines,
            cases=whole.footer["cases"],
            rounds=whole.footer["rounds"],
            file=attachments[0],
            draws_root=outcome.draws_root,
        ),
        attachments=attachments,
        forms=[one.sha256 for one in attachments if one.name.startswith("witness-")],
        opinions=dossier.opinions,
        conditions=[*conditions(dossier), *dossier.conditions],
        limits=[*limits(dossier), *dossier.limits],
        deviations=list(deviations),
        permissions=[*permissions, *(_permitted(one) for one in header.permissions)],
        known_issues=dossier.known_issues,
        signatories=dossier.signatories,
        missing=[],
        totals=totals(law, told, whole.footer),
        statement=statement(outcome),
        languages=tuple(languages),
        outside=outcome.outside,
    )
    stands = missing(report, dossier, odds.uncounted(header.terms.games))
    return msgspec.structs.replace(report, missing=stands)


def _priced(  # noqa: PLR0913, PLR0917 - each is a source of its own
    odds: Odds, names: Names, header: Header, dossier: Dossier, folder: Path, law: Law
) -> tuple[dict[str, tuple[Figure, ...]], list[Edge]]:
    """Return the exact odds of the games, and the house edges beside what was drawn."""
    terms = header.terms
    seen = Observed(folder, law, terms.rulings)
    found = list(edges(odds, names, terms.games, dossier.declared_edges, seen))
    return {one.game: odds.of(one.game) for one in terms.games}, found


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


def _games(law: Law, outcome: Outcome, names: Names) -> Iterator[Game]:
    instruments = {one.instrument.game: one.instrument.id for one in law.folders}
    for game, whole in outcome.summary.games.items():
        yield Game(
            game=game,
            name=names.game(game),
            instrument=instruments[game],
            overall=whole.overall,
            counts=whole.counts,
            aside=whole.aside,
        )


def _sheets(law: Law, outcome: Outcome, names: Names, odds: Odds) -> list[Sheet]:
    currency = outcome.header.description.currency
    write = Sheets(names, currency.code, currency.decimals, law)
    return [
        write.sheet(
            one,
            odds.of(one.game) if one.money else (),
            behind(one, outcome.statistics) if one.method == DRAW else None,
        )
        for one in outcome.findings
    ]


def _dates(run: Run, dossier: Dossier, looked_at: dt.date | None) -> Dates:
    """Return the days of the test, in the time zone that the dossier names, and of the document.

    Without a day of issue it is the last day of testing, or that on which forms were looked at.
    """
    zone = dossier.zone()
    first, last = (
        dt.datetime.fromisoformat(one).astimezone(zone).date()
        for one in (run.started, run.ended or run.started)
    )
    return Dates(
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
