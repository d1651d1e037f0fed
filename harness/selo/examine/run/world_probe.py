"""Asks a vendor the same questions in several worlds: its answers must not depend on where it runs.

The worlds differ in every sign: user, host, language, time zone, variables, number of its process,
uptime, how requests are written and whether the first asks who it is. The questions come in
another order in each, some of them twice, in batches of other sizes and after other pauses; in
every other world the machine is busy meanwhile, and a second process of the vendor runs beside the
first. If answers differ, each sign is changed alone to find those that decide.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from contextlib import contextmanager, nullcontext
from itertools import islice
from random import Random
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

#: Over this many worlds every sign is balanced against every other.
_WORLDS: Final = 8
_QUESTIONS_PER_GAME: Final = 24
#: Of each chunk only some cases are asked, so that questions are of many kinds.
_CASES_PER_CHUNK: Final = 4

#: One batch in this many comes after a pause, of at most this many seconds.
_PAUSES_ONE_IN: Final = 8
_LONGEST_PAUSE: Final = 0.15
#: One question in this many is asked once more, and of these some twice or three times more.
_REPEATED_ONE_IN: Final = 3
_MOST_REPEATED: Final = 3
_MAX_BATCH: Final = 12
#: How questions come otherwise than one by one, in the order of the plan.
_MANNERS: Final = {
    "order": "shuffled",
    "repetition": "1/3",
    "batches": "1–12",
    "pauses": "0–0.15 s",
    "busy": "0–1",
}
#: What keeps a core busy: digests of this many bytes, which no other thread has to wait for.
_LOAD_BYTES: Final = 1 << 20

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
        manner = Random(f"{vendor.worlds}/manner/{number}")  # noqa: S311 - it repeats itself
        with _load_machine(vendor, world) if number % 2 else nullcontext():
            answers = _ask(vendor, world, questions, manner)
        for question, before, after in zip(questions, expected, answers, strict=True):
            if before != after:
                signs = list(_find_signs(vendor, first, world, question, before))
                return [_make_fault(question, (before, after), signs, world)]
    return []


@contextmanager
def _load_machine(vendor: VendorEndpoint, world: World) -> Iterator[None]:
    """Keep every core busy, and run a second process of the vendor in the same world."""
    stop = threading.Event()

    def work() -> None:
        data = bytes(_LOAD_BYTES)
        while not stop.is_set():
            hashlib.sha256(data).digest()

    beside = vendor.session(world=world)
    threads = [threading.Thread(target=work, daemon=True) for _ in range(os.cpu_count() or 1)]
    try:
        for thread in threads:
            thread.start()
        yield
        vendor.leave(beside)
    finally:
        stop.set()
        beside.kill()
        for thread in threads:
            thread.join()


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


def _ask(
    vendor: VendorEndpoint,
    world: World,
    questions: Sequence[Question],
    manner: Random | None = None,
) -> list[bytes]:
    """Return the answers of a new process of the vendor in a world.

    Without a manner questions come one by one; with one, in another order, some of them twice, in
    batches and after pauses. Of a question that is answered in two ways both answers are returned.
    """
    answers: list[dict[bytes, None]] = [{} for _ in questions]
    session = vendor.session(world=world)
    try:
        for batch in _arrange(questions, manner):
            if manner is not None and not manner.randrange(_PAUSES_ONE_IN):
                time.sleep(manner.uniform(0, _LONGEST_PAUSE))
            replies = session.ask_all(questions[batch[0]][0], [questions[at][1] for at in batch])
            for at, (_, reply) in zip(batch, replies, strict=True):
                told = msgspec.json.encode((reply.result, reply.error), order="sorted")
                answers[at][told] = None
        vendor.leave(session)
    finally:
        session.kill()
    return [b" ".join(told) for told in answers]


def _arrange(questions: Sequence[Question], manner: Random | None) -> Iterator[list[int]]:
    """Yield the numbers of questions in batches of one method."""
    numbers = list(range(len(questions)))
    if manner is None:
        yield from ([at] for at in numbers)
        return
    again = manner.sample(numbers, len(numbers) // _REPEATED_ONE_IN)
    numbers += [at for times in range(_MOST_REPEATED) for at in again[:: times + 1]]
    manner.shuffle(numbers)
    batch: list[int] = []
    for at in numbers:
        full = len(batch) >= manner.randint(1, _MAX_BATCH)
        if batch and (full or questions[at][0] != questions[batch[0]][0]):
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _find_signs(
    vendor: VendorEndpoint, world: World, other: World, question: Question, before: bytes
) -> Iterator[str]:
    """Yield the signs that change the answer to a question by themselves."""
    if _ask(vendor, world, [question]) != [before]:
        # Asked alone it is answered otherwise already: it goes by what came before.
        return
    for name, mixed in mix_worlds(world, other):
        if _ask(vendor, mixed, [question]) != [before]:
            yield name


def _make_fault(
    question: Question, answers: tuple[bytes, bytes], signs: list[str], world: World
) -> AdapterFault:
    method, params = question
    # No sign of the world decides by itself: it is how the questions came.
    shown = signs or list(_MANNERS)
    plain = {**msgspec.to_builtins(world), **world.variables, **_MANNERS}
    return make_fault(
        FaultKind.WORLD_DEPENDENT,
        method=method,
        signs=", ".join(f"{name}={plain.get(name, '–')}" for name in shown),
        before=answers[0].decode(),
        after=answers[1].decode(),
        raw=bytes(params),
    )
