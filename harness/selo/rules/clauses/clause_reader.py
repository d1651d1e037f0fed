"""The clauses of a game as they are written, each with the line that an error must name."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.errors import SpecError
from selo.rules.clauses import clause_models as c
from selo.rules.language import BadExpression, compile_expression

if TYPE_CHECKING:
    from selo.law.loader import Law, LocatedProvision
    from selo.rules.language import Expression
    from selo.rules.language.vocabulary import Vocabulary


#: What a limit may bear on.
MEANINGS: Final = ("prize", "refused", "stake")


@dataclass(frozen=True, kw_only=True, slots=True)
class LimitRule:
    """A limit, what it bears on, and the bet whose stake it is, if not the bet added to."""

    provision: str
    means: str
    of: str | None


class Written:
    """A clause with the provision it stands in, for whoever must name its line."""

    def __init__(self, held: LocatedProvision, index: int, clause: c.Clause) -> None:
        self.held, self.index, self.clause = held, index, clause

    def wrong(self, field: str, problem: str, hint: str) -> SpecError:
        """Return the error that names this clause, or one field of it."""
        listed = isinstance(self.held.provision.rule, list)
        steps: tuple[str | int, ...] = ("rule", self.index, field) if listed else ("rule", field)
        return SpecError(self.held.problem(*steps, problem=problem, hint=hint, code="rule"))


#: The clauses of the law read last: a game is compiled many times from one law.
_LAST: dict[str, tuple[Law, list[Written]]] = {}


def read_clauses(law: Law, game: str) -> list[Written]:
    """Return every clause of `game`, whatever its reading."""
    last = _LAST.get(game)
    if last is None or last[0] is not law:
        last = _LAST[game] = (law, _read_all(law, game))
    return last[1]


def _read_all(law: Law, game: str) -> list[Written]:
    known = {
        divergence.id: {reading.id for reading in divergence.readings}
        for divergence in law.divergences
    }
    found = []
    for held in law.provisions.values():
        if held.instrument.game == game:
            for index, plain in c.clauses_of(held):
                found.append(_read(held, index, plain, known))
    return found


def _read(
    held: LocatedProvision, index: int, plain: dict[str, Any], known: dict[str, set[str]]
) -> Written:
    blank = Written(held, index, c.Clause())
    kind = next((c.KINDS[word] for word in plain if word in c.KINDS), None)
    if kind is None:
        raise blank.wrong(
            next(iter(plain), ""),
            "this clause begins with no known word",
            f"Begin with one of: {', '.join(c.KINDS)}.",
        )
    try:
        clause = msgspec.convert(plain, kind, strict=False)
    except msgspec.ValidationError as error:
        raise blank.wrong("", str(error), "Compare with docs/rules.md.") from error
    for divergence, reading in clause.under.items():
        if reading not in known.get(divergence, set()):
            raise blank.wrong(
                "under",
                f"'{reading}' is no reading of '{divergence}'",
                "selo law divergences lists the points and their readings.",
            )
    return Written(held, index, clause)


def odds_of(one: Any) -> Fraction:
    """Return the odds of a prize clause, to one; a prize that is shared has none."""
    if one.clause.share is not None:
        return Fraction(0)
    if one.clause.rate is not None:
        return rate_of(one)
    if one.clause.odds == "none":
        # The bet can win, and the law gives it no prize.
        return Fraction(0)
    # «O prémio é igual à importância da aposta» names no number.
    written = "1:1" if one.clause.odds == "even" else one.clause.odds or ""
    paid, colon, staked = written.partition(":")
    if not (colon and paid.isdigit() and staked.isdigit() and int(staked)):
        raise one.wrong("odds", f"'{one.clause.odds}' are no odds", "Write odds as 8:1 or 3:2.")
    odds = Fraction(int(paid), int(staked))
    # Odds that contain the stake pay one less on top of it.
    return odds - 1 if one.clause.includes_stake else odds


def rate_of(one: Any) -> Fraction:
    """Return the rate of a clause as a part of one."""
    digits = one.clause.rate.removesuffix("%")
    if not digits.isdigit() or digits == one.clause.rate:
        raise one.wrong("rate", f"'{one.clause.rate}' is no rate", "Write a rate as 5%.")
    return Fraction(int(digits), 100)


def choices_of(listed: list[str]) -> tuple[int | str, ...]:
    """Return what may be chosen: numbers, names, or sums such as ``2 + 2`` for two dice alike."""
    return tuple(
        sum(map(int, parts)) if all(part.strip().isdigit() for part in parts) else item
        for item in listed
        for parts in [item.split("+")]
    )


def limit_of(one: Any) -> LimitRule:
    """Return the limit that a clause sets."""
    if one.clause.means not in MEANINGS:
        raise one.wrong(
            "means", f"a limit on '{one.clause.means}' is unknown", f"Use {', '.join(MEANINGS)}."
        )
    return LimitRule(provision=one.held.id, means=one.clause.means, of=one.clause.of)


def compiled(
    one: Any,
    field: str,
    text: str,
    vocabulary: Vocabulary,
    kind: str,
) -> Expression:
    """Return a condition of a clause, or the error that names its line and what is known there."""
    try:
        return compile_expression(text, vocabulary, wanted=kind)
    except BadExpression as error:
        known = ", ".join([*vocabulary.variables, *(f"{name}()" for name in vocabulary.functions)])
        raise one.wrong(field, str(error), f"Known here: {known}.") from error
