"""The mark of the demonstration authority, by which its keys are known wherever they appear."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from asn1crypto import x509

#: A certificate policy of our own, under the arc of UUIDs (ITU-T X.667) that needs no registration.
POLICY: Final = "2.25.332255746418709132563023089803660901292"


def is_demonstration(certificate: x509.Certificate) -> bool:
    """Return whether `certificate` was issued for demonstration only."""
    policies = certificate.certificate_policies_value
    return policies is not None and any(
        policy["policy_identifier"].dotted == POLICY for policy in policies
    )
