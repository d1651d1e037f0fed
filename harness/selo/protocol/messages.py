"""What travels between Selo and a vendor: the shape of every message of protocol 1.2.

Answers are closed where an unknown field could change their meaning, and open where it cannot.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from selo.json_numbers import LARGEST_INTEGER
from selo.table_values import Outcome, StakeLimits

VERSION: Final = "1.2"
#: The method that asks for outcomes of the vendor's random source.
DRAW: Final = "draw"
PACK_ORDER: Final = "pack"
MOST_IN_BATCH: Final = 512
MOST_DRAWN: Final = 10_000

#: Errors that an adapter may answer with, by what they mean.
NOT_JSON: Final = -32700
NOT_A_REQUEST: Final = -32600
NO_METHOD: Final = -32601
WRONG_PARAMS: Final = -32602
INTERNAL: Final = -32000
NOT_OFFERED: Final = -32001
CANNOT_FORCE: Final = -32002
NO_TABLE: Final = -32003

Whole = Annotated[int, Meta(ge=0, le=LARGEST_INTEGER)]
#: A number, from 1 on.
Positive = Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]
#: A numerator and a denominator. (A tuple of two here crashes msgspec 0.22 beside a bounded int.)
Parts = Annotated[list[Whole], Meta(min_length=2, max_length=2)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(max_length=2000)]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Version = Annotated[str, Meta(pattern=r"^1\.(0|[1-9][0-9]*)$")]
Rounding = Literal[
    "exact", "down", "up", "nearest", "pataca-down", "pataca-up", "pataca-nearest", "refuse"
]
#: An amount that may be negative.
Net = Annotated[int, Meta(ge=-LARGEST_INTEGER, le=LARGEST_INTEGER)]
NetParts = Annotated[list[Net], Meta(min_length=2, max_length=2)]
#: An amount of a settlement. A negative one, as after an overflow, is read in order to be judged.
Amount = Net | NetParts
#: The types of an amount, and how one is written as a text.
AMOUNT_TYPES: Final = (Amount, Net | NetParts)
FRACTION_PATTERN: Final = r"^-?[0-9]{1,16}/[0-9]{0,15}[1-9][0-9]{0,15}$"
Level = Literal["result", "net", "result-and-net", "full"]
Via = Literal["engine", "adapter", "copied"]
#: The part of an adapter that is the product itself.
ENGINE: Final = "engine"
#: The level at which everything is told.
FULL: Final = "full"
Result = Literal["win", "lose", "push", "stands", "void", "refused"]
Ability = Literal["settle", "compare", "table", "draw", "pack"]


class Open(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An object in which a field that we do not know does no harm."""


class Closed(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """An object in which a field that we do not know could change the meaning."""


# What the vendor declares.


class Vendor(Open, frozen=True, kw_only=True):
    """Who answers for the game."""

    name: Name
    contact: Text = ""


class Product(Open, frozen=True, kw_only=True):
    """What is examined."""

    name: Name
    version: Name


class File(Closed, frozen=True, kw_only=True):
    """A file of the product, by its path from the adapter's folder and its SHA-256."""

    path: Annotated[str, Meta(min_length=1, max_length=1000)]
    sha256: Digest


class Currency(Closed, frozen=True, kw_only=True):
    """The currency of all amounts, and the decimals of its smallest unit."""

    code: Annotated[str, Meta(pattern="^[A-Z]{3}$")]
    decimals: Annotated[int, Meta(ge=0, le=4)]


class Roundings(Closed, frozen=True, kw_only=True):
    """How the vendor rounds what cannot be paid as it is."""

    prize: Rounding
    commission: Rounding


class Random(Open, frozen=True, kw_only=True):
    """Where the vendor's outcomes come from."""

    source: Name
    seedable: bool = False


class Range(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"start": "from"}
):
    """All whole numbers from one to another, both included."""

    start: Whole
    to: Whole


class Face(Closed, frozen=True, kw_only=True):
    """A face of a die."""

    figure: Name
    colour: Name
    number: Whole


class Layout(Closed, frozen=True, kw_only=True):
    """What the layout of a table shows."""

    bets: list[Name]
    combinations: Whole | None = None


class Jackpot(Closed, frozen=True, kw_only=True):
    """A jackpot as the tables of the vendor have it."""

    modality: Name
    fixed: dict[Name, Whole] = {}
    percentage: Parts | None = None


class Authorisation(Closed, frozen=True, kw_only=True):
    """What the authority was asked to permit or approve, and when it did."""

    option: Name
    values: Annotated[list[Name], Meta(min_length=1)]
    document: Name
    used_from: dt.date
    asked: dt.date | None = None
    granted: dt.date | None = None
    working_days: list[dt.date] = []
    amounts: dict[Name, Whole] = {}
    percentage: Parts | None = None


