"""How many answers there were, at which places of a plan, and the faults of single answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from selo.cases.oracle.told_settlement import told_parts
from selo.vendors.faults import AdapterFault, FaultKind, make_fault
from selo.vendors.reply_reader import is_in_lowest_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.cases import Case
    from selo.protocol import messages as m
    from selo.vendors.reply_reader import Reply


@dataclass(kw_only=True, slots=True)
class AnswerCount:
    """How many answers there were for one game and method."""

    cases: int = 0
    right: int = 0
    different: int = 0
    #: Questions that the law under examination does not answer.
    silent: int = 0
    #: Answers that the adapter failed to give.
    faults: int = 0
    #: Cases that the product cannot answer, as was declared.
    skipped: int = 0


def error_fault(case: Case, error: m.Fault) -> AdapterFault:
    """Return the fault of a case that was answered with an error."""
    return make_fault(
        FaultKind.ERROR_ANSWER, method=case.method, code=error.code, problem=error.message
    )


def fraction_fault(settlements: Sequence[Any]) -> AdapterFault | None:
    """Return the fault of amounts that are not in lowest terms, if there is one."""
    for at, settlement in enumerate(settlements):
        for part, amount in told_parts(settlement).items():
            if isinstance(amount, list) and not is_in_lowest_terms(amount):
                where = f"$.result.settlements[{at}].{part}"
                return make_fault(FaultKind.WRONG_SHAPE, problem="not in lowest terms", path=where)
    return None


def answer_in(case: Case, reply: Reply) -> Any:
    """Return the settlements of a reply, or the order of two hands."""
    return reply.result.settlements if case.method == "settle" else reply.result.order
