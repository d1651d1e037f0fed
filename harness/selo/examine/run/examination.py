"""One examination in its folder: begun, interrupted, resumed, and brought to its end.

What determines the plan stands in the first line of evidence; what happened on the way (when, how
often resumed, how often the vendor broke) stands in ``run.json`` and changes no root.
"""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import __version__
from selo.evidence.evidence_reader import Reader
from selo.evidence.evidence_writer import Writer
from selo.evidence.integrity_scan import bare
from selo.examine.exchange import Reducer
from selo.examine.exchange.describe_check import changed, files_differ, measured
from selo.examine.exchange.workers import Reached, Restarted, play, work
from selo.examine.findings import findings_of
from selo.examine.plan import Plan, Terms
from selo.examine.plan.live_rounds import LeftOut
from selo.examine.replay import Conclusion
from selo.examine.run.granted_permissions import Permitted
from selo.examine.run.seed_commitment import Sealed, description_digest
from selo.examine.run.tool_digest import PROGRAM, digest
from selo.protocol.messages import Description
from selo.text import wrong
from selo.vendors.resource_limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.examine.exchange import Done
    from selo.examine.findings import Finding
    from selo.examine.plan.live_rounds import PlayedRound
    from selo.examine.replay.draw_results import Drawn
    from selo.law.loader import Law
    from selo.vendors.faults import Fault
    from selo.vendors.session import Session

RUN: Final = "run.json"
#: What decides how answers are read and judged, besides Selo itself.
_DEPENDENCIES: Final = ("cel-expr-python", "msgspec", "numpy", "pyyaml", "scipy", "zstandard")


