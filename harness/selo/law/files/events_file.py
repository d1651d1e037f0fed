"""Model of ``events.yaml``: the events of a round, their fields, and the options of a table."""

from __future__ import annotations

import enum
from typing import Final

from selo.law.files.provision_file import ClosedRecord
from selo.text import Words

#: Prefix by which a condition names a field of the event that opened a phase of the round.
OPENING = "opening_"


class ValueKind(enum.StrEnum):
    """The kinds of value that a field or an option may have."""

    TEXT = "text"
    NUMBER = "number"
    YES_NO = "yes-no"
    TEXTS = "texts"
    NUMBERS = "numbers"


class EventOrigin(enum.StrEnum):
    """Where an event comes from."""

    #: It happens at the table.
    TABLE = "table"
    #: Somebody asks for it, and the table accepts or refuses.
    ACT = "act"
    #: No log contains it: a rule gives this name to another event.
    NAME = "name"


class EventRole(enum.StrEnum):
    """What an event does to bets and rounds, whatever the law calls it."""

    # Of people.
    ARRIVES = "arrives"
    LAYS = "lays"
    WITHDRAWS = "withdraws"
    LOWERS = "lowers"
    RAISES = "raises"
    MOVES = "moves"
    #: Somebody who sees their hand lays the bet that has the name of the act, gives up the hand,
    #: or wants that bet back.
    GOES_ON = "goes-on"
    GIVES_UP = "gives-up"
    TAKES_BACK = "takes-back"
    # Of the table.
    OPENS = "opens"
    DEALS = "deals"
    #: What was dealt goes back and the bets stay.
    CANCELS = "cancels"
    VOIDS = "voids"
    PAYS = "pays"
    ENDS = "ends"


#: Roles of what is asked of the table, which accepts or refuses it; the others happen there.
ASKED_ROLES: Final = frozenset(
    {
        EventRole.LAYS, EventRole.WITHDRAWS, EventRole.LOWERS, EventRole.RAISES, EventRole.MOVES,
        EventRole.GOES_ON, EventRole.GIVES_UP, EventRole.TAKES_BACK,
    }
)  # fmt: skip
#: What changes a stake that lies.
STAKE_CHANGES: Final = frozenset({EventRole.LOWERS, EventRole.RAISES, EventRole.MOVES})


class ComputedField(enum.StrEnum):
    """What the judge of a round computes from the rules and adds to an event."""

    #: What could be bet on and wins.
    WINNING_BETS = "winning-bets"
    #: What was bet on and wins.
    WINNING_BETS_LAID = "winning-bets-laid"


class EventField(ClosedRecord, frozen=True):
    """A piece of what the log says of an event."""

    id: str
    kind: ValueKind
    words: Words
    values: list[str] = []
    #: Whether it varies from round to round although the outcome is the same: where a card is put.
    varies: bool = False
    #: What a text means where an event leaves it out; without one, leaving it out says nothing.
    default: str = ""


class TableOption(ClosedRecord, frozen=True):
    """Something a table declares before the first round, and what holds if it does not."""

    id: str
    kind: ValueKind
    default: str
    words: Words
    values: list[str] = []
    #: Whether the number is an amount of money.
    amount: bool = False


class Event(ClosedRecord, frozen=True):
    """Something that happens in a round, or that somebody asks for."""

    id: str
    by: EventOrigin
    words: Words
    fields: list[str] = []
    #: Fields that may be left out.
    optional: list[str] = []
    #: Fields that no vendor tells: conditions compare with them what is told.
    computed: dict[str, ComputedField] = {}
    #: Whether it returns the stakes of a round that is void.
    returns_stakes: bool = False
    #: Whether the table's next outcome is settled with it: the first card, the dice that are cast.
    fixes_outcome: bool = False
    #: Whether it comes or not although the outcome is the same.
    varies: bool = False
    role: EventRole | None = None


class Declaration(ClosedRecord, frozen=True):
    """Something that a vendor declares of all its tables, once and for all."""

    id: str
    kind: ValueKind
    words: Words
    values: list[str] = []
    #: Whether the number is an amount of money.
    amount: bool = False


class EventsFile(ClosedRecord, frozen=True):
    """All events of one game, and what is declared of its tables."""

    fields: list[EventField]
    events: list[Event]
    options: list[TableOption] = []
    declarations: list[Declaration] = []

    def name_of(self, role: EventRole) -> str | None:
        """Return the event of a role, or nothing if the game has none."""
        return next((event.id for event in self.events if event.role is role), None)

    def roles(self) -> dict[str, EventRole]:
        """Return the roles of the events that have one, by id."""
        return {event.id: event.role for event in self.events if event.role is not None}
