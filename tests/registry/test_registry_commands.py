"""The commands on a registry, as they are typed, and what they print as JSON."""

import json
import shutil
import subprocess
import sys

import jsonschema
import pytest
from tests.registry.conftest import SECRET, issued

from selo.cli.schemas.published_schemas import build_schema, schema_name
from selo.registry import CertificateRegistry
from selo.registry.registry_events import EventKind

WHY = ("--reason-pt", "Ensaio.", "--reason-zh", "測試。")


@pytest.fixture
def typed(selo, office, tmp_path):
    """Run a command of a registry with somebody's key; return its exit code and its JSON."""
    secret = tmp_path / "secret"
    secret.write_text(SECRET + "\n")

    def run(name, *words, key=None, code=0):
        keyed = []
        if key is not None:
            keyed = ["--p12", office.folder / f"{key}.p12", "--passphrase-file", secret]
            keyed += ["--head-p12", office.folder / "bureau.p12"]
        done = selo(*name.split(), *words, *keyed, "--json")
        assert done.returncode == code, done.stderr + done.stdout
        told = json.loads(done.stdout)
        judge = jsonschema.Draft202012Validator(build_schema(schema_name(name)))
        assert [error.message for error in judge.iter_errors(told)] == []
        return told

    return run


def test_a_registry_from_its_opening_to_a_revocation(typed, office, tmp_path):
    place, policy = tmp_path / "registry", office.policy
    typed("registry init", place, "--policy", policy, key="bureau")
    typed("registry commit", place, "5" * 64, key="laboratory")
    registry = CertificateRegistry.at(place)
    for number in ("SELO-1", "SELO-2"):
        draft = registry.draft(EventKind.ISSUE, office.laboratory, **issued(number))
        registry.append(registry.sign(draft, office.laboratory), office.bureau)

    typed("registry suspend", place, "SELO-1", *WHY, key="bureau")
    back, away = tmp_path / "back.json", tmp_path / "away.json"
    typed("registry reinstate", place, "SELO-1", *WHY, "--proposal", back, key="laboratory", code=2)
    typed("registry confirm", place, back, key="bureau")
    typed("registry supersede", place, "SELO-1", "--by", "SELO-2", *WHY, key="bureau")
    typed("registry revoke", place, "SELO-2", *WHY, "--proposal", away, key="laboratory", code=2)
    typed("registry confirm", place, away, key="bureau")
    typed("registry head", place, key="bureau")

    told = typed("registry list", place)
    states = {one["certificate"]: one["state"] for one in told["certificates"]}
    assert states == {"SELO-1": "superseded", "SELO-2": "revoked"}
    assert len(typed("registry show", place, "SELO-1")["events"]) == 4
    assert len(typed("registry log", place)["events"]) == 8
    assert typed("registry check", place, "--policy", policy)["problems"] == []
    assert typed("registry check", place, code=2)["trusted"] is False


@pytest.fixture
def confirm(selo, office, tmp_path):
    """Confirm a proposal as the bureau."""
    key = ["--p12", office.folder / "bureau.p12", "--passphrase-file", tmp_path / "secret"]
    return lambda place, proposal: selo("registry", "confirm", place, proposal, *key)


def test_what_was_proposed_before_something_else_happened_is_signed_again(
    typed, confirm, office, tmp_path
):
    place, proposal = tmp_path / "registry", tmp_path / "proposal.json"
    typed("registry init", place, "--policy", office.policy, key="bureau")
    registry = CertificateRegistry.at(place)
    draft = registry.draft(EventKind.ISSUE, office.laboratory, **issued("SELO-1"))
    registry.append(registry.sign(draft, office.laboratory), office.bureau)
    words = ("registry revoke", place, "SELO-1", *WHY, "--proposal", proposal)
    typed(*words, key="laboratory", code=2)
    typed("registry withdraw", place, "SELO-1", *WHY, key="laboratory")

    done = confirm(place, proposal)

    assert done.returncode == 3
    assert "another event came first" in done.stderr
    assert registry.check().book.certificates["SELO-1"].state == "withdrawn"


@pytest.mark.full
def test_the_life_of_a_certificate_from_its_examination_to_its_revocation(
    typed, office, selo, root, tmp_path
):
    out, place = tmp_path / "out", tmp_path / "registry"
    subprocess.run([sys.executable, "-m", "selo.cli.demonstration", str(out)], cwd=root, check=True)
    signers = out / "keys" / "signers.yaml"
    typed("registry init", place, "--policy", office.policy, key="bureau")
    typed("registry issue", place, out / "signed.pdf", "--signers", signers, key="laboratory")
    (number,) = [one["certificate"] for one in typed("registry list", place)["certificates"]]
    asked = ["--policy", signers, "--registry", place, "--registry-policy", office.policy]

    assert selo("verify", out / "signed.pdf", *asked).returncode == 0
    product = tmp_path / "product"
    shutil.copytree(root / "fixtures" / "vendors", product)
    told = typed("identify", product, "--registry", place, "--policy", office.policy, code=1)
    assert told["certificates"][0]["certificate"] == number
    typed("registry suspend", place, number, *WHY, key="bureau")
    assert selo("verify", out / "signed.pdf", *asked).returncode == 2
