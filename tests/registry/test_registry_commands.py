"""The commands on a registry, as they are typed, and what they print as JSON."""

import hashlib
import json
import shutil
import subprocess
import sys

import jsonschema
import msgspec
import pytest
from tests.registry.conftest import SECRET, issued
from tests.verification.certificates import run as run_here

from selo.cli.schemas.published_schemas import build_schema, schema_name
from selo.errors import SeloError
from selo.registry import CertificateRegistry, read_registry_policy
from selo.registry.registry_events import EventKind, EventReason, RegisteredFile
from selo.registry.status import open_source
from selo.registry.status.status_list import read_status_list
from selo.verification.verification_report import exit_code_of
from selo.verification.verifier import check_registry

WHY = ("--reason-pt", "Ensaio.", "--reason-zh", "測試。")


@pytest.fixture
def typed(office, tmp_path, capsys):
    """Run a command of a registry with somebody's key, in this process; return its JSON."""
    secret = tmp_path / "secret"
    secret.write_text(SECRET + "\n")

    def run(name, *words, key=None, code=0):
        keyed = []
        if key is not None:
            keyed = ["--p12", office.folder / f"{key}.p12", "--passphrase-file", secret]
            keyed += ["--head-p12", office.folder / "bureau.p12"]
        capsys.readouterr()
        ended = run_here(*name.split(), *words, *keyed, "--json")
        said = capsys.readouterr()
        assert ended == code, said.err + said.out
        told = json.loads(said.out)
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


def test_a_key_is_replaced_by_two_people_and_what_it_signed_stays_valid(
    typed, opened, office, tmp_path
):
    for path in office.folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    later, proposal = tmp_path / "policy.yaml", tmp_path / "proposal.json"
    lines = later.read_text("utf-8").splitlines()
    withdraw = next(line for line in lines if line.strip().startswith("withdraw:"))
    later.write_text("\n".join(lines).replace(withdraw, "  withdraw: []"), "utf-8")

    typed("registry amend", opened, later, "--proposal", proposal, key="bureau", code=2)
    typed("registry confirm", opened, proposal, key="laboratory")

    assert typed("registry check", opened, "--policy", office.policy)["problems"] == []
    identified = ("--registry", opened, "--policy", office.policy)
    assert typed("identify", tmp_path / "game.py", *identified)["exit"] == 0
    registry = CertificateRegistry.at(opened)
    fields = {"certificate": "SELO-1", "reason": EventReason(pt="p", zh="z")}
    draft = registry.draft(EventKind.WITHDRAW, office.laboratory, **fields)
    with pytest.raises(SeloError, match="does not allow"):
        registry.append(registry.sign(draft, office.laboratory), office.bureau)


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


@pytest.fixture
def opened(typed, office, tmp_path):
    """Open a registry with one certificate by commands; return its folder."""
    place = tmp_path / "registry"
    typed("registry init", place, "--policy", office.policy, key="bureau")
    registry = CertificateRegistry.at(place)
    content = b"prize = 150"
    sha1 = hashlib.sha1(content, usedforsecurity=False).hexdigest()
    file = RegisteredFile(
        path="game.py", size=len(content), sha256=hashlib.sha256(content).hexdigest(), sha1=sha1
    )
    draft = registry.draft(EventKind.ISSUE, office.laboratory, **issued("SELO-1", files=[file]))
    registry.append(registry.sign(draft, office.laboratory), office.bureau)
    (tmp_path / "game.py").write_bytes(content)
    (tmp_path / "sums").write_text(f"{sha1}  game.py\n")
    return place


