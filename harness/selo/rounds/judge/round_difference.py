"""Differences between a played round and a lawful one."""

from __future__ import annotations

import enum
from typing import Any

import msgspec

from selo.table_values import Outcome
from selo.text import Words


class Manner(enum.StrEnum):
    """In which manner a round differs from a lawful one."""

    #: An event came that may not come there, or came without what must be before it.
    ORDER = "order"
    #: The table closed, and something required had not happened.
    MISSING = "missing"
    #: An act was accepted that must be refused.
    ACCEPTED = "accepted"
    #: An act was refused that must be accepted.
    REFUSED = "refused"
    #: A bet was settled otherwise than the law settles it.
    SETTLEMENT = "settlement"
    #: A bet was decided by the outcome, and not settled.
    UNSETTLED = "unsettled"
    #: A bet was won and no prize paid, or a prize was paid that was not won.
    PAYMENT = "payment"
    #: Events, outcome and settlements of the vendor contradict one another.
    CONTRADICTION = "contradiction"
    #: The outcome is not the one that was given in advance.
    OUTCOME = "outcome"
    #: An event is none of the game, or is not written as its events file says.
    EVENT = "event"
    #: An act that the protocol knows was answered with an error.
    UNREAD = "unread"
    #: A table that drew its own outcome behaves differently when the same outcome is forced.
    UNLIKE_FORCED = "unlike-forced"
    #: A table settles otherwise than the same bets and outcome as a case.
    UNLIKE_CASE = "unlike-case"

    @property
    def is_about_forcing(self) -> bool:
        """Whether a game behaves differently unless somebody forces its outcome."""
        return self in {Manner.UNLIKE_FORCED, Manner.UNLIKE_CASE}


class RoundDifference(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that a table did otherwise, and where."""

    manner: Manner
    #: The place of the act in the script; -1 for the opening, the number of acts for the closing.
    act: int
    #: The place of the event in the log, where it is one.
    event: int | None = None
    #: The provisions it is blamed on; none where only the protocol asks for it.
    provisions: tuple[str, ...] = ()
    #: The step that was not kept, and what it requires.
    constraint: str = ""
    required: Words | None = None
    #: The provisions from which it follows what was required, each with what it does there.
    reasons: tuple[tuple[str, str], ...] = ()
    ticket: str = ""
    expected: dict[str, Any] = {}
    observed: dict[str, Any] = {}
    #: The bet that was settled, where it is about one.
    bet: str = ""
    #: Readings of points without a ruling, under which it would be lawful.
    readings: tuple[tuple[str, str], ...] = ()
    #: The same of points on which another reading was adopted: it is against that ruling.
    against: tuple[tuple[str, str], ...] = ()
    #: The dice that lay on the table last, before it.
    shown: Outcome = {}
    #: Whether something at this table was wrong before: it may follow from that.
    consequence: bool = False

    @property
    def open(self) -> bool:
        """Whether some reading of the law makes it lawful."""
        return bool(self.readings)

    @property
    def lawless(self) -> bool:
        """Whether it breaks only the protocol: a fault of the adapter, not a finding."""
        return not self.provisions
