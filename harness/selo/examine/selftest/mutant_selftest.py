"""Faults generated from the law files: every rule changed in every way of its kind, one at a time.

1. A change that is no rule is no game that anybody could offer: it does not compile, contradicts
   another provision, or leaves a bet without a result. It is set aside, and counted.
2. A change that answers no case of the plan otherwise has survived, unless it is listed among the
   equivalents, with a reason why no case can show it.
3. Any other is examined. Only the cases that it answers otherwise are asked, in the order of the
   plan; all others it answers as the law does, so that they stand as right answers.
4. Two provisions misread may make the same game. Whoever plays it cannot be told from the one or
   the other, and either is rightly blamed.
5. What another reading of an open point than the adopted one has so is a breach of what that
   point is about.
"""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from msgspec.structs import replace

from selo import data_files
from selo.cases.oracle import back, compared
from selo.examine.selftest.planted_selftest import Score, State, scored
from selo.protocol import messages as m
from selo.rules.clauses import read_clauses
from selo.rules.mutants import UNRULY
from selo.vendors.reply_reader import Reply
from selo.yaml_file import read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases import Case
    from selo.examine.findings import Finding
    from selo.examine.selftest.in_process_examiner import Answers, Examiner, Suspect


_FILE: Final = "equivalents.yaml"

#: Why nothing is to be seen: another provision says the same; what it is about never comes; no
#: rule that is followed asks for it; it needs an amount that no table declares; it says what is
#: judged, and no vendor answers otherwise.
Kind = Literal["elsewhere", "never-comes", "unasked", "undeclared", "not-an-answer"]


class Equivalent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Some changes of one provision, and why they change nothing."""

    provision: str
    kind: Kind
    why: str
    changes: list[str]
    #: The provisions that say the same, where some do.
    elsewhere: list[str] = []


def equivalents(game: str) -> list[Equivalent]:
    """Return the changes of a game's rules that no case can show."""
    path = data_files.folder("fixtures") / "planted" / _FILE
    return read(path).convert(dict[str, list[Equivalent]]).get(game, [])


_VIOLATES: Final = "violates"


def generated(examiner: Examiner, every: int = 1) -> Iterator[Score]:
    """Yield what becomes of each change of the rules of a game: all, or one in so many."""
    return _Changes(examiner).scores(every)


class _Changes:
    """The changes of the rules of one game."""

    def __init__(self, examiner: Examiner) -> None:
        self._examiner = examiner
        self._equivalent = {
            (equivalent.provision, name)
            for equivalent in equivalents(examiner.game)
            for name in equivalent.changes
        }
        #: The cases that a change answers otherwise; nothing for what is no rule.
        self._decided: dict[int, tuple[int, ...] | None] = {}

    def scores(self, every: int) -> Iterator[Score]:
        """Yield the score of each change."""
        for suspect in islice(self._examiner.suspects, 0, None, every):
            yield self._score(suspect)

    def _score(self, suspect: Suspect) -> Score:
        otherwise = self._otherwise(suspect)
        if otherwise is None:
            return _aside(self._examiner.game, suspect, State.NO_RULE)
        if not otherwise and (suspect.provision, suspect.name) in self._equivalent:
            return _aside(self._examiner.game, suspect, State.EQUIVALENT)
        played = _played_by(suspect.compile())
        seen = self._examiner.answers(played, otherwise, suspect.bets())
        score = scored(self._examiner.game, suspect.name, suspect.provision, seen)
        right = all(self._rightly(suspect, finding) for finding in seen.findings)
        if score.state is State.MISJUDGED and seen.broken and right:
            return replace(score, state=State.KILLED)
        return score

    def _rightly(self, suspect: Suspect, found: Finding) -> bool:
        """Return whether a finding is about a change: its provision, or one that cannot be told."""
        if found.verdict != _VIOLATES:
            return False
        if {point for point, _ in found.against} & self._points.get(suspect.provision, set()):
            return True
        return all(
            name == suspect.provision or self._makes_the_same(name, suspect)
            for name in found.provisions
        )

    def _makes_the_same(self, provision: str, suspect: Suspect) -> bool:
        """Return whether some change of a provision makes the same game as another's."""
        decided = self._otherwise(suspect)
        return any(
            other.provision == provision
            and self._otherwise(other) == decided
            and self._answers(other) == self._answers(suspect)
            for other in self._examiner.suspects
        )

    def _answers(self, suspect: Suspect) -> list[Any]:
        """Return what a change answers to the cases that it answers otherwise."""
        game, cases = suspect.compile(), self._examiner.decisions.cases
        return [_plain(game, cases[at]) for at in self._otherwise(suspect) or ()]

    @cached_property
    def _points(self) -> dict[str, set[str]]:
        """The open points on which what each provision says depends."""
        found: dict[str, set[str]] = {}
        for read_clause in read_clauses(self._examiner.law, self._examiner.game):
            found.setdefault(read_clause.held.id, set()).update(read_clause.clause.under)
        for point in self._examiner.law.divergences:
            for provision in point.provisions:
                found.setdefault(provision, set()).add(point.id)
        return found

    def _otherwise(self, suspect: Suspect) -> tuple[int, ...] | None:
        """Return the cases that a change answers otherwise than the law."""
        if id(suspect) not in self._decided:
            try:
                found = tuple(sorted(self._examiner.decisions.decided(suspect.variant, set())))
            except UNRULY:
                self._decided[id(suspect)] = None
            else:
                self._decided[id(suspect)] = found
        return self._decided[id(suspect)]


def _aside(game: str, suspect: Suspect, state: State) -> Score:
    """Return the score of a change that is no fault."""
    return Score(
        game=game, fault=suspect.name, provision=suspect.provision, state=state, seen=0, blamed=[]
    )


def _plain(game: Any, case: Case) -> Any:
    if case.method == "compare":
        return compared(game, case)
    return game.settle_plain(case.options, case.outcome, case.bets)


def _played_by(game: Any) -> Answers:
    """Return a vendor that settles and compares as a game does."""

    def answer(case: Case) -> Reply:
        if case.method == "compare":
            order = game.compare(sorted(case.a), sorted(case.b))
            return Reply(id="", result=m.Compared(order=order))
        settlements = [
            m.Settlement(**one, stake=back(one["result"], bet["stake"])[-1])
            for one, bet in zip(_plain(game, case), case.bets, strict=True)
        ]
        return Reply(id="", result=m.Settled(settlements=settlements))

    return answer
