"""Trust anchors and revocation data for validating signatures."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pyhanko.sign.ades.report import AdESFailure, AdESIndeterminate

from selo.signing.verify.certificate_chain import (
    REVOCATION_IF_KNOWN,
    REVOCATION_REQUIRED,
    chain_problem,
    first_revoked,
    is_revocation_known,
    validation_context,
)

if TYPE_CHECKING:
    import datetime as dt

    from asn1crypto import crl, x509
    from pyhanko_certvalidator import ValidationContext

#: Our fault code for each sub-indication of EN 319 102-1.
_CHAIN_FAULTS: Final[dict[Any, str]] = {
    AdESFailure.REVOKED: "revoked",
    AdESIndeterminate.REVOKED_NO_POE: "revoked",
    AdESIndeterminate.REVOKED_CA_NO_POE: "revoked",
    AdESIndeterminate.OUT_OF_BOUNDS_NO_POE: "expired",
    AdESIndeterminate.OUT_OF_BOUNDS_NOT_REVOKED: "expired",
    AdESIndeterminate.EXPIRED: "expired",
    AdESFailure.NOT_YET_VALID: "expired",
    AdESIndeterminate.NO_CERTIFICATE_CHAIN_FOUND: "unknown",
    AdESIndeterminate.CRYPTO_CONSTRAINTS_FAILURE: "weak",
    AdESIndeterminate.CRYPTO_CONSTRAINTS_FAILURE_NO_POE: "weak",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class TrustContext:
    """Trust anchors, time of validation and revocation data."""

    trust: tuple[x509.Certificate, ...]
    revocations: tuple[crl.CertificateList, ...]
    qualified: tuple[x509.Certificate, ...]
    now: dt.datetime
    #: From the document security store.
    others: tuple[x509.Certificate, ...] = ()
    embedded: tuple[crl.CertificateList, ...] = ()

    def with_embedded(
        self, others: tuple[x509.Certificate, ...], lists: tuple[crl.CertificateList, ...]
    ) -> TrustContext:
        """Return this context with the certificates and lists of the document."""
        return dataclasses.replace(self, others=others, embedded=lists)

    def at(self, moment: dt.datetime) -> ValidationContext:
        """Return the context for validating chains at `moment`."""
        return validation_context(
            self.trust,
            others=self.others,
            revocations=[*self.embedded, *self.revocations],
            mode=REVOCATION_IF_KNOWN,
            at=moment,
        )

    def chain_fault(self, status: Any, moment: dt.datetime) -> str | None:
        """Return the fault code of the chain of `status`, or nothing if it is trusted."""
        if not status.trusted:
            return _CHAIN_FAULTS.get(status.trust_problem_indic, "chain")
        lists = [*self.embedded, *self.revocations]
        revoked = first_revoked(status.validation_path, lists, moment)
        return None if revoked is None else "revoked"

    def is_revocation_looked_up(self, status: Any, moment: dt.datetime) -> bool:
        """Return whether the lists in the document, or at hand, cover the whole chain."""
        lists = [*self.embedded, *self.revocations]
        if lists and is_revocation_known(status.validation_path, lists, moment):
            return True
        return self.is_self_sufficient(status, moment)

    def is_self_sufficient(self, status: Any, moment: dt.datetime) -> bool:
        """Return whether the document alone proves that nothing on the chain was revoked."""
        if not self.embedded:
            return False
        if is_revocation_known(status.validation_path, self.embedded, moment):
            return True
        strict = validation_context(
            self.trust,
            others=self.others,
            revocations=self.embedded,
            mode=REVOCATION_REQUIRED,
            at=moment,
        )
        return chain_problem(status.signing_cert, strict) is None
