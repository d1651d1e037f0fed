"""The gate as it is typed, a vendor that can be given a fault, and an authority with its keys."""

import contextlib
import datetime as dt
import io
import json
import shutil
import sys
from pathlib import Path

import pytest
import yaml
from tests.conftest import as_stored

from selo.cli import runs as cli_runs
from selo.cli.parser import command_line
from selo.gate.permission_signature import Trust, sign_permission
from selo.law import loader
from selo.signing.keys.certificates import certificate_name, load_certificates
from selo.signing.keys.demo_authority import CertificateRequest, CertificateUse, make_demo_authority
from selo.signing.keys.pkcs12_keys import load_pkcs12

SECRET = "demonstration"  # noqa: S105 - of keys that are made and forgotten here


@pytest.fixture(autouse=True)
def _law_is_read_once(monkeypatch, law):
    given = loader.read_law

    def read(**at):
        return given(**at) if any(at.values()) else (law, [])

    monkeypatch.setattr(loader, "read_law", read)


@pytest.fixture
def selo_here(tmp_path, monkeypatch):
    """Run a command in this process, in a folder of its own; return exit code, output, errors."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir(exist_ok=True)

    def run(*words, stored=True):
        words = as_stored(words) if stored else words
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = command_line.run_command(
                    command_line.parse_arguments(as_stored([str(one) for one in words]))
                )
            except SystemExit as left:
                code = left.code
        return code, out.getvalue(), err.getvalue()

    return run


#: Serves a vendor with several faults at once.
SEVERAL = """
import sys
from dataclasses import replace
sys.path.insert(0, {folder!r})
from vendor import faults, planted
from selo_adapter import serve_stdio
some = [faults("pai-kao")[name] for name in {names!r}]
def apply(module):
    for one in some:
        one.apply(module)
serve_stdio(planted("pai-kao", replace(some[0], apply=apply)))
"""


@pytest.fixture(scope="session")
def vendor(root, tmp_path_factory):
    """Return the command of a vendor of P'ai Kao, lawful or with faults joined by a plus."""

    def command(fault="lawful"):
        if "+" not in fault:
            return f"{sys.executable} {root}/fixtures/planted/vendor.py pai-kao {fault}"
        script = tmp_path_factory.getbasetemp() / f"{fault}.py"
        text = SEVERAL.format(folder=str(root / "fixtures" / "planted"), names=fault.split("+"))
        script.write_text(text, encoding="utf-8")
        # A folder that a command names is one that the vendor sees.
        return f"{sys.executable} {script} {root / 'fixtures'}"

    return command


@pytest.fixture(scope="session")
def examinations():
    """Hold what was examined already: the same question to the same vendor has one answer."""
    return {}


@pytest.fixture
def gate(selo_here, vendor, root, tmp_path, examinations, monkeypatch):
    """Run the gate and return its exit code, what it printed, and what it wrote."""
    runs = iter(range(99))
    asked = cli_runs.examine_vendor

    def examined(arguments, law, out):
        key = (arguments.vendor, arguments.rulings, arguments.provision, arguments.permission)
        known = repr(key)
        if known not in examinations:
            examinations[known] = (asked(arguments, law, out), Path(arguments.out))
        outcome, folder = examinations[known]
        if folder != Path(arguments.out):
            shutil.copytree(folder, arguments.out)
            (Path(arguments.out) / "gate.json").unlink()
        return outcome

    monkeypatch.setattr(cli_runs, "examine_vendor", examined)

    def run(*words, fault="lawful", rulings="defaults"):
        out = tmp_path / f"run-{next(runs)}"
        ruled = [] if rulings is None else ["--rulings", rulings]
        code, printed, errors = selo_here(
            "gate", "--vendor", vendor(fault), "--folder", root, "--out", out, "--format", "none",
            *ruled, *words,
        )  # fmt: skip
        written = out / "gate.json"
        told = json.loads(written.read_text("utf-8")) if written.exists() else None
        return code, printed + errors, told

    def proposed(*words, **at):
        """Return the entries that the gate proposes for what nobody has listed."""
        run(*words, **at)
        (path,) = [max(tmp_path.glob("run-*/deviations.proposed.yaml"), key=_run_number)]
        entries = yaml.safe_load(path.read_text("utf-8"))["deviations"]
        return [{name: value for name, value in one.items() if value} for one in entries]

    run.proposed = proposed
    return run


