"""Reads the clauses of a game, each with the provision and line that an error must name."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from selo.errors import SpecError
from selo.rules.clauses import clause_models as c
from selo.rules.language import BadExpression, compile_expression

if TYPE_CHECKING:
    from selo.law import Law, LocatedProvision
    from selo.rules.language import Expression
    from selo.rules.language.vocabulary import ConditionVocabulary


class LocatedClause:
    """A clause with the provision it stands in, and its place in the rule of that provision."""

    def __init__(self, held: LocatedProvision, index: int, clause: c.Clause) -> None:
        self.held, self.index, self.clause = held, index, clause

    def error_at(self, field: str, problem: str, hint: str) -> SpecError:
        """Return the error that names this clause, or one field of it."""
        listed = isinstance(self.held.provision.rule, list)
        steps: tuple[str | int, ...] = ("rule", self.index, field) if listed else ("rule", field)
        return SpecError(self.held.problem(*steps, problem=problem, hint=hint, code="rule"))

    def read_odds(self) -> Fraction:
        """Return the odds of a prize clause, to one; a prize that is shared has none."""
        clause: Any = self.clause
        if clause.share is not None:
            return Fraction(0)
        if clause.rate is not None:
            return self.read_rate()
        if clause.odds == "none":
            # The bet can win, and the law gives it no prize.
            return Fraction(0)
        # «O prémio é igual à importância da aposta» names no number.
        written = "1:1" if clause.odds == "even" else clause.odds or ""
        paid, colon, staked = written.partition(":")
        if not (colon and paid.isdigit() and staked.isdigit() and int(staked)):
            raise self.error_at("odds", f"'{clause.odds}' are no odds", "Write odds as 8:1 or 3:2.")
        odds = Fraction(int(paid), int(staked))
        # Odds that contain the stake pay one less on top of it.
        return odds - 1 if clause.includes_stake else odds

    def read_rate(self) -> Fraction:
        """Return the rate of a clause as a part of one."""
        clause: Any = self.clause
        digits = clause.rate.removesuffix("%")
        if not digits.isdigit() or digits == clause.rate:
            raise self.error_at("rate", f"'{clause.rate}' is no rate", "Write a rate as 5%.")
        return Fraction(int(digits), 100)

    def read_limit_kind(self) -> str:
        """Return what the limit of a limit clause applies to."""
        clause: Any = self.clause
        if clause.means not in c.LIMIT_KINDS:
            raise self.error_at(
                "means",
                f"a limit on '{clause.means}' is unknown",
                f"Use {', '.join(c.LIMIT_KINDS)}.",
            )
        return str(clause.means)

    def read_void_stake(self) -> str | None:
        """Return what becomes of the stake of a void bet; nothing for other results."""
        clause: Any = self.clause
        if (clause.stake in c.VOID_STAKES) != (clause.result == c.VOID):
            raise self.error_at(
                "stake",
                f"'{clause.result}' with the stake '{clause.stake}'",
                f"A void bet, and no other, says what becomes of it: {', '.join(c.VOID_STAKES)}.",
            )
        return None if clause.stake is None else str(clause.stake)

    def compile_condition(
        self, field: str, text: str, vocabulary: ConditionVocabulary, kind: str
    ) -> Expression:
        """Return a condition of this clause, or raise the error that lists the known names."""
        try:
            return compile_expression(text, vocabulary, wanted=kind)
        except BadExpression as error:
            functions = (f"{name}()" for name in vocabulary.functions)
            known = ", ".join([*vocabulary.variables, *functions])
            raise self.error_at(field, str(error), f"Known here: {known}.") from error


#: A game is compiled many times from one law; few laws are in use at a time.
@lru_cache(maxsize=16)
def read_clauses(law: Law, game: str) -> list[LocatedClause]:
    """Return every clause of `game`, whatever its reading."""
    readings = {
        divergence.id: {reading.id for reading in divergence.readings}
        for divergence in law.divergences
    }
    return [
        _read_clause(held, index, raw, readings)
        for held in law.provisions.values()
        if held.instrument.game == game
        for index, raw in c.raw_clauses_of(held)
    ]


def _read_clause(
    held: LocatedProvision, index: int, raw: dict[str, Any], readings: dict[str, set[str]]
) -> LocatedClause:
    blank = LocatedClause(held, index, c.Clause())
    kind = next((c.CLAUSE_KINDS[word] for word in raw if word in c.CLAUSE_KINDS), None)
    if kind is None:
        raise blank.error_at(
            next(iter(raw), ""),
            "this clause begins with no known word",
            f"Begin with one of: {', '.join(c.CLAUSE_KINDS)}.",
        )
    try:
        clause = msgspec.convert(raw, kind, strict=False)
    except msgspec.ValidationError as error:
        raise blank.error_at("", str(error), "Compare with docs/rules.md.") from error
    for divergence, reading in clause.under.items():
        if reading not in readings.get(divergence, set()):
            raise blank.error_at(
                "under",
                f"'{reading}' is no reading of '{divergence}'",
                "selo law divergences lists the points and their readings.",
            )
    return LocatedClause(held, index, clause)


def find_equipment(law: Law, game: str) -> c.Equipment:
    """Return the equipment clause of a game."""
    return next(
        located.clause
        for located in read_clauses(law, game)
        if isinstance(located.clause, c.Equipment)
    )
