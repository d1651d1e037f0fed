"""Decides which provisions a certificate may carry over from an earlier one.

A provision is carried over only if all of this holds; whatever is unknown does not hold:

1. It is verified by questions. Draws, free rounds, declarations and witnesses are always looked at
   anew.
2. The earlier document is a certificate of the same product, by an examination of no smaller
   budget, was valid when the new run began, and says that the product conforms to the provision.
3. The engine is the same, or stated to be compatible.
4. Words, rule and open points of the provision are the same, and so are the adopted readings of its
   instrument.
5. The product answers the canonical set alike, as far as the provision accounts for it.
6. It was not carried over too often, nor examined in full too long ago.

The verdict itself is not taken from the earlier certificate: a fresh sample with a sealed seed is
judged as always. What is carried over is the extent of the full examination.
"""

from __future__ import annotations

import datetime as dt
import enum
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from selo.cases.group import BUDGETS
from selo.delta.provision_law import find_amended_provisions
from selo.examine.behaviour import CanonicalAnswers, CarriedProvision
from selo.examine.plan.group_selection import ASKED_WAYS, ways_of
from selo.report.model.dossier import DocumentKind
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.delta.change_policy import ChangePolicy
    from selo.examine.plan import Terms
    from selo.examine.run.evidence_header import Header
    from selo.law import Law, LocatedProvision
    from selo.protocol.messages import Description
    from selo.report.model.report_model import Report


class CarryObstacle(enum.StrEnum):
    """Why a provision has to be examined again."""

    NOT_ASKED = "not-asked"
    PRODUCT = "product"
    NOT_CERTIFIED = "not-certified"
    EXTENT = "extent"
    EXPIRED = "expired"
    ENGINE = "engine"
    LAW = "law"
    READINGS = "readings"
    NO_FINGERPRINT = "no-fingerprint"
    BEHAVIOUR = "behaviour"
    TIMES = "times"
    DAYS = "days"


@dataclass(frozen=True, kw_only=True)
class EarlierCertificate:
    """A document, its evidence and its law, all of which were verified."""

    #: The report of the certificate; without one, only what does not depend on it is compared.
    report: Report | None
    header: Header
    law: Law
    canonical: CanonicalAnswers | None

    @cached_property
    def results(self) -> dict[str, Result]:
        """The result of each provision."""
        provisions = [] if self.report is None else self.report.provisions
        return {provision.id: provision.result for provision in provisions}


@dataclass(frozen=True, kw_only=True)
class CarryDecision:
    """Compares a run with an earlier certificate, provision by provision."""

    earlier: EarlierCertificate
    law: Law
    terms: Terms
    description: Description
    canonical: CanonicalAnswers | None
    first_day: dt.date
    policy: ChangePolicy

    @cached_property
    def _amended(self) -> frozenset[str]:
        return frozenset(find_amended_provisions(self.earlier.law, self.law, self.terms.game_names))

    @cached_property
    def _reread(self) -> frozenset[str]:
        """The instruments of which an open point is read otherwise than before."""
        before, now = self.earlier.header.terms.rulings, self.terms.rulings
        changed = {name for name in before.keys() | now.keys() if before.get(name) != now.get(name)}
        return frozenset(
            provision.partition("/")[0]
            for law in (self.earlier.law, self.law)
            for point in law.divergences
            if point.id in changed
            for provision in point.provisions
        )

    def obstacles(self) -> dict[str, CarryObstacle | None]:
        """Return why each provision in scope is examined again; None where it is carried over."""
        return {
            held.id: self.obstacle_of(held)
            for held in self.law.provisions.values()
            if held.instrument.game in self.terms.game_names
        }

    def carried(self) -> dict[str, CarriedProvision]:
        """Return the provisions that may be carried over; without a certificate, none."""
        report = self.earlier.report
        if report is None:
            return {}
        return {
            name: self._link_of(report, name)
            for name, obstacle in self.obstacles().items()
            if obstacle is None
        }

    def obstacle_of(self, held: LocatedProvision) -> CarryObstacle | None:
        """Return the first condition that a provision does not meet."""
        terms = self.earlier.header.terms
        if not ways_of(held) & ASKED_WAYS:
            return CarryObstacle.NOT_ASKED
        if self.earlier.report is not None:
            obstacle = self._obstacle_of_certificate(self.earlier.report, held.id)
            if obstacle is not None:
                return obstacle
        if not self.policy.are_compatible(terms.engine_number, self.terms.engine_number):
            return CarryObstacle.ENGINE
        if held.id in self._amended:
            return CarryObstacle.LAW
        if held.instrument.id in self._reread or terms.text_as_stored != self.terms.text_as_stored:
            return CarryObstacle.READINGS
        return self._obstacle_of_behaviour(held)

    def _obstacle_of_certificate(self, report: Report, name: str) -> CarryObstacle | None:
        described, item = self.description, report.item
        if (described.vendor.name, described.product.name) != (item.vendor, item.product):
            return CarryObstacle.PRODUCT
        if (
            report.kind is not DocumentKind.CERTIFICATE
            or self.earlier.results.get(name) is not Result.CONFORMS
        ):
            return CarryObstacle.NOT_CERTIFIED
        before = self.earlier.header.terms.budget
        if BUDGETS.index(before) < BUDGETS.index(self.terms.budget):
            return CarryObstacle.EXTENT
        until = report.dates.valid_until
        if until is None or not report.dates.issued <= self.first_day <= until:
            return CarryObstacle.EXPIRED
        return self._obstacle_of_age(report, name)

    def _obstacle_of_age(self, report: Report, name: str) -> CarryObstacle | None:
        link, limits = self._link_of(report, name), self.policy.limits
        if link.times > limits.times:
            return CarryObstacle.TIMES
        if self.first_day - link.examined_on > dt.timedelta(days=limits.days):
            return CarryObstacle.DAYS
        return None

    def _obstacle_of_behaviour(self, held: LocatedProvision) -> CarryObstacle | None:
        before, now = self.earlier.canonical, self.canonical
        if before is None or now is None or held.id not in now.fingerprints:
            return CarryObstacle.NO_FINGERPRINT
        is_alike = has_same_fingerprint(before.fingerprints, now.fingerprints, held)
        return None if is_alike else CarryObstacle.BEHAVIOUR

    def _link_of(self, report: Report, name: str) -> CarriedProvision:
        """Return where a provision was examined in full, if it is carried over once more."""
        predecessor = self.earlier.header.predecessor
        before = None if predecessor is None else predecessor.carried.get(name)
        if before is None:
            return CarriedProvision(
                certificate=report.number, examined_on=report.dates.first_day, times=1
            )
        return CarriedProvision(
            certificate=before.certificate, examined_on=before.examined_on, times=before.times + 1
        )


def has_same_fingerprint(
    before: Mapping[str, str], now: Mapping[str, str], held: LocatedProvision
) -> bool:
    """Return whether a provision, and what no provision of its game accounts for, are alike."""
    return (
        all(before.get(name) == now.get(name) for name in (held.id, held.instrument.game))
        and held.id in now
    )
