"""What the documents of an examination cost, with ever more findings, beside plain JSON."""

import functools
import json
import sys
import time

import msgspec
import pytest

from selo.cli.parser.command_line import parse_arguments, run_command
from selo.examine.conclusion.result import ExaminationResult
from selo.report.content.finding_sheets import FindingSheetWriter
from selo.report.content.report_builder import build_report
from selo.report.formats.format_registry import available_formats, find_renderer
from selo.report.formats.report_json import encode_report
from selo.report.phrases.labels import Labels

pytestmark = pytest.mark.bench

COUNTS = (0, 200, 2_000)
VENDOR = "fixtures/planted/vendor.py pai-kao rank-98-counts-as-100"
#: Ten times as many findings may cost so much more than ten times what they added.
LINEAR = 1.6
REPEAT = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory, root):
    place = tmp_path_factory.mktemp("bench") / "run"
    run_command(parse_arguments(
        ["examine", "--vendor", f"{sys.executable} {VENDOR}", "--folder", str(root),
         "--game", "pai-kao", "--out", str(place)]
    ))  # fmt: skip
    return place


def multiplied(report, count):
    replace = msgspec.structs.replace
    first = report.findings[0]
    findings = [replace(first, id=f"F-{number:03}") for number in range(1, count + 1)]
    return replace(
        report,
        findings=findings,
        provisions=[
            replace(one, findings=[sheet.id for sheet in findings] if one.findings else [])
            for one in report.provisions
        ],
    )


def seconds(work):
    """Return the shortest of a few times, which other work on the machine disturbs least."""
    times = []
    for _ in range(REPEAT):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def row(name, work):
    """Print what `work` costs for each count, and return how it grows beyond ten times as much."""
    cost = [seconds(functools.partial(work, count)) for count in COUNTS]
    growth = (cost[2] - cost[0]) / max(1e-4, 10 * (cost[1] - cost[0]))
    print(f"{name:12}" + "".join(f"{1000 * one:>11.1f} ms" for one in cost) + f"{growth:>9.2f}×")
    return growth


def test_case_sheets_and_every_format_but_the_pdf(folder, law):
    begun = time.process_time()
    report = build_report(folder, law)
    print(f"\nbuilt from evidence: {time.process_time() - begun:.2f} s, once")
    finding = msgspec.json.decode(
        (folder / "result.json").read_bytes(), type=ExaminationResult
    ).findings[0]
    sheets = FindingSheetWriter(Labels(law), "MOP", 2, law)
    told = {count: multiplied(report, count) for count in COUNTS}

    print(f"{'findings':12}" + "".join(f"{count:>14,}" for count in COUNTS) + f"{'growth':>10}")
    growth = [row("case sheets", lambda count: [sheets.write(finding) for _ in range(count)])]
    for name in available_formats():
        if name != "pdf":
            more = ("en",) if name in {"terminal", "junit"} else ()
            make = functools.partial(lambda make, more, count: make(told[count], *more),
                                     find_renderer(name), more)  # fmt: skip
            growth.append(row(name, make))

    assert max(growth) < LINEAR


def test_json_beside_the_standard_library(folder, law):
    report = multiplied(build_report(folder, law), COUNTS[-1])
    plain = json.loads(encode_report(report))

    ours = seconds(lambda: encode_report(report))
    floor = seconds(lambda: json.dumps(plain, sort_keys=True, ensure_ascii=False).encode())

    size = len(encode_report(report)) / 1e6
    print(f"\ncanonical JSON, {size:.1f} MB: {1000 * ours:.0f} ms, {ours / floor:.2f} × json.dumps")
    assert ours < 3 * floor
