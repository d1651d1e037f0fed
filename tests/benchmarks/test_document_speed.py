"""The document of the full examination of six games: drawn, signed twice at B-LTA, verified.

Seconds are the shorter of two: the clock's, which a busy machine stretches, and those of all
processors together, which two cores stretch.
"""

import json
import os
import resource
import subprocess
import sys
import time

import msgspec
import pikepdf
import pytest
from tests.verification.conftest import DOSSIER, bound, signing

from selo.report.build import build, enclosed_in
from selo.report.plain import read_report
from selo.signing.authority import demonstration
from selo.signing.certificates import certificates
from selo.signing.keys import from_pkcs12
from selo.verification.verifying import Asked, verified

pytestmark = pytest.mark.bench

#: So long may it take to draw and sign the document, and to verify it.
MOST_SECONDS = 20
#: What twice as many findings add may be so much more than what the first ones added.
LINEAR = 1.6
BUDGET = os.environ.get("SELO_BENCH_BUDGET", "full")


def timed(work):
    """Return the shorter of both times, both of them, and the result."""
    clock, before = time.perf_counter(), processors()
    result = work()
    clock, spent = time.perf_counter() - clock, processors() - before
    return min(clock, spent), f"{clock:6.1f} s clock {spent:6.1f} s processors", result


def processors():
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


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
    _, told, done = timed(lambda: selo_here(str(out), BUDGET, module="selo.cli.demonstration"))
    assert done.returncode == 0, done.stdout + done.stderr
    print(f"\n{BUDGET}: law, examination, documents, signatures, verification: {told}")
    return out


def test_the_full_examination_is_drawn_signed_and_verified_in_time(road, selo_here, tmp_path):
    report = read_report(road / "report.json")
    beside = [one.name for one in report.attachments if not one.attached]

    _, report_told, _ = timed(
        lambda: selo_here(
            "report", str(road / "run"), "--dossier", str(road / "dossier.yaml"),
            "--kind", "certificate", "--format", "pdf", "--out", str(tmp_path),
        )
    )  # fmt: skip
    drawing, drawing_told, pages = timed(lambda: drawn_in_a_process(road, tmp_path))
    signing_seconds, signing_told, _ = timed(lambda: signed_twice(road, selo_here, tmp_path))
    signed = tmp_path / "signed.pdf"
    verifying, verifying_told, told = timed(
        lambda: selo_here("verify", str(signed), "--trust", str(road / "keys" / "root.pem"),
                          "--json")
    )  # fmt: skip
    checks = json.loads(told.stdout)["checks"]

    with pikepdf.open(signed) as pdf:
        objects = len(pdf.objects)
    print(
        f"\n{report.evidence.cases:,} cases, {pages} pages, {objects:,} objects, "
        f"{signed.stat().st_size:,} bytes, beside it: {', '.join(beside) or 'nothing'}\n"
        f"from evidence to PDF (selo report)  {report_told}\n"
        f"pages drawn and packed              {drawing_told}  "
        f"{pages / drawing:.1f} pages a second\n"
        f"two signatures at B-LTA             {signing_told}\n"
        f"selo verify, all revisions          {verifying_told}  "
        f"{verifying / (drawing + signing_seconds):.2f} of drawing and signing"
    )
    assert told.returncode == 0, [one for one in checks if one["state"] != "holds"]
    assert sum("b-lta" in one["told"] for one in checks) == 2
    assert drawing + signing_seconds < MOST_SECONDS
    assert verifying < MOST_SECONDS


DRAW = """
import sys
from pathlib import Path
from selo.document import prepared
from selo.report.plain import read_report
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


def test_verifying_is_linear_in_findings(law, selo_here, tmp_path):
    folder = tmp_path / "run"
    selo_here(
        "examine", "--vendor",
        f"{sys.executable} fixtures/planted/vendor.py pai-kao rank-98-counts-as-100",
        "--game", "pai-kao", "--rulings", "defaults", "--out", str(folder),
    )  # fmt: skip
    for name, content in demonstration().files("bench").items():
        (tmp_path / name).write_bytes(content)
    trust = tuple(certificates(tmp_path / "root.pem"))
    sign = signing(lambda name: from_pkcs12(tmp_path / f"{name}.p12", "bench"))
    report = build(folder, law, DOSSIER)
    files = {one.name: one.read() for one in enclosed_in(folder, law, report)}
    first = report.findings[0]
    rows = []
    for count in (0, 1_000, 2_000):
        many = [msgspec.structs.replace(first, id=f"F-{at:03}") for at in range(1, count + 1)]
        document = sign(bound(msgspec.structs.replace(report, findings=many), files))
        best = min(
            timed(lambda document=document: list(verified(document, law, Asked(trust=trust))))[0]
            for _ in range(3)
        )
        rows.append((count, best, len(document)))

    print()
    for count, seconds, size in rows:
        print(f"verify with {count:5,} findings {seconds:6.2f} s  {size:,} bytes")
    assert rows[2][1] - rows[1][1] < LINEAR * max(rows[1][1] - rows[0][1], 0.1)
