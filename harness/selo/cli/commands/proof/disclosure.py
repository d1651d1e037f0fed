"""``selo evidence disclose`` and ``redact``: parts of evidence under the root of the whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from selo.evidence.merkle import Root
    from selo.evidence.run_files import EvidenceFile
    from selo.examine.disclosure import CheckedDisclosure, ProvisionLines, WrittenDisclosure
    from selo.examine.run.evidence_header import Header
    from selo.law import Law

    Choices = dict[EvidenceFile, Callable[[int, bytes], bool]]

_MAX_VALUE_LENGTH = 2000


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--out", metavar="FILE", required=True)
    shared.add_language(parser)
    shared.add_json(parser)


def add_disclose_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo evidence disclose``."""
    _add_options(parser)
    parser.add_argument("--provision", action="append", metavar="ID", required=True)


def run_disclose(arguments: argparse.Namespace) -> int:
    """Write every line about some provisions, and what proves them without the rest."""
    folder, law, header = _open_run(arguments)
    lines = _lines_of(folder, law, header, arguments.provision)
    from selo.evidence.run_files import CASES_FILE, DRAWS_FILE

    choices: Choices = {
        CASES_FILE: lambda at, _: at in lines.evidence,
        DRAWS_FILE: lambda at, _: at in lines.draws,
    }
    return _write(arguments, folder, arguments.provision, choices)


