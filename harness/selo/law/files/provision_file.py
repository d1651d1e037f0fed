"""Models of instruments, articles and provisions under ``specs/``."""

from __future__ import annotations

import datetime as dt
import enum
from typing import Any

import msgspec

from selo.gazette.force_words import Force
from selo.text import Text, Words

#: One place, or several in reading order.
WrittenPlaces = str | list[str]


class ClosedRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record that refuses unknown fields."""


class Unit(enum.StrEnum):
    """The kinds of citable unit."""

    ARTICLE = "article"
    NUMBER = "number"
    ALINEA = "alinea"
    SUBALINEA = "subalinea"
    MODALITY = "modality"
    ITEM = "item"
    NOTE = "note"
    PARAGRAPH = "paragraph"
    SENTENCE = "sentence"
    TABLE_HEAD = "table-head"
    ROW = "row"
    RANK = "rank"
    POINT = "point"
    SOLE_ARTICLE = "sole-article"


class Way(enum.StrEnum):
    """How a provision is verified."""

    EXAMINATION = "examination"
    PROCEDURE = "procedure"
    STATISTICS = "statistics"
    CONFIGURATION = "configuration"
    INSPECTION = "inspection"
    DEFINITION = "definition"
    NOT_TESTABLE = "not-testable"


class Confidence(enum.StrEnum):
    """How sure we are of a fact about an instrument."""

    SEED = "seed"
    PRIMARY = "primary"
    SECONDARY = "secondary"
    RECONSTRUCTED = "reconstructed"
    UNKNOWN = "unknown"


class Origin(ClosedRecord, frozen=True):
    """Where the words of each language stand in the sources."""

    pt: WrittenPlaces | None = None
    zh: WrittenPlaces | None = None

    def get(self, language: str) -> WrittenPlaces | None:
        """Return the places of `language`."""
        return self.pt if language == "pt" else self.zh


class Provision(ClosedRecord, frozen=True):
    """The smallest citable unit: its words, where they stand, how they are verified."""

    id: str
    unit: Unit
    text: Text
    source: Origin
    verified_by: Way
    also: list[Way] = []
    label: Text | None = None
    witness: Origin | None = None
    missing: dict[str, str] = {}
    because: Words | None = None
    #: What a person looks at, and how: the line of the witness form.
    look_at: Words | None = None
    rule: dict[str, Any] | list[dict[str, Any]] | None = None
    #: Whether it binds, forbids, permits, offers a choice or defines; read from its words if empty.
    force: list[Force] = []


class Article(ClosedRecord, frozen=True):
    """One file of an instrument."""

    article: str
    provisions: list[Provision]
    label: Text | None = None
    heading: Text | None = None
    source: Origin | None = None
    witness: Origin | None = None


class MatterKind(enum.StrEnum):
    """What stands around the articles."""

    ISSUER = "issuer"
    TITLE = "title"
    DATE = "date"
    RECITAL = "recital"
    ENACTING = "enacting"
    SIGNING = "signing"
    SIGNATURE = "signature"
    REGULATION_TITLE = "regulation-title"
    RULE_LINE = "rule-line"
    QUOTATION_MARK = "quotation-mark"


class Matter(ClosedRecord, frozen=True):
    """Words of the instrument that are not a provision."""

    kind: MatterKind
    text: Text
    source: Origin
    witness: Origin | None = None
    #: The id of a paragraph of the preamble, such as ``preamble/1``.
    id: str | None = None


class MatterFile(ClosedRecord, frozen=True):
    """All words of an instrument around its articles."""

    matter: list[Matter]


class Day(ClosedRecord, frozen=True):
    """A day as well as we know it: exactly when both ends are the same."""

    sure: Confidence
    not_before: dt.date
    not_after: dt.date
    note: Words | None = None


class Dates(ClosedRecord, frozen=True):
    """When the instrument was signed, published and came into force."""

    signed: Day
    published: Day
    in_force: Day


class Effect(enum.StrEnum):
    """What one act does to another."""

    #: The text of the named articles was replaced.
    AMENDED_BY = "amended-by"
    #: Something was added; the stored text is unchanged.
    ADDED_TO_BY = "added-to-by"
    REVOKED_BY = "revoked-by"
    #: An earlier act that this instrument changes or replaces.
    CHANGES = "changes"


class Link(ClosedRecord, frozen=True):
    """Another act in the chain of an instrument, and what it does to which articles."""

    act: Text
    effect: Effect
    day: Day
    articles: list[str]
    note: Words
    #: Whether it is unknown if the act changed these articles at all.
    perhaps: bool = False


class Languages(ClosedRecord, frozen=True):
    """The languages of publication, and which of them are authentic."""

    published: list[str]
    authentic: list[str]
    because: Words


class NotHeld(ClosedRecord, frozen=True):
    """A part of the instrument whose words we do not have."""

    part: Words
    articles: list[str]


class Gazette(ClosedRecord, frozen=True):
    """Where the instrument was published."""

    pt: str
    zh: str
    sure: Confidence


class Circumstance(ClosedRecord, frozen=True):
    """Something about a case that a product may be unable to do, and the condition for it."""

    id: str
    when: str
    words: Words


class Instrument(ClosedRecord, frozen=True):
    """A legal act: names, dates, languages, chain, and what we do not hold."""

    id: str
    number: str
    game: str
    name: Words
    citation: Text
    game_name: Words
    regulation: Text
    gazette: Gazette
    dates: Dates
    languages: Languages
    chain: list[Link]
    not_held: list[NotHeld]
    #: What a vendor may declare that its product cannot do.
    circumstances: list[Circumstance] = []
    #: By option, the numbers that cases try where the law leaves a number free.
    tries: dict[str, list[int]] = {}
    #: Why the stored words are held to be of this act, where they do not say so themselves.
    attributed: Words | None = None
    #: The last day up to which later acts are known; a day after it is beyond what is known.
    known_until: dt.date | None = None


class MissingFile(ClosedRecord, frozen=True):
    """What nobody has written yet after an intake of gazette pages."""

    #: Provisions without a rule and without another way of verifying them.
    rules: list[str]
    #: Entries of the register that were proposed and not decided.
    register: list[str] = []
    #: Fields of ``instrument.yaml`` that the pages do not say.
    facts: list[str] = []


class Statement(ClosedRecord, frozen=True):
    """Something we computed: never the words of the law."""

    id: str
    says: Words
    table: dict[str, Any] | None = None


class Reconstruction(ClosedRecord, frozen=True):
    """Material that stands in for law we do not hold. It has no text and no citation."""

    reconstructed: str
    instrument: str
    stands_for: list[str]
    sure: Confidence
    basis: Words
    statements: list[Statement]
