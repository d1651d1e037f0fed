"""Asks a vendor the same questions in several worlds: its answers must not depend on where it runs.

The worlds differ in every sign: user, host, language, time zone, variables, number of its process,
uptime. If answers differ, each sign is changed alone to find those that decide.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases.case_encoding import CaseEncoder
from selo.examine.plan import Plan
from selo.vendors.faults import FaultKind, make_fault
from selo.vendors.sandbox.plausible_world import World, mix_worlds, world_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.examine.exchange import VendorEndpoint
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.vendors.faults import AdapterFault

#: Over so many worlds every sign is balanced against every other.
_WORLDS: Final = 8
_QUESTIONS_PER_GAME: Final = 24
#: Of each chunk only some cases are asked, so that questions are of many kinds.
_CASES_PER_CHUNK: Final = 4

#: A method and the encoded parameters of a request.
Question = tuple[str, Any]


def probe_worlds(law: Law, terms: Terms, vendor: VendorEndpoint) -> list[AdapterFault]:
    """Return the fault of a vendor whose answers depend on the world in which it runs."""
    if vendor.worlds is None or vendor.visible_files() is None:
        return []
    questions = list(_choose_questions(law, terms))
    first = world_at(f"{vendor.worlds}/probe", 0)
    expected = _ask(vendor, first, questions)
    for number in range(1, _WORLDS):
        world = world_at(f"{vendor.worlds}/probe", number)
        answers = _ask(vendor, world, questions)
        for question, before, after in zip(questions, expected, answers, strict=True):
            if before != after:
                signs = list(_find_signs(vendor, first, world, question, before))
                return [_make_fault(question, (before, after), signs, world)]
    return []


def _choose_questions(law: Law, terms: Terms) -> Iterator[Question]:
    """Yield cases of every game, spread over the plan."""
    encoder = CaseEncoder()
    asked: dict[str, int] = {}
    for chunk in Plan(law, terms).chunks():
        left = _QUESTIONS_PER_GAME - asked.get(chunk.game, 0)
        step = max(1, len(chunk.cases) // _CASES_PER_CHUNK)
        for case in islice(chunk.cases, 0, step * min(left, _CASES_PER_CHUNK), step):
            asked[chunk.game] = asked.get(chunk.game, 0) + 1
            yield chunk.method, encoder.params(case)


def _ask(vendor: VendorEndpoint, world: World, questions: Sequence[Question]) -> list[bytes]:
    """Return the answers of a new process of the vendor in a world."""
    session = vendor.session(world=world)
    try:
        answers = []
        for method, params in questions:
            ((_, reply),) = session.ask_all(method, [params])
            answers.append(msgspec.json.encode((reply.result, reply.error), order="sorted"))
        vendor.leave(session)
    finally:
        session.kill()
    return answers


def _find_signs(
    vendor: VendorEndpoint, world: World, other: World, question: Question, before: bytes
) -> Iterator[str]:
    """Yield the signs that change the answer to a question by themselves."""
    for name, mixed in mix_worlds(world, other):
        if _ask(vendor, mixed, [question]) != [before]:
            yield name


def _make_fault(
    question: Question, answers: tuple[bytes, bytes], signs: list[str], world: World
) -> AdapterFault:
    method, params = question
    shown = signs or [*World.__struct_fields__]
    plain = {**msgspec.to_builtins(world), **world.variables}
    return make_fault(
        FaultKind.WORLD_DEPENDENT,
        method=method,
        signs=", ".join(f"{name}={plain.get(name, '–')}" for name in shown),
        before=answers[0].decode(),
        after=answers[1].decode(),
        raw=bytes(params),
    )
