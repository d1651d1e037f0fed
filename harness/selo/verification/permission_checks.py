"""Checks the permissions of the authority on which the evidence of a document relies."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import msgspec

from selo.errors import SeloError
from selo.evidence import EvidenceReader
from selo.examine.run.evidence_header import parse_header
from selo.gate.permission_scope import PermissionStatus, verify_permission
from selo.report.content.attachments import PERMISSION_PREFIX, find_numbered_files
from selo.signing import SignerIdentity
from selo.storage.bounded_read import digest_file
from selo.verdict.rulings import Rulings, RulingSource
from selo.verification.verification_report import (
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.examine.run.evidence_header import Header
    from selo.examine.run.granted_permissions import GrantedPermission
    from selo.gate.permission_scope import VerifiedPermission
    from selo.gate.permission_signature import PermissionSigner, Trust
    from selo.law import Law
    from selo.signing.signer_policy import SignerPolicy


def check_permissions(  # noqa: PLR0913 - what is claimed, whom to trust, and when
    folder: Path,
    law: Law,
    trust: Trust,
    policy: SignerPolicy | None = None,
    *,
    tested: dt.date | None = None,
    today: dt.date | None = None,
) -> Iterator[DocumentCheck]:
    """Check each permission that the evidence in `folder` names, and the rulings it contains.

    The evidence itself was checked before. Only whom the policy names as an authority permits
    anything: a laboratory under the same root does not. A test that began on the day `tested` had
    a permission that was not over, and whoever relies on one `today` learns whether it still holds.
    """
    try:
        header = parse_header(EvidenceReader(folder).header())
    except (SeloError, ValueError):
        return
    if header is None:
        return
    signed = {digest_file(path): path for path in find_numbered_files(folder, PERMISSION_PREFIX)}
    permitted: set[tuple[str, str, str]] = set()
    for permit in header.permissions:
        name, path = f"permission {permit.number}", signed.get(permit.sha256)
        if not trust.roots:
            yield open_check(name, "permission.untrusted", number=permit.number)
            continue
        try:
            verified = verify_permission(path or folder / f"{PERMISSION_PREFIX}0.yaml", law, trust)
        except (SeloError, ValueError) as error:
            yield failed_check(name, "permission.refused", number=permit.number, problem=error)
            continue
        if not _says_the_same(verified, permit, header) or (tested and tested > permit.expires):
            yield failed_check(name, "permission.differs", number=permit.number)
            continue
        permitted |= {
            (ruling.divergence, ruling.reading, ruling.by) for ruling in verified.rulings()
        }
        yield _check_authority(name, permit, verified.signer, policy)
        if today is not None and today > permit.expires:
            over = f"{name} validity"
            yield open_check(over, "permission.over", number=permit.number, until=permit.expires)
    if trust.roots:
        yield from _check_rulings(header, permitted)


def _check_authority(
    name: str, permit: GrantedPermission, signer: PermissionSigner, policy: SignerPolicy | None
) -> DocumentCheck:
    number = permit.number
    if policy is None or not policy.authorities:
        return open_check(name, "permission.unchecked", number=number, signer=signer.name)
    identity = SignerIdentity(signer.certificate_sha256, signer.key_sha256, signer.name)
    if not policy.allows_authority(identity):
        return failed_check(name, "permission.not-authority", number=number, signer=signer.name)
    return passed_check(name, "permission", number=number, signer=signer.name)


def _says_the_same(verified: VerifiedPermission, permit: GrantedPermission, header: Header) -> bool:
    """Return whether a signed permission says what the evidence says of it, of this product."""
    day = dt.date.fromisoformat(header.terms.as_of)
    status = verified.status({day}, header.description, header.terms.game_names)
    return verified.permitted() == permit and status is PermissionStatus.HOLDS


def _check_rulings(header: Header, permitted: set[tuple[str, str, str]]) -> Iterator[DocumentCheck]:
    """Check that rulings of the authority are exactly those that it signed."""
    adopted = msgspec.convert({"adopted": header.adopted}, Rulings).adopted
    claimed = {
        (ruling.divergence, ruling.reading, ruling.by)
        for ruling in adopted
        if ruling.source is RulingSource.PERMISSION
    }
    for divergence, _, by in sorted(claimed ^ permitted):
        yield failed_check(f"ruling {divergence}", "permission.differs", number=by)
