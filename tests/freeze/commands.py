"""A command line for every command that takes ``--json``.

The commands are read from the help of the program; one without an entry here is reported.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from jobs import AS_OF, DOSSIER, LAWFUL, OLDER, SEED, Job, Step

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FAULTY = "python3 seeded_vendor.py fixtures/planted/vendor.py pai-kao rank-98-counts-as-100"
_ROAD = ("--game", "pai-kao", "--rulings", "defaults", "--as-of", AS_OF)
#: By command, in the order in which they run; commands of one list share a job.
ALONE: dict[str, tuple[tuple[str, ...], ...]] = {
    "law check": (("law", "check"), ("law", "check", "--specs", "fixtures/demonstration")),
    "law list": (
        ("law", "list", "--as-of", AS_OF),
        ("law", "list", "22-96-m", "--as-of", AS_OF),
    ),
    "law show": (
        ("law", "show", "portaria-21-96-m/5/d", "--as-of", AS_OF),
        ("law", "show", "despacho-78-2008/9/5", "--as-of", "2009-01-01"),
    ),
    "law ledger": (("law", "ledger"),),
    "law divergences": (("law", "divergences"),),
    "explain": (
        ("explain", "fish-prawn-crab", "--throw", "fish,fish,fish", "--bet", "small"),
        ("explain", "craps", "--throw", "2,2", "--throw", "3,4", "--bet", "pass-line"),
        ("explain", "three-card-baccarat", "--banker", "KH,QS,9D", "--seat", "1=KC,QD,JH",
         "--bet", "beat-banker@1:101"),
        ("explain", "craps", "--throw", "no-die", "--bet", "pass-line"),
    ),
    "readings": (("readings",),),
    "steps": tuple(
        ("steps", game)
        for game in ("fish-prawn-crab", "craps")
    ),
    "config": (("config",), ("--config", "none", "config")),
    "schema": (("schema",),),
    "protocol": (("protocol",), ("protocol", "--game", "craps", "--schema", "settle")),
    "adapter new": (
        ("adapter", "new", "--lang", "python", "--game", "craps", "--out", "out/adapter"),
    ),
    "witness new": (("witness", "new", "--game", "fish-prawn-crab", "--out", "out/witness"),),
    "permission new": (("permission", "new", "--out", "out/permission.yaml"),),
    "doctor": (("doctor",),),
}  # fmt: skip
#: The same for commands that take longer; these are not part of ``--quick``.
LONGER: dict[str, tuple[tuple[str, ...], ...]] = {
    "odds": (("odds",), ("odds", "fish-prawn-crab", "--readings")),
    "coverage": (
        ("coverage", "pai-kao", "--seed", SEED),
        ("coverage", "fish-prawn-crab", "--most", "1", "--seed", SEED),
    ),
}
#: The way of a document, on the game that is examined fastest; or a script of this folder.
ROAD: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("smoke", ("smoke", "--vendor", LAWFUL, "--game", "pai-kao", "--out", "out/road/smoke")),
    ("smoke", ("smoke", "--vendor", "false", "--out", "out/road/smoke-faults")),
    ("plan", ("plan", *_ROAD, "--seed", SEED)),
    ("vectors write", ("vectors", "write", "--game", "pai-kao", "--out", "out/road/vectors")),
    ("answer_vectors.py", ("out/road/vectors/requests.jsonl", "out/road/answers.jsonl",
                           *shlex.split(LAWFUL))),
    ("vectors grade", ("vectors", "grade", "out/road/vectors", "out/road/answers.jsonl",
                       "--out", "out/road/graded")),
    ("examine", ("examine", "--vendor", _FAULTY, *_ROAD, "--seed", SEED, "--out", "out/road/bad")),
    ("replay", ("replay", "out/road/bad/findings/F-001.json", "--vendor", _FAULTY)),
    ("replay", ("replay", "out/road/bad/findings/F-001.json", "--vendor", LAWFUL)),
    ("resume", ("resume", "out/road/bad")),
    ("gate", ("gate", "--vendor", LAWFUL, *_ROAD, "--seed", SEED, "--out", "out/road/gate")),
    ("evidence check", ("evidence", "check", "out/road/bad")),
    ("evidence proof", ("evidence", "proof", "out/road/bad", "2", "--out", "out/road/proof.json")),
    ("report", ("report", "out/road/bad", "--dossier", DOSSIER, "--kind", "test-report",
                "--out", "out/road/documents")),
    ("report", ("report", "dossier", "--out", "out/road/dossier.yaml")),
    ("verify", ("verify", "out/road/documents/report.pdf", "--pages")),
    ("keys demo", ("keys", "demo", "--out", "out/road/keys")),
    ("sign", ("sign", "out/road/documents/report.pdf", "--p12", "out/road/keys/laboratory.p12",
              "--out", "out/road/signed.pdf")),
    ("verify", ("verify", "out/road/signed.pdf", "--policy", "out/road/keys/signers.yaml")),
    ("reproduce", ("reproduce", "out/road/documents/report.pdf", "--vendor", _FAULTY,
                   "--out", "out/road/again")),
)  # fmt: skip
#: Commands whose output another job collects, or depends on what is drawn anew in every run; of
#: those only the help is compared.
ELSEWHERE = {
    "law site": "the law scope collects its pages",
    "selftest": "the score scope",
    "seal new": "draws a seed",
    "seal check": "needs a seed that was drawn",
    "evidence verify-proof": "needs the root, which holds the digest of the tool",
    "witness check": "needs a form that a person filled in",
    "permission sign": "needs keys that were drawn",
    "permission check": "needs a signature with drawn keys",
}


def list_json_jobs() -> Iterator[Job]:
    """Yield the jobs that collect what ``--json`` prints."""
    for table, quick in ((ALONE, True), (LONGER, False)):
        for command, lines in table.items():
            steps = tuple(
                Step(words=(*words, "--json"), output=f"json/{_file(command)}-{number}.json")
                for number, words in enumerate(lines, 1)
            )
            yield Job(
                name=f"json-{_file(command)}", scopes=("json",), steps=steps,
                weight=3 * len(steps) if quick else 20, quick=quick,
                keep=_KEEP.get(command, ()),
            )  # fmt: skip
    yield _road_job()
    yield _cross_job()


_KEEP = {
    "adapter new": (("out/adapter", "json/adapter"),),
    "witness new": (("out/witness", "json/witness"),),
    "permission new": (("out/permission.yaml", "json/permission.yaml"),),
}


def _road_job() -> Job:
    steps = tuple(_road_step(number, *line) for number, line in enumerate(ROAD, 1))
    keep = tuple(
        (f"out/road/{name}", f"json/road/{name}")
        for name in ("documents", "gate", "vectors", "dossier.yaml")
    )
    return Job(name="road", scopes=("json",), steps=steps, keep=keep, run="out/road", weight=70)


def _road_step(number: int, command: str, words: tuple[str, ...]) -> Step:
    if command.endswith(".py"):
        return Step(words=words, output=f"json/road/{number:02}-{command}.txt", script=command)
    name = f"json/road/{number:02}-{_file(command)}.json"
    return Step(words=(*words, "--json"), output=name)


def _cross_job() -> Job:
    """Return the job in which each tree reads the evidence of the older one."""
    run = f"{OLDER}/out/road/bad"
    steps = (
        Step(words=("evidence", "check", run, "--json"), output="json/cross/evidence.json"),
        Step(
            words=("report", run, "--dossier", DOSSIER, "--kind", "test-report", "--format", "json",
                   "--format", "sarif", "--out", "out/cross"),
            output="json/cross/report.txt",
        ),
    )  # fmt: skip
    # It weighs nothing, so it runs after the road, on which the older tree makes the evidence.
    return Job(
        name="cross", scopes=("json",), steps=steps, keep=(("out/cross", "json/cross/report"),),
        weight=0,
    )  # fmt: skip


def list_uncovered(pages: Path) -> list[str]:
    """Return the commands whose help offers ``--json`` and for which nothing is collected."""
    known = {_file(name) for name in (*ALONE, *LONGER, *dict(ROAD), *ELSEWHERE)}
    offering = (
        path.stem
        for path in sorted(pages.glob("*.txt"))
        if re.search(r"^  --json ", path.read_text(encoding="utf-8"), re.MULTILINE)
    )
    return [name for name in offering if name not in known]


def _file(command: str) -> str:
    return command.replace(" ", "-")
