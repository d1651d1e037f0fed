"""Compares the answers of two products to the canonical set, fact by fact.

Only lines whose answers differ are read into facts. The facts of both sides are read by the law of
the newer one, so that a change is attributed to the provisions that account for it now. Of each
provision the smallest question that shows a change is kept, cut to the one bet that shows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.delta.change_policy import ChangeKind
from selo.examine.behaviour import FactReader
from selo.examine.behaviour.answer_facts import (
    AMOUNTS,
    FactLine,
    comparable_answer,
    decode_fact_line,
)
from selo.examine.behaviour.fingerprints import read_case_lines
from selo.examine.live_rounds import ROUND
from selo.law.files.provision_file import ClosedRecord

if TYPE_CHECKING:
    from pathlib import Path

    from selo.examine.behaviour.answer_facts import AnswerFact
    from selo.examine.plan import Terms
    from selo.law import Law

#: Parts of an answer that are about play and not about money.
_PLAYED: Final = "events"


class BehaviourExample(ClosedRecord, frozen=True):
    """The smallest question that shows a change, and what both products answer."""

    game: str
    method: str
    #: The question; of a settlement only the bet that shows it.
    params: dict[str, Any]
    #: The bet, or the act and ticket at a table, and the part of the answer.
    place: str
    part: str
    before: Any
    after: Any

    @property
    def kind(self) -> ChangeKind:
        """What kind of change it shows."""
        return ChangeKind.PLAY if self.part == _PLAYED else ChangeKind.SETTLEMENT


class BehaviourChanges(ClosedRecord, frozen=True):
    """How the answers of two products differ."""

    #: The smallest example for each provision, or game, that accounts for a change.
    examples: dict[str, BehaviourExample]
    #: How many questions both were asked, and how many only one of them.
    common: int
    only_before: int
    only_after: int
    #: Games in which anything but an amount changed, with the smallest example.
    results: dict[str, BehaviourExample]


class _SmallestExamples:
    def __init__(self) -> None:
        self.examples: dict[str, tuple[int, BehaviourExample]] = {}

    def add(self, name: str, size: int, example: BehaviourExample) -> None:
        if name not in self.examples or size < self.examples[name][0]:
            self.examples[name] = size, example

    def found(self) -> dict[str, BehaviourExample]:
        return {name: example for name, (_, example) in sorted(self.examples.items())}


def compare_behaviour(before: Path, after: Path, law: Law, terms: Terms) -> BehaviourChanges:
    """Compare the canonical answers in two folders, by the law and readings of the later one."""
    asked: dict[tuple[str, bytes], bytes] = {}
    for head, line in read_case_lines(before):
        asked[head.method, bytes(head.params)] = line
    reader = FactReader(law, terms)
    examples, results = _SmallestExamples(), _SmallestExamples()
    common = only_after = 0
    for head, line in read_case_lines(after):
        earlier = asked.pop((head.method, bytes(head.params)), None)
        if earlier is None:
            only_after += 1
            continue
        common += 1
        if comparable_answer(decode_fact_line(earlier)) == comparable_answer(head):
            continue
        facts = {(fact.place, fact.part): fact for fact in reader.read(earlier)}
        for fact in reader.read(line):
            known = facts.pop((fact.place, fact.part), None)
            if known is None or known.value != fact.value:
                _add_example(examples, results, head, known, fact)
        for known in facts.values():
            _add_example(examples, results, head, known, None)
    return BehaviourChanges(
        examples=examples.found(),
        common=common,
        only_before=len(asked),
        only_after=only_after,
        results=results.found(),
    )


def _add_example(
    examples: _SmallestExamples,
    results: _SmallestExamples,
    head: FactLine,
    before: AnswerFact | None,
    after: AnswerFact | None,
) -> None:
    fact = after or before
    if fact is None:
        return
    params = _cut_question(head, fact)
    example = BehaviourExample(
        game=head.game,
        method=head.method,
        params=params,
        place=fact.place,
        part=fact.part,
        before=None if before is None else before.value,
        after=None if after is None else after.value,
    )
    size = len(msgspec.json.encode(params))
    for provision in fact.provisions:
        examples.add(provision, size, example)
    if fact.part not in AMOUNTS:
        results.add(head.game, size, example)


def _cut_question(head: FactLine, fact: AnswerFact) -> dict[str, Any]:
    """Return a question without the bets that show nothing."""
    params: dict[str, Any] = msgspec.json.decode(head.params)
    if head.method == ROUND or not fact.place:
        return params
    return {**params, "bets": params["bets"][int(fact.place) : int(fact.place) + 1]}
