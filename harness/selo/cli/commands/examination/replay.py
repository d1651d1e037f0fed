"""``selo replay``: one finding put to a vendor again, from its file alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from selo.cli.options.vendor_options import session_of
from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.cli.printing import print_finding, sheets_in
from selo.draws.draw_verdict import Judged
from selo.examine.findings import Finding, asked_again
from selo.examine.plan.draw_plan import DRAW
from selo.examine.run import drawn_again
from selo.law.loader import load
from selo.law.spec_digest import spec_digest
from selo.text import wrong
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    import argparse

    from selo.law.loader import Law


def run(arguments: argparse.Namespace) -> int:
    """Ask the vendor the case of a finding, and say whether it is still so."""
    law = load()
    finding = _read(Path(arguments.finding))
    if finding.method == DRAW:
        return _drawn(arguments, law, finding)
    session = session_of(arguments)
    try:
        again = asked_again(law, finding, session)
        session.end()
    finally:
        session.kill()
    edition = finding.origin.spec_digest == spec_digest(law)
    if arguments.json:
        print_json(
            {
                "finding": finding.id,
                "still": again.still,
                "answer": again.answer,
                "same_edition": edition,
            }
        )
    else:
        _tell(law, finding, still=again.still, edition=edition, language=arguments.lang)
    if again.fault:
        return Exit.VENDOR
    if again.violates:
        return Exit.VIOLATES
    return Exit.OPEN if again.still else Exit.CONFORMS


def _drawn(arguments: argparse.Namespace, law: Law, finding: Finding) -> int:
    """Draw as many outcomes again, from the same table, and test them by themselves."""
    session = session_of(arguments)
    try:
        drawn = drawn_again(session, law, finding)
        session.end()
    finally:
        session.kill()
    (taken,) = drawn.taken
    edition = finding.origin.spec_digest == spec_digest(law)
    said = drawn.verdict(taken)
    if arguments.json:
        print_json(
            {
                "finding": finding.id,
                "still": said is Judged.UNFAIR,
                "fault": taken.fault,
                "statistics": drawn.statistics,
                "same_edition": edition,
            }
        )
    else:
        still = said is not Judged.FAIR
        _tell(law, finding, still=still, edition=edition, language=arguments.lang)
    if taken.fault is not None:
        return Exit.VENDOR
    wrong = Exit.OPEN if finding.verdict == "open" else Exit.VIOLATES
    return {Judged.FAIR: Exit.CONFORMS, Judged.DOUBTFUL: Exit.OPEN, Judged.UNFAIR: wrong}[said]


def _tell(law: Law, finding: Finding, *, still: bool, edition: bool, language: str) -> None:
    out = console()
    print_finding(out, finding, language, sheets=sheets_in(law, finding.origin.currency))
    out.print()
    if not edition:
        out.print(say("replay.other-edition", language), style="yellow")
    key, style = ("replay.still", "bold red") if still else ("replay.mended", "bold green")
    out.print(say(key, language, id=finding.id), style=style)


def _read(path: Path) -> Finding:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Finding)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise wrong("finding", path=path, error=error) from error
