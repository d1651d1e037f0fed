"""Makes small signed certificates of real runs, each from a build in a folder of its own."""

from __future__ import annotations

import datetime as dt
import shutil
import sys
from pathlib import Path

import msgspec

from selo.cli.parser.command_line import parse_arguments, run_command
from selo.law.status import macau_today
from selo.report.content.report_builder import build_document
from selo.report.model.dossier import DocumentKind, Dossier, read_dossier
from selo.verdict.observations import Person
from selo.verdict.witness import blank_form, form_to_yaml
from selo.verdict.witness.form import InspectedItem

ROOT = Path(__file__).resolve().parents[2]
GAME = "pai-kao"
COMMAND = f"{sys.executable} adapters/python/reference.py"
#: The terms on which every run here is made.
TERMS = ("--game", GAME, "--rulings", "defaults", "--text-as-stored")


def make_build(folder: Path) -> Path:
    """Return a folder with the reference vendor, which a test may change."""
    for name in ("adapters/python", "vendors"):
        shutil.copytree(
            ROOT / "fixtures" / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    return folder


def refactor(folder: Path) -> Path:
    """Change every file of a build, and nothing of what it does."""
    for path in folder.rglob("*.py"):
        path.write_text(f"{path.read_text(encoding='utf-8')}\n# Refactored.\n", encoding="utf-8")
    return folder


def run(*words: object) -> int:
    """Run a command of Selo."""
    return run_command(parse_arguments([str(word) for word in words]))


def dossier(number: str, day: dt.date, **changes: object) -> Dossier:
    """Return the demonstration's dossier with a number and the days of a test."""
    plain = read_dossier(ROOT / "fixtures" / "demonstration" / "dossier.yaml")
    return msgspec.structs.replace(
        plain,
        number=number,
        issued=day,
        valid_until=day + dt.timedelta(days=365),
        item=msgspec.structs.replace(plain.item, on=day),
        **changes,
    )


def write_form(path: Path, law, games=(GAME,)) -> Path:
    """Write a witness form on which two people say that everything is met."""
    day = macau_today()
    form = blank_form(law, list(games))
    entries = [
        msgspec.structs.replace(
            entry,
            result="met",
            observation="looked at",
            date=day.isoformat(),
            place="laboratory",
            valid_until=(day + dt.timedelta(days=365)).isoformat(),
            examiner=Person(name="Examiner 1", number="D-1"),
            second=Person(name="Examiner 2", number="D-2"),
        )
        for entry in form.entries
    ]
    item = InspectedItem(vendor="Reference vendor", product="Reference games", version="1.0")
    path.write_text(form_to_yaml(msgspec.structs.replace(form, entries=entries, item=item)))
    return path


class Laboratory:
    """Examines builds under seal, and makes signed certificates of the runs."""

    def __init__(self, folder: Path, law, keys: Path, secret: str, bind, sign) -> None:
        self.folder, self.law, self.keys = folder, law, keys
        self._bind, self._sign = bind, sign
        self._secret = folder / "secret"
        self._secret.write_text(secret)

    def examine(self, name: str, build: Path, *more: object) -> tuple[int, Path]:
        """Examine a build under a new seal; return the exit code and the folder of the run."""
        seal, out = self.folder / f"{name}.seal", self.folder / name
        vendor = ("--vendor", COMMAND, "--folder", build)
        assert not run(
            "seal", "new", *vendor, "--tsa", self.keys / "tsa.p12",
            "--passphrase-file", self._secret, "--out", seal,
        )  # fmt: skip
        form = write_form(self.folder / f"{name}.yaml", self.law)
        code = run(
            "examine", *vendor, *TERMS, "--seal", seal, "--witness", form, "--out", out, *more
        )
        return code, out

    def certify(self, run_folder: Path, number: str, **changes: object) -> Path:
        """Return a signed certificate of a run."""
        built = build_document(
            run_folder,
            self.law,
            dossier(number, macau_today(), **changes),
            kind=DocumentKind.CERTIFICATE,
        )
        assert not built.report.missing, [one.key for one in built.report.missing]
        files = {one.name: one.read() for one in built.enclosures}
        path = self.folder / f"{number}.pdf"
        path.write_bytes(self._sign(self._bind(built.report, files)))
        return path
