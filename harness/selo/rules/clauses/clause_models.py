"""The clauses of a rule: one closed model each, distinguished by their first word."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final

from selo.law.files.provision_file import ClosedRecord

if TYPE_CHECKING:
    from selo.law import LocatedProvision

#: One name, or several.
Names = str | list[str]
#: All bets, or all other provisions.
WILDCARD: Final = "*"
#: The beginning of a log, as `after` of a step may name it.
START: Final = "start"
#: What a limit may apply to.
LIMIT_KINDS: Final = ("prize", "refused", "stake")
#: The result of a bet that nothing decided: only a clause says what becomes of its stake.
VOID: Final = "void"
#: The result of a bet whose round gets its point; the bet stands.
POINT: Final = "point"
#: What may become of the stake of a void bet.
VOID_STAKES: Final = ("stays", "returned")


class Clause(ClosedRecord, frozen=True, kw_only=True):
    """A clause, and the readings under which it holds."""

    under: dict[str, str] = {}


class Equipment(Clause, frozen=True, kw_only=True):
    """What the game is played with."""

    equipment: str
    dice: int | None = None
    cards: int | None = None
    #: How many pieces show a face each.
    pieces: int | None = None
    #: How many packs the cards come from.
    packs: int | None = None


class FaceClause(Clause, frozen=True, kw_only=True):
    """A face of a die: its figure, colour and number."""

    face: str
    number: int
    colour: str | None = None


class FacesClause(Clause, frozen=True, kw_only=True):
    """Faces that are numbers: a range or a list, perhaps with a colour or a figure."""

    faces: Names
    colour: str | None = None
    figure: str | None = None
    #: By how many a number is counted off, so that its remainder is what counts.
    by: int | None = None

    def numbers(self) -> tuple[int, ...]:
        """Return the numbers: those of a range such as ``0–36``, or those listed."""
        if not isinstance(self.faces, str):
            return tuple(map(int, self.faces))
        first, dash, last = self.faces.partition("–")
        return tuple(range(int(first), int(last if dash else first) + 1))


class TableClause(Clause, frozen=True, kw_only=True):
    """Rows of a named table: values of cards, or things in descending order."""

    table: str
    rows: dict[str, int] | list[str | list[str]]


class Define(Clause, frozen=True, kw_only=True):
    """A name for a value computed from the whole outcome or from one hand."""

    define: str
    means: str
    of: str = "outcome"


class BetClause(Clause, frozen=True, kw_only=True):
    """A bet that may be made: what is chosen, where it is placed, and when it wins."""

    bet: str
    choice: Names | None = None
    per: str | None = None
    wins: str | None = None
    stage: str | None = None
    added_to: str | None = None

    def listed_choices(self) -> tuple[int | str, ...]:
        """Return the listed choices: numbers, names, or sums such as ``2 + 2`` for equal dice."""
        return tuple(
            sum(map(int, parts)) if all(part.strip().isdigit() for part in parts) else item
            for item in self.choice or ()
            for parts in [item.split("+")]
        )


class On(Clause, frozen=True, kw_only=True):
    """A result of bets that are declared elsewhere, and what it prevails over."""

    on: Names
    result: str
    #: What becomes of the stake of a void bet; every other result decides it.
    stake: str | None = None
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
    """What may not exceed the stake of the base bet of an additional bet, or of another bet."""

    limit: Names
    means: str = "prize"
    of: str | None = None


class Rounding(Clause, frozen=True, kw_only=True):
    """How an amount that is not whole becomes whole."""

    rounding: str
    to: str


class MannerClause(Clause, frozen=True, kw_only=True):
    """How prizes are computed: ``odds`` to-one or for-one, ``lines`` one or added up."""

    manner: str
    means: str

    @property
    def counts_odds(self) -> bool:
        """Whether it says how odds are counted, and so what becomes of the stake of a winner."""
        return self.manner == "odds"


class Needs(Clause, frozen=True, kw_only=True):
    """Another bet without which a bet is refused."""

    needs: Names
    beside: Names
    same: Names = []
    unless: str | None = None
    #: ``own-place``: a bet beside it that names no place lies at the place of its bettor.
    lying: str | None = None


class Single(Clause, frozen=True, kw_only=True):
    """Bets of which one may lie where the fields `same` are the same: the first is kept."""

    single: Names
    same: Names


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
    #: What a pair of the line counts, where the law says it.
    points: int | None = None


class Approves(enum.StrEnum):
    """What a permission is about, where it is not a value of the option itself."""

    #: The bets that are offered; the declared item of the same name.
    BETS = "bets"
    DECLARED = "declared"
    #: The amounts of the combinations of a jackpot, and its percentage.
    FIXED = "fixed"
    PERCENTAGE = "percentage"


class Option(Clause, frozen=True, kw_only=True):
    """An option of a table, perhaps only with the authority's permission."""

    option: str
    values: list[str] = []
    authorised: bool = False
    approves: Approves | None = None


