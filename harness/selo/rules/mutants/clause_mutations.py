"""Mutations of each kind of clause: one small change at a time.

A second clause covers what a change would leave without a rule: mutants settle every case.
"""

from __future__ import annotations

from dataclasses import replace as with_changes
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from selo.rules.clauses import clause_models as c
from selo.rules.clauses.clause_models import LIMIT_KINDS, WILDCARD
from selo.rules.mutants import equipment_mutations
from selo.rules.mutants.cause import Operator
from selo.rules.mutants.clause_change import (
    Change,
    change_expression,
    each_name,
    forget_each,
    replace_field,
)
from selo.rules.mutants.condition_mutations import read_membership

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from selo.rules.mutants.mutation_context import MutationContext

_PLACED: Final = "placed"
#: The results that replace a result; the result ``point`` gives a bet its point.
_OTHER_RESULTS: Final = {
    "win": ("lose", "push"),
    "lose": ("win", "push"),
    "push": ("lose", "win"),
    "stands": ("lose", "push"),
    "void": ("lose", "push"),
    "refused": ("lose",),
    "point": ("lose", "win"),
}
#: What each manner can mean.
_MANNER_MEANINGS: Final = {
    "odds": ("to-one", "for-one"),
    "lines": ("one", "add-up"),
    "order": ("first-highest", "last-highest"),
    "reconstructed": ("not-judged", "judged"),
    "combinations": ("first", "add-up"),
    "shares": ("per-person", "per-bet"),
    "portions": ("equal", "by-stake"),
    "fixed-amounts": ("divided", "to-each"),
    "shared-stake": ("returned", "kept"),
    "commission-on": ("each", "sum"),
    "commission-of": ("gross", "net"),
}
_ROUNDINGS: Final = ("down", "up", "nearest")
_POOL: Final = "pool"
_SHARES: Final = (_POOL, "fixed", "percentage")
_OR: Final = " or "


def mutate_clause(clause: c.Clause, context: MutationContext) -> Iterator[Change]:
    """Yield every sensible small change of `clause`."""
    mutate = _MUTATIONS.get(type(clause))
    if mutate is not None:
        yield from mutate(clause, context)


def _define(clause: c.Define, _: MutationContext) -> Iterator[Change]:
    yield from change_expression(clause, "means")
    # What is not a condition is a number or a list.
    for operator, means in (
        (Operator.MORE, f"({clause.means}) + 1"),
        (Operator.LESS, f"({clause.means}) - 1"),
        (Operator.FIRST_TWO, f"first({clause.means}, 2)"),
    ):
        yield Change(operator, [replace(clause, means=means)], "means")


def _bet(clause: c.BetClause, context: MutationContext) -> Iterator[Change]:
    never = c.On(
        on=clause.bet, result="refused", when="true", over=context.everything(),
        stage=_PLACED if context.throws() else None,
    )  # fmt: skip
    yield Change(Operator.NEVER_TAKEN, [clause, never])
    yield from change_expression(clause, "wins")
    yield from _choices(clause)
    if clause.added_to is not None:
        for bet in context.added_to():
            if bet != clause.added_to:
                yield replace_field(Operator.ADDED, clause, "added_to", bet)


def _choices(clause: c.BetClause) -> Iterator[Change]:
    if isinstance(clause.choice, list):
        for choice in clause.choice:
            left = replace(clause, choice=[other for other in clause.choice if other != choice])
            yield Change(Operator.NO_CHOICE, [left], "choice", part=str(choice))
        return
    first, dash, last = (clause.choice or "").partition("–")
    if dash:
        low, high = int(first), int(last)
        for least, most in ((low - 1, high), (low, high + 1), (low + 1, high), (low, high - 1)):
            if least >= 0:
                yield replace_field(Operator.CHOICES, clause, "choice", f"{least}–{most}")


