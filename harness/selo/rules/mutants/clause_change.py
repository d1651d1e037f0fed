"""One change of a clause, and the ways in which changes of many kinds of clause are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from selo.rules.clauses import clause_models as c
from selo.rules.mutants.cause import Operator
from selo.rules.mutants.condition_mutations import mutate_expression, replace_condition

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

K = TypeVar("K", bound=c.Clause)


@dataclass(frozen=True, slots=True)
class Change:
    """One mutation of a clause, in the parts of a cause, and the clauses that replace it."""

    operator: Operator
    clauses: Sequence[c.Clause]
    field: str | None = None
    part: str | None = None
    when: str | None = None
    was: str | None = None
    now: str | None = None


def change_expression(clause: Any, field: str, *, dropped: bool = False) -> Iterator[Change]:
    """Yield `clause` with each change of the condition in `field`."""
    text = getattr(clause, field)
    if text is None:
        return
    for change in (*replace_condition(text), *mutate_expression(text)):
        replaced = replace(clause, **{field: change.expression})
        yield Change(change.operator, [replaced], field, was=change.was, now=change.now)
    if dropped:
        yield Change(Operator.FORGOTTEN, [])


def replace_field(operator: Operator, clause: Any, field: str, now: Any) -> Change:
    """Return the change that gives a field another value."""
    was, replaced = getattr(clause, field), replace(clause, **{field: now})
    return Change(operator, [replaced], field, was=None if was is None else str(was), now=str(now))


def each_name(clause: K, field: str) -> Iterator[tuple[str, K, K]]:
    """Yield each name of several, the clause for it alone, and the clause for the others."""
    names = c.list_names(getattr(clause, field))
    for name in names if len(names) > 1 else []:
        others = [other for other in names if other != name]
        yield name, replace(clause, **{field: name}), replace(clause, **{field: others})


def forget_each(clause: Any, field: str) -> Iterator[Change]:
    """Yield the clause without each name of several."""
    for name, _alone, others in each_name(clause, field):
        yield Change(Operator.FORGOTTEN_FOR, [others], field, part=name)
