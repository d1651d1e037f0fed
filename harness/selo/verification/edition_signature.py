"""The signature of an authority on an edition of the law, or on what a permission adds to one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from selo.edition import EDITION_SIGNATURE_FILE, SIGNED_EDITION_FILE, SignedEdition
from selo.errors import SeloError
from selo.gate import Permission
from selo.gate.permission_signature import Trust, name_signer, signature_path, verify_signature
from selo.gate.permitted_law import find_base_edition
from selo.signing import SignerIdentity
from selo.storage import read_bounded
from selo.storage.bounded_read import TEXT_LIMIT
from selo.yaml_file import parse_yaml

if TYPE_CHECKING:
    import datetime as dt
    from pathlib import Path

    from selo.edition import EditionFiles
    from selo.signing.signer_policy import SignerPolicy


@dataclass(frozen=True, kw_only=True, slots=True)
class EditionSigner:
    """Who signed an edition, who claims to have, and what is wrong with it."""

    signer: str | None = None
    #: The name in a certificate that nobody here is known to trust for this.
    claimed: str | None = None
    problem: str | None = None


def find_edition_signer(
    folder: Path, edition: str, policy: SignerPolicy | None, at: dt.datetime | None = None
) -> EditionSigner:
    """Return who signed the edition of a run or document whose files lie in `folder`.

    Only a signer whom the policy names as an authority counts.
    """
    try:
        content = read_bounded(folder / SIGNED_EDITION_FILE)
        signature = read_bounded(folder / EDITION_SIGNATURE_FILE)
    except OSError:
        return EditionSigner()
    problem = _find_record_problem(content, edition)
    if problem is not None:
        return EditionSigner(problem=problem)
    path = folder / SIGNED_EDITION_FILE
    try:
        if policy is None or not policy.roots:
            return EditionSigner(claimed=name_signer(signature, path))
        trust = Trust(roots=policy.roots, revocations=policy.revocations)
        signer = verify_signature(content, signature, path, trust, at=at)
    except SeloError as error:
        return EditionSigner(problem=str(error))
    identity = SignerIdentity(signer.certificate_sha256, signer.key_sha256, signer.name)
    allowed = policy.allows_authority(identity)
    return EditionSigner(signer=signer.name if allowed else None, claimed=signer.name)


def _find_record_problem(content: bytes, edition: str) -> str | None:
    """Return why a record is not one of this edition."""
    try:
        record = msgspec.json.decode(content, type=SignedEdition)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        return str(error)
    return None if record.edition == edition else record.edition


@dataclass(frozen=True, kw_only=True, slots=True)
class PermittedBase:
    """The edition to which a permission added law, and who signed that."""

    base: str
    number: str
    signer: str


def find_permitted_base(
    path: Path, files: EditionFiles, policy: SignerPolicy | None, at: dt.datetime | None
) -> PermittedBase | None:
    """Return to which edition the permission in `path` added what these files have more.

    Nothing unless an authority of the policy signed it.
    """
    if policy is None or not policy.roots:
        return None
    try:
        content = read_bounded(path, TEXT_LIMIT)
        signature = read_bounded(signature_path(path), TEXT_LIMIT)
        trust = Trust(roots=policy.roots, revocations=policy.revocations)
        signer = verify_signature(content, signature, path, trust, at=at)
        permission = parse_yaml(content.decode("utf-8"), path).convert(Permission)
    except (OSError, SeloError, UnicodeDecodeError):
        return None
    identity = SignerIdentity(signer.certificate_sha256, signer.key_sha256, signer.name)
    if permission.law is None or permission.issuer != signer.name:
        return None
    base = find_base_edition(files, permission.law)
    if base is None or not policy.allows_authority(identity):
        return None
    return PermittedBase(base=base, number=permission.permission, signer=signer.name)
