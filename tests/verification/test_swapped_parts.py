"""Parts of another run, seal, edition or file, with roots and digests in order."""

import json
import shutil

import msgspec
import pytest
from tests.examine.forged_evidence import forge_evidence
from tests.verification.conftest import DOSSIER, altered
from tests.verification.test_forgeries import VENDOR, recomputed, sealed_run  # noqa: F401 - a fixture

from selo.edition import EDITION_FILE, digest_edition, pack_edition, unpack_edition
from selo.errors import SeloError
from selo.evidence.evidence_reader import EvidenceReader
from selo.examine.conclusion.result import derive_result_from_folder
from selo.examine.run.seed_commitment import SealedSeed
from selo.report.content.report_builder import build_document
from selo.verification.recomputation import write_attachments
from selo.verification.verification_report import CheckState, exit_code_of


@pytest.fixture(scope="module")
def other_seal(selo, tmp_path_factory):
    """A seal for the same product, with another seed."""
    path = tmp_path_factory.mktemp("other") / "seal.json"
    selo("seal", "new", "--vendor", VENDOR, "--out", str(path))
    return json.loads(path.read_text(encoding="utf-8"))


def swap_seal(run, seal):
    """The whole seal of another run: seed and commitment fit each other."""
    run.header["commitment"], run.footer["sealed"] = seal["commitment"], seal["sealed"]


def swap_commitment(run, seal):
    run.header["commitment"] = seal["commitment"]


def swap_seed(run, seal):
    run.footer["sealed"]["seed"] = seal["sealed"]["seed"]
    run.header["commitment"] = msgspec.convert(run.footer["sealed"], SealedSeed).commitment


def drop_seal(run, _):
    run.header["commitment"], run.footer["sealed"] = None, None
    run.footer["sealed"] = {}


def line_as_footer(run, _):
    run.lines[3]["evidence"] = "footer"


def line_as_header(run, _):
    run.lines[0] = {**run.header, "evidence": "header", "n": 0}


def line_without_answer(run, _):
    del run.lines[5]["answer"]


def line_with_two_endings(run, _):
    run.lines[5]["fault"] = {"kind": "late"}


def case_as_round(run, _):
    run.lines[-1]["method"] = "round"


def case_as_reduction(run, _):
    run.lines[-1]["group"] = "reduction"
    run.footer["cases"] -= 1
    run.footer["reductions"] += 1


def reduction_of_nothing(run, _):
    run.lines.append({**run.lines[2], "group": "reduction"})
    run.footer["reductions"] += 1


def cases_as_text(run, _):
    run.footer["cases"] = str(run.footer["cases"])


def game_not_offered_and_asked(run, _):
    run.header["not_offered"] = ["pai-kao"]


def permission_of_nobody(run, _):
    run.header["adopted"][0].update(source="permission", by="The authority (1/2026)")


def other_engine(run, _):
    run.header["terms"]["engine"] = 0


FORGERIES = [
    swap_seal, swap_commitment, swap_seed, drop_seal, line_as_footer, line_as_header,
    line_without_answer, line_with_two_endings, case_as_round, case_as_reduction,
    reduction_of_nothing, cases_as_text, game_not_offered_and_asked, permission_of_nobody,
    other_engine,
]  # fmt: skip


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_no_swapped_part_of_evidence_holds(sealed_run, law, other_seal, tmp_path, forge):  # noqa: F811
    try:
        folder = forge_evidence(sealed_run, tmp_path / "forged", lambda run: forge(run, other_seal))
    except SeloError:
        # Not even our own writer takes it.
        return

    with pytest.raises(SeloError):
        derive_result_from_folder(folder, law)


def test_faults_in_another_world_are_read_again_and_count(sealed_run, law, tmp_path):  # noqa: F811
    def answers_otherwise(run):
        run.footer["world_faults"] = [{"kind": "world-differs", "told": "x", "path": ""}]

    folder = forge_evidence(sealed_run, tmp_path / "run", answers_otherwise)

    assert derive_result_from_folder(folder, law).exit != 0


@pytest.fixture
def opened(sealed_run, law, tmp_path):  # noqa: F811
    """The report of the sealed run, and its files in a folder."""
    built = build_document(sealed_run, law, DOSSIER)
    write_attachments(tmp_path, {one.name: one.read() for one in built.enclosures})
    return built.report, tmp_path


def edit_law(folder):
    files = unpack_edition((folder / EDITION_FILE).read_bytes())
    name = next(name for name in files if name.endswith("instrument.yaml"))
    files[name] += b"# another word\n"
    (folder / EDITION_FILE).write_bytes(pack_edition(files))
    return digest_edition(files)


def test_law_of_another_edition_is_named(opened, law):
    report, folder = opened
    edit_law(folder)

    checks = recomputed(report, law, folder)

    assert "law.differs" in {one.key for one in checks if one.state is CheckState.FAILED}


def test_an_edition_that_nobody_answers_for_never_holds(opened, law, tmp_path):
    report, folder = opened
    edition = edit_law(folder)
    into = tmp_path / "forged"
    forge_evidence(folder_with_log(folder), into, lambda run: run.header.update(edition=edition))
    shutil.copy(into / "evidence.jsonl.zst", folder)
    shutil.copy(folder / EDITION_FILE, into)
    root = EvidenceReader(into).read().root
    lying = altered(
        report,
        method=altered(report.method, edition=edition),
        evidence=altered(report.evidence, root=str(root)),
    )

    checks = recomputed(lying, law, folder)

    assert exit_code_of(checks) != 0
    assert "law.ours" not in {one.key for one in checks}


def folder_with_log(folder):
    (folder / "run.json").write_text("{}", encoding="utf-8")
    return folder


def test_evidence_that_is_neither_inside_nor_beside_leaves_everything_open(opened, law):
    report, folder = opened
    (folder / "evidence.jsonl.zst").unlink()

    checks = recomputed(report, law, folder)

    assert exit_code_of(checks) == 2


def test_a_score_that_nobody_ships_is_somebodys_word(opened, law):
    report, folder = opened
    records = [altered(one, killed=one.killed + 1) for one in report.selftest]
    lying = altered(report, selftest=records or report.selftest)

    keys = {one.key for one in recomputed(lying, law, folder)}

    assert ("selftest.signer-says" in keys) is bool(records)