class Header(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The first line of evidence: everything that determines what is asked and expected."""

    terms: Terms
    plan: str
    description: Description
    #: Who adopted which reading, and from where.
    adopted: list[dict[str, Any]]
    #: What an inspector made public before the run.
    commitment: str | None
    tool: dict[str, str]
    confinement: dict[str, bool]
    #: What the authority has signed for this product.
    permissions: list[Permitted] = []
    #: Games that were asked for and that the vendor does not offer.
    not_offered: list[str] = []

    @property
    def games(self) -> list[str]:
        """Every game in scope, those that are not offered last."""
        return [*self.terms.named, *self.not_offered]


class Run(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What happened on the way."""

    vendor: str
    folder: str
    limits: Limits
    processes: int
    started: str
    environment: dict[str, str]
    #: The commit of Selo; nothing if it was installed from a package.
    commit: str | None = None
    resumed: list[str] = []
    restarts: list[dict[str, Any]] = []
    #: How many seconds each phase took, over all resumptions.
    phases: dict[str, float] = {}
    ended: str | None = None
    evidence_root: str | None = None
    draws_root: str | None = None
    sealed: Sealed | None = None
    #: The same folder as seen from where the run was begun; nothing if it lies elsewhere.
    within: str | None = None
    #: The file in it that the command starts, as far as it names one.
    starts: str | None = None


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """A run that is at its end: all that its evidence says besides its lines of cases."""

    root: str
    header: Header
    footer: dict[str, Any]


def header_of(  # noqa: PLR0913 - everything that determines a run
    terms: Terms,
    description: Description,
    *,
    adopted: list[dict[str, Any]],
    commitment: str | None,
    session: Session,
    permissions: Sequence[Permitted] = (),
    not_offered: Sequence[str] = (),
) -> Header:
    """Return the header of a run that begins."""
    held = session.transport.confinement
    return Header(
        terms=terms,
        plan=terms.digest,
        description=description,
        adopted=adopted,
        commitment=commitment,
        tool={
            "selo": __version__,
            PROGRAM: digest(),
            "python": platform.python_version(),
            **{name: importlib.metadata.version(name) for name in _DEPENDENCIES},
        },
        confinement={
            "network": held is not None and held.network,
            "files": held is not None and held.files,
        },
        permissions=list(permissions),
        not_offered=list(not_offered),
    )


class Examination:
    """A run that writes its evidence into a folder."""

    def __init__(self, folder: Path, law: Law, run: Run, header: Header, writer: Writer) -> None:
        self.folder, self.header, self.run = folder, header, run
        self._law, self._writer = law, writer
        #: What follows from the evidence so far.
        self.seen = Conclusion(law=law, terms=header.terms)
        #: Faults of the vendor as a whole, seen at its end.
        self.faults: list[Fault] = []
        #: Why some rounds are not played.
        self.left_out: list[str] = []
        #: What was drawn just now, with its tests; nothing where the book was there before.
        self.drawn: Drawn | None = None

    @classmethod
    def begin(cls, folder: Path, law: Law, run: Run, header: Header) -> Examination:
        """Begin a run in a new folder."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise wrong("out-unmade", folder=folder, error=error.strerror) from error
        writer = Writer(folder)
        writer.header(msgspec.to_builtins(header))
        one = cls(folder, law, run, header, writer)
        one.note()
        return one

    @classmethod
    def resume(cls, folder: Path, law: Law) -> Examination:
        """Go on with a run that was interrupted."""
        taken: list[Conclusion] = []

        def take(line: bytes) -> None:
            if taken:
                taken[0].take(line)
            else:
                header = msgspec.convert(bare(msgspec.json.decode(line)), Header)
                taken.append(Conclusion(law=law, terms=header.terms))

        writer, plain, _ = Writer.resume(folder, told=take)
        header = msgspec.convert(plain, Header)
        run = read_run(folder)
        run.resumed.append(now())
        one = cls(folder, law, run, header, writer)
        one.seen = taken[0]
        one.note()
        return one

    @property
    def done(self) -> int:
        """How many lines of cases and rounds are in the evidence."""
        return self._writer.size - 1

    def vendor(self) -> Reached:
        """Return the vendor as it was reached when the run began."""
        run = self.run
        return Reached(run.vendor, run.limits, Path(run.folder), self.header.description)

    def work(self) -> Iterator[Done | Restarted]:
        """Work off what is left of the plan; yield every chunk when its lines are taken."""
        terms = self.header.terms
        start, skip = self._place()
        for got in work(self._law, terms, self.vendor(), processes=self.run.processes, start=start):
            if isinstance(got, Restarted):
                self._restarted({"chunk": got.chunk}, got.fault)
                yield got
                continue
            # An interruption may have left the first lines of a chunk, which are the same again.
            self._writer.lines(got.lines[skip:])
            self._take(got, skip)
            skip = 0
            yield got

    def _take(self, got: Done, skip: int) -> None:
        if not skip:
            self.seen.take_chunk(got)
            return
        for line in got.lines[skip:]:
            self.seen.take(line)

    def rounds(self) -> Iterator[PlayedRound | Restarted]:
        """Play the live rounds that are left; yield each when its line is taken."""
        self.left_out = []
        for got in play(
            self._law,
            self.header.terms,
            self.header.description,
            self.vendor(),
            processes=self.run.processes,
            played=dict(self.seen.rounds.by_game),
        ):
            if isinstance(got, LeftOut):
                self.left_out += got
            elif isinstance(got, Restarted):
                self._restarted({"round": self.seen.rounds.played}, got.fault)
                yield got
            else:
                line = got.line(self.done)
                self._writer.lines([line])
                self.seen.take(line)
                yield got

    def _restarted(self, where: dict[str, Any], found: Fault) -> None:
        told = {"kind": str(found.kind), "told": found.told()}
        self.run.restarts.append({**where, **told})
        self.note()

    def draws(self) -> Iterator[int]:
        """Draw from the vendor's random source what is left; yield how many outcomes more."""
        # Imported here because numbers and their tables take a while to load.
        from selo.examine.run.draw_run import Drawing  # noqa: PLC0415 - see above

        drawing = Drawing(self.folder, self._law, self.header.terms)
        try:
            yield from drawing.work(
                self.vendor(),
                lambda found: self._restarted({"draws": True}, found),
                self.run.processes,
            )
            self.run.draws_root = drawing.finish()
        finally:
            drawing.leave()
        self.drawn = drawing.drawn()
        self.note()

    def reduce(self) -> list[Finding]:
        """Return the findings, having asked for the smallest case of each."""
        known = self.seen.reductions
        reducer = Reducer(
            lines=known.lines,
            broken=known.broken,
            answers=known.answers,
            vendor=self.vendor(),
            write=lambda line: self._writer.lines([line]),
            next=lambda: self.done,
        )
        try:
            findings = list(findings_of(self.seen.explained(), reducer))
        finally:
            reducer.close()
        self.seen.reductions = reducer
        return findings

    def _place(self) -> tuple[int, int]:
        """Return the chunk at which to go on, and how many of its lines are there already."""
        done = self.seen.cases
        index = 0
        for chunk in Plan(self._law, self.header.terms).chunks():
            if chunk.first + len(chunk.cases) > done:
                return chunk.index, done - chunk.first
            index = chunk.index + 1
        return index, 0

    def finish(self, session: Session, seal: Sealed | None = None) -> Ended:
        """Ask the vendor once more who it is, write the last line, and return root and footer."""
        after: Description = session.ask("describe", {})
        difference = changed(self.header.description, after)
        self.faults += [] if difference is None else [difference]
        vendor = self.vendor()
        if vendor.here:
            self.faults += files_differ(after, vendor.folder)
        footer = {
            "cases": self.seen.cases,
            "rounds": self.seen.rounds.played,
            "rounds_left_out": self.left_out,
            "reductions": self.seen.reductions.lines,
            "description_after": description_digest(after),
            "files": measured(after, vendor.folder) if vendor.here else [],
            "files_changed": [fault.slots.get("file", "") for fault in self.faults],
            "sealed": None if seal is None else msgspec.to_builtins(seal),
        }
        root = str(self._writer.close(footer))
        self.run.ended, self.run.evidence_root, self.run.sealed = now(), root, seal
        self.note()
        return Ended(root=root, header=self.header, footer=footer)

    def leave(self) -> None:
        """Let go of the folder, so that the run can be resumed."""
        self._writer.leave()

    def note(self) -> None:
        """Write down what happened so far, whole or not at all."""
        path = self.folder / RUN
        unfinished = path.with_suffix(".new")
        unfinished.write_bytes(msgspec.json.format(msgspec.json.encode(self.run), indent=2) + b"\n")
        unfinished.replace(path)


def header_in(folder: Path) -> Header:
    """Return what determined the plan of a run."""
    return msgspec.convert(Reader(folder).read().header, Header)


def read_run(folder: Path) -> Run:
    """Return what happened on the way of a run."""
    try:
        return msgspec.json.decode((folder / RUN).read_bytes(), type=Run)
    except (OSError, msgspec.DecodeError) as error:
        raise wrong("run-unread", path=folder / RUN, error=error) from error


def now() -> str:
    """Return the time, to the second, in UTC."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def environment() -> dict[str, str]:
    """Return where a run happens."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "cores": str(os.cpu_count()),
    }
