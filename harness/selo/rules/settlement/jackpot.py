"""Prizes that bettors share: what a combination is worth, and how much of it each one gets.

The law gives a prize as a share of what has accumulated, as an amount that the authority approved,
or as the higher of the two; the amounts themselves are options of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.rules.clauses import clause_models as c
from selo.rules.equipment.kits import BadOutcome
from selo.rules.language import compile_expression
from selo.rules.language.vocabulary import BOOL, TEXT, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from selo.rules.settlement.rounding import Money

    #: A part of an amount, rounded as the law rounds what is named first.
    Times = Callable[[str, Money, Money], Money]

_POOL, _FIXED, _PERCENTAGE = "pool", "fixed", "percentage"
_NAMED: Final = frozenset({_POOL, _FIXED, _PERCENTAGE})
_OR: Final = " or "
_PER_CENT: Final = 100
_PAIR: Final = 2
_MODALITY: Final = "modality"
_VOCABULARY: Final = Vocabulary.of({_MODALITY: TEXT})


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """What a prize clause gives for its combinations: the highest of its terms."""

    combinations: frozenset[str]
    terms: tuple[str, ...]

    @property
    def fixed(self) -> bool:
        """Whether the prize is an approved amount and nothing else."""
        return self.terms == (_FIXED,)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sharing:
    """How prizes are divided, under the readings followed."""

    by_stake: bool
    per_bet: bool
    fixed_to_each: bool
    stake_kept: bool
    all_combinations: bool

    @classmethod
    def of(cls, manners: Mapping[str, str]) -> Sharing:
        """Return what the `manner` clauses of the law say of sharing."""
        return cls(
            by_stake=manners.get("portions") == "by-stake",
            per_bet=manners.get("shares") == "per-bet",
            fixed_to_each=manners.get("fixed-amounts") == "to-each",
            stake_kept=manners.get("shared-stake") == "kept",
            all_combinations=manners.get("combinations") == "add-up",
        )


def share_of(one: Any) -> Share | None:
    """Return the share of a written prize clause, if it gives one."""
    clause = one.clause
    if clause.share is None:
        return None
    terms = tuple(clause.share.split(_OR))
    for term in terms:
        if term not in _NAMED and not (term[:-1].isdigit() and term.endswith("%")):
            raise one.wrong(
                "share", f"'{term}' is no share", "Write pool, fixed, percentage or 10%."
            )
    if clause.combination is None:
        raise one.wrong("share", "a share needs a combination", "Write combination: beside it.")
    return Share(combinations=frozenset(c.names(clause.combination)), terms=terms)


def shares_of(written: Sequence[Any], modality: str) -> list[Share]:
    """Return what the prize clauses among `written` give as shared prizes in `modality`."""
    found = []
    for one in written:
        if not isinstance(one.clause, c.Prize):
            continue
        share, when = share_of(one), one.clause.when
        if share is not None and (
            when is None
            or compile_expression(when, _VOCABULARY, wanted=BOOL).on({_MODALITY: modality})
        ):
            found.append(share)
    return found


def worth(
    share: Share,
    combination: str,
    jackpot: Mapping[str, Any],
    times: Times,
) -> Money:
    """Return what `combination` is worth at a table with these jackpot options."""

    def term(name: str) -> Money:
        if name == _FIXED:
            return _amount(jackpot.get("fixed") or {}, combination)
        pool = _amount(jackpot, "accumulated")
        if name == _POOL:
            return pool
        part = _part(jackpot) if name == _PERCENTAGE else Fraction(int(name[:-1]), _PER_CENT)
        return times(_PERCENTAGE, part, pool)

    return max(term(name) for name in share.terms)


def divided(
    prizes: Sequence[tuple[Money, bool]],
    winners: Sequence[Mapping[str, Any]],
    sharing: Sharing,
    times: Times,
) -> list[Money]:
    """Return what each winning bet gets of `prizes`, each an amount and whether it is fixed.

    A person with several bets has one share, which the first of them carries.
    """
    heads, known = [], set()
    for bet in winners:
        heads.append(1 if sharing.per_bet or bet["bettor"] not in known else 0)
        known.add(bet["bettor"])
    parts = [bet["stake"] for bet in winners] if sharing.by_stake else heads
    whole = sum(parts)
    gets: list[Money] = []
    for bet, head, part in zip(winners, heads, parts, strict=True):
        got: Money = 0
        for amount, fixed in prizes:
            if fixed and sharing.fixed_to_each:
                got += amount * head
            else:
                got += times("share", Fraction(part, whole), amount)
        gets.append(got - bet["stake"] if sharing.stake_kept else got)
    return gets


def _amount(where: Mapping[str, Any], name: str) -> int:
    amount = where.get(name) if isinstance(where, dict) else None
    if not isinstance(amount, int) or isinstance(amount, bool) or amount < 0:
        msg = f"the options of the jackpot need a whole amount for '{name}', not {amount!r}"
        raise BadOutcome(msg)
    return amount


def _part(jackpot: Mapping[str, Any]) -> Fraction:
    given = jackpot.get("percentage")
    if isinstance(given, list | tuple) and len(given) == _PAIR:
        part, whole = given
        if all(type(one) is int for one in given) and 0 <= part <= whole and whole:
            return Fraction(part, whole)
    msg = f"the options of the jackpot need a percentage such as [1, 10], not {given!r}"
    raise BadOutcome(msg)
