"""Live tables by a covering design: any two levels of what tables differ in meet at some table.

What every game has are factors of the design:

1. options of the table, and whether limits on stakes are declared;
2. which bets are placed, and how often each is placed again by the same bettor at once;
3. how many seats or places have hands: one, some, or all of them;
4. how many rounds follow one another with the same bets;
5. stakes: alike, different at each place, or far from what is usual.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from selo.cases import settlement_case
from selo.cases.covering_array import cover_pairs
from selo.cases.group import STAKE
from selo.protocol.messages import Range
from selo.protocol.schema import game_words
from selo.rounds.generate.closing_acts import add_closing_acts
from selo.rounds.generate.dice_table_models import LIMIT_OPTIONS
from selo.rounds.generate.forced_outcomes import SPOTS, OutcomeGenerator
from selo.rounds.generate.prize_line_scripts import find_line_table
from selo.rounds.generate.prize_line_throws import ThrownSimulation
from selo.rounds.generate.table_model import ModelContext, TableModel
from selo.rounds.script import STAYING_RESULTS, Script, describe_lacking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases.oracle import Oracle
    from selo.law import Law
    from selo.protocol.messages import Offer
    from selo.rounds.generate.prize_line_scripts import PrizeLineTable
    from selo.table_values import Bet, Options, Outcome

COVERING_GROUP: Final = "covering"
_REASON: Final = (
    "a pairwise covering array of options, bets, repetitions, places, rounds and stakes"
)
#: How often a bet is placed at once, and how many rounds it is placed in.
_REPEATS: Final = (1, 2, 3)
_ROUNDS: Final = (1, 2, 4)
_THROWS: Final = (3, 6, 9)
_SPOTS_TAKEN: Final = (len(SPOTS), 1, 4)
#: Multiples of the usual stake: alike, different at each place, and around 2^31.
_ALIKE, _APART, _FAR = "alike", "apart", "far"
_STAKE_LEVELS: Final = (_ALIKE, _APART, _FAR)
_FAR_MULTIPLE: Final = 2**31 // STAKE + 1
#: Bets without a seat or place of their own that are placed at one table.
_BETS_PER_TABLE: Final = 10
_MAX_DRAWS: Final = 20
#: A stake of which, and of whose half, every prize at dice is an integer.
_THROWN_STAKE: Final = 6 * STAKE
#: Declared limits between which all these stakes lie.
_LIMITS: Final[dict[str, int | str]] = dict(
    zip(LIMIT_OPTIONS, ("declared", STAKE // 2, 20 * STAKE * _FAR_MULTIPLE), strict=True)
)


def generate_covering_tables(law: Law, offer: Offer, oracle: Oracle, seed: str) -> list[Script]:
    """Return tables of a game at which any two levels of any two factors meet."""
    game = offer.game
    if not offer.forces or "table" not in offer.methods or not offer.bets:
        return []
    chance = random.Random(f"{seed}/{game}/{COVERING_GROUP}")  # noqa: S311 - it repeats itself on purpose
    context = ModelContext(law=law, oracle=oracle, offer=offer)
    outcomes = OutcomeGenerator(law, oracle, game, chance)
    limits = _offered_limits(law, offer)
    models = (
        _throwing_tables(context, limits, chance)
        if outcomes.is_throwing
        else _round_tables(context, outcomes, limits, chance)
    )
    words = game_words(law, game)
    scripts = [
        Script(
            game=game,
            options=model.options,
            acts=model.acts,
            group=COVERING_GROUP,
            name=f"{COVERING_GROUP}-{number}",
            reason=_REASON,
        )
        for number, model in enumerate(models, 1)
    ]
    possible = [script for script in scripts if describe_lacking(script, offer, words) is None]
    return add_closing_acts(law, game, possible)


def _offered_limits(law: Law, offer: Offer) -> list[Options]:
    """Return no limits, and those that tables of the game can declare."""
    known = game_words(law, offer.game).options_known
    declared: Options = {name: value for name, value in _LIMITS.items() if name in known}
    offered = declared and all(name in offer.options for name in declared)
    return [{}, declared] if offered else [{}]


def _throwing_tables(
    context: ModelContext, limits: list[Options], chance: random.Random
) -> Iterator[TableModel]:
    """Yield tables of dice that are thrown again and again."""
    stakes = (_THROWN_STAKE, _THROWN_STAKE * _FAR_MULTIPLE)
    factors: list[Sequence[Any]] = [limits, _THROWS, _REPEATS, stakes]
    for row in cover_pairs([len(factor) for factor in factors], chance):
        declared, count, repeats, stake = (
            factor[level] for factor, level in zip(factors, row, strict=True)
        )
        table = ThrownSimulation(context, chance, throws=count, repeats=repeats, stake=stake)
        table.model.options = dict(declared)
        table.play()
        yield table.model


@dataclass(frozen=True, kw_only=True, slots=True)
class _TableRow:
    """The levels of one table."""

    options: Options
    bets: int
    spots: int
    repeats: int
    rounds: int
    stakes: str


def _round_tables(
    context: ModelContext, outcomes: OutcomeGenerator, limits: list[Options], chance: random.Random
) -> Iterator[TableModel]:
    """Yield tables at which one outcome decides every bet of a round."""
    table = find_line_table(context)
    options = [
        varied for each in table.options(context) for varied in _vary_numbers(each, context.offer)
    ]
    if not options:
        return
    loose = _loose_bets(table.bets(context, options[-1], outcomes.draw(SPOTS), chance))
    parts = list(range(max(1, -(-len(loose) // _BETS_PER_TABLE))))
    factors: list[Sequence[Any]] = [
        options, limits, parts, _SPOTS_TAKEN, _REPEATS, _ROUNDS, _STAKE_LEVELS,
    ]  # fmt: skip
    for row in cover_pairs([len(factor) for factor in factors], chance):
        own, declared, part, spots, repeats, rounds, stakes = (
            factor[level] for factor, level in zip(factors, row, strict=True)
        )
        levels = _TableRow(
            options={**own, **declared}, bets=part, spots=spots, repeats=repeats, rounds=rounds,
            stakes=stakes,
        )  # fmt: skip
        model = TableModel(context)
        model.options = dict(levels.options)
        played = list(_rounds_of(table, context, outcomes, levels, chance))
        if played:
            table.play(model, played)
            yield model


def _vary_numbers(options: Options, offer: Offer) -> Iterator[Options]:
    """Yield options, and the same with other offered numbers: the fewest and the most packs."""
    yield options
    for name, value in options.items():
        offered = offer.options.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            ends = [offered.start, offered.to] if isinstance(offered, Range) else offered or []
            for other in ends:
                # One is what holds without the option, for which other equipment is used.
                if isinstance(other, int) and other not in {1, value}:
                    yield {**options, name: other}


def _rounds_of(
    table: PrizeLineTable,
    context: ModelContext,
    outcomes: OutcomeGenerator,
    levels: _TableRow,
    chance: random.Random,
) -> Iterator[tuple[Outcome, list[Bet]]]:
    """Yield the rounds of a table; only the last may leave a bet for another round."""
    drawn = 0
    left = levels.rounds
    while left and drawn < _MAX_DRAWS:
        drawn += 1
        outcome = outcomes.draw(SPOTS[: levels.spots])
        bets = _placed_bets(table, context, levels, outcome, chance)
        case = settlement_case(
            context.game, COVERING_GROUP, outcome, bets,
            context.case_options(levels.options),
        )  # fmt: skip
        expected = context.oracle.expected_settlements(case) if bets else []
        stays = any(settlement.result in STAYING_RESULTS for settlement in expected)
        if bets and (left == 1 or not stays):
            left -= 1
            yield outcome, bets


def _placed_bets(
    table: PrizeLineTable,
    context: ModelContext,
    levels: _TableRow,
    outcome: Outcome,
    chance: random.Random,
) -> list[Bet]:
    """Return the bets of a round: those of the part, each repeated, with their stakes."""
    every = table.bets(context, levels.options, outcome, chance)
    loose = _loose_bets(every)
    first = levels.bets * _BETS_PER_TABLE
    part = loose if len(loose) <= _BETS_PER_TABLE else loose[first : first + _BETS_PER_TABLE]
    placed: list[Bet] = []
    for bet in every:
        if bet in part or bet not in loose:
            times = levels.repeats if bet in loose else 1
            placed += [_with_stake(bet, levels.stakes)] * times
    return placed


def _loose_bets(bets: list[Bet]) -> list[Bet]:
    """Return the bets that lie at no seat or place, of which a bettor may have several."""
    return [bet for bet in bets if not {"seat", "place"} & bet.keys()]


def _with_stake(bet: Bet, stakes: str) -> Bet:
    """Return a bet with a stake of some level; all bets of one place have the same."""
    if stakes == _ALIKE:
        return bet
    spot = str(bet.get("seat", bet.get("place", "")))
    at = SPOTS.index(spot) + 1 if spot in SPOTS else 0
    multiple = at + 1 if stakes == _APART else _FAR_MULTIPLE + at
    return cast("Bet", {**bet, "stake": bet["stake"] * multiple})
