"""Whatever is wrong with an input, a reader names it: no other error, no exit code 5, no harm.

``make fuzz`` tries 10,000 inputs for each reader in process and 200 through the program; every run
of the tests tries a sample. Figures are printed.
"""

import contextlib
import datetime as dt
import os
import random
import re
import shutil
import time
from pathlib import Path

import msgspec
import pytest
from tests.examine.forged_evidence import forge_evidence
from tests.fuzz.input_mutations import spoil
from tests.verification.conftest import bound, document, keys, lawful, material, signed_by
from tests.verification.forgery_generator import forgeries_of

from selo.errors import SeloError
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.inclusion_proof import InclusionProof, check_proof, prove_case
from selo.evidence.merkle import Root
from selo.examine.conclusion.result import derive_result_from_folder
from selo.examine.findings import Finding
from selo.examine.run.run_log import RunLog, encode_indented
from selo.examine.run.seed_commitment import read_seal
from selo.gate.deviations import DeviationsFile
from selo.gate.permission import Permission
from selo.report.formats.report_json import encode_report
from selo.report.model.dossier import Dossier
from selo.report.model.report_model import Report
from selo.report.requirements.dossier_template import render_blank_dossier
from selo.settings.settings_file import read_settings
from selo.signing.attached_files import UnreadablePdf, _unpack
from selo.signing.signer_policy import PolicyFile
from selo.signing.verify.document_inspection import _inspect_document
from selo.signing.verify.trust_context import TrustContext
from selo.storage.bounded_read import decode_json
from selo.verdict.rulings import adopt_rulings
from selo.verdict.witness.form import Form
from selo.yaml_file import parse_yaml

__all__ = ["bound", "document", "keys", "lawful", "material", "signed_by"]
FEW, FEW_PROGRAMS = 40, 2
MANY = int(os.environ.get("SELO_FUZZ", "0"))
PROGRAMS = int(os.environ.get("SELO_FUZZ_PROGRAMS", "0"))
MOST_MEMORY_KIB = 1 << 20
MOST_SECONDS = 20.0
READERS = ["pdf", "yaml", "json", "evidence", "seal"]
_VENDOR = "python3 fixtures/adapters/python/reference.py"
#: Exit codes of a program that was given something wrong.
_NAMED = {0, 1, 2, 3, 4, 6}


@pytest.fixture(scope="module")
def corpora(material, document, lawful, selo, tmp_path_factory):
    """The sound inputs of each reader."""
    folder = tmp_path_factory.mktemp("corpus")
    selo("seal", "new", "--vendor", _VENDOR, "--out", str(folder / "seal.json"))
    selo("witness", "new", "--game", "fish-prawn-crab", "--out", str(folder))
    form = next(folder.glob("*.yaml")).read_bytes()
    proof = prove_case(lawful, 3)
    return {
        "pdf": [document],
        "yaml": [
            render_blank_dossier().encode(),
            form,
            b"roots: [root.pem]\nlaboratory:\n  - {name: A}\nbureau:\n  - {key: abc}\n",
            b"deviations:\n  - provisions: [a/1]\n    verdict: violates\n    owner: B\n",
            b"78-2008-8-3--two-suits-in-a-straight: three-distinct-suits\n",
            b"[tool.selo]\nvendor = 'x'\n",
        ],
        "json": [
            encode_report(material[0]),
            (lawful / "run.json").read_bytes(),
            encode_indented(proof),
            (lawful / "result.json").read_bytes(),
        ],
        "evidence": [(lawful / "evidence.jsonl.zst").read_bytes()],
        "seal": [(folder / "seal.json").read_bytes()],
    }


def read_pdf(data, _):
    """Unpack and validate a document; the program does both in a child process."""
    with contextlib.suppress(Exception):
        # Whatever a validator raises is a fault of the file.
        _inspect_document(data, CONTEXT)
    _unpack(data)


def read_yaml_text(data, folder):
    (folder / "file.yaml").write_bytes(data)
    (folder / "selo.toml").write_bytes(data)
    for reader in (adopt_from, settings_from, models_from):
        try:
            reader(folder)
        except SeloError:
            continue
    models_from(folder)


def models_from(folder):
    text = (folder / "file.yaml").read_bytes().decode("utf-8", "replace")
    document = parse_yaml(text, folder / "file.yaml")
    for model in (Dossier, PolicyFile, DeviationsFile, Permission, Form):
        try:
            document.convert(model)
        except SeloError:
            continue


def adopt_from(folder):
    adopt_rulings(adopt_from.law, path=folder / "file.yaml")


def settings_from(folder):
    read_settings(folder / "selo.toml")


def read_json_text(data, _):
    for model in (Report, RunLog, InclusionProof, Finding, dict):
        try:
            found = decode_json(data, model)
        except msgspec.DecodeError:
            continue
        if isinstance(found, InclusionProof):
            check_proof(found, Root("0" * 64))


