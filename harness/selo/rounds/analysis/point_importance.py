"""Computes how much depends on each open point of a game, and orders the register by it.

1. Points that change an outcome: the exact odds of every affected bet under each reading. What
   counts is the distance between two distributions of the gain: the money, for each unit staked,
   that changes hands in a round between the readings, however the round ends.
2. Where the readings part in no odds (an accident, a rounding, a jackpot), the difference of what
   the readings pay in the worked case, for each unit staked. How often it happens, nobody knows.
3. Where nothing is settled and pairs are only compared, the part of all two pairs that one set
   deals together whose comparison comes out otherwise.
4. Points of conduct: the part of the rounds that a reference table plays in which an event occurs
   whose rule depends on the reading. What is declared of a table holds in every round.
"""

from __future__ import annotations

import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.law import load_law
from selo.law.files.divergence_register import PointImportance, Severity
from selo.law.files.situation_file import read_situations
from selo.rounds.generate import read_written_scripts
from selo.rounds.judge import RoundJudge
from selo.rounds.table_player import play_scripts
from selo.rules.checks import settlement_points
from selo.rules.declarations import declaration_points
from selo.rules.odds import OddsCatalogue, list_odds_changes
from selo.rules.procedure.step_reader import list_step_games
from selo.rules.readings import Readings
from selo.rules.settlement import Game, compile_game
from selo.storage import write_file
from selo.vendors.vendor_address import connect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.law import Law
    from selo.law.files.divergence_register import Divergence
    from selo.rules.equipment.tile_set import TilePair
    from selo.rules.odds import BetOdds
    from selo.rules.procedure.step_reader import Constraint
    from selo.vendors.session import Session

_ZERO: Final = Fraction(0)
_ALWAYS: Final = Fraction(1)
_HEADER: Final = (
    "# yaml-language-server: $schema=../../schema/register-order.schema.json",
    "# The order in which lists and documents show the open points of this instrument, and its",
    "# place among the instruments; make importance writes order and importance.",
)
_COMMISSION: Final = "commission"
_KEPT: Final = ("push", "void", "stands", "refused")


def compute_importance(law: Law, game: str, session: Session | None) -> dict[str, PointImportance]:
    """Return the importance of the open points of `game`; without a session none of conduct."""
    own = {point.id: point for point in law.divergences if point.situation.game == game}
    found = {
        point: PointImportance(money=str(money))
        for point, money in _money_by_point(law, game).items()
    }
    for point, amount in _amounts_by_point(law, game).items():
        if point not in found and point in own and own[point].severity is Severity.OUTCOME:
            found[point] = PointImportance(amount=str(amount))
    for point, part in _part_of_comparisons(law, game).items():
        found[point] = PointImportance(rounds=str(part))
    if session is not None and game in list_step_games(law):
        for point, part in _part_of_rounds(law, game, session).items():
            if point not in found and point in own:
                found[point] = PointImportance(rounds=str(part))
    for point in declaration_points(law, game):
        if point not in found and point in own:
            found[point] = PointImportance(rounds=str(_ALWAYS))
    return found


def stored_importance(law: Law) -> dict[str, PointImportance]:
    """Return the importance of open points that the law files hold."""
    return {
        point: importance
        for folder in law.folders
        if folder.order is not None
        for point, importance in folder.order.importance.items()
    }


def order_points(
    points: Iterable[Divergence], importance: Mapping[str, PointImportance]
) -> list[str]:
    """Return open points with the most important first, and those that are settled last."""
    return [point.id for point in sorted(points, key=lambda one: importance_key(one, importance))]


def importance_key(
    point: Divergence, importance: Mapping[str, PointImportance]
) -> tuple[bool, int, int, Fraction, str]:
    """Return the key by which open points are ordered: open before settled, then by importance."""
    known = importance.get(point.id, PointImportance())
    measures = [known.money, known.amount, known.rounds]
    kind = next((at for at, measure in enumerate(measures) if measure is not None), len(measures))
    value = next((Fraction(measure) for measure in measures if measure is not None), _ZERO)
    severity = list(Severity).index(point.severity)
    return len(point.readings) == 1, severity, kind, -value, point.id


def gain_distance(now: BetOdds | None, then: BetOdds | None) -> Fraction:
    """Return the distance between two distributions of the gain; no bet gains nothing."""
    one, other = _gains_of(now), _gains_of(then)
    distance, difference, last = _ZERO, _ZERO, _ZERO
    for gain in sorted({*one, *other}):
        distance += abs(difference) * (gain - last)
        difference += one.get(gain, _ZERO) - other.get(gain, _ZERO)
        last = gain
    return distance


def _gains_of(figure: BetOdds | None) -> dict[Fraction, Fraction]:
    if figure is None:
        return {_ZERO: Fraction(1)}
    gains: dict[Fraction, Fraction] = {}
    for end, chance in figure.ends.items():
        gains[end.gain] = gains.get(end.gain, _ZERO) + chance
    return gains


def _money_by_point(law: Law, game: str) -> dict[str, Fraction]:
    """Return the money that changes hands in a round, by open point."""
    catalogue, readings = OddsCatalogue(law), Readings(law, {})
    if game not in catalogue.games():
        return {}
    now = {figure.key: figure for figure in catalogue.figures(game, readings)}
    money: dict[str, Fraction] = {}
    for change in list_odds_changes(catalogue, law, game, readings, wanted=None):
        distances = [
            gain_distance(now.get(figure.key), figure) for figure in change.figures if figure.priced
        ] + [
            gain_distance(figure, None)
            for figure in now.values()
            if figure.priced and figure.bet in change.gone
        ]
        most = max(distances, default=_ZERO)
        if most:
            money[change.divergence] = max(most, money.get(change.divergence, _ZERO))
    return money


