"""Bets that cannot be settled one by one: shared prizes, commission on a sum, bets that exclude.

1. Of bets that exclude one another, the one laid first by a bettor is kept, the others refused.
2. Each bet is settled by the rules of the game, which know the options of the table.
3. What a combination is worth is divided among the bets that won it.
4. Where the commission falls on what a bettor won in the whole round, it is reckoned again.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from selo.rules.equipment import at_table
from selo.rules.settlement.bet_rules import Reason
from selo.rules.settlement.game import REFUSED, Game, NoRule, Settlement, Verdict, written
from selo.rules.settlement.jackpot import Share, Sharing, divided, worth
from selo.rules.settlement.neighbouring_bets import Laid

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.rules.settlement.bet_rules import BetRules, PrizeRule, ResultRule
    from selo.rules.settlement.reconstruction import Basis
    from selo.rules.settlement.rounding import Money

_BETTOR = "bettor"
_NOUGHT = Fraction(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Excluding:
    """Bets of which one bettor may lay only one kind."""

    provision: str
    names: frozenset[str]


def excluding(clauses: Iterable[Any]) -> list[Excluding]:
    """Return what written clauses say of bets that exclude one another."""
    return [
        Excluding(provision=clause.held.id, names=frozenset(clause.clause.excludes))
        for clause in clauses
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class Shared(Verdict):
    """The verdict of a bet whose prize is shared: which combinations are paid, and how."""

    paid: tuple[tuple[str, Share], ...] = ()


@dataclass(kw_only=True)
class TableGame(Game):
    """A game at a table with options, whose bets are settled together."""

    basis: Basis
    sharing: Sharing
    excluding: Sequence[Excluding]
    #: Whether the commission falls on the sum of a bettor's bets, or on what is left of it.
    on_the_sum: bool
    on_the_rest: bool
    #: The bets whose prize is shared.
    shared: frozenset[str]

    @classmethod
    def made_of(
        cls, game: Game, manners: Mapping[str, str], excluding: Sequence[Excluding], basis: Basis
    ) -> TableGame:
        """Return `game` as one whose bets are settled together."""
        return cls(
            **{field.name: getattr(game, field.name) for field in fields(Game)},
            basis=basis,
            sharing=Sharing.of(manners),
            excluding=excluding,
            on_the_sum=manners.get("commission-on") == "sum",
            on_the_rest=manners.get("commission-of") == "net",
            shared=frozenset(
                rules.name
                for rules in game.bets.values()
                if any(prize.share is not None for prize in rules.prizes)
            ),
        )

    def settle(
        self,
        options: Mapping[str, Any],
        outcome: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> list[Settlement]:
        """Return what becomes of each bet, and why."""
        facts, table = self._seen(at_table(options, outcome))
        refused = self._excluded(bets)
        kept = Laid(bet for at, bet in enumerate(bets) if at not in refused)
        verdicts = [
            refused[at] if at in refused else self._of(facts, table, bet, _seen_from(bet, kept))
            for at, bet in enumerate(bets)
        ]
        found = [self.with_stake(bet, verdict) for bet, verdict in zip(bets, verdicts, strict=True)]
        for at, got in self._shares(options, bets, verdicts):
            found[at] = replace(found[at], prize=Fraction(got))
        if self.on_the_sum or self.on_the_rest:
            self._commission(bets, verdicts, found)
        return found

    def settle_plain(
        self,
        options: Mapping[str, Any],
        outcome: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> list[dict[str, Any]]:
        """Return what becomes of each bet as a case writes it."""
        if self.excluding or self.on_the_sum or self.on_the_rest or _some_unnamed(bets):
            return [one.plain() for one in self.settle(options, outcome, bets)]
        facts, table = self._seen(at_table(options, outcome))
        laid = Laid(bets)
        verdicts = [self._of(facts, table, bet, laid) for bet in bets]
        answers = [self.answer(bet, verdict) for bet, verdict in zip(bets, verdicts, strict=True)]
        for at, got in self._shares(options, bets, verdicts):
            answers[at]["prize"] = written(got)
        return answers

    def priced(self, rules: BetRules, verdict: Verdict, known: Mapping[str, Any]) -> Verdict:
        """Return a winning verdict with its odds, or with the combinations it is paid for."""
        formed = [
            rule
            for rule in rules.results
            if rule.combination is not None and rule.condition is not None
            and rule.condition.on(known)
        ]  # fmt: skip
        if not formed:
            return super().priced(rules, verdict, known)
        if not self.sharing.all_combinations:
            formed = formed[:1]
        paid, reasons = [], [reason for reason in verdict.reasons if reason.role != "win"]
        for rule in formed:
            prizes = [
                (prize, prize.share)
                for prize in rules.prizes
                if prize.share is not None and rule.combination in prize.share.combinations
                and (prize.condition is None or prize.condition.on(known))
            ]  # fmt: skip
            if len(prizes) != 1:
                msg = f"{self.name}: {len(prizes)} prizes for the combination {rule.combination}"
                raise NoRule(msg)
            prize, share = prizes[0]
            paid.append((str(rule.combination), share))
            reasons += [_reason(rule, "win"), _reason(prize, "prize")]
        return Shared(
            result=verdict.result, odds=_NOUGHT, commission=_NOUGHT, reasons=tuple(reasons),
            paid=tuple(paid),
        )  # fmt: skip

    def _verdict(
        self, rules: BetRules, facts: Mapping[str, Any], local: Mapping[str, Any], place: Any
    ) -> Verdict:
        verdict = super()._verdict(rules, facts, local, place)
        return replace(verdict, reasons=self.basis.marked(verdict.reasons))

    def _excluded(self, bets: Sequence[Mapping[str, Any]]) -> dict[int, Verdict]:
        refused: dict[int, Verdict] = {}
        for rule in self.excluding:
            first: dict[Any, str] = {}
            for at, bet in enumerate(bets):
                name = bet.get("bet")
                if name in rule.names and first.setdefault(bet.get(_BETTOR), name) != name:
                    reason = Reason(provision=rule.provision, role="excludes", condition=None)
                    refused[at] = replace(REFUSED, reasons=(reason,))
        return refused

    def _shares(
        self,
        options: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
        verdicts: Sequence[Verdict],
    ) -> Iterator[tuple[int, Money]]:
        """Yield which bets won a prize that is shared, and what each of them gets."""
        if Shared not in map(type, verdicts):
            return
        groups: dict[Any, list[int]] = defaultdict(list)
        for at, verdict in enumerate(verdicts):
            if isinstance(verdict, Shared):
                groups[bets[at]["bet"]].append(at)
        for places in groups.values():
            # The cards decide what is formed: it is the same for every bet that won.
            paid = next(one.paid for at in places if isinstance(one := verdicts[at], Shared))
            prizes = [
                (worth(share, name, options.get("jackpot") or {}, self.times), share.fixed)
                for name, share in paid
            ]
            gets = divided(prizes, [bets[at] for at in places], self.sharing, self.times)
            yield from zip(places, gets, strict=True)

    def _commission(
        self,
        bets: Sequence[Mapping[str, Any]],
        verdicts: Sequence[Verdict],
        found: list[Settlement],
    ) -> None:
        due: dict[Any, list[int]] = defaultdict(list)
        lost: dict[Any, int] = defaultdict(int)
        for at, (bet, verdict) in enumerate(zip(bets, verdicts, strict=True)):
            if verdict.commission:
                due[bet.get(_BETTOR)].append(at)
            elif verdict.result == "lose":
                lost[bet.get(_BETTOR)] += bet["stake"]
        for bettor, places in due.items():
            won = sum((found[at].prize for at in places), _NOUGHT)
            rest = max(won - lost[bettor], _NOUGHT) if self.on_the_rest else won
            exact = kept = _NOUGHT
            for at in places:
                one = verdicts[at].commission * found[at].prize * (rest / won if won else 0)
                if self.on_the_sum:
                    # Each bet bears what the sum grows by, so that the whole is rounded once.
                    exact += one
                    one = self._round("commission", exact) - kept
                    kept += one
                found[at] = replace(found[at], commission=self._round("commission", one))


def _some_unnamed(bets: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether some bets of a case name their bettor and some do not."""
    unnamed = [bet.get(_BETTOR) for bet in bets].count(None)
    return 0 < unnamed < len(bets)


def _seen_from(
    bet: Mapping[str, Any], bets: Sequence[Mapping[str, Any]]
) -> Sequence[Mapping[str, Any]]:
    """Return `bets` as they concern the bettor of `bet`: what nobody is named for may be theirs."""
    if not _some_unnamed(bets):
        return bets
    bettor = bet.get(_BETTOR)
    return [
        {**bet, _BETTOR: bettor} if bettor is None or bet.get(_BETTOR) is None else bet
        for bet in bets
    ]


def _reason(rule: ResultRule | PrizeRule, role: str) -> Reason:
    condition = None if rule.condition is None else rule.condition.text
    return Reason(provision=rule.provision, role=role, condition=condition)
