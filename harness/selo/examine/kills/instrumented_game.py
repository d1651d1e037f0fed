"""A game that is watched while it settles: which questions were asked of it, and by which cases.

1. What becomes of a bet depends on what is known of it: the outcome, its choice, its place, what
   lies around it. That is a question; many cases ask the same one.
2. In a game of throws, each throw that a bet lives through is a question.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from selo.rules.settlement.game import REFUSED, Game
from selo.rules.settlement.joint_settlement import TableGame
from selo.rules.settlement.table_options import DeclaredGame
from selo.rules.settlement.throwing_game import ThrowingGame

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.rules.settlement.bet_rules import BetRules
    from selo.rules.settlement.game import Verdict, _Seen

    AnyGame = Game | ThrowingGame


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What a verdict was asked for: a bet, and everything that is known of it."""

    bet: str
    outcome: Mapping[str, Any]
    facts: Mapping[str, Any]
    local: Mapping[str, Any]
    place: Any
    #: All that conditions may ask for; nothing if the bet is not written as it should be.
    known: Mapping[str, Any] | None
    verdict: Verdict


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """What one throw was asked for: a bet, the throw, and where the bet stood."""

    bet: str
    throw: Mapping[str, Any]
    point: int
    choice: Any
    base: str
    verdict: Verdict


@dataclass(kw_only=True, slots=True)
class Notes:
    """What was asked of a game, and what the case at hand asked."""

    questions: dict[Hashable, Question | Step] = field(default_factory=dict)
    #: Each question of the case at hand, with the bet that asked it.
    asked: list[tuple[Hashable, Mapping[str, Any]]] = field(default_factory=list)
    outcomes: dict[int, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(kw_only=True)
class _Watched(Game):
    notes: Notes = field(default_factory=Notes)

    def _seen(self, outcome: Mapping[str, Any]) -> _Seen:
        seen = super()._seen(outcome)
        self.notes.outcomes[id(seen[0])] = outcome
        return seen

    def _of(
        self,
        facts: Mapping[str, Any],
        table: dict[Hashable, Verdict],
        bet: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> Verdict:
        verdict = super()._of(facts, table, bet, bets)
        # A verdict is kept with its question, so no other can take its place in memory.
        if id(verdict) in self.notes.questions:
            self.notes.asked.append((id(verdict), bet))
        return verdict

    def _verdict(
        self, rules: BetRules, facts: Mapping[str, Any], local: Mapping[str, Any], place: Any
    ) -> Verdict:
        verdict = super()._verdict(rules, facts, local, place)
        if verdict is REFUSED:
            verdict = replace(verdict)
        self.notes.questions[id(verdict)] = Question(
            bet=rules.name, outcome=self.notes.outcomes[id(facts)], facts=facts, local=local,
            place=place, known=self._all_known(rules, facts, local, place), verdict=verdict,
        )  # fmt: skip
        return verdict

    def _all_known(
        self, rules: BetRules, facts: Mapping[str, Any], local: Mapping[str, Any], place: Any
    ) -> Mapping[str, Any] | None:
        if rules.domain is not None and local["choice"] not in rules.domain:
            return None
        added: Mapping[str, Any] | None = {}
        if rules.place is not None:
            added = self.kit.bound(facts, rules.place, place)
        return None if added is None else {**facts, **local, **added}


@dataclass(kw_only=True)
class _WatchedTable(_Watched, TableGame):
    """A game whose bets are settled together, watched."""


@dataclass(kw_only=True)
class _WatchedDeclared(_Watched, DeclaredGame):
    """A game whose table declares its options, watched."""


@dataclass(frozen=True, kw_only=True)
class _WatchedThrows(ThrowingGame):
    notes: Notes = field(default_factory=Notes)

    def _step(
        self, rules: BetRules, throw: Mapping[str, Any], point: int, choice: Any, base: str = ""
    ) -> Verdict:
        verdict = super()._step(rules, throw, point, choice, base)
        at = (
            rules.name, tuple(throw["dice"]), throw["round_point"], throw["round_over"],
            point, choice, base,
        )  # fmt: skip
        if at not in self.notes.questions:
            self.notes.questions[at] = Step(
                bet=rules.name, throw=throw, point=point, choice=choice, base=base, verdict=verdict
            )
        self.notes.asked.append((at, {}))
        return verdict

    def settle(
        self,
        options: Mapping[str, Any],
        outcome: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> Any:
        """Return what becomes of each bet, every throw asked anew."""
        self._rounds.clear()
        return super().settle(options, outcome, bets)

    def settle_plain(
        self,
        options: Mapping[str, Any],
        outcome: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> Any:
        """Return the same as a case writes it."""
        self._rounds.clear()
        return super().settle_plain(options, outcome, bets)


def watched(game: AnyGame, *, tells: bool = True) -> tuple[AnyGame, Notes]:
    """Return `game` as one that is watched, and where its notes are taken.

    If it need not tell why, it settles faster.
    """
    notes = Notes()
    if isinstance(game, ThrowingGame):
        inner = game.game if tells else replace(game.game, meanings=None, _outcomes={})
        return _WatchedThrows(game=inner, line=game.line, notes=notes), notes
    kind: type[_Watched] = _Watched
    if isinstance(game, TableGame):
        kind = _WatchedDeclared if isinstance(game, DeclaredGame) else _WatchedTable
    given = {field.name: getattr(game, field.name) for field in fields(game)}
    meanings = game.meanings if tells else None
    return kind(**{**given, "meanings": meanings, "_outcomes": {}, "notes": notes}), notes


def verdict_of(game: AnyGame, asked: Question | Step, facts: Mapping[str, Any]) -> Verdict:
    """Return what `game` answers to a question that another game was asked."""
    rules = game.bets[asked.bet]
    # Both are parts of a settlement that no case reaches alone.
    if isinstance(asked, Step) and isinstance(game, ThrowingGame):
        return game._step(rules, facts, asked.point, asked.choice, asked.base)  # noqa: SLF001
    if isinstance(asked, Question) and isinstance(game, Game):
        return game._verdict(rules, facts, asked.local, asked.place)  # noqa: SLF001
    msg = f"{game.name} cannot be asked that"
    raise TypeError(msg)