def add_redact_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo evidence redact``."""
    _add_options(parser)
    parser.add_argument("--provision", action="append", metavar="ID", default=[])
    parser.add_argument("--game", action="append", metavar="NAME", default=[])
    parser.add_argument("--case", action="append", type=int, metavar="N", default=[])


def run_redact(arguments: argparse.Namespace) -> int:
    """Write the evidence without some lines, under the same root."""
    from selo.evidence import EvidenceReader
    from selo.evidence.run_files import CASES_FILE, DRAWS_FILE
    from selo.examine.disclosure import expand_provisions
    from selo.examine.exchange import REDUCTION

    folder, law, header = _open_run(arguments)
    unknown = sorted({*arguments.game} - {*header.games})
    if unknown or not (arguments.provision or arguments.game or arguments.case):
        raise user_error("redact-what", games=", ".join(header.games))
    if EvidenceReader(folder).secret() is None:
        raise user_error("redact-unsalted", folder=folder)
    lines = _lines_of(folder, law, header, arguments.provision)
    games = {*arguments.game}
    # Reductions repeat questions of findings, so those of a game go with its provisions.
    named = expand_provisions(law, arguments.provision)
    reduced = games | {law.find(name).instrument.game for name in named}
    cases = {1 + number for number in arguments.case}

    def is_kept(at: int, line: bytes) -> bool:
        if at in lines.evidence or at in cases:
            return False
        about = msgspec.json.decode(line, type=_LineSubject)
        return about.game not in (reduced if about.group == REDUCTION else games)

    def is_kept_draw(at: int, line: bytes) -> bool:
        return at not in lines.draws and (
            msgspec.json.decode(line, type=_LineSubject).game not in games
        )

    return _write(arguments, folder, [], {CASES_FILE: is_kept, DRAWS_FILE: is_kept_draw})


class _LineSubject(msgspec.Struct, frozen=True, gc=False):
    """The fields of a line by which it is left out."""

    game: str
    group: str = ""


def _open_run(arguments: argparse.Namespace) -> tuple[Path, Law, Header]:
    """Return a finished run and its law; its evidence must follow its plan."""
    from selo.examine.run.evidence_header import is_current
    from selo.examine.run.evidence_header import read_header as read
    from selo.examine.run.evidence_replay import replay_evidence
    from selo.examine.run.plan_comparison import with_plan_of
    from selo.law import load_law

    folder, law = Path(arguments.folder), load_law()
    header = read(folder)
    if not is_current(header, law):
        raise user_error("document-other", engine=header.terms.engine_number)
    law = with_plan_of(law, folder, header)
    replay_evidence(folder, law)
    return folder, law, header


def _lines_of(folder: Path, law: Law, header: Header, provisions: list[str]) -> ProvisionLines:
    from selo.evidence import EvidenceReader
    from selo.evidence.run_files import DRAWS_FILE
    from selo.examine.disclosure import find_provision_lines

    footer = None
    if (folder / DRAWS_FILE.file).exists():
        footer = EvidenceReader(folder, book=DRAWS_FILE).read().footer
    return find_provision_lines(law, header, provisions, draws_footer=footer)


def _write(
    arguments: argparse.Namespace, folder: Path, provisions: list[str], choices: Choices
) -> int:
    from selo.examine.disclosure import write_disclosure

    present = {book: choice for book, choice in choices.items() if (folder / book.file).exists()}
    path = Path(arguments.out)
    try:
        written = write_disclosure(path, folder, provisions, present)
    except OSError as error:
        raise user_error("unwritten-file", path=path, error=error.strerror) from error
    return _print_written(arguments, path, written)


def _print_written(
    arguments: argparse.Namespace, path: Path, written: list[WrittenDisclosure]
) -> int:
    salted = all(part.salted for part in written)
    code = Exit.CONFORMS if salted else Exit.OPEN
    if arguments.json:
        print_json(
            {
                "path": str(path),
                "salted": salted,
                "parts": [
                    {"file": part.file, "root": part.root, "lines": part.lines, "shown": part.shown}
                    for part in written
                ],
                "exit": code,
            }
        )
        return code
    out = console()
    for part in written:
        slots = {"shown": part.shown, "lines": part.lines, "file": part.file, "path": path}
        out.print(say("evidence.disclosure.written", arguments.lang, **slots), style="bold")
    if not salted:
        out.print(say("evidence.disclosure.unsalted", arguments.lang), style="bold yellow")
    roots = {part.file: part.root for part in written}
    words = " ".join(
        f"{option} {root}"
        for option, root in zip(("--root", "--draws-root"), roots.values(), strict=False)
    )
    out.print(say("evidence.disclosure.next", arguments.lang, path=path, roots=words))
    return code


def check_disclosed_file(arguments: argparse.Namespace) -> int:
    """Check a disclosure by the roots that are known."""
    from selo.evidence.evidence_errors import EvidenceTampered
    from selo.examine.disclosure import DisclosureBroken, check_disclosure
    from selo.law import load_law

    path = Path(arguments.folder)
    roots = _known_roots(arguments)
    try:
        checked = check_disclosure(path, load_law(), roots, arguments.provision or [])
    except OSError as error:
        raise user_error("evidence-unopened", path=path, error=error.strerror) from error
    except (DisclosureBroken, EvidenceTampered) as error:
        what = escape_unseen(
            error.what if isinstance(error, EvidenceTampered) else str(error), _MAX_VALUE_LENGTH
        )
        if arguments.json:
            print_json({"state": "refused", "what": what, "exit": Exit.TAMPERED})
            return Exit.TAMPERED
        out = console()
        out.print(say("evidence.disclosure.wrong", arguments.lang), style="bold red")
        out.print(f"  {what}")
        return Exit.TAMPERED
    return _print_checked(arguments, checked)


def _known_roots(arguments: argparse.Namespace) -> dict[EvidenceFile, Root | None]:
    """Return the roots that were typed, or those of a document, whoever signed it."""
    from selo.evidence.run_files import CASES_FILE, DRAWS_FILE, parse_root
    from selo.storage import read_bounded
    from selo.verification.document_parts import UnreadableDocument, open_document

    if arguments.document is not None:
        try:
            report = open_document(read_bounded(Path(arguments.document))).report
        except (OSError, UnreadableDocument) as error:
            raise user_error("proof-unread", path=arguments.document, error=error) from error
        draws = report.evidence.draws_root
        return {
            CASES_FILE: parse_root(report.evidence.root),
            DRAWS_FILE: None if draws is None else parse_root(draws),
        }
    if arguments.root is None:
        raise user_error("disclosure-root")
    draws = arguments.draws_root
    return {
        CASES_FILE: parse_root(arguments.root),
        DRAWS_FILE: None if draws is None else parse_root(draws),
    }


def _print_checked(arguments: argparse.Namespace, checked: CheckedDisclosure) -> int:
    code = Exit.CONFORMS if checked.planned and checked.salted else Exit.OPEN
    shown: dict[str, Any] = checked.shown
    wrong = sum(shown.get(name, 0) for name in ("wrong", "wrong-round", "wrong-free-round"))
    if arguments.json:
        print_json(
            {
                "state": "proved",
                "provisions": checked.provisions,
                "shown": shown,
                "hidden": checked.hidden,
                "lines": checked.lines,
                "planned": checked.planned,
                "salted": checked.salted,
                "exit": code,
            }
        )
        return code
    out = console()
    slots = {"hidden": checked.hidden, "lines": checked.lines}
    out.print(say("evidence.disclosure.right", arguments.lang, **slots), style="bold green")
    if not checked.planned:
        out.print(say("evidence.disclosure.unplanned", arguments.lang), style="bold yellow")
    for name in checked.provisions:
        text = say("evidence.disclosure.complete", arguments.lang, provision=name)
        out.print(text, style="bold green")
    for name, count in sorted(shown.items()):
        out.print(f"  {say(f'evidence.disclosure.shown.{name}', arguments.lang, count=count)}")
    if wrong:
        out.print(say("evidence.disclosure.some-wrong", arguments.lang), style="bold yellow")
    if not checked.salted:
        out.print(say("evidence.disclosure.unsalted", arguments.lang), style="bold yellow")
    if arguments.document is not None:
        out.print(say("evidence.disclosure.document", arguments.lang, path=arguments.document))
    return code