class Offer(Closed, frozen=True, kw_only=True):
    """One game as the vendor offers it; what is not named here is not examined."""

    game: Name
    methods: Annotated[list[Ability], Meta(min_length=1)]
    bets: list[Name] = []
    options: dict[Name, Annotated[list[Name | Whole], Meta(min_length=1)] | Range] = {}
    forces: bool = False
    #: How this game rounds, where it differs from the others.
    rounding: Roundings | None = None
    happens: list[Name] = []
    #: What a settlement of this game tells.
    level: Level = FULL
    #: Who computes each bet and each method: what is not named, the product.
    via: dict[Name, Via] = {}
    #: Circumstances of the game's law in which the product cannot answer.
    cannot: list[Name] = []
    #: Whether cases may state what lies behind them: a stake that was held from an earlier round,
    #: cards that lie open, the history of a jackpot and the like. Others are never asked them.
    history: bool = False
    #: The largest stake of one bet that the product takes; nothing above it is asked.
    largest_stake: Positive | None = None
    #: The number of which every stake is a multiple.
    stake_step: Positive = 1
    #: What the vendor declares of its tables; nothing at all is never the same as none.
    declares: dict[Name, Whole | Name | Range] = {}
    faces: list[Face] | None = None
    layout: Layout | None = None
    jackpots: list[Jackpot] | None = None
    authorisations: list[Authorisation] | None = None

    @property
    def stake_limits(self) -> StakeLimits:
        """The stakes that may be asked."""
        return StakeLimits(largest=self.largest_stake, step=self.stake_step)


class Description(Open, frozen=True, kw_only=True):
    """Everything a vendor says of itself."""

    protocol: Version
    vendor: Vendor
    product: Product
    files: list[File]
    currency: Currency
    rounding: Roundings
    games: Annotated[list[Offer], Meta(min_length=1)]
    random: Random | None = None
    processes: Annotated[int, Meta(ge=1, le=64)] = 1


# What the vendor answers.


class Settlement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What becomes of one bet; `stake` is what goes back of it."""

    result: Result
    prize: Amount
    commission: Amount
    stake: Net


class Settled(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The answer to `settle`: one settlement for each bet, in the same order."""

    settlements: list[Settlement]


class ResultSettlement(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False
):
    """What becomes of one bet, at the level `result`."""

    result: Result


class NetSettlement(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False
):
    """What the bettor has more or less after one bet, at the level `net`."""

    net: Net | NetParts


class ResultAndNetSettlement(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False
):
    """Both, at the level `result-and-net`."""

    result: Result
    net: Net | NetParts


class SettledResults(Closed, frozen=True, kw_only=True):
    """The answer to `settle` at the level `result`."""

    settlements: list[ResultSettlement]


class SettledNets(Closed, frozen=True, kw_only=True):
    """The answer to `settle` at the level `net`."""

    settlements: list[NetSettlement]


class SettledResultsAndNets(Closed, frozen=True, kw_only=True):
    """The answer to `settle` at the level `result-and-net`."""

    settlements: list[ResultAndNetSettlement]


class Compared(Closed, frozen=True, kw_only=True):
    """The answer to `compare`: how the first hand ranks against the second."""

    order: Literal["higher", "lower", "equal"]
    #: What each hand counts, where the vendor tells it.
    hand_points: Annotated[list[Whole], Meta(min_length=2, max_length=2)] | None = None


class Skipped(Closed, frozen=True, kw_only=True):
    """The answer to `settle` or `compare` in a circumstance that was declared in `cannot`."""

    skipped: Name
    reason: Text = ""


class Happened(Closed, frozen=True, kw_only=True):
    """The answer to `table.open` and `table.close`."""

    events: list[dict[str, Any]]


class TicketSettlement(Closed, frozen=True, kw_only=True):
    """What became of a bet of a live round."""

    ticket: Name
    result: Result
    prize: Amount
    commission: Amount
    stake: Whole


class Acted(Closed, frozen=True, kw_only=True):
    """The answer to `table.act`."""

    answer: Literal["accepted", "refused"]
    events: list[dict[str, Any]]
    reason: Text = ""
    outcome: Outcome | None = None
    settlements: list[TicketSettlement] = []


class Drawn(Closed, frozen=True, kw_only=True):
    """The answer to `draw`, and to `pack`, whose outcomes are whole packs."""

    outcomes: list[Outcome]


class Ended(Open, frozen=True, kw_only=True):
    """The answer to `end`."""


#: Methods whose cases may be skipped.
SKIPPABLE: Final = frozenset({"settle", "compare"})
#: The shape of the result of each method.
RESULTS: Final[dict[str, type]] = {
    "describe": Description,
    "settle": Settled,
    "settle:result": SettledResults,
    "settle:net": SettledNets,
    "settle:result-and-net": SettledResultsAndNets,
    "compare": Compared,
    "table.open": Happened,
    "table.act": Acted,
    "table.close": Happened,
    "draw": Drawn,
    "pack": Drawn,
    "end": Ended,
}


def answer_form(method: str, level: Level) -> str:
    """Return under which name of `RESULTS` the answer to a method is, at a level."""
    return method if method != "settle" or level == FULL else f"{method}:{level}"


class Fault(Open, frozen=True, kw_only=True):
    """Why an adapter does not answer with a result."""

    code: Annotated[int, Meta(ge=-LARGEST_INTEGER, le=LARGEST_INTEGER)]
    message: str
    data: Any = None


class Request(msgspec.Struct, frozen=True, gc=False):
    """One request of ours."""

    id: str
    method: str
    params: Any
    jsonrpc: Literal["2.0"] = "2.0"


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer to any method, its result still unread."""

    jsonrpc: Literal["2.0"]
    id: Id | None
    result: msgspec.Raw | UnsetType = UNSET
    error: Fault | UnsetType = UNSET
