"""What may differ between two runs of equal programs, listed once with the reason for each.

Everything else is compared byte by byte. A value that a run states about itself (its tool digest,
its evidence root, its days) is replaced as a literal; only durations and the few values that have
no other mark are found by a pattern.
"""

from __future__ import annotations

import datetime as dt
import fnmatch
import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

MACAU = dt.timezone(dt.timedelta(hours=8))
#: The name of the program's own digest among the versions of a run.
TOOL_DIGEST = "selo-sha256"
#: The evidence begins with the digest of the tool, so its root names the tool.
ROOT = "<evidence-root>"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """A pattern whose matches say nothing about the program, in the files of a glob."""

    reason: str
    pattern: re.Pattern[str]
    replacement: str
    files: str = "*"


def _rule(reason: str, pattern: str, replacement: str, files: str = "*") -> Rule:
    compiled = re.compile(pattern, re.MULTILINE)
    return Rule(reason=reason, pattern=compiled, replacement=replacement, files=files)


RULES: tuple[Rule, ...] = (
    _rule(
        "moments of a run, to the second or the minute, in UTC",
        r"(?:<today>|\b20\d\d-\d\d-\d\d)[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:\+00:00|Z| UTC)?",
        "<time>",
    ),
    _rule(
        "evidence is compressed in blocks that end as time passes, so its size varies",
        r'("sha256": ?"<digest of [^"]+>",\s*"size": ?)\d+',
        r'\1"<size>"',
    ),
    _rule(
        "the same sizes on the pages",
        r"^((?:evidence|draws)\.jsonl\.zst\b.*?) +\d[\d\s.,]*(?= \D)",
        r"\1 <size>",
        "*.pdf.txt",
    ),
    _rule(
        "vectors are written under a key that is drawn",
        r'("(?:key|seal|requests_sha256)": ?)"[0-9a-f]{32,64}"',
        r'\1"<drawn>"',
        "json/road/*vectors*",
    ),
    _rule(
        "requests of vectors have drawn ids",
        r'("id":)"[0-9a-f]{16}"',
        r'\1"<drawn>"',
        "json/road/vectors/*",
    ),
    _rule("free room on the disk", r'("found": ")[\d.]+ GiB"', r'\1<room>"', "json/doctor-*"),
    _rule("dates of a PDF, as pdfinfo prints them", r"^((?:Creation|Mod)Date: +).*$", r"\1<time>"),
    _rule(
        "the size of a PDF follows from digests that it holds compressed",
        r"^(File size: +)\d+ bytes$",
        r"\1<size>",
    ),
    _rule(
        "seconds of the phases of a run", r'("(?:[a-z]+)": )\d+\.\d+(,?)$', r"\1<s>\2", "*run.json"
    ),
    _rule("durations in a terminal", r"\b\d+(?:[.,]\d+)? ?s(?=\b| ·)", "<s>", "*.txt"),
    _rule("durations in a terminal", r"\b\d+(?:[.,]\d+)? ?秒", "<s>", "*.txt"),
    _rule(
        "lines of progress appear as time passes",
        r"^.+: [\d,]+(?: / [\d,]+)?, [\d,.]+/s$\n",
        "",
        "*.end",
    ),
    _rule("the version of the tool", r"(\b[Ss]elo(?:\"?: ?\"?| |/))\d+\.\d+\.\d+", r"\1<version>"),
)


#: Lists of JSON files whose order is not determined: glob of files, key, reason.
UNORDERED: tuple[tuple[str, str, str], ...] = (
    ("*/report.json", "cases", "counts by method follow the order of the blocks of evidence"),
)
#: Files whose lines are shuffled by a key that is drawn, so that a vendor cannot know the order.
SHUFFLED = ("json/road/vectors/requests.jsonl",)
#: Files of a run whose bytes hold the digest of the tool, or depend on the course of time.
_VARYING = ("evidence.jsonl.zst", "draws.jsonl.zst", "result.json", "run.json")


def read_literals(folder: Path) -> dict[str, str]:
    """Return the values by which the run in `folder` names itself, each with a placeholder."""
    literals = {
        hashlib.sha256(path.read_bytes()).hexdigest(): f"<digest of {path.name}>"
        for path in map(folder.joinpath, _VARYING)
        if path.is_file()
    }
    run, result = folder / "run.json", folder / "result.json"
    if run.is_file():
        root = json.loads(run.read_text(encoding="utf-8")).get("evidence_root")
        if root:
            literals[root] = ROOT
    if result.is_file():
        match = re.search(rf'"{TOOL_DIGEST}": ?"([0-9a-f]+)"', result.read_text(encoding="utf-8"))
        if match:
            literals[match[1]] = "<tool-digest>"
    return literals


def list_days(*moments: dt.datetime) -> dict[str, str]:
    """Return the days of a run, in UTC and in Macau, as ISO dates with their placeholder."""
    days = {moment.astimezone(zone).date() for moment in moments for zone in (dt.UTC, MACAU)}
    return {day.isoformat(): "<today>" for day in days}


def normalise(text: str, name: str, literals: Mapping[str, str]) -> str:
    """Return `text` of the file `name` without what a run may decide."""
    text = _sort_lists(text, name)
    spelled = {**literals, **_shorten_roots(literals)}
    # Longest first: a path may be the beginning of another.
    for literal in sorted(spelled, key=len, reverse=True):
        text = text.replace(literal, spelled[literal])
    text = apply_rules(text, name, RULES)
    return "\n".join(sorted(text.split("\n"))) if name in SHUFFLED else text


def _shorten_roots(literals: Mapping[str, str]) -> dict[str, str]:
    """Return the parts of evidence roots that documents show: halves, and a short number."""
    roots = [literal for literal, placeholder in literals.items() if placeholder == ROOT]
    halves = {root[slice(*part)]: f"{ROOT}/2" for root in roots for part in ((0, 32), (32, 64))}
    return halves | {root[:12]: f"{ROOT}/12" for root in roots}


def _sort_lists(text: str, name: str) -> str:
    for files, key, _reason in UNORDERED:
        if fnmatch.fnmatchcase(name, files):
            report = json.loads(text)
            report[key] = sorted(report[key], key=json.dumps)
            # As it was written: without spaces between its parts.
            text = json.dumps(report, ensure_ascii=False, separators=(",", ":"))
    return text


def apply_rules(text: str, name: str, rules: Iterable[Rule]) -> str:
    """Return `text` with every rule applied that is meant for the file `name`."""
    for rule in rules:
        if fnmatch.fnmatchcase(name, rule.files):
            text = rule.pattern.sub(rule.replacement, text)
    return text
