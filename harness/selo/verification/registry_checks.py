"""What a registry says of a document today."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import TYPE_CHECKING

from selo.registry.certificate_lookup import ListFreshness
from selo.registry.certificate_states import CertificateState
from selo.registry.status import ask_registry
from selo.verification.verification_report import (
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.registry.registry_policy import RegistryPolicy
    from selo.registry.status import RegistrySource


def check_registry(
    document: bytes,
    number: str,
    registry: RegistrySource,
    policy: RegistryPolicy | None,
    now: dt.datetime | None = None,
) -> Iterator[DocumentCheck]:
    """Check that a registry knows exactly this document, and that it is valid today.

    The registry is a log, a published copy of one, a status list, or the code of one certificate.
    """
    now = now or dt.datetime.now(dt.UTC)
    digest = hashlib.sha256(document).hexdigest()
    answer = ask_registry(registry, policy, numbers=[number])
    if policy is None:
        yield open_check("registry-trust", "registry.untrusted")
    if answer.problems or answer.head is None:
        yield failed_check("registry", "registry.broken", problem=", ".join(answer.problems))
        return
    head = answer.head
    slots = {"certificate": number, "day": head.at.date(), "age": max((now - head.at).days, 0)}
    freshness = answer.freshness(now)
    if freshness is ListFreshness.EXPIRED:
        yield open_check("registry", "registry.stale", until=head.expires.date(), **slots)
        return
    if freshness is ListFreshness.FUTURE:
        yield open_check("registry", "registry.future", **slots)
        return
    state = answer.state_of(number, now)
    record = next((one for one in answer.records if one.number == number), None)
    if record is not None and record.document != digest:
        yield failed_check("registry", "registry.other-document", **slots)
    elif state is CertificateState.VALID:
        yield passed_check("registry", "registry.valid", **slots)
    elif record is not None and state is CertificateState.SUPERSEDED:
        yield open_check("registry", "registry.superseded", successor=record.successor, **slots)
    else:
        yield open_check("registry", f"registry.{state}", **slots)
