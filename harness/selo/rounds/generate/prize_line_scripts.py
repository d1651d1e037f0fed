"""Generates scripts in which every prize line is won and lost at a live table.

Outcomes are drawn from the seed, one after the other. An outcome is played if some bet has a new
result on it: another result or prize, or the same one at another seat. So every seed covers the
same lines, each by an outcome that cannot be predicted without the seed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.cases import settlement_case
from selo.cases.group import STAKE
from selo.protocol.schema import FORCE, game_words
from selo.rounds.generate.card_table_models import FOLD
from selo.rounds.generate.closing_acts import add_closing_acts
from selo.rounds.generate.forced_outcomes import SPOTS, OutcomeGenerator
from selo.rounds.generate.prize_line_table import UnchangedTable
from selo.rounds.generate.prize_line_throws import simulate_craps_tables
from selo.rounds.generate.table_model import PLAYERS, ModelContext, TableModel
from selo.rounds.script import Script, canonical_bytes, describe_lacking
from selo.rules.equipment.piece_set import PieceSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases.oracle import Oracle
    from selo.cases.oracle.answer_check import ExpectedSettlement
    from selo.law import Law
    from selo.protocol.messages import Offer
    from selo.rounds.generate.prize_line_table import PrizeLineTable
    from selo.table_values import Bet, Options, Outcome

    Bets = list[Bet]

PRIZE_LINE_GROUP: Final = "lines"
_REASON: Final = "bets that come to something to which they did not come before"
#: Outcomes drawn at most, and in a row without a new result.
_MAX_OUTCOMES_DRAWN: Final = 400
_MAX_OUTCOMES_WITHOUT_NEWS: Final = 60
#: Rounds at a table, in games in which no bet stays for the next round.
_ROUNDS_PER_TABLE: Final = 4
#: What has accumulated in the jackpot of a table that draws its own outcomes.
_ACCUMULATED: Final = 100_000_000
#: One place in this many folds at a table that draws its own outcomes, or has nothing but an ante.
_FOLDS_ONE_IN: Final = 4
_MAIN_BETS: Final = ("player", "banker", "tie")
_FINAL_RESULTS: Final = frozenset({"win", "lose", "push"})


def generate_prize_lines(law: Law, offer: Offer, oracle: Oracle, seed: str) -> list[Script]:
    """Return scripts in which every offered bet wins and loses in every way possible."""
    game = offer.game
    if not offer.forces or "table" not in offer.methods or not offer.bets:
        return []
    chance = random.Random(f"{seed}/{game}/{PRIZE_LINE_GROUP}")  # noqa: S311 - it repeats itself on purpose
    context = ModelContext(game=game, oracle=oracle, offer=offer, outcomes=())
    outcomes = OutcomeGenerator(law, oracle, game, chance)
    words = game_words(law, game)
    tables = (
        simulate_craps_tables(context, chance)
        if outcomes.is_throwing
        else _simulate_tables(context, outcomes, chance)
    )
    scripts = [
        Script(
            game=game,
            options=model.options,
            acts=model.acts,
            group=PRIZE_LINE_GROUP,
            name=f"{PRIZE_LINE_GROUP}-{number}",
            reason=_REASON,
        )
        for number, model in enumerate(tables, 1)
    ]
    possible = [script for script in scripts if describe_lacking(script, offer, words) is None]
    return add_closing_acts(law, game, possible)


class _ResultsSeen:
    """The results that each bet has had so far."""

    def __init__(self) -> None:
        self._known: set[Any] = set()

    def add(self, bets: Bets, expected: Sequence[ExpectedSettlement]) -> list[int]:
        """Record the results, and return the places of the bets whose result is new."""
        new = []
        for at, (bet, settlement) in enumerate(zip(bets, expected, strict=True)):
            if settlement.result in _FINAL_RESULTS:
                result = (bet["bet"], settlement.result)
                spot = bet.get("seat", bet.get("place"))
                paid = (str(settlement.prize), str(settlement.commission))
                keys = {(*result, bet.get("choice"), paid), (*result, "at", spot)}
                new += [at] if keys - self._known else []
                self._known |= keys
        return new


def _simulate_tables(
    context: ModelContext, outcomes: OutcomeGenerator, chance: random.Random
) -> Iterator[TableModel]:
    """Yield tables at which one outcome decides every bet of a round."""
    table = find_line_table(context)
    # Options under which bets are settled alike take turns.
    alike: dict[bytes, list[Options]] = {}
    for options in table.options(context):
        alike.setdefault(canonical_bytes(table.settlement_options(options)), []).append(options)
    for turns in alike.values():
        options = turns[0]
        results, without_news = _ResultsSeen(), 0
        rounds: list[tuple[Outcome, Bets]] = []
        for outcome in outcomes.draw_many(_MAX_OUTCOMES_DRAWN):
            bets = table.bets(context, options, outcome, chance)
            case = settlement_case(
                context.game, PRIZE_LINE_GROUP, outcome, bets, table.settlement_options(options)
            )
            new = results.add(bets, context.oracle.expected_settlements(case)) if bets else []
            without_news = 0 if new else without_news + 1
            if new:
                rounds.append((outcome, table.select_bets(bets, new)))
            if without_news > _MAX_OUTCOMES_WITHOUT_NEWS:
                break
        for at in range(0, len(rounds), table.rounds):
            model = TableModel(context)
            model.options = dict(turns[at // table.rounds % len(turns)])
            table.play(model, rounds[at : at + table.rounds])
            yield model


def _bets_with_choices(context: ModelContext, names: Sequence[str]) -> Bets:
    """Return the named bets with all their choices."""
    rules = context.oracle.game(context.game).bets
    return [
        {"bet": name, "stake": STAKE}
        if choice is None
        else {"bet": name, "choice": choice, "stake": STAKE}
        for name in context.bets(*names)
        if name in rules
        for choice in (rules[name].domain or [None])
    ]


def _begin_round(model: TableModel, outcome: Outcome) -> None:
    model.acts.append({"act": FORCE, "outcome": outcome})
    model.proceed()


def _play_rounds(model: TableModel, rounds: list[tuple[Outcome, Bets]]) -> None:
    """Play rounds in which every bet is placed before the outcome shows."""
    for outcome, bets in rounds:
        _begin_round(model, outcome)
        for bet in bets:
            model.place_bet(bet)
        model.proceed()


@dataclass(frozen=True)
class _PieceLines(UnchangedTable):
    """Pieces with faces: anybody places any bet."""

    rounds: int = _ROUNDS_PER_TABLE

    def options(self, _: ModelContext) -> list[Options]:
        return [{}]

    def settlement_options(self, _: Options) -> Options:
        return {}

    def bets(self, context: ModelContext, *_: Any) -> Bets:
        bets = _bets_with_choices(context, context.offer.bets)
        return [bet | {"bettor": PLAYERS[at % len(PLAYERS)]} for at, bet in enumerate(bets)]

    def select_bets(self, bets: Bets, new: list[int]) -> Bets:
        return [bets[at] for at in new]

    def play(self, model: TableModel, rounds: list[tuple[Outcome, Bets]]) -> None:
        _play_rounds(model, rounds)


@dataclass(frozen=True)
class _SeatLines(UnchangedTable):
    """3-card baccarat: two seated players bet on all seats that get cards."""

    #: A stake that a tie holds would need a hand in the next round.
    rounds: int = 1

    def options(self, context: ModelContext) -> list[Options]:
        if not context.can_happen("take-seat"):
            return []
        shoe: list[Options] = (
            [{"packs": 8, "device": "shoe"}] if context.allows("device", "shoe") else []
        )
        return [{}, *shoe]

    def settlement_options(self, options: Options) -> Options:
        return {name: value for name, value in options.items() if name == "packs"}

    def bets(
        self, context: ModelContext, _: Options, outcome: Outcome, chance: random.Random
    ) -> Bets:
        names = [name for name in context.offer.bets if name not in {"beat-banker", "tie"}]
        bets = _bets_with_choices(context, names)
        for seat in outcome["seats"]:
            bets += [
                spot | {"seat": seat}
                for spot in _bets_with_choices(context, ["beat-banker", "tie"])
            ]
        # The same player bets on a seat and on its tie.
        players = {seat: chance.choice(PLAYERS[:2]) for seat in (*outcome["seats"], "")}
        return [bet | {"bettor": players[bet.get("seat", "")]} for bet in bets]

    def select_bets(self, bets: Bets, new: list[int]) -> Bets:
        seats = {bets[at].get("seat") for at in new}
        return [
            bet
            for at, bet in enumerate(bets)
            if at in new or (bet["bet"] == "beat-banker" and bet["seat"] in seats)
        ]

    def play(self, model: TableModel, rounds: list[tuple[Outcome, Bets]]) -> None:
        for player, seat in zip(PLAYERS[:2], SPOTS, strict=False):
            model.happen("take-seat", player=player, seat=seat)
        _play_rounds(model, rounds)


@dataclass(frozen=True)
class _PlaceLines(UnchangedTable):
    """Fortune 3 Card Poker: every place bets the same on ante and Pair Plus, and raises."""

    rounds: int = _ROUNDS_PER_TABLE

    def options(self, context: ModelContext) -> list[Options]:
        if {*context.bets("ante", "raise")} != {"ante", "raise"}:
            return []
        machine = [{"shuffling": "by-machine"}] if context.allows("shuffling", "by-machine") else []
        return [{}, *machine]

    def settlement_options(self, _: Options) -> Options:
        return {}

    def bets(self, context: ModelContext, _: Options, outcome: Outcome, *__: Any) -> Bets:
        names = context.bets("ante", "pair-plus", "raise")
        return [
            {"bet": name, "stake": STAKE, "place": place, "bettor": _player_at(place)}
            for place in outcome["places"]
            for name in names
        ]

    def select_bets(self, bets: Bets, _: list[int]) -> Bets:
        # A place with cards and without a bet would change the round.
        return bets

    def play(self, model: TableModel, rounds: list[tuple[Outcome, Bets]]) -> None:
        for place in SPOTS if model.context.can_happen("take-place") else ():
            model.happen("take-place", player=_player_at(place), place=place)
        for outcome, bets in rounds:
            _begin_round(model, outcome)
            for bet in bets:
                if bet["bet"] != "raise":
                    model.place_bet(bet)
            model.proceed()
            raised = [bet for bet in bets if bet["bet"] == "raise"]
            for bet in raised:
                placed = {name: bet[name] for name in ("place", "stake")}
                model.act("raise", ticket=model.new_ticket(), player=bet["bettor"], **placed)
            for place in {bet["place"]: None for bet in bets}:
                if all(bet["place"] != place for bet in raised):
                    model.act(FOLD, place=place)
            model.proceed()

    def select_free_bets(self, bets: Bets, chosen: list[int], chance: random.Random) -> Bets:
        del chosen
        places = list({bet["place"]: None for bet in bets})
        # Somebody raises, so that the croupier's cards show.
        folding = {place for place in places[1:] if not chance.randrange(_FOLDS_ONE_IN)}
        plain = {place for place in places if not chance.randrange(_FOLDS_ONE_IN)}
        left_out = {"raise": folding, "pair-plus": folding | plain}
        return [bet for bet in bets if bet["place"] not in left_out.get(bet["bet"], ())]


def _player_at(place: str) -> str:
    return f"player-{place}"


@dataclass(frozen=True)
class _PlayerAndBankerLines(UnchangedTable):
    """Bacará: each player has one main bet, and the last has all side bets."""

    rounds: int = _ROUNDS_PER_TABLE

    def options(self, context: ModelContext) -> list[Options]:
        regimes = context.offer.options.get("commission")
        offered = context.offer.options.get("offered")
        beside: list[Any] = (
            [bet for bet in offered if bet != "jackpot"] if isinstance(offered, list) else []
        )
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

    def bets(self, context: ModelContext, options: Options, *_: Any) -> Bets:
        mains = context.bets(*_MAIN_BETS)
        bets: Bets = [
            {"bet": name, "stake": STAKE, "bettor": player}
            for name, player in zip(mains, PLAYERS, strict=False)
        ]
        offered: Any = options.get("offered", [])
        beside = _bets_with_choices(context, [name for name in offered if name != "jackpot"])
        bets += [bet | {"bettor": bets[-1]["bettor"]} for bet in beside]
        if "jackpot" in offered:
            # Only who has a seat may make it.
            bets.append({"bet": "jackpot", "stake": STAKE, "bettor": PLAYERS[0]})
        return bets

    def free_options(self, context: ModelContext) -> list[Options]:
        """Return those of other tables, and a jackpot as the vendor declares it."""
        plain = self.options(context)
        offered: Any = context.offer.options.get("offered", [])
        if not context.can_happen("take-seat") or "jackpot" not in offered:
            return plain
        jackpots: list[Any] = [
            {"modality": jackpot.modality, "accumulated": _ACCUMULATED, "fixed": jackpot.fixed}
            for jackpot in context.offer.jackpots or ()
            if jackpot.fixed and jackpot.percentage is None
        ]
        return [
            *plain,
            *({**plain[0], "offered": list(offered), "jackpot": jackpot} for jackpot in jackpots),
        ]

    def select_bets(self, bets: Bets, new: list[int]) -> Bets:
        return [bet for at, bet in enumerate(bets) if at in new or at < len(PLAYERS)]

    def select_free_bets(self, bets: Bets, chosen: list[int], chance: random.Random) -> Bets:
        """Return the chosen bets, and the main bets of those who make them."""
        del chance
        bettors = {bets[at]["bettor"] for at in chosen}
        return [
            bet
            for at, bet in enumerate(bets)
            if at in chosen or (bet["bet"] in _MAIN_BETS and bet["bettor"] in bettors)
        ]

    def play(self, model: TableModel, rounds: list[tuple[Outcome, Bets]]) -> None:
        if model.context.can_happen("take-seat"):
            model.happen("take-seat", player=PLAYERS[0], seat=SPOTS[0])
        _play_rounds(model, rounds)


_LINE_TABLES: Final[dict[str, type[PrizeLineTable]]] = {
    "three-card-baccarat": _SeatLines,
    "fortune-three-card-poker": _PlaceLines,
    "bacara": _PlayerAndBankerLines,
}


def find_line_table(context: ModelContext) -> PrizeLineTable:
    """Return what is particular to the tables of a game at which one outcome decides a round."""
    kit = getattr(context.oracle.game(context.game), "kit", None)
    return _PieceLines() if isinstance(kit, PieceSet) else _LINE_TABLES[context.game]()
