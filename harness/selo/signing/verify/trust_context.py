"""The light in which signatures are looked at: whom one trusts, and what is known of revocation."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pyhanko.sign.ades.report import AdESFailure, AdESIndeterminate

from selo.signing.verify.certificate_chain import (
    IF_KNOWN,
    REQUIRED,
    chain_problem,
    first_revoked,
    is_revocation_known,
    validation_context,
)

if TYPE_CHECKING:
    import datetime as dt

    from asn1crypto import crl, x509
    from pyhanko_certvalidator import ValidationContext

#: What is wrong with a chain, by the word that EN 319 102-1 has for it.
_CHAINS: Final[dict[Any, str]] = {
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
    """Whom the one who looks trusts, and what is known of revocation."""

    trust: tuple[x509.Certificate, ...]
    revocations: tuple[crl.CertificateList, ...]
    qualified: tuple[x509.Certificate, ...]
    now: dt.datetime
    #: What the document itself carries.
    others: tuple[x509.Certificate, ...] = ()
    embedded: tuple[crl.CertificateList, ...] = ()

    def with_embedded(
        self, others: tuple[x509.Certificate, ...], lists: tuple[crl.CertificateList, ...]
    ) -> TrustContext:
        """Return the same light, with what the document carries."""
        return dataclasses.replace(self, others=others, embedded=lists)

    def at(self, moment: dt.datetime) -> ValidationContext:
        """Return what chains are judged by at `moment`."""
        return validation_context(
            self.trust,
            others=self.others,
            revocations=[*self.embedded, *self.revocations],
            mode=IF_KNOWN,
            at=moment,
        )

    def fault(self, status: Any, moment: dt.datetime) -> str | None:
        """Return what is wrong with the chain of `status`, if anything is."""
        if not status.trusted:
            return _CHAINS.get(status.trust_problem_indic, "chain")
        lists = [*self.embedded, *self.revocations]
        gone = first_revoked(status.validation_path, lists, moment)
        return None if gone is None else "revoked"

    def complete(self, status: Any, moment: dt.datetime) -> bool:
        """Return whether the document alone shows that nothing on the chain was revoked."""
        if not self.embedded:
            return False
        if is_revocation_known(status.validation_path, self.embedded, moment):
            return True
        strict = validation_context(
            self.trust, others=self.others, revocations=self.embedded, mode=REQUIRED, at=moment
        )
        return chain_problem(status.signing_cert, strict) is None
