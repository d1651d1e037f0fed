"""Record of the test method: plan, groups of cases, rulings, seed, tool."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from selo.examine.plan import Plan
from selo.examine.run.seed_commitment import SealBroken, SealedSeed
from selo.report.content.tested_item import find_adapter, strip_folders
from selo.report.model.report_model import AdoptedReading, GroupRecord, Method, Seed
from selo.text.message_catalogue import group_reason
from selo.verdict.rulings import Rulings, list_recorded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from selo.examine.run.evidence_header import Header
    from selo.examine.run.run_log import RunLog
    from selo.law import Law
    from selo.report.model.report_model import FileRecord


@dataclass(frozen=True, kw_only=True, slots=True)
class RunLogFacts:
    """Facts of the log of a run that are not in its evidence."""

    #: The vendor's command, without folders of the machine.
    command: str
    #: The vendor's folder as seen from where the run was started, and the file that was started.
    within: str | None
    starts: str | None
    environment: dict[str, str]
    restarts: int
    resumed: int
    commit: str | None

    @classmethod
    def from_run(cls, run: RunLog) -> RunLogFacts:
        """Return the facts of the log of a run."""
        return cls(
            command=strip_folders(run.vendor),
            within=run.within,
            starts=run.starts,
            environment=dict(sorted(run.environment.items())),
            restarts=len(run.restarts),
            resumed=len(run.resumed),
            commit=run.commit,
        )

    @classmethod
    def from_report(cls, method: Method) -> RunLogFacts:
        """Return the facts of the log as a document states them."""
        return cls(
            command=method.vendor_command,
            within=method.within,
            starts=method.starts,
            environment=method.environment,
            restarts=method.restarts,
            resumed=method.resumed,
            commit=method.commit,
        )


def describe_method(  # noqa: PLR0913 - all that a method consists of
    law: Law,
    header: Header,
    logged: RunLogFacts,
    *,
    footer: Mapping[str, Any],
    files: list[FileRecord],
    asked: Mapping[tuple[str, str], int],
    deciding: Collection[str],
    by: str = "",
    published: str = "",
) -> Method:
    """Return the record of the test method."""
    terms = header.terms
    adapter = find_adapter(logged.command, [file.path for file in files])
    return Method(
        selo=header.tool["selo"],
        engine=terms.engine_number,
        reached=header.reached,
        started=header.started,
        edition=header.edition,
        protocol=terms.protocol,
        spec_digest=terms.spec_digest,
        plan=header.plan,
        as_of=dt.date.fromisoformat(terms.as_of),
        text_as_stored=terms.text_as_stored,
        budget=terms.budget,
        seed=_seed_record(header, footer, published),
        tool=dict(sorted(header.tool.items())),
        confinement=header.confinement,
        groups=list(_group_records(law, header, asked)),
        adopted=list(_adopted_readings(law, header, deciding, by)),
        recorded=list(
            list_recorded(
                law, msgspec.convert({"adopted": header.adopted}, Rulings), terms.game_names
            )
        ),
        provisions=terms.provisions,
        vendor_command=logged.command,
        left_out=list(footer.get("rounds_left_out", [])),
        adapter=next((file for file in files if file.path == adapter), None),
        within=logged.within,
        starts=logged.starts,
        environment=logged.environment,
        restarts=logged.restarts,
        resumed=logged.resumed,
        commit=logged.commit,
        undeclared=_undeclared_files(footer),
        predecessor=None if header.predecessor is None else header.predecessor.certificate,
        canonical_wrong=None if header.canonical is None else header.canonical.wrong,
    )


def _undeclared_files(footer: Mapping[str, Any]) -> list[str] | None:
    """Return the opened files that were not declared; none if not all opened files are known."""
    return footer.get("files_undeclared") if footer.get("files_watched") else None


def _seed_record(header: Header, footer: Mapping[str, Any], published: str) -> Seed:
    """Return the seed; raise if the revealed seed is not the one that was committed to."""
    plain = footer.get("sealed")
    sealed = None if plain is None else msgspec.convert(plain, SealedSeed)
    if sealed is not None and (sealed.commitment, sealed.number) != (
        header.commitment,
        header.terms.seed,
    ):
        msg = "the seed that is revealed at the end is not the one that was committed to"
        raise SealBroken(msg)
    return Seed(
        number=header.terms.seed,
        commitment=header.commitment,
        revealed=None if sealed is None else sealed.seed,
        token=header.commitment_token,
        published=published,
    )


def _group_records(
    law: Law, header: Header, asked: Mapping[tuple[str, str], int]
) -> Iterator[GroupRecord]:
    """Yield every group of which cases were asked, with its reason."""
    planned = {
        (game, group.name): group.is_complete for game, group in Plan(law, header.terms).groups()
    }
    for (game, name), cases in asked.items():
        yield GroupRecord(
            game=game,
            name=name,
            reason=group_reason(game, name),
            cases=cases,
            complete=planned.get((game, name), False),
        )


def _adopted_readings(
    law: Law, header: Header, deciding: Collection[str], by: str
) -> Iterator[AdoptedReading]:
    """Yield the rulings on points that touch a provision in scope."""
    games = {game.game for game in header.terms.games}
    points = {divergence.id: divergence for divergence in law.divergences}
    for ruling in header.adopted:
        point = points[ruling["divergence"]]
        if not any(law.find(provision).instrument.game in games for provision in point.provisions):
            continue
        reading = next(reading for reading in point.readings if reading.id == ruling["reading"])
        yield AdoptedReading(
            divergence=point.id,
            reading=reading.id,
            question=point.title,
            says=reading.says,
            source=ruling["source"],
            by=ruling["by"] or by,
            on=None if ruling["on"] is None else dt.date.fromisoformat(str(ruling["on"])),
            decides=point.id in deciding,
        )
