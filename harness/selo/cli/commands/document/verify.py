"""``selo verify``: is a document what it says? Signature, evidence and verdicts, offline."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.output.error_output import render_error
from selo.cli.parser import shared_arguments as shared
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from selo.verification import DocumentCheck

_MARKS = {
    "holds": ("✓", "green"),
    "warning": ("!", "bold yellow"),
    "open": ("?", "yellow"),
    "failed": ("✗", "bold red"),
}
_MAX_LINE_LENGTH = 400
#: The check that stays open if nobody says who may sign; it is told once more in the end.
_UNCHECKED_SIGNERS = "signers.unchecked"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo verify``."""
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--trust", action="append", default=[], metavar="CERT")
    parser.add_argument("--crl", action="append", default=[], metavar="FILE")
    parser.add_argument("--policy", metavar="FILE")
    parser.add_argument("--signer", action="append", default=[], metavar="ROLE=WHO")
    shared.add_registry(parser)
    parser.add_argument("--beside", metavar="DIR")
    parser.add_argument("--law", metavar="DIR")
    parser.add_argument("--commitment", metavar="HEX")
    parser.add_argument("--pages", action="store_true")
    # No defaults from the settings: a document may speak of another vendor than the project's.
    parser.add_argument("--vendor", metavar="VENDOR")
    parser.add_argument("--folder", metavar="DIR")
    shared.add_limits(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Verify a document and print a line for each check."""
    from selo.cli.resolved_options.registry_entry import asked_registry
    from selo.cli.resolved_options.signing_key import resolve_policy
    from selo.cli.resolved_options.vendor_options import endpoint_of, folder_of
    from selo.law import load_law
    from selo.signing import SigningRefused
    from selo.signing.verify import ValidationKnowledge
    from selo.storage import read_bounded
    from selo.verification import VerificationRequest, exit_code_of, verify_document

    path = Path(arguments.file)
    try:
        policy = resolve_policy(arguments)
    except SigningRefused as error:
        print(render_error(error, arguments.lang), file=sys.stderr)
        return Exit.USAGE
    asked = VerificationRequest(
        trust=policy.roots,
        known=ValidationKnowledge(revocations=policy.revocations),
        policy=policy,
        beside=Path(arguments.beside) if arguments.beside else path.parent,
        installation=folder_of(arguments) if _has_files(arguments) else None,
        named_folder=arguments.folder is not None,
        vendor=endpoint_of(arguments) if arguments.vendor else None,
        pages=arguments.pages,
        **asked_registry(arguments),
        commitment=None if arguments.commitment is None else arguments.commitment.strip().lower(),
        law=Path(arguments.law) if arguments.law else None,
    )
    out = None if arguments.json else console()
    checks: list[DocumentCheck] = []
    for check in verify_document(read_bounded(path), load_law(), asked):
        checks.append(check)
        if out is not None:
            _print(out, check, arguments.lang)
    code = exit_code_of(checks)
    if out is None:
        records = [{"name": check.name, "state": check.state, "told": check.message(arguments.lang),
                 "key": check.key, "slots": check.slots} for check in checks]  # fmt: skip
        print_json({"file": str(path), "exit": code, "checks": records})
    else:
        style = {0: "bold green", 2: "bold yellow"}.get(code, "bold red")
        out.print(_conclude(checks, code, arguments.lang), style=style)
        if any(check.key == _UNCHECKED_SIGNERS for check in checks):
            out.print(say(f"verify.{_UNCHECKED_SIGNERS}", arguments.lang), style="yellow")
    return code


def _has_files(arguments: argparse.Namespace) -> bool:
    """Return whether the files of the product can be read on this machine."""
    remote = (arguments.vendor or "http:").startswith(("http:", "https:"))
    return arguments.folder is not None or not remote


def _conclude(checks: list[DocumentCheck], code: int, language: str) -> str:
    """Return whether the document is genuine and, if so, what it says."""
    conclusion = say(f"verify.conclusion.{code}", language)
    verdicts = [check.key for check in checks if check.name == "conclusion"]
    if code != Exit.CONFORMS or not verdicts:
        return conclusion
    verdict = say(f"verify.{verdicts[0].replace('concludes', 'says', 1)}", language)
    return say("verify.conclusion.says", language, conclusion=conclusion, verdict=verdict)


def _print(out: Console, check: DocumentCheck, language: str) -> None:
    sign, style = _MARKS[check.state]
    out.print(f"{sign} {escape_unseen(check.message(language), _MAX_LINE_LENGTH)}", style=style)
