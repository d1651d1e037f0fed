"""``make certify``: the whole process up to a signed certificate, with the bundled demo vendor.

Nobody in it exists. The vendor is the lawful one that ships, the readings adopted are the defaults
of the register, the forms of witnesses are filled in by this program, and the authority that signs
is made on the spot. Every page of the document says so.
"""

from __future__ import annotations

import datetime as dt
import re
import secrets
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from selo.cases.generate.rule_proof import prove_rules
from selo.cases.group import BUDGETS
from selo.cli.certification import AnswerStore, CertificateAnswers, KeyAnswer
from selo.cli.output import Exit
from selo.cli.parser import parse_arguments, run_command
from selo.examine.vendor_description import introduce_vendor
from selo.law.ledger import make_ledger
from selo.law.lint import check_law
from selo.law.status import macau_today
from selo.parallel import rare_garbage_collection
from selo.rules.checks import check_games, list_games, list_reading_effects
from selo.verdict.observations import Person
from selo.verdict.witness import blank_form, form_to_yaml
from selo.verdict.witness.form import InspectedItem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.law import Law
    from selo.protocol.messages import Description

#: The lawful vendor, by its path from the checkout in which this runs.
_VENDOR: Final = "fixtures/adapters/python/reference.py"
_DOSSIER: Final = "fixtures/demonstration/dossier.yaml"
#: Fields of the dossier that are dates, in days from today.
_DAYS: Final = {"on": 0, "issued": 0, "valid_until": 365}
#: Files of an earlier demonstration that commands do not overwrite.
_MADE_FILES: Final = (
    "run", "findings", "keys", "seal.json", "seal.json.used", "edition.json", "edition.json.p7s",
    "passphrase", "certify.yaml", "witness.yaml", "signed.pdf",
)  # fmt: skip
_OBSERVATION: Final = "Demonstration entry, filled in by the program: nobody looked at anything."
_EXAMINER: Final = Person(name="Demonstration examiner 1", number="D-1")
_SECOND_EXAMINER: Final = Person(name="Demonstration examiner 2", number="D-2")


def run_demonstration(out: Path, budget: str = "quick") -> int:
    """Produce a signed certificate in `out`, or stop at the first step that fails."""
    law = _prove_law(out)
    if law is None:
        return Exit.USAGE
    for path in (*(out / name for name in _MADE_FILES), *out.glob("report.*")):
        _remove(path)
    code = _make_keys(out)
    if code:
        return code
    vendor = f"{sys.executable} {_VENDOR}"
    _write_witness_form(law, vendor, out / "witness.yaml")
    (out / "dossier.yaml").write_text(
        _fill_in_days(Path(_DOSSIER).read_text(encoding="utf-8"), macau_today()), "utf-8"
    )
    AnswerStore(out).save(_answer(out, vendor, budget))
    return _run_step("certify", str(out))


def _answer(out: Path, vendor: str, budget: str) -> CertificateAnswers:
    """Return what somebody would answer who certifies the demonstration."""
    secret, keys = str(out / "passphrase"), out / "keys"
    return CertificateAnswers(
        vendor=vendor,
        rulings="defaults",
        budget=BUDGETS[BUDGETS.index(budget)],
        draws=0,
        text_as_stored=True,
        edition=str(out / "edition.json"),
        # The time stamps come from the same authority: they prove the time to those who trust it.
        tsa=str(keys / "tsa.p12"),
        tsa_passphrase_file=secret,
        laboratory=KeyAnswer(p12=str(keys / "laboratory.p12"), passphrase_file=secret),
        bureau=KeyAnswer(p12=str(keys / "bureau.p12"), passphrase_file=secret),
        level="b-lta",
        policy=str(keys / "signers.yaml"),
    )


def _prove_law(out: Path) -> Law | None:
    """Check the law and write what follows from it alone into `out`."""
    law, problems = check_law()
    if law is not None:
        problems += check_games(law)
    if law is not None and not problems:
        problems += prove_rules(law)
    for problem in problems:
        print(problem, file=sys.stderr)
    if law is None or problems:
        return None
    out.mkdir(parents=True, exist_ok=True)
    book = make_ledger(law)
    readings = [reading for game in list_games(law) for reading in list_reading_effects(law, game)]
    for name, value in (
        ("ledger", book),
        ("divergences", law.divergences),
        ("readings", readings),
    ):
        text = msgspec.json.format(msgspec.json.encode(value), indent=2)
        (out / f"{name}.json").write_bytes(text + b"\n")
    print(
        f"The law is proven: {len(book.provisions)} provisions, "
        f"{len(law.divergences)} open points, spec digest sha256:{book.spec_digest}"
    )
    return law


def _remove(path: Path) -> None:
    """Remove what an earlier demonstration left."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _run_step(*words: str) -> int:
    """Print and run a command of Selo."""
    print(f"\n$ selo {' '.join(_render_words(words))}", flush=True)
    return run_command(parse_arguments(words))


def _render_words(words: Sequence[str]) -> list[str]:
    """Return the words of a command as they are typed, without the path of the interpreter."""
    short = [word.replace(sys.executable, "python") for word in words]
    return [f'"{word}"' if " " in word else word for word in short]


def _write_witness_form(law: Law, vendor: str, path: Path) -> Path:
    """Write the form that two demonstration examiners would have filled in."""
    from selo.vendors.vendor_address import connect  # noqa: PLC0415 - only here is a vendor asked

    session = connect(vendor)
    try:
        description = introduce_vendor(session, law).description
        session.end()
    finally:
        session.kill()
    day = macau_today()
    until = (day + dt.timedelta(days=_DAYS["valid_until"])).isoformat()
    form = blank_form(law, [game.game for game in description.games])
    entries = [
        msgspec.structs.replace(
            entry,
            result="met",
            observation=_OBSERVATION,
            date=day.isoformat(),
            place="Demonstration laboratory",
            valid_until=until,
            examiner=_EXAMINER,
            second=_SECOND_EXAMINER,
        )
        for entry in form.entries
    ]
    filled = msgspec.structs.replace(form, entries=entries, item=_item(description))
    path.write_text(form_to_yaml(filled), encoding="utf-8")
    return path


def _item(description: Description) -> InspectedItem:
    return InspectedItem(
        vendor=description.vendor.name,
        product=description.product.name,
        version=description.product.version,
    )


def _fill_in_days(dossier: str, day: dt.date) -> str:
    """Return the dossier with the dates of the demonstration in place of the examples."""
    for name, later in _DAYS.items():
        when = (day + dt.timedelta(days=later)).isoformat()
        dossier, count = re.subn(rf"(?m)^( *)# {name}: .*$", rf"\g<1>{name}: {when}", dossier)
        if count != 1:
            msg = f"{_DOSSIER} has no place for '{name}'"
            raise ValueError(msg)
    return dossier


def _make_keys(out: Path) -> int:
    """Make the keys of everybody in the demonstration, and sign the edition of the law."""
    secret = out / "passphrase"
    secret.write_text(secrets.token_urlsafe() + "\n", encoding="utf-8")
    secret.chmod(0o600)
    keys = out / "keys"
    return _run_step(
        "keys", "demo", "--out", str(keys), "--passphrase-file", str(secret)
    ) or _run_step(
        "law", "sign", "--p12", str(keys / "authority.p12"), "--passphrase-file", str(secret),
        "--out", str(out / "edition.json"),
    )  # fmt: skip


if __name__ == "__main__":
    with rare_garbage_collection():
        code = run_demonstration(Path(sys.argv[1] if len(sys.argv) > 1 else "out"), *sys.argv[2:3])
    sys.exit(code)
