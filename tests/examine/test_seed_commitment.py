"""A sealed seed binds the vendor's build before the run, and anybody can recompute it after."""

import hashlib
import json
import stat
from itertools import islice

import msgspec
import pytest

from selo.cases.generate.case_stream import list_groups
from selo.cases.scope import offer_everything
from selo.examine.run.seed_commitment import (
    SealBroken,
    create_seal,
    read_seal,
    require_fitting_seal,
    write_seal,
)
from selo.protocol.messages import Description

DESCRIPTION = {
    "protocol": "1.0",
    "vendor": {"name": "V"},
    "product": {"name": "P", "version": "1"},
    "files": [{"path": "a.py", "sha256": "0" * 64}],
    "currency": {"code": "MOP", "decimals": 2},
    "rounding": {"prize": "down", "commission": "down"},
    "games": [{"game": "craps", "methods": ["settle"]}],
}


@pytest.fixture
def description():
    return msgspec.convert(DESCRIPTION, Description)


def test_the_commitment_can_be_recomputed_by_anybody(description):
    seal = create_seal(description, "edition")

    plain = msgspec.to_builtins(seal.sealed)
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    assert seal.commitment == hashlib.sha256(b"selo-seal-1\n" + text.encode()).hexdigest()


def test_two_seals_of_one_build_have_different_seeds(description):
    one, other = create_seal(description, "edition"), create_seal(description, "edition")

    assert one.commitment != other.commitment
    assert one.sealed.number != other.sealed.number
    assert 0 <= one.sealed.number < 2**53


@pytest.mark.parametrize(
    "game",
    ["bacara", "craps", "fish-prawn-crab", "fortune-three-card-poker", "three-card-baccarat"],
)
def test_a_sealed_run_holds_cases_that_no_open_seed_lists(law, description, game):
    sealed = create_seal(description, "edition").sealed.number
    known = {case for seed in range(3) for case in drawn_cases(law, game, seed)}

    mine = drawn_cases(law, game, sealed)

    # Most of what is drawn was never drawn with an open seed.
    assert len([case for case in mine if case not in known]) > len(mine) // 2 > 0


def drawn_cases(law, game, seed):
    found = list_groups(law, offer_everything(law, [game]), budget="quick", seed=seed)
    return [case.key for _, one in found if one.endless for case in islice(one.cases(), 200)]


def test_a_seal_is_for_its_owner_alone_and_is_never_overwritten(description, tmp_path):
    path = tmp_path / "seal.json"
    write_seal(path, create_seal(description, "edition"))

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(Exception, match="never overwritten"):
        write_seal(path, create_seal(description, "edition"))


def test_a_seal_comes_back_from_its_file(description, tmp_path):
    seal = create_seal(description, "edition")
    write_seal(tmp_path / "seal.json", seal)

    assert read_seal(tmp_path / "seal.json") == seal
    require_fitting_seal(seal.sealed, description, "edition")


@pytest.mark.parametrize("part", ["seed", "version", "spec_digest"])
def test_an_altered_seal_is_noticed(description, tmp_path, part):
    path = tmp_path / "seal.json"
    write_seal(path, create_seal(description, "edition"))
    told = json.loads(path.read_text(encoding="utf-8"))
    told["sealed"][part] = "0" * 64
    path.write_text(json.dumps(told), encoding="utf-8")

    with pytest.raises(SealBroken):
        read_seal(path)


@pytest.mark.parametrize(
    "change",
    [
        {"files": [{"path": "a.py", "sha256": "1" * 64}]},
        {"product": {"name": "P", "version": "2"}},
        {"games": [{"game": "craps", "methods": ["settle"], "bets": ["field"]}]},
    ],
)
def test_a_seal_fits_no_other_build(description, change):
    seal = create_seal(description, "edition")

    with pytest.raises(SealBroken):
        require_fitting_seal(
            seal.sealed, msgspec.convert({**DESCRIPTION, **change}, Description), "edition"
        )


def test_a_seal_fits_no_other_edition_of_the_law(description):
    with pytest.raises(SealBroken, match="edition"):
        require_fitting_seal(create_seal(description, "edition").sealed, description, "another")
