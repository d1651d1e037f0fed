"""Generates scripts in which every prize line is won and lost at a live table.

Outcomes are drawn from the seed, one after the other. An outcome is played if some bet has a new
result on it: another result or prize, or the same one at another seat. So every seed covers the
same lines, each by an outcome that cannot be predicted without the seed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from selo.cases import settlement_case
from selo.cases.group import STAKE
from selo.law.files.events_file import EventRole
from selo.protocol.schema import FORCE, game_words
from selo.rounds.generate.closing_acts import add_closing_acts
from selo.rounds.generate.forced_outcomes import SPOTS, OutcomeGenerator
from selo.rounds.generate.prize_line_throws import simulate_thrown_tables
from selo.rounds.generate.table_model import PLAYERS, ModelContext, TableModel
from selo.rounds.script import Script, canonical_bytes, describe_lacking
from selo.rules.clauses.jackpot_share import JACKPOT
from selo.rules.equipment import CroupierAndPlaces, PlayerAndBanker
from selo.rules.equipment.kits import Duel
from selo.rules.equipment.piece_set import PieceSet
from selo.rules.settlement.neighbouring_bets import find_raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases.oracle import Oracle
    from selo.cases.oracle.answer_check import ExpectedSettlement
    from selo.law import Law
    from selo.protocol.messages import Offer
    from selo.rules.equipment.kits import Kit
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
#: One place in this many folds at a table that draws its own outcomes.
_FOLDS_ONE_IN: Final = 4
_FINAL_RESULTS: Final = frozenset({"win", "lose", "push"})


def generate_prize_lines(law: Law, offer: Offer, oracle: Oracle, seed: str) -> list[Script]:
    """Return scripts in which every offered bet wins and loses in every way possible."""
    game = offer.game
    if not offer.forces or "table" not in offer.methods or not offer.bets:
        return []
    chance = random.Random(f"{seed}/{game}/{PRIZE_LINE_GROUP}")  # noqa: S311 - it repeats itself on purpose
    context = ModelContext(law=law, oracle=oracle, offer=offer)
    outcomes = OutcomeGenerator(law, oracle, game, chance)
    words = game_words(law, game)
    tables = (
        simulate_thrown_tables(context, chance)
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
        alike.setdefault(canonical_bytes(context.case_options(options)), []).append(options)
    for turns in alike.values():
        options = turns[0]
        results, without_news = _ResultsSeen(), 0
        rounds: list[tuple[Outcome, Bets]] = []
        for outcome in outcomes.draw_many(_MAX_OUTCOMES_DRAWN):
            bets = table.bets(context, options, outcome, chance)
            case = settlement_case(
                context.game, PRIZE_LINE_GROUP, outcome, bets, context.case_options(options)
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


class PrizeLineTable(Protocol):
    """What is particular to the tables of a game."""

    @property
    def rounds(self) -> int:
        """The number of rounds at a table."""

    def options(self, context: ModelContext) -> list[Options]:
        """Return the options with which tables are opened."""

    def bets(
        self, context: ModelContext, options: Options, outcome: Outcome, chance: random.Random
    ) -> Bets:
        """Return all bets that can be placed together."""

    def select_bets(self, bets: Bets, new: list[int]) -> Bets:
        """Return the bets with new results, and those that they need."""

    def play(self, model: TableModel, rounds: list[tuple[Outcome, Bets]]) -> None:
        """Play rounds at one table."""

    def free_options(self, context: ModelContext) -> list[Options]:
        """Return the options of tables that draw their own outcomes."""

    def drop_free_bets(self, context: ModelContext, bets: Bets, chance: random.Random) -> Bets:
        """Return the bets without some that a bettor may leave out before the outcome shows."""


class _FreeTable:
    """What most games do at tables that draw their own outcomes: the same as at others."""

    def options(self, _: ModelContext) -> list[Options]:
        raise NotImplementedError

    def free_options(self, context: ModelContext) -> list[Options]:
        return self.options(context)

    def drop_free_bets(self, _: ModelContext, bets: Bets, __: random.Random) -> Bets:
        return bets


def _bets_with_choices(context: ModelContext, names: Sequence[str]) -> Bets:
    """Return the named bets with all their choices."""
    return [
        {"bet": name, "stake": STAKE}
        if choice is None
        else {"bet": name, "choice": choice, "stake": STAKE}
        for name in names
        if name in context.rules
        for choice in (context.rules[name].domain or [None])
    ]


def _usual_and_other(context: ModelContext) -> list[Options]:
    """Return the options of the usual table, and of another one with the most of what may vary."""
    other: Options = {
        name: value[-1] if isinstance(value, list) else value
        for name, value in context.offered_moves().items()
    }
    return [{}, *([other] if other else [])]


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
class _PieceLines(_FreeTable):
    """Pieces with faces: anybody places any bet."""

    rounds: int = _ROUNDS_PER_TABLE

    def options(self, _: ModelContext) -> list[Options]:
        return [{}]

    def bets(self, context: ModelContext, *_: Any) -> Bets:
        bets = _bets_with_choices(context, context.offer.bets)
        return [bet | {"bettor": PLAYERS[at % len(PLAYERS)]} for at, bet in enumerate(bets)]

    def select_bets(self, bets: Bets, new: list[int]) -> Bets:
        return [bets[at] for at in new]

    def play(self, model: TableModel, rounds: list[tuple[Outcome, Bets]]) -> None:
        _play_rounds(model, rounds)


@dataclass(frozen=True)
class _SeatLines(_FreeTable):
    """Seats against a banker: two seated players bet on all seats that get cards."""

    #: A stake that a tie holds would need a hand in the next round.
    rounds: int = 1

    def options(self, context: ModelContext) -> list[Options]:
        return _usual_and_other(context) if context.can_happen(context.arrival[0]) else []

    def bets(
        self, context: ModelContext, _: Options, outcome: Outcome, chance: random.Random
    ) -> Bets:
        rules = context.rules
        seated = [name for name in rules if rules[name].place is not None]
        bets = _bets_with_choices(
            context, [name for name in context.offer.bets if name not in seated]
        )
        for seat in outcome["seats"]:
            bets += [spot | {"seat": seat} for spot in _bets_with_choices(context, seated)]
        # The same player bets on a seat and on its tie.
        players = {seat: chance.choice(PLAYERS[:2]) for seat in (*outcome["seats"], "")}
        return [bet | {"bettor": players[bet.get("seat", "")]} for bet in bets]

    def select_bets(self, bets: Bets, new: list[int]) -> Bets:
        seats = {bets[at]["seat"] for at in new if "seat" in bets[at]}
        # The first bet at a seat is the one that others need.
        mains = {seat: next(bet for bet in bets if bet.get("seat") == seat) for seat in seats}
        return [
            bet
            for at, bet in enumerate(bets)
            if at in new or any(bet is main for main in mains.values())
        ]

    def play(self, model: TableModel, rounds: list[tuple[Outcome, Bets]]) -> None:
        for player, seat in zip(PLAYERS[:2], SPOTS, strict=False):
            model.arrive(player, seat)
        _play_rounds(model, rounds)


@dataclass(frozen=True)
class _PlaceLines(_FreeTable):
    """Places against a croupier: every place lays all bets alike and plays its hand on."""

    rounds: int = _ROUNDS_PER_TABLE

    def options(self, context: ModelContext) -> list[Options]:
        offered = all(
            {*pair} <= {*context.rules} for pair in find_raised(context.all_rules).items()
        )
        return _usual_and_other(context) if offered else []

    def bets(self, context: ModelContext, _: Options, outcome: Outcome, *__: Any) -> Bets:
        return [
            {"bet": name, "stake": STAKE, "place": place, "bettor": _player_at(place)}
            for place in outcome["places"]
            for name in context.rules
        ]

    def select_bets(self, bets: Bets, _: list[int]) -> Bets:
        # A place with cards and without a bet would change the round.
        return bets

    def play(self, model: TableModel, rounds: list[tuple[Outcome, Bets]]) -> None:
        for place in SPOTS:
            model.arrive(_player_at(place), place)
        goes_on = model.context.event(EventRole.GOES_ON)
        gives_up = model.context.event(EventRole.GIVES_UP)
        for outcome, bets in rounds:
            _begin_round(model, outcome)
            for bet in bets:
                if bet["bet"] != goes_on:
                    model.place_bet(bet)
            model.proceed()
            raised = [bet for bet in bets if bet["bet"] == goes_on]
            for bet in raised:
                placed = {name: bet[name] for name in ("place", "stake")}
                model.act(goes_on, ticket=model.new_ticket(), player=bet["bettor"], **placed)
            for place in {bet["place"]: None for bet in bets}:
                if all(bet["place"] != place for bet in raised):
                    model.act(gives_up, place=place)
            model.proceed()

    def drop_free_bets(self, context: ModelContext, bets: Bets, chance: random.Random) -> Bets:
        places = list({bet["place"]: None for bet in bets})
        bases = set(find_raised(context.all_rules).values())
        # Somebody raises, so that the croupier's cards show.
        folding = {place for place in places[1:] if not chance.randrange(_FOLDS_ONE_IN)}
        return [bet for bet in bets if bet["bet"] in bases or bet["place"] not in folding]


def _player_at(place: str) -> str:
    return f"player-{place}"


@dataclass(frozen=True)
class _PlayerAndBankerLines(_FreeTable):
    """A player's hand against a banker's: each has one main bet, and the last all beside it."""

    rounds: int = _ROUNDS_PER_TABLE

    def options(self, context: ModelContext) -> list[Options]:
        regimes = context.offer.options.get("commission")
        beside = context.offered_anywhere
        return [
            {**regime, **({"offered": beside} if beside else {})}
            for regime in (
                [{"commission": regime} for regime in regimes]
                if isinstance(regimes, list)
                else [{}]
            )
        ]

    def bets(self, context: ModelContext, options: Options, *_: Any) -> Bets:
        bets: Bets = [
            {"bet": name, "stake": STAKE, "bettor": player}
            for name, player in zip(context.main_bets, PLAYERS, strict=False)
        ]
        offered: Any = options.get("offered", [])
        anywhere = [name for name in offered if name in context.offered_anywhere]
        beside = _bets_with_choices(context, anywhere)
        bets += [bet | {"bettor": bets[-1]["bettor"]} for bet in beside]
        # Only who has a seat may make the others.
        bets += [
            {"bet": name, "stake": STAKE, "bettor": PLAYERS[0]}
            for name in offered
            if name not in anywhere
        ]
        return bets

    def free_options(self, context: ModelContext) -> list[Options]:
        """Return those of other tables, and a jackpot as the vendor declares it."""
        plain = self.options(context)
        offered: Any = context.offer.options.get("offered", [])
        seated = {*offered} - {*context.offered_anywhere}
        if not context.can_happen(context.arrival[0]) or not seated:
            return plain
        jackpots: list[Any] = [
            {"modality": jackpot.modality, "accumulated": _ACCUMULATED, "fixed": jackpot.fixed}
            for jackpot in context.offer.jackpots or ()
            if jackpot.fixed and jackpot.percentage is None
        ]
        return [
            *plain,
            *({**plain[0], "offered": list(offered), JACKPOT: jackpot} for jackpot in jackpots),
        ]

    def select_bets(self, bets: Bets, new: list[int]) -> Bets:
        return [bet for at, bet in enumerate(bets) if at in new or at < len(PLAYERS)]

    def play(self, model: TableModel, rounds: list[tuple[Outcome, Bets]]) -> None:
        model.arrive(PLAYERS[0], SPOTS[0])
        _play_rounds(model, rounds)


_LINE_TABLES: Final[dict[type[Kit], type[PrizeLineTable]]] = {
    PieceSet: _PieceLines,
    Duel: _SeatLines,
    CroupierAndPlaces: _PlaceLines,
    PlayerAndBanker: _PlayerAndBankerLines,
}


def find_line_table(context: ModelContext) -> PrizeLineTable:
    """Return what is particular to the tables of a game at which one outcome decides a round."""
    rules: Any = context.oracle.game(context.game)
    return _LINE_TABLES[type(rules.kit)]()
