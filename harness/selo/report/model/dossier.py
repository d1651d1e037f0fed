"""Model of the dossier: what only people know of an examination (issuer, client, place, dates).

A dossier is a YAML file that a laboratory fills in. A field left out is empty, and a certificate
is refused if a field that it requires is empty.
"""

from __future__ import annotations

import datetime as dt
import enum
import re
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

from selo.law.files.provision_file import ClosedRecord
from selo.law.status import MACAU
from selo.text import Words, user_error
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from pathlib import Path

#: Text in each language, or once if it is the same in all.
DossierText = Words | str
#: The page of a document on the web; a QR code has room for so much.
DocumentAddress = Annotated[str, msgspec.Meta(pattern=r"^(https?://\S{1,240})?$")]
#: The time zone in which days are stated where a dossier names no other.
MACAU_ZONE: Final = MACAU.tzname(None)

_UTC_OFFSET: Final = re.compile(
    r"UTC(?:(?P<sign>[+-])(?P<hours>[01]\d|2[0-3]):(?P<minutes>[0-5]\d))?"
)


class DocumentKind(enum.StrEnum):
    """What a document is; none can be mistaken for another."""

    #: A vendor's own run.
    PRE_CHECK = "pre-check"
    #: Any result.
    TEST_REPORT = "test-report"
    #: Nothing is open, and everything a laboratory must say is said.
    CERTIFICATE = "certificate"


class Body(ClosedRecord, frozen=True):
    """A laboratory, an authority or a client."""

    name: str = ""
    address: str = ""
    contact: str = ""
    #: Accreditation of a laboratory, licence of a client.
    licence: str = ""


class ProductPart(ClosedRecord, frozen=True):
    """A part of the product with its own version: engine, client, random source, pay table."""

    name: DossierText
    version: str


class Opinion(ClosedRecord, frozen=True):
    """What somebody thinks, marked as such."""

    says: Words
    basis: str
    by: str


class DossierSignatory(ClosedRecord, frozen=True):
    """A natural person who signs in a capacity; the first is the laboratory's."""

    name: str
    capacity: Words
    role: Literal["laboratory", "bureau"] = "laboratory"


class ReceivedItem(ClosedRecord, frozen=True):
    """The item as it came."""

    on: dt.date | None = None
    condition: DossierText = ""
    #: Which edition of the product it is, and the number under which its maker sells it.
    variant: DossierText = ""
    part_number: str = ""
    parts: list[ProductPart] = []
    platform: DossierText = ""
    built_from_source: DossierText = ""
    #: The vendor's declaration that the tested build equals the delivered one.
    equals_delivery: DossierText = ""
    #: How the test application differs from what is delivered.
    test_differences: DossierText = ""
    languages: DossierText = ""


class Dossier(ClosedRecord, frozen=True):
    """Everything about a document that the examination cannot know."""

    kind: DocumentKind = DocumentKind.PRE_CHECK
    demonstration: bool = False
    number: str = ""
    revision: int = 1
    supersedes: str = ""
    scheme: Words | None = None
    issuer: Body = Body()
    client: Body = Body()
    recipients: list[str] = []
    place: str = ""
    item: ReceivedItem = ReceivedItem()
    issued: dt.date | None = None
    valid_until: dt.date | None = None
    time_zone: str = ""
    opinions: list[Opinion] = []
    conditions: list[Words] = []
    #: Limitations of the document, besides those that every document states.
    limits: list[Words] = []
    known_issues: list[str] = []
    #: Where the public can check whether the document was amended, suspended or revoked.
    register: DossierText = ""
    #: The address of the page of this document, for its QR code; `{number}` is its number.
    page: DocumentAddress = ""
    #: How long the issuer keeps the evidence.
    retention: DossierText = ""
    signatories: list[DossierSignatory] = []
    #: Who adopts the readings of this examination where the ruling itself does not say.
    rulings_by: str = ""
    #: Where the commitment to the seed was published before the examination, and when.
    commitment_published: str = ""
    #: The house edge that the vendor declares, by game and bet, as 0.0277 or 2.77%.
    declared_edges: dict[str, dict[str, str]] = {}

    def zone(self) -> dt.timezone:
        """Return the time zone in which dates are stated."""
        match = _UTC_OFFSET.fullmatch(self.time_zone or MACAU_ZONE)
        if match is None:
            raise user_error("time-zone", given=self.time_zone)
        if match["hours"] is None:
            return dt.UTC
        offset = dt.timedelta(hours=int(match["hours"]), minutes=int(match["minutes"]))
        return dt.timezone(-offset if match["sign"] == "-" else offset)


def read_dossier(path: Path) -> Dossier:
    """Return the dossier in `path`, or raise with the line of every error.

    A house edge that is left empty is not declared.
    """
    dossier = read_yaml(path).convert(Dossier)
    edges = {
        game: {bet: edge for bet, edge in declared.items() if edge.strip()}
        for game, declared in dossier.declared_edges.items()
    }
    return msgspec.structs.replace(dossier, declared_edges=edges)
