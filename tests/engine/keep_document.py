"""Makes the document of an engine that every later build verifies: ``make engine-document``.

Its law is frozen: one small instrument, packed into the document and signed by the demonstration
authority, so that it does not depend on the law that ships. Its keys are thrown away; the policy,
the root and the revocation lists stay beside it. The page is blank, because pages are not compared.
"""

import datetime as dt
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INSTRUMENT = "portaria-96-85-m"
GAME = "pai-kao"
VENDOR = f"{sys.executable} fixtures/adapters/python/reference.py --game {GAME}"
PASSPHRASE = "for tests only"  # noqa: S105 - its keys are thrown away
KEPT = ("signers.yaml", "root.pem", "root.crl", "issuing.crl")


def freeze_law(folder: Path) -> None:
    """Copy one instrument, the glossary and the sources into a folder of their own."""
    shutil.copytree(ROOT / "bilingual", folder / "bilingual")
    shutil.copytree(ROOT / "specs" / INSTRUMENT, folder / "specs" / INSTRUMENT)
    shutil.copytree(ROOT / "specs" / "schema", folder / "specs" / "schema")


def run(folder: Path, *words: str) -> None:
    """Run a command of Selo with the frozen law; a result of any kind is good enough."""
    environment = {
        **os.environ, "SELO_LAW": str(folder / "law"), "PYTHONPATH": str(ROOT / "harness"),
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "selo", *words], check=False, cwd=ROOT, env=environment
    )
    if done.returncode not in {0, 2}:
        sys.exit(done.returncode)


def main(target: Path) -> None:
    """Make the document and put it, with its policy, into `target`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        freeze_law(folder / "law")
        secret, keys = folder / "secret", folder / "keys"
        secret.write_text(PASSPHRASE + "\n", encoding="utf-8")
        opened = ("--passphrase-file", str(secret))
        run(folder, "keys", "demo", "--out", str(keys), *opened)
        sign_edition(folder, keys)
        run(
            folder, "seal", "new", "--vendor", VENDOR, "--tsa", str(keys / "tsa.p12"), *opened,
            "--out", str(folder / "seal.json"),
        )  # fmt: skip
        run(
            folder, "examine", "--vendor", VENDOR, "--game", GAME, "--seal",
            str(folder / "seal.json"), "--rulings", "defaults", "--as-of", "1985-12-31",
            "--edition", str(folder / "edition.json"), "--out", str(folder / "run"),
        )  # fmt: skip
        (folder / "document.pdf").write_bytes(bind(folder / "run", folder / "law"))
        last = folder / "document.pdf"
        for role in ("laboratory", "bureau"):
            signed = folder / f"{role}.pdf"
            run(
                folder, "sign", str(last), "--as", role, "--p12", str(keys / f"{role}.p12"),
                *opened, "--level", "b-lta", "--tsa", str(keys / "tsa.p12"), "--policy",
                str(keys / "signers.yaml"), "--out", str(signed),
            )  # fmt: skip
            last = signed
        target.mkdir(parents=True)
        shutil.copy(last, target / "document.pdf")
        for file in KEPT:
            shutil.copy(keys / file, target)


def sign_edition(folder: Path, keys: Path) -> None:
    """Sign the frozen edition; the command would refuse a law without its other instruments."""
    from selo.edition import describe_edition  # noqa: PLC0415 - the program of this checkout
    from selo.gate.permission_signature import sign_permission  # noqa: PLC0415 - the same
    from selo.law import load_law  # noqa: PLC0415 - the same
    from selo.signing.keys import load_pkcs12  # noqa: PLC0415 - the same

    law = load_law(specs=folder / "law" / "specs", bilingual=folder / "law" / "bilingual")
    content = describe_edition(law)
    (folder / "edition.json").write_bytes(content)
    key = load_pkcs12(keys / "authority.p12", PASSPHRASE)
    signature = sign_permission(content, key, dt.datetime.now(dt.UTC))
    (folder / "edition.json.p7s").write_bytes(signature)


def bind(run_folder: Path, law_folder: Path) -> bytes:
    """Return the test report of the run, on a blank page."""
    from tests.verification.conftest import DOSSIER, bound  # noqa: PLC0415 - after the run

    from selo.law import load_law  # noqa: PLC0415 - the same
    from selo.report.content.report_builder import build_document  # noqa: PLC0415 - the same

    law = load_law(specs=law_folder / "specs", bilingual=law_folder / "bilingual")
    built = build_document(run_folder, law, DOSSIER)
    return bound(built.report, {one.name: one.read() for one in built.enclosures})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
