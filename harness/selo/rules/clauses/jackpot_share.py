"""Prizes that are shares of a jackpot, as prize clauses give them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.rules.clauses import clause_models as c
from selo.rules.language import compile_expression
from selo.rules.language.vocabulary import BOOL, TEXT, ConditionVocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from selo.rules.clauses.clause_reader import LocatedClause

#: The option of a table that has the terms of its jackpot.
JACKPOT: Final = "jackpot"
#: Terms of a share: all that has accumulated, an approved amount, an approved percentage.
POOL, FIXED, PERCENTAGE = "pool", "fixed", "percentage"
_TERMS: Final = frozenset({POOL, FIXED, PERCENTAGE})
_OR: Final = " or "
_MODALITY: Final = "modality"
_VOCABULARY: Final = ConditionVocabulary.of({_MODALITY: TEXT})


@dataclass(frozen=True, kw_only=True, slots=True)
class JackpotShare:
    """What a prize clause gives for its combinations: the highest of its terms."""

    combinations: frozenset[str]
    terms: tuple[str, ...]

    @property
    def fixed(self) -> bool:
        """Whether the prize is an approved amount and nothing else."""
        return self.terms == (FIXED,)


def read_approvals(clauses: Iterable[LocatedClause]) -> dict[str, c.Approves]:
    """Return the options that approve something else than their own values, and what it is."""
    options = [located.clause for located in clauses if isinstance(located.clause, c.Option)]
    return {one.option: one.approves for one in options if one.approves is not None}


def read_share(prize: LocatedClause) -> JackpotShare | None:
    """Return the share of a prize clause, if it gives one."""
    clause: Any = prize.clause
    if clause.share is None:
        return None
    terms = tuple(clause.share.split(_OR))
    for term in terms:
        if term not in _TERMS and not (term[:-1].isdigit() and term.endswith("%")):
            raise prize.error_at(
                "share", f"'{term}' is no share", "Write pool, fixed, percentage or 10%."
            )
    if clause.combination is None:
        raise prize.error_at(
            "share", "a share needs a combination", "Write combination: beside it."
        )
    return JackpotShare(combinations=frozenset(c.list_names(clause.combination)), terms=terms)


def list_shares(clauses: Sequence[LocatedClause], modality: str) -> list[JackpotShare]:
    """Return the shares that prize clauses give in `modality`."""
    shares = []
    for located in clauses:
        clause = located.clause
        if not isinstance(clause, c.Prize):
            continue
        share, when = read_share(located), clause.when
        if share is not None and (
            when is None
            or compile_expression(when, _VOCABULARY, wanted=BOOL).on({_MODALITY: modality})
        ):
            shares.append(share)
    return shares


def combinations_by_term(clauses: Sequence[LocatedClause], modality: str) -> dict[str, set[str]]:
    """Return the combinations of a modality by the terms of their prizes, such as ``fixed``."""
    combinations: dict[str, set[str]] = {}
    for share in list_shares(clauses, modality):
        for term in share.terms:
            combinations.setdefault(term, set()).update(share.combinations)
    return combinations
