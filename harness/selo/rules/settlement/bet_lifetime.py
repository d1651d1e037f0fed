"""The lives of bets over several throws: refusals, base bets, and limits of additional bets.

A limit applies to an additional bet in one of three ways:

1. ``prize``: the bet is accepted, and the prizes of all bets added to one bet stop there.
2. ``refused``: a bet whose prize would exceed it is refused.
3. ``stake``: a bet is refused if with it the added stakes would exceed it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from selo.rules.settlement.settlement_models import (
    REFUSED,
    AddedStakes,
    BetLife,
    BetResult,
    BetSettlement,
    BetTable,
    DerivationStep,
    PlacingRules,
    ThrownRound,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from selo.rules.language import Expression
    from selo.rules.settlement.game import Game
    from selo.rules.settlement.rounding import Money
    from selo.rules.settlement.settlement_models import BetRules
    from selo.table_values import Bet


_REFUSED, _PLACED, _POINT, _WIN = "refused", "placed", "point", "win"
#: What a limit applies to.
_PRIZE, _STAKE = "prize", "stake"
#: Rules of bets whose memos are kept: a few games with all their mutants.
_MAX_RULES_SHARED = 2_048


@dataclass(kw_only=True, slots=True, eq=False)
class BetMemo:
    """What was computed by the rules of one bet; it is the same memo only as itself."""

    #: By throw and state of the bet, its result.
    steps: dict[Hashable, BetResult] = field(default_factory=dict)
    #: By the moment at which it is placed, the rules that apply then.
    placings: dict[Hashable, PlacingRules] = field(default_factory=dict)
    #: Of the bet that opens the round, by the dice and the point before: the facts of the throw,
    #: and the point after it.
    throws: dict[Hashable, tuple[Mapping[str, Any], int]] = field(default_factory=dict)
    #: Of the same bet, by the dice of all throws: the round.
    rounds: dict[Hashable, ThrownRound] = field(default_factory=dict)


def share_memo(game: Game, rules: BetRules) -> BetMemo:
    """Return the memo of all games in which a bet has these rules and words mean the same.

    Mutants and readings change few rules: most results are the same in all of them.
    """
    texts = {name: expression for name, _, expression in game.defines}
    used: dict[str, str] = {}
    wanted = [*rules.conditions()]
    while wanted:
        for name in wanted.pop().names:
            if name in texts and name not in used:
                used[name] = texts[name].text
                wanted.append(texts[name])
    return _memo_of(
        (
            _sign_rules(rules), tuple(sorted(used.items())), repr(game.tables), type(game.kit),
            game.odds_are, game.lines_add_up, game.commission_on_returned,
            tuple(sorted(game.roundings.items())),
        )
    )  # fmt: skip


def share_throw_memo(game: Game, line: BetRules) -> BetMemo:
    """Return the memo of throws of all games with these rules of the bet that opens the round."""
    words = tuple((name, expression.text) for name, _, expression in game.defines)
    return _memo_of((_sign_rules(line), words, repr(game.tables), type(game.kit)))


@lru_cache(maxsize=_MAX_RULES_SHARED)
def _memo_of(signature: Hashable) -> BetMemo:
    del signature
    return BetMemo()


def _sign_rules(rules: BetRules) -> Hashable:
    """Return everything by which the rules of a bet decide on throws, as one value."""
    return (
        rules.name, rules.declared_in, None if rules.domain is None else tuple(rules.domain),
        tuple(
            (
                rule.provision, rule.result, _text_of(rule.condition), rule.over, rule.stage,
                rule.stake, rule.combination,
            )
            for rule in rules.results
        ),
        tuple((rule.provision, rule.odds, _text_of(rule.condition)) for rule in rules.prizes),
        tuple((rule.provision, rule.rate, _text_of(rule.condition)) for rule in rules.commissions),
    )  # fmt: skip


def _text_of(condition: Expression | None) -> str | None:
    return None if condition is None else condition.text


def possible_prizes(rules: BetRules, stake: int, facts: Mapping[str, Any]) -> list[Fraction]:
    """Return the prizes that a bet can win, judged by the facts when it is placed."""
    return [
        rule.odds * stake
        for rule in rules.prizes
        if rule.condition is None
        or any(name not in facts for name in rule.condition.names)
        or rule.condition.on(facts)
    ]


def apply_placing_rules(rules: BetRules, facts: Mapping[str, Any]) -> PlacingRules:
    """Return the rules of stage ``placed`` that hold when a bet is placed."""
    fired = [
        (rule, rule.condition.text)
        for rule in rules.results
        if rule.stage == _PLACED and rule.condition is not None and rule.condition.on(facts)
    ]
    return PlacingRules(
        refused=tuple(
            DerivationStep(provision=rule.provision, role=_REFUSED, condition=text)
            for rule, text in fired
            if rule.result == _REFUSED
        ),
        points=tuple(rule.provision for rule, _ in fired if rule.result == _POINT),
        facts=facts,
    )


@lru_cache(maxsize=1024)
def refuse_bet(*reasons: DerivationStep) -> BetLife:
    """Return the life of a refused bet."""
    return BetLife(bet_result=replace(REFUSED, reasons=reasons), ended=-1)


def standing_bets_of(index: int, at: int, table: BetTable) -> tuple[str, ...]:
    """Return the other bets of the same bettor that stand at that moment."""
    bettor = table.bets[index].get("bettor")
    return tuple(
        str(table.bets[other]["bet"])
        for other, life in table.lives.items()
        if not life.refused and life.ended >= at and table.bets[other].get("bettor") == bettor
    )


def find_base(rules: BetRules, bet: Bet, at: int, table: BetTable) -> BetLife | None:
    """Return the base bet of an additional bet, if it stands at that moment."""
    to = bet.get("to")
    if not isinstance(to, int) or not 0 <= to < len(table.bets):
        return None
    life = table.lives.get(to)
    if life is None or life.refused or life.ended < at:
        return None
    return life if table.bets[to].get("bet") == rules.added_to else None


def add_declaration(
    rules: BetRules, bet_result: BetResult, before: tuple[DerivationStep, ...]
) -> BetResult:
    """Return `bet_result` with the steps `before` it, and the provision that declares the bet."""
    reasons = (*before, *bet_result.reasons)
    if all(reason.provision != rules.declared_in for reason in reasons):
        reasons = (
            DerivationStep(provision=rules.declared_in, role="bet"),
            *reasons,
        )
    return replace(bet_result, reasons=reasons)


def refuse_malformed(rules: BetRules | None, bet: Bet, thrown: int) -> BetLife | None:
    """Return the life of a bet that is refused for what is written in it, or nothing."""
    at: Any = bet.get("at", 0)
    stake: Any = bet.get("stake")
    if (
        rules is None
        or not isinstance(at, int) or not 0 <= at <= thrown
        or not isinstance(stake, int) or stake <= 0
    ):  # fmt: skip
        return refuse_bet()
    if rules.domain is not None and bet.get("choice") not in rules.domain:
        return refuse_bet(DerivationStep(provision=rules.declared_in, role="choice"))
    return None


def settle_life(game: Game, index: int, table: BetTable) -> BetSettlement:
    """Return the settlement of a bet at the end of its life, with its derivation."""
    bet, bet_result = table.bets[index], table.lives[index].bet_result
    settlement = game.settle_stake(bet, bet_result)
    rules = game.bets.get(str(bet.get("bet")))
    if bet_result.result != _WIN or rules is None or rules.added_to is None:
        return settlement
    prize, steps = limit_prize(rules, bet, settlement.prize, table)
    return replace(settlement, prize=Fraction(prize), reasons=(*settlement.reasons, *steps))


def refuse_fractions(rules: BetRules, stake: int, facts: Mapping[str, Any]) -> list[DerivationStep]:
    """Return why a stake is refused whose prize might not be a whole amount."""
    if all(prize.denominator == 1 for prize in possible_prizes(rules, stake, facts)):
        return []
    provisions = sorted({rule.provision for rule in rules.prizes})
    return [DerivationStep(provision=provision, role=_REFUSED) for provision in provisions]


def list_exceeded_limits(
    rules: BetRules, bet: Bet, facts: Mapping[str, Any], table: BetTable
) -> list[DerivationStep]:
    """Return the limits that the stake of an additional bet, or its possible prize, exceeds."""
    steps = []
    for limit in rules.limits:
        if limit.means == _PRIZE:
            # Such a bet is accepted; its prize is limited when it is paid.
            continue
        added = table.added.get(bet["to"]) or AddedStakes()
        maximum = _limiting_stake(limit.of, bet, table)
        if limit.means == _STAKE:
            exceeded = added.stakes + bet["stake"] > maximum
        else:
            prizes = possible_prizes(rules, bet["stake"], facts)
            exceeded = any(added.owed + prize > maximum for prize in prizes)
        if exceeded:
            steps.append(DerivationStep(provision=limit.provision, role="limit"))
    return steps


def limit_prize(
    rules: BetRules, bet: Bet, prize: Money, table: BetTable
) -> tuple[Money, list[DerivationStep]]:
    """Return the part of the prize of an additional bet that is paid, and the limits that apply."""
    added = table.added[bet["to"]]
    steps = []
    for limit in rules.limits:
        left = _limiting_stake(limit.of, bet, table) - added.paid
        if limit.means == _PRIZE and prize > left:
            prize = left
            steps.append(DerivationStep(provision=limit.provision, role="limit"))
    added.paid += prize
    return prize, steps


def _limiting_stake(of: str | None, bet: Bet, table: BetTable) -> int:
    """Return the stake that limits an additional bet."""
    base = table.bets[bet["to"]]
    stakes = [
        table.bets[other]["stake"]
        for other, life in table.lives.items()
        if of is not None and table.bets[other].get("bet") == of and not life.refused
        and life.ended >= base.get("at", 0)
        and table.bets[other].get("bettor") == bet.get("bettor")
    ]  # fmt: skip
    # Where no such bet stands, the base bet limits.
    return sum(stakes) if stakes else int(base["stake"])
