"""Runs the jobs of a tree, two side by side, and keeps their outputs as they are."""

# ruff: noqa: T201 - it prints its progress and its result
from __future__ import annotations

import datetime as dt
import json
import resource
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING, Any

import zstandard
from jobs import OLDER
from normalise import list_days, read_literals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jobs import Job, Step
    from trees import Tree

HERE = Path(__file__).resolve().parent
PARALLEL = 2
#: Kept outputs begin here in the tree itself, not in the workspace.
_IN_TREE = "tree:"
_RECORDS = ".jobs"
_SECONDS = 1800
_COMPRESSED = ".zst"


def collect(
    tree: Tree, jobs: Iterable[Job], *, older: Tree, reuse: bool
) -> dict[str, dict[str, str]]:
    """Run the jobs that are not cached; return each file, with the values that name its run."""
    pending, records = [], []
    for job in jobs:
        record = _read_record(tree, job) if reuse else None
        if record is None:
            pending.append(job)
        else:
            records.append(record)
    pending.sort(key=lambda job: -job.weight)
    if records:
        print(f"{tree.name}: {len(records)} jobs are cached, {len(pending)} to run", flush=True)
    began = time.monotonic()
    # What weighs nothing reads what others left, so it comes after them.
    waves = [[job for job in pending if job.weight], [job for job in pending if not job.weight]]
    done = (record for wave in waves for record in _run_wave(tree, wave, older))
    for number, record in enumerate(done, 1):
        records.append(record)
        print(
            f"{tree.name}: [{number}/{len(pending)}] {record['job']} {record['seconds']:.0f} s"
            f" (at {time.monotonic() - began:.0f} s)",
            flush=True,
        )
    spent = time.monotonic() - began
    busy = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{tree.name}: collected in {spent:.0f} s"
        f" ({busy.ru_utime + busy.ru_stime:.0f} s of processor time so far)",
        flush=True,
    )
    return {name: record["literals"] for record in records for name in record["files"]}


def _run_wave(tree: Tree, jobs: list[Job], older: Tree) -> Iterator[dict[str, Any]]:
    """Run jobs side by side and yield their records as they end."""
    with ThreadPoolExecutor(PARALLEL) as pool:
        for done in as_completed([pool.submit(_run_job, tree, job, older) for job in jobs]):
            yield done.result()


def _read_record(tree: Tree, job: Job) -> dict[str, Any] | None:
    path = tree.results / _RECORDS / f"{job.name}.json"
    if not path.is_file():
        return None
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record if record["digest"] == job.digest else None


def _run_job(tree: Tree, job: Job, older: Tree) -> dict[str, Any]:
    began, moment = time.monotonic(), dt.datetime.now(dt.UTC)
    _clear(tree, job)
    files: list[str] = []
    for step in job.steps:
        code, out, err = _run_step(tree, step, older)
        files.append(_store(tree, step.output, out))
        files.append(_store(tree, f"{step.output}.end", f"exit {code}\n".encode() + err))
    for source, target in job.keep:
        files += _keep(tree, source, target)
    literals = {
        str(tree.workspace): "<workspace>",
        str(older.workspace): "<workspace>",
        str(tree.source): "<tree>",
        str(Path(tree.python).parent): "<bin>",
        **list_days(moment, dt.datetime.now(dt.UTC)),
    }
    for log in (tree.workspace / job.run).rglob("run.json") if job.run else ():
        literals |= read_literals(log.parent)
    record = {
        "job": job.name,
        "digest": job.digest,
        "seconds": round(time.monotonic() - began, 1),
        "files": sorted(files),
        "literals": literals,
    }
    path = tree.results / _RECORDS / f"{job.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=1), encoding="utf-8")
    return record


def _clear(tree: Tree, job: Job) -> None:
    """Remove what an earlier run of the job left in the workspace."""
    for path in {source for source, _ in job.keep if not source.startswith(_IN_TREE)} | {job.run}:
        target = tree.workspace / path
        if path and target.is_dir():
            shutil.rmtree(target)
        elif path:
            target.unlink(missing_ok=True)
    (tree.workspace / "out").mkdir(exist_ok=True)


def _run_step(tree: Tree, step: Step, older: Tree) -> tuple[int, bytes, bytes]:
    program = [str(HERE / step.script)] if step.script else ["-m", "selo"]
    words = [word.replace(OLDER, str(older.workspace)) for word in step.words]
    done = subprocess.run(
        [tree.python, *program, *words],
        cwd=tree.workspace,
        env=tree.environment(),
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=_SECONDS,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def _keep(tree: Tree, source: str, target: str) -> Iterator[str]:
    """Store a file, or all files of a folder."""
    if source.startswith(_IN_TREE):
        path = tree.source / source.removeprefix(_IN_TREE)
    else:
        path = tree.workspace / source
    if path.is_file():
        yield from _store_file(tree, path, target)
    for below in sorted(path.rglob("*")) if path.is_dir() else ():
        if below.is_file():
            name = below.relative_to(path).as_posix()
            yield from _store_file(tree, below, f"{target}/{name}")


def _store_file(tree: Tree, path: Path, target: str) -> Iterator[str]:
    if path.suffix == ".pdf":
        for name, text in _read_pdf(path):
            yield _store(tree, f"{target}.{name}", text)
    else:
        yield _store(tree, target, path.read_bytes())


def _read_pdf(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the text of a PDF, what it says of itself, and the names of its attachments."""
    for name, command in (
        ("txt", ["pdftotext", "-layout", str(path), "-"]),
        ("info", ["pdfinfo", str(path)]),
        ("attachments", ["pdfdetach", "-list", str(path)]),
    ):
        yield name, subprocess.run(command, capture_output=True, check=True).stdout


def _store(tree: Tree, name: str, content: bytes) -> str:
    path = tree.results / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return name


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, decompressed if it is compressed."""
    if path.suffix != _COMPRESSED:
        return path.read_bytes()
    with path.open("rb") as file:
        return zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True).read()