class Declares(Clause, frozen=True, kw_only=True):
    """What a vendor declares of its tables: a number within bounds, names among others, faces."""

    declares: str
    exactly: int | None = None
    at_least: int | None = None
    #: A number, or the name of another declared item.
    at_most: str | None = None
    among: list[str] = []
    #: The word of the clauses that list all items and describe each: ``face``.
    like: str | None = None
    #: The combinations of a modality whose approved amounts are one and the same.
    alike: list[str] = []
    of: str | None = None


class Shows(Clause, frozen=True, kw_only=True):
    """What the layout of a table shows: bets, ``*`` for all.

    ``combinations`` are all that the dice of the game can show.
    """

    shows: Names
    #: Only those of the bets that the vendor offers.
    offered: bool = False


class AuthorisationClause(Clause, frozen=True, kw_only=True):
    """Options that need the authority's permission, and when it must be asked and granted."""

    authorisation: Names
    #: How many working days before it is used it must have been asked for; `clear` between both.
    ahead: int | None = None
    clear: bool = False
    #: Whether the authority must have answered before it is used.
    granted: bool = False


class RandomClause(Clause, frozen=True, kw_only=True):
    """What must be random and equally likely: ``faces`` of dice, the order of ``cards``."""

    random: str
    #: The options of the table under which this provision requires it.
    given: str | None = None


class StepClause(Clause, frozen=True, kw_only=True):
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
CLAUSE_KINDS: Final[dict[str, type[Clause]]] = {
    "equipment": Equipment,
    "face": FaceClause,
    "faces": FacesClause,
    "table": TableClause,
    "define": Define,
    "bet": BetClause,
    "on": On,
    "combination": Combination,
    "excludes": Excludes,
    "prize": Prize,
    "commission": Commission,
    "limit": Limit,
    "rounding": Rounding,
    "manner": MannerClause,
    "needs": Needs,
    "single": Single,
    "rank": Rank,
    "tiles": Tiles,
    "option": Option,
    "declares": Declares,
    "shows": Shows,
    "authorisation": AuthorisationClause,
    "random": RandomClause,
    "step": StepClause,
}
#: Clauses that the declarations of a vendor satisfy or violate.
DECLARATION_CLAUSES: Final = (Declares, Shows, AuthorisationClause)
#: Clauses that do not affect a settlement.
UNSETTLED_CLAUSES: Final = (StepClause, RandomClause, *DECLARATION_CLAUSES)
#: The field of each kind of clause that holds its condition, or the meaning of its word.
CONDITION_FIELDS: Final[dict[type[Clause], str]] = {
    Define: "means",
    BetClause: "wins",
    On: "when",
    Combination: "when",
    Prize: "when",
    Commission: "when",
    Rank: "when",
    StepClause: "when",
}


def conditions_of(clause: Clause) -> list[str]:
    """Return the expressions by which a clause applies, gives a meaning, or orders hands."""
    field = CONDITION_FIELDS.get(type(clause))
    text = None if field is None else getattr(clause, field)
    keys = clause.key if isinstance(clause, Rank) else []
    return [*([] if text is None else [text]), *keys]


def raw_clauses_of(held: LocatedProvision) -> list[tuple[int, dict[str, Any]]]:
    """Return the clauses of a provision as written in its file, each with its index."""
    rule = held.provision.rule
    if rule is None:
        return []
    return list(enumerate(rule if isinstance(rule, list) else [rule]))


def list_names(value: Names) -> list[str]:
    """Return one name or several as a list."""
    return [value] if isinstance(value, str) else list(value)
