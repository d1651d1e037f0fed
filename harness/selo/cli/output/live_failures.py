"""Says what is wrong as soon as it is seen; what it means comes at the end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from selo.text.message_catalogue import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from rich.console import Console

    from selo.examine.exchange import VendorRestart
    from selo.examine.replay import EvidenceAnalysis


#: So many kinds of failures are told while the examination goes on.
_MAX_FAILURES: Final = 12
_MAX_VALUE_LENGTH: Final = 160


class LiveFailures:
    """The failures of an examination that is under way, each kind of them told once."""

    def __init__(self, seen: EvidenceAnalysis, out: Console | None, language: str) -> None:
        self._seen, self._out, self._language = seen, out, language
        self._known: dict[str, int] = {}
        self._told = 0

    def restarted(self, got: VendorRestart) -> None:
        """Say that the vendor broke and was started again."""
        self._print(say("examine.restarted", self._language, told=got.fault.told()), "yellow")

    def show(self) -> None:
        """Say what is new."""
        for game, tally in self._seen.tallies.items():
            for one in self._new(f"{game} case", list(tally.differences.values())):
                bet = "compare" if one.bet is None else one.case.bets[one.bet].get("bet")
                self._tell(f"{game} {bet}", one.expected, one.observed)
            for fault in self._new(f"{game} fault", tally.faults):
                self._line(f"{game}: {fault.told(self._language)}")
        rounds = self._seen.rounds
        for one in self._new("round", [*rounds.kinds.values()]):
            required = one.difference.required
            law = one.difference.expected if required is None else required.get("en")
            self._tell(f"{one.script.game} {one.script.name}", law, one.difference.observed)

    def _new(self, kind: str, every: list[Any]) -> list[Any]:
        before = self._known.get(kind, 0)
        self._known[kind] = len(every)
        return every[before:]

    def _tell(self, where: str, law: Any, vendor: Any) -> None:
        slots = {"where": where, "law": _render_value(law), "vendor": _render_value(vendor)}
        self._line(say("examine.failure", self._language, **slots))

    def _line(self, said: str) -> None:
        self._told += 1
        if self._told == _MAX_FAILURES:
            self._print(say("examine.more-failures", self._language), "red")
        elif self._told < _MAX_FAILURES:
            self._print(f"\N{BALLOT X} {said}", "red")

    def _print(self, said: str, style: str) -> None:
        if self._out is not None:
            self._out.print(said, style=style, soft_wrap=True)


def _render_value(value: Any) -> str:
    plain = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return escape_unseen(plain, _MAX_VALUE_LENGTH)
