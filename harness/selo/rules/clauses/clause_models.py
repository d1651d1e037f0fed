"""The clauses a rule may consist of: one closed model each, told apart by their first word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.law.files.provision_file import ClosedRecord

if TYPE_CHECKING:
    from selo.law.loader import LocatedProvision

#: One name, or several.
Names = str | list[str]


class Clause(ClosedRecord, frozen=True, kw_only=True):
    """What every clause may say: under which readings it holds."""

    under: dict[str, str] = {}


class Equipment(Clause, frozen=True, kw_only=True):
    """What the game is played with."""

    equipment: str
    dice: int | None = None
    cards: int | None = None


class Face(Clause, frozen=True, kw_only=True):
    """A face of a die: its figure, colour and number."""

    face: str
    number: int
    colour: str | None = None


class Table(Clause, frozen=True, kw_only=True):
    """Rows of a named table: values of cards, or things in descending order."""

    table: str
    rows: dict[str, int] | list[str | list[str]]


class Define(Clause, frozen=True, kw_only=True):
    """A name for something computed, of the whole outcome or of one hand."""

    define: str
    means: str
    of: str = "outcome"


class Bet(Clause, frozen=True, kw_only=True):
    """A bet that may be made: what is chosen, where it is placed, and when it wins."""

    bet: str
    choice: Names | None = None
    per: str | None = None
    wins: str | None = None
    stage: str | None = None
    added_to: str | None = None


class On(Clause, frozen=True, kw_only=True):
    """A result of bets that are declared elsewhere, and what it prevails over."""

    on: Names
    result: str
    when: str | None = None
    over: list[str] = []
    stage: str | None = None
    reconstructed: str | None = None


class Combination(Clause, frozen=True, kw_only=True):
    """A combination of cards with which a bet wins, in descending order; a prize names it."""

    combination: str
    wins: str
    when: str


class Excludes(Clause, frozen=True, kw_only=True):
    """Bets of which one bettor may lay only one kind: the one laid first is kept."""

    excludes: list[str]


class Prize(Clause, frozen=True, kw_only=True):
    """What a winning bet is paid, to one, stake apart."""

    prize: Names
    odds: str | None = None
    includes_stake: bool = False
    rate: str | None = None
    share: str | None = None
    combination: Names | None = None
    when: str | None = None


class Commission(Clause, frozen=True, kw_only=True):
    """What the house keeps of a prize."""

    commission: Names
    rate: str
    when: str | None = None


class Limit(Clause, frozen=True, kw_only=True):
    """What may not pass the stake of the bet an additional bet is added to, or of another."""

    limit: Names
    means: str = "prize"
    of: str | None = None


class Rounding(Clause, frozen=True, kw_only=True):
    """How an amount that is not whole becomes whole."""

    rounding: str
    to: str


class Manner(Clause, frozen=True, kw_only=True):
    """A way in which prizes are reckoned: ``odds`` to-one or for-one, ``lines`` one or added up."""

    manner: str
    means: str


class Needs(Clause, frozen=True, kw_only=True):
    """Another bet without which a bet is refused."""

    needs: Names
    beside: Names
    same: Names = []
    unless: str | None = None


class Rank(Clause, frozen=True, kw_only=True):
    """A line of a descending order of hands: its number, or a name if the law counts for us."""

    rank: str
    when: str
    key: list[str] = []
    name: str | None = None


class Tiles(Clause, frozen=True, kw_only=True):
    """A line of a descending order of pairs of tiles."""

    tiles: int
    pairs: list[list[str]] = []
    alike: str | None = None
    level: str | None = None


class Option(Clause, frozen=True, kw_only=True):
    """Something a table may use, perhaps only with the authority's permission."""

    option: str
    values: list[str] = []
    authorised: bool = False


class Declares(Clause, frozen=True, kw_only=True):
    """What a vendor declares of its tables: a number within bounds, names among others, faces."""

    declares: str
    exactly: int | None = None
    at_least: int | None = None
    #: A number, or the name of another thing that is declared.
    at_most: str | None = None
    among: list[str] = []
    #: The word of the clauses that say how each must be, and that there is no other: ``face``.
    like: str | None = None


class Shows(Clause, frozen=True, kw_only=True):
    """What the layout of a table shows: bets, ``*`` for all.

    ``combinations`` are all that the dice of the game can show.
    """

    shows: Names
    #: Only those of the bets that the vendor offers.
    offered: bool = False


class Authorisation(Clause, frozen=True, kw_only=True):
    """Options that need the authority's permission, and what becomes of asking for it."""

    authorisation: Names
    #: How many working days before it is used it must have been asked for; `clear` between both.
    ahead: int | None = None
    clear: bool = False
    #: Whether the authority must have answered before it is used.
    granted: bool = False


class Random(Clause, frozen=True, kw_only=True):
    """What comes out at random, all equally likely: ``faces`` of dice, the order of ``cards``."""

    random: str
    #: The options of the table under which it is this provision that asks for it.
    given: str | None = None


class Step(Clause, frozen=True, kw_only=True):
    """A constraint on the order of events in a round, or a name for some of them."""

    step: str
    event: Names
    before: Names = []
    after: Names = []
    until: Names = []
    times: str | None = None
    when: str | None = None
    given: str | None = None
    same: Names = []
    everywhere: Names = []
    by: Names = []
    descending: Names = []
    together: bool = False
    called: str | None = None


#: Each kind of clause by the word that it begins with.
KINDS: Final[dict[str, type[Clause]]] = {
    "equipment": Equipment,
    "face": Face,
    "table": Table,
    "define": Define,
    "bet": Bet,
    "on": On,
    "combination": Combination,
    "excludes": Excludes,
    "prize": Prize,
    "commission": Commission,
    "limit": Limit,
    "rounding": Rounding,
    "manner": Manner,
    "needs": Needs,
    "rank": Rank,
    "tiles": Tiles,
    "option": Option,
    "declares": Declares,
    "shows": Shows,
    "authorisation": Authorisation,
    "random": Random,
    "step": Step,
}
#: Clauses that only what a vendor declares can keep or break.
DECLARED: Final = (Declares, Shows, Authorisation)
#: Clauses that no settlement asks for.
UNSETTLED: Final = (Step, Random, *DECLARED)


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    """A clause and the provision it belongs to."""

    clause: Clause
    provision: str
    index: int


def clauses_of(held: LocatedProvision) -> list[tuple[int, dict[str, Any]]]:
    """Return the clauses of a provision as they are written, with their place in its rule."""
    rule = held.provision.rule
    if rule is None:
        return []
    return list(enumerate(rule if isinstance(rule, list) else [rule]))


def names(value: Names) -> list[str]:
    """Return one name or several, always as a list."""
    return [value] if isinstance(value, str) else list(value)