def _amounts_by_point(law: Law, game: str) -> dict[str, Fraction]:
    """Return what the readings pay differently in the worked case, for each unit staked."""
    amounts: dict[str, Fraction] = {}
    for point, situation in read_situations(game, specs=law.specs).items():
        if situation.compare is not None:
            continue
        staked = sum(bet["stake"] for bet in situation.bets)
        paid = [
            [
                _gain_of(answer, bet["stake"])
                for answer, bet in zip(rows, situation.bets, strict=True)
            ]
            for rows in situation.expect.values()
        ]
        spread = sum((max(gains) - min(gains) for gains in zip(*paid, strict=True)), _ZERO)
        amounts[point] = spread / staked if staked else _ZERO
    return amounts


def _gain_of(answer: Mapping[str, Any], stake: int) -> Fraction:
    if answer["result"] == "win":
        return _amount(answer["prize"]) - _amount(answer[_COMMISSION])
    if answer["result"] in _KEPT:
        return _ZERO
    return Fraction(answer.get("stake", 0) - stake)


def _amount(written: Any) -> Fraction:
    return Fraction(*written) if isinstance(written, list) else Fraction(written)


def _part_of_comparisons(law: Law, game: str) -> dict[str, Fraction]:
    """Return in which part of all deals of two pairs a comparison depends on a point."""
    now = compile_game(law, game, Readings(law))
    if not isinstance(now, Game) or now.pairs is None:
        return {}
    deals = list(_deals_of_two_pairs(now.pairs.tiles.supply))
    answers = [_compare(now, one, other) for one, other, _ in deals]
    every = sum(ways for _, _, ways in deals)
    parts: dict[str, Fraction] = {}
    for point, readings in settlement_points(law, game).items():
        for reading in readings:
            then = compile_game(law, game, Readings(law, {point: reading}))
            if isinstance(then, Game):
                changed = sum(
                    ways
                    for (one, other, ways), answer in zip(deals, answers, strict=True)
                    if _compare(then, one, other) != answer
                )
                parts[point] = max(parts.get(point, _ZERO), Fraction(changed, every))
    return parts


def _compare(game: Game, one: TilePair, other: TilePair) -> int | None:
    """Return which pair is higher, or None where the law that is held does not say it."""
    if game.order is None or not game.is_judged(one, other):
        return None
    first, second = game.order(one), game.order(other)
    return (first > second) - (first < second)


def _deals_of_two_pairs(supply: Counter[str]) -> Iterator[tuple[TilePair, TilePair, int]]:
    """Yield any two pairs that one set deals together, with the number of ways."""
    pairs = list(combinations_with_replacement(sorted(supply), 2))
    for one in pairs:
        ways = _ways(supply, one)
        left = supply - Counter(one)
        for other in pairs if ways else ():
            both = ways * _ways(left, other)
            if both:
                yield one, other, both


def _ways(supply: Counter[str], pair: TilePair) -> int:
    first, second = pair
    return comb(supply[first], 2) if first == second else supply[first] * supply[second]


def _part_of_rounds(law: Law, game: str, session: Session) -> dict[str, Fraction]:
    """Return in which part of the rounds an event occurs on whose rules a point depends."""
    judge = RoundJudge(law)
    procedures = judge.procedures(game)
    steps = procedures.all_steps()
    events = {point: set(_events_of(steps, point)) for point in procedures.points()}
    rounds = 0
    met = dict.fromkeys(events, 0)
    for script, played in play_scripts(session, read_written_scripts(law, game)):
        if not played.is_complete:
            continue
        rounds += 1
        occurred = {event["event"] for event in judge.log(script, played).events}
        for point, names in events.items():
            met[point] += not names.isdisjoint(occurred)
    return {point: Fraction(times, rounds) for point, times in met.items()} if rounds else {}


def _events_of(steps: Sequence[Constraint], point: str) -> Iterator[str]:
    """Yield the events of steps that hold under some readings of a point only."""
    named = {step.called: step for step in steps if step.called is not None}
    waiting = [name for step in steps if point in step.under for name in step.events]
    seen: set[str] = set()
    for name in waiting:
        if name in seen:
            continue
        seen.add(name)
        yield name
        waiting += (
            [other for step in steps if step.called == name for other in step.events]
            if name in named
            else []
        )


def write_orders(law: Law, session: Session, games: Sequence[str]) -> None:
    """Write the importance and the order of open points into the law files of some games or all."""
    for folder in law.folders:
        document = folder.order_document
        wanted = not games or folder.instrument.game in games
        if document is None or folder.order is None or not wanted:
            continue
        importance = compute_importance(law, folder.instrument.game, session)
        points = [point for _, register in folder.register for point in register.divergences]
        lines = [*_HEADER, f"place: {folder.order.place}", "points:"]
        ordered = order_points(points, importance)
        lines += [f"  - {point}" for point in ordered]
        lines += ["importance:"] if importance else []
        lines += [
            f"  {point}: {{{name}: {value}}}"
            for point in ordered
            for name, value in msgspec.to_builtins(importance.get(point, PointImportance())).items()
        ]
        text = "\n".join(lines) + "\n"
        write_file(document.path, text.encode(), replace=True)


def main(address: str, *games: str) -> None:
    """Compute everything anew with the tables of the vendor at `address`."""
    write_orders(load_law(), connect(address), games)


if __name__ == "__main__":
    main(*sys.argv[1:])
