"""Plays free rounds, repeats each with its outcomes forced and as cases, and writes their lines.

No two runs draw the same outcomes, so these lines stand with the draws and not among the evidence
whose root is the same for every run.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.evidence.canonical_json import encode_canonical
from selo.rounds import PlayedScript, Script, play_scripts
from selo.rounds.analysis import force_drawn_outcomes
from selo.rounds.table_player import MAX_OPEN_TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selo.rounds.judge import RoundJudge
    from selo.vendors.reply_reader import Reply
    from selo.vendors.session import Session

#: The method of a line about a free round.
FREE_ROUND: Final = "free-round"


class FreeAnswers(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a vendor answered: at a free table, at one whose outcomes were forced, and as cases."""

    free: PlayedScript
    #: None if the vendor cannot force outcomes.
    forced: PlayedScript | None = None
    #: One for each outcome that decided bets: the answer, or its error or fault.
    cases: list[dict[str, Any]] = []
    #: Which process of the vendor drew the outcomes, of those that played this game.
    process: int = 0


class FreeRound(msgspec.Struct, frozen=True, kw_only=True):
    """A free script and what was answered."""

    params: Script
    answer: FreeAnswers
    n: int = 0

    def question(self) -> dict[str, Any]:
        """Return the fields of its line that the plan determines."""
        script = self.params
        return {
            "game": script.game, "group": script.group, "method": FREE_ROUND,
            "params": msgspec.to_builtins(script),
        }  # fmt: skip

    def by_process(self, process: int) -> FreeRound:
        """Return the round as played by one of the vendor's processes."""
        answer = msgspec.structs.replace(self.answer, process=process)
        return msgspec.structs.replace(self, answer=answer)

    def line(self, n: int) -> bytes:
        """Return its line of evidence."""
        return encode_canonical(
            {**self.question(), "answer": msgspec.to_builtins(self.answer), "n": n}
        )


def forced_version(script: Script, played: PlayedScript, judge: RoundJudge) -> Script:
    """Return a free script with the outcomes that the table drew forced."""
    return force_drawn_outcomes(script, played, judge)


def repeat_forced(  # noqa: PLR0913 - what the vendor offers
    session: Session,
    judge: RoundJudge,
    played: Sequence[tuple[Script, PlayedScript]],
    *,
    forces: bool,
    settles: bool,
    form: str,
) -> Iterator[FreeRound]:
    """Force the outcomes of free rounds, put what they decided as cases, and yield each round."""
    coming = iter(played)
    while some := list(islice(coming, MAX_OPEN_TABLES)):
        forced: Iterable[PlayedScript | None] = [None] * len(some)
        if forces:
            scripts = [forced_version(script, free, judge) for script, free in some]
            forced = [again for _, again in play_scripts(session, scripts)]
        cases = [
            [case.params() for _, case, _ in judge.settled_cases(script, free)] if settles else []
            for script, free in some
        ]
        replies = session.ask_all(
            "settle", (params for table in cases for params in table), reads=form
        )
        for (script, free), again, params in zip(some, forced, cases, strict=True):
            answers = [_case_answer(reply) for _, reply in islice(replies, len(params))]
            yield FreeRound(
                params=script, answer=FreeAnswers(free=free, forced=again, cases=answers)
            )


def _case_answer(reply: Reply) -> dict[str, Any]:
    if reply.fault is not None:
        return {"fault": reply.fault.evidence_record()}
    if reply.error is not None:
        return {"error": {"code": reply.error.code, "message": reply.error.message}}
    if reply.skipped is not None:
        return {"skipped": msgspec.to_builtins(reply.skipped)}
    return dict(msgspec.to_builtins(reply.result))
