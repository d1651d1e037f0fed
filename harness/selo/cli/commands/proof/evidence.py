"""``selo evidence``: checks the integrity of evidence, and proves that a case is part of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.storage import read_json, write_file
from selo.text import say, user_error
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

    from selo.evidence import EvidenceSummary
    from selo.evidence.evidence_errors import EvidenceTampered
    from selo.evidence.inclusion_proof import InclusionProof
    from selo.evidence.merkle import Root

_MAX_VALUE_LENGTH = 2000


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo evidence check``."""
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--root", metavar="HEX")
    shared.add_language(parser)
    shared.add_json(parser)
    parser.add_argument("--draws-root", metavar="HEX")
    parser.add_argument("--document", metavar="PDF")
    parser.add_argument("--provision", action="append", metavar="ID")


def run_check(arguments: argparse.Namespace) -> int:
    """Check that evidence is as it was written, and that it follows its plan."""
    from selo.evidence.evidence_errors import EvidenceTampered

    folder = Path(arguments.folder)
    if folder.is_file():
        from selo.cli.commands.proof.disclosure import check_disclosed_file

        return check_disclosed_file(arguments)
    try:
        checked = _check_folder(folder, _typed_root(arguments), arguments.draws_root)
    except EvidenceTampered as error:
        return _print_alteration(arguments, error)
    whole, draws = checked.whole, checked.draws
    known_root = bool(whole.known_to) and (draws is None or bool(draws.known_to))
    code = Exit.CONFORMS if known_root and checked.planned else Exit.OPEN
    if arguments.json:
        record: dict[str, Any] = {
            "state": "whole" if known_root else "no-root",
            "planned": checked.planned,
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
    out = console()
    if draws is not None:
        key = "evidence.draws" if draws.known_to else "evidence.draws.no-root"
        text = say(key, arguments.lang, batches=draws.cases, root=draws.root)
        out.print(text, style="bold green" if draws.known_to else "bold yellow")
    key = "evidence.planned" if checked.planned else "evidence.not-planned"
    out.print(say(key, arguments.lang), style="bold green" if checked.planned else "bold yellow")
    return code


@dataclass(frozen=True, kw_only=True, slots=True)
class _CheckedFolder:
    whole: EvidenceSummary
    draws: EvidenceSummary | None
    #: Whether every line was compared with the plan, which needs the edition it was made with.
    planned: bool


def _check_folder(folder: Path, root: Root | None, draws_root: str | None) -> _CheckedFolder:
    """Return what is in a folder; raise if it was altered or does not follow its plan."""
    from selo.evidence import EvidenceReader
    from selo.examine.conclusion import derive_result
    from selo.examine.run.evidence_header import is_current, parse_header
    from selo.examine.run.evidence_replay import replay_evidence
    from selo.examine.run.plan_comparison import with_plan_of
    from selo.law import load_law

    reader, law = EvidenceReader(folder, root=root), load_law()
    header = parse_header(reader.header())
    draws = _read_draws(folder, draws_root)
    if header is None or not is_current(header, law):
        return _CheckedFolder(whole=reader.read(), draws=draws, planned=False)
    law = with_plan_of(law, folder, header)
    replayed = replay_evidence(folder, law, root=root)
    # Draws and reductions are compared with the plan while the result is derived.
    derive_result(replayed, law, folder)
    return _CheckedFolder(whole=replayed.evidence, draws=draws, planned=True)


def _read_draws(folder: Path, root: str | None) -> EvidenceSummary | None:
    """Return the summary of the draws, or None if there are none and no root is typed."""
    from selo.evidence import EvidenceReader
    from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
    from selo.evidence.run_files import DRAWS_FILE, known_roots, parse_root

    typed_root = None if root is None else parse_root(root)
    path = folder / DRAWS_FILE.file
    if path.exists() or path.is_symlink():
        return EvidenceReader(folder, root=typed_root, book=DRAWS_FILE).read()
    if typed_root is not None or known_roots(folder, DRAWS_FILE):
        raise EvidenceTampered(path=path, sign=AlterationSign.CUT, what="there is no such file")
    return None


def _print_whole(whole: EvidenceSummary, language: str) -> None:
    out = console()
    known_root = bool(whole.known_to)
    text = say(
        "evidence.whole" if known_root else "evidence.no-root",
        language,
        cases=whole.cases,
        lines=whole.lines,
    )
    out.print(text, style="bold green" if known_root else "bold yellow")
    out.print(say("evidence.root", language, root=whole.root))
    if known_root:
        out.print(say("evidence.known-to", language, names=", ".join(whole.known_to)))
    else:
        out.print(say("evidence.no-root.hint", language))


def _print_alteration(arguments: argparse.Namespace, error: EvidenceTampered) -> int:
    from selo.evidence.evidence_errors import EvidenceUnfinished

    unfinished = isinstance(error, EvidenceUnfinished)
    code = Exit.OPEN if unfinished else Exit.TAMPERED
    if arguments.json:
        state = "unfinished" if unfinished else "altered"
        record: dict[str, Any] = {"state": state, "sign": error.sign, "what": error.what}
        if isinstance(error, EvidenceUnfinished):
            record["cases"] = error.cases
        print_json(record | {"file": str(error.path), "exit": code})
        return code
    out = console()
    if isinstance(error, EvidenceUnfinished):
        text = say("evidence.unfinished", arguments.lang, cases=error.cases)
        hint = say("evidence.unfinished.hint", arguments.lang, folder=arguments.folder)
        out.print(text, style="bold yellow")
    else:
        sign = say(f"evidence.altered.{error.sign}", arguments.lang)
        hint = say("evidence.altered.hint", arguments.lang)
        out.print(say("evidence.altered", arguments.lang, what=sign), style="bold red")
    out.print(f"  {error.path}: {escape_unseen(error.what, _MAX_VALUE_LENGTH)}")
    out.print(f"  {hint}")
    return code


def add_proof_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo evidence proof``."""
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--root", metavar="HEX")
    shared.add_language(parser)
    shared.add_json(parser)
    parser.add_argument("case", metavar="CASE")
    parser.add_argument("--draws", action="store_true")
    parser.add_argument("--out", metavar="FILE")


def run_proof(arguments: argparse.Namespace) -> int:
    """Make a proof that a case is part of the evidence."""
    from selo.evidence.evidence_errors import EvidenceTampered
    from selo.evidence.inclusion_proof import prove_with_summary
    from selo.evidence.run_files import CASES_FILE, DRAWS_FILE

    try:
        book = DRAWS_FILE if arguments.draws else CASES_FILE
        folder, root = Path(arguments.folder), _typed_root(arguments)
        proof, whole = prove_with_summary(folder, arguments.case, root=root, book=book)
    except EvidenceTampered as error:
        return _print_alteration(arguments, error)
    # A proof is worth nothing if the root is not known independently.
    code = Exit.CONFORMS if whole.known_to else Exit.OPEN
    if arguments.out is None:
        print_json(proof)
        return code
    path = Path(arguments.out)
    _write(path, proof)
    if arguments.json:
        print_json(
            {
                "path": str(path),
                "index": proof.index,
                "size": proof.size,
                "root": whole.root,
                "known_to": whole.known_to,
                "exit": code,
            }
        )
        return code
    out = console()
    slots = {"index": proof.index, "size": proof.size, "path": path}
    out.print(say("evidence.proof.written", arguments.lang, **slots), style="bold")
    if not whole.known_to:
        _print_whole(whole, arguments.lang)
    out.print(say("evidence.proof.next", arguments.lang, path=path, root=whole.root))
    return code


def _write(path: Path, proof: InclusionProof) -> None:
    try:
        write_file(path, msgspec.json.format(msgspec.json.encode(proof), indent=2) + b"\n")
    except OSError as error:
        raise user_error("unwritten-file", path=path, error=error.strerror) from error


def add_verify_proof_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo evidence verify-proof``."""
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--root", metavar="HEX", required=True)
    shared.add_language(parser)
    shared.add_json(parser)


def run_verify_proof(arguments: argparse.Namespace) -> int:
    """Check a proof without the evidence."""
    from selo.evidence.inclusion_proof import check_proof
    from selo.evidence.run_files import parse_root

    path, root = Path(arguments.file), parse_root(arguments.root)
    try:
        proof = _read_proof(path)
    except msgspec.MsgspecError as error:
        text = say(
            "evidence.proof.unreadable", arguments.lang, path=path, why=escape_unseen(str(error))
        )
        return _print_proof(arguments, None, text)
    right = check_proof(proof, root)
    slots = {"index": proof.index, "size": proof.size}
    key = "evidence.proof.right" if right else "evidence.proof.wrong"
    return _print_proof(arguments, proof if right else None, say(key, arguments.lang, **slots))


def _read_proof(path: Path) -> InclusionProof:
    from selo.evidence.block import LINE_LIMIT
    from selo.evidence.inclusion_proof import InclusionProof

    try:
        # Every byte of a line may be escaped, and some hashes come on top.
        return read_json(path, InclusionProof, 7 * LINE_LIMIT)
    except OSError as error:
        raise user_error("proof-unread", path=path, error=error.strerror) from error


def _print_proof(arguments: argparse.Namespace, proof: InclusionProof | None, text: str) -> int:
    code = Exit.TAMPERED if proof is None else Exit.CONFORMS
    if arguments.json:
        # The line is printed only if it is proved, so that no unproved line can be quoted.
        line = None if proof is None else proof.line
        print_json({"proved": proof is not None, "told": text, "line": line, "exit": code})
        return code
    out = console()
    out.print(text, style="bold red" if proof is None else "bold green")
    if proof is not None:
        out.print(escape_unseen(proof.line, _MAX_VALUE_LENGTH))
    return code


def _typed_root(arguments: argparse.Namespace) -> Root | None:
    from selo.evidence.run_files import parse_root

    return None if arguments.root is None else parse_root(arguments.root)