def test_a_registry_in_a_database_by_commands(typed, opened, office, selo, tmp_path):
    copy = tmp_path / "copy"
    words = ("registry import", opened, copy, "--storage", "sqlite:///log.db")

    told = typed(*words, "--policy", office.policy)
    assert told["lines"] == 2
    assert typed(*words, code=2)["lines"] == 0
    assert (copy / "log.db").is_file()
    elsewhere = selo("registry", "import", opened, copy, "--storage", "sqlite:///other.db")
    assert elsewhere.returncode == 3
    assert not (copy / "other.db").exists()
    typed("registry suspend", copy, "SELO-1", *WHY, key="bureau")
    assert typed("registry check", copy, "--policy", office.policy)["size"] == 3
    # The copy went its own way, so the original is not continued by it.
    done = selo("registry", "import", copy, opened)
    assert done.returncode == 2, done.stderr
    assert typed("registry list", opened)["certificates"][0]["state"] == "suspended"


def test_a_registry_is_opened_in_a_database(typed, office, tmp_path):
    place = tmp_path / "registry"
    where = ("--storage", "sqlite:///here.db")
    typed("registry init", place, "--policy", office.policy, *where, key="bureau")

    typed("registry commit", place, "5" * 64, key="laboratory")

    assert typed("registry check", place, "--policy", office.policy)["size"] == 2
    assert not (place / "log.jsonl").exists()


def test_a_list_and_a_code_by_commands(typed, opened, office, tmp_path):
    status, code, picture = (tmp_path / name for name in ("status.json", "code", "code.svg"))
    about = ("--of", "SELO-1")

    told = typed("registry status", opened, "--out", status, "--files", key="bureau")
    assert (told["certificates"], told["bytes"]) == (1, status.stat().st_size)
    typed("registry status", opened, "--out", code, *about, key="bureau")
    typed("registry status", opened, "--out", picture, *about, key="bureau")
    assert code.read_text().startswith("SELO1:")
    assert picture.read_bytes().startswith(b"<?xml")
    kept = ("--head", status)
    assert typed("registry check", opened, "--policy", office.policy, *kept)["problems"] == []
    schema = build_schema("registry-status-list")
    judge = jsonschema.Draft202012Validator(schema)
    assert list(judge.iter_errors(json.loads(status.read_bytes()))) == []


def test_a_log_that_contradicts_a_list_that_was_kept_is_altered(typed, opened, office, tmp_path):
    status = tmp_path / "status.json"
    typed("registry status", opened, "--out", status, key="bureau")
    signed = read_status_list(status)
    (row,) = signed.list.certificates
    lie = msgspec.structs.replace(row, state="revoked")
    false = msgspec.structs.replace(signed.list, certificates=[lie])
    status.write_bytes(msgspec.structs.replace(signed, list=false).encode())

    told = typed("registry check", opened, "--policy", office.policy, "--head", status, code=6)

    assert [problem["key"] for problem in told["problems"]] == ["list-differs"]


@pytest.mark.parametrize("source", ["folder", "list", "site"])
def test_files_are_identified_by_whatever_is_carried(typed, opened, office, tmp_path, source):
    where = opened
    if source == "list":
        where = tmp_path / "status.json"
        typed("registry status", opened, "--out", where, "--files", key="bureau")
    elif source == "site":
        where = tmp_path / "site"
        typed("registry publish", opened, where, "--policy", office.policy)
    asked = ("--registry", where, "--policy", office.policy)
    game = tmp_path / "game.py"

    (told,) = typed("identify", game, *asked)["certificates"]
    assert (told["certificate"], told["exact"], told["by_sha1"]) == ("SELO-1", True, False)
    # By SHA-1 only: told, and not taken for proof.
    (told,) = typed("identify", "--sums", tmp_path / "sums", *asked, code=2)["certificates"]
    assert (told["exact"], told["by_sha1"]) == (True, True)
    assert typed("identify", game, "--registry", where, code=2)["trusted"] is False
    game.write_bytes(b"prize = 151")
    assert typed("identify", game, *asked, code=1)["certificates"] == []
    typed("registry suspend", opened, "SELO-1", *WHY, key="bureau")
    game.write_bytes(b"prize = 150")
    typed("identify", game, "--registry", opened, "--policy", office.policy, code=1)


