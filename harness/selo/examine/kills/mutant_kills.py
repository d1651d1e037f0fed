"""Which cases a variant of the law would decide otherwise, without settling every case again.

1. The lawful game settles all cases once and is watched: questions, and the cases that asked them.
2. A variant is asked only the questions of bets that can feel it. Where no answer differs, no case
   does: cases settle by nothing but those answers.
3. Cases that asked a question now answered otherwise are settled, for their stakes, both ways.
4. What changes no single answer (rounding, limits, what a bet needs beside it) is settled whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.cases.oracle import Oracle, compared, terse
from selo.examine.kills.instrumented_game import Question, verdict_of, watched
from selo.examine.kills.kill_prefilter import feeling
from selo.rules.clauses import clause_models as c
from selo.rules.equipment.kits import BadOutcome
from selo.rules.settlement import REFUSE
from selo.rules.settlement.game import Game
from selo.rules.settlement.joint_settlement import Shared, TableGame
from selo.rules.settlement.throwing_game import ThrowingGame
from selo.rules.settlement.tile_game import TileGame

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from selo.cases import Case
    from selo.rules.mutants import Variant
    from selo.rules.settlement.game import Verdict

    AnyGame = Game | ThrowingGame

#: Clauses that a question can feel.
_ANSWERED: Final = (
    c.On, c.Prize, c.Commission, c.Combination, c.Bet, c.Define, c.Table, c.Face, c.Rank,
)  # fmt: skip
#: Clauses that give words their meaning: what an outcome shows is read again.
_MEANING: Final = (c.Define, c.Table, c.Face, c.Rank)
#: Clauses that the order of hands can feel.
_ORDERING: Final = (*_MEANING, c.Manner, c.Tiles)
_PLACED: Final = "placed"
_WIN: Final = "win"


def orders(variant: Variant) -> bool:
    """Return whether the order of hands can feel a variant, and so a comparison."""
    return isinstance(variant.was, _ORDERING)


class Cases:
    """Some cases of one game, settled lawfully, with the questions they asked."""

    def __init__(
        self, oracle: Oracle, game: AnyGame, cases: Sequence[Case], *, tells: bool = True
    ) -> None:
        self.cases = cases
        self._game = game
        #: What is expected: the settlements, or how two hands compare.
        self.expected: list[Any] = []
        #: The provisions from which each case follows, if that is to be told.
        self.parts: list[frozenset[str]] = []
        self._tells = tells
        self._where: dict[Hashable, list[tuple[int, Mapping[str, Any]]]] = {}
        self._with: dict[str, list[int]] = {}
        self._sealed: dict[Hashable, tuple[Any, ...]] = {}
        self._comparing = [at for at, case in enumerate(cases) if case.method == "compare"]
        self._watch(oracle)

    def _watch(self, oracle: Oracle) -> None:
        game, notes = None, None
        if not isinstance(self._game, TileGame):
            game, notes = watched(self._game, tells=self._tells)
        for at, case in enumerate(self.cases):
            if case.method == "compare" or game is None or notes is None:
                self.expected.append(compared(self._game, case))
                if self._tells:
                    self.parts.append(frozenset(one.provision for one in oracle.why(case)))
                continue
            notes.asked = []
            if self._tells:
                found = game.settle(case.options, case.outcome, case.bets)
                self.expected.append([one.plain() for one in found])
                self.parts.append(frozenset(why.provision for one in found for why in one.reasons))
            else:
                plain = game.settle_plain(case.options, case.outcome, case.bets)
                self.expected.append(plain)
            for question, bet in notes.asked:
                self._where.setdefault(question, []).append((at, bet))
            for name in {bet.get("bet") for bet in case.bets}:
                self._with.setdefault(str(name), []).append(at)
        self._questions: dict[str, list[tuple[Hashable, Any]]] = {}
        for key, question in notes.questions.items() if notes is not None else ():
            self._questions.setdefault(question.bet, []).append((key, question))
            self._sealed[key] = _sealed(question.verdict)

    def decided(self, variant: Variant, skip: set[int], most: int | None = None) -> list[int]:
        """Return the cases that `variant` decides otherwise, up to `most` of them.

        Of the cases to `skip` at most one is among them: it shows that the variant decides any.
        """
        game = variant.compile()
        found: list[int] = []
        for at in self._differing(variant, game, skip, found):
            found.append(at)
            if most is not None and len(found) >= most:
                break
        return found

    def _differing(
        self, variant: Variant, game: AnyGame, skip: set[int], found: list[int]
    ) -> Iterator[int]:
        tried: set[int] = set()

        def wanted(at: int) -> bool:
            return at not in tried and (at not in skip or not found)

        if orders(variant):
            for at in self._comparing:
                if wanted(at) and self._ranked_otherwise(game, at):
                    tried.add(at)
                    yield at
        fast = terse(game)
        changed: Iterable[tuple[int, Any]]
        if self._asks(variant):
            changed = self._answered(variant, fast)
        else:
            touched = {at for name in variant.bets() for at in self._with.get(name, [])}
            changed = [(at, None) for at in sorted(touched)]
        for at, paid in changed:
            if wanted(at) and self._otherwise(fast, at, paid):
                tried.add(at)
                yield at

    def _ranked_otherwise(self, game: AnyGame, at: int) -> bool:
        """Return whether two hands compare otherwise; where either law is silent, they do not."""
        was, now = self.expected[at], compared(game, self.cases[at])
        return None not in {was, now} and was != now

    def _asks(self, variant: Variant) -> bool:
        """Return whether questions alone can feel a variant."""
        clauses = (variant.was, *variant.now)
        if not all(isinstance(clause, _ANSWERED) for clause in clauses):
            return False
        if not isinstance(self._game, ThrowingGame):
            return True
        limits = [limit for rules in self._game.bets.values() for limit in rules.limits]
        if self._game.game.roundings.get("prize") == REFUSE or any(
            limit.means != "prize" for limit in limits
        ):
            # What a bet may come to decides whether it is taken at all.
            return False
        return all(_thrown(clause, variant.was) for clause in clauses)

    def _answered(
        self, variant: Variant, game: AnyGame
    ) -> list[tuple[int, tuple[Mapping[str, Any], Verdict, Verdict] | None]]:
        """Return the cases that asked what is now answered otherwise, with both answers."""
        again = isinstance(variant.was, _MEANING)
        read: dict[int, Mapping[str, Any]] = {}
        # A variant gives few verdicts to many questions; kept, each stays what it is.
        sealed: dict[int, tuple[Verdict, tuple[Any, ...]]] = {}
        only_wins = isinstance(variant.was, c.Prize | c.Commission)
        whole = _settled_together(self._game)
        feels = _feeling(variant, self._game, game)
        found: list[tuple[int, tuple[Mapping[str, Any], Verdict, Verdict] | None]] = []
        for name in sorted(variant.bets()):
            for key, question in self._questions.get(name, []):
                was: Verdict = question.verdict
                if (only_wins and was.result != _WIN) or not feels(question):
                    continue
                facts = question.facts if isinstance(question, Question) else question.throw
                if again and isinstance(question, Question) and isinstance(game, Game):
                    if id(facts) not in read:
                        read[id(facts)] = game.facts(question.outcome)
                    facts = read[id(facts)]
                now = verdict_of(game, question, facts)
                if id(now) not in sealed:
                    sealed[id(now)] = (now, _sealed(now))
                if sealed[id(now)][1] != self._sealed[key]:
                    exact = whole or isinstance(was, Shared) or isinstance(now, Shared)
                    for at, bet in self._where.get(key, []):
                        found.append((at, None if exact else (bet, was, now)))
        return found

    def _otherwise(
        self, game: AnyGame, at: int, paid: tuple[Mapping[str, Any], Verdict, Verdict] | None
    ) -> bool:
        """Return whether a case is settled otherwise: one bet of it, or all of them."""
        case = self.cases[at]
        if paid is None or not isinstance(game, Game) or not isinstance(self._game, Game):
            try:
                plain = game.settle_plain(case.options, case.outcome, case.bets)
            except BadOutcome:
                # There is no such case in the variant: it may need an option that is not named.
                return False
            return bool(plain != self.expected[at])
        bet, was, now = paid
        return self._game.answer(bet, was) != game.answer(bet, now)


def _feeling(variant: Variant, lawful: AnyGame, game: AnyGame) -> Callable[[Any], bool]:
    if isinstance(lawful, Game) and isinstance(game, Game):
        return feeling(variant, lawful, game)
    return lambda _: True


def _thrown(clause: c.Clause, was: c.Clause) -> bool:
    """Return whether a clause speaks only when dice are thrown, not when bets are placed."""
    if isinstance(clause, c.Bet) and isinstance(was, c.Bet):
        return (clause.choice, clause.added_to) == (was.choice, was.added_to)
    if isinstance(clause, c.On):
        return clause.stage != _PLACED
    return isinstance(clause, c.Prize | c.Commission)


def _settled_together(game: AnyGame) -> bool:
    """Return whether what one bet comes to can depend on the others."""
    if not isinstance(game, TableGame):
        return isinstance(game, ThrowingGame)
    return bool(
        game.excluding or game.on_the_sum or game.on_the_rest or getattr(game, "followed", None)
    )


def _sealed(verdict: Verdict) -> tuple[Any, ...]:
    """Return all that decides what a bet comes to; whole numbers are compared faster."""
    odds, kept = verdict.odds, verdict.commission
    return (
        verdict.result,
        odds.numerator,
        odds.denominator,
        kept.numerator,
        kept.denominator,
        getattr(verdict, "paid", None),
    )