def read_evidence(data, folder):
    (folder / "evidence.jsonl.zst").write_bytes(data)
    EvidenceReader(folder).read()


def read_seal_file(data, folder):
    (folder / "seal.json").write_bytes(data)
    read_seal(folder / "seal.json")


CONTEXT = TrustContext(
    trust=(), revocations=(), qualified=(), now=dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
)
READ = {
    "pdf": read_pdf, "yaml": read_yaml_text, "json": read_json_text,
    "evidence": read_evidence, "seal": read_seal_file,
}  # fmt: skip


def memory():
    """Return the most memory of this process since it was forgotten, in KiB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])


def forget_memory():
    """Let the most memory so far be what is used now: other tests of this process used more."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


@pytest.mark.parametrize("reader", READERS)
def test_no_input_harms_its_reader(corpora, law, tmp_path, reader, capsys):
    """A document is read here without limits of the kernel, so that its reader is what is tried."""
    drawn, count = random.Random(f"{reader} 1"), MANY or FEW  # noqa: S311 - the same inputs each time
    adopt_from.law = law
    slowest, read = 0.0, 0
    forget_memory()
    before = memory()
    for _ in range(count):
        data = spoil(drawn, corpora[reader])
        began = time.process_time()
        try:
            READ[reader](data, tmp_path)
            read += 1
        except (SeloError, UnreadablePdf):
            pass
        except Exception:
            (tmp_path / "harmful").write_bytes(data)
            raise
        slowest = max(slowest, time.process_time() - began)

    with capsys.disabled():
        if MANY:
            print(f"\n{reader}: {count} inputs, {read} read, slowest {slowest:.2f} s, "  # noqa: T201
                  f"memory {before >> 10} → {memory() >> 10} MiB")  # fmt: skip
    assert slowest < MOST_SECONDS
    assert memory() - before < MOST_MEMORY_KIB


def test_no_rooted_line_harms_the_replay(lawful, law, tmp_path):
    """Evidence with digests and root in order, of which every part is spoiled by its type."""
    drawn = random.Random(2)  # noqa: S311 - the same inputs each time
    count = min(MANY, 1000) or FEW // 3

    def change(run):
        part = drawn.choice([run.header, run.footer, *drawn.sample(run.lines, 3)])
        for forgery in drawn.sample(list(forgeries_of(part)), 2):
            if forgery.path:
                forgery.apply(part)

    for _ in range(count):
        shutil.rmtree(tmp_path / "forged", ignore_errors=True)
        try:
            forge_evidence(lawful, tmp_path / "forged", change)
        except (SeloError, LookupError, TypeError, ValueError, AttributeError):
            # Our own writer refuses it.
            continue
        try:
            derive_result_from_folder(tmp_path / "forged", law)
        except SeloError:
            continue


def command(reader, path, keys):
    if reader == "pdf":
        return ["verify", path, "--policy", keys / "signers.yaml"]
    if reader == "yaml":
        return ["witness", "check", path]
    if reader == "json":
        return ["evidence", "verify-proof", path, "--root", "0" * 64]
    if reader == "seal":
        return ["examine", "--vendor", _VENDOR, "--game", "pai-kao", "--seal", path,
                "--out", path.parent / "run"]  # fmt: skip
    return ["evidence", "check", path.parent]


@pytest.mark.parametrize("reader", READERS)
def test_no_input_harms_the_program(corpora, warm_selo, keys, tmp_path, reader, capsys):
    drawn, count = random.Random(f"{reader} 3"), PROGRAMS or FEW_PROGRAMS  # noqa: S311 - the same
    names = {"evidence": "evidence.jsonl.zst"}
    printed = [tmp_path / name for name in ("stdout", "stderr")]
    codes, slowest, most = {}, 0.0, 0
    for number in range(count):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / names.get(reader, f"input.{reader}")
        path.write_bytes(spoil(drawn, corpora[reader]))
        began = time.monotonic()
        code, used = warm_selo.run(command(reader, path, keys), printed, dict(os.environ))
        slowest, most = max(slowest, time.monotonic() - began), max(most, used)
        codes[code] = codes.get(code, 0) + 1
        assert code in _NAMED, printed[1].read_text(encoding="utf-8")[-2000:]
        assert "Traceback" not in printed[1].read_text(encoding="utf-8", errors="replace")
        shutil.rmtree(folder)

    with capsys.disabled():
        if PROGRAMS:
            print(f"\n{reader}: {count} runs, exits {codes}, slowest {slowest:.1f} s by the clock, "  # noqa: T201
                  f"memory {most >> 10} MiB")  # fmt: skip
    assert slowest < MOST_SECONDS
    assert most < MOST_MEMORY_KIB
