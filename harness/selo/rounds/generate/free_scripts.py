"""Generates scripts of free rounds: nothing is forced, so the table draws every outcome itself.

Bets are chosen from the seed before any outcome is known, of every kind and choice that the vendor
offers, with stakes, players and tickets that no other script has. Some tables have one round with
one bet, so that a difference can be shown by little; at others players stay for several rounds, and
at a few for many. Some declare limits of stakes, and some bets are changed after they were placed.
At some sit regular guests: they lay chips, lay the same again in every round, and come again.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final, cast

from selo.cases.group import STAKE
from selo.protocol.schema import FORCE, game_words
from selo.rounds.generate.bet_changes import change_bets
from selo.rounds.generate.closing_acts import add_closing_acts
from selo.rounds.generate.dice_table_models import LIMIT_OPTIONS
from selo.rounds.generate.forced_outcomes import SPOTS, OutcomeGenerator
from selo.rounds.generate.prize_line_scripts import find_line_table
from selo.rounds.generate.table_model import PLAYERS, ModelContext, TableModel
from selo.rounds.generate.thrown_bets import ThrownBets, is_open_at_first
from selo.rounds.script import PLAYER, Script, describe_lacking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases.oracle import Oracle
    from selo.law import Law
    from selo.protocol.messages import Offer
    from selo.rounds.generate.prize_line_scripts import PrizeLineTable
    from selo.table_values import Bet, Options, Outcome

    #: Names of players and tickets, by kind and by the name that they have here.
    _Names = dict[tuple[str, str], str]

FREE_GROUP: Final = "free"
_REASON: Final = "a table that draws its own outcomes"
#: How many rounds a table has at most, and bets a round.
_MAX_ROUNDS: Final = 5
_MAX_BETS: Final = 6
_MAX_STAKE: Final = 60
#: The first table, and one after each so many, has many rounds: one for each process that plays
#: them. With more of them fewer packs would be shuffled, and a weak shuffle would be seen less.
_LONG_EVERY: Final = 40
_LONG_ROUNDS: Final = (16, 28)
#: Dice have nothing to shuffle, and not every throw decides a bet.
_LONG_THROWS: Final = (24, 40)
_LONG_THROWS_EVERY: Final = 16
#: Bets of which some take turns in the rounds of a long table; more take longer to judge.
_MAX_BETS_OF_LONG: Final = 3
#: A small stake has at most this many units.
_MAX_UNITS: Final = 9
#: One table in this many declares limits, in which every stake lies.
_LIMITED_ONE_IN: Final = 4
_LIMITS: Final = dict(zip(LIMIT_OPTIONS, ("declared", 1, 10**12), strict=True))
#: People who bet where nobody needs a seat or another bet.
_CROWD: Final = (*PLAYERS, "lia", "noa", "ivo", "mei", "kai")
#: One stake in this many is not like the others; a large one has at most this many zeros more.
_UNUSUAL_ONE_IN: Final = 4
_MAX_ZEROS: Final = 5
_DOUBLINGS: Final = 6
#: One table in this many has regular guests, with so many bets at most. They lay so many hundreds.
_REGULAR_ONE_IN: Final = 4
_REGULAR_BETS: Final = (2, 6, 16)
_CHIPS: Final = (20, 50, 100, 200, 500, 1000, 5000)
#: One table in this many has one round with one bet.
_SMALLEST_ONE_IN: Final = 4
#: Throws that a table of craps has for each of its rounds, of which each is at least one throw.
_MAX_THROWS: Final = 12
#: What names consist of: letters and digits, digits alone as numbers of members, or anything.
_NAME_LETTERS: Final = (
    *(["abcdefghijklmnopqrstuvwxyz0123456789"] * 2),
    "0123456789",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_. 0123456789",
)
_NAME_LENGTHS: Final = (4, 11)
#: Fields of acts that name bets.
_TICKETS: Final = ("ticket", "to")


def generate_free_scripts(  # noqa: PLR0913 - all that they depend on
    law: Law, offer: Offer, oracle: Oracle, seed: str, rounds: int, *, regulars: bool = True
) -> list[Script]:
    """Return scripts with at least this many rounds of a game, none of them forced.

    Engines that knew no regular guests make the same plans without them.
    """
    game = offer.game
    if "table" not in offer.methods or not offer.bets:
        return []
    chance = random.Random(f"{seed}/{game}/{FREE_GROUP}")  # noqa: S311 - it repeats itself on purpose
    context = ModelContext(law=law, oracle=oracle, offer=offer)
    outcomes, words = OutcomeGenerator(law, oracle, game, chance), game_words(law, game)
    guests = _Guests(random.Random(f"{seed}/{game}/regulars")) if regulars else _Guests(None)  # noqa: S311 - the same
    tables = (
        _throwing_tables(context, chance, guests)
        if outcomes.is_throwing
        else _single_outcome_tables(context, outcomes, chance, guests)
    )
    limits = {name: value for name, value in _LIMITS.items() if name in words.options_known}
    limited = bool(limits) and all(name in offer.options for name in limits)
    scripts: list[Script] = []
    left = rounds
    for model, played in tables:
        acts = [act for act in model.acts if act["act"] != FORCE]
        if not outcomes.is_throwing:
            acts = change_bets(acts, context, chance)
        declared = limits if limited and not chance.randrange(_LIMITED_ONE_IN) else {}
        script = Script(
            game=game,
            options=cast("Options", {**model.options, **declared}),
            acts=_disguise(acts, chance, guests),
            group=FREE_GROUP,
            name=f"{FREE_GROUP}-{len(scripts) + 1}",
            reason=_REASON,
        )
        if describe_lacking(script, offer, words) is None:
            scripts.append(script)
        # A table that the vendor cannot open counts too, so that this always ends.
        left -= played
        if left <= 0:
            break
    return add_closing_acts(law, game, scripts)


class _Guests:
    """Who sits at the tables: now and then those who come again and lay the same again."""

    def __init__(self, chance: random.Random | None) -> None:
        #: Without a source of chance nobody comes again.
        self.chance = chance
        #: Whether the guests of the table that is being made are regular ones.
        self.are_regular = False
        self._names: _Names = {}

    def sit_down(self, *, alone: bool) -> bool:
        """Decide who sits at the next table; return whether they are regular guests."""
        self.are_regular = (
            not alone and self.chance is not None and not self.chance.randrange(_REGULAR_ONE_IN)
        )
        return self.are_regular

    def choose_most(self) -> int:
        """Return how many bets regular guests lay at most."""
        return self.chance.choice(_REGULAR_BETS) if self.chance is not None else 0

    def choose_chips(self, offer: Offer) -> int | None:
        """Return a stake of regular guests; none if these are others or may not lay it."""
        if self.chance is None or not self.are_regular:
            return None
        stake = STAKE * self.chance.choice(_CHIPS)
        return stake if offer.stake_limits.admits([2 * stake]) else None

    def known_names(self) -> _Names:
        """Return the names of those who sat at such a table before."""
        return dict(self._names) if self.are_regular else {}

    def remember(self, names: _Names) -> None:
        """Keep the names of regular guests; tickets are never used again."""
        if self.are_regular:
            self._names.update({key: name for key, name in names.items() if key[0] == PLAYER})


def _single_outcome_tables(
    context: ModelContext, outcomes: OutcomeGenerator, chance: random.Random, guests: _Guests
) -> Iterator[tuple[TableModel, int]]:
    """Yield tables at which one outcome decides every bet of a round, each with its rounds."""
    table: PrizeLineTable = find_line_table(context)
    choices = table.free_options(context)
    number = 0
    while choices:
        options = choices[number % len(choices)]
        is_long = number % _LONG_EVERY == 0
        number += 1
        smallest = not is_long and not chance.randrange(_SMALLEST_ONE_IN)
        # A stake that waits for another round needs no hand that was chosen before.
        count = 1 if smallest else chance.randint(1, _MAX_ROUNDS)
        if is_long:
            count = chance.randint(*_LONG_ROUNDS)
        regular = guests.sit_down(alone=smallest)
        most_bets = 1 if smallest else _MAX_BETS_OF_LONG if is_long else _MAX_BETS
        if regular and not is_long:
            most_bets = guests.choose_most()
        model = TableModel(context)
        model.options = dict(options)
        spots = chance.sample(SPOTS, len(SPOTS))
        rounds = []
        for _ in range(1 if regular else count):
            # Only where hands go is taken from this outcome.
            most = 1 if smallest or is_long else 3
            layout = outcomes.draw(sorted(spots[: chance.randint(1, most)]))
            bets = _choose_bets(
                table, context, options, layout, chance, most=most_bets, guests=guests
            )
            rounds.append((layout, bets))
        rounds *= count if regular else 1
        if all(bets for _, bets in rounds):
            table.play(model, rounds)
        yield model, len(rounds)


def _choose_bets(  # noqa: PLR0913 - all that bets depend on
    table: PrizeLineTable,
    context: ModelContext,
    options: Options,
    layout: Outcome,
    chance: random.Random,
    *,
    most: int,
    guests: _Guests,
) -> list[Bet]:
    """Return some of the bets that can be placed together, and what they need beside them."""
    every = table.bets(context, options, layout, chance)
    if not every:
        return []
    # More than usual is a full table.
    most = min(most, len(every))
    count = chance.randint(max(1, most - _MAX_BETS), most)
    chosen = table.select_bets(every, sorted(chance.sample(range(len(every)), count)))
    chosen = _mix_players(context, table.drop_free_bets(context, chosen, chance), most, chance)
    # Bets of one place or seat have one stake: a raise is as high as the ante.
    stakes: dict[Any, int] = {}
    for bet in chosen:
        spot = bet.get("place", bet.get("seat", id(bet)))
        stakes.setdefault(spot, _choose_stake(context.offer, chance, guests))
    return [{**bet, "stake": stakes[bet.get("place", bet.get("seat", id(bet)))]} for bet in chosen]


def _mix_players(
    context: ModelContext, bets: list[Bet], most: int, chance: random.Random
) -> list[Bet]:
    """Return bets of other people, or of some of them, where nobody needs a seat."""
    if any({"place", "seat"} & bet.keys() for bet in bets):
        return bets
    if len(context.main_bets) == len(context.rules):
        return [bet | {"bettor": chance.choice(_CROWD)} for bet in bets]
    # Whoever lays a bet that needs another one lays both.
    bettors = list({bet["bettor"]: None for bet in bets})
    stay = chance.sample(bettors, chance.randint(1, min(most, len(bettors))))
    return [bet for bet in bets if bet["bettor"] in stay]


def _choose_stake(offer: Offer, chance: random.Random, guests: _Guests) -> int:
    """Return a stake: mostly of whole hundreds, now and then one to the unit, or a large one."""
    chips = guests.choose_chips(offer)
    if chips is not None:
        return chips
    # Half of them are powers of two: some players double what they laid before.
    doubled = 2 ** chance.randrange(_DOUBLINGS)
    usual = STAKE * (doubled if chance.randrange(2) else chance.randint(1, _MAX_STAKE))
    step = offer.stake_limits.step
    uneven = usual + step * chance.randint(1, STAKE - 1)
    large = usual * 10 ** chance.randint(2, _MAX_ZEROS)
    small = step * chance.randint(1, _MAX_UNITS)
    stake = (uneven, large, small)[chance.randrange(3)]
    rare = not chance.randrange(_UNUSUAL_ONE_IN)
    # Twice as much is laid where half of it may be added later.
    return stake if rare and offer.stake_limits.admits([2 * stake]) else usual


def _throwing_tables(
    context: ModelContext, chance: random.Random, guests: _Guests
) -> Iterator[tuple[TableModel, int]]:
    """Yield tables at which bets may wait for several throws, each with its throws.

    A bet that is placed when it may not be, since the throws came otherwise, must be refused.
    """
    rules, added = context.all_rules, ThrownBets.of(context).added
    names = [name for name in context.offer.bets if name in rules and rules[name].added_to is None]
    first_names = [name for name in names if is_open_at_first(context, name)]
    number = 0
    while first_names:
        is_long = number % _LONG_THROWS_EVERY == 0
        number += 1
        smallest = not is_long and not chance.randrange(_SMALLEST_ONE_IN)
        regular = guests.sit_down(alone=smallest)
        model = TableModel(context)
        throws = 1 if smallest else chance.randint(2, _MAX_THROWS)
        if is_long:
            throws = chance.randint(*_LONG_THROWS)
        placed: list[Any] = []
        for throw in range(throws):
            count = 1 if smallest or not throw else chance.randint(0, 2)
            for at in range(count):
                name = chance.choice(names if throw or at else first_names)
                domain = rules[name].domain
                choice = {} if domain is None else {"choice": chance.choice(list(domain))}
                stake = 2 * _choose_stake(context.offer, chance, guests)
                bet: Any = {
                    "bet": name, **choice, "stake": stake,
                    "bettor": chance.choice(_CROWD[:2] if regular else _CROWD),
                }  # fmt: skip
                if regular and placed:
                    bet = {name: placed[0][name] for name in placed[0].keys() - {"ticket"}}
                model.place_bet(bet)
                placed.append({**bet, "ticket": f"t{model.tickets}"})
            bases = [bet for bet in placed if added.get(bet["bet"]) in context.rules]
            if throw and bases and chance.randrange(2):
                base = chance.choice(bases)
                placed.remove(base)
                model.place_bet(
                    {
                        "bet": added[base["bet"]], "stake": base["stake"] // 2,
                        "bettor": base["bettor"],
                    },
                    to=base["ticket"],
                )  # fmt: skip
            model.proceed()
        yield model, throws


def _disguise(
    acts: Sequence[dict[str, Any]], chance: random.Random, guests: _Guests
) -> list[dict[str, Any]]:
    """Return acts with players and tickets of other names, from which nothing can be guessed."""
    names = guests.known_names()

    def rename(kind: str, name: Any) -> Any:
        if not isinstance(name, str):
            return name
        while (kind, name) not in names:
            letters, length = chance.choice(_NAME_LETTERS), chance.randint(*_NAME_LENGTHS)
            drawn = "".join(chance.choices(letters, k=length)).strip() or letters
            if drawn not in names.values():
                names[kind, name] = drawn
        return names[kind, name]

    def disguised(fields: dict[str, Any]) -> dict[str, Any]:
        plain = dict(fields)
        if PLAYER in plain:
            plain[PLAYER] = rename(PLAYER, plain[PLAYER])
        for field in _TICKETS:
            if field in plain:
                plain[field] = rename("ticket", plain[field])
        if isinstance(plain.get("event"), dict):
            plain["event"] = disguised(plain["event"])
        return plain

    found = [disguised(act) for act in acts]
    guests.remember(names)
    return found
