"""How it was tested: plan, groups of cases, rulings, seed, tool."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from selo.examine.plan import Plan
from selo.examine.run.seed_commitment import SealBroken, Sealed
from selo.report.content.item_tested import adapter, command
from selo.report.model.report_model import AdoptedReading, GroupRecord, Method, Seed
from selo.report.phrases.compose import same, words
from selo.text.message_catalogue import knows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from selo.examine.run.examination import Header, Run
    from selo.law.loader import Law
    from selo.protocol.messages import Description
    from selo.report.model.report_model import FileRecord
    from selo.text.multilingual import Words


@dataclass(frozen=True, kw_only=True, slots=True)
class Logged:
    """What the log of a run says besides its evidence."""

    #: How the vendor was started, with no folder of the machine in it.
    command: str
    #: The file of the product that was started.
    adapter: str | None
    #: Where the run was begun lay its folder, and in it the file that the command starts.
    within: str | None
    starts: str | None
    environment: dict[str, str]
    restarts: int
    resumed: int
    commit: str | None

    @classmethod
    def of(cls, run: Run, description: Description) -> Logged:
        """Return what a log says of a vendor that describes itself so."""
        return cls(
            command=command(run.vendor),
            adapter=adapter(run.vendor, [file.path for file in description.files]),
            within=run.within,
            starts=run.starts,
            environment=dict(sorted(run.environment.items())),
            restarts=len(run.restarts),
            resumed=len(run.resumed),
            commit=run.commit,
        )

    @classmethod
    def told_in(cls, how: Method) -> Logged:
        """Return what a document says that the log said."""
        return cls(
            command=how.vendor_command,
            adapter=None if how.adapter is None else how.adapter.path,
            within=how.within,
            starts=how.starts,
            environment=how.environment,
            restarts=how.restarts,
            resumed=how.resumed,
            commit=how.commit,
        )


def method(  # noqa: PLR0913 - all that a method consists of
    law: Law,
    header: Header,
    logged: Logged,
    *,
    footer: Mapping[str, Any],
    files: list[FileRecord],
    asked: Mapping[tuple[str, str], int],
    deciding: Collection[str],
    by: str = "",
) -> Method:
    """Return how the examination was made."""
    terms = header.terms
    return Method(
        selo=terms.selo,
        protocol=terms.protocol,
        spec_digest=terms.spec_digest,
        plan=header.plan,
        as_of=dt.date.fromisoformat(terms.as_of),
        budget=terms.budget,
        seed=_seed(header, footer),
        tool=dict(sorted(header.tool.items())),
        confinement=header.confinement,
        groups=list(_groups(law, header, asked)),
        adopted=list(_adopted(law, header, deciding, by)),
        provisions=terms.provisions,
        vendor_command=logged.command,
        left_out=list(footer.get("rounds_left_out", [])),
        adapter=next((file for file in files if file.path == logged.adapter), None),
        within=logged.within,
        starts=logged.starts,
        environment=logged.environment,
        restarts=logged.restarts,
        resumed=logged.resumed,
        commit=logged.commit,
    )


def _seed(header: Header, footer: Mapping[str, Any]) -> Seed:
    """Return the seed; what is revealed must be what was committed to, or nothing is told."""
    plain = footer.get("sealed")
    sealed = None if plain is None else msgspec.convert(plain, Sealed)
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
    )


def _groups(
    law: Law, header: Header, asked: Mapping[tuple[str, str], int]
) -> Iterator[GroupRecord]:
    """Yield every group of which something was asked, with why."""
    planned = {
        (game, name): (said, complete)
        for game, name, said, complete, _ in Plan(law, header.terms).groups()
    }
    for (game, name), cases in asked.items():
        said, complete = planned.get((game, name), ("", False))
        yield GroupRecord(
            game=game,
            name=name,
            reason=reason(game, name, said),
            cases=cases,
            complete=complete,
        )


def reason(game: str, name: str, otherwise: str) -> Words:
    """Return why a group of cases is tried; `otherwise` if no message says it."""
    for key in (f"group.{game}.{name}", f"group.{name}"):
        if knows(key):
            return words(key)
    return same(otherwise or name)


def round_reason(game: str, name: str, otherwise: str) -> Words:
    """Return why a written round is played; `otherwise` if no message says it."""
    key = f"round.{game}.{name}"
    return words(key) if knows(key) else same(otherwise or name)


def _adopted(
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
            says=reading.says,
            source=ruling["source"],
            by=ruling["by"] or by,
            on=None if ruling["on"] is None else dt.date.fromisoformat(str(ruling["on"])),
            decides=point.id in deciding,
        )
