"""``selo identify``: the certificate that covers exactly these files, and its state today."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from selo.registry.certificate_lookup import RegistryAnswer
    from selo.registry.file_identification import FileComparison

_MAX_NAMED = 10


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo identify``."""
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--registry", required=True, metavar="DIR")
    parser.add_argument("--policy", metavar="FILE")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Hash the files, look them up, and print what covers them."""
    from selo.registry import CertificateRegistry, CertificateState, read_registry_policy
    from selo.registry.certificate_lookup import look_up
    from selo.registry.file_identification import compare_files, hash_files

    registry = CertificateRegistry.at(Path(arguments.registry))
    trusted = read_registry_policy(Path(arguments.policy)) if arguments.policy else None
    files = hash_files([Path(name) for name in arguments.files])
    answer = look_up(
        registry, trusted or registry.first_policy(), digests=[file.sha256 for file in files]
    )
    now = dt.datetime.now(dt.UTC)
    compared = sorted(
        (compare_files(record, files) for record in answer.records),
        key=lambda one: (not one.is_exact, -len(one.same)),
    )
    states = {one.record.number: answer.state_of(one.record.number, now) for one in compared}
    valid = [
        one
        for one in compared
        if one.is_exact and states[one.record.number] is CertificateState.VALID
    ]
    code = _exit_code(answer, valid=bool(valid), trusted=trusted is not None)
    if arguments.json:
        print_json(_build_record(answer, compared, states, code, trusted=trusted is not None))
        return code
    out = console()
    _print(out, answer, compared, states, arguments.lang)
    if trusted is None:
        out.print(say("registry.untrusted", arguments.lang), style="yellow", soft_wrap=True)
    return code


def _exit_code(answer: RegistryAnswer, *, valid: bool, trusted: bool) -> int:
    if answer.problems:
        return Exit.TAMPERED
    if not valid:
        return Exit.VIOLATES
    return Exit.CONFORMS if trusted else Exit.OPEN


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
                "since": one.record.issued.at,
                "valid_until": one.record.issued.valid_until,
                "successor": one.record.successor,
                "product": one.record.issued.product,
                "same": one.same,
                "changed": one.changed,
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
        good = one.is_exact and str(state) == "valid" and not answer.problems
        text = say(
            key, language, number=escape_unseen(number),
            state=say(f"registry.state.{state}", language), since=one.record.issued.at.date(),
        )  # fmt: skip
        out.print(text, style="bold green" if good else "bold red", soft_wrap=True)
        for name in ("changed", "missing", "extra"):
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
