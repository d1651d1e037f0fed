"""An examination in its folder: begin, resume, ask, play, draw, finish.

The first line of evidence holds all that determines the plan. ``run.json`` holds what happened on
the way (when, how often resumed, how often the vendor broke), and no root depends on it.
"""

from __future__ import annotations

import contextlib
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from selo.edition import EDITION_FILE, digest_edition, pack_edition, read_edition_files
from selo.engine import plan_retired_at
from selo.evidence import EvidenceWriter
from selo.evidence.integrity_scan import strip_writer_fields
from selo.examine.analysis import EvidenceAnalysis
from selo.examine.exchange import (
    LocalWorkforce,
    Reducer,
    VendorEndpoint,
    VendorRestart,
)
from selo.examine.exchange.product_watch import ProductWatch
from selo.examine.findings import collect_findings
from selo.examine.live_rounds import RoundsLeftOut, plan_scripts
from selo.examine.plan import Plan
from selo.examine.run.evidence_header import (
    FinishedRun,
    Header,
    draw_salt_secret,
    header_of,
    is_current,
)
from selo.examine.run.plan_comparison import (
    BeginningComparison,
    require_grounded,
    require_planned_reductions,
)
from selo.examine.run.run_log import RUN_LOG_FILE, RunLog, read_run_log, utc_now, write_json
from selo.examine.run.seed_commitment import SealedSeed, description_digest
from selo.examine.run.world_probe import probe_worlds
from selo.examine.vendor_description import (
    check_declared_files,
    description_change,
    measure_declared_files,
)
from selo.storage import write_file
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selo.examine.analysis.draw_results import DrawResults
    from selo.examine.cluster import Cluster, ClusterWorkforce
    from selo.examine.exchange.chunk_exchange import AnsweredChunk
    from selo.examine.findings import Finding
    from selo.examine.live_rounds import PlayedRound
    from selo.examine.run.draw_run import DrawRun
    from selo.law import Law
    from selo.protocol.messages import Description
    from selo.rounds import Script
    from selo.vendors.faults import AdapterFault
    from selo.vendors.session import Session


