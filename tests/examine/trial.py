"""Asks a vendor case after case, and compares every answer with what the law expects."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from selo.vendors.session import as_reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from selo.cases.case import Case
    from selo.examine.tally.tally import Tally
    from selo.protocol.messages import Offer
    from selo.vendors.session import Session


def _kind(case: Case) -> tuple[str, str]:
    return case.game, case.method


def _params(case: Case) -> object:
    return case.params()


def offered(cases: Iterable[Case], offers: Iterable[Offer]) -> Iterator[Case]:
    """Yield the cases that ask for something offered; the rest is not examined."""
    methods = {one.game: set(one.methods) for one in offers}
    return (case for case in cases if case.method in methods.get(case.game, ()))


def trial(
    session: Session,
    cases: Iterable[Case],
    tally: Tally,
    told: Callable[[int], None] = lambda _: None,
) -> None:
    """Put `cases` to a vendor; `told` learns how many more were answered, every so often."""
    for (_, method), some in groupby(cases, _kind):
        for asked, answers in session.ask_in_batches(method, some, params=_params):
            if method == "settle" and not hasattr(answers[0], "fault"):
                tally.take_all(asked, answers)
            else:
                for case, answer in zip(asked, answers, strict=True):
                    tally.take(case, as_reply(answer))
            told(len(asked))
