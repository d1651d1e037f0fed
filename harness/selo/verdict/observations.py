"""Observations of one provision: by the program in each way of verification, and by people."""

from __future__ import annotations

import datetime as dt
import enum
from typing import TYPE_CHECKING

from selo.law.files.provision_file import ClosedRecord, Way
from selo.text import Words

if TYPE_CHECKING:
    from selo.law import LocatedProvision
    from selo.law.status import Status


class NotOffered(enum.StrEnum):
    """What the vendor does not offer, so that nothing could be asked."""

    GAME = "game"
    METHOD = "method"
    BET = "bet"
    OPTION = "option"
    #: Outcomes that are given in advance, and events that are staged.
    FORCING = "forcing"
    EVENT = "event"
    #: An optional field of an event that the vendor does not tell.
    UNTOLD = "untold"
    #: The vendor does not declare of its tables what the law asks for.
    DECLARATION = "declaration"
    #: Cases that state what lies behind them.
    HISTORY = "history"
    #: The vendor declares that its product cannot do it.
    CANNOT = "cannot"
    #: A settlement does not tell it.
    TOLD = "told"
    #: An exact amount stands where the law followed makes it whole.
    ROUNDING = "rounding"
    #: The adapter works it out, or copies it.
    VIA = "via"
    #: The product takes no stake above its declared largest, or none between its declared steps.
    LARGEST_STAKE = "largest-stake"
    STAKE_STEP = "stake-step"


class MissingOffer(ClosedRecord, frozen=True, order=True):
    """One thing that the vendor does not offer, by the name that the protocol gives it."""

    kind: NotOffered
    name: str
    #: Of an option, the value that is not offered; of an event, the field that is not told.
    value: str = ""


class ReadingAdherence(ClosedRecord, frozen=True):
    """How the answers fit the readings of one open point, over all cases that tell them apart."""

    divergence: str
    cases: int
    #: For each reading, how many of those cases were answered as it would have them.
    fits: dict[str, int]

    def __post_init__(self) -> None:
        if self.cases < 1 or not all(0 <= times <= self.cases for times in self.fits.values()):
            msg = f"{self.divergence}: {self.fits} cannot be counted over {self.cases} cases"
            raise ValueError(msg)

    @property
    def times(self) -> int:
        """Number of cases that follow the best-fitting reading."""
        return max(self.fits.values(), default=0)

    @property
    def readings(self) -> tuple[str, ...]:
        """The reading that the vendor follows; several if they fit equally well."""
        best = self.times
        return tuple(sorted(name for name, times in self.fits.items() if times == best > 0))

    @property
    def consistent(self) -> bool:
        """Whether one reading explains every answer."""
        return self.times == self.cases

    def always_follows(self, reading: str) -> bool:
        """Return whether every answer follows `reading`."""
        return self.fits.get(reading, 0) == self.cases


class Observation(ClosedRecord, frozen=True):
    """What the program observed of a provision in one way of verification."""

    cases: int = 0
    #: Cases whose expected outcome would change under a mutant of the provision.
    decisive: int = 0
    #: The decisive cases that must have been answered rightly before the provision conforms.
    required: int = 1
    #: What the cases need and the vendor does not offer. If no case is decisive, nothing that
    #: would decide is offered; if some are, a part is missing.
    not_offered: tuple[MissingOffer, ...] = ()
    #: Ids of findings: answers that contradict every reading of the law.
    findings: tuple[str, ...] = ()
    #: Ids of findings that the adopted reading forbids and another would allow.
    against: tuple[str, ...] = ()
    #: Ids of findings of other provisions in which a change of this one can have had a part.
    hidden: tuple[str, ...] = ()
    #: Readings that the answers reveal on open points.
    followed: tuple[ReadingAdherence, ...] = ()
    #: Ids of faults of the adapter in cases about this provision.
    faults: tuple[str, ...] = ()
    #: What the vendor declared, so that deciding cases were put and not answered.
    withheld: tuple[MissingOffer, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.decisive <= self.cases:
            msg = f"{self.decisive} of {self.cases} cases cannot be decisive"
            raise ValueError(msg)


class TextStatus(enum.StrEnum):
    """Whether the text of a provision was the law on the day asked for."""

    LAW = "law"
    #: It was not, or not certainly, and is applied as stored because somebody asked for that.
    AS_STORED = "as-stored"
    #: What is known leaves it open.
    OPEN = "open"
    NOT_LAW = "not-law"


def judge_text(status: Status, *, as_stored: bool) -> TextStatus:
    """Return whether a text was the law on a day, or is applied as stored."""
    if status.is_law:
        return TextStatus.LAW
    if as_stored:
        return TextStatus.AS_STORED
    return TextStatus.OPEN if status.is_open else TextStatus.NOT_LAW


class EntryTrust(enum.StrEnum):
    """How far an entry of a form can be relied on."""

    INCOMPLETE = "incomplete"
    SINGLE = "single-signed"
    EXPIRED = "expired"
    VALID = "valid"


class WitnessAnswer(enum.StrEnum):
    """What a person saw."""

    MET = "met"
    NOT_MET = "not-met"


class Person(ClosedRecord, frozen=True):
    """Somebody who signs, by name and number."""

    name: str = ""
    number: str = ""


class Photo(ClosedRecord, frozen=True):
    """A photograph by the name of its file and its digest."""

    file: str
    sha256: str


class Witness(ClosedRecord, frozen=True):
    """What a person says of a provision."""

    provision: str
    signed: EntryTrust
    result: WitnessAnswer | None
    observation: str = ""
    examiner: Person = Person()
    second: Person = Person()
    date: dt.date | None = None
    place: str = ""
    valid_until: dt.date | None = None
    photos: tuple[Photo, ...] = ()
    #: SHA-256 of the form that it stands in.
    form: str = ""


class ProvisionObservations(ClosedRecord, frozen=True):
    """All observations of one provision."""

    provision: str
    #: The ways of verification of the law file, the main one first.
    ways: tuple[Way, ...]
    looks: dict[Way, Observation] = {}
    witnesses: tuple[Witness, ...] = ()
    #: The law file's explanation of how it can be verified.
    because: Words | None = None
    #: Why the provision does not apply to this product, such as a lawful alternative.
    left_out: str | None = None
    #: The open point and its adopted reading under which the provision has no effect.
    idle: tuple[str, str] | None = None
    #: Whether its text was the law on the day asked for, and what is known of that day.
    text: TextStatus = TextStatus.LAW
    status: Words | None = None


def unobserved(located: LocatedProvision) -> ProvisionObservations:
    """Return a provision without observations."""
    provision = located.provision
    return ProvisionObservations(
        provision=located.id,
        ways=(provision.verified_by, *provision.also),
        because=provision.because,
    )
