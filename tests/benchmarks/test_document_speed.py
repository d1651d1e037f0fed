"""The document of the full examination of six games: drawn, signed twice at B-LTA, verified.

What counts is the clock, as for whoever waits. A machine on which others work besides stretches it:
what they took of the processors is told beside each figure, and nothing is taken off for it.
"""

import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass

import msgspec
import pikepdf
import pytest
from tests.verification.conftest import DOSSIER
from tests.verification.conftest import signing as signing_with

from selo.report.content.report_builder import build_document
from selo.report.formats.report_json import read_report
from selo.report.pdf.signable_pdf import render_signable_pdf
from selo.signing.keys.certificates import load_certificates
from selo.signing.keys.demo_authority import make_demo_authority
from selo.signing.keys.pkcs12_keys import load_pkcs12
from selo.verification.verifier import VerificationRequest, verify_document

pytestmark = pytest.mark.bench

#: So long may it take to draw and sign the document, and to verify it.
MOST_SECONDS = 20
#: What the second thousand findings add may be so much more than what the first added.
LINEAR = 1.5
BUDGET = os.environ.get("SELO_BENCH_BUDGET", "full")


@dataclass(frozen=True, kw_only=True)
class Took:
    """How long something took: by the clock, of processors, and what others took meanwhile."""

    clock: float
    ours: float
    others: float

    def __str__(self):
        return (
            f"{self.clock:6.1f} s clock {self.ours:6.1f} s processors"
            f" ({self.others:5.1f} s of others meanwhile)"
        )


def timed(work):
    """Return how long some work took, and its result."""
    clock, ours, all_of_us = time.perf_counter(), processors(), machine()
    result = work()
    clock, ours = time.perf_counter() - clock, processors() - ours
    return Took(clock=clock, ours=ours, others=max(0.0, machine() - all_of_us - ours)), result


