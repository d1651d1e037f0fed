"""Header and footer of evidence are held against each other and against the law."""

import hashlib
import json
import sys

import msgspec
import pytest
from tests.examine.forged_evidence import forge_evidence
from tests.often import often

from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
from selo.examine.conclusion.result import derive_result_from_folder
from selo.examine.plan import Terms
from selo.examine.run.seed_commitment import SealedSeed

VENDOR = f"{sys.executable} fixtures/adapters/python/reference.py"


@pytest.fixture(scope="module")
def sealed(selo, tmp_path_factory):
    """Return the folder of a sealed examination of one game."""
    folder = tmp_path_factory.mktemp("sealed")
    selo("seal", "new", "--vendor", VENDOR, "--out", str(folder / "seal.json"))
    done = selo(
        "examine", "--vendor", VENDOR, "--game", "pai-kao", "--rulings", "defaults",
        "--seal", str(folder / "seal.json"), "--out", str(folder / "run"),
    )  # fmt: skip
    assert (folder / "run" / "result.json").is_file(), done.stderr
    return folder / "run"


def digest_of(terms):
    return msgspec.convert(terms, Terms).digest


def replant(run):
    """Write the digests that follow from changed terms and a changed seal."""
    run.header["plan"] = digest_of(run.header["terms"])
    if run.footer["sealed"] is not None:
        seal = msgspec.convert(run.footer["sealed"], SealedSeed)
        run.header["commitment"] = seal.commitment


def seal_of_another_product(run):
    run.footer["sealed"]["product"] = "Another product"
    replant(run)


def seal_of_another_vendor(run):
    run.footer["sealed"]["vendor"] = "Somebody else"
    replant(run)


def seal_of_another_version(run):
    run.footer["sealed"]["version"] = "9"
    replant(run)


def seal_of_other_files(run):
    for file in run.footer["sealed"]["files"]:
        file["sha256"] = "0" * 64
    replant(run)


def seal_of_no_files(run):
    run.footer["sealed"]["files"] = []
    replant(run)


def seal_of_another_edition(run):
    run.footer["sealed"]["spec_digest"] = "0" * 64
    replant(run)


def seal_of_another_description(run):
    run.footer["sealed"]["description_sha256"] = "0" * 64
    replant(run)


def seal_of_zeros(run):
    run.footer["sealed"]["seed"] = "0" * 64
    replant(run)


def seal_of_nothing(run):
    run.footer["sealed"]["seed"] = ""
    replant(run)


def seal_of_another_seed(run):
    run.footer["sealed"]["seed"] = hashlib.sha256(b"another").hexdigest()
    replant(run)


def another_commitment(run):
    run.header["commitment"] = "0" * 64


def no_commitment(run):
    run.header["commitment"] = None


def nothing_revealed(run):
    run.footer["sealed"] = None


def other_digests_of_the_vendors_files(run):
    for file in run.header["description"]["files"]:
        file["sha256"] = "0" * 64


def other_digests_with_a_seal_for_them(run):
    for file in (*run.header["description"]["files"], *run.footer["sealed"]["files"]):
        file["sha256"] = "0" * 64
    replant(run)


def another_product(run):
    run.header["description"]["product"]["name"] = "Another product"


def another_digest_of_the_plan(run):
    run.header["plan"] = "0" * 64


def nothing_adopted(run):
    run.header["adopted"] = []


def one_ruling_less(run):
    run.header["adopted"].pop()


def a_ruling_twice(run):
    run.header["adopted"].append(run.header["adopted"][-1])


def a_ruling_of_an_authority_that_signed_nothing(run):
    run.header["adopted"][0] |= {"source": "permission", "by": "The authority (7/2026)"}


def a_default_that_is_not_the_registers(run):
    run.header["adopted"][0]["reading"] = "whatever"


def other_readings_in_the_plan(run):
    run.header["terms"]["rulings"] = {}
    replant(run)


def another_budget(run):
    run.header["terms"]["budget"] = "full"
    replant(run)


def another_seed_of_the_plan(run):
    run.header["terms"]["seed"] += 1
    replant(run)


def fewer_methods_than_described(run):
    run.header["terms"]["games"][0]["methods"] = []
    replant(run)


def no_games(run):
    run.header["terms"]["games"] = []
    replant(run)


def an_endless_option(run):
    run.header["terms"]["games"][0]["options"] = {"packs": {"from": 0, "to": 10**15}}
    replant(run)


def a_game_that_is_offered_and_said_not_to_be(run):
    run.header["not_offered"] = ["craps"]


def another_version_of_the_tool(run):
    run.header["tool"]["selo"] = "99"


def a_day_that_is_none(run):
    run.header["terms"]["as_of"] = "2026-02-31"
    replant(run)


