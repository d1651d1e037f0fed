"""Prints the decision of the gate: failures, waivers, entries of the list, and the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.gate.gate_decision import EntryState, Failure, GateDecision, WaivedFailure
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from rich.console import Console

    from selo.examine.conclusion import ExaminationResult

_MAX_VALUE_LENGTH: Final = 400


def print_gate(
    out: Console, result: ExaminationResult, gate: GateDecision, documents: list[str], language: str
) -> None:
    """Print why the gate opens or stays closed."""

    def print_line(mark: str, key: str, style: str, **slots: object) -> None:
        words = {
            name: escape_unseen(str(value), _MAX_VALUE_LENGTH) for name, value in slots.items()
        }
        out.print(f"{mark} {say(f'gate.{key}', language, **words)}", style=style, soft_wrap=True)

    out.print()
    for permission in result.header.permissions:
        print_line(
            "•",
            "permission",
            "cyan",
            number=permission.number,
            issuer=permission.issuer,
            expires=permission.expires,
        )
    for failure in gate.failures:
        print_line(
            "✗", "failure", "bold red", provision=failure.provision,
            verdict=say(f"verdict.{failure.verdict}", language),
            about=" ".join(filter(None, (failure.finding, failure.cause)))
            or _reason_of(failure, language),
        )  # fmt: skip
    for where, waived in _waived_by_entry(gate).items():
        known = waived[0].deviation
        print_line(
            "–", "waived", "yellow", provision=known.provision, where=where,
            verdict=say(f"verdict.{known.verdict}", language),
            about=" ".join(
                waiver.failure.finding or _reason_of(waiver.failure, language) for waiver in waived
            ),
            expires=known.expires, reason=known.reason, owner=known.owner,
            approver=known.approver, risk=say(f"gate.risk.{known.risk}", language),
        )  # fmt: skip
    for entry in gate.entries:
        if entry.state is EntryState.IN_USE:
            continue
        quiet = entry.state is EntryState.BESIDE
        print_line(
            "•" if quiet else "✗", f"entry.{entry.state}", "dim" if quiet else "bold red",
            provision=entry.deviation.provision, where=entry.where,
            expires=entry.deviation.expires,
        )  # fmt: skip
    if gate.verified < gate.at_least:
        print_line("✗", "too-few", "bold red", verified=gate.verified, at_least=gate.at_least)
    if gate.broken:
        print_line("✗", "broken", "bold red")
    if documents:
        print_line("•", "documents", "dim", files=", ".join(documents))
    print_line(
        "✓" if gate.passes else "✗", "opens" if gate.passes else "closed",
        "bold green" if gate.passes else "bold red", verified=gate.verified,
        waived=len(gate.waived), fail_on=say(f"verdict.{gate.fail_on}", language), exit=gate.exit,
    )  # fmt: skip


def _reason_of(failure: Failure, language: str) -> str:
    """Return the reason in words, as part of a sentence."""
    return say(f"verdict.reason.{failure.reason}", language).rstrip(".。")


def _waived_by_entry(gate: GateDecision) -> dict[str, list[WaivedFailure]]:
    waived: dict[str, list[WaivedFailure]] = {}
    for waiver in gate.waived:
        waived.setdefault(waiver.where, []).append(waiver)
    return waived