def processors():
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def machine():
    """Return the seconds that all processors together have worked; nought where nobody tells."""
    try:
        with open("/proc/stat", encoding="ascii") as file:  # noqa: PTH123 - it is no file on a disk
            user, nice, system, _idle, _waiting, *rest = map(int, file.readline().split()[1:9])
    except OSError:
        return 0.0
    return (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")


@pytest.fixture(scope="module")
def selo_here(root):
    def run(*given, module="selo"):
        return subprocess.run(
            [sys.executable, "-m", module, *given],
            cwd=root, capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip

    return run


@pytest.fixture(scope="module")
def road(selo_here, tmp_path_factory):
    """The whole road of ``make certify`` with the full budget."""
    out = tmp_path_factory.mktemp("road") / "out"
    took, done = timed(lambda: selo_here(str(out), BUDGET, module="selo.cli.demonstration"))
    assert done.returncode == 0, done.stdout + done.stderr
    print(f"\n{BUDGET}: law, examination, documents, signatures, verification: {took}")
    return out


def test_the_full_examination_is_drawn_signed_and_verified_in_time(road, selo_here, tmp_path):
    report = read_report(road / "report.json")
    beside = [one.name for one in report.attachments if not one.attached]

    reporting, _ = timed(
        lambda: selo_here(
            "report", str(road / "run"), "--dossier", str(road / "dossier.yaml"),
            "--kind", "certificate", "--format", "pdf", "--out", str(tmp_path),
        )
    )  # fmt: skip
    drawing, pages = timed(lambda: drawn_in_a_process(road, tmp_path))
    signing, _ = timed(lambda: signed_twice(road, selo_here, tmp_path))
    signed = tmp_path / "signed.pdf"
    verifying, told = timed(
        lambda: selo_here("verify", str(signed), "--trust", str(road / "keys" / "root.pem"),
                          "--json")
    )  # fmt: skip
    checks = json.loads(told.stdout)["checks"]

    with pikepdf.open(signed) as pdf:
        objects = len(pdf.objects)
    made = drawing.clock + signing.clock
    print(
        f"\n{report.evidence.cases:,} cases, {pages} pages, {objects:,} objects, "
        f"{signed.stat().st_size:,} bytes, beside it: {', '.join(beside) or 'nothing'}\n"
        f"from evidence to PDF (selo report)  {reporting}\n"
        f"pages drawn and packed              {drawing}  "
        f"{pages / drawing.clock:.1f} pages a second\n"
        f"two signatures at B-LTA             {signing}\n"
        f"selo verify, all revisions          {verifying}  "
        f"{verifying.clock / made:.2f} of drawing and signing"
    )
    assert told.returncode == 0, [one for one in checks if one["state"] != "holds"]
    assert sum("b-lta" in one["told"] for one in checks) == 2
    # Every verdict was worked out again, from every line of the evidence.
    (whole,) = [one for one in checks if one["name"] == "evidence"]
    assert int(whole["slots"]["lines"]) == report.evidence.lines
    assert [one["state"] for one in checks if one["name"] == "verdicts"] == ["holds"]
    assert made < MOST_SECONDS, f"drawn {drawing}, signed {signing}"
    assert verifying.clock < MOST_SECONDS, str(verifying)


DRAW = """
import sys
from pathlib import Path
from selo.report.pdf.signable_pdf import prepared
from selo.report.formats.report_json import read_report
road, out = map(Path, sys.argv[1:])
report = read_report(road / "report.json")
import pikepdf
with pikepdf.open(road / "report.pdf") as pdf:
    files = {name: one.get_file().read_bytes() for name, one in pdf.attachments.items()}
    print(len(pdf.pages))
files.pop("report.json")
made = prepared(report, files)
assert made == (road / "report.pdf").read_bytes()
out.write_bytes(made)
"""


def drawn_in_a_process(road, tmp_path):
    """Draw the document again from its report; return how many pages it has."""
    done = subprocess.run(
        [sys.executable, "-c", DRAW, str(road), str(tmp_path / "drawn.pdf")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return int(done.stdout)


def signed_twice(road, selo_here, tmp_path):
    # What travels beside the document was written beside it by ``selo report``.
    keys, secret = road / "keys", road / "passphrase"
    last = tmp_path / "drawn.pdf"
    for role in ("laboratory", "bureau"):
        signed = tmp_path / f"{role}.pdf"
        done = selo_here(
            "sign", str(last), "--as", role, "--p12", str(keys / f"{role}.p12"),
            "--passphrase-file", str(secret), "--level", "b-lta", "--tsa", str(keys / "tsa.p12"),
            "--trust", str(keys / "root.pem"), "--crl", str(keys / "root.crl"),
            "--crl", str(keys / "issuing.crl"), "--out", str(signed),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        last = signed
    last.replace(tmp_path / "signed.pdf")


def test_drawing_signing_and_verifying_are_linear_in_findings(law, selo_here, tmp_path):
    folder = tmp_path / "run"
    selo_here(
        "examine", "--vendor",
        f"{sys.executable} fixtures/planted/vendor.py pai-kao rank-98-counts-as-100",
        "--game", "pai-kao", "--rulings", "defaults", "--out", str(folder),
    )  # fmt: skip
    for name, content in make_demo_authority().files("bench").items():
        (tmp_path / name).write_bytes(content)
    by_both = signing_with(lambda name: load_pkcs12(tmp_path / f"{name}.p12", "bench"))
    asked = VerificationRequest(trust=tuple(load_certificates(tmp_path / "root.pem")))
    built = build_document(folder, law, DOSSIER)
    report, files = built.report, {one.name: one.read() for one in built.enclosures}
    rows = []
    for count in (0, 1_000, 2_000):
        many = with_findings(report, count)
        drawing, unsigned = timed(lambda many=many: render_signable_pdf(many, files))
        signing, signed = timed(lambda unsigned=unsigned: by_both(unsigned))
        verifying = min(
            (
                timed(lambda signed=signed: list(verify_document(signed, law, asked)))[0]
                for _ in range(3)
            ),
            key=lambda took: took.ours,
        )
        rows.append((count, drawing, signing, verifying, len(signed)))

    print()
    for count, *took, size in rows:
        told = "  ".join(f"{one.clock:6.2f} s clock {one.ours:6.2f} s processors" for one in took)
        print(f"{count:5,} findings, {size:10,} bytes: drawn, signed, verified {told}")
    # One process does each, so that its processor seconds are its time on a machine of its own.
    for at, what in enumerate(("drawing", "signing", "verifying"), 1):
        none, half, whole = (row[at].ours for row in rows)
        assert linear(none, half, whole), f"{what}: {none:.2f}, {half:.2f}, {whole:.2f} s"


def linear(none, half, whole):
    """Return whether the second half adds hardly more than the first did.

    Where findings add less than a tenth of what a document without any takes, that they add hardly
    anything is what is to be shown.
    """
    added = half - none
    return whole < 1.1 * none or whole - half < LINEAR * added


def with_findings(report, count):
    """Return the report with its first finding so many times, each with its own number."""
    (first, *_) = report.findings
    many = [msgspec.structs.replace(first, id=f"F-{at:03}") for at in range(1, count + 1)]
    return msgspec.structs.replace(report, findings=many)