def _run_number(path):
    return int(path.parent.name.partition("-")[2])


@pytest.fixture
def listed(tmp_path):
    """Write a file of deviations: one entry for each mapping, on what the given provision lacks."""

    def write(*entries):
        path = tmp_path / "deviations.yaml"
        whole = [
            {
                "reason": "known",
                "owner": "Demonstration engineer 1",
                "approver": "Demonstration manager 1",
                "risk": "low",
                "expires": "2099-12-31",
                **one,
            }
            for one in entries
        ]
        path.write_text(yaml.safe_dump({"deviations": whole}, sort_keys=False), encoding="utf-8")
        return path

    return write


class Office:
    """An authority that signs: its key, its certificate, and a root that vouches for it."""

    def __init__(self, folder):
        self._authority = make_demo_authority()
        self.folder = folder
        for file, content in self._authority.files(SECRET).items():
            (folder / file).write_bytes(content)
        self.root = folder / "root.pem"
        self.p12 = folder / "bureau.p12"
        self.secret = folder / "secret"
        self.secret.write_text(f"{SECRET}\n")
        self.key = load_pkcs12(self.p12, SECRET)
        self.name = certificate_name(self.key.certificate)

    def other_key(self):
        """Return a key that the same root vouches for, with another name."""
        return load_pkcs12(self.folder / "laboratory.p12", SECRET)

    def issued(self, **asked):
        """Return a key of the same name, of which something is asked otherwise."""
        before = self._authority.bureau.certificate
        now = dt.datetime.now(dt.UTC)
        usual = {
            "subject": before.subject,
            "use": CertificateUse.DOCUMENTS,
            "now": now,
            "years": 1,
        }
        asked = CertificateRequest(**{**usual, **asked})
        holder = self._authority.issuing.issue(asked)
        path = self.folder / "other.p12"
        path.write_bytes(holder.pkcs12(SECRET))
        return holder, load_pkcs12(path, SECRET)

    def stranger(self):
        """Return the root of another authority."""
        path = self.folder / "stranger.pem"
        if not path.exists():
            path.write_bytes(make_demo_authority().files(SECRET)["root.pem"])
        return load_certificates(path)[0]

    def revoked(self):
        """Return a list that withdraws the certificate of the authority."""
        withdrawn = self._authority.issuing.make_revocation_list(
            now=dt.datetime.now(dt.UTC), revoked=[self._authority.bureau.certificate]
        )
        path = self.folder / "revoked.crl"
        from cryptography.hazmat.primitives.serialization import Encoding  # noqa: PLC0415

        path.write_bytes(withdrawn.public_bytes(Encoding.DER))
        return path

    def trust(self):
        return Trust(roots=load_certificates(self.root))


@pytest.fixture(scope="session")
def office(tmp_path_factory):
    return Office(tmp_path_factory.mktemp("office"))


@pytest.fixture
def permission(tmp_path, office):
    """Write a permission and sign it: `permission(games={...}, rulings={...}, key=...)`."""
    made = iter(range(99))

    def write(*, key=None, signed=True, **parts):
        path = tmp_path / f"permission-{next(made)}.yaml"
        whole = {
            "permission": "DEMO-1",
            "issuer": office.name,
            "issued": "2026-01-01",
            "expires": "2099-12-31",
            "product": {"vendor": "Vendor with a planted fault", "name": "Reference games"},
            "games": {"pai-kao": []},
            "rulings": {"96-85-m-annex--order-direction": "lower-number-higher"},
            **parts,
        }
        text = yaml.safe_dump(whole, allow_unicode=True, sort_keys=False)
        path.write_text(text, encoding="utf-8")
        if signed:
            signature = sign_permission(path.read_bytes(), key or office.key)
            path.with_name(f"{path.name}.p7s").write_bytes(signature)
        return path

    return write
