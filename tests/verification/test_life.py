"""The whole life of a certificate, from the submission to the revocation.

At each step the document is verified against the registry, and at the end on each date.
"""

import datetime as dt
import json

import pytest
from tests.registry.conftest import POLICY
from tests.submission.conftest import FORM, People
from tests.verification.certificates import Laboratory, make_build, refactor, run
from tests.verification.conftest import PASSPHRASE, bound

from selo.law.status import macau_today
from selo.signing.keys import load_pkcs12
from selo.signing.keys.certificates import key_digest
from selo.verification.document_parts import open_document

pytestmark = pytest.mark.full
WHY = ("--reason-pt", "Ensaio.", "--reason-zh", "測試。")


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory, law, keys, signed_by):
    folder = tmp_path_factory.mktemp("life")
    return Laboratory(folder, law, keys, PASSPHRASE, bound, signed_by)


class Life:
    """The registry and its people, as commands of the command line."""

    def __init__(self, laboratory, keys, people, root):
        self.laboratory, self.keys, self.people, self.root = laboratory, keys, people, root
        self.folder = laboratory.folder
        self.registry = self.folder / "registry"
        self.secret = self.folder / "secret"
        digests = {
            role: key_digest(load_pkcs12(keys / f"{role}.p12", PASSPHRASE).certificate)
            for role in ("laboratory", "bureau")
        }
        self.policy = keys / "registry.yaml"
        self.policy.write_text(POLICY.format(**digests), encoding="utf-8")
        self.signers = keys / "signers.yaml"
        vendor = key_digest(people.key("vendor").certificate)
        text = self.signers.read_text("utf-8")
        if "vendor:" not in text:
            (keys / "vendor-root.pem").write_bytes(people.root.read_bytes())
            text = text.replace("roots: [root.pem]", "roots: [root.pem, vendor-root.pem]")
            self.signers.write_text(f"{text}vendor:\n  - key: {vendor}\n", encoding="utf-8")

    def sign_as(self, role):
        head = ("--head-p12", self.keys / "bureau.p12", "--tsa", self.keys / "tsa.p12")
        return ("--p12", self.keys / f"{role}.p12", "--passphrase-file", self.secret, *head)

    def submit(self, name, build):
        """Let the vendor submit a build; return the folder of the submission."""
        folder = self.folder / name
        folder.mkdir()
        build.rename(folder / "product")
        dossier = self.root / "fixtures" / "demonstration" / "dossier.yaml"
        (folder / "dossier.yaml").write_bytes(dossier.read_bytes())
        form = FORM.format(day=macau_today()).replace("[pai-kao, fish-prawn-crab]", "[pai-kao]")
        form = form.replace("par: {fish-prawn-crab: par.yaml}\n", "")
        (folder / "submission.yaml").write_text(form, encoding="utf-8")
        assert run("submit", "pack", folder, *self.people.options("vendor")) == 0
        assert run("submit", "check", folder, "--trust", self.people.root) == 0
        return folder

    def verify(self, document, *more):
        return run(
            "verify", document, "--policy", self.signers, "--registry", self.registry,
            "--registry-policy", self.policy, *more,
        )  # fmt: skip

    def says(self, document, key, capsys):
        """Return whether a verification names a check."""
        capsys.readouterr()
        self.verify(document, "--json")
        return key in {one["key"] for one in json.loads(capsys.readouterr().out)["checks"]}

    def identify(self, folder):
        words = ("identify", folder, "--registry", self.registry, "--policy", self.policy)
        return run(*words)

    def state_on(self, number, day, capsys):
        capsys.readouterr()
        assert run("registry", "show", self.registry, number, "--on", day, "--json") == 0
        return json.loads(capsys.readouterr().out)["state"]

    def states_at_its_end(self, document, number, capsys):
        """Return the states on the last day that a document names, and on the day after."""
        last = open_document(document.read_bytes()).report.dates.valid_until
        days = (last, last + dt.timedelta(days=1))
        return [self.state_on(number, day, capsys) for day in days]


@pytest.fixture(scope="module")
def life(laboratory, keys, tmp_path_factory, root):
    return Life(laboratory, keys, People(tmp_path_factory.mktemp("people")), root)


def test_the_whole_life_of_a_certificate(life, laboratory, capsys):
    trust = ("--trust", life.people.root)
    began = run("registry", "init", life.registry, "--policy", life.policy, *life.sign_as("bureau"))
    assert began == 0

    # Submitted, sealed, examined, witnessed, signed.
    first = life.submit("first-submission", make_build(life.folder / "build-1"))
    code, folder = laboratory.examine("one", first / "product", "--submission", first, *trust)
    assert code == 0
    said = ("--about", "96-85-m-annex--order-direction", "--text", "As adopted.")
    assert run("submit", "message", folder, *said, *life.people.options("vendor")) == 0
    seal = json.loads((laboratory.folder / "one.seal").read_text("utf-8"))
    commitment = ("registry", "commit", life.registry, seal["commitment"])
    assert run(*commitment, *life.sign_as("laboratory")) == 0
    one = laboratory.certify(folder, "C-1")
    # Nobody has registered it.
    assert life.verify(one) == 2
    assert life.identify(first / "product") == 1

    # Registered and identified.
    issue = ("registry", "issue", life.registry, one, "--signers", life.signers)
    assert run(*issue, *life.sign_as("laboratory")) == 0
    assert life.verify(one) == 0
    assert life.identify(first / "product") == 0
    assert life.states_at_its_end(one, "C-1", capsys) == ["valid", "expired"]
    assert life.says(one, "seed.registered", capsys)

    # Modified: another build, the same behaviour.
    second = life.submit("second-submission", refactor(make_build(life.folder / "build-2")))
    assert life.identify(second / "product") == 1
    since = ("--since", one, "--signers", life.signers, "--submission", second, *trust)
    code, folder = laboratory.examine("two", second / "product", *since)
    assert code == 0
    two = laboratory.certify(folder, "C-2", supersedes="C-1")
    issue = ("registry", "issue", life.registry, two, "--signers", life.signers)
    assert run(*issue, *life.sign_as("laboratory")) == 0
    assert life.verify(two) == 0

    # Superseded: the old one ends, the new one stands, and rests on it.
    supersede = ("registry", "supersede", life.registry, "C-1", "--by", "C-2", *WHY)
    assert run(*supersede, *life.sign_as("bureau")) == 0
    assert life.verify(one) != 0
    assert life.verify(two) == 0
    assert life.identify(second / "product") == 0

    # Revoked, by two people.
    proposal = life.folder / "revoke.json"
    revoke = ("registry", "revoke", life.registry, "C-2", *WHY, "--proposal", proposal)
    assert run(*revoke, *life.sign_as("laboratory")) == 2
    assert life.verify(two) == 0
    confirm = ("registry", "confirm", life.registry, proposal)
    assert run(*confirm, *life.sign_as("bureau")) == 0
    assert life.verify(two) != 0
    assert life.identify(second / "product") != 0

    # On each date, and the log as a whole.
    today = macau_today()
    yesterday = today - dt.timedelta(days=1)
    assert [life.state_on(number, today, capsys) for number in ("C-1", "C-2")] == [
        "superseded", "revoked",
    ]  # fmt: skip
    assert {life.state_on(number, yesterday, capsys) for number in ("C-1", "C-2")} == {"unknown"}
    assert run("registry", "check", life.registry, "--policy", life.policy) == 0
    proof = life.folder / "proof.json"
    assert run("registry", "prove", life.registry, "--of", "C-2", "--out", proof) == 0
    assert run("registry", "verify-proof", proof, "--policy", life.policy) == 0
