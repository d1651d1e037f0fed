"""What the commands on the law print."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final, Literal

from selo.cli.schemas.output_model import Shape
from selo.law.files.divergence_register import Divergence
from selo.law.files.events_file import Event, EventField, TableOption
from selo.law.files.provision_file import Link, NotHeld, Way
from selo.law.ledger import Ledger, LedgerRow
from selo.text.multilingual import Text, Words


class Problem(Shape, frozen=True):
    """One thing wrong in a law file."""

    path: str
    line: int
    code: str
    problem: str
    hint: str


class LawCheck(Shape, frozen=True):
    """``selo law check``."""

    clean: bool
    spec_digest: str | None
    proven: list[str]
    problems: list[Problem]


class Standing(Shape, frozen=True):
    """How a text stands on a day."""

    as_of: dt.date
    standing: Literal["in-force", "amended", "revoked", "not-yet"]
    certain: bool
    stored_text_is_law: bool
    by: Text | None
    told: Words


class Listed(Shape, frozen=True):
    """One instrument of ``selo law list``."""

    id: str
    number: str
    game: str
    citation: Text
    game_name: Words
    languages: list[str]
    articles: list[str]
    provisions: int
    status: Standing
    status_by_article: dict[str, Standing]
    not_held: list[NotHeld]
    chain: list[Link]


class ListedProvision(Shape, frozen=True):
    """One provision of ``selo law list INSTRUMENT``."""

    id: str
    unit: str
    verified_by: Way


class LawShow(Shape, frozen=True):
    """``selo law show``."""

    provision: LedgerRow
    status: Standing


class LawSite(Shape, frozen=True):
    """``selo law site``."""

    folder: str
    pages: list[str]


class Citation(Shape, frozen=True):
    """How a provision is cited in full."""

    pt: str
    zh: str | None


class Reason(Shape, frozen=True):
    """One step of a derivation."""

    provision: str
    role: str
    condition: str | None
    citation: Citation | None


class Explain(Shape, frozen=True):
    """``selo explain``."""

    game: str
    outcome: dict[str, Any]
    #: Each bet as it was given, with result, prize, commission and derivation.
    bets: list[dict[str, Any]]
    other_readings: list[dict[str, Any]]


class Decided(Shape, frozen=True):
    """One reading besides the default, with the case that it decides, if it ever decides one."""

    game: str
    divergence: str
    reading: str
    default: str
    decisive: bool
    case: dict[str, Any] | None


class Step(Shape, frozen=True):
    """One step of a round that the law asks for."""

    key: str
    provision: str
    step: str
    event: list[str]
    after: list[str]
    before: list[str]
    until: list[str]
    times: Any
    when: str | None
    given: str | None
    same: list[str]
    everywhere: list[str]
    by: Any
    descending: list[str]
    together: bool
    called: Any
    under: dict[str, Any]
    required: Words | None


class Steps(Shape, frozen=True):
    """``selo steps``."""

    game: str
    options: list[TableOption]
    fields: list[EventField]
    events: list[Event]
    steps: list[Step]


class Figure(Shape, frozen=True):
    """The exact odds of one bet; fractions are written as 1/36."""

    bet: str
    choice: Any
    manner: str | None
    win: str
    push: str
    stands: str
    void: str
    lose: str
    edge: str | None
    edge_percent: str | None
    edge_decided: str | None
    staked: str
    ends: list[dict[str, Any]]
    notes: dict[str, str]


class GameOdds(Shape, frozen=True):
    """The odds of one game."""

    game: str
    packs: int | None
    rulings: dict[str, str]
    figures: list[Figure]
    other_readings: list[dict[str, Any]]


SHAPES: Final[dict[str, Any]] = {
    "law check": LawCheck,
    "law list": (list[Listed], list[ListedProvision]),
    "law show": LawShow,
    "law ledger": Ledger,
    "law divergences": list[Divergence],
    "law site": LawSite,
    "explain": Explain,
    "readings": list[Decided],
    "steps": Steps,
    "odds": list[GameOdds],
}
