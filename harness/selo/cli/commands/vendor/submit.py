"""``selo submit``: a vendor's submission, packed and checked; messages about a run."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error
from selo.text.sanitize import escape_unseen, escape_unseen_lines

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from selo.submission.submission_check import SubmissionProblem


def add_pack_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo submit pack``."""
    parser.add_argument("folder", metavar="DIR")
    shared.add_signing_key(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run_pack(arguments: argparse.Namespace) -> int:
    """Sign the manifest of a complete folder, or say everything that it lacks."""
    from selo.cli.resolved_options.signing_key import open_signing_key
    from selo.evidence.run_files import SUBMISSION_FILE, SUBMISSION_SIGNATURE_FILE
    from selo.law import load_law
    from selo.law.status import macau_today
    from selo.signing.keys.certificates import certificate_name
    from selo.storage import write_file
    from selo.submission import find_form_problems, pack_submission
    from selo.submission.submission_manifest import read_form

    folder = Path(arguments.folder)
    problems = list(find_form_problems(folder, load_law(), macau_today()))
    if problems:
        return _report(problems, arguments)
    with open_signing_key(arguments) as key:
        signer, vendor = certificate_name(key.certificate), read_form(folder).vendor
        if signer != vendor:
            raise user_error("submission-signer", signer=signer, vendor=vendor)
        content, signature = pack_submission(folder, key, dt.datetime.now(dt.UTC))
    write_file(folder / SUBMISSION_FILE, content, replace=True)
    write_file(folder / SUBMISSION_SIGNATURE_FILE, signature, replace=True)
    return _report([], arguments)


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo submit check``."""
    parser.add_argument("folder", metavar="DIR")
    shared.add_trust(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run_check(arguments: argparse.Namespace) -> int:
    """Say everything that a submission lacks."""
    from selo.cli.resolved_options import load_trust
    from selo.law import load_law
    from selo.law.status import macau_today
    from selo.submission import check_submission

    folder = Path(arguments.folder)
    if not folder.is_dir():
        raise user_error("submission-folder", path=folder)
    trust = load_trust(arguments)
    return _report(list(check_submission(folder, load_law(), trust, macau_today())), arguments)


def _report(problems: Sequence[SubmissionProblem], arguments: argparse.Namespace) -> int:
    from selo.submission.submission_check import SubmissionState

    states = {problem.state for problem in problems}
    code = Exit.CONFORMS
    if states:
        code = Exit.TAMPERED if SubmissionState.ALTERED in states else Exit.OPEN
    if arguments.json:
        found = [
            {"state": one.state, "key": one.key, "slots": one.slots, "told": one.message("en")}
            for one in problems
        ]
        print_json({"folder": arguments.folder, "exit": int(code), "problems": found})
        return code
    out = console()
    for problem in problems:
        out.print(f"✗ {escape_unseen(problem.message(arguments.lang))}", soft_wrap=True)
    key = "submit.incomplete" if problems else "submit.complete"
    out.print(say(key, arguments.lang, folder=arguments.folder, count=len(problems)))
    return code


def add_message_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo submit message``."""
    parser.add_argument("run", metavar="DIR")
    parser.add_argument("--about", required=True, metavar="ID")
    parser.add_argument("--text", required=True, metavar="TEXT")
    shared.add_signing_key(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run_message(arguments: argparse.Namespace) -> int:
    """Sign a message on a finding or an open point, and keep it beside the evidence."""
    from selo.cli.resolved_options.signing_key import open_signing_key
    from selo.submission import MessageThread

    folder = Path(arguments.run)
    root, known = _read_run(folder)
    if arguments.about not in known:
        raise user_error("thread-about", name=arguments.about, known=", ".join(sorted(known)[:8]))
    thread = MessageThread.read(folder, root)
    with open_signing_key(arguments) as key:
        message = thread.append(
            folder, evidence=root, about=arguments.about, text=arguments.text, key=key,
            at=dt.datetime.now(dt.UTC),
        )  # fmt: skip
    if arguments.json:
        print_json({"number": message.number, "about": message.about, "by": message.by})
    else:
        slots = {"number": message.number, "by": escape_unseen(message.by)}
        console().print(say("submit.message.kept", arguments.lang, **slots))
    return Exit.CONFORMS


def add_thread_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo submit thread``."""
    parser.add_argument("run", metavar="DIR")
    shared.add_trust(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run_thread(arguments: argparse.Namespace) -> int:
    """Print the messages about a run; without trusted roots nobody is known to have sent them."""
    from selo.cli.resolved_options import load_trust
    from selo.submission import MessageThread

    folder = Path(arguments.run)
    root, _ = _read_run(folder)
    thread, trust = MessageThread.read(folder, root), load_trust(arguments)
    trusted = bool(trust.roots)
    if trusted:
        list(thread.signers(trust))
    code = Exit.CONFORMS if trusted else Exit.OPEN
    if arguments.json:
        found = [
            {"number": one.number, "about": one.about, "by": one.by, "at": one.at, "text": one.text}
            for one in thread.messages
        ]
        print_json({"trusted": trusted, "messages": found, "exit": int(code)})
        return code
    out = console()
    for message in thread.messages:
        head = f"{message.number} · {message.about} · {message.by} · {message.at.isoformat()}"
        out.print(escape_unseen(head), style="bold", soft_wrap=True)
        out.print(escape_unseen_lines(message.text), soft_wrap=True)
    out.print(say(f"submit.thread.{'trusted' if trusted else 'untrusted'}", arguments.lang))
    return code


class _FoundId(msgspec.Struct, frozen=True):
    id: str


class _FoundIds(msgspec.Struct, frozen=True):
    """The findings of a result; the rest is not looked at."""

    findings: list[_FoundId]


def _read_run(folder: Path) -> tuple[str, set[str]]:
    """Return the root of the evidence of a run, and what messages can be about."""
    from selo.evidence.run_files import RESULT_FILE, known_roots
    from selo.law import load_law
    from selo.storage import read_json

    try:
        result = read_json(folder / RESULT_FILE, _FoundIds)
    except (OSError, msgspec.DecodeError) as error:
        raise user_error("result-unread", path=folder / RESULT_FILE, error=error) from error
    roots = set(known_roots(folder).values())
    if len(roots) != 1:
        raise user_error("thread-run", path=folder)
    points = {point.id for point in load_law().divergences}
    return roots.pop(), {finding.id for finding in result.findings} | points
