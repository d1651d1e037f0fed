"""Prints the decision of the gate: failures, waivers, entries of the list, and the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from selo.gate.gate_decision import EntryState, Failure, GateDecision, JudgedEntry, WaivedFailure
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from rich.console import Console

    from selo.examine.conclusion import ExaminationResult

_MAX_VALUE_LENGTH: Final = 400


def print_gate(
    out: Console, result: ExaminationResult, gate: GateDecision, files: GateFiles, language: str
) -> None:
    """Print why the gate opens or stays closed."""
    printer = _GatePrinter(out, language)
    out.print()
    for permission in result.header.permissions:
        printer.line(
            "•", "permission", "cyan", number=permission.number, issuer=permission.issuer,
            expires=permission.expires,
        )  # fmt: skip
    for failure in gate.failures:
        printer.failure(failure)
    if gate.unfound is not None:
        printer.line("✗", "unfound", "bold red", **msgspec.structs.asdict(gate.unfound))
    for where, waived in _waived_by_entry(gate).items():
        printer.waived(where, waived)
    for entry in gate.entries:
        printer.entry(entry)
    if gate.verified < gate.at_least:
        printer.line("✗", "too-few", "bold red", verified=gate.verified, at_least=gate.at_least)
    if gate.broken:
        printer.line("✗", "broken", "bold red")
    if files.proposal is not None:
        printer.line("•", "proposed", "dim", file=files.proposal)
    if files.documents:
        printer.line("•", "documents", "dim", files=", ".join(files.documents))
    printer.line(
        "✓" if gate.passes else "✗", "opens" if gate.passes else "closed",
        "bold green" if gate.passes else "bold red", verified=gate.verified,
        waived=len(gate.waived), fail_on=say(f"verdict.{gate.fail_on}", language), exit=gate.exit,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class GateFiles:
    """The files that the gate wrote: documents, and entries for what is not listed."""

    documents: list[str]
    proposal: str | None = None


class _GatePrinter:
    def __init__(self, out: Console, language: str) -> None:
        self._out, self._language = out, language

    def line(self, mark: str, key: str, style: str, **slots: object) -> None:
        """Print one line."""
        words = {
            name: escape_unseen(str(value), _MAX_VALUE_LENGTH) for name, value in slots.items()
        }
        text = say(f"gate.{key}", self._language, **words)
        self._out.print(f"{mark} {text}", style=style, soft_wrap=True)

    def failure(self, failure: Failure) -> None:
        """Print a failure, and what of it is beside the list."""
        about = " ".join(filter(None, (failure.finding, failure.cause)))
        if failure.beside is not None:
            self.line(
                "✗", "failure-beside", "bold red", provision=failure.provision, about=about,
                **msgspec.structs.asdict(failure.beside),
            )  # fmt: skip
        else:
            self.line(
                "✗", "failure", "bold red", provision=failure.provision,
                verdict=say(f"verdict.{failure.verdict}", self._language),
                about=about or _reason_of(failure, self._language),
            )  # fmt: skip

    def waived(self, where: str, waived: list[WaivedFailure]) -> None:
        """Print what one entry lets through."""
        known = waived[0].deviation
        self.line(
            "–", "waived", "yellow", where=where,
            provision=" ".join(dict.fromkeys(waiver.failure.provision for waiver in waived)),
            verdict=say(f"verdict.{known.verdict}", self._language),
            about=" ".join(
                dict.fromkeys(
                    waiver.failure.finding or _reason_of(waiver.failure, self._language)
                    for waiver in waived
                )
            ),
            expires=known.expires, reason=known.reason, owner=known.owner,
            approver=known.approver, risk=say(f"gate.risk.{known.risk}", self._language),
        )  # fmt: skip

    def entry(self, entry: JudgedEntry) -> None:
        """Print an entry that is not in use."""
        if entry.state is not EntryState.IN_USE:
            quiet = entry.state is EntryState.BESIDE
            self.line(
                "•" if quiet else "✗", f"entry.{entry.state}", "dim" if quiet else "bold red",
                provision=" ".join(entry.deviation.provisions), where=entry.where,
                expires=entry.deviation.expires,
            )  # fmt: skip


def _reason_of(failure: Failure, language: str) -> str:
    """Return the reason in words, as part of a sentence."""
    return say(f"verdict.reason.{failure.reason}", language).rstrip(".。")


def _waived_by_entry(gate: GateDecision) -> dict[str, list[WaivedFailure]]:
    waived: dict[str, list[WaivedFailure]] = {}
    for waiver in gate.waived:
        waived.setdefault(waiver.where, []).append(waiver)
    return waived
