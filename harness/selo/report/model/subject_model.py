"""Model of the test: the item, the instruments in scope, and the method."""

from __future__ import annotations

import datetime as dt
from typing import Any

from selo.law.files.provision_file import ClosedRecord
from selo.report.model.dossier import DossierText, ProductPart
from selo.text import Text, Words
from selo.verdict.rulings import RecordedRuling


class FileRecord(ClosedRecord, frozen=True):
    """A file of the product, hashed before and after."""

    path: str
    sha256: str
    #: Not known where the vendor is reached over HTTP.
    size: int | None = None
    sha1: str | None = None
    #: Whether it was the same at the end.
    unchanged: bool = True
    #: Whether we hashed it ourselves; otherwise its vendor says so.
    hashed: bool = True


class ItemRecord(ClosedRecord, frozen=True):
    """What was tested, as its vendor declares it."""

    vendor: str
    contact: str
    product: str
    version: str
    files: list[FileRecord]
    currency: str
    decimals: int
    #: How prizes and commission are rounded.
    rounding: dict[str, str]
    random: str | None
    #: What people say of the item, from its variant and the number of its maker to its languages.
    variant: DossierText = ""
    part_number: str = ""
    parts: list[ProductPart] = []
    platform: DossierText = ""
    received: dt.date | None = None
    condition: DossierText = ""
    built_from_source: DossierText = ""
    equals_delivery: DossierText = ""
    test_differences: DossierText = ""
    languages: DossierText = ""


class OfferLine(ClosedRecord, frozen=True):
    """One thing that is offered or declared, in words."""

    what: Words
    value: Words


class OfferedGameRecord(ClosedRecord, frozen=True):
    """One game as the vendor offers it."""

    game: str
    name: Words
    methods: list[str]
    bets: list[str]
    options: dict[str, Any]
    forces: bool
    #: What the vendor declares of its tables: layout, faces, jackpots, authorisations and others.
    declared: dict[str, Any] = {}
    #: All of this in words.
    said: list[OfferLine] = []


class NotOfferedGame(ClosedRecord, frozen=True):
    """What the vendor does not offer of one game, or that it does not offer the game."""

    game: str
    name: Words
    #: Nothing where the whole game is not offered.
    offered: bool
    things: list[Words]
    #: How many provisions in scope are not examined for it, or only in part.
    provisions: int


class Norm(ClosedRecord, frozen=True):
    """An instrument in scope, and how its stored words stand on the day of the law."""

    instrument: str
    game: str
    name: Words
    citation: Text
    regulation: Text
    gazette: Text
    languages: list[str]
    authentic: list[str]
    #: ``no-later-act``, ``amended``, ``revoked`` or ``not-yet``.
    standing: str
    certain: bool
    #: Whether all its articles were the law on that day, as far as is known.
    is_law: bool
    #: The same in words.
    status: Words
    #: SHA-256 over the words of the instrument.
    digest: str
    #: Parts of which we do not hold the words.
    not_held: list[Words]
    #: By what it was amended or revoked.
    by: Text | None = None
    #: The last day up to which later acts are known, if the day of the law lies after it.
    known_until: dt.date | None = None
    #: Why the stored words are held to be of this act, where they do not say so themselves.
    attributed: Words | None = None
    #: The permission of the authority to apply the text as stored, by its number.
    permitted_by: str = ""


class GroupRecord(ClosedRecord, frozen=True):
    """Cases of the plan that belong together."""

    game: str
    name: str
    reason: Words
    cases: int
    complete: bool


class AdoptedReading(ClosedRecord, frozen=True):
    """A reading that was taken for the law, by whom, and where that comes from."""

    divergence: str
    reading: str
    #: The question that it answers.
    question: Words
    says: Words
    source: str
    by: str
    on: dt.date | None
    #: Whether a case of settlement or of order that was put would be judged otherwise under
    #: another reading. Of the steps of rounds this is not computed.
    decides: bool


class Seed(ClosedRecord, frozen=True):
    """What chose the cases that were drawn at random."""

    number: int
    #: Published before the run; then the seed that it binds, revealed.
    commitment: str | None
    revealed: str | None
    #: A timestamp token over the commitment (RFC 3161), as base64.
    token: str | None = None
    #: Where the commitment was published before the run, as people say.
    published: str = ""


class Method(ClosedRecord, frozen=True):
    """How it was tested: by which tool, against which edition, with which cases."""

    selo: str
    protocol: str
    spec_digest: str
    #: SHA-256 over everything that determines the plan.
    plan: str
    as_of: dt.date
    #: Whether the stored text was applied also where it was not the law on that day.
    text_as_stored: bool
    budget: str
    seed: Seed
    tool: dict[str, str]
    #: Whether the vendor was kept from network and files.
    confinement: dict[str, bool]
    groups: list[GroupRecord]
    adopted: list[AdoptedReading]
    #: Only these provisions were asked for; all where there is none.
    provisions: list[str]
    #: How the vendor was started, without the folders of the machine.
    vendor_command: str
    #: What was not tried, and why.
    left_out: list[str]
    #: The vendor's adapter, where the command names one of its files.
    adapter: FileRecord | None = None
    #: The vendor's folder as seen from where the run was begun; nothing if it lay elsewhere.
    within: str | None = None
    #: The file in that folder which the command starts, declared or not.
    starts: str | None = None
    #: The system on which it ran.
    environment: dict[str, str] = {}
    #: How often the vendor broke down and was started again, and the run was resumed.
    restarts: int = 0
    resumed: int = 0
    #: The commit of Selo, as the log of the run names it; nothing if that is not known.
    commit: str | None = None
    #: Files that the vendor opened in its folder without declaring them; none if not watched.
    undeclared: list[str] | None = None
    #: The certificate from which full examinations are carried over; nothing if none are.
    predecessor: str | None = None
    #: Wrong answers to the canonical set; none if it was not asked.
    canonical_wrong: int | None = None
    #: Rulings by which nothing was examined.
    recorded: list[RecordedRuling] = []
    #: How the product was reached: ``process``, ``object`` or ``server``.
    reached: str = ""
    #: The files that the command started, by their paths in the vendor's folder.
    started: list[str] = []
    #: The number of the engine that judged; 0 before engines had numbers.
    engine: int = 0
    #: SHA-256 over the law files of the edition, which travel with the document.
    edition: str = ""


class CountRecord(ClosedRecord, frozen=True):
    """How often one game was asked in one way."""

    game: str
    method: str
    cases: int
    right: int
    different: int
    silent: int
    faults: int
    #: Cases that the product cannot answer, as it declared.
    skipped: int = 0
