"""Prints failures of a running examination as they appear; the summary follows at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.examine.live_rounds import ROUND
from selo.text import say
from selo.text.message_catalogue import label_value
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from selo.examine.exchange import VendorRestart
    from selo.examine.live_rounds import RoundBreach
    from selo.examine.run import Examination
    from selo.examine.tally import Difference
    from selo.law import Law
    from selo.report.content import FindingSheetWriter

#: More kinds of failures than this are only counted until the summary.
_MAX_FAILURES: Final = 12
_MAX_VALUE_LENGTH: Final = 160


class LiveFailures:
    """Prints each kind of failure once, while the examination runs."""

    def __init__(
        self, examination: Examination, law: Law, out: Console | None, language: str
    ) -> None:
        self._analysis, self._law = examination.analysis, law
        self._currency = examination.header.description.currency
        self._out, self._language = out, language
        self._counts: dict[str, int] = {}
        self._printed = 0
        self._writer: FindingSheetWriter | None = None

    def print_restart(self, restart: VendorRestart) -> None:
        """Print that the vendor broke down and was started again."""
        message = say("examine.restarted", self._language, told=restart.fault.describe())
        self._print(message, "yellow")

    def print_new(self) -> None:
        """Print the failures that appeared since the last call."""
        for game, tally in self._analysis.tallies.items():
            for difference in self._take_new(f"{game} case", list(tally.differences.values())):
                self._print_answer(game, difference)
            for fault in self._take_new(f"{game} fault", tally.faults):
                self._print_failure(f"{game}: {fault.describe(self._language)}")
        rounds = self._analysis.rounds
        for breach in self._take_new("round", [*rounds.kinds.values()]):
            self._print_breach(breach)

    def _take_new(self, kind: str, failures: list[Any]) -> list[Any]:
        before = self._counts.get(kind, 0)
        self._counts[kind] = len(failures)
        return failures[before:]

    def _print_answer(self, game: str, difference: Difference) -> None:
        """Print the parts of an answer that differ, in words."""
        if not self._has_room():
            return
        sheets, language = self._sheets(), self._language
        asked = (
            say("report.answer-part.comparison", language)
            if difference.bet is None
            else sheets.names.bet(game, difference.case.bets[difference.bet]).get(language)
        )
        expected, observed = difference.expected, difference.observed
        differing = [
            name
            for name in dict.fromkeys([*expected, *observed])
            if expected.get(name) != observed.get(name)
        ]

        def phrase(facts: Mapping[str, Any]) -> str:
            different = {name: facts[name] for name in differing if name in facts}
            method = difference.case.method
            return sheets.describe_facts(game, method, different, ()).get(language)

        self._print_difference(
            label_value(game, asked, language), phrase(expected), phrase(observed)
        )

    def _print_breach(self, breach: RoundBreach) -> None:
        """Print a breach at a live table, in words."""
        if not self._has_room():
            return
        language, difference, script = self._language, breach.difference, breach.script

        def phrase(facts: Mapping[str, Any]) -> str:
            told = self._sheets().describe_facts(script.game, ROUND, facts, script.acts)
            return told.get(language)

        required = difference.required
        manner = say(f"report.manner.{difference.manner}", language)
        self._print_difference(
            label_value(script.game, manner, language),
            phrase(difference.expected) if required is None else required.get(language),
            phrase({"act": difference.act, **difference.observed}),
        )

    def _has_room(self) -> bool:
        """Return whether one more failure is printed; otherwise count it."""
        if self._out is not None and self._printed < _MAX_FAILURES:
            return True
        self._printed += 1
        return False

    def _sheets(self) -> FindingSheetWriter:
        # Failures are rare, and a run without any needs no words for them.
        from selo.report.content import FindingSheetWriter  # noqa: PLC0415
        from selo.report.phrases import Labels  # noqa: PLC0415

        if self._writer is None:
            money = self._currency
            self._writer = FindingSheetWriter(
                Labels(self._law), money.code, money.decimals, self._law
            )
        return self._writer

    def _print_difference(self, where: str, law: str, vendor: str) -> None:
        law, vendor = (escape_unseen(text, _MAX_VALUE_LENGTH) for text in (law, vendor))
        slots = {"where": where, "law": law, "vendor": vendor}
        self._print_failure(say("examine.failure", self._language, **slots))

    def _print_failure(self, text: str) -> None:
        self._printed += 1
        if self._printed == _MAX_FAILURES:
            self._print(say("examine.more-failures", self._language), "red")
        elif self._printed < _MAX_FAILURES:
            self._print(f"\N{BALLOT X} {text}", "red")

    def _print(self, text: str, style: str) -> None:
        if self._out is not None:
            self._out.print(text, style=style, soft_wrap=True)