def another_description_after_the_run(run):
    run.footer["description_after"] = "0" * 64


def a_file_fewer_at_the_end(run):
    run.footer["files"].pop()


def a_foreign_file_at_the_end(run):
    run.footer["files"].append({"path": "zzz", "size": 1, "sha1": "0" * 40})


def a_file_twice_at_the_end(run):
    run.footer["files"].append(run.footer["files"][-1])


def a_file_of_no_size(run):
    run.footer["files"][0]["size"] = -1


def a_foreign_change(run):
    run.footer["files_changed"] = ["zzz"]


def another_field_of_the_footer(run):
    run.footer["remark"] = "everything is in order"


def another_number_of_cases(run):
    run.footer["cases"] += 1


def reached_as_a_server(run):
    run.header["reached"] = "server"


def reached_in_a_way_that_nobody_knows(run):
    run.header["reached"] = run.footer["sealed"]["reached"] = "by post"
    replant(run)


def an_object_with_a_room(run):
    run.header["reached"] = run.footer["sealed"]["reached"] = "object"
    run.header["started"] = run.footer["sealed"]["started"] = []
    run.header["confinement"]["network"] = True
    replant(run)


def other_files_started(run):
    run.header["started"] = ["README.md"]


def a_seal_that_does_not_say_what_is_started(run):
    del run.footer["sealed"]["reached"], run.footer["sealed"]["started"]
    replant(run)


FORGERIES = [
    reached_as_a_server, reached_in_a_way_that_nobody_knows, an_object_with_a_room,
    other_files_started, a_seal_that_does_not_say_what_is_started,
    seal_of_another_product, seal_of_another_vendor, seal_of_another_version, seal_of_other_files,
    seal_of_no_files, seal_of_another_edition, seal_of_another_description, seal_of_zeros,
    seal_of_nothing, seal_of_another_seed, another_commitment, no_commitment, nothing_revealed,
    other_digests_of_the_vendors_files, other_digests_with_a_seal_for_them, another_product,
    another_digest_of_the_plan, nothing_adopted, one_ruling_less, a_ruling_twice,
    a_ruling_of_an_authority_that_signed_nothing, a_default_that_is_not_the_registers,
    other_readings_in_the_plan, another_budget, another_seed_of_the_plan,
    fewer_methods_than_described, no_games, an_endless_option,
    a_game_that_is_offered_and_said_not_to_be, another_version_of_the_tool, a_day_that_is_none,
    another_description_after_the_run, a_file_fewer_at_the_end, a_foreign_file_at_the_end,
    a_file_twice_at_the_end, a_file_of_no_size, a_foreign_change, another_field_of_the_footer,
    another_number_of_cases,
]  # fmt: skip


@pytest.mark.parametrize(
    "forgery",
    often(
        FORGERIES, seal_of_zeros, seal_of_another_product, nothing_adopted, no_games,
        other_digests_with_a_seal_for_them, an_endless_option, an_object_with_a_room,
        a_seal_that_does_not_say_what_is_started,
    ),
)  # fmt: skip
def test_a_claim_that_contradicts_its_ground_is_altered(law, sealed, tmp_path, forgery):
    folder = forge_evidence(sealed, tmp_path / "forged", forgery)

    with pytest.raises(EvidenceTampered) as refused:
        derive_result_from_folder(folder, law)

    assert refused.value.sign in {AlterationSign.CLAIM, AlterationSign.PLAN}


def test_claims_that_stand_on_their_ground_hold(law, sealed, tmp_path):
    folder = forge_evidence(sealed, tmp_path / "same", lambda _: None)

    told = json.loads((sealed / "result.json").read_text(encoding="utf-8"))
    assert derive_result_from_folder(folder, law).exit == told["exit"]


def test_a_seal_with_a_seed_that_nobody_drew_is_refused(selo, sealed, tmp_path):
    seal = json.loads((sealed.parent / "seal.json").read_text(encoding="utf-8"))
    seal["sealed"]["seed"] = "0" * 64
    seal["commitment"] = msgspec.convert(seal["sealed"], SealedSeed).commitment
    (tmp_path / "seal.json").write_text(json.dumps(seal), encoding="utf-8")

    done = selo("seal", "check", str(tmp_path / "seal.json"))

    assert (done.returncode, "random bytes" in done.stderr) == (6, True)


def test_a_seal_for_one_start_is_refused_for_another(selo, tmp_path):
    seal = str(tmp_path / "seal.json")
    selo("seal", "new", "--vendor", VENDOR, "--out", seal)
    vendor = f"{sys.executable} -m fixtures.adapters.python.reference"

    done = selo("examine", "--vendor", vendor, "--seal", seal, "--out", str(tmp_path / "run"))

    assert done.returncode == 6
    assert "started in another way" in done.stderr