class Examination:
    """A run that writes its evidence into a folder."""

    def __init__(
        self, folder: Path, law: Law, log: RunLog, header: Header, writer: EvidenceWriter
    ) -> None:
        self.folder, self.header, self.log = folder, header, log
        self._law, self._writer = law, writer
        #: The workers on other machines, if there are any.
        self.cluster: Cluster | None = None
        self._planned_rounds: dict[str, tuple[list[Script], list[str]]] = {}
        #: The analysis of the evidence so far.
        self.analysis = EvidenceAnalysis(law=law, terms=header.terms)
        #: What files of its product the vendor opens; watched if a seed was sealed.
        self._watch: ProductWatch | None = None
        #: Faults of the vendor as a whole, found at the end of the run.
        self.faults: list[AdapterFault] = []
        #: Why some rounds are not played.
        self.rounds_left_out: list[str] = []
        #: The draws of this process, with their tests; none if they were recorded before.
        self.draw_results: DrawResults | None = None

    @classmethod
    def begin(cls, folder: Path, law: Law, log: RunLog, header: Header) -> Examination:
        """Begin a run in a new folder."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise user_error("out-unmade", folder=folder, error=error.strerror) from error
        files = read_edition_files(law)
        header = msgspec.structs.replace(header, edition=digest_edition(files))
        writer = EvidenceWriter(folder, secret=draw_salt_secret(header))
        write_file(folder / EDITION_FILE, pack_edition(files))
        examination = cls(folder, law, log, header, writer)
        # A run that is killed once it has a header can be resumed, which needs the log.
        examination.write_log()
        writer.header(msgspec.to_builtins(header))
        return examination

    @classmethod
    def resume(cls, folder: Path, law: Law) -> Examination:
        """Resume a run that was interrupted."""
        analyses: list[tuple[EvidenceAnalysis, BeginningComparison]] = []

        def add_line(line: bytes) -> None:
            if analyses:
                analysis, comparison = analyses[0]
                comparison.require_planned(line)
                analysis.add_line(line)
            else:
                header = header_of(folder, strip_writer_fields(msgspec.json.decode(line)))
                if plan_retired_at(header.terms.engine_number) is not None:
                    # What was not asked yet stands in a plan that nobody makes any more.
                    raise user_error("plan-other", engine=header.terms.engine_number)
                if is_current(header, law):
                    require_grounded(folder, law, header)
                analyses.append(
                    (
                        EvidenceAnalysis(law=law, terms=header.terms),
                        BeginningComparison(folder, law, header),
                    )
                )

        writer, fields, _ = EvidenceWriter.resume(folder, take_line=add_line)
        header = header_of(folder, fields)
        log = read_run_log(folder)
        log.resumed.append(utc_now())
        examination = cls(folder, law, log, header, writer)
        examination.analysis = analyses[0][0]
        examination.write_log()
        return examination

    @property
    def lines_written(self) -> int:
        """How many lines of cases and rounds are in the evidence."""
        return self._writer.size - 1

    def vendor(self, *, elsewhere: bool = False) -> VendorEndpoint:
        """Return the vendor as it was reached when the run began.

        The copy of its product that is watched here does not exist `elsewhere`.
        """
        log = self.log
        return VendorEndpoint(
            log.vendor,
            log.limits,
            Path(log.folder),
            self.header.description,
            room=log.room if self._watch is None or elsewhere else self._watch.room,
            files=log.files_before,
            # Only an inspector's seed is unknown to the vendor beforehand.
            worlds=None if self.header.commitment is None else f"worlds/{self.header.plan}",
        )

    def workforce(self) -> ClusterWorkforce | LocalWorkforce:
        """Return who puts the plan to the vendor: a cluster, or processes of this machine."""
        header, terms = self.header, self.header.terms
        if self.cluster is None:
            return LocalWorkforce(self._law, terms, self.vendor(), processes=self.log.processes)
        # Imported here because only a cluster needs it.
        from selo.examine.cluster import WorkOrder  # noqa: PLC0415 - see above

        order = WorkOrder(
            name=f"{terms.digest} {self.log.started}",
            terms=terms,
            vendor=self.vendor(elsewhere=True),
            confinement=header.confinement,
            rounds=self._planned_rounds,
            is_watched=self._watch is not None,
        )
        return self.cluster.workforce(order, self._watch)

    def use_cluster(self, open_cluster: Callable[[], Cluster]) -> Cluster:
        """Open a cluster and let its workers put the plan to the vendor.

        Rounds are planned before it has threads in this process.
        """
        terms, offers = self.header.terms, self.header.description.games
        self._planned_rounds = {
            game: plan_scripts(self._law, terms, offers, game) for game in terms.game_names
        }
        self.cluster = open_cluster()
        return self.cluster

    def count_workers(self) -> int:
        """Return how many workers put the plan to the vendor."""
        return self.log.processes if self.cluster is None else self.cluster.count_workers()

    def count_planned_outcomes(self) -> int:
        """Return how many outcomes are left to draw, unless a second look is needed."""
        return self._draw_run.count_outcomes_left()

    def count_planned_tables(self) -> int:
        """Return about how many tables of free rounds are left to play."""
        return self._draw_run.count_tables_left()

    @contextlib.contextmanager
    def watch_product(self) -> Iterator[None]:
        """Let the vendor see a copy of its product, and watch what it opens in it.

        Only a run with a sealed seed may lead to a certificate, so only then is it done.
        """
        files = self.header.commitment and self.vendor().visible_files()
        if not files:
            yield
            return
        with ProductWatch(files, self.vendor().room) as watch:
            self._watch = watch
            folder = Path(self.log.folder)
            watch.opened |= {
                Path(os.path.normpath(folder / name)) for name in self.log.files_opened
            }
            watch.is_complete &= self.log.files_watched
            yield

    def put_cases(self) -> Iterator[AnsweredChunk | VendorRestart]:
        """Put the remaining cases to the vendor; yield each chunk once its lines are written."""
        start, skip = self._resume_point()
        for chunk in self.workforce().answer_chunks(start):
            if isinstance(chunk, VendorRestart):
                self._log_restart({"chunk": chunk.chunk}, chunk.fault)
                yield chunk
                continue
            # Lines of this chunk that were written before an interruption are the same.
            self._writer.lines(chunk.lines[skip:])
            self._analyse_chunk(chunk, skip)
            self._log_opened_files()
            skip = 0
            yield chunk

    def _analyse_chunk(self, chunk: AnsweredChunk, skip: int) -> None:
        if not skip:
            self.analysis.add_chunk(chunk)
            return
        for line in chunk.lines[skip:]:
            self.analysis.add_line(line)

    def play_rounds(self) -> Iterator[PlayedRound | VendorRestart]:
        """Play the remaining live rounds; yield each once its line is written."""
        self.rounds_left_out = []
        for played in self.workforce().play_planned_rounds(dict(self.analysis.rounds.by_game)):
            if isinstance(played, RoundsLeftOut):
                self.rounds_left_out += played
            elif isinstance(played, VendorRestart):
                self._log_restart({"round": self.analysis.rounds.played}, played.fault)
                yield played
            else:
                line = played.line(self.lines_written)
                self._writer.lines([line])
                self.analysis.add_line(line)
                yield played

    def _log_restart(self, where: dict[str, Any], fault: AdapterFault) -> None:
        record = {"kind": str(fault.kind), "told": fault.describe()}
        self.log.restarts.append({**where, **record})
        self.write_log()

    def play_free_rounds(self) -> Iterator[int]:
        """Play the remaining free rounds; yield how many tables were played each time."""
        yield from self._draw_run.play_remaining(
            self.workforce(), lambda fault: self._log_restart({"free_rounds": True}, fault)
        )

    def draw_outcomes(self) -> Iterator[int]:
        """Draw the remaining outcomes; yield the number drawn after each batch."""
        draw_run = self._draw_run
        yield from draw_run.draw_remaining(
            self.vendor(),
            self.workforce(),
            lambda fault: self._log_restart({"draws": True}, fault),
        )
        self.log.draws_root = draw_run.finish()
        self.draw_results = draw_run.results()
        self.write_log()

    @cached_property
    def _draw_run(self) -> DrawRun:
        # Imported here because numpy and scipy take a while to load.
        from selo.examine.run.draw_run import DrawRun  # noqa: PLC0415 - see above

        return DrawRun(
            self.folder,
            self._law,
            self.header.terms,
            self.header.description,
            secret=draw_salt_secret(self.header),
        )

    def collect_findings(self) -> list[Finding]:
        """Return the findings, asking the vendor for a minimal example of each."""
        recorded = self.analysis.reductions
        reducer = Reducer(
            lines=recorded.lines,
            broken=recorded.broken,
            answers=recorded.answers,
            levels=recorded.levels,
            limits=recorded.limits,
            vendor=self.vendor(),
            write=lambda line: self._writer.lines([line]),
            next=lambda: self.lines_written,
        )
        try:
            findings = list(collect_findings(self.analysis.locate_causes(), reducer))
        finally:
            reducer.close()
        require_planned_reductions(self.folder, reducer)
        self.analysis.reductions = reducer
        return findings

    def _resume_point(self) -> tuple[int, int]:
        """Return the first unfinished chunk, and how many of its lines are written already."""
        done = self.analysis.cases
        index = 0
        for chunk in Plan(self._law, self.header.terms).chunks():
            if chunk.first + len(chunk.cases) > done:
                return chunk.index, done - chunk.first
            index = chunk.index + 1
        return index, 0

    def finish(self, session: Session, seal: SealedSeed | None = None) -> FinishedRun:
        """Ask the vendor to describe itself again, write the last line, and return the end."""
        after: Description = session.ask("describe", {})
        difference = description_change(self.header.description, after)
        self.faults += [] if difference is None else [difference]
        vendor = self.vendor()
        if vendor.is_local:
            self.faults += check_declared_files(after, vendor.folder)
        footer = {
            "cases": self.analysis.cases,
            "rounds": self.analysis.rounds.played,
            "rounds_left_out": self.rounds_left_out,
            "reductions": self.analysis.reductions.lines,
            "description_after": description_digest(after),
            "files": measure_declared_files(after, vendor.folder) if vendor.is_local else [],
            **self._opened_files(after, vendor.folder),
            **self._probe_worlds(vendor),
            "files_changed": [fault.slots.get("file", "") for fault in self.faults],
            "sealed": None if seal is None else msgspec.to_builtins(seal),
        }
        root = str(self._writer.close(footer))
        self.log.ended, self.log.evidence_root, self.log.sealed = utc_now(), root, seal
        self.write_log()
        return FinishedRun(root=root, header=self.header, footer=footer)

    def _opened_files(self, description: Description, folder: Path) -> dict[str, Any]:
        """Return what is known of the files that the vendor opened, if they were watched."""
        if self._watch is None:
            return {}
        declared = [file.path for file in description.files]
        self._log_opened_files()
        undeclared = self._watch.list_undeclared(declared, folder)
        return {"files_undeclared": undeclared, "files_watched": self._watch.is_complete}

    def _probe_worlds(self, vendor: VendorEndpoint) -> dict[str, Any]:
        """Return the faults of a vendor that answers otherwise in another world, if any."""
        found = probe_worlds(self._law, self.header.terms, vendor)
        told = [
            {"kind": str(fault.kind), "told": fault.describe(), "path": fault.path}
            for fault in found
        ]
        return {"world_faults": told} if told else {}

    def _log_opened_files(self) -> None:
        """Keep the names of opened files for a run that is resumed."""
        if self._watch is None:
            return
        self._watch.collect()
        opened = sorted(os.path.relpath(path, self.log.folder) for path in self._watch.opened)
        if (opened, self._watch.is_complete) != (self.log.files_opened, self.log.files_watched):
            self.log.files_opened, self.log.files_watched = opened, self._watch.is_complete
            self.write_log()

    def release(self) -> None:
        """Close the evidence so that the run can be resumed."""
        self._writer.leave()
        if "_draw_run" in self.__dict__:
            self._draw_run.release()

    def write_log(self) -> None:
        """Write the log of the run."""
        write_json(self.folder / RUN_LOG_FILE, self.log)
