"""Bets that are settled together: shared prizes, commission on a sum, mutually exclusive bets.

1. Of mutually exclusive bets, the first one of a bettor is kept, the others are refused.
2. Each bet is settled by the rules of the game, under the options of the table.
3. The value of a combination is divided among the bets that won it.
4. Where the commission applies to the winnings of a bettor in the round, it is computed again.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.json_numbers import encode_fraction
from selo.rules.equipment.kits import with_options
from selo.rules.settlement.game import Game
from selo.rules.settlement.jackpot import SharingRules, divide_prizes, value_share
from selo.rules.settlement.neighbouring_bets import BetList
from selo.rules.settlement.settlement_models import (
    REFUSED,
    BetResult,
    BetSettlement,
    DerivationStep,
    NoRule,
    SharedResult,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.rules.settlement.reconstruction import ReconstructedBasis
    from selo.rules.settlement.rounding import Money
    from selo.rules.settlement.settlement_models import BetRules, PrizeRule, ResultRule
    from selo.table_values import Bet, Options, Outcome

_BETTOR: Final = "bettor"
_ZERO = Fraction(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class ExclusionRule:
    """Bets of which one bettor may place only one kind."""

    provision: str
    names: frozenset[str]


def read_exclusions(clauses: Iterable[Any]) -> list[ExclusionRule]:
    """Return the rules of exclusion clauses."""
    return [
        ExclusionRule(provision=located.held.id, names=frozenset(located.clause.excludes))
        for located in clauses
    ]


@dataclass(kw_only=True)
class TableGame(Game):
    """A game at a table with options, whose bets are settled together."""

    basis: ReconstructedBasis
    sharing: SharingRules
    excluding: Sequence[ExclusionRule]
    #: Whether the commission applies to the sum of a bettor's winnings, or to the net winnings.
    commission_on_sum: bool
    commission_on_net: bool
    #: The bets whose prize is shared.
    shared_bets: frozenset[str]

    @classmethod
    def from_game(
        cls,
        game: Game,
        manners: Mapping[str, str],
        excluding: Sequence[ExclusionRule],
        basis: ReconstructedBasis,
    ) -> TableGame:
        """Return `game` with its bets settled together."""
        return cls(
            **{field.name: getattr(game, field.name) for field in fields(Game)},
            basis=basis,
            sharing=SharingRules.of(manners),
            excluding=excluding,
            commission_on_sum=manners.get("commission-on") == "sum",
            commission_on_net=manners.get("commission-of") == "net",
            shared_bets=frozenset(
                rules.name
                for rules in game.bets.values()
                if any(prize.share is not None for prize in rules.prizes)
            ),
        )

    def settle(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> list[BetSettlement]:
        """Return the settlement of each bet, with its derivation."""
        facts, table = self._look_up_outcome(with_options(options, outcome))
        refused = self.find_refusals(bets)
        kept = BetList(bet for at, bet in enumerate(bets) if at not in refused)
        partly_named = _names_some_bettors(kept)
        bet_results = [
            refused[at]
            if at in refused
            else self._result_of(
                facts, table, bet, _bets_of_bettor(bet, kept) if partly_named else kept
            )
            for at, bet in enumerate(bets)
        ]
        settlements = [
            self.settle_stake(bet, bet_result)
            for bet, bet_result in zip(bets, bet_results, strict=True)
        ]
        for at, payout in self._share_prizes(options, bets, bet_results):
            prize, returned = _split_payout(payout, bets[at])
            settlements[at] = replace(settlements[at], prize=Fraction(prize), stake=returned)
        if self.commission_on_sum or self.commission_on_net:
            self._charge_commission(bets, bet_results, settlements)
        return settlements

    def settle_plain(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> list[dict[str, Any]]:
        """Return the settlement of each bet as a case writes it."""
        if (
            self.excluding
            or self.singles
            or self.commission_on_sum
            or self.commission_on_net
            or _names_some_bettors(bets)
        ):
            return [settlement.plain() for settlement in self.settle(options, outcome, bets)]
        facts, table = self._look_up_outcome(with_options(options, outcome))
        bet_list = BetList(bets)
        bet_results = [self._result_of(facts, table, bet, bet_list) for bet in bets]
        answers = [
            self.settle_stake_plain(bet, bet_result)
            for bet, bet_result in zip(bets, bet_results, strict=True)
        ]
        for at, payout in self._share_prizes(options, bets, bet_results):
            prize, returned = _split_payout(payout, bets[at])
            answers[at]["prize"] = encode_fraction(prize)
            if returned is not None:
                answers[at]["stake"] = returned
        return answers

    def apply_odds(
        self, rules: BetRules, bet_result: BetResult, known: Mapping[str, Any]
    ) -> BetResult:
        """Return a winning result with its odds, or with the combinations for which it is paid."""
        formed = [
            rule
            for rule in rules.results
            if rule.combination is not None and rule.condition is not None
            and rule.condition.on(known)
        ]  # fmt: skip
        if not formed:
            return super().apply_odds(rules, bet_result, known)
        if not self.sharing.all_combinations:
            formed = formed[:1]
        paid, reasons = [], [reason for reason in bet_result.reasons if reason.role != "win"]
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
            reasons += [_derivation_step(rule, "win"), _derivation_step(prize, "prize")]
        return SharedResult(
            result=bet_result.result, odds=_ZERO, commission=_ZERO, reasons=tuple(reasons),
            paid=tuple(paid),
        )  # fmt: skip

    def _compute_result(
        self, rules: BetRules, facts: Mapping[str, Any], local: Mapping[str, Any], place: Any
    ) -> BetResult:
        bet_result = super()._compute_result(rules, facts, local, place)
        return replace(bet_result, reasons=self.basis.mark_steps(bet_result.reasons))

    def find_refusals(self, bets: Sequence[Bet]) -> dict[int, BetResult]:
        """Return the places of bets that other bets of the case keep from being accepted."""
        refused = Game.find_refusals(self, bets)
        for rule in self.excluding:
            first: dict[Any, str] = {}
            for at, bet in enumerate(bets):
                name = bet.get("bet")
                if name in rule.names and first.setdefault(bet.get(_BETTOR), name) != name:
                    reason = DerivationStep(provision=rule.provision, role="excludes")
                    refused[at] = replace(REFUSED, reasons=(reason,))
        return refused

    def _share_prizes(
        self, options: Options, bets: Sequence[Bet], bet_results: Sequence[BetResult]
    ) -> Iterator[tuple[int, Money]]:
        """Yield the bets that won a shared prize, and the payout of each."""
        if SharedResult not in map(type, bet_results):
            return
        groups: dict[Any, list[int]] = defaultdict(list)
        for at, bet_result in enumerate(bet_results):
            if isinstance(bet_result, SharedResult):
                groups[bets[at]["bet"]].append(at)
        for places in groups.values():
            # The cards form the same combinations for every bet that won.
            paid = next(
                won.paid for at in places if isinstance(won := bet_results[at], SharedResult)
            )
            jackpot: Any = options.get("jackpot") or {}
            prizes = [
                (
                    value_share(share, name, jackpot, self.sharing, self.multiply_rounded),
                    share.fixed,
                )
                for name, share in paid
            ]
            payouts = divide_prizes(
                prizes,
                [bets[at] for at in places],
                jackpot,
                self.sharing,
                self.multiply_rounded,
            )
            yield from zip(places, payouts, strict=True)

    def _charge_commission(
        self,
        bets: Sequence[Bet],
        bet_results: Sequence[BetResult],
        settlements: list[BetSettlement],
    ) -> None:
        due: dict[Any, list[int]] = defaultdict(list)
        lost: dict[Any, int] = defaultdict(int)
        for at, (bet, bet_result) in enumerate(zip(bets, bet_results, strict=True)):
            if bet_result.commission:
                due[bet.get(_BETTOR)].append(at)
            elif bet_result.result == "lose":
                lost[bet.get(_BETTOR)] += bet["stake"]
        for bettor, places in due.items():
            charged = {
                at: settlements[at].prize
                + (bets[at]["stake"] if self.commission_on_returned else 0)
                for at in places
            }
            won = sum(charged.values(), _ZERO)
            rest = max(won - lost[bettor], _ZERO) if self.commission_on_net else won
            exact = kept = _ZERO
            for at in places:
                charge = bet_results[at].commission * charged[at] * (rest / won if won else 0)
                if self.commission_on_sum:
                    # Each bet is charged what it adds to the sum, so that the sum is rounded once.
                    exact += charge
                    charge = self._round("commission", exact) - kept
                    kept += charge
                settlements[at] = replace(
                    settlements[at], commission=self._round("commission", charge)
                )


def _split_payout(payout: Money, bet: Bet) -> tuple[Money, int | None]:
    """Return the prize, and what is returned of the stake where a share is less than it."""
    if payout >= 0:
        return payout, None
    return 0, max(int(bet["stake"] + payout), 0)


def _names_some_bettors(bets: Sequence[Bet]) -> bool:
    """Return whether some bets of a case name their bettor and others do not."""
    unnamed = [bet.get(_BETTOR) for bet in bets].count(None)
    return 0 < unnamed < len(bets)


def _bets_of_bettor(bet: Bet, bets: Sequence[Bet]) -> Sequence[Bet]:
    """Return `bets` as the bettor of `bet` sees them: bets without a bettor may be theirs."""
    bettor: Any = bet.get(_BETTOR)
    return [
        {**bet, _BETTOR: bettor} if bettor is None or bet.get(_BETTOR) is None else bet
        for bet in bets
    ]


def _derivation_step(rule: ResultRule | PrizeRule, role: str) -> DerivationStep:
    condition = None if rule.condition is None else rule.condition.text
    return DerivationStep(provision=rule.provision, role=role, condition=condition)
