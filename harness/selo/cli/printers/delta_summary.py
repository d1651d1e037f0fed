"""Prints how two builds, runs or documents differ, in answers and in results."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cli.printers.examination_outcome import print_overall
from selo.cli.printers.finding_card import print_finding, sheet_writer
from selo.cli.printers.settlement_results import cite_provision
from selo.delta.build_comparison import ProvisionState
from selo.delta.change_policy import ChangeKind
from selo.draws.draw_verdict import DrawResult
from selo.law import cite
from selo.text import say
from selo.text.sanitize import escape_unseen
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console

    from selo.delta.build_comparison import BuildChange, ComparedProvision, Delta, SideRecord
    from selo.delta.result_changes import ResultChanges, VerdictChange
    from selo.examine.conclusion import ExaminationResult
    from selo.law import Law

_MAX_VALUE_LENGTH: Final = 160
#: Changes that are told by digests, and how much of these is shown.
_DIGESTED: Final = frozenset({ChangeKind.FILES, ChangeKind.LAW})
_DIGITS_SHOWN: Final = 17
#: Longer lists of changes are cut; the result file has all of them.
_MAX_VERDICTS: Final = 60
_MAX_FINDINGS: Final = 20
_MAX_TITLE_LENGTH: Final = 400
_MARGIN: Final = "    "
_GOOD: Final = frozenset({Result.CONFORMS, Result.WITNESSED})
_STATE_STYLES: Final = {ProvisionState.CHANGED: "bold red", ProvisionState.UNKNOWN: "yellow"}


def print_delta(out: Console, law: Law, delta: Delta, language: str) -> None:
    """Print both sides, every change with its class, and what must be examined again."""
    for name, side in (("before", delta.before), ("after", delta.after)):
        out.print(say(f"delta.{name}", language, side=_describe_side(side, language)))
    for change in delta.changes:
        out.print(_describe_change(change, language))
    for provision in delta.provisions:
        if provision.state in _STATE_STYLES:
            _print_provision(out, law, provision, language)
    for row in delta.chance:
        out.print(
            say(
                f"delta.chance.{row.result}",
                language,
                game=row.game,
                before=row.before,
                after=row.after,
                adjusted=row.adjusted,
            ),
            style="dim" if row.result is DrawResult.FAIR else "bold red",
        )
    states = Counter(str(provision.state) for provision in delta.provisions)
    counts = {state.replace("-", "_"): states[state] for state in map(str, ProvisionState)}
    out.print(say("delta.states", language, **counts), style="bold")
    out.print(
        say("delta.again", language, count=len(delta.again)),
        style="bold yellow" if delta.again else "green",
    )
    reasons = Counter(
        str(provision.again) for provision in delta.provisions if provision.id in delta.again
    )
    for reason, count in sorted(reasons.items()):
        why = say(f"delta.obstacle.{reason}", language)
        out.print(say("delta.again.reason", language, count=count, why=why))
    key = "delta.carried" if delta.certified else "delta.uncertified"
    out.print(say(key, language, count=len(delta.carried)))


def _describe_side(side: SideRecord, language: str) -> str:
    kind = say(f"delta.side.{side.kind}", language)
    number = "" if side.certificate is None else f" {side.certificate}"
    return escape_unseen(f"{side.product} {side.version}, {side.vendor} ({kind}{number})")


def _describe_change(change: BuildChange, language: str) -> str:
    longest = _DIGITS_SHOWN if change.kind in _DIGESTED else _MAX_VALUE_LENGTH
    return say(
        "delta.change",
        language,
        kind=say(f"delta.kind.{change.kind}", language),
        name=escape_unseen(change.name),
        before=escape_unseen(change.before, longest),
        after=escape_unseen(change.after, longest),
        bears_on=say(f"delta.class.{change.bears_on}", language),
        because=change.because.get(language),
    )


def _print_provision(out: Console, law: Law, provision: ComparedProvision, language: str) -> None:
    cited = cite(law, law.find(provision.id))
    text = cited.zh if language == "zh" else cited.pt
    state = say(f"delta.state.{provision.state}", language)
    slots = {"provision": provision.id, "citation": text, "state": state}
    out.print(say("delta.provision", language, **slots), style=_STATE_STYLES[provision.state])
    example = provision.example
    if example is not None:
        out.print(
            say(
                "delta.example",
                language,
                question=_shorten(example.params),
                part=example.part,
                before=_shorten(example.before),
                after=_shorten(example.after),
            )
        )


def _shorten(value: Any) -> str:
    text = msgspec.json.encode(value, order="sorted").decode()
    return escape_unseen(text, 3 * _MAX_VALUE_LENGTH)


def print_result_changes(  # noqa: PLR0913, PLR0917 - two results, and how to print
    out: Console,
    law: Law,
    changes: ResultChanges,
    result: ExaminationResult,
    folder: Path,
    language: str,
) -> None:
    """Print the changes, then the overall verdict of the later result."""
    sheets = sheet_writer(law, result.header.description.currency)
    for finding in changes.new[:_MAX_FINDINGS]:
        print_finding(out, finding, language, folder=folder, sheets=sheets)
    out.print()
    if changes.new:
        out.print(say("changes.new", language, count=len(changes.new)), style="bold red")
    for key, findings, style in (
        ("fixed", changes.fixed, "green"),
        ("unchanged", changes.unchanged, "yellow"),
    ):
        if findings:
            out.print(say(f"changes.{key}", language, count=len(findings)), style=f"bold {style}")
        for finding in findings[:_MAX_FINDINGS]:
            title = escape_unseen(sheets.write(finding).title.get(language), _MAX_TITLE_LENGTH)
            out.print(f"{_MARGIN}{finding.game}: {title}", style=style)
    _print_changed_verdicts(out, law, changes.verdicts, language)
    if changes.is_empty:
        out.print(say("changes.none", language), style="dim")
    out.print()
    print_overall(out, result, language)


def _print_changed_verdicts(
    out: Console, law: Law, verdicts: Sequence[VerdictChange], language: str
) -> None:
    if verdicts:
        out.print(say("changes.verdicts", language, count=len(verdicts)), style="bold")
    for changed in verdicts[:_MAX_VERDICTS]:
        out.print(_describe_verdict(law, changed, language), style=_style_of(changed))
    if len(verdicts) > _MAX_VERDICTS:
        count = len(verdicts) - _MAX_VERDICTS
        out.print(f"{_MARGIN}{say('changes.more', language, count=count)}", style="dim")


def _describe_verdict(law: Law, changed: VerdictChange, language: str) -> str:
    before, after = (
        say("changes.not-judged" if result is None else f"verdict.{result}", language)
        for result in (changed.before, changed.after)
    )
    line = f"{_MARGIN}{before} → {after}  {cite_provision(law, changed.provision, language)}"
    if changed.after_reason is None or changed.after in _GOOD:
        return line
    return f"{line} ({say(f'verdict.reason.{changed.after_reason}', language)})"


def _style_of(changed: VerdictChange) -> str:
    if changed.after is Result.VIOLATES:
        return "red"
    return "green" if changed.after in _GOOD else "yellow"