@pytest.mark.parametrize("about", [(), ("--of", "SELO-1")])
def test_what_tells_no_files_identifies_none(typed, opened, office, selo, tmp_path, about):
    where = tmp_path / "status"
    typed("registry status", opened, "--out", where, *about, key="bureau")

    done = selo("identify", tmp_path / "game.py", "--registry", where, "--policy", office.policy)

    assert done.returncode == 3
    assert "does not say which files" in done.stderr


def test_publishing_by_command_says_what_was_written(typed, opened, office, tmp_path):
    words = ("registry publish", opened, tmp_path / "site", "--policy", office.policy)

    first, again = typed(*words), typed(*words)

    assert "certificates/SELO-1.html" in first["written"]
    assert (again["certificates"], again["rendered"], again["written"]) == (1, 0, [])


@pytest.mark.full
def test_the_life_of_a_certificate_from_its_examination_to_its_revocation(
    typed, office, selo, root, tmp_path
):
    """Verified at each step by the registry, a list, a code and a published copy, made then."""
    out, place = tmp_path / "out", tmp_path / "registry"
    subprocess.run([sys.executable, "-m", "selo.cli.demonstration", str(out)], cwd=root, check=True)
    signers = out / "keys" / "signers.yaml"
    typed("registry init", place, "--policy", office.policy, key="bureau")
    typed("registry issue", place, out / "signed.pdf", "--signers", signers, key="laboratory")
    (number,) = [one["certificate"] for one in typed("registry list", place)["certificates"]]
    (_, issue) = typed("registry log", place)["events"]
    assert all(one["articles"] for one in issue["instruments"])
    assert issue["readings"]

    def carry(step):
        """Make all that can be carried along, and publish."""
        status, code = tmp_path / f"list-{step}", tmp_path / f"code-{step}"
        typed("registry status", place, "--out", status, "--files", key="bureau")
        typed("registry status", place, "--out", code, "--of", number, key="bureau")
        typed("registry publish", place, tmp_path / "site", "--policy", office.policy)
        return place, status, code, tmp_path / "site"

    document = (out / "signed.pdf").read_bytes()

    def verify(step, *sources):
        """Ask every source, and one of them, another at each step, by the whole command."""
        asked = ["--policy", signers, "--registry-policy", office.policy]
        policy = read_registry_policy(office.policy)
        codes = {
            exit_code_of(list(check_registry(document, number, open_source(source), policy)))
            for source in sources
        }
        chosen = sources[step % len(sources)]
        done = selo("verify", out / "signed.pdf", *asked, "--registry", chosen)
        return codes | {done.returncode}

    assert verify(1, *carry(1)) == {0}
    page = next((tmp_path / "site" / "certificates").glob("*.html")).read_text("utf-8")
    for article in issue["instruments"][0]["articles"]:
        assert f'<li class="chip">{article}:' in page
    for point in issue["readings"]:
        assert point in page
    product = tmp_path / "product"
    shutil.copytree(root / "fixtures" / "vendors", product)
    asked = ("--registry", place, "--policy", office.policy)
    told = typed("identify", product, *asked, code=1)
    assert told["certificates"][0]["certificate"] == number
    certified = {file["path"] for file in issue["files"]}
    assert set(told["certificates"][0]["same"]) <= certified

    typed("registry suspend", place, number, *WHY, key="bureau")
    assert verify(2, *carry(2)) == {2}
    back, away = tmp_path / "back.json", tmp_path / "away.json"
    words = (place, number, *WHY, "--proposal")
    typed("registry reinstate", *words, back, key="laboratory", code=2)
    typed("registry confirm", place, back, key="bureau")
    assert verify(3, *carry(3)) == {0}
    typed("registry revoke", *words, away, key="laboratory", code=2)
    typed("registry confirm", place, away, key="bureau")
    assert verify(4, *carry(4)) == {2}
    # What was carried away before still says what was true then, with its age; the log convicts
    # nobody, because all of it is of one history.
    kept = [option for step in (1, 2, 3, 4) for option in ("--head", tmp_path / f"list-{step}")]
    assert typed("registry check", place, "--policy", office.policy, *kept)["problems"] == []
