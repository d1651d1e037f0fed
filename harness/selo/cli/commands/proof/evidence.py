"""``selo evidence``: whether it is as it was written, and whether a case is among it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.evidence import LINE_LIMIT
from selo.evidence.evidence_errors import Sign, Tampered, Unfinished
from selo.evidence.evidence_reader import Reader
from selo.evidence.inclusion_proof import Proof, check, proved
from selo.evidence.run_files import CASES, DRAWS, known_roots, root_from
from selo.text import wrong
from selo.text.message_catalogue import say
from selo.text.sanitize import visible

if TYPE_CHECKING:
    import argparse

    from selo.evidence.evidence_reader import Whole
    from selo.evidence.merkle import Root

#: Every byte of a line may be escaped, and some hashes come on top.
_PROOF_LIMIT = 7 * LINE_LIMIT
_SHOWN = 2000


def run(arguments: argparse.Namespace) -> int:
    """Check evidence, make a proof, or check one."""
    actions = {"check": _check, "proof": _proof, "verify-proof": _verify}
    return actions[arguments.action](arguments)


def _check(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.folder)
    try:
        whole = Reader(folder, root=_root(arguments)).read()
        draws = _draws(folder, arguments.draws_root)
    except Tampered as error:
        return _altered(arguments, error)
    known = bool(whole.known_to) and (draws is None or bool(draws.known_to))
    code = Exit.CONFORMS if known else Exit.OPEN
    if arguments.json:
        record: dict[str, Any] = {
            "state": "whole" if known else "no-root",
            "root": whole.root,
            "cases": whole.cases,
            "lines": whole.lines,
            "known_to": whole.known_to,
            "exit": code,
        }
        if draws is not None:
            beside = {"root": draws.root, "batches": draws.cases, "known_to": draws.known_to}
            record["draws"] = beside
        print_json(record)
        return code
    _print_whole(whole, arguments.lang)
    if draws is not None:
        out = console()
        key = "evidence.draws" if draws.known_to else "evidence.draws.no-root"
        told = say(key, arguments.lang, batches=draws.cases, root=draws.root)
        out.print(told, style="bold green" if draws.known_to else "bold yellow")
    return code


def _draws(folder: Path, root: str | None) -> Whole | None:
    """Return what is known of the book of draws, or nothing if none is there and none is named."""
    given = None if root is None else root_from(root)
    path = folder / DRAWS.file
    if path.exists() or path.is_symlink():
        return Reader(folder, root=given, book=DRAWS).read()
    if given is not None or known_roots(folder, DRAWS):
        raise Tampered(path=path, sign=Sign.CUT, what="there is no such file")
    return None


def _print_whole(whole: Whole, language: str) -> None:
    out = console()
    known = bool(whole.known_to)
    told = say(
        "evidence.whole" if known else "evidence.no-root",
        language,
        cases=whole.cases,
        lines=whole.lines,
    )
    out.print(told, style="bold green" if known else "bold yellow")
    out.print(say("evidence.root", language, root=whole.root))
    if known:
        out.print(say("evidence.known-to", language, names=", ".join(whole.known_to)))
    else:
        out.print(say("evidence.no-root.hint", language))


def _altered(arguments: argparse.Namespace, error: Tampered) -> int:
    unfinished = isinstance(error, Unfinished)
    code = Exit.OPEN if unfinished else Exit.TAMPERED
    if arguments.json:
        state = "unfinished" if unfinished else "altered"
        record: dict[str, Any] = {"state": state, "sign": error.sign, "what": error.what}
        if isinstance(error, Unfinished):
            record["cases"] = error.cases
        print_json(record | {"file": str(error.path), "exit": code})
        return code
    out = console()
    if isinstance(error, Unfinished):
        told = say("evidence.unfinished", arguments.lang, cases=error.cases)
        hint = say("evidence.unfinished.hint", arguments.lang, folder=arguments.folder)
        out.print(told, style="bold yellow")
    else:
        sign = say(f"evidence.altered.{error.sign}", arguments.lang)
        hint = say("evidence.altered.hint", arguments.lang)
        out.print(say("evidence.altered", arguments.lang, what=sign), style="bold red")
    out.print(f"  {error.path}: {visible(error.what, _SHOWN)}")
    out.print(f"  {hint}")
    return code


def _proof(arguments: argparse.Namespace) -> int:
    try:
        book = DRAWS if arguments.draws else CASES
        folder, root = Path(arguments.folder), _root(arguments)
        made, whole = proved(folder, arguments.case, root=root, book=book)
    except Tampered as error:
        return _altered(arguments, error)
    # Evidence that nobody knows the root of proves nothing to anybody.
    code = Exit.CONFORMS if whole.known_to else Exit.OPEN
    if arguments.out is None:
        print_json(made)
        return code
    path = Path(arguments.out)
    _write(path, made)
    if arguments.json:
        print_json(
            {
                "path": str(path),
                "index": made.index,
                "size": made.size,
                "root": whole.root,
                "known_to": whole.known_to,
                "exit": code,
            }
        )
        return code
    out = console()
    slots = {"index": made.index, "size": made.size, "path": path}
    out.print(say("evidence.proof.written", arguments.lang, **slots), style="bold")
    if not whole.known_to:
        _print_whole(whole, arguments.lang)
    out.print(say("evidence.proof.next", arguments.lang, path=path, root=whole.root))
    return code


def _write(path: Path, made: Proof) -> None:
    try:
        with path.open("xb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise wrong("unwritten-file", path=path, error=error.strerror) from error


def _verify(arguments: argparse.Namespace) -> int:
    path, root = Path(arguments.file), root_from(arguments.root)
    try:
        given = _given(path)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        told = say("evidence.proof.unreadable", arguments.lang, path=path, why=visible(str(error)))
        return _proved(arguments, None, told)
    right = check(given, root)
    slots = {"index": given.index, "size": given.size}
    key = "evidence.proof.right" if right else "evidence.proof.wrong"
    return _proved(arguments, given if right else None, say(key, arguments.lang, **slots))


def _given(path: Path) -> Proof:
    try:
        with path.open("rb") as file:
            raw = file.read(_PROOF_LIMIT)
    except OSError as error:
        raise wrong("proof-unread", path=path, error=error.strerror) from error
    return msgspec.json.decode(raw, type=Proof)


def _proved(arguments: argparse.Namespace, given: Proof | None, told: str) -> int:
    code = Exit.TAMPERED if given is None else Exit.CONFORMS
    if arguments.json:
        # The line is shown only when it is proved: nobody shall quote it otherwise.
        line = None if given is None else given.line
        print_json({"proved": given is not None, "told": told, "line": line, "exit": code})
        return code
    out = console()
    out.print(told, style="bold red" if given is None else "bold green")
    if given is not None:
        out.print(visible(given.line, _SHOWN))
    return code


def _root(arguments: argparse.Namespace) -> Root | None:
    return None if arguments.root is None else root_from(arguments.root)
