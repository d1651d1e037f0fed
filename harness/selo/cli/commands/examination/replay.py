"""``selo replay``: asks a vendor the case of a finding again, from the file of the finding."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from selo.cli.output import Exit
from selo.cli.output.console import console, inline_json, print_json
from selo.cli.parser import shared_arguments as shared
from selo.storage import read_json
from selo.text import say, user_error
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

    from selo.examine.findings import Finding
    from selo.examine.findings.finding_replay import ReplayedAnswer
    from selo.law import Law


#: Methods whose answers can be compared as they stand.
_ANSWERED_METHODS: Final = frozenset({"settle", "compare"})
_MAX_LENGTH: Final = 400
#: How the file of an exchange ends, which ``selo record`` wrote.
_EXCHANGE_SUFFIX: Final = ".jsonl"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo replay``."""
    parser.add_argument("finding", metavar="FINDING")
    shared.add_vendor(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Ask the vendor the case of a finding, and print whether it still fails."""
    from selo.cli.resolved_options.vendor_options import open_session
    from selo.examine.findings.finding_replay import replay_finding
    from selo.examine.findings.par_findings import PAR
    from selo.law import compute_spec_digest, load_law
    from selo.protocol.messages import DRAW
    from selo.text import user_error

    law = load_law()
    if Path(arguments.finding).suffix == _EXCHANGE_SUFFIX:
        return _replay_exchange(arguments, law)
    finding = _read_finding(Path(arguments.finding))
    if finding.method == DRAW:
        return _replay_draws(arguments, law, finding)
    if finding.method == PAR:
        raise user_error("replay-par", game=finding.game)
    session = open_session(arguments)
    try:
        again = replay_finding(law, finding, session)
        session.end()
    finally:
        session.kill()
    edition = finding.origin.spec_digest == compute_spec_digest(law)
    if arguments.json:
        print_json(
            {
                "finding": finding.id,
                "still": again.still,
                "answer": again.answer,
                "expected": again.expected,
                "observed": again.observed,
                "same_edition": edition,
            }
        )
    else:
        _print(law, finding, again, edition=edition, language=arguments.lang)
    if again.fault:
        return Exit.VENDOR
    if again.violates:
        return Exit.VIOLATES
    return Exit.OPEN if again.still else Exit.CONFORMS


def _replay_exchange(arguments: argparse.Namespace, law: Law) -> int:
    """Put the messages of an exchange again, and print which answers are others now."""
    from selo.cli.resolved_options.vendor_options import open_session
    from selo.examine.adapter_tools import exchange_record

    kept = exchange_record.read_exchanges(Path(arguments.finding))
    messages = [exchange_record.Message(method=one.method, params=one.params) for one in kept]
    session = open_session(arguments)
    try:
        again = exchange_record.record_exchanges(law, session, messages)
        session.end()
    finally:
        session.kill()
    changed = [at for at, pair in enumerate(zip(kept, again, strict=True), 1) if pair[0] != pair[1]]
    if arguments.json:
        print_json({"exchange": arguments.finding, "messages": len(kept), "changed": changed})
    else:
        out = console()
        key = "replay.exchange-changed" if changed else "replay.exchange-same"
        lines = ", ".join(map(str, changed))
        style = "bold red" if changed else "bold green"
        line = say(key, arguments.lang, count=len(kept), lines=lines)
        out.print(line, style=style, soft_wrap=True)
        for at in changed:
            now = escape_unseen(inline_json(msgspec.to_builtins(again[at - 1])), _MAX_LENGTH)
            out.print(f"  {at}. {now}", soft_wrap=True)
    return Exit.OPEN if changed or not kept else Exit.CONFORMS


def _replay_draws(arguments: argparse.Namespace, law: Law, finding: Finding) -> int:
    """Draw as many outcomes again from the same table, and test them alone."""
    from selo.cli.resolved_options.vendor_options import open_session
    from selo.draws.draw_verdict import DrawResult
    from selo.examine.findings.finding_replay import ReplayedAnswer
    from selo.examine.run.finding_redraw import redraw_finding
    from selo.law import compute_spec_digest

    session = open_session(arguments)
    try:
        drawn = redraw_finding(session, law, finding)
        session.end()
    finally:
        session.kill()
    edition = finding.origin.spec_digest == compute_spec_digest(law)
    result = drawn.result
    if arguments.json:
        print_json(
            {
                "finding": finding.id,
                "still": result is DrawResult.UNFAIR,
                "fault": drawn.fault,
                "statistics": drawn.statistics,
                "same_edition": edition,
            }
        )
    else:
        still = result is not DrawResult.FAIR
        again = ReplayedAnswer(answer=None, still=still, violates=still)
        _print(law, finding, again, edition=edition, language=arguments.lang)
    if drawn.fault is not None:
        return Exit.VENDOR
    wrong = Exit.OPEN if finding.verdict == "open" else Exit.VIOLATES
    return {
        DrawResult.FAIR: Exit.CONFORMS,
        DrawResult.DOUBTFUL: Exit.OPEN,
        DrawResult.UNFAIR: wrong,
    }[result]


def _print(
    law: Law, finding: Finding, again: ReplayedAnswer, *, edition: bool, language: str
) -> None:
    """Print one line if a finding is mended; if not, the finding, the law and the new answer."""
    out = console()
    if not edition:
        out.print(say("replay.other-edition", language), style="yellow")
    now = escape_unseen(inline_json(again.observed), _MAX_LENGTH) if again.observed else ""
    if not again.still:
        line = say("replay.mended", language, id=finding.id)
        out.print(f"{line} {now}".rstrip(), style="bold green", soft_wrap=True)
        return
    from selo.cli.printers.finding_card import (
        TABLED_METHODS,
        print_comparison,
        print_finding,
        sheet_writer,
    )

    sheets = sheet_writer(law, finding.origin.currency)
    print_finding(out, finding, language, sheets=sheets)
    out.print()
    out.print(say("replay.still", language, id=finding.id), style="bold red")
    if now and finding.method in TABLED_METHODS and isinstance(again.observed, dict):
        print_comparison(out, finding, again.observed, sheets, language)
    elif now:
        expected = escape_unseen(inline_json(again.expected), _MAX_LENGTH)
        out.print(f"  {say('replay.law', language, expected=expected)}", soft_wrap=True)
        out.print(f"  {say('replay.now', language, observed=now)}", soft_wrap=True)
        if again.observed != finding.observed and finding.method in _ANSWERED_METHODS:
            out.print(f"  {say('replay.otherwise', language)}", style="yellow")


def _read_finding(path: Path) -> Finding:
    from selo.examine.findings import Finding

    try:
        return read_json(path, Finding)
    except (OSError, msgspec.DecodeError) as error:
        raise user_error("finding", path=path, error=error) from error
