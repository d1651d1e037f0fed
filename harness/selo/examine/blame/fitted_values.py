"""Fitted values: mutants whose odds, rate or value of a card is the one that a vendor seems to use.

Generated mutants change a number a little. A vendor may use any other number, which its answers
tell: a prize divided by the stake, a commission divided by the prize. For values of cards, every
other value is tried.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.cases import AnswerPart
from selo.rules.clauses import clause_models as c

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from selo.examine.blame.hypotheses import Hypothesis
    from selo.examine.blame.wrong_answer import WrongAnswer

#: Different values of a provision that are tried.
_MAX_VALUES: Final = 4
_PER_CENT: Final = 100
_PRIZE: Final = AnswerPart.PRIZE
_COMMISSION: Final = AnswerPart.COMMISSION


def fit_amounts(
    wrong: Sequence[WrongAnswer],
    prescribers: Sequence[Collection[str]],
    hypotheses: Iterable[Hypothesis],
) -> Iterator[Hypothesis]:
    """Yield the clauses on prizes and commissions with the odds and rates that were applied."""
    odds: dict[str, Counter[Fraction]] = {}
    rates: dict[str, Counter[Fraction]] = {}
    for answer, provisions in zip(wrong, prescribers, strict=True):
        if answer.bet is None or _PRIZE not in answer.observed:
            continue
        stake = answer.case.bets[answer.bet]["stake"]
        prize, commission = (as_fraction(answer.observed[part]) for part in (_PRIZE, _COMMISSION))
        for name in provisions:
            if answer.differing == {_PRIZE} and stake:
                odds.setdefault(name, Counter())[prize / stake] += 1
            if answer.differing == {_COMMISSION} and prize:
                rates.setdefault(name, Counter())[commission / prize] += 1
    fitted: set[tuple[str, int]] = set()
    for hypothesis in hypotheses:
        key = (hypothesis.provision, id(hypothesis.was))
        if key not in fitted:
            fitted.add(key)
            if isinstance(hypothesis.was, c.Prize):
                yield from _with_odds(hypothesis, odds.get(hypothesis.provision, Counter()))
            if isinstance(hypothesis.was, c.Commission):
                yield from _with_rates(hypothesis, rates.get(hypothesis.provision, Counter()))


def _with_odds(hypothesis: Hypothesis, odds: Counter[Fraction]) -> Iterator[Hypothesis]:
    for value, _ in odds.most_common(_MAX_VALUES):
        fitted = hypothesis.with_value("odds", f"{value.numerator}:{value.denominator}")
        if fitted is not None and value > 0:
            yield fitted


def _with_rates(hypothesis: Hypothesis, rates: Counter[Fraction]) -> Iterator[Hypothesis]:
    for value, _ in rates.most_common(_MAX_VALUES):
        percentage = value * _PER_CENT
        fitted = hypothesis.with_value("rate", f"{percentage.numerator}%")
        if fitted is not None and percentage.denominator == 1:
            yield fitted


def fit_rows(hypotheses: Iterable[Hypothesis], provisions: Collection[str]) -> Iterator[Hypothesis]:
    """Yield the tables of some provisions with every other value of every row."""
    fitted: set[int] = set()
    for hypothesis in hypotheses:
        was: Any = hypothesis.was
        if (
            hypothesis.provision in provisions
            and isinstance(was, c.TableClause)
            and isinstance(was.rows, dict)
            and id(was) not in fitted
        ):
            fitted.add(id(was))
            for name, value in was.rows.items():
                for other in range(len(was.rows) + 1):
                    row = hypothesis.with_value("rows", other, name) if other != value else None
                    if row is not None:
                        yield row


def as_fraction(amount: int | list[int]) -> Fraction:
    """Return an amount as a fraction."""
    return Fraction(amount) if isinstance(amount, int) else Fraction(*amount)
