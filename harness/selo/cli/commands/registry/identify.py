"""``selo identify``: the certificate that covers exactly these files, and its state today."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.commands.registry.registry_view import print_freshness
from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from selo.registry.certificate_lookup import RegistryAnswer
    from selo.registry.file_identification import FileComparison

_MAX_NAMED = 10


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo identify``."""
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--sums", action="append", default=[], metavar="FILE")
    parser.add_argument("--registry", required=True, metavar="PATH")
    parser.add_argument("--policy", metavar="FILE")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Hash the files, look them up, and print what covers them."""
    from selo.registry import read_registry_policy
    from selo.registry.certificate_states import CertificateState
    from selo.registry.file_identification import compare_files, hash_files, read_sums
    from selo.registry.status import ask_registry, open_source, tells_files

    source = open_source(Path(arguments.registry))
    if not tells_files(source):
        raise user_error("identify-no-files", where=arguments.registry)
    trusted = read_registry_policy(Path(arguments.policy)) if arguments.policy else None
    files = [one for name in arguments.sums for one in read_sums(Path(name))]
    if arguments.files or not files:
        files += hash_files([Path(name) for name in arguments.files])
    digests = [digest for file in files for digest in file.digests]
    answer = ask_registry(source, trusted, digests=digests)
    now = dt.datetime.now(dt.UTC)
    compared = sorted(
        (compare_files(record, files) for record in answer.records),
        key=lambda one: (not one.is_exact, -len(one.same), one.record.number),
    )
    states = {one.record.number: answer.state_of(one.record.number, now) for one in compared}
    valid = [
        one
        for one in compared
        if one.is_exact and states[one.record.number] is CertificateState.VALID
    ]
    sure = trusted is not None and any(not one.by_sha1 for one in valid)
    code = _exit_code(answer, valid=bool(valid), sure=sure, fresh=answer.freshness(now))
    if arguments.json:
        print_json(_build_record(answer, compared, states, code, trusted=trusted is not None))
        return code
    out = console()
    _print(out, answer, compared, states, arguments.lang)
    if answer.head is not None:
        print_freshness(out, answer.head, answer.freshness(now), arguments.lang)
    if trusted is None:
        out.print(say("registry.untrusted", arguments.lang), style="yellow", soft_wrap=True)
    return code


def _exit_code(answer: RegistryAnswer, *, valid: bool, sure: bool, fresh: str) -> int:
    if answer.problems:
        return Exit.TAMPERED
    if fresh != "current":
        return Exit.OPEN
    if not valid:
        return Exit.VIOLATES
    return Exit.CONFORMS if sure else Exit.OPEN


def _build_record(
    answer: RegistryAnswer,
    compared: list[FileComparison],
    states: dict[str, Any],
    code: int,
    *,
    trusted: bool,
) -> dict[str, Any]:
    return {
        "exit": code,
        "trusted": trusted,
        "head": answer.head,
        "problems": answer.problems,
        "certificates": [
            {
                "certificate": one.record.number,
                "state": str(states[one.record.number]),
                "exact": one.is_exact,
                "by_sha1": one.by_sha1,
                "since": one.record.since,
                "valid_until": one.record.valid_until,
                "successor": one.record.successor,
                "product": one.record.product,
                "same": one.same,
                "changed": one.changed,
                "moved": one.moved,
                "missing": one.missing,
                "extra": one.extra,
            }
            for one in compared
        ],
    }


def _print(
    out: Console,
    answer: RegistryAnswer,
    compared: list[FileComparison],
    states: dict[str, Any],
    language: str,
) -> None:
    for key in dict.fromkeys(answer.problems):
        out.print(f"✗ {say(f'registry.problem.{key}', language, **_BLANKS)}", style="bold red")
    if answer.head is not None:
        day = answer.head.at.date()
        text = say("registry.list-of", language, day=day, until=answer.head.expires.date())
        out.print(text, style="dim")
    for one in compared:
        number, state = one.record.number, states[one.record.number]
        key = "identify.exact" if one.is_exact else "identify.differs"
        good = one.is_exact and str(state) == "valid" and not (answer.problems or one.by_sha1)
        text = say(
            key, language, number=escape_unseen(number),
            state=say(f"registry.state.{state}", language), since=one.record.since.date(),
        )  # fmt: skip
        out.print(text, style="bold green" if good else "bold red", soft_wrap=True)
        if one.record.successor:
            text = say("identify.successor", language, number=escape_unseen(one.record.successor))
            out.print(f"  {text}", soft_wrap=True)
        if one.by_sha1:
            out.print(f"  {say('identify.by-sha1', language)}", style="yellow", soft_wrap=True)
        for name in ("changed", "moved", "missing", "extra"):
            paths = getattr(one, name)
            if paths:
                shown = ", ".join(map(escape_unseen, paths[:_MAX_NAMED]))
                more = "…" if len(paths) > _MAX_NAMED else ""
                out.print(f"  {say(f'identify.{name}', language)}: {shown}{more}", soft_wrap=True)
    if not compared:
        out.print(say("identify.none", language), style="bold red")


#: Problems of a look-up have no slots of their own.
_BLANKS = dict.fromkeys(
    ("size", "lines", "root", "problem", "kind", "by", "certificate", "digest", "head"), "–"
)
