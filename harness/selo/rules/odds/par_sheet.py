"""PAR sheets: what a vendor declares of the chances of its bets, compared with the exact figures.

A sheet is YAML, or CSV with the same names in its first line. Each bet may declare the probability
of each result, its return and its edge, as a fraction, a percentage or a decimal number. A fraction
must be exact; of any other figure the last digit may be rounded either way.
"""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.errors import Problem, SpecError
from selo.storage.bounded_read import TEXT_LIMIT, read_bounded
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from selo.rules.odds.bet_odds import BetOdds

_FRACTION: Final = re.compile(r"(-?\d+)\s*/\s*(\d+)")
_DECIMAL: Final = re.compile(r"(-?)(\d+)(?:[.,](\d+))?\s*(%?)")
#: Figures of a bet that are probabilities of a result.
RESULTS: Final = ("win", "push", "stands", "void", "lose")
_RETURN: Final = "return"
_EDGE: Final = "edge"
_CSV: Final = ".csv"


class DeclaredBet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a sheet says of one bet."""

    bet: str
    choice: str | None = None
    #: The strategy of the bettor or the regime of the table, where `selo odds` names one.
    manner: str | None = None
    win: str | None = None
    push: str | None = None
    stands: str | None = None
    void: str | None = None
    lose: str | None = None
    #: What goes back to the bettor of a stake on average, the stake included.
    return_: str | None = msgspec.field(default=None, name=_RETURN)
    edge: str | None = None

    def figures(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the text of each figure that is declared."""
        for name in (*RESULTS, _RETURN, _EDGE):
            text = getattr(self, "return_" if name == _RETURN else name)
            if text:
                yield name, text


class ParSheet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sheet of one game."""

    game: str
    bets: list[DeclaredBet]
    packs: int | None = None


class ParCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One declared figure beside the exact one."""

    bet: str
    choice: str | None
    manner: str | None
    figure: str
    declared: str
    exact: str
    percent: str
    right: bool


def read_par_sheet(path: Path, game: str | None = None) -> ParSheet:
    """Return the sheet in `path`; a CSV file is about `game`, or about the game it is named for."""
    if path.suffix.lower() != _CSV:
        return read_yaml(path).convert(ParSheet)
    try:
        text = read_bounded(path, TEXT_LIMIT).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(
            _problem(path, 0, f"cannot be read: {error}", "Check that it exists and is UTF-8.")
        ) from error
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    plain: dict[str, Any] = {
        "game": game or path.stem,
        "bets": [{name: value for name, value in row.items() if value} for row in rows],
    }
    try:
        return msgspec.convert(plain, ParSheet, strict=False)
    except msgspec.ValidationError as error:
        raise SpecError(_problem(path, 0, str(error), "Compare with the guide.")) from error


def check_par_sheet(path: Path, sheet: ParSheet, figures: Sequence[BetOdds]) -> Iterator[ParCheck]:
    """Yield every declared figure beside the exact one."""
    for number, declared in enumerate(sheet.bets, 1):
        exact = [
            odds
            for odds in figures
            if odds.bet == declared.bet
            and (declared.choice is None or str(odds.choice) == declared.choice)
            and (declared.manner is None or str(odds.manner) == declared.manner)
        ]
        if not exact:
            known = ", ".join(dict.fromkeys(odds.bet for odds in figures))
            raise SpecError(
                _problem(
                    path, number, f"bet {number}: no odds of {declared.bet} are known",
                    f"Name a bet, choice and manner that selo odds prints: {known}.",
                )
            )  # fmt: skip
        for odds in exact:
            for name, text in declared.figures():
                value, tolerance = _parse_figure(path, number, text)
                right = _exact_figure(odds, name)
                yield ParCheck(
                    bet=odds.bet,
                    choice=None if odds.choice is None else str(odds.choice),
                    manner=odds.manner,
                    figure=name,
                    declared=text,
                    exact=str(right),
                    percent=f"{float(right):.6%}",
                    right=abs(value - right) <= tolerance,
                )


def _exact_figure(odds: BetOdds, name: str) -> Fraction:
    if name == _EDGE:
        return odds.edge
    return 1 - odds.edge if name == _RETURN else odds.of(name)


def _parse_figure(path: Path, number: int, text: str) -> tuple[Fraction, Fraction]:
    """Return a figure, and by how much it may differ from the exact one."""
    fraction, decimal = _FRACTION.fullmatch(text.strip()), _DECIMAL.fullmatch(text.strip())
    if fraction is not None and int(fraction[2]):
        return Fraction(int(fraction[1]), int(fraction[2])), Fraction(0)
    if decimal is None:
        raise SpecError(
            _problem(
                path, number, f"bet {number}: {text!r} is no figure",
                "Write a fraction (27/216), a percentage (12.5 %) or a decimal number (0.125).",
            )
        )  # fmt: skip
    sign, whole, digits, percent = decimal.groups(default="")
    value = Fraction(int(whole + digits), 10 ** len(digits)) * (-1 if sign else 1)
    unit = Fraction(1, 10 ** len(digits)) / 2
    if percent:
        return value / 100, unit / 100
    # A whole number without a percent sign is meant exactly: never, or always.
    return value, unit if digits else Fraction(0)


def _problem(path: Path, line: int, problem: str, hint: str) -> Problem:
    return Problem(path=path, line=line, problem=problem, hint=hint)
