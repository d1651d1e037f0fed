"""The certificate policy that marks demonstration certificates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from asn1crypto import x509

#: Our own policy under the UUID arc (ITU-T X.667), which needs no registration.
DEMONSTRATION_POLICY: Final = "2.25.332255746418709132563023089803660901292"


def is_demonstration(certificate: x509.Certificate) -> bool:
    """Return whether `certificate` was issued for demonstration only."""
    policies = certificate.certificate_policies_value
    return policies is not None and any(
        policy["policy_identifier"].dotted == DEMONSTRATION_POLICY for policy in policies
    )
