"""Prints failures of a running examination as they appear; the summary follows at the end."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from selo.cli.output.console import inline_json
from selo.report.phrases import Labels
from selo.report.phrases.money_format import format_amount
from selo.report.phrases.round_phrases import FactDescriber
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from rich.console import Console

    from selo.examine.exchange import VendorRestart
    from selo.examine.run import Examination
    from selo.law import Law

#: More kinds of failures than this are only counted until the summary.
_MAX_FAILURES: Final = 12
_MAX_VALUE_LENGTH: Final = 160
_ENGLISH: Final = "en"


class LiveFailures:
    """Prints each kind of failure once, while the examination runs."""

    def __init__(
        self, examination: Examination, law: Law, out: Console | None, language: str
    ) -> None:
        self._analysis, self._out, self._language = examination.analysis, out, language
        self._currency, self._law = examination.header.description.currency, law
        self._counts: dict[str, int] = {}
        self._printed = 0

    def print_restart(self, restart: VendorRestart) -> None:
        """Print that the vendor broke down and was started again."""
        message = say("examine.restarted", self._language, told=restart.fault.describe())
        self._print(message, "yellow")

    def print_new(self) -> None:
        """Print the failures that appeared since the last call."""
        for game, tally in self._analysis.tallies.items():
            for difference in self._take_new(f"{game} case", list(tally.differences.values())):
                bet = (
                    "compare"
                    if difference.bet is None
                    else difference.case.bets[difference.bet].get("bet")
                )
                self._print_difference(game, bet, difference.expected, difference.observed)
            for fault in self._take_new(f"{game} fault", tally.faults):
                self._print_failure(f"{game}: {fault.describe(self._language)}")
        rounds = self._analysis.rounds
        for example in self._take_new("round", [*rounds.kinds.values()]):
            required = example.difference.required
            law = example.difference.expected if required is None else required.get(self._language)
            script = example.script
            self._print_difference(script.game, script.name, law, example.difference.observed)

    def _take_new(self, kind: str, failures: list[Any]) -> list[Any]:
        before = self._counts.get(kind, 0)
        self._counts[kind] = len(failures)
        return failures[before:]

    def _print_difference(self, game: str, what: Any, law: Any, vendor: Any) -> None:
        if self._language == _ENGLISH:
            # As it can be asked again.
            where = f"{game} {what}"
        else:
            where = f"{self._names.game_in(game, self._language)} {self._say(game, 'bet', what)}"
            law = law if isinstance(law, str) else self._say(game, "", law)
            vendor = self._say(game, "", vendor)
        slots = {"where": where, "law": _render_value(law), "vendor": _render_value(vendor)}
        self._print_failure(say("examine.failure", self._language, **slots))

    @cached_property
    def _names(self) -> Labels:
        return Labels(self._law)

    @cached_property
    def _facts(self) -> FactDescriber:
        money = (
            ("", 0) if self._currency is None else (self._currency.code, self._currency.decimals)
        )
        return FactDescriber(self._law, self._names, lambda amount: format_amount(amount, *money))

    def _say(self, game: str, field: str, value: Any) -> str:
        if isinstance(value, dict) and "event" in value:
            act = {"act": value["event"], **{k: v for k, v in value.items() if k != "event"}}
            return self._facts.act(game, act).get(self._language)
        return self._facts.value(game, field, value).get(self._language)

    def _print_failure(self, text: str) -> None:
        self._printed += 1
        if self._printed == _MAX_FAILURES:
            self._print(say("examine.more-failures", self._language), "red")
        elif self._printed < _MAX_FAILURES:
            self._print(f"\N{BALLOT X} {text}", "red")

    def _print(self, text: str, style: str) -> None:
        if self._out is not None:
            self._out.print(text, style=style, soft_wrap=True)


def _render_value(value: Any) -> str:
    plain = value if isinstance(value, str) else inline_json(value)
    return escape_unseen(plain, _MAX_VALUE_LENGTH)
