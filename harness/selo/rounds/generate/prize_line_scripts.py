"""Rounds in which every line of the prizes is won and lost at a live table.

Outcomes are drawn from the seed, one after the other. One is played if some bet comes to something
on it to which it did not come before: another result, another prize, or the same at another seat.
So the same lines are shown under every seed, each by an outcome that nobody could list beforehand.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from selo.cases import settlement_case
from selo.cases.group import STAKE
from selo.protocol.schema import FORCE, game_words
from selo.rounds.generate.forced_outcomes import SPOTS, OutcomeGenerator
from selo.rounds.generate.prize_line_throws import simulate_craps_tables
from selo.rounds.generate.table_model import PLAYERS, ModelContext, TableModel
from selo.rounds.script import Script, canonical_bytes, describe_lacking

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.cases.oracle import ExpectedSettlement, Oracle
    from selo.law.loader import Law
    from selo.protocol.messages import Offer

    Bets = list[dict[str, Any]]
    Options = dict[str, Any]

PRIZE_LINE_GROUP: Final = "lines"
_REASON: Final = "bets that come to something to which they did not come before"
#: So many outcomes are drawn at most, and so many in a row that show nothing new.
_MAX_OUTCOMES_DRAWN: Final = 400
_MAX_OUTCOMES_WITHOUT_NEWS: Final = 60
#: So many rounds are played at one table, where nothing stays for the next.
_ROUNDS_PER_TABLE: Final = 4
_FINAL_RESULTS: Final = frozenset({"win", "lose", "push"})


def generate_prize_lines(law: Law, offer: Offer, oracle: Oracle, seed: str) -> list[Script]:
    """Return scripts of a game in which every bet that is offered wins and loses as it can."""
    game = offer.game
    if not offer.forces or "table" not in offer.methods or not offer.bets:
        return []
    chance = random.Random(f"{seed}/{game}/{PRIZE_LINE_GROUP}")  # noqa: S311 - it repeats itself on purpose
    ground = ModelContext(game=game, oracle=oracle, offer=offer, outcomes=())
    outcomes = OutcomeGenerator(law, oracle, game, chance)
    words = game_words(law, game)
    tables = (
        simulate_craps_tables(ground, chance)
        if outcomes.is_throwing
        else _simulate_tables(ground, outcomes, chance)
    )
    made = [
        Script(
            game=game,
            options=sketch.options,
            acts=sketch.acts,
            group=PRIZE_LINE_GROUP,
            name=f"{PRIZE_LINE_GROUP}-{number}",
            reason=_REASON,
        )
        for number, sketch in enumerate(tables, 1)
    ]
    return [script for script in made if describe_lacking(script, offer, words) is None]


class _ResultsSeen:
    """To what each bet came so far."""

    def __init__(self) -> None:
        self._known: set[Any] = set()

    def new(self, bets: Bets, expected: Sequence[ExpectedSettlement]) -> list[int]:
        """Return the bets that come to something new, and note it."""
        found = []
        for at, (bet, one) in enumerate(zip(bets, expected, strict=True)):
            if one.result in _FINAL_RESULTS:
                came = (bet["bet"], one.result)
                spot = bet.get("seat", bet.get("place"))
                paid = (str(one.prize), str(one.commission))
                keys = {(*came, bet.get("choice"), paid), (*came, "at", spot)}
                found += [at] if keys - self._known else []
                self._known |= keys
        return found


def _simulate_tables(
    ground: ModelContext, outcomes: OutcomeGenerator, chance: random.Random
) -> Iterator[TableModel]:
    """Yield tables at which one outcome decides every bet of a round."""
    table = _TABLES[ground.game]()
    # Where bets are settled alike, tables with other options take turns.
    kinds: dict[bytes, list[Options]] = {}
    for option in table.options(ground):
        kinds.setdefault(canonical_bytes(table.settlement_options(option)), []).append(option)
    for turns in kinds.values():
        options = turns[0]
        came, waiting = _ResultsSeen(), 0
        rounds: list[tuple[dict[str, Any], Bets]] = []
        for outcome in outcomes.draw_many(_MAX_OUTCOMES_DRAWN):
            bets = table.bets(ground, options, outcome, chance)
            case = settlement_case(
                ground.game, PRIZE_LINE_GROUP, outcome, bets, table.settlement_options(options)
            )
            new = came.new(bets, ground.oracle.expected_settlements(case)) if bets else []
            waiting = 0 if new else waiting + 1
            if new:
                rounds.append((outcome, table.select_bets(bets, new)))
            if waiting > _MAX_OUTCOMES_WITHOUT_NEWS:
                break
        for at in range(0, len(rounds), table.rounds):
            sketch = TableModel(ground)
            sketch.options = dict(turns[at // table.rounds % len(turns)])
            table.play(sketch, rounds[at : at + table.rounds])
            yield sketch


class _PrizeLineTable(Protocol):
    """What is particular to the tables of a game."""

    @property
    def rounds(self) -> int:
        """How many rounds are played at one table."""

    def options(self, ground: ModelContext) -> list[Options]:
        """Return with what tables are opened."""

    def settlement_options(self, options: Options) -> Options:
        """Return those of the options with which bets are settled."""

    def bets(
        self,
        ground: ModelContext,
        options: Options,
        outcome: Mapping[str, Any],
        chance: random.Random,
    ) -> Bets:
        """Return everything that can be bet at once."""

    def select_bets(self, bets: Bets, new: list[int]) -> Bets:
        """Return the bets that show something, with those that these need."""

    def play(self, sketch: TableModel, rounds: list[tuple[dict[str, Any], Bets]]) -> None:
        """Play some rounds at one table."""


def _bets_with_choices(ground: ModelContext, names: Sequence[str]) -> Bets:
    """Return some bets with all their choices."""
    rules = ground.oracle.game(ground.game).bets
    return [
        {"bet": name, **({} if choice is None else {"choice": choice}), "stake": STAKE}
        for name in ground.bets(*names)
        if name in rules
        for choice in (rules[name].domain or [None])
    ]


def _begin_round(sketch: TableModel, outcome: dict[str, Any]) -> None:
    sketch.acts.append({"act": FORCE, "outcome": outcome})
    sketch.proceed()


def _play_rounds(sketch: TableModel, rounds: list[tuple[dict[str, Any], Bets]]) -> None:
    """Play rounds in which every bet is laid before anything is shown."""
    for outcome, bets in rounds:
        _begin_round(sketch, outcome)
        for bet in bets:
            sketch.place_bet(bet)
        sketch.proceed()


@dataclass(frozen=True)
class _FigureDiceLines:
    """Fish-prawn-crab: whoever comes bets on what they like."""

    rounds: int = _ROUNDS_PER_TABLE

    def options(self, _: ModelContext) -> list[Options]:
        return [{}]

    def settlement_options(self, _: Options) -> Options:
        return {}

    def bets(self, ground: ModelContext, *_: Any) -> Bets:
        some = _bets_with_choices(ground, ground.offer.bets)
        return [one | {"bettor": PLAYERS[at % len(PLAYERS)]} for at, one in enumerate(some)]

    def select_bets(self, bets: Bets, new: list[int]) -> Bets:
        return [bets[at] for at in new]

    def play(self, sketch: TableModel, rounds: list[tuple[dict[str, Any], Bets]]) -> None:
        _play_rounds(sketch, rounds)


@dataclass(frozen=True)
class _SeatLines:
    """3-card baccarat: two players sit, and bet on all seats that get cards."""

    #: A stake that a tie holds would need a hand in the next round.
    rounds: int = 1

    def options(self, ground: ModelContext) -> list[Options]:
        if not ground.can_happen("take-seat"):
            return []
        shoe = [{"packs": 8, "device": "shoe"}] if ground.allows("device", "shoe") else []
        return [{}, *shoe]

    def settlement_options(self, options: Options) -> Options:
        return {name: value for name, value in options.items() if name == "packs"}

    def bets(
        self, ground: ModelContext, _: Options, outcome: Mapping[str, Any], chance: random.Random
    ) -> Bets:
        names = [name for name in ground.offer.bets if name not in {"beat-banker", "tie"}]
        bets = _bets_with_choices(ground, names)
        for seat in outcome["seats"]:
            bets += [
                spot | {"seat": seat} for spot in _bets_with_choices(ground, ["beat-banker", "tie"])
            ]
        # Whoever bets on a seat bets on its tie as well.
        players = {seat: chance.choice(PLAYERS[:2]) for seat in (*outcome["seats"], "")}
        return [bet | {"bettor": players[bet.get("seat", "")]} for bet in bets]

    def select_bets(self, bets: Bets, new: list[int]) -> Bets:
        seats = {bets[at].get("seat") for at in new}
        return [
            bet
            for at, bet in enumerate(bets)
            if at in new or (bet["bet"] == "beat-banker" and bet["seat"] in seats)
        ]

    def play(self, sketch: TableModel, rounds: list[tuple[dict[str, Any], Bets]]) -> None:
        for player, seat in zip(PLAYERS[:2], SPOTS, strict=False):
            sketch.happen("take-seat", player=player, seat=seat)
        _play_rounds(sketch, rounds)


@dataclass(frozen=True)
class _PlaceLines:
    """Fortune 3 Card Poker: everybody has a place, bets the same on both, and raises."""

    rounds: int = _ROUNDS_PER_TABLE

    def options(self, ground: ModelContext) -> list[Options]:
        if {*ground.bets("ante", "raise")} != {"ante", "raise"}:
            return []
        machine = [{"shuffling": "by-machine"}] if ground.allows("shuffling", "by-machine") else []
        return [{}, *machine]

    def settlement_options(self, _: Options) -> Options:
        return {}

    def bets(self, ground: ModelContext, _: Options, outcome: Mapping[str, Any], *__: Any) -> Bets:
        names = ground.bets("ante", "pair-plus", "raise")
        return [
            {"bet": name, "stake": STAKE, "place": place, "bettor": _player_at(place)}
            for place in outcome["places"]
            for name in names
        ]

    def select_bets(self, bets: Bets, _: list[int]) -> Bets:
        # A place that gets cards and has no bet would make the round another.
        return bets

    def play(self, sketch: TableModel, rounds: list[tuple[dict[str, Any], Bets]]) -> None:
        for place in SPOTS if sketch.ground.can_happen("take-place") else ():
            sketch.happen("take-place", player=_player_at(place), place=place)
        for outcome, bets in rounds:
            _begin_round(sketch, outcome)
            for bet in bets:
                if bet["bet"] != "raise":
                    sketch.place_bet(bet)
            sketch.proceed()
            for bet in bets:
                if bet["bet"] == "raise":
                    told = {name: bet[name] for name in ("place", "stake")}
                    sketch.act("raise", ticket=sketch.new_ticket(), player=bet["bettor"], **told)
            sketch.proceed()


def _player_at(place: str) -> str:
    return f"player-{place}"


@dataclass(frozen=True)
class _PlayerAndBankerLines:
    """Bacará: everybody has one main bet, and the last of them all bets beside it."""

    rounds: int = _ROUNDS_PER_TABLE

    def options(self, ground: ModelContext) -> list[Options]:
        regimes = ground.offer.options.get("commission")
        offered = ground.offer.options.get("offered")
        beside = [one for one in offered if one != "jackpot"] if isinstance(offered, list) else []
        return [
            {**regime, **({"offered": beside} if beside else {})}
            for regime in (
                [{"commission": regime} for regime in regimes]
                if isinstance(regimes, list)
                else [{}]
            )
        ]

    def settlement_options(self, options: Options) -> Options:
        return {name: value for name, value in options.items() if name == "commission"}

    def bets(self, ground: ModelContext, options: Options, *_: Any) -> Bets:
        mains = ground.bets("player", "banker", "tie")
        bets = [
            {"bet": name, "stake": STAKE, "bettor": player}
            for name, player in zip(mains, PLAYERS, strict=False)
        ]
        beside = _bets_with_choices(ground, options.get("offered", []))
        return bets + [one | {"bettor": bets[-1]["bettor"]} for one in beside]

    def select_bets(self, bets: Bets, new: list[int]) -> Bets:
        return [bet for at, bet in enumerate(bets) if at in new or at < len(PLAYERS)]

    def play(self, sketch: TableModel, rounds: list[tuple[dict[str, Any], Bets]]) -> None:
        if sketch.ground.can_happen("take-seat"):
            sketch.happen("take-seat", player=PLAYERS[0], seat=SPOTS[0])
        _play_rounds(sketch, rounds)


_TABLES: Final[dict[str, type[_PrizeLineTable]]] = {
    "fish-prawn-crab": _FigureDiceLines,
    "three-card-baccarat": _SeatLines,
    "fortune-three-card-poker": _PlaceLines,
    "bacara": _PlayerAndBankerLines,
}