def _on(clause: c.On, context: MutationContext) -> Iterator[Change]:
    if clause.stage != _PLACED:
        # A clause that says the same would contradict the mutant, unless the mutant prevails.
        over = [*clause.over, *context.repeating(clause)]
        for result in _OTHER_RESULTS[clause.result]:
            yield _result(clause, [_with_result(clause, result, over)], result)
        for name, alone, others in each_name(clause, "on"):
            for result in _OTHER_RESULTS[clause.result]:
                yield _result(clause, [_with_result(alone, result, over), others], result, name)
        yield from _one_value(clause, context)
    for stake in sorted({*c.VOID_STAKES} - {clause.stake}) if clause.stake else ():
        yield replace_field(Operator.BECOMES, clause, "stake", stake)
    yield Change(Operator.FORGOTTEN, [])
    for at, name in enumerate(clause.over):
        left = replace(clause, over=[*clause.over[:at], *clause.over[at + 1 :]])
        yield Change(Operator.PREVAILS, [left], "over", part=name)
    yield from forget_each(clause, "on")
    yield from change_expression(clause, "when")


def _result(
    clause: c.On, clauses: Sequence[c.Clause], result: str, part: str | None = None
) -> Change:
    return Change(Operator.BECOMES, clauses, "result", part=part, was=clause.result, now=result)


def _with_result(clause: c.On, result: str, over: list[str]) -> c.Clause:
    # A reconstructed statement gives its own result and no other.
    return replace(clause, result=result, over=over, reconstructed=None, stake=None)


def _one_value(clause: c.On, context: MutationContext) -> Iterator[Change]:
    """Yield each number of a condition with another result."""
    word, values = read_membership(clause.when)
    for value in values:
        for result in _OTHER_RESULTS[clause.result]:
            when = f"{word} == {value}"
            exception = replace(_with_result(clause, result, context.everything()), when=when)
            yield Change(
                Operator.MAKES, [clause, exception], "result", when=when, was=clause.result,
                now=result,
            )  # fmt: skip


def _combination(clause: c.Combination, _: MutationContext) -> Iterator[Change]:
    yield from change_expression(clause, "when", dropped=True)


def _excludes(_: c.Excludes | c.Single, __: MutationContext) -> Iterator[Change]:
    yield Change(Operator.FORGOTTEN, [])


def _prize(clause: c.Prize, context: MutationContext) -> Iterator[Change]:
    for change, prize in _payments(clause, context):
        yield change
        for bet, _alone, others in each_name(clause, "prize"):
            yield with_changes(change, part=bet, clauses=[replace(prize, prize=bet), others])
    word, values = read_membership(clause.when)
    for value in values if len(values) > 1 else []:
        left = ", ".join(other for other in values if other != value)
        rest = replace(clause, when=f"{word} in [{left}]")
        for change, prize in _payments(clause, context):
            when = f"{word} == {value}"
            yield with_changes(change, when=when, clauses=[rest, replace(prize, when=when)])
    yield from change_expression(clause, "when")


def _payments(clause: c.Prize, context: MutationContext) -> Iterator[tuple[Change, c.Prize]]:
    """Yield each other payment under the same condition, as a change and as the new clause."""
    for operator, field, was, now in _other_payments(clause, context):
        prize = replace(clause, **{field: now})
        yield Change(operator, [prize], field, was=was, now=str(now).lower()), prize


def _other_payments(
    clause: c.Prize, context: MutationContext
) -> Iterator[tuple[Operator, str, str, str | bool]]:
    if clause.odds is not None:
        odds = "1:1" if clause.odds == "even" else clause.odds
        if odds == "none":
            yield Operator.ODDS_ARE, "odds", odds, "1:1"
            return
        paid, _, staked = odds.partition(":")
        others = [f"{int(paid) + 1}:{staked}", f"{int(paid) - 1}:{staked}"]
        for other in dict.fromkeys([*others, *context.odds_beside(clause)]):
            yield Operator.ODDS, "odds", odds, other
        included = clause.includes_stake
        operator = Operator.TO_ONE if included else Operator.FOR_ONE
        yield operator, "includes_stake", str(included).lower(), not included
    if clause.rate is not None:
        for rate in _rates(clause.rate):
            yield Operator.RATE, "rate", clause.rate, rate
    for share in _shares(clause.share or ""):
        yield Operator.SHARE, "share", clause.share or "", share


def _rates(rate: str) -> list[str]:
    number = int(rate.removesuffix("%"))
    return [f"{other}%" for other in (number * 2, number + 1, number - 1, 0)]


def _shares(share: str) -> Iterator[str]:
    if not share:
        return
    terms = share.split(_OR)
    for at, term in enumerate(terms):
        if len(terms) > 1:
            yield _OR.join([*terms[:at], *terms[at + 1 :]])
        # The pool is all of what has accumulated.
        part = "100%" if term == _POOL else term
        if part.endswith("%"):
            for rate in _rates(part):
                yield _OR.join([*terms[:at], rate, *terms[at + 1 :]])
    for other in _SHARES:
        if other not in terms:
            yield other


def _commission(clause: c.Commission, context: MutationContext) -> Iterator[Change]:
    for rate in _rates(clause.rate):
        yield replace_field(Operator.RATE, clause, "rate", rate)
    yield Change(Operator.FORGOTTEN, [])
    yield from forget_each(clause, "commission")
    # The prize of another bet is the wrong base.
    for bet in context.bets():
        if bet.bet not in c.list_names(clause.commission) and WILDCARD not in c.list_names(
            clause.commission
        ):
            both = [clause, replace(clause, commission=bet.bet)]
            yield Change(Operator.AS_WELL, both, "commission", now=bet.bet)
    yield from change_expression(clause, "when")


def _limit(clause: c.Limit, context: MutationContext) -> Iterator[Change]:
    yield Change(Operator.FORGOTTEN, [])
    for means in LIMIT_KINDS:
        if means != clause.means:
            yield replace_field(Operator.BEARS, clause, "means", means)
    yield from forget_each(clause, "limit")
    for bet in context.added_to():
        if bet != clause.of:
            yield replace_field(Operator.STAKE_OF, clause, "of", bet)


def _rounding(clause: c.Rounding, _: MutationContext) -> Iterator[Change]:
    yield Change(Operator.FORGOTTEN, [])
    for to in _ROUNDINGS:
        if to != clause.to:
            yield replace_field(Operator.ROUNDED, clause, "to", to)


def _manner(clause: c.MannerClause, _: MutationContext) -> Iterator[Change]:
    for means in _MANNER_MEANINGS.get(clause.manner, ()):
        if means != clause.means:
            yield replace_field(Operator.MANNER, clause, "means", means)


def _needs(clause: c.Needs, _: MutationContext) -> Iterator[Change]:
    yield Change(Operator.FORGOTTEN, [])
    yield from forget_each(clause, "needs")
    for name, _alone, others in each_name(clause, "beside"):
        yield Change(Operator.NOT_ENOUGH, [others], "beside", part=name)
    if clause.same:
        yield Change(Operator.ANYBODY, [replace(clause, same=[])], "same")
    if clause.unless is not None:
        yield Change(Operator.NO_EXCEPTION, [replace(clause, unless=None)], "unless")


def _rank(clause: c.Rank, _: MutationContext) -> Iterator[Change]:
    for at, key in enumerate(clause.key):
        before, after, number = clause.key[:at], clause.key[at + 1 :], str(at + 1)
        dropped = replace(clause, key=[*before, *after])
        yield Change(Operator.KEY_DROPPED, [dropped], "key", part=number)
        reversed_key = replace(clause, key=[*before, f"-({key})", *after])
        yield Change(Operator.KEY_REVERSED, [reversed_key], "key", part=number)
    yield from change_expression(clause, "when")


#: Equipment is not mutated (no case asks for other dice), nor are options, but as conditions.
_MUTATIONS: Final[dict[type[c.Clause], Callable[[Any, MutationContext], Iterator[Change]]]] = {
    c.FaceClause: equipment_mutations.mutate_face,
    c.FacesClause: equipment_mutations.mutate_faces,
    c.TableClause: equipment_mutations.mutate_table,
    c.Define: _define,
    c.BetClause: _bet,
    c.On: _on,
    c.Combination: _combination,
    c.Excludes: _excludes,
    c.Single: _excludes,
    c.Prize: _prize,
    c.Commission: _commission,
    c.Limit: _limit,
    c.Rounding: _rounding,
    c.MannerClause: _manner,
    c.Needs: _needs,
    c.Rank: _rank,
    c.Tiles: equipment_mutations.mutate_tiles,
}
